"""The members of the load benchmark practise at a real server, over the page's own protocol."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from evals.load.crowd import QUESTIONS, Crowd, Login
from evals.load.run import join, stored_answers
from evals.load.tab import PASSWORD
from interviewer.accounts.rules import OPERATOR
from interviewer.compose import compose
from interviewer.settings import Settings


def test_an_owner_and_the_members_of_a_cohort_join(tmp_path):
    parts = compose(Settings(home=tmp_path, team=True, _env_file=None))
    logins = join(parts.accounts, 2)
    people = parts.accounts.people.all(OPERATOR)
    parts.database.close()
    assert {(p.id, p.login) for p in people} == set(logins)
    assert [p.role for p in people if (p.id, p.login) == logins[0]] == ["owner"]
    assert len({p.cohort for p in people if p.role == "member"}) == 1


def test_members_sign_in_answer_and_are_graded(team):
    settings = Settings(home=team.server.home, team=True, _env_file=None)
    logins = [Login(team.join(login, password=PASSWORD).id, login) for login in ("member1", "member2")]
    crowd = Crowd(team.url, seconds=2 * QUESTIONS, ramp=0, think=1, seed=3)
    # Playwright keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, crowd.practise(logins)).result()
    assert crowd.problems == []
    assert [turn for turn in crowd.turns if turn.problem] == []
    assert crowd.measured
    assert len(crowd.opened) == 2
    stored, ungraded = stored_answers(settings, [login.id for login in logins])
    assert (stored, ungraded) == (len(crowd.turns), 0)
