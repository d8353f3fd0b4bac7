"""The built-in grader: evidence for each point from words, vectors and structure; no chat model needed."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

from interviewer.grading.beyond import find_beyond
from interviewer.grading.evidence import Encoder, Reader, Target, make_target
from interviewer.grading.judging import asks_to_judge, split_judgement
from interviewer.grading.looking import Looked, look_at_found, look_at_given
from interviewer.grading.naming import are_items, are_names, shared_by_names
from interviewer.grading.points import are_found, is_brief, names_asked_for, with_points
from interviewer.grading.protocol import GradingContext, OnProgress
from interviewer.grading.quotes import verify_quotes
from interviewer.grading.reading import CrossEncoder, Pair, pair_up
from interviewer.grading.reasons import comment_on, reason_for, reason_for_clash, reason_for_judgement
from interviewer.grading.scoring import (
    COVERED_FOUND_FROM,
    COVERED_FROM,
    Reading,
    Scorer,
    load_scorer,
    verdict_of,
)
from interviewer.grading.terms import keys
from interviewer.grading.weighing import Weighed, weigh_found, weigh_given, with_judgement
from interviewer.grading.windows import Answer, read_answer
from interviewer.language import detect
from interviewer.models import LANGUAGES, Grade, GraderInfo, Language, Point, PointGrade, Question, Verdict

VERSION = "25"
_REMEMBERED = 256
_UNSURE = 0.6
_OPEN, _OPEN_FOUND = 0.95, 1.0
"""The credit up to which a point is read by the cross-encoder, given or found: above it that changed nothing on the
development split, and reading is most of the time an answer takes. What earns nothing by its words is read as well: a
third of such points had been made, by candidates who tell them in pictures."""
_NO_POINTS: dict[Language, str] = {
    "zh": "这道题没有参考答案，也没有要点，无法评分。",
    "en": "This question has neither points nor a reference answer to grade by.",
}


class _Heard(NamedTuple):
    """An answer, and what is known of each point.

    Attributes:
        question: With its points.
        found: Whether the points are pieces of the reference rather than written by somebody.
    """

    question: Question
    found: bool
    said: Answer
    looked: list[Looked]
    weighed: list[Weighed]

    @property
    def points(self) -> tuple[Point, ...]:
        return self.question.points

    @property
    def names(self) -> bool:
        """Whether the points only name things or are items of a list."""
        texts = [text for point in self.points for text in point.text.values()]
        return are_names(texts) or are_items(texts)

    @property
    def few(self) -> bool:
        """Whether the reference is a short answer itself, as people grade them in schools: the credit before reading
        keeps more of its weight, which was fitted on such grades, and a point is covered from the usual credit on.
        """
        language = next(iter(self.points[0].text))
        return self.found and is_brief(self.question.reference[language])

    @property
    def open_to(self) -> float:
        """The credit up to which a point is read."""
        return _OPEN_FOUND if self.found else _OPEN


class Examined(NamedTuple):
    """What is known of a point before a cross-encoder reads it.

    Attributes:
        weight: Of the point.
        credit: 0..1; `suspicion` likewise.
        open: Whether what is read could change it.
    """

    weight: float
    credit: float
    suspicion: float
    pair: Pair
    open: bool


class Judgement(NamedTuple):
    """A verdict on a point and what it rests on.

    Attributes:
        credit: 0..1; `suspicion` likewise.
        read: Whether the cross-encoder has read the point.
    """

    verdict: Verdict
    credit: float
    suspicion: float
    read: bool


class BuiltinGrader:
    """Grades without a chat model; the same answer always gets the same grade.

    Args:
        encoder: Adds similarity in meaning, also across languages; without one the grader goes by words.
        scorer: The fitted scorer; the shipped one by default.
        cross: Reads each point together with what was said about it; needs the encoder, which finds that.
    """

    def __init__(
        self, encoder: Encoder | None = None, scorer: Scorer | None = None, cross: CrossEncoder | None = None
    ) -> None:
        self._reader = Reader(encoder)
        self._cross = cross if encoder else None
        self._scorer = scorer or load_scorer("encoder" if encoder else "words")
        self._targets: OrderedDict[tuple[Any, ...], tuple[Target, ...]] = OrderedDict()

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        info = GraderInfo(name="builtin", model=VERSION)
        heard = self._hear(question, answer, context)
        if heard is None:
            return Grade(status="ungraded", reason=_NO_POINTS[context.language], grader=info, language=context.language)
        points, said = heard.points, heard.said
        weighed, verdicts = self._decide(heard)
        graded = tuple(
            self._grade(*each, said, context.language) for each in zip(points, weighed, verdicts, strict=True)
        )
        quoted = [point.quote for point in graded]
        commented = any(quoted) or not said.windows
        grade = Grade(
            status="graded",
            points=graded,
            choices=heard.question.choices,
            beyond=find_beyond(self._reader, said, quoted, context.passages),
            comment=comment_on(context.language, said, verdicts, names=heard.names) if commented else "",
            grader=info,
            language=context.language,
        )
        return verify_quotes(grade, answer)

    def judge(self, question: Question, answer: str, context: GradingContext) -> list[Judgement]:
        """What the verdict on each point rests on; empty where there is nothing to grade by."""
        heard = self._hear(question, answer, context)
        if heard is None:
            return []
        return [
            Judgement(verdict, each.credit, each.suspicion, each.read)
            for each, verdict in zip(*self._decide(heard), strict=True)
        ]

    def examine(self, question: Question, answer: str, context: GradingContext) -> list[Examined]:
        """What is known of each point before a cross-encoder has its say; empty where there is nothing to grade by."""
        heard = self._hear(question, answer, context)
        if heard is None:
            return []
        pairs = pair_up(self._reader, heard.said, [each.target for each in heard.weighed])
        return [
            Examined(point.weight, _earned(each), each.suspicion, pair, _is_open(each, heard.open_to))
            for point, each, pair in zip(heard.points, heard.weighed, pairs, strict=True)
        ]

    def _decide(self, heard: _Heard) -> tuple[list[Weighed], list[Verdict]]:
        weighed, joint = heard.weighed, self._scorer.joint
        if self._cross and joint:
            weighed = self._read(heard, joint.few if heard.few else joint.usual)
        least = COVERED_FOUND_FROM if heard.found and not heard.few else COVERED_FROM
        return weighed, [Verdict.CONTRADICTED if each.wrong else verdict_of(each.credit, least) for each in weighed]

    def _hear(self, question: Question, answer: str, context: GradingContext) -> _Heard | None:
        question = with_points(question, context.language)
        points = question.points
        if not points:
            return None
        asked = tuple(dict.fromkeys((*question.question.values(), *context.asked)))
        texts = [text for point in points for text in point.text.values()]
        names = are_names(texts)
        titles = names_asked_for(question)
        said = read_answer(answer, asked, [title or text for title, text in zip(titles, texts, strict=True)])
        found = are_found(points, question.reference)
        if found:
            looked, weighed = self._weigh_found(question, said, asked, titles, names=names or are_items(texts))
        else:
            looked, weighed = self._weigh_given(question, said, asked, names=names)
        judged = [with_judgement(each, said, question.question.values()) for each in weighed]
        return _Heard(question, found, said, looked, judged)

    def _weigh_given(
        self, question: Question, said: Answer, asked: tuple[str, ...], *, names: bool
    ) -> tuple[list[Looked], list[Weighed]]:
        """Points that people wrote, in the language of the answer where they have it.

        Args:
            names: Whether all of them only name things.
        """
        points, scorer = question.points, self._scorer
        languages = [language for language in LANGUAGES if any(language in point.text for point in points)]
        spoken = detect(said.text, languages[0])
        language = spoken if spoken in languages else languages[0]
        heard = " ".join(asked)
        targets = self._aim(question, language, asked)
        looked = look_at_given(self._reader, scorer, said, targets, question, language, heard)
        pairs = zip(looked, targets, strict=True)
        return looked, [weigh_given(scorer, *each, said, heard, names=names) for each in pairs]

    def _weigh_found(
        self, question: Question, said: Answer, asked: tuple[str, ...], titles: Sequence[str], *, names: bool
    ) -> tuple[list[Looked], list[Weighed]]:
        """Points found in the reference, in its language; what was asked in the other one is not compared.

        Args:
            titles: For each point the name that makes it, empty for none.
            names: Whether all points only name things or are items of a list.
        """
        language = next(iter(question.points[0].text))
        elsewhere = [text for spoken, text in question.question.items() if spoken != language]
        asked = tuple(text for text in asked if text not in elsewhere) or asked
        targets = self._aim(question, language, asked)
        looked = look_at_found(self._reader, self._scorer, said, targets, question, language, " ".join(asked))
        rows = zip(looked, targets, titles, strict=True)
        return looked, [
            weigh_found(self._scorer, each, target, said, asked, title, names=names) for each, target, title in rows
        ]

    def _read(self, heard: _Heard, reading: Reading) -> list[Weighed]:
        """What is known of each point once the cross-encoder has read the open ones beside what was said about them."""
        assert self._cross is not None
        points, said, looked, weighed = heard.points, heard.said, heard.looked, heard.weighed
        open_ = [at for at, each in enumerate(weighed) if _is_open(each, heard.open_to)]
        read = self._cross.predict(pair_up(self._reader, said, [weighed[at].target for at in open_])).tolist()
        settled = list(weighed)
        for at, (told, _) in zip(open_, read, strict=True):
            credit = max(weighed[at].least, min(weighed[at].most, reading.credit_of(weighed[at].credit, told)))
            settled[at] = weighed[at]._replace(credit=credit, made=credit, read=True)
        weights = [point.weight for point in points]
        earned = sum(w * _earned(each) for w, each in zip(weights, settled, strict=True)) / sum(weights)
        for at, (told, wrong) in zip(open_, read, strict=True):
            suspicion = reading.suspicion_of(weighed[at].suspicion, wrong, told, earned)
            held = weighed[at].wrong or looked[at].suspected
            contradicted = held if suspicion >= reading.surely and not weighed[at].least else None
            settled[at] = settled[at]._replace(suspicion=suspicion, wrong=contradicted)
        return settled

    def _grade(self, point: Point, weighed: Weighed, verdict: Verdict, said: Answer, language: Language) -> PointGrade:
        wrong, window = weighed.wrong, weighed.evidence.window
        confidence = self._scorer.confidence(verdict, weighed.credit, weighed.suspicion, weighed.read)
        unsure = confidence < _UNSURE and window is not None
        quote = wrong.window.text if wrong else window.text if window else ""
        return PointGrade(
            id=point.id,
            text=point.in_language(language),
            weight=point.weight,
            verdict=verdict,
            quote=quote if verdict != Verdict.MISSING else "",
            confidence=confidence,
            reason=_reason(weighed, verdict, said, language),
            correction=wrong.correction.get(language, "") or point.in_language(language) if wrong else "",
            unsure=unsure,
            nearest=quote if unsure else "",
        )

    def _aim(self, question: Question, language: Language, asked: tuple[str, ...]) -> tuple[Target, ...]:
        texts = [point.in_language(language) for point in question.points]
        aliases = [tuple(alias for names in point.aliases.values() for alias in names) for point in question.points]
        judges = asks_to_judge(question.question.values())
        remembered = (language, tuple(texts), tuple(aliases), asked, judges)
        if remembered not in self._targets:
            heard = frozenset(key for text in asked for key in keys(text)) | shared_by_names(texts)
            parts = map(split_judgement, texts) if judges else (("", text) for text in texts)
            self._targets[remembered] = tuple(
                make_target(self._reader, text, names, heard)._replace(judgement=judgement)
                for (judgement, text), names in zip(parts, aliases, strict=True)
            )
            if len(self._targets) > _REMEMBERED:
                self._targets.popitem(last=False)
        return self._targets[remembered]


def _reason(weighed: Weighed, verdict: Verdict, said: Answer, language: Language) -> str:
    if weighed.wrong:
        return reason_for_clash(language, weighed.wrong.kind)
    if verdict == Verdict.PARTIAL and weighed.credit == weighed.least:
        return reason_for_judgement(language)
    return reason_for(language, verdict, weighed.made, weighed.target, said)


def _is_open(weighed: Weighed, most: float) -> bool:
    return weighed.evidence.window is not None and not weighed.settled and weighed.credit <= most


def _earned(weighed: Weighed) -> float:
    """0..1: the credit, none where a mistake is settled already."""
    return 0.0 if weighed.settled and weighed.wrong else weighed.credit
