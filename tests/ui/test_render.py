"""What people see, made from values: escaped, complete, and silent about what must not be seen yet."""

import re
import string
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.protocol import Progress
from interviewer.interview.transcript import Message
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict
from interviewer.wording import keys, sentences
from knowledge.extraction.meanings import MEANINGS
from knowledge.import_report import PROBLEM_TITLES, DocumentReport, ImportReport, Place, Problem, SaveCounts
from knowledge.importing import preview
from ui.chat import anchor
from ui.render.card import card_html
from ui.render.highlight import highlighted
from ui.render.imported import SHOWN_OF_A_KIND, imported_html
from ui.render.markup import render, score
from ui.render.message import message_html, progress_html, tally
from ui.render.questions import question_html
from ui.render.reference import formulas_html, reference_html
from ui.render.report import history_html, report_html
from ui.texts import Texts

EN, ZH = Texts("en"), Texts("zh")
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "[click](javascript:alert(1))",
    "![pic](https://evil.example/x.png)",
    "</div></article><iframe src=//evil.example>",
    "${alert(1)} {{constructor}} {% raw %} {{ t.__class__ }}",
    "`</code><b onclick=alert(1)>b</b>`",
    "\x00\u202e\u200b<b>\u2066",
    "$$\\href{javascript:alert(1)}{x}$$",
    "😀" * 40,
    "<style>*{display:none}</style><base href=//evil.example>",
]
ALLOWED_ATTRIBUTES = {
    "class", "title", "href", "id", "dir", "lang", "hreflang", "role", "style", "datetime", "open", "tabindex", "hidden",
    "target", "rel", "type", "scope", "start", "download", "viewbox", "width", "height", "rx", "fill", "d", "xmlns",
    "rows", "maxlength", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
}  # fmt: skip


FORM_ATTRIBUTES = {"form": {"action", "method"}, "input": {"name", "value"}}
OWN_FORMS = ("again", "kept")
"""Relative to the page, so nothing leaves."""


def safe(html: str) -> BeautifulSoup:
    """The parsed HTML, after checking that nothing in it runs, loads or leaves."""
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all(True):
        assert tag.name not in {"script", "iframe", "img", "style", "base", "object", "embed", "link", "meta"}
        assert tag.name != "form" or tag["action"] in OWN_FORMS
        for name, value in tag.attrs.items():
            allowed = ALLOWED_ATTRIBUTES | FORM_ATTRIBUTES.get(tag.name, frozenset())
            assert name in allowed or name.startswith(("aria-", "data-")), (tag.name, name)
            if name == "href":
                assert not str(value).lower().startswith(("javascript:", "data:", "//"))
            if name == "style":
                assert str(value).startswith(("width:", "--iv-share:"))
    return soup


def grade(text="a lock", verdicts=("covered", "partial", "missing", "contradicted"), **changes) -> Grade:
    points = tuple(
        PointGrade(
            id=f"p{i}",
            text=f"point {i}: {text}",
            weight=i + 1,
            verdict=Verdict(verdict),
            quote="" if verdict == "missing" else text,
            reason=f"because {text}",
            correction=f"no, {text}" if verdict == "contradicted" else "",
        )
        for i, verdict in enumerate(verdicts)
    )
    fields = {"status": "graded", "points": points, "comment": text, "grader": GraderInfo(name="builtin", note=text)}
    return Grade.model_validate(fields | changes)


def message(kind="note", role="interviewer", text="hello", **changes) -> Message:
    return Message(key="3a", role=role, kind=kind, text=text, at=datetime(2026, 1, 5, tzinfo=UTC), **changes)


