"""Questions first, answers in a section of their own: the two are paired by number."""

from collections.abc import Sequence
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind, Passage
from knowledge.extraction.boundaries import best_chain, count_titles, find_questions
from knowledge.extraction.cleaning import passage
from knowledge.extraction.schemes import Candidate, marker_of, next_lines
from knowledge.extraction.signals import (
    answer_mark,
    is_answer_section,
    is_section_title,
    is_title_like,
    question_likeness,
    section_name,
    unmarked,
)

MAX_SECTIONS = 40
"""More titles of answers than this stand below single questions, not over sections."""


class Pair(NamedTuple):
    """A question and the lines of the answer with its number."""

    text: str
    number: str
    line: int
    topic: str
    answer: tuple[Line, ...]


class Paired(NamedTuple):
    """Pairs of the first section of answers, the lines after it, and what belongs to no pair."""

    pairs: list[Pair]
    rest: Sequence[Line]
    left_out: list[Passage]


def pair_answers_apart(lines: Sequence[Line]) -> Paired | None:
    """The first section of answers that fits the questions above it, or None where there is none."""
    titles = [i for i, line in enumerate(lines) if _is_title(line) and is_answer_section(line.text.rstrip(":："))]
    if len(titles) > MAX_SECTIONS:
        return None
    for at in titles:
        following = next_lines(lines, at, 1)
        if following and _answer_marker(following[0]) is not None:
            paired = _paired(lines, at)
            if paired:
                return paired
    return None


def _paired(lines: Sequence[Line], at: int) -> Paired | None:
    questions = find_questions(lines[:at])
    numbers = [c.number for c in questions if c.number is not None]
    if len(numbers) < 2 or len(set(numbers)) != len(numbers) or not _mostly_unanswered(lines[:at], questions):
        return None
    end = _end_of_answers(lines, at)
    answers = _numbered(lines, at + 1, end, set(numbers))
    if len(answers) < max(2, 0.6 * len(numbers)):
        return None
    return _matched(lines, at, questions, answers, end)


def _mostly_unanswered(lines: Sequence[Line], questions: list[Candidate]) -> bool:
    ends = [c.at for c in questions[1:]] + [len(lines)]
    bodies = [
        sum(1 for line in lines[c.at + 1 : end] if line.kind in (LineKind.TEXT, LineKind.CODE, LineKind.TABLE))
        for c, end in zip(questions, ends, strict=True)
    ]
    return sum(1 for body in bodies if body == 0) >= 0.6 * len(bodies)


def _end_of_answers(lines: Sequence[Line], at: int) -> int:
    """Answers end at the next heading as high as their own, at a new chapter, or where questions begin anew."""
    own = lines[at]
    for i in range(at + 1, len(lines)):
        line = lines[i]
        if line.kind is LineKind.HEADING and own.kind is LineKind.HEADING and line.level <= own.level:
            return i
        is_chapter = line.kind is LineKind.TEXT and is_section_title(line.text) and unmarked(line.text)[:1] in "第PpCc"
        if is_chapter and is_title_like(line.text):
            return i
        if _is_title(line) and is_answer_section(line.text.rstrip(":：")):
            return _start_of_questions(lines, at, i)
    return len(lines)


def _start_of_questions(lines: Sequence[Line], start: int, end: int) -> int:
    """Between two sections of answers: the title or the number one from which questions are asked again."""
    first = end
    for i in range(start + 1, end):
        marker = marker_of(lines[i])
        if marker is not None and marker.number == 1 and question_likeness(marker.text) >= 0.6:
            first = i
    while first > start + 1 and (lines[first - 1].is_blank or _is_title(lines[first - 1])):
        first -= 1
    return first


def _is_title(line: Line) -> bool:
    is_plain = line.kind is LineKind.TEXT and (is_title_like(line.text.strip(":：")) or is_section_title(line.text))
    return line.kind is LineKind.HEADING or is_plain


def _numbered(lines: Sequence[Line], start: int, end: int, wanted: set[int]) -> list[Candidate]:
    """The chain of numbered lines whose numbers are those of the questions."""
    groups: dict[str, list[Candidate]] = {}
    for index in range(start, end):
        marker = _answer_marker(lines[index])
        if marker is not None and marker[1] in wanted:
            scheme, number, text = marker
            found = marker_of(lines[index])
            if found is None:
                continue
            candidate = Candidate(index, found._replace(scheme=scheme, number=number, text=text), 0.0, False, 0.4)
            groups.setdefault(scheme, []).append(candidate)
    titles = count_titles(lines)
    chains = [list(best_chain(group, titles).items) for group in groups.values()]
    return max(chains, key=len, default=[])


def _answer_marker(line: Line) -> tuple[str, int, str] | None:
    """Scheme, number and text of a line such as `3. …`, `A3: …` or `答案3:…`."""
    marker = marker_of(line)
    if marker is not None and marker.number is not None:
        return marker.scheme, marker.number, marker.text
    rest = answer_mark(line.text) if line.is_prose else None
    digits = "".join(char for char in unmarked(line.text)[:12].split(":")[0].split("：")[0] if char.isdigit())
    return ("answer|mark", int(digits), rest) if rest is not None and digits else None


def _matched(lines: Sequence[Line], at: int, questions: list[Candidate], answers: list[Candidate], end: int) -> Paired:
    bodies: dict[int, tuple[Line, ...]] = {}
    ends = [c.at for c in answers[1:]] + [end]
    for candidate, stop in zip(answers, ends, strict=True):
        line = lines[candidate.at]
        text = _own_text(line, candidate)
        head = (line._replace(kind=LineKind.TEXT, level=0, text=text, raw=text),) if text else ()
        bodies[candidate.number or 0] = (*head, *lines[candidate.at + 1 : stop])
    pairs = []
    left_out = _titles_and_rest(lines, at, questions, answers)
    stops = [c.at for c in questions[1:]] + [at]
    for c, stop in zip(questions, stops, strict=True):
        options = [line for line in lines[c.at + 1 : stop] if not line.is_blank and not _is_heading_between(line)]
        text = "\n".join([c.marker.text, *(line.raw.strip() for line in options)])
        topic = _topic_above(lines, c.at)
        pairs.append(Pair(text, str(c.number or ""), lines[c.at].number, topic, bodies.get(c.number or 0, ())))
    return Paired(pairs, lines[end:], left_out)


def _is_heading_between(line: Line) -> bool:
    return line.kind in (LineKind.HEADING, LineKind.RULE) or (
        line.kind is LineKind.TEXT and is_section_title(line.text)
    )


def _topic_above(lines: Sequence[Line], at: int) -> str:
    """The nearest section's title above a question."""
    for line in reversed(lines[:at]):
        if _is_heading_between(line) and line.kind is not LineKind.RULE and not is_answer_section(line.text):
            return section_name(line.text)
    return ""


def _own_text(line: Line, candidate: Candidate) -> str:
    marker = marker_of(line)
    text = candidate.marker.text if marker is None or marker.number is None else f"{marker.text} {marker.rest}".strip()
    rest = answer_mark(text)
    return text if rest is None else rest


def _titles_and_rest(
    lines: Sequence[Line], at: int, questions: list[Candidate], answers: list[Candidate]
) -> list[Passage]:
    """What stands before the questions, titles between them, and the title of the answers."""
    first = questions[0].at
    found = [
        ("before_the_first_question", [line for line in lines[:first] if not line.is_blank]),
        *(("section_title", [line]) for line in lines[first:at] if _is_heading_between(line)),
        ("section_title", [line for line in lines[at : answers[0].at] if not line.is_blank]),
    ]
    return [passage(rule, group) for rule, group in found if group]
