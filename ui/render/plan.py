"""The plan before the start: a short outlook on the start page, and every slot on its own page. Never a question."""

from typing import NamedTuple

from interviewer.models import Focus, Mode, Plan, PlannedQuestion
from ui.render.markup import render
from ui.screens import PlanScreen, SetupScreen
from ui.texts import Texts

TOPICS_NAMED = 4


class OutlookRound(NamedTuple):
    """One round: its title, how long it takes, how many questions."""

    title: str
    minutes: int
    questions: int


class FoundTopic(NamedTuple):
    """A topic found in a job description, with the sentence that suggested it."""

    id: str
    title: str
    sentence: str


class Slot(NamedTuple):
    """One question of the plan, as far as it may be seen before the start.

    Attributes:
        place: Its place in the plan, from 0.
        why: Key of the reason; `sentence` is what the job description says, where that is the reason.
        kind: Key of its kind; empty where it is not known.
    """

    place: int
    topic: str
    kind: str
    difficulty: int
    minutes: float
    why: str
    sentence: str
    first: bool
    last: bool


class SlotRound(NamedTuple):
    """A round with its slots; the title is empty where the plan has no rounds."""

    title: str
    minutes: int
    slots: tuple[Slot, ...]


def outlook_html(screen: SetupScreen, t: Texts) -> str:
    """What the start button leads to, or why it leads nowhere."""
    plan = screen.prepared.plan
    if screen.problem or plan is None:
        problem = screen.problem or t("setup.no_match")
        return render("outlook", t, chosen=screen.choices.kind, problem=problem, plan=None)
    topics = [screen.topic_titles.get(topic, topic) for topic in plan.topics]
    return render(
        "outlook",
        t,
        chosen=screen.choices.kind,
        problem="",
        plan=plan,
        minutes=round(plan.minutes),
        rounds=[OutlookRound(r.title, r.minutes, len(r.slots)) for r in slots_by_round(plan, {}, {}) if r.title],
        topics=topics[:TOPICS_NAMED],
        more=len(topics) - TOPICS_NAMED,
        matching=t("setup.matching", n=screen.matching) if screen.choices.kind == "free" else "",
    )


def found_html(screen: SetupScreen, t: Texts) -> str:
    """The topics a job description speaks of, each removable."""
    topics = [_found(focus, screen) for focus in screen.prepared.focus]
    return render(
        "found", t, topics=topics, reading=screen.reading, searched=screen.prepared.searched, cut=screen.prepared.cut
    )


def _found(focus: Focus, screen: SetupScreen) -> FoundTopic:
    return FoundTopic(focus.topic, screen.topic_titles.get(focus.topic, focus.topic), focus.sentence)


def plan_html(screen: PlanScreen, t: Texts) -> str:
    """Every slot with what can be done to it; the question itself is nowhere in it."""
    plan = screen.plan
    return render(
        "plan",
        t,
        rounds=slots_by_round(plan, dict(screen.titles), dict(screen.kinds)),
        count=len(plan.questions),
        minutes=round(plan.minutes),
        wanted=plan.request.minutes if plan.request.track else None,
        mode=plan.request.mode,
        addable=[(topic, screen.titles.get(topic, topic)) for topic in screen.addable],
        said=screen.said,
        focus=screen.focus,
    )


def plan_heading_html(plan: Plan | None, t: Texts) -> str:
    """The page's title; `plan` decides what it says about time and feedback."""
    mode: Mode = plan.request.mode if plan else "practice"
    track = f" · {plan.track}" if plan and plan.track else ""
    return render("heading", t, title=t("plan.title") + track, lead=t(f"plan_lead.{mode}"))


def slots_by_round(plan: Plan, titles: dict[str, str], kinds: dict[str, str]) -> list[SlotRound]:
    """The plan's slots, round by round; one round without a title where it has none."""
    last = len(plan.questions) - 1
    slots = [_slot(q, i, titles, kinds, is_last=i == last) for i, q in enumerate(plan.questions)]
    if not plan.rounds:
        return [SlotRound("", round(plan.minutes), tuple(slots))]
    groups = [
        tuple(slot for slot in slots if plan.questions[slot.place].round == number)
        for number in range(len(plan.rounds))
    ]
    return [
        SlotRound(part.title, round(sum(slot.minutes for slot in group)), group)
        for part, group in zip(plan.rounds, groups, strict=True)
    ]


def _slot(
    question: PlannedQuestion, place: int, titles: dict[str, str], kinds: dict[str, str], *, is_last: bool
) -> Slot:
    return Slot(
        place=place,
        topic=titles.get(question.topic, question.topic),
        kind=kinds.get(question.question_id, ""),
        difficulty=question.difficulty,
        minutes=round(question.minutes, 1),
        why=question.why,
        sentence=question.sentence,
        first=place == 0,
        last=is_last,
    )
