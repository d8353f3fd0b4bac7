"""From evidence to verdicts, and the parts the built-in grader decides with."""

import pytest

from interviewer.grading.asides import ASIDE_FEATURES
from interviewer.grading.beyond import find_beyond
from interviewer.grading.evidence import FEATURES, Collector, Evidence, Reader, make_target
from interviewer.grading.looking import look_at_found
from interviewer.grading.nearness import NEARNESS
from interviewer.grading.protocol import Passage
from interviewer.grading.reasons import as_written, comment_on, give_reason, reason_for
from interviewer.grading.scoring import (
    ALONE,
    COVERED_FROM,
    FOUND_FEATURES,
    GIVEN_FEATURES,
    PARTIAL_FROM,
    beside_others,
    expand,
    load_scorer,
    read_scorer,
    verdict_of,
)
from interviewer.grading.suspicion import PAIR_FEATURES
from interviewer.grading.terms import keys
from interviewer.grading.windows import Window, read_answer
from interviewer.models import Language, Point, Question, Verdict
from knowledge.encoder.light import LightEncoder

WINDOW = Window(0, 1, "x", ("x",), 1)


def evidence(**values: float) -> Evidence:
    return Evidence(tuple(values.get(name, 0.0) for name in FEATURES), WINDOW)


def given(**values: float) -> list[float]:
    more = {"doubt": ALONE, "doubt_beside": ALONE} | values
    return [more.get(name, 0.0) for name in GIVEN_FEATURES[len(FEATURES) :]]


@pytest.mark.parametrize("name", ["encoder", "words"])
def test_the_shipped_scorers_can_be_read_and_more_evidence_is_worth_more(name: str) -> None:
    scorer = load_scorer(name)
    nothing = evidence(answer_length=2.0, point_length=2.0, points=1.0)
    everything = evidence(
        **{f: 1.0 for f in FEATURES if f not in ("echo", "asked_similarity", "point_asked_similarity", "length_ratio")}
    )
    near = {name: 1.0 for name in NEARNESS if name not in ("own_relative", "near_relative")}
    assert 0 <= scorer.credit_given(nothing, given()) < 0.2
    assert 0.8 < scorer.credit_given(everything, given(**near)) <= 1


@pytest.mark.parametrize("name", ["encoder", "words"])
def test_a_doubt_costs_credit_unless_it_is_left_out(name: str) -> None:
    scorer = load_scorer(name)
    said = evidence(**{f: 0.7 for f in FEATURES})
    sure, doubted = given(near=0.8, near_new=0.8), given(near=0.8, near_new=0.8, doubt=2.0, doubt_beside=2.0)
    assert scorer.credit_given(said, doubted) < scorer.credit_given(said, sure) - 0.1
    assert scorer.credit_given(said, doubted, doubted=False) == scorer.credit_given(said, sure)


def test_without_anything_said_there_is_no_credit() -> None:
    nothing = Evidence((1.0,) * len(FEATURES), None)
    assert load_scorer("encoder").credit_given(nothing, given(near=1.0)) == 0
    assert load_scorer("encoder").credit_found(nothing, [1.0] * (len(FOUND_FEATURES) - len(FEATURES))) == 0


def test_a_doubt_is_the_own_one_and_the_worst_of_the_others() -> None:
    assert beside_others([0.5, -1.0, None], 0) == (0.5, -1.0)
    assert beside_others([0.5, -1.0, None], 2) == (ALONE, 0.5)
    assert beside_others([0.5], 0) == (0.5, ALONE)


