"""Taking one's data away, bringing it in elsewhere, and deleting it."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from threading import Lock

from interviewer.accounts.person import Person
from interviewer.accounts.rules import keep_an_owner, the_account
from interviewer.mydata.bringing import Bringer, Brought
from interviewer.mydata.errors import BusyError
from interviewer.mydata.exporting import Exporter, TopicTitle
from interviewer.mydata.layout import DataCounts
from interviewer.mydata.reading import check, open_data_file
from interviewer.storage.accounts import AccountRows, AccountStore
from interviewer.storage.database import Database
from interviewer.storage.mydata import OwnRows, overwrite_deleted

log = logging.getLogger(__name__)


class MyData:
    """Everything that is one person's.

    Args:
        topic_title: How a topic is called in a language.
        now: The clock.
        remember: Makes anew what a user remembers, after interviews came in.
        reindex: Brings search up to date, after questions came or went.
    """

    def __init__(
        self,
        database: Database,
        topic_title: TopicTitle,
        now: Callable[[], datetime],
        remember: Callable[[str], None],
        reindex: Callable[[], None],
    ) -> None:
        self._database = database
        self._accounts = AccountStore(database)
        self._rows = OwnRows(database)
        self._exporter = Exporter(self._rows, self._accounts, topic_title, now)
        self._now = now
        self._remember = remember
        self._reindex = reindex
        self._bringing = Lock()

    def counts(self, person: Person) -> DataCounts:
        """How much there is."""
        return DataCounts(
            interviews=len(self._rows.interviews(person.id)),
            kept_answers=len(self._rows.kept(person.id)),
            sets=len(self._rows.sets(person.id)),
            questions=self._rows.count_questions(person.id),
            edits=len(self._rows.edits_elsewhere(person.id)),
        )

    def export(self, person: Person) -> Iterator[bytes]:
        """All of it as a ZIP file, a piece at a time; see docs/my-data.md for what is in it."""
        return self._exporter.stream(person)

    def bring_in(self, person: Person, path: Path) -> Brought:
        """Takes in what an export holds and is not here yet; a second time nothing changes.

        Raises:
            BadDataFileError: if the file is no whole and honest export; then nothing was changed.
            BusyError: while another file is being brought in.
        """
        if not self._bringing.acquire(blocking=False):
            raise BusyError("mydata_busy")
        try:
            with open_data_file(path) as file:
                check(file)
            with open_data_file(path) as file, self._database.write() as connection:
                brought = Bringer(connection, person.id, self._now(), team=person.team).bring(file)
        finally:
            self._bringing.release()
        self._remember(person.id)
        if brought.sets or brought.edits.added:
            self._reindex()
        return brought

    def may_leave(self, person: Person) -> bool:
        """Whether the account itself can go: there is one, and it is not the last owner's."""
        with self._accounts.read() as rows:
            return rows.account(person.id) is not None and rows.owners() != {person.id}

    def delete(self, person: Person, *, account: bool) -> None:
        """Deletes what is theirs for good, with `account` also that they can sign in.

        Sets that others read stay, without their name. The audit log keeps that it happened.

        Raises:
            NotFoundError: if there is no account to delete.
            ConflictError: if it is the last owner's; then nothing was deleted.
        """
        with self._accounts.write() as rows:
            if account:
                self._leave(rows, person)
            else:
                rows.clear(person.id)
                self._record(rows, person, "data deleted")
        overwrite_deleted(self._database)
        self._reindex()

    def _leave(self, rows: AccountRows, person: Person) -> None:
        the_account(rows, person.id)
        keep_an_owner(rows, person.id)
        rows.links.revoke_of(person.id)
        rows.remove(person.id)
        self._record(rows, person, "deleted")

    def _record(self, rows: AccountRows, person: Person, action: str) -> None:
        if person.team:
            target = f"{person.name} ({person.id})"
            rows.audit.add(self._now(), actor_id=person.id, actor_name=person.name, action=action, target=target)
