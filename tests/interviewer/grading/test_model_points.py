import pytest

from interviewer.errors import ChatModelError
from interviewer.grading.model_points import ModelPoints, points_of
from interviewer.grading.points import extract_points
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
    result = points_of("How does a log help?", REFERENCE, language, chat)
    assert len(chat.history) == 1
    return result


def test_points_proven_by_the_reference_are_taken():
    result = points(LOG, REPLAY)
    assert result.by == "model"
    assert [(p.id, p.weight, p.text["en"]) for p in result.points] == [
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
    result = points(LOG, invented, REPLAY)
    assert [p.text["en"] for p in result.points] == [LOG["text"], REPLAY["text"]]


def test_weights_stay_in_range_and_the_number_of_points_is_bounded():
    assert [p.weight for p in points({**LOG, "weight": 99}, {**REPLAY, "weight": -1}).points] == [3, 1]


@pytest.mark.parametrize("reply", ["nonsense", {"points": []}, {"points": [{**LOG, "quote": "no"}]}, {"points": 3}])
def test_a_reply_that_proves_nothing_leaves_the_structure(reply):
    result = points_of("How?", REFERENCE, "en", FakeChat(reply))
    assert result.by == "structure"
    assert result.points == extract_points(REFERENCE, "en")
    assert "fake" in result.problem


def test_a_failing_model_leaves_the_structure():
    result = points_of("How?", REFERENCE, "en", FakeChat(ChatModelError("Gone.", kind="timeout")))
    assert (result.by, result.problem) == ("structure", "Gone.")


def test_the_importer_gets_points_either_way_and_the_log_says_which(caplog):
    chat = FakeChat({"points": [LOG, REPLAY]}, "nonsense")
    points_by_model = ModelPoints(chat)
    assert [p.text["en"] for p in points_by_model("How?", REFERENCE, "en")] == [LOG["text"], REPLAY["text"]]
    assert not caplog.text
    assert points_by_model("How?", REFERENCE, "en") == extract_points(REFERENCE, "en")
    assert "fake" in caplog.text


def test_without_a_model_or_a_reference_nothing_is_asked():
    assert points_of("How?", REFERENCE, "en", None).by == "structure"
    assert points_of("How?", "  ", "en", FakeChat()) == ((), "structure", "")


def test_a_chinese_reference_gives_chinese_points():
    reference = "先写日志再改数据页。崩溃之后从检查点开始重放日志。"
    found = {"quote": "崩溃之后从检查点开始重放日志", "text": "崩溃后从检查点重放日志", "weight": 2}
    first = {"quote": "先写日志再改数据页", "text": "改数据页之前先写日志", "weight": 3}
    result = points_of("预写日志是什么？", reference, "zh", FakeChat({"points": [first, found]}))
    assert [p.text for p in result.points] == [{"zh": first["text"]}, {"zh": found["text"]}]
