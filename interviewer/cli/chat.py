"""`interviewer chat`: the same interview in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from interviewer.interview.clock import Clock
    from interviewer.interview.service import InterviewService, InterviewView, Update
    from interviewer.interview.state import InterviewState
    from interviewer.interview.transcript import Message
    from interviewer.models import Grade, Language, Plan, PointGrade, Track

VERDICT_STYLE = {"covered": "green", "partial": "yellow", "missing": "dim", "contradicted": "red"}
USER = "local"


def chat_command(
    language: Annotated[Literal["zh", "en"], typer.Option(help="Language of the interview.")] = "en",
    count: Annotated[int, typer.Option(min=1, max=50, help="Number of questions.")] = 5,
    set_name: Annotated[list[str] | None, typer.Option("--set", help="Set to draw from; repeat for several.")] = None,
    topic: Annotated[list[str] | None, typer.Option(help="Topic to draw from; repeat for several.")] = None,
    min_difficulty: Annotated[int, typer.Option(min=1, max=5)] = 1,
    max_difficulty: Annotated[int, typer.Option(min=1, max=5)] = 5,
    track: Annotated[str, typer.Option(help="Id of the track to follow, instead of a number of questions.")] = "",
    tracks: Annotated[bool, typer.Option("--tracks", help="List the tracks and leave.")] = False,
    level: Annotated[Literal["junior", "mid", "senior"], typer.Option(help="Level interviewed for.")] = "mid",
    minutes: Annotated[int | None, typer.Option(min=5, max=480, help="What it takes in all.")] = None,
    mode: Annotated[
        Literal["practice", "mock", "drill"],
        typer.Option(help="mock: timed, and no feedback until the end; drill: only points that are due."),
    ] = "practice",
    seed: Annotated[int | None, typer.Option(help="The same seed draws the same plan.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Start anew even if an interview is open.")] = False,
) -> None:
    """Practise in the terminal. An empty line ends an answer; Ctrl-D leaves, and the next start goes on there."""
    from rich.console import Console

    from interviewer.accounts.person import LOCAL
    from interviewer.compose import compose
    from interviewer.models import PlanRequest
    from interviewer.settings import load_settings

    app = compose(load_settings())
    console = Console(highlight=False)
    app.load_questions()
    if tracks:
        for known in app.tracks(LOCAL):
            console.print(track_line(known, language), markup=False, soft_wrap=True)
        return
    request = PlanRequest(
        sets=tuple(set_name or ()),
        topics=tuple(topic or ()),
        min_difficulty=min_difficulty,
        max_difficulty=max(min_difficulty, max_difficulty),
        language=language,
        count=count,
        mode=mode,
        seed=seed,
        track=track,
        level=level,
        minutes=minutes,
    )
    unfinished = None if new else app.service.latest_open(USER)
    if unfinished:
        view = app.service.view(USER, unfinished.id)
    else:
        view = app.service.start_plan(USER, with_minutes(app.service.draft(USER, request)))
    app.warm_up_behind()  # only now, as there may be no interview
    try:
        Terminal(app.service, console, view).run()
    finally:
        app.settle()


def track_line(track: "Track", language: "Language") -> str:
    """A track's id, its title, and its rounds with their minutes."""
    from interviewer.language import clean
    from interviewer.models import pick

    rounds = ", ".join(f"{pick(part.title, language)} {part.minutes}" for part in track.rounds)
    return clean(f"{track.id}: {pick(track.title, language)} ({rounds} min)")


def with_minutes(plan: "Plan") -> "Plan":
    """A plan of a free choice in the minutes that were asked for; a track and a drill are drawn to fit already."""
    wanted = plan.request.minutes
    if wanted is None or plan.request.track or plan.request.mode == "drill":
        return plan
    scale = wanted / plan.minutes
    questions = tuple(q.model_copy(update={"minutes": q.minutes * scale}) for q in plan.questions)
    return plan.model_copy(update={"questions": questions})


def time_left(clock: "Clock", language: "Language") -> str:
    """The time left for the question or phase and in all; empty where nothing is timed."""
    from interviewer.reporting.lines import duration
    from interviewer.wording import say

    if clock.left is None or clock.overall_left is None:
        return ""
    left, overall = duration(max(0.0, clock.left)), duration(max(0.0, clock.overall_left))
    return say("time_left" if clock.phase_limit is None else "time_left_phase", language, left=left, overall=overall)


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
        self._told = 0

    def run(self) -> None:
        """Until the interview ends or the input does."""
        from interviewer.interview.commands import Press, Say

        self._show()
        self._follow(self._service.resume(USER, self._view.id))
        while self._view.state.phase != "ended":
            text = self._read()
            if text is None:
                self._console.print("\n[dim]Kept. `interviewer chat` goes on here.[/dim]")
                return
            if text and self._may_be_said(text):
                self._follow(self._service.act(USER, self._view.id, Say(text)))
            if self._view.state.timed:
                self._follow(self._service.act(USER, self._view.id, Press("time_up")))

    def _may_be_said(self, text: str) -> bool:
        """Not yet, where it asks for the model answer, which ends scoring: that is told first, once a question."""
        from interviewer.interview.revealing import asks_to_end_scoring
        from interviewer.wording import say

        state = self._view.state
        if self._told == len(state.questions) or not asks_to_end_scoring(state, text):
            return True
        self._told = len(state.questions)
        self._console.print(say("reveal_costs", state.language), style="yellow", markup=False)
        return False

    def _read(self) -> str | None:
        """Lines up to an empty one; None at the end of the input. Timed, an empty line alone asks for the time left."""
        lines: list[str] = []
        left = time_left(self._view.clock, self._view.state.language)
        if left and self._view.clock.running:
            self._console.print(left, style="dim", markup=False)
        while True:
            try:
                line = self._console.input("[bold]> [/bold]" if not lines else "[dim]… [/dim]")
            except (EOFError, KeyboardInterrupt):
                return "\n".join(lines) or None
            if not line.strip() and (lines or left):
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
    from interviewer.reporting.lines import choice_lines
    from interviewer.wording import say

    for line in choice_lines([point.id for point in grade.points], grade.choices, language):
        yield Text(line, style="dim")
    for number, point in enumerate(grade.points, 1):
        yield from _point(number, point, grade, language, revealed=revealed)
    for beyond in grade.beyond:
        yield Text(f"+ {say('report_beyond', language)}: “{clean(beyond.quote)}”", style="cyan")
    if grade.comment:
        yield Text(clean(grade.comment))
    if grade.grader.note:
        yield Text(clean(grade.grader.note), style="yellow")
    yield Text(f"{grade.score} / 10", style="bold").append(f"  {grader_name(grade.grader, language)}", style="dim")


def _point(
    number: int, point: "PointGrade", grade: "Grade", language: "Language", *, revealed: bool
) -> "Iterator[RenderableType]":
    from rich.text import Text

    from interviewer.language import clean
    from interviewer.models import Verdict
    from interviewer.reporting.export import verdict_words
    from interviewer.wording import say

    shown = revealed or point.verdict is Verdict.COVERED
    mark, word = verdict_words(point, grade, language)
    line = Text(f"{mark} {number} {word}: ")
    line.stylize(VERDICT_STYLE[point.verdict])
    yield line.append(clean(point.text) if shown else say("point_open", language), style="default")
    if point.quote:
        yield Text(f"    “{clean(point.quote)}”", style="italic dim")
    if point.correction and shown:
        yield Text(f"    → {clean(point.correction)}")
