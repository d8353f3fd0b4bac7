"""The words of a text, in a form that two spellings of the same thing share. Chinese is cut by jieba, loaded lazily."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from interviewer.language import fold
from interviewer.segmenting import cut_words

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z][a-z0-9_]*(?:[+#]+)?|\d+(?:[.,]\d+)*%?")
_REMEMBERED = 4096
_LONGEST_WORD = 40
_UNKNOWN = 0.9
_STOP_EN_TEXT = (
    "a an the this that these those it its they them their he she his her we you your i me my our us one ones "
    "is are was were be been being am do does did doing done have has had having will would can could shall "
    "should may might must to of in on at by for with from into onto as than then so and or if but because "
    "since while when where which who whom whose what why how there here also just very much more most some "
    "any each other such only own same too about over under again further once both between through during "
    "before after above below up down out off all every few lot lots etc eg ie via per really basically "
    "actually simply thing things something way ways kind like get gets got getting make makes made making "
    "let use used uses using think know mean means say says said want need needs go goes going come put take "
    "give well ok okay yes however therefore thus hence usually often always example called not no never nor "
    "neither none nothing s t d ll re ve m don isn aren doesn didn won wouldn couldn shouldn wasn weren haven "
    "hasn hadn cannot"
)
_STOP_EN = frozenset(_STOP_EN_TEXT.split())
_STOP_ZH_TEXT = (
    "的 了 和 是 在 有 也 就 都 而 及 与 或 着 被 把 对 从 到 等 这 那 它 他 她 我 你 您 我们 你们 他们 它们 "
    "这个 那个 这些 那些 一个 一些 一种 这样 那样 其 之 以 于 为 所 并 并且 而且 但 但是 因为 所以 因此 如果 "
    "那么 然后 时 时候 中 里 上 下 个 种 些 会 要 可以 能 能够 可能 应该 需要 进行 通过 使用 用 利用 采用 来 "
    "去 让 使 使得 给 做 说 看 想 就是 也就是 比如 例如 主要 一般 通常 非常 很 更 最 比较 还 还是 又 再 则 即 "
    "如 由 每 各 该 此 某 啊 呢 吧 吗 嘛 呀 哦 嗯 得 地 过 没 没有 不 不是 非 无 什么 怎么 如何 为什么 哪 "
    "哪些 多少 几 谁 其实 那 首先 其次 最后 另外 此外 同时 以及 关于 对于 根据 方面 情况 东西 问题 觉得 认为 "
    "这里 那里 一下 一点 有些 起来 出来 下来"
)
_STOP_ZH = frozenset(_STOP_ZH_TEXT.split())
_SUFFIXES = (
    ("izations", "iz"),
    ("ization", "iz"),
    ("isation", "iz"),
    ("ising", "iz"),
    ("ised", "iz"),
    ("ises", "iz"),
    ("ise", "iz"),
    ("ations", ""),
    ("ation", ""),
    ("ating", ""),
    ("ated", ""),
    ("ates", ""),
    ("ate", ""),
    ("ments", ""),
    ("ment", ""),
    ("ities", ""),
    ("ity", ""),
    ("ingly", ""),
    ("edly", ""),
    ("ings", ""),
    ("ing", ""),
    ("ions", ""),
    ("ion", ""),
    ("iers", "y"),
    ("ier", "y"),
    ("ies", "y"),
    ("ied", "y"),
    ("ers", ""),
    ("er", ""),
    ("ors", ""),
    ("or", ""),
    ("eds", ""),
    ("ed", ""),
    ("ly", ""),
    ("al", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)
_IRREGULAR = {
    "ran": "run",
    "kept": "keep",
    "held": "hold",
    "sent": "send",
    "built": "build",
    "lost": "lose",
    "less": "less",
    "fewer": "less",
    "left": "leave",
    "grew": "grow",
    "grown": "grow",
    "wrote": "write",
    "written": "write",
    "split": "split",
    "broken": "break",
    "broke": "break",
    "slower": "slow",
    "faster": "fast",
    "bigger": "big",
    "larger": "large",
    "smaller": "small",
    "higher": "high",
    "lower": "low",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "data": "data",
    "bus": "bus",
    "gpu": "gpu",
    "gpus": "gpu",
}


class Term(NamedTuple):
    """One word of a text.

    Attributes:
        key: What equal words share: a stem, a Chinese word, a number.
        start: Offset in the folded text.
        surface: The word as folded.
    """

    key: str
    start: int
    surface: str


def list_terms(text: str) -> list[Term]:
    """The words of a text in order, without function words; negations are function words here."""
    return list(_list_terms(text))


@lru_cache(maxsize=_REMEMBERED)
def _list_terms(text: str) -> tuple[Term, ...]:
    folded = fold(text)
    found: list[Term] = []
    for match in _RUN.finditer(folded):
        run = match[0]
        if "\u3400" <= run[0] <= "\u9fff":
            found.extend(_chinese(run, match.start()))
        elif run not in _STOP_EN:
            found.append(Term(stem(run), match.start(), run))
    return tuple(found)


def keys(text: str) -> list[str]:
    """The keys of `list_terms`."""
    return [term.key for term in list_terms(text)]


def all_keys(text: str) -> list[str]:
    """The keys of all words of a text in order, function words included."""
    found: list[str] = []
    for match in _RUN.finditer(fold(text)):
        run = match[0]
        found.extend(cut_words(run) if "\u3400" <= run[0] <= "\u9fff" else [stem(run)])
    return found


@lru_cache(maxsize=1)
def _word_weights() -> dict[str, float]:
    text = files("interviewer.grading").joinpath("data/words.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights


def weight(key: str) -> float:
    """0..1: how telling a word is; common words of technical text weigh less, unknown ones 0.9."""
    return _word_weights().get(key, _UNKNOWN)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light English stem: endings cut off while at least three letters remain; numbers lose thousands commas."""
    if word[0].isdigit():
        return word.replace(",", "")
    if word in _IRREGULAR or len(word) <= 3 or not word.isascii():
        return _IRREGULAR.get(word, word)
    word = word[:_LONGEST_WORD]
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith(("ss", "us", "is")):
            return _undouble((word[: len(word) - len(suffix)] + replacement).removesuffix("e"))
    return word


def _undouble(word: str) -> str:
    """running -> run, controlled -> control; process and small keep their double letter."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word


def _chinese(run: str, start: int) -> Iterator[Term]:
    at = start
    for word in cut_words(run):
        if word not in _STOP_ZH:
            yield Term(word, at, word)
        at += len(word)


@lru_cache(maxsize=50_000)
def word_similarity(a: str, b: str) -> float:
    """0..1: how alike two keys are spelt; catches endings, typos and compounds that were cut differently."""
    if a == b:
        return 1.0
    if a[0].isdigit() or b[0].isdigit():
        return 0.0
    if not (a.isascii() and b.isascii()):
        return _shared_characters(a, b)
    if min(len(a), len(b)) < 4:
        return 0.0
    pieces_a, pieces_b = _pieces(a), _pieces(b)
    return 2 * len(pieces_a & pieces_b) / (len(pieces_a) + len(pieces_b))


def _pieces(word: str) -> frozenset[str]:
    marked = f"^{word}"
    return frozenset(marked[i : i + 3] for i in range(len(marked) - 2))


def _shared_characters(a: str, b: str) -> float:
    """Chinese words: one within the other, or most characters shared."""
    if a.isascii() or b.isascii():
        return 0.0
    shared = len(set(a) & set(b))
    return shared / max(len(set(a)), len(set(b))) if shared and max(len(a), len(b)) > 1 else 0.0
