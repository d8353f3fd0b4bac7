"""The parts of the evidence that other runs give, from their stored files; what a file lacks is left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evals.candidates import GROUPS
from evals.evidence.agreement import NONE, Words
from evals.evidence.blocks import Block, heading, paragraph, table
from evals.grading.metrics import percent

_LABELLED = ("r", "mae", "order", "covered_f1", "wrong_found")
_HUMAN = ("r", "r_within", "rmse", "macro_f1")


def grading_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """People's grades and the battery, with the encoder and with words only."""
    runs = [(name, results[name]) for name in ("encoder", "words") if name in results]
    people = {name: run.get("human", {}) for name, run in runs}
    sets = dict.fromkeys(key for found in people.values() for key in found)
    if sets:
        yield paragraph(t["human_lead"])
        columns = [t["col_set"], t["col_answers_questions"], t["col_evidence"], *(t[f"col_{c}"] for c in _HUMAN)]
        rows = [
            [key, f"{figures['answers']} / {figures['questions']}", t[f"human_{name}"]]
            + [cell(figures.get(column)) for column in _HUMAN]
            for key in sets
            for name, found in people.items()
            if (figures := found.get(key))
        ]
        yield table(columns, rows)
    means = {name: run.get("means", {}) for name, run in runs}
    kinds = dict.fromkeys(key for found in means.values() for key in found)
    if kinds:
        yield heading(t["battery"], 3)
        yield paragraph(t["battery_lead"])
        columns = ["", t["col_answers"], t["col_right"], *(f"{t['col_given']}, {t[f'human_{name}']}" for name in means)]
        yield table(columns, [_mean_row(kind, means) for kind in kinds])


def labelled_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """The built-in grader on the test answers with less to go by, and how its doubts hold; nothing where not measured.

    The figures of a run are `results[run]["answers"]`, as `evals.grading` stores them: values beside `intervals`.
    """
    runs = [(name, results[name]["answers"]) for name in ("encoder", "words") if "answers" in results.get(name, {})]
    if not runs:
        return
    yield heading(t["less"], 3)
    yield paragraph(t["less_lead"])
    rows = []
    for name, found in runs:
        parts = {"given": found, **found.get("languages", {}), "alone": found.get("reference_only")}
        for part, figures in parts.items():
            if figures:
                title = (
                    f"{t[f'human_{name}']}, {t[f'less_{part}'] if part in ('given', 'alone') else t[f'kind_{part}']}"
                )
                rows.append([title, *(ranged(figures, key) for key in _LABELLED)])
    yield table(["", *(t[f"col_{key}"] for key in ("r", "mae", "order", "f1", "wrong_found"))], rows)
    for name, found in runs:
        if unsure := found.get("unsure"):
            shares = {key: f"{unsure[key]:.0%}" for key in ("share", "right", "others_right")}
            yield paragraph(t["less_unsure"].format(run=t[f"human_{name}"], **shares))


def candidates_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """The built-in grader on the answers of every group of candidates, beside how two readers agree; nothing where
    not measured."""
    answers = results.get("encoder", {}).get("answers", {})
    for group in GROUPS:
        if found := answers.get(group.key):
            yield heading(t[group.key], 3)
            yield paragraph(t[f"{group.key}_lead"].format(answers=found["answers"], questions=found["questions"]))
            yield from _candidates_tables(found, t)


def _candidates_tables(found: Mapping[str, Any], t: Words) -> Iterator[Block]:
    readers = found["readers"]
    rows = [
        [t["less_given"], *(ranged(found, key) for key in _LABELLED)],
        [t["less_alone"], *(ranged(found["reference_only"], key) for key in _LABELLED)],
        [t["candidates_readers"], *(ranged(readers, key) for key in _LABELLED)],
    ]
    yield table(["", *(t[f"col_{key}"] for key in ("r", "mae", "order", "f1", "wrong_found"))], rows)
    means = [
        [
            t[f"kind_{kind}"],
            str(each["answers"]),
            cell(each["right"], 1),
            ranged(each, "given"),
            ranged(each["reference_only"], "given"),
        ]
        for kind, each in found["kinds"].items()
    ]
    yield table(["", t["col_answers"], t["col_right"], t["less_given"], t["less_alone"]], means)
    shares = {"agree": percent(readers["agree"]), "kappa": cell(readers["kappa"])}
    yield paragraph(t["candidates_called"].format(accused=f"{found['accused']:.1%}", **shares))


