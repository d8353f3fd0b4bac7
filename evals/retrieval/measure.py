"""How well questions are found: Hit@1, Hit@3 and MRR for words, meaning and both, by kind of query."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

from evals.retrieval.weakspots import MergeFigures, load_pairs, measure_merging
from interviewer.errors import BankError
from interviewer.models import Frozen, Language, Point, Question
from knowledge.index import BuildProgress, QuestionIndex, load_embedder

_DATA = Path(__file__).parents[1] / "data" / "retrieval"
QUERIES = _DATA / "queries.yaml"
READINGS = _DATA / "readings.jsonl"
"""What two readers said of the questions found for queries whose own question did not stand first: 2 where finding it
serves the person who asks, 1 where it is on the subject, 0 where not. Neither knew the ranks or the own question."""
_SERVES = 2
DEPTH = 10  # results looked at; a question further down counts as not found
RESAMPLES = 2_000

Side = Literal["lexical", "dense", "hybrid"]
SIDES: tuple[Side, ...] = ("lexical", "dense", "hybrid")

Kind = Literal["zh", "en", "keyword"]

Split = Literal["dev", "test"]
SPLITS: tuple[Split, ...] = ("test", "dev")
"""By question: the search is tuned on dev, and nothing is chosen by test."""

Searched = Literal["both", "zh", "en"]
"""The texts that are searched: the questions in both languages, or in one alone."""


class Query(NamedTuple):
    """A query and the question that should stand first.

    Attributes:
        kind: The query's language, or `keyword`.
        expected: Id of the question it was written for.
        also: Questions that answer it as well, as its writer said.
        read: Questions that answer it as well, as two readers said.
        split: That of the question it was written for.
    """

    text: str
    kind: Kind
    expected: str
    also: frozenset[str] = frozenset()
    split: Split = "test"
    read: frozenset[str] = frozenset()

    def accepts(self, question_id: str) -> bool:
        return self.meant(question_id) or question_id in self.read

    def meant(self, question_id: str) -> bool:
        """Whether the query's writer said that this question answers it."""
        return question_id == self.expected or question_id in self.also


class Group(NamedTuple):
    """Queries of one kind on texts of one choice."""

    kind: Kind
    searched: Searched

    @property
    def title(self) -> str:
        return f"{self.kind} on {self.searched}"


GROUPS = (
    Group("zh", "both"),
    Group("en", "both"),
    Group("keyword", "both"),
    Group("zh", "zh"),
    Group("en", "en"),
    Group("en", "zh"),
    Group("zh", "en"),
)


class Interval(Frozen):
    """A mean of 0..1 with its 95% interval, from resampled questions."""

    mean: float
    low: float
    high: float


class Row(Frozen):
    """The figures of one side for one group of queries; `own1` is `hit1` by what the queries' writer said alone."""

    split: Split
    side: Side
    group: str
    queries: int
    hit1: Interval
    own1: Interval
    hit3: Interval
    mrr: Interval


class Miss(Frozen):
    """A query whose question did not stand first; `rank` counts from 1, 0 where it was not found."""

    side: Side
    group: str
    query: str
    expected: str
    first: str
    rank: int


class RetrievalResult(Frozen):
    """What was measured: over how many questions, with which model, every miss, and how weak spots would be merged."""

    model: str
    version: str
    questions: int
    rows: tuple[Row, ...]
    misses: tuple[Miss, ...]
    merging: tuple[MergeFigures, ...] = ()


def load_queries(questions: Sequence[Question], path: Path = QUERIES, readings: Path = READINGS) -> tuple[Query, ...]:
    """The queries written for the shipped questions, with what readers said of others that were found for them.

    Raises:
        BankError: if one names a question that is not there.
    """
    served = _served(readings)
    known = {question.id for question in questions}
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    written = (query for entry in entries for query in _entry_queries(entry))
    queries = tuple(query._replace(read=served.get((query.text, query.expected), frozenset())) for query in written)
    named = {name for query in queries for name in (query.expected, *query.also, *query.read)}
    unknown = sorted(named - known)
    if unknown:
        raise BankError(f"{path.name} has queries for {', '.join(unknown)}, which are no shipped questions.")
    return queries


