"""Code that stands in plain text without a fence: runs of lines that only code looks like."""

import ast
import re
import textwrap
from collections.abc import Sequence

from knowledge.documents.model import Line, LineKind

_HAN = re.compile(r"[\u3400-\u9fff]")
_COMMENT = re.compile(r"^(?:#(?!#)|//|--\s|/\*|\*/)")
_TRAILING_COMMENT = re.compile(r"(?:#|//|--\s|/\*).*$")
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_KEYWORD = re.compile(
    r"^(?:(?:async )?def \w+\(|class \w+|for .+:$|while .+:$|if .+:$|elif .+:$|else:$|try:$|except.*:$|finally:$"
    r"|with .+:$"
    r"|return\b|import [\w.]+|from [\w.]+ import |raise \w|yield\b|@\w[\w.]*|(?:public|private|protected|static"
    r"|final) .*[{;(]"
    r"|(?:func|fn|function) \w*\(|(?:let|const|var|val) \w+|package \w+;?$|#include\b|using \w|template\s?<"
    r"|struct \w+|enum \w+"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|GROUP BY|ORDER BY|JOIN)\b"
    r"|(?:if|for|while|switch) ?\(.*\) ?\{?$|\$ \S)"
)
_ASSIGNMENT = re.compile(r"^[\w.\[\]'\"*&, ]{1,60}? ?(?:[-+*/|&:]?=|<-|:=) ?\S")
_CALL = re.compile(r"^[\w.:>-]+\(.*\)[;,]?$")
_END = re.compile(r"[;{}]\s*$|^\s*[})\]]+[;,]?$")


def mark_code_runs(lines: Sequence[Line]) -> list[Line]:
    """The lines, with every run of at least two lines of code turned into code."""
    out = list(lines)
    start = 0
    while start < len(out):
        end = _run_end(out, start)
        if end > start and _is_code([line for line in out[start:end] if not line.is_blank]):
            for i in range(start, end):
                out[i] = out[i]._replace(kind=LineKind.CODE, text=out[i].raw, level=0)
            start = end
        else:
            start += 1
    return out


def _run_end(lines: Sequence[Line], start: int) -> int:
    """Where the run of code-like lines that begins at `start` ends, exclusive; `start` itself where none begins."""
    if not _is_codeish(lines[start], None):
        return start
    end = at = start + 1
    previous = lines[start]
    while at < len(lines):
        line = lines[at]
        if line.is_blank:
            at += 1
            continue
        if not _is_codeish(line, previous) or (at > end and not line.indent):
            break
        previous = line
        at += 1
        end = at
    return end


def _is_codeish(line: Line, previous: Line | None) -> bool:
    if line.kind in (LineKind.CODE, LineKind.TABLE, LineKind.RULE, LineKind.BLANK):
        return False
    text = line.raw.strip()
    bare = _TRAILING_COMMENT.sub("", _STRING.sub("", text))
    if _HAN.search(bare):
        return False
    if _is_strong(text) or _COMMENT.match(text):
        return True
    return previous is not None and line.indent > previous.indent and _is_strong(previous.raw.strip())


def _is_strong(text: str) -> bool:
    """Whether a line alone is code beyond doubt."""
    if re.match(r"^(?:[-*+•]|\d+[.)、])\s", text) or text.endswith((".", "。", "?", "？", "!", "！")):
        return False
    return any(pattern.search(text) for pattern in (_KEYWORD, _ASSIGNMENT, _CALL, _END))


def _is_code(lines: Sequence[Line]) -> bool:
    strong = [line for line in lines if _is_strong(line.raw.strip())]
    if len(lines) < 2 or len(strong) < 2:
        return False
    source = textwrap.dedent("\n".join(line.raw for line in lines))
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return len(strong) >= 0.7 * len(lines)
    return not all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Name | ast.Constant) for node in tree.body)
