"""Measuring the grader: metrics on known values, splits by question, published figures, the battery's labels."""

import json
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from evals.answers import split
from evals.grading import data, metrics
from evals.grading.asides import PADDED, aside_sentences, with_talk
from evals.grading.command import RESULTS, Part, _fit, grading_command
from evals.grading.data import (
    LABELS,
    Graded,
    answers_to_fit,
    battery,
    human_answers,
    labelled_answers,
    probes,
    shuffle_words,
    some_statement_answers,
    training_answers,
    without_points,
)
from evals.grading.fit import gather, tabulate
from evals.grading.fit_found import rows_to_fit, with_found_points
from evals.grading.labelled import TALKED_AROUND, answer_figures, talk_figures
from evals.grading.outcomes import Outcome, grade_rows, labelled_figures, scored, summarise, true_score
from evals.grading.report import BEGIN, DOCS, END, figures_table
from evals.grading.suspicion import fit_chances
from interviewer.errors import InterviewerError
from interviewer.grading.builtin import BuiltinGrader, Judgement
from interviewer.grading.protocol import Grader
from interviewer.grading.scoring import Chance, logit, read_scorer
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict

RESULT = json.loads(RESULTS.read_text(encoding="utf-8"))


def test_nearly_all_is_not_called_all() -> None:
    assert [metrics.percent(share) for share in (0.504, 0.98, 0.9949, 0.996, 1.0)] == [
        "50%",
        "98%",
        "99%",
        "99.6%",
        "100%",
    ]


def test_metrics_on_known_values() -> None:
    assert metrics.pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert metrics.pearson([1, 1, 1], [2, 4, 6]) == 0
    assert metrics.rmse([0, 1], [1, 1]) == pytest.approx(0.5**0.5)
    assert metrics.mae([0, 1], [1, 1]) == 0.5
    assert metrics.macro_f1([True, False, True], [True, False, True]) == 1
    assert metrics.macro_f1([True, True, True, True], [True, True, False, False]) == pytest.approx(1 / 3)
    assert metrics.order_right([1, 5, 3], [0, 9, 5], ["a", "a", "a"]) == 1
    assert metrics.order_right([5, 5], [0, 9], ["a", "a"]) == 0.5


def test_agreement_within_a_question_is_not_agreement_between_questions() -> None:
    ours = [1, 2, 3, 4, 5, 11, 12, 13, 14, 15]
    theirs = [5, 4, 3, 2, 1, 15, 14, 13, 12, 11]
    groups = ["a"] * 5 + ["b"] * 5
    assert metrics.pearson(ours, theirs) > 0.5
    assert metrics.within_question_r(ours, theirs, groups) == pytest.approx(-1)


def test_reliability_sets_confidence_against_being_right() -> None:
    bins = metrics.reliability([0.9, 0.9, 0.5, 0.5], [True, True, True, False], bins=2)
    assert [(b.verdicts, b.confidence, b.right) for b in bins] == [(2, 0.5, 0.5), (2, 0.9, 1.0)]


def test_the_battery_is_labelled_point_by_point_in_both_languages() -> None:
    rows = battery()
    assert len({row.group for row in rows}) >= 12
    assert {row.language for row in rows} == {"zh", "en"}
    kinds = {row.source for row in rows}
    assert kinds >= {f"battery/{k}" for k in ("strong", "half", "weak", "short-strong", "wrong", "list", "cross")}
    for row in rows:
        assert len(row.label) == len(row.question.points)
        assert set(row.label) <= set(LABELS)
        strong = row.source == "battery/strong"
        assert (true_score(row) == 10) is strong or not strong


def test_strong_answers_do_not_recite_the_points() -> None:
    for row in battery():
        if row.source == "battery/strong":
            for point in row.question.points:
                assert point.in_language(row.language) not in row.answer


def test_shuffling_keeps_the_words() -> None:
    text = "one two three four five six"
    assert sorted(shuffle_words(text, "en").split()) == sorted(text.split())
    assert shuffle_words(text, "en") != text
    assert sorted(shuffle_words("张量并行按列切分权重矩阵", "zh")) == sorted("张量并行按列切分权重矩阵")


