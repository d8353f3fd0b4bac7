"""Sets as a person sees them: making, describing, showing and deleting them."""

from collections.abc import Callable, Sequence
from datetime import datetime

from interviewer.accounts.errors import ForbiddenError, MissingError, TakenError
from interviewer.accounts.person import Person
from interviewer.language import clean
from interviewer.models import Frozen
from interviewer.sharing.readable import BANK
from interviewer.sharing.rights import QuestionSet, Visibility, may_read, may_review, may_write
from interviewer.storage.sets import SetCounts, SetStore

NAME_LIMIT, SOURCE_LIMIT, LICENCE_LIMIT = 80, 2000, 200
"""Characters."""


class ImportTarget(Frozen):
    """Where an import goes.

    Attributes:
        set: Name of the set.
        visibility: Who sees it; empty for what the set has, and `private` for a new one.
        source: Where the questions come from; empty leaves what the set says.
        licence: Under which licence they are; empty leaves what the set says.
    """

    set: str
    visibility: Visibility | None = None
    source: str = ""
    licence: str = ""


class SetView(Frozen):
    """A set, what is in it, and what this person may do with it.

    Attributes:
        writes: Whether they may import into it and edit it.
        reviews: Whether they decide what of it is asked.
    """

    set: QuestionSet
    live: int
    drafts: int
    writes: bool
    reviews: bool


class Sets:
    """What people do with sets. A set one may not see is not there.

    Args:
        now: The clock.
        changed: Told the ids of questions that came into use or went out of it.
    """

    def __init__(
        self, store: SetStore, now: Callable[[], datetime], changed: Callable[[Sequence[str]], None] = lambda _: None
    ) -> None:
        self._store = store
        self._now = now
        self._changed = changed

    def all(self, person: Person) -> tuple[SetView, ...]:
        """Every set this person may see, the bank first."""
        counts = self._store.counts()
        found = [self._view(person, s, counts.get(s.name)) for s in self._store.all(self._store.readable(person))]
        shown = (view for view in found if view.writes or view.live)
        return tuple(sorted(shown, key=lambda view: (view.set.name != BANK, view.set.name)))

    def view(self, person: Person, name: str) -> SetView:
        """One set.

        Raises:
            NotFoundError: if there is none of that name for this person.
        """
        known = self.get(person, name)
        return self._view(person, known, self._store.counts().get(name))

    def get(self, person: Person, name: str) -> QuestionSet:
        """Raises what `view` raises."""
        known = self._store.get(name)
        if known is None or not may_read(person, known):
            raise MissingError("sharing_no_set", name=name)
        return known

    def writable(self, person: Person, name: str) -> QuestionSet:
        """One set this person may change.

        Raises:
            NotFoundError: if there is none of that name for this person.
            AccessError: if they may only read it.
        """
        known = self.get(person, name)
        if not may_write(person, known):
            raise ForbiddenError("sharing_read_only", name=name)
        return known

    def open(self, person: Person, target: ImportTarget) -> QuestionSet:
        """The set an import goes into, made if there is none.

        Raises:
            AccessError: if the name is taken by a set this person can't write to.
            ConflictError: if the name is no name, or the set is there already and shown to others than asked for.
        """
        name = clean(target.set).strip()
        if not name or name == BANK or len(name) > NAME_LIMIT:
            raise TakenError("sharing_bad_name", limit=NAME_LIMIT)
        known = self._store.get(name)
        if known is None:
            return self._made(person, name, target)
        if not (may_read(person, known) and may_write(person, known)):
            raise ForbiddenError("sharing_taken", name=name)
        if target.visibility not in (None, known.visibility):
            raise TakenError("sharing_other_readers", name=name)
        if target.source or target.licence:
            self._describe(known, target.source or known.source, target.licence or known.licence)
        return known

    def describe(self, person: Person, name: str, *, source: str, licence: str) -> None:
        """Says where a set comes from and under which licence; raises what `writable` raises."""
        self._describe(self.writable(person, name), source, licence)

    def show_to(self, person: Person, name: str, visibility: Visibility) -> None:
        """Changes who sees a set. Where that is more than its owner may decide, its questions wait for review.

        Raises:
            AccessError: if the set is not this person's to show, or they have no cohort to show it to.
        """
        known = self.writable(person, name)
        if name == BANK:
            raise ForbiddenError("sharing_bank_is_everyones")
        cohort = self._cohort(person, known, visibility)
        wider = known.model_copy(update={"visibility": visibility, "cohort": cohort})
        if known.owner != person.id and not (may_review(person, known) and may_review(person, wider)):
            raise ForbiddenError("sharing_not_to_show")
        if not may_review(person, wider):
            self._changed(self._store.hold_back(name, self._now()))
        self._store.show_to(name, visibility, cohort)

    def delete(self, person: Person, name: str) -> None:
        """Removes a set for good; interviews keep the questions they asked.

        Raises:
            AccessError: for the bank, and for sets this person may not decide about.
        """
        known = self.writable(person, name)
        if name == BANK or not (known.owner == person.id or may_review(person, known)):
            raise ForbiddenError("sharing_not_to_delete")
        self._changed(self._store.delete(name))

    def _made(self, person: Person, name: str, target: ImportTarget) -> QuestionSet:
        visibility = target.visibility or "private"
        made = QuestionSet(
            name=name,
            owner=person.id,
            visibility=visibility,
            source=clean(target.source).strip()[:SOURCE_LIMIT],
            licence=clean(target.licence).strip()[:LICENCE_LIMIT],
            created_at=self._now(),
        )
        made = made.model_copy(update={"cohort": self._cohort(person, made, visibility)})
        self._store.add(made)
        return made

    def _cohort(self, person: Person, known: QuestionSet, visibility: Visibility) -> str | None:
        """The cohort a set is shown to: the one it has, else this person's."""
        if visibility != "cohort":
            return None
        cohort = known.cohort if known.visibility == "cohort" and known.cohort else person.cohort
        if cohort is None:
            raise ForbiddenError("sharing_no_cohort")
        return cohort

    def _describe(self, known: QuestionSet, source: str, licence: str) -> None:
        source, licence = clean(source).strip()[:SOURCE_LIMIT], clean(licence).strip()[:LICENCE_LIMIT]
        self._store.describe(known.name, source=source, licence=licence)

    def _view(self, person: Person, known: QuestionSet, counts: SetCounts | None) -> SetView:
        live, drafts = counts or SetCounts()
        writes = may_write(person, known)
        return SetView(
            set=known, live=live, drafts=drafts if writes else 0, writes=writes, reviews=may_review(person, known)
        )
