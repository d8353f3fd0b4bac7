"""What the cross-encoder learns from: the points of answers, each beside what is read of the answer.

Of people's sets a quarter of the questions is kept for the figures, and the native Chinese sets whole. Of the bank,
answers to training questions alone; of the claims three in five and all that are told apart; of the questions outside
the bank the training part, with what was told in pictures to some of them. Beside what people and writers said stands
what rules make of it (`evals.grading.turned`, `evals.grading.restated`).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from evals.answers import LABELS
from evals.candidates import CONTRAST
from evals.grading import data
from evals.grading.asides import padded
from evals.grading.data import FULL_STOP, Graded, making_no_point
from evals.grading.elsewhere import answered_elsewhere
from evals.grading.empty import with_empty_words
from evals.grading.fit_found import with_found_points
from evals.grading.fit_given import rows_to_fit, weigh
from evals.grading.notes import everyday_answers, slipped_answers
from evals.grading.opposed import opposed_rows
from evals.grading.outside import outside_answers
from evals.grading.pictured import pictured_answers
from evals.grading.recited import recited_rows
from evals.grading.restated import restated_rows
from evals.grading.told_apart import told_apart_rows
from evals.grading.turned import deny, turn
from evals.statements import LETTERS, VERDICTS, load_claims
from interviewer.grading.evidence import Encoder, Reader
from interviewer.grading.reading import make_pair
from interviewer.grading.windows import read_answer
from interviewer.language import detect
from interviewer.models import LANGUAGES, Language, Point, Question, Verdict

LEARNT_SETS = ("scientsbank_train", "beetle_train", "saf_en_train")
_KEPT = 0.25
_OTHER, _OTHER_SHARE = "other-language/", 0.15
_AGAINST_OTHER, _AGAINST_OTHER_SHARE = "answers/other-language", 0.4
_PEOPLE, _OFF, _CLAIM, _TURNED, _OUTSIDE, _FOUND, _OPPOSED, _APART = 2.5, 0.6, 0.8, 0.8, 2.0, 1.2, 1.0, 0.9
_RESTATED, _BRIEF, _EMPTY, _ELSEWHERE = 0.9, 1.5, 1.0, 1.0
_STRONG = ("answers/strong", "answers/short-strong", "candidates/senior", "candidates/solid", "candidates/plain")
_SAYING_MUCH = (
    *_STRONG,
    "outside/strong",
    "outside/spoken",
    "outside/terse",
    "brief/full",
    "brief/half",
    "spoken/full",
    "spoken/half",
    "slips/right",
    "slips/right-again",
    "pictured/half",
    "pictured/wrong",
)
"""Each of these is learnt from once more as an answer to another question, or else that a manner of speaking makes
points, whatever is said, would be learnt: all who tell things in pictures make nearly all points of their question."""
_SHARES = {"saf_en_train": 0.5, "off/saf_en_train": 0.4, "bank/off": 0.5}
"""Of the longest answers, of few questions, some are enough."""
_FOUND_SHARE = 0.4
"""Of the answers to the bank's questions, those that are learnt from once more by the points found in the reference."""
_SAID, _SAID_TURNED = 0.95, 0.1
_SOME_DENIED, _SOME_TURNED = 0.25, 0.5
_IN_COMPANY, _ONE_TURNED = 2, 0.5
"""Answers made of several points of a question, in each language, and the share in which one of them is turned."""
_TALKED = 0.25
_TALKED_OF = (
    "answers/half-a",
    "answers/half-b",
    "answers/weak",
    "answers/dont-know",
    "candidates/junior",
    "candidates/brief",
    "candidates/confused",
    "mistakes/mixed",
    "outside/half",
    "outside/weak",
    "outside/terse",
    "outside/wrong",
    "outside/muddled",
)
"""Some of these are learnt from once more with talk around them, which changes none of their labels."""
_OF_BANK = ("answers/", "candidates/", "honest/", "mistakes/")
_EMPTIED = {"told/": 0.15, "brief/": 0.4, "spoken/": 0.4, "outside/": 0.08, "answers/": 0.06, "honest/": 0.06}
"""Of these, the share that is learnt from once more with words that say nothing."""
_EDGES = {"en": ("", "I'd say ", "As far as I know, ", "Well: "), "zh": ("", "我觉得", "我的理解是，", "简单说，")}


def is_learnt(row: Graded) -> bool:
    """Whether the cross-encoder learns from this question of people's sets."""
    # Another prefix would draw other questions, and the shipped weights have learnt from these.
    drawn = int(sha256(f"ce{row.group}".encode()).hexdigest()[:8], 16) / 2**32
    return row.source.removeprefix("off/") in LEARNT_SETS and drawn < 1 - _KEPT


