"""How many of what a reference lists are enough: read off the question or the reference, and never guessed."""

from pathlib import Path

import pytest

from evals.grading.data import human_answers
from evals.grading.outside import PARTS, outside_answers
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.choosing import offered, wanted, without_notes
from interviewer.grading.points import are_found, extract, extract_points, with_points
from interviewer.grading.protocol import GradingContext
from interviewer.models import Choice, Language, Question
from knowledge.bank import load_bank

LIST = "- It saves memory.\n- It needs no lock.\n- It fits in the cache.\n- It can be read in any order."
LIST_ZH = "1. 节省显存\n2. 不需要加锁\n3. 能放进缓存\n4. 可以按任意顺序读取"


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("Name two advantages of a ring buffer.", 2),
        ("What are the goals of the protocol? Please state at least 4 goals.", 4),
        ("Describe and compare three ways to do it.", 3),
        ("What are two ways to cut latency?", 2),
        ("请列举三种常见的位置编码。", 3),
        ("头结点有什么好处？（至少说出两条好处）", 2),
        ("任选两点说明。", 2),
        ("Name the two phases of congestion control.", None),
        ("Event A is that you see at least three heads. Order the events.", None),
        ("Give one advantage and name one disadvantage.", None),
        ("Give 2 reasons for your decision and 1 weakness.", None),
        ("Give one advantage and disadvantage.", None),
        ("说明两种方法的区别。", None),
        ("列举两个优点和一个缺点。", None),
        ("Why does it need at least two replicas?", None),
        ("Name 0 things. Name " + " " * 50_000, None),
    ],
)
def test_a_number_is_wanted_where_one_is_asked_to_name_that_many(asked: str, number: int | None) -> None:
    found = wanted(asked)
    assert (found.number if found else None) == number


def test_a_number_for_each_of_them_is_not_the_number_of_them() -> None:
    found = wanted("Discuss 3 methods (each with at least one advantage) that avoid duplicates.")
    assert found is not None
    assert found.number == 3


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One of the following is enough", 1),
        ("Any two of these", 2),
        ("（答出两点即可）", 2),
        ("写出以上任意三条即可得满分。", 3),
        ("任选两种", 2),
        ("two copies are kept", None),
        ("at least two copies are kept", None),
        ("两点即可确定一条直线", None),
        ("none of these", None),
    ],
)
def test_a_reference_says_itself_how_many_are_enough(text: str, number: int | None) -> None:
    assert offered(text) == number


def test_a_note_on_how_many_are_enough_is_no_part_of_a_point() -> None:
    noted = LIST_ZH + "（答出两点即可）"
    assert without_notes(noted) == LIST_ZH
    assert extract_points(noted, "zh") == extract_points(LIST_ZH, "zh")
    assert extract("有哪些好处？", noted, "zh").choices == (Choice(points=("p1", "p2", "p3", "p4"), enough=2),)
    assert without_notes("It runs (see below) on two (2) machines.") == "It runs (see below) on two (2) machines."


@pytest.mark.parametrize(
    ("asked", "reference", "points"),
    [
        ("Name two advantages of a ring buffer.", LIST, "1234"),
        ("列举两个好处。", LIST_ZH, "1234"),
        ("What is it? Name two advantages.", "A ring buffer overwrites its oldest entry.\n\n" + LIST, "2345"),
        (
            "State at least 2 goals.",
            "It saves memory on every machine. It needs no lock at all. It fits in the cache.",
            "123",
        ),
        ("Why is it used?", "It bounds memory.\n\nAny two of these are right:\n\n" + LIST, "2345"),
        # Nothing to choose from, or none can tell what.
        ("Name four advantages of a ring buffer.", LIST, ""),
        ("Name the advantages of a ring buffer.", LIST, ""),
        ("Which would you take? Give two reasons.", "A ring buffer. It saves memory. It is fast. It is simple.", ""),
        ("What does it do, and how? State at least 2 goals.", "It saves memory. It is fast. It is simple.", ""),
        (
            "至少说出两条好处。",
            "1. 每个节点都有前驱，首节点不必单独处理。插入和删除的代码一样。\n2. 空表与非空表的处理一致。",
            "",
        ),
    ],
)
def test_a_choice_is_among_the_items_of_the_list(asked: str, reference: str, points: str) -> None:
    found = extract(asked, reference, "en").choices
    assert "".join(id.removeprefix("p") for choice in found for id in choice.points) == points
    assert all(choice.enough < len(choice.points) for choice in found)


def test_each_thing_to_choose_from_is_a_point_however_short_and_many() -> None:
    aims = [
        "To cut costs.",
        "To be safe.",
        *(f"To support the kind of traffic with number {at} of many." for at in range(9)),
    ]
    found = extract("State at least four aims.", "\n".join(aims), "en")
    assert [point.text["en"] for point in found.points] == aims
    assert found.choices == (Choice(points=tuple(f"p{at}" for at in range(1, 12)), enough=4),)
    assert {point.weight for point in found.points} == {1.0}
    assert are_found(found.points, {"en": "\n".join(aims)})
    assert len(extract("What are the aims?", "\n".join(aims), "en").points) < 9
    many = "\n".join(f"- Reason number {at} of many that there are" for at in range(60))
    assert len(extract("Name two reasons.", many, "en").points) == 16


