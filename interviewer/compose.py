"""The composition root: builds everything from the settings. The one place where all parts meet."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from interviewer.accounts.person import Person
from interviewer.accounts.service import Accounts
from interviewer.errors import ConflictError, InterviewerError
from interviewer.grading.builtin import BuiltinGrader
from interviewer.grading.examples import ExampleShelf, WorkedExample
from interviewer.grading.guarded import GuardedGrader
from interviewer.grading.objection import PointingGrader
from interviewer.grading.protocol import Grader, GradingContext
from interviewer.interview.disputes import Disputes
from interviewer.interview.service import InterviewService
from interviewer.keeping import Keeping
from interviewer.library import BANK, Library, Ranked
from interviewer.memory.cards import Schedule
from interviewer.memory.service import Memory
from interviewer.models import Focus, Language, Point, Question, Track, pick
from interviewer.mydata.service import MyData
from interviewer.planner import Planner
from interviewer.progress.service import Progress
from interviewer.settings import Settings
from interviewer.sharing.review import Review
from interviewer.sharing.rights import QuestionSet, is_reviewed
from interviewer.sharing.sets import ImportTarget, Sets
from interviewer.storage.accounts import AccountStore
from interviewer.storage.database import Database
from interviewer.storage.edits import EditStore
from interviewer.storage.interviews import InterviewStore
from interviewer.storage.kept import KeptStore
from interviewer.storage.memory import MemoryStore
from interviewer.storage.questions import Filter, QuestionStore
from interviewer.storage.scores import ScoreStore
from interviewer.storage.sets import SetStore
from interviewer.storage.teams import TeamStore
from interviewer.teams.assignments import Assignments
from interviewer.teams.cohort import CohortPages
from interviewer.teams.service import Teams
from interviewer.teams.shares import SharedInterviews
from interviewer.wording import say

if TYPE_CHECKING:
    from interviewer.chat_model import LangChainChatModel
    from knowledge.crossencoder.runtime import OnnxCrossEncoder
    from knowledge.importing import ImportReport
    from knowledge.index import Embedder, QuestionIndex
    from knowledge.index.dense import OnProgress as OnBuild

log = logging.getLogger(__name__)

MOST_BY_ONE = 200
"""Changed questions beyond which the whole index is brought up to date instead."""


class Embedders:
    """Embedding models, each loaded once for all who use it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: dict[str, Embedder | None] = {}

    def load(self, setting: str) -> "Embedder | None":
        """The model a setting means, empty for the shipped one.

        Raises:
            EmbeddingError: if it can't be loaded.
        """
        from knowledge.index import load_embedder

        with self._lock:
            if setting not in self._loaded:
                self._loaded[setting] = load_embedder(setting)
            return self._loaded[setting]


class ShippedEncoder:
    """The shipped encoder, loaded when it is first needed."""

    def __init__(self, embedders: Embedders) -> None:
        self._embedders = embedders

    def encode(self, texts: list[str]) -> Any:
        """Unit rows, (len(texts), dimensions)."""
        embedder = self._embedders.load("")
        assert embedder is not None, "the encoder is part of the package"
        return embedder.encode(texts)


class LazyExamples:
    """The worked examples for a model's grading prompt, read when the first answer is graded."""

    def similar(self, question: Question, answer: str, context: GradingContext) -> tuple[WorkedExample, ...]:
        """See `ExampleShelf.similar`."""
        return self._shelf.similar(question, answer, context)

    @cached_property
    def _shelf(self) -> ExampleShelf:
        from evals.examples import worked_examples

        return ExampleShelf(worked_examples())


