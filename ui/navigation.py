"""The links of the header: the same on the gradio pages and on the plain ones, as far as they are for this person."""

from typing import NamedTuple

from interviewer.accounts.person import LOCAL, Person


class NavLink(NamedTuple):
    """A link: `name` is its text's key under `nav`, `href` relative to the page's root, such as `/en/`."""

    name: str
    href: str


def nav_links(person: Person = LOCAL, interview: str = "") -> tuple[NavLink, ...]:
    """What stands in the header; `interview` is the one this browser was in last. Nobody is led nowhere."""
    if not person.id:
        return ()
    links = [NavLink("setup", "#/")]
    if interview:
        links.append(NavLink("interview", f"#/interview/{interview}"))
    links += [NavLink("history", "#/history"), NavLink("progress", "progress"), NavLink("questions", "#/questions")]
    links.append(NavLink("evidence", "evidence"))
    if person.team and person.cohort:
        links.append(NavLink("team", "team") if person.leads(person.cohort) else NavLink("assignments", "assignments"))
    if person.owns and person.team:
        links.append(NavLink("people", "people"))
    return (*links, NavLink("account", "account"))