@pytest.mark.parametrize("name", ["encoder", "words"])
def test_a_found_point_is_worth_more_the_more_of_it_is_said(name: str) -> None:
    reader, asked = Reader(LightEncoder() if name == "encoder" else None), "What does a lock protect?"
    question = Question(
        id="q",
        set="s",
        question={"en": asked},
        reference={"en": "A lock protects the shared counter from lost updates."},
        points=(Point(id="p1", text={"en": "A lock protects the shared counter from lost updates."}),),
    )
    target = make_target(reader, question.points[0].text["en"], (), frozenset(keys(asked)))
    scorer = load_scorer(name)

    def credit(said: str) -> float:
        (looked,) = look_at_found(reader, scorer, read_answer(said, (asked,)), [target], question, "en", asked)
        assert len(looked.evidence.values) + len(looked.more) == len(FOUND_FEATURES)
        return scorer.credit_found(looked.evidence, looked.more)

    said = [
        credit(text)
        for text in (
            "I walked my dog.",
            "It is there to guard a counter.",
            "The counter they share, so no update is lost.",
        )
    ]
    assert said[0] < 0.2 < 0.55 < said[2]
    assert said[0] <= said[1] < said[2]
    assert credit("") == 0


def test_a_stored_scorer_is_plain_arithmetic() -> None:
    flat = dict.fromkeys(FEATURES, 0.0)
    stored = {
        "linear_share": 0.5,
        "start": 0.0,
        "linear": {
            "mean": flat | {"soft * soft": 0.0},
            "scale": dict.fromkeys(FEATURES, 1.0) | {"soft * soft": 1.0},
            "weights": flat | {"soft": 2.0, "soft * soft": 4.0},
            "bias": -1.0,
        },
        "trees": [
            {
                "feature": ["soft", "", ""],
                "at": [0.4, 0, 0],
                "below": [1, -1, -1],
                "above": [2, -1, -1],
                "value": [0, -2, 3],
            }
        ],
        "given": {
            "start": 0.5,
            "trees": [
                {"feature": ["doubt", "", ""], "at": [0.0, 0, 0], "below": [1, -1, -1], "above": [2, -1, -1]}
                | {"value": [0, 1, -3]}
            ],
        },
        "found": {
            "start": 1.0,
            "trees": [
                {"feature": ["clash", "", ""], "at": [0.5, 0, 0], "below": [1, -1, -1], "above": [2, -1, -1]}
                | {"value": [0, 1, -3]}
            ],
        },
        "serves": {
            "mean": dict.fromkeys(ASIDE_FEATURES, 0.0),
            "scale": dict.fromkeys(ASIDE_FEATURES, 1.0),
            "weights": dict.fromkeys(ASIDE_FEATURES, 0.0) | {"shared": 3.0},
            "bias": -1.0,
        },
        "suspicion": {
            "start": -2.0,
            "trees": [
                {"feature": ["order", "", ""], "at": [0.0, 0, 0], "below": [1, -1, -1], "above": [2, -1, -1]}
                | {"value": [0, 1, -3]}
            ],
        },
        "company": {"own": 1.0, "others": 0.5, "bias": 4.0},
        "chances": {"covered": [2.0, -1.0, 0.5]},
    }
    scorer = read_scorer(stored)
    assert scorer.suspicion.logit((1.0,) * len(PAIR_FEATURES)) == -5
    assert scorer.suspicion.logit((0.0,) * len(PAIR_FEATURES)) == -1
    assert scorer.serves.logit([float(name == "shared") for name in ASIDE_FEATURES]) == 2
    assert scorer.suspect([-2.0, 0.0]) == [
        pytest.approx(1 / (1 + 2.718281828**-2.0)),
        pytest.approx(0.952574, abs=1e-5),
    ]
    assert scorer.confidence(Verdict.COVERED, 0.5, 0.5) == 0.5
    assert scorer.confidence(Verdict.COVERED, 0.75, 0.5) == 0.9
    assert scorer.confidence(Verdict.COVERED, 0.5, 1.0) == 0.38
    assert scorer.linear.logit(evidence(soft=0.5).values) == pytest.approx(1.0)
    assert scorer.credit_given(evidence(), given()) == pytest.approx(1 / (1 + 2.718281828**-1.5), abs=1e-6)
    assert scorer.credit_given(evidence(), given(doubt=1.0)) == pytest.approx(1 / (1 + 2.718281828**2.5), abs=1e-6)
    more = [0.0] * (len(FOUND_FEATURES) - len(FEATURES))
    assert scorer.credit_found(evidence(), more) == pytest.approx(1 / (1 + 2.718281828 ** ((1.5 - 2) / 2)), abs=1e-6)
    assert scorer.credit_found(evidence(), [*more[:-1], 1.0]) == pytest.approx(
        1 / (1 + 2.718281828 ** ((1.5 + 2) / 2)), abs=1e-6
    )
    assert scorer.credit_found(Evidence((0.0,) * len(FEATURES), None), more) == 0


