"""Documents of other makes, written for this test, come in by the same rules."""

import re
from pathlib import Path

import pytest

from knowledge.import_report import ImportReport
from knowledge.importing import preview

FOLDER = Path(__file__).parent / "unseen"

EXPECTED = {
    "readme_headings.md": [
        "What is an index?",
        "Explain transaction isolation levels",
        "How does TCP open a connection?",
        "Difference between TCP and UDP?",
    ],
    "numbered_headings_with_contents.md": ["What is a closure?", "What is hoisting?", "What is the event loop?"],
    "quiz_with_folded_answers.md": ["What's the output?", "Which one is a syntax error?"],
    "folded_questions.md": [
        "What does `chmod 755` do?",
        "What is a zombie process?",
        "True or false? `kill -9` can be caught",
        "What is a layer?",
    ],
    "bold_questions_zh.md": ["Python 的 GIL 是什么?", "深拷贝和浅拷贝有什么区别?", "装饰器的原理"],
    "answers_apart_zh.txt": [
        "什么是进程?",
        "什么是线程?",
        "死锁的四个必要条件是什么?",
        "TCP 为什么要三次握手?",
        "HTTP 和 HTTPS 有何不同?",
    ],
    "marks_en.txt": [
        "What is the difference between a process and a thread?",
        "Explain the CAP theorem.",
        "How would you design a rate limiter?",
    ],
    "restarting_numbers_zh.txt": [
        "什么是 Transformer?",
        "为什么要除以根号 d?",
        "什么是 LoRA?",
        "混合精度训练有什么好处?",
        "KV Cache 的作用是什么?",
        "量化会带来什么问题?",
    ],
    "faq_page.html": ["What is a partition?", "How is order kept?", "What does acks=all mean?"],
    "flattened_page_zh.txt": [
        "vLLM 的 PagedAttention 解决了什么问题?",
        "连续批处理(Continuous Batching)和静态批处理有什么区别?",
        "如何查看显存占用?",
        "模型加载很慢怎么办?",
    ],
    "lists_numbered_like_questions_zh.txt": ["什么是 GIL?为什么存在?", "生成器和迭代器有什么关系?", "如何做性能分析?"],
    "article_en.txt": [
        "What is a kernel?",
        "What is virtual memory?",
        "What is thrashing?",
        "What is a system call?",
        "Difference between a mutex and a semaphore",
        "Write a program that forks twice.",
    ],
    "numbers_of_two_levels.md": ["进程和线程的区别是什么?", "什么是协程?", "什么是虚拟内存?", "页面置换算法有哪些?"],
    "choices_zh.txt": [
        "下列哪个不是 Linux 的进程状态?",
        "下列哪个命令查看端口占用?",
        "简述 fork 的写时复制。",
        "简述软链接与硬链接的不同。",
    ],
    "advertisement_between_zh.txt": [
        "JDK 和 JRE 有什么区别?",
        "== 和 equals 的区别是什么?",
        "两个对象的 hashCode() 相同,则 equals() 也一定为 true,对吗?",
        "final 有什么作用?",
        "List 和 Set 的区别",
        "数组扩容的机制",
        "迭代器",
    ],
    "headings_with_emoji_zh.md": [
        "为什么 KV Cache 会成为显存瓶颈？",
        "PagedAttention 解决了什么问题？",
        "投机解码一定能加速吗？（高频）",
    ],
    "bold_boxed_numbers_zh.md": [
        "NCCL 的 AllReduce 有哪几种算法？",
        "流水线并行的气泡怎么算？",
        "讲一下 ZeRO 的三个阶段",
    ],
    "short_and_long_answers_en.md": [
        "What is speculative decoding?",
        "When does it not pay off?",
        "How is the draft model chosen?",
    ],
    "question_and_answer_headings_zh.md": ["为什么注意力要除以 √d_k？", "Pre-Norm 和 Post-Norm 有什么区别？"],
    "bold_q_and_a_numbers_en.md": ["What is RoPE?", "Why does GQA help inference?", "Explain top-p sampling."],
    "a_day_of_interviews_zh.txt": ["讲讲 continuous batching", "prefill 和 decode 为什么要分离"],
    "flat_page_with_farewell_zh.txt": [
        "Redis 为什么快？",
        "Redis 有哪些数据类型？",
        "RDB 和 AOF 的区别？",
        "混合持久化是什么？",
    ],
    "dialogue_zh.txt": ["你们的 GPU 利用率怎么提升的？", "如果还是上不去呢？", "怎么判断是通信没重叠？"],
    "table_of_key_points_zh.md": ["什么是脑裂？", "为什么要用一致性哈希？", "如何保证消息不重复消费？"],
    "details_and_tables_en.md": [
        "How would you limit the rate of an API?",
        "What problem does consistent hashing solve?",
    ],
    "noun_phrases_zh.txt": [
        "基本数据类型及其大小",
        "equals()与“==”的区别",
        "Object类有哪些公用方法",
        "单例模式",
        "反射机制",
        "内存模型",
    ],
}

