"""The training command, on a tiny parallel text: it learns, it writes a model that loads, and it repeats itself."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.progress import Progress
from sentence_transformers import SentenceTransformer

from knowledge.encoder import is_own_model
from knowledge.encoder.__main__ import main
from knowledge.encoder.features import feature_kind, list_features
from knowledge.encoder.modules import quantize
from knowledge.encoder.pairs import Pair, choose_vocabulary, pack_bags, read_pairs, take_bags
from knowledge.encoder.train import Settings, train_table

SMALL = Settings(dimensions=16, epochs=15, batch=64, rate=0.02, minimum=dict.fromkeys(Settings().minimum, 2))


def train(pairs_file: Path, out: Path, *more: str) -> Path:
    command = [
        "train",
        str(pairs_file),
        "--out",
        str(out),
        "--teacher",
        "none",
        "--repeat",
        "0",
        "--epochs",
        "8",
        "--threads",
        "1",
    ]
    assert main([*command, *more]) == 0
    return out


def load(folder: Path) -> SentenceTransformer:
    assert is_own_model(folder)
    return SentenceTransformer(str(folder), local_files_only=True, trust_remote_code=True)


def test_loss_goes_down_and_partners_find_each_other(pairs_file: Path) -> None:
    pairs = list(read_pairs(pairs_file))
    with Progress(disable=True) as progress:
        trained = train_table(pairs, None, SMALL, progress)
    assert np.mean(trained.losses[-10:]) < 0.5 * trained.losses[0]
    assert trained.table.shape == (len(trained.vocabulary), 16)


def test_command_writes_a_model_that_loads_and_has_learnt(pairs_file: Path, tmp_path: Path) -> None:
    model = load(train(pairs_file, tmp_path / "model"))
    zh = model.encode(["显存，增长", "线程，停止", "磁盘，变慢"])
    en = model.encode(["memory, grows", "thread, stops", "disk, becomes slow"])
    assert (zh @ en.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_same_seed_gives_the_same_weights(pairs_file: Path, tmp_path: Path) -> None:
    first, again, other = (
        train(pairs_file, tmp_path / name, "--seed", seed) for name, seed in (("a", "5"), ("b", "5"), ("c", "6"))
    )
    read = [(folder / "vectors.safetensors").read_bytes() for folder in (first, again, other)]
    assert read[0] == read[1]
    assert read[0] != read[2]
    assert (first / "vocabulary.txt").read_text() == (again / "vocabulary.txt").read_text()


def test_where_phrases_change_the_teacher_reads_them_alone_again(
    pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[str]] = []

    def embed(texts: list[str], folder: Path, progress: Progress) -> np.ndarray:
        read.append(list(texts))
        return np.random.default_rng(len(texts)).normal(size=(len(texts), 8)).astype(np.float16)

    monkeypatch.setattr("knowledge.encoder.teacher._embed", embed)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    phrases = tmp_path / "phrases.jsonl"
    for said in ("memory out", "memory overflow"):
        phrases.write_text(json.dumps({"zh": "爆显存", "en": said}, ensure_ascii=False), encoding="utf-8")
        more = ("--tune", "0", "--teacher", str(tmp_path), "--cache", str(tmp_path / "kept"), "--phrases", str(phrases))
        train(pairs_file, tmp_path / "model", *more, "--repeat", "3")
    assert len(read[0]) > 1
    assert read[1:] == [["memory out"], ["memory overflow"]]


def test_teacher_pulls_both_languages_to_its_space() -> None:
    pairs = [Pair("显存不足", "out of memory"), Pair("线程安全", "thread safety")] * 40
    taught = np.zeros((80, 24), dtype=np.float16)
    taught[0::2, 0] = taught[1::2, 1] = 1
    with Progress(disable=True) as progress:
        trained = train_table(pairs, taught, SMALL._replace(batch=16), progress)
    assert np.mean(trained.losses[-10:]) < 0.3 * trained.losses[0]


def test_a_folder_that_names_foreign_code_is_not_trusted(tmp_path: Path) -> None:
    assert not is_own_model(tmp_path)
    for foreign in ("os.system", "knowledge.encoder.modules.Other", "modules.FeatureBag"):
        rows = [{"type": "knowledge.encoder.modules.FeatureBag"}, {"type": foreign}]
        (tmp_path / "modules.json").write_text(json.dumps(rows))
        assert not is_own_model(tmp_path)


def test_pairs_are_read_from_gzip_and_from_lists_of_equivalents(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl.gz"
    rows = [{"zh": ["卡死", "卡住"], "en": ["hang", "stuck"]}, {"zh": "日志", "en": "logs", "source": "x"}]
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    assert list(read_pairs(path)) == [
        Pair("卡死", "hang"),
        Pair("卡死", "stuck"),
        Pair("卡住", "hang"),
        Pair("卡住", "stuck"),
        Pair("日志", "logs"),
    ]


def test_pairs_are_read_from_whatever_a_bank_says_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "bank.yaml"
    path.write_text(
        "questions:\n- id: a\n  question: {zh: 问, en: ask}\n  aliases: {zh: [一], en: [one]}\n"
        "  reference:\n    zh: |\n      甲\n\n      乙\n    en: |\n      first\n\n      second\n",
        encoding="utf-8",
    )
    assert list(read_pairs(path)) == [Pair("问", "ask"), Pair("甲", "first"), Pair("乙", "second")]


def test_vocabulary_asks_for_as_many_texts_as_its_kind_needs() -> None:
    texts = [list_features(text) for text in ("显存 cache", "显存 caches", "显卡 log")]
    kept = choose_vocabulary(texts, lambda kind: 2)
    assert {"显", "显存", "=显存", "#<cac"} <= set(kept)
    assert {"卡", "log", "caches"}.isdisjoint(kept)
    assert {feature_kind(f) for f in kept} == {"character", "neighbours", "word", "piece"}


def test_bags_hold_the_root_of_each_count_and_drop_what_is_unknown() -> None:
    bags = pack_bags([["a", "b", "a", "z"], [], ["b"]], ["a", "b"])
    assert bags.starts.tolist() == [0, 2, 2, 3]
    assert dict(zip(bags.rows[:2].tolist(), bags.weights[:2].tolist(), strict=True)) == pytest.approx({0: 2**0.5, 1: 1})
    taken = take_bags(bags, np.array([2, 1, 0]), 0.0, np.random.default_rng(0))
    assert taken.starts.tolist() == [0, 1, 1, 3]
    assert taken.rows.tolist() == [1, 0, 1]


def test_quantised_vectors_stay_within_half_a_step() -> None:
    table = torch.randn(50, 8, generator=torch.Generator().manual_seed(0))
    vectors, scales = quantize(table)
    assert vectors.dtype == torch.int8
    assert bool(((vectors.float() * scales[:, None] - table).abs() <= scales[:, None] * 0.501).all())
