"""Where a browser tab is: which page, of which interview, report or question. The address bar says the same."""

from typing import Any, Literal, get_args
from urllib.parse import quote, unquote

from pydantic import ValidationError

from interviewer.models import Frozen

Page = Literal["setup", "plan", "interview", "report", "history", "questions"]
PAGES: tuple[Page, ...] = get_args(Page)
_LONGEST_ID = 200


class Session(Frozen):
    """The state of a tab. It lives in the browser and is sent with every request, so any server can go on with it.

    Attributes:
        page: The page that is shown.
        item: The id of the interview, report or question that is open on it; empty for none.
        interview: The interview this browser was in last, to continue after the browser was closed.
        step: How many links were followed; a reply to an earlier one must not move the address back.
    """

    page: Page = "setup"
    item: str = ""
    interview: str = ""
    step: int = 0

    @property
    def route(self) -> str:
        """The address of this place, as the part after `#`."""
        if self.page == "setup":
            return "/"
        return f"/{self.page}/{quote(self.item, safe='')}" if self.item else f"/{self.page}"

    def at(self, page: Page, item: str = "") -> "Session":
        """This tab at another place."""
        interview = item if page == "interview" else self.interview
        return self.model_copy(update={"page": page, "item": item, "interview": interview})

    def stepped(self, step: Any) -> "Session":
        """This tab after following its `step`th link."""
        return self.model_copy(update={"step": step}) if isinstance(step, int) else self

    def follow(self, route: str) -> "Session":
        """This tab at the address `route`; an address that leads nowhere leads to the start."""
        page, _, item = route.lstrip("#").strip("/").partition("/")
        item = unquote(item)
        known = next((name for name in PAGES if name == page), None)
        if known is None or len(item) > _LONGEST_ID:
            return self.at("setup")
        return self.at(known, item if known not in ("history", "plan") else "")


def read_session(stored: Any) -> Session:
    """The session a browser sent; anything that is not one counts as a new browser."""
    if isinstance(stored, dict):
        try:
            return Session.model_validate(stored)
        except ValidationError:
            return Session()
    return Session()
