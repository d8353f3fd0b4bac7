"""What every model shares: frozen, strict about unknown fields, and text in one or both languages."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")

Localized = dict[Language, str]
"""One text by language; an imported question has only the language of its document."""

T = TypeVar("T")


class Frozen(BaseModel):
    """A value: never changed in place, and a misspelt field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def pick(texts: Mapping[Language, T], language: Language) -> T | None:
    """The entry in `language`, or in the other one where that is missing; None where there is none."""
    if language in texts:
        return texts[language]
    return next(iter(texts.values()), None)
