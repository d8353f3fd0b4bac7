"""Measures and fits the built-in grader: `python -m evals.grading measure`, `fit`, `pairs`, `battery`, `table`.

Measuring never grades a question with what was fitted on it: of people's sets the questions are graded that the
cross-encoder does not learn from, by a scorer fitted without them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.answers import LABELS
from evals.candidates import CONTRAST, FITTED
from evals.grading import asides, data, fit_found, fit_given, fit_joint, pairs, sentences, stored, suspicion
from evals.grading import fit as fitting
from evals.grading.elsewhere import ELSEWHERE, OF_BANK, OF_NOTES, OUTSIDE, elsewhere_answers
from evals.grading.labelled import (
    TALKED_AROUND,
    answer_figures,
    candidate_figures,
    honest_figures,
    mistake_figures,
    outside_figures,
    pictured_figures,
    statement_figures,
    talk_figures,
    unaided_figures,
)
from evals.grading.notes import everyday_answers
from evals.grading.notes_figures import elsewhere_figures, everyday_figures, slip_figures
from evals.grading.outcomes import Outcome, context_of, grade_rows, summarise
from evals.grading.outside import outside_answers
from evals.grading.pooled import Pooled
from evals.grading.report import figures_table, write_docs
from evals.statements import KINDS
from interviewer.errors import InterviewerError
from interviewer.grading.asides import ASIDE_FEATURES
from interviewer.grading.builtin import VERSION, BuiltinGrader, Judgement
from interviewer.grading.evidence import Encoder
from interviewer.grading.guarded import GuardedGrader
from interviewer.grading.protocol import Grader
from interviewer.grading.reading import CrossEncoder
from interviewer.grading.scoring import read_linear, read_scorer

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RESULTS = data.HERE / "results.json"
SCORER = ROOT / "interviewer" / "grading" / "data" / "scorer.json"
NOTE = (
    "Scorer of the built-in grader: what is known of a point says how much credit it gets. Fitted by `python -m"
    " evals.grading fit`. `given`, for points that people wrote, and `suspicion`, which tells wrong statements, on the"
    " training split of evals/data/answers, of evals/data/mistakes and of three groups of candidates (`given` also on"
    " the bank's answers to other questions). For points found in a reference: `linear` and `trees` on people's grades"
    " (SciEntsBank, Beetle, SAF, SAS-Datasets), off-topic pairs of them, the bank's own texts,"
    " evals/data/grading/battery.yaml and these answers; `found` on whole answers of all these, some with talk around"
    " them, which `serves`, fitted on evals/data/grading/asides.yaml, tells from what answers the question. `joint`"
    " weighs these and what the cross-encoder reads (knowledge/crossencoder), on the development split and, a third of"
    " the weight each, on the development parts of evals/data/outside and of evals/data/notes.jsonl, each with some of"
    " these answers given to other questions. `chances`,"
    " how likely a verdict is right, on the same. `encoder` uses the built-in encoder, `words` does"
    " without. Figures on questions it was not fitted on: docs/grading.md."
)

_NOTHING_FOUND = {"start": 0.0, "trees": []}

Grade = Callable[[Sequence[data.Graded]], list[Outcome]]
app = typer.Typer(help="Measure and fit the built-in grader.", no_args_is_help=True)


def fit_without_kept(name: str, shared: Path) -> dict[str, Any]:
    """One of the scorers, `encoder` or `words`, as plain data: what grades points found in a reference is fitted
    without the questions of people's sets that are kept.

    What grades points that people wrote, and what tells wrong statements, were fitted on none of them, and are the
    shipped ones.
    """
    encoder = _encoder_of(name)
    training = data.training_answers(shared)
    kept = _kept(shared)
    typer.echo(f"reading the evidence of {len(training)} answers, {name}")
    found = [each for each in fitting.gather(training, encoder) if each.row.group not in kept]
    shipped = _shipped(name)
    rows = [row for row in (*training, *data.mistakes_to_fit()) if row.group not in kept]
    alone = fit_found.gather_found(fit_found.rows_to_fit(rows), encoder, read_scorer(shipped))
    typer.echo(f"fitting without them, {name}")
    return {**shipped, **fitting.fit_scorer(fitting.tabulate(found)), "found": fit_found.fit_found(alone)}


def held_out_rows(shared: Path, limit: int) -> list[data.Graded]:
    """People's answers to questions that are kept, the battery and the probes.

    Args:
        limit: Of each of people's sets about this many answers are graded, spread evenly; 0 for all.
    """
    kept = _kept(shared)
    human = [data.without_points(row) for row in data.some_human_answers(shared, limit) if row.group in kept]
    return [*human, *data.battery(), *data.probes()]


def _kept(shared: Path) -> set[str]:
    return {row.group for row in data.human_answers(shared) if not pairs.is_learnt(row)}


def grading_command(
    grader: Grader,
    name: str = "builtin",
    *,
    shared: Path | None = None,
    as_json: bool = False,
    limit: int = 200,
    on_answer: Callable[[int, int], None] | None = None,
) -> str:
    """Grades the battery, the probes and sentences about one claim with any grader, and people's answers where `shared`
    is given.

    Of the sentences and of each of people's sets about `limit` are taken, spread evenly. The shipped scorer was
    fitted on people's answers: for the built-in grader's own figures see docs/grading.md, which `measure` writes.

    Args:
        name: `builtin`, or `model` and its name.
        on_answer: Called with how many answers are graded, and of how many.
    """
    rows: list[data.Graded] = [*data.battery(), *data.probes()]
    if shared is not None:
        _need(shared)
        rows.extend(map(data.without_points, data.some_human_answers(shared, limit)))
    sentences = data.some_statement_answers(limit)

    def counted() -> Iterator[data.Graded]:
        for done, row in enumerate((*rows, *sentences), start=1):
            yield row
            if on_answer:
                on_answer(done, len(rows) + len(sentences))

    outcomes = grade_rows(grader, counted())
    results = summarise(outcomes[: len(rows)])
    results["statements"] = statement_figures(outcomes[len(rows) :])
    if name != "builtin":
        results["fell_back"] = sum(outcome.grade.grader.name == "builtin" for outcome in outcomes)
    return json.dumps(results, indent=1, ensure_ascii=False) if as_json else _plain(results)


def _plain(results: dict[str, Any]) -> str:
    lines = [f"{name}: {_in_a_row(figures)}" for name, figures in results["human"].items()]
    lines.append(f"battery: {_in_a_row(results['battery'])}")
    lines += [f"{name}: {_in_a_row(figures)}" for name, figures in results["means"].items()]
    for language, figures in results["statements"].items():
        shown = {kind: f"{figures[kind]:.1f}" for kind in KINDS} | {"true above false": f"{figures['order']:.2f}"}
        lines.append(f"sentences about one claim, {language}: {_in_a_row(shown)} (a guess: 0.50)")
    if results.get("fell_back"):
        lines.append(f"the model failed on {results['fell_back']} answers, which the built-in grader graded")
    return "\n".join([*lines, f"median {results['milliseconds']} ms an answer"])


def _in_a_row(figures: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in figures.items())


def built_in_encoder() -> Encoder:
    from knowledge.encoder.light import LightEncoder

    return LightEncoder()


def built_in_cross_encoder() -> CrossEncoder:
    from knowledge.crossencoder.runtime import OnnxCrossEncoder

    return OnnxCrossEncoder()


def built_in_grader(name: str = "encoder", scorer: dict[str, Any] | None = None) -> BuiltinGrader:
    """As it is shipped, or by words alone.

    Args:
        scorer: As plain data; the shipped one by default.
    """
    decides = read_scorer(scorer) if scorer else None
    if name == "words":
        return BuiltinGrader(scorer=decides)
    return BuiltinGrader(built_in_encoder(), decides, built_in_cross_encoder())


_Shared = Annotated[Path, typer.Option(help="Folder of shared material with grading_dev/.")]


@app.command("measure")
def measure_command(
    shared: _Shared = SHARED,
    limit: Annotated[int, typer.Option(help="Answers to grade of each of people's sets; 0 for all.")] = 0,
    bank_only: Annotated[
        bool,
        typer.Option(
            "--bank-only", help="Only the answers to the bank's questions; people's grades and the battery stay."
        ),
    ] = False,
) -> None:
    """Measures on questions the scorer was not fitted on, and writes the figures and the page. Takes an hour or more
    on two cores."""
    names = ("encoder", "words")
    measured = {"grader": VERSION, "measured": datetime.now(UTC).date().isoformat()}
    people = measured
    held_out: dict[str, dict[str, Any]] = {}
    if bank_only:
        before = json.loads(RESULTS.read_text(encoding="utf-8"))
        people = before["people"]
        held_out = {name: before[name] for name in names}
    else:
        _need(shared)
        rows = held_out_rows(shared, limit)
        with ProcessPoolExecutor(len(names)) as processes:
            fitted = [*processes.map(fit_without_kept, names, [shared] * len(names))]
        for name, scorer in zip(names, fitted, strict=True):
            with Pooled(partial(built_in_grader, name, scorer)) as grade:
                held_out[name] = summarise(grade(rows, f"people's grades, {name}"))
    runs = {}
    for name in names:
        with Pooled(partial(_guarded, name)) as grade:
            answers = measure_answers(grade, stored.SCORES if name == "encoder" else None)
        runs[name] = {**held_out[name], "answers": answers}
    results = {**measured, "limit": limit, "people": people, **runs}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_docs(results)
    typer.echo(figures_table(results))


def _encoder_of(name: str) -> Encoder | None:
    return built_in_encoder() if name == "encoder" else None


def _guarded(name: str) -> GuardedGrader:
    return GuardedGrader(built_in_grader(name))


def measure_answers(grade: Grade, scores: Path | None = None) -> dict[str, Any]:
    """Figures of the answers of the test split, given the points and given the reference alone.

    Args:
        grade: By the shipped grader.
        scores: File for the score of every answer.
    """
    graded = {name: _both_ways(grade, rows) for name, rows in stored.measured_rows().items()}
    if scores:
        stored.write_scores(graded, scores)
    talked = [row for row in data.labelled_answers("test") if row.source.removeprefix("answers/") in TALKED_AROUND]
    around = {
        where: _both_ways(grade, [asides.with_talk(row, before=where == "before") for row in talked])
        for where in ("before", "behind")
    }
    told = [out for name in ("mistakes", "honest", "candidates", "candidates_second") for out in graded[name][0]]
    untold = grade([data.without_misconceptions(outcome.row) for outcome in told])
    return {
        **answer_figures(*graded["labelled"]),
        "talk": talk_figures(*graded["labelled"], around),
        "mistakes": mistake_figures(*graded["mistakes"]),
        "honest": honest_figures(*graded["honest"]),
        **{name: candidate_figures(*both) for name, both in graded.items() if name.startswith("candidates")},
        "outside": outside_figures(*graded["outside"]),
        "everyday": everyday_figures(*graded["everyday"]),
        "slips": slip_figures(*graded["slips"]),
        "elsewhere": elsewhere_figures(*graded["elsewhere"]),
        "pictured": pictured_figures(*graded["pictured"]),
        "statements": statement_figures(grade(list(data.statement_answers()))),
        "unaided": unaided_figures(told, untold),
    }


def _both_ways(grade: Grade, rows: Sequence[data.Graded]) -> tuple[list[Outcome], list[Outcome]]:
    """Graded with the points of the bank, and with the reference alone."""
    alone = grade([data.without_points(row) for row in rows])
    return grade(rows), [out._replace(row=row) for out, row in zip(alone, rows, strict=True)]


class Part(StrEnum):
    """What is fitted."""

    ALL = "all"
    GIVEN = "given"
    FOUND = "found"
    JOINT = "joint"


@app.command("pairs")
def pairs_command(
    out: Annotated[Path, typer.Argument(help="JSON Lines for `python -m knowledge.crossencoder train`.")],
    shared: _Shared = SHARED,
    parallel: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True, dir_okay=False, help="JSON Lines of parallel text, gzipped or not, to learn sentences from."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=0, help="Sentences of the parallel text, at most.")] = sentences.SENTENCES,
    seed: Annotated[int, typer.Option(help="Another one turns other sentences and adds other talk.")] = 0,
) -> None:
    """Writes what the cross-encoder learns from. Takes minutes."""
    _need(shared)
    encoder = built_in_encoder()
    rows = list(pairs.rows_to_learn(shared, encoder, seed))
    with out.open("w", encoding="utf-8") as file, typer.progressbar(length=len(rows), label="pairs") as bar:
        for each in pairs.pairs_of(rows, encoder, lambda: bar.update(1)):
            file.write(json.dumps(each, ensure_ascii=False) + "\n")
        for each in sentences.sentence_lessons(sentences.read_sentences(parallel or (), count), encoder, seed):
            file.write(json.dumps(each, ensure_ascii=False) + "\n")


@app.command("fit")
def fit_command(
    shared: _Shared = SHARED,
    part: Annotated[
        Part,
        typer.Option(
            help="`given`: what grades points that people wrote and all after; `found`: what grades points found in a"
            " reference, and the last step; `joint`: the last step, what is made of the cross-encoder."
        ),
    ] = Part.ALL,
) -> None:
    """Fits the shipped scorer on everything there is but the development and the test questions. Takes minutes."""
    _need(shared)
    names = ("encoder", "words")
    with ProcessPoolExecutor(len(names)) as processes:
        fitted = list(processes.map(_fit, names, [shared] * len(names), [part] * len(names)))
    scorers: dict[str, Any] = {"note": NOTE, **dict(zip(names, fitted, strict=True))}
    SCORER.write_text(json.dumps(scorers, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n", encoding="utf-8")


def _fit(name: str, shared: Path, part: Part) -> dict[str, Any]:
    """One of the scorers as plain data."""
    encoder = _encoder_of(name)
    if part is Part.JOINT:
        return _fit_last(_shipped(name), name)
    training = data.training_answers(shared)
    typer.echo(f"fitting {name} on {len(training)} answers")
    fitted = (
        _shipped(name)
        if part is not Part.ALL
        else fitting.fit_scorer(fitting.tabulate(fitting.gather(training, encoder)))
    )
    labelled = map(fit_found.with_found_points, data.labelled_answers("train"))
    fitted["serves"] = asides.fit_serves([*labelled], encoder)
    if part is not Part.FOUND:
        fitted |= _fit_given(fitted, encoder)
    rows = fit_found.rows_to_fit([*training, *data.mistakes_to_fit()])
    scorer = read_scorer({**fitted, "found": _NOTHING_FOUND, "chances": {}})
    fitted["found"] = fit_found.fit_found(fit_found.gather_found(rows, encoder, scorer))
    return _fit_last(fitted, name)


def _fit_last(fitted: dict[str, Any], name: str) -> dict[str, Any]:
    """What is fitted on the development questions: how likely a verdict is right and, where there is a cross-encoder,
    what is made of it, and how likely a verdict is right then."""
    said = [row for group in (*FITTED, CONTRAST) for row in data.candidate_answers("dev", group=group)]
    honest = data.honest_answers("dev")
    known = [*data.labelled_answers("dev"), *honest, *data.mistaken_answers("dev"), *said]
    outside, everyday = outside_answers("dev"), everyday_answers("dev")
    fitted = {**fitted, "chances": {}, "joint": None}
    before = BuiltinGrader(_encoder_of(name), read_scorer(fitted))
    fitted["chances"] = suspicion.fit_chances([*_judged(before, (*known, *outside))])
    if name == "words":
        return fitted
    cross = fit_joint.Remembering(built_in_cross_encoder())
    answered = [
        [*rows, *_some_elsewhere(sources)]
        for rows, sources in ((known, OF_BANK), (outside, OUTSIDE), (everyday, OF_NOTES))
    ]
    *tables, candid = (fit_joint.tabulate(rows, before, cross) for rows in (*answered, honest))
    usual = fit_joint.fit_usual(*tables, honest=candid)
    joint = {"usual": usual, "few": fit_joint.for_few(usual), "chances": {}}
    reading = BuiltinGrader(built_in_encoder(), read_scorer({**fitted, "joint": joint}), cross)
    read = [pair for pair in _judged(reading, chain(*answered)) if pair[0].read]
    return {**fitted, "joint": {**joint, "chances": suspicion.fit_chances(read)}}


def _some_elsewhere(sources: Sequence[str]) -> list[data.Graded]:
    """Answers to other questions: every second, for with all of them what is told in pictures and in everyday words
    lost more than these answers had earned too much."""
    return [row for row in elsewhere_answers("dev")[::2] if row.source.replace(ELSEWHERE, "/") in sources]


def _judged(grader: BuiltinGrader, rows: Iterable[data.Graded]) -> Iterator[tuple[Judgement, bool]]:
    """Every verdict, and whether the labels say the same."""
    for row in rows:
        judged = grader.judge(row.question, row.answer, context_of(row))
        yield from ((each, each.verdict == LABELS[letter]) for each, letter in zip(judged, row.label, strict=True))


def _fit_given(fitted: dict[str, Any], encoder: Encoder | None) -> dict[str, Any]:
    """What tells wrong statements, and what grades points that people wrote."""
    serves = read_linear(fitted["serves"], ASIDE_FEATURES)
    return fit_given.fit_given(fit_given.gather_given(fit_given.rows_to_fit(), encoder, serves))


def _shipped(name: str) -> dict[str, Any]:
    scorer: dict[str, Any] = json.loads(SCORER.read_text(encoding="utf-8"))[name]
    return scorer


@app.command("battery")
def battery_command(as_json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Grades the battery and the probes with the shipped grader: quick, and only a check that nothing is broken."""
    typer.echo(grading_command(built_in_grader(), as_json=as_json))


@app.command("table")
def table_command() -> None:
    """Prints the figures last measured."""
    typer.echo(figures_table(json.loads(RESULTS.read_text(encoding="utf-8"))))


def _need(shared: Path) -> None:
    if not (shared / "grading_dev").is_dir():
        raise InterviewerError(
            f"There is no grading_dev in {shared}.", next_step="Name the folder that has it with --shared."
        )