def mistakes_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """The built-in grader on mistakes and honest answers by other writers, and on answers with talk around them, where
    measured."""
    found = results.get("encoder", {}).get("answers", {})
    if mistakes := found.get("mistakes"):
        yield heading(t["mistakes"], 3)
        yield paragraph(t["mistakes_lead"])
        honest = found["honest"]
        rows = []
        for kind, each in (*mistakes["kinds"].items(), *honest["kinds"].items()):
            given = ranged(each, "given"), ranged(each["reference_only"], "given")
            rows.append([t[f"kind_{kind}"], str(each["answers"]), cell(each["right"], 1), *given])
        yield table(["", t["col_answers"], t["col_right"], t["less_given"], t["less_alone"]], rows)
        yield paragraph(t["mistakes_called"].format(falsely=f"{mistakes['falsely']:.1%}", **_shares(mistakes)))
        accused = {key: f"{honest[key]:.1%}" for key in ("accused", "accused_reference_only")}
        yield paragraph(t["honest_called"].format(**accused, **_shares(honest)))
    if talk := found.get("talk"):
        yield heading(t["talk"], 3)
        yield paragraph(t["talk_lead"])
        places = [(part, place) for part in ("given", "reference_only") for place in ("nowhere", "before", "behind")]
        titles = {"given": t["less_given"], "reference_only": t["less_alone"]}
        rows = [
            [t[f"kind_{kind}"], cell(means["right"], 1), *(cell(means[part][place], 1) for part, place in places)]
            for kind, means in talk.items()
        ]
        columns = [t["talk_column"].format(part=titles[part], place=t[f"talk_{place}"]) for part, place in places]
        yield table(["", t["col_right"], *columns], rows)


def notes_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """The built-in grader on everyday answers to notes, on slips in right ones, on answers to other questions and on
    what is told in pictures; what was not measured is left out."""
    found = results.get("encoder", {}).get("answers", {})
    for name in _NOTES_SAID:
        if measured := found.get(name):
            yield heading(t[name], 3)
            yield paragraph(t[f"{name}_lead"])
            rows = [
                [
                    t["told_join"].join(t[f"told_{part}"] for part in kind.split(", ")),
                    str(each["answers"]),
                    cell(each["right"], 1),
                    *(ranged(figures, "given") for figures in (each, each["reference_only"])),
                ]
                for kind, each in measured["kinds"].items()
            ]
            yield table(["", t["col_answers"], t["col_right"], t["less_given"], t["less_alone"]], rows)
            yield paragraph(t[f"{name}_called"].format(**_NOTES_SAID[name](measured)))


def _everyday_said(measured: Mapping[str, Any]) -> dict[str, str]:
    return {f"{manner}_r": cell(each["reference_only"]["r"]) for manner, each in measured["manners"].items()}


def _slips_said(measured: Mapping[str, Any]) -> dict[str, str]:
    falls = {name: cell(measured[name], 1) for name in ("falls", "should_fall")}
    return {"order": f"{measured['order']:.0%}", **falls, **_shares(measured)}


def _elsewhere_said(measured: Mapping[str, Any]) -> dict[str, str]:
    means = {f"mean_{way}": cell(measured[way]["mean"], 1) for way in ("given", "reference_only")}
    above = {f"above_{way}": f"{measured[way]['above']:.0%}" for way in ("given", "reference_only")}
    return {"answers": str(measured["answers"]), **means, **above}


def _pictured_said(measured: Mapping[str, Any]) -> dict[str, str]:
    return {"r": cell(measured["r"]), "mae": cell(measured["mae"])}


_NOTES_SAID: Mapping[str, Callable[[Mapping[str, Any]], dict[str, str]]] = {
    "everyday": _everyday_said,
    "slips": _slips_said,
    "elsewhere": _elsewhere_said,
    "pictured": _pictured_said,
}


