"""Random tokens, their hashes, and the secret this installation signs cookies with."""

import hashlib
import os
import secrets
import stat
from pathlib import Path

from interviewer.errors import SettingsError
from interviewer.settings import Settings

_ID_LENGTH = 16


def new_token() -> str:
    """256 random bits, safe in an address."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is stored of a token; 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def id_of(token_hash: str) -> str:
    """Names a stored token on a page, without telling enough to find it."""
    return token_hash[:_ID_LENGTH]


def new_id() -> str:
    """Id of a new person, cohort or token."""
    return secrets.token_hex(12)


def link_path(token: str) -> str:
    """Where the page takes an invitation, an owner's or a reset link; what stands behind `#` is in no server's log."""
    return f"/join#{token}"


def secret_file(settings: Settings) -> Path:
    """Where the signing secret is kept unless INTERVIEWER_SECRET gives it."""
    return settings.folder / "secret"


def signing_secret(settings: Settings) -> str:
    """The secret cookies are signed with; made on first use, and the same for every process of this home.

    Raises:
        SettingsError: if the file can't be read or written, or others can read it.
    """
    given = settings.secret.get_secret_value()
    if given:
        return given
    path = secret_file(settings)
    try:
        if not path.exists():
            _write_once(path, secrets.token_urlsafe(48))
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SettingsError(
                f"Others on this machine can read {path}, which signs cookies.",
                next_step="Delete it and start again: a new one is made, and everybody signs in once more.",
            )
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise SettingsError(
            f"The file {path}, which signs cookies, can't be used: {error.strerror}.",
            next_step="Check INTERVIEWER_HOME, or set INTERVIEWER_SECRET.",
        ) from error


def _write_once(path: Path, text: str) -> None:
    """Of several processes, one writes, whole; the others find it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
