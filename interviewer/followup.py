"""What to ask next about a gap, without giving the point away."""

import hashlib
import re
import unicodedata
from collections.abc import Collection
from functools import cache

from interviewer.facets import FACETS
from interviewer.grading.judging import asks_to_judge, is_judgement
from interviewer.grading.naming import is_item
from interviewer.grading.terms import Term, keys, list_terms, weight
from interviewer.language import clean, fold
from interviewer.models import Grade, Language, Point, Question, Verdict

_TELLING = 0.3
_LONGEST_NAME = 3
_LONGEST_LABEL = 40
_NO_NAME = re.compile(
    r"[。；;，,!！?？]|[为是有]$|(?:如下|包括)$|\b(?:so|that|is|are)$"
    r"|^(?:notes?|tips?|summary|提示|注意|补充|备注|总结|小结|说明|一句话)$",
    re.IGNORECASE,
)
_BLANK = "＿＿"
_WORST_FIRST = {Verdict.CONTRADICTED: 2, Verdict.MISSING: 1, Verdict.PARTIAL: 1, Verdict.COVERED: 0}


def next_gap(question: Question, grade: Grade | None, asked: Collection[str]) -> Point | None:
    """The weightiest point that is not covered and not in `asked`; None if there is none. Where enough of a choice are
    covered, the others are no gaps.

    Missing, partial and contradicted points are gaps alike; of equally weighty ones a contradicted point comes first,
    then the one that stands first.
    """
    verdicts = {point.id: point.verdict for point in grade.points} if grade else {}
    made = {choice: sum(verdicts.get(id) is Verdict.COVERED for id in choice.points) for choice in question.choices}
    settled = {id for choice in question.choices if made[choice] >= choice.enough for id in choice.points}
    settled |= {id for id, verdict in verdicts.items() if verdict is Verdict.COVERED}
    gaps = [point for point in question.points if point.id not in asked and point.id not in settled]
    return max(gaps, key=lambda p: (p.weight, _WORST_FIRST[verdicts.get(p.id, Verdict.MISSING)]), default=None)


def probe_text(question: Question, point: Point, language: Language, answer: str) -> str:
    """The follow-up for a point: the bank's own, or one made from its structure.

    A made one names nothing of the point that neither the question nor the answer contains (see `leaks`), and the
    same point of the same question always gets the same words.
    """
    if language in point.probe:
        return point.probe[language]
    made = (
        *_for_judgement(question, point, language, answer),
        *_for_choice(question, point, language),
        *_for_name(question, point, language),
        *_from_label(question, point, language),
        *_from_facet(question, point, language),
        *_from_answer(question, point, language, answer),
        _pick(_PLAIN_PROBES[language], question, point),
    )
    return next(text for text in made if not leaks(text, point, question, answer))


def hint_text(question: Question, point: Point, language: Language, answer: str) -> str:
    """A nudge, more telling than the probe: the bank's own, or the point with its telling words blanked out, or the
    letter that a name begins with.
    """
    if language in point.hint:
        return point.hint[language]
    first = point.in_language(language)[:1]
    if _asks_for_names(question) and first.isalpha():
        return _pick(_NAME_HINTS[language], question, point).format(first=first)
    blanked = _blanked(question, point, language, answer)
    if blanked:
        return _pick(_BLANKED_HINTS[language], question, point).format(text=blanked)
    return _pick(_PLAIN_HINTS[language], question, point)


def leaks(text: str, point: Point, question: Question, answer: str = "") -> bool:
    """Whether a probe or hint contains a telling word of the point that has not been said yet."""
    telling = telling_words(point, question, answer)
    folded = fold(text)
    return any(key in telling for key in keys(text)) or any(
        len(key) > 1 and not key.isascii() and key in folded for key in telling
    )


def telling_words(point: Point, question: Question, answer: str = "") -> frozenset[str]:
    """The words that would give the point away: its own and its aliases', less those already said."""
    texts = [*point.text.values(), *(alias for names in point.aliases.values() for alias in names)]
    said = {key for text in (*question.question.values(), answer) for key in keys(text)} | _own_words()
    return frozenset(key for text in texts for key in keys(text) if key not in said and _is_telling(key))


@cache
def _own_words() -> frozenset[str]:
    """The words of the phrasings below: words anybody asks with give nothing away."""
    made = (_WHY_PROBES, _CHOICE_PROBES, _NAME_PROBES, _LISTED_PROBES, _LABEL_PROBES, _TAKEN_UP, _PLAIN_PROBES)
    tables = (*(facet.asks for facet in FACETS), *made, _NAME_HINTS, _BLANKED_HINTS, _PLAIN_HINTS)
    return frozenset(key for table in tables for texts in table.values() for text in texts for key in keys(text))


def _is_telling(key: str) -> bool:
    return weight(key) >= _TELLING and (key.isascii() or len(key) > 1)


def _asks_for_names(question: Question) -> bool:
    """Whether the points are the names of a list, so that what lacks is another one of them."""
    texts = [text for point in question.points for text in point.text.values()]
    return len(question.points) > 1 and all(is_item(text) and len(keys(text)) <= _LONGEST_NAME for text in texts)


def _for_judgement(question: Question, point: Point, language: Language, answer: str) -> list[str]:
    """Who has only judged, as was asked, is asked for the reason, right or wrong."""
    judged = asks_to_judge(question.question.values()) and is_judgement(answer)
    return [_pick(_WHY_PROBES[language], question, point)] if judged else []


def _for_choice(question: Question, point: Point, language: Language) -> list[str]:
    """No point of a choice is asked for by itself: any other one will do. Asked so that it fits also where nothing that
    was named is right.
    """
    return [_pick(_CHOICE_PROBES[language], question, point)] if question.choice_of(point.id) else []


