"""Which names, logins and passwords are taken, and in which form."""

import unicodedata
from functools import cache
from importlib.resources import files

from interviewer.accounts.errors import RefusedError

NAME_LENGTH = 120
LOGIN_LENGTH = (3, 200)
PASSWORD_LENGTH = (10, 200)
# What is longer than this is not even looked at; one character can become eighteen by folding.
_RAW_LENGTH = 1000

_RUNS = ("01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")


def clean_name(name: str) -> str:
    """A name as it is kept: one line, no control or direction characters, composed.

    Raises:
        RefusedError: if nothing is left, or more than 120 characters.
    """
    text = plain_line(name[:_RAW_LENGTH])
    if not 1 <= len(text) <= NAME_LENGTH:
        raise RefusedError("accounts_bad_name", limit=NAME_LENGTH)
    return text


def plain_line(text: str) -> str:
    """`text` on one line without control, direction or unassigned characters."""
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    return " ".join("".join(c for c in spaced if not unicodedata.category(c).startswith("C")).split())


def fold_login(login: str) -> str | None:
    """A login as it is compared: trimmed and folded; None for what can't be one."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", login[:_RAW_LENGTH]).strip().casefold())
    shortest, longest = LOGIN_LENGTH
    odd = any(unicodedata.category(c)[0] in "CZ" for c in folded)
    return folded if shortest <= len(folded) <= longest and not odd else None


def clean_login(login: str) -> str:
    """A login as it is kept.

    Raises:
        RefusedError: if it has spaces or control characters, or not 3 to 200 characters.
    """
    folded = fold_login(login)
    if folded is None:
        raise RefusedError("accounts_bad_login", first=LOGIN_LENGTH[0], limit=LOGIN_LENGTH[1])
    return folded


def fold_password(password: str) -> str | None:
    """A password as it is hashed, so that it can be typed on any keyboard; None for what can't be one."""
    if len(password) > _RAW_LENGTH:
        return None
    folded = unicodedata.normalize("NFKC", password)
    return folded if len(folded) <= PASSWORD_LENGTH[1] else None


def check_password(password: str, *, login: str, name: str) -> str:
    """A new password as it is hashed.

    Raises:
        RefusedError: if it has not 10 to 200 characters, is the login or the name, or is soon guessed.
    """
    folded = fold_password(password)
    shortest, longest = PASSWORD_LENGTH
    if folded is None or len(folded) < shortest:
        raise RefusedError("accounts_password_length", first=shortest, limit=longest)
    plain = folded.casefold()
    if plain.strip() in (login.casefold(), unicodedata.normalize("NFKC", name).casefold()):
        raise RefusedError("accounts_password_is_name")
    if _is_common(plain):
        raise RefusedError("accounts_password_common")
    return folded


def _is_common(password: str) -> bool:
    """Known from leaks, few different characters, or a run along the alphabet or the keyboard."""
    run = any(password in keys or password[::-1] in keys for keys in _RUNS)
    return run or len(set(password)) < 4 or password in _common()


@cache
def _common() -> frozenset[str]:
    """The commonest of leaked lists that are long enough to be taken otherwise."""
    return frozenset((files("interviewer.accounts") / "common-passwords.txt").read_text(encoding="utf-8").split())