@pytest.fixture
def state(desk):
    from interviewer.models import PlanRequest

    return desk.service.start("local", PlanRequest(question_ids=("a",), count=1)).state


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("answer", "candidate"), ("said", "candidate"), ("question", "interviewer"), ("followup", "interviewer"),
        ("reference", "interviewer"), ("note", "interviewer"), ("closing", "interviewer"), ("hint", "interviewer"),
    ],
)  # fmt: skip
def test_no_message_can_run_or_load_anything(text, kind, role, state, question):
    shown = message(kind, role, text, intro=text, question=question("a", topic=text, further=(text,)))
    safe(message_html(shown, state, {}, EN))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_grade_card_or_progress_can_run_or_load_anything(text, state):
    shown = message("feedback", grade=grade(text), question_index=0, answers=(text,))
    graded = state.questions[0].model_copy(update={"grade": grade(text), "answers": (text,), "closed": "answered"})
    closed = state.model_copy(update={"questions": (graded,)})
    for whole in (state, closed):
        safe(message_html(shown, whole, {}, EN))
        safe(message_html(message("answer", "candidate", text, question_index=0), whole, {}, EN))
    from interviewer.interview.service import InterviewView

    safe(card_html(InterviewView(text, closed, ()), None, text, EN))
    safe(progress_html(Progress("reading", 1, 3, text), EN))
    safe(render("problem", EN, text=text))
    safe(render("notice", EN, text=text))


@pytest.mark.parametrize("mode", ["mock", "practice"])
def test_a_running_report_keeps_the_reference_to_the_open_question(mode, desk, question):
    from interviewer.interview.commands import Press
    from interviewer.models import PlanRequest

    desk.questions.save([question("open", reference={"en": "the secret of the answer"})], reason="test")
    view = desk.service.start("local", PlanRequest(question_ids=("open",), count=1, mode=mode))
    page = report_html(desk.service.report("local", view.id), "../export/", EN)
    assert "the secret of the answer" not in page
    assert "download>" not in page
    list(desk.service.act("local", view.id, Press("stop")))
    page = report_html(desk.service.report("local", view.id), "../export/", EN)
    assert "the secret of the answer" in page
    assert "download>" in page


@pytest.mark.parametrize("text", HOSTILE)
def test_no_report_history_question_or_import_can_run_or_load_anything(text, desk, question):
    from interviewer.models import PlanRequest
    from ui.screens import Filters, QuestionsScreen
    from ui.session import Session

    hostile = question(
        "h", topic=text or "x", question={"en": text}, reference={"en": text}, source={"title": text, "document": text}
    )
    desk.questions.save([hostile], reason="test")
    view = desk.service.start("local", PlanRequest(question_ids=("h",), count=1))
    from interviewer.interview.commands import Press, Say

    list(desk.service.act("local", view.id, Say(text)))
    list(desk.service.act("local", view.id, Press("stop")))
    safe(report_html(desk.service.report("local", view.id), "../export/", EN))
    safe(history_html(desk.service.history("local"), view.id, EN))
    safe(question_html(hostile, text, EN))
    from ui.render.questions import questions_html

    screen = QuestionsScreen(Session(), Filters(), (), (), (hostile,), 1, hostile)
    safe(questions_html(screen, 20, EN))
    place = Place(number=text, line=3, document=text)
    problems = (
        Problem(kind="unreadable", detail=text, line=3, excerpt=text),
        Problem(kind="near_repeat", detail=text, excerpt=text, other=text, place=place),
    )
    safe(imported_html(ImportReport(documents=(DocumentReport(path=text, problems=problems),)), EN))


def test_what_the_candidate_wrote_is_shown_word_for_word(state):
    text = "  **not bold**\n\n# no title\n<b>&amp;</b>\t1 < 2"
    soup = safe(message_html(message("answer", "candidate", text), state, {}, EN))
    assert soup.select_one(".iv-text").text == text
    assert not soup.select(".iv-text b, .iv-text h1, .iv-text strong")


def test_an_open_question_keeps_its_uncovered_points_to_itself(state):
    shown = message("feedback", grade=grade(), question_index=0)
    html = message_html(shown, state, {}, EN)
    assert "point 0: a lock" in html
    for hidden in ("point 1", "point 2", "point 3", "no, a lock"):
        assert hidden not in html
    text = safe(html).text
    assert text.count("What it says is shown once the question is closed.") == 2  # partly covered, and contradicted
    assert "Points still open: 1." in text


