"""Topic files that are broken name the file, the question and the field."""

from pathlib import Path

import pytest

from interviewer.errors import BankError
from knowledge.bank import read_topic_file, read_topic_files, topic_files

GOOD = """\
topic: caching
title:
  zh: 缓存
  en: Caching
questions:
  - id: caching-one
    tags: [cache]
    question:
      zh: 为什么要缓存？
      en: Why cache?
    reference:
      zh: 因为快。
      en: Because it is fast.
"""


def write(folder: Path, text: str, name: str = "caching.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_gives_its_questions(tmp_path: Path) -> None:
    file = read_topic_file(write(tmp_path, GOOD), "team")
    assert (file.topic, file.title) == ("caching", {"zh": "缓存", "en": "Caching"})
    assert [(q.id, q.set, q.topic) for q in file.questions] == [("caching-one", "team", "caching")]


BROKEN = {
    "unknown field": (GOOD.replace("tags:", "tag:"), ["question 'caching-one', tag"]),
    "nested field": (
        GOOD + "    points:\n      - id: a\n        weight: 0\n        text: {en: x}\n",
        ["points.0.weight"],
    ),
    "number for text": (GOOD.replace("[cache]", "[65504]"), ["tags.0", "65504", "quotes"]),
    "point id twice": (
        GOOD + "    points:\n      - {id: a, text: {en: x}}\n      - {id: a, text: {en: y}}\n",
        ["question 'caching-one', points", "point id twice"],
    ),
    "a point in no phase": (
        GOOD + "    points:\n      - {id: a, text: {en: x}}\n"
        "    phases:\n      - {id: p, minutes: 5, title: {en: x}, prompt: {en: y}}\n",
        ["question 'caching-one', points", "phases", "['a']"],
    ),
    "a point in two phases": (
        GOOD
        + "    points:\n      - {id: a, text: {en: x}}\n    phases:\n"
        + "".join(f"      - {{id: {i}, minutes: 5, title: {{en: x}}, prompt: {{en: y}}, points: [a]}}\n" for i in "pq"),
        ["question 'caching-one', points", "phases", "['a', 'a']"],
    ),
    "a phase without minutes": (
        GOOD + "    phases:\n      - {id: p, minutes: 0, title: {en: x}, prompt: {en: y}}\n",
        ["phases.0.minutes"],
    ),
    "id is no slug": (GOOD.replace("caching-one", "Caching One"), ["'Caching One', id", "slug"]),
    "id is missing": (GOOD.replace("id: caching-one", "kind: concept"), ["question 1, id"]),
    "the set is given": (GOOD + "    set: bank\n", ["'caching-one', set"]),
    "a key stands twice": (GOOD + "    tags: [again]\n", ["YAML: line 14", "'tags' stands twice"]),
    "not YAML": (GOOD.replace("en: Why cache?", "en: why: because"), ["YAML: line 10"]),
    "no title in Chinese": (GOOD.replace("  zh: 缓存\n", ""), ["title"]),
    "topic is no slug": (GOOD.replace("topic: caching", "topic: 缓存"), ["topic", "slug"]),
    "unknown head": (GOOD + "author: me\n", ["head", "author"]),
    "a list": ("- a\n", ["head"]),
    "questions are no list": ("topic: a\ntitle: {zh: 甲, en: a}\nquestions: x\n", ["questions", "list"]),
    "a question is no mapping": ("topic: a\ntitle: {zh: 甲, en: a}\nquestions: [x]\n", ["question 1", "mapping"]),
    "an object is constructed": ("topic: !!python/object/apply:os.getcwd []\n", ["YAML"]),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_error_names_file_question_and_field(tmp_path: Path, case: str) -> None:
    text, parts = BROKEN[case]
    with pytest.raises(BankError) as caught:
        read_topic_file(write(tmp_path, text))
    for part in ["caching.yaml", *parts]:
        assert part in caught.value.message
    assert "interviewer bank check" in caught.value.next_step


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BankError, match=r"absent\.yaml can't be read"):
        read_topic_file(tmp_path / "absent.yaml")


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gbk.yaml"
    path.write_bytes(GOOD.encode("gbk"))
    with pytest.raises(BankError, match=r"gbk\.yaml is not UTF-8"):
        read_topic_file(path)


def test_an_id_stands_in_one_file_only(tmp_path: Path) -> None:
    paths = [write(tmp_path, GOOD, "a.yaml"), write(tmp_path, GOOD, "b.yaml")]
    with pytest.raises(BankError, match=r"b\.yaml, question 'caching-one', id: stands in a\.yaml already"):
        read_topic_files(paths)


def test_a_topic_is_one_file(tmp_path: Path) -> None:
    write(tmp_path, GOOD, "a.yaml")
    write(tmp_path, GOOD.replace("caching-one", "caching-two"), "b.yaml")
    with pytest.raises(BankError, match=r"b\.yaml, topic: 'caching' is the topic of a\.yaml already"):
        topic_files(tmp_path)


def test_an_empty_topic_is_fine(tmp_path: Path) -> None:
    file = read_topic_file(write(tmp_path, GOOD.split("questions:", maxsplit=1)[0] + "questions: []\n"))
    assert file.questions == ()
