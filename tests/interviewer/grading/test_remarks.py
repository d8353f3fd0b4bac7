"""What documents say to their readers is no point of a question."""

import pytest

from interviewer.grading.points import extract_points
from interviewer.grading.remarks import without_citations

ALSO = "- 缓存：先查本地，再查远端。\n- 限流：令牌桶按速率放行。\n- 降级：只返回静态页面。"


def texts(reference, language="zh"):
    return [point.text[language] for point in extract_points(reference, language)]


PLAIN = texts(ALSO)


@pytest.mark.parametrize(
    "remark",
    [
        "(这里只列要点，细节请看手册)",
        "（以下按个人经验整理。）",
        "做法如下:",
        "我没有在线上做过，只能用一个例子说明:",
        "Here are the steps:",
        "可以从三个方面回答：",
    ],
)
def test_a_word_to_the_reader_is_none(remark):
    assert texts(f"{remark}\n\n{ALSO}") == PLAIN
    assert texts(f"{ALSO}\n\n{remark}") == PLAIN


@pytest.mark.parametrize("reply", ["遇到过。", "用过。", "有。", "是的，我们经常碰到过！", "Yes, we have seen it."])
def test_that_somebody_has_met_it_is_none(reply):
    assert texts(f"- {reply}\n{ALSO}") == PLAIN
    assert texts(f"- {reply} 显存先满。\n{ALSO}") == ["显存先满。", *PLAIN]


@pytest.mark.parametrize("reference", ["有。", "(看情况)", "Yes, I have used it."])
def test_where_nothing_else_is_said_it_stays(reference):
    assert texts(reference) == [reference]


def test_that_something_does_not_exist_or_is_wrong_stays():
    assert texts(f"- 没有。\n{ALSO}") == ["没有。", *PLAIN]
    assert texts("错误。栈后进先出。")[0].startswith("错误")


def test_what_a_formula_is_stays_with_its_colon():
    reference = "取平均后再做指数：\n\nPPL = exp(-mean)\n\n越低越好，下限是 1。\n\n不同词表之间不能直接比较。"
    assert texts(reference)[0].startswith("取平均后再做指数：")


def test_a_sentence_before_a_colon_says_something():
    long = "生成器把噪声变成样本，判别器判断样本是真是假，两者轮流更新，目标相反，写成一个极小极大的博弈："
    assert texts(f"{long}\n\n判别器太强时没有梯度。\n\n{ALSO}")[0] == long


LABELS = [
    "考察点：是否做过线上服务",
    "**面试官心理分析**：想看你是不是只背了名词。",
    "难度：⭐⭐⭐",
    "参考资料：\n[1] 某本手册",
    "### 追问\n\n缓存击穿怎么办？",
    "**加分项**：\n- 能说出具体数字",
    "**易错点**：\n- 以为限流能省下机器",
    "错误示范：直接重启。",
    "**What this tests:** whether they have run a service",
    "Difficulty: hard",
    "## References\n\n- a handbook",
    "**Follow-up:** How many nodes would you use?",
    "追问：击穿怎么办？\n\n> 答：加锁，只放一个请求去查库。",
    "Follow-up: And without Redis?\nA: Count locally and share the quota.",
]


@pytest.mark.parametrize("about", LABELS)
def test_what_tells_of_the_question_or_goes_on_from_it_is_none(about):
    assert texts(f"{ALSO}\n\n{about}") == PLAIN


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("易错点：忘记设置过期时间，内存只涨不落。", "忘记设置过期时间"),
        ("常见错误：\n- 先更新缓存再更新库，两边不一致。", "先更新缓存"),
        ("Pitfalls: a shared counter needs an atomic update.", "a shared counter"),
        ("面试官想看的是：能不能先量再改。", "能不能先量再改"),
    ],
)
def test_mistakes_told_as_what_happens_are_some(more, said):
    assert any(said in text for text in texts(f"{ALSO}\n\n{more}"))


def test_an_answer_of_nothing_else_keeps_it():
    assert texts("难度：高") == ["难度：高"]


def test_sources_are_cut_off():
    cited = "图模式先编译整图。(docs.example.org [3]) 算子可以融合(Handbook [12]);内存也能复用。【4†L1-L9】"
    assert without_citations(cited) == "图模式先编译整图。 算子可以融合;内存也能复用。"
    assert without_citations("It compiles the graph.[^2]\n\n[^2]: manual") == "It compiles the graph."


