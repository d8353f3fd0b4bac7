"""Changing a plan before the start: every function gives a new plan, never an empty one or one that repeats itself."""

from collections.abc import Sequence

from interviewer.interview.ports import Outline
from interviewer.models import Plan, PlannedQuestion
from interviewer.planning.minutes import question_minutes

MOST_QUESTIONS = 50


def remove(plan: Plan, index: int) -> Plan:
    """Without the question at `index` (0-based); the last one stays."""
    if len(plan.questions) == 1 or not 0 <= index < len(plan.questions):
        return plan
    return _with(plan, (*plan.questions[:index], *plan.questions[index + 1 :]))


def move(plan: Plan, index: int, by: int) -> Plan:
    """The question at `index` moved `by` places; it becomes part of the round it comes to stand in."""
    to = index + by
    if not (0 <= index < len(plan.questions) and 0 <= to < len(plan.questions)) or not by:
        return plan
    moved = plan.questions[index].model_copy(update={"round": plan.questions[to].round})
    rest = [*plan.questions[:index], *plan.questions[index + 1 :]]
    return _with(plan, (*rest[:to], moved, *rest[to:]))


def exchange(plan: Plan, index: int, pool: Sequence[Outline]) -> Plan:
    """Another question on the same topic in place of the one at `index`; asked again and again, it goes through all.

    The easier and harder ones that stood by stay free for the other questions. The same plan where the pool holds no
    other.
    """
    if not 0 <= index < len(plan.questions):
        return plan
    old = plan.questions[index]
    taken = used_ids(plan) - {old.question_id, *(other.question_id for other in old.others)}
    circle = sorted((q.difficulty, q.id, q) for q in pool if q.topic == old.topic and q.id not in taken)
    after = [q for difficulty, id_, q in circle if (difficulty, id_) > (old.difficulty, old.question_id)]
    new = next(iter((*after, *(q for _, _, q in circle))), None)
    if new is None or new.id == old.question_id:
        return plan
    return _put(plan, index, planned(new, old.round, why="requested"))


def add(plan: Plan, topic: str, pool: Sequence[Outline]) -> Plan:
    """One more question on a topic, after the last one on it, or at the end; the same plan where there is none.

    One that only stood by to take another's place is used where no other is left.
    """
    asked = {q.question_id for q in plan.questions}
    open_ = [q for q in pool if q.topic == topic and q.id not in asked]
    if not open_ or len(plan.questions) >= MOST_QUESTIONS:
        return plan
    taken = used_ids(plan)
    free = [q for q in open_ if q.id not in taken] or open_
    places = [i for i, q in enumerate(plan.questions) if q.topic == topic]
    at = places[-1] + 1 if places else len(plan.questions)
    near = plan.questions[at - 1]
    new = min(free, key=lambda q: (abs(q.difficulty - near.difficulty), -q.frequency, q.id))
    rest = tuple(_without(q, new.id) for q in plan.questions)
    return _with(plan, (*rest[:at], planned(new, near.round, why="requested"), *rest[at:]))


def set_minutes(plan: Plan, index: int, minutes: float) -> Plan:
    """Another time for the question at `index`, held within 1 and 120 minutes."""
    if not 0 <= index < len(plan.questions):
        return plan
    question = plan.questions[index].model_copy(update={"minutes": min(120.0, max(1.0, minutes))})
    return _put(plan, index, question)


def planned(outline: Outline, round_index: int, *, why: str) -> PlannedQuestion:
    """A question as part of a plan, without easier or harder ones to take its place."""
    return PlannedQuestion.model_validate(
        {
            "question_id": outline.id,
            "topic": outline.topic,
            "why": why,
            "round": round_index,
            "difficulty": outline.difficulty,
            "frequency": outline.frequency,
            "minutes": question_minutes(outline),
        }
    )


def used_ids(plan: Plan) -> frozenset[str]:
    """Every question the plan may ask."""
    others = (other.question_id for q in plan.questions for other in q.others)
    return frozenset((*(q.question_id for q in plan.questions), *others))


def _without(question: PlannedQuestion, other_id: str) -> PlannedQuestion:
    others = tuple(other for other in question.others if other.question_id != other_id)
    return question.model_copy(update={"others": others})


def _put(plan: Plan, index: int, question: PlannedQuestion) -> Plan:
    return _with(plan, (*plan.questions[:index], question, *plan.questions[index + 1 :]))


def _with(plan: Plan, questions: tuple[PlannedQuestion, ...]) -> Plan:
    """The plan with other questions, rounds without any dropped."""
    if not plan.rounds:
        return plan.model_copy(update={"questions": questions})
    kept = sorted({q.round for q in questions})
    place = {old: new for new, old in enumerate(kept)}
    ordered = sorted(questions, key=lambda q: q.round)
    return plan.model_copy(
        update={
            "questions": tuple(q.model_copy(update={"round": place[q.round]}) for q in ordered),
            "rounds": tuple(plan.rounds[old] for old in kept),
        }
    )
