"""The built-in grader on the labelled answers of the test split: every figure with its interval, by question."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from evals.answers import LABELS
from evals.candidates import GROUPS, Reading, readings
from evals.grading import metrics
from evals.grading.data import Graded
from evals.grading.outcomes import Outcome, Scored, labelled_figures, scored, time_taken, true_score, verdicts_of
from evals.grading.outside import outside_readings
from evals.statements import KINDS
from interviewer.models import LANGUAGES, Verdict

SAMPLES = 400
SAMPLE_SIZE = 120
_Figures = dict[str, Any]
_Row = TypeVar("_Row")


def answer_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """All figures, as plain data.

    Args:
        given: Graded with the points of the bank.
        extracted: The same answers graded with the reference alone; only their scores are compared.
    """
    return {
        **with_intervals(given, labelled_figures),
        "languages": {
            language: with_intervals([o for o in given if o.row.language == language], labelled_figures)
            for language in LANGUAGES
        },
        "kinds": _kinds(given),
        "confusion": _confusion(given),
        "reliability": _reliability(given),
        "by_verdict": _by_verdict(given),
        "unsure": _unsure(given),
        "sample": with_intervals(sample_of(given), scores_alone),
        "reference_only": {**with_intervals(extracted, scores_alone), **time_taken(extracted)},
        **time_taken(given),
    }


def with_intervals(found: Sequence[Outcome], measure: Callable[[Sequence[Scored]], _Figures]) -> _Figures:
    """The figures with `intervals`: 95%, from drawing questions with replacement."""
    rows = [scored(outcome) for outcome in found]
    by_question: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        by_question[row.group].append(row)
    questions = list(by_question.values())
    choose = np.random.default_rng(0)
    drawn: dict[str, list[float]] = defaultdict(list)
    for _ in range(SAMPLES):
        picked = [questions[i] for i in choose.integers(0, len(questions), len(questions))]
        again = [row._replace(group=str(n)) for n, each in enumerate(picked) for row in each]
        for name, value in measure(again).items():
            drawn[name].append(value)
    figures = measure(rows)
    counts = ("answers", "questions", "wrongly_wrong")
    intervals = {
        name: [round(float(np.percentile(values, at)), 3) for at in (2.5, 97.5)]
        for name, values in drawn.items()
        if name not in counts
    }
    return {**figures, "intervals": intervals}


def sample_of(rows: Sequence[_Row]) -> list[_Row]:
    """The same answers every time, spread evenly: few enough to grade them in a test."""
    return list(rows[:: max(1, len(rows) // SAMPLE_SIZE)][:SAMPLE_SIZE])


def scores_alone(found: Sequence[Scored]) -> _Figures:
    """How the scores agree, whatever the points were."""
    ours, theirs = [each.ours for each in found], [each.theirs for each in found]
    groups = [each.group for each in found]
    return {
        "r": round(metrics.pearson(ours, theirs), 3),
        "mae": round(metrics.mae(ours, theirs), 2),
        "order": round(metrics.order_right(ours, theirs, groups), 3),
    }


def _scores_without_order(found: Sequence[Scored]) -> _Figures:
    return {name: value for name, value in scores_alone(found).items() if name != "order"}


TALKED_AROUND = ("strong", "half-a", "half-b", "weak", "wrong", "off-topic")
"""Kinds of labelled answers that are graded with talk around them too."""


def talk_figures(
    given: Sequence[Outcome],
    extracted: Sequence[Outcome],
    around: Mapping[str, tuple[Sequence[Outcome], Sequence[Outcome]]],
) -> _Figures:
    """What talk around an answer does to its score: for each kind the mean score, with points and without.

    Args:
        around: By where the talk stands, the same answers again: with points, and with the reference alone.
    """
    graded = {"nowhere": (given, extracted), **around}
    found: _Figures = {}
    for kind in TALKED_AROUND:
        means: _Figures = {}
        for where, (with_points, alone) in graded.items():
            for name, outcomes in (("given", with_points), ("reference_only", alone)):
                mine = [scored(o) for o in outcomes if o.row.source == f"answers/{kind}"]
                means.setdefault(name, {})[where] = _mean_scores(mine)["given"]
                means |= {"answers": len(mine), "right": _mean_scores(mine)["right"]}
        found[kind] = means
    return found


def mistake_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """The answers with mistakes in them: by kind the mean scores; of the points that are contradicted, what they were
    called, and the share of all other points that were called contradicted."""
    pairs = [pair for outcome in given for pair in verdicts_of(outcome)]
    wrong = [ours for ours, true in pairs if true == Verdict.CONTRADICTED]
    others = [ours for ours, true in pairs if true != Verdict.CONTRADICTED]
    return {
        "kinds": _both_means(given, extracted),
        "contradicted": len(wrong),
        "called": _shares_of(wrong),
        "falsely": round(others.count(Verdict.CONTRADICTED) / max(1, len(others)), 4),
    }


def honest_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """The honest answers of the writers of mistakes: by kind the mean scores; of the points that they cover, what they
    were called; the share of answers in which a point was called contradicted, with points given and without."""
    pairs = [pair for outcome in given for pair in verdicts_of(outcome)]
    covered = [ours for ours, true in pairs if true == Verdict.COVERED]
    return {
        "kinds": _both_means(given, extracted),
        "covered": len(covered),
        "called": _shares_of(covered),
        "accused": round(_accused(given), 3),
        "accused_reference_only": round(_accused(extracted), 3),
        **with_intervals(given, _scores_without_order),
    }


def candidate_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Candidates' own answers against the letters that were settled, and how the two readers agree with each other."""
    found = {key: reading for group in GROUPS for key, reading in readings(group).items()}
    rows = [outcome.row for outcome in given]
    keys = [(r.group.removeprefix("bank/"), r.language, r.source.removeprefix("candidates/")) for r in rows]
    return {
        **_told_figures(given, extracted),
        "confusion": _confusion(given),
        "readers": _readers(rows, [found[key] for key in keys]),
    }


