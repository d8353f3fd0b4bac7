"""Where somebody stands: brought together from what they remember, their scores and the questions there are."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, Protocol

from interviewer.interview.ports import Outline, StoredInterview
from interviewer.interview.state import fold
from interviewer.memory.cards import Card
from interviewer.memory.reviews import PointKey, Review
from interviewer.memory.service import Overview, Spot
from interviewer.models import Language, Track
from interviewer.planning.drilling import LEAST_MINUTES, POINT_MINUTES, QUESTION_MINUTES, USUAL_MINUTES
from interviewer.progress.gains import Gain, Proof, gains, proof, together
from interviewer.progress.mastery import (
    Area,
    Known,
    Mastery,
    TrackMastery,
    known_points,
    masteries,
    topic_areas,
    track_areas,
    track_mastery,
)
from interviewer.progress.trend import Scored, Trend, trend
from interviewer.sharing.readable import Readable


class Due(NamedTuple):
    """What there is to practise today.

    Attributes:
        minutes: How long the drill of it takes, as far as one drill goes.
        next_day: When something is due next; today where something is, None where nothing ever is.
        days: How many days until then.
    """

    ideas: int = 0
    soon: int = 0
    minutes: int = 0
    next_day: date | None = None
    days: int = 0


class Standing(NamedTuple):
    """How somebody stands, without a word of their answers; a lead may see it.

    Attributes:
        track: Id of the track it is narrowed down to; empty for everything.
        topics: The topics of the questions there are, or of the track.
        tracks: The tracks something of which was asked, or the one.
        points: How many points were asked for, and `covered` of them without help when last asked for.
        interviews: How many ended with a score, whatever it is narrowed down to.
    """

    track: str
    due: Due
    topics: tuple[Mastery, ...]
    tracks: tuple[TrackMastery, ...]
    trend: Trend
    points: int
    covered: int
    interviews: int


class WeakSpot(NamedTuple):
    """A weak spot.

    Attributes:
        missed: The review in which its first point was last missed or needed help.
        due: Whether it is due now.
    """

    spot: Spot
    missed: Review | None
    due: bool


class ProgressView(NamedTuple):
    """The progress page.

    Attributes:
        weak: Weak spots, those due first.
        gains: Points that were missed and are covered now, those of the same two answers together, the newest first.
    """

    standing: Standing
    weak: tuple[WeakSpot, ...]
    gains: tuple[tuple[Gain, ...], ...]


class Chosen(NamedTuple):
    """What the page is narrowed down to: a track, by its id, and a number of days; empty and 0 for everything."""

    track: str = ""
    days: int = 0


EVERYTHING = Chosen()


class _Scope(NamedTuple):
    """What is looked at.

    Attributes:
        track: The one it is narrowed down to.
        tracks: That one, or all.
    """

    language: Language
    outlines: tuple[Outline, ...]
    track: Track | None
    tracks: tuple[Track, ...]
    areas: tuple[Area, ...]
    since: datetime | None

    def holds(self, question_id: str) -> bool:
        """Whether a question belongs to it."""
        return self.track is None or any(question_id in area.question_ids for area in self.areas)

    def covers(self, at: datetime) -> bool:
        """Whether a moment belongs to it."""
        return self.since is None or at >= self.since


class Remembered(Protocol):
    """What of `interviewer.memory.service.Memory` is needed."""

    def overview(self, user_id: str) -> Overview: ...

    def reviews(self, user_id: str) -> tuple[Review, ...]: ...


class Scores(Protocol):
    def finished(self, user_id: str) -> tuple[Scored, ...]: ...


class Interviews(Protocol):
    def some(self, user_id: str, interview_ids: Collection[str]) -> tuple[StoredInterview, ...]: ...


class Questions(Protocol):
    def outlines(self, *, sets: tuple[str, ...]) -> tuple[Outline, ...]: ...


class Progress:
    """Reads how far people have come; it stores nothing.

    Args:
        known: How likely the point of a card is known at a moment, 0..1.
        tracks: The tracks of what somebody may read.
        topic_title: How a topic is called in a language.
        now: The clock.
    """

    def __init__(
        self,
        memory: Remembered,
        scores: Scores,
        interviews: Interviews,
        questions: Questions,
        known: Callable[[Card, datetime], float],
        tracks: Callable[[Readable], Sequence[Track]],
        topic_title: Callable[[str, Language], str],
        now: Callable[[], datetime],
    ) -> None:
        self._memory = memory
        self._scores = scores
        self._interviews = interviews
        self._questions = questions
        self._known = known
        self._tracks = tracks
        self._topic_title = topic_title
        self._now = now

    def view(self, user_id: str, readable: Readable, language: Language, chosen: Chosen = EVERYTHING) -> ProgressView:
        """Everything of the page but the answers' texts; those come with `proofs`.

        Args:
            readable: What this user may read; the map is of nothing else.
        """
        scope = self._scope(readable, language, chosen)
        remembered, reviews = self._memory.overview(user_id), self._memory.reviews(user_id)
        now = self._now()
        missed = {review.key: review for review in reviews if not review.unaided}
        weak = (
            WeakSpot(spot, missed.get(PointKey(spot.question_id, spot.point_id)), spot.due_at <= now)
            for spot in remembered.weak_spots
            if scope.holds(spot.question_id)
        )
        won = (
            gain for gain in gains(reviews) if scope.holds(gain.covered.question_id) and scope.covers(gain.covered.at)
        )
        return ProgressView(self._standing(user_id, scope, remembered), tuple(weak), together(won))

    def standing(self, user_id: str, readable: Readable, language: Language, chosen: Chosen = EVERYTHING) -> Standing:
        """How somebody stands, without anything they said."""
        return self._standing(user_id, self._scope(readable, language, chosen), self._memory.overview(user_id))

    def proofs(self, user_id: str, won: Iterable[Sequence[Gain]], language: Language) -> tuple[Proof, ...]:
        """The two answers of each of these groups, as far as the interviews are still there; one query for all."""
        won = tuple(won)
        ids = {review.interview_id for group in won for gain in group for review in gain}
        states = {each.id: fold(each.events) for each in self._interviews.some(user_id, ids)}
        found = (proof(group, states, language) for group in won)
        return tuple(each for each in found if each is not None)

    def _scope(self, readable: Readable, language: Language, chosen: Chosen) -> _Scope:
        outlines = self._questions.outlines(sets=readable.narrow())
        tracks = tuple(self._tracks(readable))
        track = next((track for track in tracks if track.id == chosen.track), None)
        if track is not None:
            areas = track_areas(track, outlines, language)
            tracks = (track,)
        else:
            areas = topic_areas(outlines, lambda topic: self._topic_title(topic, language))
        since = self._now() - timedelta(days=chosen.days) if chosen.days else None
        return _Scope(language, outlines, track, tracks, areas, since)

    def _standing(self, user_id: str, scope: _Scope, remembered: Overview) -> Standing:
        there = {question.id for question in scope.outlines}
        points = [point for point in self._points(remembered.cards) if point.question_id in there]
        scored = self._scores.finished(user_id)
        track = scope.track.id if scope.track else ""
        return Standing(
            track=track,
            due=self._due(remembered),
            topics=masteries(scope.areas, points),
            tracks=self._track_masteries(scope, points),
            trend=trend([s for s in scored if track in ("", s.track) and scope.covers(s.at)]),
            points=len(points),
            covered=sum(point.covered for point in points),
            interviews=len(scored),
        )

    def _points(self, cards: Sequence[Card]) -> tuple[Known, ...]:
        now = self._now()
        return known_points(cards, (0.0 if card.weak else self._known(card, now) for card in cards))

    def _track_masteries(self, scope: _Scope, points: Sequence[Known]) -> tuple[TrackMastery, ...]:
        found = (
            track_mastery(track, track_areas(track, scope.outlines, scope.language), points, scope.language)
            for track in scope.tracks
        )
        return tuple(each for each in found if scope.track is not None or each.mastery is not None)

    def _due(self, remembered: Overview) -> Due:
        counts = remembered.counts
        questions = [point.question_id for point in remembered.due]
        needed = QUESTION_MINUTES * len(set(questions)) + POINT_MINUTES * len(questions)
        minutes = round(max(LEAST_MINUTES, min(USUAL_MINUTES, needed))) if questions else 0
        today = self._now().astimezone().date()
        return Due(
            counts.due, counts.soon, minutes, counts.next_day, (counts.next_day - today).days if counts.next_day else 0
        )
