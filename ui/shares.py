"""Which of somebody's interviews their leads may read."""

from interviewer.accounts.person import Person
from interviewer.compose import App


def shared_ids(app: App, person: Person) -> frozenset[str] | None:
    """Their ids; None where there is nobody to share with: at home, and without a cohort."""
    if not person.team or person.cohort is None:
        return None
    return frozenset(app.teams.shares.mine(person))
