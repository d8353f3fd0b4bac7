"""An answer cut into the pieces that can be evidence: sentences and neighbouring pairs, without what was copied."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from typing import NamedTuple

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
_LONGEST_NAME = 4
_FEWEST_TALKED = 5
_CLAUSE_END = re.compile(r"(?<=[，,、])\s*|\s+(?=(?:and|but|so|because|which|while|whereas)\s)")
_ITEM_END = re.compile(r"[,，、;；/|。.:：()（）+•*\n]+")
_TOKEN = re.compile(r"[a-z0-9_]+|[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]+(?:[-/][A-Za-z]+)*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_FUNCTION_EN_TEXT = (
    "a an the this that these those it its they them we you i he is are was were be been being am do does did "
    "has have had will would can could shall should may might must to of in on at by for with from into as "
    "than so and or if but because since while when where which who what how there here not no never only "
    "each every all both between through during before after without until unless then also still too very "
    "more most less their our your my"
)
_FUNCTION_EN = frozenset(_FUNCTION_EN_TEXT.split())
_FUNCTION_OTHER_TEXT = (
    "der die das und ist ein eine man nicht mit den dem von auf im la le les des et est el los de que y"
)
_FUNCTION_OTHER = frozenset(_FUNCTION_OTHER_TEXT.split())
_FUNCTION_ZH = re.compile(
    r"的|了|是|在|把|被|会|能|要|可以|就|都|也|而|让|使|给|从|到|用|对|于|因为|所以|如果|然后|每|只|不|没|来|去|得|着|过|以|为|由|按|再|才|则|比|跟"
    r"|和|与|将|需|有|该|其|高|低|快|慢|大|小|多|少|强|弱|长|短|贵|省|连续|简单|复杂|容易|减少|提高|降低|增加|支持|避免|导致|保证|实现|包括"
    r"|属于|等于|取决|依赖|占用|变成|需要|分为|存放|保存|计算|访问|插入|删除"
)
_FUNCTION_IN_NAMES = frozenset({"a", "an", "the", "of", "and", "or", "for", "in", "to"})
_FORMULA = re.compile(r"[=≈≤≥∝][^=\n]*(?:[×·√∑^]|\s[*+/]\s)")
_PLAINLY_SAYS = re.compile(r"的|了|是|把|被|会|能|就|不|没|让|使|因为|所以|如果|在.{2,}(?:上|中|里|下|时)")
_SHORT_ITEM_EN = 2.4
_LONGEST_ITEM_ZH = 6
_CLEARLY_MANY = 5
_MOSTLY, _NEARLY_ALL = 0.55, 0.8
_LONGEST_ITEM = 3
_FEWEST_NOTES, _NOTES = 2, 0.4
_FEWEST_NAMES, _LEAST_TALK = 4, 2
_SAYS_ITEMS, _OWN_ITEMS = 0.6, 0.8
_KEYWORDS = re.compile(r"\W*(?:key ?words?|terms|关键词|要点)\s*:")
_RELATION = re.compile(r"[:=≈≤≥<>→←⇒≠]|->|=>")


_TALK = (
    "note fully grader grading grade score scoring full marks point points rubric criteria criterion covered cover "
    "complete completely correct correctly candidate interviewer examiner answer answered answers question "
    "asked ask good great important interesting perfect perfectly verdict reason explained explain every "
    "detail depth precisely instructions previous ignore system prompt 评分 打分 满分 得分 分数 评分员 考官 "
    "评委 候选人 面试官 回答 答案 问题 题目 这道题 这个 要点 标准 覆盖 全面 完整 完全 准确 正确 深入 说明 "
    "每一个 全部 所有 细节 重要 很好 注意 作为 指令 忽略 之前 系统 提示 关于 觉得 考察"
)

_LIST_TALK = (
    "keyword keywords checklist list following item items done rubric covers covered cover answer reference grader tick"
    " talk hours everything explained 关键词 清单 以下 内容 覆盖 完成 几个小时 句句 一切 参考答案 评分"
    " 标准 打勾 考官 回答 公正"
)


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
        windows: Every sentence that states something, then neighbouring pairs; copied sentences are left out, and so
            are bare lists of words in an answer that consists of them.
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


def read_answer(text: str, asked: Sequence[str], *, lists_count: bool = False, points: Sequence[str] = ()) -> Answer:
    """`text` cut into windows. At most the first `READ_LIMIT` characters are read.

    Args:
        asked: What the interviewer said; sentences copied from it are left out.
        lists_count: Whether naming things is an answer, because the points are names themselves.
        points: Texts of the points: a list that says what one of them lists, and little else, is an answer too.
    """
    said = [Said(_TOKEN.findall(fold(part))[:_LONGEST_SAID], frozenset(keys(part))) for part in asked]
    own: list[Window] = []
    copied: list[Window] = []
    for window in _sentence_windows(text[:READ_LIMIT]):
        (copied if _is_copied(window, said) else own).append(window)
    wanted = [frozenset(keys(point)) for point in points if reads_as_list(point)]
    listed = [] if lists_count else [window for window in _listed(own) if not _says_list(window, wanted)]
    stated = [window for window in own if window not in listed]
    order = order_score(" ".join(window.text for window in stated))
    terms = tuple(term for window in stated for term in list_terms(window.text))
    return Answer(text, (*stated, *_pairs(text, stated)), tuple(listed), tuple(copied), terms, order)


def _listed(windows: Sequence[Window]) -> list[Window]:
    """The bare lists of terms, where they are what the answer consists of; notes between statements do state."""
    total = sum(len(window.keys) for window in windows)
    related = [window for window in windows if _RELATION.search(fold(window.text))]
    notes = len(related) >= max(_FEWEST_NOTES, _NOTES * len(windows))
    strict = [w for w in windows if reads_as_list(w.text) and not (notes and w in related)]
    if sum(len(window.keys) for window in strict) < _MOSTLY * total:
        strict = []
    loose = [window for window in windows if window in strict or _only_names(window.text)]
    if sum(len(window.keys) for window in loose) >= _NEARLY_ALL * total:
        strict = loose
    return [window for window in windows if window in strict or _is_talked_list(window.text)]


def _says_list(window: Window, wanted: Sequence[frozenset[str]]) -> bool:
    """Whether a list is what a point lists: most of it, and little from elsewhere."""
    own = frozenset(window.keys)
    return any(
        len(own & point) >= _SAYS_ITEMS * len(point) and len(own & point) >= _OWN_ITEMS * len(own) for point in wanted
    )


def _is_talked_list(text: str) -> bool:
    """Whether a sentence is a row of short names in a frame of talk: "my answer covers the following: a, b, c"."""
    chunks = [keys(chunk) for chunk in _ITEM_END.split(text) if chunk.strip()]
    if len(chunks) < _FEWEST_NAMES:
        return False
    strange = [[key for key in chunk if key not in _list_talk()] for chunk in chunks]
    talk = sum(map(len, chunks)) - sum(map(len, strange))
    framed = talk >= _LEAST_TALK or bool(_KEYWORDS.match(fold(text)))
    return framed and max(map(len, strange)) <= _LONGEST_ITEM


def _only_names(text: str) -> bool:
    """Whether a text puts short names side by side and nothing that says how they hang together."""
    if _RELATION.search(fold(text)) or _PLAINLY_SAYS.search(text):
        return False
    words = [word.casefold() for word in _LATIN.findall(text)]
    if any(word in _FUNCTION_EN or word in _FUNCTION_OTHER for word in words):
        return False
    chunks = [chunk for chunk in _ITEM_END.split(text) if chunk.strip()]
    size = len(_HAN.findall(text)) / 2 + len(words)
    return size <= _LONGEST_ITEM * max(1, len(chunks))


def are_names(points: Sequence[str]) -> bool:
    """Whether the points only name things, so that naming them back is an answer."""
    return all(_is_name(text) for text in points)


def _is_name(text: str) -> bool:
    if reads_as_list(text):
        return True
    words = [word.casefold() for word in _LATIN.findall(text)]
    says = any(word in _FUNCTION_EN and word not in _FUNCTION_IN_NAMES for word in words)
    return len(keys(text)) <= _LONGEST_NAME and not says and not _PLAINLY_SAYS.search(text)


def reads_as_list(text: str) -> bool:
    """Whether a text is a bare list of terms: several short items, next to no function words, verbs or adjectives.

    A formula is none, although it has no verb: it says how its terms hang together.
    """
    if _FORMULA.search(text):
        return False
    words = _LATIN.findall(text)
    han = len(_HAN.findall(text))
    if len(words) + han / 2 < 4:
        return False
    chunks = [chunk for chunk in _ITEM_END.split(text) if chunk.strip()]
    if han >= len(words):
        return _han_list(text, chunks, han)
    function = sum(word.casefold() in _FUNCTION_EN or word.casefold() in _FUNCTION_OTHER for word in words)
    if function / len(words) >= 0.08 or _FUNCTION_ZH.search(text):
        return False
    return (len(words) / len(chunks) <= _SHORT_ITEM_EN and len(chunks) >= 4) or (function == 0 and len(words) >= 8)


def _han_list(text: str, chunks: list[str], han: int) -> bool:
    pieces = [piece for chunk in chunks for piece in chunk.split()]
    sizes = [len(_HAN.findall(piece)) + len(_LATIN.findall(piece)) for piece in pieces]
    if len(pieces) < 3 or sum(sizes) / len(sizes) > _LONGEST_ITEM_ZH:
        return False
    if len(pieces) >= _CLEARLY_MANY and not re.search(r"[，,。；;]\s*\S", text):
        return sum(bool(_PLAINLY_SAYS.search(piece)) for piece in pieces) <= 0.15 * len(pieces)
    return len(_FUNCTION_ZH.findall(text)) / han < 0.04


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


@cache
def _talk() -> frozenset[str]:
    """Words of talk about questions, answers and grades: around the words of the question they say nothing."""
    return frozenset(keys(_TALK))


@cache
def _list_talk() -> frozenset[str]:
    """Words that announce a list of terms, or praise it."""
    return frozenset(keys(_LIST_TALK))