def test_true_scores_follow_the_labels_and_wrong_statements_cost() -> None:
    row = next(r for r in battery() if set(r.label) == {"x", "m"} or set(r.label) == {"x"})
    assert true_score(row) == 0


def outcome(row: Graded, *verdicts: Verdict) -> Outcome:
    points = tuple(
        PointGrade(
            id=p.id, text="t", weight=p.weight, verdict=v, quote="q" if v != Verdict.MISSING else "", confidence=0.8
        )
        for p, v in zip(row.question.points, verdicts, strict=True)
    )
    return Outcome(row, Grade(status="graded", points=points, grader=GraderInfo(name="builtin")), 0.01)


def test_a_perfect_grader_gets_perfect_figures() -> None:
    found = [outcome(row, *(LABELS[letter] for letter in row.label)) for row in battery()]
    figures = summarise(found)["battery"]
    assert (figures["r"], figures["order"], figures["covered_f1"]) == (1, 1, 1)
    assert figures["mae"] <= 0.05
    assert (figures["wrong_found"], figures["wrongly_wrong"]) == (1, 0)


def test_a_grader_that_always_says_covered_is_seen_through() -> None:
    found = [outcome(row, *[Verdict.COVERED] * len(row.label)) for row in battery()]
    figures = summarise(found)["battery"]
    assert figures["r"] == 0
    assert figures["mae"] > 3
    assert figures["wrong_found"] == 0


def test_the_page_shows_the_figures_that_were_measured() -> None:
    page = DOCS.read_text(encoding="utf-8")
    shown = page.partition(BEGIN)[2].partition(END)[0].strip()
    assert shown == figures_table(RESULT)


def test_figures_that_an_earlier_version_gave_are_told_as_such() -> None:
    now, earlier = (
        figures_table({**RESULT, "people": {**RESULT["people"], "grader": version}})
        for version in (RESULT["grader"], "3")
    )
    told = "People's grades, the battery and the probes below were measured with version 3.\n\n"
    assert earlier.replace(told, "") == now
    assert told in earlier


def test_the_published_figures_have_not_got_worse() -> None:
    """On questions the scorer was not fitted on; each floor stands a little below what was measured."""
    run = RESULT["encoder"]
    for name, floor in {
        "scientsbank_train": 0.4,
        "beetle_train": 0.55,
        "saf_en_train": 0.15,
        "ads_zh_dev": 0.5,
        "le_zh": 0.9,
    }.items():
        assert run["human"][name]["r_within"] >= floor, name
    for name, floor in {"scientsbank_train": 0.665, "beetle_train": 0.76}.items():
        assert run["human"][name]["macro_f1"] >= floor, name
    assert run["battery"]["order"] >= 0.88
    labelled = run["answers"]
    assert labelled["r"] >= 0.85
    assert labelled["mae"] <= 1.3
    assert labelled["order"] >= 0.95
    assert labelled["covered_f1"] >= 0.85
    assert labelled["reference_only"]["r"] >= 0.78
    assert labelled["wrongly_wrong_share"] <= 0.02
    for way in ("given", "reference_only"):
        assert labelled["elsewhere"][way]["mean"] <= 0.6, way
    means = {name: mean["given"] for name, mean in run["means"].items()}
    for nothing in ("dont-know", "question", "question-wrapped", "instruction", "flattery", "verdict"):
        assert means[f"probe/{nothing}"] <= 0.7, nothing
    assert means["probe/off-topic"] <= 1.5
    assert means["battery/list"] <= 1.5
    assert means["battery/strong"] > means["battery/half"] > means["battery/wrong"]


