"""The progress page, and the drill that starts from it."""

from functools import cache, partial
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.responses import Response
from markupsafe import Markup

from interviewer.models import PlanRequest, PointGrade, pick
from interviewer.progress.gains import Proof, Told
from interviewer.progress.mastery import FAIR_FROM, GOOD_FROM, Mastery
from interviewer.progress.service import Chosen, ProgressView, Standing, WeakSpot
from interviewer.progress.trend import LATEST
from ui.render.charts import LEAST_AXES, MOST_AXES, Axis, Dot, radar, trend_chart
from ui.render.highlight import highlighted
from ui.site.visit import Visit, Visiting
from ui.texts import Texts

PERIODS = (0, 90, 30)
"""Days that can be looked at; 0 is all time."""
PROOFS = 3
"""Questions with both answers on a page."""
WEAK = 10
"""Weak spots shown before all are asked for."""
MOST_TOPICS = 24
"""Tiles of topics that were never asked; a bank with hundreds of topics has them in the table."""
WIDE, SMALL = 960, 340
"""Widths of the trend on a desk and on a phone, in pixels."""


class Choice(NamedTuple):
    """A link that narrows the page down."""

    title: str
    href: str
    current: bool


class TrackPicture(NamedTuple):
    """A track with its radar, or the bars in its place."""

    title: str
    mastery: float | None
    topics: tuple[Mastery, ...]
    picture: Markup | None
    href: str


class Answer(NamedTuple):
    """One side of a proof; `texts` are escaped, the quote marked."""

    told: Told
    texts: tuple[Markup, ...]


class Pair(NamedTuple):
    """Both sides of a proof; `points` are the verdicts on each point, then and now."""

    proof: Proof
    topic: str
    points: tuple[tuple[PointGrade, PointGrade], ...]
    before: Answer
    after: Answer


def add_progress(web: FastAPI) -> None:
    """Serves `/{language}/progress` and starts drills."""

    @web.get("/{language}/progress")
    def progress(visit: Visiting, track: str = "", days: int = 0, page: int = 1, weak: str = "") -> Response:
        chosen = Chosen(track[:200], days if days in PERIODS else 0)
        readable = visit.app.sets.readable(visit.person)
        view = visit.app.progress.view(visit.person.id, readable, visit.language, chosen)
        own = Markup(style())
        if not view.standing.points and not view.standing.interviews:
            return visit.page("progress_empty", current="progress", own=own)
        chosen = chosen._replace(track=view.standing.track)
        values = page_values(visit, view, chosen, page, all_weak=weak == "all")
        return visit.page("progress_page", current="progress", own=own, **values)

    @web.post("/{language}/drill")
    def drill(visit: Visiting) -> Response:
        """Starts practice of what is due."""
        request = PlanRequest(mode="drill", language=visit.language)
        started = visit.app.service.start(visit.person.id, request)
        return visit.go(f"#/interview/{started.id}")


