"""Why a verdict is as it is, and a remark on how the answer was put; in the language of the interview."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from interviewer.grading.evidence import Target
from interviewer.grading.judging import is_judgement
from interviewer.grading.scoring import verdict_of
from interviewer.grading.windows import Answer
from interviewer.language import detect
from interviewer.models import Language, Verdict

_REASONS: dict[tuple[Language, Verdict], str] = {
    ("zh", Verdict.COVERED): "说到了{found}。",
    ("zh", Verdict.PARTIAL): "提到了{found}，但没有说清{absent}。",
    ("zh", Verdict.MISSING): "没有说到{absent}。",
    ("en", Verdict.COVERED): "You said what matters here: {found}.",
    ("en", Verdict.PARTIAL): "You touched on {found}, but not clearly on {absent}.",
    ("en", Verdict.MISSING): "Nothing in the answer says this: {absent}.",
}
_NOTHING: dict[tuple[Language, Verdict], str] = {
    ("zh", Verdict.COVERED): "意思说到了。",
    ("zh", Verdict.PARTIAL): "方向对，但不够具体。",
    ("zh", Verdict.MISSING): "回答里没有这一点。",
    ("en", Verdict.COVERED): "The meaning is there.",
    ("en", Verdict.PARTIAL): "The direction is right, but it is not specific enough.",
    ("en", Verdict.MISSING): "The answer does not make this point.",
}
_LISTED: dict[Language, str] = {
    "zh": "只列了名词，没有说明它们是什么关系，不能算讲到。",
    "en": "The terms are only listed; nothing is said about them.",
}
_COPIED: dict[Language, str] = {
    "zh": "这里只是重复了题目或提示的话。",
    "en": "This only repeats the words of the question or of a hint.",
}
_DOUBTED: dict[Language, str] = {
    "zh": "你谈到了这一点，但这里的说法可能不对，请对照参考答案看。",
    "en": "You speak of this, but what you say may not be right; compare it with the reference.",
}
_JUDGED: dict[Language, str] = {
    "zh": "判断对了，但理由没有说清。",
    "en": "The judgement is right, but the reason for it is not clear.",
}
_COMMENTS: dict[Language, dict[str, str]] = {
    "zh": {
        "empty": "没有收到可以评分的内容。",
        "copied": "回答主要在重复题目，请用自己的话说。",
        "listed": "回答像一串关键词，请把每个词的作用说成完整的句子。",
        "terse": "回答很短，可以补上原因和例子。",
        "long": "回答很长，先给结论再展开会更清楚。",
        "wall": "句子很长，分点说会更清楚。",
        "good": "表达清楚，有条理。",
    },
    "en": {
        "empty": "There was nothing to grade.",
        "copied": "The answer mostly repeats the question; say it in your own words.",
        "listed": "The answer reads like a list of keywords; make a full sentence of what each one does.",
        "terse": "The answer is short; a reason and an example would carry it further.",
        "long": "The answer is long; put the conclusion first and then expand on it.",
        "wall": "The sentences are long; separate points would be easier to follow.",
        "good": "Clearly put and easy to follow.",
    },
}
_LOOKED_AT = 16
_NAMED = 4
_OPENING = " \t\"'“‘(（*_`"
_BEGINNING = frozenset("\n.!?:;。！？：；#-•)）0123456789")
"""What a sentence begins after."""
_CHINESE_NEXT = re.compile(r"\s?[\u3400-\u4dbf\u4e00-\u9fff]")
_AND: dict[Language, str] = {"zh": "、", "en": ", "}


def reason_for(language: Language, verdict: Verdict, made: float, target: Target, answer: Answer) -> str:
    """Why a point that is not contradicted got its verdict: the candidate's own words for it, and what it lacks.

    Args:
        made: 0..1: the credit, were nothing about it suspicious.
    """
    if verdict == Verdict.MISSING and not answer.windows and answer.listed and not is_judgement(answer.text):
        return _LISTED[language]
    if verdict == Verdict.MISSING and not answer.windows and answer.copied:
        return _COPIED[language]
    if verdict != Verdict.COVERED and verdict_of(made) == Verdict.COVERED:
        return _DOUBTED[language]
    heard = {term.key: term.surface for term in reversed(answer.terms)}
    words = target.words
    telling = sorted(zip(words.keys, words.weights, words.surfaces, strict=True), key=lambda word: -word[1])
    telling = [word for word in telling if _in_language(word[2], language)]
    found = _shown((heard[key] for key, _, _ in telling if key in heard), answer.text)
    absent = _shown((surface for key, _, surface in telling if key not in heard), target.text)
    return give_reason(language, verdict, found, absent)


def _shown(words: Iterable[str], text: str) -> list[str]:
    """As many as a reason names, as `text` writes them. A lone letter or digit tells nothing."""
    return [as_written(word, text) for word in islice((word for word in words if len(word) > 1), _NAMED)]


def reason_for_judgement(language: Language) -> str:
    """Why a point is partial whose judgement is all that was made of it."""
    return _JUDGED[language]


def give_reason(language: Language, verdict: Verdict, found: Sequence[str], absent: Sequence[str]) -> str:
    """One sentence; `found` and `absent` are words, most telling first."""
    needs_found = verdict != Verdict.MISSING
    needs_absent = verdict != Verdict.COVERED
    if (needs_found and not found) or (needs_absent and not absent):
        return _NOTHING[language, verdict]
    return _REASONS[language, verdict].format(found=_list(found, language), absent=_list(absent, language))


def _list(words: Sequence[str], language: Language) -> str:
    """A few of them; between Chinese and what is not there is a space."""
    listed = _AND[language].join(words[:_NAMED])
    return f" {listed}" if language == "zh" and listed[:1].isascii() else listed


def as_written(word: str, text: str) -> str:
    """A folded word as `text` writes it: with the capitals of names and abbreviations, not those of a sentence's first
    word.
    """
    places = islice(re.finditer(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text, re.IGNORECASE), _LOOKED_AT)
    written = {_is_within(place): place[0] for place in places}
    if True in written:
        return written[True]
    first = written.get(False, word)
    return first if first[1:] != word[1:] else word


def _is_within(place: re.Match[str]) -> bool:
    """Whether capitals there are the word's own: within an English sentence, or anywhere in a Chinese one."""
    text, start, end = place.string, place.start(), place.end()
    before = text[max(0, start - _LOOKED_AT) : start].rstrip(_OPENING)
    begins = not before or before[-1] in _BEGINNING
    return not begins or bool(_CHINESE_NEXT.match(text, end))


