"""How documents mark their questions: numbers, `Q:`, headings, bold lines. Any such line is a candidate."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.language import without_ornament
from knowledge.documents.model import Line, LineKind
from knowledge.extraction.signals import (
    answer_mark,
    is_answer_section,
    is_closing_heading,
    is_follow_up,
    is_section_title,
    question_likeness,
    unmarked,
    without_emphasis,
)

_NUMBER = re.compile(
    r"^(?P<open>[(（\[【]?)(?P<number>\d{1,5})(?P<sep>[.．、)）:：\]】]|\s*[-–—]\s|(?=\s))\s*(?P<text>\S.*)$", re.DOTALL
)
_LEVELS = re.compile(r"^(?P<above>(?:\d{1,2}[.．])+)(?P<number>\d{1,2})[.．、)）]?\s+(?P<text>[^\d\s%].*)$", re.DOTALL)
_PART = re.compile(
    r"(?:代码)?(?:示例|例子|实现|代码|演示)|原理|背景|概述|简介|介绍|前言|目录|说明|注意(?:事项)?|补充|扩展|拓展|总结|小结|参考.{0,4}|附录.{0,8}"
    r"|(?:code )?examples?|code|overview|introduction|about|contents|notes?|summary|references?|resources"
    r"|appendix.{0,20}",
    re.IGNORECASE,
)
"""What a heading within an answer, or around all of them, is called."""
_ANNOUNCED = re.compile(
    r"^\W*(?:Q|Question|问题|题目|面试题|Problem|第)\s*[.#-]?\s*(?P<number>\d{1,5})\s*[题问]?\W*$", re.IGNORECASE
)
_ASKED_NUMBER = re.compile(
    r"^[\[【]?(?P<word>Q|Question|问题|题目|面试题|问|Problem"
    r"|Ques)\s*[.#\-]?\s*(?P<number>\d{1,5})\s*[\]】]?\s*[:：.．、)）\-–—]?\s*(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ORDINAL = re.compile(
    r"^第\s*(?P<number>\d{1,5}|[一二三四五六七八九十百]{1,5})\s*[题问道]\s*[:：.．、]?\s*(?P<text>\S.*)$", re.DOTALL
)
_HAN_NUMBER = re.compile(r"^[(（]?(?P<number>[一二三四五六七八九十百]{1,4})[)）]?[、.．]\s*(?P<text>\S.*)$", re.DOTALL)
_ASKED = re.compile(
    r"^(?P<word>Q|Question|问题|题目|面试题|问|面试官|Interviewer)\s*[:：]\s*(?P<text>\S.*)$", re.IGNORECASE | re.DOTALL
)
_BOLD = re.compile(
    r"^(?P<mark>\*\*|__(?=[^_]*[\s\u3400-\u9fff]))(?P<inner>(?:(?!(?P=mark)).)+?)(?P=mark)(?P<rest>.*)$", re.DOTALL
)
_INLINE_ANSWER = re.compile(
    r"^(?P<question>.+?)\s*(?:(?<=[?？。.!！])\s*(?:\*\*)?(?:A|答)|(?<=[\s?？。.!！])(?:\*\*)?(?:Answer|答案|参考答案))\s*[:：]"
    r"(?:\*\*)?\s*(?P<answer>\S.*)$",
    re.DOTALL,
)
_BARE_PREFIX = re.compile(r"^(?:Q|Question|问题|问|题目)?\s*\d{0,4}\s*[.:：、)]?$", re.IGNORECASE)
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}

ASKED_BONUS = 1.2
_BONUS = {"asked": ASKED_BONUS, "ordinal": ASKED_BONUS, "announced": ASKED_BONUS, "han": -0.6}


class Marker(NamedTuple):
    """A line read as a question.

    Attributes:
        scheme: How it is marked: `<wrapper>|<style>`; lines of one document's questions share it.
        number: Its printed number, if any.
        text: The question's words.
        rest: An answer that follows on the same line.
        label: The number as printed where it has several levels, such as `2.1`.
        below: How many lines below its mark the question stands; mostly 0.
    """

    scheme: str
    number: int | None
    text: str
    rest: str = ""
    label: str = ""
    below: int = 0

    @property
    def printed(self) -> str:
        """The number as printed; empty where there is none."""
        return self.label or ("" if self.number is None else str(self.number))


class Candidate(NamedTuple):
    """A line, at its position, that could be a question; `value` is the evidence, about -1.5..4; `likeness` is 0..1."""

    at: int
    marker: Marker
    likeness: float
    answered: bool
    value: float

    @property
    def number(self) -> int | None:
        return self.marker.number

    @property
    def style(self) -> str:
        return self.marker.scheme.split("|")[1]


def candidates(lines: Sequence[Line]) -> list[Candidate]:
    """Every line that could be a question, in order."""
    found = []
    for index, line in enumerate(lines):
        marker = _announced(lines, index) or marker_of(line)
        if marker is not None and answer_mark(line.text) is None and not is_answer_section(line.text):
            found.append(_weighed(index, marker, lines))
    return [c for c in found if _could_ask(c) and not _is_below_mark(lines, c)]


def topic_at(lines: Sequence[Line], at: int) -> Candidate | None:
    """A heading that only names what is asked about, with an answer right below it; None for any other line."""
    text = unmarked(lines[at].text)
    names_a_part = any(is_one(text) for is_one in (is_section_title, is_closing_heading, is_answer_section))
    is_other = names_a_part or _PART.fullmatch(text) or answer_mark(text) is not None
    marker = None if is_other else marker_of(lines[at])
    below = next_lines(lines, at, 1)
    answered = bool(below) and below[0].kind is not LineKind.HEADING
    return _weighed(at, marker, lines) if marker is not None and marker.number is None and answered else None


def _is_below_mark(lines: Sequence[Line], candidate: Candidate) -> bool:
    """Whether a line without a number stands right below an answer's mark that is alone on its line: it answers."""
    at = candidate.at
    if candidate.number is not None or lines[at].kind is LineKind.HEADING:
        return False
    above = next((line for line in reversed(lines[max(0, at - 4) : at]) if not line.is_blank), None)
    return above is not None and above.is_prose and answer_mark(above.text) == ""


