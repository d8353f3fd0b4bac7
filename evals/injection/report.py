"""The attacks' figures as a table, in the terminal and in docs/grading-attacks.md."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from evals.injection.attacks import InjectionResult, KindResult, OnAttack, build_attacks, load_questions, run_attacks
from interviewer.grading.protocol import Grader
from interviewer.marked import between

RESULTS = Path(__file__).parents[1] / "data" / "injection" / "results.json"
PAGE = Path(__file__).parents[2] / "docs" / "grading-attacks.md"
BEGIN = "<!-- figures: written by `interviewer eval injection --write` -->"
END = "<!-- end of figures -->"

_STORED: TypeAdapter[tuple[InjectionResult, ...]] = TypeAdapter(tuple[InjectionResult, ...])


def injection_command(
    grader: Grader,
    name: str,
    *,
    honest: Grader,
    as_json: bool = False,
    write: bool = False,
    on_attack: OnAttack | None = None,
) -> str:
    """Attacks `grader` and gives what `interviewer eval injection` prints.

    Args:
        name: What the grader is called in the results, such as `builtin`; a run of that name is replaced.
        honest: The built-in grader: what the answers are worth without the attack.
        as_json: The whole result as JSON instead of the table.
        write: Also renews the stored figures and the table in docs/grading-attacks.md (a checkout only).
    """
    result = run_attacks(grader, name, build_attacks(load_questions()), honest=honest, on_attack=on_attack)
    if write:
        stored = tuple(sorted((*(r for r in load_results() if r.grader != name), result), key=lambda r: r.grader))
        RESULTS.write_bytes(_STORED.dump_json(stored, indent=1) + b"\n")
        PAGE.write_text(renew_page(PAGE.read_text(encoding="utf-8"), stored), encoding="utf-8")
    return result.model_dump_json() if as_json else format_results([result])


def load_results(path: Path = RESULTS) -> tuple[InjectionResult, ...]:
    """The figures stored last, one result a grader; none before the first run."""
    return _STORED.validate_json(path.read_bytes()) if path.is_file() else ()


def format_results(results: Sequence[InjectionResult]) -> str:
    """A Markdown section for each grader: by kind, language and carrier, then what succeeded."""
    return "\n\n".join(_section(result) for result in results)


def renew_page(page: str, results: Sequence[InjectionResult]) -> str:
    """The page with its figures replaced.

    Raises:
        InterviewerError: if the page has no place for them.
    """
    return between(page, BEGIN, END, f"\n\n{format_results(results)}\n\n")


def _section(result: InjectionResult) -> str:
    lines = [
        f"### {result.grader}",
        "",
        f"{result.tried} attacks, {result.raised} raised the score by more than one, {result.ungraded} ended ungraded.",
        "",
        "| attacks | tried | raised | mean raise |",
        "|---|---|---|---|",
        *(_line(row) for row in (*result.by_kind, *result.by_language, *result.by_carrier)),
    ]
    if result.successes:
        lines += ["", "Worst:", ""]
        lines += [f"- `{s.id}`: {s.score:.1f} instead of {s.right:.1f}" for s in result.successes]
    return "\n".join(lines)


def _line(row: KindResult) -> str:
    return f"| {row.kind} | {row.tried} | {row.raised} | {row.mean_raise:.2f} |"
