"""Sides of a subject that a statement can be about, such as its cost: how to recognise one, and how to ask for it."""

import re
from typing import NamedTuple

from interviewer.language import fold
from interviewer.models import Language


class Facet(NamedTuple):
    """A side that a statement can be about."""

    pattern: re.Pattern[str]
    asks: dict[Language, tuple[str, ...]]


def _facet(pattern: str, zh: tuple[str, ...], en: tuple[str, ...]) -> Facet:
    return Facet(re.compile(pattern), {"zh": zh, "en": en})


_NUMBERS = _facet(
    r"(?<![a-z\d.<>=≥≤])\d[\d,.]*\s*(?:[%‰倍秒天周个张层次位万亿]|毫秒|分钟|小时|字节|[kmgtp]i?b\b|[kmx]\b|(?:ms|us|bits?|bytes?|tokens?"
    r"|times|percent|seconds?|minutes?|hours?|days?|gpus?|nodes?|layers?)\b)",
    ("能给出数量级或者估算一下吗？", "用数字说话的话，大概是多少？"),
    ("Can you put a number on it, even roughly?", "How much are we talking about? Estimate it."),
)

_SIDES: tuple[Facet, ...] = (
    _facet(
        r"缺点|劣势|局限|代价|风险|权衡|取舍|\b(?:drawback|downside|disadvantage|limitation|cost|risk|trade-?off)s?\b",
        ("这样做有什么代价？", "它的短板在哪里？", "换来这个好处，要付出什么？"),
        ("What does that cost you?", "Where does this approach fall short?", "What do you give up for that benefit?"),
    ),
    _facet(
        r"优点|优势|好处|收益|\b(?:benefit|advantage|pro)s?\b",
        ("这样做的好处具体是什么？", "为什么值得这样做？", "它到底带来了什么？"),
        ("What exactly do you gain by it?", "Why is it worth doing?", "What does it buy you in practice?"),
    ),
    _facet(
        r"原因|为什么|因为|由于|导致|\b(?:cause|reason|why|because|due to)s?\b",
        ("背后的原因是什么？", "能再往下解释一层吗：为什么会这样？", "是什么造成了这种情况？"),
        (
            "What is behind that?",
            "Can you go one level deeper: why does it happen?",
            "What makes it come out this way?",
        ),
    ),
    _facet(
        r"验证|检查|监控|排查|诊断|定位|指标|\b(?:verif|check|monitor|diagnos|debug|detect|measur|metric)",
        ("你会怎么确认是不是这样？", "动手的话，你先看哪里？", "有什么办法能证实你的判断？"),
        (
            "How would you confirm that?",
            "Hands on, where would you look first?",
            "What would prove or disprove your guess?",
        ),
    ),
    _facet(
        r"解决|处理|修复|方案|措施|优化|改进|建议|做法|动作|\b(?:fix|solution|remed|mitigat|improv|workaround|action|should)",
        ("那你会怎么做？", "如果由你来处理，下一步是什么？", "有什么办法可以改善？"),
        (
            "What would you do about it?",
            "If it were yours to handle, what is the next step?",
            "How could this be improved?",
        ),
    ),
    _facet(
        r"区别|不同|对比|相比|而不是|\b(?:differ|compar|versus|vs|unlike|whereas|rather than|instead of|than)\b",
        ("和另一种做法比，差别在哪里？", "两者的分界在哪里？", "什么情况下你会选另一种？"),
        (
            "How does it compare with the alternative?",
            "Where is the line between the two?",
            "When would you pick the other one?",
        ),
    ),
    _facet(
        r"例如|比如|举例|示例|\b(?:example|for instance|e\.g)\b",
        ("能举一个具体的例子吗？", "落到一个实际场景里，会是什么样？"),
        ("Can you give a concrete example?", "What does that look like in a real case?"),
    ),
    _facet(
        r"步骤|流程|首先|其次|然后|最后|阶段|\b(?:step|first|then|finally|phase|stage|order)s?\b",
        ("按先后顺序说，整个过程还差哪一步？", "从头到尾走一遍，会经过哪些环节？"),
        ("Walk me through it in order. Which step is still missing?", "From start to end, what happens in between?"),
    ),
)

FACETS = (*_SIDES, _NUMBERS)


_GENERAL = re.compile(
    r"(?:核心|关键|基本|主要|具体|整体|一些|常见)?(?:现象|表现|原理|机制|场景|背景|思路|定义|概念|结论|总结|小结|痛点|例外|注意|说明|要点|前提|目标|影响|结果|补充)"
    r"|(?:key |main |core |basic )?(?:idea|point|principle|mechanism|scenario|background|context|definition|concept|"
    r"conclusion|summary|symptom|exception|caveat|note|goal|effect|impact|result|overview|answer)s?"
)


def names_a_side(heading: str) -> bool:
    """Whether a heading says which side what follows is about ("Drawbacks", "原因", "Key idea") rather than what it is
    about.
    """
    folded = fold(heading).strip()
    return bool(_GENERAL.fullmatch(folded)) or any(side.pattern.search(folded) for side in _SIDES)