def test_a_closed_question_shows_every_point_reason_and_correction(state):
    graded = state.questions[0].model_copy(update={"grade": grade(), "closed": "answered"})
    whole = state.model_copy(update={"questions": (graded,)})
    text = safe(message_html(message("feedback", grade=grade(), question_index=0), whole, {}, EN)).text
    for part in ("point 0", "point 1", "point 2", "point 3", "no, a lock", "because a lock"):
        assert part in text


def test_only_the_standing_grade_of_a_question_is_spread_out(state):
    graded = state.questions[0].model_copy(update={"grade": grade("later")})
    whole = state.model_copy(update={"questions": (graded,)})
    earlier = safe(message_html(message("feedback", grade=grade("first"), question_index=0), whole, {}, EN))
    assert earlier.select_one("details.iv-earlier summary").text.startswith("Earlier grade")
    assert not safe(message_html(message("feedback", grade=grade("later"), question_index=0), whole, {}, EN)).select(
        "details.iv-earlier"
    )


def test_the_sum_shown_is_the_score(state):
    standing = state.questions[0].model_copy(update={"grade": grade()})
    whole = state.model_copy(update={"questions": (standing,)})
    html = safe(message_html(message("feedback", grade=grade(), question_index=0), whole, {}, EN))
    # weights 1..4: 1*1 + 2*0.5 + 3*0 + 4*-0.25 = 1 of 10
    assert "1.00 ÷ 10 × 10 = 1.0" in html.text
    assert html.select_one(".iv-score b").text == "1.0"
    assert [cell.text for cell in html.select(".iv-breakdown tbody tr:last-child td")][2:] == ["4", "-0.25", "-1.00"]


@pytest.mark.parametrize(("grader", "said"), [("builtin", True), ("model", False)])
def test_what_the_built_in_grader_cannot_see_is_said_where_it_graded(state, grader, said):
    graded = grade(grader=GraderInfo(name=grader, model="m"))
    whole = state.model_copy(update={"questions": (state.questions[0].model_copy(update={"grade": graded}),)})
    html = safe(message_html(message("feedback", grade=graded, question_index=0), whole, {}, EN))
    assert bool(html.select(".iv-breakdown .iv-limits")) is said


def test_an_ungraded_answer_says_why_and_that_it_is_kept(state):
    failed = Grade(status="ungraded", reason="The model was away.", grader=GraderInfo(name="none"))
    text = safe(message_html(message("note", grade=failed, question_index=0), state, {}, EN)).text
    assert "The model was away." in text
    assert "stored" in text


def test_marks_carry_colour_number_sign_and_words():
    points = grade("the answer", ("covered",)).points
    soup = safe(highlighted("So the answer is", points, EN))
    mark = soup.select_one("mark.iv-covered")
    assert mark.contents[0] == "the answer"
    assert mark.select_one(".iv-sr").text.strip() == "Point 1, Covered"
    assert mark.select_one("[aria-hidden]").text == "1✓\ufe0e"


@given(st.text(max_size=300), st.text(min_size=1, max_size=20))
def test_marking_loses_no_word(text, quote):
    points = (PointGrade(id="p", text="x", weight=1, verdict=Verdict.COVERED, quote=quote),)
    soup = BeautifulSoup(f"<pre>{highlighted(text, points, EN)}</pre>", "html.parser")
    for extra in soup.select("sup"):
        extra.extract()
    from interviewer.language import clean

    assert soup.text == clean(text)


@given(st.text(max_size=400))
def test_any_markdown_becomes_safe_html(text):
    safe(str(reference_html(text)))


@pytest.mark.parametrize(
    ("source", "formulas"),
    [
        ("costs $a_i^2$ here", ["a_i^2"]),
        (r"\(QK^T/\sqrt{d}\) and $$\frac{a}{b}$$", [r"QK^T/\sqrt{d}", r"\frac{a}{b}"]),
        ("between $5 and $6 a month", []),
        ("`$x$` in code", []),
        ("```\n$x$\n```", []),
        ("one $ alone", []),
    ],
)
def test_formulas_are_kept_from_markdown(source, formulas):
    assert [f.text for f in safe(str(reference_html(source))).select(".iv-math")] == formulas


