"""Measures and fits the built-in grader: `python -m evals.grading measure`, `fit`, `battery`, `table`.

Measuring never grades a question with a scorer that was fitted on it: the questions are split in five, and each part
is graded by a scorer fitted on the other four.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from evals import grading_data as data
from evals import grading_fit as fitting
from evals import grading_metrics as metrics
from evals.answers import LABELS
from interviewer.errors import InterviewerError
from interviewer.grading.builtin import VERSION, BuiltinGrader
from interviewer.grading.evidence import Encoder
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.grading.scoring import read_scorer
from interviewer.models import Grade, Verdict

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
RESULTS = data.HERE / "results.json"
SCORER = ROOT / "interviewer" / "grading" / "data" / "scorer.json"
DOCS = ROOT / "docs" / "grading.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
FOLDS = 5
NOTE = (
    "Scorer of the built-in grader: what a point's evidence says about its credit. Fitted by `python -m evals.grading"
    " fit` on people's grades (SciEntsBank, Beetle, SAF, SAS-Datasets), off-topic pairs of them, the bank's own texts"
    " and evals/data/grading/battery.yaml. `encoder` uses the built-in encoder, `words` does without. Figures on"
    " questions it was not fitted on: docs/grading.md."
)

_LABELLED_FIGURES = ("r", "mae", "order", "covered_f1", "wrong_found", "wrongly_wrong")
Progress = Callable[[str], None]
app = typer.Typer(help="Measure and fit the built-in grader.", no_args_is_help=True)


class Outcome(NamedTuple):
    """A graded answer and what came of it."""

    row: data.Graded
    grade: Grade
    seconds: float

    @property
    def score(self) -> float:
        """0..10."""
        return self.grade.score or 0.0


def grade_rows(grader: Grader, rows: Iterable[data.Graded]) -> list[Outcome]:
    """Every row graded, in order."""
    found: list[Outcome] = []
    for row in rows:
        context = GradingContext(language=row.language, asked=(row.question.asked_in(row.language),))
        start = perf_counter()
        grade = grader.grade(row.question, row.answer, context)
        found.append(Outcome(row, grade, perf_counter() - start))
    return found


def true_score(row: data.Graded) -> float:
    """0..10: what people gave, or what the labels make."""
    if row.score is not None:
        return row.score * 10
    weights = [point.weight for point in row.question.points]
    credits = [LABELS[letter].credit for letter in row.label]
    return max(0.0, sum(w * c for w, c in zip(weights, credits, strict=True)) / sum(weights) * 10)


def measure_held_out(shared: Path, encoder: Encoder | None, say: Progress) -> list[Outcome]:
    """Everything there is to grade, each question by a scorer fitted without it."""
    training = data.training_answers(shared)
    say(f"reading the evidence of {len(training)} answers")
    found = fitting.gather(training, encoder)
    rest = [row for row in (*data.battery(), *data.probes())]
    human = data.human_answers(shared)
    groups = np.array([each.row.group for each in found])
    outcomes: list[Outcome] = []
    for number, (fit_on, _) in enumerate(fitting.split_by_question(groups.tolist(), FOLDS), start=1):
        say(f"fold {number} of {FOLDS}")
        scorer = read_scorer(fitting.fit_scorer(fitting.tabulate([found[i] for i in fit_on])))
        held_out = set(groups.tolist()) - set(groups[fit_on].tolist())
        grader = BuiltinGrader(encoder, scorer)
        outcomes.extend(grade_rows(grader, (row for row in (*human, *rest) if row.group in held_out)))
    return outcomes


def summarise(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All figures of one run, as plain data."""
    by_source: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_source[outcome.row.source].append(outcome)
    labelled = [o for o in outcomes if o.row.source.startswith("battery/")]
    return {
        "human": {name: _agreement(by_source[name]) for name in data.HUMAN_SETS if by_source[name]},
        "battery": _labelled(labelled),
        "means": {name: _mean(found) for name, found in sorted(by_source.items()) if "/" in name},
        "reliability": _reliability(outcomes),
        "milliseconds": round(1000 * float(np.median([o.seconds for o in outcomes])), 1),
        "milliseconds_95": round(1000 * float(np.percentile([o.seconds for o in outcomes], 95)), 1),
    }


