"""A team that has practised for some weeks, for pictures: simulated candidates with the real service and grader."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evals.simulation.candidates import Candidate, Mind
from interviewer.accounts.person import Person
from interviewer.compose import App, compose
from interviewer.interview.commands import Press, Say
from interviewer.interview.service import InterviewService, InterviewView
from interviewer.models import Language, PlanRequest
from interviewer.settings import Settings

PASSWORD = "four unrelated words"
LEAD = "rita"
MEMBER = "anna"
MEMBERS = (MEMBER, "ben", "chen", "dora", "emil")
INTERVIEWS = 6
DAYS_BETWEEN = 4
TRACK = "inference-infrastructure"
MOST_TURNS = 80


def make_team(home: Path, language: Language) -> None:
    """Fills a home: an owner, a lead and members of one cohort, who got better from interview to interview."""
    app = compose(Settings(home=home, team=True, _env_file=None))
    people = _people(app)
    for number, name in enumerate(MEMBERS):
        rng = random.Random(number)
        for round_ in range(INTERVIEWS):
            when = datetime.now(UTC) - timedelta(days=DAYS_BETWEEN * (INTERVIEWS - round_) - number / 9)
            knows = min(0.95, 0.25 + 0.1 * round_ + 0.06 * number)
            _practise(app, people[name], Candidate("medium", knows, 0.1, 0.7, 0.5), rng, when, language)
    app.database.close()


def _people(app: App) -> dict[str, Person]:
    links = app.accounts.links
    owner = links.accept(links.owner_link().token, login="olga", name="Olga", password=PASSWORD)
    cohort = app.accounts.cohorts.create(owner, "Platform").id
    made = {}
    for name in (LEAD, *MEMBERS):
        token = links.invite(owner, "lead" if name == LEAD else "member", cohort).token
        made[name] = links.accept(token, login=name, name=name.title(), password=PASSWORD)
    return made


def _practise(
    app: App, person: Person, candidate: Candidate, rng: random.Random, when: datetime, language: Language
) -> None:
    """One whole interview that began at `when`."""
    moments = iter(range(10**6))
    service = InterviewService(
        app.interviews,
        app.questions,
        app.grader,
        app.index,
        now=lambda: when + timedelta(seconds=20 * next(moments)),
        tracks=lambda _: app.tracks(person),
    )
    request = PlanRequest(track=TRACK, level="mid", minutes=30, language=language, seed=rng.randrange(10**6))
    view = service.start(person.id, request)
    mind = Mind(candidate, language, rng)
    for _ in range(MOST_TURNS):
        if view.state.phase == "ended":
            break
        view = _turn(service, person, view, mind)


def _turn(service: InterviewService, person: Person, view: InterviewView, mind: Mind) -> InterviewView:
    current = view.state.current
    if current is None or view.state.phase != "answering":
        command: Say | Press = Press("next")
    elif current.followups and len(current.followups) >= len(current.answers):
        command = Say(mind.follow(current.question, current.followups[-1].point_id))
    else:
        command = Say(mind.answer(current.question, tuple(point.id for point in current.question.points)))
    for update in service.act(person.id, view.id, command):
        view = update.view
    for update in service.resume(person.id, view.id):
        view = update.view
    return view
