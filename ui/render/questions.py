"""The list of questions, one question with its reference covered, and how an import stands."""

from typing import NamedTuple
from urllib.parse import quote

from interviewer.models import Question
from interviewer.sharing.sets import SetView
from ui.render.markup import render
from ui.screens import ImportProgress, QuestionsScreen
from ui.texts import Texts


class QuestionRow(NamedTuple):
    id: str
    href: str
    title: str
    topic: str
    difficulty: int
    set: str


def questions_html(screen: QuestionsScreen, rows: int, t: Texts) -> str:
    """The list; `rows` is how many stand on one page."""
    first = screen.filters.page * rows + 1
    line = t("questions.range", first=first, last=first + len(screen.rows) - 1, total=screen.total)
    sets = {info.name: info.title for info in screen.sets}
    titles = {topic.id: topic.title for topic in screen.topics}
    listed = [
        QuestionRow(
            q.id,
            quote(q.id, safe=""),
            q.asked_in(t.language),
            titles.get(q.topic, q.topic),
            q.difficulty,
            sets.get(q.set, q.set),
        )
        for q in screen.rows
    ]
    return render("questions", t, rows=listed, line=line, current=screen.session.item)


def question_html(question: Question | None, topic: str, t: Texts, origin: SetView | None = None) -> str:
    """One question of the topic titled `topic`; nothing of its reference is visible until asked for."""
    if question is None:
        return render("question", t, question=None)
    title = question.asked_in(t.language)
    return render(
        "question",
        t,
        question=question,
        topic=topic,
        title=title,
        others=[(language, text) for language, text in question.question.items() if text != title],
        reference=question.reference_in(t.language),
        source=_source(question, origin),
        edit=quote(question.id, safe="") if origin and origin.writes else "",
    )


def importing_html(progress: ImportProgress, t: Texts) -> str:
    return render("importing", t, **progress._asdict())


def _source(question: Question, origin: SetView | None) -> str:
    """Where it comes from; a set speaks for questions that say nothing of their licence themselves."""
    source = question.source
    of_set = (origin.set.source, "" if source.licence else origin.set.licence) if origin else ()
    parts = (source.title, source.document, source.author, *of_set, source.licence)
    return " · ".join(dict.fromkeys(part for part in parts if part))
