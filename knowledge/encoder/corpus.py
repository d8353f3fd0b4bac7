"""What is searched and what is asked, read from files, for measuring an encoder."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from interviewer.models import Language, Question
from knowledge.bank.reading import BANK, read_topic_file

QueryKind = Literal["colloquial", "plain", "cross", "keyword"]
Split = Literal["dev", "test"]
SHIPPED = Path(__file__).resolve().parent / "queries"


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


def read_questions(path: Path) -> list[Question]:
    """The questions of a bank's YAML file, or of what `interviewer import --dry-run --json` wrote."""
    if path.suffix in {".yaml", ".yml"}:
        return list(read_topic_file(path).questions)
    rows = json.loads(path.read_text(encoding="utf-8"))["questions"]
    return [_imported(row, row["language"]) for row in rows]


def _imported(row: dict[str, str], language: Language) -> Question:
    return Question(
        id=row["id"], set="imported", question={language: row["question"]}, reference={language: row["answer"]}
    )


def find_target(query: Query, questions: Sequence[Question]) -> str:
    """The id of the question that the query means.

    Raises:
        LookupError: if there is none, or more than one.
    """
    if query.document == BANK:
        found = [question.id for question in questions if question.id == query.target]
    else:
        begins = _letters(query.target)
        imported = (question for question in questions if question.set != BANK)
        found = [q.id for q in imported if any(_letters(text).startswith(begins) for text in q.question.values())]
    if len(found) != 1:
        raise LookupError(f"{len(found)} questions of the corpus are {query.target!r}")
    return found[0]


def _letters(text: str) -> str:
    """The text's letters and digits, folded: importers differ in punctuation and spaces."""
    return "".join(c for c in text.casefold() if c.isalnum())
