"""One import's memory: what the set has already, what a document had before, and what is wrong with each draft."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from interviewer.errors import InterviewerError
from interviewer.language import detect
from interviewer.models import LANGUAGES, Language, Point, Question, Source
from interviewer.worded import WordedError
from knowledge.documents.decoding import sound
from knowledge.documents.model import Passage
from knowledge.extraction.checks import check, difficulty_of, frequency_of, guess_kind
from knowledge.extraction.drafts import Draft
from knowledge.extraction.likeness import LikenessIndex
from knowledge.extraction.meanings import MEANINGS
from knowledge.extraction.repeats import Match, RepeatIndex
from knowledge.extraction.signals import question_key
from knowledge.import_report import (
    MAX_EXCERPT,
    DocumentKind,
    DocumentReport,
    Place,
    Problem,
    ReportedPoint,
    ReportedQuestion,
)
from knowledge.same_points import are_quoted, grade_alike

MAX_ALIKE = 200
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
SIMILAR = 60.0
MAX_POINT_LINE = 1000
MAX_POINT_TEXT = 20_000


class SetSession:
    """The questions a set has, and those this import adds to it."""

    def __init__(self, name: str, texts: Iterable[tuple[str, str]]) -> None:
        self.name = name
        self.index = RepeatIndex()
        self.likeness = LikenessIndex()
        self.places: dict[str, Place] = {}
        for question_id, text in texts:
            self.add(question_id, text)

    def add(self, question_id: str, question: str, answer: str = "") -> None:
        """Remembers a question by its words and by its meaning."""
        self.index.add(question_id, question, answer)
        self.likeness.add(question_id, question)


class DocumentSession:
    """One document: turns drafts into questions and keeps its problems.

    Attributes:
        document: The name it goes by in the set.
        found: How many questions it has so far.
    """

    def __init__(self, questions: SetSession, document: str, known: Sequence[Question]) -> None:
        self._set = questions
        self.document = document
        self._known = {question.id: question for question in known}
        self._by_key = {question_key(text): q.id for q in known for text in q.question.values()}
        self._by_number: dict[str, list[str]] = {}
        for question in known:
            if question.source.number:
                self._by_number.setdefault(question.source.number, []).append(question.id)
        self._kept: set[str] = set()
        self._answered: dict[str, int] = {}
        self._pending: list[Draft] = []
        self._problems: list[Problem] = []
        self._alike: Counter[str] = Counter()
        self.found = 0

    def takes(self, entry: Draft | Passage) -> bool:
        """Reports a passage; whether the entry is a draft, to be looked at."""
        if isinstance(entry, Passage):
            self._leave_out(entry)
            return False
        return True

    def question(self, draft: Draft) -> Question | None:
        """The draft as a question of the set, or None where a fatal problem or a repetition keeps it out."""
        draft = _sounded(draft)
        findings = check(draft)
        if any(finding.kind == "no_answer" for finding in findings) and draft.question.strip():
            self._pending.append(draft)
            return None
        question_id = self._id_of(draft)
        for finding in findings:
            excerpt, about = (_excerpt(draft), "") if finding.fatal else (draft.question, question_id)
            self.trouble(finding.kind, finding.detail, draft.line, excerpt, question=about, reason=finding.reason)
        if any(finding.fatal for finding in findings):
            return None
        if self._is_repeated(draft, question_id):
            return None
        self._kept.add(question_id)
        self._set.add(question_id, draft.question, draft.answer)
        self._set.places[question_id] = Place(number=draft.number, line=draft.line, document=self.document)
        self._answered.setdefault(question_key(draft.question), draft.line)
        self.found += 1
        return self._built(draft, question_id)

    def knows(self, draft: Draft) -> bool:
        """Whether the document had this question before, perhaps in other words under the same number."""
        return self._id_of(_sounded(draft)) in self._known

    def is_unchanged(self, question: Question) -> bool:
        """Whether the document had this very question before.

        Points made by a model do not count as a change; those that an earlier version found in the reference do, where
        this one finds others.
        """
        known = self._known.get(question.id)
        if known is None:
            return False
        ignored = {"points", "choices", "misconceptions", "tags", "further", "level"}
        if known.model_dump(exclude=ignored) != question.model_dump(exclude=ignored):
            return False
        return grade_alike(known, question) or not are_quoted(known.points, known.reference)

    def known_points(self, question_id: str) -> tuple[Point, ...]:
        """The points the document's question had before; none for a new one."""
        known = self._known.get(question_id)
        return known.points if known else ()

    def clash(self, questions: Sequence[Question]) -> None:
        """Reports edited questions whose document changed the same fields."""
        for question in questions:
            detail = "People edited it, and the document changed the same fields. The edits stay."
            asked = next(iter(question.question.values()))
            self.trouble("document_changed", detail, excerpt=asked, question=question.id)

    def gone(self) -> list[str]:
        """Questions the document no longer has; none where nothing at all was found in it."""
        return [question_id for question_id in self._known if question_id not in self._kept] if self.found else []

    def finish(self, *, has_blueprint: bool) -> None:
        """Reports what can only be told at the end: questions left without an answer, counts, an empty document."""
        for draft in self._pending:
            if line := self._answered.get(question_key(draft.question)):
                self._leave_out(Passage("listed_again", draft.line, f"{draft.question}\n{draft.answer}".strip()), line)
            else:
                self.trouble("no_answer", "The question has no answer.", draft.line, _excerpt(draft))
        for rule, count in self._alike.items():
            if count > MAX_ALIKE:
                more = count - MAX_ALIKE
                self.trouble("left_out", f"{rule}: {more} more of the same kind", reason=rule, more=more)
        folded = any(problem.kind == "repeated" for problem in self._problems)
        if not self.found and not has_blueprint and not folded:
            next_step = "Word headings or numbered lines as questions, or mark questions by `Q:` and answers by `A:`."
            self.trouble("nothing_found", f"No question with an answer was found. {next_step}")

    def failed(self, kind: str, error: InterviewerError, excerpt: str = "", *, question: str = "") -> None:
        """Notes what went wrong as a problem, so that it can be told in either language where it is known in both."""
        reason, values = (error.key, error.values) if isinstance(error, WordedError) else ("", {})
        told = {name: value if isinstance(value, int) else sound(str(value)) for name, value in values.items()}
        self.trouble(kind, str(error), excerpt=excerpt, question=question, reason=reason, values=told)

    def trouble(
        self, kind: str, detail: str, line: int = 0, excerpt: str = "", *, place: Place | None = None, **about: Any
    ) -> None:
        """Notes a problem, with the questions it is about; see `Problem`."""
        if len(excerpt) > MAX_EXCERPT:
            detail = f"{detail} ({len(excerpt):,} characters, the first {MAX_EXCERPT:,} shown)"
        told = sound(excerpt[:MAX_EXCERPT])
        self._problems.append(Problem(kind=kind, detail=sound(detail), line=line, excerpt=told, place=place, **about))

    def report(self, kind: DocumentKind) -> DocumentReport:
        """The document's report so far."""
        return DocumentReport(path=self.document, kind=kind, questions=self.found, problems=tuple(self._problems))

    def _leave_out(self, passage: Passage, line: int = 0) -> None:
        self._alike[passage.rule] += 1
        if self._alike[passage.rule] > MAX_ALIKE and passage.rule in ("unused_field", "unused_column"):
            return
        elsewhere = f" (line {line} has it)" if line else ""
        detail = f"{passage.rule}: {MEANINGS[passage.rule]}{elsewhere}"
        place = Place(line=line, document=self.document) if line else None
        self.trouble("left_out", detail, passage.line, passage.text, reason=passage.rule, place=place)

    def _is_repeated(self, draft: Draft, question_id: str) -> bool:
        """Whether the draft is folded into an earlier question; one that is merely like another is only reported."""
        match = self._set.index.find(draft.question, draft.answer)
        if match is None or self._is_itself(match.id, question_id):
            self._report_similar(draft, question_id)
            return False
        if match.is_exact or match.same_answer:
            self._report_repeat(draft, match)
            return True
        detail = f"It is much like {self._named(match.id)}."
        self._compare("near_repeat", detail, draft, match.id, question=question_id)
        return False

    def _is_itself(self, found: str, question_id: str) -> bool:
        """Whether what was found is this question as the set had it, or one the document may no longer have."""
        return found not in self._kept and (found == question_id or found in self._known)

    def _report_similar(self, draft: Draft, question_id: str) -> None:
        """Meaning alone folds nothing: questions on one subject are near, and a person has to tell."""
        others = (i for i in self._set.likeness.find(draft.question) if not self._is_itself(i, question_id))
        if (other := next((i for i in others if i != question_id), None)) is not None:
            detail = f"It is similar in meaning to {self._named(other)}."
            self._compare("similar_meaning", detail, draft, other, question=question_id)

    def _report_repeat(self, draft: Draft, match: Match) -> None:
        differs = "" if match.same_answer else "; its answer differs and was not imported"
        wording = "It asks the same" if match.is_exact else "It asks nearly the same"
        reason = ("same" if match.is_exact else "nearly_same") + ("_but_its_answer" if differs else "")
        detail = f"{wording} as {self._named(match.id)}{differs}."
        self.trouble(
            "repeated", detail, draft.line, _excerpt(draft), reason=reason, place=self._set.places.get(match.id)
        )

    def _compare(self, kind: str, detail: str, draft: Draft, other: str, *, question: str) -> None:
        place = self._set.places.get(other)
        self.trouble(kind, detail, draft.line, draft.question, question=question, other=other, place=place)

    def _named(self, question_id: str) -> str:
        place = self._set.places.get(question_id)
        if place is None:
            return f"question {question_id} of the set"
        return (f"question {place.number}, " if place.number else "") + f"line {place.line} of {place.document}"

    def _id_of(self, draft: Draft) -> str:
        """The id the document's question had before: by its words, else by its number and likeness; else a new one."""
        key = question_key(draft.question)
        if key in self._by_key:
            return self._by_key[key]
        from rapidfuzz import fuzz

        for known in self._by_number.get(draft.number, []):
            text = next(iter(self._known[known].question.values()))
            if known not in self._kept and fuzz.ratio(key, question_key(text)) >= SIMILAR:
                return known
        named = "\x1f".join((self._set.name, self.document, key))
        return f"{_slug(self._set.name)}-{hashlib.blake2b(named.encode(), digest_size=10).hexdigest()}"

    def _built(self, draft: Draft, question_id: str) -> Question:
        from interviewer.grading.points import extract

        language, reference = _language_of(draft), _bounded(draft.answer)
        return Question(
            id=question_id,
            set=self._set.name,
            topic=" ".join(draft.topic.split())[:200] or "general",
            kind=guess_kind(draft.question),
            difficulty=difficulty_of(draft),
            frequency=frequency_of(draft),
            question={language: draft.question},
            reference={language: draft.answer},
            **extract(draft.question, reference, language)._asdict(),
            source=Source(
                title=" ".join(draft.topic.split())[:200],
                document=self.document,
                url=draft.fields.get("source", "")[:2000],
                number=draft.number[:80],
            ),
        )


