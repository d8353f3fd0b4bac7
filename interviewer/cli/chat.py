"""`interviewer chat`: the same interview in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from interviewer.interview.service import InterviewService, InterviewView, Update
    from interviewer.interview.state import InterviewState
    from interviewer.interview.transcript import Message
    from interviewer.models import Grade, Language, PointGrade

VERDICT_STYLE = {"covered": "green", "partial": "yellow", "missing": "dim", "contradicted": "red"}
USER = "local"


def chat_command(
    language: Annotated[Literal["zh", "en"], typer.Option(help="Language of the interview.")] = "en",
    count: Annotated[int, typer.Option(min=1, max=50, help="Number of questions.")] = 5,
    set_name: Annotated[list[str] | None, typer.Option("--set", help="Set to draw from; repeat for several.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="Topic to draw from; repeat for several.")] = None,
    min_difficulty: Annotated[int, typer.Option(min=1, max=5)] = 1,
    max_difficulty: Annotated[int, typer.Option(min=1, max=5)] = 5,
    mock: Annotated[bool, typer.Option("--mock", help="No feedback until the end.")] = False,
    seed: Annotated[int | None, typer.Option(help="The same seed draws the same plan.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Start anew even if an interview is open.")] = False,
) -> None:
    """Practise in the terminal. An empty line ends an answer; Ctrl-D leaves, and the next start goes on there."""
    from rich.console import Console

    from interviewer.compose import compose
    from interviewer.models import PlanRequest
    from interviewer.settings import load_settings

    app = compose(load_settings())
    app.load_questions()
    app.warm_up_behind()
    request = PlanRequest(
        sets=tuple(set_name or ()),
        topics=tuple(topic or ()),
        min_difficulty=min_difficulty,
        max_difficulty=max(min_difficulty, max_difficulty),
        language=language,
        count=count,
        mode="mock" if mock else "practice",
        seed=seed,
    )
    unfinished = None if new else app.service.latest_open(USER)
    view = app.service.view(USER, unfinished.id) if unfinished else app.service.start(USER, request)
    Terminal(app.service, Console(highlight=False), view).run()


class Terminal:
    """Shows each message once and passes what is typed on.

    Args:
        view: The interview to run.
    """

    def __init__(self, service: "InterviewService", console: "Console", view: "InterviewView") -> None:
        self._service = service
        self._console = console
        self._view = view
        self._shown: set[str] = set()

    def run(self) -> None:
        """Until the interview ends or the input does."""
        from interviewer.interview.commands import Say

        self._show()
        self._follow(self._service.resume(USER, self._view.id))
        while self._view.state.phase != "ended":
            text = self._read()
            if text is None:
                self._console.print("\n[dim]Kept. `interviewer chat` goes on here.[/dim]")
                return
            self._follow(self._service.act(USER, self._view.id, Say(text)))

    def _read(self) -> str | None:
        """Lines up to an empty one; None at the end of the input."""
        lines: list[str] = []
        while True:
            try:
                line = self._console.input("[bold]> [/bold]" if not lines else "[dim]… [/dim]")
            except (EOFError, KeyboardInterrupt):
                return "\n".join(lines) or None
            if not line.strip() and lines:
                return "\n".join(lines)
            if line.strip():
                lines.append(line)

    def _follow(self, updates: "Iterator[Update]") -> None:
        with self._console.status("…") as status:
            for update in updates:
                if update.progress is not None:
                    status.update(f"{update.progress.done}/{update.progress.total}")
                    continue
                self._view = update.view
                status.stop()
                self._show()
                if update.notice:
                    self._console.print(update.notice, style="yellow", markup=False)
                status.start()

    def _show(self) -> None:
        for message in self._view.messages:
            if message.key in self._shown:
                continue
            self._shown.add(message.key)
            if message.role == "interviewer":
                for renderable in render(message, self._view.state):
                    self._console.print(renderable)


def render(message: "Message", state: "InterviewState") -> "Iterator[RenderableType]":
    """A message for the terminal; control characters in it can't reach the terminal.

    While a question is open, the points that were not covered keep their text to themselves.
    """
    from rich.markdown import Markdown
    from rich.text import Text

    from interviewer.language import clean

    if message.intro:
        yield Text(f"\n{clean(message.intro)}", style="bold")
    if message.kind == "feedback" and message.grade is not None:
        closed = message.question_index is None or state.questions[message.question_index].closed is not None
        yield from _feedback(message.grade, state.language, revealed=closed)
    elif message.kind == "reference":
        yield Markdown(clean(message.text))
    elif message.text:
        yield Text(clean(message.text))


def _feedback(grade: "Grade", language: "Language", *, revealed: bool) -> "Iterator[RenderableType]":
    from rich.text import Text

    from interviewer.language import clean
    from interviewer.reporting.export import grader_name
    from interviewer.wording import say

    for number, point in enumerate(grade.points, 1):
        yield from _point(number, point, language, revealed=revealed)
    for beyond in grade.beyond:
        yield Text(f"+ {say('report_beyond', language)}: “{clean(beyond.quote)}”", style="cyan")
    if grade.comment:
        yield Text(clean(grade.comment))
    if grade.grader.note:
        yield Text(clean(grade.grader.note), style="yellow")
    yield Text(f"{grade.score} / 10", style="bold").append(f"  {grader_name(grade.grader, language)}", style="dim")


def _point(number: int, point: "PointGrade", language: "Language", *, revealed: bool) -> "Iterator[RenderableType]":
    from rich.text import Text

    from interviewer.language import clean
    from interviewer.models import Verdict
    from interviewer.reporting.export import MARK
    from interviewer.wording import say

    shown = revealed or point.verdict is Verdict.COVERED
    line = Text(f"{MARK[point.verdict]} {number} {say('verdict_' + point.verdict, language)}: ")
    line.stylize(VERDICT_STYLE[point.verdict])
    yield line.append(clean(point.text) if shown else say("point_open", language), style="default")
    if point.quote:
        yield Text(f"    “{clean(point.quote)}”", style="italic dim")
    if point.correction and shown:
        yield Text(f"    → {clean(point.correction)}")