def _agreement(found: Sequence[Outcome]) -> dict[str, Any]:
    ours, theirs = [o.score / 10 for o in found], [true_score(o.row) / 10 for o in found]
    groups = [o.row.group for o in found]
    figures: dict[str, Any] = {
        "answers": len(found),
        "questions": len(set(groups)),
        "r": round(metrics.pearson(ours, theirs), 3),
        "r_within": round(metrics.within_question_r(ours, theirs, groups), 3),
        "rmse": round(metrics.rmse(ours, theirs), 3),
    }
    if set(theirs) <= {0.0, 1.0}:
        figures["macro_f1"] = round(metrics.macro_f1([x >= 0.5 for x in ours], [y >= 0.5 for y in theirs]), 3)
    return figures


def _labelled(found: Sequence[Outcome]) -> dict[str, Any]:
    ours, theirs = [o.score for o in found], [true_score(o.row) for o in found]
    groups = [o.row.group for o in found]
    pairs = [pair for o in found for pair in _verdicts(o)]
    return {
        "answers": len(found),
        "questions": len(set(groups)),
        "r": round(metrics.pearson(ours, theirs), 3),
        "mae": round(metrics.mae(ours, theirs), 2),
        "order": round(metrics.order_right(ours, theirs, groups), 3),
        "covered_f1": round(
            metrics.f1([a == Verdict.COVERED for a, _ in pairs], [b == Verdict.COVERED for _, b in pairs]), 3
        ),
        "wrong_found": round(_share([a == Verdict.CONTRADICTED for a, b in pairs if b == Verdict.CONTRADICTED]), 3),
        "wrongly_wrong": sum(a == Verdict.CONTRADICTED != b for a, b in pairs),
    }


def _verdicts(outcome: Outcome) -> list[tuple[Verdict, Verdict]]:
    truth = [LABELS[letter] for letter in outcome.row.label]
    return [(point.verdict, true) for point, true in zip(outcome.grade.points, truth, strict=True)]


def _mean(found: Sequence[Outcome]) -> dict[str, float]:
    return {
        "answers": len(found),
        "given": round(float(np.mean([o.score for o in found])), 1),
        "right": round(float(np.mean([true_score(o.row) for o in found])), 1),
    }


