"""Assignments: everyone gets the same plan, begins once, and the lead sees who has done it but nobody's score."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from sqlalchemy import func, select

from interviewer.accounts.person import LOCAL
from interviewer.errors import AccessError, ConflictError, InterviewerError, NotFoundError
from interviewer.models import PlanRequest
from interviewer.storage import tables as t
from interviewer.teams.assignments import NewAssignment
from tests.interviewer.teams.conftest import ALL


def give(team, by=None, *, title="Week one", days=1, any_language=True, **request):
    wanted = NewAssignment(
        title=title,
        note="Read chapter 3 first.",
        request=PlanRequest(**{"count": 3, "followups": 0, **request}),
        any_language=any_language,
        due=(team.clock() + timedelta(days=days)).date(),
    )
    return team.assignments.create(by or team.rita, wanted)


def do(team, person, assignment, answer="sum", *, end=True):
    interview = team.assignments.start(person, assignment.id, "en")
    return team.go_on(person, interview, answer, end=end)


def asked(team, person, interview):
    return [q.question.id for q in team.service.view(person.id, interview).state.questions]


def progress(team, assignment):
    return {doing.user_id: doing.progress for doing in team.assignments.follow(team.rita, assignment.id).members}


def test_only_leads_give_withdraw_and_follow_and_only_in_their_own_cohort(team):
    given = give(team)
    for person in (team.ann, team.bob):
        for act in (lambda p: give(team, p), lambda p: team.assignments.withdraw(p, given.id), team.assignments.given):
            with pytest.raises(AccessError):
                act(person)
        with pytest.raises(AccessError):
            team.assignments.follow(person, given.id)
    for act in (team.assignments.withdraw, team.assignments.follow):
        for person in (team.bert, LOCAL):
            with pytest.raises(NotFoundError):
                act(person, given.id)
    assert team.assignments.given(team.bert) == ()
    assert team.assignments.mine(team.ann)


def test_another_cohort_neither_sees_nor_starts_it(team):
    given = give(team)
    for person in (team.eve, team.bert, LOCAL, team.add("lone", None)):
        assert team.assignments.mine(person) == ()
        with pytest.raises(NotFoundError):
            team.assignments.start(person, given.id, "en")
    assert [mine.assignment.id for mine in team.assignments.open(team.ann)] == [given.id]


def test_everyone_is_asked_the_same_whatever_they_had_before_and_however_they_do(team):
    team.practise(team.ann, "nothing", "q0", "q1", "q2")
    given = give(team)
    first = asked(team, team.ann, do(team, team.ann, given, "nothing"))
    team.later(hours=5)
    second = asked(team, team.bob, do(team, team.bob, given, ALL))
    assert first == second == [planned.question_id for planned in given.plan.questions]
    assert len(first) == 3
    assert not given.plan.request.adaptive


def test_in_any_language_the_questions_are_the_same_and_words_are_the_members(team):
    given = give(team)
    assert given.languages == ("zh", "en")
    interview = team.assignments.start(team.ann, given.id, "zh")
    assert team.service.view("ann", interview).state.language == "zh"
    assert [q.question_id for q in given.plans["zh"].questions] == [q.question_id for q in given.plans["en"].questions]


def test_a_fixed_language_is_kept(team):
    given = give(team, any_language=False, language="en")
    interview = team.assignments.start(team.ann, given.id, "zh")
    assert team.service.view("ann", interview).state.language == "en"


def test_a_question_in_one_language_is_in_no_plan_for_any_language(team, question):
    only = {"question": {"en": "Only in English"}, "reference": {"en": "Yes."}}
    team.questions.save([question("english", topic="odd", **only)], reason="test")
    with pytest.raises(InterviewerError, match="No question fits"):
        give(team, topics=("odd",))
    assert give(team, topics=("odd",), any_language=False, language="en").plan.questions


def test_a_track_with_rounds_and_minutes(team):
    given = give(team, track="backend", minutes=20)
    assert given.plans["zh"].track == "后端"
    assert given.plans["en"].rounds[0].title == "One"
    assert given.plan.minutes <= 20
    with pytest.raises(InterviewerError, match="No question fits"):
        give(team, track="unknown")


def test_nothing_is_drawn_from_the_leads_private_set(team, question):
    team.private(team.rita, [question("my0", set="diary", topic="secret")])
    with pytest.raises(InterviewerError, match="No question fits"):
        give(team, topics=("secret",))
    assert all(q.question_id != "my0" for q in give(team, count=20).plan.questions)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"title": "  "}, "title"),
        ({"title": "x" * 121}, "title"),
        ({"days": -2}, "past"),
        ({"mode": "drill"}, "No question fits"),
    ],
)
def test_what_makes_no_assignment_is_refused(team, changes, problem):
    with pytest.raises(InterviewerError, match=problem):
        give(team, **changes)
    assert team.assignments.given(team.rita) == ()


def test_whoever_has_begun_goes_on_with_the_same_interview(team):
    given = give(team)
    first = do(team, team.ann, given, end=False)
    assert team.assignments.start(team.ann, given.id, "zh") == first
    (mine,) = team.assignments.open(team.ann)
    assert (mine.progress, mine.interview_id) == ("under_way", first)
    team.go_on(team.ann, first, "sum")
    assert team.assignments.start(team.ann, given.id, "en") == first
    assert team.assignments.open(team.ann) == ()
    assert team.assignments.mine(team.ann)[0].progress == "done"


def test_begun_in_two_tabs_at_once_it_is_one_interview(team):
    given, started, ready = give(team), [], Barrier(4)

    def begin():
        ready.wait()
        started.append(team.assignments.start(team.ann, given.id, "en"))

    threads = [Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == 4
    assert len(set(started)) == 1
    with team.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(t.interviews)) == 1


def test_a_deleted_interview_can_be_begun_anew(team):
    given = give(team)
    team.service.delete("ann", do(team, team.ann, given))
    assert team.assignments.open(team.ann)[0].progress == "not_begun"
    assert do(team, team.ann, given)


def test_a_withdrawn_one_can_be_finished_but_not_begun(team):
    given = give(team)
    begun = do(team, team.ann, given, end=False)
    team.assignments.withdraw(team.rita, given.id)
    assert team.assignments.open(team.ann) == team.assignments.mine(team.bob) == ()
    with pytest.raises(NotFoundError):
        team.assignments.start(team.bob, given.id, "en")
    assert team.assignments.start(team.ann, given.id, "en") == begun
    assert team.assignments.mine(team.ann)[0].progress == "under_way"
    assert team.assignments.given(team.rita)[0].assignment.withdrawn_at


def test_one_that_is_withdrawn_at_the_last_moment_is_not_begun(team, monkeypatch):
    given, begin = give(team), team.store.begin

    def too_late(*args):
        team.assignments.withdraw(team.rita, given.id)
        return begin(*args)

    monkeypatch.setattr(team.store, "begin", too_late)
    with pytest.raises(ConflictError, match="withdrawn"):
        team.assignments.start(team.ann, given.id, "en")
    assert team.service.history("ann") == ()


def test_the_lead_sees_who_has_done_it_and_whether_in_time(team):
    given = give(team)
    do(team, team.ann, given)
    do(team, team.bob, given, end=False)
    assert progress(team, given) == {"ann": "done", "bob": "under_way", "cem": "not_begun"}
    team.later(days=3)
    team.go_on(team.bob, team.assignments.start(team.bob, given.id, "en"), "sum")
    by_user = {doing.user_id: doing for doing in team.assignments.follow(team.rita, given.id).members}
    assert [(by_user[name].progress, by_user[name].late) for name in ("ann", "bob", "cem")] == [
        ("done", False),
        ("done", True),
        ("not_begun", True),
    ]
    assert by_user["ann"].ended_at < by_user["bob"].ended_at


def test_scores_are_told_only_as_means_of_three_and_in_steps_of_three(team):
    team.add("dan", "red")
    given = give(team)

    def means():
        return [(q.people, q.mean) for q in team.assignments.follow(team.rita, given.id).questions]

    for name in ("ann", "bob"):
        do(team, team.person(name), given, ALL)
    assert means() == [(0, None)] * 3
    do(team, team.cem, given, "sum")
    three = means()
    assert three == [(3, pytest.approx(9.2, abs=0.05))] * 3
    do(team, team.person("dan"), given, "nothing")
    assert means() == three


def test_leads_who_try_it_out_are_in_no_figure(team):
    given = give(team)
    for person in (team.rita, team.ann, team.bob):
        do(team, person, given, ALL)
    followed = team.assignments.follow(team.rita, given.id)
    assert [member.user_id for member in followed.members] == ["ann", "bob", "cem"]
    assert all(question.mean is None for question in followed.questions)


def test_a_cohort_of_two_has_no_means(team):
    given = give(team)
    for person in (team.ann, team.bob, team.cem):
        do(team, person, given)
    team.move("cem", "blue")
    assert team.assignments.follow(team.rita, given.id).questions == ()


def test_due_ones_come_in_the_order_of_their_dates(team):
    for days in (5, 1, 3):
        give(team, title=f"in {days}", days=days)
    assert [mine.assignment.title for mine in team.assignments.open(team.ann)] == ["in 1", "in 3", "in 5"]
    team.later(days=2)
    assert [mine.overdue for mine in team.assignments.open(team.ann)] == [True, False, False]
