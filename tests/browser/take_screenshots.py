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
from tests.browser.a_team import LEAD, MEMBER, PASSWORD, make_team
from tests.browser.conftest import ARGUMENTS
from tests.browser.past import paused_mock
from tests.browser.server import ServerProcess
from tests.browser.visitor import Visitor

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
LARGEST = 200_000
"""Bytes of one picture."""
QUESTION = "inference-kv-cache"
JOB = {
    "zh": "熟悉 KV Cache 与 vLLM，有线上推理服务的经验。",
    "en": "Experience with the KV cache and vLLM in production.",
}
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
    Shot(
        "zh",
        "zh",
        False,
        DESKTOP,
        ("setup", "plan", "questions", "interview", "report", "history", "design", "clock"),
    ),
    Shot("en", "en", False, DESKTOP, ("setup", "plan", "interview", "report", "design", "clock")),
    Shot("dark", "zh", True, DESKTOP, ("interview", "report")),
    Shot("phone", "zh", False, PHONE, ("setup", "interview")),
    Shot("phone-dark", "en", True, PHONE, ("interview",)),
)


TEAM_ROUNDS = (
    Shot("en", "en", False, DESKTOP, ("progress", "team")),
    Shot("zh", "zh", True, DESKTOP, ("progress", "team")),
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
                take(browser, server, shot, folder)
            for shot in TEAM_ROUNDS:
                take_team(browser, Path(temporary) / shot.name, shot, folder)
        finally:
            browser.close()
            server.stop()


def take(browser: Browser, server: ServerProcess, shot: Shot, folder: Path) -> None:
    """One round: setup, plan, interview, report, history, questions, design, clock."""
    context = browser.new_context(
        viewport=shot.size,
        locale={"zh": "zh-CN", "en": "en-US"}[shot.language],
        color_scheme="dark" if shot.dark else "light",
    )
    me = Visitor(context, server.url).open(f"/{shot.language}/")
    me.page.locator("#start:not([disabled])").wait_for()
    save(me, shot, "setup", folder)
    show_plan(me, shot, folder)
    me.page.goto(f"{server.url}/{shot.language}/#/questions/{QUESTION}")
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
    if "design" in shot.pages:
        show_design(me, shot, folder)
    if "clock" in shot.pages:
        show_clock(me, server, shot, folder)
    context.close()


def take_team(browser: Browser, home: Path, shot: Shot, folder: Path) -> None:
    """One round of a team that has practised for some weeks: a member's progress, and what the lead sees."""
    home.mkdir()
    make_team(home, "zh" if shot.language == "zh" else "en")
    server = ServerProcess(home, INTERVIEWER_TEAM="1").start()
    try:
        for login, page in ((MEMBER, "progress"), (LEAD, "team")):
            context = browser.new_context(viewport=shot.size, color_scheme="dark" if shot.dark else "light")
            me = Visitor(context, server.url).open(f"/{shot.language}/sign-in")
            me.page.locator("input[name=login]").fill(login)
            me.page.locator("input[name=password]").fill(PASSWORD)
            me.page.locator("main form button").first.click()
            me.page.locator("#start").wait_for()
            me.open(f"/{shot.language}/{page}")
            save(me, shot, page, folder)
            context.close()
    finally:
        server.stop()


def show_plan(me: Visitor, shot: Shot, folder: Path) -> None:
    """A senior's plan, some of it asked for by a job description."""
    page = me.page
    page.locator("#track input").nth(3).check()
    page.locator("#level input").last.check()
    page.locator("#minutes input[type=number]").fill("60")
    page.locator("#minutes input[type=number]").press("Tab")
    page.locator("#rounds input:checked").nth(2).wait_for()
    page.locator("#job button").first.click()
    page.locator("#job-text textarea").fill(JOB[shot.language])
    page.locator("#job-find").click()
    page.locator(".iv-found").wait_for()
    page.locator("#look").click()
    page.locator(".iv-slot").first.wait_for()
    save(me, shot, "plan", folder)


def show_design(me: Visitor, shot: Shot, folder: Path) -> None:
    """A design question after its first phases."""
    page = me.page
    question = next(q for q in load_bank() if q.phases)
    page.goto(f"{me.url}/{shot.language}/#/questions/{question.id}")
    page.locator('#detail [data-action="practise"]').click()
    me.box.wait_for()
    points = [question.point(id_).in_language(shot.language) for phase in question.phases for id_ in phase.points]
    me.answer(points[0])
    if page.locator(".iv-msg.iv-phase").count() == 1:
        me.press("skip")
        page.locator(".iv-msg.iv-phase").nth(1).wait_for()
    me.answer(points[1])
    save(me, shot, "design", folder)
    me.end()


def show_clock(me: Visitor, server: ServerProcess, shot: Shot, folder: Path) -> None:
    """A mock interview with little time left for its question."""
    id_ = paused_mock(server, (QUESTION, "training-lora", "rag-hallucination-diagnosis"), (6, 7, 7), 295, shot.language)
    me.page.goto(f"{me.url}/{shot.language}/#/interview/{id_}")
    me.wait_for_phase("paused")
    me.press("resume")
    me.wait_for_phase("answering")
    me.answer(half_an_answer(shot.language))
    save(me, shot, "clock", folder)
    me.end()


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
