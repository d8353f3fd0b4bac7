"""Clauses of a reference's sentence: each can be graded alone, and none says less than it did in its sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.clauses import clauses_of
from interviewer.grading.points import are_found, extract_points, is_brief
from interviewer.grading.protocol import GradingContext
from interviewer.models import Point, Question, Verdict


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "LoRA 冻结原权重，只训练两个低秩矩阵，推理时可以合并回去，没有额外延迟。",
            ["LoRA 冻结原权重", "只训练两个低秩矩阵", "推理时可以合并回去", "没有额外延迟。"],
        ),
        ("由于队列先进先出，出队序列不变，所以只有一种结果。", ["由于队列先进先出，出队序列不变", "只有一种结果。"]),
        ("如果负载很高，那么线程会排队，延迟随之上升。", ["如果负载很高，那么线程会排队", "延迟随之上升。"]),
        ("建立切实可行的体系，是做好管理的关键。", ["建立切实可行的体系，是做好管理的关键。"]),
        ("树更矮，更快。", ["树更矮，更快。"]),
        (
            "MLP 是一种前馈网络,每层之后有非线性,逐层变换特征。",
            ["MLP 是一种前馈网络", "每层之后有非线性", "逐层变换特征。"],
        ),
        ("缓存是一种机制，用空间换取时间，离用户越近越好。", ["缓存是一种机制，用空间换取时间", "离用户越近越好。"]),
        (
            "哈希索引（平均 O(1)，最坏 O(n)）适合等值查询，不能做范围查询。",
            ["哈希索引（平均 O(1)，最坏 O(n)）适合等值查询", "不能做范围查询。"],
        ),
        ("数组里存 1,2,3 和 4 这几个数。", ["数组里存 1,2,3 和 4 这几个数。"]),
        (
            "The circuit is parallel, so each bulb has its own path; the other bulbs go on shining.",
            ["The circuit is parallel", "each bulb has its own path", "the other bulbs go on shining."],
        ),
        (
            "During a flood there is more water in the creek and it flows faster.",
            ["During a flood there is more water in the creek", "it flows faster."],
        ),
        (
            "The index is small, and most of its pages are in memory.",
            ["The index is small", "most of its pages are in memory."],
        ),
        ("If the motor runs, the object is a conductor.", ["If the motor runs, the object is a conductor."]),
        ("It holds the pages that were read, and the log.", ["It holds the pages that were read, and the log."]),
        ("错误。栈是后进先出，队列才是先进先出。", ["错误。栈是后进先出，队列才是先进先出。"]),
    ],
)
def test_a_sentence_alone_is_cut_where_something_else_is_said(sentence: str, clauses: list[str]) -> None:
    cut = clauses_of(sentence)
    assert ([cut.first, *cut.others] if cut else [sentence]) == clauses


@pytest.mark.parametrize(
    ("sentence", "asked", "points"),
    [
        (
            "跳表的层数随机，支持范围查询。",
            "跳表和哈希表有什么不同？",
            ["跳表的层数随机", "跳表：支持范围查询。"],
        ),
        ("跳表的层数随机，支持范围查询。", "这两种结构有什么不同？", ["跳表的层数随机，支持范围查询。"]),
        ("冻结原来的权重，只训练低秩矩阵。", "LoRA 是什么？", ["冻结原来的权重，只训练低秩矩阵。"]),
        ("UDP 无须先建立连接，适合实时音视频。", "", ["UDP 无须先建立连接", "UDP：适合实时音视频。"]),
        ("管程是一种同步机制，由编译器保证互斥。", "", ["管程是一种同步机制", "管程：由编译器保证互斥。"]),
        ("栈的两端不对称，但是栈可以用数组实现。", "栈呢？", ["栈的两端不对称", "栈可以用数组实现。"]),
        (
            "RAG(检索增强生成)是先检索再回答,答案有出处可查。",
            "",
            ["RAG(检索增强生成)是先检索再回答", "RAG：答案有出处可查。"],
        ),
        ("因为数据的副本很多，读取压力得到分摊。", "", ["因为数据的副本很多，读取压力得到分摊。"]),
    ],
)
def test_beside_another_sentence_a_clause_names_what_it_is_about(sentence: str, asked: str, points: list[str]) -> None:
    found = [point.text["zh"] for point in extract_points(f"{sentence}还有一点要看场景。", "zh", asked)]
    assert found == [*points, "还有一点要看场景。"]


def test_what_it_stands_for_is_told_by_the_sentence_before() -> None:
    found = extract_points("LSTM 用三个门来控制信息的流动。它能够记住很久以前的信息,训练比普通循环网络稳定。", "zh")
    assert [point.text["zh"] for point in found] == [
        "LSTM 用三个门来控制信息的流动。",
        "它能够记住很久以前的信息",
        "LSTM：训练比普通循环网络稳定。",
    ]


@given(st.text(alphabet="甲乙的是，；。因为所以 and,;.so ", max_size=60))
def test_whatever_is_cut_nothing_is_lost_but_marks_and_joints(text: str) -> None:
    cut = clauses_of(text)
    said = "".join(cut.joined()) if cut else text
    assert all(said.count(each) >= text.count(each) for each in "甲乙")


def _question(reference: str, points: tuple[Point, ...] = ()) -> Question:
    return Question(id="q", set="s", question={"zh": "LoRA 怎么省显存？"}, reference={"zh": reference}, points=points)


def test_who_says_half_of_a_sentence_is_told_which_half_is_missing() -> None:
    question = _question("LoRA 冻结原来的全部权重，只训练插入的两个低秩矩阵。")
    grade = BuiltinGrader().grade(question, "原来的全部权重都冻结。", GradingContext(language="zh"))
    assert [point.text for point in grade.points] == ["LoRA 冻结原来的全部权重", "只训练插入的两个低秩矩阵。"]
    assert [point.verdict for point in grade.points] == [Verdict.COVERED, Verdict.MISSING]


def test_points_stored_before_there_were_clauses_are_found_points_still() -> None:
    reference = "LoRA 冻结原来的全部权重，只训练插入的两个低秩矩阵。"
    whole = Point(id="p1", text={"zh": reference})
    assert are_found((whole,), {"zh": reference})
    assert are_found(extract_points(reference, "zh"), {"zh": reference})
    assert not are_found((Point(id="p1", text={"zh": "LoRA 冻结权重"}),), {"zh": reference})


def test_found_points_stay_found_when_the_question_is_put_in_other_words() -> None:
    reference = "跳表的层数随机，支持范围查询。哈希表的槽位固定，不保持键的顺序。"
    sizes = set()
    for asked in ("跳表和哈希表有什么不同？", "哈希表呢？", "这两种结构有什么不同？"):
        points = extract_points(reference, "zh", asked)
        sizes.add(len(points))
        assert are_found(points, {"zh": reference})
    assert sizes == {2, 3, 4}


def test_a_reference_is_brief_by_its_statements_however_many_clauses_they_have() -> None:
    assert is_brief("LoRA 冻结原权重，只训练两个低秩矩阵，推理时可以合并回去，没有额外延迟。")
    assert not is_brief("LoRA 冻结原来的权重。只训练两个低秩矩阵。推理时它们可以合并回去。")


def test_a_clause_with_a_subject_of_its_own_keeps_it():
    reference = "prefill 是算力受限，decode 是带宽受限，混在一起互相拖慢。分离以后各自扩容，只是要传缓存。"
    texts = [point.text["zh"] for point in extract_points(reference, "zh", "prefill 和 decode 为什么要分离？")]
    assert texts[:3] == ["prefill 是算力受限", "decode 是带宽受限", "prefill：混在一起互相拖慢。"]


def test_a_condition_of_two_halves_stays_with_what_follows_from_it():
    reference = "When the model does not fit on one device and you have several nodes: split layers inside a node."
    assert [point.text["en"] for point in extract_points(reference, "en")] == [reference]
    reference = "If nobody answers and they time out, the write fails, and the client is told at once by its driver."
    assert extract_points(reference, "en")[0].text["en"].startswith("If nobody answers and they time out, the write")
