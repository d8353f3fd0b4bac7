"""Follow-ups: the weightiest gap, words that give nothing away, hints that tell more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.followup import hint_text, leaks, next_gap, probe_text, telling_words
from interviewer.grading.points import extract_points
from interviewer.models import Choice, Grade, GraderInfo, Language, Point, PointGrade, Question, Verdict
from knowledge.bank import load_bank

C, P, M, X = Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED


def make_point(
    id: str, weight: float = 1.0, text: str = "Shard the optimizer states across ranks", **fields: object
) -> Point:
    return Point.model_validate({"id": id, "weight": weight, "text": {"en": text}, **fields})


def make_question(*points: Point, text: str = "How do you save memory in training?") -> Question:
    return Question(id="q", set="s", question={"en": text}, reference={"en": "x"}, points=points)


def graded(**verdicts: Verdict) -> Grade:
    points = tuple(PointGrade(id=i, text="t", weight=1, verdict=v) for i, v in verdicts.items())
    return Grade(status="graded", points=points, grader=GraderInfo(name="builtin"))


def test_the_weightiest_gap_comes_first_and_is_asked_once() -> None:
    question = make_question(make_point("a", 1), make_point("b", 3), make_point("c", 2))
    grade = graded(a=M, b=C, c=P)
    assert next_gap(question, grade, ()) == question.point("c")
    assert next_gap(question, grade, {"c"}) == question.point("a")
    assert next_gap(question, grade, {"a", "c"}) is None


def test_a_wrong_statement_is_taken_up_before_an_equally_weighty_gap() -> None:
    question = make_question(make_point("a"), make_point("b"), make_point("c"))
    assert next_gap(question, graded(a=M, b=X, c=P), ()) == question.point("b")


def test_what_stands_in_a_label_is_not_given_away_and_a_name_with_a_digit_is_no_number() -> None:
    reference = "- **AdamW**: takes the decay out of the gradient.\n- **L1**: pushes weights to exactly zero.\n- It costs little."
    for id in "abcdef":
        question = make_question(*extract_points(reference, "en"), text="How is overfitting fought?")
        question = question.model_copy(update={"id": id})
        first, second, _ = (probe_text(question, point, "en", "") for point in question.points)
        assert "AdamW" not in first
        assert "L1" not in second
        assert "number" not in second
        assert "Estimate" not in second


def test_where_enough_of_a_choice_are_covered_nothing_more_is_asked() -> None:
    points = (make_point("a"), make_point("b"), make_point("c"), make_point("d"))
    choice = Choice(points=("a", "b", "c"), enough=2)
    question = make_question(*points).model_copy(update={"choices": (choice,)})
    assert next_gap(question, graded(a=C, b=C, c=M, d=C), ()) is None
    assert next_gap(question, graded(a=C, b=C, c=X, d=M), ()) == question.point("d")
    short = graded(a=C, b=M, c=M, d=C)
    assert next_gap(question, short, ()) == question.point("b")
    assert next_gap(question, short, {"b"}) == question.point("c"), "any other will do"


@pytest.mark.parametrize(("language", "words"), [("en", ("else", "others")), ("zh", ("哪些",))])
def test_of_a_choice_any_other_one_is_asked_for(language: Language, words: tuple[str, ...]) -> None:
    points = tuple(make_point(id, label="Drawbacks") for id in "abc")
    question = make_question(*points).model_copy(update={"choices": (Choice(points=("a", "b", "c"), enough=2),)})
    asked = {probe_text(question, point, language, "") for point in points}
    assert all(any(word in text for word in words) for text in asked)


def test_without_a_grade_every_point_is_a_gap() -> None:
    question = make_question(make_point("a", 1), make_point("b", 2))
    assert next_gap(question, None, ()) == question.point("b")
    assert next_gap(make_question(), None, ()) is None


def test_the_banks_own_words_are_used() -> None:
    point = make_point("a", probe={"en": "What else is stored?"}, hint={"en": "Think of Adam."})
    question = make_question(point)
    assert probe_text(question, point, "en", "") == "What else is stored?"
    assert hint_text(question, point, "en", "") == "Think of Adam."


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"label": "Drawbacks"}, "cost"),
        ({"label": "Root cause"}, "why"),
        ({"text": "Check the NCCL log for timeouts"}, "confirm"),
        ({"label": "Communication pattern"}, "Communication pattern"),
    ],
)
def test_a_made_probe_follows_the_heading_or_the_wording(fields: dict[str, str], word: str) -> None:
    asked = {
        probe_text(make_question(p), p, "en", "")
        for p in (make_point(f"p{i}", **fields) for i in range(12))  # type: ignore[arg-type]
    }
    assert any(word in text for text in asked)


@pytest.mark.parametrize(
    "label",
    ["Note", "提示", "关系可以总结为", "It is gone, so", "Without checkpoints all work since the start is lost"],
)
def test_a_heading_that_is_no_name_is_not_asked_about(label: str) -> None:
    for id in "abcdef":
        point = make_point(id, text="Each device keeps a shard", label=label)
        question = make_question(point)
        assert not any(label in probe_text(question, point, language, "") for language in ("en", "zh"))


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Prefetching cut the wait by 40%", True),
        ("It takes 200 to 500 tokens", True),
        ("重叠以后快了 3 倍", True),
        ("Use PyTorch 2.1 or newer", False),
        ("opset ≥13 has the operators", False),
        ("步长改为 L2 范数", False),
    ],
)
def test_a_number_is_asked_for_where_there_is_a_quantity(text: str, asks: bool) -> None:
    point = make_point("a", text=text)
    asked = probe_text(make_question(point), point, "en", "")
    assert (
        asked in ("Can you put a number on it, even roughly?", "How much are we talking about? Estimate it.")
    ) is asks


def test_a_heading_that_names_the_point_is_not_used() -> None:
    point = make_point("a", label="Optimizer states")
    assert "Optimizer" not in probe_text(make_question(point), point, "en", "")


def test_a_word_of_the_candidates_own_is_taken_up() -> None:
    point = make_point("a", text="Overlap communication with computation by prefetching buckets")
    asked = {
        probe_text(make_question(p), p, "en", "I would add prefetching somewhere.")
        for p in (point.model_copy(update={"id": f"p{i}"}) for i in range(6))
    }
    assert all("prefetching" in text for text in asked)


@pytest.mark.parametrize(
    ("asked", "reference", "answer", "words"),
    [
        (
            "判断题：栈是先进先出的数据结构，对吗？",
            "错误。栈是后进先出，队列才是先进先出。",
            "错误。",
            ("为什么", "理由"),
        ),
        ("判断题：栈是先进先出的数据结构，对吗？", "错误。栈是后进先出，队列才是先进先出。", "对", ("为什么", "理由")),
        ("Is a stack first in, first out?", "No. A stack is last in, first out.", "No.", ("Why", "makes you say")),
    ],
)
def test_who_has_only_judged_is_asked_for_the_reason(
    asked: str, reference: str, answer: str, words: tuple[str, ...]
) -> None:
    language: Language = "zh" if "栈" in asked else "en"
    points = extract_points(reference, language)
    question = Question(id="q", set="s", question={language: asked}, reference={language: reference}, points=points)
    for point in points:
        assert any(word in probe_text(question, point, language, answer) for word in words)
        for more in (f"{answer}\n不知道", f"{answer} Queues are, stacks work the other way round."):
            assert not any(word in probe_text(question, point, language, more) for word in words)


def test_where_no_judgement_is_asked_for_a_bare_one_is_no_reason_to_ask_why() -> None:
    question = make_question(*extract_points("It stores less.", "en"))
    assert "Why" not in probe_text(question, question.points[0], "en", "Yes.")


@pytest.mark.parametrize(
    ("asked", "reference", "language", "probe", "hint"),
    [
        ("What does ACID stand for?", "ACID stands for atomicity, isolation and durability.", "en", "one", "“a”"),
        ("链表有哪几种？", "链表分为单链表、双向链表和循环链表。", "zh", "哪", "“单”"),
        (
            "Pros and cons?",
            "Advantages: range scans, cheap reads.\nPrice: page splits, hot pages.",
            "en",
            "“Advantages”",
            "“r”",
        ),
        ("航空运输怎么样？", "优点——速度快、破损少。缺点——费用高、有限制。", "zh", "“优点”", "“速”"),
    ],
)
def test_where_names_are_asked_for_another_one_is_asked_for_and_its_beginning_is_the_hint(
    asked: str, reference: str, language: Language, probe: str, hint: str
) -> None:
    points = extract_points(reference, language)
    question = Question(id="q", set="s", question={language: asked}, reference={language: reference}, points=points)
    assert probe in probe_text(question, points[0], language, "")
    assert hint in hint_text(question, points[0], language, "")
    for point in points:
        assert not leaks(probe_text(question, point, language, ""), point, question)
        assert not leaks(hint_text(question, point, language, ""), point, question)


def test_phrasings_vary_by_point_but_not_by_time() -> None:
    points = [make_point(f"p{i}", text="Frobnicated gizmos quench zymurgy") for i in range(30)]
    question = make_question(*points)
    asked = [probe_text(question, p, "en", "") for p in points]
    assert len(set(asked)) >= 3
    assert asked == [probe_text(question, p, "en", "") for p in points]


def test_leaks_are_words_of_the_point_that_nobody_has_said() -> None:
    point = make_point("a", aliases={"en": ("ZeRO",)})
    question = make_question(point)
    assert leaks("Have you thought of sharding?", point, question)
    assert leaks("What about ZeRO?", point, question)
    assert not leaks("What about sharding it?", point, question, "I would shard it")
    assert not leaks("How do you save memory in training?", point, question)


def test_a_hint_tells_more_than_the_probe_and_hides_what_matters() -> None:
    point = make_point("a", text="Keep the parameters in CPU memory and gather each layer just before it is used")
    question = make_question(point)
    hint = hint_text(question, point, "en", "")
    assert "＿＿" in hint
    assert not leaks(hint, point, question)
    assert len(hint) > len(probe_text(question, point, "en", ""))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_made_for_an_imported_reference_leaks(language: Language) -> None:
    made = 0
    for source in load_bank()[::4]:
        points = extract_points(source.reference_in(language), language)
        question = source.model_copy(update={"points": points, "question": {language: source.asked_in(language)}})
        for point in points:
            for text in (probe_text(question, point, language, ""), hint_text(question, point, language, "")):
                made += 1
                assert text.strip()
                assert not leaks(text, point, question), (text, telling_words(point, question))
    assert made > 100


@given(st.text(min_size=1, max_size=120).filter(str.strip), st.text(max_size=40), st.text(max_size=80))
def test_any_point_gets_a_probe_and_a_hint(text: str, label: str, answer: str) -> None:
    point = Point(id="p", text={"zh": text}, label=label)
    question = Question(id="q", set="s", question={"zh": "?"}, reference={"zh": text}, points=(point,))
    assert probe_text(question, point, "zh", answer)
    assert hint_text(question, point, "zh", answer)
