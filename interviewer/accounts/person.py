"""Who asks. Every application service is told, and decides by it what there is to see."""

from typing import Literal, get_args

from interviewer.models import Frozen

Role = Literal["member", "lead", "owner"]
"""member: practises; lead: also sees how the own cohort is doing and keeps its questions; owner: also manages people,
but not their answers."""
ROLES: tuple[Role, ...] = get_args(Role)


class Person(Frozen):
    """A person who signed in, or the one at home.

    Attributes:
        cohort: Id of their cohort; None for none.
        team: Whether there are accounts here at all; at home there is one person and nobody else to hide from.
    """

    id: str
    name: str = ""
    role: Role = "member"
    cohort: str | None = None
    team: bool = True

    @property
    def owns(self) -> bool:
        """Whether they may manage people and cohorts."""
        return self.role == "owner"

    def leads(self, cohort: str | None) -> bool:
        """Whether they may see how `cohort` is doing and keep its questions: their own cohort's leads may."""
        return self.role in ("lead", "owner") and cohort is not None and cohort == self.cohort


LOCAL = Person(id="local", role="owner", team=False)
"""The person at home, where nobody signs in. The first owner of a team takes over what they have."""
