"""Every word of the page, by language, from `ui/locales/`: `<language>.toml` and `<part>.<language>.toml`."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from interviewer.models import Language


class Texts:
    """The texts of one language; call it with a dotted key: `t("nav.history")`.

    Args:
        language: The language of the interface.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = load(language)

    def __call__(self, key: str, **values: Any) -> str:
        """The text at `key` with `values` filled in; values are never read as templates.

        Raises:
            KeyError: if there is no such text, which a test rules out for every key in the code.
        """
        text = self._texts[key]
        return text.format(**values) if values else text


@cache
def load(language: Language) -> dict[str, str]:
    """All texts of a language by dotted key, such as `nav.history`."""
    folder = files("ui").joinpath("locales")
    sources = [file for file in folder.iterdir() if file.name.endswith(f"{language}.toml")]
    texts: dict[str, str] = {}
    for source in sources:
        for key, text in _flat(tomllib.loads(source.read_text("utf-8"))):
            if key in texts:
                raise ValueError(f"{source.name} says {key} a second time")
            texts[key] = text
    return texts


def _flat(table: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        pairs += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, value)]
    return pairs