def test_naming_as_many_as_are_asked_for_is_a_full_answer() -> None:
    question = Question(
        id="q", set="s", question={"en": "Name two advantages of a ring buffer."}, reference={"en": LIST}
    )
    grader, context = BuiltinGrader(), GradingContext(language="en")
    half, full = (
        grader.grade(question, said, context) for said in ("It saves memory.", "It saves memory. It needs no lock.")
    )
    assert full.score == 10
    assert full.spare == {"p3", "p4"}
    assert half.score == 5
    all_asked = question.model_copy(update={"question": {"en": "Name the advantages of a ring buffer."}})
    assert grader.grade(all_asked, "It saves memory. It needs no lock.", context).score < 5


NAMED = (
    "- **Early stopping**: stop when the validation error no longer falls\n"
    "- **Weight decay**: keeps the parameters small\n- **Dropout**: drops some of the outputs at random\n"
    "- **Data augmentation**: more training examples out of those there are"
)
NAMED_ZH = "1. 早停：验证集误差不再下降就停止训练\n2. 权重衰减：让参数保持小的数值\n3. 随机失活：随机丢弃一部分神经元的输出\n4. 数据增强：扩充训练样本"
METHODS, METHODS_ZH = "Name two methods against overfitting.", "请列举两种防止过拟合的方法。"


@pytest.mark.parametrize(
    ("asked", "reference", "answer", "score", "language"),
    [
        (METHODS, NAMED, "Early stopping and dropout.", 10, "en"),
        (METHODS, NAMED, "Weight decay, data augmentation", 10, "en"),
        (METHODS, NAMED, "You could use early stopping, or add dropout to the network.", 10, "en"),
        (METHODS, NAMED, "Dropout", 5, "en"),
        (METHODS, NAMED, "A larger model and a higher learning rate.", 0, "en"),
        (METHODS, NAMED, "Data, weight, early", 0, "en"),
        (METHODS, NAMED, "Methods against overfitting.", 0, "en"),
        (METHODS_ZH, NAMED_ZH, "早停和数据增强", 10, "zh"),
        (METHODS_ZH, NAMED_ZH, "可以用早停，也可以做数据增强。", 10, "zh"),
        (METHODS_ZH, NAMED_ZH, "随机失活", 5, "zh"),
        (METHODS_ZH, NAMED_ZH, "把学习率调大、把模型做大", 0, "zh"),
    ],
)
def test_the_names_of_as_many_as_are_asked_for_are_a_full_answer(
    asked: str, reference: str, answer: str, score: float, language: Language
) -> None:
    question = Question(id="q", set="s", question={language: asked}, reference={language: reference})
    grade = BuiltinGrader().grade(question, answer, GradingContext(language=language, asked=(asked,)))
    assert grade.score == score
    assert all(point.quote in answer for point in grade.points)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Name and describe two methods against overfitting.", "Early stopping and dropout."),
        ("What is done against overfitting?", "Early stopping and dropout."),
        (METHODS, "It is not done by early stopping, nor is it done by dropout."),
    ],
)
def test_a_name_alone_is_no_answer_where_more_is_asked_for_or_it_is_denied(asked: str, answer: str) -> None:
    question = Question(id="q", set="s", question={"en": asked}, reference={"en": NAMED})
    assert BuiltinGrader().grade(question, answer, GradingContext(language="en", asked=(asked,))).score < 5


def test_people_who_ask_for_some_of_many_are_understood_and_others_are_not_misunderstood(shared: Path) -> None:
    rows = human_answers(shared)
    assert {row.group for row in rows if row.question.choices} == {
        f"saf_en_train/{id}" for id in ("10.1_TC", "12.1_PE", "6.1_IPP", "6.2_IPP", "8.1_MM")
    }
    outside = {row.group: row.question for part in PARTS for row in outside_answers(part)}
    for question in (*load_bank(), *outside.values()):
        for language, reference in question.reference.items():
            assert not extract(question.asked_in(language), reference, language).choices, question.id


def test_points_that_somebody_wrote_keep_the_choices_they_have() -> None:
    question = Question(
        id="q",
        set="s",
        question={"en": "Name two advantages."},
        reference={"en": LIST},
        points=extract_points(LIST, "en"),
    )
    assert with_points(question, "en") == question


@pytest.mark.parametrize(
    "asked",
    [
        "什么是多态？请举一个例子。",
        "What is polymorphism? Give one example.",
        "请举一个你解决团队冲突的例子。",
        "Describe one project you are proud of.",
        "Explain two-phase commit.",
        "Explain one way data binding.",
    ],
)
def test_an_example_beside_a_question_or_a_story_is_no_choice(asked):
    found = extract(asked, "- the first thing\n- a second thing\n- the third one\n- what came of it", "en")
    assert len(found.points) == 4
    assert found.choices == ()