def test_the_shipped_grader_gives_nothing_for_nothing_and_little_for_the_right_words(shipped: Grader) -> None:
    rows = [*battery(), *probes()]
    half = sorted({row.group for row in rows})[::2]
    some = [row for row in rows if row.group in half]
    figures = summarise(grade_rows(shipped, some))
    given = {name: mean["given"] for name, mean in figures["means"].items()}
    for kind in ("dont-know", "question", "question-wrapped", "instruction", "verdict", "flattery"):
        assert given[f"probe/{kind}"] <= 0.8, kind
    # Answers to other questions of the battery: the aim is 0.5. Versions 7 and 22 had 0.4; of all twelve 24 has 1.4.
    assert given["probe/off-topic"] <= 1.7
    assert given["battery/list"] <= 0.5
    assert given["probe/negated-reference"] <= 1.5
    assert given["probe/shuffled-reference"] <= 3
    assert given["battery/wrong"] <= 4


def test_the_command_prints_the_figures_of_any_grader() -> None:
    text = grading_command(BuiltinGrader(), limit=40)
    assert "battery: answers" in text
    assert "probe/off-topic" in text
    assert "sentences about one claim, zh: true" in text
    results = json.loads(grading_command(BuiltinGrader(), as_json=True, limit=40))
    assert results["battery"]["answers"] == len(battery())
    assert {figures["sentences"] for figures in results["statements"].values()} == {20}


@pytest.mark.parametrize(("limit", "claims"), [(1, 1), (10, 1), (200, 20), (10**6, 177)])
def test_sentences_about_one_claim_are_spread_evenly_and_whole_claims(limit: int, claims: int) -> None:
    rows = some_statement_answers(limit)
    by_claim = Counter(row.group for row in rows)
    assert len(by_claim) <= claims
    assert len(by_claim) >= claims * 0.9
    assert set(by_claim.values()) == {10}


def test_what_the_built_in_grader_graded_because_a_model_failed_is_not_passed_off_as_the_models() -> None:
    seen: list[tuple[int, int]] = []
    text = grading_command(BuiltinGrader(), "model m", limit=10, on_answer=lambda *counts: seen.append(counts))
    total = len(battery()) + len(probes()) + 10
    assert f"the model failed on {total} answers" in text
    assert seen == [(done, total) for done in range(1, total + 1)]
    assert "failed" not in grading_command(BuiltinGrader(), limit=10)


def test_a_folder_without_data_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(InterviewerError, match="grading_dev"):
        grading_command(BuiltinGrader(), shared=tmp_path)


@pytest.mark.usefixtures("few_trees")
def test_all_parts_of_a_scorer_are_fitted_stored_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = sorted({row.group for row in battery()})[::2]
    some = [row for row in battery() if row.group in groups]
    rows = [row for row in some if row.source.removeprefix("battery/") not in ("list", "wrong")]
    own = [row._replace(source=row.source.replace("battery", "answers").replace("/half", "/half-a")) for row in rows]
    wrong = [row._replace(source="mistakes/wrong") for row in some if "x" in row.label]
    sources = {
        "training_answers": lambda shared: own,
        "answers_to_fit": lambda: own,
        "labelled_answers": lambda *splits: own,
        "honest_answers": lambda *splits: [],
        "mistakes_to_fit": lambda: wrong,
        "mistaken_answers": lambda *splits: wrong,
        "candidate_answers": lambda *splits, group: [],
        "bank_answers": lambda: [],
    }
    for name, source in sources.items():
        monkeypatch.setattr(data, name, source)
    monkeypatch.setattr("evals.grading.command.outside_answers", lambda part: [])
    fitted = _fit("words", Path(), Part.ALL)
    scorer = read_scorer(json.loads(json.dumps(fitted)))
    strong = [
        o.score for o in grade_rows(BuiltinGrader(None, scorer), (r for r in rows if r.source == "battery/strong"))
    ]
    weak = [o.score for o in grade_rows(BuiltinGrader(None, scorer), (r for r in rows if r.source == "battery/weak"))]
    assert sum(strong) / len(strong) > sum(weak) / len(weak) + 3
    alone = [
        [
            out.score
            for out in grade_rows(BuiltinGrader(None, scorer), map(without_points, rows))
            if out.row.source == of
        ]
        for of in ("battery/strong", "battery/weak")
    ]
    assert np.mean(alone[0]) > np.mean(alone[1]) + 2


