"""Agreement with labelled answers: figures known beforehand, through a real socket, steady where they should be."""

import json
import re

import pytest
from typer.testing import CliRunner

from evals.agreement.figures import Trial, group_figures, right_score, stability
from evals.agreement.measure import Prices, measure, unseen_answers, versions
from evals.agreement.report import load_runs
from evals.answers import LABELS
from evals.grading.data import Graded
from evals.grading.outcomes import grade_rows
from interviewer.chat_model import LangChainChatModel
from interviewer.cli.evaluate import app
from interviewer.compose import compose
from interviewer.grading.fallback import FallbackGrader
from interviewer.grading.model import ModelGrader
from interviewer.models import Grade, GraderInfo, Point, PointGrade, Question, Verdict
from interviewer.settings import Settings
from tests.protocol_server import Fail, ProtocolServer, Say

LETTERS = {letter: verdict.value for letter, verdict in LABELS.items()}
FLIPPED = {"covered": "missing", "missing": "covered", "partial": "missing", "contradicted": "missing"}
PATTERNS = ("cccc", "ccmm", "mmcc", "mmmm")


def make_rows(questions=10):
    """Answers whose every word is known; four points of weight 1 a question."""
    found = []
    for number in range(questions):
        points = tuple(Point(id=f"p{n}", weight=1, text={"en": f"statement {number} of sort {n}"}) for n in range(4))
        question = Question(
            id=f"q{number}", set="t", question={"en": f"Ask {number}?"}, reference={"en": "x"}, points=points
        )
        for pattern, kind in zip(PATTERNS, ("strong", "half-a", "half-b", "off-topic"), strict=True):
            text = f"Reply {number} {kind}: the candidate talks at length about tyres, rivers and bread."
            found.append(Graded(f"bank/q{number}", f"answers/{kind}", question, "en", text, None, None, pattern))
    return found


class Marking:
    """A model that marks by the labels, wrong where it was told to be.

    Attributes:
        wrong: Answers whose first point it always gets wrong, by their text.
        wavers: ... only when it sees the answer again.
        reverses: ... only when the points come in reverse.
        fails: Answers to which it gives no reply.
    """

    def __init__(self, rows, wrong=(), wavers=(), reverses=(), fails=()):
        self.truth = {row.answer: row for row in rows}
        self.wrong, self.wavers, self.reverses, self.fails = (
            {row.answer for row in chosen} for chosen in (wrong, wavers, reverses, fails)
        )
        self.seen = set()

    def __call__(self, request):
        text = request.text
        said = re.search(r"<answer>\n(.*?)\n</answer>", text, re.DOTALL).group(1).replace("> ", "", 1)
        if said in self.fails:
            return Fail(403, "not for you")
        row = self.truth[said]
        items = re.findall(r"^\[(p\d+)\] (.*)$", text.split("<answer>")[0], re.MULTILINE)
        first = row.question.points[0].text["en"]
        reverse, again = items[0][1] != first, said in self.seen
        self.seen.add(said)
        flip = said in self.wrong or (again and said in self.wavers) or (reverse and said in self.reverses)
        letters = {p.text["en"]: letter for p, letter in zip(row.question.points, row.label, strict=True)}
        points = []
        for key, point in items:
            verdict = LETTERS[letters[point]]
            verdict = FLIPPED[verdict] if flip and point == first else verdict
            quote = "" if verdict == "missing" else "about tyres, rivers and bread"
            points.append({"id": key, "reason": "So.", "verdict": verdict, "quote": quote, "correction": ""})
        return Say(json.dumps({"points": points, "beyond": [], "comment": "Fine."}))


class Nothing:
    """A grader behind the model that finds nothing."""

    def grade(self, question, answer, context, on_progress=None):
        points = tuple(PointGrade(id=p.id, text="t", weight=p.weight, verdict=Verdict.MISSING) for p in question.points)
        return Grade(status="graded", points=points, grader=GraderInfo(name="builtin"))


@pytest.fixture
def through():
    """Measures rows with a model behind a real socket."""

    def run(rows, behaviour, **options):
        with ProtocolServer(behaviour) as server:
            chat = LangChainChatModel(Settings(chat_model="m", chat_base_url=server.url, _env_file=None))
            grader = FallbackGrader(ModelGrader(chat), Nothing())
            return measure(grader, "model m", rows, usage=lambda: chat.usage, **options), server.history

    return run


