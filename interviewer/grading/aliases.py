"""Other names of a thing that a reference gives beside it: "Global Interpreter Lock (GIL)"."""

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_ABBREVIATION = re.compile(
    r"(?P<long>(?<![^\s()（）,，。:：;；])[^\s()（）,，。:：;；]{1,40}(?: [^\s()（）,，。:：;；]{1,40}){0,6})"
    r"\s?[(（](?P<short>[^()（）]{2,48})[)）]"
)


def aliases_in(text: str) -> tuple[str, ...]:
    """Both sides of "Global Interpreter Lock (GIL)"; only where one side looks like a name of the other."""
    found: list[str] = []
    for match in _ABBREVIATION.finditer(text):
        long, short = match["long"].strip(), match["short"].strip()
        name = _named_by(long, short)
        if name:
            found.extend((name, short))
    return tuple(dict.fromkeys(found))[:12]


def _named_by(long: str, short: str) -> str:
    """The end of `long` that `short` abbreviates or translates; empty where it is only a remark."""
    words = long.split(" ")
    if re.fullmatch(r"[A-Z][A-Za-z0-9-]{1,9}", short):
        initials = len(re.findall(r"[A-Z]", short)) or len(short)
        tail = words[-initials:] if len(words) > initials else words
        letters = "".join(part[:1] for word in tail for part in word.split("-")).casefold()
        if letters and letters[0] == short[0].casefold():
            return " ".join(tail)
    chinese, latin = (words[-1], short) if _HAN.search(words[-1]) else (short, long)
    names = re.fullmatch(r"[\u4e00-\u9fff]{2,8}", chinese) and re.fullmatch(r"[A-Za-z]{2}[A-Za-z .\-/]{0,40}", latin)
    return words[-1] if names and _HAN.search(words[-1]) else long if names else ""
