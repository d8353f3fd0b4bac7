"""The report's files say what was marked, disputed and decided, escaped, with both grades."""

import json

import pytest

from interviewer.interview.disputes import Disputes
from interviewer.models import Verdict
from interviewer.reporting.export import to_html, to_json, to_markdown
from interviewer.wording import say
from tests.interviewer.interview.conftest import NoPassages
from tests.interviewer.reporting.test_report import HOSTILE, desk, report_of  # noqa: F401


@pytest.fixture
def contested(desk, clock):  # noqa: F811
    """The report of an interview in which a point was marked, and disputed and decided to be covered."""

    def make(language="en", reason=HOSTILE):
        report = report_of(desk, "sum", "sum", language=language)
        disputes = Disputes(desk.interviews, desk.grader, NoPassages(), clock)
        where = ("ann", report.interview_id, 0, "memory")
        disputes.mark(*where, said=True)
        list(disputes.dispute(*where, reason))
        disputes.decide(*where, Verdict.COVERED)
        return report, desk.service.report("ann", report.interview_id)

    return make


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_grades_the_reason_and_the_decision_stand_in_every_file(contested, language):
    _, report = contested(language, "It is there.")
    missing, covered = (say(f"verdict_{verdict}", language) for verdict in ("missing", "covered"))
    parts = {"reason": "It is there.", "first": missing, "second": missing, "decided": covered}
    for text in (to_markdown(report), to_html(report)):
        assert say("report_dispute", language, **parts) in text
        assert say("report_marked", language, count=1) in text
        assert say("report_decided", language, count=1) in text
        assert say("report_mark_said", language) in text
    data = json.loads(to_json(report))["questions"][0]
    assert data["disputes"][0]["decision"] == "covered"
    assert data["marks"] == [{"point_id": "memory", "said": True}]
    assert [p["verdict"] for p in data["grade"]["points"]] == ["covered", "missing"]


def test_the_decision_counts_in_scores_and_in_what_to_study_and_the_mark_does_not(contested):
    before, report = contested()
    assert [q.score for q in before.questions] == [7.5, 7.5]
    assert [q.score for q in report.questions] == [10.0, 7.5]
    assert (before.score, report.score) == (7.5, 8.8)
    assert len(before.study) == 2
    assert len(report.study) == 1


def test_a_hostile_reason_stays_text_in_the_files(contested):
    _, report = contested()
    html, markdown = to_html(report), to_markdown(report)
    assert "<script>" not in html
    assert "<img" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    line = next(line for line in markdown.splitlines() if line.startswith("  - Your objection"))
    assert "\\<script\\>" in line
    assert "\\[x\\]" in line


def test_a_report_nobody_objected_to_says_nothing_of_it(desk):  # noqa: F811
    text = to_markdown(report_of(desk, "sum", "sum"))
    assert "decided" not in text.casefold()
    assert "marked" not in text.casefold()
