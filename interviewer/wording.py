"""What the interviewer says, in both languages, from `<language>.toml` and `<part>.<language>.toml` in its locales."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from interviewer.models import Language


@cache
def sentences(language: Language) -> Mapping[str, str]:
    """Every sentence as it is written, fields and all."""
    found: dict[str, str] = {}
    for source in (files("interviewer") / "locales").iterdir():
        if not source.name.endswith(f"{language}.toml"):
            continue
        for key, text in tomllib.loads(source.read_text(encoding="utf-8")).items():
            if key in found:
                raise ValueError(f"{source.name} says {key} a second time")
            found[key] = text
    return found


def say(key: str, language: Language, **values: object) -> str:
    """The sentence `key` in `language` with `values` filled in.

    Raises:
        KeyError: if there is no such sentence, or a value is missing.
    """
    return sentences(language)[key].format(**values)


def keys(language: Language) -> frozenset[str]:
    """Every sentence there is; both languages have the same."""
    return frozenset(sentences(language))
