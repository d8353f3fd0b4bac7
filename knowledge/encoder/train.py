"""Training: one table of feature vectors for both languages, pulled to the teacher's space and to each other."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import Progress
from torch import Tensor
from torch.nn import functional

from knowledge.encoder.features import FeatureKind
from knowledge.encoder.modules import FeatureBag, quantize
from knowledge.encoder.pairs import Bags, Pair, choose_vocabulary, pack_bags, read_features, take_bags

ALIKE = 0.93  # cosine of two teacher vectors from which on two pairs of a batch say the same: no negatives
WARM_UP = 50  # steps


class Settings(NamedTuple):
    """How to train. The defaults made the shipped weights.

    Attributes:
        dimensions: Length of a vector.
        epochs: Passes over the pairs.
        batch: Pairs of a step; the others of a batch are its negatives.
        rate: Adam's highest learning rate; it falls to 0.
        drop: Share of the features left out of each text at each step.
        temperature: Of the contrastive losses.
        pull: Weight of the cosine to the teacher's vector.
        minimum: Texts that a feature of each kind must occur in to have a vector.
        features: Most features whose vectors are kept, the most frequent: they make the size of the model.
        seed: Of everything random.
    """

    dimensions: int = 256
    epochs: float = 4
    batch: int = 2048
    rate: float = 4e-3
    drop: float = 0.12
    temperature: float = 0.05
    pull: float = 5
    minimum: dict[FeatureKind, int] = {"character": 4, "neighbours": 8, "word": 4, "latin": 5, "piece": 12}
    features: int = 92_000
    seed: int = 0


class Trained(NamedTuple):
    """What training gives.

    Attributes:
        vocabulary: The V features.
        table: float32, (V, dimensions).
        losses: The loss of each step.
    """

    vocabulary: list[str]
    table: Tensor
    losses: list[float]


class Texts(NamedTuple):
    """What is trained on: the bags of both languages and, row for row, the teacher's vectors (none: no teacher)."""

    zh: Bags
    en: Bags
    taught: NDArray[np.float16] | None


def train_table(
    pairs: Sequence[Pair], taught: NDArray[np.float16] | None, settings: Settings, progress: Progress
) -> Trained:
    """Learns a vector for each feature that occurs often enough in the pairs.

    Args:
        pairs: N pairs; one that counts more is there more than once.
        taught: The teacher's unit vectors of the English texts, (N, T); None trains on the pairs alone.
        settings: How to train.
        progress: Where the bars go.
    """
    task = progress.add_task("features", total=2)
    zh = read_features([pair.zh for pair in pairs])
    progress.advance(task)
    en = read_features([pair.en for pair in pairs])
    progress.advance(task)
    vocabulary = choose_vocabulary((*zh, *en), settings.minimum.__getitem__)
    texts = Texts(pack_bags(zh, vocabulary), pack_bags(en, vocabulary), taught)
    del zh, en
    student = Student(len(vocabulary), settings, taught.shape[1] if taught is not None else settings.dimensions)
    losses = list(_steps(student, texts, settings, progress))
    kept = slice(settings.features)
    return Trained(vocabulary[kept], student.fold()[kept], losses)


class Student(torch.nn.Module):
    """The table and, while training, a linear map to the teacher's T dimensions."""

    def __init__(self, features: int, settings: Settings, taught: int) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(settings.seed)
        size = settings.dimensions
        self.table = torch.nn.Parameter(torch.randn(features, size, generator=random) * 0.8 / size**0.5)
        self.map = torch.nn.Parameter(torch.randn(size, taught, generator=random) / size**0.5)

    def forward(self, bags: Bags) -> Tensor:
        """Unit vectors, (texts, T)."""
        unit: Tensor = functional.normalize(sum_features(bags, self.table) @ self.map, dim=1)
        return unit

    @torch.no_grad()
    def fold(self) -> Tensor:
        """The table with the map folded in, (features, dimensions): the same cosines in fewer dimensions (QR)."""
        turned: Tensor = torch.linalg.qr(self.map.T.double()).R
        return (self.table.double() @ turned.T).float()


