"""The lint of a bank: every rule has a name, and every problem says in one sentence what to change.

A reference is written for people and a point for a grader, so the rules measure what a schema can't: that a point is
stated in its reference, that a probe does not give its point away, that the two languages say the same amount.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from rapidfuzz import fuzz

from interviewer.language import fold
from interviewer.models import LANGUAGES, Language, Point, Question
from knowledge.bank.places import places, texts_of
from knowledge.bank.terms import content_terms, mentions, recall, size, technical_terms

POINTS = (3, 6)
MISCONCEPTIONS = (1, 16)
MIN_RECALL = 0.7
"""Share of a point's terms that its reference must hold."""
MAX_OVERLAP = {"probe": 0.2, "hint": 0.25, "phase": 0.2}
"""Share of a point's terms (those the question itself does not hold) that a probe, hint or phase may repeat."""
MAX_WEIGHT_SHARE = 0.5
DUPLICATE = 88
"""rapidfuzz ratio, 0..100, from which two texts count as the same."""
PLACEHOLDER = "✎"
"""Marks a text of the template that nobody has written yet."""

_SIZES: dict[str, dict[Language, tuple[int, int]]] = {
    "question": {"zh": (12, 120), "en": (8, 80)},
    "reference": {"zh": (220, 1100), "en": (150, 650)},
    "point": {"zh": (10, 110), "en": (7, 70)},
    "probe": {"zh": (8, 80), "en": (6, 60)},
    "hint": {"zh": (8, 80), "en": (6, 60)},
    "misconception": {"zh": (6, 80), "en": (4, 60)},
    "phase title": {"zh": (2, 20), "en": (1, 8)},
    "phase prompt": {"zh": (8, 80), "en": (6, 60)},
}
_RATIOS = {"question": (0.9, 2.6), "reference": (1.1, 2.3)}
"""Chinese reading units for one English word."""
_LINK = re.compile(
    r"https?:|www\.|\]\(|\b[\w-]+\.[\w-]+\.(?:com|org|net|io|ai|cn|dev)\b|\b[\w-]+\.(?:com|org|net|io|ai|cn|dev)/[\w.-]+/",
    re.IGNORECASE,
)
"""A link or a host with a path; `nvidia.com/gpu`, a resource's name, is none."""
_NOT_A_STATEMENT = re.compile(
    r"[?？]\s*$|^(?:understand|explain|describe|know|mention|name)s?\b|^(?:理解|了解|说明|描述|掌握|提到)", re.I
)


class Problem(NamedTuple):
    """What breaks a rule: the question's id, the rule's name, one sentence with what to change."""

    question_id: str
    rule: str
    message: str


def check_bank(questions: Sequence[Question], beside: Sequence[Question] = ()) -> tuple[Problem, ...]:
    """Every problem of these questions, in their order; empty for questions that keep every rule.

    Args:
        questions: What is checked.
        beside: Questions of other sets that stand beside them: ids and wording must not be repeated.
    """
    single = [problem for question in questions for problem in check_question(question)]
    return (*single, *_repeated_ids(questions, beside), *_near_duplicates(questions, beside))


def check_question(question: Question) -> tuple[Problem, ...]:
    """The problems one question has by itself; of a template, only that it is one."""
    found = list(_unfilled(question)) or [rule for part in _RULES for rule in part(question)]
    return tuple(Problem(question.id, rule, message) for rule, message in found)


def _languages(question: Question) -> Iterator[tuple[str, str]]:
    for place in places(question):
        for language in LANGUAGES:
            if not place.texts.get(language, "").strip():
                yield "language-missing", f"{place.name} has no text in {language}."
    for text in texts_of(question):
        has_han = re.search(r"[\u4e00-\u9fff]", text.text) is not None
        if has_han != (text.language == "zh"):
            yield "language-mixed", f"{text.place} is not written in {text.language}."


def _lengths(question: Question) -> Iterator[tuple[str, str]]:
    for text in texts_of(question):
        low, high = _SIZES[text.kind][text.language]
        units = size(text.text, text.language)
        if not low <= units <= high:
            yield (
                "length",
                f"{text.place} in {text.language} has {units} words or characters; {low} to {high} are right.",
            )
    for kind, texts in (("question", question.question), ("reference", question.reference)):
        if set(texts) != set(LANGUAGES):
            continue
        ratio = size(texts["zh"], "zh") / max(1, size(texts["en"], "en"))
        low_ratio, high_ratio = _RATIOS[kind]
        if not low_ratio <= ratio <= high_ratio:
            yield "length-ratio", f"the {kind} has {ratio:.1f} Chinese characters per English word; one side says less."


