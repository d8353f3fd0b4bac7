"""The encoder as a sentence-transformers module: a text is the weighted sum of its features' vectors.

Imported by sentence-transformers when it reads `modules.json`; nothing else of the product needs it.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import torch
from safetensors.torch import load_file, save_file
from sentence_transformers.base.modules import InputModule
from torch import Tensor

from knowledge.encoder.features import list_features

_VOCABULARY = "vocabulary.txt"
_VECTORS = "vectors.safetensors"


class FeatureBag(InputModule):
    """Sums, over the distinct features of a text, sqrt(count) times the feature's vector.

    The root dampens a term that a long text repeats. A text without any known feature is the zero vector: it is like
    nothing, and its cosine with every text is 0.

    Args:
        vocabulary: The V features that have a vector.
        vectors: int8, (V, dimensions).
        scales: float32, (V,): what a row of `vectors` is multiplied with.
    """

    save_in_root = True
    vectors: Tensor
    scales: Tensor

    def __init__(self, vocabulary: Sequence[str], vectors: Tensor, scales: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if not len(vocabulary) == len(vectors) == len(scales):
            raise ValueError(f"{len(vocabulary)} features, {len(vectors)} vectors and {len(scales)} scales")
        self.rows = {feature: row for row, feature in enumerate(vocabulary)}
        self.register_buffer("vectors", vectors)
        self.register_buffer("scales", scales)

    @property
    def max_seq_length(self) -> float:
        """No limit; features.MAX_CHARACTERS bounds what is read."""
        return float("inf")

    def get_embedding_dimension(self) -> int:
        """Length of a vector."""
        return int(self.vectors.shape[1])

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: Any) -> dict[str, Tensor]:
        """Texts to `feature_rows` (n,), their `feature_weights` (n,) and how many each text has, `feature_counts`."""
        bags = [self._weigh((prompt or "") + str(text)) for text in inputs]
        return {
            "feature_rows": torch.tensor([row for bag in bags for row in bag], dtype=torch.long),
            "feature_weights": torch.tensor([n for bag in bags for n in bag.values()], dtype=torch.float32).sqrt(),
            "feature_counts": torch.tensor([len(bag) for bag in bags], dtype=torch.long),
        }

    def _weigh(self, text: str) -> Counter[int]:
        """How often each row of the table occurs in the text."""
        rows = self.rows
        return Counter([rows[feature] for feature in list_features(text) if feature in rows])

    def forward(self, features: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Adds `sentence_embedding`, float32 (texts, dimensions), not normalised."""
        counts = features["feature_counts"].tolist()
        rows = features["feature_rows"].split(counts)
        weights = features["feature_weights"].split(counts)
        sums = [self._sum(r, w) for r, w in zip(rows, weights, strict=True)]
        features["sentence_embedding"] = torch.stack(sums)
        return features

    def _sum(self, rows: Tensor, weights: Tensor) -> Tensor:
        return (weights * self.scales[rows]) @ self.vectors[rows].float()

    def save(self, output_path: str, *args: Any, safe_serialization: bool = True, **kwargs: Any) -> None:
        """Writes the vocabulary, one feature a line, and the vectors."""
        folder = Path(output_path)
        (folder / _VOCABULARY).write_text("".join(f"{feature}\n" for feature in self.rows), encoding="utf-8")
        save_file({"vectors": self.vectors.contiguous(), "scales": self.scales}, folder / _VECTORS)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", *args: Any, **kwargs: Any) -> Self:
        """Reads what `save` wrote; from a folder only, never from a hub."""
        folder = Path(model_name_or_path, subfolder)
        if not (folder / _VECTORS).is_file():
            raise FileNotFoundError(f"There are no encoder weights in {folder}.")
        vocabulary = (folder / _VOCABULARY).read_text(encoding="utf-8").split("\n")[:-1]
        stored = load_file(folder / _VECTORS)
        return cls(vocabulary, stored["vectors"], stored["scales"])


def quantize(table: Tensor) -> tuple[Tensor, Tensor]:
    """A float table (V, d) as int8 rows (V, d) and their scales, float32 (V,)."""
    scales = table.abs().amax(dim=1).clamp_min(1e-9) / 127
    return torch.round(table / scales[:, None]).to(torch.int8), scales.float()
