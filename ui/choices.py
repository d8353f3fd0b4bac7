"""What a candidate chooses before an interview, and the plan that is prepared from it."""

import json
from typing import Any, Literal, NamedTuple, get_args

from pydantic import TypeAdapter, ValidationError

from interviewer.models import LANGUAGES, LEVELS, Focus, Language, Level, Mode, Plan, PlanRequest

LEAST_MINUTES, MOST_MINUTES, MINUTES_STEP = 10, 180, 5
LEAST_DRILL_MINUTES = 5
MOST_QUESTIONS = 20


class Choices(NamedTuple):
    """The choices of the start page.

    Attributes:
        track: Id of the track; empty for a free choice, to which `sets` to `number` belong.
        rounds: Ids of the track's rounds to run.
        minutes: What the rounds, or a drill, take together.
        topics: None means all of them.
    """

    track: str = ""
    level: Level = "mid"
    rounds: tuple[str, ...] = ()
    minutes: int = 30
    mode: Mode = "practice"
    language: Language = "zh"
    sets: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    low: int = 1
    high: int = 5
    number: int = 5

    @property
    def drill(self) -> bool:
        """Whether only what is due is asked; of all other choices just the minutes and the language count then."""
        return self.mode == "drill"

    @property
    def kind(self) -> Literal["track", "free", "drill"]:
        """What is chosen from: a track, all sets and topics, or what is due."""
        return "drill" if self.drill else "track" if self.track else "free"

    @property
    def difficulties(self) -> tuple[int, ...]:
        """Empty where the range is upside down."""
        return tuple(range(self.low, self.high + 1))

    def has_rounds_of(self, other: "Choices") -> bool:
        """Whether both choose among the same rounds."""
        return (self.track, self.level) == (other.track, other.level)

    def request(self, focus: tuple[Focus, ...] = ()) -> PlanRequest:
        """The request for a plan; `focus` is what a job description asks for, and counts where there is a track."""
        common: dict[str, Any] = {"language": self.language, "mode": self.mode}
        if self.drill:
            return PlanRequest(minutes=self.minutes, **common)
        if self.track:
            return PlanRequest(
                track=self.track, level=self.level, rounds=self.rounds, minutes=self.minutes, focus=focus, **common
            )
        return PlanRequest(
            sets=self.sets,
            topics=self.topics,
            min_difficulty=self.low,
            max_difficulty=self.high,
            count=self.number,
            **common,
        )


class Prepared(NamedTuple):
    """What this tab holds for its next interview; nothing of it is stored before the start.

    Attributes:
        plan: Drawn from the choices, and perhaps edited.
        focus: What a job description or résumé asks for, without what was removed.
        searched: Whether a text was looked at, so that finding nothing can be said.
        cut: Whether that text was too long to be looked at whole.
        choices: What the page was last shown for.
    """

    plan: Plan | None = None
    focus: tuple[Focus, ...] = ()
    searched: bool = False
    cut: bool = False
    choices: Choices | None = None

    def fits(self, request: PlanRequest) -> bool:
        """Whether the plan was drawn for just this request."""
        return self.plan is not None and self.plan.request.model_copy(update={"seed": request.seed}) == request


_CHOICES: TypeAdapter[Choices] = TypeAdapter(Choices)


def keep(choices: Choices) -> str:
    """The choices as the browser keeps them; the language follows the page."""
    return json.dumps({name: value for name, value in choices._asdict().items() if name != "language"})


def kept(text: str, language: Language) -> Choices | None:
    """The choices a browser kept; None for anything that is not one."""
    try:
        choices = _CHOICES.validate_python(json.loads(text) | {"language": language})
    except (ValidationError, TypeError, ValueError):
        return None
    return held(choices)


def read_choices(
    track: str | None, level: str, rounds: list[str] | None, minutes: float | None, *others: Any
) -> Choices:
    """The values of the components as choices. An emptied field stands for the least; what the page does not offer was
    not chosen there, and counts as what it begins with."""
    mode, language, sets, topics, low, high, number = others
    first = Choices()
    return held(
        Choices(
            track=track or "",
            level=level if level in LEVELS else first.level,
            rounds=tuple(rounds or ()),
            minutes=int(minutes or LEAST_MINUTES),
            mode=mode if mode in get_args(Mode) else first.mode,
            language=language if language in LANGUAGES else first.language,
            sets=tuple(sets or ()),
            topics=tuple(topics or ()),
            low=int(low or 1),
            high=int(high or 5),
            number=int(number or 1),
        )
    )


def held(choices: Choices) -> Choices:
    """The choices with every number within what the page offers."""
    least = LEAST_DRILL_MINUTES if choices.drill else LEAST_MINUTES
    return choices._replace(
        minutes=min(MOST_MINUTES, max(least, choices.minutes)),
        number=min(MOST_QUESTIONS, max(1, choices.number)),
        low=min(5, max(1, choices.low)),
        high=min(5, max(1, choices.high)),
    )