def test_where_the_reference_alone_is_given_its_points_are_found_and_the_labels_make_the_score() -> None:
    row = next(row for row in battery() if row.source == "battery/half")
    found = with_found_points(row)
    weights = [point.weight for point in row.question.points]
    assert found.labels is None
    assert found.score == pytest.approx(sum(w * c for w, c in zip(weights, row.labels, strict=True)) / sum(weights))
    assert [point.id for point in found.question.points] != [point.id for point in row.question.points]
    assert with_found_points(row._replace(score=0.25, labels=None)).score == 0.25


def test_nothing_is_fitted_on_questions_of_the_test_or_development_split(shared: Path) -> None:
    bank = {row.group for row in training_answers(shared) if row.group.startswith("bank/")}
    assert bank
    assert {split(group.removeprefix("bank/")) for group in bank} == {"train"}
    assert {row.group for row in answers_to_fit()} <= bank


def test_what_an_answer_contradicts_does_not_teach_what_is_missing() -> None:
    row = next(row for row in answers_to_fit() if row.source == "answers/wrong" and set(row.label) == {"x", "m"})
    table = tabulate(gather([row], None))
    assert [share > 0 for share in table.share.tolist()] == [letter == "m" for letter in row.label]


def test_chances_follow_how_often_a_verdict_was_right_by_its_credit_and_suspicion() -> None:
    draw = random.Random(0)
    judged = []
    for _ in range(4000):
        credit, suspicion = draw.uniform(0.6, 0.99), draw.random()
        right = draw.random() < 1 / (1 + math.exp(-(logit(credit) - 3 * suspicion + 1)))
        judged.append((Judgement(Verdict.COVERED, credit, suspicion, read=True), right))
    fitted = fit_chances([*judged, *((Judgement(Verdict.MISSING, 0.1, 0.1, read=True), True) for _ in range(8))])
    chance = Chance(*fitted["covered"])
    assert chance == pytest.approx((1, -3, 1), abs=0.4)
    surest = [right for each, right in judged if chance.of(each.credit, each.suspicion) > 0.8]
    assert 0.8 < sum(surest) / len(surest) < 0.95
    assert Chance(*fitted["missing"]).of(0.5, 0.5) == pytest.approx(0.9, abs=0.01)
    assert Chance(*fitted["partial"]).of(0.5, 0.5) == 0.5


@pytest.mark.parametrize(("verdict", "kept"), [("covered", -1), ("partial", -1), ("missing", -1), ("contradicted", 1)])
def test_a_suspicion_never_speaks_for_a_verdict_that_it_contradicts(verdict: str, kept: int) -> None:
    for sign in (1, -1):
        draw = random.Random(0)
        judged = []
        for _ in range(2000):
            credit, suspicion = draw.uniform(0.1, 0.9), draw.random()
            right = draw.random() < 1 / (1 + math.exp(-(logit(credit) + sign * 2 * suspicion)))
            judged.append((Judgement(Verdict(verdict), credit, suspicion, read=True), right))
        chance = Chance(*fit_chances(judged)[verdict])
        assert chance.credit == pytest.approx(1, abs=0.2)
        assert chance.suspicion == (pytest.approx(2 * sign, abs=0.4) if sign == kept else 0)


def test_figures_of_labelled_answers_come_with_intervals_around_them() -> None:
    rows = [row for row in labelled_answers("dev") if row.language == "en"][:12]
    grader = BuiltinGrader()
    alone = [o._replace(row=row) for o, row in zip(grade_rows(grader, map(without_points, rows)), rows, strict=True)]
    figures = answer_figures([*grade_rows(grader, rows), *grade_rows(grader, _in_chinese(rows))], alone)
    low, high = figures["intervals"]["mae"]
    assert low <= figures["mae"] <= high
    assert sum(sum(called.values()) for called in figures["confusion"].values()) == sum(2 * len(r.label) for r in rows)
    assert figures["reference_only"]["mae"] >= 0