def _in_language(word: str, language: Language) -> bool:
    """Whether a word can stand in a sentence of `language`: English technical terms can in both, Chinese in one."""
    return language == "zh" or detect(word, "en") == "en"


_CLASHES: dict[Language, dict[str, str]] = {
    "zh": {
        "negated": "这句话把这一点说反了：一个说是，一个说不是。",
        "opposite": "这句话的方向和正确的说法相反。",
        "number": "这里的数字和正确的不一样。",
        "misconception": "这是一个常见的误解。",
        "suspected": "这句话看起来和正确的说法不一致，请对照着看。",
    },
    "en": {
        "negated": "This says the opposite: what is so is denied, or the other way round.",
        "opposite": "This goes in the opposite direction of what is right.",
        "number": "The number here is not the right one.",
        "misconception": "This is a common misconception.",
        "suspected": "This seems not to agree with what is right; compare the two.",
    },
}


def reason_for_clash(language: Language, kind: str) -> str:
    return _CLASHES[language][kind]


def comment_on(language: Language, answer: Answer, verdicts: Collection[Verdict] = (), *, names: bool = False) -> str:
    """One sentence on clarity and structure; it has no part in the score. Beside a mistake nothing is praised.

    Args:
        names: Whether names are all that is asked for, so that a short answer lacks nothing.
    """
    manner = _manner(answer)
    if names and manner in ("terse", "listed"):
        return ""
    praised = manner == "good"
    return "" if praised and Verdict.CONTRADICTED in verdicts else _COMMENTS[language][manner]


def _manner(answer: Answer) -> str:
    sentences = [window for window in answer.windows if window.sentences == 1]
    if not sentences:
        return "copied" if answer.copied else "listed" if answer.listed else "empty"
    words = sum(len(window.keys) for window in sentences)
    if words < 8:
        return "terse"
    if words > 350:
        return "long"
    return "wall" if words / len(sentences) > 45 else "good"
