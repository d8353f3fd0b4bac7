"""`interviewer grade`: JSON lines in, JSON lines out; what can't be graded says why and the rest goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from interviewer.cli.app import app
from interviewer.cli.grade import grade_lines
from interviewer.errors import InterviewerError
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.protocol import GradingContext
from interviewer.models import Question

GRADER = BuiltinGrader()
REFERENCE = "- Only one thread runs Python bytecode at a time.\n- The lock is released during blocking I/O."
LINE: dict[str, Any] = {
    "id": "a1",
    "question": "What does the GIL do?",
    "reference": REFERENCE,
    "points": None,
    "answer": "Only one thread can run Python bytecode at a time.",
    "language": None,
}


def line(**changes: Any) -> bytes:
    return json.dumps(LINE | changes, ensure_ascii=False).encode() + b"\n"


def graded(*lines: bytes) -> list[dict[str, Any]]:
    return [json.loads(text) for text in grade_lines(lines, GRADER)]


LISTED = {
    "question": "Name two things that the GIL does.",
    "reference": "- Only one thread runs Python bytecode at a time.\n- It is released during blocking I/O.\n"
    "- It protects reference counts.\n- It makes C extensions simpler to write.",
    "answer": "Only one thread runs Python bytecode at a time. It protects reference counts.",
}


def test_where_two_are_asked_for_two_are_a_full_answer_and_the_rest_weighs_nothing() -> None:
    (found,) = graded(line(**LISTED))
    assert found["score"] == 10
    assert [point["weight"] > 0 for point in found["points"]] == [True, False, True, False]


def test_choices_can_be_given_with_the_points() -> None:
    points = [
        {"id": "a", "text": "Only one thread runs Python bytecode at a time."},
        {"id": "b", "text": "It is slow."},
    ]
    either = [{"points": ["a", "b"], "enough": 1}]
    scores = [graded(line(points=points, choices=choices))[0]["score"] for choices in ([], either)]
    assert scores == [5, 10]
    (found,) = graded(line(points=points, choices=[{"points": ["a", "z"], "enough": 1}]))
    assert found["status"] == "ungraded"
    assert "z" in found["reason"]
    (found,) = graded(line(points=points, choices=[*either, *either]))
    assert "two choices" in found["reason"]


def test_the_output_has_exactly_the_fields_that_are_promised() -> None:
    (result,) = graded(line())
    assert list(result) == ["id", "status", "reason", "score", "points", "grader"]
    assert list(result["points"][0]) == ["id", "text", "weight", "verdict", "quote", "confidence"]
    assert list(result["grader"]) == ["name", "model", "prompt"]
    assert result["id"] == "a1"
    assert result["status"] == "graded"
    assert result["reason"] is None
    assert 0 < result["score"] < 10
    assert [p["verdict"] for p in result["points"]] == ["covered", "missing"]
    assert result["points"][0]["quote"] in LINE["answer"]
    assert result["grader"]["name"] == "builtin"


def test_a_reference_alone_is_graded_as_one() -> None:
    """Points cut out of a reference are others than those that somebody wrote: another part of the grader is for them."""
    question = Question(id="q", set="t", question={"en": LINE["question"]}, reference={"en": REFERENCE})
    alone = GRADER.grade(question, LINE["answer"], GradingContext(language="en", asked=(LINE["question"],)))
    (result,) = graded(line())
    assert [point["confidence"] for point in result["points"]] == [point.confidence for point in alone.points]
    assert result["score"] == alone.score


def test_given_points_keep_their_ids_texts_and_weights() -> None:
    points = [
        {"id": "lock", "text": "Only one thread runs bytecode at a time", "weight": 30},
        {"id": "io", "text": "The lock is released during blocking I/O", "weight": 10},
    ]
    (result,) = graded(line(points=points))
    assert [(p["id"], p["weight"]) for p in result["points"]] == [("lock", 30), ("io", 10)]
    assert result["score"] == pytest.approx(7.5, abs=0.1)


def test_results_come_in_the_order_of_the_lines_and_blank_lines_are_passed_over() -> None:
    results = graded(line(id=1), b"\n", b"  \r\n", line(id=2.5), line(id="三"), line(id=None))
    assert [r["id"] for r in results] == [1, 2.5, "三", None]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"not json\n", "not JSON"),
        (b"[1, 2]\n", "not a JSON object"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b'{"id": "x", "question": "q", "reference": "r"}\n', "answer"),
        (b'{"id": "x", "answer": null, "reference": "r"}\n', "answer"),
        (b'{"id": "x", "answer": "a", "reference": ""}\n', "neither points nor a reference"),
        (line(language="fr"), "language"),
        (line(points=[{"id": "p", "text": "t", "weight": 0}]), "weight"),
        (line(points=[{"id": "p", "text": "t", "weight": "heavy"}]), "weight"),
        (line(points=[{"id": "p", "text": ""}]), "text"),
        (line(points=[{"id": "p", "text": "t"}, {"id": "p", "text": "u"}]), "twice"),
        (b"[" * 100_000 + b"\n", "JSON"),
    ],
)
def test_a_bad_line_says_why_and_the_rest_goes_on(bad: bytes, why: str) -> None:
    first, second, third = graded(line(id=1), bad, line(id=3))
    assert (first["status"], third["status"]) == ("graded", "graded")
    assert second["status"] == "ungraded"
    assert second["score"] is None
    assert why in second["reason"]
    assert "Line 2" in second["reason"]


def test_a_bad_line_keeps_its_id_where_it_has_one() -> None:
    assert graded(line(id="known", language="fr"))[0]["id"] == "known"


@pytest.mark.parametrize("answer", ["", "   ", "不知道", "I don't know"])
def test_an_empty_answer_is_graded_zero_not_ungraded(answer: str) -> None:
    (result,) = graded(line(answer=answer))
    assert (result["status"], result["score"]) == ("graded", 0)


def test_the_language_is_found_out() -> None:
    chinese = line(
        question="什么是全局解释器锁？",
        reference="同一时刻只有一个线程执行字节码。",
        answer="同一时刻只有一个线程在执行字节码。",
    )
    (result,) = graded(chinese)
    assert result["score"] == 10


@pytest.mark.parametrize("answer", ["\ud800 half a pair", "NUL \x00 in it", "😀" * 10, "a" * 120_000, "\u202egnitirw"])
def test_strange_text_gives_a_line_that_can_be_read(answer: str) -> None:
    text = json.dumps(LINE | {"answer": answer}).encode()
    (result,) = list(grade_lines([text], GRADER))
    result.encode()
    assert json.loads(result)["status"] == "graded"


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_give_one_line_or_none(data: bytes) -> None:
    data = data.replace(b"\n", b" ")
    assert len(graded(data)) == (1 if data.strip() else 0)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["id", "question", "reference", "points", "answer", "language"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=30)
        | st.lists(
            st.dictionaries(st.sampled_from(["id", "text", "weight"]), st.text(max_size=5) | st.floats() | st.none())
        ),
    )
)
def test_any_object_gives_one_line(found: dict[str, Any]) -> None:
    (result,) = graded(json.dumps(found).encode())
    assert result["status"] in ("graded", "ungraded")
    assert (result["score"] is None) == (result["status"] == "ungraded")


def test_lines_are_graded_as_they_come() -> None:
    asked: list[int] = []

    def lines() -> Any:
        for number in range(3):
            asked.append(number)
            yield line(id=number)

    results = grade_lines(lines(), GRADER)
    next(results)
    assert asked == [0]


def test_the_command_reads_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    file = tmp_path / "answers.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + line(id=1) + line(id=2))
    result = CliRunner().invoke(app, ["grade", str(file)])
    assert result.exit_code == 0, result.output
    assert [json.loads(text)["id"] for text in result.stdout.splitlines()] == [1, 2]
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["--grader", "oracle"], "oracle"),
        (["--grader", "model"], "No chat model"),
    ],
)
def test_what_the_user_can_act_on_is_said(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("INTERVIEWER_CHAT_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["grade", *arguments], input="")
    assert isinstance(result.exception, InterviewerError)
    assert message in str(result.exception)
    assert result.exception.next_step


@pytest.mark.process
def test_the_process_grades_standard_input_line_by_line(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("INTERVIEWER_", "OPENAI_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "interviewer", "grade"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, "INTERVIEWER_HOME": str(tmp_path / "home"), "PYTHONPATH": os.getcwd()},
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line(id="first"))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == "first"
    out, _ = process.communicate(b"broken\n" + line(id="last"), timeout=120)
    results = [json.loads(text) for text in out.splitlines()]
    assert [(r["id"], r["status"]) for r in results] == [(None, "ungraded"), ("last", "graded")]
    assert process.returncode == 0
