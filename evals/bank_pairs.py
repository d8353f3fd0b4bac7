"""The bank's questions in both languages as parallel text, for training the encoder.

python -m evals.bank_pairs OUT.jsonl

Questions of the training split alone: what the encoder has read of the others would flatter every figure on them.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from evals.answers import split
from knowledge.bank import FOLDER
from knowledge.encoder.pairs import Pair, bank_pairs


def training_pairs() -> Iterator[Pair]:
    """Whatever a question of the training split says in Chinese and in English."""
    for path in sorted(FOLDER.glob("*.yaml")):
        for question in yaml.safe_load(path.read_text(encoding="utf-8"))["questions"]:
            if split(question["id"]) == "train":
                yield from bank_pairs(question)


def main(out: str) -> None:
    """Writes the pairs as JSON Lines."""
    lines = (json.dumps(pair._asdict(), ensure_ascii=False) for pair in training_pairs())
    Path(out).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
