"""The shipped cross-encoder: it is there, small, and reads both languages."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession

from interviewer.compose import compose
from interviewer.settings import Settings
from knowledge.crossencoder import weights_path
from knowledge.crossencoder.runtime import LONGEST, OnnxCrossEncoder, session_options

MEGABYTE = 1_000_000
POINTS = {
    "en": "The size of the KV cache grows linearly with the batch and with the length of the sequence",
    "zh": "KV 缓存的大小随批大小和序列长度线性增长",
}
SAID = {
    "en": "The cache gets bigger in proportion to the batch size and to how long the sequence is.",
    "zh": "批越大、序列越长，KV cache 就成比例地变大。",
}
ELSEWHERE = {
    "en": "We deploy on Fridays and the team keeps a rota for who answers the pager.",
    "zh": "我们周五上线，值班表轮流排，谁值班谁接电话。",
}


@pytest.fixture(scope="module")
def shipped() -> OnnxCrossEncoder:
    return OnnxCrossEncoder()


def test_it_is_part_of_the_package_and_small():
    sizes = {path.name: path.stat().st_size for path in weights_path().iterdir()}
    assert set(sizes) == {"model.onnx", "tokenizer.json", "README.md"}
    assert sum(sizes.values()) < 35 * MEGABYTE


@pytest.mark.parametrize("said_in", ["en", "zh"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_says_the_point_is_above_talk_in_both_languages_and_across(shipped, language, said_in):
    point = POINTS[language]
    logits = shipped.predict([(point, SAID[said_in]), (point, ELSEWHERE[said_in])])
    assert logits[0, 0] > logits[1, 0] + 0.4
    assert logits[1, 0] < -1


def test_reading_nothing_gives_nothing_and_a_flood_is_cut(shipped):
    assert shipped.predict([]).shape == (0, 2)
    long = shipped.predict([(POINTS["en"], "word " * 20_000), ("", "")])
    assert np.isfinite(long).all()


def test_many_pairs_are_read_in_batches_and_come_back_in_their_order(shipped):
    pairs = [(POINTS[a], text) for a in POINTS for text in (*SAID.values(), *ELSEWHERE.values())] * 20
    together = shipped.predict(pairs)
    assert together.shape == (160, 2)
    alone = np.concatenate([shipped.predict([pair]) for pair in pairs[:8]])
    # Nothing but the order in which numbers are added depends on a pair's company.
    np.testing.assert_allclose(together[:8], alone, atol=0.05)


def test_whole_numbers_are_added_exactly_on_every_processor():
    """Two products of the largest numbers of 8 bits do not fit into 16, in which processors without VNNI add them."""
    weights = np.full((64, 8), 127, np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["values", "weights", "zero", "none"], ["sums"])],
        "largest",
        [helper.make_tensor_value_info("values", TensorProto.UINT8, (4, 64))],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, (4, 8))],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array(0, np.uint8), "zero"),
            numpy_helper.from_array(np.array(0, np.int8), "none"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    session = InferenceSession(model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"])
    (sums,) = session.run(None, {"values": np.full((4, 64), 255, np.uint8)})
    assert (sums == 64 * 255 * 127).all()


def test_several_threads_get_what_one_gets(shipped):
    pairs = [(POINTS["zh"], text) for text in SAID.values()]
    expected = shipped.predict(pairs)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: shipped.predict(pairs), range(8)):
            np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_tokenizer_knows_no_more_pieces_than_the_model_and_reads_both_languages():
    stored = json.loads((weights_path() / "tokenizer.json").read_text(encoding="utf-8"))
    pieces = [piece for piece, _ in stored["model"]["vocab"]]
    assert pieces[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert len(pieces) == len(set(pieces))
    tokenizer = OnnxCrossEncoder()._tokenizer
    for text in (*POINTS.values(), *SAID.values()):
        read = tokenizer.encode(text)
        assert "<unk>" not in read.tokens
        assert len(read.ids) < LONGEST


def test_importing_and_building_it_reads_nothing():
    code = (
        "import sys; from knowledge.crossencoder.runtime import OnnxCrossEncoder as C; C();"
        " assert not {'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_warming_the_app_up_reads_the_weights_before_the_first_answer(tmp_path):
    app = compose(Settings(home=tmp_path, _env_file=None))
    assert app.builtin_grader is not None
    before = set(vars(app._cross_encoder))
    app.warm_up_behind()
    app.settle()
    assert set(vars(app._cross_encoder)) - before == {"_session", "_tokenizer"}