def _served(path: Path) -> dict[tuple[str, str], frozenset[str]]:
    """The questions that both readers said answer a query, by its text and its own question."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        (row["query"], row["question"]): frozenset(
            name for name, grades in row["grades"].items() if all(grade == _SERVES for grade in grades)
        )
        for row in rows
    }


def _entry_queries(entry: dict[str, Any]) -> Iterator[Query]:
    kinds: tuple[Kind, ...] = ("zh", "en", "keyword")
    for kind in kinds:
        for item in entry[kind]:
            text, *also = item if isinstance(item, list) else [item]
            accepted = frozenset((*entry.get("also", ()), *also))
            yield Query(str(text), kind, entry["question"], accepted, entry["split"])


def run_retrieval(
    indexes: Mapping[Searched, QuestionIndex],
    queries: Sequence[Query],
    groups: Sequence[Group] = GROUPS,
    sides: Sequence[Side] = SIDES,
) -> RetrievalResult:
    """Asks every query of every index. Sides a model can't serve are left out.

    Args:
        indexes: Ready indexes over the questions in both languages and in each one alone.
        queries: What is asked.
        groups: Which queries are asked of which index.
        sides: The ways of searching that are measured; words alone where there is no model.
    """
    rows: list[Row] = []
    misses: list[Miss] = []
    status = indexes["both"].status()
    for side in sides if status.model else SIDES[:1]:
        for group in groups:
            asked = [query for query in queries if query.kind == group.kind]
            found = [_ask(indexes[group.searched], query, side) for query in asked]
            rows += _summarize(side, group, asked, found)
            misses += [_miss(side, group, q, ids) for q, ids in zip(asked, found, strict=True) if _rank(q, ids) != 1]
    return RetrievalResult(
        model=status.model, version=status.version, questions=status.questions, rows=tuple(rows), misses=tuple(misses)
    )


def _ask(index: QuestionIndex, query: Query, side: Side) -> list[str]:
    return [hit.question_id for hit in index.search(query.text, limit=DEPTH, side=side)]


def _rank(query: Query, found: list[str]) -> int:
    """The place of the first question that answers the query, from 1; 0 where none was found."""
    return next((place for place, found_id in enumerate(found, 1) if query.accepts(found_id)), 0)


def _miss(side: Side, group: Group, query: Query, found: list[str]) -> Miss:
    return Miss(
        side=side,
        group=group.title,
        query=query.text,
        expected=query.expected,
        first=found[0] if found else "",
        rank=_rank(query, found),
    )


def _summarize(side: Side, group: Group, queries: Sequence[Query], found: Sequence[list[str]]) -> Iterator[Row]:
    """A row for each split that has queries of the group."""
    ranks = np.array([_rank(query, ids) for query, ids in zip(queries, found, strict=True)])
    meant = np.array([bool(ids) and query.meant(ids[0]) for query, ids in zip(queries, found, strict=True)])
    for split in SPLITS:
        chosen = np.array([query.split == split for query in queries], dtype=bool)
        if not chosen.any():
            continue
        places = ranks[chosen]
        owners = [query.expected for query in queries if query.split == split]
        reciprocal = np.where(places > 0, 1 / np.maximum(places, 1), 0.0)
        yield Row(
            split=split,
            side=side,
            group=group.title,
            queries=len(owners),
            hit1=bootstrap((places == 1).astype(float), owners),
            own1=bootstrap(meant[chosen].astype(float), owners),
            hit3=bootstrap(((places >= 1) & (places <= 3)).astype(float), owners),
            mrr=bootstrap(reciprocal, owners),
        )


def bootstrap(values: NDArray[np.float64], owners: Sequence[str], seed: int = 0) -> Interval:
    """The mean and its 95% interval over resampled owners: queries of one question stand or fall together."""
    names, places = np.unique(owners, return_inverse=True)
    sums, counts = np.bincount(places, weights=values), np.bincount(places)
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(mean=round(float(values.mean()), 4), low=round(float(low), 4), high=round(float(high), 4))


def in_language(questions: Sequence[Question], language: Language) -> list[Question]:
    """The questions as if they had been written in one language only."""
    return [_only(question, language) for question in questions if language in question.question]


def _only(question: Question, language: Language) -> Question:
    return question.model_copy(
        update={
            "question": {language: question.question[language]},
            "reference": {language: question.reference_in(language)},
            "points": tuple(_only_point(point, language) for point in question.points),
        }
    )


def _only_point(point: Point, language: Language) -> Point:
    return point.model_copy(
        update={
            "text": {language: point.in_language(language)},
            "aliases": {language: point.aliases.get(language, ())},
            "probe": {language: point.probe.get(language, "")},
            "hint": {language: point.hint.get(language, "")},
        }
    )


def measure_bank(
    embedding_model: str = "",
    on_progress: Callable[[BuildProgress], None] | None = None,
    splits: Sequence[Split] = SPLITS,
    sides: Sequence[Side] = SIDES,
    groups: Sequence[Group] = GROUPS,
    every: int = 1,
) -> RetrievalResult:
    """Builds indexes over the shipped bank in a temporary folder, and asks the queries written for it.

    Args:
        embedding_model: As the setting: a name, a folder, or empty for the default.
        on_progress: Told how far the indexes are.
        splits: Whose queries are asked.
        sides: The ways of searching that are measured.
        groups: Which queries are asked of which index; indexes no group asks are not built.
        every: Asks every so many-th query only, for a quick look.

    Raises:
        EmbeddingError: if the model that was asked for can't be loaded.
    """
    from knowledge.bank import load_bank

    questions = load_bank()
    queries = [query for query in load_queries(questions) if query.split in splits][::every]
    asked_of: dict[Searched, Sequence[Question]] = {
        "both": questions,
        "zh": in_language(questions, "zh"),
        "en": in_language(questions, "en"),
    }
    embedder = load_embedder(embedding_model)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        indexes = {
            name: QuestionIndex(Path(folder, name), embedding_model=embedding_model, load=lambda _: embedder)
            for name in asked_of
            if any(group.searched == name for group in groups)
        }
        for name, index in indexes.items():
            index.build(asked_of[name], on_progress)
        result = run_retrieval(indexes, queries, groups, sides)
        for index in indexes.values():
            index.close()
    if embedder is None:
        return result
    return result.model_copy(update={"merging": measure_merging(load_pairs(questions), embedder)})