def _announced(lines: Sequence[Line], index: int) -> Marker | None:
    """A line that is only "Question 3", with the question on the next one."""
    line = lines[index]
    match = _ANNOUNCED.match(line.text) if line.is_prose else None
    if match is None:
        return None
    for below, following in enumerate(lines[index + 1 : index + 4], start=1):
        if following.is_blank:
            continue
        if not following.is_prose or answer_mark(following.text) is not None:
            return None
        wrapper = f"{_wrapper(line)}|announced"
        return Marker(wrapper, int(match["number"]), without_emphasis(following.text), below=below)
    return None


def _could_ask(candidate: Candidate) -> bool:
    """Unnumbered lines must read as questions; bare plain ones and items beyond doubt."""
    if candidate.number is not None or candidate.answered or candidate.style.startswith("asked"):
        return True
    wrapper = candidate.marker.scheme.split("|")[0]
    return candidate.likeness >= (0.9 if wrapper.removeprefix("deep") in ("plain", "item") else 0.6)


def marker_of(line: Line) -> Marker | None:
    """The line read as a question, or None where it can't be one."""
    if not line.is_prose or not line.text.strip() or is_follow_up(line.text):
        return None
    wrapper = _wrapper(line)
    text = without_ornament(line.text.strip())
    if text.startswith(">"):
        wrapper, text = "quote", text.lstrip("> ")
    bold = _BOLD.match(text)
    if bold:
        return _bold_marker(wrapper, bold)
    return _styled(wrapper, text)


def _wrapper(line: Line) -> str:
    if line.kind is LineKind.HEADING:
        return f"h{line.level}"
    deep = "deep" if line.indent >= 4 else ""
    return f"{deep}item" if line.kind is LineKind.ITEM else f"{deep}plain"


def _bold_marker(wrapper: str, bold: re.Match[str]) -> Marker | None:
    inner, rest = without_ornament(bold["inner"].strip()), bold["rest"].strip(" :：")
    wrapper = wrapper if wrapper.startswith("h") else f"{wrapper}-bold"
    if not rest:
        return _styled(wrapper, inner)
    if _BARE_PREFIX.match(inner):
        return _styled(wrapper, f"{inner} {rest}")
    if inner.endswith(("?", "？")):
        marker = _styled(wrapper, inner)
        return marker._replace(rest=rest) if marker else None
    return _styled(wrapper.removesuffix("-bold"), f"{inner}{bold['rest']}")


