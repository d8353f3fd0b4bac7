"""Bytes to text in the encodings people have."""

import codecs

import pytest

from interviewer.errors import DocumentError
from knowledge.documents.decoding import decode

TEXT = "1、什么是线程?\n答:线程是调度的单位,同一进程的线程共享内存。"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gbk", "gb18030"]
)
def test_chinese_in_any_encoding(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == TEXT


def test_traditional_chinese_in_big5() -> None:
    text = "什麼是執行緒?執行緒是排程的單位,它們共用記憶體,彼此之間的切換比較便宜。"
    assert decode(text.encode("big5")) == text


def test_western_text_in_an_old_encoding() -> None:
    text = "Qu'est-ce qu'un café très éloigné? Une réponse dûment donnée, à côté de la première."
    assert decode(text.encode("cp1252")) == text


def test_a_text_with_one_nul_is_still_text() -> None:
    assert decode(b"What is a NUL?\x00 A byte of zeros." * 20).startswith("What is a NUL?")


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 20, b"\x00\x01\x02" * 500, codecs.BOM_UTF8[:1] + b"\x80\x81\xfe" * 400]
)
def test_rubbish_is_no_text(data: bytes) -> None:
    with pytest.raises(DocumentError):
        decode(data)
