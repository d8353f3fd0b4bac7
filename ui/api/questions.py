"""Questions: sets, topics, listing, searching, reading, importing documents."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, UploadFile

from interviewer.errors import DocumentError
from interviewer.models import Language, Question
from interviewer.sharing.sets import ImportTarget
from ui.api.asking import Limit, Offset, ReadsQuestions, WritesQuestions
from ui.api.values import FoundOut, ImportOut, Page, QuestionLine, SetOut, TopicOut
from ui.uploads import keep

router = APIRouter(tags=["questions"])
MOST_FILES = 100

Names = Annotated[list[str], Query(max_length=50)]


@router.get("/sets")
def list_sets(asking: ReadsQuestions, language: Language = "en") -> tuple[SetOut, ...]:
    """The sets you may read, with their titles in a language."""
    infos = asking.app.library.sets(asking.person, language)
    return tuple(SetOut(**{name: getattr(info, name) for name in SetOut.model_fields}) for info in infos)


@router.get("/topics")
def list_topics(asking: ReadsQuestions, language: Language = "en", set: Names = []) -> tuple[TopicOut, ...]:  # noqa: B006
    """The topics of these sets, of all you may read where none is named; the largest first."""
    topics = asking.app.library.topics(asking.person, tuple(set), language)
    return tuple(TopicOut(id=topic.id, title=topic.title, questions=topic.questions) for topic in topics)


@router.get("/questions")
def list_questions(
    asking: ReadsQuestions,
    set: Names = [],  # noqa: B006
    topic: Names = [],  # noqa: B006
    difficulty: Annotated[list[int], Query(max_length=5)] = [],  # noqa: B006
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[QuestionLine]:
    """Questions by set, topic and difficulty; each filter may be given several times."""
    chosen = {"sets": tuple(set), "topics": tuple(topic), "difficulties": tuple(d for d in difficulty if 1 <= d <= 5)}
    library = asking.app.library
    total = library.count(asking.person, **chosen)  # type: ignore[arg-type]
    found = library.browse(asking.person, **chosen, limit=limit, offset=offset)  # type: ignore[arg-type]
    following = offset + limit if offset + limit < total else None
    items = tuple(QuestionLine.of(question) for question in found)
    return Page(items=items, total=total, limit=limit, offset=offset, next_offset=following)


@router.get("/questions/search")
def search_questions(
    asking: ReadsQuestions,
    q: Annotated[str, Query(min_length=1, max_length=1000, description="What to look for, in either language.")],
    set: Names = [],  # noqa: B006
    limit: Limit = 10,
) -> tuple[FoundOut, ...]:
    """Questions by meaning and words, the best first."""
    found = asking.app.library.search(asking.person, q, limit=limit, sets=tuple(set))
    return tuple(FoundOut(question=QuestionLine.of(hit.question), score=round(hit.score, 4)) for hit in found)


@router.get("/questions/{question_id}")
def read_question(asking: ReadsQuestions, question_id: str) -> Question:
    """A question with its reference, points and misconceptions."""
    return asking.app.library.get(asking.person, question_id)


@router.post("/questions/import", status_code=201)
def import_documents(
    asking: WritesQuestions,
    set: Annotated[str, Form(min_length=1, max_length=80, description="Name of the set that takes the questions.")],
    files: Annotated[list[UploadFile], File(description="Documents, as `interviewer import` takes them.")],
) -> ImportOut:
    """Imports documents into a set of yours. Importing the same ones again changes nothing."""
    if len(files) > MOST_FILES:
        raise DocumentError(f"These are more than {MOST_FILES} files.", next_step="Import them in several requests.")
    with TemporaryDirectory(prefix="interviewer-import-") as folder:
        paths = [_kept(file, Path(folder), number) for number, file in enumerate(files)]
        report = asking.app.import_files(asking.person, paths, ImportTarget(set=set.strip()))
    return ImportOut(set=set.strip(), questions=report.found, report=report.as_json())


def _kept(file: UploadFile, folder: Path, number: int) -> Path:
    """The document under its own name, as far as that is one; reports and questions name it."""
    own = Path((file.filename or "").replace("\\", "/")).name.strip()
    name = "".join(c if c.isprintable() else "_" for c in own)[-150:].lstrip(".") or "document"
    place = folder / str(number)
    place.mkdir()
    return keep(file, place / name)
