"""Leaves out of an answer what talks to the grader, before any grader sees it, and says so."""

import re
import unicodedata
from typing import NamedTuple

from interviewer.fencing import neutral
from interviewer.grading.hostile import talks_to_grader
from interviewer.grading.model_words import units
from interviewer.grading.objection import repeated_words
from interviewer.grading.protocol import Grader, GradingContext, OnProgress
from interviewer.grading.quotes import verify_quotes
from interviewer.language import fold
from interviewer.models import Grade, Language, Question

_LEFT_OUT: dict[Language, str] = {
    "zh": "有 {count} 句话是说给评分者听的，没有计入。",
    "en": "{count} sentences talked to the grader and were left out.",
}
_ONE_LEFT_OUT: dict[Language, str] = {
    "zh": _LEFT_OUT["zh"].format(count=1),
    "en": "One sentence talked to the grader and was left out.",
}
_GRADING = re.compile(
    r"\b(?:grad(?:e|es|ed|er|ers|ing)|examiners?|evaluators?|rubrics?|verdicts?|scores?|scoring|candidates?|covered"
    r"|full marks|criteri(?:on|a)|awards?|references?|(?:every|all) points?|perfect answers?|states? each point)\b"
    r"|评分|打分|得分|满分|高分|判定为|判定[:：]|判为|评判|要点|阅卷|考官|评委|候选人|出题人|参考答案|标准答案|已覆盖|成绩|完整的回答|完美的?回答"
)
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|\Z)[ \t\r\n]*")
"""Finer than `language.sentences`, so that an honest sentence is not lost with the one behind it."""
_ROLE = r"(?:end of )?(?:answer|prompt|input)|system(?: message)?|user|assistant|developer|human"
_FRAME = re.compile(
    r"(?:>\s*)*(?:(?:<{1,2}/?\w+>{1,2}\s*|\[/?\w+\]\s*)+|<\|\w+\|>\s*\w*"
    rf"|[-=#*_~]{{2,}}\s*(?:{_ROLE}|(?:回答|答案|输入)结束|系统消息)\s*[-=#*_~]*)",
    re.IGNORECASE,
)
"""What would end an answer or begin a message if a prompt were read as it stands; it says nothing."""
_SUBJECT_SHARE = 0.34
_LOOK_ALIKE = str.maketrans("аеорсхуіАВЕНОРСТХ", "aeopcxyiABEHOPCTX")
_SPACED = re.compile(r"(?<!\w)(?:[^\W\d_][ \t]+){7,}[^\W\d_](?!\w)")


class Heard(NamedTuple):
    """What of an answer is graded, and how many sentences were left out."""

    text: str
    left_out: int


class GuardedGrader:
    """Any grader, shown only what the candidate said about the subject.

    Args:
        grader: Grades what is left; its quotes are checked against the whole answer again.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        """The grade of what was said about the subject, with a note where something was left out."""
        heard = hear(question, answer)
        if context.objection:
            objection = hear_objection(question, context.objection, heard.text)
            context = context.model_copy(update={"objection": objection})
        if not heard.left_out:
            return self._grader.grade(question, answer, context, on_progress)
        grade = verify_quotes(self._grader.grade(question, heard.text, context, on_progress), answer)
        notes = _ONE_LEFT_OUT if heard.left_out == 1 else _LEFT_OUT
        note = " ".join(filter(None, (grade.grader.note, notes[context.language].format(count=heard.left_out))))
        return grade.model_copy(update={"grader": grade.grader.model_copy(update={"note": note})})


def hear(question: Question, answer: str) -> Heard:
    """`answer` without the sentences that are about its grading and not about the question, and without what frames
    these; the rest is unchanged.
    """
    parts = _SENTENCE.findall(answer)
    subject = subject_words(question)
    own = [part for part in parts if not about_grading(part, subject)]
    if len(own) == len(parts):
        return Heard(answer, 0)
    kept = [part for part in own if not _FRAME.fullmatch(part.strip())]
    return Heard("".join(kept).strip(), len(parts) - len(own))


def hear_objection(question: Question, objection: str, answer: str) -> str:
    """An objection without what talks to the grader; the words of the answer that it repeats stay, whatever is around.

    Never empty: an objection that says nothing about the subject is still one.
    """
    kept = hear(question, objection).text
    lost = [words for words in repeated_words(answer, objection) if fold(words) not in fold(kept)]
    return "\n".join(filter(None, (kept, *(f"“{words}”" for words in lost)))) or "-"


class Subject(NamedTuple):
    """What a question is about: its words, and its text for looking up single terms."""

    words: frozenset[str]
    text: str


def subject_words(question: Question) -> Subject:
    """The words of a question with everything known about it, in every language it has."""
    texts = [*question.question.values(), *question.reference.values()]
    for point in question.points:
        texts += [*point.text.values(), *(name for names in point.aliases.values() for name in names)]
    for misconception in question.misconceptions:
        texts += [*misconception.text.values(), *misconception.correction.values()]
    whole = "\n".join(texts)
    return Subject(units(whole), fold(whole))


def about_grading(sentence: str, subject: Subject) -> bool:
    """Whether a sentence speaks of verdicts, marks or the answer itself, in words the question does not use."""
    plain = _plain(sentence)
    found = {match[0] for match in _GRADING.finditer(plain)}
    strange = {term for term in found if term not in subject.text}
    if not strange and not talks_to_grader(plain, plain):
        return False
    said = units(plain)
    own = said & subject.words - units(" ".join(found))
    return len(own) <= _SUBJECT_SHARE * len(said)


def _plain(text: str) -> str:
    """The letters a reader sees: look-alikes, spaced-out and accented letters made ordinary."""
    bare = "".join(c for c in unicodedata.normalize("NFD", neutral(text)) if not unicodedata.combining(c))
    joined = _SPACED.sub(lambda match: re.sub(r"[ \t](?! )", "", match[0]), bare.translate(_LOOK_ALIKE))
    return fold(joined)
