"""What accounts refuse, said in the reader's language."""

from typing import NamedTuple

from interviewer.errors import AccessError, ConflictError, InterviewerError, NotFoundError
from interviewer.models import Language
from interviewer.wording import say


class Words(NamedTuple):
    """What went wrong, and what can be done about it."""

    message: str
    next_step: str


class RefusedError(InterviewerError):
    """An account's rule stands against it; `message` and `next_step` are English, `said` gives either language.

    Args:
        key: The sentence in `interviewer/locales/accounts.*.toml`; its second line is the next step.
        values: What the sentence has to be told.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        words = self.said("en")
        super().__init__(words.message, next_step=words.next_step)

    def said(self, language: Language) -> Words:
        """The sentences in `language`."""
        message, _, next_step = say(self.key, language, **self.values).partition("\n")
        return Words(message, next_step)


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
