"""What of an answer can be evidence: sentences verbatim, no copies, no bare lists; and the order of words."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.listing import only_names, reads_as_list
from interviewer.grading.naming import are_names
from interviewer.grading.order import order_score
from interviewer.grading.windows import READ_LIMIT, read_answer

QUESTION = "Why does paging the KV cache save memory in an inference server?"


def texts(answer: str, asked: tuple[str, ...] = (QUESTION,)) -> list[str]:
    return [window.text for window in read_answer(answer, asked).windows]


def test_sentences_and_neighbouring_pairs_are_windows() -> None:
    assert texts("It is fast. It is small.") == ["It is fast.", "It is small.", "It is fast. It is small."]


@given(st.text(max_size=300))
def test_every_window_stands_in_the_answer_word_for_word(answer: str) -> None:
    read = read_answer(answer, (QUESTION,))
    for window in (*read.windows, *read.listed, *read.copied):
        assert answer[window.start : window.end] == window.text
        assert window.text.strip()


@pytest.mark.parametrize(
    ("said", "hollow"),
    [
        (
            "The cache grows with the batch.",
            "First, it is important. Second, it is useful. Third, it must be done right. In conclusion, it is important.",
        ),
        ("缓存随批大小一起变大。", "首先它很重要，其次它很有用，再次要把它做对，总之它很重要。"),
    ],
)
def test_hollow_praise_beside_a_statement_is_no_evidence(said: str, hollow: str) -> None:
    assert texts(f"{said} {hollow}") == [said]
    assert texts(hollow)


@pytest.mark.parametrize(
    "text",
    [
        "这个说法不正确。栈是后进先出的。",
        "That isn't right. A stack gives back what came last.",
        "So a third gets through. The rest waits for the next round.",
        "It is important to free the pages. Otherwise the pool runs dry.",
    ],
)
def test_what_denies_or_says_a_thing_is_not_hollow(text: str) -> None:
    assert sum(window.sentences == 1 for window in read_answer(text, ()).windows) == 2


def test_a_hint_that_is_handed_back_as_one_is_copied() -> None:
    """Version 13 took two points for said in such an answer before."""
    hint = "Mention something that lasted, and a decision you would change today."
    read = read_answer(f"As you hinted: {hint}", (QUESTION, hint))
    assert read.windows == ()
    assert read.copied


@pytest.mark.parametrize(
    "text",
    [
        "tensor parallelism, NVLink, all-reduce, columns, rows",
        "GIL, bytecode, threads, multiprocessing, NumPy, I/O, interpreter",
        "显存、带宽、通信、流水线",
        "激活、前向、反向、重计算、丢弃、显存、计算量",
        "张量并行 流水线并行 数据并行 AllReduce NVLink",
        "GIL threads bytecode lock reference counting C extension",
    ],
)
def test_bare_lists_are_recognised(text: str) -> None:
    assert reads_as_list(text)


@pytest.mark.parametrize(
    "text",
    [
        "占用率越高，核函数越快",
        "批越大吞吐越高。",
        "量化比蒸馏快",
        "先量化，再剪枝",
        "气体可以压缩",
        "The lower the temperature, the sharper the output.",
        "bigger batch, higher throughput",
    ],
)
def test_what_compares_in_few_words_is_said_even_where_nothing_else_is(text: str) -> None:
    assert not only_names(text)
    assert read_answer(text, ("温度和批大小有什么影响？",)).windows


def test_a_name_and_what_it_is_like_is_a_statement() -> None:
    assert not only_names("Ring 和 Tree，Ring 吃满带宽，Tree 延迟低；")
    assert only_names("Ring、Tree、带宽、延迟最低")


@pytest.mark.parametrize(
    "text",
    [
        "先验，后验，似然",
        "优先级，比例，比特",
        "对比学习，越狱，卓越",
        "tokenizer, decoder",
        "attention, softmax, scaling",
    ],
)
def test_names_are_names_whatever_they_are_made_of(text: str) -> None:
    assert only_names(text)


@pytest.mark.parametrize(
    "text",
    [
        "We split the matrices by columns.",
        "Tensor parallelism splits matrices across GPUs.",
        "sharding optimizer states reduces memory per GPU",
        "梯度累积，减少通信，提高吞吐",
        "重心法数据容易搜集，计算简单，容易理解",
        "张量并行切权重矩阵，流水线切层",
        "综合配送、专业配送",
        "RoPE",
        "bytes = 2 x layers x KV heads x head dimension x sequence length x batch size x bytes per element",
    ],
)
def test_terse_statements_are_no_lists(text: str) -> None:
    assert not reads_as_list(text)


@pytest.mark.parametrize(
    "answer",
    [
        QUESTION,
        "why does paging the kv cache save memory in an inference server",
        "So the question is why paging the KV cache saves memory in an inference server.",
    ],
)
def test_what_the_interviewer_said_is_no_evidence(answer: str) -> None:
    assert texts(answer) == []


def test_using_the_words_of_the_question_is_fine() -> None:
    answer = "Paging saves memory because blocks are allocated on demand."
    assert answer in texts(answer)


def test_names_are_points_of_their_own_kind() -> None:
    assert are_names(["综合配送", "专业配送"])
    assert are_names(["Binary Encoding"])
    assert not are_names(["The lock is released"])
    assert not are_names(["综合配送", "每张卡只保存一部分参数，用的时候再聚齐"])


def test_a_flood_is_cut_and_one_endless_sentence_is_divided() -> None:
    read = read_answer("we put it on the other card and " * 10_000, ())
    assert read.windows[-1].end <= READ_LIMIT
    assert max(len(window.text) for window in read.windows if window.sentences == 1) <= 500


def shuffled(text: str, seed: int) -> str:
    words = text.split()
    random.Random(seed).shuffle(words)
    return " ".join(words)


PROSE = (
    "When a request comes in, the server looks for a free block and writes the keys and values of the prompt into it."
    " As soon as the block is full it takes another one, so that no memory is reserved for tokens that may never be"
    " generated, and the blocks of a finished request go back to the pool at once."
)


def test_the_order_of_a_language_is_told_from_a_heap_of_its_words() -> None:
    prose = order_score(PROSE)
    assert prose is not None
    heaps = [order_score(shuffled(PROSE, seed)) for seed in range(20)]
    assert prose > 2.5
    assert sum(heap is not None and heap < prose / 2 for heap in heaps) >= 19


def test_order_is_not_judged_for_short_texts_formulas_and_other_languages() -> None:
    assert order_score("It is fast.") is None
    assert (
        order_score("a_i = 3(n-i+1), sum_{i=1}^{n} 2(n-i)^2 / n(n+1) = (2n+1)/3 and x = y | z for all of the n") is None
    )
    german = (
        "Da das Netzwerk überlastet ist, sollte man die Kodierung benutzen, weil jede Station dann mehr senden kann."
    )
    assert order_score(german * 2) is None


def test_people_are_hardly_ever_taken_for_a_heap(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "grading_dev" / "saf_en_train.jsonl").open(encoding="utf-8")]
    scores = [score for row in rows[::7] if (score := order_score(row["answer"])) is not None]
    assert len(scores) > 100
    assert sum(score < 0.5 for score in scores) / len(scores) < 0.02


@pytest.mark.parametrize(
    "formula",
    ["字节数 = 2 × 层数 × KV 头数 × 头维度 × 序列长度 × 批大小", "loss = data + penalty + prior + noise + bias"],
)
def test_a_formula_states_something(formula: str) -> None:
    assert not reads_as_list(formula)


def test_a_list_among_statements_is_notes_and_an_answer_of_lists_states_nothing() -> None:
    notes = (
        "The matrices are split by columns, so that each card computes its part alone. - NVLink, all-reduce, columns"
    )
    assert not read_answer(notes, ()).listed
    lists = "tensor parallelism, NVLink, all-reduce, columns, rows\nGradient norm, warmup, clipping"
    assert read_answer(lists, ()).windows == ()
    assert len(read_answer(lists, ()).listed) == 2


def test_short_notes_that_say_how_things_hang_together_are_no_list() -> None:
    notes = "DP：副本，梯度取平均；\nTP：劈矩阵，逐层 AllReduce，NVLink；\nPP = 按层分段，跨机"
    assert not read_answer(notes, ()).listed


ITEMS = "流程包括正文抽取、语言识别、启发式过滤、去重、质量打分、隐私与安全、配比与分词"


def test_a_list_that_a_point_asks_for_is_a_statement() -> None:
    assert read_answer(ITEMS, ()).listed
    assert not read_answer(ITEMS, (), points=(ITEMS, "去重避免模型背诵重复内容")).listed


def test_a_list_with_little_of_the_points_list_is_still_a_list() -> None:
    names = "MinHash、LSH、SimHash、后缀数组、并查集、困惑度、正文抽取、去重"
    assert read_answer(names, (), points=(ITEMS, "去重避免模型背诵重复内容")).listed


NAMES = ("综合配送", "专业配送", "应用广泛的配送", "不对称的配送")


@pytest.mark.parametrize(
    ("answer", "points", "asked"),
    [
        ("（1）综合配送（2）专业配送（3）应用广泛的配送（4）不对称的配送", NAMES, "配送分为哪几种？"),
        (
            "综合配送、专业配送。",
            ("配送按专业化程度分为综合配送、专业配送。", "每种配送各有用途"),
            "配送按专业化程度分为什么？",
        ),
        ("专业配送。", ("配送按专业化程度分为综合配送、专业配送。",), "配送按专业化程度分为什么？"),
        ("n/2\n(2n+1)/3", ("平均移动 n/2 个元素", "第二种情况是 (2n+1)/3"), "平均移动多少个？"),
        ("优点——运量大、运费低。缺点——速度慢。", ("运量大而且运费低廉，适合长途运输大宗的货物",), "优缺点是什么？"),
        ("10.0.0.0/8 private\n127.0.0.0/8 loopback", ("127.0.0.0/8 is reserved for loopback",), "Which are reserved?"),
        ("1.方便对第一个节点进行操作。\n2.方便进行空表操作。", ("任何节点都有前驱",), "头结点有什么用？"),
        ("3(n-i+1)\n队列先进先出\n栈先进后出", ("进队和出队的次序相同，进栈和出栈的次序相反",), "求 ai"),
    ],
)
def test_names_and_values_are_stated_where_they_are_what_was_asked_for(
    answer: str, points: tuple[str, ...], asked: str
) -> None:
    assert not read_answer(answer, (asked,), points).listed


@pytest.mark.parametrize(
    "answer",
    ["梯度、参数；规约、聚合；2Ψ、3Ψ、16Ψ/N；重算、卸载、预取。", "普通配送。", "综合配送、梯度裁剪、学习率、批大小。"],
)
def test_a_few_values_or_names_among_others_make_no_answer_of_a_list(answer: str) -> None:
    assert read_answer(answer, ("配送按专业化程度分为什么？",), ("配送按专业化程度分为综合配送、专业配送。",)).listed


POINTS = (
    "Weights are sharded: every rank keeps a slice of parameters, gradients and optimizer state",
    "An all-gather before a layer brings the parameters together, a reduce-scatter spreads the gradients",
)


@pytest.mark.parametrize(
    "talk",
    [
        "I have used all of these at work and would go through them one by one.",
        "These are common practice. It depends on the business. I know each well and could go on about every one.",
        "遇到的时候我会逐个看一遍，每一个都讲得很细。",
    ],
)
@pytest.mark.parametrize(
    "row",
    [
        "Parameters, gradients, optimizer state, shards, ranks, all-gather, reduce_scatter.",
        "- parameters, gradients\n- optimizer state, slice\n- all-gather, reduce-scatter\n- ranks, shards",
        "参数、梯度、optimizer state、分片、all-gather、reduce-scatter、rank。",
    ],
)
def test_talk_around_a_row_of_names_makes_no_statement_of_it(row: str, talk: str) -> None:
    for answer in (f"{row}\n{talk}", f"{talk}\n{row}"):
        assert {window.text for window in read_answer(answer, (), points=POINTS).windows} <= set(texts(talk, ()))


def test_a_row_of_names_beside_what_is_said_of_them_is_part_of_an_answer() -> None:
    answer = (
        "Parameters, gradients, optimizer state, moments, buffers, activations. The first three are cut into slices, "
        "one a rank. Before a layer runs, its parameters are gathered; after the backward pass a reduce-scatter "
        "leaves each rank the gradients of its own slice only."
    )
    assert not read_answer(answer, (), points=POINTS).listed


def test_terse_notes_with_labels_are_no_row() -> None:
    answer = "Shard: parameters, gradients, states, one slice a rank\nForward: all-gather\nBackward: reduce-scatter"
    assert not read_answer(answer, (), points=POINTS).listed
