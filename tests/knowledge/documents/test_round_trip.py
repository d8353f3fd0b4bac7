"""The same collection comes back from every format."""

import re
from pathlib import Path

from knowledge.importing import preview


def words(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def test_every_format_gives_the_same_questions(written: Path, collection: tuple) -> None:
    report = preview([written])
    assert [words(q.question) for q in report.questions] == [words(p.question) for p in collection]
    assert [q.language for q in report.questions] == ["zh", "en", "zh"]


def test_every_format_keeps_every_sentence(written: Path, collection: tuple) -> None:
    for question, pair in zip(preview([written]).questions, collection, strict=True):
        kept = words(question.answer)
        for sentence in re.split(r"[。.\n]", pair.answer):
            assert words(sentence.removeprefix("```sql").lstrip("12")) in kept, sentence


def test_every_format_keeps_structure(written: Path) -> None:
    zh, en, code = (question.answer for question in preview([written]).questions)
    assert len(re.findall(r"^\s*[-*] ", zh, re.MULTILINE)) == 2
    assert len(re.findall(r"^\s*(?:\d\.|[-*]) ", en, re.MULTILINE)) == 2
    if not written.name.endswith(".docx"):
        assert re.search(r"```\w*\n\s*EXPLAIN SELECT name FROM users\n\s*```", code)


def test_topics_come_from_columns_and_groups(written: Path, collection: tuple) -> None:
    topics = [q.topic for q in preview([written]).questions]
    if written.suffix in (".csv", ".tsv", ".yaml") or written.name in (
        "list.json",
        "nested.json",
        "rows.jsonl",
        "anki.txt",
    ):
        assert topics == [p.topic for p in collection]
    else:
        assert len(set(topics)) == 1
