"""From question lines to segments: which lines answer which question, and which belong to neither."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind, Passage
from knowledge.extraction.apart import pair_answers_apart
from knowledge.extraction.boundaries import find_questions
from knowledge.extraction.cleaning import passage
from knowledge.extraction.schemes import Candidate, is_option_list
from knowledge.extraction.signals import (
    answer_mark,
    ends_sentence,
    is_about_question,
    is_closing,
    is_closing_heading,
    is_follow_up,
    is_section_title,
    is_title_like,
    question_mark,
    section_name,
    unmarked,
)

_MARK_WITHIN = 40
_IMPRESSIONS = ("面试感受", "面试体验", "面试总结", "面试心得")
_RANGE = re.compile(r"[（(]\s*Q?\d+\s*[-–~至到]\s*Q?\d+")
_DATED = re.compile(r"\d{4}\s*[年/.-]|\d{1,2}:\d{2}|\d+\s*(?:views|阅读)", re.IGNORECASE)


class Segment(NamedTuple):
    """A question with the lines of its answer, as they stood.

    Attributes:
        line: The question's line number.
        topic: The title it stood under; empty where there was none.
    """

    question: str
    number: str
    line: int
    topic: str
    answer: tuple[Line, ...]


class Segmented(NamedTuple):
    """All segments of a document, and what belongs to none."""

    segments: list[Segment]
    left_out: list[Passage]


class _Span(NamedTuple):
    """One question's lines: its own position, and those up to the next question."""

    candidate: Candidate
    start: int
    end: int


def segment(lines: Sequence[Line], *, are_optional: bool = False) -> Segmented:
    """Cuts cleaned lines into questions with answers; `are_optional` where other parts hold what was looked for."""
    if apart := pair_answers_apart(lines):
        pairs, rest, left_out = apart
        segments = [Segment(p.text, p.number, p.line, p.topic, p.answer) for p in pairs]
        remaining = segment(rest) if rest else Segmented([], [])
        return Segmented(segments + remaining.segments, left_out + remaining.left_out)
    return _Cutter(lines).cut("outside_the_tables" if are_optional else "no_question_found")


