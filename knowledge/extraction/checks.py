"""Checks of single drafts: no answer, an answer that is the question, too short, garbled."""

import re
from typing import NamedTuple

from interviewer.models import Kind
from knowledge.extraction.blueprint import to_difficulty, to_frequency
from knowledge.extraction.drafts import Draft
from knowledge.extraction.signals import question_key, size

MIN_ANSWER = 4
LONGEST_PLACEHOLDER = 60
GARBLED_SHARE = 0.03
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9]+")
_PLACEHOLDER = re.compile(
    r"^\W*(?:略|无|暂无|待补充|待完善|待更新|未完待续|见(?:上|下|视频|附件|链接|原文|正文).{0,8}|同上|省略|空"
    r"|todo|tbd|tba|n/?a|none|null|nan|coming soon"
    r"|see (?:above|below|video|link)|to be (?:added|continued|done)|wip|-+|\.{3,}|…+)\W*$",
    re.IGNORECASE,
)
_MOJIBAKE = re.compile(
    r"\ufffd|[\ue000-\uf8ff]|锟斤拷|烫烫烫|屯屯屯"
    r"|(?:Ã[\x80-\xbf©¨¡³­±¼¤¶])|â€[™œ\x9d“”¦]"
    r"|(?:[äåæçèé][\x80-\xbf¡-¿][\x80-\xbf¡-¿])|鈥|銆|锛[氬堝屾]|鐨勶|娴嬭|闂|绛旀"
)
_EXPERIENCE = re.compile(
    r"你(?:有没有|是否|曾|们?(?:遇到|做|用)过|在.{0,16}(?:项目|工作|实习)中)|经历|讲一个你|分享一(?:次|个)"
    r"|最(?:有挑战|困难|离谱|难忘)|遇到过|项目中遇到"
    r"|\btell me about a time\b|\bhave you ever\b|\byour experience\b|\bdescribe a (?:time|situation|project)\b"
    r"|\bin your (?:last|previous|current)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"排查|定位|调试|诊断|报错|故障|超时|卡死|崩溃|泄[漏露]|死锁|溢出|掉(?:卡|线)|\boom\b|\bnan\b|异常|失败|变慢"
    r"|不收敛|震荡|偶发|修复"
    r"|\b(?:debug|troubleshoot|diagnose|crash(?:es|ing)?|timeouts?|time out|memory leak|deadlock|root cause|fails?"
    r"|slow(?:er)? down|hangs?)\b",
    re.IGNORECASE,
)
_DESIGN = re.compile(
    r"设计(?:一|个|并|方案|思路)|如何设计|怎么设计|系统设计|架构设计|你会如何设计|从零(?:搭建|实现)|搭建一|方案设计"
    r"|\bdesign (?:a|an|the|and)\b|\bhow would you (?:design|build|architect)\b|\bsystem design\b"
    r"|\barchitect(?:ure for)?\b",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """What is wrong with a draft; a `fatal` finding keeps it out."""

    kind: str
    detail: str
    fatal: bool
    reason: str = ""


def check(draft: Draft) -> list[Finding]:
    """Everything wrong with a draft, the fatal first."""
    findings: list[Finding] = []
    if not size(draft.question):
        return [Finding("no_answer", "The entry has no question.", fatal=True, reason="no_question")]
    is_placeholder = len(draft.answer) < LONGEST_PLACEHOLDER and _PLACEHOLDER.match(draft.answer)
    if not size(draft.answer) or is_placeholder:
        return [Finding("no_answer", "The question has no answer.", fatal=True)]
    if question_key(draft.answer) == question_key(draft.question):
        return [Finding("answer_is_question", "The answer only repeats the question.", fatal=True)]
    share = garbled_share(f"{draft.question}\n{draft.answer}")
    if share:
        fatal = share >= GARBLED_SHARE
        told, reason = ("it was kept out", "garbled_out") if fatal else ("look it over", "")
        findings.append(Finding("garbled", f"The text holds characters of a wrong encoding; {told}.", fatal, reason))
    if weight(draft.answer) < MIN_ANSWER:
        findings.append(Finding("too_short", "The answer is too short to be graded well.", fatal=False))
    return findings


def weight(text: str) -> int:
    """Chinese characters, and words twice, as a word says about as much as two of them."""
    return len(_HAN.findall(text)) + 2 * len(_WORD.findall(text))


def garbled_share(text: str) -> float:
    """0..1: the share of characters that come of reading text in a wrong encoding."""
    return min(1.0, sum(len(found) for found in _MOJIBAKE.findall(text)) / max(1, len(text)))


def guess_kind(question: str) -> Kind:
    """What a question is after, by its words: an experience, a design, trouble to find, or a concept."""
    for kind, pattern in ((Kind.EXPERIENCE, _EXPERIENCE), (Kind.DESIGN, _DESIGN), (Kind.TROUBLESHOOTING, _TROUBLE)):
        if pattern.search(question):
            return kind
    return Kind.CONCEPT


def difficulty_of(draft: Draft) -> int:
    """1..5 from the document's own column, else 3."""
    return to_difficulty(draft.fields.get("difficulty", "")) or 3


def frequency_of(draft: Draft) -> int:
    """1..5 from the document's own column, else 3."""
    return to_frequency(draft.fields.get("frequency", "")) or 3
