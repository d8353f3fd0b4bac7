"""What a file of data is refused for, said in the reader's language."""

from interviewer.errors import ConflictError, InterviewerError
from interviewer.models import Language
from interviewer.wording import say


class BadDataFileError(InterviewerError):
    """A file that is no export, or not a whole and honest one; nothing of it was kept.

    Args:
        key: The sentence in `interviewer/locales/mydata.*.toml`; its second line is the next step.
        values: What the sentence has to be told.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        message, next_step = self.said("en")
        super().__init__(message, next_step=next_step)

    def said(self, language: Language) -> tuple[str, str]:
        """The sentence and the next step in `language`."""
        message, _, next_step = say(self.key, language, **self.values).partition("\n")
        return message, next_step


class BusyError(BadDataFileError, ConflictError):
    """Another file is being brought in at this moment."""
