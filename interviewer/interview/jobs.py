"""Work that goes on when the page that started it has gone, and that a reloaded page can watch."""

from collections.abc import Callable, Iterator
from threading import Condition, Lock, Thread

from interviewer.grading.protocol import OnProgress, Progress

Work = Callable[[OnProgress], None]


class Job:
    """One piece of work in a thread of its own."""

    def __init__(self, work: Work, on_end: Callable[[], None]) -> None:
        self._changed = Condition()
        self._progress: Progress | None = None
        self._done = False
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, args=(work, on_end), daemon=True)
        self._thread.start()

    def _run(self, work: Work, on_end: Callable[[], None]) -> None:
        try:
            work(self._report)
        except BaseException as error:  # noqa: BLE001 - handed to every watcher, which raises it
            self._error = error
        on_end()
        with self._changed:
            self._done = True
            self._changed.notify_all()

    def _report(self, progress: Progress) -> None:
        with self._changed:
            self._progress = progress
            self._changed.notify_all()

    def watch(self) -> Iterator[Progress]:
        """Progress as it is made; what comes faster than it is read is left out. Raises what the work raised."""
        seen: Progress | None = None
        while True:
            with self._changed:
                while not self._done and self._progress is seen:
                    self._changed.wait()
                done, latest = self._done, self._progress
            if latest is not None and latest is not seen:
                seen = latest
                yield latest
            elif done:
                break
        if self._error is not None:
            raise self._error


class Jobs:
    """At most one job for each key at a time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: dict[str, Job] = {}

    def join(self, key: str, work: Work) -> Job:
        """The job that runs for `key`, or a new one doing `work`."""
        with self._lock:
            if key not in self._running:
                self._running[key] = Job(work, lambda: self._end(key))
            return self._running[key]

    def _end(self, key: str) -> None:
        with self._lock:
            self._running.pop(key, None)
