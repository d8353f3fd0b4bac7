"""What a point comes to by words, vectors and rules, before a cross-encoder reads it."""

from collections.abc import Iterable
from typing import NamedTuple

from interviewer.grading.evidence import Evidence, Target
from interviewer.grading.formulas import among, find_formulas, formulas_given
from interviewer.grading.judging import asks_why, hear_judgement, is_judgement, only_judges
from interviewer.grading.looking import Looked
from interviewer.grading.naming import are_names, is_name, only_denied, states
from interviewer.grading.scoring import COVERED_FROM, PARTIAL_FROM, Scorer
from interviewer.grading.windows import Answer, Window, where_named
from interviewer.grading.wrong import WORD_FOR_WORD, Wrong

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
_GIVEN_FORMULA = _GIVEN_NAME = 0.95
_JUDGED_ALIKE = 0.5
"""The credit of a right judgement whose reason is absent or wrong."""
_RECITED, _RECITED_WORDS, _LOOSE_ORDER = 0.75, 6, 2.2
_HEAPED, _SURELY_HEAPED = 0.25, 0.1


class Weighed(NamedTuple):
    """One point.

    Attributes:
        wrong: Where the answer contradicts it.
        suspicion: 0..1, the chance that it does.
        made: 0..1, the credit if nothing were suspicious.
        most: 0..1, the credit it can get at most: less than 1 where a rule found a part of it denied.
        least: 0..1, the credit it gets at least, and then it is not contradicted: more than 0 where it begins with a
            judgement and the answer judges alike.
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
    least: float = 0.0
    settled: bool = False
    read: bool = False


def weigh_given(scorer: Scorer, looked: Looked, target: Target, said: Answer, asked: str, *, names: bool) -> Weighed:
    """A point that people wrote. One contradicted by a rule is contradicted, unless nothing else speaks for it. One
    that was made is partly covered or better, however suspicious, as long as it is not called contradicted.

    Args:
        asked: Everything the interviewer said, as one text.
        names: Whether all points only name things. A list of names among statements is read like these: whoever says it
            in other words, or says more than names, has said it.
    """
    evidence, suspected = looked.evidence, looked.suspected
    apart = _weigh_apart(evidence, target, said, asked)
    if apart:
        return apart
    named = names or is_name(target.text)
    if named:
        made = credit = _named(evidence, target)
    else:
        made = scorer.credit_given(evidence, looked.more, doubted=False)
        credit = scorer.credit_given(evidence, looked.more)
    few = sum(window.sentences == 1 for window in said.windows) <= _FEW_SENTENCES
    least = 0.0 if few else _LIKELY_WRONG
    suspicion = suspected.confidence if suspected else 0.0
    wrong = looked.wrong
    known = wrong is not None and wrong.kind == "misconception" and not _is_beyond_doubt(wrong)
    if known and least and suspicion < _LIKELY_KNOWN:
        wrong = None
    weighed = Weighed(credit, evidence, target, wrong, suspicion, made, settled=named)
    ruled = wrong is not None and wrong.share >= _MOST_OF_POINT
    if ruled and (suspicion >= least or _is_beyond_doubt(wrong)):
        return weighed._replace(suspicion=max(suspicion, _SURELY), settled=True)
    if suspected and suspicion >= _SURELY and made >= _ABOUT_IT:
        return weighed._replace(wrong=suspected)
    if made >= COVERED_FROM:
        credit = max(credit, PARTIAL_FROM)
    most = _CAPPED if wrong else 1.0
    return weighed._replace(credit=min(credit, most), most=most, wrong=None)


def weigh_found(
    scorer: Scorer, looked: Looked, target: Target, said: Answer, asked: tuple[str, ...], title: str, *, names: bool
) -> Weighed:
    """A point found in a reference.

    Args:
        asked: What the interviewer said, in the reference's language.
        title: The name that makes it, empty for none.
        names: Whether all points only name things or are items of a list: alone among statements what looks like a name
            is mostly a brief statement ("The bulb becomes brighter").
    """
    evidence = looked.evidence
    naming = where_named(said, title, asked) if title else None
    if naming:
        return Weighed(_GIVEN_NAME, evidence._replace(window=naming), target, settled=True)
    apart = _weigh_apart(evidence, target, said, " ".join(asked))
    if apart:
        return apart
    named = names and are_names([target.text]) and not states(target.text)
    credit = _named(evidence, target) if named else scorer.credit_found(evidence, looked.more)
    return _settle_found(Weighed(credit, evidence, target, looked.wrong, settled=named), looked.suspected)


def with_judgement(weighed: Weighed, said: Answer, question: Iterable[str]) -> Weighed:
    """A point that begins with a judgement, once its reason was weighed: whoever judges otherwise contradicts it, and
    who judges alike has half of it, unless reasons are asked for and none is given.

    Args:
        question: In each language, without what was asked afterwards: a probe for the reason takes nothing away.
    """
    judgement = weighed.target.judgement
    heard = hear_judgement(judgement, said.text) if judgement else None
    if heard is None:
        return weighed
    if not heard.alike:
        return _judged_otherwise(weighed.evidence, weighed.target, heard.window)
    if asks_why(question) and only_judges(said.text):
        return weighed
    lacking = weighed.credit < _JUDGED_ALIKE
    return weighed._replace(
        credit=max(weighed.credit, _JUDGED_ALIKE),
        made=max(weighed.made, _JUDGED_ALIKE),
        evidence=weighed.evidence._replace(window=heard.window) if lacking else weighed.evidence,
        wrong=None,
        least=_JUDGED_ALIKE,
    )


def _named(evidence: Evidence, target: Target) -> float:
    """The credit of a point that is a mere name: how much of the name was said, apart from what the question says."""
    if evidence.window is None or only_denied(target.text, evidence.window.text):
        return 0.0
    return 0.95 * (evidence.named("exact_new") + evidence.named("window_new")) / 2


def _weigh_apart(evidence: Evidence, target: Target, said: Answer, asked: str) -> Weighed | None:
    """What is not weighed as a statement is: words in no order, a bare judgement, formulas; None for all else."""
    if _is_heap(evidence, target, said):
        return Weighed(0.0, evidence, target, settled=True)
    if is_judgement(target.text):
        return _by_judgement(evidence, target, said)
    given = formulas_given(target.text, asked, said.text)
    return None if given is None else _by_formula(given, evidence, target, said)


def _by_judgement(evidence: Evidence, target: Target, said: Answer) -> Weighed:
    heard = hear_judgement(target.text, said.text)
    if heard and not heard.alike:
        return _judged_otherwise(evidence, target, heard.window)
    credit = _GIVEN_NAME if heard else 0.0
    window = heard.window if heard else None
    return Weighed(credit, evidence._replace(window=window), target, made=credit, settled=True)


def _judged_otherwise(evidence: Evidence, target: Target, window: Window) -> Weighed:
    wrong = Wrong("negated", window, 1.0, {})
    return Weighed(0.0, evidence._replace(window=window), target, wrong, suspicion=_SURELY_FOUND, settled=True)


def _by_formula(given: float, evidence: Evidence, target: Target, said: Answer) -> Weighed:
    """A point that asks for formulas is made by whoever gives them, however they are written.

    Args:
        given: 0..1, see `formulas_given`.
    """
    wanted = find_formulas(target.text)
    giving = [window for window in said.windows if any(among(each, wanted) for each in find_formulas(window.text))]
    credit = _GIVEN_FORMULA * given
    window = giving[0] if giving and given else evidence.window
    return Weighed(credit, evidence._replace(window=window), target, made=credit, settled=True)


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


def _settle_found(weighed: Weighed, suspected: Wrong | None) -> Weighed:
    """A point found in a reference is contradicted where that is all but sure."""
    suspicion = suspected.confidence if suspected else 0.0
    likely = suspicion >= _LIKELY_WRONG_FOUND and weighed.wrong and weighed.wrong.share >= _MOST_OF_POINT
    if likely or _is_beyond_doubt(weighed.wrong):
        return weighed._replace(suspicion=max(suspicion, _SURELY_FOUND), settled=True)
    if suspected and suspicion >= _SURELY_FOUND and weighed.credit >= _ABOUT_IT:
        return weighed._replace(wrong=suspected, suspicion=suspicion)
    return weighed._replace(wrong=None, suspicion=suspicion)
