"""The part of the evidence that an agreement run gives: also what `interviewer eval agreement` prints."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from tomllib import loads

from evals.agreement.figures import VERDICTS, Figure, GroupFigures
from evals.agreement.measure import AgreementResult, Spent
from evals.evidence.blocks import Block, heading, paragraph, table
from evals.evidence.charts import confusion_chart, reliability_chart, scores_chart
from interviewer.models import Language

Words = Mapping[str, str]
NONE = "–"
_STEPS = ("low", "quarter", "median", "three_quarters", "high")
_VERSIONS = ("grader", "answers", "bank", "scorer", "code", "prompts")


@cache
def words_of(language: Language) -> Words:
    """The texts of the evidence in one language."""
    found: Words = loads(files("evals.evidence").joinpath(f"words.{language}.toml").read_text("utf-8"))
    return found


def agreement_blocks(result: AgreementResult, t: Words, *, pictures: str = "") -> Iterator[Block]:
    """Everything about one grader; `pictures` begins the names of its pictures, and without it there are none."""
    kind, _, model = result.grader.partition(" ")
    named = t["grader_builtin"] if kind == "builtin" else t["grader_model"].format(name=model)
    yield heading(t["agreement"].format(grader=named))
    lead = t["agreement_lead"].format(chosen=result.chosen, available=result.available, measured=result.measured)
    if result.fell_back or result.ungraded:
        failed = t["agreement_failed"].format(fell_back=result.fell_back, ungraded=result.ungraded)
        lead = f"{lead} {failed}"
    yield paragraph(lead)
    yield table(
        ["", *(t[f"col_{c}"] for c in ("answers_questions", "r", "mae", "order", "f1", "verdicts", "given", "right"))],
        [_group_row(group, t) for group in result.groups],
    )
    yield paragraph(t["kinds"])
    if result.groups:
        yield from _pictured(result, t, pictures)
    yield from _steadiness(result, t)
    yield from _cost(result, t)
    yield from _examples(result, t)
    yield heading(t["versions"], 3)
    yield paragraph(t["versions_lead"])
    versions = result.versions.model_dump()
    yield table([t["col_what"], t["col_version"]], [[t[f"version_{key}"], versions[key]] for key in _VERSIONS])


def number(figure: Figure | None, digits: int = 2) -> str:
    """A value with its interval, such as `0.81 (0.77–0.84)`."""
    if figure is None:
        return NONE
    return f"{figure.value:.{digits}f} ({figure.low:.{digits}f}–{figure.high:.{digits}f})"


def percent(figure: Figure | None, digits: int = 0) -> str:
    """A share with its interval, such as `95% (93–97)`."""
    if figure is None:
        return NONE
    low, high = (f"{100 * bound:.{digits}f}" for bound in (figure.low, figure.high))
    return f"{100 * figure.value:.{digits}f}% ({low}–{high})"


def _group_row(group: GroupFigures, t: Words) -> list[str]:
    return [
        t[f"kind_{group.name}"],
        f"{group.answers} / {group.questions}",
        number(group.r),
        number(group.mae),
        percent(group.order),
        number(group.f1),
        percent(group.verdicts),
        number(group.given, 1),
        f"{group.right:.1f}",
    ]


def _pictured(result: AgreementResult, t: Words, pictures: str) -> Iterator[Block]:
    right = {group.name: group.right for group in result.groups}
    yield heading(t["scores"], 3)
    if pictures:
        svg = scores_chart(result.boxes, right, t, alone=False)
        yield Block(kind="picture", name=f"{pictures}-scores", text=t["scores_title"], svg=svg)
    yield table(
        ["", *(t[f"col_{step}"] for step in _STEPS), t["col_right"]],
        [
            [t[f"kind_{b.name}"], *(f"{getattr(b, step):.1f}" for step in _STEPS), f"{right[b.name]:.1f}"]
            for b in result.boxes
        ],
    )
    yield heading(t["reliability"], 3)
    yield paragraph(t["reliability_lead"])
    if pictures:
        svg = reliability_chart(result.reliability, t, alone=False)
        yield Block(kind="picture", name=f"{pictures}-reliability", text=t["reliability_title"], svg=svg)
    yield table(
        [t["col_confidence"], t["col_share_right"], t["col_count"]],
        [[f"{b.confidence:.2f}", number(b.right), str(b.verdicts)] for b in result.reliability],
    )
    yield heading(t["confusion"], 3)
    if pictures:
        svg = confusion_chart(result.confusion, t, alone=False)
        yield Block(kind="picture", name=f"{pictures}-confusion", text=t["confusion_title"], svg=svg)
    names = [t[f"verdict_{verdict.value}"] for verdict in VERDICTS]
    rows = zip(names, result.confusion, strict=True)
    yield table([t["col_right_down"], *names], [[name, *counts] for name, counts in rows])


def _steadiness(result: AgreementResult, t: Words) -> Iterator[Block]:
    tried = [(key, getattr(result, key)) for key in ("retest", "reordered") if getattr(result, key)]
    if tried:
        yield heading(t["steady"], 3)
        yield paragraph(t["steady_lead"])
        yield table(
            [t["col_repeated"], t["col_answers"], t["col_stay"], t["col_moved"]],
            [[t[f"steady_{key}"], s.answers, percent(s.verdicts, 1), number(s.score)] for key, s in tried],
        )


def _cost(result: AgreementResult, t: Words) -> Iterator[Block]:
    columns = [t["col_median_ms"], t["col_p95_ms"]]
    row = [f"{result.milliseconds:.0f}", f"{result.milliseconds_95:.0f}"]
    if result.spent:
        columns += [t[f"col_{key}"] for key in ("requests", "prompt_tokens", "completion_tokens", "price")]
        row += _spent_row(result.spent, t)
    yield heading(t["spent"], 3)
    yield paragraph(t["spent_lead"])
    yield table(columns, [row])


def _spent_row(spent: Spent, t: Words) -> list[str]:
    counted = (spent.prompt_tokens, spent.completion_tokens)
    tokens = [t["spent_uncounted"] if count is None else f"{count:.0f}" for count in counted]
    price = f"{spent.price:.6f}" if spent.price is not None else t["spent_unpriced"]
    return [f"{spent.requests:.2f}", *tokens, price]


def _examples(result: AgreementResult, t: Words) -> Iterator[Block]:
    if not result.examples:
        return
    yield heading(t["examples"], 3)
    yield paragraph(t["examples_lead"])
    for example in result.examples:
        names = {"kind": t[f"kind_{example.kind}"], "language": t[f"kind_{example.language}"]}
        yield heading(t["example"].format(**names, given=f"{example.given:.1f}", right=f"{example.right:.1f}"), 4)
        yield Block(kind="said", text=f"{example.question}\n\n{example.answer}")
        yield table(
            [t["col_point"], t["col_verdict_given"], t["col_verdict_right"]],
            [[text, t[f"verdict_{given}"], t[f"verdict_{right}"]] for text, given, right in example.points],
        )
