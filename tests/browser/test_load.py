"""The members of the load benchmark practise at a real server, over the page's own protocol."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from evals.load.crowd import QUESTIONS, Crowd
from evals.load.run import join, stored_answers
from interviewer.compose import compose
from interviewer.settings import Settings


def test_members_sign_in_answer_and_are_graded(new_server):
    server = new_server(INTERVIEWER_TEAM="1")
    settings = Settings(home=server.home, team=True, _env_file=None)
    logins = join(compose(settings).accounts, 2)[1:]
    crowd = Crowd(server.url, seconds=2 * QUESTIONS, ramp=0, think=1, seed=3)
    # Playwright keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, crowd.practise(logins)).result()
    assert crowd.problems == []
    assert [turn for turn in crowd.turns if turn.problem] == []
    assert crowd.measured
    assert len(crowd.opened) == 2
    stored, ungraded = stored_answers(settings, [login.id for login in logins])
    assert (stored, ungraded) == (len(crowd.turns), 0)
