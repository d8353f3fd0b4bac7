"""The page about importing says what the code does."""

import re
from pathlib import Path

import knowledge.extraction
from knowledge.documents.reading import FORMATS, MAX_BYTES, MAX_STREAMED_BYTES
from knowledge.extraction.meanings import MEANINGS
from knowledge.import_report import MAX_EXCERPT, PROBLEM_TITLES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
SOURCES = [
    *Path(knowledge.extraction.__file__).parent.glob("*.py"),
    *Path(knowledge.__file__ or "").parent.glob("documents/*.py"),
]


def test_every_rule_is_listed_with_its_meaning() -> None:
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE)).items() >= MEANINGS.items()


def test_every_kind_of_problem_is_listed() -> None:
    assert all(f"| `{kind}` |" in PAGE for kind in PROBLEM_TITLES)


def test_every_format_is_listed() -> None:
    assert all(f"`{suffix}`" in PAGE for suffix in FORMATS if suffix)


def test_limits_are_those_of_the_code() -> None:
    assert f"up to {MAX_BYTES // 2**20} MiB" in PAGE
    assert f"up to {MAX_STREAMED_BYTES // 2**20} MiB" in PAGE
    assert f"up to {MAX_EXCERPT:,} characters" in PAGE


def test_every_rule_that_is_used_has_a_meaning() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    used = re.findall(r"(?:Passage|passage|_leave)\(\s*\"(\w+)\"", text) + re.findall(r"\(\"(\w+)\", \[line", text)
    assert used
    assert set(used) <= set(MEANINGS)
