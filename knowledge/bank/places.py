"""Every text of a question that is written in both languages, with the kind of text it is and where it stands."""

from collections.abc import Iterator
from typing import NamedTuple

from interviewer.models import Language, Localized, Question


class Text(NamedTuple):
    """A text of a question with the kind of text it is and where it stands."""

    kind: str
    place: str
    language: Language
    text: str


class Place(NamedTuple):
    """A localized text: what kind it is, where it stands, the text by language."""

    kind: str
    name: str
    texts: Localized


def places(question: Question) -> Iterator[Place]:
    """Every text, in the order of the form."""
    yield Place("question", "the question", question.question)
    yield Place("reference", "the reference", question.reference)
    for point in question.points:
        yield Place("point", f"point {point.id!r}", point.text)
        yield Place("probe", f"the probe of point {point.id!r}", point.probe)
        yield Place("hint", f"the hint of point {point.id!r}", point.hint)
    for phase in question.phases:
        yield Place("phase title", f"the title of phase {phase.id!r}", phase.title)
        yield Place("phase prompt", f"the prompt of phase {phase.id!r}", phase.prompt)
    for number, item in enumerate(question.misconceptions, 1):
        yield Place("misconception", f"misconception {number}", item.text)
        yield Place("misconception", f"the correction of misconception {number}", item.correction)


def texts_of(question: Question) -> Iterator[Text]:
    """Every text in each language it has."""
    for place in places(question):
        for language, text in place.texts.items():
            yield Text(place.kind, place.name, language, text)
