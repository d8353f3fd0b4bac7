"""The clauses of a reference's sentence, so that each of them can be graded, asked for and missed."""

import re
from typing import NamedTuple

from interviewer.grading.judging import split_judgement

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_MOSTLY = 0.2
"""Of the characters: Chinese words among which Latin names stand are few characters."""
_LEAST, _LEAST_ENGLISH = 3, 4
"""Words of a clause that can be checked alone; two Chinese characters count as one."""
_END = re.compile(r"(?<=[，；;])\s*|(?<=,)\s*(?=[\u3400-\u9fff])")
_VERB = r"(?:is|are|was|were|has|have|had|will|can|could|may|might|must|should|would|does|do|did|cannot)"
_END_ENGLISH = re.compile(
    r"(?<=;)\s+|,?\s+(?=(?:because|whereas)\s)|,\s+(?=(?:so|but|while)\s)"
    rf"|,?\s+(?=and (?:it|they|he|she|we|you|there|this|these)\s)|,\s+(?=and (?:[\w'-]+ ){{1,5}}{_VERB}\b)"
)
_LEADS_ENGLISH = re.compile(
    r"(?:when|whenever|if|once|since|because|although|though|while|unless|until|after|before|as)\b[^,:]*$",
    re.IGNORECASE,
)
_JOINTS = re.compile(
    r"(?:and|but|so|while|whereas)\s+|(?:但是|但|而且|并且|并(?=[在能可会将把用对由从])|同时|所以|因此|因而)[，,]?"
)
"""What joins a clause to the one before it, and says nothing where it stands alone."""
_LEADS = re.compile(
    r"(?:由于|因为|如果|假如|若|当|虽然|尽管|为了|除了|只要|只有|无论|不管|一旦|每当)"
    r"|(?:除|对于?|按照?|随着|根据|通过|在|从|与|和|跟|相比|首先).{0,10}[，,；;]?$"
    r"|.{0,14}(?:时候?|的话|前|后|(?:情况|条件)下|中|里|以后|之后|之前|前提下|来说|而言)[，,；;]?$"
)
"""A clause that says nothing without the one behind it."""
_FOLLOWS = re.compile(r"则|那么?|就|才|便|即|是(?!否)|也就是|例如|比如|如|像|等|分别|这样|这时|此时")
"""The beginning of one that says nothing without the one before it."""
_DEFINES = re.compile(
    r".{1,16}是一?[种个类项](?:机制|方法|技术|算法|模型|结构|概念|方式|思想|策略|工具|协议)[，,；;]?$"
)
"""One that only says of what kind a thing is: "注意力是一种机制，…"."""
_OPENS, _CLOSES = re.compile(r"[(（\[【{「『“]"), re.compile(r"[)）\]】}」』”]")
_NAME = re.compile(r"[A-Za-z][\w+#.\- ]{0,30}?(?=\s*(?:[\u3400-\u9fff]|[(（][^()（）]{1,80}[)）]\s*是))")
_SUBJECT = re.compile(r"(?P<topic>[\u3400-\u4dbf\u4e00-\u9fff]{1,8}?)(?P<mark>的|是|指)")
_NO_SUBJECT = re.compile(r"由于|因为|所以|但是?|而|因此|这|那|一[般种个]")
_OWN = re.compile(r"[A-Za-z][\w+#.\-/ ]{0,30}?\s*(?:[是会能有把用不只也则]|负责|需要)")
"""A name of its own, and what it does."""
_AGAIN = re.compile(r"它们?|其|该|这[种个类]?")


class Cut(NamedTuple):
    """A sentence in clauses, each of which can be checked alone.

    Attributes:
        first: Says itself what it is about.
        others: They may leave it out; `joined` puts it in front.
        topic: What the sentence is about, as far as it can be told; empty where nothing is left out.
        sure: Whether that is certain.
    """

    first: str
    others: tuple[str, ...]
    topic: str
    sure: bool

    def joined(self) -> list[str]:
        """Every clause, with the topic in front of those that don't begin with it: "UDP：适合实时音视频"."""
        named = [
            other if not self.topic or other.startswith(self.topic) or _OWN.match(other) else f"{self.topic}：{other}"
            for other in self.others
        ]
        return [self.first, *named]


def clauses_of(sentence: str, before: str = "") -> Cut | None:
    """The clauses of a sentence that can be checked one by one; None where there is only one.

    A condition stays with what follows from it, and a judgement with its reason ("错误。栈是后进先出，…"), of which it
    makes half. Chinese leaves the subject out from the second clause on.

    Args:
        before: The sentence before it, to which "它" points back.
    """
    if split_judgement(sentence)[0]:
        return None
    chinese = len(_HAN.findall(sentence)) > _MOSTLY * len(sentence)
    found = (
        _chinese(sentence)
        if chinese
        else _joined(_led(_outside_brackets(_END_ENGLISH.split(sentence), " ")), " ", _LEAST_ENGLISH)
    )
    if len(found) < 2:
        return None
    others = tuple(clause[match.end() :] if (match := _JOINTS.match(clause)) else clause for clause in found[1:])
    if not chinese:
        return Cut(found[0], others, "", sure=True)
    topic, sure = topic_of(sentence)
    if not topic and before and _AGAIN.match(sentence):
        topic, sure = topic_of(before)
    return Cut(found[0], others, topic, sure)


def topic_of(sentence: str) -> tuple[str, bool]:
    """What a Chinese sentence begins with as its subject, empty where it can't be told, and whether that is certain: of
    "冻结原来的权重，…" it would not be "冻结原来".
    """
    name = _NAME.match(sentence)
    if name:
        return name[0].strip(), True
    if _NO_SUBJECT.match(sentence) or _AGAIN.match(sentence):
        return "", False
    subject = _SUBJECT.match(sentence)
    return (subject["topic"], subject["mark"] != "的") if subject else ("", False)


def _chinese(sentence: str) -> list[str]:
    units: list[str] = []
    held = ""
    parts = _outside_brackets(_END.split(sentence), "")
    for at, part in enumerate(parts):
        if at < len(parts) - 1 and (_LEADS.match(part) or (at == 0 and _DEFINES.match(part))):
            held += part
        elif units and not held and _FOLLOWS.match(part):
            units[-1] += part
        else:
            units.append(held + part)
            held = ""
    return _joined(units, "", _LEAST)


def _led(parts: list[str]) -> list[str]:
    """The parts, a condition of two halves in one: "When it doesn't fit and you have several nodes: …"."""
    out: list[str] = []
    for part in parts:
        if out and _LEADS_ENGLISH.match(out[-1]):
            out[-1] += " " + part
        else:
            out.append(part)
    return out


def _outside_brackets(parts: list[str], gap: str) -> list[str]:
    """The parts, joined again where a bracket or a quotation was cut."""
    out: list[str] = []
    for part in parts:
        if out and len(_OPENS.findall(out[-1])) > len(_CLOSES.findall(out[-1])):
            out[-1] += gap + part
        else:
            out.append(part)
    return out


def _joined(parts: list[str], gap: str, least: int) -> list[str]:
    """The parts, each that is too short to check together with the one before or behind it."""
    out: list[str] = []
    for part in filter(str.strip, parts):
        if out and (size_of(part) < least or size_of(out[-1]) < least):
            out[-1] += gap + part
        else:
            out.append(part)
    return [*(part.strip(" ，,；;") for part in out[:-1]), *out[-1:]]


def size_of(text: str) -> float:
    """About how many words a text has: Latin words and numbers, and Chinese characters at two a word."""
    return len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2
