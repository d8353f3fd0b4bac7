"""Questions of no bank: their answers, who learns from them, and what the shipped grader makes of those nobody did."""

import json
from collections import Counter
from itertools import combinations

import pytest

from evals.answers import Split, split
from evals.grading import outside
from evals.grading.command import RESULTS, ROOT, built_in_encoder
from evals.grading.data import HERE, Graded, answers_to_fit, human_answers, read_labelled
from evals.grading.outside import KINDS, PARTS, outside_answers, outside_readings, problems
from evals.grading.pairs import is_learnt
from interviewer.language import detect
from interviewer.models import LANGUAGES
from knowledge.bank import load_bank

QUESTION = """\
- id: cache
  language: en
  question: Why do disks have caches?
  points:
    - {id: fast, weight: 2, text: Memory answers in nanoseconds while a disk takes milliseconds}
  misconceptions:
    - {text: Caches make data durable, correction: What is only in a cache is lost}
  answers:
    - {kind: strong, labels: c, text: I once heard that memory answers in nanoseconds or so}
    - {kind: terse, labels: m, text: faster}
"""


@pytest.mark.parametrize("part", PARTS)
def test_every_question_has_its_answers_and_none_has_a_problem(part):
    assert list(problems(part)) == []
    rows = outside_answers(part)
    assert len(rows) == {"train": 956, "dev": 59, "test": 40}[part] * len(KINDS)
    spoken = Counter(row.language for row in rows)
    assert 0.4 < spoken["zh"] / len(rows) < 0.6


def _questions(part: Split) -> dict[str, str]:
    """Each question of a part with its points, as one text."""
    found = {row.question.id: row for row in outside_answers(part)}
    return {
        id_: " ".join([*row.question.question.values(), *(p.text[row.language] for p in row.question.points)])
        for id_, row in found.items()
    }


def test_no_question_asks_nearly_what_one_in_another_part_asks():
    """Forty-six did, by writers who did not see each other's; the nearest of those are at .8 to .94."""
    asked = [_questions(part) for part in PARTS]
    assert len({id_ for part in asked for id_ in part}) == sum(map(len, asked))
    vectors = [built_in_encoder().encode(list(part.values())) for part in asked]
    for one, other in combinations(vectors, 2):
        assert (one @ other.T).max() < 0.8


def test_nothing_learnt_from_asks_nearly_what_is_measured_of_the_bank():
    """Eleven did, five of which version 8 had learnt from; the nearest of those was at .88."""
    kept = [question for question in load_bank() if split(question.id) != "train"]
    measured = [
        " ".join([question.asked_in(language), *(point.in_language(language) for point in question.points)])
        for question in kept
        for language in LANGUAGES
    ]
    encoder = built_in_encoder()
    learnt = encoder.encode(list(_questions("train").values()))
    assert (learnt @ encoder.encode(measured).T).max() < 0.8


def test_nothing_learnt_from_asks_nearly_what_is_measured_of_peoples_sets(shared):
    """Of the exam questions in the sets' manner nine did, at .64 to .83; the nearest of the others is at .71."""
    kept = {row.group: row.question for row in human_answers(shared) if not is_learnt(row)}
    measured = [" ".join([*each.question.values(), *each.reference.values()]) for each in kept.values()]
    encoder = built_in_encoder()
    learnt = encoder.encode(list(_questions("train").values()))
    assert (learnt @ encoder.encode(measured).T).max() < 0.72


