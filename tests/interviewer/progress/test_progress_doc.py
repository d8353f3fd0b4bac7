"""docs/progress.md says what is in force."""

import re
from pathlib import Path

from interviewer.keeping import MOST_KEPT
from interviewer.memory.service import SOON
from interviewer.planning.drilling import LEAST_MINUTES, POINT_MINUTES, QUESTION_MINUTES, USUAL_MINUTES
from interviewer.progress.mastery import level_of
from interviewer.progress.trend import FADE, LATEST, SMOOTH_FROM
from ui.render.charts import LEAST_AXES, MOST_AXES
from ui.site.progress import PERIODS, PROOFS
from ui.texts import Texts

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "progress.md").read_text(encoding="utf-8")


def numbers(pattern: str) -> list[float]:
    found = re.search(pattern, PAGE)
    assert found, pattern
    return [float(number) for number in found.groups()]


def test_the_minutes_of_a_drill():
    pattern = r"([\d.]+) minute for each question and ([\d.]+) for each point, (\d+) minutes at least and (\d+) at most"
    assert numbers(pattern) == [QUESTION_MINUTES, POINT_MINUTES, LEAST_MINUTES, USUAL_MINUTES]
    assert numbers(r"come due within (\d+) days") == [SOON.days]


def test_the_levels():
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "][1:]
    words = Texts("en")
    assert rows[0] == ["none asked for", words(f"mastery_level.{level_of(None)}")]
    for range_, level in rows[1:]:
        first = next(int(n) for n in [*re.findall(r"(\d+)%", range_)]) if "below" not in range_[:5] else 0
        assert words(f"mastery_level.{level_of(first / 100)}") == level
    edges = sorted({int(n) for range_, _ in rows[1:] for n in re.findall(r"(\d+)%", range_)})
    assert all(level_of(edge / 100) != level_of(edge / 100 - 0.001) for edge in edges)


def test_the_figures_of_charts_and_lists():
    assert numbers(r"A radar needs (\d+) topics and has (\d+) axes") == [LEAST_AXES, MOST_AXES]
    assert numbers(r"From (\d+) interviews on there is a line") == [SMOOTH_FROM]
    assert {float(n) for n in re.findall(r"([\d.]+)\^\(k", PAGE)} == {FADE}
    assert numbers(r"means over the questions of (\d+) interviews each") == [LATEST]
    assert sorted(numbers(r"to (\d+) or (\d+) days")) == sorted(n for n in PERIODS if n)
    assert numbers(r"(\d+) questions a page") == [PROOFS]
    assert numbers(r"can be kept, (\d+) at most") == [MOST_KEPT]
