"""Flattened code: recognised by parsing, laid out only where that is certain."""

import ast

import pytest

from knowledge.extraction.code import flattened_code, lay_out, split_statements

CERTAIN = {
    'for key in table: if key in seen: print("twice", key)': 'for key in table:\n    if key in seen:\n        print("twice", key)',
    "def hook(module, out): print(out.shape) layer.add_hook(hook)": "def hook(module, out):\n    print(out.shape)\nlayer.add_hook(hook)",
    "a.seed(1) b.seed_all(1)": "a.seed(1)\nb.seed_all(1)",
    "class Op(Base): @staticmethod def forward(ctx, x): # 先保存输入 ctx.save(x) return go(x) @staticmethod def backward(ctx, g): y = back(g) return y": (
        "class Op(Base):\n    @staticmethod\n    def forward(ctx, x):\n        # 先保存输入\n        ctx.save(x)\n        return go(x)\n"
        "    @staticmethod\n    def backward(ctx, g):\n        y = back(g)\n        return y"
    ),
    "import torch x = torch.ones(3) y = x + 1": "import torch\nx = torch.ones(3)\ny = x + 1",
}


@pytest.mark.parametrize("text", CERTAIN)
def test_certain_layout(text: str) -> None:
    block = flattened_code(text)
    assert block is not None
    assert (block.text, block.language) == (CERTAIN[text], "python")
    ast.parse(block.text)


def test_code_that_could_stand_in_two_blocks_stays_on_its_line() -> None:
    text = "for x in xs: y = go(x) z = stop(y)"
    block = flattened_code(text)
    assert block is not None
    assert block.text == text
    assert lay_out(split_statements(text)) is None


def test_prose_glued_to_code_is_split_off() -> None:
    block = flattened_code("with ctx.open(mode=1): ...之后再关")
    assert block is not None
    assert (block.text, block.prose) == ("with ctx.open(mode=1):\n    ...", "之后再关")


def test_a_shell_comment_glued_to_its_command() -> None:
    block = flattened_code("# 压测两种大小bench --size=3 --fast")
    assert block is not None
    assert (block.text, block.language) == ("# 压测两种大小\nbench --size=3 --fast", "bash")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("int f(int a) { if (a) { return 1; } return 0; }", "c"),
        ("SELECT name FROM users WHERE id = 3", "sql"),
        ('{"level": "ERROR", "id": 3, "tags": ["a"], "x": {"y": 1}}', "json"),
        ("docker run -v /a:/b image", "bash"),
    ],
)
def test_other_languages_are_kept_as_they_are(text: str, language: str) -> None:
    block = flattened_code(text)
    assert block is not None
    assert (block.language, block.text) == (language, text)


@pytest.mark.parametrize(
    "text",
    [
        "Use the loader for every epoch",
        "loader(a=1)",
        "GPU 时间线:识别瓶颈",
        "x = 1,因此更快",
        "for example this",
        "a is b",
        "if so, stop",
        "random.seed(1)",
        "",
    ],
)
def test_prose_and_mere_expressions_are_no_code(text: str) -> None:
    assert flattened_code(text) is None


@pytest.mark.parametrize(
    "text", ["tail -f app.log", "netstat -tlnp | grep 8080", "atomicity (A); consistency (C)", "a / b - c; d"]
)
def test_expressions_that_do_nothing_are_no_python(text):
    found = flattened_code(text)
    assert found is None or found.language != "python"
