"""What the cross-encoder learns from, and how its say is weighed."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from evals.answers import split
from evals.candidates import SECOND
from evals.grading import pairs
from evals.grading.asides import PADDED
from evals.grading.command import built_in_cross_encoder
from evals.grading.data import candidate_answers, human_answers, labelled_answers, statement_answers
from evals.grading.elsewhere import ELSEWHERE
from evals.grading.fit_given import rows_to_fit
from evals.grading.fit_joint import FEW, Remembering, Table, fit_usual, for_few, tabulate
from evals.grading.notes import everyday_answers, slipped_answers
from evals.grading.outcomes import grade_rows
from evals.grading.outside import outside_answers
from evals.grading.pictured import pictured_answers
from interviewer.grading.builtin import BuiltinGrader
from interviewer.models import LANGUAGES
from knowledge.encoder.light import LightEncoder


@pytest.fixture(scope="module")
def learnt(shared):
    return [row for row, _ in pairs.rows_to_learn(shared, LightEncoder())]


def test_of_people_s_sets_a_quarter_of_the_questions_is_kept_and_the_chinese_ones_whole(shared):
    rows = human_answers(shared)
    learnt = {row.group for row in rows if pairs.is_learnt(row)}
    for name in pairs.LEARNT_SETS:
        groups = {row.group for row in rows if row.source == name}
        assert 0.6 < len(groups & learnt) / len(groups) < 0.9, name
    assert not any(row.group in learnt for row in rows if row.source in ("ads_zh_dev", "le_zh"))


def test_of_the_kept_questions_of_saf_two_have_grades_that_hardly_differ(shared):
    """As the page says beside r within a question."""
    grades = {}
    for row in human_answers(shared):
        if row.source == "saf_en_train" and not pairs.is_learnt(row):
            grades.setdefault(row.group, []).append(row.score)
    spread = sorted(float(np.std(each)) for each in grades.values())
    assert len(spread) == 4
    assert spread[1] < 0.1 < 0.15 < spread[2]


def test_nothing_is_learnt_from_kept_questions_or_from_the_test_and_development_splits(shared, learnt):
    kept = {row.group for row in human_answers(shared) if not pairs.is_learnt(row)}
    assert not {row.group for row in learnt} & kept
    bank = {row.group.removeprefix("bank/") for row in learnt if row.group.startswith("bank/")} - {"claims"}
    assert {split(question) for question in bank} == {"train"}
    outside = {row.group for row in learnt if row.group.startswith("outside/")}
    assert outside == {row.group for row in outside_answers("train")}
    assert not {row.answer for part in ("dev", "test") for row in pictured_answers(part)} & {
        row.answer for row in learnt
    }
    measured = {text for row in statement_answers() for point in row.question.points for text in point.text.values()}
    assert len(measured) > 300
    points = {text for row in learnt for point in row.question.points for text in point.text.values()}
    assert not measured & points
    assert {row.source.split("/")[0] for row in learnt} >= {
        "answers",
        "candidates",
        "mistakes",
        "honest",
        "claims",
        "off",
        "outside",
        "told",
        "turned",
        "brief",
        "spoken",
        "empty",
        "pictured",
    }
    notes = {row.group for row in learnt if row.group.startswith("notes/")}
    assert notes == {row.group for row in (*everyday_answers("train"), *slipped_answers("train"))}
    for part in ("dev", "test"):
        assert not notes & {row.group for row in (*everyday_answers(part), *slipped_answers(part))}


def test_what_is_told_right_and_the_wrong_way_round_is_learnt_alone_and_in_company(learnt):
    sources = Counter(row.source for row in learnt)
    assert sources["opposed/alone"] > sources["opposed/company"] > 800


def test_a_turned_answer_is_labelled_for_the_point_that_its_sentence_is_about(learnt):
    rows = [row for row in learnt if row.source == "turned"]
    said = {row.answer for row in (*labelled_answers("train"), *candidate_answers("train", group=SECOND))}
    assert len(rows) > 1000
    assert not said & {row.answer for row in rows}
    assert {(len(row.question.points), row.label, row.labels) for row in rows} == {(1, "x", (0.1,))}


def test_as_many_points_are_told_as_turned_alone_and_in_company(learnt):
    """With half as many told ones, a point standing alone word for word was read as turned round."""
    told = [row for row in learnt if row.source == "told/points"]
    turned = [row for row in learnt if row.source == "told/turned"]
    assert len(turned) <= len(told) < 1.2 * len(turned)
    assert {(row.label, row.labels) for row in told} == {("c", (0.95,))}
    assert {(row.label, row.labels) for row in turned} == {("x", (0.1,))}
    for row in told:
        assert any(row.answer.endswith(text) for text in row.question.points[0].text.values())
    assert not {row.answer for row in told} & {row.answer for row in turned}
    for row in (row for row in learnt if row.source == "told/company"):
        texts = [[text.rstrip(".。") + end for text in p.text.values() for end in ".。"] for p in row.question.points]
        for letter, languages in zip(row.label, texts, strict=True):
            said = any(text in row.answer for text in languages)
            assert letter == "x" or said == (letter == "c")
    letters = {row.label for row in learnt if row.source == "told/company"}
    assert any("x" in label and "c" in label for label in letters)


def test_talk_around_an_answer_changes_none_of_its_labels(learnt):
    talked = [row for row in learnt if row.source.startswith(PADDED)]
    assert len(talked) > 500
    plain = {(row.group, row.source, row.answer): row.labels for row in (*outside_answers("train"), *rows_to_fit())}
    of_kind = defaultdict(list)
    for (group, kind, answer), labels in plain.items():
        of_kind[group, kind].append((answer, labels))
    for row in talked:
        own = of_kind[row.group, row.source.removeprefix(PADDED)]
        assert row.labels in [labels for answer, labels in own if answer in row.answer]


def test_every_manner_of_saying_much_makes_no_point_of_another_question(learnt):
    """Who tells things in pictures makes nearly all points: were that all there is to learn, any picture would do."""
    own = {row.answer: row.group for row in (*outside_answers("train"), *everyday_answers("train"))}
    elsewhere = [row for row in learnt if ELSEWHERE in row.source]
    assert {float(sum(row.labels)) for row in elsewhere} == {0.0}
    assert all(own.get(row.answer) != row.group for row in elsewhere)
    for source in ("outside/strong", "outside/spoken", "brief/full", "slips/right", "candidates/senior"):
        told = sum(row.source == source for row in learnt)
        assert sum(row.source == source.replace("/", ELSEWHERE) for row in elsewhere) > 0.8 * told, source
    found = [row for row in elsewhere if row.source.startswith("found/")]
    assert len(found) > 100
    assert all(len(row.labels) == len(row.question.points) for row in found)


def test_an_answer_is_written_with_its_labels_point_by_point():
    row = next(row for row in labelled_answers("train") if row.source == "answers/wrong" and "x" in row.label)
    (found,) = pairs.pairs_of([(row, 0.7)], LightEncoder())
    assert len(found["pairs"]) == len(found["labels"]) == len(found["wrong"]) == len(row.question.points)
    assert found["wrong"] == [float(letter == "x") for letter in row.label]
    assert found["labels"] == [max(0.0, label) for label in row.labels]
    assert sum(found["shares"]) == pytest.approx(1)
    assert (found["score"], found["weight"]) == (None, 0.7)
    assert list(pairs.pairs_of([(row._replace(answer=""), 1.0)], LightEncoder())) == []


def told(count: int = 600) -> Table:
    """Points whose label follows what the cross-encoder says, and hardly what was known before."""
    draw = np.random.default_rng(0)
    said, before = draw.normal(0, 2, count), draw.normal(0, 2, count)
    label = (draw.random(count) < 1 / (1 + np.exp(-(2 * said + 0.2 * before)))).astype(float)
    wrong = ((label == 0) & (draw.random(count) < 0.5)).astype(float)
    read = np.column_stack([said, np.where(wrong > 0, 3.0, -3.0)])
    ones = np.ones(count)
    return Table(np.column_stack([before, before]), read, label, wrong, ones, 0 * ones, np.arange(count), count)


def honest(shares_of_doubt: float, count: int = 200) -> Table:
    """Honest answers of a point each, of which this share looks contradicted."""
    doubted = np.arange(count) < shares_of_doubt * count
    read = np.column_stack([np.where(doubted, -2.0, 2.0), np.where(doubted, 3.0, -3.0)])
    flat = np.zeros(count)
    return Table(np.column_stack([flat, flat]), read, flat + 1, flat, flat + 1, flat, np.arange(count), count)


def test_who_knows_is_given_the_weight():
    fitted = fit_usual(told(), honest=honest(0))
    own, read, _ = fitted["credit"]
    assert read > 1
    assert read > 4 * abs(own)
    assert fitted["wrong"][1] > 0.5
    assert fitted["surely"] < 0.9


def test_where_few_points_were_found_it_is_believed_less_and_accuses_as_often():
    usual = fit_usual(told(), honest=honest(0))
    few = for_few(usual)
    assert tuple(few["credit"]) == FEW
    assert FEW[1] / FEW[0] < usual["credit"][1] / usual["credit"][0]
    assert {name: few[name] for name in ("wrong", "surely", "least")} == {
        name: usual[name] for name in ("wrong", "surely", "least")
    }


def test_it_accuses_later_where_honest_answers_would_be_accused():
    in_pairs = honest(0.04)._replace(answer=np.arange(200) // 2, share=np.full(200, 0.5), answers=200)
    rarely, often, twice = (fit_usual(told(), honest=each)["surely"] for each in (honest(0.03), honest(0.04), in_pairs))
    assert rarely == fit_usual(told(), honest=honest(0))["surely"]
    assert often > rarely
    assert twice == rarely


def test_whoever_earns_little_elsewhere_is_suspected_more():
    """Of answers alike on a point those are wrong about it that earn nothing by their other points."""
    table, draw = told(), np.random.default_rng(1)
    earning = draw.random(len(table.label)) < 0.5
    read = np.column_stack([np.full(len(earning), -2.0), draw.normal(0, 1, len(earning))])
    alike = table._replace(
        read=read, label=table.label * 0, wrong=1.0 - earning, share=table.share / 2, rest=np.where(earning, 0.5, 0.0)
    )
    fitted = fit_usual(alike, honest=honest(0))
    assert fitted["wrong"][3] < -2
    assert fit_usual(alike._replace(rest=alike.rest * 0), honest=honest(0))["wrong"][3] > -2


def test_a_few_of_other_writers_count_as_much_as_many():
    many, few = told(600), told(60)
    doubted = few._replace(label=1 - few.label)
    alone, both = fit_usual(many, honest=honest(0))["credit"], fit_usual(many, doubted, honest=honest(0))["credit"]
    assert alone[1] > 1
    assert abs(both[1]) < 0.3


class Length:
    """A cross-encoder that says how long both texts are."""

    def predict(self, pairs):
        return np.array([(len(point), len(said)) for point, said in pairs], np.float32)


def test_every_open_point_of_an_answer_is_tabulated_with_its_label():
    rows = [row for row in labelled_answers("dev") if row.source == "answers/half-a"][:4]
    assert {row.language for row in rows} <= set(LANGUAGES)
    table = tabulate(rows, BuiltinGrader(LightEncoder()), Length())
    assert (table.read > 0).all()
    assert 4 <= len(table.label) <= sum(len(row.label) for row in rows)
    assert len(table.before) == len(table.read) == len(table.label) == len(table.wrong) == len(table.answer)
    assert (table.answers, sorted(set(table.answer.tolist()))) == (4, [0, 1, 2, 3])
    for answer, row in enumerate(rows):
        mine = table.answer == answer
        total = sum(point.weight for point in row.question.points)
        assert set(table.share[mine]) <= {point.weight / total for point in row.question.points}
        assert 0 <= table.rest[mine].max() <= 1 - table.share[mine].sum() + 1e-9
    assert (table.label.max(), table.wrong.max()) == (1, 0)


def test_a_grade_asks_for_just_what_was_tabulated_so_nothing_is_read_twice():
    rows = [row for row in labelled_answers("dev") if row.source == "answers/half-b"][:4]
    asked = []

    class Counting(Length):
        def predict(self, pairs):
            asked.append(tuple(pairs))
            return super().predict(pairs)

    cross = Remembering(Counting())
    table = tabulate(rows, BuiltinGrader(LightEncoder()), cross)
    assert sum(map(len, asked)) == len(table.label)
    grader = BuiltinGrader(LightEncoder(), cross=cross)
    assert [outcome.row for outcome in grade_rows(grader, rows)] == rows
    assert (cross.predict(asked[0]) == Length().predict(asked[0])).all()
    assert len(asked) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_one_tells_what_candidates_say_from_what_they_do_not(language):
    """On answers to questions that it did not learn from, in the language of the answer."""
    rows = [row for row in candidate_answers("dev", group=SECOND) if row.language == language][::8]
    written = list(pairs.pairs_of([(row, 1.0) for row in rows], LightEncoder()))
    read = built_in_cross_encoder().predict([pair for each in written for pair in each["pairs"]])[:, 0]
    label = np.array([label for each in written for label in each["labels"]])
    said, unsaid = read[label == 1], read[label == 0]
    assert min(len(said), len(unsaid)) > 20
    assert (said[:, None] > unsaid[None]).mean() > 0.85
