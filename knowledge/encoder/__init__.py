"""The built-in zh/en encoder: its name and where its weights are; `python -m knowledge.encoder` trains and measures it.

It loads as any other model, without a network: `SentenceTransformer(path, trust_remote_code=is_own_model(path))`.
Importing this package reads no weights and imports neither torch nor jieba.
"""

import json
from pathlib import Path

BUILTIN_NAME = "interviewer-zh-en-v1"
"""The model's name, as settings and the index know it."""

VERSION = "3"
"""Counts up whenever the shipped weights or the features change, so that no index mixes two."""

_MODULE = "knowledge.encoder.modules.FeatureBag"


def weights_path() -> Path:
    """The folder of the shipped weights, in the on-disk format of sentence-transformers."""
    return Path(__file__).resolve().parent / "weights"


def is_own_model(folder: str | Path) -> bool:
    """Whether the folder holds a model trained here, whose only foreign module is this package's.

    sentence-transformers loads a module from outside its own package only with `trust_remote_code=True`, installed or
    not. For such a folder that is safe: the class named is this package's, and nothing else is imported.
    """
    modules = Path(folder) / "modules.json"
    if not modules.is_file():
        return False
    types = {str(module["type"]) for module in json.loads(modules.read_text(encoding="utf-8"))}
    return _MODULE in types and all(t == _MODULE or t.startswith("sentence_transformers.") for t in types)