def _for_name(question: Question, point: Point, language: Language) -> list[str]:
    if not _asks_for_names(question):
        return []
    heard = {key for text in question.question.values() for key in keys(text)}
    plain = _pick(_NAME_PROBES[language], question, point)
    if not set(keys(point.label)) - heard:
        return [plain]
    return [_pick(_LISTED_PROBES[language], question, point).format(label=clean(point.label)), plain]


def _from_label(question: Question, point: Point, language: Language) -> list[str]:
    if not _names(point.label) or any(facet.pattern.search(fold(point.label)) for facet in FACETS):
        return []
    return [_pick(_LABEL_PROBES[language], question, point).format(label=clean(point.label))]


def _names(label: str) -> bool:
    """Whether a label is a name to ask about, rather than words that lead on ("可以总结为") or call for attention."""
    return 0 < len(label) <= _LONGEST_LABEL and not _NO_NAME.search(label)


def _from_facet(question: Question, point: Point, language: Language) -> list[str]:
    """By what the heading says the point is about, or else by how the point is worded."""
    for text in filter(None, (point.label, *point.text.values())):
        for facet in FACETS:
            if facet.pattern.search(fold(text)):
                return [_pick(facet.asks[language], question, point)]
    return []


def _from_answer(question: Question, point: Point, language: Language, answer: str) -> list[str]:
    """Takes up a word of the candidate's own that the point is about too."""
    own = {key for text in point.text.values() for key in keys(text)}
    asked = {key for text in question.question.values() for key in keys(text)}
    shared = [t.surface for t in list_terms(answer) if t.key in own and t.key not in asked and _is_telling(t.key)]
    return [_pick(_TAKEN_UP[language], question, point).format(word=shared[0])] if shared else []


def _blanked(question: Question, point: Point, language: Language, answer: str) -> str:
    """The point with its telling words as blanks; empty where too little would be left to help."""
    text = point.in_language(language)
    base = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", clean(text))).strip()
    base = base if len(base.casefold()) == len(base) else fold(text)
    telling = telling_words(point, question, answer)
    hidden: list[Term] = [term for term in list_terms(text) if term.key in telling]
    for term in reversed(hidden):
        base = base[: term.start] + _BLANK + base[term.start + len(term.surface) :]
    base = re.sub(rf"{_BLANK}(?:[ ,，、/\-]*{_BLANK})+", _BLANK, base)
    left = len(keys(base.replace(_BLANK, " ")))
    return base if hidden and left >= 2 and not leaks(base, point, question, answer) else ""


def _pick(phrasings: tuple[str, ...], question: Question, point: Point) -> str:
    digest = hashlib.sha256(f"{question.id}/{point.id}".encode()).digest()
    return phrasings[digest[0] % len(phrasings)]


_WHY_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": ("为什么？", "为什么这么判断？", "理由是什么？"),
    "en": ("Why?", "Why do you think so?", "What makes you say so?"),
}
_CHOICE_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": ("还有哪些也算？", "还能想到哪些？"),
    "en": ("What else belongs here?", "Which others come to mind?"),
}
_NAME_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": ("还有一个没有说到，是哪个？", "你还漏了哪一个？"),
    "en": ("There is another one. Which is it?", "Which one have you left out?"),
}
_LISTED_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": ("“{label}”里还有哪一个没有说到？", "说到“{label}”，你还漏了哪一个？"),
    "en": ("Under “{label}”: which one is missing?", "And for “{label}”, which one have you left out?"),
}
_NAME_HINTS: dict[Language, tuple[str, ...]] = {
    "zh": ("它以“{first}”字开头。", "第一个字是“{first}”。"),
    "en": ("It begins with “{first}”.", "Its first letter is “{first}”."),
}
_LABEL_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": ("关于“{label}”，你会怎么说？", "还有“{label}”这一面，你怎么看？", "再讲讲“{label}”吧。"),
    "en": (
        "What would you say about “{label}”?",
        "There is also “{label}”. What about it?",
        "Tell me about “{label}”.",
    ),
}
_TAKEN_UP: dict[Language, tuple[str, ...]] = {
    "zh": (
        "你提到了“{word}”，能再具体一点吗？",
        "顺着你说的“{word}”往下讲，会怎么样？",
        "“{word}”这里还没说透，接着讲讲？",
    ),
    "en": (
        "You mentioned “{word}”. Can you be more specific?",
        "Take “{word}” one step further. What follows?",
        "There is more to say about “{word}”. Go on?",
    ),
}
_PLAIN_PROBES: dict[Language, tuple[str, ...]] = {
    "zh": (
        "还有一个重要的方面没有讲到，你觉得会是什么？",
        "除了你说的这些，还有什么关键的地方？",
        "再想一想，这里还缺什么？",
    ),
    "en": (
        "One important aspect is still open. What else matters here?",
        "Beyond what you said, what else is key?",
        "Think again: what is still missing from the picture?",
    ),
}
_BLANKED_HINTS: dict[Language, tuple[str, ...]] = {
    "zh": ("把空补上：{text}", "这句话少了几个词：{text}", "顺着这句往下想：{text}"),
    "en": ("Fill in the blanks: {text}", "A few words are missing here: {text}", "Think along this line: {text}"),
}
_PLAIN_HINTS: dict[Language, tuple[str, ...]] = {
    "zh": ("换个角度：原因、做法、代价、验证方式，哪一个你还没讲？", "想一想它的前提、过程和结果，哪一环还空着？"),
    "en": (
        "Causes, steps, costs, checks: which of these is still missing?",
        "Think of what it needs, what happens and what comes out. Which part is still empty?",
    ),
}
