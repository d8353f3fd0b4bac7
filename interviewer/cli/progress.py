"""A progress bar on standard error that appears only once there is progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

OnProgress = Callable[[int, int], None]


@contextmanager
def progress_bar(title: str) -> Iterator[OnProgress]:
    """Gives a function to call with (done, total)."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks = []

        def on_progress(done: int, total: int) -> None:
            if not tasks:
                tasks.append(bar.add_task(title, total=total))
            bar.update(tasks[0], completed=done, total=total)

        yield on_progress
