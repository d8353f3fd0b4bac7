"""Bytes to text: byte-order marks, UTF-8, UTF-16, the Chinese encodings, and rubbish told apart."""

import codecs
import re

from interviewer.worded import UnreadableError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COMMON_HAN = re.compile(r"[的是不了在有和为与对中用可以会这上下时个到大能要如数过行型成法方]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ODD = re.compile(r"[\x00-\x08\x0e-\x1f\ufffd\ue000-\uf8ff]")


def sound(text: str) -> str:
    """`text` with halves of surrogate pairs, which no encoding can hold, replaced."""
    return _SURROGATE.sub("\ufffd", text)


def decode(data: bytes) -> str:
    """The text of a file, without its byte-order mark.

    Raises:
        DocumentError: if the bytes are no text in any encoding known here.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff")
    if b"\x00" in data:
        return _utf16(data)
    for encoding in ("utf-8", "gb18030"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or _reads_as_chinese(text):
            return text
    return _guessed(data)


def _utf16(data: bytes) -> str:
    """Text with NUL bytes is UTF-16 without a mark, or no text at all."""
    candidates = []
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            candidates.append(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    for text in sorted(candidates, key=_oddness):
        if _oddness(text) < 0.01:
            return text
    if _oddness(text := data.decode("utf-8", errors="replace")) < 0.05:
        return text
    raise _not_text()


def _oddness(text: str) -> float:
    """0..1: the share of characters that no person types; unknown planes count too."""
    if not text:
        return 1.0
    rare = sum(1 for char in text[:20_000] if not _is_plausible(char))
    return rare / min(len(text), 20_000)


def _is_plausible(char: str) -> bool:
    code = ord(char)
    if code < 0x20:
        return char in "\t\n\r\f\v"
    known = code < 0x0600 or 0x2000 <= code <= 0x2BFF or 0x3000 <= code <= 0x30FF or 0x4E00 <= code <= 0x9FFF
    return known or 0xFF00 <= code <= 0xFFEF or 0x1F000 <= code <= 0x1FAFF


def _reads_as_chinese(text: str) -> bool:
    """Nearly any bytes decode as GB18030; real Chinese is full of its commonest characters."""
    han = len(_HAN.findall(text))
    return han > 0 and len(_COMMON_HAN.findall(text)) >= han * 0.04 and _oddness(text) < 0.02


def _guessed(data: bytes) -> str:
    from charset_normalizer import from_bytes

    runs = re.findall(rb"[\x80-\xff]+", data[:200_000])
    if sum(1 for run in runs if len(run) == 1) > 0.8 * len(runs):
        return data.decode("cp1252", errors="replace")
    best = from_bytes(data[:200_000]).best()
    if best is None:
        raise _not_text()
    text = data.decode(best.encoding, errors="replace")
    if len(_ODD.findall(text)) > len(text) * 0.02:
        raise _not_text()
    return text


def _not_text() -> UnreadableError:
    return UnreadableError("document_no_text")