@pytest.mark.parametrize("code", ["f(rows [0])", "print(rows[0])", "数组(arr[3])", "(a[1])", "x = y[2]"])
def test_an_index_is_no_source(code):
    assert without_citations(code) == code


class TestTitles:
    """A number and a few words above paragraphs, as people write in chats and slides."""

    def test_they_are_labels_of_what_stands_below(self):
        reference = (
            "1.监控什么\n\n延迟看 P99，不看平均值。\n\n2.怎么报警\n\n阈值按星期几分开算，否则周末总是误报。\n\n"
            "同一个故障只报一次，恢复后再报一次。"
        )
        points = extract_points(reference, "zh")
        assert [point.label for point in points] == ["监控什么", "怎么报警", "怎么报警"]
        assert not any(title in point.text["zh"][5:] for point in points for title in ("监控什么", "怎么报警"))

    def test_bullets_below_a_number_are_its_own(self):
        flat = texts(
            "1. 冷启动:\n- 预热缓存\n- 提前建连接池\n2. 扩容:\n- 按队列长度\n- 留三成余量\n3. 回滚:\n- 保留上一版"
        )
        assert len(flat) == 3
        assert "预热缓存" in flat[0]
        assert "连接池" in flat[0]

    def test_a_numbered_statement_is_none_and_does_not_end_what_was_before_it(self):
        below = "\n\n".join(f"方法{n}：把第{n}类请求放进单独的队列，由单独的进程处理。" for n in "一二三四五六七八")
        points = texts(f"1.先隔离,再限速\n\n{below}\n\n2.最后才扩容,因为扩容最慢\n\n扩容前先看数据库撑不撑得住。")
        assert any(text.startswith("最后才扩容") for text in points)


def test_what_half_width_commas_part_is_no_list_of_names_under_a_label_either():
    reference = "- 压测: 跑一遍基准,比较甲机与乙机的速率,挑出最慢的节点。\n- 日志: 看内核消息。\n- 温度: 看是否降频。"
    assert texts(reference)[0].endswith("跑一遍基准,比较甲机与乙机的速率,挑出最慢的节点。")


def test_a_quoted_setting_stays_whole():
    reference = '- 变量: ALLOC_CONF="vmm:True,recycle:True"\n- 作用: 减少碎片。\n- 代价: 首次分配稍慢。'
    assert any('ALLOC_CONF="vmm:True,recycle:True"' in text for text in texts(reference))


def test_of_alternatives_one_is_enough_so_they_are_one_point():
    where = "- Where: gateway, sidecar or the service.\n- State: shared in one store.\n- Reply: status 429."
    assert texts(where, "en")[0].endswith("gateway, sidecar or the service.")
    assert texts("- 位置：网关、边车或者服务内。\n- 状态：放在共享存储。\n- 响应：429。")[0].endswith(
        "网关、边车或者服务内。"
    )
    assert (
        len(texts("- Parts: gateway, sidecar and service.\n- State: shared in one store.\n- Reply: status 429.", "en"))
        == 5
    )


def test_quoted_and_slanted_text_loses_its_marks_and_wildcards_stay():
    marked = "> 队列满了就直接拒绝新请求。\n\n*重试之前要加上随机抖动。*\n\n计数在 /sys/*/ports/*/counters 里，压测前后各读一次。"
    assert texts(marked) == [
        "队列满了就直接拒绝新请求。",
        "重试之前要加上随机抖动。",
        "计数在 /sys/*/ports/*/counters 里，压测前后各读一次。",
    ]


@pytest.mark.parametrize(
    ("reference", "language"),
    [
        ("怎样让重试不压垮下游？\n\n- 间隔逐次加倍。\n- 加上随机的抖动。\n- 总次数有上限。", "zh"),
        ("How do retries spare the service?\n\n- Double the pause.\n- Add random jitter.\n- Cap the number.", "en"),
    ],
)
def test_the_question_once_more_in_front_of_its_answer_is_no_point(reference, language):
    assert len(texts(reference, language)) == 3


def test_a_question_that_an_answer_asks_is_one():
    asked = "先看日志里有没有重启的记录。\n\n是单台机器还是所有机器都慢？\n\n最后再看最近改了什么配置。"
    assert len(texts(asked)) == 3
    assert texts("Does it fit into memory?", "en") == ["Does it fit into memory?"]