class _Cutter:
    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._questions = find_questions(lines)
        self._left_out: list[Passage] = []
        self._segments: list[Segment] = []

    def cut(self, rule_for_nothing: str) -> Segmented:
        if not self._questions:
            self._leave(rule_for_nothing, self._lines)
            return Segmented([], self._left_out)
        first = self._questions[0].at
        topic = self._topic_of_preamble(first)
        for span in self._spans():
            topic = self._cut_span(span, topic)
        return Segmented(self._segments, self._left_out)

    def _spans(self) -> list[_Span]:
        ends = [c.at for c in self._questions[1:]] + [len(self._lines)]
        return [_Span(c, c.at, end) for c, end in zip(self._questions, ends, strict=True)]

    def _leave(self, rule: str, lines: Sequence[Line]) -> None:
        kept = [line for line in lines if not line.is_blank]
        if kept:
            self._left_out.append(passage(rule, kept))

    def _topic_of_preamble(self, first: int) -> str:
        """The title right above the first question; everything before the questions is left out."""
        self._leave("before_the_first_question", self._lines[:first])
        above = [line for line in self._lines[:first] if not (line.is_blank or _is_question_mark(line))]
        for line in reversed(above[-3:] if above else []):
            if line.kind is LineKind.HEADING or is_section_title(line.text):
                return section_name(line.text)
        last = above[-1] if len(above) > 1 else None
        if last and last.kind is LineKind.TEXT and is_title_like(last.text) and not _DATED.search(last.text):
            return section_name(last.text)
        headings = [line for line in above if line.kind is LineKind.HEADING]
        return section_name(headings[-1].text) if headings else ""

    def _cut_span(self, span: _Span, topic: str) -> str:
        """Makes the span's segment; returns the topic of the next question."""
        body = list(self._lines[span.start + 1 + span.candidate.marker.below : span.end])
        body, next_topic = self._without_sections(span, body)
        if span.end == len(self._lines):
            body = self._without_afterword(span, body)
        question, answer = self._split_question(span, body)
        marker = span.candidate.marker
        line = self._lines[span.start]
        if marker.rest:
            answer = [line._replace(kind=LineKind.TEXT, level=0, text=marker.rest, raw=marker.rest), *answer]
        self._segments.append(Segment(question, marker.printed, line.number, topic, tuple(_trimmed(answer))))
        return next_topic or topic

    def _without_sections(self, span: _Span, body: list[Line]) -> tuple[list[Line], str]:
        """The lines before the first title of a new section, and that title's last one as the next topic."""
        cut = next((i for i, line in enumerate(body) if self._opens_section(span, body, i)), None)
        if cut is None:
            cut = self._title_at_end(span, body)
        if cut is None:
            return body, ""
        titles = [
            line
            for i, line in enumerate(body[cut:], cut)
            if i == cut or (self._opens_section(span, body, i) and not _is_question_mark(line))
        ]
        self._leave("section_title", body[cut:])
        return body[:cut], section_name(titles[-1].text)

    def _opens_section(self, span: _Span, body: list[Line], at: int) -> bool:
        line = body[at]
        level = self._heading_level(span.candidate)
        if line.kind is LineKind.HEADING and answer_mark(line.text) is None:
            is_last = not any(not later.is_blank for later in body[at + 1 :])
            if level:
                return line.level <= level
            return is_last or is_section_title(line.text) or line.level <= self._section_level
        return _is_part_title(line) and self._has_parts

    @cached_property
    def _has_parts(self) -> bool:
        """Whether a part's or chapter's title stands above any question, so that others end answers."""
        directly = any(above is not None and _is_part_title(above) for above in map(self._above, self._questions))
        return directly or any(_is_part_title(line) and _RANGE.search(line.text) for line in self._lines)

    def _above(self, candidate: Candidate) -> Line | None:
        """The line above a question, blank ones and its mark aside."""
        at = candidate.at - 1
        while at >= 0 and (self._lines[at].is_blank or _is_question_mark(self._lines[at])):
            at -= 1
        return self._lines[at] if at >= 0 else None

    def _heading_level(self, candidate: Candidate) -> int:
        line = self._lines[candidate.at]
        return line.level if line.kind is LineKind.HEADING else 0

    @cached_property
    def _section_level(self) -> int:
        """The deepest level of headings that stand right above a question which is no heading itself."""
        above = [line for line in map(self._above, self._questions) if line is not None]
        return max((line.level for line in above if line.kind is LineKind.HEADING), default=0)

    def _title_at_end(self, span: _Span, body: list[Line]) -> int | None:
        """Where a plain title stands right above the next question and something begins anew with that question."""
        following = self._by_position.get(span.end)
        last = next((i for i in range(len(body) - 1, -1, -1) if not body[i].is_blank), None)
        if following is None or last is None or body[last].kind is not LineKind.TEXT:
            return None
        text = body[last].text
        if re.match(r"\(?\d{1,3}[.)、）]", text) or body[last].indent >= 2:
            return None
        if not (is_title_like(text) or (is_section_title(text) and len(text) < 60)) or answer_mark(text) is not None:
            return None
        mine, its = span.candidate, following
        if mine.marker.scheme != its.marker.scheme:
            return last
        begins_anew = is_section_title(text) or (its.number or 0) < (mine.number or 0)
        is_listed = bool(self._segments) and not self._segments[-1].answer
        return last if begins_anew and (_is_complete(body[:last]) or is_listed) else None

    @cached_property
    def _by_position(self) -> dict[int, Candidate]:
        return {candidate.at: candidate for candidate in self._questions}

    def _without_afterword(self, span: _Span, body: list[Line]) -> list[Line]:
        """The last answer ends where farewell, advice or further reading begins."""
        seen = False
        for i, line in enumerate(body):
            if line.is_blank or line.kind is LineKind.RULE:
                continue
            if (seen or unmarked(line.text).startswith(_IMPRESSIONS)) and self._is_afterword(span, line):
                start = _with_its_title(body, i)
                self._leave("afterword", body[start:])
                return body[:start]
            seen = seen or answer_mark(line.text) != ""
        return body

    def _is_afterword(self, span: _Span, line: Line) -> bool:
        level = self._heading_level(span.candidate)
        if line.kind is LineKind.HEADING:
            return is_closing_heading(line.text) and (not level or line.level <= level)
        if line.kind is not LineKind.TEXT or not is_closing(line.text):
            return False
        words = unmarked(line.text)
        return (
            is_title_like(line.text)
            or words[:1] in "祝希如欢以点本"
            or words.startswith(_IMPRESSIONS)
            or words.lower().startswith(("good luck", "thank"))
        )

    def _split_question(self, span: _Span, body: list[Line]) -> tuple[str, list[Line]]:
        """The question may go on until the answer's mark; the mark itself is dropped."""
        question = span.candidate.marker.text
        at = self._mark_position(body)
        if at is None:
            return question, body
        about = [line for line in body[:at] if line.is_prose and is_about_question(line.text)]
        self._leave("unused_field", about)
        body = [line for line in body if line not in about]
        at -= len(about)
        more = [line for line in body[:at] if line.kind is not LineKind.RULE]
        if any(not line.is_blank for line in more):
            if not self._marks_are_usual:
                self._leave("answer_mark", [body[at]])
                return question, body[:at] + body[at + 1 :]
            question = _asked_below(more) or f"{question}\n{_as_block(more)}"
        rest = answer_mark(body[at].text) or ""
        head = [body[at]._replace(kind=LineKind.TEXT, level=0, text=rest, raw=rest)] if rest else []
        tail = body[at + 1 :]
        while not head and tail and (again := _leading_mark(tail)) is not None:
            head, tail = again
        return question, head + tail

    @cached_property
    def _marks_are_usual(self) -> bool:
        """Whether half of the questions have their answers marked, so that what stands before a mark asks."""
        marked = sum(
            1 for s in self._spans() if self._mark_position(list(self._lines[s.start + 1 : s.end])) is not None
        )
        return marked * 2 > len(self._questions)

    def _mark_position(self, body: list[Line]) -> int | None:
        seen, before = 0, ""
        for i, line in enumerate(body):
            if line.is_blank or line.kind is LineKind.CODE:
                continue
            seen += 1
            if seen > _MARK_WITHIN:
                return None
            is_mark = line.is_prose and answer_mark(line.text) is not None and not is_follow_up(before)
            before = line.text
            if is_mark and not is_option_list([x for x in body[i : i + 4] if not x.is_blank]):
                return i
        return None


