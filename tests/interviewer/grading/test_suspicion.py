"""What gives a wrong statement away, as numbers; and what the grader does with a suspicion."""

import pytest

from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.cues import CUES, count_cues, count_turned
from interviewer.grading.evidence import Collector, Reader, make_target
from interviewer.grading.looking import Looked
from interviewer.grading.protocol import GradingContext
from interviewer.grading.scoring import ALONE, GIVEN_FEATURES, load_scorer
from interviewer.grading.suspicion import PAIR_FEATURES, Inspector, Suspect
from interviewer.grading.weighing import weigh_given
from interviewer.grading.windows import read_answer
from interviewer.grading.wrong import Wrong
from interviewer.models import LANGUAGES, Language, Misconception, Point, Question, Verdict
from knowledge.bank import load_bank
from knowledge.encoder.light import LightEncoder

POINTS = {
    "moving": "BatchNorm takes statistics over the batch and uses moving averages in inference",
    "stable": "Pre-norm keeps an identity path, so gradients flow and training is more stable",
}
ASKED = "How do BatchNorm and LayerNorm differ, and where does the norm go?"
QUESTION = Question(
    id="norms",
    set="test",
    question={"en": ASKED},
    reference={"en": "See the points."},
    points=tuple(Point(id=name, text={"en": text}) for name, text in POINTS.items()),
    misconceptions=(
        Misconception(
            point="moving",
            text={"en": "LayerNorm uses means gathered in training when it runs inference"},
            correction={"en": "LayerNorm always takes the current token's own statistics"},
        ),
    ),
)


def look(answer: str, at: int = 0, language: Language = "en") -> Suspect:
    reader = Reader(None)
    targets = [make_target(reader, text, (), frozenset()) for text in POINTS.values()]
    collector = Collector(reader, read_answer(answer, (ASKED,)), targets, ASKED)
    return Inspector(reader, collector, QUESTION, language).inspect(at)[0]


def named(suspect: Suspect, name: str) -> float:
    return suspect.values[PAIR_FEATURES.index(name)]


def test_each_of_many_misconceptions_counts_as_if_it_were_alone() -> None:
    own = QUESTION.misconceptions[0]
    another = Misconception(
        point="stable", text={"en": "Post-norm trains stably without warm-up"}, correction={"en": "It needs warm-up"}
    )
    empty = Misconception(point="stable", text={"en": "…"}, correction={"en": "…"})
    said = "LayerNorm uses the means gathered in training when it runs inference. Post-norm trains stably, no warm-up."
    reader = Reader(LightEncoder())
    targets = [make_target(reader, text, (), frozenset()) for text in POINTS.values()]
    collector = Collector(reader, read_answer(said, (ASKED,)), targets, ASKED)

    def look_at(at: int, *known: Misconception) -> list[Suspect]:
        return Inspector(reader, collector, QUESTION.model_copy(update={"misconceptions": known}), "en").inspect(at)

    for at, alone in enumerate((own, another)):
        one, many = look_at(at, alone)[0], look_at(at, another, empty, own)[0]
        assert named(one, "misconception") == pytest.approx(named(many, "misconception"), abs=1e-5)
        assert named(one, "misconception") > 0.5
    assert named(look_at(0, empty)[0], "misconception") == 0


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("It always works.", "absolute"),
        ("这一定是数据的问题", "absolute"),
        ("There is no need to check.", "dismiss"),
        ("权重的精度无所谓，也不需要压测", "dismiss"),
        ("It simply balances itself.", "easy"),
        ("只看一个进程就行", "easy"),
        ("It rises because the batch grows.", "cause"),
        ("Many assume that it works.", "reported"),
        ("很多人以为这样就够了", "reported"),
        ("Choose it only when memory is tight.", "contrast"),
        ("不是显存不够，而是带宽不够", "contrast"),
    ],
)
def test_cues_are_counted_in_both_languages(text: str, cue: str) -> None:
    assert count_cues(text)[CUES.index(cue)] >= 1


def test_opposites_count_when_each_text_has_one_side_only() -> None:
    assert count_turned("memory is reduced", "memory increases") >= 1
    assert count_turned("memory is reduced", "memory is reduced and compute increases") == 0


def test_every_number_has_a_name_and_the_nearest_sentence_comes_first() -> None:
    suspect = look("It is about cats. BatchNorm takes statistics over the batch and uses moving averages in inference.")
    assert len(suspect.values) == len(PAIR_FEATURES)
    assert suspect.window.text.startswith("BatchNorm")
    assert named(suspect, "recall") == pytest.approx(1)


