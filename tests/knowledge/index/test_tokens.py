"""Search terms: folding, Chinese words, technical terms in every spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.index.tokens import list_query_terms, list_terms, stem


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("KV-cache", "kvcache"),
        ("KV cache", "kvcache"),
        ("kvcache", "kv cache"),
        ("kv_cache", "KV-Cache"),
        ("All-Reduce", "allreduce"),
        ("AllReduce", "all reduce"),
        ("allreduce", "all-reduce"),
        ("W8A16", "w8a16"),
        ("W8A16", "w8-a16"),
        ("W8 A16", "W8A16"),
        ("torch.compile", "torch compile"),
        ("torch.compile", "torchcompile"),
        ("INT8", "int-8"),
        ("int 8", "INT8"),
        ("ＩＮＴ８", "int8"),
        ("FlashAttention", "flash-attention"),
        ("flash attention", "FlashAttention"),
        ("bf16/fp16", "BF16"),
        ("C++", "c++"),
        ("caches", "cache"),
        ("batches", "batch"),
        ("queries", "query"),
        ("梯度累积", "梯度"),
    ],
)
def test_term_is_found_in_another_spelling(written: str, searched: str) -> None:
    known = set(list_terms(written))
    assert known & set(list_query_terms(searched, known))


@pytest.mark.parametrize(("written", "searched"), [("C++", "c"), ("0.9", "9"), ("loss", "los")])
def test_other_terms_stay_apart(written: str, searched: str) -> None:
    known = set(list_terms(written))
    assert not known & set(list_query_terms(searched, known))


def test_words_that_say_nothing_are_dropped() -> None:
    assert list_terms("What is the 是什么？") == []


def test_zero_width_characters_do_not_split_a_word() -> None:
    assert list_terms("gra\u200bdient") == ["gradient"]


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "quantize quantise quantized quantised quantizing quantization quantisation",
        "batch batches batched batching",
        "generate generated generation generates",
        "embedding embeddings embed",
        "query queries",
        "loss losses",
        "compile compiled compiling compiles",
        "fp32 float32 FP32",
        "bf16 bfloat16 BF16",
    ],
)
def test_forms_of_a_word_are_one_term(family: str) -> None:
    assert len(set(list_terms(family))) == 1


@pytest.mark.parametrize("word", ["gas", "status", "speed", "string", "need", "attention", "w8a16", "naïve"])
def test_words_that_only_look_like_forms_are_kept(word: str) -> None:
    assert stem(word) == word


@given(st.text(max_size=300))
def test_any_text_gives_folded_terms_without_white_space(text: str) -> None:
    for term in list_terms(text):
        assert term
        assert not any(character.isspace() or character == "\0" for character in term)
        assert term == term.casefold()
