"""The figures of simulated interviews: what plans and follow-ups did, in the terminal and in docs/plan.md."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import mean

from evals.simulation.candidates import CANDIDATES
from evals.simulation.run import SERIES, Run, simulate
from interviewer.errors import InterviewerError
from interviewer.marked import between
from interviewer.models import Frozen, Track
from knowledge.bank import load_bank
from knowledge.tracks import shipped_tracks

RESULTS = Path(__file__).parents[1] / "data" / "simulation.json"
PAGE = Path(__file__).parents[2] / "docs" / "plan.md"
BEGIN = "<!-- figures: written by `interviewer eval simulation --write` -->"
END = "<!-- end of figures -->"
CHUNK = SERIES * len(CANDIDATES)
"""Interviews of one task: a series of every candidate."""
_ABLE = ("strong", "medium", "weak")


class TrackFigures(Frozen):
    """What happened in the interviews of one track.

    Attributes:
        repeated: Interviews that asked a question twice.
        reached: Topics of the track that came up; `rated` is how many it has.
        overran: Timed interviews that used more than their plan's time by over five seconds.
        difficulty: Mean difficulty of the questions asked after the third one, by candidate.
        score: Mean score, 0..10, by candidate.
    """

    track: str
    interviews: int
    crashed: int
    repeated: int
    reached: int
    rated: int
    overran: int
    longest_overrun: float
    questions: float
    minutes: float
    difficulty: dict[str, float]
    score: dict[str, float]


class FollowUpFigures(Frozen):
    """What the follow-ups put to one kind of candidate were worth.

    Attributes:
        probes: Follow-ups put.
        aimed: Of them, at a point that had not been said.
        needless: Of them, when everything that was asked for had been said.
        leaked: Of them, naming what the point is about (`names_key_term`).
        dodged: Questions answered without content that scored above 1 of 10.
    """

    candidate: str
    probes: int
    aimed: int
    needless: int
    leaked: int
    dodged: int
    questions: int


class SimulationResult(Frozen):
    """All figures of one run; `seeds` names the runs, so that they can be had again."""

    interviews: int
    seeds: int
    bank: int
    tracks: tuple[TrackFigures, ...]
    followups: tuple[FollowUpFigures, ...]
    errors: tuple[str, ...] = ()


def run_simulation(
    interviews: int, *, workers: int = 2, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> SimulationResult:
    """At least `interviews` interviews a track, without a model, on `workers` processes."""
    tracks = shipped_tracks()
    chunks = max(1, -(-interviews // CHUNK))
    jobs = [(track, seed) for seed in range(chunks) for track in tracks]
    runs: list[Run] = []
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(_chunk, track, seed) for track, seed in jobs]
        for done, finished in enumerate(as_completed(waiting), start=1):
            runs += finished.result()
            on_progress(done * CHUNK, len(jobs) * CHUNK)
    return summarise(runs, tracks, chunks)


def _chunk(track: Track, seed: int) -> list[Run]:
    from interviewer.compose import compose
    from interviewer.settings import load_settings

    return list(simulate(track, load_bank(), compose(load_settings()).builtin_grader, CHUNK, seed))


def summarise(runs: Sequence[Run], tracks: Iterable[Track], seeds: int) -> SimulationResult:
    """The figures of `runs`."""
    by_track, by_candidate = defaultdict[str, list[Run]](list), defaultdict[str, list[Run]](list)
    for run in runs:
        by_track[run.track].append(run)
        by_candidate[run.candidate].append(run)
    return SimulationResult(
        interviews=len(runs),
        seeds=seeds,
        bank=len(load_bank()),
        tracks=tuple(_track(track, by_track[track.id]) for track in tracks if by_track[track.id]),
        followups=tuple(_followups(c.name, by_candidate[c.name]) for c in CANDIDATES if by_candidate[c.name]),
        errors=tuple(dict.fromkeys(run.error for run in runs if run.error))[:10],
    )


def _track(track: Track, runs: Sequence[Run]) -> TrackFigures:
    late = {name: [d for r in runs if r.candidate == name for d in r.difficulties[3:]] for name in _ABLE}
    scores = {c.name: [r.score for r in runs if r.candidate == c.name and r.score is not None] for c in CANDIDATES}
    return TrackFigures(
        track=track.id,
        interviews=len(runs),
        crashed=sum(bool(r.error) for r in runs),
        repeated=sum(len(set(r.questions)) < len(r.questions) for r in runs),
        reached=len({topic for r in runs for topic in r.topics}),
        rated=len(track.topics),
        overran=sum(r.overrun > 5 for r in runs),
        longest_overrun=round(max(r.overrun for r in runs), 1),
        questions=round(mean(len(r.questions) for r in runs), 1),
        minutes=round(mean(r.minutes for r in runs), 1),
        difficulty={name: round(mean(found), 2) for name, found in late.items() if found},
        score={name: round(mean(found), 1) for name, found in scores.items() if found},
    )


def _followups(name: str, runs: Sequence[Run]) -> FollowUpFigures:
    probes = [probe for run in runs for probe in run.probes]
    return FollowUpFigures(
        candidate=name,
        probes=len(probes),
        aimed=sum(p.aimed for p in probes),
        needless=sum(p.needless for p in probes),
        leaked=sum(p.leaked for p in probes),
        dodged=sum(r.dodged for r in runs),
        questions=sum(len(r.questions) for r in runs),
    )


def simulation_command(
    interviews: int, *, only: str = "", as_json: bool = False, write: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> str:  # fmt: skip
    """Runs the simulation and gives what the command prints; `only` "followup" leaves out the plans."""
    if write and not PAGE.is_file():
        raise InterviewerError(f"There is no {PAGE}.", next_step="Only a checkout has figures to renew.")
    result = run_simulation(interviews, on_progress=on_progress)
    if write:
        RESULTS.write_text(result.model_dump_json(indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(renew_page(PAGE.read_text(encoding="utf-8"), result), encoding="utf-8")
    if as_json:
        return result.model_dump_json()
    return "\n".join(
        _followup_lines(result) if only == "followup" else [*_plan_lines(result), "", *_followup_lines(result)]
    )


def load_results(path: Path = RESULTS) -> SimulationResult:
    """The figures stored last."""
    return SimulationResult.model_validate_json(path.read_text(encoding="utf-8"))


def renew_page(page: str, result: SimulationResult) -> str:
    """The page with the tables between its two marks made anew."""
    table = "\n".join((*_plan_lines(result), "", *_followup_lines(result)))
    return between(page, BEGIN, END, f"\n{table}\n")


def _plan_lines(result: SimulationResult) -> Iterator[str]:
    yield f"{result.interviews} interviews over a bank of {result.bank} questions, seeds 0 to {result.seeds - 1}."
    yield ""
    yield "| track | interviews | crashed | repeated a question | topics reached | over time | questions | minutes |"
    yield "|---|---|---|---|---|---|---|---|"
    for t in result.tracks:
        over = f"{t.overran} (at most {t.longest_overrun} s)"
        yield (
            f"| {t.track} | {t.interviews} | {t.crashed} | {t.repeated} | {t.reached} of {t.rated} | {over} "
            f"| {t.questions} | {t.minutes} |"
        )
    yield ""
    yield "| track | difficulty after the third question: strong | medium | weak | score: strong | medium | weak |"
    yield "|---|---|---|---|---|---|---|"
    for t in result.tracks:
        figures = [t.difficulty.get(n, 0.0) for n in _ABLE] + [t.score.get(n, 0.0) for n in _ABLE]
        yield f"| {t.track} | " + " | ".join(str(f) for f in figures) + " |"


def _followup_lines(result: SimulationResult) -> Iterator[str]:
    yield "| candidate | follow-ups | at a point not said | all was said | names its point | empty answers scored |"
    yield "|---|---|---|---|---|---|"
    for f in result.followups:
        share = [f"{n} ({n / f.probes:.1%})" if f.probes else "0" for n in (f.aimed, f.needless, f.leaked)]
        dodged = f"{f.dodged} of {f.questions}" if f.candidate in ("evasive", "nonsense") else "–"
        yield f"| {f.candidate} | {f.probes} | {' | '.join(share)} | {dodged} |"
