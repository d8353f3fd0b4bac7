"""Filling the rounds of a track: topics by weight, each a little deeper before the next, all within the minutes."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from interviewer.interview.ports import Outline
from interviewer.models import Focus, Kind, Level, Plan, PlannedQuestion, PlannedRound, PlanRequest, Track, pick
from interviewer.models.plan import Reason
from interviewer.models.track import TrackRound, TrackTopic
from interviewer.planning.minutes import DESIGN_MINUTES, question_minutes
from interviewer.planning.others import with_others

Past = Literal["recent", "weak", "known"]
"""recent: asked in the last days; weak: the last answer left gaps; known: asked before, without gaps."""

START: Mapping[Level, int] = {"junior": 2, "mid": 3, "senior": 4}
"""The difficulty to begin with."""

SHORTEST_DESIGN = 20.0
"""Minutes below which a design question is not worth beginning."""

PAST_WEIGHT: Mapping[Past, float] = {"recent": 1e-6, "weak": 4.0, "known": 0.5}
FOCUS_QUESTION = 8.0
FOCUS_TOPIC = 3.0
OFF_BY_ONE = 0.2
"""What each step away from the wanted difficulty leaves of a question's weight."""
SHALLOWER = 0.1
"""The same for a question that is easier than the one before it on its topic."""
WITHOUT_PHASES = 0.1
"""The same for a design question without phases, which is no whole design interview."""
_OFTEN = 4


class _Slot(NamedTuple):
    """A question of the plan, those of its topic, and the minutes it would take uncut."""

    question: PlannedQuestion
    others: tuple[Outline, ...]
    whole: float

    def in_round(self, index: int) -> "_Slot":
        return self._replace(question=self.question.model_copy(update={"round": index}))


def draw_rounds(
    request: PlanRequest, track: Track, pool: Sequence[Outline], past: Mapping[str, Past], rng: random.Random
) -> Plan:
    """A plan of the chosen rounds of `track`; rounds for which there is no question or no time are left out.

    What a round leaves over goes to the next ones, and in the end to whichever can use it.
    """
    parts = chosen_rounds(request, track)
    scale = request.minutes / sum(part.minutes for part in parts) if request.minutes and parts else 1.0
    drawn: list[tuple[_Drawer, list[_Slot]]] = []
    left = 0.0
    for part in parts:
        drawer = _Drawer(request, part, past, rng)
        filled = drawer.fill(track, _free(pool, drawn), left + part.minutes * scale)
        left += part.minutes * scale - _minutes(filled)
        drawn.append((drawer, filled))
    for drawer, filled in drawn:
        left -= _lengthen(filled, left)
        more = drawer.fill(track, _free(pool, drawn), left)
        left -= _minutes(more)
        filled += more
    kept = [(drawer, filled) for drawer, filled in drawn if filled]
    slots = [slot.in_round(index) for index, (_, filled) in enumerate(kept) for slot in filled]
    plan = Plan(
        request=request,
        questions=tuple(slot.question for slot in slots),
        rounds=tuple(drawer.round for drawer, _ in kept),
        track=pick(track.title, request.language) or track.id,
    )
    return with_others(plan, {i: slot.others for i, slot in enumerate(slots)})


def _free(pool: Sequence[Outline], drawn: "list[tuple[_Drawer, list[_Slot]]]") -> list[Outline]:
    taken = {slot.question.question_id for _, filled in drawn for slot in filled}
    return [question for question in sorted(pool) if question.id not in taken]


def _minutes(slots: Sequence[_Slot]) -> float:
    return sum(slot.question.minutes for slot in slots)


def _lengthen(slots: list[_Slot], left: float) -> float:
    """Gives design questions that were cut short what is left over; gives the minutes used."""
    used = 0.0
    for at, slot in enumerate(slots):
        more = min(left - used, slot.whole - slot.question.minutes)
        if more > 0:
            minutes = slot.question.minutes + more
            slots[at] = slot._replace(question=slot.question.model_copy(update={"minutes": minutes}))
            used += more
    return used


def chosen_rounds(request: PlanRequest, track: Track) -> tuple[TrackRound, ...]:
    """The rounds that were asked for, or those of the level."""
    if request.rounds:
        return tuple(part for part in track.rounds if part.id in request.rounds)
    return tuple(part for part in track.rounds if request.level in part.levels)


