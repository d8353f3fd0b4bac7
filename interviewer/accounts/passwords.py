"""Hashing passwords with argon2id."""

from functools import cached_property
from threading import BoundedSemaphore
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from interviewer.accounts.credentials import fold_password

# Each takes 64 MiB; a crowd signing in at once must not take the machine's memory.
_AT_ONCE = 4


class Check(NamedTuple):
    """Whether a password was right, and its new hash where the old one was made with other parameters."""

    right: bool
    renewed: str | None = None


class Passwords:
    """Makes and checks hashes; at most four at once in a process.

    Args:
        hasher: With which parameters; argon2-cffi's defaults (RFC 9106, low memory) if not given.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = BoundedSemaphore(_AT_ONCE)

    def hash(self, password: str) -> str:
        """The hash of a password that `check_password` took."""
        with self._turn:
            return self._hasher.hash(_bytes(password))

    def check(self, stored: str | None, password: str) -> Check:
        """Whether `password` is the one `stored` was made of. Without a stored hash, the same work is done for nothing,
        so that the time does not tell which logins exist."""
        folded, nobodys = fold_password(password), self._nobodys
        right = self._verify(stored or nobodys, folded or "") and stored is not None and folded is not None
        if right and stored and folded and self._hasher.check_needs_rehash(stored):
            return Check(True, self.hash(folded))
        return Check(right)

    def _verify(self, stored: str, password: str) -> bool:
        try:
            with self._turn:
                return self._hasher.verify(stored, _bytes(password))
        except (VerificationError, InvalidHashError):
            return False

    @cached_property
    def _nobodys(self) -> str:
        return self.hash("nobody has this password")


def _bytes(password: str) -> bytes:
    # A browser can send half of a surrogate pair; it is a character like any other here.
    return password.encode("utf-8", "surrogatepass")
