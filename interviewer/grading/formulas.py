"""Formulas in a text, compared by what they come to: 3(n-i+1) is 3n-3i+3, and n/2 is not (n+1)/2."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from interviewer.grading.opposites import negations
from interviewer.grading.terms import keys
from interviewer.language import fold, sentences

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-zθω]+\d*|[-+*/^()\[\]]|\s+|.")
_POWERS = str.maketrans({"⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5", "ⁿ": "^n"})
_SIGNS = str.maketrans({"×": "*", "·": "*", "∙": "*", "÷": "/", "−": "-", "–": "-", "[": "(", "]": ")"})
_MARK = re.compile(r"^\s*(?:\(\d{1,2}\)|\d{1,2}(?:[.)、](?!\d)|\s+(?=[\u3400-\u9fff])))\s*")
_NUMBER = re.compile(r"\d[\d.]*")
_WORD = re.compile(r"[A-Za-z]+(?:[-/_][A-Za-z]+)*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LETTER = re.compile(r"[a-zθω]\d*")
_LOGGED = re.compile(r"([a-z])?((?:log|lg|ln)\d*)([a-z])?")
_PRODUCT = re.compile(r"[a-z]{2}")
_LINE_END = re.compile(r"[\n;；。]+")
_LOGS = frozenset({"log", "lg", "ln"})
_BOUNDS = frozenset({"o", "θ", "ω"})
_UNITS = frozenset("bkgmsxdt")
_WORD_PAIR = re.compile(r"\(?[a-z]\d*[-/][a-z]\d*\)?")
_MOST_TOKENS, _MOST_FORMULAS = 60, 40
_MOST_WORDS, _MOST_BESIDE = 1, 3
_SAMPLES = 3
_LARGEST_POWER = 16.0
_ALIKE = 1e-6


class Formula(NamedTuple):
    """A formula as it was found.

    Attributes:
        text: Folded.
        bound: Whether it is a bound such as O(n): those are compared among themselves alone.
        values: What it comes to for the same three choices of its letters.
    """

    text: str
    bound: bool
    values: tuple[float, ...]


def same_formula(a: Formula, b: Formula) -> bool:
    """Whether both come to the same, however they are written."""
    return a.bound == b.bound and all(
        math.isclose(x, y, rel_tol=_ALIKE) for x, y in zip(a.values, b.values, strict=True)
    )


def among(formula: Formula, others: Sequence[Formula]) -> bool:
    return any(same_formula(formula, other) for other in others)


def find_formulas(text: str) -> tuple[Formula, ...]:
    """The formulas of a text in order: whatever has a letter for a number and an operator, and bounds like O(n).

    Names such as A/B, sizes such as 7B and the numbers before list items are none.
    """
    return tuple(formula for _, formula in _found(text))


def formulas_given(point: str, asked: str, said: str) -> float | None:
    """0..1: how many of the formulas that a point asks for an answer gives.

    None where the point says more than formulas beside the words of the question, and where words decide: the answer
    gives no formula of its own, says beside one what is not so, or gives those of the point in another order. More
    formulas in a row than are asked for are guesses, and give none.

    Args:
        asked: Everything the interviewer said.
    """
    known = find_formulas(asked)
    wanted = [formula for formula in find_formulas(point) if not among(formula, known)]
    heard = frozenset(keys(asked))
    more = [key for key in keys(point) if key not in heard and not _is_formula_word(key)]
    given = [formula for formula in find_formulas(said) if not among(formula, known)]
    if not wanted or not given or len(more) > _MOST_WORDS:
        return None
    if any(find_formulas(sentence) and negations(fold(sentence)) for sentence in sentences(said)):
        return None
    if is_mostly_formulas(said) and len(given) > len(wanted) + _MOST_BESIDE:
        return 0.0
    places = [next((at for at, each in enumerate(given) if _gives(each, one)), -1) for one in wanted]
    found = [at for at in places if at >= 0]
    return None if found != sorted(found) else len(found) / len(wanted)


def _gives(given: Formula, wanted: Formula) -> bool:
    """As `same_formula`; a bound is often told without its O."""
    return same_formula(given, wanted) or (wanted.bound and same_formula(given._replace(bound=True), wanted))


def is_mostly_formulas(text: str) -> bool:
    """Whether a text has a formula and hardly a word beside it."""
    found = _found(text)
    if not found:
        return False
    rest = "".join(_MARK.sub("", line) for line in _LINE_END.split(_read(text)))
    for formula in dict.fromkeys(written for written, _ in found):
        rest = rest.replace(formula, " ")
    return len(re.findall(r"[a-z]{2,}|[\u3400-\u9fff]{1,2}", rest)) <= 2


def gives_values(text: str) -> bool:
    """Whether a text gives numbers or formulas rather than names."""
    numbers = len(_NUMBER.findall(text))
    words = len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2
    return numbers > words or is_mostly_formulas(text)


def _read(text: str) -> str:
    lines = [fold(line.translate(_POWERS)).translate(_SIGNS) for line in text.split("\n")]
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[tuple[str, Formula], ...]:
    found: list[tuple[str, Formula]] = []
    for line in _LINE_END.split(_read(text)):
        for run in _runs(_MARK.sub("", line)):
            formula = _formula(run)
            if formula is not None:
                found.append(("".join(run), formula))
    return tuple(found[:_MOST_FORMULAS])


def _runs(line: str) -> Iterator[list[str]]:
    """The longest pieces of a line that could be formulas, as tokens."""
    run: list[str] = []
    tokens = _split(_TOKEN.findall(line))
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if _belongs(token) or (token.isspace() and run and _joins(run[-1], following)):
            run.append(token)
        else:
            yield from _trimmed(run)
            run = []
    yield from _trimmed(run)


def _split(tokens: Sequence[str]) -> list[str]:
    """Products written as one word cut into letters: "nlogn", and "nm" beside a sign where one of its letters stands
    alone too.
    """
    alone = {token for token in tokens if _is_letter(token)}
    found: list[str] = []
    for before, token, behind in zip(("", *tokens), tokens, (*tokens[1:], ""), strict=False):
        logged = _LOGGED.fullmatch(token)
        if logged:
            found.extend(filter(None, logged.groups()))
        elif (
            _PRODUCT.fullmatch(token)
            and alone & set(token)
            and any(each and each in "+-*^" for each in (before, behind))
        ):
            found.extend(token)
        else:
            found.append(token)
    return found


def _joins(before: str, behind: str) -> bool:
    """Whether a gap between two tokens parts no formula."""
    return (
        before in "+-*/^(" or behind in ("+", "-", "*", "/", "^", ")") or _is_function(before) or _is_function(behind)
    )


def _belongs(token: str) -> bool:
    return token in "+-*/^()" or (token[0].isascii() and token[0].isdigit()) or _is_letter(token) or _is_function(token)


def _is_letter(token: str) -> bool:
    """Whether a token is one letter, or one with an index."""
    return bool(_LETTER.fullmatch(token))


def _is_function(token: str) -> bool:
    return _is_log(token) or token == "sqrt"


def _is_formula_word(key: str) -> bool:
    word = key.rstrip("+")
    return word[:1].isdigit() or _is_letter(word) or bool(_LOGGED.fullmatch(word))


def _is_log(token: str) -> bool:
    """Of any base: where a base is left out it is a matter of taste."""
    return token.rstrip("0123456789") in _LOGS


def _trimmed(run: list[str]) -> Iterator[list[str]]:
    """Without what opens or closes nothing at its ends."""
    tokens = list(run)
    while tokens and (tokens[0].isspace() or tokens[0] in "+*/^)"):
        tokens.pop(0)
    while tokens and (tokens[-1].isspace() or tokens[-1] in "+-*/^("):
        tokens.pop()
    while tokens and tokens.count("(") < tokens.count(")") and tokens[-1] == ")":
        tokens.pop()
    while tokens and tokens.count("(") > tokens.count(")") and tokens[0] == "(":
        tokens.pop(0)
    if tokens and len(tokens) <= _MOST_TOKENS:
        yield tokens


def _formula(tokens: Sequence[str]) -> Formula | None:
    kept = [token for token in tokens if not token.isspace()]
    text = "".join(kept)
    bound = len(kept) > 3 and kept[0] in _BOUNDS and kept[1] == "(" and kept[-1] == ")"
    letters = [
        token
        for before, token in zip(("", *kept), kept, strict=False)
        if _is_letter(token) and not (token in _UNITS and before[:1].isdigit())
    ]
    operated = any(token in "+-*/^" or _is_function(token) for token in kept)
    if not bound and (not letters or not operated or _WORD_PAIR.fullmatch(text)):
        return None
    inner = kept[2:-1] if bound else kept
    try:
        values = tuple(_Parser(inner, sample).value() for sample in range(_SAMPLES))
    except (ValueError, ArithmeticError):
        return None
    return Formula(text, bound, values)


class _Parser:
    """Sums, products (also unwritten ones), powers, logarithms and roots; `ValueError` for anything else."""

    def __init__(self, tokens: Sequence[str], sample: int) -> None:
        self._tokens = tokens
        self._sample = sample
        self._at = 0

    def value(self) -> float:
        found = self._sum()
        if self._at < len(self._tokens) or not math.isfinite(found):
            raise ValueError
        return found

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self._at += 1
        return token

    def _sum(self) -> float:
        total = self._product()
        while self._next() in ("+", "-"):
            total += self._product() if self._take() == "+" else -self._product()
        return total

    def _product(self) -> float:
        total = self._power()
        while self._next() and self._next() not in "+-)^":
            if self._next() in "*/":
                total = total * self._power() if self._take() == "*" else total / self._power()
            else:
                total *= self._power()
        return total

    def _power(self) -> float:
        base = self._one()
        if self._next() != "^":
            return base
        self._take()
        exponent = self._power()
        if abs(exponent) > _LARGEST_POWER:
            raise ValueError
        if base >= 0 or exponent == int(exponent):
            return float(base**exponent)
        return -float(abs(base) ** exponent)

    def _one(self) -> float:
        token = self._take()
        if token == "-":
            return -self._one()
        if token == "(":
            inside = self._sum()
            if self._take() != ")":
                raise ValueError
            return inside
        if _is_log(token):
            return math.log(abs(self._power()) or 1.0)
        if token == "sqrt":
            return math.sqrt(self._one())
        if token and token[0].isdigit():
            return float(token)
        if token and _is_letter(token):
            return _letter(token, self._sample)
        raise ValueError


def _letter(name: str, sample: int) -> float:
    """A number above 1 for a letter, the same wherever it stands."""
    return 1.3 + 7 * math.modf(abs(math.sin(sum(map(ord, name)) * (12.9898 + sample))) * 43758.5453)[0]