class _Drawer:
    """Draws the questions of one round."""

    def __init__(self, request: PlanRequest, part: TrackRound, past: Mapping[str, Past], rng: random.Random) -> None:
        self._request = request
        self._part = part
        self._past = past
        self._rng = rng
        self.round = PlannedRound(id=part.id, title=pick(part.title, request.language) or part.id)
        self._start = min(5, max(1, START[request.level] - part.easier))
        self._focus = {id_: focus for focus in reversed(request.focus) for id_ in focus.question_ids}
        self._focus_topics = {focus.topic: focus for focus in reversed(request.focus)}

    def fill(self, track: Track, pool: Sequence[Outline], minutes: float) -> list[_Slot]:
        """Questions that fit into `minutes`, topic by topic."""
        offers = [(topic, self._offer(topic, pool)) for topic in track.topics_of(self._part)]
        queue = self._by_weight([(topic, offer) for topic, offer in offers if offer])
        slots: list[_Slot] = []
        left, taken = minutes, set[str]()
        while queue:
            topic, offer = queue.pop(0)
            deepest = 0
            for _ in range(self._part.depth):
                question = self._draw([q for q in offer if q.id not in taken], left, deepest)
                if question is None:
                    break
                spent = min(left, question_minutes(question))
                slots.append(_Slot(self._planned(question, spent), tuple(offer), question_minutes(question)))
                left, deepest = left - spent, question.difficulty
                taken.add(question.id)
            rest = [q for q in offer if q.id not in taken]
            if rest and len(rest) < len(offer) and any(fits(q, left) for q in rest):
                queue.append((topic, rest))
        return slots

    def _offer(self, topic: TrackTopic, pool: Sequence[Outline]) -> list[Outline]:
        return [
            q
            for q in pool
            if (q.topic in topic.topics or q.id in topic.question_ids)
            and (not self._part.kinds or q.kind in self._part.kinds)
        ]

    def _by_weight(self, offers: list[tuple[TrackTopic, list[Outline]]]) -> list[tuple[TrackTopic, list[Outline]]]:
        """Topics in an order drawn by their weight, the frequency of their questions and the focus."""

        def key(topic: TrackTopic, offer: list[Outline]) -> float:
            weight = topic.weight * sum(q.frequency for q in offer) / len(offer)
            if any(q.id in self._focus or q.topic in self._focus_topics for q in offer):
                weight *= FOCUS_TOPIC
            return self._lot(weight)

        return [pair for _, pair in sorted(((key(*pair), pair) for pair in offers), key=lambda entry: -entry[0])]

    def _draw(self, offer: Sequence[Outline], left: float, deepest: int) -> Outline | None:
        """One of `offer` that fits, near the difficulty to begin with, or going on from `deepest`."""
        wanted = max(self._start, deepest)
        keys = [(self._lot(self._weight(q, wanted, deepest)), q) for q in offer if fits(q, left)]
        return max(keys)[1] if keys else None

    def _weight(self, question: Outline, wanted: int, deepest: int) -> float:
        weight = question.frequency * OFF_BY_ONE ** abs(question.difficulty - wanted)
        if question.difficulty < deepest:
            weight *= SHALLOWER
        if question.kind == Kind.DESIGN and not question.phases:
            weight *= WITHOUT_PHASES
        if question.id in self._focus:
            weight *= FOCUS_QUESTION
        past = self._past.get(question.id)
        return weight * PAST_WEIGHT[past] if past else weight

    def _lot(self, weight: float) -> float:
        """Logarithm of u^(1/w): the largest draws without replacement with weights w (Efraimidis, Spirakis 2006)."""
        return math.log(self._rng.random() or 1e-300) / weight

    def _planned(self, question: Outline, minutes: float) -> PlannedQuestion:
        why, focus = self._why(question)
        return PlannedQuestion(
            question_id=question.id,
            topic=question.topic,
            why=why,
            difficulty=question.difficulty,
            frequency=question.frequency,
            minutes=minutes,
            sentence=focus.sentence if focus and why == "focus" else "",
        )

    def _why(self, question: Outline) -> tuple[Reason, Focus | None]:
        past = self._past.get(question.id)
        focus = self._focus.get(question.id) or self._focus_topics.get(question.topic)
        if question.id in self._focus:
            return "focus", focus
        if past == "weak":
            return "weak", focus
        if focus:
            return "focus", focus
        if question.frequency >= _OFTEN:
            return "frequent", None
        return ("oldest" if past else "new"), None


def fits(question: Outline, left: float) -> bool:
    """Whether there is time for a question; a design question may be shortened."""
    needed = question_minutes(question)
    return left >= (SHORTEST_DESIGN if needed == DESIGN_MINUTES else needed)


def round_minutes(plan: Plan) -> Iterator[float]:
    """The minutes of each round of a plan, in order."""
    for index in range(len(plan.rounds)):
        yield sum(q.minutes for q in plan.questions if q.round == index)