class App:
    """Everything one process needs; parts are built when first used.

    Args:
        settings: Where things are and which models to use.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._behind: list[Thread] = []

    @cached_property
    def database(self) -> Database:
        self.settings.folder.mkdir(parents=True, exist_ok=True)
        return Database(self.settings.database)

    @cached_property
    def questions(self) -> QuestionStore:
        """All questions, the shipped bank brought up to date."""
        from knowledge.bank import load_bank

        store = QuestionStore(self.database)
        if self.sets.get(BANK) is None:
            now = datetime.now(UTC)
            with suppress(ConflictError):  # another process was quicker
                self.sets.add(QuestionSet(name=BANK, owner=None, visibility="everyone", created_at=now))
        shipped = load_bank()
        store.save(shipped, reason="shipped bank")
        gone = {q.id for q in store.all(Filter(sets=(BANK,)))} - {q.id for q in shipped}
        if gone:
            store.retire(gone)
        return store

    @cached_property
    def sets(self) -> SetStore:
        """Who may see which questions."""
        return SetStore(self.database)

    @cached_property
    def shared_sets(self) -> Sets:
        """What people do with sets."""
        return Sets(self.sets, _now, self._changed)

    @cached_property
    def review(self) -> Review:
        """Editing and reviewing questions."""
        return Review(self.shared_sets, self.sets, EditStore(self.database, _now), self._changed)

    def _changed(self, ids: Sequence[str]) -> None:
        """After questions came into use, changed or went out of it."""
        if len(ids) > MOST_BY_ONE:
            self._reindex_quietly()
        elif ids:
            found = self.questions.many(ids)
            try:
                self.index.update(found)
                self.index.remove(set(ids) - {question.id for question in found})
            except InterviewerError as error:
                log.warning("The index is not up to date: %s", error)

    @cached_property
    def index(self) -> "QuestionIndex":
        """The index; empty until `load_questions`, and searching by words alone until it is warm."""
        from knowledge.index import QuestionIndex

        settings = self.settings
        folder = settings.folder / "index"
        return QuestionIndex(
            folder, chroma_url=settings.chroma_url, embedding_model=settings.embedding_model, load=self._embedders.load
        )

    @cached_property
    def chat_model(self) -> "LangChainChatModel | None":
        """The configured chat model; None where none is."""
        if not self.settings.chat_model:
            return None
        from interviewer.chat_model import LangChainChatModel

        return LangChainChatModel(self.settings)

    @cached_property
    def builtin_grader(self) -> Grader:
        """Calibrated for the shipped encoder, whichever model the index uses; deaf to words meant for the grader."""
        encoder = ShippedEncoder(self._embedders)
        return GuardedGrader(PointingGrader(BuiltinGrader(encoder, cross=self._cross_encoder)))

    @cached_property
    def _cross_encoder(self) -> "OnnxCrossEncoder":
        from knowledge.crossencoder.runtime import OnnxCrossEncoder

        return OnnxCrossEncoder()

    @cached_property
    def _embedders(self) -> "Embedders":
        return Embedders()

    @cached_property
    def grader(self) -> Grader:
        """The model with the built-in grader behind it, or the built-in grader alone."""
        if self.chat_model is None:
            return self.builtin_grader
        from interviewer.grading.fallback import FallbackGrader
        from interviewer.grading.model import ModelGrader
        from interviewer.interview.decisions import DecidedFirst

        examples = DecidedFirst(self.interviews, LazyExamples())
        model = GuardedGrader(ModelGrader(self.chat_model, self.builtin_grader, examples))
        return FallbackGrader(model, self.builtin_grader)

    @cached_property
    def interviews(self) -> InterviewStore:
        return InterviewStore(self.database)

    @cached_property
    def accounts(self) -> Accounts:
        """People, and how they come in."""
        settings = self.settings
        return Accounts(AccountStore(self.database), team=settings.team, domains=settings.allowed_domains)

    @cached_property
    def _records(self) -> MemoryStore:
        return MemoryStore(self.database, Schedule())

    @cached_property
    def memory(self) -> Memory:
        """What people remember: weak spots and what is due. Days are those of this machine's zone."""
        schedule = Schedule()
        return Memory(
            self._records,
            self.questions,
            ShippedEncoder(self._embedders),
            now=lambda: datetime.now(UTC),
            schedule=schedule,
            readable=self.sets.readable_by,
        )

    @cached_property
    def my_data(self) -> MyData:
        """What belongs to one person: taken away, brought in, deleted."""
        return MyData(
            self.database,
            self.topic_title,
            now=lambda: datetime.now(UTC),
            remember=self.memory.rebuild,
            reindex=self._reindex_quietly,
        )

    @cached_property
    def keeping(self) -> Keeping:
        """The model answers people keep."""
        return Keeping(KeptStore(self.database), self.library, self.interviews, now=lambda: datetime.now(UTC))

    @cached_property
    def progress(self) -> Progress:
        """How far people have come."""
        return Progress(
            self.memory,
            ScoreStore(self.database),
            self.interviews,
            self.questions,
            known=Schedule().known,
            tracks=self.planner.tracks,
            topic_title=self.topic_title,
            now=lambda: datetime.now(UTC),
        )

    @cached_property
    def disputes(self) -> Disputes:
        """Objections to verdicts, looked at again by the same grader."""
        return Disputes(self.interviews, self.grader, self.index, now=_now, readable=self.sets.readable_by)

    @cached_property
    def service(self) -> InterviewService:
        return InterviewService(
            self.interviews,
            self.questions,
            self.grader,
            self.index,
            topic_title=self.topic_title,
            memory=self.memory,
            tracks=lambda user_id: self.planner.tracks(self.sets.readable_by(user_id)),
            readable=self.sets.readable_by,
        )

    @cached_property
    def teams(self) -> Teams:
        """How cohorts are doing, shared interviews, assignments."""
        store, now = TeamStore(self.database), lambda: datetime.now(UTC)
        return Teams(
            CohortPages(store, self._records, self.questions, self.sets.readable, now),
            SharedInterviews(store, self.interviews, self.disputes, self.topic_title, now),
            Assignments(store, self.service, self.questions, self.sets.readable, self.planner.tracks, now),
        )

    @cached_property
    def library(self) -> Library:
        return Library(self.questions, self.sets, self._find, self.topic_title, self._set_title)

    @cached_property
    def _topic_titles(self) -> dict[str, dict[Language, str]]:
        from knowledge.bank import topic_titles

        return topic_titles()

    def topic_title(self, topic: str, language: Language) -> str:
        """How a topic is called; imported topics have the name their document gives them."""
        return pick(self._topic_titles.get(topic, {}), language) or topic

    def _set_title(self, name: str, language: Language) -> str:
        return say("set_bank", language) if name == BANK else name

    def _find(self, query: str, limit: int, sets: tuple[str, ...]) -> tuple[Ranked, ...]:
        return tuple(Ranked(hit.question_id, hit.score) for hit in self.index.search(query, limit=limit, sets=sets))

    @cached_property
    def planner(self) -> Planner:
        """Tracks, and what a job description asks for."""
        from knowledge.tracks import shipped_tracks, track_of

        return Planner(self.questions, self.library, shipped_tracks, track_of)

    def tracks(self, person: Person) -> tuple[Track, ...]:
        """The tracks a person's interview can follow."""
        return self.planner.tracks(self.sets.readable(person))

    def suggest(self, person: Person, text: str) -> tuple[Focus, ...]:
        """The topics a job description or résumé asks for, found in this machine's own index."""
        return self.planner.suggest(text, self.sets.readable(person))

    @property
    def first_start(self) -> bool:
        """Whether this home has no index yet and no server keeps one."""
        return not self.settings.chroma_url and not (self.settings.folder / "index").exists()

    def load_questions(self) -> None:
        """Makes all questions searchable by their words; quick, and needs no model."""
        self.index.load(self.questions.all())

    def reindex(self, on_progress: "OnBuild | None" = None, *, rebuild: bool = False) -> None:
        """Brings the index up to date with all questions; see `QuestionIndex.build` for what it raises."""
        self.index.build(self.questions.all(), on_progress, rebuild=rebuild)

    def warm_up_behind(self) -> None:
        """Loads heavy libraries and models in threads, so that the page is there first."""
        self._behind.append(self.index.warm_up())
        chat = self.chat_model
        if chat is not None:
            Thread(target=chat.warm, name="chat-warm-up", daemon=True).start()
        for name, warm_up in (("memory", self.memory.warm_up), ("reading", self._cross_encoder.warm_up)):
            self._behind.append(Thread(target=warm_up, name=f"{name}-warm-up", daemon=True))
            self._behind[-1].start()

    def settle(self) -> None:
        """Waits for what warms up behind: a thread still inside a library when Python ends may abort the process."""
        while self._behind:
            self._behind.pop().join()

    def import_files(
        self,
        person: Person,
        paths: Sequence[Path],
        target: ImportTarget,
        on_progress: Callable[[int, int, str], None] | None = None,
    ) -> "ImportReport":
        """Imports documents into a set and makes their questions searchable, or has them wait for review.

        Raises:
            AccessError: if the set's name is taken and not this person's to write to.
            ConflictError: if the name can't be used, or the set is shown to others than asked for.
        """
        from knowledge.importing import import_documents

        known = self.shared_sets.open(person, target)
        store = self.questions.imported_by(person.id, review=is_reviewed(person, known))
        report = import_documents(
            paths, set_name=known.name, store=store, on_progress=on_progress, point_model=self._point_model()
        )
        self._reindex_quietly()
        return report

    def _reindex_quietly(self) -> None:
        """After questions came or went; they are kept, and found by their words until the index is mended."""
        try:
            self.reindex()
        except InterviewerError as error:
            log.warning("The index is not up to date: %s", error)

    def _point_model(self) -> Callable[[Question], tuple[Point, ...]] | None:
        """How the chat model finds the points of an imported question; None without one."""
        if (chat := self.chat_model) is None:
            return None
        from interviewer.grading.model_points import points_by_model

        def points_of(question: Question) -> tuple[Point, ...]:
            language = question.languages[0]
            return points_by_model(question.asked_in(language), question.reference_in(language), language, chat)

        return points_of

    def grader_name(self, language: Language) -> str:
        """Which grader answers, in words."""
        if self.chat_model is None:
            return say("grader_builtin", language)
        return say("grader_model", language, model=self.chat_model.name)


def _now() -> datetime:
    return datetime.now(UTC)


def compose(settings: Settings) -> App:
    """Everything, from the settings; nothing is opened or loaded before it is used."""
    return App(settings)
