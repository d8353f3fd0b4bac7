"""The shipped questions themselves."""

from collections import Counter

import pytest

from interviewer.models import LANGUAGES, Kind, Question
from knowledge.bank import BANK, FOLDER, load_bank, topic_files, topic_titles
from knowledge.bank.check import check_bank

TOPICS = {
    "training",
    "inference",
    "architecture",
    "rag-agents",
    "systems",
    "frameworks-cuda",
    "data-evaluation",
    "design",
}


@pytest.fixture(scope="module")
def bank() -> tuple[Question, ...]:
    return load_bank()


def test_it_keeps_every_rule(bank: tuple[Question, ...]) -> None:
    assert check_bank(bank) == ()


def test_it_has_questions_of_every_topic_and_kind(bank: tuple[Question, ...]) -> None:
    topics = Counter(question.topic for question in bank)
    kinds = Counter(question.kind for question in bank)
    assert set(topics) >= TOPICS
    assert min(topics.values()) >= 2
    assert kinds[Kind.TROUBLESHOOTING] >= 2
    assert kinds[Kind.DESIGN] >= 1
    assert kinds[Kind.EXPERIENCE] >= 1
    assert len(bank) >= 150


def test_what_people_get_wrong_about_each_point_is_known(bank: tuple[Question, ...]) -> None:
    for question in bank:
        assert {each.point for each in question.misconceptions} >= {point.id for point in question.points}, question.id
        told = [each.text[language] for each in question.misconceptions for language in LANGUAGES]
        assert len(set(told)) == len(told)


def test_every_question_belongs_to_the_bank_and_names_its_licence(bank: tuple[Question, ...]) -> None:
    assert {question.set for question in bank} == {BANK}
    assert {question.source.licence for question in bank} == {"Apache-2.0"}


def test_ids_of_questions_and_of_their_points_are_unique(bank: tuple[Question, ...]) -> None:
    assert len({question.id for question in bank}) == len(bank)
    for question in bank:
        ids = [point.id for point in question.points]
        assert len(ids) == len(set(ids)), question.id


def test_every_text_is_there_in_both_languages(bank: tuple[Question, ...]) -> None:
    for question in bank:
        assert set(question.languages) == set(LANGUAGES), question.id
        for point in question.points:
            assert set(point.text) == set(point.aliases) == set(point.probe) == set(point.hint) == set(LANGUAGES)


def test_every_topic_has_a_title_in_both_languages() -> None:
    titles = topic_titles()
    assert set(titles) == {file.topic for file in topic_files()} >= TOPICS
    assert all(set(title) == set(LANGUAGES) for title in titles.values())


def test_each_topic_is_the_file_of_its_name() -> None:
    for file in topic_files():
        assert file.path.name == f"{file.topic}.yaml"


def test_each_file_ends_with_a_line_end_and_has_no_tabs() -> None:
    for path in FOLDER.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n"), path.name
        assert "\t" not in text, path.name


def test_the_design_interviews_go_through_their_phases(bank: tuple[Question, ...]) -> None:
    minutes = {q.id: [phase.minutes for phase in q.phases] for q in bank if q.topic == "design" and q.phases}
    named = {f"design-{name}" for name in ("training-platform", "inference-platform", "feature-platform")}
    assert set(minutes) >= named | {"design-vector-database"}
    assert all(each == [5, 10, 15, 10] for each in minutes.values())
