"""`interviewer eval evidence`: the stored figures of all runs as one page, in docs/ and in the app."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evals.agreement.measure import AgreementResult, versions
from evals.agreement.report import load_runs
from evals.evidence.agreement import Words, agreement_blocks, words_of
from evals.evidence.blocks import Block, heading, markdown, paragraph, table
from evals.evidence.charts import confusion_chart, reliability_chart, scores_chart, style
from evals.evidence.others import (
    candidates_blocks,
    grading_blocks,
    injection_blocks,
    labelled_blocks,
    mistakes_blocks,
    notes_blocks,
    retrieval_blocks,
    simulation_blocks,
    statements_blocks,
)
from interviewer.errors import InterviewerError
from interviewer.models import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "evals" / "data"
PAGE = ROOT / "docs" / "evidence.md"
PICTURES = ROOT / "docs" / "images" / "evidence"
SHOWN = ROOT / "ui" / "static" / "evidence.json"
"""The same in both languages for the app, which can't run what makes it."""
_FILES = {
    "grading": "grading/results.json",
    "injection": "injection/results.json",
    "retrieval": "retrieval/results.json",
    "simulation": "simulation.json",
}
_BUILDERS: Mapping[str, Callable[[Any, Words], Iterator[Block]]] = {
    "grading": grading_blocks,
    "injection": injection_blocks,
    "retrieval": retrieval_blocks,
    "simulation": simulation_blocks,
}


class Stored(NamedTuple):
    """What the stored files hold.

    Attributes:
        runs: Agreement with labelled answers, one run a grader.
        others: The other files by name, as plain data; a missing file is left out.
        hashes: Each file with the beginning of its SHA-256.
    """

    runs: Sequence[AgreementResult]
    others: dict[str, Any]
    hashes: Sequence[tuple[str, str]]


def read_stored(folder: Path = DATA) -> Stored:
    """Everything there is in `folder`."""
    runs = load_runs(folder / "agreement")
    paths = {name: folder / path for name, path in _FILES.items() if (folder / path).is_file()}
    others = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    files = [*sorted((folder / "agreement").glob("*.json")), *paths.values()]
    return Stored(runs, others, [(path.relative_to(folder).as_posix(), _hash(path)) for path in files])


def evidence_blocks(stored: Stored, t: Words) -> list[Block]:
    """The page in one language; what was not measured is named."""
    return list(_blocks(stored, t))


def _blocks(stored: Stored, t: Words) -> Iterator[Block]:
    yield heading(t["title"], 1)
    yield paragraph(t["lead"])
    missing = [t[f"missing_{name}"] for name in _BUILDERS if name not in stored.others]
    missing = ([] if stored.runs else [t["missing_agreement"]]) + missing
    if missing:
        yield paragraph(t["missing"].format(names=("、" if t is words_of("zh") else ", ").join(missing)))
    for run in stored.runs:
        yield from agreement_blocks(run, t, pictures=_slug(run.grader))
    yield from labelled_blocks(stored.others.get("grading", {}), t)
    yield from candidates_blocks(stored.others.get("grading", {}), t)
    yield from mistakes_blocks(stored.others.get("grading", {}), t)
    yield from notes_blocks(stored.others.get("grading", {}), t)
    yield from statements_blocks(stored.others.get("grading", {}), t)
    for name, build in _BUILDERS.items():
        if name in stored.others:
            yield heading(t["human" if name == "grading" else name])
            yield from build(stored.others[name], t)
    yield heading(t["own"])
    yield paragraph(t["own_lead"])
    yield heading(t["sources"])
    yield paragraph(t["sources_lead"])
    yield table([t["col_file"], "SHA-256"], stored.hashes)


def pictures(stored: Stored) -> dict[str, str]:
    """The pictures of docs/ as files, by name: they stand alone, with English words."""
    t, found = words_of("en"), {}
    for run in stored.runs:
        if run.groups:
            right = {group.name: group.right for group in run.groups}
            name = _slug(run.grader)
            found[f"{name}-scores"] = scores_chart(run.boxes, right, t, alone=True)
            found[f"{name}-reliability"] = reliability_chart(run.reliability, t, alone=True)
            found[f"{name}-confusion"] = confusion_chart(run.confusion, t, alone=True)
    return found


def evidence_page(stored: Stored) -> str:
    """docs/evidence.md."""
    addresses = {name: f"images/evidence/{name}.svg" for name in pictures(stored)}
    return markdown(evidence_blocks(stored, words_of("en")), addresses)


def shown_in_app(stored: Stored) -> str:
    """What the app's page is made of, as JSON: blocks by language, and the pictures' style."""
    by_language = {language: evidence_blocks(stored, words_of(language)) for language in LANGUAGES}
    plain = {
        language: [block.model_dump(exclude_defaults=True) for block in blocks]
        for language, blocks in by_language.items()
    }
    return json.dumps({"style": style(colours=False), **plain}, ensure_ascii=False, indent=1) + "\n"


def evidence_command(*, write: bool = False, folder: Path = DATA) -> str:
    """The page as Markdown; with `write` it is renewed in docs/ and in the app, and what is out of date is told."""
    stored = read_stored(folder)
    if not write:
        return evidence_page(stored)
    if not PAGE.parent.is_dir():
        raise InterviewerError(f"There is no {PAGE.parent}.", next_step="Only a checkout has a page to renew.")
    drawn = pictures(stored)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path in PICTURES.glob("*.svg"):
        if path.stem not in drawn:
            path.unlink()
    for name, svg in drawn.items():
        (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")
    PAGE.write_text(evidence_page(stored), encoding="utf-8")
    SHOWN.write_text(shown_in_app(stored), encoding="utf-8")
    return "\n".join([f"{PAGE.relative_to(ROOT)} is written.", *outdated(stored)])


def outdated(stored: Stored) -> list[str]:
    """A sentence for each run that was made with other data or code than there are now."""
    now = versions().model_dump()
    found = []
    for run in stored.runs:
        other = [key for key, value in run.versions.model_dump().items() if now[key] != value]
        if other:
            found.append(f"{run.grader} was measured with other {', '.join(other)}: run `interviewer eval agreement`.")
    return found


def _slug(grader: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in grader.lower())
    return "-".join(filter(None, kept.split("-")))


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()[:12]
