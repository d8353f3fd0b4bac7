"""Code that a page flattened to one line: told from prose by parsing it, laid out again only where that is certain."""

import ast
import io
import re
import tokenize
from itertools import pairwise
from typing import NamedTuple

_HAN = re.compile(r"[\u3400-\u9fff]")
_DOES = re.compile(r"[^=!<>]=[^=]|[\w\])]\(|^(?:import|from|return|assert|raise|del|yield|await) ")
"""What a statement of Python does: `tail -f app.log` would be two expressions, and "atomicity (A)" a call."""
_HEADERS = ("for", "while", "if", "with", "def", "class", "try", "async", "elif", "else", "except", "finally")
_JOINERS = (
    *("in", "not", "and", "or", "is", "if", "else", "lambda", "await"),
    *("as", "import", "yield", "for", "from", "async"),
)
_ENDERS = ("return", "raise", "break", "continue")
_COMMENT = re.compile(r"#[^#]*[\u3400-\u9fff](?=\s*[A-Za-z_@$./])")
_SHELL = re.compile(
    r"^(?:\$ )?(?:sudo |[A-Z_]+=\S+ )*(?:docker|kubectl|pip3?|git|curl|wget|export|nvidia-smi|npu-smi|apt(?:-get)?"
    r"|python3?|bash|cd|mkdir|ls|cat|grep|ps|top|strace|perf|trtexec|torchrun|deepspeed|helm|systemctl|chmod|ssh|scp|make|cmake|npm|conda"
    r"|nsys|ncu|iostat|awk|sed|find|kill|redis-cli|mysql)\b.*(?:\s-{1,2}\w|\s\|\s|\s\S+/|=)"
)
_FLAGGED = re.compile(r"^[a-z][\w./-]* (?:.*\s)?--\w")
_C_LIKE = re.compile(r"[;{}]\s*(?:[A-Za-z_}/#]|$)")
_SQL = re.compile(
    r"^(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX)|WITH)\s.+\b(?:FROM|VALUES|SET|ON|AS)\b",
    re.DOTALL,
)


MAX_CODE = 4000
"""Characters of the longest line that is looked at as code."""


class CodeBlock(NamedTuple):
    """Code laid out in lines, its language for the fence, and prose that was glued to its end."""

    text: str
    language: str
    prose: str = ""


def flattened_code(text: str) -> CodeBlock | None:
    """The code that a line is, or None where it is prose or a mere expression within prose."""
    text = text.strip()
    if len(text) > MAX_CODE:
        return None
    return _shell(text) or _python(text) or _python_before_prose(text) or _other(text)


def _shell(text: str) -> CodeBlock | None:
    comment = re.match(r"^#\s*(?P<comment>.*[\u3400-\u9fff])\s*(?P<command>[a-z][\w./-]*\s.*)$", text)
    if comment and (_FLAGGED.match(comment["command"]) or _SHELL.match(comment["command"])):
        return CodeBlock(f"# {comment['comment'].strip()}\n{comment['command']}", "bash")
    if not _HAN.search(text) and _SHELL.match(text) and not text.endswith((".", "。", ";", ")")):
        return CodeBlock(text, "bash")
    return None


def _other(text: str) -> CodeBlock | None:
    """C-like code, SQL and JSON stay as they are, within a fence."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/|\"[^\"]*\"|'[^']*'", "", text)
    if _HAN.search(bare):
        return None
    if "{" in bare and "}" in bare and (bare.count(";") >= 2 or '": ' in text) and _C_LIKE.search(bare):
        return CodeBlock(text, "json" if text.startswith(("{", "[")) and '": ' in text else "c")
    if _SQL.match(text) and not text.endswith((".", "?")):
        return CodeBlock(text, "sql")
    return None


def _python_before_prose(text: str) -> CodeBlock | None:
    """A compound statement with Chinese prose glued to its end."""
    first = _HAN.search(text)
    if first is None or "#" in text[: first.start()]:
        return None
    block = _python(text[: first.start()].rstrip())
    is_compound = block is not None and text.split(" ", 1)[0] in _HEADERS
    return block._replace(prose=text[first.start() :].strip()) if block and is_compound else None


def _python(text: str) -> CodeBlock | None:
    if _HAN.search(re.sub(r"\"[^\"]*\"|'[^']*'|#[^\n]*$", "", _COMMENT.sub("", text))):
        return None
    statements = split_statements(text)
    if not statements or not _are_statements(statements):
        return None
    is_block = any(_is_header(s) for s in statements)
    code = [s for s in statements if not s.startswith("#")]
    if not is_block and (len(code) < 2 or not any(map(_DOES.search, code))):
        return None
    laid_out = lay_out(statements)
    return CodeBlock(laid_out if laid_out else text, "python")


def split_statements(text: str) -> list[str]:
    """The statements, headers and comments of flattened Python, in order; empty where it can't be tokenised."""
    pieces: list[str] = []
    rest = text
    while rest:
        comment = _COMMENT.search(rest)
        plain = rest[: comment.start()] if comment else rest
        if plain.strip():
            split = _split_plain(plain.strip())
            if not split:
                return []
            pieces += split
        if comment:
            pieces.append(comment[0].strip())
        rest = rest[comment.end() :].strip() if comment else ""
    return pieces


def _split_plain(text: str) -> list[str]:
    try:
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT)
        ]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []
    starts = _statement_starts(tokens)
    columns = [tokens[i].start[1] for i in starts] + [len(text)]
    return [text[a:b].strip() for a, b in pairwise(columns) if text[a:b].strip()]


