"""Question sets and their editors: the list of sets, one set, what waits for review, one question, its versions."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Query
from fastapi.responses import Response
from markupsafe import Markup

from interviewer.errors import ConflictError
from interviewer.models import Kind, Question, pick
from interviewer.sharing.checking import EditError, checked
from interviewer.sharing.differences import Change, differences
from interviewer.sharing.fields import Path, fields
from interviewer.sharing.review import Entry
from interviewer.sharing.rights import VISIBILITIES
from interviewer.sharing.sets import LICENCE_LIMIT, SOURCE_LIMIT
from ui.site import bank_form
from ui.site.bank_form import Draft, shows_choice
from ui.site.visit import Form, Posted, Visit, Visiting

ROWS = 50
"""Questions on one page."""
_DECISIONS = ("publish", "reject", "settle")
_DONE = (*_DECISIONS, "describe", "show", "saved", "merged", "restored")
"""What a page may say was just done; addresses are anybody's to write."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def add_bank(web: FastAPI) -> None:
    """Serves `/{language}/bank` and what is below it."""
    _add_sets(web)
    _add_review(web)
    _add_questions(web)
    _add_versions(web)


def _add_sets(web: FastAPI) -> None:
    @web.get("/{language}/bank")
    def sets(visit: Visiting) -> Response:
        views = visit.app.shared_sets.all(visit.person)
        return _page(visit, "bank_sets", sets=views, waiting=visit.app.review.waiting(visit.person))

    @web.get("/{language}/bank/sets/{name}")
    def one(visit: Visiting, name: str, page: int = 0, done: str = "") -> Response:
        return _set_page(visit, _name(name), max(0, page), done=_done(done))

    @web.post("/{language}/bank/sets/{name}")
    def change(visit: Visiting, name: str, form: Form) -> Response:
        name, known = _name(name), visit.app.shared_sets
        match form["do"]:
            case "describe":
                known.describe(visit.person, name, source=form["source"], licence=form["licence"])
            case "show":
                visibility = next((v for v in VISIBILITIES if v == form["visibility"]), None)
                if visibility is not None:
                    known.show_to(visit.person, name, visibility)
            case "delete" if form["sure"] == "yes":
                known.delete(visit.person, name)
                return visit.go("bank")
        return visit.go(f"bank/sets/{_key(name)}?done={_done(form['do'])}")


def _add_review(web: FastAPI) -> None:
    @web.get("/{language}/bank/review")
    def queue(visit: Visiting, set: str = "", page: int = 0, done: int | None = None) -> Response:
        found = visit.app.review.queue(visit.person, set, limit=ROWS, offset=ROWS * max(0, page))
        views = [view for view in visit.app.shared_sets.all(visit.person) if view.writes]
        return _page(visit, "bank_review", found=found, sets=views, chosen=set, page=max(0, page), done=done)

    @web.post("/{language}/bank/review")
    def publish_clean(visit: Visiting, form: Form) -> Response:
        count = visit.app.review.publish_clean(visit.person, form["set"])
        return visit.go(f"bank/review?set={_quoted(form['set'])}&done={count}")


def _add_questions(web: FastAPI) -> None:
    @web.get("/{language}/bank/questions/{question_id}")
    def edit(
        visit: Visiting,
        question_id: str,
        done: str = "",
        point: str = "",
        language_of: Annotated[str, Query(alias="in")] = "",
    ) -> Response:
        entry = visit.app.review.entry(visit.person, question_id)
        draft = bank_form.draft_of(entry.stored.newest)
        if point:
            draft = bank_form.with_point(draft, point, language_of)
        return _editor(visit, entry, draft, done=_done(done), open_=bool(point))

    @web.post("/{language}/bank/questions/{question_id}")
    def act(visit: Visiting, question_id: str, form: Form) -> Response:
        entry = visit.app.review.entry(visit.person, question_id)
        if form["do"] in _DECISIONS:
            return _decide(visit, entry, form)
        draft = bank_form.changed(bank_form.read_draft(form, entry.stored.newest), form["do"])
        if form["do"] == "save":
            return _save(visit, entry, draft, form["stamp"])
        if form["do"] == "document":
            draft = _as_document(entry, draft)
        return _editor(visit, entry, draft, stamp=form["stamp"], preview=form["do"] == "preview", open_=True)

    @web.post("/{language}/bank/questions/{question_id}/merge")
    def merge(visit: Visiting, question_id: str, form: Form) -> Response:
        here, other = question_id, form["other"]
        keep, gone = (here, other) if form["keep"] == "this" else (other, here)
        visit.app.review.merge(visit.person, keep, gone)
        return visit.go(f"bank/questions/{_quoted(keep)}?done=merged")


def _add_versions(web: FastAPI) -> None:
    @web.get("/{language}/bank/questions/{question_id}/versions")
    def versions(visit: Visiting, question_id: str, older: int = 0, newer: int = 0) -> Response:
        entry = visit.app.review.entry(visit.person, question_id)
        found = visit.app.review.versions(visit.person, entry.stored.question.id)
        newer = newer or found[0].number
        older = older or max(1, newer - 1)
        changes = visit.app.review.compare(visit.person, entry.stored.question.id, older, newer)
        shown = _labelled(visit, changes, entry.stored.newest)
        return _page(visit, "bank_versions", entry=entry, versions=found, older=older, newer=newer, changes=shown)

    @web.post("/{language}/bank/questions/{question_id}/versions")
    def restore(visit: Visiting, question_id: str, form: Form) -> Response:
        entry = visit.app.review.entry(visit.person, question_id)
        number = int(form["number"]) if form["number"].isdecimal() else 0
        visit.app.review.restore(visit.person, entry.stored.question.id, number, stamp=form["stamp"])
        return visit.go(f"bank/questions/{_quoted(entry.stored.question.id)}?done=restored")


