"""Progress bars on standard error that appear only once there is progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from knowledge.index import BuildProgress

OnProgress = Callable[[int, int, str], None]


@contextmanager
def progress_bar(title: str) -> Iterator[OnProgress]:
    """Gives a function to call with (done, total, what is under way); the text may be empty."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None, visible=False)

        def on_progress(done: int, total: int, what: str = "") -> None:
            bar.update(task, completed=done, total=total, description=what or title, visible=True)

        yield on_progress


@contextmanager
def build_bar() -> "Iterator[Callable[[BuildProgress], None]]":
    """The bar for building the index; a build that fails is told in one line, since words alone can be searched."""
    from rich.console import Console

    try:
        with progress_bar("Building the index") as on_progress:
            yield lambda step: on_progress(step.done, step.total, _STAGES.get(step.stage, ""))
    except InterviewerError as error:
        Console(stderr=True).print(f"The index is not built: {error}", style="yellow", markup=False)


_STAGES = {"loading": "Loading the embedding model", "encoding": "Building the index"}
