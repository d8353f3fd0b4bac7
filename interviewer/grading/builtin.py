"""The built-in grader: evidence for each point from words, vectors and structure; no chat model needed."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from interviewer.grading.evidence import Collector, Encoder, Evidence, Reader, Target, make_target
from interviewer.grading.points import extract_points
from interviewer.grading.protocol import GradingContext, OnProgress
from interviewer.grading.quotes import verify_quotes
from interviewer.grading.reasons import comment_on, give_reason, reason_for_copy, reason_for_list
from interviewer.grading.scoring import confidence_of, load_scorer, verdict_of
from interviewer.grading.terms import keys
from interviewer.grading.windows import Answer, read_answer
from interviewer.models import LANGUAGES, Grade, GraderInfo, Language, Point, PointGrade, Question, Verdict

VERSION = "1"
_REMEMBERED = 256
_NO_POINTS: dict[Language, str] = {
    "zh": "这道题没有参考答案，也没有要点，无法评分。",
    "en": "This question has neither points nor a reference answer to grade by.",
}


class _Judged(NamedTuple):
    credit: float
    evidence: Evidence
    target: Target


class BuiltinGrader:
    """Grades without a chat model; the same answer always gets the same grade.

    Args:
        encoder: Adds similarity in meaning, also across languages; without one the grader goes by words.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._reader = Reader(encoder)
        self._scorer = load_scorer("encoder" if encoder else "words")
        self._targets: OrderedDict[tuple[str, ...], tuple[Target, ...]] = OrderedDict()

    def grade(
        self, question: Question, answer: str, context: GradingContext, on_progress: OnProgress | None = None
    ) -> Grade:
        points = question.points or _extracted(question, context.language)
        info = GraderInfo(name="builtin", model=VERSION)
        if not points:
            return Grade(status="ungraded", reason=_NO_POINTS[context.language], grader=info, language=context.language)
        asked = tuple(dict.fromkeys((*question.question.values(), *context.asked)))
        said = read_answer(answer, asked)
        judged = self._judge(points, said, asked)
        graded = tuple(_grade(p, j, said, context.language) for p, j in zip(points, judged, strict=True))
        grade = Grade(
            status="graded",
            points=graded,
            comment=comment_on(context.language, said),
            grader=info,
            language=context.language,
        )
        return verify_quotes(grade, answer)

    def _judge(self, points: Sequence[Point], said: Answer, asked: tuple[str, ...]) -> list[_Judged]:
        """Each point by the language version of it that the answer speaks for most."""
        found: list[list[_Judged]] = []
        for language in LANGUAGES:
            if any(language in point.text for point in points):
                targets = self._aim(points, language, asked)
                collector = Collector(self._reader, said, targets, " ".join(asked))
                evidence = [collector.collect(i) for i in range(len(targets))]
                found.append([_Judged(self._scorer.credit(e), e, t) for e, t in zip(evidence, targets, strict=True)])
        return [max(versions, key=lambda judged: judged.credit) for versions in zip(*found, strict=True)]

    def _aim(self, points: Sequence[Point], language: Language, asked: tuple[str, ...]) -> tuple[Target, ...]:
        texts = [point.in_language(language) for point in points]
        remembered = (language, *texts, *asked)
        if remembered not in self._targets:
            heard = frozenset(key for text in asked for key in keys(text))
            aliases = [tuple(alias for names in point.aliases.values() for alias in names) for point in points]
            self._targets[remembered] = tuple(
                make_target(self._reader, text, names, heard) for text, names in zip(texts, aliases, strict=True)
            )
            if len(self._targets) > _REMEMBERED:
                self._targets.popitem(last=False)
        return self._targets[remembered]


def _extracted(question: Question, language: Language) -> tuple[Point, ...]:
    language = language if language in question.reference else next(iter(question.reference))
    return extract_points(question.reference_in(language), language)


def _grade(point: Point, judged: _Judged, said: Answer, language: Language) -> PointGrade:
    verdict = verdict_of(judged.credit)
    window = judged.evidence.window
    return PointGrade(
        id=point.id,
        text=point.in_language(language),
        weight=point.weight,
        verdict=verdict,
        quote=window.text if window and verdict != Verdict.MISSING else "",
        confidence=confidence_of(judged.credit, verdict),
        reason=_reason(verdict, judged, said, language),
    )


def _reason(verdict: Verdict, judged: _Judged, said: Answer, language: Language) -> str:
    if verdict == Verdict.MISSING and not said.windows and said.listed:
        return reason_for_list(language)
    if verdict == Verdict.MISSING and not said.windows and said.copied:
        return reason_for_copy(language)
    heard = frozenset(term.key for term in said.terms)
    words = judged.target.words
    telling = sorted(zip(words.keys, words.weights, words.surfaces, strict=True), key=lambda word: -word[1])
    found = [surface for key, _, surface in telling if key in heard]
    absent = [surface for key, _, surface in telling if key not in heard]
    return give_reason(language, verdict, found, absent)
