"""Strong answers raise the difficulty, weak ones lower it, two in a row each time."""

import pytest

from interviewer.interview.adapting import choose, difficulty_shift
from interviewer.interview.state import FollowUp
from interviewer.models import Alternative, PlannedQuestion
from tests.interviewer.conftest import make_question


def planned(difficulty=3, *others):
    alternatives = tuple(Alternative(question_id=f"x{d}", difficulty=d) for d in others)
    return PlannedQuestion(question_id="q", topic="t", why="new", difficulty=difficulty, others=alternatives)


@pytest.mark.parametrize(
    ("slot", "shift", "taken", "chosen"),
    [
        (planned(3, 2, 4), 0, (), "q"),
        (planned(3, 2, 4), 1, (), "x4"),
        (planned(3, 2, 4), -1, (), "x2"),
        (planned(3, 2, 4), 2, (), "x4"),
        (planned(3, 1, 5), 2, (), "x5"),
        (planned(3, 1, 5), 1, (), "q"),
        (planned(5, 4), 2, (), "q"),
        (planned(3, 4), 1, ("x4",), "q"),
        (planned(3, 2, 4), 0, ("q",), "x2"),
        (planned(3), 1, ("q",), None),
    ],
)
def test_the_nearest_to_the_wanted_difficulty_is_chosen(slot, shift, taken, chosen):
    found = choose(slot, shift, taken)
    assert (found and found.question_id) == chosen


@pytest.fixture
def interview(desk):
    """Answers question after question as told; gives the shift after each."""
    desk.questions.save([make_question(f"s{n}", difficulty=3) for n in range(8)], reason="test")
    ids = [f"s{n}" for n in range(8)]

    def run(*answers):
        view = desk.start(question_ids=ids, followups=0, mode="mock")
        shifts = []
        for answer in answers:
            if answer == "hint":
                view = desk.press(view, "hint")
                answer = "sum and memory"
            view = desk.press(view, answer) if answer in ("skip", "reveal") else desk.say(view, answer)
            while view.state.questions[-1].answers or view.state.questions[-1].conceded:
                view = desk.say(view, "I don't know")
            shifts.append(difficulty_shift(view.state))
        return shifts

    return run


STRONG, WEAK, MIDDLING = "sum and memory", "memory", "half sum memory"


@pytest.mark.parametrize(
    ("answers", "shifts"),
    [
        ((STRONG, STRONG, STRONG, STRONG), [0, 1, 1, 2]),
        ((STRONG,) * 7, [0, 1, 1, 2, 2, 2, 2]),
        ((WEAK, WEAK, WEAK, WEAK), [0, -1, -1, -2]),
        ((STRONG, WEAK, STRONG, WEAK), [0, 0, 0, 0]),
        ((STRONG, MIDDLING, STRONG, STRONG), [0, 0, 0, 1]),
        ((STRONG, STRONG, WEAK, WEAK), [0, 1, 1, 0]),
        (("skip", "skip"), [0, -1]),
        (("I don't know", WEAK), [0, -1]),
        (("hint", "hint"), [0, 0]),
        (("reveal", "reveal"), [0, 0]),
        ((WEAK, "reveal", WEAK), [0, 0, 0]),
    ],
)
def test_the_shift_follows_two_in_a_row(interview, answers, shifts):
    assert interview(*answers) == shifts


def test_answers_that_needed_a_hint_are_not_strong_whatever_their_score(desk):
    desk.questions.save([make_question(f"s{n}") for n in range(2)], reason="test")
    view = desk.start(question_ids=["s0", "s1"], followups=0, mode="mock")
    for _ in range(2):
        view = desk.say(view, STRONG)
    hint = FollowUp(point_id="memory", text="x")
    helped = tuple(q.model_copy(update={"hints": (hint,)}) for q in view.state.questions)
    assert difficulty_shift(view.state) == 1
    assert difficulty_shift(view.state.model_copy(update={"questions": helped})) == 0


def test_a_planned_question_that_is_gone_gives_its_place_to_the_nearest_beside_it(desk):
    view = ladder(desk)
    plan = view.state.plan
    gone = plan.questions[0].model_copy(update={"question_id": "gone"})
    view = desk.service.start_plan("ann", plan.model_copy(update={"questions": (gone, *plan.questions[1:])}))
    assert (view.state.current.question.id, view.state.current.planned) == ("0-2", 0)


def ladder(desk, **request):
    """Three planned questions of difficulty 3, each with an easier and a harder one beside it."""
    desk.questions.save([make_question(f"{n}-{d}", difficulty=d) for n in range(3) for d in (2, 3, 4)], reason="test")
    plan = desk.service.draft("ann", desk.request(question_ids=[f"{n}-3" for n in range(3)], followups=0, **request))
    questions = [
        q.model_copy(
            update={"others": tuple(Alternative(question_id=f"{n}-{d}", difficulty=d) for d in (2, 4)), "why": "weak"}
        )
        for n, q in enumerate(plan.questions)
    ]
    return desk.service.start_plan("ann", plan.model_copy(update={"questions": tuple(questions)}))


@pytest.mark.parametrize(("answer", "third", "shift"), [(STRONG, "2-4", 1), (WEAK, "2-2", -1), (MIDDLING, "2-3", 0)])
def test_after_two_answers_the_next_question_is_as_hard_as_they_were_good(desk, answer, third, shift):
    view = ladder(desk, mode="mock")
    for _ in range(2):
        view = desk.say(view, answer)
    assert [q.question.id for q in view.state.questions] == ["0-3", "1-3", third]
    assert (view.state.current.shift, view.state.current.planned, view.state.remaining) == (shift, 2, 0)


def test_a_plan_that_does_not_adapt_stays_as_planned(desk):
    view = ladder(desk, mode="mock", adaptive=False)
    for _ in range(2):
        view = desk.say(view, STRONG)
    assert view.state.current.question.id == "2-3"