def test_points_keep_their_formulas_and_nothing_else_of_markdown():
    soup = safe(str(formulas_html(r"**so** $a_i^2 < b$ <b>x</b> and \(x\)")))
    assert [f.text for f in soup.select(".iv-math")] == ["a_i^2 < b", "x"]
    assert soup.text == "**so** a_i^2 < b <b>x</b> and x"


def test_references_keep_lists_tables_and_code():
    soup = safe(str(reference_html("# T\n\n- a\n- b\n\n|x|y|\n|-|-|\n|1|2|\n\n```python\nif a < b: pass\n```")))
    assert [li.text for li in soup.select("ul li")] == ["a", "b"]
    assert [cell.text for cell in soup.select("td")] == ["1", "2"]
    assert soup.select_one("pre code").text == "if a < b: pass\n"
    assert soup.select_one("h4").text == "T"


def test_a_reference_is_covered_until_asked_for(question):
    soup = safe(question_html(question("a"), "Concurrency", EN))
    spoiler = soup.select_one("details.iv-reference-body")
    assert not spoiler.has_attr("open")
    spoiler.extract()
    assert "Reference" not in soup.text
    assert "text of point" not in soup.text


def test_without_anything_every_page_says_what_to_do_next():
    assert safe(history_html((), "", EN)).select_one("a.iv-button")["href"] == "#/"
    assert "Pick a question" in question_html(None, "", EN)


def test_an_import_shows_every_problem_under_its_heading():
    problems = tuple(
        Problem(kind="left_out", detail="debris", reason="debris", line=i) for i in range(SHOWN_OF_A_KIND + 5)
    )
    document = DocumentReport(
        path="/folder/x/notes.md", questions=3, problems=(*problems, Problem(kind="no_answer", detail="Q7"))
    )
    report = ImportReport(documents=(document,), counts=SaveCounts(added=2, unchanged=1), is_preview=False)
    text = safe(imported_html(report, EN)).text
    assert "Questions that can be asked: 3 (2 new, 0 updated, 1 unchanged)." in text
    assert "notes.md" in text
    assert "/folder/x" not in text
    assert "Questions without an answer" in text
    assert "5 more" in text


REPEATS = """# 1. What does a cache keep?

What was computed before, so that it need not be computed again.

# 2. What does a cache keep?

What was computed before, so that it need not be computed again.

# 3. What does a cache keep?

Quite another answer, about eviction and how long entries live.

# 4. What is a lock?

# 5. What is a barrier for?

Short.
"""


