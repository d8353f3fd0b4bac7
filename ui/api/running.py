"""Commands that go on when the request that gave them has been answered."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Event, Lock, Thread

from interviewer.interview.service import InterviewService, Update

_MOST_KEYS = 10_000


class _Run:
    """One command, carried out in a thread of its own."""

    def __init__(self, updates: Iterator[Update], on_end: Callable[["_Run"], None]) -> None:
        self._updates = updates
        self._on_end = on_end
        self._error: Exception | None = None
        self.notice = ""
        self.stored = Event()
        self.done = Event()
        Thread(target=self._follow, name="api-command", daemon=True).start()

    def _follow(self) -> None:
        try:
            for update in self._updates:
                self.notice = update.notice or self.notice
                self.stored.set()
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            self._error = error
        self._on_end(self)
        self.stored.set()
        self.done.set()

    def wait(self, seconds: float) -> bool:
        """Waits until what was said is stored, and up to `seconds` for all that follows; whether all is done."""
        self.stored.wait()
        done = self.done.wait(seconds)
        if self._error is not None:
            raise self._error
        return done


class Runner:
    """Carries out commands for the API, and knows which interviews are being worked on.

    Args:
        service: Runs the interviews.
    """

    def __init__(self, service: Callable[[], InterviewService]) -> None:
        self._service = service
        self._lock = Lock()
        self._running: dict[str, list[_Run]] = {}
        self._keys: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._starting = Lock()

    def run(self, interview_id: str, updates: Iterator[Update], wait: float) -> tuple[bool, str]:
        """Whether a command was carried out to its end within `wait` seconds, and what is to be noticed."""
        run = self._start(interview_id, updates)
        return run.wait(wait), run.notice

    def working(self, interview_id: str) -> bool:
        """Whether something is under way for an interview."""
        with self._lock:
            return interview_id in self._running

    def resume(self, user_id: str, interview_id: str) -> None:
        """Takes up what was left when a server went away."""
        if not self.working(interview_id):
            self._start(interview_id, self._service().resume(user_id, interview_id))

    def once(self, user_id: str, key: str, start: Callable[[], str]) -> str:
        """The interview this person began with `key` before, else a new one; an empty key begins one every time."""
        if not key:
            return start()
        with self._starting:
            known = self._keys.get((user_id, key))
            if known is not None:
                return known
            interview_id = self._keys[user_id, key] = start()
            if len(self._keys) > _MOST_KEYS:
                self._keys.popitem(last=False)
            return interview_id

    def _start(self, interview_id: str, updates: Iterator[Update]) -> _Run:
        with self._lock:
            run = _Run(updates, lambda run: self._ended(interview_id, run))
            self._running.setdefault(interview_id, []).append(run)
        return run

    def _ended(self, interview_id: str, run: _Run) -> None:
        with self._lock:
            runs = self._running[interview_id]
            runs.remove(run)
            if not runs:
                del self._running[interview_id]
