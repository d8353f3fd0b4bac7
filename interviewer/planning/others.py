"""Easier and harder questions that can take a planned one's place during the interview."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from interviewer.interview.ports import Outline
from interviewer.models import Alternative, Plan
from interviewer.planning.editing import used_ids


def with_others(plan: Plan, pools: Mapping[int, Sequence[Outline]]) -> Plan:
    """The plan with easier and harder questions beside each, one for a difficulty, none in two places.

    Args:
        pools: By index of the planned question, those that can take its place.
    """
    taken = set(used_ids(plan))
    others: dict[int, list[Alternative]] = defaultdict(list)
    for distance in (1, 2, 3, 4):
        for index, question in enumerate(plan.questions):
            for difficulty in (question.difficulty + distance, question.difficulty - distance):
                free = [q for q in pools.get(index, ()) if q.difficulty == difficulty and q.id not in taken]
                if free:
                    best = min(free, key=lambda q: (-q.frequency, q.id))
                    taken.add(best.id)
                    others[index].append(Alternative(question_id=best.id, difficulty=best.difficulty))
    questions = (q.model_copy(update={"others": tuple(others[i])}) for i, q in enumerate(plan.questions))
    return plan.model_copy(update={"questions": tuple(questions)})
