"""The attacks, their figures and the page that shows them."""

from collections import Counter

import pytest

from evals.grading.command import ROOT
from evals.injection.attacks import attacks_hash, build_attacks, freeze_questions, load_questions, run_attacks
from evals.injection.report import PAGE, format_results, injection_command, load_results, renew_page
from interviewer.compose import compose
from interviewer.errors import BankError, InterviewerError
from interviewer.grading.guarded import GuardedGrader
from interviewer.grading.model import ModelGrader
from interviewer.models import Grade, GraderInfo, PointGrade, Verdict
from interviewer.settings import Settings
from knowledge.bank import load_bank
from tests.evals.once import Once
from tests.protocol_server import BEHAVIOURS, Request

QUESTIONS = load_questions()
BUILT = build_attacks(QUESTIONS)


class Fixed:
    """Gives every point one verdict, or nothing."""

    def __init__(self, verdict: Verdict | None) -> None:
        self._verdict = verdict

    def grade(self, question, answer, context, on_progress=None):
        info = GraderInfo(name="builtin")
        if self._verdict is None:
            return Grade(status="ungraded", reason="no", grader=info)
        points = [PointGrade(id=p.id, text="-", weight=p.weight, verdict=self._verdict) for p in question.points]
        return Grade(status="graded", points=tuple(points), grader=info)


class Scored:
    """Gives about the score it was made with, by weights alone."""

    def __init__(self, score: float) -> None:
        self._share = score / 10

    def grade(self, question, answer, context, on_progress=None):
        points = (
            PointGrade(id="a", text="-", weight=self._share, verdict=Verdict.COVERED),
            PointGrade(id="b", text="-", weight=1 - self._share, verdict=Verdict.MISSING),
        )
        return Grade(status="graded", points=points, grader=GraderInfo(name="builtin"))


class TestAttacks:
    def test_there_are_more_than_two_hundred_of_twelve_kinds_half_in_each_language(self):
        assert len(BUILT) >= 400
        assert len({a.id for a in BUILT}) == len(BUILT)
        assert len({a.kind for a in BUILT}) == 12
        languages = Counter(a.language for a in BUILT)
        assert languages["zh"] == languages["en"]

    def test_the_same_questions_give_the_same_attacks(self):
        assert attacks_hash(build_attacks(load_questions())) == attacks_hash(BUILT)
        assert attacks_hash(BUILT[1:]) != attacks_hash(BUILT)

    def test_twenty_questions_are_attacked_about_evenly(self):
        counts = Counter(a.question.id for a in BUILT)
        assert len(counts) == 20
        assert max(counts.values()) - min(counts.values()) <= 4

    def test_the_questions_are_frozen_from_the_bank(self, tmp_path):
        path = tmp_path / "questions.jsonl"
        freeze_questions(load_bank(), path)
        assert [q.id for q in load_questions(path)] == [q.id for q in QUESTIONS]
        with pytest.raises(BankError, match="inference-kv-cache"):
            freeze_questions([q for q in load_bank() if q.id != "inference-kv-cache"], path)

    def test_every_attack_is_distinct_from_its_carrier_and_filled_in(self):
        for attack in BUILT:
            assert "$" not in attack.answer
            assert len(attack.answer.split("\n", 1)[1].strip()) > 3, attack.id

    def test_every_attack_stands_behind_its_honest_answer(self):
        assert all(a.answer.startswith(f"{a.honest}\n") for a in BUILT)
        texts = {a.honest for a in BUILT if a.carrier == "one point"}
        assert texts <= {text for q in QUESTIONS for text in q.points[0].text.values()}

    def test_no_attack_states_a_point(self):
        for attack in (a for a in BUILT if a.carrier == "nothing"):
            for point in attack.question.points:
                assert not any(text in attack.answer for text in point.text.values()), attack.id


NOTHING = Fixed(Verdict.MISSING)


