"""Who may read, write and decide, as one table."""

from datetime import UTC, datetime

import pytest

from interviewer.accounts.person import LOCAL, Person
from interviewer.sharing.rights import QuestionSet, may_read, may_review, may_write

AT = datetime(2026, 1, 1, tzinfo=UTC)
MEMBER = Person(id="m", cohort="red")
LEAD = Person(id="l", role="lead", cohort="red")
OTHER_LEAD = Person(id="o", role="lead", cohort="blue")
OWNER = Person(id="w", role="owner")
NOWHERE = Person(id="n")


def known(owner: str | None, visibility: str, cohort: str | None = None, name: str = "s") -> QuestionSet:
    return QuestionSet.model_validate(
        {"name": name, "owner": owner, "visibility": visibility, "cohort": cohort, "created_at": AT}
    )


MINE = known("m", "private")
COHORTS = known("m", "cohort", "red")
ORPHAN = known("m", "cohort", None)
EVERYONES = known("m", "everyone")
LEADS_OWN = known("l", "everyone")
BANK = known(None, "everyone", name="bank")
NOBODYS = known(None, "private")


@pytest.mark.parametrize(
    ("person", "question_set", "rights"),
    [
        (MEMBER, MINE, "rwd"), (LEAD, MINE, ""), (OWNER, MINE, ""), (OTHER_LEAD, MINE, ""),
        (MEMBER, COHORTS, "rw"), (LEAD, COHORTS, "rwd"), (OTHER_LEAD, COHORTS, ""), (OWNER, COHORTS, ""),
        (NOWHERE, COHORTS, ""), (NOWHERE, ORPHAN, ""), (MEMBER, ORPHAN, "rw"), (OTHER_LEAD, ORPHAN, ""),
        (MEMBER, EVERYONES, "rw"), (LEAD, EVERYONES, "r"), (OWNER, EVERYONES, "rwd"), (NOWHERE, EVERYONES, "r"),
        (LEAD, LEADS_OWN, "rwd"), (OTHER_LEAD, LEADS_OWN, "r"),
        (MEMBER, BANK, "r"), (LEAD, BANK, "rwd"), (OTHER_LEAD, BANK, "rwd"), (OWNER, BANK, "rwd"),
        (OWNER, NOBODYS, ""), (LEAD, NOBODYS, ""),
        (LOCAL, MINE, "rwd"), (LOCAL, BANK, "rwd"), (LOCAL, NOBODYS, "rwd"),
    ],
)  # fmt: skip
def test_rights(person, question_set, rights):
    held = "".join(
        letter for letter, may in (("r", may_read), ("w", may_write), ("d", may_review)) if may(person, question_set)
    )
    assert held == rights
