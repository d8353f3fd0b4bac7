"""What leads are told is the same from PostgreSQL."""

from datetime import timedelta

import pytest

from interviewer.errors import NotFoundError
from interviewer.models import PlanRequest
from interviewer.teams.assignments import NewAssignment
from tests.interviewer.teams.conftest import ALL, Team


@pytest.fixture
def team(postgresql, clock, question):
    team = Team(postgresql.new_database(), clock)
    team.questions.save([question(f"q{n}") for n in range(3)], reason="test")
    yield team
    team.database.close()


def test_figures_shares_and_assignments_on_postgresql(team):
    for person, answer in ((team.ann, "sum"), (team.bob, "sum"), (team.cem, ALL)):
        team.practise(person, answer)
    team.later(days=40)
    interview = team.practise(team.ann, ALL)
    page = team.cohort.overview(team.rita, 30)
    assert [(m.name, m.week, m.interviews, m.questions) for m in page.members] == [
        ("Ann", 1, 1, 1),
        ("Bob", 0, 0, 0),
        ("Cem", 0, 0, 0),
    ]
    assert page.members[0].standing == ((2, 2), (1, 2))
    figures = {missed.figure.point_id: (missed.figure.missed, missed.figure.asked) for missed in page.points}
    assert figures == {"memory": (2, 3), "sum": (0, 3)}
    assert [week.share.covered for week in team.cohort.member(team.rita, "ann").weeks][-2:] == [1, 2]

    team.dispute(team.ann, interview)
    team.shares.share(team.ann, interview)
    team.shares.share(team.ann, interview)
    assert [share.waiting for share in team.shares.shared_with(team.rita)] == [1]
    team.decide(team.rita, interview)
    assert [share.waiting for share in team.shares.shared_with(team.rita)] == [0]
    with pytest.raises(NotFoundError):
        team.shares.report(team.bert, interview)

    due = (team.clock() + timedelta(days=1)).date()
    given = team.assignments.create(team.rita, NewAssignment("One", "", PlanRequest(count=1), True, due))
    for person in (team.bob, team.ann, team.cem):
        done = team.assignments.start(person, given.id, "en")
        assert team.assignments.start(person, given.id, "en") == done
        team.go_on(person, done, "sum", end=person is not team.bob)
    followed = team.assignments.follow(team.rita, given.id)
    assert [member.progress for member in followed.members] == ["done", "under_way", "done"]
