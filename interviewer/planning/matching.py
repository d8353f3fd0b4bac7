"""What a job description or résumé asks for: topics of the questions at hand, each with the sentence that says so."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from interviewer.language import clean, fold, sentences
from interviewer.models import Focus, Question

TEXT_LIMIT = 20_000
"""Characters of a description that are looked at."""

_SENTENCES = 150
_SENTENCE_LIMIT = 400
_NEAR = 0.40
"""Score from which a question counts as meant, if the sentence also names one of its terms."""
_NEAR_PART = 0.5
"""The same for a part of a sentence, which says less."""
_VERY_NEAR = 0.55
"""Score from which it counts without a term in common: the question may be written in the other language."""
_TOPICS = 8
_QUESTIONS = 6
_PARTS = 12
_PART_END = re.compile(r"[,，、;；:：()（）]|\band\b|\bor\b|和|以及|或")
_ONE_TOPIC = 0.7
"""A common term still tells its topic if this share of its questions is on it."""
_COMMON = 0.08
"""A term of more than this share of all questions says nothing about any of them."""

Find = Callable[[str], Sequence[tuple[Question, float]]]
"""Search for a sentence: questions with scores 0..1, best first."""

Terms = Mapping[str, frozenset[str]]
"""By question id, the folded terms that tell it from other questions."""


def suggest(text: str, find: Find, terms: Terms) -> tuple[Focus, ...]:
    """At most eight topics, most wanted first; empty where nothing in `text` is about the questions at hand.

    Args:
        text: A job description or résumé; what lies beyond `TEXT_LIMIT` is ignored.
    """
    wanted: dict[str, dict[str, float]] = {}
    telling: dict[str, tuple[float, str]] = {}
    for sentence in _sentences(text):
        for question, score in _meant(sentence, find, terms):
            ids = wanted.setdefault(question.topic, {})
            ids[question.id] = max(ids.get(question.id, 0.0), score)
            telling[question.topic] = max(telling.get(question.topic, (0.0, "")), (score, sentence))
    ranked = sorted(wanted, key=lambda topic: (-sum(wanted[topic].values()), topic))[:_TOPICS]
    return tuple(
        Focus(
            topic=topic,
            sentence=telling[topic][1],
            question_ids=tuple(sorted(wanted[topic], key=lambda i: (-wanted[topic][i], i))[:_QUESTIONS]),
        )
        for topic in ranked
    )


def about(name: str, find: Find, terms: Terms) -> tuple[Question, ...]:
    """The questions that a topic's name is about, best first."""
    return tuple({question.id: question for question, _ in _meant(name, find, terms)}.values())


def distinctive_terms(questions: Sequence[Question]) -> dict[str, frozenset[str]]:
    """Tags and aliases of each question, without those that many questions on several topics share."""
    found = {question.id: _terms(question) for question in questions}
    topics: dict[str, Counter[str]] = {}
    for question in questions:
        for term in found[question.id]:
            topics.setdefault(term, Counter())[question.topic] += 1
    most = max(3.0, _COMMON * len(found))
    telling = {
        term
        for term, counts in topics.items()
        if counts.total() <= most or max(counts.values()) >= _ONE_TOPIC * counts.total()
    }
    return {id_: frozenset(terms & telling) for id_, terms in found.items()}


def _meant(sentence: str, find: Find, terms: Terms) -> Iterator[tuple[Question, float]]:
    """The questions a sentence, or a part of it, is about."""
    for part in dict.fromkeys((sentence, *_parts(sentence))):
        folded = fold(part)
        for question, score in find(part):
            named = _names(folded, terms.get(question.id, frozenset()))
            enough = _NEAR if part is sentence else _NEAR_PART
            if (named and score >= enough) or (part is sentence and score >= _VERY_NEAR):
                yield question, score


def _parts(sentence: str) -> list[str]:
    parts = [part.strip() for part in _PART_END.split(sentence)]
    return [part for part in parts if len(part) >= 3][:_PARTS]


def _terms(question: Question) -> set[str]:
    names = [tag.replace("-", " ") for tag in question.tags]
    names += [alias for point in question.points for aliases in point.aliases.values() for alias in aliases]
    return {folded for name in names if 1 < len(folded := fold(name)) <= 40}


def _names(folded: str, terms: frozenset[str]) -> bool:
    return any(_stands_in(term, folded) for term in terms)


def _stands_in(term: str, text: str) -> bool:
    if term not in text:
        return False
    if not term.isascii():
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(term)}(?:s|es)?(?![a-z0-9])", text) is not None


def _sentences(text: str) -> list[str]:
    """Sentences and list items, shortened; lists of skills are one sentence each."""
    parts = [part.strip(" \t-*•·●◦▪#>") for part in sentences(clean(text[:TEXT_LIMIT]))]
    return [part[:_SENTENCE_LIMIT] for part in parts if len(part) >= 2][:_SENTENCES]
