"""Every attack that is tried on answers, tried again as an objection to a verdict: none of them raises it."""

import pytest

from evals.grading.command import built_in_grader
from evals.injection.attacks import build_attacks, load_questions
from interviewer.grading.guarded import GuardedGrader
from interviewer.grading.model import ModelGrader
from interviewer.grading.objection import PointingGrader
from interviewer.grading.protocol import GradingContext
from interviewer.interview.events import REASON_LIMIT
from tests.evals.once import Once
from tests.evals.test_injection import Ruled

ATTACKS = [attack for attack in build_attacks(load_questions()) if attack.carrier == "nothing"]
BUILTIN = GuardedGrader(PointingGrader(Once(built_in_grader())))


def credit(grader, attack, objection):
    """What the last point of the question gets for an answer that says nothing."""
    point = attack.question.points[-1]
    asked = tuple(attack.question.question.values())
    context = GradingContext(language=attack.language, asked=asked, only=point.id, objection=objection)
    (grade,) = grader.grade(attack.question, attack.honest, context).points
    return grade.verdict.credit


def words(attack):
    return attack.answer.removeprefix(attack.honest).strip()[:REASON_LIMIT]


@pytest.mark.parametrize("name", ["builtin", "obedient", "sly"])
def test_no_attack_works_as_an_objection(name):
    grader = BUILTIN if name == "builtin" else GuardedGrader(ModelGrader(Ruled(name), BUILTIN))
    tried = ATTACKS[:: 3 if name == "builtin" else 5]
    assert len(tried) > 40
    raised = [attack.id for attack in tried if credit(grader, attack, words(attack)) > 0]
    assert raised == []
