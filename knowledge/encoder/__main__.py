"""`python -m knowledge.encoder`: trains the built-in encoder, or measures one.

python -m knowledge.encoder train PAIRS... --out DIR
python -m knowledge.encoder evaluate CORPUS... [--model DIR] [--queries FILE...] [--split dev|test]
"""

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from knowledge.encoder import is_own_model, weights_path
from knowledge.encoder.corpus import SHIPPED, Query, Text, find_target, read_corpus, read_queries

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from knowledge.encoder.evaluate import Figure

PHRASES = Path(__file__).resolve().parent / "phrases.jsonl"


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
    train.add_argument("--phrases", type=Path, default=PHRASES, help="pairs that count --repeat times")
    train.add_argument("--repeat", type=int, default=10)
    train.add_argument("--teacher", help="folder of a sentence-transformers model, or `none`")
    train.add_argument("--cache", type=Path, help="folder for the teacher's vectors, to train again without it")
    train.add_argument("--threads", type=int, default=2, help="the same number gives the same weights")
    evaluate = commands.add_parser("evaluate", help="measure how well questions are found")
    evaluate.add_argument("corpus", nargs="+", type=Path, metavar="CORPUS", help="a bank's YAML, or import's JSON")
    evaluate.add_argument("--model", default=str(weights_path()), help="folder of a sentence-transformers model")
    evaluate.add_argument("--queries", nargs="+", type=Path, default=sorted(SHIPPED.glob("*.jsonl")))
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
    pairs = [pair for path in chosen.pairs for pair in reading.read_pairs(path)]
    pairs += list(reading.read_pairs(chosen.phrases)) * chosen.repeat
    columns = (TextColumn("{task.description:>22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        taught = _teach([pair.en for pair in pairs], chosen, progress)
        trained = training.train_table(pairs, taught, settings, progress)
    training.save_model(trained, chosen.out)
    first, last = trained.losses[0], sum(trained.losses[-20:]) / len(trained.losses[-20:])
    console.print(
        f"{len(pairs)} pairs, {len(trained.vocabulary)} features, loss {first:.3f} to {last:.3f}: {chosen.out}"
    )
    return 0


def _teach(texts: list[str], chosen: argparse.Namespace, progress: Progress) -> "NDArray[np.float16] | None":
    """The teacher's vectors, row for row; None where there is to be no teacher."""
    if chosen.teacher == "none":
        return None
    from knowledge.encoder.teacher import default_teacher, embed_texts

    teacher = Path(chosen.teacher) if chosen.teacher else default_teacher()
    distinct = sorted(set(texts))
    place = {text: i for i, text in enumerate(distinct)}
    vectors = embed_texts(distinct, teacher, chosen.cache, progress)
    return vectors[[place[text] for text in texts]]


def _evaluate(chosen: argparse.Namespace, console: Console) -> int:
    from sentence_transformers import SentenceTransformer

    from knowledge.encoder import evaluate as measuring

    corpus = [text for path in chosen.corpus for text in read_corpus(path)]
    queries = [q for q in read_queries(chosen.queries) if chosen.split in (None, q.split)]
    queries = _answerable(queries, corpus, console)
    model = SentenceTransformer(
        chosen.model, device="cpu", local_files_only=True, trust_remote_code=is_own_model(chosen.model)
    )
    asked, languages = [q.query for q in queries], [q.language for q in queries]
    dense = measuring.dense_scores(model, asked, corpus)
    lexical = measuring.lexical_scores(asked, corpus)
    hybrid = measuring.fuse_scores(dense, lexical, languages)
    for name, scores in (("words alone", lexical), ("encoder alone", dense), ("both", hybrid)):
        _print_figures(name, measuring.measure(scores, queries, corpus), console)
    if chosen.misses:
        _print_misses(measuring.rank_targets(hybrid, _targets(queries, corpus), corpus), queries, console)
    return 0


def _targets(queries: Sequence[Query], corpus: Sequence[Text]) -> list[str]:
    return [find_target(query, corpus) for query in queries]


def _answerable(queries: Sequence[Query], corpus: Sequence[Text], console: Console) -> list[Query]:
    """The queries whose question is in the corpus; says how many are not."""
    kept = []
    for query in queries:
        with suppress(LookupError):
            find_target(query, corpus)
            kept.append(query)
    console.print(f"{len(corpus)} texts, {len(kept)} queries, {len(queries) - len(kept)} left out: not in the corpus")
    return kept


def _print_figures(name: str, figures: Sequence["Figure"], console: Console) -> None:
    table = Table("queries", "number", "Hit@1 (95% interval)", "Hit@3 (95% interval)", title=name)
    for figure in figures:
        hits = [f"{mean:.1f} ({low:.0f}-{high:.0f})" for mean, low, high in (figure.hit1, figure.hit3)]
        table.add_row(figure.group, str(figure.queries), *hits)
    console.print(table)


def _print_misses(ranks: "NDArray[np.int64]", queries: Sequence[Query], console: Console) -> None:
    for rank, query in zip(ranks, queries, strict=True):
        if rank:
            console.print(f"{rank + 1:>4}  {query.language}/{query.kind}  {query.query}  ->  {query.target}")


if __name__ == "__main__":
    raise SystemExit(main())
