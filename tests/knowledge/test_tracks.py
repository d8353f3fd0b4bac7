"""Tracks: the shipped ones name what is in the bank, and an imported blueprint becomes one."""

import pytest

from interviewer.errors import BankError
from interviewer.models import LANGUAGES, Kind
from interviewer.models.blueprint import Blueprint
from knowledge.bank import load_bank
from knowledge.tracks import shipped_tracks, track_of, unknown_names


def test_the_shipped_tracks_name_only_what_the_bank_has():
    assert unknown_names(shipped_tracks(), load_bank()) == ()


@pytest.mark.parametrize("track", shipped_tracks(), ids=lambda t: t.id)
def test_every_round_of_a_shipped_track_has_enough_questions_in_both_languages(track):
    bank = load_bank()
    for part in track.rounds:
        topics = track.topics_of(part)
        found = [
            q
            for q in bank
            if (not part.kinds or q.kind in part.kinds)
            and any(q.topic in t.topics or q.id in t.question_ids for t in topics)
        ]
        assert len(found) >= (20 if Kind.CONCEPT in part.kinds else 2), part.id
        assert all(set(q.languages) == set(LANGUAGES) for q in found)


def test_a_broken_file_is_named(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text("tracks: [{id: x}]")
    with pytest.raises(BankError, match=r"tracks\.yaml"):
        shipped_tracks(path)


BLUEPRINT = Blueprint.model_validate(
    {
        "title": "面试专题",
        "topics": [
            {"name": "位置编码", "frequency": 4},
            {"name": "训练平台设计", "frequency": 5},
            {"name": "养花", "frequency": 5},
        ],
        "rounds": [{"name": "基础知识"}, {"name": "专业知识"}, {"name": "系统设计"}, {"name": "项目深挖"}],
        "phases": [{"name": "需求", "minutes": 5}, {"name": "架构", "minutes": 10}, {"name": "细节", "minutes": 15}],
    }
)
KNOWN = {"位置编码": ["p1", "p2"], "训练平台设计": ["d1"]}


def test_an_imported_blueprint_becomes_a_track():
    track = track_of(BLUEPRINT, "plan.md", lambda name: KNOWN.get(name, []), ["e1"])
    assert track.source == "plan.md"
    assert track.title == {"zh": "面试专题"}
    rated = [t for t in track.topics if t.id != "project"]
    assert [(t.title["zh"], t.weight, t.question_ids) for t in rated] == [
        ("位置编码", 4.0, ("p1", "p2")),
        ("训练平台设计", 5.0, ("d1",)),
    ]
    assert [r.title["zh"] for r in track.rounds] == ["基础知识", "专业知识", "系统设计", "项目深挖"]
    basics, domain, design, project = track.rounds
    assert basics.easier == 1
    assert Kind.DESIGN not in domain.kinds
    assert (design.kinds, design.minutes) == ((Kind.DESIGN,), 30)
    assert [t.question_ids for t in track.topics_of(project)] == [("e1",)]


def test_a_round_on_projects_is_left_out_where_no_question_is_on_them():
    track = track_of(BLUEPRINT, "plan.md", lambda name: KNOWN.get(name, []))
    assert len(track.rounds) == 3


def test_a_blueprint_about_something_else_becomes_none():
    assert track_of(BLUEPRINT, "plan.md", lambda name: []) is None
    assert track_of(Blueprint(title="x"), "plan.md", lambda name: ["p1"]) is None


def test_a_blueprint_without_rounds_or_ratings_is_one_round_over_its_areas():
    blueprint = Blueprint.model_validate({"areas": [{"name": "Attention"}]})
    track = track_of(blueprint, "areas.md", lambda name: ["p1"])
    assert [r.id for r in track.rounds] == ["round-1"]
    assert track.title == {"en": "areas.md"}
