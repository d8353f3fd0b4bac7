"""Sentences that answer the question are told from talk around them; such talk does not move a score."""

import pytest

from interviewer.grading.asides import ASIDE_FEATURES, describe_sentences, without_asides
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.evidence import Collector, Reader, make_target
from interviewer.grading.protocol import GradingContext
from interviewer.grading.scoring import load_scorer
from interviewer.grading.terms import keys
from interviewer.grading.windows import read_answer
from interviewer.models import Language, Question
from knowledge.encoder.light import LightEncoder

ASKED: dict[Language, str] = {"en": "Why does a database write to a log first?", "zh": "数据库为什么要先写日志？"}
REFERENCE: dict[Language, str] = {
    "en": "After a crash, changes that reached only memory are redone from the log. "
    "Appending to one file is much faster than changing pages all over the disk.",
    "zh": "崩溃之后，只到过内存的修改可以根据日志重做。往一个文件末尾追加，比在磁盘各处改写数据页快得多。",
}
ANSWER: dict[Language, str] = {
    "en": "If the machine crashes, the changes that were only in memory can be redone from the log.",
    "zh": "机器崩溃以后，只在内存里的修改可以用日志重做一遍。",
}
TALK: dict[Language, str] = {
    "en": "My last team sat by the river and we had lunch together. I like to travel and I play the drums. "
    "My colleagues say that I am patient. ",
    "zh": "我上一个团队在河边上班，中午大家一起吃饭。我喜欢旅游，也会打架子鼓。同事都说我这个人有耐心。",
}


def collect(language: Language, said: str, encoder: LightEncoder | None) -> Collector:
    reader, asked = Reader(encoder), ASKED[language]
    texts = [text for text in REFERENCE[language].replace("。", "。 ").split(". ") if text]
    targets = [make_target(reader, text, (), frozenset(keys(asked))) for text in texts]
    return Collector(reader, read_answer(said, (asked,), points=texts), targets, asked)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["encoder", "words"])
def test_only_what_answers_the_question_is_kept(name: str, language: Language) -> None:
    encoder = LightEncoder() if name == "encoder" else None
    collector = collect(language, TALK[language] + ANSWER[language] + " " + TALK[language], encoder)
    kept = without_asides(collector, load_scorer(name).serves)
    assert "".join(window.text for window in kept.windows).strip() == ANSWER[language]
    assert kept.text == collector.answer.text
    assert {term.key for term in kept.terms} == set(keys(ANSWER[language]))


@pytest.mark.parametrize("name", ["encoder", "words"])
def test_something_is_always_kept_and_nothing_is_taken_from_an_answer_that_serves(name: str) -> None:
    encoder, serves = LightEncoder() if name == "encoder" else None, load_scorer(name).serves
    talk = collect("en", TALK["en"], encoder)
    assert without_asides(talk, serves).windows
    answer = collect("en", ANSWER["en"], encoder)
    assert without_asides(answer, serves) is answer.answer
    nothing = collect("en", "", encoder)
    assert without_asides(nothing, serves).windows == ()


def test_each_sentence_is_described_by_its_own_words() -> None:
    collector = collect("en", ANSWER["en"] + " " + TALK["en"], LightEncoder())
    described = [dict(zip(ASIDE_FEATURES, values, strict=True)) for values in describe_sentences(collector)]
    assert len(described) == 4
    for name in ("similarity", "shared", "served", "served_exactly"):
        assert described[0][name] > max(other[name] for other in described[1:]), name


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("before", [True, False])
def test_talk_around_an_answer_does_not_move_its_score(language: Language, before: bool) -> None:
    question = Question(
        id="q", set="s", question={language: ASKED[language]}, reference={language: REFERENCE[language]}
    )
    grader, context = BuiltinGrader(LightEncoder()), GradingContext(language=language)
    talk = TALK[language] * 10
    parts = [talk, ANSWER[language]] if before else [ANSWER[language], talk]
    alone, talked, nothing = (
        grader.grade(question, text, context).score for text in (ANSWER[language], "\n".join(parts), talk)
    )
    assert alone is not None
    assert alone >= 2
    assert talked == pytest.approx(alone, abs=0.5)
    assert nothing == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_says_the_same_as_a_known_mistake_is_no_aside(language: Language) -> None:
    mistake = {"en": "Colleagues who are patient need no backups.", "zh": "同事有耐心就不需要备份。"}[language]
    reader, serves = Reader(LightEncoder()), load_scorer("encoder").serves
    collector = collect(language, f"{ANSWER[language]} {mistake}", LightEncoder())
    assert mistake not in [window.text for window in without_asides(collector, serves).windows]
    kept = without_asides(collector, serves, reader.texts([mistake.rstrip(".。")]))
    assert mistake in [window.text for window in kept.windows]
