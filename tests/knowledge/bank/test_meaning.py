"""Questions that ask the same in other words, and the figures of the bank."""

from typer.testing import CliRunner

from interviewer.cli.app import app
from knowledge.bank import load_bank, topic_files
from knowledge.bank.figures import PAGE, bank_table, renew_page
from knowledge.bank.meaning import same_meaning
from knowledge.encoder.light import LightEncoder

ENCODE = LightEncoder().encode


def reworded(question, zh, en):
    return question.model_copy(update={"id": "copy", "question": {"zh": zh, "en": en}})


def one(question_id):
    return next(question for question in load_bank() if question.id == question_id)


def test_no_two_questions_of_the_bank_ask_the_same():
    assert list(same_meaning(load_bank(), (), ENCODE)) == []


def test_a_question_in_other_words_is_found_among_its_own_set_and_beside_it():
    original = one("training-lora")
    copy = reworded(
        original,
        original.asked_in("zh").replace("？", "呢？") + "请说明。",
        original.asked_in("en").replace("?", ", please?") + " Explain.",
    )
    (inside,) = same_meaning([*load_bank(), copy], (), ENCODE)
    assert (inside.question_id, inside.rule) == ("copy", "duplicate-meaning")
    assert "'training-lora'" in inside.message
    assert [p.question_id for p in same_meaning([copy], load_bank(), ENCODE)] == ["copy"]


def test_a_new_question_on_the_same_topic_is_not_taken_for_a_copy():
    other = reworded(
        one("training-lora"),
        "微调时学习率设得太大会出现什么现象？你怎样选择它？",
        "What happens when the learning rate of fine-tuning is too large, and how do you choose it?",
    )
    assert list(same_meaning([other], load_bank(), ENCODE)) == []


def test_one_question_alone_has_nothing_to_be_like():
    assert list(same_meaning(load_bank()[:1], (), ENCODE)) == []


def test_the_figures_in_the_guide_are_those_of_the_bank():
    page = PAGE.read_text(encoding="utf-8")
    assert renew_page(page, bank_table(topic_files(), ())) == page


def test_the_command_says_so_and_fails(tmp_path):
    source = (topic_files()[0].path).read_text(encoding="utf-8")
    path = tmp_path / "own.yaml"
    path.write_text(source.replace("  - id: ", "  - id: own-"), encoding="utf-8")
    result = CliRunner().invoke(app, ["bank", "check", "--file", str(path)])
    assert result.exit_code == 1
    assert "duplicate-meaning" in result.output