def _in_chinese(rows: list[Graded]) -> list[Graded]:
    return [row._replace(language="zh") for row in rows]


def test_people_s_answers_are_read_and_off_topic_pairs_never_pair_a_question_with_itself(shared: Path) -> None:
    human = human_answers(shared)
    assert len(human) > 12_000
    assert all(row.score is not None and 0 <= row.score <= 1 for row in human)
    own = {row.answer for row in human if row.source == "saf_en_train" and row.group == "saf_en_train/1.6"}
    off = [
        row for row in training_answers(shared) if row.source == "off/saf_en_train" and row.group == "saf_en_train/1.6"
    ]
    assert off
    assert not any(row.answer in own for row in off)


def test_talk_is_put_around_some_answers_that_are_fitted_on_and_their_scores_stay(shared: Path) -> None:
    rows = rows_to_fit(training_answers(shared)[::40])
    around = [row for row in rows if row.source.startswith(PADDED)]
    plain = {(row.group, row.source, row.answer): row.score for row in rows if row not in around}
    assert 0.3 < len(around) / len(plain) < 0.5
    for row in around:
        own = [key for key in plain if key[:2] == (row.group, row.source.removeprefix(PADDED)) and key[2] in row.answer]
        assert own
        assert any(plain[key] == row.score for key in own)


def test_talk_that_is_measured_with_was_not_fitted_on() -> None:
    fitted, measured = aside_sentences("train"), aside_sentences("test")
    for language in ("zh", "en"):
        assert len(fitted[language]) >= 40
        assert len(measured[language]) >= 20
        assert not {*fitted[language]} & {*measured[language]}


def test_the_figures_with_talk_are_those_of_the_same_answers() -> None:
    rows = [row for row in labelled_answers("dev") if row.source.removeprefix("answers/") in TALKED_AROUND]
    rows = [next(row for row in rows if row.source == f"answers/{kind}") for kind in TALKED_AROUND]
    grader = BuiltinGrader()

    def both(graded: list[Graded]) -> tuple[list[Outcome], list[Outcome]]:
        alone = grade_rows(grader, map(without_points, graded))
        return grade_rows(grader, graded), [o._replace(row=row) for o, row in zip(alone, graded, strict=True)]

    talked = both([with_talk(row, before=True) for row in rows])
    figures = talk_figures(*both(rows), {"before": talked})
    assert set(figures) == set(TALKED_AROUND)
    strong = next(o for o in talked[1] if o.row.source == "answers/strong")
    assert figures["strong"]["reference_only"]["before"] == round(strong.score, 1)
    assert strong.row.answer.endswith(rows[0].answer)
    assert len(strong.row.answer) > len(rows[0].answer) + 1500


def test_talk_around_an_answer_earns_no_more_than_the_page_says_and_costs_little() -> None:
    """The aim is 0.4 and, with the reference alone, isn't reached; with the reference alone a half answer got up to 1.3 by version 23."""
    for kind, means in RESULT["encoder"]["answers"]["talk"].items():
        for name, allowed in (("given", 0.2), ("reference_only", 0.5)):
            for where in ("before", "behind"):
                assert -0.3 <= round(means[name][where] - means[name]["nowhere"], 1) <= allowed, (kind, name, where)


def test_points_found_in_a_reference_are_not_held_against_the_labels() -> None:
    row = next(row for row in battery() if row.source == "battery/half")
    (alone,) = grade_rows(BuiltinGrader(), [without_points(row)])
    found = scored(alone._replace(row=row))
    assert (found.pairs, found.ours) == ((), alone.score)
    with pytest.raises(ValueError, match="labelled points"):
        labelled_figures([found])


