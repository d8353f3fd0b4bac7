"""The retrieval measurement, its figures and the page that shows them."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evals.retrieval.measure import (
    GROUPS,
    READINGS,
    SIDES,
    SPLITS,
    Group,
    Query,
    RetrievalResult,
    bootstrap,
    in_language,
    load_queries,
    measure_bank,
    run_retrieval,
)
from evals.retrieval.report import BEGIN, END, PAGE, format_table, load_results, renew_page
from interviewer.errors import BankError, InterviewerError
from interviewer.models import Question
from knowledge.bank import load_bank
from knowledge.index import QuestionIndex
from tests.knowledge.index.conftest import WordModel, make_index, make_question

TWO = [
    make_question("cache", "缓存有什么用？|少算。", "What is a cache for?|It saves work."),
    make_question("ring", "环形通信怎么做？|分块传。", "How does a ring pass chunks?|One neighbour at a time."),
]


def ranked(folder: Path, questions: list[Question]) -> QuestionIndex:
    index = make_index(folder, WordModel())
    index.build(questions)
    return index


def test_ranks_become_hits_and_misses(tmp_path: Path) -> None:
    index = ranked(tmp_path, TWO)
    queries = [Query("cache", "keyword", "cache"), Query("ring", "keyword", "cache"), Query("zebra", "keyword", "ring")]
    result = run_retrieval({"both": index}, queries, [Group("keyword", "both")])
    row = result.rows[0]
    assert (row.side, row.group, row.queries) == ("lexical", "keyword on both", 3)
    assert row.hit1.mean == pytest.approx(1 / 3, abs=1e-4)
    assert [(miss.query, miss.first, miss.rank) for miss in result.misses if miss.side == "lexical"] == [
        ("ring", "ring", 0),
        ("zebra", "", 0),
    ]
    assert {row.side for row in result.rows} == set(SIDES)
    index.close()


def test_without_a_model_only_words_are_measured(tmp_path: Path) -> None:
    index = QuestionIndex(tmp_path, locate=lambda setting: None)
    index.build(TWO)
    result = run_retrieval({"both": index}, [Query("cache", "keyword", "cache")], [Group("keyword", "both")])
    assert [row.side for row in result.rows] == ["lexical"]


def test_interval_holds_the_mean_and_is_wider_when_queries_share_questions() -> None:
    values = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0] * 5)
    alone = bootstrap(values, [str(i) for i in range(30)])
    shared = bootstrap(values, [str(i // 3) for i in range(30)])
    assert alone.low < alone.mean == 0.5 < alone.high
    assert shared.high - shared.low > alone.high - alone.low
    assert bootstrap(values, [str(i) for i in range(30)]) == alone


def test_queries_cover_every_shipped_question_in_every_kind_and_are_split_by_question() -> None:
    bank = load_bank()
    queries = load_queries(bank)
    kinds: dict[str, set[str]] = {}
    splits: dict[str, set[str]] = {}
    for query in queries:
        kinds.setdefault(query.expected, set()).add(query.kind)
        splits.setdefault(query.expected, set()).add(query.split)
    assert len(kinds) >= 0.95 * len(bank)
    assert all(found == {"zh", "en", "keyword"} for found in kinds.values())
    assert all(len(found) == 1 for found in splits.values())
    assert sum(found == {"test"} for found in splits.values()) >= 40
    assert len({query.text for query in queries}) == len(queries)
    by_kind = Counter(query.kind for query in queries)
    assert by_kind["zh"] >= 300
    assert by_kind["en"] >= 300


def test_figures_are_kept_apart_by_split(tmp_path: Path) -> None:
    index = ranked(tmp_path, TWO)
    queries = [Query("cache", "keyword", "cache"), Query("ring", "keyword", "cache", split="dev")]
    result = run_retrieval({"both": index}, queries, [Group("keyword", "both")])
    hits = {(row.split, row.side): row.hit1.mean for row in result.rows}
    assert (hits["test", "lexical"], hits["dev", "lexical"]) == (1, 0)
    index.close()


def test_queries_do_not_copy_the_questions() -> None:
    bank = {question.id: question for question in load_bank()}
    for query in load_queries(list(bank.values())):
        asked = " ".join(bank[query.expected].question.values()).casefold()
        assert query.kind == "keyword" or query.text.casefold() not in asked


def test_another_question_that_answers_as_well_counts(tmp_path: Path) -> None:
    index = ranked(tmp_path, TWO)
    query = Query("ring", "keyword", "cache", frozenset({"ring"}))
    result = run_retrieval({"both": index}, [query], [Group("keyword", "both")])
    assert result.rows[0].hit1.mean == 1
    assert [miss for miss in result.misses if miss.side == "lexical"] == []
    index.close()


def test_what_readers_say_counts_and_the_writers_own_word_stands_beside_it(tmp_path: Path) -> None:
    index = ranked(tmp_path, TWO)
    query = Query("ring", "keyword", "cache", read=frozenset({"ring"}))
    row = run_retrieval({"both": index}, [query], [Group("keyword", "both")]).rows[0]
    assert (row.hit1.mean, row.own1.mean) == (1, 0)
    index.close()


def test_readings_are_of_queries_that_there_are_and_both_readers_must_agree() -> None:
    asked = {(query.text, query.expected): query for query in load_queries(load_bank())}
    rows = [json.loads(line) for line in READINGS.read_text(encoding="utf-8").splitlines()]
    assert {(row["query"], row["question"]) for row in rows} <= asked.keys()
    pairs = [tuple(grades) for row in rows for grades in row["grades"].values()]
    assert all(set(pair) <= {0, 1, 2} for pair in pairs)
    assert sum(first == second for first, second in pairs) / len(pairs) > 0.95
    for row in rows:
        read = {name for name, grades in row["grades"].items() if grades == [2, 2]}
        assert asked[row["query"], row["question"]].read == read


def test_query_for_an_unknown_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "queries.yaml"
    path.write_text("- {question: nowhere, split: dev, zh: [a], en: [b], keyword: [c]}", encoding="utf-8")
    with pytest.raises(BankError, match="nowhere"):
        load_queries(load_bank(), path)


def test_questions_in_one_language_have_nothing_of_the_other() -> None:
    question = in_language(load_bank(), "en")[0]
    assert set(question.question) == set(question.reference) == {"en"}
    assert all(set(point.aliases) == {"en"} for point in question.points)


def test_shipped_questions_are_found() -> None:
    """Floors well below what was measured: the bank grows, and more questions are more to confuse one with."""
    groups = [group for group in GROUPS if group.title in ("keyword on both", "zh on both", "en on zh")]
    result = measure_bank(splits=("test",), sides=("hybrid",), groups=groups, every=5)
    assert {(row.side, row.split) for row in result.rows} == {("hybrid", "test")}
    hits = {row.group: row.hit3.mean for row in result.rows}
    assert hits["keyword on both"] >= 0.9
    assert hits["zh on both"] >= 0.65
    assert hits["en on zh"] >= 0.65


def test_stored_figures_are_of_every_side_and_group() -> None:
    rows = {(row.split, row.side, row.group) for row in load_results().rows}
    assert rows == {(split, side, group.title) for split in SPLITS for side in SIDES for group in GROUPS}


def test_page_shows_the_stored_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renew_page(page, load_results()) == page


def test_page_without_a_place_for_figures_is_an_error() -> None:
    with pytest.raises(InterviewerError, match="figures"):
        renew_page("nothing", load_results())


def test_table_has_a_line_for_every_row() -> None:
    result = load_results()
    lines = format_table(result).splitlines()
    assert (
        len([line for line in lines if line.startswith("| ")])
        == len(result.rows) + len(SPLITS) + len(result.merging) + 1
    )
    assert RetrievalResult.model_validate_json(result.model_dump_json()) == result
    assert BEGIN != END
