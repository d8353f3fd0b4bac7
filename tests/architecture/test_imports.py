"""Who may import whom, as docs and DESIGN say, and that importing costs nothing."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("interviewer", "knowledge", "prompts", "ui", "evals")
HEAVY = {"gradio", "langchain", "langchain_core", "langchain_openai", "openai", "chromadb", "torch"}
HEAVY |= {"sentence_transformers", "transformers", "onnxruntime", "tokenizers"}

# The composition root and the command line may see every part; nothing else in `interviewer` may.
EDGES = ("interviewer.compose", "interviewer.cli")
CHAT_ADAPTER = (
    "interviewer.chat_model",
    "interviewer.chat_levels",
    "interviewer.chat_failures",
    "interviewer.chat_reply",
)

FORBIDDEN = {
    "interviewer": {"knowledge", "ui", "evals"} | HEAVY,
    "knowledge": {"ui", "evals", "gradio", "langchain", "langchain_core", "langchain_openai", "openai"},
    "ui": {"evals", "langchain", "langchain_core", "langchain_openai", "openai", "chromadb", "torch"}
    | {"sentence_transformers"},
    "evals": {"ui", "gradio", "langchain", "langchain_core", "langchain_openai", "openai", "chromadb", "torch"}
    | {"sentence_transformers"},
    "prompts": {"interviewer", "knowledge", "ui", "evals"} | HEAVY,
}


def modules() -> list[str]:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files)
    return sorted(name.removesuffix(".__init__") for name in names if ".migrations" not in name)


def imported(module: str) -> Iterator[str]:
    path = ROOT / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def allowed(module: str, name: str) -> bool:
    if module.startswith(EDGES):
        return name.split(".")[0] not in HEAVY
    if module.startswith(CHAT_ADAPTER):
        return name.split(".")[0] not in FORBIDDEN["interviewer"] - {
            "langchain",
            "langchain_core",
            "langchain_openai",
            "openai",
        }
    return name.split(".")[0] not in FORBIDDEN[module.split(".")[0]]


@pytest.mark.parametrize("module", modules())
def test_every_import_points_the_right_way(module):
    wrong = sorted({name for name in imported(module) if not allowed(module, name)})
    assert not wrong, f"{module} must not import {', '.join(wrong)}"


def test_the_core_does_not_know_the_database():
    core = [
        m for m in modules() if m.startswith(("interviewer.models", "interviewer.interview", "interviewer.grading"))
    ]
    core += [
        "interviewer.followup",
        "interviewer.facets",
        "interviewer.planning",
        "interviewer.memory",
        "interviewer.language",
    ]
    wrong = [(m, n) for m in core for n in imported(m) if n.startswith(("sqlalchemy", "interviewer.storage"))]
    assert not wrong


def test_every_prompt_and_locale_is_packaged():
    """What setuptools would leave out of an installed copy is missing on somebody's machine."""
    import tomllib

    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]
    suffixes = {pattern.removeprefix("*") for pattern in patterns} | {".py"}
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    unpackaged = [name for name in tracked.splitlines() if Path(name).suffix not in suffixes]
    assert not unpackaged


WATCH = """
import importlib, socket, sqlite3, sys
opened = []
socket.socket.connect = lambda self, address: opened.append(("socket", address))
sqlite3.connect = sqlite3.dbapi2.connect = lambda *a, **k: opened.append(("database", a))
for name in {modules!r}:
    importlib.import_module(name)
heavy = sorted(
    {{"torch", "sentence_transformers", "chromadb", "transformers", "onnxruntime", "tokenizers"}} & set(sys.modules)
)
assert not opened, opened
assert not heavy, f"importing loads {{heavy}}"
"""


def test_importing_every_module_opens_nothing_and_loads_no_model():
    # The encoder's own layers are subclasses of the library's, which imports them when it loads the weights; only
    # they and what trains models need the libraries to be imported.
    skipped = (
        "__main__",
        ".migrations",
        "knowledge.crossencoder.export",
        "knowledge.crossencoder.average",
        "knowledge.crossencoder.restore",
        "knowledge.crossencoder.rounding",
        "knowledge.crossencoder.train",
        "knowledge.encoder.modules",
        "knowledge.encoder.train",
        "knowledge.encoder.tune",
    )
    names = [name for name in modules() if not name.endswith(skipped)]
    # Gradio itself is what the page's modules are made of; everything heavier must wait until it is used.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCH.format(modules=names)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
