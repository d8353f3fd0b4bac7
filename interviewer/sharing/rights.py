"""Who may do what with a question set; pure, so that every rule can be tested as it is written."""

from datetime import datetime
from typing import Literal, get_args

from interviewer.accounts.person import Person
from interviewer.models import Frozen
from interviewer.sharing.readable import BANK

Visibility = Literal["private", "cohort", "everyone"]
VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)


class QuestionSet(Frozen):
    """A set and who stands behind it.

    Attributes:
        owner: Id of who imported it first; None for the shipped bank, and where that person is gone.
        cohort: Id of the cohort that sees it, where the visibility is `cohort`.
        source: Where its questions come from, in its owner's words.
        licence: Under which licence they may be used.
    """

    name: str
    owner: str | None
    visibility: Visibility
    cohort: str | None = None
    source: str = ""
    licence: str = ""
    created_at: datetime
    owner_name: str = ""
    cohort_name: str = ""


def may_read(person: Person, known: QuestionSet) -> bool:
    """At home everything; else one's own sets, those of one's cohort, and everyone's."""
    if not person.team or known.visibility == "everyone" or known.owner == person.id:
        return True
    return known.visibility == "cohort" and known.cohort is not None and known.cohort == person.cohort


def may_review(person: Person, known: QuestionSet) -> bool:
    """Whether they decide what of it is asked: owners for everyone's sets, leads for their cohort's and for the bank,
    and anyone for what only they see."""
    if not person.team:
        return True
    if known.visibility == "private":
        return known.owner == person.id
    if known.visibility == "cohort":
        return person.leads(known.cohort)
    if person.owns:
        return True
    return person.role == "lead" and (known.name == BANK or known.owner == person.id)


def may_write(person: Person, known: QuestionSet) -> bool:
    """Whether they may import into it and edit it: whoever reviews it, and its owner.

    What an owner who does not review it changes waits for review.
    """
    return may_review(person, known) or (known.owner == person.id and may_read(person, known))


def is_reviewed(person: Person, known: QuestionSet) -> bool:
    """Whether what is imported into it waits for review: in a team, wherever others are asked it too."""
    return person.team and known.visibility != "private"
