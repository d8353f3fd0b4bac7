"""`python -m knowledge.encoder`: trains the built-in encoder, or measures one.

python -m knowledge.encoder train PAIRS... --out DIR
python -m knowledge.encoder evaluate CORPUS... [--model DIR] [--queries FILE...] [--split dev|test]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from knowledge.encoder.corpus import Query
    from knowledge.encoder.evaluate import Figure
    from knowledge.encoder.pairs import Pair
    from knowledge.encoder.train import Settings

PHRASES = [Path(__file__).resolve().with_name(f"phrases{part}.jsonl") for part in ("", "-more", "-spoken")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    chosen = _parser().parse_args(arguments)
    console = Console()
    run = _train if chosen.command == "train" else _evaluate
    return run(chosen, console)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m knowledge.encoder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train an encoder on parallel text")
    train.add_argument("pairs", nargs="+", type=Path, metavar="PAIRS", help="JSON Lines with zh and en, .gz too")
    train.add_argument("--out", required=True, type=Path, help="folder for the model")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--epochs", type=float)
    train.add_argument(
        "--phrases", nargs="*", type=Path, default=PHRASES, help="pairs that count --repeat times; a bank's YAML too"
    )
    train.add_argument("--repeat", type=int, default=3)
    train.add_argument("--teacher", help="folder of a sentence-transformers model, or `none`")
    train.add_argument("--tune", type=int, metavar="STEPS", help="of teaching the teacher Chinese; 0 does without")
    train.add_argument("--cache", type=Path, help="folder for the teacher's vectors, to train again without it")
    train.add_argument("--threads", type=int, default=2, help="the same number gives the same weights")
    evaluate = commands.add_parser("evaluate", help="measure how well questions are found")
    evaluate.add_argument("corpus", nargs="+", type=Path, metavar="CORPUS", help="a bank's YAML, or import's JSON")
    evaluate.add_argument("--model", default="", help="folder or name of a model; the built-in one by default")
    evaluate.add_argument("--queries", nargs="+", type=Path, help="JSON Lines; the shipped ones by default")
    evaluate.add_argument("--split", choices=("dev", "test"), help="both where not given")
    evaluate.add_argument("--misses", action="store_true", help="list the queries whose question is not first")
    return parser


def _train(chosen: argparse.Namespace, console: Console) -> int:
    import torch

    from knowledge.encoder import pairs as reading
    from knowledge.encoder import train as training

    torch.set_num_threads(chosen.threads)
    settings = training.Settings(seed=chosen.seed)
    if chosen.epochs:
        settings = settings._replace(epochs=chosen.epochs)
    parallel = [pair for path in chosen.pairs for pair in reading.read_pairs(path)]
    phrases = [pair for path in chosen.phrases for pair in reading.read_pairs(path)]
    pairs = parallel + phrases * chosen.repeat
    columns = (TextColumn("{task.description:>22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        taught = _teach([parallel, phrases], [pair.en for pair in pairs], chosen, progress)
        if taught is not None and chosen.tune != 0:
            taught = _teach_chinese(pairs, taught, settings, chosen, progress)
        trained = training.train_table(pairs, taught, settings, progress)
    training.save_model(trained, chosen.out)
    first, last = trained.losses[0], sum(trained.losses[-20:]) / len(trained.losses[-20:])
    console.print(
        f"{len(pairs)} pairs, {len(trained.vocabulary)} features, loss {first:.3f} to {last:.3f}: {chosen.out}"
    )
    return 0


def _teach(
    kinds: "Sequence[Sequence[Pair]]", texts: Sequence[str], chosen: argparse.Namespace, progress: Progress
) -> "NDArray[np.float16] | None":
    """The teacher's vectors for `texts`, row for row; None where there is to be no teacher.

    Args:
        kinds: The pairs the texts come from; each kind is kept in a file of its own, as phrases change more often.
    """
    if chosen.teacher == "none":
        return None
    import numpy as np

    from knowledge.encoder.teacher import embed_texts

    teacher = _teacher(chosen)
    distinct = [sorted({pair.en for pair in pairs}) for pairs in kinds]
    vectors = np.concatenate([embed_texts(each, teacher, chosen.cache, progress) for each in distinct if each])
    place = {text: i for i, text in enumerate(text for each in distinct for text in each)}
    return vectors[[place[text] for text in texts]]


def _teach_chinese(
    pairs: "Sequence[Pair]",
    taught: "NDArray[np.float16]",
    settings: "Settings",
    chosen: argparse.Namespace,
    progress: Progress,
) -> "NDArray[np.float16]":
    """The teacher's vectors, mixed with those of the same teacher once it has learnt Chinese."""
    from knowledge.encoder.train import train_table
    from knowledge.encoder.tune import Tuning, teach_chinese

    tuning = Tuning(seed=chosen.seed)
    if chosen.tune:
        tuning = tuning._replace(steps=chosen.tune)
    first = train_table(pairs, taught, settings._replace(epochs=tuning.first_epochs), progress)
    return teach_chinese(pairs, taught, first, _teacher(chosen), tuning, progress)


def _teacher(chosen: argparse.Namespace) -> Path:
    from knowledge.encoder.teacher import default_teacher

    return Path(chosen.teacher) if chosen.teacher else default_teacher()


def _evaluate(chosen: argparse.Namespace, console: Console) -> int:
    from knowledge.encoder import evaluate as measuring
    from knowledge.encoder.corpus import SHIPPED, read_queries, read_questions
    from knowledge.index.embedding import load_embedder

    questions = [question for path in chosen.corpus for question in read_questions(path)]
    read = read_queries(chosen.queries or sorted(SHIPPED.glob("*.jsonl")))
    kept = measuring.answerable([q for q in read if chosen.split in (None, q.split)], questions)
    console.print(f"{len(questions)} questions, {len(kept)} queries whose question is among them")
    queries, targets = [query for query, _ in kept], [target for _, target in kept]
    asked = [query.query for query in queries]
    embedder = load_embedder(chosen.model)
    if embedder is None:
        raise FileNotFoundError("There is no built-in encoder; name a folder with --model.")
    words = measuring.search_words(asked, questions)
    meaning = measuring.search_meaning(embedder, asked, questions)
    terms = measuring.search_terms(embedder, asked, questions)
    both = measuring.search_both(asked, meaning, words, terms, questions)
    for name, found in (("words alone", words), ("encoder alone", meaning), ("both", both)):
        _print_figures(name, measuring.measure(found, queries, targets), console)
    if chosen.misses:
        _print_misses(measuring.rank_targets(both, targets), queries, console)
    return 0


def _print_figures(name: str, figures: "Sequence[Figure]", console: Console) -> None:
    table = Table("queries", "number", "Hit@1 (95% interval)", "Hit@3 (95% interval)", title=name)
    for figure in figures:
        hits = [f"{mean:.1f} ({low:.0f}-{high:.0f})" for mean, low, high in (figure.hit1, figure.hit3)]
        table.add_row(figure.group, str(figure.queries), *hits)
    console.print(table)


def _print_misses(ranks: "NDArray[np.int64]", queries: "Sequence[Query]", console: Console) -> None:
    for rank, query in zip(ranks, queries, strict=True):
        if rank:
            line = f"{rank + 1:>4}  {query.language}/{query.kind}  {query.query}  ->  {query.target}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    raise SystemExit(main())