def _counts(question: Question) -> Iterator[tuple[str, str]]:
    if not POINTS[0] <= len(question.points) <= POINTS[1]:
        yield "point-count", f"has {len(question.points)} points; {POINTS[0]} to {POINTS[1]} are right."
    if not MISCONCEPTIONS[0] <= len(question.misconceptions) <= MISCONCEPTIONS[1]:
        count = len(question.misconceptions)
        yield (
            "misconception-count",
            f"has {count} misconceptions; {MISCONCEPTIONS[0]} to {MISCONCEPTIONS[1]} are right.",
        )
    if not question.tags:
        yield "tags", "has no tags."
    if not question.further:
        yield "sources", "names no primary source under `further`."


def _weights(question: Question) -> Iterator[tuple[str, str]]:
    total = sum(point.weight for point in question.points)
    for point in question.points:
        if point.weight > total * MAX_WEIGHT_SHARE:
            yield "weight", f"point {point.id!r} alone carries more than half of the score."


def _statements(question: Question) -> Iterator[tuple[str, str]]:
    for point in question.points:
        for language, text in point.text.items():
            if _NOT_A_STATEMENT.search(text.strip()):
                yield "point-statement", f"point {point.id!r} in {language} is not a statement that can be checked."
            reference = question.reference.get(language, "")
            share = recall(content_terms(text, language), content_terms(reference, language))
            if share < MIN_RECALL:
                yield (
                    "point-in-reference",
                    f"the reference in {language} holds {share:.0%} of the terms of point {point.id!r}; "
                    f"{MIN_RECALL:.0%} are needed.",
                )
    for one, other in combinations(question.points, 2):
        for language in LANGUAGES:
            if _alike(one.text.get(language, ""), other.text.get(language, "")):
                yield "point-duplicate", f"points {one.id!r} and {other.id!r} say the same in {language}."


def _aliases(question: Question) -> Iterator[tuple[str, str]]:
    for point in question.points:
        for language in LANGUAGES:
            if not point.aliases.get(language):
                yield "alias-missing", f"point {point.id!r} has no alias in {language}."
        for alias in _all_aliases(point):
            if any(mentions(text, alias) for text in question.question.values()):
                yield "alias-in-question", f"alias {alias!r} of point {point.id!r} stands in the question itself."
    yield from _shared_aliases(question)


def _shared_aliases(question: Question) -> Iterator[tuple[str, str]]:
    for one, other in combinations(question.points, 2):
        for alias in _all_aliases(one):
            clash = [a for a in _all_aliases(other) if mentions(a, alias) or mentions(alias, a)]
            if clash:
                yield (
                    "alias-shared",
                    f"alias {alias!r} of {one.id!r} and {clash[0]!r} of {other.id!r} can't be told apart.",
                )
    for point in question.points:
        for alias in _all_aliases(point):
            for other in question.points:
                if other.id != point.id and any(mentions(text, alias) for text in other.text.values()):
                    yield (
                        "alias-elsewhere",
                        f"alias {alias!r} of point {point.id!r} stands in the text of {other.id!r}.",
                    )


def _leaks(question: Question) -> Iterator[tuple[str, str]]:
    for point in question.points:
        for kind, texts in (("probe", point.probe), ("hint", point.hint)):
            for language, text in texts.items():
                yield from _given_away(question, point, kind, language, text)
        for language in LANGUAGES:
            if _alike(point.probe.get(language, ""), point.hint.get(language, "")):
                yield "hint-repeats-probe", f"the hint of point {point.id!r} in {language} says no more than its probe."


def _phases(question: Question) -> Iterator[tuple[str, str]]:
    ids = [phase.id for phase in question.phases]
    for phase in question.phases:
        if ids.count(phase.id) > 1:
            yield "phase-id", f"the phase id {phase.id!r} stands twice."
        if not phase.points:
            yield "phase-empty", f"phase {phase.id!r} has no point, so nothing said in it counts."
        for language, text in phase.prompt.items():
            where = f"the prompt of phase {phase.id!r} in {language}"
            yield from _names_an_alias(question, "phase", where, text)
            for point in question.points:
                if point.id in phase.points:
                    yield from _repeats(question, point, "phase", where, language, text)


