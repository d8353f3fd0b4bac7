"""The tokenizer: pieces of Chinese and English alone; a table for a hundred languages would be most of the model."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_PAD, _UNKNOWN = 1, 3
_CHINESE = re.compile("▁?[\u4e00-\u9fff]+")
_LATIN = re.compile("▁?[!-~]+")


class Kept(NamedTuple):
    """The pieces that are kept, in their old order, which starts with `SPECIAL`; `rows` are their old places."""

    pieces: list[str]
    scores: list[float]
    rows: NDArray[np.int64]


def keep_pieces(pieces: Sequence[str], scores: Sequence[float], texts: Iterable[str], size: int) -> Kept:
    """The pieces that `texts` use, all Chinese ones, and the commonest of Latin letters until there are `size`."""
    tokenizer = build_tokenizer(pieces, scores)
    used: Counter[int] = Counter()
    for text in texts:
        used.update(tokenizer.encode(text, add_special_tokens=False).ids)
    wanted = {*range(len(SPECIAL)), *used, *(at for at, piece in enumerate(pieces) if _CHINESE.fullmatch(piece))}
    latin = (at for at, piece in enumerate(pieces) if _LATIN.fullmatch(piece) and at not in wanted)
    for at in sorted(latin, key=lambda at: -scores[at])[: max(0, size - len(wanted))]:
        wanted.add(at)
    rows = sorted(wanted)
    return Kept([pieces[at] for at in rows], [scores[at] for at in rows], np.array(rows, np.int64))


def build_tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> Any:
    """A `tokenizers.Tokenizer`: `<s> first </s> </s> second </s>`, the second text of type 1 together with its end."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=_UNKNOWN, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"[\s\u200b]+"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s>:0 $A:0 </s>:0 </s>:1 $B:1 </s>:1",
        special_tokens=[(name, at) for at, name in enumerate(SPECIAL) if name in ("<s>", "</s>")],
    )
    return tokenizer
