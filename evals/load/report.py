"""The figures of a load run, in the terminal, as JSON and in docs/teams.md."""

import os
import platform
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from evals.load.run import LoadRun, run_load
from interviewer.marked import between
from interviewer.models import Frozen

RESULTS = Path(__file__).parents[1] / "data" / "load.json"
PAGE = Path(__file__).parents[2] / "docs" / "teams.md"
BEGIN = "<!-- figures: written by `interviewer eval load --write` -->"
END = "<!-- end of figures -->"


class LoadFigures(Frozen):
    """What was measured.

    Attributes:
        think: Mean seconds between a grade and the next answer, exponentially distributed, at least one.
        turns: Answers sent and graded within the measured time.
        p50, p95, p99, longest: Seconds from pressing Send until the page shows the grade.
        opened_p95: Seconds to sign in, start an interview and open its page.
        errors: Requests that failed, answers without a grade, answers not in the database.
        kinds: The errors by kind.
        peak, idle_peak: Largest resident memory of the server in MB, and before anybody came.
        cpu, client_cpu: Processor seconds of the server and of the members' side.
    """

    made_at: datetime
    members: int
    seconds: float
    ramp: float
    think: float
    cores: int
    machine: str
    turns: int
    per_second: float
    p50: float | None
    p95: float | None
    p99: float | None
    longest: float | None
    opened_p95: float | None
    errors: int
    kinds: dict[str, int] = Field(default={})
    peak: float | None
    idle_peak: float | None
    cpu: float | None
    client_cpu: float


def load_command(*, members: int, seconds: float, ramp: float, think: float, as_json: bool, write: bool) -> str:
    """Measures, and gives the figures as text; with `write` also stores them and renews the docs."""
    run = run_load(members=members, seconds=seconds, ramp=ramp, think=think)
    found = figures_of(run, members=members, seconds=seconds, ramp=ramp, think=think)
    if write:
        RESULTS.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(placed(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    return found.model_dump_json(indent=1) if as_json else told(found)


def figures_of(run: LoadRun, *, members: int, seconds: float, ramp: float, think: float) -> LoadFigures:
    """A run as figures."""
    times = sorted(turn.seconds for turn in run.turns if not turn.problem)
    kinds = Counter(run.problems)
    kinds.update({"answers without a grade": run.ungraded, "answers not in the database": run.unstored})
    kinds = Counter({kind: count for kind, count in kinds.items() if count})
    cpu = run.busy.cpu - run.idle.cpu if run.busy.cpu is not None and run.idle.cpu is not None else None
    return LoadFigures(
        made_at=datetime.now(UTC).replace(microsecond=0),
        members=members,
        seconds=seconds,
        ramp=ramp,
        think=think,
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        machine=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        turns=len(times),
        per_second=round(len(times) / seconds, 2),
        p50=share(times, 0.50),
        p95=share(times, 0.95),
        p99=share(times, 0.99),
        longest=share(times, 1.0),
        opened_p95=share(sorted(run.opened), 0.95),
        errors=kinds.total(),
        kinds=dict(kinds.most_common(10)),
        peak=_rounded(run.busy.peak),
        idle_peak=_rounded(run.idle.peak),
        cpu=_rounded(cpu),
        client_cpu=round(run.client_cpu, 1),
    )


def share(times: Sequence[float], part: float) -> float | None:
    """The value that `part` of the sorted `times` do not exceed; None for no times."""
    return round(times[max(0, -(-len(times) * round(part * 100) // 100) - 1)], 3) if times else None


def told(found: LoadFigures) -> str:
    """The figures as lines of a Markdown list."""
    kinds = f" ({', '.join(f'{count} × {kind}' for kind, count in found.kinds.items())})" if found.kinds else ""
    return "\n".join(
        [
            f"- {found.members} members practising at once for {found.seconds:g} s on {found.cores} cores "
            f"({found.machine}), built-in grader, the members' side on the same machine; between a grade and the next "
            f"answer {found.think:g} s on average, exponentially distributed, at least 1 s.",
            f"- Answered turns: {found.turns} ({found.per_second:g} a second); from Send to the grade on the page "
            f"p50 {_s(found.p50)}, p95 {_s(found.p95)}, p99 {_s(found.p99)}, longest {_s(found.longest)}.",
            f"- Signing in, starting an interview and opening its page: p95 {_s(found.opened_p95)}.",
            f"- Errors: {found.errors}{kinds}.",
            f"- Memory of the server: {_mb(found.peak)} at most, {_mb(found.idle_peak)} before anybody came. "
            f"Processor time: {_s(found.cpu)} of the server, {_s(found.client_cpu)} of the members' side.",
        ]
    )


def placed(page: str, found: LoadFigures) -> str:
    """The docs page with these figures between its marks."""
    date = f"{found.made_at:%Y-%m-%d}"
    text = f"\nMeasured on {date} by `interviewer eval load --write`:\n\n{told(found)}\n"
    return between(page, BEGIN, END, text)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _s(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def _mb(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} MB"
