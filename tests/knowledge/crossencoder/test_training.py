"""Training, writing and reading back, on an encoder small enough for a test."""

import copy
import json
import math

import numpy as np
import onnx
import pytest
import torch
from onnxruntime import InferenceSession
from onnxruntime.quantization import quantize_dynamic
from rich.progress import Progress

from interviewer.errors import InterviewerError
from knowledge.crossencoder import train as training
from knowledge.crossencoder.__main__ import main
from knowledge.crossencoder.average import average
from knowledge.crossencoder.export import save_model
from knowledge.crossencoder.restore import restore_pieces, restore_weights
from knowledge.crossencoder.rounding import Scaled, round_evenly
from knowledge.crossencoder.runtime import OnnxCrossEncoder, session_options
from knowledge.crossencoder.train import Network, Settings, Taught, new_network, read_taught, train
from knowledge.crossencoder.vocabulary import build_tokenizer, keep_pieces

SETTINGS = Settings(epochs=30, tokens=400, rate=2e-3, frozen=1, dropout=0.0)


def trained(base, kept, taught, settings=SETTINGS) -> Network:
    network = new_network(base, kept, settings)
    return train(network, build_tokenizer(kept.pieces, kept.scores), taught, settings, Progress(disable=True))


def some_pairs(taught) -> list[tuple[str, str]]:
    return [pair for each in taught[::6] for pair in each.pairs]


@pytest.fixture(scope="module")
def network(base, kept, taught):
    torch.set_num_threads(1)
    return trained(base, kept, taught)


