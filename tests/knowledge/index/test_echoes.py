"""Echoes: each term of a query against the nearest term of a question."""

from pathlib import Path

import numpy as np
import pytest

from interviewer.models import Question
from knowledge.index import QuestionIndex
from knowledge.index.echoes import Array, Echo, Echoes, Rows, TermEncoder, Terms
from knowledge.index.embedding import load_embedder
from knowledge.index.hybrid import fuse, fuse_echoes
from knowledge.index.passages import list_records
from tests.knowledge.index.conftest import WordModel, make_question

VECTORS = {"cat": [1.0, 0.0], "kitten": [0.8, 0.6], "dog": [0.0, 1.0], "the": [0.05, 0.0]}


class Zoo:
    """Four terms in a plane; counts the texts it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def read_terms(self, text: str) -> Terms:
        self.read.append(text)
        known = [w for w in dict.fromkeys(text.split()) if w in VECTORS]
        numbers = [list(VECTORS).index(w) for w in known]
        return Terms(np.array(numbers, np.int32), np.array([text.split().count(w) for w in known], np.float32))

    def term_vectors(self, rows: Rows) -> Array:
        return np.array(list(VECTORS.values()), np.float32)[rows]


def echoes_of(query: str, **questions: str) -> dict[str, Echo]:
    """Of questions given as what is asked and, after a bar, the reference."""
    made = [make_question(name, en=text) for name, text in questions.items()]
    return Echoes(Zoo()).compare(query, {q.id: list_records(q) for q in made})


def shares(query: str, **references: str) -> dict[str, float]:
    found = echoes_of(query, **{name: f"what|{text}" for name, text in references.items()})
    return {name: echo.whole for name, echo in found.items()}


def test_each_term_meets_the_nearest_one_of_the_question() -> None:
    found = shares("cat dog", same="dog and cat", near="kitten", half="cat cat")
    assert found["same"] == pytest.approx(1.0)
    assert found["near"] == pytest.approx((0.8 + 0.6) / 2)
    assert found["half"] == pytest.approx(0.5)


def test_terms_with_longer_vectors_and_repeated_ones_count_more() -> None:
    assert shares("the dog", dog="dog")["dog"] > 0.99
    assert shares("dog cat cat cat cat", dog="dog")["dog"] == pytest.approx(1 / 3)


def test_what_has_no_known_term_echoes_nowhere() -> None:
    assert shares("unheard of", cat="cat") == {}
    assert shares("cat", nothing="unheard of", cat="cat").keys() == {"cat"}


def test_a_question_is_read_once() -> None:
    zoo = Zoo()
    echoes = Echoes(zoo)
    records = {"q": list_records(make_question("q", en="what|cat"))}
    first = echoes.compare("dog", records)
    read = len(zoo.read)
    assert echoes.compare("dog", records) == first
    assert zoo.read[read:] == ["dog"]


def test_the_built_in_encoder_has_vectors_of_terms_and_its_terms_add_up_to_its_texts() -> None:
    embedder = load_embedder("")
    assert isinstance(embedder, TermEncoder)
    text = "显存不足 out of memory memory"
    terms = embedder.read_terms(text)
    summed = np.sqrt(terms.counts) @ embedder.term_vectors(terms.rows)
    np.testing.assert_allclose(summed / np.linalg.norm(summed), embedder.encode([text])[0], atol=1e-5)


def test_what_is_asked_is_compared_apart() -> None:
    found = echoes_of("cat", asks="cat|dog", answers="dog|cat", neither="the|dog")
    assert found["asks"].whole == found["answers"].whole == pytest.approx(1.0)
    assert found["asks"].asked == pytest.approx(1.0)
    assert found["answers"].asked == pytest.approx(0.0)


def test_a_question_that_asks_nothing_known_is_taken_as_a_whole() -> None:
    assert echoes_of("cat", q="what|cat")["q"].asked == pytest.approx(1.0)


def test_complete_is_what_says_every_term() -> None:
    found = echoes_of("cat dog", all="cat|dog", near="kitten|dog")
    assert found["all"].complete
    assert not found["near"].complete


def test_echoes_count_in_the_fused_score_and_leave_it_between_0_and_1() -> None:
    heard = {"a": Echo(0.9, 0.5), "b": Echo(0.3, 0.5)}
    found = fuse_echoes({"a": 0.5, "b": 0.5}, {}, "zh", heard, ())
    assert found["a"] > found["b"]
    ends = fuse_echoes({"a": 1.0, "b": -1.5}, {"a": 1.0}, "en", {"a": Echo(1.0, 1.0), "b": Echo(0.0, 0.0)}, ())
    assert 0.9 < ends["a"] < 1
    assert ends["b"] == 0


def test_a_question_about_the_query_goes_before_one_that_mentions_it() -> None:
    heard = {"about": Echo(0.8, 0.8), "mentions": Echo(0.8, 0.2)}
    for language, foreign in (("zh", ()), ("en", ()), ("zh", heard), ("en", heard)):
        found = fuse_echoes({"about": 0.5, "mentions": 0.5}, {}, language, heard, foreign)  # type: ignore[arg-type]
        assert found["about"] > found["mentions"]


def test_a_question_that_says_every_term_goes_before_one_that_nearly_does() -> None:
    heard = {"all": Echo(1.0, 0.5), "nearly": Echo(0.97, 0.6)}
    found = fuse_echoes({"all": 0.5, "nearly": 0.5}, {}, "zh", heard, ())
    assert found["all"] > found["nearly"]


def test_what_many_questions_say_completely_tells_little() -> None:
    near = {"all": 0.5, "other": 0.5}
    alone = fuse_echoes(near, {}, "zh", {"all": Echo(1.0, 0.5), "other": Echo(0.9, 0.5)}, ())
    among_others = fuse_echoes(near, {}, "zh", {"all": Echo(1.0, 0.5), "other": Echo(1.0, 0.5)}, ())
    assert alone["all"] > among_others["all"]


def test_a_foreign_question_is_judged_by_echoes_more_than_by_words() -> None:
    heard = {"words": Echo(0.5, 0.4), "echo": Echo(0.7, 0.6)}
    near, shared = {"words": 0.3, "echo": 0.3}, {"words": 0.3}
    at_home = fuse_echoes(near, shared, "en", heard, ())
    abroad = fuse_echoes(near, shared, "en", heard, heard)
    assert at_home["words"] > at_home["echo"]
    assert abroad["echo"] > abroad["words"]


def test_what_was_not_compared_echoes_as_little_as_the_least_that_was() -> None:
    heard = {"a": Echo(0.9, 0.5), "b": Echo(0.3, 0.2)}
    found = fuse_echoes({"a": 0.5, "b": 0.5, "c": 0.5}, {}, "zh", heard, ())
    assert found["c"] == found["b"] < found["a"]


def test_a_question_that_changed_is_read_again() -> None:
    echoes = Echoes(Zoo())
    before, after = (list_records(make_question("q", en=f"what|{text}")) for text in ("cat", "dog"))
    assert echoes.compare("dog", {"q": before})["q"].whole < echoes.compare("dog", {"q": after})["q"].whole


def test_usual_echoes_leave_the_score_about_as_it_is() -> None:
    usual = Echo(0.7, 0.45)
    with_echoes = fuse_echoes({"a": 0.4}, {"a": 0.3}, "zh", {"a": usual}, ())["a"]
    assert with_echoes == pytest.approx(fuse({"a": 0.4}, {"a": 0.3}, "zh")["a"], abs=0.01)


def test_search_ranks_by_echoes_where_the_model_has_vectors_of_terms(tmp_path: Path, questions: list[Question]) -> None:
    class Deaf(WordModel):
        """Finds every text equally near, but knows terms: only echoes can tell questions apart."""

        def encode(self, texts: list[str], *, query: bool = False) -> np.ndarray:
            return np.tile(np.eye(256, dtype=np.float32)[0], (len(texts), 1))

        def read_terms(self, text: str) -> Terms:
            known = [1] * ("gradients" in text) + [2] * ("kernels" in text)
            return Terms(np.array(known, np.int32), np.ones(len(known), np.float32))

        def term_vectors(self, rows: Rows) -> Array:
            return np.eye(3, dtype=np.float32)[rows]

    model = Deaf()
    index = QuestionIndex(tmp_path, locate=model.locate, load=model.load)
    index.build(questions)
    assert index.search("kernels", side="dense")[0].question_id == "compile"
    assert index.search("gradients", side="dense")[0].question_id == "allreduce"
    index.close()
