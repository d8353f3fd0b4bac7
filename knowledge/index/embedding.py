"""Embedding models behind one small contract; sentence-transformers and torch are imported when a model needs them."""

import threading
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from interviewer.errors import EmbeddingError
from knowledge.encoder import is_own_model
from knowledge.encoder.light import LightEncoder
from knowledge.index.echoes import Rows, Terms
from knowledge.index.models import ModelPlace, locate_model

Vectors = NDArray[np.float32]

PROBE_TIMEOUT = 5.0  # seconds for the model hub to say that it has a model
BATCH = 32
MAX_UNKNOWN = 0.1  # share of the tokens of Chinese text above which a model does not know the script
MAX_TOKENS = 1.5  # tokens for one Chinese character above which a model only spells out its bytes
ALIKE = 0.4  # cosine of unrelated Chinese sentences above which a model can't tell them apart

_CHINESE = (
    "模型训练时显存不足应该怎样排查",
    "周末我们打算去爬山看日出",
    "数据库的事务隔离级别有什么区别",
    "这家餐馆的招牌菜是清蒸鲈鱼",
)
_E5_PROMPTS = {"query": "query: ", "document": "passage: "}


class Embedder(Protocol):
    """Maps texts to vectors whose dot product says how alike their meaning is.

    Attributes:
        name: The model's name, as the index records it.
        version: Names the weights.
        dimensions: Length of a vector.
        reads_chinese: False for a model that sees Chinese as unknown characters: it must never rank Chinese text.
    """

    name: str
    version: str
    dimensions: int
    reads_chinese: bool

    def encode(self, texts: list[str], *, query: bool = False) -> Vectors:
        """One unit row for each text; `query` for what is looked for rather than looked through."""
        ...


class SentenceTransformerEmbedder:
    """Any sentence-transformers model. Safe to use from several threads, one at a time."""

    def __init__(self, model: Any, place: ModelPlace) -> None:
        self._model = model
        self._lock = threading.Lock()
        self.name = place.name
        self.version = place.version
        self.dimensions = int(self.encode(["?"]).shape[1])
        self.reads_chinese = reads_chinese(self)

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer, or None where it has none of the usual kind."""
        return getattr(self._model[0], "tokenizer", None)

    def encode(self, texts: list[str], *, query: bool = False) -> Vectors:
        encode = self._model.encode_query if query else self._model.encode_document
        with self._lock:
            rows = encode(texts, batch_size=BATCH, show_progress_bar=False, normalize_embeddings=True)
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), -1)


class BagEmbedder:
    """A model of `knowledge.encoder`, by numpy alone: the vectors that sentence-transformers gives, without torch.

    Its terms are the encoder's features; it is a `knowledge.index.echoes.TermEncoder`.
    """

    def __init__(self, place: ModelPlace) -> None:
        self._encoder = LightEncoder(Path(place.source))
        self.name = place.name
        self.version = place.version
        self.dimensions = int(self.encode(["?"]).shape[1])
        self.reads_chinese = tells_chinese_apart(self)

    def encode(self, texts: list[str], *, query: bool = False) -> Vectors:
        return self._encoder.encode(texts)

    def read_terms(self, text: str) -> Terms:
        return Terms(*self._encoder.read_bag(text))

    def term_vectors(self, rows: Rows) -> Vectors:
        return self._encoder.feature_vectors(rows)


def load_embedder(setting: str) -> Embedder | None:
    """The model a setting means, loaded; downloaded first where it is on the model hub only.

    None where the setting is empty and no encoder is built in: then words alone are searched.

    Raises:
        EmbeddingError: within seconds, if there is no such model or the hub can't be reached. Another model is never
            taken in its place.
    """
    place = locate_model(setting)
    if place is None:
        return None
    if place.here:
        try:
            return _load(place, offline=True)
        except EmbeddingError:
            if not place.hub:
                raise
    probe_hub(place.source)
    loaded = _load(place, offline=False)
    loaded.version = (locate_model(setting) or place).version
    return loaded


def _load(place: ModelPlace, *, offline: bool) -> "SentenceTransformerEmbedder | BagEmbedder":
    try:
        if not place.hub and is_own_model(place.source):
            return BagEmbedder(place)
        return _load_transformer(place, offline=offline)
    except Exception as error:
        raise EmbeddingError(
            f"The embedding model {place.name!r} can't be loaded: {_first_line(error)}",
            next_step="Check that the model is complete and works with sentence-transformers, or choose another one "
            "in INTERVIEWER_EMBEDDING_MODEL (empty for the built-in model).",
        ) from error


def _load_transformer(place: ModelPlace, *, offline: bool) -> SentenceTransformerEmbedder:
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # it would draw over the build's own
    model = SentenceTransformer(place.source, local_files_only=offline)
    if "e5" in place.name.lower() and not any(model.prompts.values()):
        model.prompts = dict(_E5_PROMPTS)
    return SentenceTransformerEmbedder(model, place)


def probe_hub(name: str) -> None:
    """Asks the model hub for a model, with a short timeout.

    Raises:
        EmbeddingError: if the hub can't be reached or has no such model.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.constants import ENDPOINT, is_offline_mode
    from huggingface_hub.errors import RepositoryNotFoundError

    if is_offline_mode():
        raise _not_here(name, "the machine is set to work offline (HF_HUB_OFFLINE)")
    names = (name,) if "/" in name else (f"sentence-transformers/{name}", name)
    for candidate in names:
        try:
            HfApi().model_info(candidate, timeout=PROBE_TIMEOUT)
        except RepositoryNotFoundError:
            continue
        except Exception as error:
            raise _not_here(name, f"the model hub at {ENDPOINT} can't be reached ({_first_line(error)})") from error
        return
    raise _not_here(name, f"the model hub at {ENDPOINT} has no such model, or none that you may read")


def _not_here(name: str, reason: str) -> EmbeddingError:
    return EmbeddingError(
        f"The embedding model {name!r} is not on this machine, and {reason}.",
        next_step="Put the model's folder on this machine and set INTERVIEWER_EMBEDDING_MODEL to its path, or leave "
        "the setting empty for the built-in model.",
    )


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


def reads_chinese(embedder: SentenceTransformerEmbedder) -> bool:
    """Whether the model knows Chinese script, told by its tokenizer, or by its vectors where it has none."""
    tokenizer = embedder.tokenizer
    if not callable(tokenizer):
        return tells_chinese_apart(embedder)
    text = "".join(_CHINESE)
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    unknown = sum(1 for number in ids if number == tokenizer.unk_token_id)
    return bool(ids) and unknown / len(ids) <= MAX_UNKNOWN and len(ids) / len(text) <= MAX_TOKENS


def tells_chinese_apart(embedder: SentenceTransformerEmbedder | BagEmbedder) -> bool:
    """Whether unrelated Chinese sentences get unlike vectors."""
    rows = embedder.encode(list(_CHINESE))
    alike = rows @ rows.T
    others = len(rows) * (len(rows) - 1)
    return bool(rows.any()) and float((alike.sum() - len(rows)) / others) < ALIKE