FOREIGN = re.compile(
    r"Back to Top|Contributing|MIT|Table of Contents|总结|祝大家|参考答案|第二章|Good luck|[二三]、|扫码|newsletter|All rights|更多推荐|公众号|写在最后"
    r"|第九部分|Conclusion|Share this|第二部分|点击此处|篇幅|二、容器|hidden\?"
)


def answers(name: str) -> list[str]:
    return [q.answer for q in preview([FOLDER / name]).questions]


@pytest.fixture(scope="module")
def reports() -> dict[str, ImportReport]:
    return {name: preview([FOLDER / name]) for name in EXPECTED}


@pytest.mark.parametrize("name", EXPECTED)
def test_exactly_the_questions_are_found(name: str, reports: dict[str, ImportReport]) -> None:
    assert [q.question.split("\n")[0] for q in reports[name].questions] == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_no_answer_holds_what_is_foreign_to_it(name: str, reports: dict[str, ImportReport]) -> None:
    for question in reports[name].questions:
        assert question.answer
        assert not FOREIGN.search(question.answer), question.answer
        assert not [other for other in EXPECTED[name] if other in question.answer]


def test_every_document_of_the_folder_is_checked() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(EXPECTED)


def test_topics_are_the_nearest_titles(reports: dict[str, ImportReport]) -> None:
    assert [q.topic for q in reports["readme_headings.md"].questions] == [
        "Databases",
        "Databases",
        "Networking",
        "Networking",
    ]
    assert [q.topic for q in reports["restarting_numbers_zh.txt"].questions] == ["基础篇"] * 2 + ["训练篇"] * 2 + [
        "推理篇"
    ] * 2
    assert [q.topic for q in reports["choices_zh.txt"].questions] == ["选择题"] * 2 + ["简答题"] * 2
    assert [q.number for q in reports["numbers_of_two_levels.md"].questions] == ["1.1", "1.2", "2.1", "2.2"]


def test_numbers_in_boxes_are_numbers(reports: dict[str, ImportReport]) -> None:
    for name in ("headings_with_emoji_zh.md", "bold_boxed_numbers_zh.md"):
        assert [q.number for q in reports[name].questions] == ["1", "2", "3"]


def test_what_tells_of_a_question_is_neither_asked_nor_answered(reports: dict[str, ImportReport]) -> None:
    for question in reports["bold_boxed_numbers_zh.md"].questions:
        assert not re.search("难度|标签", f"{question.question}{question.answer}")
    assert "考察点" not in reports["headings_with_emoji_zh.md"].questions[1].answer


def test_what_goes_on_from_a_question_stays_in_its_answer_and_is_no_point_of_it(
    reports: dict[str, ImportReport],
) -> None:
    cache, paging, speculation = reports["headings_with_emoji_zh.md"].questions
    assert "GQA 能省多少？" in cache.answer
    assert [point.text[:4] for point in cache.points] == ["解码每步", "缓存大小", "长上下文"]
    assert [point.text[:3] for point in paging.points] == ["把 K", "这样内", "前缀相"]
    assert len(speculation.points) > 3
    zero = reports["bold_boxed_numbers_zh.md"].questions[2]
    assert "FSDP 是" in zero.answer
    assert not [point for point in zero.points if "FSDP" in point.text or "reduce-scatter" in point.text]
    draft = reports["short_and_long_answers_en.md"].questions[2]
    assert "Medusa" in draft.answer
    assert not [point for point in draft.points if "Extra heads" in point.text]


