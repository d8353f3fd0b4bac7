"""Repairs within a line of text that a web page's conversion damaged. Each rule is a function from text to text."""

import re
from collections.abc import Callable

MAX_FORMULA = 600
MAX_REPAIRED = 20_000
"""Characters of the longest line that is repaired; what is longer stays as it is."""
_BOLD_COLON = re.compile(r"\*\*\s*([:：])\s*\*\*")
_ESCAPED_NUMBER = re.compile(r"^\\(?=\d{1,3}[.)]|[-+*#>])")
_ESCAPED_MARK = re.compile(r"\\(?=[_*#\[\]()!.>-](?![A-Za-z]))")
_DEAD_REFERENCE = re.compile(r"\[(?P<text>[^\[\]\n]{1,80})\]\[(?P<number>\d{1,3})\]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_SYMBOL_ONLY = re.compile(r"^[A-Za-z0-9\s_^{}+\-*/=<>≤≥≈,.…;:!|'\[\]()×·\\→∈]+$")
_SUBSCRIPT = re.compile(r"(?<![A-Za-z])[A-Za-z][_^](?:\{[^{}]*\}|[A-Za-z0-9])(?![A-Za-z0-9])")
_LONG_WORD = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}")
_GLUED_STATEMENT = re.compile(
    r"(?<=\bTrue)(?=[a-z_][\w.]*\s?=)|(?<=\bFalse)(?=[a-z_][\w.]*\s?=)|(?<=\bNone)(?=[a-z_][\w.]*\s?=)"
    r"|(?<=[)\]])(?=[A-Za-z_][\w.]* = )"
)
_PROTECTED = re.compile(r"(`[^`\n]*`|\$[^$\n]*\$)")


def bold_colon(text: str) -> str:
    """`**:**` is what is left of a bold label whose marks moved around its colon."""
    return _BOLD_COLON.sub(r"\1", text)


def escaped_marks(text: str) -> str:
    """A backslash before a number or a mark that only guarded it from Markdown (`\\4. `)."""
    return _ESCAPED_MARK.sub("", _ESCAPED_NUMBER.sub("", text))


def dead_reference(text: str) -> str:
    """`[site][3]` without its link's definition becomes `site [3]`, so that the source stays readable."""
    return _DEAD_REFERENCE.sub(r"\g<text> [\g<number>]", text)


def formula_delimiters(text: str) -> str:
    """A formula in bare brackets, whose backslashes were lost, becomes `$…$`; what a function is called with, as in
    `O(n^2)`, stays."""
    out, at = [], 0
    for start, end in _outermost_brackets(text):
        called = start > 0 and (text[start - 1] == "_" or (text[start - 1].isascii() and text[start - 1].isalnum()))
        out += [text[at:start], text[start:end] if called else _as_formula(text[start:end])]
        at = end
    return "".join([*out, text[at:]])


def glued_statements(text: str) -> str:
    """Two pieces of code that lost the line end between them (`= Trueb.x = 1`, `f()y = 2`) get a space."""
    return _GLUED_STATEMENT.sub(" ", text)


def _outermost_brackets(text: str) -> list[tuple[int, int]]:
    """Where balanced round brackets begin and end, those within others left aside."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for i, char in enumerate(text):
        if char == "(":
            opened.append(i)
        elif char == ")" and opened:
            start = opened.pop()
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, i + 1))
    return found


def _as_formula(bracketed: str) -> str:
    """A bracketed formula in dollars; else brackets within it are looked at in turn."""
    inner = bracketed[1:-1].strip()
    if is_formula(inner):
        return f"${inner}$"
    return f"({formula_delimiters(bracketed[1:-1])})" if "(" in inner and len(inner) < MAX_FORMULA else bracketed


def is_formula(text: str) -> bool:
    """Whether text within brackets is mathematics: a TeX command, or single letters with indices and operators only."""
    if len(text) > MAX_FORMULA or re.search(r"[\u3400-\u9fff]", text) or "$" in text:
        return False
    if _COMMAND.search(text) and re.search(
        r"[_^{}=]|\\(?:[a-z]?dots|sum|int|in|to|cdot|times|nabla|partial|infty|le|ge|[A-Za-z]*(?:eta|mu|pi|psi|phi"
        r"|rho|tau|sigma|alpha|gamma|omega|lambda|epsilon))\b",
        text,
    ):
        return True
    return bool(_SUBSCRIPT.search(text) and _SYMBOL_ONLY.match(text) and not _LONG_WORD.search(text))


RULES: tuple[Callable[[str], str], ...] = (
    bold_colon,
    escaped_marks,
    dead_reference,
    formula_delimiters,
    glued_statements,
)


def repair_inline(text: str) -> str:
    """Every rule in turn, sparing what stands in code marks or dollars already."""
    if len(text) > MAX_REPAIRED:
        return text
    pieces = _PROTECTED.split(text)
    for rule in RULES:
        pieces = [piece if i % 2 else rule(piece) for i, piece in enumerate(pieces)]
    return "".join(pieces)


def formula_only(text: str) -> bool:
    """Whether a line is nothing but one formula."""
    text = text.strip()
    if len(text) > MAX_FORMULA:
        return False
    is_bracketed = _outermost_brackets(text) == [(0, len(text))] and is_formula(text[1:-1].strip())
    return is_bracketed or bool(re.fullmatch(r"\$[^$]+\$", text))
