"""Editing and reviewing questions: what waits, what it says, and what becomes of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from interviewer.accounts.errors import ForbiddenError, MissingError, TakenError
from interviewer.accounts.person import Person
from interviewer.sharing.checking import checked
from interviewer.sharing.differences import Change, differences
from interviewer.sharing.fields import Path
from interviewer.sharing.rights import may_review, may_write
from interviewer.sharing.sets import Sets
from interviewer.storage.edits import KEPT, EditStore, Stored, Version
from interviewer.storage.sets import SetStore

MOST_PUBLISHED = 5_000
"""Questions published at once."""

_PAIRS = ("similar_meaning", "near_repeat")

Why = Literal["new", "changed", "conflict", "gone"]
"""Why a question waits: never reviewed, changed, edited where the document changed too, gone from its document."""


class Trouble(NamedTuple):
    """What the import reported about a question; `other` is one it is like."""

    kind: str
    detail: str
    other: str = ""


class Entry(NamedTuple):
    """A question in the queue or in the list of a set."""

    stored: Stored
    why: tuple[Why, ...]
    troubles: tuple[Trouble, ...]
    reviews: bool

    @property
    def clean(self) -> bool:
        """Whether it can be published without a look."""
        return not self.troubles and "conflict" not in self.why and "gone" not in self.why


class Page(NamedTuple):
    """Some of `total` entries."""

    entries: tuple[Entry, ...]
    total: int


class Review:
    """Everything a person may do with the questions of the sets they keep. What they may not see is not there.

    Every method raises `NotFoundError` for a question or set that is not there for this person, `AccessError` for one
    they may only read, and, where it takes a stamp, `ConflictError` if somebody was quicker.

    Args:
        changed: Told the ids of questions that came into use, changed or went out of it.
    """

    def __init__(
        self, sets: Sets, set_store: SetStore, edits: EditStore, changed: Callable[[Sequence[str]], None]
    ) -> None:
        self._sets = sets
        self._set_store = set_store
        self._edits = edits
        self._changed = changed

    def queue(self, person: Person, set_name: str = "", *, limit: int, offset: int = 0) -> Page:
        """What waits in the sets this person keeps, or in one of them."""
        names = self._kept(person, set_name)
        if not names:
            return Page((), 0)
        found = self._edits.waiting(names, limit=limit, offset=offset)
        return Page(self._entries(person, found), self._edits.count_waiting(names))

    def waiting(self, person: Person) -> int:
        """How many questions wait in the sets this person decides about."""
        names = tuple(view.set.name for view in self._sets.all(person) if view.reviews)
        return self._edits.count_waiting(names) if names else 0

    def listed(self, person: Person, set_name: str, *, limit: int, offset: int = 0) -> Page:
        """All questions of a set this person may write to, whatever their state."""
        self._sets.writable(person, set_name)
        found = self._edits.listed(set_name, limit=limit, offset=offset)
        return Page(self._entries(person, found), self._edits.count(set_name))

    def entry(self, person: Person, question_id: str) -> Entry:
        """One question, to be looked at and edited."""
        return self._entries(person, (self._stored(person, question_id),))[0]

    def save(self, person: Person, question_id: str, values: Mapping[Path, Any], *, stamp: str) -> None:
        """Keeps an edit; it waits for review where this person does not decide about the set.

        Raises:
            EditError: if a field has a fault.
        """
        stored = self._stored(person, question_id)
        question = checked(stored.newest, values)
        waits = not self._reviews(person, stored)
        self._edits.save(question, stamp=stamp, user_id=person.id, waits=waits)
        self._changed((question.id,))

    def publish(self, person: Person, question_id: str, *, stamp: str) -> None:
        """Has what waits asked from now on."""
        known = self._reviewed(person, question_id)
        self._edits.publish([(known.question.id, stamp)], user_id=person.id)
        self._changed((known.question.id,))

    def reject(self, person: Person, question_id: str, *, stamp: str) -> None:
        """Turns down a waiting change, or takes a question out of use."""
        known = self._reviewed(person, question_id)
        self._edits.reject(known.question.id, stamp=stamp, user_id=person.id)
        self._changed((known.question.id,))

    def publish_clean(self, person: Person, set_name: str) -> int:
        """Publishes everything of a set that waits and about which nothing was reported; gives how many."""
        known = self._sets.writable(person, set_name)
        if not may_review(person, known):
            raise _not_yours()
        found = self._edits.waiting((set_name,), limit=MOST_PUBLISHED, offset=0)
        clean = [entry.stored for entry in self._entries(person, found) if entry.clean]
        self._edits.publish([(stored.question.id, stored.stamp) for stored in clean], user_id=person.id)
        self._changed([stored.question.id for stored in clean])
        return len(clean)

    def settle(self, person: Person, question_id: str, *, stamp: str) -> None:
        """Keeps the edits where the document changed too, and a question that its document no longer has."""
        stored = self._reviewed(person, question_id)
        self._edits.save(stored.newest, stamp=stamp, user_id=person.id, waits=False)
        self._changed((stored.question.id,))

    def merge(self, person: Person, keep_id: str, gone_id: str) -> None:
        """Keeps one of two questions of the same set; the other's id leads to it from now on.

        Raises:
            ConflictError: if they are one, not of the same set, or the one to keep is out of use.
        """
        keep, gone = self._reviewed(person, keep_id), self._reviewed(person, gone_id)
        keep_id, gone_id = keep.question.id, gone.question.id
        if keep_id == gone_id or keep.question.set != gone.question.set or keep.retired or gone.retired:
            raise TakenError("sharing_no_merge")
        self._edits.merge(keep_id, gone_id)
        self._changed((keep_id, gone_id))

    def versions(self, person: Person, question_id: str) -> tuple[Version, ...]:
        """Every version, newest first."""
        return self._edits.versions(self._stored(person, question_id).question.id)

    def compare(self, person: Person, question_id: str, older: int, newer: int) -> tuple[Change, ...]:
        """What differs between two versions."""
        versions = {version.number: version.question for version in self.versions(person, question_id)}
        if older not in versions or newer not in versions:
            raise MissingError("sharing_no_version")
        return differences(versions[older], versions[newer])

    def restore(self, person: Person, question_id: str, number: int, *, stamp: str) -> None:
        """Makes an older version the newest one; what came between stays in the list."""
        stored = self._stored(person, question_id)
        known = self._edits.versions(stored.question.id)
        version = next((v for v in known if v.number == number), None)
        if version is None:
            raise MissingError("sharing_no_version")
        waits = not self._reviews(person, stored)
        self._edits.save(version.question, stamp=stamp, user_id=person.id, waits=waits, reason=f"restore {number}")
        self._changed((stored.question.id,))

    def _stored(self, person: Person, question_id: str) -> Stored:
        stored = self._edits.get(question_id)
        if stored is not None and stored.merged_into is not None:
            stored = self._edits.get(stored.merged_into)
        known = self._set_store.get(stored.question.set) if stored else None
        readable = self._set_store.readable(person)
        if stored is None or known is None or not readable.allows(known.name):
            raise _not_there(question_id)
        if not may_write(person, known):
            if stored.state != "live" or stored.retired:
                raise _not_there(question_id)
            raise _not_yours()
        return stored

    def _reviewed(self, person: Person, question_id: str) -> Stored:
        stored = self._stored(person, question_id)
        if not self._reviews(person, stored):
            raise _not_yours()
        return stored

    def _reviews(self, person: Person, stored: Stored) -> bool:
        known = self._set_store.get(stored.question.set)
        return known is not None and may_review(person, known)

    def _kept(self, person: Person, set_name: str) -> tuple[str, ...]:
        if set_name:
            return (self._sets.writable(person, set_name).name,)
        return tuple(view.set.name for view in self._sets.all(person) if view.writes)

    def _entries(self, person: Person, found: Sequence[Stored]) -> tuple[Entry, ...]:
        sets = {stored.question.set for stored in found}
        troubles = self._troubles(sets)
        reviews = {
            name: (known := self._set_store.get(name)) is not None and may_review(person, known) for name in sets
        }
        return tuple(
            Entry(stored, _why(stored), troubles.get(stored.question.id, ()), reviews[stored.question.set])
            for stored in found
        )

    def _troubles(self, sets: set[str]) -> dict[str, tuple[Trouble, ...]]:
        """By question, what the imports of these sets reported; pairs stand with both, as long as both are in use."""
        found: dict[str, list[Trouble]] = {}
        for set_name in sets:
            for report in self._edits.reports(set_name):
                for problem in report.get("problems", ()):
                    told = Trouble(problem["kind"], problem["detail"], problem.get("other", ""))
                    if (about := problem.get("question")) and told.kind != "document_changed":
                        found.setdefault(about, []).append(told)
                        if told.other and told.kind in _PAIRS:
                            found.setdefault(told.other, []).append(told._replace(other=about))
        others = self._edits.many([t.other for told in found.values() for t in told if t.other])
        used = {i for i, stored in others.items() if not stored.retired and stored.state != "rejected"}
        return {about: tuple(t for t in told if not t.other or t.other in used) for about, told in found.items()}


def _why(stored: Stored) -> tuple[Why, ...]:
    reasons: list[Why] = []
    if stored.state == "draft":
        reasons.append("new")
    elif stored.edit is not None and stored.edit.waits:
        reasons.append("changed")
    if any(path[0] == KEPT[0] for path in stored.conflicts):
        reasons.append("gone")
    if any(path[0] != KEPT[0] for path in stored.conflicts):
        reasons.append("conflict")
    return tuple(reasons)


def _not_there(question_id: str) -> MissingError:
    return MissingError("sharing_no_question", name=question_id)


def _not_yours() -> ForbiddenError:
    return ForbiddenError("sharing_not_yours")
