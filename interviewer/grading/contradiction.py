"""Statements that say the opposite of a point: negated, turned round, or with another number."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from interviewer.grading.opposites import PAIRS, negations
from interviewer.grading.terms import Term, list_terms, weight, word_similarity
from interviewer.language import fold

Kind = Literal["negated", "opposite", "number"]
_Found = Kind | Literal["agrees"] | None

_CLAUSE_END = re.compile(r"[,，。;；:：!！?？\n]+|\.\s|\s(?=(?:but|and|so|because|while|whereas|which)\s)|\.$")
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(%|x\b|[a-z]{2,8}|[倍个次层张卡位秒毫年月天])?")
_DENIAL = re.compile(
    r"(?:it(?:'s| is)? (?:not|n't) (?:true|the case|correct|right)(?: that)?"
    r"|it(?:'s| is) (?:false|wrong|untrue|incorrect)(?: that)?"
    r"|(?:并不是这样|不是这样|并非如此|事实并非如此|这是错的|不对|说法错误)\s*[:：,，])\s*"
)
_ALIKE = 0.65
_COMMON_WEIGHT = 1.0
_COMMON_SHARE = 0.6
_OWN_SHARE = 0.4
_SAME_WORDS = 0.8
_TOLERANCE = 0.1
_REACH = 14


class Clause(NamedTuple):
    """A piece of a sentence that states one thing.

    Attributes:
        text: Folded.
        negated: Keys of the words that stand right after a negating cue, one for each cue that has such a word.
        cues: How many negating cues there are.
    """

    text: str
    keys: tuple[str, ...]
    negated: tuple[str, ...]
    cues: int


class Clash(NamedTuple):
    """A contradiction, and the share (0..1) of the point's words that the contradicted part has."""

    kind: Kind
    share: float


class _Common(NamedTuple):
    """What two clauses share, by weight: in all, and as a share of ours and of the lighter one."""

    keys: frozenset[str]
    weight: float
    of_ours: float
    of_lighter: float

    @property
    def same_subject(self) -> bool:
        return self.weight >= _COMMON_WEIGHT and self.of_lighter >= _COMMON_SHARE and self.of_ours >= _OWN_SHARE


def clauses(text: str) -> list[Clause]:
    """The clauses of a text that have at least one word of their own; "it is not true that" denies all that follow."""
    folded = fold(text)
    denial = _DENIAL.match(folded)
    body = folded[denial.end() :] if denial else folded
    found = [_clause(piece.strip()) for piece in _CLAUSE_END.split(body) if piece and piece.strip()]
    return [_denied(clause) if denial else clause for clause in found if clause.keys]


def _denied(clause: Clause) -> Clause:
    return clause._replace(negated=(*clause.negated, *clause.keys), cues=clause.cues + 1)


def clash(point: Sequence[Clause], said: Sequence[Clause]) -> Clash | None:
    """How what was said contradicts the point; None where it does not.

    Clauses are compared two by two: they must share most of their words, and then differ in polarity, in direction or
    in a number. A clause that agrees with any part of the point contradicts no other part, and a part that some
    clause agrees with is settled.
    """
    table = [[_compare(ours, theirs) for theirs in said] for ours in point]
    agreeing = {at for row in table for at, kind in enumerate(row) if kind == "agrees"}
    total = sum(_weigh(clause) for clause in point)
    for ours, row in zip(point, table, strict=True):
        if "agrees" in row:
            continue
        for at, kind in enumerate(row):
            if kind is not None and kind != "agrees" and at not in agreeing:
                return Clash(kind, _weigh(ours) / total)
    return None


def _weigh(clause: Clause) -> float:
    return sum(weight(key) for key in clause.keys)


def _clause(text: str) -> Clause:
    terms = list_terms(text)
    ends = negations(text)
    negated = tuple(filter(None, (_next_key(terms, end) for end in ends)))
    return Clause(text, tuple(dict.fromkeys(term.key for term in terms)), negated, len(ends))


def _next_key(terms: Sequence[Term], at: int) -> str:
    return next((term.key for term in terms if at <= term.start <= at + _REACH), "")


def _compare(ours: Clause, theirs: Clause) -> _Found:
    common = _common(ours, theirs)
    if not common.same_subject:
        return None
    odd = (ours.cues - theirs.cues) % 2 == 1
    if _turned(ours.text, theirs.text):
        return "agrees" if odd else "opposite"
    if odd:
        heads = (*theirs.negated, *ours.negated)
        return "negated" if any(_said(head, common.keys) for head in heads) else None
    if _other_number(ours.text, theirs.text):
        return "number"
    return "agrees" if _agrees(ours, common) else None


def _agrees(ours: Clause, common: _Common) -> bool:
    """Saying the same takes the same subject, which mostly comes first, or nearly all of the words."""
    return common.of_ours >= _SAME_WORDS or (common.of_ours >= _COMMON_SHARE and ours.keys[0] in common.keys)


def _said(head: str, keys: frozenset[str]) -> bool:
    return head in keys or any(word_similarity(head, key) >= _ALIKE for key in keys)


def _common(ours: Clause, theirs: Clause) -> _Common:
    shared = frozenset(key for key in ours.keys if _said(key, frozenset(theirs.keys)))
    both = sum(weight(key) for key in shared)
    mine, other = _weigh(ours), _weigh(theirs)
    return _Common(shared, both, both / mine, both / min(mine, other))


def _turned(ours: str, theirs: str) -> bool:
    """Whether one side names a direction and the other its opposite instead."""
    return any(
        _found(pair.one, ours) - _found(pair.one, theirs)
        and _found(pair.other, theirs) - _found(pair.other, ours)
        and not _found(pair.other, ours) - _found(pair.other, theirs)
        for pair in PAIRS
        if pair.one.search(ours) and pair.other.search(theirs)
    )


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match[0] for match in pattern.finditer(text)}


def _other_number(ours: str, theirs: str) -> bool:
    """Whether both give a number with the same unit, and no number of ours is near one of theirs."""
    mine, other = numbers_of(ours), numbers_of(theirs)
    units = mine.keys() & other.keys() - {""}
    return any(all(not _near(a, b) for a in mine[unit] for b in other[unit]) for unit in units)


def numbers_of(text: str) -> dict[str, list[float]]:
    """The numbers of a folded text by their unit, "" for none."""
    found: dict[str, list[float]] = {}
    for match in _NUMBER.finditer(text):
        found.setdefault(match[2] or "", []).append(float(match[1]))
    return found


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _TOLERANCE * max(abs(a), abs(b))