def _sounded(draft: Draft) -> Draft:
    """The draft in text that can be stored; JSON may hold halves of characters."""
    fields = {name: sound(value) for name, value in draft.fields.items()}
    question, answer, number, topic = map(sound, (draft.question, draft.answer, draft.number, draft.topic))
    return draft._replace(question=question, answer=answer, number=number, topic=topic, fields=fields)


def _excerpt(draft: Draft) -> str:
    return f"{draft.question}\n{draft.answer}".strip()


def _bounded(answer: str) -> str:
    """As much of an answer as its points are sought in."""
    return "\n".join(line[:MAX_POINT_LINE] for line in answer[:MAX_POINT_TEXT].split("\n"))


def _language_of(draft: Draft) -> Language:
    named = draft.fields.get("language", "").lower()[:2]
    prose = _CODE.sub("", draft.answer[:4000])
    return next((language for language in LANGUAGES if language == named), detect(f"{draft.question}\n{prose}"))


def _slug(name: str) -> str:
    kept = "".join(char if char.isalnum() or char in "-_" else "-" for char in name)
    return kept[:60] or "set"


def reported(question: Question) -> ReportedQuestion:
    """A question as the report shows it."""
    language = question.languages[0]
    answer = question.reference_in(language)
    return ReportedQuestion(
        id=question.id,
        number=question.source.number,
        question=question.asked_in(language),
        answer=answer,
        language=language,
        topic=question.topic,
        source=question.source.document,
        points=tuple(
            ReportedPoint(id=point.id, text=point.in_language(language), weight=point.weight)
            for point in question.points
        ),
        has_code="```" in answer or "~~~" in answer,
    )
