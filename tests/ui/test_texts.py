"""The words of the page: the same keys and placeholders in both languages, none missing, none unused."""

import re
import string
from pathlib import Path

import pytest

import ui
from interviewer.models import LANGUAGES
from ui.texts import Texts, load

FOLDER = Path(ui.__file__).parent
# t("a.b"), t(f"a.{x}"), t("a." ~ x) and t('a.b')
LITERAL = re.compile(r"""\b_?t\(\s*(?:f?)(["'])([a-z_]+\.[a-z_0-9]+)\1""")
FAMILY = re.compile(r"""\b_?t\(\s*(?:f["']([a-z_]+)\.\{|["']([a-z_]+)\."\s*~)""")
NAMED = re.compile(r"""_named\("([a-z]+)",""")


def sources() -> str:
    files = [*FOLDER.rglob("*.py"), *FOLDER.rglob("*.html")]
    return "\n".join(path.read_text("utf-8") for path in files)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_keys_and_placeholders():
    zh, en = (load(language) for language in LANGUAGES)
    assert zh.keys() == en.keys()
    assert {k: placeholders(v) for k, v in zh.items()} == {k: placeholders(v) for k, v in en.items()}


def test_every_text_is_used_and_every_use_has_a_text():
    source = sources()
    used = {match.group(2) for match in LITERAL.finditer(source)}
    families = {a or b for a, b in FAMILY.findall(source)} | set(NAMED.findall(source))
    known = load("en").keys()
    assert used <= known
    assert {key for key in known if key not in used and key.split(".")[0] not in families} == set()
    assert families <= {key.split(".")[0] for key in known}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty(language):
    assert all(text.strip() for text in load(language).values())


def test_values_are_filled_in_but_never_read_as_templates():
    assert Texts("en")("error.unexpected", id="{0} {x}").endswith("look for {0} {x} in the server's log.")