def test_an_import_s_problems_are_told_in_the_language_of_the_page(tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text(REPEATS, encoding="utf-8")
    (document,) = preview([notes]).documents
    assert {problem.kind for problem in document.problems} == {"repeated", "no_answer", "too_short"}
    shown = safe(imported_html(ImportReport(documents=(document,)), ZH)).select(".iv-problems li")
    told = [
        next(text for text in item.find_all(string=True, recursive=False) if text.strip()).strip() for item in shown
    ]
    assert sorted(told) == sorted(
        [
            "与第 1 题（notes.md 第 1 行）问的是同一件事。",
            "与第 1 题（notes.md 第 1 行）问的是同一件事；答案不同，没有导入。",
            "这道题没有答案。",
            "答案太短，难以评分。",
        ]
    )
    english = safe(imported_html(ImportReport(documents=(document,)), EN)).text
    assert all(problem.detail in english for problem in document.problems)


@pytest.mark.parametrize("t", [ZH, EN])
def test_every_rule_that_leaves_text_out_is_told_and_how_many_more_there_are(t):
    place = Place(line=7, document="a.md")
    for rule, meaning in MEANINGS.items():
        problems = (
            Problem(kind="left_out", detail=rule, reason=rule),
            Problem(kind="left_out", detail=rule, reason=rule, place=place),
            Problem(kind="left_out", detail=rule, reason=rule, more=12),
        )
        text = safe(imported_html(ImportReport(documents=(DocumentReport(path="a.md", problems=problems),)), t)).text
        assert (meaning in text) is (t is EN)
        assert f"{rule}:" not in text
        assert "7" in text
        assert "12" in text


def test_a_document_that_gave_nothing_says_why_at_once():
    problem = Problem(kind="unreadable", detail="The file is empty.", reason="document_empty")
    empty = DocumentReport(path="empty.md", problems=(problem,))
    report = ImportReport(documents=(empty, DocumentReport(path="full.md", questions=2)))
    documents = safe(imported_html(report, EN)).select("details.iv-item")
    assert [document.has_attr("open") for document in documents] == [True, False]


def fields(key: str) -> set[str]:
    text = sentences("en").get(key, "")
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("t", [ZH, EN])
def test_every_problem_there_can_be_is_told(t):
    """One without words would cost the whole report, after the import."""
    reasons = {
        "no_answer": ("", "no_question"),
        "garbled": ("", "garbled_out"),
        "repeated": ("same", "same_but_its_answer", "nearly_same", "nearly_same_but_its_answer"),
        "left_out": tuple(MEANINGS),
        "unreadable": ("", *sorted(key for key in keys("en") if key.startswith("document_"))),
        "points_by_structure": ("", *sorted(key for key in keys("en") if key.startswith("model_"))),
    }
    for kind in PROBLEM_TITLES:
        for reason in reasons.get(kind, ("",)):
            values = {name: "<b>7</b>" for name in fields(reason)}
            problem = Problem(kind=kind, detail="As it was written.", reason=reason, values=values)
            report = ImportReport(documents=(DocumentReport(path="a.md", problems=(problem,)),))
            told = safe(imported_html(report, t)).select_one(".iv-problems li").text
            assert ("As it was written." in told) is (not reason and kind in ("unreadable", "points_by_structure"))
            assert told.strip()
            assert (t is EN or not reason) or re.search("[\u4e00-\u9fff]", told)


def test_mock_interviews_show_no_verdict_before_the_end(desk):
    from interviewer.interview.commands import Say
    from interviewer.models import PlanRequest

    view = desk.service.start("local", PlanRequest(question_ids=("a", "b"), count=2, mode="mock"))
    *_, update = desk.service.act("local", view.id, Say("A lock that one thread holds."))
    html = card_html(update.view, None, "x", EN) + "".join(
        message_html(m, update.view.state, {}, EN) for m in update.view.messages
    )
    assert not safe(html).select("mark, .iv-chip, .iv-feedback")
    assert "text of point" not in html


def test_small_words():
    assert score(None) == "–"
    assert score(7.25) == "7.2"
    assert tally(grade(), EN) == "1 covered, 1 partly, 1 missing, 1 wrong"


def test_what_need_not_be_said_is__nor_in_the_score(state, question):
    either = {"points": ["p0", "p1", "p2"], "enough": 1}
    graded = grade(verdicts=("covered", "missing", "missing", "missing"), choices=[either])
    standing = state.questions[0].model_copy(update={"grade": graded, "closed": "answered"})
    whole = state.model_copy(update={"questions": (standing,)})
    soup = safe(message_html(message("feedback", grade=graded, question_index=0), whole, {}, EN))
    assert "Any one of points 1–3 makes a full answer." in soup.text
    chips = [chip.text.split()[-1] for chip in soup.select(".iv-point .iv-chip")]
    assert chips == ["Covered", "Optional", "Optional", "Missing"]
    assert soup.select_one(".iv-tally").text == "1 covered, 1 missing"
    cells = [[cell.text for cell in row.select("td")] for row in soup.select(".iv-breakdown tbody tr")]
    assert [row[2] for row in cells] == ["1", "–", "–", "4"]
    assert "1.00" in soup.select_one(".iv-breakdown").text
    assert graded.score == 2.0


def test_after_a_reload_reading_begins_at_the_reply_to_what_was_said_last():
    said = [message("question"), message("answer", "candidate"), message("feedback"), message("followup")]
    keyed = [m.model_copy(update={"key": str(i)}) for i, m in enumerate(said)]
    assert anchor(keyed) == "2"
    assert anchor(keyed[:2]) == "1"
    assert anchor(keyed[:1]) == "0"
    assert anchor([]) == ""
