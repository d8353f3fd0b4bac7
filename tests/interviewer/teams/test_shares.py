"""Sharing an interview: who may read it then, who may not, and who decides on objections."""

import pytest

from interviewer.accounts.person import LOCAL
from interviewer.errors import AccessError, InterviewerError, NotFoundError
from interviewer.models import Verdict
from tests.interviewer.teams.conftest import ALL


@pytest.fixture
def interview(team):
    return team.practise(team.ann, "sum")


def refuse_reading(team, interview, *people):
    for person in people:
        with pytest.raises((NotFoundError, AccessError)):
            team.shares.report(person, interview)
        with pytest.raises((NotFoundError, AccessError)):
            team.decide(person, interview)


def test_nobody_reads_what_is_not_shared(team, interview):
    refuse_reading(team, interview, team.rita, team.bert, team.bob, team.ann, LOCAL)
    assert team.shares.shared_with(team.rita) == ()


def test_the_leads_of_the_own_cohort_read_what_is_shared_and_nobody_else(team, interview):
    team.shares.share(team.ann, interview)
    shared = team.shares.report(team.rita, interview)
    assert shared.report.questions[0].answers == ("sum",)
    assert (shared.share.user_id, shared.share.name) == ("ann", "Ann")
    assert [share.interview_id for share in team.shares.shared_with(team.rita)] == [interview]
    assert team.shares.shared_with(team.bert) == ()
    refuse_reading(team, interview, team.bert, team.bob, team.eve, LOCAL, team.add("olga", "blue", "owner"))


def test_only_that_one_interview_is_shared(team, interview):
    other = team.practise(team.ann, ALL, "q1")
    team.shares.share(team.ann, interview)
    refuse_reading(team, other, team.rita)


def test_what_is_taken_back_is_not_there_any_more(team, interview):
    team.shares.share(team.ann, interview)
    team.shares.take_back(team.ann, interview)
    refuse_reading(team, interview, team.rita)
    assert team.shares.mine(team.ann) == {}
    assert team.shares.standing(team.ann, interview).shared_at is None


@pytest.mark.parametrize("who", ["bob", "rita", "eve"])
def test_nobody_shares_or_takes_back_anothers_interview(team, interview, who):
    person = team.person(who)
    for act in (team.shares.share, team.shares.take_back, team.shares.standing):
        with pytest.raises(NotFoundError):
            act(person, interview)
    team.shares.share(team.ann, interview)
    with pytest.raises(NotFoundError):
        team.shares.take_back(person, interview)
    assert team.shares.report(team.rita, interview)


def test_an_interview_under_way_cannot_be_shared(team):
    open_one = team.practise(team.ann, "sum", "q0", "q1", end=False)
    assert not team.shares.standing(team.ann, open_one).over
    with pytest.raises(InterviewerError, match="over"):
        team.shares.share(team.ann, open_one)
    refuse_reading(team, open_one, team.rita)


def test_it_says_by_name_who_could_read_it(team, interview):
    team.add("olga", "red", "owner")
    team.add("otto", "blue", "owner")
    assert team.shares.standing(team.ann, interview).readers == ("Olga", "Rita")


def test_whoever_changes_their_cohort_takes_nothing_along(team, interview):
    team.shares.share(team.ann, interview)
    moved = team.move("ann", "blue")
    refuse_reading(team, interview, team.rita, team.bert)
    assert team.shares.mine(moved) == {}
    team.shares.share(moved, interview)
    assert team.shares.report(team.bert, interview)
    refuse_reading(team, interview, team.rita)


def test_a_lead_who_leads_no_longer_reads_no_longer(team, interview):
    team.shares.share(team.ann, interview)
    with team.accounts.write() as rows:
        rows.change("rita", role="member")
    refuse_reading(team, interview, team.person("rita"))
    with team.accounts.write() as rows:
        rows.change("rita", role="lead", cohort_id="blue")
    refuse_reading(team, interview, team.person("rita"))


def test_a_deleted_interview_and_a_deleted_person_are_shared_no_more(team, interview):
    team.shares.share(team.ann, interview)
    team.service.delete("ann", interview)
    refuse_reading(team, interview, team.rita)
    again = team.practise(team.ann, "sum")
    team.shares.share(team.ann, again)
    with team.accounts.write() as rows:
        rows.remove("ann")
    refuse_reading(team, again, team.rita)


def test_nothing_is_shared_at_home_or_without_a_cohort(team):
    alone = team.add("lone", None)
    interview = team.practise(alone, "sum")
    for person in (alone, LOCAL):
        with pytest.raises(NotFoundError):
            team.shares.share(person, interview)
        assert team.shares.mine(person) == {}


def test_a_member_cannot_decide_on_their_own_objection(team, interview):
    team.dispute(team.ann, interview)
    with pytest.raises(AccessError, match="a lead decides"):
        team.disputes.decide("ann", interview, 0, "memory", Verdict.COVERED, by=team.ann)
    assert team.service.report("ann", interview).score == 7.5


def test_a_lead_decides_on_a_shared_interview_and_it_counts_for_the_member(team, interview):
    team.dispute(team.ann, interview)
    refuse_reading(team, interview, team.rita)
    team.shares.share(team.ann, interview)
    refuse_reading(team, interview, team.bert, team.bob, team.ann)
    state = team.decide(team.rita, interview)
    assert state.questions[0].disputes[0].by == "rita"
    assert team.service.report("ann", interview).score == 10.0


def test_who_leads_decides_on_their_own_as_does_the_person_at_home(team):
    for person in (team.rita, LOCAL):
        interview = team.practise(person, "sum")
        team.dispute(person, interview)
        state = team.disputes.decide(person.id, interview, 0, "memory", Verdict.COVERED, by=person)
        assert state.questions[0].disputes[0].by == person.id
