"""The retrieval figures as a table, in the terminal and in docs/retrieval.md."""

from pathlib import Path

from evals.retrieval.measure import SPLITS, Interval, RetrievalResult, Row, measure_bank
from interviewer.errors import InterviewerError
from interviewer.marked import between

RESULTS = Path(__file__).parents[1] / "data" / "retrieval" / "results.json"
PAGE = Path(__file__).parents[2] / "docs" / "retrieval.md"
BEGIN = "<!-- figures: written by `interviewer eval retrieval --write` -->"
END = "<!-- end of figures -->"


def retrieval_command(*, embedding_model: str = "", as_json: bool = False, write: bool = False) -> str:
    """Measures retrieval over the shipped bank and gives what `interviewer eval retrieval` prints.

    Args:
        embedding_model: As the setting INTERVIEWER_EMBEDDING_MODEL.
        as_json: The whole result as JSON, misses included, instead of the table.
        write: Also renews the stored figures (without the misses) and the table in docs/retrieval.md (a checkout only).
    """
    if write and not PAGE.is_file():
        raise InterviewerError(f"There is no {PAGE}.", next_step="Only a checkout has figures to renew.")
    result = measure_bank(embedding_model)
    if write:
        stored = result.model_copy(update={"misses": ()})
        RESULTS.write_text(stored.model_dump_json(indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(renew_page(PAGE.read_text(encoding="utf-8"), result), encoding="utf-8")
    return result.model_dump_json() if as_json else format_table(result)


def load_results(path: Path = RESULTS) -> RetrievalResult:
    """The figures stored last."""
    return RetrievalResult.model_validate_json(path.read_text(encoding="utf-8"))


def format_table(result: RetrievalResult) -> str:
    """A Markdown table for each split: a line for each group of queries and side, in percent with 95% intervals."""
    model = f"{result.model} {result.version}" if result.model else "none: words alone"
    lines = [f"{result.questions} questions; model: {model}. Percent, with 95% intervals."]
    for split in SPLITS:
        rows = [row for row in result.rows if row.split == split]
        lines += ["", f"| {split}: queries on texts | n | side | Hit@1 | its writer alone | Hit@3 | MRR |"]
        lines += ["|---|---|---|---|---|---|---|"]
        lines += [
            _line(row) for group in dict.fromkeys(row.group for row in rows) for row in rows if row.group == group
        ]
    return "\n".join([*lines, *_merging_lines(result)])


def _merging_lines(result: RetrievalResult) -> list[str]:
    """What joining weak spots at a closeness does to the labelled pairs; nothing where it was not measured."""
    if not result.merging:
        return []
    return [
        "",
        "| weak spots joined from | pairs | precision | recall |",
        "|---|---|---|---|",
        *(f"| {m.alike:.2f}, {m.split} | {m.pairs} | {m.precision:.0%} | {m.recall:.0%} |" for m in result.merging),
    ]


def _line(row: Row) -> str:
    figures = " | ".join(_percent(interval) for interval in (row.hit1, row.own1, row.hit3, row.mrr))
    return f"| {row.group} | {row.queries} | {row.side} | {figures} |"


def _percent(interval: Interval) -> str:
    return f"{interval.mean:.0%} ({interval.low:.0%}–{interval.high:.0%})".replace("%", "")


def renew_page(page: str, result: RetrievalResult) -> str:
    """The page with its figures replaced.

    Raises:
        InterviewerError: if the page has no place for them.
    """
    return between(page, BEGIN, END, f"\n\n{format_table(result)}\n\n")