def test_a_misconception_is_nearer_to_what_states_it_than_to_its_correction() -> None:
    wrong = look("LayerNorm uses the means that were gathered in training when it runs inference.")
    right = look("LayerNorm always takes the statistics of the current token itself.")
    assert named(wrong, "misconception_lead") > 0 > named(right, "misconception_lead")


def test_a_fluent_wrong_answer_earns_little_and_the_same_answer_put_right_earns_much() -> None:
    grader = BuiltinGrader(LightEncoder())
    right = (
        "BatchNorm's statistics come from the batch; at inference it relies on moving averages. With pre-norm there is"
    )
    right += " an identity path, so the gradients flow straight through and training stays more stable."
    wrong = (
        "BatchNorm always takes its statistics from the current batch in inference too, no moving averages are needed."
    )
    wrong += " Pre-norm has no identity path at all, so gradients vanish and training is always less stable."
    scores = [
        grader.grade(QUESTION, text, GradingContext(language="en", asked=(ASKED,))).score for text in (right, wrong)
    ]
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0] >= 7
    assert scores[1] <= 3


def test_a_doubtful_verdict_names_the_nearest_sentence_and_it_stands_in_the_answer() -> None:
    answer = "It has to do with some averages. The gradients like it, I believe."
    grade = BuiltinGrader(LightEncoder()).grade(QUESTION, answer, GradingContext(language="en", asked=(ASKED,)))
    unsure = [point for point in grade.points if point.unsure]
    assert unsure
    for point in grade.points:
        assert point.nearest in answer
        assert bool(point.nearest) is point.unsure
        assert point.quote or point.verdict == Verdict.MISSING


def test_denying_a_misconception_is_not_near_to_it() -> None:
    denial = look("LayerNorm does not use means gathered in training when it runs inference.")
    assert named(denial, "misconception") == 0


@pytest.mark.parametrize(
    "beside",
    [
        "I could say a great deal more if there was time.",
        "Maybe, perhaps, I think, there are advantages and drawbacks.",
        "It is always the same, there is never any need for more.",
    ],
)
def test_what_stands_beside_a_statement_does_not_make_it_suspect(beside: str) -> None:
    said = "BatchNorm always takes statistics over the batch, in inference too."
    alone, both = look(said), look(f"{said} {beside}")
    assert both.window.text == said
    assert dict(zip(PAIR_FEATURES, both.values, strict=True)) == pytest.approx(
        dict(zip(PAIR_FEATURES, alone.values, strict=True)), abs=1e-6
    )


@pytest.mark.parametrize(
    ("suspicion", "more", "contradicted"),
    [(0.5, " It never did. Others do.", False), (0.75, " It never did. Others do.", True), (0.5, "", True)],
)
def test_a_misconception_that_was_found_counts_where_the_sentence_is_suspicious_or_the_answer_short(
    suspicion: float, more: str, contradicted: bool
) -> None:
    reader = Reader(None)
    target = make_target(reader, POINTS["moving"], (), frozenset())
    said = read_answer(f"{POINTS['moving']}. LayerNorm does not.{more}", (ASKED,))
    evidence = Collector(reader, said, [target], ASKED).collect(0)
    known = (0.0,) * (len(GIVEN_FEATURES) - len(evidence.values) - 2)
    found = Wrong("misconception", said.windows[0], 1.0, {})
    looked = Looked(evidence, (*known, ALONE, ALONE), found, found._replace(kind="suspected", confidence=suspicion))
    weighed = weigh_given(load_scorer("words"), looked, target, said, ASKED, names=False)
    assert (weighed.wrong is not None) == contradicted


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_misconception_told_word_for_word_beside_what_is_true_is_named_and_corrected(language: Language) -> None:
    grader, stop = BuiltinGrader(LightEncoder()), {"zh": "。", "en": ". "}[language]
    named: list[bool] = []
    for question in load_bank()[LANGUAGES.index(language) :: 36]:
        context = GradingContext(language=language, asked=(question.asked_in(language),))
        for wrong in question.misconceptions[:6]:
            true = [point.text[language] for point in question.points if point.id != wrong.point][:3]
            said = stop.join([*(text.rstrip(".。") for text in (*true, wrong.text[language])), ""])
            points = {point.id: point for point in grader.grade(question, said, context).points}
            if wrong.point:
                found = points[wrong.point]
                named.append(found.verdict == Verdict.CONTRADICTED and found.correction == wrong.correction[language])
    assert len(named) > 20
    assert sum(named) / len(named) > 0.9
