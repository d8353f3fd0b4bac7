"""Ranking by words."""

import pytest

from interviewer.models import Point, Question
from knowledge.index import lexical as module
from knowledge.index.lexical import LexicalIndex
from tests.knowledge.index.conftest import make_question


@pytest.fixture
def lexical(questions: list[Question]) -> LexicalIndex:
    found = LexicalIndex()
    found.put(questions)
    return found


def best(lexical: LexicalIndex, query: str) -> str | None:
    scores = lexical.scores(query)
    return max(scores, key=lambda i: scores[i]) if scores else None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("缓存为什么能加快解码", "cache"),
        ("kvcache", "cache"),
        ("多张卡的梯度怎么汇总", "allreduce"),
        ("allreduce", "allreduce"),
        ("ALL REDUCE traffic", "allreduce"),
        ("w8a16", "quant"),
        ("weight-only int8", "quant"),
        ("torch compile", "compile"),
        ("fuse kernels", "compile"),
        ("过拟合", "overfit"),
        ("正则化和早停", "overfit"),
    ],
)
def test_question_with_the_words_comes_first(lexical: LexicalIndex, query: str, expected: str) -> None:
    assert best(lexical, query) == expected


@pytest.mark.parametrize("query", ["", "   ", "？！…", "\0\0", "🙂🙂", "zxqvw", "什么是", "the of"])
def test_query_without_known_terms_finds_nothing(lexical: LexicalIndex, query: str) -> None:
    assert lexical.scores(query) == {}


def test_question_is_found_by_its_probes() -> None:
    point = Point(id="p", text={"zh": "点"}, probe={"zh": "如果什么都不存会怎样"})
    lexical = LexicalIndex()
    lexical.put([make_question("cache", "键值缓存？|见下。", points=(point,)), make_question("other", "别的？|别的。")])
    assert best(lexical, "什么都不存") == "cache"


def test_scores_are_shares_of_the_query(lexical: LexicalIndex) -> None:
    whole, half = lexical.scores("torch.compile"), lexical.scores("torch.compile 过拟合")
    assert 0 < half["compile"] < whole["compile"] < 1


def test_removed_question_is_not_found(lexical: LexicalIndex) -> None:
    lexical.remove(["compile", "never there"])
    assert best(lexical, "torch.compile") is None


def test_edited_question_is_found_by_its_new_words_only(lexical: LexicalIndex, questions: list[Question]) -> None:
    edited = questions[4].model_copy(
        update={"question": {"zh": "模型欠拟合了怎么办？"}, "reference": {"zh": "换大一点的模型。"}}
    )
    lexical.put([edited])
    assert best(lexical, "欠拟合") == "overfit"
    assert best(lexical, "早停") is None


def test_overlap_is_the_share_of_the_query_that_a_text_holds(lexical: LexicalIndex) -> None:
    most, some, none = lexical.overlap("gradients of every GPU", ["the gradients of each GPU", "a GPU", "decoding"])
    assert most > some > none == 0


def test_empty_index_finds_nothing() -> None:
    assert LexicalIndex().scores("cache") == {}
    assert LexicalIndex().overlap("cache", ["cache"]) == [0.0]


def test_a_passage_is_read_once_however_many_answers_it_is_compared_with(lexical, monkeypatch):
    read = []
    real = module.list_terms
    monkeypatch.setattr(module, "list_terms", lambda text: read.append(text) or real(text))
    passage = "The cache keeps keys and values of every token decoded so far, once."
    first = lexical.overlap("why does a cache speed up decoding", [passage])
    assert lexical.overlap("why does a cache speed up decoding", [passage]) == first != [0.0]
    assert read.count(passage) == 1
