"""The shipped questions: readable YAML, one file per topic, written for this product in Chinese and in English."""

from functools import cache
from pathlib import Path

from interviewer.errors import BankError
from interviewer.models import Localized, Question
from knowledge.bank.reading import BANK, TopicFile, read_topic_file, read_topic_files

FOLDER = Path(__file__).parent
"""Where the shipped topic files lie."""

__all__ = [
    "BANK",
    "FOLDER",
    "TopicFile",
    "load_bank",
    "read_topic_file",
    "read_topic_files",
    "topic_files",
    "topic_titles",
]


def topic_files(folder: Path = FOLDER) -> tuple[TopicFile, ...]:
    """Every topic file of a folder, by file name.

    Raises:
        BankError: naming file, question and field, if one breaks the schema, or an id or topic is used twice.
    """
    files = read_topic_files(sorted(folder.glob("*.yaml")))
    first: dict[str, Path] = {}
    for file in files:
        if file.topic in first:
            problem = f"{file.path.name}, topic: {file.topic!r} is the topic of {first[file.topic].name} already."
            raise BankError(problem, next_step="Put the questions of a topic into one file.")
        first[file.topic] = file.path
    return files


def load_bank() -> tuple[Question, ...]:
    """The shipped questions, topic by topic, all in the set `bank`.

    Raises:
        BankError: naming file, question and field, if a file breaks the schema.
    """
    return tuple(question for file in _shipped() for question in file.questions)


def topic_titles() -> dict[str, Localized]:
    """Each shipped topic's title by language, by topic id."""
    return {file.topic: file.title for file in _shipped()}


@cache
def _shipped() -> tuple[TopicFile, ...]:
    # Reading takes half a second, and a start needs both questions and titles.
    return topic_files()