def _choices(question: Question) -> Iterator[tuple[str, str]]:
    known = {point.id for point in question.points}
    for choice in question.choices:
        unknown = sorted(set(choice.points) - known)
        if unknown:
            yield "choice-points", f"a choice names points that the question lacks: {', '.join(unknown)}."
        if choice.enough >= len(choice.points):
            yield "choice-size", f"of {len(choice.points)} points to choose from, {choice.enough} are no choice."


def _given_away(
    question: Question, point: Point, kind: str, language: Language, text: str
) -> Iterator[tuple[str, str]]:
    where = f"the {kind} of point {point.id!r} in {language}"
    yield from _names_an_alias(question, kind, where, text)
    yield from _repeats(question, point, kind, where, language, text)


def _names_an_alias(question: Question, kind: str, where: str, text: str) -> Iterator[tuple[str, str]]:
    for point in question.points:
        for alias in _all_aliases(point):
            if mentions(text, alias):
                yield f"{kind}-leak", f"{where} names {alias!r}, which is an alias of point {point.id!r}."


def _repeats(
    question: Question, point: Point, kind: str, where: str, language: Language, text: str
) -> Iterator[tuple[str, str]]:
    asked = question.asked_in(language)
    names = technical_terms(point.in_language(language), language) - technical_terms(asked, language)
    for name in sorted(names):
        if mentions(text, name) and not mentions(asked, name):
            yield f"{kind}-leak", f"{where} names {name!r}, a key term of point {point.id!r}."
    own = content_terms(point.in_language(language), language) - content_terms(asked, language)
    repeated = own & content_terms(text, language)
    if len(repeated) > 1 and len(repeated) / len(own) > MAX_OVERLAP[kind]:
        yield f"{kind}-leak", f"{where} repeats too much of point {point.id!r}: {', '.join(sorted(repeated))}."


def _misconceptions(question: Question) -> Iterator[tuple[str, str]]:
    ids = {point.id for point in question.points}
    for number, item in enumerate(question.misconceptions, 1):
        if item.point is not None and item.point not in ids:
            yield "misconception-point", f"misconception {number} names the point {item.point!r}, which is not there."
        for language in LANGUAGES:
            if _alike(item.text.get(language, ""), item.correction.get(language, "")):
                yield "misconception-correction", f"the correction of misconception {number} repeats it in {language}."


def _unfilled(question: Question) -> Iterator[tuple[str, str]]:
    left = [(place, text.strip()) for place, text in _everything(question) if PLACEHOLDER in text]
    if left:
        place, text = left[0]
        yield "unfilled", f"{len(left)} texts are still the template's, the first in {place}: {text}"


def _links(question: Question) -> Iterator[tuple[str, str]]:
    for place, text in _everything(question):
        if _LINK.search(text):
            yield "link", f"{place} holds a link; name the source and its section instead."


def _everything(question: Question) -> Iterator[tuple[str, str]]:
    yield from ((text.place, text.text) for text in texts_of(question))
    for point in question.points:
        yield from ((f"the aliases of point {point.id!r}", alias) for alias in _all_aliases(point))
    yield from (("further", text) for text in question.further)
    yield from (("tags", tag) for tag in question.tags)


_RULES = (
    _languages, _lengths, _counts, _weights, _statements, _aliases, _leaks, _phases, _choices, _misconceptions, _links,
)  # fmt: skip


def _repeated_ids(questions: Sequence[Question], beside: Sequence[Question]) -> Iterator[Problem]:
    seen = {question.id for question in beside}
    for question in questions:
        if question.id in seen:
            yield Problem(question.id, "duplicate-id", "the id is used by another question.")
        seen.add(question.id)


def _near_duplicates(questions: Sequence[Question], beside: Sequence[Question]) -> Iterator[Problem]:
    for language in LANGUAGES:
        earlier = [(q.id, fold(q.question[language])) for q in beside if language in q.question]
        for question in questions:
            if PLACEHOLDER in question.question.get(language, PLACEHOLDER):
                continue
            asked = fold(question.question[language])
            for other, text in earlier:
                if other != question.id and _same(text, asked):
                    yield Problem(question.id, "duplicate-question", f"asks the same as {other!r} in {language}.")
            earlier.append((question.id, asked))


def _alike(one: str, other: str) -> bool:
    return bool(one and other) and _same(fold(one), fold(other))


def _same(one: str, other: str) -> bool:
    return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other)) >= DUPLICATE


def _all_aliases(point: Point) -> tuple[str, ...]:
    return tuple(dict.fromkeys(alias for aliases in point.aliases.values() for alias in aliases))
