"""The answers with mistakes in them and the honest ones keep their promises; the check notices where they don't."""

import json

import pytest

from evals import mistakes
from evals.answers import AnswerSet, LabelledAnswer, split
from evals.grading.command import RESULTS
from evals.grading.data import (
    answers_to_fit,
    honest_answers,
    labelled_answers,
    mistaken_answers,
    mistakes_to_fit,
)
from evals.grading.labelled import honest_figures, mistake_figures
from evals.grading.outcomes import Outcome
from evals.grading.report import DOCS
from evals.mistakes import load_mistakes, main, problems, read_again
from interviewer.grading.protocol import GradingContext
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict
from knowledge.bank import load_bank


@pytest.fixture(scope="module")
def bank():
    return load_bank()


def test_every_question_has_its_answers_and_none_has_a_problem(bank):
    topics = sorted({question.topic for question in bank})
    assert [problem for topic in topics for problem in problems(topic, bank)] == []
    assert sum(len(entry.zh) + len(entry.en) for topic in topics for entry in load_mistakes(topic)) == 8 * len(bank)


def said(kind: str, labels: str, text: str = "Hm.") -> LabelledAnswer:
    return LabelledAnswer(kind=kind, voice="terse", labels=labels, text=text)


def complaints(bank, monkeypatch, *answers: LabelledAnswer) -> list[str]:
    question = bank[0]
    entry = AnswerSet(question=question.id, points=tuple(p.id for p in question.points), en=answers)
    monkeypatch.setattr(mistakes, "load_mistakes", lambda topic: [entry])
    return [problem.what for problem in problems(question.topic, [question])]


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (said("wrong", "x"), "1 labels for"),
        (said("wrong", "cxxxx"), "x and m alone"),
        (said("wrong", "mmmmm"), "x and m alone"),
        (said("mixed", "xxxxm"), "both c and x"),
        (said("corrected", "cxccc"), "c and no x"),
        (said("compared", "mmmmm"), "c and no x"),
        (said("strong", "ccccc"), "wanted ['wrong', 'mixed', 'corrected', 'compared']"),
    ],
)
def test_bad_labels_are_named(bank, monkeypatch, answer, complaint):
    assert any(complaint in what for what in complaints(bank, monkeypatch, answer))


def test_what_is_right_in_the_words_of_the_reference_is_named(bank, monkeypatch):
    text = bank[0].reference_in("en")
    labels = "cx" + "m" * (len(bank[0].points) - 2)
    for kind in ("mixed", "compared"):
        found = complaints(bank, monkeypatch, said(kind, labels, text), said("wrong", labels.replace("c", "x")))
        assert any("with the reference" in what for what in found)


def test_missing_and_unknown_questions_are_named(bank, monkeypatch):
    ghost = AnswerSet(question="ghost", points=())
    monkeypatch.setattr(mistakes, "load_mistakes", lambda topic: [ghost])
    found = {problem.where: problem.what for problem in problems(bank[0].topic, [bank[0]])}
    assert found == {bank[0].id: "no answers yet", "ghost": "no such question in this topic"}


def test_labels_that_were_read_again_agree_as_published():
    pairs = read_again()
    agreeing = sum(first == second for first, second in pairs)
    assert f"on {agreeing:,} of {len(pairs):,} points" in DOCS.read_text(encoding="utf-8")
    asked = {row.group.removeprefix("bank/") for row in mistaken_answers("test")}
    assert json.loads(mistakes.READ_AGAIN.read_text(encoding="utf-8")).keys() == asked


def test_the_command_says_what_it_wants(capsys):
    assert main([]) == 2
    assert "Usage" in capsys.readouterr().err
    assert main(["check", "interviewing"]) == 0
    assert "0 problems" in capsys.readouterr().out


def test_what_is_fitted_on_is_never_measured_with():
    fitted = [*mistakes_to_fit(), *answers_to_fit()]
    measured = [*mistaken_answers("test"), *honest_answers("test")]
    assert {split(row.group.removeprefix("bank/")) for row in fitted} == {"train"}
    assert {split(row.group.removeprefix("bank/")) for row in measured} == {"test"}
    kinds = {"mistakes/wrong", "mistakes/mixed", "honest/corrected", "honest/compared"}
    assert {row.source for row in measured} == kinds
    assert kinds <= {row.source for row in fitted}
    assert not {row.answer for row in measured} & {row.answer for row in labelled_answers("test")}


def graded(row, verdicts) -> Outcome:
    points = tuple(
        PointGrade(id=p.id, text="t", weight=p.weight, verdict=v, quote="q", confidence=0.8)
        for p, v in zip(row.question.points, verdicts, strict=True)
    )
    return Outcome(row, Grade(status="graded", points=points, grader=GraderInfo(name="builtin")), 0.01)