def sum_features(bags: Bags, table: Tensor) -> Tensor:
    """The weighted sums of the bags' rows of the table, not normalised, (texts, dimensions)."""
    return functional.embedding_bag(
        torch.from_numpy(bags.rows.astype(np.int64)),
        table,
        torch.from_numpy(bags.starts),
        mode="sum",
        per_sample_weights=torch.from_numpy(bags.weights),
        include_last_offset=True,
    )


def _steps(student: Student, texts: Texts, settings: Settings, progress: Progress) -> Iterator[float]:
    """Trains step by step and gives each step's loss."""
    random = np.random.default_rng(settings.seed)
    count = len(texts.zh.starts) - 1
    batch = min(settings.batch, count)
    steps = max(1, round(settings.epochs * count / batch))
    groups: list[dict[str, Any]] = [{"params": [student.table]}, {"params": [student.map], "rate": 0.3}]
    optimizer = torch.optim.Adam(groups, lr=settings.rate, betas=(0.9, 0.98), fused=True)
    task = progress.add_task("training", total=steps)
    for step, chosen in enumerate(shuffled(count, batch, steps, random)):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * group.get("rate", 1.0) * min(1, (step + 1) / WARM_UP) * (1 - step / steps)
        loss = _loss(student, texts, chosen, settings, random)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        progress.update(task, advance=1, description=f"training, loss {loss.item():.3f}")
        yield loss.item()


def shuffled(count: int, batch: int, steps: int, random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """So many batches, the pairs in a new order at each pass; a pass's remainder is left out."""
    order = random.permutation(0)
    for _ in range(steps):
        if len(order) < batch:
            order = random.permutation(count)
        yield order[:batch]
        order = order[batch:]


def _loss(
    student: Student, texts: Texts, chosen: NDArray[np.int64], settings: Settings, random: np.random.Generator
) -> Tensor:
    """Cosine to the teacher for both languages, and zh found among the batch's English and teacher vectors."""
    zh = student(take_bags(texts.zh, chosen, settings.drop, random))
    en = student(take_bags(texts.en, chosen, settings.drop, random))
    taught = None if texts.taught is None else torch.from_numpy(texts.taught[chosen].astype(np.float32))
    meaning = en.detach() if taught is None else taught
    same = alike(meaning)
    scores = _scores(zh, en, same, settings)
    loss = find_partner(scores) + 0.5 * find_partner(scores.T)
    if taught is not None:
        pull = (1 - (zh * taught).sum(1)).mean() + (1 - (en * taught).sum(1)).mean()
        loss = loss + settings.pull * pull + find_partner(_scores(zh, taught, same, settings))
    return loss


def alike(meaning: Tensor) -> Tensor:
    """Which pairs of a batch say the same and so are no negatives of each other; no pair itself: bool (rows, rows)."""
    return (_cosines(meaning, meaning) >= ALIKE) & ~torch.eye(len(meaning), dtype=torch.bool)


def _scores(left: Tensor, right: Tensor, same: Tensor, settings: Settings) -> Tensor:
    """Logits, (rows, rows): partners on the diagonal; what says the same is ruled out."""
    return (_cosines(left, right) / settings.temperature).masked_fill(same, -1e4)


def find_partner(scores: Tensor) -> Tensor:
    """The cross-entropy of each row's partner, which stands on the diagonal."""
    loss: Tensor = functional.cross_entropy(scores, torch.arange(len(scores)))
    return loss


def _cosines(left: Tensor, right: Tensor) -> Tensor:
    """Of unit rows, (rows of left, rows of right); bfloat16 is exact to .004, and three times as fast."""
    return (left.bfloat16() @ right.bfloat16().T).float()


def save_model(trained: Trained, folder: Path) -> None:
    """Writes the model in the on-disk format of sentence-transformers: int8 vectors, then normalised."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Normalize

    bag = FeatureBag(trained.vocabulary, *quantize(trained.table))
    model = SentenceTransformer(modules=[bag, Normalize()], device="cpu")
    model.save(str(folder), create_model_card=False)