@pytest.fixture(scope="module")
def written(network, kept, taught, tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    save_model(network, build_tokenizer(kept.pieces, kept.scores), folder)
    return folder


@pytest.fixture(scope="module")
def shipped(written):
    return OnnxCrossEncoder(written)


def test_pieces_that_are_used_and_all_chinese_ones_are_kept_in_their_order(base):
    few = keep_pieces(base.pieces, base.scores, ["lock"], 0)
    assert few.pieces[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert {"▁lock", "▁缓存", "缓", "存"} <= set(few.pieces)
    assert "▁cache" not in few.pieces
    assert [base.pieces[row] for row in few.rows] == few.pieces
    assert sorted(few.rows) == list(few.rows)
    more = keep_pieces(base.pieces, base.scores, ["lock"], len(few.pieces) + 2)
    assert len(more.pieces) == len(few.pieces) + 2


def test_the_second_text_is_told_from_the_first(base):
    read = build_tokenizer(base.pieces, base.scores).encode("cache", "缓存  grows")
    assert read.tokens == ["<s>", "▁cache", "</s>", "</s>", "▁缓存", "▁grows", "</s>"]
    assert read.type_ids == [0, 0, 0, 1, 1, 1, 1]


def test_it_learns_from_points_and_from_whole_answers(network, shipped, taught):
    said = [each.labels[0] if each.labels else each.score for each in taught]
    logits = shipped.predict([pair for each in taught for pair in each.pairs])
    right = (logits[:, 0] > 0) == np.array(said, bool)
    assert right.mean() > 0.9
    wrong = [(float(row[1]), each.wrong[0]) for row, each in zip(logits, taught, strict=True) if each.wrong]
    assert np.mean([(logit > 0) == bool(label) for logit, label in wrong]) > 0.9


def test_a_step_loses_the_weighted_mean_of_what_each_answer_loses():
    pair = ("p", "s")
    answers = [
        Taught((pair,) * 3, (0.5, 0.3, 0.2), (1.0, 0.0, 0.5), (0.0, 1.0, 0.0), None, 2.0),
        Taught((pair,) * 2, (0.25, 0.75), None, None, 0.6, 1.0),
        Taught((pair,), (1.0,), (0.0,), None, None, 0.5),
        Taught((pair,), (1.0,), None, None, 0.0, 3.0),
    ]
    logits = torch.tensor([[2.0, -1.0], [-1.0, 0.5], [0.1, -3.0], [1.0, 9.0], [-2.0, 9.0], [0.7, 9.0], [-4.0, 9.0]])
    settings = Settings(wrong=0.5)

    def entropy(share: float, label: float) -> float:
        return -(label * math.log(share) + (1 - label) * math.log(1 - share))

    said, wrong = torch.sigmoid(logits).double().numpy().T
    first = sum(entropy(said[at], answers[0].labels[at]) for at in range(3))
    first += 0.5 * sum(entropy(wrong[at], answers[0].wrong[at]) for at in range(3))
    each = [first / 2, entropy(said[3] * 0.25 + said[4] * 0.75, 0.6), entropy(said[5], 0.0) / 2, entropy(said[6], 0.0)]
    expected = sum(one.weight * loss for one, loss in zip(answers, each, strict=True)) / 6.5
    step = [training._Read(one, [[0, 2]] * len(one.pairs), [[0, 0]] * len(one.pairs)) for one in answers]
    assert float(training._loss(logits, training._batch(step), settings)) == pytest.approx(expected, rel=1e-5)


def test_the_same_seed_gives_the_same_weights_and_what_is_frozen_stays(base, kept, taught):
    settings = SETTINGS._replace(epochs=0.5)
    first, again = (trained(base, kept, taught, settings) for _ in range(2))
    for name, values in first.state_dict().items():
        assert torch.equal(values, again.state_dict()[name]), name
    start = Network(base, kept).state_dict()
    for name, values in first.state_dict().items():
        still = "embeddings" in name or "layer.0." in name
        moved = not torch.equal(values, start[name])
        if still or ("layer.1" in name and name.endswith("dense.weight")):
            assert moved != still, name


def test_what_was_written_can_be_trained_on_from_where_it_was(base, kept, network, written, taught):
    again = restore_pieces(written, base)
    assert (again.pieces, again.rows.tolist()) == (kept.pieces, kept.rows.tolist())
    restored = new_network(base, again, SETTINGS._replace(seed=1))
    restore_weights(restored, written)
    for name, values in network.state_dict().items():
        span = float(values.abs().max())
        assert torch.allclose(restored.state_dict()[name], values, atol=span / 100 + 1e-7), name
    assert not torch.equal(new_network(base, kept, SETTINGS).head.weight, restored.head.weight)
    read = build_tokenizer(kept.pieces, kept.scores)
    train(restored, read, taught, SETTINGS._replace(epochs=1, rate=1e-4), Progress(disable=True))


def test_numbers_that_one_token_has_do_not_cost_the_others_their_steps(tmp_path):
    torch.manual_seed(0)
    layer = torch.nn.Linear(64, 16)
    tokens = torch.randn(6, 64) * torch.tensor([3000, 1, 1, 0.01, 0, 1])[:, None]
    with torch.inference_mode():
        expected = layer(tokens).numpy()
        assert torch.allclose(Scaled(layer)(tokens), layer(tokens), rtol=1e-4, atol=1e-5)
    lost = {}
    for name, module, rounded in (("scaled", Scaled(layer), round_evenly), ("together", layer, rounded_together)):
        paths = tmp_path / f"{name}.onnx", tmp_path / f"{name} in 8 bits.onnx"
        torch.onnx.export(module, (tokens,), str(paths[0]), input_names=["x"], dynamo=False, opset_version=18)
        rounded(*paths)
        session = InferenceSession(paths[1], session_options(), providers=["CPUExecutionProvider"])
        lost[name] = np.abs(session.run(None, {"x": tokens.numpy()})[0] - expected).max(1)
    assert lost["scaled"][0] < 100
    assert (lost["scaled"][1:] < 0.05).all(), lost
    assert lost["together"][1] > 0.5, lost


def rounded_together(source, path):
    """In steps of the largest number of all that is given to a layer, as onnxruntime has it."""
    quantize_dynamic(source, path, per_channel=True, op_types_to_quantize=["MatMul"])


def test_a_pair_is_read_alike_whatever_is_read_with_it(shipped, taught):
    pairs = [pair for each in taught[:30] for pair in each.pairs]
    together = shipped.predict([*pairs, ("cache", "lock " * 200)])
    alone = np.concatenate([shipped.predict([pair]) for pair in pairs])
    np.testing.assert_allclose(together[:-1], alone, atol=1e-4)


@pytest.fixture(scope="module")
def written_later(network, kept, taught, tmp_path_factory):
    """The same network after a further training."""
    folder = tmp_path_factory.mktemp("later")
    further = copy.deepcopy(network)
    read = build_tokenizer(kept.pieces, kept.scores)
    train(further, read, taught, SETTINGS._replace(epochs=2, seed=1), Progress(disable=True))
    save_model(further, read, folder)
    return folder


def test_the_mean_of_two_trainings_lies_between_them(base, written, written_later):
    ends = [average(base, written, written_later, share)[0].state_dict() for share in (0, 1)]
    between, kept = average(base, written, written_later, 0.25)
    assert kept.pieces == restore_pieces(written, base).pieces
    assert not between.training
    moved = 0
    for name, values in between.state_dict().items():
        assert torch.allclose(values, 0.75 * ends[0][name] + 0.25 * ends[1][name], atol=1e-6), name
        moved += not torch.equal(ends[0][name], ends[1][name])
    assert moved > 10


def test_a_mean_of_weights_is_written_by_the_command(base, written, written_later, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("knowledge.crossencoder.base.read_base", lambda path: base)
    arguments = ["average", str(written), str(written_later), "--base", "x", "--out", str(tmp_path / "mean")]
    assert main([*arguments, "--share", "0"]) == 0
    pairs = [("cache", "queue waits"), ("lock", "lock free")]
    kept_first = OnnxCrossEncoder(tmp_path / "mean").predict(pairs)
    assert np.allclose(kept_first, OnnxCrossEncoder(written).predict(pairs), atol=0.2)
    with pytest.raises(SystemExit):
        main([*arguments, "--share", "1.5"])
    assert "1.5 is not between 0 and 1" in capsys.readouterr().err


def test_weights_with_other_pieces_have_no_mean(base, written, tmp_path):
    few = keep_pieces(base.pieces, base.scores, ["lock"], 0)
    save_model(new_network(base, few, SETTINGS), build_tokenizer(few.pieces, few.scores), tmp_path)
    with pytest.raises(InterviewerError, match="different tokenizers"):
        average(base, written, tmp_path, 0.5)


def test_weights_of_another_base_or_network_are_refused(base, kept, written):
    with pytest.raises(InterviewerError, match="pieces that the base does not have"):
        restore_pieces(written, base._replace(pieces=[f"{piece}x" for piece in base.pieces]))
    deeper, flatter = (new_network(base, kept, SETTINGS) for _ in range(2))
    deeper.encoder.encoder.layer.append(deeper.encoder.encoder.layer[0])
    del flatter.encoder.encoder.layer[-1]
    for other, layer in ((deeper, 2), (flatter, 1)):
        with pytest.raises(InterviewerError, match=rf"has encoder.encoder.layer.{layer}"):
            restore_weights(other, written)


def test_small_integers_say_nearly_the_same_as_the_trained_network(network, shipped, kept, taught):
    pairs = [pair for each in taught[:40] for pair in each.pairs]
    read = build_tokenizer(kept.pieces, kept.scores).encode_batch(pairs)
    with torch.inference_mode():
        whole = np.array(
            [
                network(*(torch.tensor([each]) for each in (one.ids, [1] * len(one.ids), one.type_ids)))[0].tolist()
                for one in read
            ]
        )
    found = shipped.predict(pairs)
    assert found.shape == (40, 2)
    assert np.corrcoef(whole[:, 0], found[:, 0])[0, 1] > 0.98


def test_nothing_is_read_for_guarding_against_nan(written):
    # The exporter's fused attention looks for NaN in every layer, which took a third of the time of reading.
    graph = onnx.load(str(written / "model.onnx")).graph
    assert not {node.op_type for node in graph.node} & {"IsNaN", "IsInf"}


def test_answers_are_read_as_they_are_written(tmp_path):
    rows = [
        {"pairs": [["p", "s"], ["q", "t"]], "shares": [0.5, 0.5], "labels": [1, 0], "wrong": [0, 1], "score": None},
        {"pairs": [["p", "s"]], "shares": [1], "labels": None, "wrong": None, "score": 0.25},
    ]
    path = tmp_path / "taught.jsonl"
    path.write_text("".join(json.dumps({**row, "weight": 2.0, "source": "x"}) + "\n" for row in rows))
    first, second = read_taught(path)
    assert first.pairs == (("p", "s"), ("q", "t"))
    assert (first.labels, first.wrong, first.score) == ((1, 0), (0, 1), None)
    assert (second.labels, second.wrong, second.score) == (None, None, 0.25)
