"""The checks that stop a gullible model may not cost an honest candidate much."""

from evals.grading.data import battery
from evals.grading.model_checks import check_costs
from interviewer.compose import compose
from interviewer.grading.builtin import BuiltinGrader
from interviewer.models import Grade, GraderInfo
from interviewer.settings import Settings

ROWS = [row for row in battery() if row.answer.strip()]


class Silent:
    def grade(self, question, answer, context, on_progress=None):
        return Grade(status="ungraded", reason="no", grader=GraderInfo(name="builtin"))


def test_without_a_builtin_view_a_perfect_model_is_left_alone():
    result = check_costs(Silent(), ROWS)
    assert (result.overturned, result.mean_loss) == (0, 0)
    assert result.calls == result.answers


def test_the_shipped_grader_overturns_few_right_verdicts_and_costs_few_second_calls():
    result = check_costs(compose(Settings(_env_file=None)).builtin_grader, ROWS)
    assert result.answers >= 90
    assert result.overturned_share <= 0.06, result
    assert result.calls_per_answer <= 1.25, result
    assert result.mean_loss <= 0.5, result


def test_so_does_it_without_its_encoder():
    result = check_costs(BuiltinGrader(), ROWS)
    assert result.overturned_share <= 0.12, result
    assert result.calls_per_answer <= 1.4, result