def statements_blocks(results: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """The built-in grader on true and false sentences in the same words; nothing where not measured."""
    runs = [(name, results.get(name, {}).get("answers", {}).get("statements", {})) for name in ("encoder", "words")]
    rows = [
        [f"{t[f'human_{name}']}, {t[f'kind_{language}']}", str(each["sentences"])]
        + [ranged(each, key) for key in ("true", "half", "false", "order")]
        for name, found in runs
        for language, each in found.items()
    ]
    if rows:
        yield heading(t["statements"], 3)
        claims = max(each["claims"] for _, found in runs for each in found.values())
        yield paragraph(t["statements_lead"].format(claims=claims))
        columns = [t[f"statements_{key}"] for key in ("sentences", "true", "half", "false", "order")]
        yield table(["", *columns], rows)


def _shares(figures: Mapping[str, Any]) -> dict[str, str]:
    return {verdict: f"{share:.0%}" for verdict, share in figures["called"].items()}


def ranged(figures: Mapping[str, Any], key: str) -> str:
    """A figure with its interval where it has one; a dash where it was not measured."""
    if figures.get(key) is None:
        return NONE
    bounds = figures.get("intervals", {}).get(key)
    return cell(figures[key]) + (f" ({cell(bounds[0])}–{cell(bounds[1])})" if bounds else "")


def _mean_row(kind: str, means: Mapping[str, Mapping[str, Any]]) -> list[str]:
    first = next(found[kind] for found in means.values() if kind in found)
    given = [cell(found.get(kind, {}).get("given"), 1) for found in means.values()]
    return [kind, str(first["answers"]), cell(first["right"], 1), *given]


def injection_blocks(results: Sequence[Mapping[str, Any]], t: Words) -> Iterator[Block]:
    """Every grader that was attacked: by kind, language and what stands before the attack."""
    yield paragraph(t["injection_lead"])
    for result in results:
        kind, _, model = str(result["grader"]).partition(" ")
        named = t["grader_builtin"] if kind == "builtin" else t["grader_model"].format(name=model)
        yield heading(named, 3)
        whole = {"kind": t["injection_all"], **{key: result[key] for key in ("tried", "raised")}}
        further = [_titled(group, t) for key in ("by_language", "by_carrier") for group in result[key]]
        rows = [
            [g["kind"], g["tried"], g["raised"], cell(g.get("mean_raise"))]
            for g in (whole, *result["by_kind"], *further)
        ]
        yield table([t["col_attacks"], t["col_tried"], t["col_raised"], t["col_mean_raise"]], rows)
    if results:
        yield paragraph(t["injection_versions"].format(attacks=str(results[0].get("attacks", ""))[:12]))


def _titled(group: Mapping[str, Any], t: Words) -> dict[str, Any]:
    name = str(group["kind"])
    key = f"kind_{name}" if name in ("zh", "en") else f"injection_{name.replace(' ', '_')}"
    return {**group, "kind": t.get(key, name)}


def retrieval_blocks(result: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """Hits by group of queries and kind of search, for each split the file knows; the test split first."""
    model = " ".join(filter(None, (result.get("model"), result.get("version")))) or t["retrieval_nothing"]
    yield paragraph(t["retrieval_lead"].format(questions=result["questions"], model=model))
    splits = sorted({str(row.get("split", "")) for row in result["rows"]}, reverse=True)
    for split in splits:
        rows = [row for row in result["rows"] if str(row.get("split", "")) == split]
        groups = dict.fromkeys(row["group"] for row in rows)
        ordered = [row for group in groups for row in rows if row["group"] == group]
        if split:
            yield heading(t.get(f"split_{split}", split), 3)
        yield table(
            [t["col_queries"], t["col_n"], t["col_side"], "Hit@1", t["col_own1"], "Hit@3", "MRR"],
            [
                [r["group"], r["queries"], r["side"], *(cell(r.get(key)) for key in ("hit1", "own1", "hit3", "mrr"))]
                for r in ordered
            ],
        )


def simulation_blocks(result: Mapping[str, Any], t: Words) -> Iterator[Block]:
    """What follow-ups asked for, by candidate, and what plans came to, by track."""
    yield paragraph(t["simulation_lead"].format(interviews=result["interviews"]))
    yield table(
        [t[f"col_{key}"] for key in ("candidate", "followups", "aimed", "needless", "leaked", "dodged")],
        [_followup_row(figures) for figures in result["followups"]],
    )
    keys = ("track", "interviews", "crashed", "repeated_question", "topics", "overran")
    yield table([t[f"col_{key}"] for key in keys], [_track_row(figures) for figures in result["tracks"]])


def _followup_row(f: Mapping[str, Any]) -> list[str]:
    counts = (f["aimed"], f["needless"], f["leaked"])
    shares = [f"{count} ({count / f['probes']:.1%})" if f["probes"] else "0" for count in counts]
    dodged = f"{f['dodged']} / {f['questions']}" if f["candidate"] in ("evasive", "nonsense") else NONE
    return [f["candidate"], str(f["probes"]), *shares, dodged]


def _track_row(f: Mapping[str, Any]) -> list[str]:
    return [
        f["track"], str(f["interviews"]), str(f["crashed"]), str(f["repeated"]), f"{f['reached']} / {f['rated']}",
        str(f["overran"]),
    ]  # fmt: skip


def cell(value: Any, digits: int = 2) -> str:
    """A figure as it was stored: a number, or one with its interval under `value` or `mean`; a dash for none."""
    if value is None:
        return NONE
    if isinstance(value, Mapping):
        middle = value.get("value", value.get("mean"))
        return f"{middle:.{digits}f} ({value['low']:.{digits}f}–{value['high']:.{digits}f})"
    return f"{value:.{digits}f}"
