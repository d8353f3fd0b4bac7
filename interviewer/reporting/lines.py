"""Time, pauses, difficulty and scores as the report's files say them."""

from collections.abc import Iterator, Sequence

from interviewer.models import Choice, Language
from interviewer.reporting.report import PhaseFacts, QuestionFacts, Report, RoundScore
from interviewer.wording import say


def duration(seconds: float) -> str:
    """Minutes and seconds, such as 4:05 or 75:00."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def time_line(part: QuestionFacts | PhaseFacts | RoundScore | Report, language: Language) -> str:
    """The time used, against the planned time where there was one."""
    if part.planned_seconds is None:
        return say("report_time", language, used=duration(part.seconds))
    return say("report_time_of", language, used=duration(part.seconds), planned=duration(part.planned_seconds))


def pauses_line(report: Report) -> str:
    """How often the interview was paused and for how long; empty where it never was."""
    if not report.paused_times:
        return ""
    key = {1: "report_paused_once", 2: "report_paused_twice"}.get(report.paused_times, "report_paused")
    return say(key, report.language, times=report.paused_times, used=duration(report.paused_seconds))


def end_line(report: Report) -> str:
    """That the time ended it, and what was not asked; empty where that is not so."""
    if report.ended != "time":
        return ""
    key = "report_ended_time_one" if report.unasked == 1 else "report_ended_time"
    return say(key, report.language, count=report.unasked)


def difficulty_line(facts: QuestionFacts, language: Language) -> str:
    """How hard it was, of 5, and how hard the plan had it where that differs."""
    key = "report_difficulty" if facts.difficulty == facts.planned_difficulty else "report_difficulty_moved"
    return say(key, language, asked=facts.difficulty, planned=facts.planned_difficulty)


def path_line(report: Report) -> str:
    """The difficulties from question to question, planned and asked; empty for fewer than two questions."""
    if len(report.facts) < 2:
        return ""
    planned, asked = (
        " → ".join(map(str, path))
        for path in ([f.planned_difficulty for f in report.facts], [f.difficulty for f in report.facts])
    )
    return say("report_path", report.language, planned=planned, asked=asked)


def choice_lines(point_ids: Sequence[str], choices: Sequence[Choice], language: Language) -> tuple[str, ...]:
    """For each choice among the points, how many of them are enough; the points by their numbers, from 1."""
    return tuple(_choice_lines(point_ids, choices, language))


def _choice_lines(point_ids: Sequence[str], choices: Sequence[Choice], language: Language) -> Iterator[str]:
    for choice in choices:
        numbers = [number for number, point_id in enumerate(point_ids, 1) if point_id in choice.points]
        if len(numbers) > choice.enough:
            keys = ("choice_all", "choice_all_one") if len(numbers) == len(point_ids) else ("choice", "choice_one")
            key = keys[choice.enough == 1]
            yield say(key, language, count=choice.enough, points=_spans(numbers))


def _spans(numbers: Sequence[int]) -> str:
    """ "1–4, 6" for 1, 2, 3, 4 and 6."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in found)


def score_text(score: float | None, language: Language) -> str:
    """Such as "7.5 / 10", or that it is not scored."""
    return f"{score} / 10" if score is not None else say("report_not_scored", language)


def round_begun(report: Report, index: int) -> tuple[int, RoundScore] | None:
    """The number (from 1) and score of the round that begins with the question at `index`; None within a round."""
    first = 0
    for number, part in enumerate(report.rounds, 1):
        if part.asked and index == first:
            return number, part
        first += part.asked
    return None
