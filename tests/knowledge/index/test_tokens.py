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


def test_plural_endings_are_dropped() -> None:
    assert [stem(word) for word in ("gas", "loss", "status", "losses", "tokens", "caches", "cache")] == [
        "gas",
        "loss",
        "status",
        "loss",
        "token",
        "cach",
        "cach",
    ]


@given(st.text(max_size=300))
def test_any_text_gives_folded_terms_without_white_space(text: str) -> None:
    for term in list_terms(text):
        assert term
        assert not any(character.isspace() or character == "\0" for character in term)
        assert term == term.casefold()
