"""The shipped encoder: how it loads, what it says, and what it costs."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from knowledge import encoder
from knowledge.encoder.corpus import SHIPPED, read_queries

MEGABYTE = 1_000_000

PAIRS = [
    ("服务器内存不足时应该怎么办", "what to do when the server runs out of memory"),
    ("如何加快数据库查询", "how to make database queries faster"),
    ("神经网络训练不收敛", "the neural network does not converge during training"),
    ("把模型部署到生产环境", "deploy the model to production"),
    ("多线程程序出现死锁", "a deadlock in a multithreaded program"),
    ("用缓存减少重复计算", "use a cache to avoid repeated computation"),
    ("模型在验证集上表现很差", "the model performs poorly on the validation set"),
    ("量化会带来精度损失吗", "does quantization cause a loss of accuracy"),
    ("容器里没有权限访问设备", "no permission to access the device inside the container"),
    ("怎样写单元测试", "how to write unit tests"),
]


@pytest.fixture(scope="module")
def model() -> SentenceTransformer:
    path = encoder.weights_path()
    return SentenceTransformer(str(path), local_files_only=True, trust_remote_code=encoder.is_own_model(path))


def test_a_text_in_one_language_is_nearest_to_itself_in_the_other(model: SentenceTransformer) -> None:
    zh, en = (model.encode(list(side)) for side in zip(*PAIRS, strict=True))
    cosines = zh @ en.T
    partners, others = np.diag(cosines), cosines[~np.eye(len(PAIRS), dtype=bool)]
    assert cosines.argmax(axis=1).tolist() == list(range(len(PAIRS)))
    assert partners.min() > 0.45
    assert partners.mean() - others.mean() > 0.5


def test_unrelated_chinese_sentences_are_told_apart(model: SentenceTransformer) -> None:
    rows = model.encode(["模型训练时显存不足", "周末去爬山看日出", "这家餐馆的鱼很好吃", "事务隔离级别的区别"])
    assert (rows @ rows.T)[~np.eye(4, dtype=bool)].max() < 0.5


def test_same_text_gives_the_same_vector_alone_in_a_batch_without_torch_and_in_another_process(
    model: SentenceTransformer,
) -> None:
    texts = ["显存不足怎么办", "out of memory", "x", "KV Cache 是什么"]
    together = model.encode(texts)
    alone = np.stack([model.encode(text) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    code = (
        "import json; from knowledge.encoder.light import LightEncoder;"
        f"print(json.dumps(LightEncoder().encode({texts!r}).tolist()))"
    )
    elsewhere = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    np.testing.assert_allclose(json.loads(elsewhere), together, atol=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t", "🙂🚀", "\0\0", "。，！", "\ud800", "ية"])
def test_text_without_known_features_is_like_nothing(model: SentenceTransformer, text: str) -> None:
    vector = model.encode(text)
    assert np.array_equal(vector, np.zeros_like(vector))
    assert not np.isnan(model.encode([text, "显存不足"])).any()


def test_marks_controls_and_width_do_not_change_a_vector(model: SentenceTransformer) -> None:
    plain = model.encode("GPU 显存不足")
    for text in ("GPU 显存\0不足", "ＧＰＵ　显存不足！", "gpu 🙂 显存不足"):
        assert plain @ model.encode(text) > 0.9


def test_very_long_text_is_read_in_bounded_time(model: SentenceTransformer) -> None:
    model.encode("warm up 热身")
    started = time.perf_counter()
    vector = model.encode("显存不足 out of memory " * 100_000)
    assert time.perf_counter() - started < 2
    assert vector @ model.encode("显存不足 out of memory") > 0.9


def test_a_sentence_takes_about_a_millisecond(model: SentenceTransformer) -> None:
    sentence = "线上推理服务偶尔超时，但监控都正常，怎么一步步排查？"
    model.encode(sentence)
    times = []
    for _ in range(30):
        started = time.perf_counter()
        model.encode(sentence)
        times.append(time.perf_counter() - started)
    assert np.median(times) < 0.01  # the target is 1 ms on an idle core; this machine may be busy


def test_weights_are_small() -> None:
    size = sum(path.stat().st_size for path in encoder.weights_path().rglob("*") if path.is_file())
    assert size < 25 * MEGABYTE


def test_import_loads_nothing_heavy() -> None:
    code = "import sys, knowledge.encoder as e; e.weights_path(); print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    for heavy in ("torch", "jieba", "sentence_transformers", "numpy", "transformers"):
        assert f"'{heavy}'" not in loaded


@pytest.mark.parametrize(("name", "most"), [("phrases", 0.15), ("phrases-more", 0.18), ("phrases-spoken", 0.3)])
def test_no_phrase_of_the_training_repeats_the_wording_of_a_query(name: str, most: float) -> None:
    """Four Chinese characters in a row that a zh query shares with a phrase must be common in technical text."""
    phrases = Path(encoder.__file__).with_name(f"{name}.jsonl").read_text(encoding="utf-8")
    runs = {run for line in phrases.splitlines() for text in json.loads(line)["zh"] for run in _runs(text)}
    queries = [q for q in read_queries(sorted(SHIPPED.glob("*.jsonl"))) if q.language == "zh" and q.kind != "keyword"]
    sharing = [q.query for q in queries if _runs(q.query) & runs]
    assert len(queries) >= 300
    assert len(sharing) < most * len(queries)


def _runs(text: str) -> set[str]:
    return {run[i : i + 4] for run in re.findall("[\u4e00-\u9fff]+", text) for i in range(len(run) - 3)}
