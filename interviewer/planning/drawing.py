"""Drawing a plan: what to ask, in which order, and why."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from interviewer.interview.ports import Outline
from interviewer.memory import AskedBefore
from interviewer.models import Plan, PlanRequest, Track
from interviewer.models.plan import Reason
from interviewer.planning.editing import planned
from interviewer.planning.others import with_others
from interviewer.planning.rounds import Past, draw_rounds

RECENT = timedelta(days=2)
"""A question asked this recently comes again only when nothing else is left."""

WEAK_SHARE = 1 / 3
"""At most this share of a plan goes back to questions whose last answer left gaps."""


class _Tiers(NamedTuple):
    new: list[Outline]
    weak: list[Outline]
    older: list[Outline]


def draw_plan(
    request: PlanRequest,
    pool: Sequence[Outline],
    remembered: Mapping[str, AskedBefore],
    now: datetime,
    track: Track | None = None,
) -> Plan:
    """A plan of different questions from `pool`; the same seed gives the same plan.

    With a track, its rounds are filled within their minutes (`draw_rounds`). Without one it is a free choice of at most
    `request.count` questions: new ones first, mixed with some whose last answer left gaps; then those asked longest
    ago. Topics take turns, frequent questions are likelier, and the plan goes from easier to harder.
    """
    rng = random.Random(request.seed)
    if track is not None:
        past = {id_: _past(before, now) for id_, before in remembered.items()}
        return draw_rounds(request, track, pool, past, rng)
    tiers = _tiers(pool, remembered, now)
    weak = _by_turns(tiers.weak, rng)[: max(1, round(request.count * WEAK_SHARE))]
    new = _by_turns(tiers.new, rng)[: request.count - len(weak)]
    taken = {q.id for q in (*weak, *new)}
    older = [q for q in tiers.older if q.id not in taken][: request.count - len(taken)]
    reasons: tuple[tuple[Reason, Sequence[Outline]], ...] = (("weak", weak), ("new", new), ("oldest", older))
    chosen = sorted(((why, q) for why, tier in reasons for q in tier), key=lambda pair: pair[1].difficulty)
    plan = Plan(request=request, questions=tuple(planned(q, 0, why=why) for why, q in chosen))
    return with_others(plan, {i: [q for q in pool if q.topic == p.topic] for i, p in enumerate(plan.questions)})


def _past(before: AskedBefore, now: datetime) -> Past:
    return "recent" if now - before.at < RECENT else "weak" if before.weak else "known"


def _tiers(pool: Sequence[Outline], remembered: Mapping[str, AskedBefore], now: datetime) -> _Tiers:
    asked = sorted((q for q in pool if q.id in remembered), key=lambda q: remembered[q.id].at)
    rested = [q for q in asked if now - remembered[q.id].at >= RECENT]
    return _Tiers(
        new=[q for q in pool if q.id not in remembered],
        weak=[q for q in rested if remembered[q.id].weak],
        older=asked,
    )


def _by_turns(questions: Sequence[Outline], rng: random.Random) -> list[Outline]:
    """All questions, topics taking turns; within a topic frequent ones tend to come first.

    The key u^(1/w) draws without replacement with weights w (Efraimidis and Spirakis, 2006).
    """
    ranked: dict[str, list[tuple[float, Outline]]] = defaultdict(list)
    for question in sorted(questions):
        ranked[question.topic].append((rng.random() ** (1 / question.frequency), question))
    queues = [sorted(entries, key=lambda entry: -entry[0]) for entries in ranked.values()]
    queues.sort(key=lambda entries: -entries[0][0])
    turns = max((len(q) for q in queues), default=0)
    return [queue[turn][1] for turn in range(turns) for queue in queues if turn < len(queue)]