def rows_to_learn(shared: Path, encoder: Encoder, seed: int = 0) -> Iterator[tuple[Graded, float]]:
    """Answers with their weight in the loss.

    Args:
        seed: Another one draws other answers of those that are enough, turns other sentences, and adds other talk.
    """
    choose = random.Random(seed)
    people = [with_found_points(row) for row in data.human_answers(shared) if not row.question.choices]
    for rows, weight in (([row for row in people if is_learnt(row)], _PEOPLE), (data.off_topic(people), _OFF)):
        for row in rows:
            if is_learnt(row) and choose.random() < _SHARES.get(row.source, 1.0):
                yield row, weight
    fitted = [*rows_to_fit(), *_in_contrast()]
    for row in fitted:
        shares = {**_SHARES, _AGAINST_OTHER: _AGAINST_OTHER_SHARE}
        kept = _OTHER_SHARE if row.source.startswith(_OTHER) else shares.get(row.source, 1.0)
        if choose.random() < kept:
            yield row._replace(source=row.source.removeprefix(_OTHER)), weigh(row.source.removeprefix(_OTHER))
    outside, pictured = outside_answers("train"), pictured_answers("train")
    yield from ((row, _OUTSIDE) for row in (*outside, *pictured))
    yield from ((row, _CLAIM) for row in _claims())
    told = list(_told_points(choose))
    yield from ((row, _TURNED) for row in (*told, *_turned_answers(fitted, encoder, choose)))
    talked = [row for row in (*fitted, *outside) if row.source in _TALKED_OF]
    yield from ((row, _OUTSIDE / 2) for row in padded(talked, _TALKED, seed + 1))
    again = [row for row in fitted if row.source.startswith(_OF_BANK) and choose.random() < _FOUND_SHARE]
    yield from ((with_found_points(row)._replace(source=f"found/{row.source}"), _FOUND) for row in again)
    yield from ((row, _OPPOSED) for row in opposed_rows(choose))
    yield from ((row, _APART) for row in told_apart_rows(choose))
    yield from ((row, _RESTATED) for row in (*restated_rows(choose), *recited_rows(choose)))
    everyday, slipped = everyday_answers("train"), slipped_answers("train")
    yield from ((row, _BRIEF) for row in (*everyday, *slipped))
    for sources, share in _EMPTIED.items():
        some = [row for row in (*told, *everyday, *outside, *fitted) if row.source.startswith(sources)]
        yield from ((row, _EMPTY) for row in with_empty_words(some, share, choose))
    for answered in (fitted, outside, pictured, (*everyday, *slipped)):
        for row in answered_elsewhere([row for row in answered if row.source in _SAYING_MUCH], encoder, choose):
            yield row, _ELSEWHERE
            if row.source.startswith(_OF_BANK) and choose.random() < _FOUND_SHARE:
                yield making_no_point(with_found_points(row), f"found/{row.source}", row.answer), _ELSEWHERE


def _in_contrast() -> list[Graded]:
    """What nothing else learns from: answers told by what things are not, right ones and wrong ones."""
    rows = data.candidate_answers("train", group=CONTRAST)
    return [row._replace(language=detect(row.answer, row.language)) for row in rows]


def _claims() -> Iterator[Graded]:
    """Sentences about single points of training questions, and about claims of no question."""
    bank = {f"bank/{row.question.id}": row.question for row in data.labelled_answers("train")}
    for claim in load_claims():
        question = bank.get(f"bank/{claim.question}", None if claim.question else _ABOUT_ANYTHING)
        if question is None or not claim.is_learnt:
            continue
        for language in LANGUAGES:
            alone = question.model_copy(update={"points": (Point(id="p1", text={language: claim.text[language]}),)})
            for kind, letter in LETTERS.items():
                for said in claim.said[kind][language]:
                    yield _labelled(alone, "claims", language, said, (max(0.0, VERDICTS[kind].credit),), letter)


_ABOUT_ANYTHING = Question(id="claims", set="claims", question=data.EXPLAIN, reference={"en": "-"})


def _told_points(choose: random.Random) -> Iterator[Graded]:
    """Points of training questions said word for word or in the other language, turned, and denied: as many told as
    not, alone and in company."""
    for question in _training_questions():
        for point in question.points:
            alone = question.model_copy(update={"points": (point,)})
            for language in LANGUAGES:
                other = choose.choice(LANGUAGES)
                yield from _told_and_turned(alone, point.in_language(other), (language, other), choose)
        for language in LANGUAGES:
            for _ in range(_IN_COMPANY):
                yield _in_company(question, language, choose)
    for row in {row.group: row for row in outside_answers("train")}.values():
        point = choose.choice(row.question.points)
        alone = row.question.model_copy(update={"points": (point,)})
        yield from _told_and_turned(alone, point.in_language(row.language), (row.language, row.language), choose)
        yield _in_company(row.question, row.language, choose)