def _reliability(outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """Confidence against how often the verdict was right, on labelled points and on sets graded right or wrong."""
    sure: list[float] = []
    right: list[bool] = []
    for outcome in outcomes:
        for point, truth in zip(outcome.grade.points, _truth(outcome), strict=False):
            sure.append(point.confidence)
            right.append(point.verdict == truth)
    return [bin._asdict() for bin in metrics.reliability(sure, right)]


def _truth(outcome: Outcome) -> list[Verdict]:
    if outcome.row.label and outcome.row.source.startswith("battery/"):
        return [LABELS[letter] for letter in outcome.row.label]
    if len(outcome.grade.points) == 1 and outcome.row.score in (0.0, 1.0) and outcome.row.source in data.HUMAN_SETS:
        verdict = outcome.grade.points[0].verdict
        if verdict == Verdict.PARTIAL:
            return []
        wrong = Verdict.CONTRADICTED if verdict == Verdict.CONTRADICTED else Verdict.MISSING
        return [Verdict.COVERED if outcome.row.score == 1.0 else wrong]
    return []


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def figures_table(results: dict[str, Any]) -> str:
    """The figures as Markdown, as they stand in docs/grading.md."""
    runs = (("with the encoder", results["encoder"]), ("words only", results["words"]))
    lines = [
        "| people's grades | answers / questions | | r | r within a question | RMSE of 1 | macro-F1 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in results["encoder"]["human"]:
        for title, run in runs:
            f = run["human"][name]
            size = f"{f['answers']} / {f['questions']}"
            cells = (name, size, title, f["r"], f["r_within"], f["rmse"], f.get("macro_f1", ""))
            lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += [
        "",
        "| labelled by construction | r | MAE of 10 | order right | F1 of covered | contradictions found | falsely |",
        "|---|---|---|---|---|---|---|",
    ]
    for title, run in runs:
        figures = (run["battery"][name] for name in _LABELLED_FIGURES)
        lines.append(f"| {title} | {' | '.join(map(str, figures))} |")
    lines += ["", "| mean score of 10 | right | with the encoder | words only |", "|---|---|---|---|"]
    for name, mean in results["encoder"]["means"].items():
        lines.append(f"| {name} | {mean['right']} | {mean['given']} | {results['words']['means'][name]['given']} |")
    lines += [
        "",
        "| confidence (fifths of all verdicts that can be checked) | mean confidence | right |",
        "|---|---|---|",
    ]
    for number, bin in enumerate(results["encoder"]["reliability"], start=1):
        lines.append(f"| {number} | {bin['confidence']} | {bin['right']} |")
    spent = results["encoder"]
    return "\n".join(
        [
            *lines,
            "",
            f"Time for an answer: median {spent['milliseconds']} ms, 95% under {spent['milliseconds_95']} ms.",
        ]
    )


def write_docs(results: dict[str, Any]) -> None:
    """Puts the figures between the markers of docs/grading.md."""
    before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    DOCS.write_text(f"{before}{BEGIN}\n{figures_table(results)}\n{END}{after}", encoding="utf-8")


def grading_command(grader: Grader, *, shared: Path | None = None, as_json: bool = False, limit: int = 200) -> str:
    """Grades the battery and the probes with any grader, and people's answers where `shared` is given.

    Of each of people's sets at most `limit` answers are taken, spread evenly. The shipped scorer was fitted on these
    very answers: for the built-in grader's own figures see docs/grading.md, which `measure` writes.
    """
    rows: list[data.Graded] = [*data.battery(), *data.probes()]
    if shared is not None:
        _need(shared)
        human = data.human_answers(shared)
        for name in data.HUMAN_SETS:
            found = [row for row in human if row.source == name]
            rows.extend(found[:: max(1, len(found) // limit)][:limit])
    results = summarise(grade_rows(grader, rows))
    return json.dumps(results, indent=1, ensure_ascii=False) if as_json else _plain(results)


def _plain(results: dict[str, Any]) -> str:
    lines = [f"{name}: {_in_a_row(figures)}" for name, figures in results["human"].items()]
    lines.append(f"battery: {_in_a_row(results['battery'])}")
    lines += [f"{name}: {_in_a_row(figures)}" for name, figures in results["means"].items()]
    return "\n".join([*lines, f"median {results['milliseconds']} ms an answer"])


def _in_a_row(figures: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in figures.items())


def built_in_encoder() -> Encoder:
    from knowledge.encoder.light import LightEncoder

    return LightEncoder()


_Shared = Annotated[Path, typer.Option(help="Folder of shared material with grading_dev/.")]


@app.command("measure")
def measure_command(shared: _Shared = SHARED) -> None:
    """Measures on questions the scorer was not fitted on, and writes the figures and the page. Takes minutes."""
    _need(shared)
    runs = {
        name: summarise(measure_held_out(shared, encoder, typer.echo))
        for name, encoder in (("encoder", built_in_encoder()), ("words", None))
    }
    results = {"grader": VERSION, "folds": FOLDS, "measured": datetime.now(UTC).date().isoformat(), **runs}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_docs(results)
    typer.echo(figures_table(results))


@app.command("fit")
def fit_command(shared: _Shared = SHARED) -> None:
    """Fits the shipped scorer on everything there is. Takes minutes."""
    _need(shared)
    stored: dict[str, Any] = {"note": NOTE}
    training = data.training_answers(shared)
    for name, encoder in (("encoder", built_in_encoder()), ("words", None)):
        typer.echo(f"fitting {name} on {len(training)} answers")
        stored[name] = fitting.fit_scorer(fitting.tabulate(fitting.gather(training, encoder)))
    SCORER.write_text(json.dumps(stored, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n", encoding="utf-8")


@app.command("battery")
def battery_command(as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Grades the battery and the probes with the shipped grader: quick, and only a check that nothing is broken."""
    typer.echo(grading_command(BuiltinGrader(built_in_encoder()), as_json=as_json))


@app.command("table")
def table_command() -> None:
    """Prints the figures last measured."""
    typer.echo(figures_table(json.loads(RESULTS.read_text(encoding="utf-8"))))


def _need(shared: Path) -> None:
    if not (shared / "grading_dev").is_dir():
        raise InterviewerError(
            f"There is no grading_dev in {shared}.", next_step="Name the folder that has it with --shared."
        )


if __name__ == "__main__":
    app()
