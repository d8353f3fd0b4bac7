"""The cohort page's service: who may see it, what it counts, and what it never tells."""

import pytest
from sqlalchemy import event, update

from interviewer.accounts.person import LOCAL
from interviewer.errors import AccessError, NotFoundError
from interviewer.models import PlanRequest
from interviewer.storage import tables as t
from tests.interviewer.teams.conftest import ALL


def names(overview):
    return [member.name for member in overview.members]


def test_only_leads_see_a_cohort_and_only_their_own(team):
    with pytest.raises(AccessError):
        team.cohort.overview(team.ann)
    with pytest.raises(NotFoundError):
        team.cohort.overview(LOCAL)
    with pytest.raises(NotFoundError):
        team.cohort.overview(team.add("lea", None, "lead"))
    assert names(team.cohort.overview(team.rita)) == ["Ann", "Bob", "Cem"]
    assert names(team.cohort.overview(team.bert)) == ["Eve"]


def test_an_owner_of_the_cohort_leads_it_and_one_of_another_does_not(team):
    assert names(team.cohort.overview(team.add("olga", "red", "owner"))) == ["Ann", "Bob", "Cem"]
    assert names(team.cohort.overview(team.add("otto", "blue", "owner"))) == ["Eve"]


@pytest.mark.parametrize("name", ["eve", "bert", "rita", "nobody", "local"])
def test_a_member_page_is_only_there_for_members_of_the_own_cohort(team, name):
    with pytest.raises(NotFoundError, match="no such member"):
        team.cohort.member(team.rita, name)


def test_members_do_not_see_a_member_page_not_even_their_own(team):
    for name in ("ann", "bob"):
        with pytest.raises(AccessError):
            team.cohort.member(team.ann, name)


def test_a_disabled_account_and_a_mere_row_are_no_members(team):
    with team.accounts.write() as rows:
        rows.change("cem", disabled_at=team.clock())
        rows.add("ghost", team.clock(), name="Ghost", cohort_id="red")
    assert names(team.cohort.overview(team.rita)) == ["Ann", "Bob"]
    for name in ("cem", "ghost"):
        with pytest.raises(NotFoundError):
            team.cohort.member(team.rita, name)


def test_activity_counts_interviews_with_an_answer_by_when_it_was_given(team):
    team.practise(team.ann, ALL, "q0", "q1")
    team.later(days=20)
    team.practise(team.ann, ALL, "q2")
    team.later(days=8)
    team.service.start("bob", PlanRequest(count=1))
    ann, bob, _ = team.cohort.overview(team.rita, 30).members
    assert (ann.week, ann.month, ann.interviews, ann.questions) == (0, 2, 2, 3)
    assert (bob.week, bob.practised_at, bob.standing.now.asked) == (0, None, 0)
    team.practise(team.ann, ALL, "q3")
    ann = team.cohort.overview(team.rita, 7).members[0]
    assert (ann.week, ann.month, ann.interviews, ann.questions) == (1, 3, 1, 1)
    assert (team.clock() - ann.practised_at).total_seconds() < 60
    assert team.cohort.overview(team.rita).active == 1


def test_a_trend_compares_with_what_was_known_when_the_period_began(team):
    team.practise(team.ann, "nothing", "q0", "q1")
    team.later(days=40)
    team.practise(team.ann, ALL, "q0")
    ann = team.cohort.overview(team.rita, 30).members[0]
    assert (ann.standing.then.percent, ann.standing.now.percent) == (0, 50)
    assert team.cohort.overview(team.rita).members[0].standing.then.percent is None


def test_what_needed_help_or_was_decided_counts_as_on_the_members_own_page(team):
    interview = team.practise(team.ann, "sum", "q0", "q1")
    assert team.cohort.overview(team.rita).members[0].standing.now == (2, 4)
    team.dispute(team.ann, interview)
    team.shares.share(team.ann, interview)
    team.decide(team.rita, interview)
    assert team.cohort.overview(team.rita).members[0].standing.now == (3, 4)


