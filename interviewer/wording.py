"""What the interviewer says, in both languages, from `interviewer/locales/*.toml`."""

import tomllib
from functools import cache
from importlib.resources import files

from interviewer.models import Language


@cache
def _catalog(language: Language) -> dict[str, str]:
    text = (files("interviewer") / "locales" / f"{language}.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text))


def say(key: str, language: Language, **values: object) -> str:
    """The sentence `key` in `language` with `values` filled in.

    Raises:
        KeyError: if there is no such sentence, or a value is missing.
    """
    return _catalog(language)[key].format(**values)


def keys(language: Language) -> frozenset[str]:
    """Every sentence there is; both languages have the same."""
    return frozenset(_catalog(language))
