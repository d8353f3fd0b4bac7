"""Sentences turned into their opposite by rule, for the cross-encoder: what has nearly all of a point's words may still
deny it.

Rules turn some sentences into nonsense, or change what does not matter. So the labels of turned sentences are soft.
"""

import random
import re
from collections.abc import Callable, Sequence

from interviewer.models import Language

_PAIRS: dict[Language, str] = {
    "en": """increases/decreases increase/decrease raises/lowers grows/shrinks higher/lower high/low more/less
    larger/smaller large/small bigger/smaller faster/slower fast/slow before/after first/last same/different
    always/never keeps/discards keep/discard stores/discards static/dynamic exact/approximate dense/sparse
    expensive/cheap left/right longer/shorter long/short with/without saves/wastes prevents/causes avoids/causes
    memory-bound/compute-bound forward/backward linear/quadratic reads/writes read/write training/inference
    parameters/activations gradients/parameters sender/receiver most/few several/one many/few all/some
    independent/dependent stronger/weaker better/worse earlier/later local/global sequential/random
    bandwidth/compute latency/throughput numerator/denominator partitioned/replicated partitions/replicates
    sharded/replicated ascending/descending immutable/mutable deterministic/random online/offline
    synchronous/asynchronous positive/negative upper/lower stable/unstable helps/hurts improves/worsens
    row/column query/key precision/recall variance/bias shared/private hot/cold success/failure client/server
    encoder/decoder producer/consumer prefill/decode""",
    "zh": """增加/减少 增大/减小 提高/降低 上升/下降 变大/变小 变多/变少 更多/更少 更大/更小 更高/更低 更快/更慢
    更长/更短 越大/越小 越多/越少 越高/越低 越快/越慢 越长/越短 之前/之后 首先/最后 相同/不同 一样/不同
    所有/个别 全部/少数 保存/丢弃 保留/丢弃 释放/占用 冻结/更新 精确/近似 动态/静态 同步/异步 稀疏/稠密
    合并/拆分 有序/无序 允许/禁止 简单/复杂 浪费/节省 连续/分散 前向/反向 训练/推理 计算/访存 带宽/算力
    延迟/吞吐 梯度/参数 激活/权重 读取/写入 线性/平方 局部/全局 共享/独占 稳定/不稳定 必须/不必 需要/不需要
    客户端/服务端 行/列 生产者/消费者 预填充/解码 精确率/召回率 方差/偏差 上界/下界 大量/少量
    慢/快 高/低 多/少 大/小""",
}
_SHORT = 1
"""A Chinese word of one character is turned only where nothing longer is found."""
_INSERT: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"\b(is|are|was|were|does|do|will|must|should|would|could|may|might)\b(?! not|n't)", r"\1 not"),
        (r"\bcan\b(?! not)", "cannot"),
        (r"\b(?:needs|has) to\b", "need not"),
        (r"\b(?:only|still|also)\b", r"never"),
    ),
    "zh": (
        (r"(?<!不)(?<!机)(会|能|是|需要|可以|应该|必须|依赖|影响|等于|属于|包含|改变|保证)(?!否|力|量)", r"不\1"),
        (r"(?<!没)(?<!只)有(?!效|限|序|关|些|时|的)", "没有"),
    ),
}
_REMOVE: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        (r" not\b(?! only)", ""),
        (r"\bcannot\b", "can"),
        (r"n't\b", ""),
        (r"\bwithout\b", "with"),
        (r"\bno\b", "a"),
    ),
    "zh": ((r"(?<!而)不(?=会|能|是|需要|可以|应该|依赖|影响|再|必|用)", ""), (r"没有", "有"), (r"无需|无须", "需要")),
}
_INSTEAD: dict[Language, str] = {
    "en": r"\b(\w[\w-]*) (rather than|instead of) (?:the |a )?(\w[\w-]*)",
    "zh": r"([\u4e00-\u9fffA-Za-z]{2,6})(而不是|而非)([\u4e00-\u9fffA-Za-z]{2,6})",
}
_NUMBER = re.compile(r"(?<![\w.-])(\d{1,4})(?![\w.-]*[A-Za-z])")
_DENIALS: dict[Language, tuple[str, ...]] = {
    "en": (
        "It is not true that {}",
        "It's simply wrong that {}",
        "{} That is a myth.",
        "I doubt that {}; in fact it is the other way round.",
        "People say {} That's wrong.",
        "No: it is false that {}",
    ),
    "zh": (
        "并不是这样：{}",
        "{}，这个说法是错的。",
        "有人说{}，其实完全不对。",
        "并非{}",
        "以下说法不成立：{}",
        "我不同意{}，实际情况正好相反。",
    ),
}


def turn(text: str, language: Language, choose: random.Random) -> str | None:
    """The sentence with one place turned, by a rule drawn from those that fit; None where none does."""
    ways = [_swap, _instead, _negate, _negate, _affirm, _count]
    choose.shuffle(ways)
    return next((turned for way in ways if (turned := way(text, language, choose)) and turned != text), None)


def deny(text: str, language: Language, choose: random.Random) -> str:
    """The sentence told, and called wrong."""
    frame = choose.choice(_DENIALS[language])
    text = text.rstrip("。") if language == "zh" else text
    if language == "en" and not frame.startswith("{}") and text[:2] != text[:2].upper():
        text = text[:1].lower() + text[1:]
    return frame.format(text)


def _swap(text: str, language: Language, choose: random.Random) -> str | None:
    pairs = [tuple(pair.split("/")) for pair in _PAIRS[language].split()]
    words = {**{one: other for one, other in pairs}, **{other: one for one, other in pairs}}
    bound = r"\b" if language == "en" else ""
    for longer in (True, False):
        known = [word for word in words if (len(word) > _SHORT) == longer]
        found = [
            (match, words[word])
            for word in known
            for match in re.finditer(f"{bound}{word}{bound}", text, re.IGNORECASE)
        ]
        if found:
            match, other = choose.choice(found)
            return text[: match.start()] + other + text[match.end() :]
    return None


def _instead(text: str, language: Language, choose: random.Random) -> str | None:
    del choose
    match = re.search(_INSTEAD[language], text)
    return match and text[: match.start()] + match.expand(_join(language)) + text[match.end() :]


def _join(language: Language) -> str:
    return r"\3 \2 \1" if language == "en" else r"\3\2\1"


def _negate(text: str, language: Language, choose: random.Random) -> str | None:
    return _replace_one(text, _INSERT[language], choose)


def _affirm(text: str, language: Language, choose: random.Random) -> str | None:
    return _replace_one(text, _REMOVE[language], choose)


def _replace_one(text: str, rules: Sequence[tuple[str, str]], choose: random.Random) -> str | None:
    found = [(match, new) for old, new in rules for match in re.finditer(old, text)]
    if not found:
        return None
    match, new = choose.choice(found)
    return text[: match.start()] + match.expand(new) + text[match.end() :]


def _count(text: str, language: Language, choose: random.Random) -> str | None:
    del language
    found = [match for match in _NUMBER.finditer(text) if match[1] not in ("0", "1")]
    if not found:
        return None
    match = choose.choice(found)
    change: Callable[[int], int] = choose.choice([lambda n: n * 10, lambda n: n * 4, lambda n: max(1, n // 2)])
    return text[: match.start(1)] + str(change(int(match[1]))) + text[match.end(1) :]
