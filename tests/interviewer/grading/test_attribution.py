"""What is said of one thing and told of another, with and without an encoder."""

import pytest

from evals.grading.command import built_in_encoder
from interviewer.grading.attribution import Attribution, names_compared
from interviewer.grading.evidence import Reader
from interviewer.models import Question
from knowledge.bank import load_bank

NAMED = Question(
    id="n",
    set="t",
    question={"en": "Compare HNSW with IVF-PQ.", "zh": "进程和线程有什么区别？"},
    reference={
        "en": "HNSW is a layered graph of neighbours. It keeps whole vectors in memory.\n"
        "IVF-PQ clusters the vectors and stores short codes.",
        "zh": "进程有自己的地址空间，切换开销大。线程共享地址空间，切换开销小。",
    },
    points=(),
)


@pytest.fixture(params=["encoder", "words"])
def reader(request):
    return Reader(built_in_encoder() if request.param == "encoder" else None)


def test_what_is_right_leans_to_its_own_and_what_is_swapped_to_the_other(reader):
    told = Attribution(reader, NAMED, "en")
    right = told.weigh(["HNSW is a graph in layers.", "IVF-PQ stores codes of clusters of vectors."])
    swapped = told.weigh(["IVF-PQ is a graph in layers.", "HNSW stores codes of clusters of vectors."])
    assert min(right) > 0.1
    assert swapped == pytest.approx([-value for value in right])


def test_a_sentence_without_a_name_goes_on_about_the_one_before(reader):
    told = Attribution(reader, NAMED, "en")
    after_one, after_other = (
        told.weigh([first, "It keeps whole vectors in memory."])[1] for first in ("HNSW.", "IVF-PQ.")
    )
    assert after_one > 0.1 > -0.1 > after_other
    assert told.weigh(["It keeps whole vectors in memory."]) == [0]


def test_two_things_in_chinese(reader):
    told = Attribution(reader, NAMED, "zh")
    right, swapped = told.weigh(["线程共享地址空间", "进程共享地址空间"])
    assert right > 0
    assert swapped == pytest.approx(-right)


def test_where_two_are_named_at_once_or_nothing_is_compared_nothing_is_told(reader):
    assert Attribution(reader, NAMED, "en").weigh(["HNSW and IVF-PQ keep whole vectors in memory."]) == [0]
    single = NAMED.model_copy(update={"question": {"en": "What is HNSW?"}})
    assert Attribution(reader, single, "en").weigh(["HNSW stores codes."]) == [0]
    lacking = NAMED.model_copy(update={"reference": {"en": "It depends."}})
    assert Attribution(reader, lacking, "en").weigh(["HNSW stores codes."]) == [0]
    assert Attribution(reader, NAMED, "en").weigh([]) == []


@pytest.mark.parametrize(
    ("question", "language", "names"),
    [
        ("When HNSW and when IVF-PQ?", "en", {"hnsw": "hnsw", "ivf": "ivf-pq", "pq": "ivf-pq"}),
        ("What is the difference between a process and a thread?", "en", {"proces": "process", "thread": "thread"}),
        ("What is HNSW?", "en", {}),
        ("数据并行和模型并行分别切分什么？", "zh", {"数据": "数据并行", "模型": "模型并行"}),
        ("FP16 和 BF16 有什么区别？", "zh", {"fp16": "fp16", "bf16": "bf16"}),
        ("怎样安排时间？", "zh", {}),
    ],
)
def test_names_that_a_question_sets_side_by_side(question, language, names):
    found = names_compared(question, language)
    assert set(found.values()) == set(names.values())
    assert found.keys() >= {key for key in names if len(key) > 6 or key in found}


def test_points_of_the_bank_lean_to_what_they_are_about():
    """A point names the thing that it is about, and stands in the reference too."""
    reader = Reader(None)
    leaning = [
        value
        for question in load_bank()
        for point in question.points
        for value in Attribution(reader, question, "en").weigh([point.text["en"]])
        if value
    ]
    assert len(leaning) > 30
    assert sum(value > 0 for value in leaning) > 0.9 * len(leaning)
