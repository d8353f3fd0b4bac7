"""A person at the page: what they do, in words, and what they would not forgive."""

from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import BrowserContext, Error, Locator, Page, ViewportSize, expect

PATIENCE = 30_000
"""Milliseconds until something counts as not happening; far above what it takes."""


class Visitor:
    """One browser with one tab.

    Args:
        viewport: Of its tabs, where it is not the context's.
        color_scheme: As well.

    Attributes:
        origins: Of all that was requested.
        outside: Requests that left this machine.
        accidents: Dialogs and script errors.
    """

    def __init__(
        self,
        context: BrowserContext,
        url: str,
        viewport: ViewportSize | None = None,
        color_scheme: Literal["dark", "light"] | None = None,
    ) -> None:
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        self.context = context
        self.url = url
        self.origins: set[str] = set()
        self.outside: list[str] = []
        self.accidents: list[str] = []
        context.on("request", self._watch)
        self._viewport = viewport
        self._color_scheme = color_scheme
        self.page = self.tab()

    def tab(self) -> Page:
        """One more tab of the same browser."""
        page = self.context.new_page()
        if self._viewport:
            page.set_viewport_size(self._viewport)
        if self._color_scheme:
            page.emulate_media(color_scheme=self._color_scheme)
        page.on("dialog", self._refuse)
        page.on("pageerror", self._note)
        return page

    def leave(self) -> None:
        """Watches no longer; the context may be another one's from now on."""
        self.context.remove_listener("request", self._watch)

    def _watch(self, request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https"):
            self.origins.add(f"{address.scheme}://{address.netloc}")
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "127.0.0.1":
            self.outside.append(request.url)

    def _note(self, error: Error) -> None:
        # A dropdown of gradio's measures its list once more when it is gone already; nobody sees it.
        gone = "'getBoundingClientRect'" in error.message and "/assets/" in (error.stack or "")
        if not gone:
            self.accidents.append(f"{error.message}\n{error.stack}")

    def _refuse(self, dialog: Any) -> None:
        self.accidents.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    # --- going places ---
    def open(self, path: str = "/") -> "Visitor":
        self.page.goto(self.url + path)
        expect(self.page.locator("header.iv-header")).to_be_visible()
        return self

    def go(self, name: str) -> None:
        """Follows a link of the header by its address, such as `history`."""
        self.page.locator(f'header nav a[href^="#/{name}"]').click()

    # --- the interview ---
    def start(self, count: int | None = None, **choices: str) -> None:
        """Starts an interview from the setup page: of `count` freely chosen questions, or on the track that is offered.

        `choices` are labels to click, such as a mode.
        """
        if count is not None:
            self.choose_freely()
            field = self.page.locator("#count").get_by_role("spinbutton")
            field.fill(str(count))
            field.press("Tab")
        for label in choices.values():
            self.page.get_by_label(label, exact=True).check()
        expect(self.page.locator("#start")).to_be_enabled()
        self.page.locator("#start").click()
        expect(self.box).to_be_visible()

    def practise(self, language: str = "en", question: str = "inference-kv-cache") -> "Visitor":
        """Starts an interview of one question and opens its page, as the buttons "ask again" do."""
        form = {"question": question}
        reply = self.context.request.post(f"{self.url}/{language}/again", form=form, max_redirects=0)
        self.page.goto(urljoin(reply.url, reply.headers["location"]))
        expect(self.box).to_be_visible()
        return self

    def choose_freely(self) -> None:
        """Picks the last of the tracks, which is none: sets, topics and a number of questions."""
        expect(self.page.locator("#start")).to_be_enabled()
        self.page.locator("#track input").last.check()
        expect(self.page.locator("#sets")).to_be_visible()

    @property
    def box(self) -> Locator:
        return self.page.locator("#answer textarea")

    @property
    def asked(self) -> str:
        """The question that was asked last."""
        return self.page.locator(".iv-question .iv-asked").last.inner_text().strip()

    @property
    def interview(self) -> str:
        """The id of the interview on the page."""
        return self.page.locator(".iv-card").get_attribute("data-interview") or ""

    def say(self, text: str) -> None:
        """Writes and sends, and waits until the page has shown it as stored."""
        before = self.messages("candidate").count()
        self.box.fill(text)
        self.box.press("Enter")
        expect(self.messages("candidate")).to_have_count(before + 1)
        expect(self.box).to_have_value("")

    def messages(self, role: str) -> Locator:
        return self.page.locator(f'#chat [data-role="{role}"]')

    def answer(self, text: str) -> None:
        """Says something and waits for its grade."""
        self.say(text)
        self.wait_for_phase("answering", "reviewing")

    def press(self, action: str) -> None:
        button = self.page.locator(f"#do-{action}")
        expect(button).to_be_enabled()
        button.click()

    def wait_for_phase(self, *phases: str) -> None:
        selector = ", ".join(f'.iv-card[data-phase="{phase}"]' for phase in phases)
        expect(self.page.locator(selector)).to_be_visible()

    def finish_question(self) -> None:
        """Leaves follow-ups and the phases of a design question unanswered, up to the feedback.

        Where nothing was answered there is none: the last question then ends the interview.
        """
        over = self.page.locator('.iv-card:is([data-phase="reviewing"], [data-phase="ended"])')
        phases = self.page.locator(".iv-msg.iv-phase")
        while over.count() == 0:
            following = phases.nth(phases.count())
            self.press("skip")
            expect(over.or_(following).first).to_be_visible()

    def end(self) -> None:
        self.press("stop")
        self.page.locator("#stop-yes").click()
        self.wait_for_phase("ended")

    # --- what must hold everywhere ---
    def overflow(self) -> int:
        """Pixels that the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
