"""What accounts refuse, said in the reader's language."""

from interviewer.errors import AccessError, ConflictError, NotFoundError
from interviewer.worded import WordedError


class RefusedError(WordedError):
    """An account's rule stands against it; its sentences are in `interviewer/locales/accounts.*.toml`."""


class ForbiddenError(RefusedError, AccessError):
    """This person may not do that."""


class MissingError(RefusedError, NotFoundError):
    """There is no such person, cohort, link, sign-in or token for this person."""


class TakenError(RefusedError, ConflictError):
    """It clashes with what is there: a login or name in use, the last owner."""


class BadLinkError(RefusedError):
    """A link that is unknown, used, expired or revoked; which of these is not told."""


class WrongSignInError(RefusedError):
    """Unknown login or wrong password; which of the two is not told."""


class ThrottledError(RefusedError):
    """Too many wrong passwords.

    Args:
        seconds: How long to wait, at least 1.
    """

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        if seconds < 60:
            super().__init__("accounts_wait_seconds", count=seconds)
        else:
            super().__init__("accounts_wait_minutes", minutes=-(-seconds // 60))