def _statement_starts(tokens: list[tokenize.TokenInfo]) -> list[int]:
    starts: list[int] = []
    depth = 0
    for i, token in enumerate(tokens):
        first = tokens[starts[-1]].string if starts else ""
        before = tokens[i - 1] if i else None
        if before is None or (depth == 0 and _begins_statement(before, token, first)):
            starts.append(i)
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
    return starts


def _begins_statement(before: tokenize.TokenInfo, token: tokenize.TokenInfo, first: str) -> bool:
    """Whether a statement begins at `token`, given the token before it and the first one of the current statement."""
    if before.string == ";":
        return True
    if before.string == ":" and first in _HEADERS:
        return True
    if first == "@" and token.string in ("def", "class", "async", "@"):
        return True
    if not _ends_operand(before):
        return False
    apart = before.end[1] < token.start[1]
    if token.string in ("@", "("):
        return apart and (token.string == "@" or before.string == ")")
    if token.string in _JOINERS:
        return _opens_statement(token, first)
    return token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)


def _ends_operand(token: tokenize.TokenInfo) -> bool:
    """Whether an expression can end at `token`, so that a name after it begins something new."""
    if token.type == tokenize.NAME:
        return token.string not in (*_JOINERS, *_HEADERS, "return", "assert", "del", "raise")
    return token.type in (tokenize.NUMBER, tokenize.STRING) or token.string in (")", "]", "}", "...")


def _opens_statement(token: tokenize.TokenInfo, first: str) -> bool:
    """`for`, `if` and imports at depth 0 begin a statement, except the `if` of a conditional expression."""
    if token.string not in ("for", "if", "import", "from", "async") or first in ("from", "import"):
        return False
    rest = token.line[token.start[1] :]
    return token.string != "if" or " else " not in rest or ":" in rest


def _is_header(statement: str) -> bool:
    return statement.split(" ", 1)[0].split("(", 1)[0].rstrip(":") in _HEADERS and statement.endswith(":")


def _are_statements(statements: list[str]) -> bool:
    """Whether every piece parses and none is a mere word, as prose would give."""
    for statement in statements:
        if statement.startswith(("#", "@")):
            continue
        source = _closed(statement)
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        if any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Name | ast.Compare) for node in tree.body):
            return False
    return True


def _closed(statement: str) -> str:
    """A piece as a module of its own, so that it can be parsed."""
    if statement.startswith(("elif ", "else")):
        return f"if x: pass\n{statement} pass"
    if statement.startswith(("except", "finally")):
        return f"try: pass\n{statement} pass"
    if _is_header(statement):
        return f"{statement} pass" if not statement.startswith("try") else "try: pass\nfinally: pass"
    if statement.split(" ", 1)[0] in ("return", "break", "continue", "yield"):
        return f"def f():\n  while x:\n    {statement}"
    return statement


def lay_out(statements: list[str]) -> str | None:
    """The statements in lines with indentation, or None where some could stand in one block or in another."""
    lines: list[str] = []
    stack: list[str] = []
    fresh = False
    for i, statement in enumerate(statements):
        if statement.startswith("#"):
            lines.append("    " * len(stack) + statement)
            continue
        if not fresh:
            depth = _depth_of(statement, statements, i, stack)
            if depth is None:
                return None
            stack = stack[:depth]
        lines.append("    " * len(stack) + statement)
        fresh = _is_header(statement)
        if fresh:
            stack.append(statement)
    text = "\n".join(lines)
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return text


def _depth_of(statement: str, statements: list[str], at: int, stack: list[str]) -> int | None:
    """How deep a statement stands that is not the first of its block; None where that is open."""
    if not stack:
        return 0
    in_class = next((i for i, header in enumerate(stack) if header.startswith("class ")), None)
    if in_class is not None and _is_method(statement):
        return in_class + 1
    word = statement.split(" ", 1)[0].rstrip(":")
    if word in ("elif", "else", "except", "finally"):
        openers = ("if ", "elif ", "for ", "while ", "try", "except")
        fitting = [i for i, header in enumerate(stack) if header.startswith(openers)]
        return fitting[0] if len(fitting) == 1 else None
    if statements[at - 1].split(" ", 1)[0] in _ENDERS:
        return 0 if len(stack) == 1 else None
    if len(stack) == 1 and stack[0].startswith("def ") and _passes_on(statement, stack[0]):
        return 0
    innermost_def = stack[-1].startswith(("def ", "async def "))
    return len(stack) if innermost_def and _returns_later(statements[at:]) else None


def _is_method(statement: str) -> bool:
    return statement.startswith("@") or bool(re.match(r"(?:async )?def \w+\((?:self|cls|ctx)\b", statement))


def _passes_on(statement: str, header: str) -> bool:
    """Whether a statement hands the function to something, which happens outside of it."""
    name = header.removeprefix("def ").split("(", 1)[0].strip()
    return bool(re.search(rf"[(,=]\s*{re.escape(name)}\s*[,)]", statement))


def _returns_later(statements: list[str]) -> bool:
    """Whether a `return` follows with no header between, so that everything before it is in the function."""
    for statement in statements:
        if statement.split(" ", 1)[0] in ("return", "yield"):
            return True
        if _is_header(statement) or statement.startswith("@"):
            return False
    return False
