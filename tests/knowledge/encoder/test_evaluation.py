"""The evaluation: its figures against ones worked out by hand, and the command from files to table."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from knowledge.encoder.__main__ import main
from knowledge.encoder.corpus import SHIPPED, Query, Text, find_target, read_corpus, read_queries
from knowledge.encoder.evaluate import fuse_scores, lexical_scores, measure, rank_targets, standardize

CORPUS = [
    Text("memory", "zh", "显存不足怎么排查？", "先看显存占用，再减小批大小。"),
    Text("memory", "en", "What to do when GPU memory runs out?", "Look at the usage, then reduce the batch size."),
    Text("logs", "zh", "日志应该怎么设计？", "用结构化日志，每条带请求编号。"),
    Text("threads", "zh", "多线程为什么变慢？", "因为全局解释器锁，同一时间只有一个线程执行。"),
]


def query(text: str, target: str) -> Query:
    return Query(text, "zh", "plain", target, "bank", "dev")


def test_ranks_count_a_question_once_at_its_best_language_and_a_tie_as_a_miss() -> None:
    scores = np.array([[0.1, 0.9, 0.5, 0.2], [0.4, 0.4, 0.5, 0.5]], dtype=np.float32)
    assert rank_targets(scores, ["memory", "logs"], CORPUS).tolist() == [0, 1]


def test_figures_are_means_with_intervals_from_resampled_questions() -> None:
    queries = [query("a", "memory"), query("b", "memory"), query("c", "logs"), query("d", "threads")]
    scores = np.array([[9, 0, 1, 2], [9, 0, 1, 2], [3, 0, 2, 1], [9, 0, 8, 1]], dtype=np.float32)
    (figure,) = measure(scores, queries, CORPUS)
    assert (figure.group, figure.queries) == ("zh/plain", 4)
    assert figure.hit1[0] == 50
    assert figure.hit3[0] == 100
    assert figure.hit1[1] <= 50 <= figure.hit1[2]
    assert figure.hit1[1] == 0
    assert figure.hit1[2] == 100


def test_scores_are_standardised_and_words_weigh_by_the_language_of_the_query() -> None:
    flat = standardize(np.array([[1, 1, 1, 1], [0, 0, 0, 4]], dtype=np.float32))
    assert flat[0].tolist() == [0, 0, 0, 0]
    assert flat[1].std() == pytest.approx(1)
    dense = np.zeros((2, 4), dtype=np.float32)
    words = np.array([[4, 0, 0, 0], [4, 0, 0, 0]], dtype=np.float32)
    zh, en = fuse_scores(dense, words, ["zh", "en"])
    assert zh[0] > en[0] > 0


def test_words_find_their_text() -> None:
    scores = lexical_scores(["结构化日志", "没有这样的词"], CORPUS)
    assert scores[0].argmax() == 2
    assert scores[1].tolist() == [0, 0, 0, 0]


def test_targets_are_found_by_id_or_by_the_beginning_of_the_question() -> None:
    assert find_target(query("x", "logs"), CORPUS) == "logs"
    assert find_target(query("x", "多线程 为什么"), CORPUS) == "threads"
    with pytest.raises(LookupError, match="0 questions"):
        find_target(query("x", "没有"), CORPUS)


def test_command_recomputes_figures_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bank, imported, queries = tmp_path / "bank.yaml", tmp_path / "imported.json", tmp_path / "queries.jsonl"
    rows = [{"id": "memory", "question": {t.language: t.question for t in CORPUS[:2]}}]
    rows[0]["reference"] = {t.language: t.reference for t in CORPUS[:2]}
    bank.write_text(yaml.safe_dump({"questions": rows}, allow_unicode=True), encoding="utf-8")
    taken = [{"id": t.id, "language": t.language, "question": t.question, "answer": t.reference} for t in CORPUS[2:]]
    imported.write_text(json.dumps({"questions": taken}), encoding="utf-8")
    asked = [query("GPU 显存爆了", "memory"), query("日志设计规范", "日志应该"), query("不在这里", "别的问题")]
    queries.write_text("".join(json.dumps(q._asdict()) + "\n" for q in asked), encoding="utf-8")
    assert len(read_corpus(bank)) == len(read_corpus(imported)) == 2

    assert main(["evaluate", str(bank), str(imported), "--queries", str(queries), "--split", "dev", "--misses"]) == 0

    printed = capsys.readouterr().out
    assert "4 texts, 2 queries, 1 left out" in printed
    assert printed.count("zh/plain") == 3
    assert "100.0" in printed


def test_shipped_queries_are_many_and_split_by_question() -> None:
    queries = read_queries(sorted(SHIPPED.glob("*.jsonl")))
    assert sum(q.language == "zh" for q in queries) >= 300
    assert sum(q.language == "en" for q in queries) >= 300
    splits: dict[str, set[str]] = {}
    for q in queries:
        splits.setdefault(q.document + q.target, set()).add(q.split)
    assert all(len(split) == 1 for split in splits.values())
