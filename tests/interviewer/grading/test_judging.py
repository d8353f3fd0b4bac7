"""References that say whether something is so, alone or with a reason."""

import pytest

from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.judging import asks_to_judge, hear_judgement, is_judgement, split_judgement
from interviewer.grading.protocol import GradingContext
from interviewer.models import PointGrade, Question


@pytest.mark.parametrize(
    "point", ["正确。", "错误", "对的", "False.", "Yes", "Not true!", "答案：错", "It is correct."]
)
def test_a_bare_judgement_is_one(point):
    assert is_judgement(point)


@pytest.mark.parametrize(
    "point", ["正确率", "错误。栈是后进先出。", "No locks", "Rightly so", "不一定", "是否", "true positives", ""]
)
def test_what_says_more_or_something_else_is_none(point):
    assert not is_judgement(point)


@pytest.mark.parametrize(
    ("point", "said", "judged", "alike"),
    [
        ("正确。", "对", "对", True),
        ("正确。", "是的，三次握手可以防止。", "是的，三次握手可以防止。", True),
        ("正确。", "我认为这个说法是对的。因为有序号。", "我认为这个说法是对的。", True),
        ("正确。", "不正确", "不正确", False),
        ("错误。", "这句话是错的", "这句话是错的", True),
        ("错误。", "叙述错误", "叙述错误", True),
        ("错误。", "答：这种说法是不正确的", "答：这种说法是不正确的", True),
        ("错误。", "是错误的", "是错误的", True),
        ("错误。", "不对！栈是后进先出。", "不对！", True),
        ("错误。", "Ｆａｌｓｅ.", "Ｆａｌｓｅ.", True),
        ("可以。", "不可以，会死锁", "不可以，会死锁", False),
        ("False.", "No, the last one pushed is popped first.", "No, the last one pushed is popped first.", True),
        ("False.", "The statement is wrong.", "The statement is wrong.", True),
        ("False.", "no it isn't", "no it isn't", True),
        ("Yes.", "Yes the black one takes up more", "Yes the black one takes up more", True),
        ("Yes.", "Wrong because the cache is cold", "Wrong because the cache is cold", False),
        ("False.", "True, it is a queue.", "True, it is a queue.", False),
    ],
)
def test_a_judgement_is_heard_in_whatever_words(point, said, judged, alike):
    heard = hear_judgement(point, said)
    assert heard is not None
    assert (heard.window.text, heard.alike) == (judged, alike)
    assert said[heard.window.start : heard.window.end] == judged


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("正确。", "正确率是多少"),
        ("正确。", "对，错"),
        ("错误。", "对\n不对，栈是后进先出"),
        ("错误。", "错误\n对，队列才是先进先出"),
        ("错误。", "不一定"),
        ("可以。", "可以用锁"),
        ("False.", "True. No, false."),
        ("True.", "It isn't"),
        ("True.", "Right-hand sides come first"),
        ("False.", "Right, so a stack is last in, first out."),
        ("True.", "No doubt it does."),
        ("True.", "No lock is taken."),
        ("不是。", "对，不是越多越好，写会变慢"),
        ("No.", "Right, it doesn't scale."),
        ("True.", ""),
        ("栈是后进先出", "对"),
    ],
)
def test_what_judges_both_ways_or_not_at_all_is_not_heard(point, said):
    assert hear_judgement(point, said) is None


@pytest.mark.parametrize(
    ("point", "judgement", "reason"),
    [
        ("错误。栈是后进先出。", "错误。", "栈是后进先出。"),
        ("不对，TCP 层仍然有队头阻塞", "不对，", "TCP 层仍然有队头阻塞"),
        ("可以：因为有序号。", "可以：", "因为有序号。"),
        ("No. A stack is last in, first out.", "No.", "A stack is last in, first out."),
        ("YES, because both are saturated", "YES,", "because both are saturated"),
        ("错误。", "", "错误。"),
        ("No, it is not.", "", "No, it is not."),
        ("对称加密更快，非对称加密更慢", "", "对称加密更快，非对称加密更慢"),
        ("正确率，召回率，F1", "", "正确率，召回率，F1"),
    ],
)
def test_a_judgement_is_parted_from_its_reason(point, judgement, reason):
    assert split_judgement(point) == (judgement, reason)


