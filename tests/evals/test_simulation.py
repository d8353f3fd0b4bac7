"""Simulated interviews hold what the plan promises, and the figures published are those of a good run."""

import random

import pytest

from evals.simulation.candidates import CANDIDATES, Mind
from evals.simulation.report import BEGIN, END, PAGE, load_results, renew_page, summarise
from evals.simulation.run import MemoryInterviews, names_key_term, simulate
from interviewer.errors import ConflictError
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict
from knowledge.bank import load_bank
from knowledge.tracks import shipped_tracks


class ExactGrader:
    """A point is covered if its text stands in the answer."""

    def grade(self, question, answer, context, on_progress=None):
        points = []
        for point in question.points:
            text = point.in_language(context.language)
            said = text in answer
            points.append(
                PointGrade(
                    id=point.id,
                    text=text,
                    weight=point.weight,
                    verdict=Verdict.COVERED if said else Verdict.MISSING,
                    quote=text if said else "",
                )
            )
        info = GraderInfo(name="builtin", model="exact")
        return Grade(status="graded", points=tuple(points), grader=info, language=context.language)


@pytest.fixture(scope="module")
def bank():
    return load_bank()


@pytest.mark.parametrize("track", shipped_tracks()[::4], ids=lambda t: t.id)
def test_interviews_of_every_kind_end_in_time_without_repeating_themselves(track, bank):
    runs = list(simulate(track, bank, ExactGrader(), 25))
    result = summarise(runs, shipped_tracks(), 1)
    (figures,) = result.tracks
    assert result.errors == ()
    assert (figures.crashed, figures.repeated) == (0, 0)
    assert figures.longest_overrun < 60
    assert figures.score["strong"] > figures.score["medium"] > figures.score["weak"]
    assert figures.score["nonsense"] == figures.score["evasive"] == 0
    assert figures.difficulty["strong"] >= figures.difficulty["weak"]
    assert all(f.aimed == f.probes and f.needless == 0 for f in result.followups)
    assert sum(f.probes for f in result.followups) > 30


def test_no_probe_of_the_bank_names_its_point(bank):
    probes = [(q, p, text) for q in bank for p in q.points for text in p.probe.values()]
    assert len(probes) > 1500
    assert [(p.id, text) for q, p, text in probes if names_key_term(text, p, q)] == []
    question, point = next((q, p) for q in bank for p in q.points if p.aliases.get("en"))
    assert names_key_term(f"What about {point.aliases['en'][0]}?", point, question)


def test_a_candidate_says_only_what_they_know_and_what_was_said_is_known(bank):
    question = next(q for q in bank if len(q.points) >= 5)
    points = [p.id for p in question.points]
    strong, evasive = CANDIDATES[0], CANDIDATES[3]
    mind = Mind(strong, "en", random.Random(1))
    text = mind.answer(question, points)
    assert {i for i in points if question.point(i).in_language("en") in text} == mind.said[question.id] != set()
    empty = Mind(evasive, "zh", random.Random(1))
    assert empty.answer(question, points)
    assert empty.said[question.id] == set()


def test_the_store_in_memory_is_as_strict_as_the_database(bank):
    store = MemoryInterviews()
    run = next(iter(simulate(shipped_tracks()[0], bank, ExactGrader(), 1)))
    assert run.error == ""
    key = store.create("ann", [])
    store.append("ann", key, ["x"], at=0)
    with pytest.raises(ConflictError):
        store.append("ann", key, ["y"], at=0)


def test_the_published_figures_are_those_stored_and_keep_the_promises():
    result = load_results()
    page = PAGE.read_text(encoding="utf-8")
    assert renew_page(page, result) == page
    assert BEGIN in page
    assert END in page
    assert all(t.interviews >= 500 for t in result.tracks)
    assert result.errors == ()
    for track in result.tracks:
        assert (track.crashed, track.repeated) == (0, 0)
        # Each late answer of theirs comes half a second after the bell.
        assert track.longest_overrun < 10
        assert track.reached == track.rated
        assert track.difficulty["strong"] > track.difficulty["weak"]
    for figures in result.followups:
        assert figures.aimed >= 0.95 * figures.probes
        assert figures.needless <= 0.05 * figures.probes
        assert figures.leaked == 0