class TestThroughASocket:
    def test_a_model_that_is_right_is_measured_as_right(self, through):
        rows = make_rows(5)
        result, history = through(rows, Marking(rows))
        whole = result.group("all")
        assert [f.value for f in (whole.r, whole.order, whole.f1, whole.verdicts)] == [1, 1, 1, 1]
        assert (whole.mae.value, result.ungraded, result.fell_back) == (0, 0, 0)
        assert (result.retest.verdicts.value, result.reordered.verdicts.value) == (1, 1)
        assert len(history) == 3 * len(rows)
        assert [group.name for group in result.groups] == ["all", "en", "strong", "half-a", "half-b", "off-topic"]

    def test_noise_that_is_known_gives_the_figures_that_follow_from_it(self, through):
        rows = make_rows(6)
        strong = [row for row in rows if row.source == "answers/strong"]
        marking = Marking(rows, wrong=strong[:2], wavers=strong[2:5], reverses=strong[5:6])
        result, _ = through(rows, marking)
        whole, points = result.group("all"), 4 * len(rows)
        # Two points of 96 are called missing instead of covered; each costs its answer 2.5 of 10.
        assert whole.verdicts.value == pytest.approx(1 - 2 / points, abs=1e-4)
        assert whole.mae.value == pytest.approx(2 * 2.5 / len(rows), abs=1e-4)
        assert whole.f1.value == pytest.approx(2 * 46 / (46 + 48), abs=1e-4)
        assert result.confusion == ((46, 0, 2, 0), (0, 0, 0, 0), (0, 0, 48, 0), (0, 0, 0, 0))
        assert whole.mae.low < whole.mae.value < whole.mae.high
        assert result.retest.verdicts.value == pytest.approx(1 - 3 / points, abs=1e-4)
        assert result.retest.score.value == pytest.approx(3 * 2.5 / len(rows), abs=1e-4)
        # The third run sees every answer again as well, so those that waver do so once more.
        assert result.reordered.verdicts.value == pytest.approx(1 - 4 / points, abs=1e-4)
        assert result.group("half-a").mae.value == 0
        (example,) = result.examples  # nothing got too much, and no other kind was wrong
        assert (example.kind, example.right, example.given) == ("strong", 10, 7.5)

    def test_an_answer_the_model_refuses_is_counted_as_fallen_back(self, through):
        rows = make_rows(2)
        result, _ = through(rows, Marking(rows, fails=rows[:1]), repeat=False)
        assert (result.fell_back, result.ungraded) == (1, 0)
        assert result.retest is None
        assert result.reordered is None

    def test_tokens_and_cost_are_those_the_endpoint_reports(self, through):
        rows = make_rows(2)
        result, history = through(rows, Marking(rows), repeat=False, prices=Prices(2.0, 8.0))
        prompt = sum(len(request.text) // 4 + 1 for request in history) / len(rows)
        assert result.spent.requests == 1
        assert result.spent.prompt_tokens == pytest.approx(prompt, abs=0.06)
        cost = (2 * result.spent.prompt_tokens + 8 * result.spent.completion_tokens) / 1e6
        assert result.spent.price == pytest.approx(cost, abs=1e-6)
        unpriced, _ = through(rows, Marking(rows), repeat=False)
        assert unpriced.spent.price is None

    def test_the_command_asks_the_endpoint_that_is_configured(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with ProtocolServer() as server:
            monkeypatch.setenv("INTERVIEWER_CHAT_MODEL", "graduate")
            monkeypatch.setenv("INTERVIEWER_CHAT_BASE_URL", server.url)
            monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
            kept = tmp_path / "own" / "figures.json"
            arguments = ["agreement", "--grader", "model", "--limit", "10", "--no-repeat", "--write", str(kept)]
            printed = CliRunner().invoke(app, [*arguments, "--price-in", "1", "--price-out", "2"])
            assert printed.exit_code == 0, printed.output
            assert "model graduate" in printed.output
            assert len(server.history) >= 10
        stored = json.loads(kept.read_text())
        assert stored["grader"] == "model graduate"
        assert stored["ungraded"] == 0
        assert 0 < stored["fell_back"] < 5, "it goes by shared words, and finds none in some right answers"
        assert stored["spent"]["price"] > 0


class TestBuiltIn:
    def test_it_says_the_same_again_and_in_any_order(self, tmp_path):
        rows, available = unseen_answers(12)
        grader = compose(Settings(home=tmp_path, _env_file=None)).builtin_grader
        result = measure(grader, "builtin", rows[::3], available=available)
        assert 3 <= result.chosen <= 8
        assert result.available == available > 500
        assert result.retest.verdicts.value == 1
        assert result.retest.score.value == 0
        assert result.spent is None
        assert result.versions == versions()


class Replaying:
    """Gives the verdicts of a stored run again."""

    def __init__(self, run, rows):
        self.given = {(row.question.id, row.answer): letters for row, letters in zip(rows, run.given, strict=True)}

    def grade(self, question, answer, context, on_progress=None):
        verdicts = [LABELS[letter] for letter in self.given[question.id, answer]]
        points = tuple(
            PointGrade(id=p.id, text="t", weight=p.weight, verdict=verdict)
            for p, verdict in zip(question.points, verdicts, strict=True)
        )
        return Grade(status="graded", points=points, grader=GraderInfo(name="builtin"))


class TestPublished:
    @pytest.fixture
    def published(self):
        (found,) = (run for run in load_runs() if run.grader == "builtin")
        return found

    def test_the_stored_verdicts_make_the_published_figures(self, published):
        rows, _ = unseen_answers()
        again = measure(Replaying(published, rows), "builtin", rows, repeat=False)
        assert again.groups == published.groups
        assert (again.boxes, again.confusion) == (published.boxes, published.confusion)

    def test_the_shipped_grader_still_gives_the_published_verdicts(self, published, tmp_path):
        """On an answer to every second question or so. The mean error moves no further than the scores do, and the share
        of right verdicts no further than the verdicts: neither leaves its interval unseen. A grader by words alone gives
        another verdict on one point of nine.
        """
        rows, _ = unseen_answers()
        some, then = rows[::25], Replaying(published, rows)
        assert len({row.group for row in some}) == len(some)
        assert len({row.source for row in some}) > 8
        grader = compose(Settings(home=tmp_path, _env_file=None)).builtin_grader
        before, after = grade_rows(then, some), grade_rows(grader, some)
        whole = published.group("all")
        moved = [abs(now.score - was.score) for was, now in zip(before, after, strict=True)]
        assert sum(moved) / len(moved) <= whole.mae.high - whole.mae.value, "run interviewer eval agreement"
        both = [[point.verdict for outcome in each for point in outcome.grade.points] for each in (before, after)]
        other = [was != now for was, now in zip(*both, strict=True)]
        assert sum(other) / len(other) <= whole.verdicts.value - whole.verdicts.low, "run interviewer eval agreement"


class TestFigures:
    def trials(self, given):
        rows = make_rows(6)
        found = []
        for row in rows:
            verdict = given(row)
            points = tuple(PointGrade(id=p.id, text="t", weight=p.weight, verdict=verdict) for p in row.question.points)
            grade = Grade(status="graded", points=points, grader=GraderInfo(name="model"))
            found.append(Trial(row, grade, 0.1))
        return found

    def test_a_grader_that_never_varies_has_no_r_and_ties_every_pair(self):
        found = group_figures("all", self.trials(lambda row: Verdict.PARTIAL))
        assert found.r is None
        assert found.order.value == 0.5
        assert found.f1.value == 0
        assert found.right == 5

    def test_an_upside_down_grader_orders_nothing_right(self):
        def upside_down(row):
            return {"strong": Verdict.MISSING, "off-topic": Verdict.COVERED}.get(
                row.source.split("/")[1], Verdict.PARTIAL
            )

        found = group_figures("all", self.trials(upside_down))
        assert found.order.value == 0
        assert found.r.value == -1

    def test_few_pairs_say_nothing_about_order(self):
        assert group_figures("few", self.trials(lambda row: Verdict.PARTIAL)[:4]).order is None

    def test_answers_that_one_run_left_ungraded_are_not_compared(self):
        first = self.trials(lambda row: Verdict.COVERED)
        none = Grade(status="ungraded", reason="no", grader=GraderInfo(name="none"))
        second = [first[0]._replace(grade=none), *first[1:]]
        assert stability(first, second).answers == len(first) - 1
        nothing = stability(first, [t._replace(grade=none) for t in first])
        assert (nothing.answers, nothing.verdicts) == (0, None)

    def test_nothing_graded_is_told_as_such(self):
        class Silent:
            def grade(self, question, answer, context, on_progress=None):
                return Grade(status="ungraded", reason="no", grader=GraderInfo(name="none"))

        result = measure(Silent(), "model m", make_rows(1))
        assert (result.ungraded, result.groups, result.examples) == (4, (), ())

    def test_a_contradicted_point_costs_a_quarter(self):
        row = make_rows(1)[0]._replace(label="ccxx")
        assert right_score(row) == pytest.approx((2 - 0.5) / 4 * 10)
