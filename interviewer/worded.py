"""Errors that people read on the page, said in the reader's language."""

from collections.abc import Mapping

from interviewer.errors import ConflictError, DocumentError, InterviewerError, NotFoundError, Words
from interviewer.models import Language
from interviewer.wording import say


def said(key: str, language: Language, values: Mapping[str, object]) -> Words:
    """What an error with this key says in `language`.

    Raises:
        KeyError: if there is no such sentence, or a value is missing.
    """
    message, _, next_step = say(key, language, **values).partition("\n")
    return Words(message, next_step)


class WordedError(InterviewerError):
    """Something whose sentences are known in both languages; `message` and `next_step` are English.

    Args:
        key: The sentence in `interviewer/locales/`; its second line is the next step.
        values: What the sentence has to be told.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        words = self.said("en")
        super().__init__(words.message, next_step=words.next_step)

    def said(self, language: Language) -> Words:
        """The sentences in `language`."""
        return said(self.key, language, self.values)


class UnreadableError(WordedError, DocumentError):
    """A document can't be read; its sentences are in `interviewer/locales/documents.*.toml`."""


class UnknownError(WordedError, NotFoundError):
    """There is no such interview, question or track for this person, or nothing fits what they chose."""


class OvertakenError(WordedError, ConflictError):
    """The same went on elsewhere first."""
