"""Short ways from text to what the extraction makes of it."""

from collections.abc import Callable

import pytest

from knowledge.documents.markdown import read_markdown
from knowledge.documents.model import Passage
from knowledge.documents.plain import read_plain
from knowledge.extraction.drafts import Draft, extract

Taken = tuple[list[Draft], list[Passage]]


@pytest.fixture
def taken() -> Callable[..., Taken]:
    """Drafts and left-out passages of a plain or Markdown text."""

    def take(text: str, *, markdown: bool = False) -> Taken:
        document = read_markdown(text, "file") if markdown else read_plain(text, "file")
        entries = list(extract(document).entries)
        drafts = [entry for entry in entries if isinstance(entry, Draft)]
        return drafts, [entry for entry in entries if isinstance(entry, Passage)]

    return take


@pytest.fixture
def answer(taken: Callable[..., Taken]) -> Callable[[str], str]:
    """The repaired answer of one question whose flattened answer is given."""

    def repair(text: str) -> str:
        drafts, _ = taken(f"1. 这里应该怎么做?\n答案:\n{text}")
        return drafts[0].answer

    return repair
