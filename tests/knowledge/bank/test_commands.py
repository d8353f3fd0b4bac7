"""`interviewer bank` as docs/bank.md describes it."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from interviewer.cli.bank import app
from interviewer.errors import BankError
from interviewer.models import Question
from knowledge.bank import load_bank, read_topic_file, topic_files
from knowledge.bank.check import MAX_OVERLAP, MIN_RECALL, MISCONCEPTIONS, POINTS, check_bank
from knowledge.bank.template import add_question

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "bank.md"


SHIPPED = topic_files()


@pytest.fixture(autouse=True)
def _shipped_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.bank.topic_files", lambda: SHIPPED)


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    return result.exit_code, result.output


def fill(path: Path, question: Question) -> None:
    """Writes a finished question over the template's texts, keeping the file's head and the question's id."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    data = question.model_dump(mode="json", exclude={"set", "topic", "source", "id"})
    for point in data["points"]:
        del point["label"]
    document["questions"] = [{"id": row["id"], **data} for row in document["questions"]]
    path.write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), encoding="utf-8")


def test_the_shipped_bank_passes() -> None:
    code, output = run("check")
    assert code == 0
    assert f"Questions: {len(load_bank())}, topic files: {len(SHIPPED)}. Every rule is kept." in output


def test_a_new_question_loads_and_is_reported_as_open(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    code, output = run("new", "caching", "caching-failures", "--file", str(path))
    assert code == 0
    assert "interviewer bank check --file" in output
    assert [q.id for q in read_topic_file(path).questions] == ["caching-failures"]
    code, output = run("check", "--file", str(path))
    assert code == 1
    assert re.search(r"^team\.yaml  caching-failures  unfilled  \d+ texts are still", output, flags=re.MULTILINE)


def test_a_new_question_passes_once_it_is_filled(tmp_path: Path, question: Question) -> None:
    path = tmp_path / "team.yaml"
    run("new", "caching", "caching-failures", "--file", str(path))
    fill(path, question)
    assert check_bank(read_topic_file(path, "team").questions) == ()
    code, output = run("check", "--file", str(path))
    assert (code, output.strip()) == (0, "Questions: 1, topic files: 1. Every rule is kept.")


def test_a_question_is_appended_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    run("new", "caching", "caching-one", "--file", str(path))
    before = path.read_text(encoding="utf-8")
    run("new", "caching", "caching-two", "--file", str(path))
    assert path.read_text(encoding="utf-8").startswith(before.rstrip())
    assert [q.id for q in read_topic_file(path).questions] == ["caching-one", "caching-two"]


@pytest.mark.parametrize(
    "questions",
    ["questions: []", "questions:", "questions:\n- id: caching-one\n  question: {en: a}\n  reference: {en: b}"],
)
def test_a_question_fits_into_files_written_otherwise(tmp_path: Path, questions: str) -> None:
    path = tmp_path / "team.yaml"
    path.write_text(f"topic: caching\ntitle: {{zh: 缓存, en: Caching}}\n{questions}\n", encoding="utf-8")
    run("new", "caching", "caching-new", "--file", str(path))
    assert read_topic_file(path).questions[-1].id == "caching-new"


def test_a_file_that_can_not_take_a_question_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    text = "topic: caching\nquestions:\n  - id: caching-one\n    question: {en: a}\n    reference: {en: b}\ntitle: {zh: 缓存, en: Caching}\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BankError, match=r"team\.yaml"):
        add_question(path, "caching", "caching-two")
    assert path.read_text(encoding="utf-8") == text


def test_a_new_question_goes_into_the_shipped_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "training.yaml"
    path.write_text("topic: training\ntitle: {zh: 训练, en: Training}\nquestions:\n", encoding="utf-8")
    monkeypatch.setattr("knowledge.bank.topic_files", lambda: (read_topic_file(path),))
    code, output = run("new", "training", "training-new")
    assert code == 0
    assert str(path) in output
    assert [q.id for q in read_topic_file(path).questions] == ["training-new"]


REFUSED = {
    "unknown topic": (["new", "cooking", "cooking-rice"], "no topic 'cooking'"),
    "id of the bank": (["new", "training", "training-zero-stages"], "has a question 'training-zero-stages' already"),
    "id is no slug": (["new", "caching", "Caching One", "--file", "FILE"], "'Caching One' is not a slug"),
    "topic of another file": (["new", "cooking", "cooking-rice", "--file", "TEAM"], "is about 'caching'"),
    "id of the file": (["new", "caching", "caching-one", "--file", "TEAM"], "has a question 'caching-one' already"),
    "a folder": (["new", "caching", "caching-one", "--file", "FOLDER"], "can't be read"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_with_the_reason(tmp_path: Path, case: str) -> None:
    team = tmp_path / "team.yaml"
    run("new", "caching", "caching-one", "--file", str(team))
    before = team.read_text(encoding="utf-8")
    names = {"FILE": str(tmp_path / "other.yaml"), "TEAM": str(team), "FOLDER": str(tmp_path)}
    words, reason = REFUSED[case]
    with pytest.raises(BankError) as caught:
        run(*(names.get(word, word) for word in words))
    assert reason in caught.value.message
    assert caught.value.next_step
    assert team.read_text(encoding="utf-8") == before


def test_own_questions_are_compared_with_the_shipped_ones(tmp_path: Path) -> None:
    shipped = load_bank()[0]
    path = tmp_path / "team.yaml"
    run("new", "caching", "caching-copy", "--file", str(path))
    fill(path, shipped)
    code, output = run("check", "--file", str(path))
    assert code == 1
    assert f"asks the same as {shipped.id!r}" in output


def commands_of_the_guide() -> list[list[str]]:
    blocks = re.findall(r"```(?:bash|sh)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    return [shlex.split(line) for line in lines]


def test_every_command_of_the_guide_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = tmp_path / "training.yaml"
    shipped.write_text("topic: training\ntitle: {zh: 训练, en: Training}\nquestions:\n", encoding="utf-8")
    commands = commands_of_the_guide()
    assert len(commands) >= 4
    for command in commands:
        assert command[:2] == ["interviewer", "bank"], command
        with monkeypatch.context() as patch:
            patch.setattr("knowledge.bank.topic_files", lambda: (read_topic_file(shipped),))
            code, output = run(*command[2:])
        assert code == 0 or "unfilled" in output, (command, output)


def test_the_guide_names_every_rule() -> None:
    folder = GUIDE.parents[1] / "knowledge" / "bank"
    source = "".join((folder / name).read_text(encoding="utf-8") for name in ("check.py", "meaning.py"))
    rules = set(re.findall(r'yield (?:\(\s*)?f?"([a-z{}-]+)",', source)) | set(
        re.findall(r'Problem\((?:question|everything\[at\])\.id, "([a-z-]+)"', source)
    )
    rules = {name.replace("{kind}", kind) for name in rules for kind in ("probe", "hint", "phase")}
    guide = set(re.findall(r"^\| `([a-z-]+)` \|", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert guide == rules


def test_the_guide_states_the_limits_in_force() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert f"at least {MIN_RECALL:.0%} of a point's terms" in guide
    assert f"at most {MAX_OVERLAP['probe']:.0%}" in guide
    assert f"with {MAX_OVERLAP['hint']:.0%}" in guide
    assert f"{POINTS[0]} to {POINTS[1]} points" in guide
    assert f"{MISCONCEPTIONS[0]} to {MISCONCEPTIONS[1]} misconceptions" in guide
