"""Trains the cross-encoder: a small multilingual encoder reads a point and what was said, and two numbers come out.

Where an answer's points are labelled, every point is learnt by itself. People grade whole answers: there the weighted
mean of the points' credits is learnt, as `evals.grading.fit` does.
"""

import json
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.progress import Progress
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from knowledge.crossencoder.base import Base
from knowledge.crossencoder.runtime import LONGEST
from knowledge.crossencoder.vocabulary import Kept

_SURE = 1e-4
_TOLD_EVERY = 25


class Taught(NamedTuple):
    """An answer to learn from.

    Attributes:
        pairs: A point and what was said, for each point.
        shares: Of each point in the answer's weight, together 1.
        labels: 0..1 for each point, where they are known.
        wrong: 1 for each point that the answer contradicts, where that is known.
        score: 0..1 for the whole answer, where people gave one.
        weight: In the loss.
    """

    pairs: tuple[tuple[str, str], ...]
    shares: tuple[float, ...]
    labels: tuple[float, ...] | None
    wrong: tuple[float, ...] | None
    score: float | None
    weight: float


class Settings(NamedTuple):
    """How to train. The shipped weights had other rates and frozen layers in their last passes: their card has them.

    Attributes:
        epochs: Passes over the answers.
        tokens: Of a step's pairs, padded, at most.
        rate: AdamW's highest learning rate; it falls to 0. That of the head is five times as high.
        frozen: Layers, from below, that stay as they are; the word vectors always do.
        wrong: Weight of the loss for contradictions.
        dropout: Before the head.
        inner: Dropout in every layer. On a processor drawing it takes two fifths of a step's time, and a run of an hour
            or two does not get as far as learning by heart; a GPU does.
        seed: Of everything random.
    """

    epochs: float = 1.0
    tokens: int = 2_800
    rate: float = 1e-4
    frozen: int = 2
    wrong: float = 0.5
    dropout: float = 0.1
    inner: float = 0.0
    seed: int = 0


