"""What each page has to show: the values that handlers yield and `show_*` turns into components."""

from collections.abc import Mapping
from typing import NamedTuple

from interviewer.grading.protocol import Progress
from interviewer.interview.service import InterviewSummary, InterviewView
from interviewer.library import SetInfo, TopicInfo
from interviewer.models import Plan, Question, Track
from interviewer.reporting.report import Report
from interviewer.sharing.sets import SetView
from interviewer.teams.assignments import Mine
from ui.choices import Choices, Prepared
from ui.render.dispute import NOTHING_SAID, Contest
from ui.session import Session


class SetupScreen(NamedTuple):
    """The setup page.

    Attributes:
        choices: As far as they hold; `prepared` has the plan drawn from them.
        problem: Why there is no plan; empty if there is one.
        matching: How many questions fit a free choice.
        topic_titles: Of the topics of the plan and of what was found in a job description, by id.
        unfinished: The interview to continue.
        assigned: What a lead gave and is still to be done.
        due: How much is due for a drill; only known where the choices are the page's own.
        fresh: The choices are the page's own: a person's are never written back, they may have changed since.
        new_rounds: The rounds are the page's own, as the track or the level was changed.
        reading: Whether a job description is being looked at.
        read: The text of an upload once it was looked at, to stand in the box.
    """

    session: Session
    choices: Choices
    tracks: tuple[Track, ...]
    sets: tuple[SetInfo, ...]
    topics: tuple[TopicInfo, ...]
    prepared: Prepared
    problem: str
    matching: int
    topic_titles: Mapping[str, str]
    unfinished: InterviewSummary | None
    grader: str
    assigned: tuple[Mine, ...] = ()
    due: int = 0
    fresh: bool = False
    new_rounds: bool = False
    reading: bool = False
    read: str = ""


class PlanScreen(NamedTuple):
    """The plan before the start.

    Attributes:
        titles: Of its topics, and of those one can add, by id.
        kinds: Of its questions, by id.
        addable: Topics with questions that are not in it yet.
        said: One sentence about the last change.
        focus: The button to go on with, as `action:index`; empty where nothing was changed.
    """

    session: Session
    prepared: Prepared
    plan: Plan
    titles: Mapping[str, str]
    kinds: Mapping[str, str]
    addable: tuple[str, ...]
    said: str = ""
    focus: str = ""


class InterviewScreen(NamedTuple):
    """The interview page; `notice` is one sentence about the last command, `grader` who will
    grade, `topics` the titles of its topics; `asks_to_stop` and `asks_to_reveal` say that the end, or showing the model
    answer, waits for a yes;
    `prepared` is what is left of the preparation once it has started; `contest` is what was said about a verdict
    last."""

    session: Session
    view: InterviewView
    progress: Progress | None = None
    notice: str = ""
    grader: str = ""
    topics: Mapping[str, str] = {}
    asks_to_stop: bool = False
    asks_to_reveal: bool = False
    prepared: Prepared | None = None
    contest: Contest = NOTHING_SAID

    @property
    def said(self) -> int:
        """How many messages of the candidate are stored; the browser lets go of its copy when this grows."""
        return sum(message.role == "candidate" for message in self.view.messages)


class ReportScreen(NamedTuple):
    """A report; `contest` is what was said about a verdict last, `shared` whether leads may read it: None where there
    are none; `addable` has the questions that this person can give points."""

    session: Session
    report: Report
    contest: Contest = NOTHING_SAID
    shared: bool | None = None
    addable: frozenset[str] = frozenset()


class HistoryScreen(NamedTuple):
    """The history; the row with the id `asks_to_delete` waits for a yes; leads may read those in `shared`, None where
    there are none."""

    session: Session
    rows: tuple[InterviewSummary, ...]
    asks_to_delete: str = ""
    shared: frozenset[str] | None = None


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
        origin: The set of `question`, and what this person may do with it.
        team: Whether there are others to show a set to.
        suggested_set: A name for this person's own set; empty where the field stays as it is.
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
    origin: SetView | None = None
    team: bool = False
    suggested_set: str = ""


Screen = SetupScreen | PlanScreen | InterviewScreen | ReportScreen | HistoryScreen | QuestionsScreen
