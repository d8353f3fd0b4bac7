"""The figures of a load run; that members really practise is tested with a server in tests/browser."""

from datetime import UTC, datetime

import pytest

from evals.load.crowd import Turn
from evals.load.report import BEGIN, END, PAGE, RESULTS, LoadFigures, figures_of, placed, share, told
from evals.load.run import LoadRun, ServerFigures, figures
from interviewer.errors import InterviewerError


def run(**changes) -> LoadRun:
    fields = {
        "turns": tuple(Turn(float(n), n / 100) for n in range(1, 101)),
        "opened": (1.0, 2.0),
        "problems": (),
        "idle": ServerFigures(300.0, 5.0),
        "busy": ServerFigures(700.25, 65.5),
        "ungraded": 0,
        "unstored": 0,
        "client_cpu": 12.34,
    }
    return LoadRun(**fields | changes)


def found(**changes) -> LoadFigures:
    return figures_of(run(**changes), members=100, seconds=50, ramp=20, think=20)


def test_the_figures_of_a_run():
    figures = found()
    assert (figures.turns, figures.per_second) == (100, 2.0)
    assert (figures.p50, figures.p95, figures.p99, figures.longest) == (0.5, 0.95, 0.99, 1.0)
    assert (figures.peak, figures.idle_peak, figures.cpu) == (700.2, 300.0, 60.5)
    assert figures.errors == 0


def test_every_kind_of_error_counts_and_failed_turns_are_no_times():
    turns = (Turn(1, 0.1), Turn(2, 60.0, "ReadTimeout: "))
    figures = found(turns=turns, problems=("ReadTimeout: ",), ungraded=2, unstored=1)
    assert figures.errors == 4
    assert figures.kinds == {"answers without a grade": 2, "ReadTimeout: ": 1, "answers not in the database": 1}
    assert (figures.turns, figures.longest) == (1, 0.1)
    assert "2 × answers without a grade" in told(figures)


def test_no_times_and_no_memory_are_told_as_such():
    nothing = ServerFigures(None, None)
    figures = found(turns=(), opened=(), idle=nothing, busy=nothing)
    assert figures.p95 is None
    assert figures.peak is None
    assert "p95 –" in told(figures)


@pytest.mark.parametrize(("part", "value"), [(0.5, 2), (0.95, 4), (1.0, 4), (0.01, 1)])
def test_a_share_of_few_times(part, value):
    assert share([1, 2, 3, 4], part) == value


def test_a_process_tells_what_it_takes():
    import os

    mine = figures(os.getpid())
    assert mine.peak is None or mine.peak > 10
    assert mine.cpu is None or mine.cpu > 0


def test_the_docs_have_a_place_for_the_figures():
    page = placed(PAGE.read_text(encoding="utf-8"), found())
    assert page.count(BEGIN) == page.count(END) == 1
    assert "p95 0.95 s" in page
    assert placed(page, found()).split(BEGIN)[0] == page.split(BEGIN)[0]
    with pytest.raises(InterviewerError):
        placed("nothing", found())


def test_the_docs_say_what_is_stored():
    page = PAGE.read_text(encoding="utf-8")
    if not RESULTS.exists():
        assert f"{BEGIN}\n{END}" in page
        return
    stored = LoadFigures.model_validate_json(RESULTS.read_text(encoding="utf-8"))
    assert stored.made_at < datetime.now(UTC)
    assert told(stored) in page
