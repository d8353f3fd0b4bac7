"""Grades many answers in several processes: reading is nearly all of the time, and one answer does not use them all."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType

import typer

from evals.grading.data import Graded
from evals.grading.outcomes import Outcome, grade_rows
from interviewer.grading.protocol import Grader

_AT_A_TIME = 16
_grader: Grader | None = None


class Pooled:
    """Processes that each make the grader once; the outcomes are those of `grade_rows`, in order.

    Args:
        make: Makes the grader; it and its arguments are sent to the processes.
        processes: As many as there are processors by default.
    """

    def __init__(self, make: Callable[[], Grader], processes: int | None = None) -> None:
        self._pool = ProcessPoolExecutor(processes or os.cpu_count(), initializer=_start, initargs=(make,))

    def __enter__(self) -> "Pooled":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def __call__(self, rows: Sequence[Graded], label: str = "") -> list[Outcome]:
        """Every row graded, with a progress bar."""
        with typer.progressbar(self._pool.map(_grade, rows, chunksize=_AT_A_TIME), len(rows), label) as graded:
            return list(graded)


def _start(make: Callable[[], Grader]) -> None:
    global _grader
    _grader = make()


def _grade(row: Graded) -> Outcome:
    assert _grader is not None
    return grade_rows(_grader, [row])[0]