def test_the_figures_count_what_contradicted_points_were_called():
    rows = mistaken_answers("dev")[:8]
    taken_in = [graded(row, [Verdict.COVERED] * len(row.label)) for row in rows]
    suspicious = [graded(row, [Verdict.CONTRADICTED] * len(row.label)) for row in rows]
    figures = mistake_figures(taken_in, suspicious)
    assert figures["contradicted"] == sum(row.label.count("x") for row in rows)
    assert (figures["called"]["covered"], figures["called"]["contradicted"], figures["falsely"]) == (1, 0, 0)
    assert figures["kinds"]["wrong"]["given"] == 10
    assert figures["kinds"]["wrong"]["reference_only"]["given"] == 0
    assert (figures["kinds"]["wrong"]["right"], figures["kinds"]["mixed"]["right"]) < (0.1, 10)
    assert mistake_figures(suspicious, taken_in)["falsely"] == 1


def test_the_figures_count_honest_answers_that_were_accused():
    rows = honest_answers("dev")[:8]
    believed = [graded(row, [Verdict.COVERED] * len(row.label)) for row in rows]
    one = graded(rows[0], [Verdict.CONTRADICTED] + [Verdict.COVERED] * (len(rows[0].label) - 1))
    figures = honest_figures([one, *believed[1:]], believed)
    assert (figures["accused"], figures["accused_reference_only"]) == (0.125, 0)
    assert figures["covered"] == sum(row.label.count("c") for row in rows)
    assert figures["called"]["contradicted"] == round((rows[0].label[0] == "c") / figures["covered"], 3)
    assert set(figures["kinds"]) == {"corrected", "compared"}


def test_hardly_an_honest_answer_is_accused():
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["honest"]
    assert max(published["accused"], published["accused_reference_only"]) <= 0.1


@pytest.mark.parametrize(
    ("question", "language", "apart", "right", "turned"),
    [
        (
            "rag-hnsw-ivfpq",
            "en",
            0.5,
            "HNSW is a layered graph of neighbours, quick and accurate, but it keeps the full vectors and the links in"
            " memory: 10 million times 768 floats is about 30 GB plus a few GB of links. IVF-PQ groups vectors into"
            " lists, probes only some of them and stores each vector as a code of under a hundred bytes, so it fits in"
            " about 1 GB but loses recall, which reranking with the originals wins back. Raise ef or nprobe for recall,"
            " at the cost of latency. Choose HNSW when memory is there and updates are frequent, IVF-PQ when memory is"
            " tight.",
            "HNSW compresses each vector into a code of under a hundred bytes, so 10 million vectors fit in about 1 GB,"
            " and it loses recall for that. IVF-PQ is a layered graph which keeps the full vectors and its links in"
            " memory, 30 GB and more. Raising ef or nprobe lowers recall and makes queries faster. Choose IVF-PQ when"
            " memory is plentiful and HNSW when it is tight.",
        ),
        (
            "architecture-gan-diffusion",
            "zh",
            2,
            "GAN 是生成器和判别器对着打，极小极大博弈，判别器最优时等价于压 JS 散度；真假分布没重叠 JS 就是常数，梯度没了，还会"
            "只会生成几种样子。改进靠 Wasserstein 距离加梯度惩罚、谱归一化、非饱和损失。扩散反过来：前向慢慢加噪，网络学预测"
            "噪声，均方误差，没有对手所以稳、多样性也好；坏处是采样要几十步网络，所以有 DDIM、隐空间、蒸馏成几步。",
            "GAN 是给图片一步步加噪再学着去噪，用均方误差训练，没有对手，所以训练很稳、样式也多；扩散模型是生成器和判别器对抗，"
            "分布不重叠时 JS 散度还能给出很好的梯度，所以不太会崩。代价上 GAN 采样要几十步，扩散一步就出图，用 DDIM 可以让 GAN"
            "更快。",
        ),
    ],
)
def test_who_compares_truly_is_not_accused_and_gets_more_than_who_swaps_the_roles(
    bank, shipped, question, language, apart, right, turned
):
    asked = next(each for each in bank if each.id == question)
    context = GradingContext(language=language, asked=(asked.asked_in(language),))
    honest, swapped = (shipped.grade(asked, text, context) for text in (right, turned))
    assert Verdict.CONTRADICTED not in {point.verdict for point in honest.points}
    assert honest.score > swapped.score + apart


def test_mistakes_told_fluently_earn_little():
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["encoder"]["answers"]["mistakes"]["kinds"]["wrong"]
    assert max(published["given"], published["reference_only"]["given"]) <= 3
