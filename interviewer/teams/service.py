"""Everything a cohort and its leads do, put together."""

from typing import NamedTuple

from interviewer.teams.assignments import Assignments
from interviewer.teams.cohort import CohortPages
from interviewer.teams.shares import SharedInterviews


class Teams(NamedTuple):
    """The services of a team; each is told who acts, and checks."""

    cohort: CohortPages
    shares: SharedInterviews
    assignments: Assignments
