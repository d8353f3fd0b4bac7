"""The evaluation: its figures against ones worked out by hand, and the command from files to table."""

import json
from pathlib import Path

import pytest

from interviewer.models import Question
from knowledge.encoder.__main__ import main
from knowledge.encoder.corpus import SHIPPED, Query, find_target, read_queries, read_questions
from knowledge.encoder.evaluate import answerable, measure, rank_targets, search_both, search_words
from knowledge.index.echoes import Echo

BANK = """
topic: training
title: {zh: 训练, en: Training}
questions:
  - id: memory
    kind: troubleshooting
    question: {zh: 显存不足怎么排查？, en: What to do when GPU memory runs out?}
    reference: {zh: 先看显存占用，再减小批大小。, en: Look at the usage and then reduce the batch size.}
"""


def question(name: str, asked: str, reference: str) -> Question:
    return Question(id=name, set="imported", question={"zh": asked}, reference={"zh": reference})


QUESTIONS = [
    question("logs", "日志应该怎么设计？", "用结构化日志，每条带请求编号。"),
    question("threads", "多线程为什么变慢？", "因为全局解释器锁，同一时间只有一个线程执行。"),
    question("disk", "磁盘写满了怎么办？", "删掉旧的检查点，再加监控。"),
]


def query(text: str, target: str, document: str = "000") -> Query:
    return Query(text, "zh", "plain", target, document, "dev")


def test_a_tie_is_a_miss_and_so_is_a_question_that_was_not_found() -> None:
    found = [{"logs": 0.9, "disk": 0.5}, {"logs": 0.5, "disk": 0.5}, {"logs": 0.4}]
    assert rank_targets(found, ["logs", "disk", "disk"]).tolist()[:2] == [0, 1]
    assert rank_targets(found, ["logs", "disk", "disk"])[2] > 1000


def test_figures_are_means_with_intervals_from_resampled_questions() -> None:
    targets = ["logs", "logs", "threads", "disk"]
    found = [{"logs": 9.0, "disk": 1.0}, {"logs": 9.0}, {"threads": 2.0, "logs": 3.0}, {"disk": 1.0, "logs": 8.0}]
    (figure,) = measure(found, [query("q", t) for t in targets], targets)
    assert (figure.group, figure.queries) == ("zh/plain", 4)
    assert figure.hit1 == (50, 0, 100)
    assert figure.hit3[0] == 100


def test_words_find_their_question_and_weigh_by_the_language_of_the_query() -> None:
    words = search_words(["结构化日志", "没有这样的词儿"], QUESTIONS)
    assert max(words[0], key=lambda name: words[0][name]) == "logs"
    meaning = [{"logs": 0.1, "disk": 0.2}] * 2
    zh, en = search_both(["日志", "logs"], meaning, [{"logs": 0.5}] * 2, [{}] * 2, QUESTIONS)
    assert zh["logs"] - zh["disk"] > en["logs"] - en["disk"] > 0


def test_echoes_count_by_whether_a_question_has_the_language_of_the_query() -> None:
    meaning = [{"logs": 0.3, "disk": 0.3}] * 2
    heard = {"logs": Echo(0.8, 0.8), "disk": Echo(0.6, 0.6)}
    english = QUESTIONS[0].model_copy(update={"question": {"en": "How are logs made?"}, "reference": {"en": "Often."}})
    at_home, abroad = (
        search_both(["logs"], meaning[:1], [{}], [heard], [question, QUESTIONS[2]])[0]
        for question in (english, QUESTIONS[0])
    )
    assert abroad["logs"] > abroad["disk"]
    assert at_home["logs"] != abroad["logs"]
    assert at_home["disk"] == abroad["disk"]


def test_targets_are_found_by_id_or_by_the_beginning_of_the_question() -> None:
    shipped = [q.model_copy(update={"set": "bank", "id": f"bank-{q.id}"}) for q in QUESTIONS]
    assert find_target(query("x", "bank-logs", "bank"), [*QUESTIONS, *shipped]) == "bank-logs"
    assert find_target(query("x", "多线程 为什么"), [*QUESTIONS, *shipped]) == "threads"
    with pytest.raises(LookupError, match="0 questions"):
        find_target(query("x", "没有"), QUESTIONS)
    assert [target for _, target in answerable([query("a", "没有"), query("b", "磁盘")], QUESTIONS)] == ["disk"]


def test_command_recomputes_figures_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bank, imported, queries = tmp_path / "bank.yaml", tmp_path / "imported.json", tmp_path / "queries.jsonl"
    bank.write_text(BANK, encoding="utf-8")
    rows = [
        {"id": q.id, "language": "zh", "question": q.question["zh"], "answer": q.reference["zh"]} for q in QUESTIONS
    ]
    imported.write_text(json.dumps({"questions": rows}), encoding="utf-8")
    asked = [query("GPU 显存爆了", "memory", "bank"), query("日志设计规范", "日志应该"), query("不在这里", "别的问题")]
    queries.write_text("".join(json.dumps(q._asdict()) + "\n" for q in asked), encoding="utf-8")
    assert [len(read_questions(path)) for path in (bank, imported)] == [1, 3]

    assert main(["evaluate", str(bank), str(imported), "--queries", str(queries), "--split", "dev", "--misses"]) == 0

    printed = capsys.readouterr().out
    assert "4 questions, 2 queries whose question is among them" in printed
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
