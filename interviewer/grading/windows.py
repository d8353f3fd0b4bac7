"""An answer cut into the pieces that can be evidence: sentences and neighbouring pairs, without what was copied."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from interviewer.grading.formulas import gives_values
from interviewer.grading.listing import (
    FEWEST_IN_ROW,
    RELATION,
    is_talked_list,
    names_in_a_row,
    only_names,
    reads_as_list,
)
from interviewer.grading.naming import are_items, are_names, asked_names, is_item, only_denied
from interviewer.grading.opposites import negations
from interviewer.grading.order import order_score
from interviewer.grading.terms import Term, keys, list_terms
from interviewer.language import fold, sentences

READ_LIMIT = 24_000
"""Characters of an answer that are read; no interview answer is longer, and grading stays quick on a flood."""

_MOST_SENTENCES = 160
_PAIR_LIMIT = 400
_LONG_SENTENCE = 240
_LONGEST_SAID = 400
_STRETCH = 4
_FEWEST_TALKED = 5
_CLAUSE_END = re.compile(r"(?<=[，,、])\s*|\s+(?=(?:and|but|so|because|which|while|whereas)\s)")
_TOKEN = re.compile(r"[a-z0-9_]+|[\u3400-\u4dbf\u4e00-\u9fff]")
_MOSTLY, _NEARLY_ALL, _ROWS = 0.55, 0.8, 0.6
_VALUES = 0.5
_FEWEST_TELLING = 6
_FEWEST_NOTES, _NOTES = 2, 0.4
_SAYS_ITEMS, _OWN_ITEMS = 0.6, 0.8

_TALK = (
    "note fully grader grading grade score scoring full marks point points rubric criteria criterion covered cover "
    "complete completely correct correctly candidate interviewer examiner answer answered answers question "
    "asked ask hint hints hinted good great important interesting perfect perfectly verdict reason explained explain "
    "every detail depth precisely instructions previous ignore system prompt 评分 打分 满分 得分 分数 评分员 考官 "
    "评委 候选人 面试官 回答 答案 问题 题目 这道题 这个 要点 标准 覆盖 全面 完整 完全 准确 正确 深入 说明 "
    "每一个 全部 所有 细节 重要 很好 注意 作为 指令 忽略 之前 系统 提示 关于 觉得 考察"
)

_HOLLOW = (
    "important useful right correct good great key crucial necessary essential vital significant relevant valuable "
    "helpful proper properly correctly well done clear clearly obvious obviously precise precisely thorough thoroughly "
    "comprehensive comprehensively elegant elegantly answer explanation conclusion finally overall indeed matter "
    "matters 重要 有用 关键 必要 正确 对 好 很好 做对 做好 总之 综上 所述 再次 最后 显然 准确 全面 正确地 准确地 "
    "全面地 显然地 深入 优雅 清晰 完整 答案 解释 回答"
)
_COUNTED = re.compile(r"(?:first|second|third|fourth)(?:ly)?\s*,|第[一二三四]\s*[，,、：:]")


class Window(NamedTuple):
    """A piece of the answer.

    Attributes:
        start: Offset into the answer; `answer[start:end]` is the text.
        keys: Its words, in order.
        sentences: Number of sentences: 1, or 2 for a pair.
    """

    start: int
    end: int
    text: str
    keys: tuple[str, ...]
    sentences: int


class Said(NamedTuple):
    """A text of the interviewer, as tokens in order and as words."""

    tokens: list[str]
    keys: frozenset[str]


class Answer(NamedTuple):
    """What is looked at when an answer is graded.

    Attributes:
        text: The answer as given.
        windows: Every sentence that states something, then neighbouring pairs; copied sentences are left out, hollow
            praise beside others, and bare lists of words in an answer that consists of them.
        listed: Those bare lists of words: they mention, they do not state.
        copied: Sentences that repeat what the interviewer said.
        terms: The words of all windows, in order.
        order: See `order_score`; None where it can't be told.
    """

    text: str
    windows: tuple[Window, ...]
    listed: tuple[Window, ...]
    copied: tuple[Window, ...]
    terms: tuple[Term, ...]
    order: float | None = None


def read_answer(text: str, asked: Sequence[str], points: Sequence[str] = ()) -> Answer:
    """`text` cut into windows. At most the first `READ_LIMIT` characters are read.

    Args:
        asked: What the interviewer said; sentences copied from it are left out.
        points: Texts of the points. Where they are names, or the items of a list, lists are an answer; else a list is
            one that says what a point lists or names where the question says the rest, and little else.
    """
    said = [Said(_TOKEN.findall(fold(part))[:_LONGEST_SAID], frozenset(keys(part))) for part in asked]
    own: list[Window] = []
    copied: list[Window] = []
    for window in _sentence_windows(text[:READ_LIMIT]):
        (copied if _is_copied(window, said) else own).append(window)
    own = [window for window in own if not _is_hollow(window)] or own
    listed: list[Window] = []
    if not points or not (are_names(points) or are_items(points)):
        telling = frozenset(key for point in points for key in keys(point))
        wanted = _wanted(points, frozenset(key for part in said for key in part.keys))
        listed = [window for window in _listed(own, telling) if not _says_list(window, wanted)]
    stated = [window for window in own if window not in listed]
    order = order_score(" ".join(window.text for window in stated))
    terms = tuple(term for window in stated for term in list_terms(window.text))
    return Answer(text, (*stated, *_pairs(text, stated)), tuple(listed), tuple(copied), terms, order)


def where_named(answer: Answer, name: str, asked: Sequence[str]) -> Window | None:
    """The sentence that says a name in whole, apart from what the question says, and denies nothing."""
    wanted = frozenset(keys(name)) - {key for text in asked for key in keys(text)}
    saying = (window for window in answer.windows if window.sentences == 1 and wanted <= frozenset(window.keys))
    undenied = (w for w in saying if not only_denied(name, w.text) and not negations(fold(w.text)))
    return next(undenied, None) if wanted else None


def keep_sentences(answer: Answer, kept: Sequence[bool]) -> Answer:
    """`answer` with some of its sentences alone.

    Args:
        kept: For each window of one sentence, in order.
    """
    single = [window for window in answer.windows if window.sentences == 1]
    stated = [window for window, keep in zip(single, kept, strict=True) if keep]
    terms = tuple(term for window in stated for term in list_terms(window.text))
    return answer._replace(windows=(*stated, *_pairs(answer.text, stated)), terms=terms)


def _listed(windows: Sequence[Window], telling: frozenset[str]) -> list[Window]:
    """The bare lists of terms, where they are what the answer consists of; notes between statements do state.

    How much of the answer a long row of names is, is counted in the words that occur in the points: what else is said
    around it does not make it less of a list. In an answer of numbers and formulas these are what is stated.
    """
    values = [window for window in windows if gives_values(window.text)]
    if len(values) < _VALUES * len(windows):
        values = []
    related = [window for window in windows if RELATION.search(fold(window.text))]
    notes = len(related) >= max(_FEWEST_NOTES, _NOTES * len(windows))
    strict = [w for w in windows if reads_as_list(w.text) and not (notes and w in related)]
    if _share(strict, windows) < _MOSTLY:
        strict = []
    loose = [window for window in windows if window in strict or only_names(window.text)]
    if _share(loose, windows) >= _NEARLY_ALL:
        strict = loose
    if not strict:
        rows = _rows(windows)
        strict = rows if _share(rows, windows, telling) >= _ROWS else []
    strict = [window for window in strict if window not in values]
    return [window for window in windows if window in strict or is_talked_list(window.text)]


def _share(some: Sequence[Window], windows: Sequence[Window], telling: frozenset[str] | None = None) -> float:
    """How much of all windows these are, in words, or in words of `telling`."""

    def size(window: Window) -> int:
        return sum(telling is None or key in telling for key in window.keys)

    return sum(map(size, some)) / max(sum(map(size, windows)), 1 if telling is None else _FEWEST_TELLING)


class _Wanted(NamedTuple):
    """What a point lists or names.

    Attributes:
        share: How much of it a list must say to be an answer.
    """

    keys: frozenset[str]
    share: float


def _wanted(points: Sequence[str], asked: frozenset[str]) -> list[_Wanted]:
    lists = [_Wanted(frozenset(keys(point)), _SAYS_ITEMS) for point in points if reads_as_list(point) or is_item(point)]
    named = [_Wanted(frozenset(keys(asked_names(point, asked))), 0.0) for point in points]
    return [each for each in (*lists, *named) if each.keys]


def _says_list(window: Window, wanted: Sequence[_Wanted]) -> bool:
    """Whether a list is what a point lists: enough of it, and little from elsewhere."""
    own = frozenset(window.keys)
    return any(
        own & each.keys and len(own & each.keys) >= max(each.share * len(each.keys), _OWN_ITEMS * len(own))
        for each in wanted
    )


def _rows(windows: Sequence[Window]) -> list[Window]:
    """The windows that together are a long row of short names, such as the items of a list on lines of their own."""
    rows = [window for window in windows if names_in_a_row(window.text)]
    return rows if sum(names_in_a_row(window.text) for window in rows) >= FEWEST_IN_ROW else []


def _sentence_windows(text: str) -> list[Window]:
    windows: list[Window] = []
    at = 0
    for sentence in sentences(text)[:_MOST_SENTENCES]:
        for piece in _bounded(sentence):
            start = text.find(piece, at)
            if start < 0:
                continue
            at = start + len(piece)
            windows.append(Window(start, at, piece, tuple(keys(piece)), 1))
    return windows


def _bounded(sentence: str) -> list[str]:
    """A sentence, or its clauses gathered to about `_LONG_SENTENCE` characters where it never ends."""
    if len(sentence) <= _LONG_SENTENCE:
        return [sentence]
    pieces: list[str] = []
    start = 0
    for cut in [*(match.start() for match in _CLAUSE_END.finditer(sentence)), len(sentence)]:
        while cut - start > _LONG_SENTENCE * 2:
            pieces.append(sentence[start : start + _LONG_SENTENCE])
            start += _LONG_SENTENCE
        if cut - start > _LONG_SENTENCE / 2 or cut == len(sentence):
            pieces.append(sentence[start:cut])
            start = cut
    return [piece.strip() for piece in pieces if piece.strip()]


def _pairs(text: str, windows: Sequence[Window]) -> list[Window]:
    """Two short sentences that stand together often make one statement."""
    pairs: list[Window] = []
    for a, b in pairwise(windows):
        if b.end - a.start <= _PAIR_LIMIT and b.start - a.end <= 3:
            pairs.append(Window(a.start, b.end, text[a.start : b.end], a.keys + b.keys, 2))
    return pairs


def _is_copied(window: Window, said: Sequence[Said]) -> bool:
    """Whether a sentence only repeats the interviewer: in stretches word for word, or wrapped in talk about grading."""
    tokens = _TOKEN.findall(fold(window.text))
    for part in said:
        own = [key for key in window.keys if key not in part.keys]
        if own and len(own) < len(window.keys) >= _FEWEST_TALKED and all(key in _talk() for key in own):
            return True
        if not own:
            blocks = SequenceMatcher(None, tokens, part.tokens, autojunk=False).get_matching_blocks()
            if sum(block.size for block in blocks if block.size >= _STRETCH) >= 0.85 * len(tokens):
                return True
    return False


def _is_hollow(window: Window) -> bool:
    """Whether a sentence praises or counts and says of nothing what it is: read beside a point it might be about it."""
    text = fold(window.text)
    if negations(text):
        return False
    said = keys(_COUNTED.sub(" ", text))
    return bool(said) and all(key in _hollow() for key in said)


@cache
def _hollow() -> frozenset[str]:
    return frozenset(keys(_HOLLOW))


@cache
def _talk() -> frozenset[str]:
    """Words of talk about questions, answers and grades: around the words of the question they say nothing."""
    return frozenset(keys(_TALK))
