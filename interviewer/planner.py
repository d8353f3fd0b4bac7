"""Where plans come from: the tracks there are, and what a job description asks for. Nothing here leaves the machine."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from threading import Lock

from interviewer.library import Library
from interviewer.models import Focus, Kind, Question, Track
from interviewer.models.blueprint import Blueprint
from interviewer.planning.matching import Terms, about, distinctive_terms, suggest
from interviewer.sharing.readable import Readable
from interviewer.storage.questions import QuestionStore

MOST_READERS = 256
"""Different sets of readable sets whose tracks are kept."""
LOOKED_AT = 5
"""Questions looked at for each sentence."""

TrackOf = Callable[[Blueprint, str, Callable[[str], Sequence[str]], Sequence[str]], Track | None]
"""Reads a track from a blueprint, its document's name, a search for a topic's questions, and those on projects."""


class _Known:
    """What was worked out from the questions as they were at `state`; their terms only once somebody needs them, since
    that reads every question."""

    def __init__(self, state: tuple[int, datetime | None, datetime | None], questions: QuestionStore) -> None:
        self.state = state
        self.tracks: dict[Readable, tuple[Track, ...]] = {}
        self._questions = questions

    @cached_property
    def terms(self) -> Terms:
        return distinctive_terms(tuple(self._questions.all()))


class Planner:
    """Tracks and suggestions over all questions; worked out again when a question changed.

    Args:
        shipped: The tracks that come with the product.
        track_of: How a track is read from an imported blueprint.
    """

    def __init__(
        self,
        questions: QuestionStore,
        library: Library,
        shipped: Callable[[], tuple[Track, ...]],
        track_of: TrackOf,
    ) -> None:
        self._questions = questions
        self._library = library
        self._shipped = shipped
        self._track_of = track_of
        self._lock = Lock()
        self._known: _Known | None = None

    def tracks(self, readable: Readable) -> tuple[Track, ...]:
        """The shipped tracks, then one for each imported blueprint that has questions, newest first.

        Only what is `readable` makes a track or is asked in one.
        """
        with self._lock:
            known = self._now()
            if readable not in known.tracks:
                if len(known.tracks) >= MOST_READERS:
                    known.tracks.clear()
                known.tracks[readable] = (*self._shipped(), *self._imported(known, readable))
            return known.tracks[readable]

    def suggest(self, text: str, readable: Readable) -> tuple[Focus, ...]:
        """What a job description or résumé asks for; see `interviewer.planning.matching.suggest`."""
        with self._lock:
            terms = self._now().terms
        return suggest(text, self._finder(readable), terms)

    def _now(self) -> _Known:
        state = self._questions.state()
        if self._known is None or self._known.state != state:
            self._known = _Known(state, self._questions)
        return self._known

    def _imported(self, known: _Known, readable: Readable) -> tuple[Track, ...]:
        blueprints = self._questions.blueprints(readable.narrow())
        if not blueprints:
            return ()
        outlines = self._questions.outlines(sets=readable.narrow())
        project = [q.id for q in outlines if q.kind == Kind.EXPERIENCE]
        search = self._finder(readable)

        def find(name: str) -> list[str]:
            return [question.id for question in about(name, search, known.terms)]

        read = (
            self._track_of(Blueprint.model_validate(blueprint), document, find, project)
            for document, blueprint in blueprints
        )
        return tuple(track for track in read if track is not None)

    def _finder(self, readable: Readable) -> Callable[[str], list[tuple[Question, float]]]:
        def find(sentence: str) -> list[tuple[Question, float]]:
            found = self._library.search_among(sentence, limit=LOOKED_AT, sets=readable.narrow())
            return [(hit.question, hit.score) for hit in found]

        return find
