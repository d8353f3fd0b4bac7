"""Takes the mean of weights before and after a further training: it keeps more of what the first ones knew, and does
better on what neither has seen (Wortsman and others, Robust fine-tuning of zero-shot models, 2022)."""

from pathlib import Path

import torch

from interviewer.errors import InterviewerError
from knowledge.crossencoder.base import Base
from knowledge.crossencoder.restore import restore_pieces, restore_weights
from knowledge.crossencoder.train import Network, Settings, new_network
from knowledge.crossencoder.vocabulary import Kept


def average(base: Base, before: Path, after: Path, share: float) -> tuple[Network, Kept]:
    """The network between two trained ones, in evaluation mode, and the pieces that both know.

    Args:
        before: Folder of trained weights; `after` likewise.
        share: 0..1, of the second.

    Raises:
        InterviewerError: if one of them is no export of the base's network, or their tokenizers differ.
    """
    kept = restore_pieces(before, base)
    if restore_pieces(after, base).pieces != kept.pieces:
        raise InterviewerError(
            f"{before} and {after} have different tokenizers.",
            next_step="Name weights that were trained on from one another with --start.",
        )
    first, second = (new_network(base, kept, Settings()) for _ in range(2))
    restore_weights(first, before)
    restore_weights(second, after)
    with torch.no_grad():
        for own, other in zip(first.parameters(), second.parameters(), strict=True):
            own.lerp_(other, share)
    return first.eval(), kept
