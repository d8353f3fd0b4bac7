"""Telling Chinese from English, and folding text so that two spellings of the same words compare equal."""

import re
import unicodedata

from interviewer.models import Language

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_ENGLISH_GLUE = re.compile(r"\b(?:the|an?|is|are|of|and|to|in|that|it|with|for|not|we|you)\b", re.IGNORECASE)
_CONTROL = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f"
_INVISIBLE = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_HIDDEN = re.compile(f"[{_CONTROL}{_INVISIBLE}]")
_SIGNS = r"\u2600-\u2bff\U0001f000-\U0001faff\ufe0f"
_ORNAMENT = re.compile(rf"^(?!\s)[\s\u2190-\u245f\u2500-\u25ff\u200d{_SIGNS}]++(?=\S)")
_ORNAMENT_BEHIND = re.compile(rf"(?<=[^\s{_SIGNS}])[\s{_SIGNS}]++$")
_KEYCAP = re.compile(r"^(\d)\ufe0f?\u20e3\s*")
_SENTENCE_END = re.compile(r"(?<=[。！？!?；;])\s*|(?<=\.)\s+(?=[A-Z0-9\"'(])|\n+")


def detect(text: str, default: Language = "en") -> Language:
    """The language a text is written in.

    Chinese technical text keeps many English terms, so few characters tell; but the small words that hold an
    English sentence together are never borrowed.
    """
    han = len(_HAN.findall(text))
    words = len(_LATIN_WORD.findall(text))
    if not han and not words:
        return default
    return "zh" if han * 2 >= words + 3 * len(_ENGLISH_GLUE.findall(text)) else "en"


def clean(text: str) -> str:
    """`text` without NUL, control, zero-width and direction-changing characters; line ends as \\n."""
    return _HIDDEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def without_ornament(text: str) -> str:
    """A line without the emoji, stars and boxes around its words; a number in a box is a number."""
    return _ORNAMENT_BEHIND.sub("", _KEYCAP.sub(r"\1. ", _ORNAMENT.sub("", _KEYCAP.sub(r"\1. ", text))))


def fold(text: str) -> str:
    """For comparing: full-width and other compatibility forms, case and runs of white space made equal."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", clean(text))).strip().casefold()


def sentences(text: str) -> list[str]:
    """The sentences of a Chinese, English or mixed text, stripped, empty ones dropped; lines end sentences."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]
