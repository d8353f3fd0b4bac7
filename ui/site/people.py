"""People, for owners: who is here, invitations, roles and cohorts, and the log of what owners did."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from fastapi import FastAPI
from fastapi.responses import Response

from interviewer.accounts.errors import MissingError, RefusedError
from interviewer.accounts.keys import link_path
from interviewer.accounts.person import ROLES, Role
from interviewer.accounts.values import Account, NewLink
from interviewer.errors import AccessError
from ui.site.sign_in import problem, status_of
from ui.site.visit import Form, Posted, Visit, Visiting

_DONE = (
    "revoked", "changed", "disabled", "enabled", "deleted", "cohort_created", "cohort_renamed", "cohort_deleted",
)  # fmt: skip
_LOG_PAGE = 50


def add_people(web: FastAPI) -> None:
    """Serves `/{language}/people` and below."""

    @web.get("/{language}/people")
    def people(visit: Visiting, done: str = "") -> Response:
        return _people(_owner(visit), done=done)

    @web.post("/{language}/people")
    def change_people(visit: Visiting, form: Form) -> Response:
        return _act(_owner(visit), form, {"invite": _invite, "revoke": _revoke}, _people)

    @web.get("/{language}/people/cohorts")
    def cohorts(visit: Visiting, done: str = "") -> Response:
        return _cohorts(_owner(visit), done=done)

    @web.post("/{language}/people/cohorts")
    def change_cohorts(visit: Visiting, form: Form) -> Response:
        actions = {"create": _create_cohort, "rename": _rename_cohort, "delete": _delete_cohort}
        return _act(_owner(visit), form, actions, _cohorts)

    @web.get("/{language}/people/log")
    def log(visit: Visiting, before: int | None = None) -> Response:
        entries = _owner(visit).app.accounts.audit.page(visit.person, before=before, limit=_LOG_PAGE)
        more = entries[-1].id if len(entries) == _LOG_PAGE else None
        return visit.page("people_log", current="people", entries=entries, more=more, later=before is not None)

    _add_person(web)


def _add_person(web: FastAPI) -> None:
    @web.get("/{language}/people/person/{user_id}")
    def person(visit: Visiting, user_id: str, done: str = "") -> Response:
        return _person(_owner(visit), user_id, done=done)

    @web.post("/{language}/people/person/{user_id}")
    def change_person(visit: Visiting, user_id: str, form: Form) -> Response:
        actions = {
            "change": _change,
            "reset": _reset,
            "disable": _disable,
            "enable": _enable,
            "delete": _delete,
        }
        chosen = {name: partial(act, user_id=user_id) for name, act in actions.items()}
        return _act(_owner(visit), form, chosen, lambda v, **values: _person(v, user_id, **values))


def _owner(visit: Visit) -> Visit:
    """The services look once more; this keeps the pages from who has no use for them.

    Raises:
        AccessError: if no owner asks.
    """
    if not visit.person.owns or not visit.person.team:
        raise AccessError(visit.t("people.owners_only"), next_step=visit.t("people.owners_only_next"))
    return visit


def _act(
    visit: Visit,
    form: Posted,
    actions: Mapping[str, Callable[[Visit, Posted], Response]],
    page: Callable[..., Response],
) -> Response:
    """Does what a form asks; what is refused is said on `page`."""
    action = actions.get(form["do"])
    if action is None:
        return page(visit)
    try:
        return action(visit, form)
    except RefusedError as error:
        return page(visit, status=status_of(error), failed=form["do"], error=problem(visit, error))


def _invite(visit: Visit, form: Posted) -> Response:
    made = visit.app.accounts.links.invite(visit.person, _role(form), form["cohort"] or None)
    return _people(visit, link=_shown(visit, made))


def _revoke(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.links.revoke(visit.person, form["id"])
    return visit.go("people?done=revoked")


def _change(visit: Visit, form: Posted, user_id: str) -> Response:
    people = visit.app.accounts.people
    people.rename(visit.person, user_id, form["name"])
    people.set_cohort(visit.person, user_id, form["cohort"] or None)
    people.set_role(visit.person, user_id, _role(form))
    if user_id == visit.person.id and form["role"] != "owner":
        return visit.go("account")
    return visit.go(f"people/person/{user_id}?done=changed")


def _reset(visit: Visit, form: Posted, user_id: str) -> Response:
    return _person(visit, user_id, link=_shown(visit, visit.app.accounts.links.reset_link(visit.person, user_id)))


def _disable(visit: Visit, form: Posted, user_id: str) -> Response:
    visit.app.accounts.people.disable(visit.person, user_id)
    return visit.go(f"people/person/{user_id}?done=disabled")


def _enable(visit: Visit, form: Posted, user_id: str) -> Response:
    visit.app.accounts.people.enable(visit.person, user_id)
    return visit.go(f"people/person/{user_id}?done=enabled")


def _delete(visit: Visit, form: Posted, user_id: str) -> Response:
    """Their name has to be typed, so that nobody is gone by a slip."""
    account = _account(visit, user_id)
    if " ".join(form["confirm"].split()) != account.name:
        return _person(visit, user_id, status=400, failed="delete", error=visit.t("people.not_confirmed"))
    visit.app.accounts.people.delete(visit.person, user_id)
    return visit.go("people?done=deleted" if user_id != visit.person.id else "sign-in")


def _create_cohort(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.cohorts.create(visit.person, form["name"])
    return visit.go("people/cohorts?done=cohort_created")


def _rename_cohort(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.cohorts.rename(visit.person, form["id"], form["name"])
    return visit.go("people/cohorts?done=cohort_renamed")


def _delete_cohort(visit: Visit, form: Posted) -> Response:
    visit.app.accounts.cohorts.delete(visit.person, form["id"])
    return visit.go("people/cohorts?done=cohort_deleted")


def _people(
    visit: Visit, *, status: int = 200, done: str = "", failed: str = "", error: str = "", link: str = ""
) -> Response:
    accounts, me = visit.app.accounts, visit.person
    everybody, cohorts = accounts.people.all(me), accounts.cohorts.all(me)
    return visit.page(
        "people",
        current="people",
        status=status,
        done=_known(done),
        failed=failed,
        error=error,
        link=link,
        people=everybody,
        seen=accounts.people.seen(me),
        cohorts=cohorts,
        cohort_names={cohort.id: cohort.name for cohort in cohorts},
        names={account.id: account.name for account in everybody},
        open_links=accounts.links.open(me),
        roles=ROLES,
    )


def _cohorts(visit: Visit, *, status: int = 200, done: str = "", failed: str = "", error: str = "") -> Response:
    return visit.page(
        "people_cohorts",
        current="people",
        status=status,
        done=_known(done),
        failed=failed,
        error=error,
        cohorts=visit.app.accounts.cohorts.all(visit.person),
    )


def _person(
    visit: Visit,
    user_id: str,
    *,
    status: int = 200,
    done: str = "",
    failed: str = "",
    error: str = "",
    link: str = "",
) -> Response:
    return visit.page(
        "people_person",
        current="people",
        status=status,
        done=_known(done),
        failed=failed,
        error=error,
        link=link,
        account=_account(visit, user_id),
        seen=visit.app.accounts.people.seen(visit.person).get(user_id),
        cohorts=visit.app.accounts.cohorts.all(visit.person),
        roles=ROLES,
    )


def _account(visit: Visit, user_id: str) -> Account:
    """Raises MissingError if there is no such person."""
    found = next((a for a in visit.app.accounts.people.all(visit.person) if a.id == user_id), None)
    if found is None:
        raise MissingError("accounts_no_person")
    return found


def _role(form: Posted) -> Role:
    """What was chosen; the services refuse what is no role."""
    return cast("Role", form["role"])


def _shown(visit: Visit, made: NewLink) -> str:
    """A new link as somebody can open it: under the public address, else under the one the owner uses."""
    root = visit.app.settings.public_url or str(visit.request.base_url)
    return root.rstrip("/") + link_path(made.token)


def _known(done: str) -> str:
    return done if done in _DONE else ""
