"""A build killed in the middle, and many threads at once."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from interviewer.models import Question
from knowledge.index import IndexState
from tests.knowledge.index.conftest import WordModel, make_index, make_question

COUNT = 600

_BUILD = """
import sys, time
from pathlib import Path
from tests.knowledge.index.conftest import WordModel, make_index
from tests.knowledge.index.test_crash import many
index = make_index(Path(sys.argv[1]), WordModel())
def report(progress):
    print(progress.stage, progress.done, flush=True)
    if progress.done:
        time.sleep(0.2)
index.build(many(), report)
"""


def many() -> list[Question]:
    return [
        make_question(f"q{i}", en=f"What does part number {i} do?|Part {i} moves item {i * 7}.") for i in range(COUNT)
    ]


@pytest.mark.process
def test_build_goes_on_after_kill_9(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    build = subprocess.Popen([sys.executable, "-c", _BUILD, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, text=True)
    assert build.stdout is not None
    for line in build.stdout:
        if line.startswith("encoding"):
            break
    os.kill(build.pid, signal.SIGKILL)
    build.wait()
    build.stdout.close()

    model = WordModel()
    index = make_index(tmp_path, model)
    index.load(many())
    status = index.status()
    assert status.state is IndexState.PARTIAL
    assert 0 < status.stored < status.records
    index.prepare()
    assert len(model.encoded) == status.records - status.stored
    assert index.status().state is IndexState.READY
    assert index.search("part number 599", side="dense")[0].question_id == "q599"
    index.close()


def test_searches_and_updates_from_many_threads(tmp_path: Path, questions: list[Question]) -> None:
    index = make_index(tmp_path, WordModel())
    index.build(questions)
    done: list[int] = []
    deadline = time.monotonic() + 3

    def search() -> None:
        while time.monotonic() < deadline:
            assert index.search("梯度怎么汇总")[0].question_id == "allreduce"
            assert index.related("sums the gradients", limit=2)
        done.append(1)

    def edit(number: int) -> None:
        while time.monotonic() < deadline:
            index.update([make_question(f"new-{number}", en=f"Anything new {time.monotonic()}?")])
            index.remove([f"new-{number}"])
        done.append(1)

    threads = [threading.Thread(target=search) for _ in range(3)]
    threads += [threading.Thread(target=edit, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == len(threads)
    assert index.status().state is IndexState.READY
    assert index.status().questions == len(questions)
    index.close()
