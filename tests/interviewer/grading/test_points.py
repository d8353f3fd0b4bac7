"""Points from structure: list items, sentences, headings, code and tables; bounded, deterministic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.pieces import MAX_POINTS
from interviewer.grading.points import are_found, extract, extract_points, is_brief
from interviewer.grading.structure import plain, split_lead_in, units
from interviewer.models import Point


def texts(reference: str, language: str = "en") -> list[str]:
    return [point.in_language(language) for point in extract_points(reference, language)]


def test_list_items_are_points_with_nested_items_folded_under_them() -> None:
    reference = "- Shard optimizer states\n  - also gradients\n- Shard parameters\n- Offload to host memory\n"
    assert texts(reference) == ["Shard optimizer states; also gradients", "Shard parameters", "Offload to host memory"]


@pytest.mark.parametrize(
    ("item", "label", "text"),
    [
        ("**原因**: 梯度下溢", "原因", "梯度下溢"),
        ("**Cause:** gradients underflow", "Cause", "gradients underflow"),
        ("Cause: gradients underflow", "Cause", "gradients underflow"),
        ("处理：降低学习率", "处理", "降低学习率"),
        ("see https://example.org/x for more", "", "see https://example.org/x for more"),
        ("no lead in here", "", "no lead in here"),
    ],
)
def test_lead_ins_become_labels(item: str, label: str, text: str) -> None:
    assert split_lead_in(item) == (label, text)


def test_headings_label_the_points_below_them() -> None:
    reference = (
        "## Symptoms\n- loss spikes\n- gradients overflow\n\n**Remedies**\n\n- lower the rate\n- clip gradients\n"
    )
    assert [p.label for p in extract_points(reference, "en")] == ["Symptoms"] * 2 + ["Remedies"] * 2


def test_an_introduction_ending_in_a_colon_is_a_label_and_no_point() -> None:
    points = extract_points("常见的原因有：\n\n1. 学习率太大\n2. 数据里有脏值\n3. 半精度溢出\n", "zh")
    assert [p.label for p in points] == ["常见的原因有"] * 3
    assert [p.text["zh"] for p in points] == ["学习率太大", "数据里有脏值", "半精度溢出"]


def test_code_belongs_to_the_statement_before_it() -> None:
    reference = (
        "- Reset the peak first\n\n```python\ntorch.cuda.reset_peak_memory_stats()\n```\n\n- Then read it\n- Log it\n"
    )
    found = texts(reference)
    assert len(found) == 3
    assert "reset_peak_memory_stats" in found[0]


def test_a_reference_that_is_only_a_table_gives_a_point_a_row() -> None:
    assert (
        len(texts("| mode | cost |\n|---|---|\n| eager | high cost per step |\n| graph | low cost per step |\n")) == 2
    )


@pytest.mark.parametrize(
    ("reference", "language", "count"),
    [
        ("The lock lets one thread run bytecode at a time.", "en", 1),
        ("特点：高精度、全天候、多功能。", "zh", 3),
        ("原则有：合法规范的原则；平等互利的原则；协商一致的原则", "zh", 3),
        ("1.头结点让操作一致；便于插入。2.统一空表和非空表的处理。", "zh", 3),
        ("1.No acknowledgement is sent.\n2.Loss is possible in transit.", "en", 2),
        ("(1 - u) * 0.9^10 / (1 - 0.9^11) is 0.05 of the time.", "en", 1),
    ],
)
def test_one_sentence_gives_one_point_or_its_members(reference: str, language: str, count: int) -> None:
    assert len(texts(reference, language)) == count


@pytest.mark.parametrize(
    ("reference", "language", "expected"),
    [
        (
            "ACID stands for atomicity, consistency, isolation and durability.",
            "en",
            ["atomicity", "consistency", "isolation", "durability"],
        ),
        ("A process can be new, ready, running or terminated.", "en", ["new", "ready", "running", "terminated"]),
        ("链表分为单链表、双向链表和循环链表三种。", "zh", ["单链表", "双向链表", "循环链表"]),
        ("原子性、一致性、隔离性、持久性。", "zh", ["原子性", "一致性", "隔离性", "持久性"]),
        ("要素包括线路、节点、工具及运输的参与者。", "zh", ["线路", "节点", "工具", "运输的参与者"]),
        ("三极管分为饱和区、截止区和放大区。", "zh", ["饱和区", "截止区", "放大区"]),
        ("验收的内容有三项：一是项目，二是方法，三是期限。", "zh", ["项目", "方法", "期限"]),
        (
            "优缺点：优点——运量大、运费低。缺点——速度慢、受天气影响。",
            "zh",
            ["运量大", "运费低", "速度慢", "受天气影响"],
        ),
        (
            "Advantages: sorted order, range scans.\nDisadvantages: random writes, page splits.",
            "en",
            ["sorted order", "range scans", "random writes", "page splits"],
        ),
        (
            "- Position bias: swap the order and average\n- Verbosity: longer answers win\n- Estimate: 1 - C(n-c, k)/C(n, k)",
            "en",
            [
                "Position bias: swap the order and average",
                "Verbosity: longer answers win",
                "Estimate: 1 - C(n-c, k)/C(n, k)",
            ],
        ),
        (
            "- 切的对象：LayerNorm 和 dropout 的激活\n- 怎么切：沿序列分给各卡\n- 外存：计划和笔记写到文件里",
            "zh",
            ["切的对象：LayerNorm 和 dropout 的激活", "怎么切：沿序列分给各卡", "外存：计划和笔记写到文件里"],
        ),
    ],
)
def test_what_a_sentence_lists_is_a_point_each(reference: str, language: str, expected: list[str]) -> None:
    assert texts(reference, language) == expected


@pytest.mark.parametrize(
    ("reference", "points"),
    [
        ("The terminals are clean and connected.", 1),
        ("Threads are cheap to start, they share memory, and a crash in one of them takes the whole process down.", 1),
        ("盘点方法分为两类，一类由人和机器一起做，一类全由人做。", 3),
        ("LoRA 冻结原来的权重,只训练插入的低秩矩阵,推理时可以合并回去,没有额外的延迟。", 4),
        ("It includes everything that was written before the checkpoint was taken, and the log that came after it.", 1),
    ],
)
def test_a_sentence_that_says_more_than_names_is_no_list(reference: str, points: int) -> None:
    assert len(texts(reference)) == points


def test_clauses_are_points_only_where_a_reference_makes_one_or_two_statements() -> None:
    both = ["UDP 不先建立连接，不保证数据到达。", "TCP 要先建立连接，保证数据按序到达。"]
    third = "两者都用端口号，都在传输层。"
    assert len(texts("".join(both), "zh")) == 4
    assert texts("".join((*both, third)), "zh") == [*both, third]


def test_half_width_commas_part_clauses_that_are_weighed_as_such_and_short_names() -> None:
    wide = "LoRA 冻结原来的权重，只训练插入的低秩矩阵，推理时可以合并回去，没有额外的延迟。"
    half = wide.replace("，", ",")
    assert texts(half, "zh") == texts(wide, "zh")
    assert is_brief(half)
    assert texts("单链表,双向链表,循环链表", "zh") == ["单链表", "双向链表", "循环链表"]


def test_a_clause_says_what_its_label_names() -> None:
    assert texts(
        "- **LoRA**：冻结原来的权重，只训练低秩矩阵。\n- **QLoRA**：把原权重量化到四位，再训练低秩矩阵。", "zh"
    ) == [
        "LoRA: 冻结原来的权重",
        "LoRA: 只训练低秩矩阵。",
        "QLoRA: 把原权重量化到四位",
        "QLoRA: 再训练低秩矩阵。",
    ]


def test_one_of_two_things_stays_a_thing_to_choose() -> None:
    rubric = extract("Name one reason.", "- Reads are fast, because the index is small.\n- Writes are cheap.", "en")
    assert [len(choice.points) for choice in rubric.choices] == [2]
    assert len(rubric.points) == 2


def test_points_are_found_where_they_are_those_of_the_reference() -> None:
    reference = "- It is **fast**:\n  - it caches;\n  - it batches.\n\n```\nrun(x)\n```\nIt is small."
    found = extract_points(reference, "en")
    assert are_found(found, {"en": reference})
    renamed = tuple(point.model_copy(update={"id": f"other-{point.id}"}) for point in found)
    assert are_found(renamed, {"en": reference})
    assert not are_found(found[:-1], {"en": reference})
    assert not are_found((*found, Point(id="own", text={"en": "It needs no lock"})), {"en": reference})
    both = tuple(point.model_copy(update={"text": {**point.text, "zh": "它"}}) for point in found)
    assert not are_found(both, {"en": reference, "zh": "它"})
    assert not are_found((), {"en": reference})


def test_a_short_statement_goes_with_those_under_its_own_label() -> None:
    reference = (
        "**Strength**: range queries read neighbouring leaves one after another.\n\n"
        "**Price**: page splits. Inserts into a full leaf move half of its entries to a new one."
    )
    assert texts(reference) == [
        "Strength: range queries read neighbouring leaves one after another.",
        "Price: page splits. Inserts into a full leaf move half of its entries to a new one.",
    ]


@pytest.mark.parametrize(
    ("reference", "points"),
    [
        (
            "- **AdamW**: takes the decay out of the gradient.\n- **L1**: pushes weights to exactly zero.\n- It costs little.",
            ["AdamW: takes the decay out of the gradient.", "L1: pushes weights to exactly zero.", "It costs little."],
        ),
        (
            "1. 早停：误差不再下降就停止\n2. 随机失活：每步关掉一部分神经元\n3. 数据增强",
            ["早停：误差不再下降就停止", "随机失活：每步关掉一部分神经元", "数据增强"],
        ),
        # Which side is meant says nothing of it, nor does a heading that several stand under, a number or a question.
        ("**Cause**: gradients underflow in half precision.\n\n**Fix**: scale the loss.", None),
        ("**原理**：预先申请一大块显存，避免碎片。\n\n**Key idea**: ask for it once.", None),
        ("## Symptoms\n- the loss spikes\n- gradients overflow\n- tokens repeat", None),
        ("## 3. How to find it?\nCompare the losses layer by layer.", None),
        ("## 2) Profiling (10 minutes)\nRun it under a profiler first.", ["Profiling: Run it under a profiler first."]),
    ],
)
def test_a_point_says_what_it_is_about_where_its_label_does(reference: str, points: list[str] | None) -> None:
    found = extract_points(reference, "en")
    told = [text for point in found for text in point.text.values()]
    if points is None:
        assert all(not point.label or point.label not in text for point, text in zip(found, told, strict=True))
    else:
        assert told == points
    assert are_found(found, {"en": reference})


@pytest.mark.parametrize(
    ("reference", "language", "points"),
    [
        (
            "Client: retries with jitter. Queue: a bound on its length. Server: sheds what is over it.",
            "en",
            ["Client: retries with jitter.", "Queue: a bound on its length.", "Server: sheds what is over it."],
        ),
        (
            "客户端：重试要加抖动。队列：长度要有上限。服务端：超过就拒绝。",
            "zh",
            ["客户端：重试要加抖动。", "队列：长度要有上限。", "服务端：超过就拒绝。"],
        ),
        ("Retries: add jitter to each. That spreads the load. Their number has a cap.", "en", None),
    ],
)
def test_where_every_sentence_has_its_label_the_first_is_not_that_of_all(
    reference: str, language: str, points: list[str] | None
) -> None:
    assert texts(reference, language) == (
        points or ["add jitter to each.", "That spreads the load.", "Their number has a cap."]
    )


def test_lines_of_few_words_are_a_list_without_its_bullets() -> None:
    assert texts("线程切换的开销\nIO 多路复用\n零拷贝", "zh") == ["线程切换的开销", "IO 多路复用", "零拷贝"]
    assert texts("零拷贝\n线程切换的开销", "zh") == ["零拷贝; 线程切换的开销"]


def test_fragments_join_their_neighbour() -> None:
    assert texts("No. Arrivals come in bursts and depend on each other.") == [
        "No. Arrivals come in bursts and depend on each other."
    ]


def test_a_lone_item_opens_into_its_children() -> None:
    reference = "- How to find it:\n  - sample the stacks with a profiler\n  - turn on collector logs\n  - look for blocking calls\n"
    points = extract_points(reference, "en")
    assert len(points) == 3
    assert all(point.label == "How to find it" for point in points)


def test_more_than_eight_statements_are_joined_to_eight() -> None:
    reference = "\n".join(f"- statement number {i} about the scheduler" for i in range(30))
    found = texts(reference)
    assert len(found) == MAX_POINTS
    assert all(f"number {i} about" in " ".join(found) for i in range(30))


def test_weights_follow_substance_within_bounds() -> None:
    points = extract_points(
        "- short one here now\n- " + "a much longer statement " * 20 + "\n- another short one\n", "en"
    )
    assert points[0].weight < points[1].weight
    assert all(0.5 <= point.weight <= 2 for point in points)


def test_abbreviations_in_parentheses_become_aliases() -> None:
    (point,) = extract_points("The Global Interpreter Lock (GIL) lets one thread run at a time.", "en")
    assert point.aliases == {"en": ("Global Interpreter Lock", "GIL")}
    (remark,) = extract_points("It runs fast (see below) on most machines we tried.", "en")
    assert remark.aliases == {}


def test_an_empty_reference_gives_no_points() -> None:
    assert extract_points("  \n\n", "en") == ()


@given(st.text(max_size=600))
def test_any_text_gives_bounded_points(reference: str) -> None:
    points = extract_points(reference, "zh")
    assert len(points) <= MAX_POINTS
    assert [p.id for p in points] == [f"p{i}" for i in range(1, len(points) + 1)]
    assert points == extract_points(reference, "zh")
    assert all(0.5 <= p.weight <= 2 and p.text["zh"].strip() for p in points)


@given(
    st.lists(
        st.from_regex(r"[a-z]{3,9} [a-z]{3,9} [a-z]{3,9} [a-z]{3,9} [a-z]{3,9}", fullmatch=True),
        min_size=3,
        max_size=20,
    )
)
def test_no_list_item_is_lost(items: list[str]) -> None:
    found = " ".join(texts("\n".join(f"- {item}" for item in items)))
    assert all(item in found for item in items)


def test_a_huge_reference_is_read_in_bounded_time() -> None:
    assert len(extract_points("a word, " * 20_000 + "\n" + "- x y z w\n" * 2_000, "en")) <= MAX_POINTS


def test_units_keep_order() -> None:
    assert [u.text for u in units("First one here.\n\n- then this\n- and that\n")] == [
        "First one here.",
        "then this",
        "and that",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a [trie](https://example.org/Trie_(tree)) of [paths](p.md) (short)", "a trie of paths (short)"),
        ("[![build](b.svg)](https://example.org/ci) passes", "build passes"),
        ("a[0](x) and a[i] stay", "a0 and a[i] stay"),
        ("see [1] and [the rest", "see [1] and [the rest"),
    ],
)
def test_links_leave_their_words(text: str, words: str) -> None:
    assert plain(text) == words


@pytest.mark.parametrize("part", ["[", "![", "[a](", "[a](b", "[a]((", "]("])
def test_brackets_in_a_row_do_not_hold_up(part: str) -> None:
    """With 100,000 of them an expression of quadratic time took minutes."""
    assert part[0] in plain(part * 100_000)


@pytest.mark.parametrize(
    "reference",
    [
        "select 每次都要把描述符集合拷进内核\nepoll 只登记一次\npoll 没有数量上限",
        "The log is replayed.\nmmap isn't needed then.\nPages are written later.",
        "先写日志再改数据；\nredo 负责重做\nundo 负责回滚",
    ],
)
def test_lines_of_their_own_may_begin_with_a_word_in_small_letters(reference):
    assert [unit.text for unit in units(reference)] == reference.split("\n")


@pytest.mark.parametrize(
    "reference",
    [
        "The log is replayed\nafter a crash, so that\nno page is lost.",
        "写前日志先落盘，\n脏页随后再写",
        "Pages are written, then\nthe log is cut.",
    ],
)
def test_what_goes_on_in_the_next_line_is_one_statement(reference):
    assert [unit.text for unit in units(reference)] == [reference.replace("\n", " ")]


def labelled(reference: str, language: str = "zh") -> list[tuple[str, str]]:
    return [(point.label, point.text[language]) for point in extract_points(reference, language)]


@pytest.mark.parametrize(
    ("reference", "language", "expected"),
    [
        (
            "优点：\n1. 独立部署\n2. 易于扩展\n缺点：\n1. 运维复杂\n2. 网络延迟",
            "zh",
            [("优点", "独立部署"), ("优点", "易于扩展"), ("缺点", "运维复杂"), ("缺点", "网络延迟")],
        ),
        (
            "Advantages:\n- Simple to deploy\n- Easy to debug\nDisadvantages:\n- Hard to scale",
            "en",
            [
                ("Advantages", "Simple to deploy"),
                ("Advantages", "Easy to debug"),
                ("Disadvantages", "Hard to scale"),
            ],
        ),
        (
            "- Average lookup is O(1)\n- Worst case is O(n)\nCollisions are handled by chaining.",
            "en",
            [("", "Average lookup is O(1)"), ("", "Worst case is O(n)"), ("", "Collisions are handled by chaining.")],
        ),
        (
            "1. 切分：切成片段\n2. 检索：按相似度召回\n3. 生成：拼进提示词再作答\n代价：依赖检索质量",
            "zh",
            [
                ("切分", "切分：切成片段"),
                ("检索", "检索：按相似度召回"),
                ("生成", "生成：拼进提示词再作答"),
                ("代价", "依赖检索质量"),
            ],
        ),
    ],
)
def test_a_line_at_the_margin_behind_a_list_begins_anew(reference, language, expected):
    assert labelled(reference, language) == expected


@pytest.mark.parametrize(
    ("reference", "language", "expected"),
    [
        (
            "1. 原子性\n要么全做要么全不做\n2. 隔离性\n并发事务互不影响\n3. 持久性\n提交后不丢",
            "zh",
            ["原子性 要么全做要么全不做", "隔离性 并发事务互不影响", "持久性 提交后不丢"],
        ),
        (
            "- Checkpoints bound the recovery time\nand are written in the background\n- Redo is idempotent\n- Undo isn't",
            "en",
            [
                "Checkpoints bound the recovery time and are written in the background",
                "Redo is idempotent",
                "Undo isn't",
            ],
        ),
        (
            "1. 前向\n2. 反向分两步：\n- 先算对输入的梯度\n- 再算对权重的梯度\n3. 更新参数",
            "zh",
            ["前向", "反向分两步：先算对输入的梯度; 再算对权重的梯度", "更新参数"],
        ),
    ],
)
def test_a_line_at_the_margin_that_goes_on_with_its_item_stays_with_it(reference, language, expected):
    assert texts(reference, language) == expected


def test_what_is_said_before_a_list_is_led_in_stays():
    assert labelled("缓存雪崩是大量键同时过期，请求全部打到数据库。解决方案：\n1. 过期时间加随机值\n2. 限流降级") == [
        ("", "缓存雪崩是大量键同时过期，请求全部打到数据库。"),
        ("解决方案", "过期时间加随机值"),
        ("解决方案", "限流降级"),
    ]
    aspects = "AOP 把日志、事务等横切逻辑从业务代码里抽出来，由框架在运行时织入，Spring 用动态代理实现："
    assert texts(f"{aspects}\n- 有接口用 JDK 代理\n- 没有接口用 CGLIB\n- 自调用不生效", "zh")[0] == aspects[:-1]
    assert texts(
        "The main reasons why it is fast in practice on a single core are:\n- memory\n- no locks\n- epoll"
    ) == [
        "memory",
        "no locks",
        "epoll",
    ]


def test_every_row_of_a_table_is_a_point_wherever_it_stands():
    table = "| 维度 | 进程 | 线程 |\n|---|---|---|\n| 内存 | 独立 | 共享 |\n| 通信 | 管道、消息队列 | 直接读写 |\n"
    assert labelled(f"进程是资源分配的单位。主要区别：\n\n{table}\n需要隔离时用多进程。") == [
        ("", "进程是资源分配的单位。"),
        ("主要区别", "内存：进程 独立，线程 共享"),
        ("主要区别", "通信：进程 管道、消息队列，线程 直接读写"),
        ("", "需要隔离时用多进程。"),
    ]
    assert texts("Two modes differ.\n\n| mode | cost |\n|---|---|\n| eager | high |\n| graph | low |\n") == [
        "Two modes differ.",
        "eager: high",
        "graph: low",
    ]


def test_chinese_numbers_stand_above_others():
    assert texts("分为两块：\n一、线程私有\n1、程序计数器\n2、虚拟机栈\n二、线程共享\n1、堆\n2、方法区", "zh") == [
        "线程私有：程序计数器",
        "线程私有：虚拟机栈",
        "线程共享：堆",
        "线程共享：方法区",
    ]
    assert labelled("（一）Abort：抛异常\n（二）CallerRuns：由提交者执行\n（三）Discard：直接丢弃") == [
        ("Abort", "Abort: 抛异常"),
        ("CallerRuns", "CallerRuns: 由提交者执行"),
        ("Discard", "Discard: 直接丢弃"),
    ]


@pytest.mark.parametrize(
    "remark",
    [
        "参考：https://blog.example.com/42",
        "See also: the manual of the database",
        "- [Read more](https://docs.example.org/x)",
        "https://docs.example.org/cors",
        "### Resources\n- [The manual](https://docs.example.org/x)",
    ],
)
def test_links_and_sources_are_no_points(remark):
    assert texts(f"- Retries need jitter\n- Queues need a bound\n- Load is shed early\n\n{remark}") == [
        "Retries need jitter",
        "Queues need a bound",
        "Load is shed early",
    ]
    assert texts("Q: 什么是闭包？\nA: 闭包是函数和它引用的外部变量。它能记住外层变量。", "zh") == [
        "闭包是函数和它引用的外部变量。",
        "它能记住外层变量。",
    ]


def test_sentences_keep_the_name_that_tells_them_from_those_of_another():
    one = "**L1**: It adds the sum of absolute weights. It drives many weights to zero."
    other = "**L2**: It adds the sum of squared weights. It shrinks all weights alike."
    assert texts(f"{one}\n\n{other}") == [
        "L1: It adds the sum of absolute weights.",
        "L1: It drives many weights to zero.",
        "L2: It adds the sum of squared weights.",
        "L2: It shrinks all weights alike.",
    ]


def test_what_stands_below_two_items_is_opened_for_both():
    locks = (
        "- 乐观锁\n  - 更新时检查版本号\n  - 实现：版本号、CAS\n- 悲观锁\n  - 先加锁再操作\n  - 实现：select for update"
    )
    assert texts(locks, "zh") == [
        "乐观锁：更新时检查版本号",
        "乐观锁：实现：版本号、CAS",
        "悲观锁：先加锁再操作",
        "悲观锁：实现：select for update",
    ]


def test_a_reference_that_is_only_code_is_graded_by_the_code():
    assert texts("```bash\ndocker ps -a\n```") == ["docker ps -a"]
    assert texts("Lists all containers.\n\n```bash\ndocker ps -a\n```") == ["Lists all containers. docker ps -a"]
