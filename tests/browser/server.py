"""The real command as a process, on a free port, with a home of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

START_LIMIT = 120.0
"""Seconds until a start counts as failed; far above what it takes."""


class ServerProcess:
    """`interviewer serve`, started and stopped at will.

    Args:
        home: Its INTERVIEWER_HOME; outlives the process.
        settings: More environment variables.
    """

    def __init__(self, home: Path, **settings: str) -> None:
        self.home = home
        self.url = ""
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None

    def start(self, port: int = 0) -> "ServerProcess":
        """Starts it and waits until it says that it is ready."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("INTERVIEWER_", "OPENAI_"))}
        environment |= {"INTERVIEWER_HOME": str(self.home), "PYTHONUNBUFFERED": "1", **self._settings}
        with (self.home.parent / f"{self.home.name}.log").open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "interviewer", "serve", "--port", str(port)],
                env=environment,
                cwd=self.home,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.url = self._address()
        return self

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """What `kill -9` does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._close()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
            self._close()

    def _close(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def _address(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        self._lines: Queue[str] = Queue()
        lines, stdout = self._lines, self._process.stdout
        self._reader = Thread(target=lambda: [lines.put(line) for line in stdout], daemon=True)
        self._reader.start()
        return self.said(r"Ready: (http://\S+)")

    def said(self, pattern: str) -> str:
        """Waits for a line of what it prints, after those waited for before; gives the first group of `pattern`."""
        assert self._process is not None
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until and self._process.poll() is None:
            try:
                found = re.search(pattern, self._lines.get(timeout=0.2))
            except Empty:
                continue
            if found:
                return found.group(1)
        raise AssertionError(f"the server did not say {pattern}; see {self.home.name}.log")
