"""A document imported again over edited questions, through the real importer and the real store."""

from pathlib import Path

import pytest

from interviewer.accounts.person import LOCAL
from interviewer.sharing.sets import ImportTarget
from knowledge.importing import import_documents

FIRST = """# Locks

## 1. What does a ticket lock promise?

- A ticket lock serves threads in the order in which they came.
- Its waiters spin on one shared counter.
- Each unlock invalidates the cache line of every waiter.

## 2. What is a barrier for?

A barrier holds every thread until the last one of the group has arrived.
"""


@pytest.fixture
def desk(team, tmp_path: Path):
    """The importer at home, for one document that changes."""
    path = tmp_path / "locks.md"

    def bring(text: str):
        path.write_text(text, encoding="utf-8")
        team.sets.open(LOCAL, ImportTarget(set="mine"))
        store = team.questions.imported_by(LOCAL.id, review=False)
        return import_documents([path], set_name="mine", store=store)

    bring(FIRST)
    return team, bring


def asked(team, part):
    return next(q for q in team.questions.all() if q.set == "mine" and part in next(iter(q.question.values())))


def test_the_same_document_again_changes_nothing_over_edits(desk):
    team, bring = desk
    question = asked(team, "ticket")
    team.edit(LOCAL, question.id, topic="Fairness", difficulty=5)
    report = bring(FIRST)
    assert (report.counts.updated, report.counts.unchanged, report.counts.retired) == (0, 2, 0)
    assert (asked(team, "ticket").topic, asked(team, "ticket").difficulty) == ("Fairness", 5)


def test_edited_fields_stay_others_follow_and_points_keep_their_ids(desk):
    team, bring = desk
    question = asked(team, "ticket")
    ids = [point.id for point in question.points]
    values = {f"points_{ids[1]}_weight": 3, f"points_{ids[1]}_probe_en": "On what do they wait?"}
    team.edit(LOCAL, question.id, **values)
    changed = FIRST.replace(
        "- A ticket lock serves", "- Fairness costs throughput when a waiter is descheduled.\n- A ticket lock serves"
    ).replace("in the order in which they came", "in the order in which they took a number")
    report = bring(changed)
    assert report.counts.updated == 1
    assert "document_changed" not in report.problem_counts()
    now = asked(team, "ticket")
    assert now.id == question.id
    assert [point.id for point in now.points][1:] == ids
    assert now.points[0].id not in ids
    assert "took a number" in now.points[1].text["en"]
    assert (now.points[2].weight, now.points[2].probe["en"]) == (3, "On what do they wait?")


def test_a_field_changed_on_both_sides_is_in_the_report_and_in_the_queue(desk):
    team, bring = desk
    question = asked(team, "ticket")
    team.edit(LOCAL, question.id, reference_en="Our own wording.")
    report = bring(FIRST.replace("spin on one shared counter", "spin on a counter that all share"))
    (problem,) = (p for p in report.documents[0].problems if p.kind == "document_changed")
    assert problem.question == question.id
    assert asked(team, "ticket").reference_in("en") == "Our own wording."
    (entry,) = team.review.queue(LOCAL, limit=9).entries
    assert entry.why == ("conflict",)
    assert entry.stored.conflicts == (("reference", "en"),)
    assert "that all share" in entry.stored.base.reference_in("en")
    assert bring(FIRST.replace("spin on one shared counter", "spin on a counter that all share")).counts.updated == 0


def test_an_edited_question_that_left_its_document_stays_and_is_marked(desk):
    team, bring = desk
    team.edit(LOCAL, asked(team, "barrier").id, topic="Meeting points")
    report = bring(FIRST.partition("## 2")[0])
    assert report.counts.retired == 0
    (entry,) = team.review.queue(LOCAL, limit=9).entries
    assert entry.why == ("gone",)
    assert asked(team, "barrier").topic == "Meeting points"
    bring(FIRST)
    assert team.review.queue(LOCAL, limit=9).total == 0
    assert asked(team, "barrier").topic == "Meeting points"


def test_a_merged_question_does_not_come_back_with_its_document(desk):
    team, bring = desk
    keep, gone = asked(team, "ticket").id, asked(team, "barrier").id
    team.review.merge(LOCAL, keep, gone)
    for text in (FIRST, FIRST.replace("the last one of the group", "the slowest of them")):
        report = bring(text)
        assert (report.counts.added, report.counts.retired) == (0, 0)
        assert [q.id for q in team.questions.all() if q.set == "mine"] == [keep]