def test_the_label_of_an_answer_is_no_part_of_its_points(reports: dict[str, ImportReport]) -> None:
    for name in ("question_and_answer_headings_zh.md", "bold_q_and_a_numbers_en.md", "short_and_long_answers_en.md"):
        points = [point.text for question in reports[name].questions for point in question.points]
        assert points
        assert not [text for text in points if re.match(r"\W*(?:解析|A\d|Long|参考)", text)]


def test_questions_of_a_day_that_nobody_answered_end_the_answer_before_them(reports: dict[str, ImportReport]) -> None:
    report = reports["a_day_of_interviews_zh.txt"]
    assert "LRU" not in report.questions[-1].answer
    told = [problem.excerpt.splitlines()[0] for problem in report.documents[0].problems if problem.kind == "no_answer"]
    assert told == ["自我介绍", "手撕：LRU", "反问环节"]


def test_who_speaks_is_no_part_of_an_answer(reports: dict[str, ImportReport]) -> None:
    assert not [q for q in reports["dialogue_zh.txt"].questions if "我：" in q.answer]


def test_a_table_that_a_sentence_leads_up_to_is_a_point(reports: dict[str, ImportReport]) -> None:
    limiter = reports["details_and_tables_en.md"].questions[0]
    assert "Token bucket" in limiter.points[0].text


def test_structure_in_answers_is_kept(reports: dict[str, ImportReport]) -> None:
    index = reports["readme_headings.md"].questions[0].answer
    assert "1. It costs space.\n2. It slows down writes." in index
    assert "```sql\n-- 1. create it\nCREATE INDEX idx ON users (email);\n```" in index
    assert "| B-tree | ranges |" in index
    assert "#### Serializable" in reports["readme_headings.md"].questions[1].answer
    closure = reports["numbered_headings_with_contents.md"].questions[0].answer
    assert "```js\nfunction f() {\n  let n = 0;" in closure
    assert "- It has offsets\n  - They grow\n- It has one leader" in reports["faq_page.html"].questions[0].answer
    assert "    fork();" in reports["article_en.txt"].questions[5].answer


def test_lists_in_answers_are_no_questions(reports: dict[str, ImportReport]) -> None:
    first, second, third = (q.answer for q in reports["lists_numbered_like_questions_zh.txt"].questions)
    assert first.startswith("1. 定义: 全局解释器锁。\n2. 影响")
    assert second == "生成器是一种迭代器。\n\n1. 用 yield 产生值\n2. 可以暂停"
    assert third.endswith("1. 排序\n2. 优化前几名")


def test_options_stand_in_the_question(reports: dict[str, ImportReport]) -> None:
    assert '- B: `"object"`' in reports["quiz_with_folded_answers.md"].questions[0].question
    assert reports["choices_zh.txt"].questions[0].question.endswith("A. R\nB. S\nC. Q\nD. Z")
    assert reports["choices_zh.txt"].questions[0].answer == "C\n\n解析:Linux 没有 Q 状态。"


def test_flattened_lists_are_whole(reports: dict[str, ImportReport]) -> None:
    assert reports["flattened_page_zh.txt"].questions[0].answer == (
        "- 问题: KV Cache 按最大长度预留,碎片严重。\n- 做法:\n  - 把显存切成块,用 block_table记录逻辑块到物理块的映射。\n"
        "  - 共享: 前缀相同的请求共用 block,引用计数归零才释放。\n- 效果: 利用率从三成升到九成以上。"
    )


def test_all_together_make_one_import() -> None:
    report = preview([FOLDER])
    assert report.found == sum(len(questions) for questions in EXPECTED.values())
    assert report.problem_counts().get("no_answer", 0) == 3, "of a day of interviews"
