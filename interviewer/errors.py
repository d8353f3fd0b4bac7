"""What can go wrong, as a tree the edges (page, terminal, command line) map to one sentence and a next step."""

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from interviewer.models import Language


class Words(NamedTuple):
    """What went wrong, and what can be done about it."""

    message: str
    next_step: str

    def __str__(self) -> str:
        return f"{self.message}{'' if self.message.endswith('。') else ' '}{self.next_step}".strip()


class InterviewerError(Exception):
    """Something the user can act on.

    Args:
        message: What went wrong, naming the thing.
        next_step: What the user can do about it; empty only where nothing can be done.
    """

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def said(self, language: "Language") -> Words:
        """The sentences in `language`, where they are known in it; else in English."""
        del language
        return Words(self.message, self.next_step)

    def __str__(self) -> str:
        return str(Words(self.message, self.next_step))


class SettingsError(InterviewerError):
    """A setting is missing or does not make sense."""


class DocumentError(InterviewerError):
    """A document can't be read."""


class BankError(InterviewerError):
    """The question bank breaks its schema."""


class NotFoundError(InterviewerError):
    """An interview, question or set with that id is not there for this user."""


class NothingDueError(NotFoundError):
    """Nothing is due for a drill.

    Args:
        day: When something will be; None where nothing was asked yet.
    """

    def __init__(self, message: str, *, next_step: str = "", day: date | None = None) -> None:
        super().__init__(message, next_step=next_step)
        self.day = day


class AccessError(InterviewerError):
    """This person may not do that. Never for reading what is another's: that is not found."""


class ConflictError(InterviewerError):
    """Somebody else wrote to the same interview first; load it again."""


class IndexMismatchError(InterviewerError):
    """The index was built by another model or from other text; it must be rebuilt."""


class EmbeddingError(InterviewerError):
    """The embedding model that was asked for can't be loaded."""


class ChatModelError(InterviewerError):
    """The chat model did not give a usable reply.

    Args:
        kind: A stable word for the cause: `auth`, `not_found`, `rate_limit`, `server`, `timeout`, `connection`,
            `invalid_output`, `truncated`, `refused` or `other`.
    """

    def __init__(self, message: str, *, kind: str, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.kind = kind
