"""From the choices of the start page to a plan, drawn anew only where the choices ask for another one."""

from interviewer.accounts.person import Person
from interviewer.compose import App
from interviewer.errors import NotFoundError, NothingDueError
from interviewer.models import Level, Plan, Track
from ui.call import Call
from ui.choices import LEAST_MINUTES, MINUTES_STEP, MOST_MINUTES, Choices, Prepared
from ui.rounds import is_proposed, proposed_rounds
from ui.screens import SetupScreen
from ui.texts import Texts


class Preparer:
    """Draws plans for the start page.

    Args:
        app: Has the tracks, the questions and the service that draws.
    """

    def __init__(self, app: App, t: Texts) -> None:
        self._app = app
        self._t = t

    def first(self, person: Person) -> Choices:
        """What a newcomer gets: the first track there is, the rounds that fit, every set."""
        tracks = self._app.tracks(person)
        track = tracks[0].id if tracks else ""
        return Choices(
            track=track,
            rounds=self.proposed_rounds(person, track, Choices().level, Choices().minutes),
            language=self._t.language,
            sets=tuple(info.name for info in self._app.library.sets(person, self._t.language)),
        )

    def valid(self, person: Person, choices: Choices | None) -> Choices | None:
        """Choices from an earlier visit without what is gone; None where the track is."""
        if choices is None or (choices.track and self._track(person, choices.track) is None):
            return None
        names = [info.name for info in self._app.library.sets(person, self._t.language)]
        sets = tuple(name for name in choices.sets if name in names) or tuple(names)
        rounds = self._known_rounds(person, choices)
        rounds = rounds or self.proposed_rounds(person, choices.track, choices.level, choices.minutes)
        return choices._replace(sets=sets, rounds=rounds)

    def proposed_rounds(self, person: Person, track_id: str, level: Level, minutes: int) -> tuple[str, ...]:
        """The rounds that suit a level and the time there is."""
        track = self._track(person, track_id)
        return proposed_rounds(track, level, minutes) if track else ()

    def with_fitting_rounds(self, person: Person, choices: Choices, before: Choices | None) -> Choices:
        """Another track or level has its own rounds, and other rounds may suit another time.

        Args:
            before: What the page was last shown for; several choices may have changed since. None where the server
                does not know any more.
        """
        elsewhere = bool(choices.rounds) and not self._known_rounds(person, choices)
        if elsewhere or (before and not before.has_rounds_of(choices)):
            rounds = self.proposed_rounds(person, choices.track, choices.level, choices.minutes)
            return choices._replace(rounds=rounds)
        if before and choices.minutes != before.minutes:
            return self._with_other_minutes(person, choices)
        return choices

    def _with_other_minutes(self, person: Person, choices: Choices) -> Choices:
        """Those rounds stay that a person put together."""
        track = self._track(person, choices.track)
        every = range(LEAST_MINUTES, MOST_MINUTES + 1, MINUTES_STEP)
        if track is None or not is_proposed(track, choices.level, choices.rounds, every):
            return choices
        return choices._replace(rounds=proposed_rounds(track, choices.level, choices.minutes))

    def screen(self, call: Call, choices: Choices, prepared: Prepared) -> SetupScreen:
        """The start page with a plan for `choices`, or with what keeps it from being drawn."""
        library = self._app.library
        topics = library.topics(call.person, choices.sets, self._t.language)
        known = {info.id for info in topics}
        choices = choices._replace(topics=tuple(topic for topic in choices.topics if topic in known))
        problem = self._problem(call.person, choices)
        if not problem:
            try:
                prepared = self.prepare(call, choices, prepared)
            except NothingDueError as nothing:
                problem = self._nothing_due(nothing)
            except NotFoundError:
                problem = self._t("setup.no_match")
        if problem:
            prepared = prepared._replace(plan=None)
        return SetupScreen(
            session=call.session.at("setup"),
            choices=choices,
            tracks=self._app.tracks(call.person),
            sets=library.sets(call.person, self._t.language),
            topics=topics,
            prepared=prepared._replace(choices=choices),
            problem=problem,
            matching=0 if choices.track or choices.drill else self._count(call.person, choices),
            topic_titles=self._titles(prepared),
            unfinished=self._app.service.latest_open(call.user),
            assigned=self._app.teams.assignments.open(call.person) if call.person.team else (),
            grader=self._app.grader_name(self._t.language),
        )

    def prepare(self, call: Call, choices: Choices, prepared: Prepared) -> Prepared:
        """`prepared` with a plan for `choices`; the one it has stays if it was drawn for the same.

        Raises:
            NotFoundError: if no question fits, or nothing is due.
        """
        if not choices.drill and not choices.track and choices.difficulties == ():
            raise NotFoundError(self._t("setup.upside_down"))
        request = choices.request(prepared.focus)
        if prepared.fits(request) and not choices.drill:
            return prepared
        plan = self._app.service.draft(call.user, request)
        return prepared if choices.drill and _within(prepared.plan, plan) else prepared._replace(plan=plan)

    def _nothing_due(self, nothing: NothingDueError) -> str:
        return self._t("drill.rest", day=nothing.day.isoformat()) if nothing.day else self._t("drill.empty")

    def _problem(self, person: Person, choices: Choices) -> str:
        """Why no plan can be drawn; empty if one can."""
        if choices.drill:
            return ""
        if choices.track:
            return "" if self._known_rounds(person, choices) else self._t("setup.no_rounds")
        if not choices.sets:
            return self._t("setup.no_sets")
        return "" if choices.difficulties else self._t("setup.upside_down")

    def _count(self, person: Person, choices: Choices) -> int:
        if not choices.sets or not choices.difficulties:
            return 0
        return self._app.library.count(
            person,
            sets=choices.sets,
            topics=choices.topics,
            difficulties=choices.difficulties,
            language=choices.language,
        )

    def _titles(self, prepared: Prepared) -> dict[str, str]:
        named = {focus.topic for focus in prepared.focus} | set(prepared.plan.topics if prepared.plan else ())
        return {topic: self._app.library.topic_title(topic, self._t.language) for topic in named}

    def _track(self, person: Person, track_id: str) -> Track | None:
        return next((track for track in self._app.tracks(person) if track.id == track_id), None)

    def _known_rounds(self, person: Person, choices: Choices) -> tuple[str, ...]:
        track = self._track(person, choices.track)
        return tuple(part.id for part in track.rounds if part.id in choices.rounds) if track else ()


def _within(plan: Plan | None, newest: Plan) -> bool:
    """Whether a drill that was prepared, and perhaps edited, still holds nothing but what is due now."""
    due = {(question.question_id, question.points) for question in newest.questions}
    return (
        plan is not None
        and plan.request == newest.request
        and all((question.question_id, question.points) in due for question in plan.questions)
    )