def read_taught(path: Path) -> list[Taught]:
    """Answers as `python -m evals.grading pairs` writes them, JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        return [_read(json.loads(line)) for line in lines]


def _read(row: dict[str, Any]) -> Taught:
    optional = {name: None if row[name] is None else tuple(row[name]) for name in ("labels", "wrong")}
    pairs = tuple((point, said) for point, said in row["pairs"])
    return Taught(pairs, tuple(row["shares"]), optional["labels"], optional["wrong"], row["score"], row["weight"])


class Network(nn.Module):
    """The encoder, the mean of what it says of each token, and the head: logits (n, 2)."""

    def __init__(self, base: Base, kept: Kept, dropout: float = 0.0, inner: float = 0.0) -> None:
        super().__init__()
        tensors = {name: torch.from_numpy(values) for name, values in base.tensors.items()}
        words = "embeddings.word_embeddings.weight"
        tensors[words] = tensors[words][torch.from_numpy(kept.rows)]
        config = BertConfig(
            vocab_size=len(kept.pieces),
            hidden_size=base.hidden,
            num_hidden_layers=base.layers,
            num_attention_heads=base.heads,
            intermediate_size=base.inner,
            max_position_embeddings=len(tensors["embeddings.position_embeddings.weight"]),
            type_vocab_size=len(tensors["embeddings.token_type_embeddings.weight"]),
            pad_token_id=1,
            hidden_dropout_prob=inner,
            attention_probs_dropout_prob=inner,
        )
        self.encoder = BertModel(config, add_pooling_layer=False)
        # Fused attention is the slower one on a processor: its backward pass doubles a step's time, and the exporter
        # guards each of its layers against NaN, a third of the time that reading takes.
        self.encoder.set_attn_implementation("eager")
        self.encoder.load_state_dict(tensors)
        self.dense = nn.Linear(base.hidden, base.hidden)
        self.head = nn.Linear(base.hidden, 2)
        self.dropout = nn.Dropout(dropout)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        states = self.encoder(
            input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state.float()
        mask = attention_mask.unsqueeze(-1).float()
        mean = (states * mask).sum(1) / mask.sum(1)
        logits: Tensor = self.head(self.dropout(torch.tanh(self.dense(mean))))
        return logits


def new_network(base: Base, kept: Kept, settings: Settings) -> Network:
    """The base with a head that knows nothing yet; seeds everything random."""
    torch.manual_seed(settings.seed)
    return Network(base, kept, settings.dropout, settings.inner)


class _Read(NamedTuple):
    """An answer as tokens: for each point ids and types."""

    taught: Taught
    ids: list[list[int]]
    types: list[list[int]]

    @property
    def longest(self) -> int:
        return max(map(len, self.ids))


def train(
    network: Network,
    tokenizer: Any,
    taught: Sequence[Taught],
    settings: Settings,
    bar: Progress,
    device: str = "cpu",
) -> Network:
    """The network, trained and in evaluation mode, on the processor.

    On one processor the same seed, threads and libraries give the same weights.

    Args:
        device: As torch names it, to train on.
    """
    head = [*network.dense.parameters(), *network.head.parameters()]
    body = [each for layer in network.encoder.encoder.layer[settings.frozen :] for each in layer.parameters()]
    for still in set(network.encoder.parameters()) - set(body):
        still.requires_grad_(False)
    tokenizer.enable_truncation(LONGEST)
    steps = list(_steps([_tokens(tokenizer, each) for each in taught], settings))
    network.to(device).train()
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": settings.rate}, {"params": head, "lr": 5 * settings.rate}], weight_decay=0.01
    )
    rising = min(100, len(steps) // 10 + 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / rising) * (1 - step / len(steps))
    )
    task = bar.add_task("training", total=len(steps))
    for count, step in enumerate(steps):
        batch = _batch(step, device)
        with torch.autocast(torch.device(device).type, dtype=torch.bfloat16):
            logits = network(batch.tokens, batch.mask, batch.kinds)
        loss = _loss(logits, batch, settings)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_([*body, *head], 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        schedule.step()
        bar.update(task, advance=1)
        if count % _TOLD_EVERY == 0:
            bar.update(task, description=f"training, loss {float(loss.detach()):.2f}")
    return network.to("cpu").eval()


def _tokens(tokenizer: Any, taught: Taught) -> _Read:
    read = tokenizer.encode_batch(list(taught.pairs))
    return _Read(taught, [each.ids for each in read], [each.type_ids for each in read])


def _steps(read: Sequence[_Read], settings: Settings) -> Iterator[list[_Read]]:
    """Batches of answers of about the same length, in random order."""
    choose = random.Random(settings.seed)
    whole = math.ceil(settings.epochs)
    batches: list[list[_Read]] = []
    for _ in range(whole):
        shuffled = choose.sample(read, len(read))
        epoch: list[list[_Read]] = []
        for start in range(0, len(shuffled), 1_200):
            epoch += _cut(sorted(shuffled[start : start + 1_200], key=lambda each: each.longest), settings.tokens)
        batches += choose.sample(epoch, len(epoch))
    yield from batches[: math.ceil(len(batches) * settings.epochs / whole)]


def _cut(read: Sequence[_Read], tokens: int) -> Iterator[list[_Read]]:
    batch: list[_Read] = []
    count = 0
    for each in read:
        if batch and each.longest * (count + len(each.ids)) > tokens:
            yield batch
            batch, count = [], 0
        batch.append(each)
        count += len(each.ids)
    if batch:
        yield batch


class _Batch(NamedTuple):
    """A step's pairs as tensors.

    Attributes:
        tokens: (pairs, longest); `mask` and `kinds` likewise.
        answer: Of each pair, the place of its answer in the step.
        labels: Of each pair, NaN where it is not known; `wrong` likewise.
        shares: Of each pair in its answer.
        scores: Of each answer, NaN where its points are labelled.
        weights: Of each answer.
    """

    tokens: Tensor
    mask: Tensor
    kinds: Tensor
    answer: Tensor
    labels: Tensor
    wrong: Tensor
    shares: Tensor
    scores: Tensor
    weights: Tensor


def _batch(step: Sequence[_Read], device: str = "cpu") -> _Batch:
    ids = [row for each in step for row in each.ids]
    types = [row for each in step for row in each.types]
    shape = len(ids), max(map(len, ids))
    tokens, mask, kinds = (np.zeros(shape, np.int64) for _ in range(3))
    for at, (row, kind) in enumerate(zip(ids, types, strict=True)):
        tokens[at, : len(row)], mask[at, : len(row)], kinds[at, : len(row)] = row, 1, kind
    unknown = [(math.nan,) * len(each.ids) for each in step]
    labels = [each.taught.labels or none for each, none in zip(step, unknown, strict=True)]
    wrong = [(each.taught.labels and each.taught.wrong) or none for each, none in zip(step, unknown, strict=True)]
    return _Batch(
        tokens=torch.from_numpy(tokens).to(device),
        mask=torch.from_numpy(mask).to(device),
        kinds=torch.from_numpy(kinds).to(device),
        answer=torch.tensor([at for at, each in enumerate(step) for _ in each.ids]).to(device),
        labels=_values(chain.from_iterable(labels), device),
        wrong=_values(chain.from_iterable(wrong), device),
        shares=_values(chain.from_iterable(each.taught.shares for each in step), device),
        scores=_values((math.nan if each.taught.labels else each.taught.score or 0.0 for each in step), device),
        weights=_values((each.taught.weight for each in step), device),
    )


def _values(values: Iterable[float], device: str) -> Tensor:
    return torch.tensor(list(values), dtype=torch.float32).to(device)


def _loss(logits: Tensor, batch: _Batch, settings: Settings) -> Tensor:
    """The weighted mean over the answers; a labelled answer has half the sum over its points, so that one of five
    points counts for more than one grade, not five times.
    """
    logits = logits.float()
    by_point = _entropy(logits[:, 0], batch.labels) + settings.wrong * _entropy(logits[:, 1], batch.wrong)
    labelled = torch.zeros_like(batch.weights).index_add(0, batch.answer, by_point) / 2
    credits = torch.sigmoid(logits[:, 0]) * batch.shares
    means = torch.zeros_like(batch.weights).index_add(0, batch.answer, credits).clamp(_SURE, 1 - _SURE)
    graded = ~batch.scores.isnan()
    whole = functional.binary_cross_entropy(means, batch.scores.nan_to_num(), reduction="none")
    return (batch.weights * torch.where(graded, whole, labelled)).sum() / batch.weights.sum()


def _entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """Of each pair, 0 where the label is not known."""
    known = ~labels.isnan()
    entropy = functional.binary_cross_entropy_with_logits(logits, labels.nan_to_num(), reduction="none")
    return torch.where(known, entropy, torch.zeros_like(entropy))