def test_what_is_said_of_the_figures_beside_their_tables_is_what_was_measured() -> None:
    own = RESULT["encoder"]["answers"]
    outside, strangers, honest = own["outside"], own["candidates_strangers"], own["honest"]
    wrong, mixed = (own["mistakes"]["kinds"][kind]["given"] for kind in ("wrong", "mixed"))
    strong, spoken = (outside["kinds"][kind]["given"] for kind in ("strong", "spoken"))
    assert 0.4 < spoken / outside["kinds"]["spoken"]["right"] < 0.6

    def short(value: float) -> str:
        return f"{value:.3g}".removeprefix("0")

    page = DOCS.read_text(encoding="utf-8")
    elsewhere = RESULT["encoder"]["means"]["probe/off-topic"]["given"]
    contrast = {kind: (each["given"], each["right"]) for kind, each in own["candidates_contrast"]["kinds"].items()}
    got = {kind: "{} of 10 where {} is right" if kind == "astray" else "{} where {} is right" for kind in contrast}
    told = {kind: sentence.format(*contrast[kind]) for kind, sentence in got.items()}
    for sentence in (
        f"such `astray` answers get {told['astray']}, and of what they contradict"
        f" {own['candidates_contrast']['wrong_found']:.0%} is called contradicted",
        f"`against` answers get {told['against']}; `casual` ones get {told['casual']}",
        f"The strong ones get {strong} of 10; what is `spoken` gets {spoken}, half of what it should.",
        f"Of honest answers {honest['accused']:.1%} have a point called contradicted that is none, and of the",
        f"contradictions in labelled answers {own['wrong_found']:.0%} are found, outside the bank",
        f"outside the bank {outside['wrong_found']:.0%}, of candidates whom nothing was fitted on"
        f" {strangers['wrong_found']:.0%};",
        f"`wrong` throughout get {wrong} of 10; `mixed` ones, some mistakes among right things, {mixed} where",
        f"each given to another of its questions (the probes below), get {elsewhere}, and off-topic answers of the"
        f" test split {own['kinds']['off-topic']['given']}.",
    ):
        assert sentence in page, sentence
    history = DOCS.with_name("grading-versions.md").read_text(encoding="utf-8")
    found = f"{own['wrong_found']:.0%} | {outside['wrong_found']:.0%}"
    assert f"| {RESULT['grader']} | {honest['accused']:.1%} | {found} |" in history
    both = " | ".join(
        f"{short(round(each['r'], 2))}, {each['mae']:.2f}" for each in (outside, outside["reference_only"])
    )
    assert f"| {RESULT['grader']} | {both} |" in history
    people = RESULT["encoder"]["human"]
    agreed = [short(people[name]["macro_f1"]) for name in ("scientsbank_train", "beetle_train")]
    agreed += [f"{people[name]['r_within']:.2f}".removeprefix("0") for name in ("saf_en_train", "ads_zh_dev", "le_zh")]
    assert f"| {RESULT['people']['grader']} | {' | '.join(agreed)} |" in history
    changes = (DOCS.parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    alone = strangers["reference_only"]
    turned = own["candidates_contrast"]
    told_alone = short(round(turned["reference_only"]["r"], 2))
    for sentence in (
        f"r is {short(round(turned['r'], 2))} instead of .61 ({told_alone} instead of .53 with the reference alone)",
        f"with r {short(round(strangers['r'], 2))} instead of .72 and a mean error of {strangers['mae']:.1f} of 10 instead",
        f"with the reference alone as well ({short(round(alone['r'], 2))}, {alone['mae']:.1f})",
        f"by other writers get {wrong} of 10 instead of 4.3",
        f"{strangers['unsure']['others_right']:.0%} of the verdicts that it is sure of are right instead of 55%",
        f"accused ({honest['accused']:.1%} instead of 6.1%), though fewer contradictions are found (outside the bank"
        f" {outside['wrong_found']:.0%} instead of 26%)",
        f"r {short(round(outside['r'], 2))} instead of .32; right answers told in that way get {strong} of 10 instead",
        "about what they should ({} where {} is right)".format(*contrast["against"]),
        "the wrong way round far too much ({} where {} is right)".format(*contrast["astray"]),
    ):
        assert sentence in changes, sentence
