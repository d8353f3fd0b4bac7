"""What a document says about interviews."""

import pytest

from knowledge.documents.plain import read_plain
from knowledge.extraction.blueprint import find_blueprint, to_difficulty, to_frequency
from knowledge.extraction.drafts import Draft, extract

TEXT = """存储方向
| 考点 | 频率 | 难度 |
|---|---|---|
| 写前日志 | ★★★★☆ | 较难 |
| B 树 | ★★☆☆☆ | 简单 |
面试流程
┌────────────────────┐
│ 流程 │
├────────────────────┤
│ 第一轮:基础 │
│ ├── 算法 │
│ └── 系统 │
│ 第二轮:项目 │
│ └── 深挖 │
└────────────────────┘
Level 1: 入门
├── 会用
└── 会查
| 阶段 | 要点 | 时间 |
|---|---|---|
| 澄清 | 问规模 | 5 分钟 |
01-存储题
日志 (Q1-Q3)
- 重放
- 检查点
其他说明
Q1: 怎么准备?
A: 多练。"""

MAP = """┌──────────────────────────┐
│ 图谱 │
├──────────────────────────┤
│ ┌──────────────────────┐ │
│ │ 存储 │ │
│ │ │ │
│ │ 日志 GPU 缓存 索引 │ │
│ │ ├─ 重放 ├─ 淘汰 ├─ B 树 │ │
│ │ └─ 校验 ├─ 预取 └─ 哈希 │ │
│ │ └─ 一致 │ │
│ └──────────────────────┘ │
└──────────────────────────┘"""


def test_every_part_is_read() -> None:
    found = find_blueprint(read_plain(TEXT, "t").lines, "t")
    assert found is not None
    blueprint = found.blueprint
    assert [(t.name, t.group, t.frequency, t.difficulty) for t in blueprint.topics] == [
        ("写前日志", "存储方向", 4, 4), ("B 树", "存储方向", 2, 2),
    ]  # fmt: skip
    assert [(r.name, r.items) for r in blueprint.rounds] == [("基础", ("算法", "系统")), ("项目", ("深挖",))]
    assert [(level.name, level.items) for level in blueprint.levels] == [("入门", ("会用", "会查"))]
    assert [(p.name, p.focus, p.minutes) for p in blueprint.phases] == [("澄清", "问规模", 5)]
    [chapter] = blueprint.chapters
    assert [(s.title, s.questions, s.items) for s in chapter.sections] == [("日志", "Q1-Q3", ("重放", "检查点"))]


def test_columns_of_a_map_are_told_apart() -> None:
    found = find_blueprint(read_plain(MAP + "\n" + TEXT, "t").lines, "t")
    assert found is not None
    assert [(a.name, a.items) for a in found.blueprint.areas] == [
        ("日志", ("重放", "校验")), ("GPU 缓存", ("淘汰", "预取", "一致")), ("索引", ("B 树", "哈希")),
    ]  # fmt: skip


def test_its_questions_are_questions_and_the_rest_is_left_out_by_name() -> None:
    extracted = extract(read_plain(TEXT, "t"))
    entries = list(extracted.entries)
    assert extracted.blueprint is not None
    assert [entry.question for entry in entries if isinstance(entry, Draft)] == ["怎么准备?"]
    assert any("其他说明" in entry.text for entry in entries if not isinstance(entry, Draft))


def test_a_table_in_an_answer_makes_no_blueprint() -> None:
    text = "1. 有哪些阶段?\n答:\n| 阶段 | 要点 | 时间 |\n|---|---|---|\n| 甲 | 乙 | 5 分钟 |\n2. 为什么?\n答:因为。"
    assert extract(read_plain(text, "t")).blueprint is None


@pytest.mark.parametrize(
    ("text", "value"), [("★★★", 3), ("⭐⭐⭐⭐⭐", 5), ("4", 4), ("4/5", 4), ("高", 5), ("", None), ("often", None)]
)
def test_frequencies(text: str, value: int | None) -> None:
    assert to_frequency(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("中等", 3), ("较难", 4), ("困难", 5), ("Easy", 2), ("hard", 4), ("★★", 2), ("", None), ("?", None)],
)
def test_difficulties(text: str, value: int | None) -> None:
    assert to_difficulty(text) == value