def test_how_many_of_those_measured_come_near_a_training_question_of_the_bank_is_as_the_page_says():
    bank = [question for question in load_bank() if split(question.id) == "train"]
    encoder = built_in_encoder()
    near = 0
    for language in LANGUAGES:
        known = [" ".join([q.asked_in(language), *(p.in_language(language) for p in q.points)]) for q in bank]
        asked = [text for id_, text in _questions("test").items() if detect(text, "en") == language]
        near += int(((encoder.encode(asked) @ encoder.encode(known).T).max(axis=1) >= 0.8).sum())
    assert f"{near} of the 40 ask nearly" in (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")


def test_the_page_says_how_many_questions_and_writers_there_are():
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    count = {part: len(outside_answers(part)) // len(KINDS) for part in PARTS}
    assert f"{sum(count.values()):,} short questions" in page
    assert f"with eight answers each by {sum(map(len, PARTS.values()))} writers" in page
    assert f"From forty-six writers' questions ({count['train']}) the cross-encoder learns" in page
    assert len(PARTS["train"]) == 46
    school = [name for name in ("pupils", "learners") for row in read_labelled(outside.FOLDER / f"{name}.yaml", name)]
    assert f"all but {len(school) // len(KINDS)} on computing" in page


def test_an_answer_across_is_in_the_other_language_and_the_others_are_not():
    rows = [row for part in PARTS for row in outside_answers(part)]
    for language in LANGUAGES:
        own = [row for row in rows if row.language == language]
        there = [detect(row.answer, language) != language for row in own if row.source == "outside/cross"]
        here = [detect(row.answer, language) == language for row in own if row.source != "outside/cross"]
        assert sum(there) / len(there) > 0.97
        assert sum(here) / len(here) > 0.97


def test_nothing_is_fitted_on_those_that_are_measured():
    measured = {row.answer for row in outside_answers("test")}
    assert not measured & {row.answer for row in answers_to_fit()}
    assert not measured & {row.answer for part in ("train", "dev") for row in outside_answers(part)}


def test_what_is_wrong_in_a_file_is_named(tmp_path, monkeypatch):
    (tmp_path / "small.yaml").write_text(QUESTION, encoding="utf-8")
    monkeypatch.setattr(outside, "FOLDER", tmp_path)
    monkeypatch.setattr(outside, "PARTS", {"train": ("small",)})
    outside_answers.cache_clear()
    found = [f"{problem.where}: {problem.what}" for problem in problems("train")]
    outside_answers.cache_clear()
    assert len(found) == 2
    assert found[0].startswith("outside/cache/strong: shares ('memory', 'answers', 'in', 'nanoseconds')")
    assert found[1] == "outside/cache: kinds ['strong', 'terse']"


def test_the_battery_and_the_outside_questions_are_read_alike():
    first: Graded = next(read_labelled(HERE / "battery.yaml", "battery"))
    assert (first.group, first.source, first.label) == ("battery/kv-paging", "battery/strong", "ccc")
    assert first.labels == (1, 1, 1)


def test_every_question_and_answer_that_is_measured_stands_in_the_figures():
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["outside"]
    assert (published["questions"], published["answers"]) == (40, 320)
    assert {row.source.removeprefix("outside/") for row in outside_answers("test")} == set(KINDS)


def test_two_stand_behind_the_labels_that_are_measured_with():
    """The writer's letters and those of a reader who saw neither them nor the kinds."""
    found = outside_readings()
    assert {key for key in found} == {(row.group, row.source) for row in outside_answers("test")}
    pairs = [pair for each in found.values() for pair in zip(each.first, each.second, strict=True)]
    differ = sum(a != b for a, b in pairs)
    figures = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["outside"]["readers"]
    assert 0 < differ < 0.1 * len(pairs)
    assert figures["agree"] == round(1 - differ / len(pairs), 3)


def test_a_label_that_neither_reader_gave_is_named(monkeypatch):
    (key, reading), *_ = outside_readings().items()
    other = "m" if reading.first[0] == reading.second[0] == "c" else "c"
    twisted = reading._replace(first=reading.second, settled=other + reading.second[1:])
    monkeypatch.setattr(outside, "outside_readings", lambda: {key: twisted})
    assert [problem.what for problem in problems("test")] == [f"both say {reading.second[0]}, labelled {other}"]


@pytest.mark.parametrize(("part", "name"), [("train", "train"), ("dev", "development")])
def test_a_second_reader_of_what_is_learnt_from_and_chosen_by_agrees_as_the_page_says(part, name):
    """Who saw neither labels nor kinds: of all but the first six writers some answers, and of the others' all."""
    stored = json.loads((outside.FOLDER / f"{name}-readings.json").read_text(encoding="utf-8"))
    letters = [pair for kinds in stored.values() for both in kinds.values() for pair in zip(*both, strict=True)]
    agree = sum(first == second for first, second in letters)
    answers = sum(map(len, stored.values()))
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    assert f"{agree} of {len(letters)} points of {answers} answers" in page
    labels = {(row.question.id, row.source): row.label for row in outside_answers(part)}
    for id_, kinds in stored.items():
        for kind, both in kinds.items():
            assert labels[f"outside-{id_}", f"outside/{kind}"] in both