def test_products_follow_the_features() -> None:
    values = expand(evidence(soft=0.5, echo=0.5).values, (("soft", "echo"),))
    assert len(values) == len(FEATURES) + 1
    assert values[-1] == 0.25


def test_verdicts_and_confidence_by_credit() -> None:
    assert verdict_of(COVERED_FROM) == Verdict.COVERED
    assert verdict_of(PARTIAL_FROM) == Verdict.PARTIAL
    assert verdict_of(PARTIAL_FROM - 0.01) == Verdict.MISSING
    scorer = load_scorer("encoder")
    for joint in (False, True):
        for credit in (0.0, 0.2, 0.44, 0.5, 0.66, 0.9, 1.0):
            assert 0 <= scorer.confidence(verdict_of(credit), credit, 0.1, joint) <= 1
        covered, missing = (
            [scorer.confidence(verdict, credit, suspicion, joint) for credit, suspicion in known]
            for verdict, known in (
                (Verdict.COVERED, ((0.98, 0.1), (0.62, 0.1), (0.62, 0.6))),
                (Verdict.MISSING, ((0.01, 0.1), (0.39, 0.1), (0.39, 0.6))),
            )
        )
        assert covered == sorted(covered, reverse=True)
        # Where it was read, suspicion tells little of a covered point: who sets things apart is suspicious, too.
        assert covered[1] - covered[2] < 0.08 if joint else covered[1] > covered[2]
        assert missing == sorted(set(missing), reverse=True)
    assert scorer.confidence(Verdict.CONTRADICTED, 0.1, 0.95, True) > scorer.confidence(
        Verdict.CONTRADICTED, 0.1, 0.6, True
    )


def test_a_wrong_statement_makes_the_others_of_its_answer_more_suspicious() -> None:
    scorer = load_scorer("encoder")
    alone, among_good, beside_wrong = scorer.suspect([0.0]), scorer.suspect([0.0, -6.0]), scorer.suspect([0.0, 2.0])
    assert beside_wrong[0] > alone[0]
    assert beside_wrong[0] > among_good[0]
    assert scorer.suspect([None, 2.0])[0] == 0
    assert scorer.suspect([2.0, None])[0] > scorer.suspect([-2.0, None])[0]


def collect(answer: str, *points: str, aliases: tuple[str, ...] = ()) -> list[Evidence]:
    reader = Reader(None)
    targets = [make_target(reader, text, aliases, frozenset(keys("What is it?"))) for text in points]
    collector = Collector(reader, read_answer(answer, ()), targets, "What is it?")
    return [collector.collect(i) for i in range(len(points))]


def test_evidence_is_by_point_and_names_the_sentence() -> None:
    first, second = collect(
        "It shards the optimizer states. The weather is nice.", "Optimizer states are sharded", "Gradients are reduced"
    )
    assert first.named("exact") == pytest.approx(1.0)
    assert first.window is not None
    assert first.window.text == "It shards the optimizer states."
    assert second.named("exact") == 0


def test_an_alias_counts_for_the_point() -> None:
    plain = collect("We do it with ZeRO here.", "Optimizer states are sharded")[0]
    named = collect("We do it with ZeRO here.", "Optimizer states are sharded", aliases=("ZeRO",))[0]
    inside = collect("We do it with ZeROs here.", "Optimizer states are sharded", aliases=("ZeRO",))[0]
    assert named.named("soft") > plain.named("soft")
    assert inside.named("soft") == plain.named("soft")


def test_nothing_said_is_no_evidence() -> None:
    (nothing,) = collect("", "Optimizer states are sharded")
    assert nothing.window is None
    assert not any(nothing.values)


