"""How many of the things that a reference lists a full answer has to name, as question or reference say."""

import re
from typing import NamedTuple

from interviewer.language import fold, sentences

_EN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ZH = "一二三四五六七八九十"
_COMPOUND = r"(?!\s*-?(?:way(?!\s+(?:to|of|in|that|for|how)\b)|phase|pointers?|factor|tower|stage|step|hot|shot|to)\b)"
"""Behind a number that counts nothing: "two-phase commit", "one-way binding"."""
_NUMBER = rf"(?P<n>[1-9]\d?|{'|'.join(_EN)}|[{_ZH}两])"
_OWN = re.compile(r"\byou(?:r|['’]ve)?\b|你", re.IGNORECASE)
"""One example of what the candidate has done is a story, of which a reference tells the parts."""
_UNIT = "(?:种|个|条|点|项|例|类|处|方面|方法)"
_ASK = (
    r"\b(?:name|list|give|state|mention|describe|discuss|identify|provide|suggest|propose|outline|explain|cite|specify|"
    r"enumerate|write(?: down)?|think of|come up with)(?:(?:\s*,\s*|\s+and\s+|\s+or\s+)\w+)?\s+(?:me\s+|us\s+)?"
)
_FREE = "(?:at least|a minimum of|any)"
_FREE_ZH = "(?:至少|任意|任选|任举|任)"
_ASK_ZH = "(?:列举|举出|说出|写出|给出|列出|答出|举)"
_WANTED = tuple(
    (re.compile(pattern, re.IGNORECASE), freely)
    for pattern, freely in (
        (rf"(?:{_ASK}|\bwhat (?:are|would be)\s+){_FREE}\s+{_NUMBER}{_COMPOUND}\s+(?:of\s+the\s+)?(?P<noun>\w+)", True),
        (rf"(?:{_ASK}|\bwhat are\s+){_NUMBER}{_COMPOUND}\s+(?!of\b)(?P<noun>\w+)", False),
        (
            rf"{_FREE_ZH}(?:{_ASK_ZH}|说|讲|答|写|举)?(?:出)?(?:其中)?(?:的)?\s*{_NUMBER}\s*{_UNIT}(?P<noun>\S{{0,2}})",
            True,
        ),
        (rf"{_ASK_ZH}\s*{_FREE_ZH}\s*{_NUMBER}\s*{_UNIT}(?P<noun>\S{{0,2}})", True),
        (rf"{_ASK_ZH}(?:其中)?(?:的)?\s*{_NUMBER}\s*{_UNIT}(?P<noun>\S{{0,2}})", False),
    )
)
_PAIRED = re.compile(
    rf"\s+and\s|\s*[和与及]|\s*以及|[^.?!。？！]*(?:\band\b|[,，和及、])\s*{_NUMBER}\s*(?:\w|{_UNIT})", re.IGNORECASE
)
_ASKING = re.compile(
    r"[?？]\s*$|\b(?:explain|describe|compare|why|how|calculate|justify|define|discuss)\b|说明|解释|为什么|简述|比较|分析|怎么|如何|什么",
    re.IGNORECASE,
)
_MORE_THAN_NAMES = re.compile(
    r"\b(?:explain|describe|discuss|compare|why|how|justify|define|outline|reasons?)\b|说明|解释|为什么|简述|比较|分析|怎么|如何|理由|原因|并",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*\)|（[^（）]*）|\beach\b.*|\bper\b.*|每[个种条点项类].*", re.IGNORECASE)
_OFFERED = re.compile(
    rf"\b(?:any|at least)\s+{_NUMBER}\b(?=\s*(?:of|is|are|suffices?|will do|:|$))"
    rf"|\b{_NUMBER.replace('<n>', '<m>')}\s+of\s+(?:the following|these|those|them)\b",
    re.IGNORECASE,
)
_OFFERED_ZH = re.compile(
    rf"任[选举答]\s*(?:其中)?\s*{_NUMBER}\s*{_UNIT}"
    rf"|(?:以上|以下|其中|任意|任选|任举|答出|写出|说出|列出|答对|举出)+\s*{_NUMBER.replace('<n>', '<m>')}\s*{_UNIT}"
    r"[^，,。.；;]{0,4}(?:即可|就行|就可以|就算对|(?:给|得|即得|即给)满分)(?=得?[^，,。.；;]{0,3}(?:[，,。.；;)）\s]|$))"
)
_NOTE = re.compile(r"[(（](?P<note>[^()（）\n]{1,40})[)）]")


class Wanted(NamedTuple):
    """What a question asks for a number of.

    Attributes:
        number: How many.
        freely: Whether it leaves the choice to the candidate in so many words: "at least two", "任意两点". A mere "name
            two" may as well have exactly two right answers.
        noun: What is counted, as far as that can be told.
    """

    number: int
    freely: bool
    noun: str


def wanted(asked: str) -> Wanted | None:
    """How many things a question asks to name; None where it names no number, or several."""
    plain = asked if _only_aside(asked) else _ASIDE.sub(" ", asked)
    for pattern, freely in _WANTED:
        found = list(pattern.finditer(plain))
        if len(found) == 1 and not _PAIRED.match(plain[found[0].end() :]):
            number = _value(found[0]["n"])
            return None if number == 1 and _OWN.search(asked) else Wanted(number, freely, found[0]["noun"])
        if found:
            return None
    return None


def asks_to_name(asked: str) -> bool:
    """Whether a number of things is all that is asked for, so that their names are an answer: "name two", not "name and
    describe two".
    """
    return wanted(asked) is not None and not _MORE_THAN_NAMES.search(asked)


def asks_for_nothing_else(asked: str, want: Wanted) -> bool:
    """Whether all that a question asks is the number of things: other sentences of it are about the same, or ask
    nothing.
    """
    counted = fold(want.noun).removesuffix("s")
    others = [sentence for sentence in sentences(asked) if wanted(sentence) is None]
    return bool(counted) and all(counted in fold(other) or not _ASKING.search(other) for other in others)


def offered(text: str) -> int | None:
    """How many of what follows (or stands before) are enough, as words of a reference say: "One of the following",
    "（答出两点即可）"; None where they say nothing of it.
    """
    match = _OFFERED.search(text) or _OFFERED_ZH.search(text)
    return _value(match["n"] or match["m"]) if match else None


def without_notes(reference: str) -> str:
    """The reference without notes in brackets on how many are enough, which no answer has to say."""
    return _NOTE.sub(lambda match: "" if offered(match["note"]) else match[0], reference)


def _only_aside(asked: str) -> bool:
    """Whether the number stands in brackets as in "（至少说出两条）", rather than being about each of the things."""
    return any(pattern.search(aside) for aside in _NOTE.findall(asked) for pattern, _ in _WANTED)


def _value(number: str) -> int:
    word = number.casefold()
    if word.isdecimal():
        return int(word)
    return _EN.index(word) + 1 if word in _EN else 2 if word == "两" else _ZH.index(word) + 1
