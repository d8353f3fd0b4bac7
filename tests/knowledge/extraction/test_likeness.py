"""Questions similar in meaning: found across wording and language, reported, never folded."""

from pathlib import Path

import numpy as np
import pytest

from knowledge.bank import load_bank
from knowledge.encoder.light import LightEncoder
from knowledge.extraction import likeness
from knowledge.extraction.likeness import SIMILAR, LikenessIndex
from knowledge.importing import preview

ALIKE = (
    ("线上推理接口偶尔超时，监控都正常，你会怎么一步步排查？", "推理服务的接口时不时超时，可监控看着都正常，怎样一步步定位？"),
    ("How does gradient checkpointing trade computation for memory?", "梯度检查点是怎样用计算换显存的？"),
)  # fmt: skip
APART = (
    ("What is TCP?", "What is UDP?"),
    ("模型过拟合怎么办？", "显存不足怎么办？"),
    ("数据并行是什么？", "流水线并行的气泡怎么算？"),
)


def similar(first: str, second: str) -> list[str]:
    index = LikenessIndex()
    index.add("first", first)
    return index.find(second)


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_another_wording_is_similar(first: str, second: str) -> None:
    assert similar(first, second) == ["first"]


@pytest.mark.parametrize(("first", "second"), APART)
def test_questions_on_other_things_are_not(first: str, second: str) -> None:
    assert similar(first, second) == []


def test_nearest_comes_first_and_room_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likeness, "_FIRST_ROOM", 2)
    index = LikenessIndex()
    for number in range(7):
        index.add(str(number), f"显存不足怎么排查 {'日志 ' * number}")
        assert index.find("显存不足怎么排查")[0] == "0"
    assert len(index) == 7
    assert index.find("？！") == []


def test_a_set_that_is_full_remembers_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likeness, "MAX_REMEMBERED", 1)
    index = LikenessIndex()
    index.add("first", "显存不足怎么办")
    index.add("second", "日志怎么设计")
    assert index.find("日志怎么设计") == []


def test_translations_are_mostly_similar_and_other_questions_hardly_ever() -> None:
    """The shipped bank: each question against its own translation, and against the nearest other one."""
    encoder = LightEncoder()
    bank = load_bank()
    zh, en = (encoder.encode([q.asked_in(language) for q in bank]) for language in ("zh", "en"))
    cosines = zh @ en.T
    own, others = np.diag(cosines).copy(), cosines - 2 * np.eye(len(bank), dtype=np.float32)
    assert (own >= SIMILAR).mean() >= 0.8
    assert (others.max(axis=1) >= SIMILAR).mean() <= 0.04


def test_import_reports_what_is_similar_and_keeps_both(tmp_path: Path) -> None:
    first, second = ALIKE[0]
    page = tmp_path / "faq.md"
    answer = "先看请求在哪一段耗时，再对照日志和监控的时间点。"
    page.write_text(f"## {first}\n\n{answer}\n\n## {second}\n\n{answer}再看连接池和重试。\n", encoding="utf-8")
    report = preview([page])
    assert len(report.questions) == 2
    (problem,) = (p for p in report.documents[0].problems if p.kind == "similar_meaning")
    assert "line 1 of faq.md" in problem.detail
    assert problem.excerpt == second
