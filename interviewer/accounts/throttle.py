"""Slowing down who guesses passwords: by login and by address, over a sliding hour."""

from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from interviewer.accounts.errors import ThrottledError
from interviewer.accounts.keys import hash_of
from interviewer.storage.accounts import AccountRows

WINDOW = timedelta(hours=1)


class Limit(NamedTuple):
    """How many wrong passwords within the hour are free, and how long to wait after each further one.

    Attributes:
        first: After the first that is not free, in seconds; doubled by each further one.
        longest: Seconds; also what one person can cost another who shares their login's name or their address.
    """

    free: int
    first: int
    longest: int


BY_LOGIN = Limit(free=5, first=30, longest=900)
# A whole team may sit behind one address.
BY_ADDRESS = Limit(free=30, first=10, longest=60)


class Attempt(NamedTuple):
    """An attempt that counts as wrong until it turns out right."""

    login_key: str
    address_id: int


def begin_attempt(rows: AccountRows, login: str, address: str, now: datetime) -> Attempt:
    """Writes an attempt down before the password is looked at, so that many at once can't slip through.

    Raises:
        ThrottledError: if it comes too early; it then does not count.
    """
    login_key, address_key = hash_of(f"login {login}"), hash_of(f"address {network_of(address)}")
    rows.attempts.forget(now - WINDOW)
    waits = (_wait(rows, login_key, BY_LOGIN, now), _wait(rows, address_key, BY_ADDRESS, now))
    if max(waits) > 0:
        raise ThrottledError(max(waits))
    rows.attempts.add(login_key, now)
    return Attempt(login_key, rows.attempts.add(address_key, now))


def end_attempt(rows: AccountRows, attempt: Attempt) -> None:
    """It was right: the login's slate is clean, the address only loses this one, or its owner could go on guessing at
    others by signing in between."""
    rows.attempts.clear(attempt.login_key)
    rows.attempts.remove(attempt.address_id)


def network_of(address: str) -> str:
    """An IPv4 address, or the /64 of an IPv6 address, which one household has all of."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address[:100]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or parsed.packed[:8].hex())
    return str(parsed)


def _wait(rows: AccountRows, key: str, limit: Limit, now: datetime) -> int:
    """Whole seconds still to wait."""
    wrong = rows.attempts.since(key, now - WINDOW)
    over = len(wrong) - limit.free
    if over < 0:
        return 0
    pause = min(limit.first * 2 ** min(over, 20), limit.longest)
    left = (wrong[-1] + timedelta(seconds=pause) - now).total_seconds()
    return max(0, -int(-left // 1))
