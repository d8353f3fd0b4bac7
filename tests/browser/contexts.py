"""Contexts of the browser that are used again, each as good as new."""

from collections.abc import Iterable

from playwright.sync_api import Browser, BrowserContext

MOST = 4
"""Contexts kept beside those in use: each has a process, of some hundred megabytes."""


class Contexts:
    """Gives out contexts and clears them when they come back.

    Cookies, storage, tabs: nothing of a visitor is left. Only what the browser cached and compiled of the page's
    scripts is, since a context's first tab stays open, on the site and empty: half of the work of opening the page.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[tuple[dict[str, object], BrowserContext]] = []

    def take(self, url: str, **options: object) -> BrowserContext:
        """A context as made with these options; `url` is of the site that its tabs will open."""
        for place, (made_with, context) in enumerate(self._free):
            if made_with == options:
                del self._free[place]
                return context
        context = self._browser.new_context(**options)
        context.new_page().goto(f"{url}/favicon.svg")
        return context

    def give_back(self, context: BrowserContext, origins: Iterable[str], **options: object) -> None:
        """Clears it; `origins` are those that were visited."""
        kept, *others = context.pages
        for page in others:
            page.close()
        context.clear_cookies()
        session = context.new_cdp_session(kept)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        self._free.append((options, context))
        if len(self._free) > MOST:
            self._free.pop(0)[1].close()
