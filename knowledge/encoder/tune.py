"""A teacher that reads Chinese: the English teacher, frozen, with vectors of its own for Chinese words and characters.

Multilingual models can't be had where this is trained. The teacher's layers know what a text means once its words stand
where English words of that meaning stand; so each Chinese word starts among the English words nearest to it in a first
encoder's space, and only these vectors are tuned, on pairs, until the Chinese text comes near the English one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import Progress
from torch import Tensor
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from interviewer.segmenting import cut_words
from knowledge.encoder.features import list_features, list_runs
from knowledge.encoder.pairs import Pair, pack_bags
from knowledge.encoder.teacher import BATCH
from knowledge.encoder.train import WARM_UP, Trained, alike, find_partner, shuffled, sum_features

_STARTS_AMONG = 2_048  # Chinese words whose neighbours are looked for at once


class Tuning(NamedTuple):
    """How to tune. The defaults made the shipped weights.

    Attributes:
        steps: How many batches.
        batch: Pairs of a step; the others of a batch are its negatives.
        rate: Adam's highest learning rate; it falls to 0.
        temperature: Of the contrastive loss, and of the first mean of neighbours.
        pull: Weight of the cosine to the teacher's vector.
        neighbours: English words whose mean a Chinese word starts as.
        minimum: Texts that a word or character must occur in to have a vector.
        first_epochs: Passes over the pairs for the encoder in whose space neighbours are looked for.
        longest: Characters of a Chinese text that is tuned on and given a vector; longer ones take too long to read.
        seed: Of everything random.
    """

    steps: int = 1_600
    batch: int = 128
    rate: float = 2e-3
    temperature: float = 0.05
    pull: float = 5
    neighbours: int = 10
    minimum: int = 3
    first_epochs: float = 1
    longest: int = 50
    seed: int = 0


def teach_chinese(
    pairs: Sequence[Pair],
    taught: NDArray[np.float16],
    first: Trained,
    teacher: Path,
    tuning: Tuning,
    progress: Progress,
) -> NDArray[np.float16]:
    """What to learn from: the mean of what the teacher says of the English text and, tuned, of the Chinese one.

    Args:
        pairs: N pairs; one that counts more is there more than once.
        taught: The teacher's unit vectors of the English texts, (N, T).
        first: An encoder trained on the same pairs, in whose space English words near a Chinese one are looked for.
        teacher: Folder of a BERT-like sentence-transformers model that means its tokens.
        tuning: How to tune.
        progress: Where the bars go.

    Returns:
        Unit vectors, float16 (N, T); those of pairs whose Chinese is longer than `tuning.longest` are the teacher's.
    """
    short = [i for i, pair in enumerate(pairs) if len(pair.zh) <= tuning.longest]
    place = {text: i for i, text in enumerate(sorted({pairs[i].zh for i in short}))}
    reader = ChineseReader(list(place), first, teacher, tuning)
    of_text = np.array([place[pairs[i].zh] for i in short])
    for _ in _steps(reader, of_text, taught[short], tuning, progress):
        pass
    chinese = reader.read_all(progress)[of_text]
    mixed = taught[short].astype(np.float32) + chinese
    known = taught.copy()
    known[short] = mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9)
    return known


class ChineseReader(torch.nn.Module):
    """The teacher's layers, and a table for what it has no tokens for.

    Args:
        texts: What is to be read; words that occur in enough of them get a vector.
        first: In whose space a word's first neighbours are looked for.
        teacher: Folder of the teacher.
        tuning: How.
    """

    def __init__(self, texts: Sequence[str], first: Trained, teacher: Path, tuning: Tuning) -> None:
        super().__init__()
        self._tokenizer = AutoTokenizer.from_pretrained(teacher, local_files_only=True)
        self._layers = AutoModel.from_pretrained(teacher, local_files_only=True).requires_grad_(False).eval()
        counts = Counter(word for text in texts for word in set(_chinese(text)))
        self._words = sorted(word for word, count in counts.items() if count >= tuning.minimum)
        known: Tensor = self._layers.get_input_embeddings().weight
        self.table = torch.nn.Parameter(_start(self._words, first, self._tokenizer.get_vocab(), known, tuning))
        self._rows = {word: len(known) + i for i, word in enumerate(self._words)}
        self._latin = lru_cache(maxsize=None)(self._tokenize)
        self._ids = [self._read(text) for text in texts]

    def forward(self, rows: Sequence[int]) -> Tensor:
        """Unit vectors of the texts of these numbers, (rows, T)."""
        lengths = torch.tensor([len(self._ids[row]) for row in rows])
        ids = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
        for i, row in enumerate(rows):
            ids[i, : len(self._ids[row])] = torch.tensor(self._ids[row])
        mask = torch.arange(ids.shape[1]) < lengths[:, None]
        vectors = functional.embedding(ids, torch.cat((self._layers.get_input_embeddings().weight, self.table)))
        hidden: Tensor = self._layers(inputs_embeds=vectors, attention_mask=mask.long()).last_hidden_state
        return functional.normalize((hidden * mask[:, :, None]).sum(1) / lengths[:, None], dim=1)

    @torch.no_grad()
    def read_all(self, progress: Progress) -> NDArray[np.float32]:
        """Of every text, longest first; bfloat16 as the teacher itself reads."""
        order = sorted(range(len(self._ids)), key=lambda i: -len(self._ids[i]))
        task = progress.add_task("Chinese teacher reads", total=len(order))
        found = np.zeros((len(order), self.table.shape[1]), np.float32)
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                found[part] = self(part).float().numpy()
            progress.advance(task, len(part))
        return found

    def _read(self, text: str) -> list[int]:
        """The text's tokens; a Chinese word without a vector is read by its characters."""
        found = [self._tokenizer.cls_token_id]
        for run in list_runs(text):
            found.extend(self._latin(run) if run.isascii() else self._chinese_rows(run))
        return [*found[: self._layers.config.max_position_embeddings - 1], self._tokenizer.sep_token_id]

    def _chinese_rows(self, run: str) -> Iterator[int]:
        for word in cut_words(run):
            for part in (word,) if word in self._rows else word:
                if part in self._rows:
                    yield self._rows[part]

    def _tokenize(self, run: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(run, add_special_tokens=False)
        return ids


def _chinese(text: str) -> Iterator[str]:
    """The words and the characters of a text's Chinese."""
    for run in list_runs(text):
        if not run.isascii():
            yield from run
            yield from cut_words(run)


def _start(words: Sequence[str], first: Trained, vocabulary: dict[str, int], known: Tensor, tuning: Tuning) -> Tensor:
    """Each word as the softmax mean of the English words nearest to it, (words, T)."""
    english = [word for word in sorted(vocabulary) if word.isascii() and word.isalpha() and len(word) > 1]
    table = known[[vocabulary[word] for word in english]]
    bags = (pack_bags([list_features(text) for text in texts], first.vocabulary) for texts in (english, words))
    there, here = (functional.normalize(sum_features(bag, first.table), dim=1) for bag in bags)
    found = []
    for part in torch.split(here, _STARTS_AMONG):
        near = (part @ there.T).topk(min(tuning.neighbours, len(english)), dim=1)
        found.append((near.values / tuning.temperature).softmax(1)[:, :, None].mul(table[near.indices]).sum(1))
    return torch.cat(found)


def _steps(
    reader: ChineseReader,
    of_text: NDArray[np.int64],
    taught: NDArray[np.float16],
    tuning: Tuning,
    progress: Progress,
) -> Iterator[float]:
    """Tunes the reader's table step by step and gives each step's loss."""
    random = np.random.default_rng(tuning.seed)
    optimizer = torch.optim.Adam([reader.table], lr=tuning.rate, betas=(0.9, 0.98), fused=True)
    batch = min(tuning.batch, len(of_text))
    task = progress.add_task("Chinese teacher", total=tuning.steps)
    for step, chosen in enumerate(shuffled(len(of_text), batch, tuning.steps, random)):
        for group in optimizer.param_groups:
            group["lr"] = tuning.rate * min(1, (step + 1) / WARM_UP) * (1 - step / tuning.steps)
        meaning = torch.from_numpy(taught[chosen].astype(np.float32))
        zh = reader(of_text[chosen].tolist())
        cosines = zh @ meaning.T
        partners = find_partner((cosines / tuning.temperature).masked_fill(alike(meaning), -1e4))
        loss = tuning.pull * (1 - cosines.diagonal()).mean() + partners
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.update(task, advance=1, description=f"Chinese teacher, loss {loss.item():.3f}")
        yield loss.item()