def _styled(wrapper: str, text: str) -> Marker | None:
    for style, pattern in (("asked", _ASKED_NUMBER), ("ordinal", _ORDINAL)):
        if match := pattern.match(text):
            return _marker(f"{wrapper}|{style}", to_number(match["number"]), match["text"])
    if match := _LEVELS.match(text):
        marker = _marker(f"{wrapper}|levels", int(match["number"]), match["text"])
        return marker._replace(label=f"{match['above']}{match['number']}")
    if (match := _NUMBER.match(text)) and _is_ordinal(match, wrapper):
        style = f"{match['open']}n{match['sep'].strip()}"
        inner = _inner_wrapper(match["text"])
        return _marker(f"{wrapper}{inner}|{style}", int(match["number"]), match["text"].lstrip("# "))
    if match := _HAN_NUMBER.match(text):
        return _marker(f"{wrapper}|han", to_number(match["number"]), match["text"])
    if match := _ASKED.match(text):
        return _marker(f"{wrapper}|asked:", None, match["text"])
    return _marker(f"{wrapper}|bare", None, text)


def _inner_wrapper(text: str) -> str:
    """`1. ### What` and `1. **What**` mark their questions after the number."""
    if re.match(r"#{1,6}\s", text):
        return "-heading"
    bold = _BOLD.match(text)
    return "-bold" if bold and (not bold["rest"].strip() or bold["inner"].rstrip().endswith(("?", "？"))) else ""


def _is_ordinal(match: re.Match[str], wrapper: str) -> bool:
    """A number before a separator is no ordinal in `3.5 GHz`, `10:30` or, outside headings, before mere white space."""
    sep, text = match["sep"].strip(), match["text"]
    if not sep:
        return wrapper.startswith("h") and not re.match(r"[年月日%]", text)
    if sep in ".．:：" and text[:1].isdigit():
        return match["sep"] != match["sep"].strip() or bool(re.match(r"\d{1,4}[.．:：]\s", match.string))
    if match["open"] and sep not in "）)】]":
        return False
    return not (sep in "-–—" and text[:1].isdigit())


def _marker(scheme: str, number: int | None, text: str) -> Marker:
    text, rest = text.strip(), ""
    bold = _BOLD.match(text)
    if bold and bold["rest"].strip() and bold["inner"].rstrip().endswith(("?", "？")):
        text, rest = bold["inner"], bold["rest"].strip()
    elif inline := _INLINE_ANSWER.match(text):
        text, rest = inline["question"], inline["answer"]
    return Marker(scheme, number, without_emphasis(text), rest)


def to_number(text: str) -> int:
    """An Arabic or Chinese numeral up to 999 as a number."""
    if text.isdigit():
        return int(text)
    total = unit = 0
    for char in text:
        if char == "百":
            total, unit = total + (unit or 1) * 100, 0
        elif char == "十":
            total, unit = total + (unit or 1) * 10, 0
        else:
            unit = _HAN_DIGITS[char]
    return total + unit


def _weighed(index: int, marker: Marker, lines: Sequence[Line]) -> Candidate:
    likeness = question_likeness(marker.text)
    following = next_lines(lines, index + marker.below, 2)
    answered = bool(marker.rest) or _is_answered(following)
    wrapper, style = marker.scheme.split("|")
    value = -1.0 + 1.5 * likeness + (1.5 if answered else 0.0) + _BONUS.get(style.rstrip(":"), 0.0)
    if wrapper.startswith("h") or "bold" in wrapper or "heading" in wrapper:
        value += 0.3 if likeness else 0.5 if marker.number is not None else 0.0
    if marker.number is not None and following and following[0].kind is not LineKind.HEADING:
        again = marker_of(following[0])
        value += 0.0 if again is not None and again.scheme == marker.scheme else 0.4
    value -= 0.2 * ("item" in wrapper) + 0.7 * ("deep" in wrapper)
    return Candidate(index, marker, likeness, answered, value)


def _is_answered(following: list[Line]) -> bool:
    if not following or answer_mark(following[0].text) is None:
        return False
    return not is_option_list(following)


def is_option_list(lines: Sequence[Line]) -> bool:
    """Whether `A: …` is followed by `B: …`, so that both are options to choose from."""
    return (
        len(lines) > 1
        and bool(re.match(r"^\W*A\s*[:：]", lines[0].text))
        and bool(re.match(r"^\W*B\s*[:：]", lines[1].text))
    )


def next_lines(lines: Sequence[Line], index: int, count: int) -> list[Line]:
    """Up to `count` lines after position `index` that are not blank."""
    found: list[Line] = []
    for line in lines[index + 1 : index + 1 + 12]:
        if not line.is_blank and line.kind is not LineKind.RULE:
            found.append(line)
            if len(found) == count:
                break
    return found
