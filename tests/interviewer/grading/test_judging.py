"""References that say no more than whether something is so."""

import pytest

from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.judging import is_judgement, where_judged
from interviewer.grading.protocol import GradingContext
from interviewer.models import Question, Verdict


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
    ("point", "said", "judged"),
    [
        ("正确。", "对", "对"),
        ("正确。", "是的，三次握手可以防止。", "是的，三次握手可以防止。"),
        ("正确。", "我认为这个说法是对的。因为有序号。", "我认为这个说法是对的。"),
        ("正确。", "不正确", None),
        ("正确。", "正确率是多少", None),
        ("正确。", "对，错", None),
        ("错误。", "这句话是错的", "这句话是错的"),
        ("错误。", "不对！栈是后进先出。", "不对！"),
        ("错误。", "不一定", None),
        ("错误。", "Ｆａｌｓｅ.", "Ｆａｌｓｅ."),
        ("False.", "No, the last one pushed is popped first.", "No, the last one pushed is popped first."),
        ("False.", "The statement is wrong.", "The statement is wrong."),
        ("False.", "True. No, false.", None),
        ("True.", "It isn't", None),
        ("True.", "Right-hand sides come first", None),
        ("True.", "", None),
    ],
)
def test_who_judges_alike_makes_the_point_in_whatever_words(point, said, judged):
    found = where_judged(point, said)
    assert (found and found.text) == judged
    assert found is None or said[found.start : found.end] == found.text


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(("said", "verdict"), [("是的", Verdict.COVERED), ("错误", Verdict.MISSING)])
def test_the_grader_asks_for_nothing_else_where_a_reference_judges(given, said, verdict):
    asked = "判断题：在 TCP 中，三次握手可以防止历史连接的建立。"
    points = ({"id": "a", "text": {"zh": "正确"}},) if given else ()
    question = Question(id="t", set="t", question={"zh": asked}, reference={"zh": "正确。"}, points=points)
    (point,) = BuiltinGrader().grade(question, said, GradingContext(language="zh", asked=(asked,))).points
    assert (point.verdict, point.quote) == (verdict, said if verdict == Verdict.COVERED else "")
    assert not point.unsure
