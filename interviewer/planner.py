"""Where plans come from: the tracks there are, and what a job description asks for. Nothing here leaves the machine."""

from collections.abc import Callable, Sequence
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from interviewer.library import Library
from interviewer.models import Focus, Kind, Question, Track
from interviewer.models.blueprint import Blueprint
from interviewer.planning.matching import Terms, about, distinctive_terms, suggest
from interviewer.storage.questions import QuestionStore

LOOKED_AT = 5
"""Questions looked at for each sentence."""

TrackOf = Callable[[Blueprint, str, Callable[[str], Sequence[str]], Sequence[str]], Track | None]
"""Reads a track from a blueprint, its document's name, a search for a topic's questions, and those on projects."""


class _Known(NamedTuple):
    """What was worked out from the questions as they were at `state`."""

    state: tuple[int, datetime | None, datetime | None]
    terms: Terms
    tracks: tuple[Track, ...]


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

    def tracks(self) -> tuple[Track, ...]:
        """The shipped tracks, then one for each imported blueprint that has questions, newest first."""
        return self._now().tracks

    def suggest(self, text: str) -> tuple[Focus, ...]:
        """What a job description or résumé asks for; see `interviewer.planning.matching.suggest`."""
        return suggest(text, self._find, self._now().terms)

    def _now(self) -> _Known:
        with self._lock:
            state = self._questions.state()
            if self._known is None or self._known.state != state:
                terms = distinctive_terms(tuple(self._questions.all()))
                self._known = _Known(state, terms, (*self._shipped(), *self._imported(terms)))
            return self._known

    def _imported(self, terms: Terms) -> tuple[Track, ...]:
        project = [q.id for q in self._questions.outlines() if q.kind == Kind.EXPERIENCE]

        def find(name: str) -> list[str]:
            return [question.id for question in about(name, self._find, terms)]

        read = (
            self._track_of(Blueprint.model_validate(blueprint), document, find, project)
            for document, blueprint in self._questions.blueprints()
        )
        return tuple(track for track in read if track is not None)

    def _find(self, sentence: str) -> list[tuple[Question, float]]:
        return [(found.question, found.score) for found in self._library.search(sentence, limit=LOOKED_AT)]