@pytest.mark.parametrize(
    "asked",
    [
        "判断题：栈是先进先出的。",
        "请判断以下叙述是否正确，并做出解释：顺序栈中元素值的大小是有序的",
        "HTTP/2 完全解决了队头阻塞，对吗？",
        "TCP 的三次握手可以防止历史连接吗",
        "True or false: a stack is first in, first out.",
        "Can you use a piece of string? Why or why not?",
        "Consider a network. Does this assumption hold for real traffic? Explain.",
    ],
)
def test_some_questions_ask_to_judge(asked):
    assert asks_to_judge((asked,))


@pytest.mark.parametrize(
    "asked",
    ["什么是栈？", "为什么 RNN 难以并行？", "What is a stack?", "How does a cache work, and what can fail?", ""],
)
def test_most_do_not(asked):
    assert not asks_to_judge((asked,))


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("said", "verdict"), [("是的", "covered"), ("错误", "contradicted"), ("对，错", "missing"), ("握手", "missing")]
)
def test_the_grader_asks_for_nothing_else_where_a_reference_judges(given, said, verdict):
    asked = "判断题：在 TCP 中，三次握手可以防止历史连接的建立。"
    point = grade_one(asked, "正确。", said, given=given)
    assert (point.verdict, point.quote) == (verdict, said if verdict != "missing" else "")
    assert not point.unsure


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("said", "verdict", "quote"),
    [
        ("不对，后进先出的是栈，先进先出的是队列", "covered", "不对，后进先出的是栈，先进先出的是队列"),
        ("后进先出的是栈，先进先出的是队列", "covered", "后进先出的是栈，先进先出的是队列"),
        ("错误", "partial", "错误"),
        ("错。栈两头都能进", "partial", "错。"),
        ("对", "contradicted", "对"),
        ("对。后进先出的是栈，先进先出的是队列", "contradicted", "对。"),
        ("不知道", "missing", ""),
    ],
)
def test_a_judgement_with_a_reason_is_half_of_it_and_the_opposite_none(given, said, verdict, quote):
    asked = "判断题：栈是先进先出的数据结构。"
    point = grade_one(asked, "错误。栈是后进先出，队列才是先进先出。", said, given=given)
    assert (point.verdict, point.quote) == (verdict, quote)
    assert point.text.startswith("错误。")
    assert (point.reason == "判断对了，但理由没有说清。") == (verdict == "partial")


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("错误。", "missing"),
        ("错误\n不知道", "missing"),
        ("错误。不知道为什么", "missing"),
        ("错误，两头都能进。", "partial"),
        ("对", "contradicted"),
    ],
)
def test_where_a_reason_is_asked_for_a_bare_judgement_will_not_do(said, verdict):
    asked = "请判断以下叙述是否正确，并做出解释：栈是先进先出的数据结构。"
    point = grade_one(asked, "错误。栈是后进先出，队列才是先进先出。", said, given=False)
    assert (point.verdict, point.unsure) == (verdict, verdict == "partial")


@pytest.mark.parametrize("said", ["对", "错误"])
def test_where_nobody_asks_to_judge_a_judgement_is_no_answer(said):
    assert grade_one("栈有什么特点？", "错误。栈是后进先出，队列才是先进先出。", said, given=False).verdict == "missing"


def test_a_probe_for_the_reason_takes_nothing_from_a_judgement():
    asked = "判断题：栈是先进先出的数据结构。"
    point = grade_one(asked, "错误。栈是后进先出。", "错误", given=False, probes=("为什么？请说明理由。",))
    assert point.verdict == "partial"


def test_a_probe_whether_something_is_so_makes_no_judgement_of_a_point():
    reference = "对，栈是后进先出，队列才是先进先出。"
    alone = grade_one("栈有什么特点？", reference, "对", given=False)
    assert grade_one("栈有什么特点？", reference, "对", given=False, probes=("栈是先进先出的吗？",)) == alone


def grade_one(asked: str, reference: str, said: str, *, given: bool, probes: tuple[str, ...] = ()) -> PointGrade:
    points = ({"id": "a", "text": {"zh": reference}},) if given else ()
    question = Question(id="t", set="t", question={"zh": asked}, reference={"zh": reference}, points=points)
    (point,) = BuiltinGrader().grade(question, said, GradingContext(language="zh", asked=(asked, *probes))).points
    return point