def _is_question_mark(line: Line) -> bool:
    """Whether a line only says that a question follows ("### 题目")."""
    return line.is_prose and question_mark(line.text) == ""


def _is_part_title(line: Line) -> bool:
    """A plain line that names a part or chapter with its number."""
    if line.kind is not LineKind.TEXT or line.indent >= 4 or len(line.text) >= 60:
        return False
    is_numbered = is_section_title(line.text) and unmarked(line.text)[:1] in "第PpCcMm"
    return is_numbered and not ends_sentence(line.text) and answer_mark(line.text) is None


def _with_its_title(lines: Sequence[Line], at: int) -> int:
    """Where a line begins together with the closing title right above it ("总结")."""
    above = next((i for i in range(at - 1, 0, -1) if not lines[i].is_blank), 0)
    return above if above and lines[above].is_prose and is_closing_heading(lines[above].text) else at


def _asked_below(lines: Sequence[Line]) -> str:
    """What stands below a question's mark, where one stands between a title and the answer; empty where none does."""
    for at, line in enumerate(lines):
        rest = question_mark(line.text) if line.is_prose else None
        if rest is not None:
            return "\n".join(part for part in (rest, _as_block(lines[at + 1 :])) if part)
    return ""


def _is_complete(lines: Sequence[Line]) -> bool:
    """Whether an answer could end here: it says something, and its last line is whole."""
    said = [line for line in lines if not line.is_blank]
    return bool(said) and (said[-1].kind is not LineKind.TEXT or ends_sentence(said[-1].text))


def _leading_mark(lines: list[Line]) -> tuple[list[Line], list[Line]] | None:
    """A second mark right below the first ("Answer" to open it, then "Answer: D") is dropped too."""
    at = next((i for i, line in enumerate(lines) if not line.is_blank), None)
    if at is None or not lines[at].is_prose:
        return None
    rest = answer_mark(lines[at].text)
    if rest is None:
        return None
    head = [lines[at]._replace(kind=LineKind.TEXT, level=0, text=rest, raw=rest)] if rest else []
    return head, lines[at + 1 :]


def _as_block(lines: Sequence[Line]) -> str:
    return "\n".join(line.raw.rstrip() for line in lines).strip()


def _trimmed(lines: list[Line]) -> list[Line]:
    """Without blank lines and rules at either end."""
    start, end = 0, len(lines)
    while start < end and (lines[start].is_blank or lines[start].kind is LineKind.RULE):
        start += 1
    while end > start and (lines[end - 1].is_blank or lines[end - 1].kind is LineKind.RULE):
        end -= 1
    return lines[start:end]