def test_points_most_people_miss_with_their_words(team):
    for person, answer in ((team.ann, "sum"), (team.bob, "sum"), (team.cem, ALL)):
        team.practise(person, answer, "q1", "q4")
    page = team.cohort.overview(team.rita)
    first = page.points[0]
    assert (first.figure.point_id, first.figure.asked, first.figure.missed) == ("memory", 3, 2)
    assert first.text["zh"] == "显存不随有效批大小增长"
    # Both are missed alike; q4 is asked more often in interviews.
    assert [missed.figure.question_id for missed in page.to_teach(9)] == ["q4", "q1"]
    assert [topic.topic for topic in page.topics] == ["inference"]


def test_what_to_teach_is_not_all_of_one_question(team, question):
    points = tuple(question("q9").points[0].model_copy(update={"id": f"p{n}"}) for n in range(4))
    team.questions.save([question("often", points=points, frequency=5)], reason="test")
    for person in (team.ann, team.bob, team.cem):
        team.practise(person, "nothing", "often", "q0")
    taught = team.cohort.overview(team.rita).to_teach(3)
    assert [missed.figure.question_id for missed in taught] == ["often", "often", "q0"]


def test_no_figure_of_a_point_in_a_cohort_of_two(team):
    for person in (team.ann, team.bob, team.cem):
        team.practise(person, "sum")
    assert team.cohort.overview(team.rita).points
    team.move("cem", "blue")
    page = team.cohort.overview(team.rita)
    assert page.small
    assert page.points == page.to_teach(9) == ()
    assert page.topics


def test_leads_and_owners_are_not_in_the_figures_as_they_could_subtract_themselves(team):
    for person in (team.rita, team.ann, team.bob, team.add("olga", "red", "owner")):
        team.practise(person, "sum")
    page = team.cohort.overview(team.rita)
    assert names(page) == ["Ann", "Bob", "Cem"]
    assert page.points == ()
    assert page.topics[0].people == 2


def test_no_period_changes_the_figures_of_points_or_topics(team):
    for person in (team.ann, team.bob, team.cem):
        team.practise(person, "sum")
        team.later(days=25)
    pages = [team.cohort.overview(team.rita, days) for days in (7, 30, 90, 0)]
    assert len({page.points for page in map(_hashable, pages)}) == 1
    assert len({page.topics for page in pages}) == 1
    assert pages[0].members[0].interviews != pages[2].members[0].interviews


def test_questions_of_a_private_set_do_not_show(team, question):
    team.private(team.ann, [question(f"my{n}", set="diary", topic="my secret topic") for n in range(3)])
    for person in (team.ann, team.bob, team.cem):
        team.practise(person, "sum")
    team.practise(team.ann, "sum", "my0", "my1", "my2")
    page, mine = team.cohort.overview(team.rita), team.cohort.member(team.rita, "ann")
    assert page.members[0].standing.now.asked == 2
    assert [topic.topic for topic in (*page.topics, *mine.topics)] == ["training", "training"]
    assert {missed.figure.question_id for missed in page.points} == {"q0"}


def test_a_member_page_tells_topics_and_weeks(team):
    team.practise(team.ann, "nothing", "q0", "q3")
    team.later(weeks=2)
    team.practise(team.ann, ALL, "q0")
    page = team.cohort.member(team.rita, "ann")
    assert [topic.share for topic in page.topics] == [(2, 4)]
    assert [week.share.percent for week in page.weeks][-4:] == [None, 0, 0, 50]
    assert (page.member.month, page.member.questions) == (2, 3)


def test_the_cohort_page_takes_a_handful_of_queries_however_many_there_are(team):
    for n in range(30):
        team.practise(team.add(f"m{n}", "red"), "sum")
    asked: list[str] = []
    team.cohort.overview(team.rita)
    event.listen(team.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert len(team.cohort.overview(team.rita).members) == 33
    assert len([sql for sql in asked if sql.startswith("SELECT")]) <= 9


def test_a_point_that_is_gone_from_its_question_is_left_out(team, question):
    for person in (team.ann, team.bob, team.cem):
        team.practise(person, "nothing")
    left = question("q0").points[:1]
    team.questions.save([question("q0", topic="training", difficulty=1, frequency=1, points=left)], reason="edit")
    assert [missed.figure.point_id for missed in team.cohort.overview(team.rita).points] == ["sum"]
    with team.database.write() as connection:
        connection.execute(update(t.questions).where(t.questions.c.id == "q0").values(retired=True))
    assert team.cohort.overview(team.rita).points == ()


def _hashable(page):
    return page._replace(points=tuple(missed.figure for missed in page.points))
