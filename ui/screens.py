"""What each page has to show: the values that handlers yield and `show_*` turns into components."""

from collections.abc import Mapping
from typing import NamedTuple

from interviewer.grading.protocol import Progress
from interviewer.interview.service import InterviewSummary, InterviewView
from interviewer.library import SetInfo, TopicInfo
from interviewer.models import Language, Mode, Question
from interviewer.reporting.report import Report
from ui.session import Session


class Choices(NamedTuple):
    """What the candidate has chosen on the setup page; no sets or no topics means all of them."""

    sets: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    low: int = 1
    high: int = 5
    language: Language = "zh"
    number: int = 5
    mode: Mode = "practice"

    @property
    def difficulties(self) -> tuple[int, ...]:
        """Empty where the range is upside down."""
        return tuple(range(self.low, self.high + 1))


class SetupScreen(NamedTuple):
    """The setup page; `unfinished` is the interview to continue, `matching` how many questions fit the choices.

    `fresh` says that the choices are the page's own: a person's are never written back, they may have changed since.
    """

    session: Session
    choices: Choices
    sets: tuple[SetInfo, ...]
    topics: tuple[TopicInfo, ...]
    matching: int
    unfinished: InterviewSummary | None
    grader: str
    fresh: bool = False


class InterviewScreen(NamedTuple):
    """The interview page; `notice` is one sentence about the last command, `grader` who will
    grade, `topics` the titles of its topics; `asks_to_stop` says that the end waits for a yes."""

    session: Session
    view: InterviewView
    progress: Progress | None = None
    notice: str = ""
    grader: str = ""
    topics: Mapping[str, str] = {}
    asks_to_stop: bool = False

    @property
    def said(self) -> int:
        """How many messages of the candidate are stored; the browser lets go of its copy when this grows."""
        return sum(message.role == "candidate" for message in self.view.messages)


class ReportScreen(NamedTuple):
    session: Session
    report: Report


class HistoryScreen(NamedTuple):
    """The history; the row with the id `asks_to_delete` waits for a yes."""

    session: Session
    rows: tuple[InterviewSummary, ...]
    asks_to_delete: str = ""


class Filters(NamedTuple):
    """What the candidate looks for among the questions; empty fields don't narrow it down. `page` counts from 0."""

    query: str = ""
    set: str = ""
    topic: str = ""
    difficulty: int = 0
    page: int = 0


class ImportProgress(NamedTuple):
    """A sign of life of an import; `total` is 0 while it isn't known."""

    done: int
    total: int
    line: str


class QuestionsScreen(NamedTuple):
    """The questions page; `total` is how many fit the filters, `rows` one page of them.

    Attributes:
        topic_title: How the topic of `question` is called.
        fresh: The filters are the page's own, not a person's.
        importing: How the import stands, while it runs.
        imported: The finished import's report as HTML, or nothing.
    """

    session: Session
    filters: Filters
    sets: tuple[SetInfo, ...]
    topics: tuple[TopicInfo, ...]
    rows: tuple[Question, ...]
    total: int
    question: Question | None
    topic_title: str = ""
    fresh: bool = False
    importing: ImportProgress | None = None
    imported: str | None = None


Screen = SetupScreen | InterviewScreen | ReportScreen | HistoryScreen | QuestionsScreen
