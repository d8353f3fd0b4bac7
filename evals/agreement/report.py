"""What `interviewer eval agreement` prints and writes."""

from collections.abc import Callable
from pathlib import Path

from evals.agreement.measure import NO_PRICES, AgreementResult, OnAnswer, Prices, Usage, measure, unseen_answers
from evals.evidence.agreement import agreement_blocks, words_of
from evals.evidence.blocks import markdown
from interviewer.grading.protocol import Grader

FOLDER = Path(__file__).parents[1] / "data" / "agreement"
"""Published runs: `interviewer eval evidence` shows each of them."""


def agreement_command(
    grader: Grader,
    name: str,
    *,
    limit: int | None = None,
    repeat: bool = True,
    usage: Callable[[], Usage] | None = None,
    prices: Prices = NO_PRICES,
    write: Path | None = None,
    as_json: bool = False,
    on_answer: OnAnswer = lambda done, total: None,
) -> str:
    """Measures `grader` on the test split and gives the figures as Markdown or JSON.

    Args:
        name: `builtin`, or `model` and its name.
        limit: About so many answers, by whole questions.
        repeat: Also a second time, and with the points in reverse order.
        write: Where to store the result as JSON.
    """
    rows, available = unseen_answers(limit)
    result = measure(
        grader, name, rows, available=available, repeat=repeat, usage=usage, prices=prices, on_answer=on_answer
    )
    if write:
        write.parent.mkdir(parents=True, exist_ok=True)
        write.write_text(result.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return result.model_dump_json() if as_json else markdown(list(agreement_blocks(result, words_of("en"))), {})


def load_runs(folder: Path = FOLDER) -> list[AgreementResult]:
    """The stored runs, the built-in grader's first; none where there are none."""
    found = [AgreementResult.model_validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda result: (result.grader != "builtin", result.grader))
