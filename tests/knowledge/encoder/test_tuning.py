"""The teacher that learns Chinese, with the real English teacher on a tiny parallel text."""

import json
from pathlib import Path

import numpy as np
import pytest
from rich.progress import Progress
from sentence_transformers import SentenceTransformer

from knowledge.encoder.__main__ import main
from knowledge.encoder.pairs import Pair, read_pairs
from knowledge.encoder.teacher import default_teacher, embed_texts
from knowledge.encoder.train import Settings, Trained, train_table
from knowledge.encoder.tune import Tuning, teach_chinese
from tests.knowledge.encoder.conftest import WORDS

SMALL = Settings(dimensions=32, epochs=15, batch=64, rate=0.02, minimum=dict.fromkeys(Settings().minimum, 2))
SINGLE = [Pair(zh, en) for zh, en in WORDS]
LONG = Pair("显存" * 40, "a long text about memory")


@pytest.fixture(scope="module")
def pairs(pairs_file: Path) -> list[Pair]:
    return [*list(read_pairs(pairs_file))[:120], *SINGLE, LONG]


@pytest.fixture(scope="module")
def taught(pairs: list[Pair]) -> np.ndarray:
    with Progress(disable=True) as progress:
        return embed_texts([pair.en for pair in pairs], default_teacher(), None, progress)


@pytest.fixture(scope="module")
def first(pairs: list[Pair], taught: np.ndarray) -> Trained:
    with Progress(disable=True) as progress:
        return train_table(pairs, taught, SMALL, progress)


def chinese(pairs: list[Pair], taught: np.ndarray, first: Trained, steps: int) -> np.ndarray:
    """What the Chinese alone says: the mixture without the English half."""
    tuning = Tuning(steps=steps, batch=24, minimum=1)
    with Progress(disable=True) as progress:
        known = teach_chinese(pairs, taught, first, default_teacher(), tuning, progress).astype(np.float32)
    mine = taught.astype(np.float32)
    # |e + z| = 2 cos(half the angle), so z is 2 (known.e) known - e
    both = 2 * (known * mine).sum(1, keepdims=True) * known - mine
    return both


def test_chinese_comes_nearer_to_what_its_english_means(pairs: list[Pair], taught: np.ndarray, first: Trained) -> None:
    near = [
        float((chinese(pairs, taught, first, steps) * taught)[: -len(SINGLE) - 1].sum(1).mean()) for steps in (1, 20)
    ]
    assert near[1] > near[0] + 0.015
    assert near[1] > 0.78


def test_a_long_text_keeps_what_the_teacher_says_of_its_english(
    pairs: list[Pair], taught: np.ndarray, first: Trained
) -> None:
    tuning = Tuning(steps=1, batch=8, minimum=1)
    with Progress(disable=True) as progress:
        known = teach_chinese(pairs, taught, first, default_teacher(), tuning, progress)
    assert known.shape == taught.shape
    assert (known[-1] == taught[-1]).all()
    assert not (known[:-1] == taught[:-1]).all(axis=1).any()
    assert np.linalg.norm(known.astype(np.float32), axis=1) == pytest.approx(1, abs=2e-3)


def test_the_same_seed_teaches_the_same_to_a_rounding(pairs: list[Pair], taught: np.ndarray, first: Trained) -> None:
    some = slice(0, 40)
    one, again = (chinese(pairs[some], taught[some], first, 3) for _ in range(2))
    assert np.abs(one - again).max() < 0.02


def test_the_command_learns_from_the_tuned_teacher(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    rows = [{"zh": zh, "en": en} for zh, en in WORDS] * 12
    pairs.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    command = ["train", str(pairs), "--phrases", "--epochs", "60", "--tune", "2", "--out"]
    assert main([*command, str(tmp_path / "model")]) == 0
    model = SentenceTransformer(str(tmp_path / "model"), local_files_only=True, trust_remote_code=True)
    zh, en = model.encode(["显存", "线程", "磁盘"]), model.encode(["memory", "thread", "disk"])
    assert (zh @ en.T).argmax(axis=1).tolist() == [0, 1, 2]
