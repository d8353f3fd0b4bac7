import pytest

from interviewer.errors import ChatModelError
from interviewer.grading.model_points import points_by_model
from interviewer.worded import WordedError
from tests.interviewer.grading.fakes import FakeChat

REFERENCE = (
    "Write-ahead logging appends each change to a log before the page is touched.\n\n"
    "After a crash the log is replayed from the last checkpoint.\n\n"
    "It costs about 2 writes for 1 change."
)
LOG = {
    "quote": "appends each change to a log before the page is touched",
    "text": "Each change is appended to a log before the page is touched.",
    "weight": 3,
}
REPLAY = {"quote": "After a crash the log is replayed", "text": "The log is replayed after a crash.", "weight": 2}


def points(*found, language="en"):
    chat = FakeChat({"points": list(found)})
    found = points_by_model("How does a log help?", REFERENCE, language, chat)
    assert len(chat.history) == 1
    return found


def test_points_proven_by_the_reference_are_taken():
    assert [(p.id, p.weight, p.text["en"]) for p in points(LOG, REPLAY)] == [
        ("p1", 3, LOG["text"]),
        ("p2", 2, REPLAY["text"]),
    ]


@pytest.mark.parametrize(
    "invented",
    [
        {**REPLAY, "quote": "Logs are compressed"},
        {**REPLAY, "quote": ""},
        {**REPLAY, "text": "Checkpoints are taken by a background thread every minute."},
        {**REPLAY, "text": "After a crash the log is replayed in 7 seconds."},
        {**REPLAY, "text": " "},
        {**REPLAY, "text": LOG["text"]},
        {**REPLAY, "text": "The log is replayed after a crash. " * 40},
        {"quote": REPLAY["quote"]},
    ],
)
def test_a_point_the_reference_does_not_contain_is_dropped(invented):
    assert [p.text["en"] for p in points(LOG, invented, REPLAY)] == [LOG["text"], REPLAY["text"]]


def test_weights_stay_in_range_and_the_number_of_points_is_bounded():
    assert [p.weight for p in points({**LOG, "weight": 99}, {**REPLAY, "weight": -1})] == [3, 1]


@pytest.mark.parametrize(
    ("reply", "key"),
    [
        ("nonsense", "model_invalid_output"),
        ({"points": []}, "model_invalid_output"),
        ({"points": [{**LOG, "quote": "no"}]}, "model_unproven"),
        ({"points": 3}, "model_invalid_output"),
        (ChatModelError("Gone.", kind="timeout"), "model_timeout"),
        (ChatModelError("Odd.", kind="a kind of its own"), "model_other"),
    ],
)
def test_a_model_that_fails_or_proves_nothing_is_told_in_both_languages(reply, key):
    with pytest.raises(WordedError) as raised:
        points_by_model("How?", REFERENCE, "en", FakeChat(reply))
    assert raised.value.key == key
    assert " fake" in raised.value.message
    assert "模型 fake" in str(raised.value.said("zh"))


def test_without_a_reference_nothing_is_asked():
    assert points_by_model("How?", "  ", "en", FakeChat()) == ()


def test_a_chinese_reference_gives_chinese_points():
    reference = "先写日志再改数据页。崩溃之后从检查点开始重放日志。"
    found = {"quote": "崩溃之后从检查点开始重放日志", "text": "崩溃后从检查点重放日志", "weight": 2}
    first = {"quote": "先写日志再改数据页", "text": "改数据页之前先写日志", "weight": 3}
    proven = points_by_model("预写日志是什么？", reference, "zh", FakeChat({"points": [first, found]}))
    assert [p.text for p in proven] == [{"zh": first["text"]}, {"zh": found["text"]}]
