"""The report adds up, and its files are safe to open."""

import json
from html.parser import HTMLParser

import pytest

from interviewer.reporting.export import pieces, to_html, to_json, to_markdown
from interviewer.reporting.markup import render_markdown
from tests.interviewer.conftest import Clock, make_question
from tests.interviewer.interview.conftest import Desk

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> **bold** [x](javascript:alert(3)) ``` \u202e sum"


@pytest.fixture
def desk(tmp_path):
    desk = Desk(f"sqlite:///{tmp_path / 'x.sqlite3'}", Clock())
    desk.questions.save(
        [make_question("q1", topic="training"), make_question("q2", topic="<b>inference</b>")], reason="test"
    )
    yield desk
    desk.database.close()


def report_of(desk, *answers, language="en"):
    view = desk.start(count=2, language=language, followups=0)
    for answer in answers:
        view = desk.say(view, answer)
        view = desk.press(view, "next")
    if view.state.phase != "ended":
        view = desk.press(view, "stop")
    return desk.service.report("ann", view.id)


def test_overall_and_topics_are_means_of_scored_questions(desk):
    report = report_of(desk, "sum", "memory")
    assert sorted(q.score for q in report.questions) == [2.5, 7.5]
    assert report.score == 5.0
    assert {t.score for t in report.topics} == {2.5, 7.5}


def test_the_heaviest_gap_is_studied_first(desk):
    report = report_of(desk, "memory", "sum")
    assert [item.point for item in report.study] == ["text of sum", "text of memory"]


def test_what_need_not_be_said_is_not_studied_and_every_export_says_so(desk):
    either = [{"points": ["sum", "memory"], "enough": 1}]
    desk.questions.save([make_question(id, choices=either) for id in ("q1", "q2")], reason="test")
    report = report_of(desk, "memory", "sum")
    assert report.score == 10
    assert report.study == ()
    for text in (to_markdown(report), to_html(report)):
        assert "Any one of these points makes a full answer." in text
        assert "optional" in text
        assert "○" not in text


def test_an_interview_without_answers_has_no_score(desk):
    report = report_of(desk)
    assert (report.score, report.unscored, report.study) == (None, 1, ())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_exports_work_for_every_kind_of_ending(desk, language):
    for report in (
        report_of(desk, "sum", "memory", language=language),
        report_of(desk, "sum and memory", language=language),
        report_of(desk, language=language),
        report_of(desk, "I don't know", language=language),
    ):
        page = to_html(report)
        assert page.startswith("<!doctype html>")
        assert to_markdown(report).startswith("# ")
        assert json.loads(to_json(report))["score"] == report.score


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}


def tags(page):
    parser = Tags()
    parser.feed(page)
    return parser


def test_hostile_text_stays_text_in_html(desk):
    desk.questions.save(
        [
            make_question(f"q{n}", question={"en": HOSTILE, "zh": HOSTILE}, reference={"en": HOSTILE, "zh": HOSTILE})
            for n in (1, 2)
        ],
        reason="edit",
    )
    parsed = tags(to_html(report_of(desk, HOSTILE, HOSTILE)))
    assert not parsed.found & {"script", "img", "iframe", "object", "b"}
    assert not {a for a in parsed.attributes if a.startswith("on")}


def test_the_page_loads_nothing_from_elsewhere(desk):
    page = to_html(report_of(desk, "sum", "memory"))
    parsed = tags(page)
    assert not parsed.found & {"link", "script", "img"}
    assert "src" not in parsed.attributes
    assert "default-src 'none'" in page


def test_a_candidates_markup_is_switched_off_in_markdown(desk):
    text = to_markdown(report_of(desk, HOSTILE, "````\n# not a heading\n````"))
    html = render_markdown(text)
    parsed = tags(html)
    assert not parsed.found & {"script", "img"}
    assert "<h1>not a heading" not in html
    assert "# not a heading" in text


def test_the_answer_is_highlighted_without_losing_a_character(desk):
    report = report_of(desk, "first the sum is made, then memory")
    question = report.questions[0]
    cut = pieces(question.answers[0], question.grade.points)
    assert "".join(piece.text for piece in cut) == question.answers[0]
    assert [(p.text, p.point) for p in cut if p.verdict] == [("sum", 1), ("memory", 2)]


@pytest.mark.parametrize(
    ("markdown", "forbidden"),
    [
        ("<script>x</script>", "<script"),
        ("[x](javascript:alert(1))", 'javascript:alert(1)"'),
        ("![x](http://example.org/x.png)", "<img"),
        ("<img src=x onerror=y>", "<img"),
        ("<details open ontoggle=x>", "<details"),
    ],
)
def test_documents_cannot_bring_active_content(markdown, forbidden):
    assert forbidden not in render_markdown(markdown)


def test_tables_code_and_lists_survive():
    html = render_markdown("| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx < 1\n```\n\n- one\n  - two")
    assert {"table", "pre", "code", "ul"} <= tags(html).found
    assert "x &lt; 1" in html
