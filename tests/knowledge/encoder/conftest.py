"""A tiny made-up parallel text, and an encoder trained on it in a second."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

WORDS = [
    ("显存", "memory"),
    ("训练", "training"),
    ("推理", "inference"),
    ("梯度", "gradient"),
    ("缓存", "cache"),
    ("日志", "logs"),
    ("线程", "thread"),
    ("量化", "quantization"),
    ("网络", "network"),
    ("磁盘", "disk"),
    ("变慢", "becomes slow"),
    ("失败", "fails"),
    ("增长", "grows"),
    ("停止", "stops"),
    ("启动", "starts"),
    ("检查", "check"),
]


@pytest.fixture(scope="session")
def pairs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hundred pairs of three words each."""
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for _ in range(400):
            said = draw.sample(WORDS, 3)
            row = {"zh": "，".join(zh for zh, _ in said), "en": ", ".join(en for _, en in said)}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """Tiny sums on several threads mostly wait for each other where tests run side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
