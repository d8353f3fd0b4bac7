"""The built-in grader: evidence for each point from words, vectors and structure; no chat model needed."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

from interviewer.grading.beyond import find_beyond
from interviewer.grading.evidence import Encoder, Evidence, Reader, Target, make_target
from interviewer.grading.formulas import among, find_formulas, formulas_given
from interviewer.grading.judging import is_judgement, where_judged
from interviewer.grading.looking import Looked, look_at_found, look_at_given
from interviewer.grading.naming import are_items, are_names, is_name, only_denied, shared_by_names
from interviewer.grading.points import are_found, names_asked_for, with_points
from interviewer.grading.protocol import GradingContext, OnProgress
from interviewer.grading.quotes import verify_quotes
from interviewer.grading.reading import CrossEncoder, Pair, pair_up
from interviewer.grading.reasons import (
    comment_on,
    reason_for,
    reason_for_clash,
)
from interviewer.grading.scoring import (
    COVERED_FOUND_FROM,
    COVERED_FROM,
    PARTIAL_FROM,
    Reading,
    Scorer,
    load_scorer,
    verdict_of,
)
from interviewer.grading.terms import keys
from interviewer.grading.windows import Answer, read_answer, where_named
from interviewer.grading.wrong import WORD_FOR_WORD, Wrong
from interviewer.language import detect
from interviewer.models import LANGUAGES, Grade, GraderInfo, Language, Point, PointGrade, Question, Verdict

VERSION = "18"
_REMEMBERED = 256
_SURELY, _SURELY_FOUND = 0.8, 0.9
"""The suspicion from which a point is contradicted: of points that people wrote, on which it was fitted, and of points
found in a reference."""
_MOST_OF_POINT, _NEARLY_ALL_OF_POINT = 0.35, 0.6
_CAPPED = 0.5
_LIKELY_WRONG, _LIKELY_KNOWN, _LIKELY_WRONG_FOUND = 0.2, 0.7, 0.5
"""The suspicion that a rule needs beside it; more where it found a misconception: what corrects one, or tells things
apart that it mixes up, has its words."""
_FEW_SENTENCES = 2
"""The suspicion was fitted on whole answers: to so few sentences the rules say more than it does."""
_ABOUT_IT = 0.2
_UNSURE = 0.6
_FEW_POINTS = 2
"""A reference with so few is a short answer itself, as people grade them in schools: the credit before reading keeps
more of its weight, which was fitted on such grades, and a point is covered from the usual credit on."""
_OPEN, _OPEN_FOUND = 0.95, 1.0
"""The credit up to which a point is read by the cross-encoder, given or found: above it that changed nothing on the
development split, and reading is most of the time an answer takes. What earns nothing by its words is read as well: a
third of such points had been made, by candidates who tell them in pictures."""
_GIVEN_FORMULA = _GIVEN_NAME = 0.95
_RECITED, _RECITED_WORDS, _LOOSE_ORDER = 0.75, 6, 2.2
_HEAPED, _SURELY_HEAPED = 0.25, 0.1
_NO_POINTS: dict[Language, str] = {
    "zh": "这道题没有参考答案，也没有要点，无法评分。",
    "en": "This question has neither points nor a reference answer to grade by.",
}


class _Judged(NamedTuple):
    """What was found for one point.

    Attributes:
        wrong: Where the answer contradicts it.
        suspicion: 0..1, the chance that it does.
        made: 0..1, the credit if nothing were suspicious.
        most: 0..1, the credit it can get at most: less than 1 where a rule found a part of it denied.
        settled: Whether nothing that is read could change it: a heap of words, a mere name, a mistake found by a rule.
        read: Whether the cross-encoder has read it.
    """

    credit: float
    evidence: Evidence
    target: Target
    wrong: Wrong | None = None
    suspicion: float = 0.0
    made: float = 0.0
    most: float = 1.0
    settled: bool = False
    read: bool = False


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
    judged: list[_Judged]

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
        return self.found and len(self.points) <= _FEW_POINTS

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
        judged, verdicts = self._decide(heard)
        graded = tuple(
            self._grade(*each, said, context.language) for each in zip(points, judged, verdicts, strict=True)
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
        pairs = pair_up(self._reader, heard.said, [each.target for each in heard.judged])
        return [
            Examined(point.weight, _earned(each), each.suspicion, pair, _is_open(each, heard.open_to))
            for point, each, pair in zip(heard.points, heard.judged, pairs, strict=True)
        ]

    def _decide(self, heard: _Heard) -> tuple[list[_Judged], list[Verdict]]:
        judged, joint = heard.judged, self._scorer.joint
        if self._cross and joint:
            judged = self._read(heard, joint.few if heard.few else joint.usual)
        least = COVERED_FOUND_FROM if heard.found and not heard.few else COVERED_FROM
        return judged, [Verdict.CONTRADICTED if each.wrong else verdict_of(each.credit, least) for each in judged]

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
        if not are_found(points, question.reference):
            return _Heard(question, False, said, *self._judge(points, question, said, asked, names))
        return _Heard(question, True, said, *self._judge_found(question, said, asked, titles))

    def _judge(
        self, points: Sequence[Point], question: Question, said: Answer, asked: tuple[str, ...], names: bool
    ) -> tuple[list[Looked], list[_Judged]]:
        """Points that people wrote, in the language of the answer where they have it.

        Args:
            names: Whether all of them only name things. A list of names among statements is read like these: whoever
                says it in other words, or says more than names, has said it.
        """
        languages = [language for language in LANGUAGES if any(language in point.text for point in points)]
        spoken = detect(said.text, languages[0])
        language = spoken if spoken in languages else languages[0]
        targets = self._aim(points, language, asked)
        looked = look_at_given(self._reader, self._scorer, said, targets, question, language, " ".join(asked))
        few = sum(window.sentences == 1 for window in said.windows) <= _FEW_SENTENCES
        least = 0.0 if few else _LIKELY_WRONG
        heard = " ".join(asked)
        return looked, [self._judge_one(*each, said, heard, least, names) for each in zip(looked, targets, strict=True)]

    def _judge_one(
        self, looked: Looked, target: Target, said: Answer, asked: str, least: float, names: bool
    ) -> _Judged:
        """A point contradicted by a rule is contradicted, unless nothing else speaks for it. One that was made is
        partly covered or better, however suspicious, as long as it is not called contradicted.

        Args:
            least: The suspicion that a rule needs beside it.
            names: Whether all points only name things.
        """
        evidence, suspected = looked.evidence, looked.suspected
        if _is_heap(evidence, target, said):
            return _Judged(0.0, evidence, target, settled=True)
        if is_judgement(target.text):
            return _by_judgement(evidence, target, said)
        given = formulas_given(target.text, asked, said.text)
        if given is not None:
            return _by_formula(given, evidence, target, said)
        named = names or is_name(target.text)
        if named:
            made = credit = _named(evidence, target)
        else:
            made = self._scorer.credit_given(evidence, looked.more, doubted=False)
            credit = self._scorer.credit_given(evidence, looked.more)
        suspicion = suspected.confidence if suspected else 0.0
        wrong = looked.wrong
        known = wrong is not None and wrong.kind == "misconception" and not _is_beyond_doubt(wrong)
        if known and least and suspicion < _LIKELY_KNOWN:
            wrong = None
        judged = _Judged(credit, evidence, target, wrong, suspicion, made, settled=named)
        ruled = wrong is not None and wrong.share >= _MOST_OF_POINT
        if ruled and (suspicion >= least or _is_beyond_doubt(wrong)):
            return judged._replace(suspicion=max(suspicion, _SURELY), settled=True)
        if suspected and suspicion >= _SURELY and made >= _ABOUT_IT:
            return judged._replace(wrong=suspected)
        if made >= COVERED_FROM:
            credit = max(credit, PARTIAL_FROM)
        most = _CAPPED if wrong else 1.0
        return judged._replace(credit=min(credit, most), most=most, wrong=None)

    def _read(self, heard: _Heard, reading: Reading) -> list[_Judged]:
        """What is known of each point once the cross-encoder has read the open ones beside what was said about them."""
        assert self._cross is not None
        points, said, looked, judged = heard.points, heard.said, heard.looked, heard.judged
        open_ = [at for at, each in enumerate(judged) if _is_open(each, heard.open_to)]
        read = self._cross.predict(pair_up(self._reader, said, [judged[at].target for at in open_])).tolist()
        settled = list(judged)
        for at, (told, _) in zip(open_, read, strict=True):
            credit = min(judged[at].most, reading.credit_of(judged[at].credit, told))
            settled[at] = judged[at]._replace(credit=credit, made=credit, read=True)
        weights = [point.weight for point in points]
        earned = sum(w * _earned(each) for w, each in zip(weights, settled, strict=True)) / sum(weights)
        for at, (told, wrong) in zip(open_, read, strict=True):
            suspicion = reading.suspicion_of(judged[at].suspicion, wrong, told, earned)
            held = judged[at].wrong or looked[at].suspected
            contradicted = held if suspicion >= reading.surely else None
            settled[at] = settled[at]._replace(suspicion=suspicion, wrong=contradicted)
        return settled

    def _judge_found(
        self, question: Question, said: Answer, asked: tuple[str, ...], titles: Sequence[str]
    ) -> tuple[list[Looked], list[_Judged]]:
        """Points found in the reference, in its language; what was asked in the other one is not compared.

        Args:
            titles: For each point the name that makes it, empty for none.
        """
        language = next(iter(question.points[0].text))
        elsewhere = [text for spoken, text in question.question.items() if spoken != language]
        asked = tuple(text for text in asked if text not in elsewhere) or asked
        targets = self._aim(question.points, language, asked)
        looked = look_at_found(self._reader, self._scorer, said, targets, question, language, " ".join(asked))
        judged: list[_Judged] = []
        for target, each, title in zip(targets, looked, titles, strict=True):
            naming = where_named(said, title, asked) if title else None
            if naming:
                judged.append(_Judged(_GIVEN_NAME, each.evidence._replace(window=naming), target, settled=True))
                continue
            if _is_heap(each.evidence, target, said):
                judged.append(_Judged(0.0, each.evidence, target, settled=True))
                continue
            if is_judgement(target.text):
                judged.append(_by_judgement(each.evidence, target, said))
                continue
            given = formulas_given(target.text, " ".join(asked), said.text)
            if given is not None:
                judged.append(_by_formula(given, each.evidence, target, said))
                continue
            named = are_names([target.text])
            credit = _named(each.evidence, target) if named else self._scorer.credit_found(each.evidence, each.more)
            found = _Judged(credit, each.evidence, target, each.wrong, settled=named)
            judged.append(_settle_found(found, each.suspected))
        return looked, judged

    def _grade(self, point: Point, judged: _Judged, verdict: Verdict, said: Answer, language: Language) -> PointGrade:
        wrong, window = judged.wrong, judged.evidence.window
        confidence = self._scorer.confidence(verdict, judged.credit, judged.suspicion, judged.read)
        unsure = confidence < _UNSURE and window is not None
        quote = wrong.window.text if wrong else window.text if window else ""
        return PointGrade(
            id=point.id,
            text=point.in_language(language),
            weight=point.weight,
            verdict=verdict,
            quote=quote if verdict != Verdict.MISSING else "",
            confidence=confidence,
            reason=reason_for_clash(language, wrong.kind)
            if wrong
            else reason_for(language, verdict, judged.made, judged.target, said),
            correction=wrong.correction.get(language, "") or point.in_language(language) if wrong else "",
            unsure=unsure,
            nearest=quote if unsure else "",
        )

    def _aim(self, points: Sequence[Point], language: Language, asked: tuple[str, ...]) -> tuple[Target, ...]:
        texts = [point.in_language(language) for point in points]
        aliases = [tuple(alias for names in point.aliases.values() for alias in names) for point in points]
        remembered = (language, tuple(texts), tuple(aliases), asked)
        if remembered not in self._targets:
            heard = frozenset(key for text in asked for key in keys(text)) | shared_by_names(texts)
            self._targets[remembered] = tuple(
                make_target(self._reader, text, names, heard) for text, names in zip(texts, aliases, strict=True)
            )
            if len(self._targets) > _REMEMBERED:
                self._targets.popitem(last=False)
        return self._targets[remembered]


def _named(evidence: Evidence, target: Target) -> float:
    """The credit of a point that is a mere name: how much of the name was said, apart from what the question says."""
    if evidence.window is None or only_denied(target.text, evidence.window.text):
        return 0.0
    return 0.95 * (evidence.named("exact_new") + evidence.named("window_new")) / 2


def _by_judgement(evidence: Evidence, target: Target, said: Answer) -> _Judged:
    window = where_judged(target.text, said.text)
    credit = _GIVEN_NAME if window else 0.0
    return _Judged(credit, evidence._replace(window=window), target, made=credit, settled=True)


def _by_formula(given: float, evidence: Evidence, target: Target, said: Answer) -> _Judged:
    """A point that asks for formulas is made by whoever gives them, however they are written.

    Args:
        given: 0..1, see `formulas_given`.
    """
    wanted = find_formulas(target.text)
    giving = [window for window in said.windows if any(among(each, wanted) for each in find_formulas(window.text))]
    credit = _GIVEN_FORMULA * given
    window = giving[0] if giving and given else evidence.window
    return _Judged(credit, evidence._replace(window=window), target, made=credit, settled=True)


def _is_heap(evidence: Evidence, target: Target, answer: Answer) -> bool:
    """Whether the words of the point are there but in no order: recited by somebody who does not say anything."""
    recited = evidence.named("exact") >= _RECITED and len(target.words.keys) >= _RECITED_WORDS
    if answer.order is None:
        return recited and evidence.named("bigrams") < _SURELY_HEAPED
    return recited and answer.order < _LOOSE_ORDER and evidence.named("bigrams") < _HEAPED


def _is_beyond_doubt(wrong: Wrong | None) -> bool:
    """Whether a rule found nearly all of the point said and denied, or a misconception told nearly word for word: that
    needs no other witness.
    """
    if wrong is None:
        return False
    return wrong.close >= WORD_FOR_WORD if wrong.kind == "misconception" else wrong.share >= _NEARLY_ALL_OF_POINT


def _settle_found(judged: _Judged, suspected: Wrong | None) -> _Judged:
    """A point found in a reference is contradicted where that is all but sure."""
    suspicion = suspected.confidence if suspected else 0.0
    likely = suspicion >= _LIKELY_WRONG_FOUND and judged.wrong and judged.wrong.share >= _MOST_OF_POINT
    if likely or _is_beyond_doubt(judged.wrong):
        return judged._replace(suspicion=max(suspicion, _SURELY_FOUND), settled=True)
    if suspected and suspicion >= _SURELY_FOUND and judged.credit >= _ABOUT_IT:
        return judged._replace(wrong=suspected, suspicion=suspicion)
    return judged._replace(wrong=None, suspicion=suspicion)


def _is_open(judged: _Judged, most: float) -> bool:
    return judged.evidence.window is not None and not judged.settled and judged.credit <= most


def _earned(judged: _Judged) -> float:
    """0..1: the credit, none where a mistake is settled already."""
    return 0.0 if judged.settled and judged.wrong else judged.credit