def _set_page(visit: Visit, name: str, page: int, *, done: str) -> Response:
    view = visit.app.shared_sets.view(visit.person, name)
    found = visit.app.review.listed(visit.person, name, limit=ROWS, offset=ROWS * page) if view.writes else None
    limits = {"source": SOURCE_LIMIT, "licence": LICENCE_LIMIT}
    offered = [v for v in VISIBILITIES if v != "cohort" or visit.person.cohort or view.set.visibility == "cohort"]
    return _page(visit, "bank_set", view=view, found=found, page=page, done=done, limits=limits, visibilities=offered)


def _decide(visit: Visit, entry: Entry, form: Posted) -> Response:
    question_id, review = entry.stored.question.id, visit.app.review
    decide = {"publish": review.publish, "reject": review.reject, "settle": review.settle}[form["do"]]
    decide(visit.person, question_id, stamp=form["stamp"])
    return visit.go(f"bank/questions/{_quoted(question_id)}?done={_done(form['do'])}")


def _save(visit: Visit, entry: Entry, draft: Draft, stamp: str) -> Response:
    """Keeps the edit, or shows the form again as it was filled in."""
    known = entry.stored.newest
    question_id = entry.stored.question.id
    values = bank_form.values_of(draft, known)
    try:
        visit.app.review.save(visit.person, question_id, values, stamp=stamp)
    except EditError as error:
        faults = bank_form.fault_names(error.faults, draft)
        return _editor(visit, entry, draft, stamp=stamp, faults=faults, status=400)
    except ConflictError:
        # Saving once more is then a decision: the form goes on from what is there now.
        return _editor(visit, entry, draft, clash=True, status=409)
    return visit.go(f"bank/questions/{_quoted(question_id)}?done=saved")


def _as_document(entry: Entry, draft: Draft) -> Draft:
    """The draft with the document's wording in every field that both changed."""
    stored = entry.stored
    values = bank_form.with_document(fields(stored.newest), stored.base, stored.conflicts)
    try:
        return bank_form.draft_of(checked(stored.newest, values))
    except EditError:
        return draft


def _editor(visit: Visit, entry: Entry, draft: Draft, **more: Any) -> Response:
    stored = entry.stored
    others = [visit.app.review.entry(visit.person, told.other) for told in entry.troubles if told.other]
    waiting = differences(stored.question, stored.newest) if stored.edit and stored.edit.waits else ()
    theirs = differences(stored.newest, stored.base) if stored.conflicts else ()
    values: dict[str, Any] = {
        "done": "", "faults": {}, "clash": False, "preview": False, "open_": False,
        "stamp": stored.stamp,
    }  # fmt: skip
    values |= more
    if values["clash"]:
        values["stamp"] = stored.stamp
    return _page(
        visit,
        "bank_question",
        entry=entry,
        draft=draft,
        kinds=list(Kind),
        phases=[(phase.id, pick(phase.title, visit.language) or phase.id) for phase in stored.newest.phases],
        one_choice=shows_choice(stored.newest),
        others={other.stored.question.id: other.stored.newest for other in others},
        waiting=_labelled(visit, waiting, stored.newest),
        conflicts=_labelled(visit, [c for c in theirs if _is_about(c.path, stored.conflicts)], stored.newest),
        view=visit.app.shared_sets.view(visit.person, stored.question.set),
        **values,
    )


def _is_about(path: Path, conflicts: tuple[Path, ...]) -> bool:
    return any(path[: len(conflict)] == conflict for conflict in conflicts)


def _labelled(visit: Visit, changes: tuple[Change, ...] | list[Change], question: Question) -> list[dict[str, Any]]:
    """Changes with the name of their field in words."""
    return [{"label": _label(visit, change.path, question), "pieces": change.pieces} for change in changes]


def _label(visit: Visit, path: Path, question: Question) -> str:
    t = visit.t
    if path == ("points",):
        return t("bank.order")
    words = []
    if path[0] == "points":
        place = next((n for n, point in enumerate(question.points, start=1) if point.id == path[1]), None)
        words.append(t("bank.point", n=place) if place else t("bank.point_gone"))
        path = path[2:]
    words.append(t(f"bank_field.{path[0]}"))
    if len(path) > 1:
        words.append(t(f"language.{path[1]}"))
    return " · ".join(words)


def _page(visit: Visit, template: str, *, status: int = 200, **values: Any) -> Response:
    def topic(name: str) -> str:
        return visit.app.library.topic_title(name, visit.language)

    shared: dict[str, Any] = {"own": Markup(_style()), "key": _key, "rows": ROWS, "topic": topic}
    return visit.page(template, current="questions", status=status, **shared, **values)


def _key(name: str) -> str:
    """A set's name as one part of an address, whatever is in it: proxies disagree about slashes and percent signs."""
    return name if _PLAIN.fullmatch(name) else f"~{urlsafe_b64encode(name.encode()).decode().rstrip('=')}"


def _name(key: str) -> str:
    """The name that `_key` gave this part of an address for; what is none stays as it is, and names no set."""
    if not key.startswith("~"):
        return key
    try:
        return urlsafe_b64decode(key[1:] + "=" * (-(len(key) - 1) % 4)).decode()
    except ValueError:
        return key


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _done(action: str) -> str:
    return action if action in _DONE else ""


@cache
def _style() -> str:
    return files("ui").joinpath("static", "bank.css").read_text("utf-8")
