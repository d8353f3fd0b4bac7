"""Questions, a small deterministic model, and a real Chroma server."""

import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray

from interviewer.models import Point, Question
from knowledge.index import QuestionIndex
from knowledge.index.models import ModelPlace
from knowledge.index.tokens import list_terms


class WordModel:
    """An embedder whose vectors are sums of fixed random vectors of words; counts what it encodes."""

    dimensions = 256

    def __init__(self, version: str = "1", *, reads_chinese: bool = True) -> None:
        self.name = "words"
        self.version = version
        self.reads_chinese = reads_chinese
        self.encoded: list[str] = []

    def locate(self, setting: str) -> ModelPlace:
        return ModelPlace(self.name, self.name, self.version, here=True)

    def load(self, setting: str) -> "WordModel":
        return self

    def encode(self, texts: list[str], *, query: bool = False) -> NDArray[np.float32]:
        if not query:
            self.encoded += texts
        rows = np.array([self._sum(text) for text in texts], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def _sum(self, text: str) -> NDArray[np.float64]:
        vectors = [np.random.default_rng(zlib.crc32(t.encode())).standard_normal(256) for t in list_terms(text)]
        return np.sum(vectors, axis=0) if vectors else np.zeros(256)


def make_question(number: str, zh: str = "", en: str = "", *, set_name: str = "bank", **fields: object) -> Question:
    """A question from `asked|reference` in one or both languages."""
    texts = {language: text.partition("|") for language, text in (("zh", zh), ("en", en)) if text}
    return Question.model_validate(
        {
            "id": number,
            "set": set_name,
            "question": {language: parts[0] for language, parts in texts.items()},
            "reference": {language: parts[2] or parts[0] for language, parts in texts.items()},
            **fields,
        }
    )


@pytest.fixture
def questions() -> list[Question]:
    return [
        make_question(
            "cache",
            "缓存键值为什么能加快解码？|每一步只算新词，历史的键和值直接读取，占用随序列长度增长。",
            "Why does caching keys and values speed up decoding?|Each step computes only the new token; the KV-cache "
            "grows with the sequence length.",
        ),
        make_question(
            "allreduce",
            "多卡训练怎样汇总梯度？|用 All-Reduce 把每张卡的梯度求和再平均，环形实现的通信量与卡数几乎无关。",
            "How are gradients combined across GPUs?|An all-reduce sums the gradients of every GPU; a ring makes the "
            "traffic per GPU nearly independent of their number.",
        ),
        make_question(
            "quant",
            "量化方案 W8A16 是什么意思？|权重存成八位整数，激活保持十六位浮点，主要省显存和带宽。",
            set_name="mine",
            points=(Point(id="p", text={"zh": "权重八位"}, aliases={"zh": ("weight-only int8",)}),),
        ),
        make_question(
            "compile", en="What does torch.compile do?|It traces a model and fuses its kernels.", set_name="mine"
        ),
        make_question("overfit", "模型过拟合了怎么办？|加正则、早停、数据增强，或者换小一点的模型。"),
    ]


@pytest.fixture
def model() -> WordModel:
    return WordModel()


@pytest.fixture
def index(tmp_path: Path, model: WordModel) -> Iterator[QuestionIndex]:
    with closing(make_index(tmp_path, model)) as made:
        yield made


def make_index(folder: Path, model: WordModel, url: str = "") -> QuestionIndex:
    """An index that was asked for this model."""
    return QuestionIndex(
        folder / "index", chroma_url=url, embedding_model=model.name, locate=model.locate, load=model.load
    )


@pytest.fixture(scope="session")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Chroma server on a free loopback port, killed afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("chroma-server")
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([*command, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=folder)
    try:
        wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def wait_for(url: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if httpx.get(url, timeout=2).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise TimeoutError(url)
