"""The encoder without torch gives the vectors of the encoder with it."""

import numpy as np

from knowledge.encoder import is_own_model, weights_path
from knowledge.encoder.light import LightEncoder

TEXTS = ["显存不够怎么办", "GPU memory", "KV cache 按块分配", "", "?!", "it does not overflow 42"]


def test_same_vectors_as_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer

    path = weights_path()
    model = SentenceTransformer(str(path), device="cpu", local_files_only=True, trust_remote_code=is_own_model(path))
    expected = model.encode(TEXTS, convert_to_numpy=True, show_progress_bar=False)
    np.testing.assert_allclose(LightEncoder().encode(TEXTS), expected, atol=1e-4)


def test_no_texts_give_no_rows() -> None:
    assert LightEncoder().encode([]).shape[0] == 0
