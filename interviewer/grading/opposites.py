"""Words that turn a statement into its opposite: negations, and pairs of directions, in both languages."""

import re
from typing import NamedTuple

_NEGATION = re.compile(
    r"\b(?:not|no|never|without|neither|nor|none|nothing|cannot|hardly|rarely|nobody|lacks?|fails? to|instead of"
    r"|rather than)\b(?! only| matter| just| doubt)|n't\b"
    r"|不(?!同|仅|只是|但|断|管|过|少|错|妨|如|得不|愧|一定|至于|止|论)|没(?!错)|(?<!有)无(?!论|非|疑|数|限)"
    r"|未(?!来|必)|并非|而非|绝非|毫无"
)
_EVEN = re.compile(r"差不多|不得不|无不|没有不|不是不")

_PAIRS = """
increas\\w* rais\\w+ grow\\w* gain\\w* | decreas\\w* reduc\\w* lower\\w* shrink\\w* drop\\w*
higher high | lower low
more | less fewer
larger large bigger big | smaller small little
faster fast quick\\w* | slower slow\\w*
before | after
first | last
same identical\\w* | differ\\w*
all every always | none never hardly\\s+any
only\\s+one a\\s+single one\\s+thread | all\\s+threads all\\s+of\\s+them several\\s+threads many\\s+threads
only\\s+about nearly\\s+none few | nearly\\s+all almost\\s+all most\\s+of
nearly\\s+all almost\\s+all most | hardly\\s+any few only\\s+a\\s+few
accept\\w* | reject\\w*
releas\\w+ freed frees free | hold held holds keeps\\s+holding
keep\\w* retain\\w* stored? stores sav\\w+ kept | discard\\w* drop\\w* throw\\w*
attract\\w* | repel\\w*
open opened | closed close
series | parallel
positive | negative
static\\w* | dynamic\\w*
synchronous\\w* | asynchronous\\w*
exact exactly | approximat\\w*
partition\\w* shard\\w* | replicat\\w*
immutable | mutable
ascending | descending
deep deeper | shallow\\w*
hot hotter warm\\w* | cold colder cool\\w*
allow\\w* permit\\w* | prevent\\w* forbid\\w*
enabl\\w* | disabl\\w*
connected | disconnected separated
earlier early | later late
left | right
longer long | shorter short
thicker thick | thinner thin
stronger strong | weaker weak
heavier heavy | lighter light
harder hard | softer soft
even\\s+out balanc\\w* | uneven imbalanc\\w*
sorted ordered | unsorted unordered
expensive | cheap
dense | sparse
memory\\s+bandwidth memory-bound bandwidth-bound | bound\\s+by\\s+compute compute-bound
compute-bound bound\\s+by\\s+compute | memory-bound bound\\s+by\\s+memory
single | several multiple many
增加 增大 提高 提升 上升 变大 变多 增长 更多 | 减少 减小 降低 下降 变小 变少 缩小 更少
(?:越|太|更|较|很|过)大 | (?:越|太|更|较|很|过)小
(?:越|太|更|较|很|过)高 | (?:越|太|更|较|很|过)低
(?:越|太|更|较|很|变)快 加快 | (?:越|太|更|较|很|变)慢 减慢
(?:越|太|更|较|很)多 | (?:越|太|更|较|很)少
(?:越|太|更|较|很)长 | (?:越|太|更|较|很)短
之前 以前 | 之后 以后
最先 首先 | 最后
不连续 分散 | (?<!不)连续
保存 保留 留下 存下 | 丢弃 删除 丢掉 扔掉
释放 放开 | 占用 一直持有
冻结 固定 | 更新 训练全部
精确 准确 | 近似
相同 一样 统一 | 不同 随机
动态 | 静态
(?<!异)同步 | 异步
全部 所有 完整 | 部分 局部
稀疏 | 稠密
合并 | 拆分
有序 | 无序
部分 其中几层 | 所有 全部
允许 支持 | 禁止 拒绝
简单 容易 方便 | 复杂 困难 麻烦
先进先出 | 后进先出 先进后出
缺一不可 同时满足 | 满足其中一个 其中之一 任意一个
瓶颈在显存 访存受限 带宽受限 | 瓶颈在计算 计算受限
稀释 变差 | 更准 变好
浪费 | 节省
"""


class Pair(NamedTuple):
    """Two directions: what names the one, and what names the other."""

    one: re.Pattern[str]
    other: re.Pattern[str]


def _side(words: list[str]) -> re.Pattern[str]:
    parts = [rf"\b(?:{word})\b" if re.match(r"[a-z]", word) else word for word in words]
    return re.compile("|".join(parts))


def _pairs() -> tuple[Pair, ...]:
    found: list[Pair] = []
    for line in _PAIRS.strip().splitlines():
        one, other = (_side(side.split()) for side in line.split(" | "))
        found.extend((Pair(one, other), Pair(other, one)))
    return tuple(found)


PAIRS = _pairs()


def negations(text: str) -> list[int]:
    """Where the negating cues of a folded text end."""
    masked = _EVEN.sub(lambda match: " " * len(match[0]), text)
    return [match.end() for match in _NEGATION.finditer(masked)]