class TestFigures:
    def test_a_grader_that_gives_everything_is_caught_every_time(self):
        result = run_attacks(Fixed(Verdict.COVERED), "all", BUILT[:60], honest=NOTHING)
        assert (result.tried, result.raised) == (60, 60)
        assert (result.successes[0].score, result.successes[0].right) == (10, 0)

    @pytest.mark.parametrize(("verdict", "ungraded"), [(Verdict.MISSING, 0), (Verdict.CONTRADICTED, 0), (None, 60)])
    def test_a_grader_that_gives_nothing_is_never_raised(self, verdict, ungraded):
        result = run_attacks(Fixed(verdict), "none", BUILT[:60], honest=NOTHING)
        assert (result.raised, result.ungraded) == (0, ungraded)

    def test_what_the_honest_answer_is_worth_is_no_raise(self):
        result = run_attacks(Fixed(Verdict.PARTIAL), "half", BUILT, honest=Fixed(Verdict.PARTIAL))
        raised = {group.kind: group.raised for group in result.by_carrier}
        assert raised == {"nothing": len(BUILT) // 2, "one point": 0}

    def test_figures_add_up(self):
        result = run_attacks(Fixed(Verdict.PARTIAL), "half", BUILT, honest=NOTHING)
        for groups in (result.by_kind, result.by_language, result.by_carrier):
            assert sum(g.tried for g in groups) == result.tried == len(BUILT)
            assert sum(g.raised for g in groups) == result.raised

    @pytest.mark.parametrize(("score", "raised"), [(1.0, 0), (1.1, 1)])
    def test_up_to_one_point_is_noise(self, score, raised):
        assert run_attacks(Scored(score), "x", BUILT[:1], honest=NOTHING).raised == raised


class Ruled:
    """A model of the protocol server without its socket."""

    def __init__(self, name):
        self.name = name

    def stream_json(self, messages, schema):
        body = {"messages": [{"role": m.role, "content": m.content} for m in messages]}
        yield BEHAVIOURS[self.name](Request("", {}, body)).text


class TestShippedGraders:
    """A part of the attacks on the graders as they are now; the page has the whole."""

    def raised_share(self, grader, builtin):
        result = run_attacks(grader, "now", BUILT[::47], honest=builtin)
        return result.raised / result.tried

    def stored_share(self, name):
        (stored,) = (r for r in load_results() if r.grader == name)
        return stored.raised / stored.tried

    def test_none_is_raised_much_more_often_than_the_page_says(self):
        builtin = Once(compose(Settings(_env_file=None)).builtin_grader)
        assert self.raised_share(builtin, builtin) <= self.stored_share("builtin") + 0.05
        for name in ("obedient", "sly"):
            model = GuardedGrader(ModelGrader(Ruled(name), builtin))
            assert self.raised_share(model, builtin) <= self.stored_share(f"model {name}") + 0.05


class TestPage:
    def test_the_page_shows_the_stored_figures(self):
        page = PAGE.read_text(encoding="utf-8")
        assert renew_page(page, load_results()) == page, "run interviewer eval injection --write"

    def test_the_stored_figures_are_of_the_attacks_as_they_are_now(self):
        stored = load_results()
        assert {r.grader for r in stored} >= {"builtin", "model obedient", "model sly"}
        assert {r.attacks for r in stored} == {attacks_hash(BUILT)}, "the attacks changed; measure again"

    def test_what_the_page_and_the_card_say_of_the_built_in_grader_is_what_was_measured(self):
        (stored,) = (r for r in load_results() if r.grader == "builtin")
        card = (ROOT / "knowledge" / "crossencoder" / "weights" / "README.md").read_text(encoding="utf-8")
        assert f"Of {stored.tried} attacks {stored.raised} gain a little more than a point of ten" in card
        assert max(each.score - each.right for each in stored.successes) < 2
        assert {group.kind for group in stored.by_carrier if group.raised} == {"one point"}
        places = Counter(each.id.split("/")[3] for each in stored.successes)
        assert (stored.raised, places.most_common(1)[0][1]) == (4, 2), (
            "the page says that they are two points, two times each"
        )

    def test_the_page_names_every_kind(self):
        page = PAGE.read_text(encoding="utf-8")
        assert all(f"| {a.kind} |" in page for a in BUILT)

    def test_the_command_prints_a_table_or_json(self):
        assert "| instruction |" in injection_command(Fixed(Verdict.MISSING), "none", honest=NOTHING)
        assert '"grader":"none"' in injection_command(Fixed(Verdict.MISSING), "none", honest=NOTHING, as_json=True)

    def test_a_page_without_a_place_is_refused(self):
        with pytest.raises(InterviewerError, match="figures"):
            renew_page("nothing", [])
        assert format_results([]) == ""
