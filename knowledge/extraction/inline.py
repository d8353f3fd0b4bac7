"""Repairs within a line of text that a web page's conversion damaged. Each rule is a function from text to text."""

import re
from collections.abc import Callable

_BOLD_COLON = re.compile(r"\*\*\s*([:：])\s*\*\*")
_ESCAPED_NUMBER = re.compile(r"^\\(?=\d{1,3}[.)]|[-+*#>])")
_ESCAPED_MARK = re.compile(r"\\(?=[_*#\[\]()!.>-](?![A-Za-z]))")
_DEAD_REFERENCE = re.compile(r"\[(?P<text>[^\[\]\n]{1,80})\]\[(?P<number>\d{1,3})\]")
_BRACKETED = re.compile(r"\((?P<inner>(?:[^()\n]|\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))+)\)")
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
    """A formula in bare brackets, whose backslashes were lost, becomes `$…$`."""
    return _BRACKETED.sub(_as_formula, text)


def glued_statements(text: str) -> str:
    """Two pieces of code that lost the line end between them (`= Trueb.x = 1`, `f()y = 2`) get a space."""
    return _GLUED_STATEMENT.sub(" ", text)


def _as_formula(match: re.Match[str]) -> str:
    inner = match["inner"].strip()
    return f"${inner}$" if is_formula(inner) else match[0]


def is_formula(text: str) -> bool:
    """Whether text within brackets is mathematics: a TeX command, or single letters with indices and operators only."""
    if re.search(r"[\u3400-\u9fff]", text) or "$" in text:
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
    pieces = _PROTECTED.split(text)
    for rule in RULES:
        pieces = [piece if i % 2 else rule(piece) for i, piece in enumerate(pieces)]
    return "".join(pieces)


def formula_only(text: str) -> bool:
    """Whether a line is nothing but one formula."""
    match = _BRACKETED.fullmatch(text.strip())
    return bool(match and is_formula(match["inner"].strip())) or bool(re.fullmatch(r"\$[^$]+\$", text.strip()))
