"""What is searched and what is asked, read from files, for measuring the encoder."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

import yaml

from interviewer.models import Language

QueryKind = Literal["colloquial", "plain", "cross", "keyword"]
Split = Literal["dev", "test"]
SHIPPED = Path(__file__).resolve().parent / "queries"


class Text(NamedTuple):
    """A question with its reference in one language.

    Attributes:
        id: A bank's question has one id in both languages.
    """

    id: str
    language: Language
    question: str
    reference: str


class Query(NamedTuple):
    """A query and the question it means.

    Attributes:
        kind: colloquial (avoids the text's own terms), plain (shares some), cross (English on Chinese text), keyword.
        target: The id of a bank's question, or the beginning of an imported question's text.
        document: Of the imported document the target stands in, its first three digits; "bank" for the shipped bank.
        split: By question: variants are chosen on dev and only reported on test.
    """

    query: str
    language: Language
    kind: QueryKind
    target: str
    document: str
    split: Split


def read_queries(paths: Sequence[Path]) -> list[Query]:
    """The queries of JSON Lines files."""
    return [Query(**json.loads(line)) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def read_corpus(path: Path) -> list[Text]:
    """The questions of a bank's YAML file, or of what `interviewer import --dry-run --json` wrote."""
    content = path.read_text(encoding="utf-8")
    if path.suffix in {".yaml", ".yml"}:
        return list(_bank_texts(yaml.safe_load(content)["questions"]))
    return [_imported_text(row) for row in json.loads(content)["questions"]]


def _bank_texts(rows: Sequence[dict[str, dict[str, str]]]) -> Iterator[Text]:
    for row in rows:
        for language in ("zh", "en"):
            if language in row["question"]:
                yield Text(str(row["id"]), language, row["question"][language], row["reference"][language])


def _imported_text(row: dict[str, str]) -> Text:
    return Text(row["id"], cast(Language, row["language"]), row["question"], row["answer"])


def find_target(query: Query, corpus: Sequence[Text]) -> str:
    """The id of the question that the query means.

    Raises:
        LookupError: if the corpus has none, or more than one.
    """
    begins = _letters(query.target)
    found = {t.id for t in corpus if t.id == query.target or _letters(t.question).startswith(begins)}
    if len(found) != 1:
        raise LookupError(f"{len(found)} questions of the corpus begin with {query.target!r}")
    return found.pop()


def _letters(text: str) -> str:
    """The text's letters and digits, folded: importers differ in punctuation and spaces."""
    return "".join(c for c in text.casefold() if c.isalnum())