def _told_and_turned(
    alone: Question, text: str, languages: tuple[Language, Language], choose: random.Random
) -> Iterator[Graded]:
    """A question of one point that is told, and the same denied or turned where a rule fits.

    Args:
        languages: Of the question and of the text.
    """
    asked_in, spoken = languages
    edge = choose.choice(_EDGES[spoken])
    yield _labelled(alone, "told/points", asked_in, edge + text, (_SAID,), "c")
    turned = deny(text, spoken, choose) if choose.random() < _SOME_DENIED else turn(text, spoken, choose)
    if turned:
        yield _labelled(alone, "told/turned", asked_in, turned, (_SAID_TURNED,), "x")


def _in_company(question: Question, language: Language, choose: random.Random) -> Graded:
    """Some of the points told one after the other, now and then one of them turned."""
    count = len(question.points)
    told = choose.sample(range(count), choose.randint(1, count))
    spoken = choose.choice([name for name in LANGUAGES if name in question.points[0].text])
    said = {at: question.points[at].in_language(spoken) for at in told}
    letters = ["c" if at in said else "m" for at in range(count)]
    turned = turn(said[told[0]], spoken, choose) if choose.random() < _ONE_TURNED else None
    if turned:
        said[told[0]] = turned
        letters[told[0]] = "x"
    choose.shuffle(told)
    labels = tuple({"c": _SAID, "m": 0.0, "x": _SAID_TURNED}[letter] for letter in letters)
    text = " ".join(said[at] if said[at].endswith((".", "。")) else said[at] + FULL_STOP[spoken] for at in told)
    return _labelled(question, "told/company", language, text, labels, "".join(letters))


def _turned_answers(rows: Sequence[Graded], encoder: Encoder, choose: random.Random) -> Iterator[Graded]:
    """Answers that cover a point, with the sentence turned that comes nearest to it."""
    reader = Reader(encoder)
    vector = lru_cache(maxsize=100_000)(reader.vector)
    for row in rows:
        if row.source not in _STRONG or len(row.label) != len(row.question.points):
            continue
        sentences = [
            window.text
            for window in read_answer(row.answer, tuple(row.question.question.values())).windows
            if window.sentences == 1 and window.text in row.answer
        ]
        for point, letter in zip(row.question.points, row.label, strict=True):
            if letter != "c" or not sentences or choose.random() > _SOME_TURNED:
                continue
            aim = vector(point.in_language(row.language))
            nearest = max(sentences, key=lambda text: float(aim @ vector(text)))
            turned = turn(nearest, detect(nearest, row.language), choose)
            if turned:
                alone = row.question.model_copy(update={"points": (point,)})
                said = row.answer.replace(nearest, turned, 1)
                yield _labelled(alone, "turned", row.language, said, (_SAID_TURNED,), "x")


def _training_questions() -> list[Question]:
    return list({row.question.id: row.question for row in data.labelled_answers("train")}.values())


def _labelled(
    question: Question, source: str, language: Language, said: str, labels: tuple[float, ...], letters: str
) -> Graded:
    group = question.id.replace("outside-", "outside/", 1) if question.set == "outside" else f"bank/{question.id}"
    return Graded(group, source, question, language, said, None, labels, letters)


def pairs_of(
    rows: Sequence[tuple[Graded, float]], encoder: Encoder, on_row: Callable[[], None] | None = None
) -> Iterator[dict[str, Any]]:
    """Each answer as `knowledge.crossencoder.train.Taught` is read; one that says nothing is left out.

    Args:
        on_row: Called before each row is read.
    """
    reader = Reader(encoder)
    vector = lru_cache(maxsize=100_000)(reader.vector)
    for row, weight in rows:
        if on_row:
            on_row()
        question = row.question
        if not question.points:
            continue
        texts = [point.in_language(row.language) for point in question.points]
        everywhere = [text for point in question.points for text in point.text.values()]
        answer = read_answer(row.answer, tuple(question.question.values()), everywhere)
        said = [window.text for window in answer.windows if window.sentences == 1]
        if not said:
            continue
        total = sum(point.weight for point in question.points)
        letters = row.label if row.labels is not None and len(row.label) == len(texts) else ""
        yield {
            "group": row.group,
            "source": row.source,
            "pairs": [make_pair(text, said, [float(vector(text) @ vector(each)) for each in said]) for text in texts],
            "shares": [point.weight / total for point in question.points],
            "labels": None if row.labels is None else [min(1.0, max(0.0, label)) for label in row.labels],
            "wrong": [float(LABELS[letter] == Verdict.CONTRADICTED) for letter in letters] or None,
            "score": row.score if row.labels is None else None,
            "weight": weight,
        }