def outside_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """The same of answers to questions of no bank, the writer being the first reader."""
    rows = [outcome.row for outcome in given]
    found = [outside_readings()[row.group, row.source] for row in rows]
    return {**_told_figures(given, extracted), "readers": _readers(rows, found)}


def pictured_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Answers told in pictures of which only some is right."""
    return {**_told_figures(given, extracted), "confusion": _confusion(given)}


def _told_figures(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """Agreement with points given and with the reference alone, means by kind."""
    return {
        **with_intervals(given, labelled_figures),
        "reference_only": with_intervals(extracted, scores_alone),
        "accused": round(_accused(given), 3),
        "kinds": _both_means(given, extracted),
        "unsure": _unsure(given),
    }


def unaided_figures(told: Sequence[Outcome], untold: Sequence[Outcome]) -> _Figures:
    """What it is worth to know what people get wrong: the same answers graded with the question's misconceptions and
    without, by kind and over all."""
    sources = sorted({outcome.row.source for outcome in told})
    return {
        name: {
            "answers": len(mine),
            "told": with_intervals(mine, _unaided),
            "untold": with_intervals([o for o in untold if o.row.source in chosen], _unaided),
        }
        for name, chosen in (("all", sources), *((source, [source]) for source in sources))
        if (mine := [o for o in told if o.row.source in chosen])
    }


def _unaided(found: Sequence[Scored]) -> _Figures:
    scores = scores_alone(found)
    return {**_mean_scores(found), "r": scores["r"], "mae": scores["mae"]}


def statement_figures(found: Sequence[Outcome]) -> _Figures:
    """By language: mean scores of the true, half and false sentences about a claim, in how many pairs of a claim the
    true one is above the false one (a tie counts half; a guess has .5), and what each kind was called."""
    return {
        language: {
            "sentences": len(own),
            "claims": len({outcome.row.group for outcome in own}),
            **with_intervals(own, _statement_scores),
            "called": {kind: _called([o for o in own if o.row.source == f"statements/{kind}"]) for kind in KINDS},
        }
        for language in LANGUAGES
        if (own := [outcome for outcome in found if outcome.row.language == language])
    }


def _statement_scores(found: Sequence[Scored]) -> _Figures:
    by_claim: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        by_claim[each.group][each.source.removeprefix("statements/")].append(each.ours)
    pairs = [(a, b) for each in by_claim.values() for a in each["true"] for b in each["false"]]
    means = {kind: np.mean([score for each in by_claim.values() for score in each[kind]]) for kind in KINDS}
    order = np.mean([(a > b) + (a == b) / 2 for a, b in pairs])
    return {name: round(float(value), 3) for name, value in (*means.items(), ("order", order))}


def _called(found: Sequence[Outcome]) -> dict[str, float]:
    return _shares_of([point.verdict for outcome in found for point in outcome.grade.points])


def _shares_of(verdicts: Sequence[Verdict]) -> dict[str, float]:
    return {verdict.value: round(verdicts.count(verdict) / max(1, len(verdicts)), 3) for verdict in Verdict}


def _readers(rows: Sequence[Graded], found: Sequence[Reading]) -> _Figures:
    """How the first reader's letters and scores agree with the second's."""
    from sklearn.metrics import cohen_kappa_score

    first = [row._replace(label=reading.first) for row, reading in zip(rows, found, strict=True)]
    second = [row._replace(label=reading.second) for row, reading in zip(rows, found, strict=True)]
    letters = [pair for a, b in zip(first, second, strict=True) for pair in zip(a.label, b.label, strict=True)]
    scores = [true_score(row) for row in first], [true_score(row) for row in second]
    covered = [[letter == "c" for letter in each] for each in zip(*letters, strict=True)]
    return {
        "agree": round(float(np.mean([a == b for a, b in letters])), 3),
        "kappa": round(float(cohen_kappa_score(*zip(*letters, strict=True))), 3),
        "covered_f1": round(metrics.f1(*covered), 3),
        "r": round(metrics.pearson(*scores), 3),
        "mae": round(metrics.mae(*scores), 2),
    }


def _accused(found: Sequence[Outcome]) -> float:
    """The share of answers in which a point was called contradicted."""
    return float(np.mean([any(p.verdict == Verdict.CONTRADICTED for p in o.grade.points) for o in found]))


def _both_means(given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """By kind the mean scores with points given, and under `reference_only` without."""
    return means_by(kind_of, given, extracted)


def kind_of(row: Graded) -> str:
    """What an answer is called in most figures."""
    return row.source.rpartition("/")[2]


def means_by(name_of: Callable[[Graded], str], given: Sequence[Outcome], extracted: Sequence[Outcome]) -> _Figures:
    """By the names of the rows, sorted, the mean scores with points given, and under `reference_only` without."""
    found: _Figures = {}
    for name in sorted({name_of(outcome.row) for outcome in given}):
        mine, alone = ([o for o in outcomes if name_of(o.row) == name] for outcomes in (given, extracted))
        found[name] = {
            "answers": len(mine),
            **with_intervals(mine, _mean_scores),
            "reference_only": with_intervals(alone, _mean_scores),
        }
    return found


def _mean_scores(found: Sequence[Scored]) -> _Figures:
    return {
        "given": round(float(np.mean([each.ours for each in found])), 1),
        "right": round(float(np.mean([each.theirs for each in found])), 1),
    }


def _kinds(found: Sequence[Outcome]) -> _Figures:
    by_kind: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in found:
        by_kind[outcome.row.source.removeprefix("answers/")].append(outcome)
    return {
        kind: {"answers": len(each), **with_intervals(each, _mean_scores)} for kind, each in sorted(by_kind.items())
    }


def _confusion(found: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """How often each right verdict was called what."""
    counts = Counter(pair for outcome in found for pair in verdicts_of(outcome))
    return {true.value: {given.value: counts[given, true] for given in Verdict} for true in Verdict}


def _checked(found: Sequence[Outcome]) -> list[tuple[Verdict, float, bool, bool]]:
    """For each point the verdict given, its confidence, whether it is called unsure and whether it is right."""
    return [
        (point.verdict, point.confidence, point.unsure, LABELS[letter] == point.verdict)
        for outcome in found
        for point, letter in zip(outcome.grade.points, outcome.row.label, strict=True)
    ]


def _reliability(found: Sequence[Outcome]) -> list[dict[str, float]]:
    checked = _checked(found)
    bins = metrics.reliability([sure for _, sure, _, _ in checked], [right for *_, right in checked])
    return [bin._asdict() for bin in bins]


def _by_verdict(found: Sequence[Outcome]) -> _Figures:
    """For each verdict how many, how sure on average, how often right."""
    out: _Figures = {}
    for verdict in Verdict:
        mine = [(sure, right) for given, sure, _, right in _checked(found) if given == verdict]
        if mine:
            sure, right = (round(float(np.mean(column)), 3) for column in zip(*mine, strict=True))
            out[verdict.value] = {"verdicts": len(mine), "confidence": sure, "right": right}
    return out


def _unsure(found: Sequence[Outcome]) -> _Figures:
    """The share of verdicts called unsure, and how often those and the others are right."""
    checked = _checked(found)
    doubtful = [right for _, _, unsure, right in checked if unsure]
    others = [right for _, _, unsure, right in checked if not unsure]
    return {
        "share": round(len(doubtful) / max(1, len(checked)), 3),
        "right": round(float(np.mean(doubtful)), 3) if doubtful else 0.0,
        "others_right": round(float(np.mean(others)), 3) if others else 0.0,
    }
