"""Takes the README's pictures from the real page: `python -m tests.browser.take_screenshots [FOLDER]`.

Needs Chromium and a CJK font; starts its own server with a home of its own.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from knowledge.bank import load_bank
from tests.browser.conftest import ARGUMENTS
from tests.browser.server import ServerProcess
from tests.browser.visitor import Visitor

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
LARGEST = 200_000
"""Bytes of one picture."""
QUESTION = "inference-kv-cache"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 860}


class Shot(NamedTuple):
    """How a round of pictures is taken: in which language, colours and size, of which pages."""

    name: str
    language: str
    dark: bool
    size: dict[str, int]
    pages: tuple[str, ...]


ROUNDS = (
    Shot("zh", "zh", False, DESKTOP, ("setup", "questions", "interview", "report", "history")),
    Shot("en", "en", False, DESKTOP, ("setup", "interview", "report")),
    Shot("dark", "zh", True, DESKTOP, ("interview", "report")),
    Shot("phone", "zh", False, PHONE, ("setup", "interview")),
    Shot("phone-dark", "en", True, PHONE, ("interview",)),
)


def main() -> None:
    """Every page in every round."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        home = Path(temporary) / "home"
        home.mkdir()
        server = ServerProcess(home).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        try:
            for shot in ROUNDS:
                take(browser, server.url, shot, folder)
        finally:
            browser.close()
            server.stop()


def take(browser: Browser, url: str, shot: Shot, folder: Path) -> None:
    """One round: setup, interview, report, history, questions."""
    context = browser.new_context(
        viewport=shot.size,
        locale={"zh": "zh-CN", "en": "en-US"}[shot.language],
        color_scheme="dark" if shot.dark else "light",
    )
    me = Visitor(context, url).open(f"/{shot.language}/")
    me.page.locator("#start:not([disabled])").wait_for()
    save(me, shot, "setup", folder)
    me.page.goto(f"{url}/{shot.language}/#/questions/{QUESTION}")
    me.page.locator(".iv-detail").wait_for()
    me.page.locator("#detail summary").first.click()
    save(me, shot, "questions", folder)
    me.page.locator('[data-action="practise"]').click()
    me.box.wait_for()
    me.answer(half_an_answer(shot.language))
    save(me, shot, "interview", folder)
    me.end()
    me.press("report")
    me.page.locator(".iv-report").wait_for()
    save(me, shot, "report", folder)
    me.go("history")
    me.page.locator(".iv-history").wait_for()
    save(me, shot, "history", folder)
    context.close()


def half_an_answer(language: str) -> str:
    """The first half of the question's points in the bank's own words, and then something vague."""
    question = next(q for q in load_bank() if q.id == QUESTION)
    said = [point.in_language(language).rstrip("。.") for point in question.points][: len(question.points) // 2 + 1]
    if language == "zh":
        return "。".join(said) + "。另外我记得还有一些别的优化，但细节不太清楚了。"
    return ". ".join(said) + ". There are other optimisations too, but I am not sure about the details."


def save(me: Visitor, shot: Shot, page: str, folder: Path) -> None:
    """A still picture with few enough colours to be small, if the round has this page."""
    if page not in shot.pages:
        return
    path = folder / f"{page}-{shot.name}.png"
    me.page.mouse.move(0, 0)
    me.page.wait_for_timeout(900)
    image = Image.open(io.BytesIO(me.page.screenshot(animations="disabled"))).convert("RGB")
    image.quantize(colors=128, dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path.name} has {path.stat().st_size} bytes, more than {LARGEST}")


if __name__ == "__main__":
    main()