def page_values(visit: Visit, view: ProgressView, chosen: Chosen, page: int, *, all_weak: bool) -> dict[str, Any]:
    """What the template shows."""
    standing = view.standing
    pages = max(1, -(-len(view.gains) // PROOFS))
    page = max(1, min(page, pages))
    won = visit.app.progress.proofs(visit.person.id, view.gains[(page - 1) * PROOFS : page * PROOFS], visit.language)
    link = partial(_address, chosen)
    return {
        "standing": standing,
        "levels": _levels(),
        "tracks": _tracks(visit, chosen),
        "periods": [Choice(visit.t(f"progress_days.{n}"), link(days=n), n == chosen.days) for n in PERIODS],
        **_map(standing),
        "radars": [_picture(track, visit.t, link) for track in standing.tracks],
        **_trend(standing, visit),
        "pairs": [_pair(each, visit) for each in won],
        "gains": sum(len(group) for group in view.gains),
        "page": page,
        "pages": pages,
        "newer": link(page=page - 1) + "#gains" if page > 1 else "",
        "older": link(page=page + 1) + "#gains" if page < pages else "",
        "weak": [_weak(each, visit) for each in (view.weak if all_weak else view.weak[:WEAK])],
        "weak_total": len(view.weak),
        "all_weak": link(weak="all") + "#weak",
    }


@cache
def style() -> str:
    """Of the pages of progress and kept answers."""
    return files("ui").joinpath("static", "progress.css").read_text("utf-8")


def _levels() -> list[tuple[str, str]]:
    """Each level with the masteries it stands for."""
    fair, good = round(FAIR_FROM * 100), round(GOOD_FROM * 100)
    return [("unseen", ""), ("weak", f"0–{fair - 1}%"), ("fair", f"{fair}–{good - 1}%"), ("good", f"{good}–100%")]


def _address(chosen: Chosen, **changes: Any) -> str:
    """The page narrowed down otherwise; what is the same as without is left out."""
    wanted = {"track": chosen.track, "days": chosen.days} | changes
    query = urlencode({name: value for name, value in wanted.items() if value})
    return f"progress?{query}" if query else "progress"


def _tracks(visit: Visit, chosen: Chosen) -> list[Choice]:
    everything = Choice(visit.t("progress_page.all_tracks"), _address(chosen, track=""), not chosen.track)
    tracks = visit.app.tracks(visit.person)
    return [
        everything,
        *(
            Choice(pick(x.title, visit.language) or x.id, _address(chosen, track=x.id), x.id == chosen.track)
            for x in tracks
        ),
    ]


def _map(standing: Standing) -> dict[str, Any]:
    seen = [topic for topic in standing.topics if topic.mastery is not None]
    unseen = [topic for topic in standing.topics if topic.mastery is None]
    shown = seen + unseen[: max(0, MOST_TOPICS - len(seen))]
    kept = {topic.id for topic in shown}
    return {
        "tiles": [topic for topic in standing.topics if topic.id in kept],
        "hidden": len(standing.topics) - len(shown),
    }


def _picture(track: Any, t: Texts, link: Any) -> TrackPicture:
    title = t("radar.title_of", track=track.title)
    axes = [Axis(topic.title, topic.mastery) for topic in track.topics[:MOST_AXES]]
    picture = radar(axes, title, t) if len(axes) >= LEAST_AXES else None
    return TrackPicture(track.title, track.mastery, track.topics, picture, link(track=track.id))


def _trend(standing: Standing, visit: Visit) -> dict[str, Any]:
    points = standing.trend.points
    dots = [
        Dot(
            at=p.interview.at,
            mode=p.interview.mode,
            score=p.interview.score,
            smoothed=p.smoothed,
            questions=p.interview.questions,
            href=f"{visit.base}#/report/{p.interview.interview_id}",
        )
        for p in points
    ]
    title = visit.t("trend.chart", n=len(dots))
    return {
        "dots": dots,
        "charts": [trend_chart(dots, wide, title, visit.t) for wide in (WIDE, SMALL)] if dots else [],
        "last_few": LATEST,
        "modes": [mode for mode in ("practice", "mock", "drill") if any(dot.mode == mode for dot in dots)],
    }


def _pair(proof: Proof, visit: Visit) -> Pair:
    topic = visit.app.topic_title(proof.topic, visit.language)
    points = tuple(zip(proof.before.points, proof.after.points, strict=True))
    return Pair(proof, topic, points, _answer(proof.before, visit.t), _answer(proof.after, visit.t))


def _answer(told: Told, t: Texts) -> Answer:
    return Answer(told, tuple(highlighted(answer, told.points, t) for answer in told.answers))


def _weak(weak: WeakSpot, visit: Visit) -> dict[str, Any]:
    spot = weak.spot
    return {
        "question": pick(spot.question, visit.language) or "",
        "text": pick(spot.text, visit.language) or "",
        "topic": visit.app.topic_title(spot.topic, visit.language),
        "spot": spot,
        "missed": weak.missed,
        "due": weak.due,
        "own_points": [key.point_id for key in spot.points if key.question_id == spot.question_id],
        "others": len({key.question_id for key in spot.points}) - 1,
    }