def test_beyond_is_bounded_and_needs_support() -> None:
    passages = [
        Passage(
            question_id=f"q{i}",
            set="bank",
            text=f"Number {i} of the queues drops late packets.",
            language="en",
            score=1,
        )
        for i in range(6)
    ]
    answer = read_answer(" ".join(f"Number {i} of the queues drops late packets." for i in range(6)), ())
    reader = Reader(None)
    assert len(find_beyond(reader, answer, [], passages)) == 3
    assert find_beyond(reader, answer, [w.text for w in answer.windows], passages) == ()
    assert find_beyond(reader, read_answer("Nothing of the kind was said here at all.", ()), [], passages) == ()


@pytest.mark.parametrize("verdict", [Verdict.COVERED, Verdict.PARTIAL, Verdict.MISSING])
def test_reasons_name_what_was_found_and_what_not(verdict: Verdict) -> None:
    reason = give_reason("en", verdict, ["shards"], ["gather"])
    assert ("shards" in reason) is (verdict != Verdict.MISSING)
    assert ("gather" in reason) is (verdict != Verdict.COVERED)
    assert give_reason("zh", verdict, [], [])


@pytest.mark.parametrize(
    ("word", "text", "written"),
    [
        ("rnn", "RNNs are slow; an RNN forgets.", "RNN"),
        ("rnn", "RNN是循环网络，rnn会忘", "rnn"),
        ("gradients", "Gradients shrink. They are GRADIENTS still.", "GRADIENTS"),
        ("gradients", "Gradients shrink.\n- Gradients grow.", "gradients"),
        ("adam", "Then we take Adam for it.", "Adam"),
        ("adam", "Adam 自适应地调步长", "Adam"),
        ("adam", "Adam adapts its steps.", "adam"),
        ("kv", "（KV cache）按层存", "KV"),
        ("矩阵", "雅可比矩阵连乘", "矩阵"),
        ("absent", "nothing of it", "absent"),
        ("c++", "In C++ that is a move.", "C++"),
        ("ｒ", "no match [", "ｒ"),
    ],
)
def test_words_stand_in_a_reason_as_they_were_written(word: str, text: str, written: str) -> None:
    assert as_written(word, text) == written


def test_a_reason_has_the_candidates_word_for_it_and_the_points_for_the_rest() -> None:
    target = make_target(Reader(None), "The KV cache stores keys for every GPU", (), frozenset())
    said = read_answer("It is the KV Cache which stored everything there was.", ())
    assert reason_for("en", Verdict.COVERED, 1.0, target, said) == "You said what matters here: stored, KV, Cache."
    assert reason_for("zh", Verdict.PARTIAL, 0.5, target, said) == "提到了 stored、KV、Cache，但没有说清 GPU、keys。"


@pytest.mark.parametrize(
    ("answer", "word"),
    [("", "nothing"), ("It is fast.", "short"), ("ring, chunks, ranks, phases", "keywords")],
)
def test_comments_speak_of_how_it_was_put(answer: str, word: str) -> None:
    assert word in comment_on("en", read_answer(answer, ()))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_how_it_was_put_is_not_praised_beside_a_mistake(language: Language) -> None:
    clear = read_answer("The ring sends each chunk on to the next rank. Every rank adds its own share to it.", ())
    assert comment_on(language, clear, [Verdict.COVERED, Verdict.MISSING]) in {
        "Clearly put and easy to follow.",
        "表达清楚，有条理。",
    }
    assert comment_on(language, clear, [Verdict.COVERED, Verdict.CONTRADICTED]) == ""
    assert "short" in comment_on("en", read_answer("It is fast.", ()), [Verdict.CONTRADICTED])


def test_a_reason_names_no_lone_letters_or_digits() -> None:
    said = read_answer("It takes the drift out of the estimate.", ())
    for point, reason in (
        ("v / b = 1", "The answer does not make this point."),
        ("v / bias = 1", "Nothing in the answer says this: bias."),
        ("v, k, q, w, x, one, two, six, ten, nine", "Nothing in the answer says this: nine, ten, six, two."),
    ):
        target = make_target(Reader(None), point, (), frozenset())
        assert reason_for("en", Verdict.MISSING, 0.0, target, said) == reason
