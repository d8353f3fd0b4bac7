"""What the bank holds and what its check says, as a table for docs/bank.md."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from interviewer.marked import between
from interviewer.models import Question
from knowledge.bank.check import Problem
from knowledge.bank.reading import TopicFile
from knowledge.bank.terms import size

PAGE = Path(__file__).parents[2] / "docs" / "bank.md"
BEGIN = "<!-- figures: written by `interviewer bank check --write` -->"
END = "<!-- end of figures -->"


def bank_table(files: Sequence[TopicFile], problems: Sequence[Problem]) -> str:
    """A Markdown table with a row for each topic, then the sum and what the rules found."""
    rows = [(file.title.get("en", file.topic), file.questions) for file in files]
    everything = tuple(question for _, questions in rows for question in questions)
    lines = [
        "| topic | questions | points | misconceptions | concept / troubleshooting / design / experience "
        "| difficulty 1 / 2 / 3 / 4 / 5 | words of a reference, en |",
        "|---|---|---|---|---|---|---|",
        *(_row(name, questions) for name, questions in (*rows, ("**all**", everything))),
        "",
        f"Rules broken: {len(problems)}.",
    ]
    return "\n".join(lines)


def _row(name: str, questions: Sequence[Question]) -> str:
    kinds = Counter(question.kind.value for question in questions)
    levels = Counter(question.difficulty for question in questions)
    words = [size(question.reference.get("en", ""), "en") for question in questions]
    cells = (
        name,
        len(questions),
        sum(len(question.points) for question in questions),
        sum(len(question.misconceptions) for question in questions),
        " / ".join(str(kinds[kind]) for kind in ("concept", "troubleshooting", "design", "experience")),
        " / ".join(str(levels[level]) for level in range(1, 6)),
        f"{min(words)}–{max(words)}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def renew_page(page: str, table: str) -> str:
    """The page with the table between its two marks made anew."""
    return between(page, BEGIN, END, f"\n{table}\n")
