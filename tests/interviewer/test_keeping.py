"""Kept answers: whose they are, which version, and when one may be kept."""

from datetime import UTC, datetime

import pytest

from interviewer import keeping as module
from interviewer.accounts.person import Person
from interviewer.errors import AccessError, InterviewerError, NotFoundError
from interviewer.keeping import Keeping
from interviewer.library import Library
from interviewer.storage.kept import KeptStore
from interviewer.storage.sets import SetStore
from tests.interviewer.conftest import make_question
from tests.interviewer.interview.conftest import Desk

ANN, BOB = Person(id="ann"), Person(id="bob")


@pytest.fixture
def desk(tmp_path, clock):
    desk = Desk(f"sqlite:///{tmp_path / 'test.sqlite3'}", clock)
    desk.questions.save([make_question("q1"), make_question("q2")], reason="test")
    yield desk
    desk.database.close()


@pytest.fixture
def keeping(desk, clock) -> Keeping:
    library = Library(
        desk.questions, SetStore(desk.database), lambda *_: (), lambda topic, _: topic, lambda name, _: name
    )
    return Keeping(KeptStore(desk.database), library, desk.interviews, clock)


def closed(desk: Desk, **request: object) -> str:
    """The id of an interview whose only question is over."""
    view = desk.start(question_ids=("q1",), **request)
    desk.press(view, "reveal")
    return view.id


def test_an_answer_stays_as_it_was_when_its_question_changes(desk, keeping):
    keeping.keep(ANN, "q1", "en")
    was = keeping.all(ANN)[0].text
    desk.questions.save([make_question("q1", reference={"en": "Something else."})], reason="edited")
    assert [kept.text for kept in keeping.all(ANN)] == [was]
    keeping.keep(ANN, "q1", "en")
    assert [kept.text for kept in keeping.all(ANN)] == ["Something else."]


def test_from_an_interview_it_is_the_version_that_was_asked(desk, keeping):
    interview = closed(desk, language="zh")
    desk.questions.save([make_question("q1", reference={"zh": "改过了。"})], reason="edited")
    kept = keeping.keep_from(ANN, interview, 0, "en")
    assert kept.language == "zh", "the interview's language"
    assert kept.text.startswith("多个小批次")
    assert kept.question == "什么是梯度累积?(q1)"


def test_nothing_is_kept_before_it_is_shown(desk, keeping):
    open_ = desk.start(question_ids=("q1",))
    with pytest.raises(AccessError, match="not shown"):
        keeping.keep_from(ANN, open_.id, 0, "en")
    mock = desk.start(question_ids=("q1", "q2"), count=2, mode="mock")
    desk.press(mock, "reveal")
    with pytest.raises(AccessError, match="还没有"):
        keeping.keep_from(ANN, mock.id, 0, "zh")
    desk.press(mock, "stop")
    assert keeping.keep_from(ANN, mock.id, 0, "en").question_id == "q1"


def test_everybody_sees_and_lets_go_of_only_their_own(desk, keeping):
    interview = closed(desk)
    keeping.keep(ANN, "q1", "en")
    with pytest.raises(NotFoundError):
        keeping.keep_from(BOB, interview, 0, "en")
    keeping.remove(BOB, "q1", "en")
    assert keeping.all(BOB) == ()
    assert len(keeping.all(ANN)) == 1
    keeping.remove(ANN, "q1", "zh")
    assert len(keeping.all(ANN)) == 1
    keeping.remove(ANN, "q1", "en")
    assert keeping.all(ANN) == ()


def test_a_question_nobody_may_read_cannot_be_kept(desk, keeping):
    desk.questions.save([make_question("hers", set="private")], reason="test")
    for question_id in ("hers", "no such question"):
        with pytest.raises(NotFoundError):
            keeping.keep(BOB, question_id, "en")


@pytest.mark.parametrize("index", [-1, 1, 99])
def test_a_question_the_interview_lacks(desk, keeping, index):
    with pytest.raises(NotFoundError):
        keeping.keep_from(ANN, closed(desk), index, "en")


def test_the_newest_stands_first_and_there_is_an_end_to_it(desk, keeping, monkeypatch):
    keeping.keep(ANN, "q1", "en")
    keeping.keep(ANN, "q2", "en")
    assert [kept.question_id for kept in keeping.all(ANN)] == ["q2", "q1"]
    assert all(kept.kept_at > datetime(2026, 1, 5, tzinfo=UTC) for kept in keeping.all(ANN))
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    with pytest.raises(InterviewerError, match="2 个"):
        keeping.keep(ANN, "q1", "zh")
