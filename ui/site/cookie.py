"""The cookie of a sign-in: a random token, signed so that anything else is refused without a look into the database."""

import hashlib
from functools import cached_property
from urllib.parse import urlsplit

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import cookie_parser
from starlette.responses import Response

from interviewer.accounts.keys import signing_secret
from interviewer.accounts.sign_ins import LASTS
from interviewer.settings import Settings

_LASTS = int(LASTS.total_seconds())


class SessionCookie:
    """Reads and writes it.

    Attributes:
        name: Told by it, a browser keeps other sites of the same domain from setting it.
        path: Where a proxy serves us.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        public = urlsplit(settings.public_url)
        self.path = public.path.rstrip("/") or "/"
        self.secure = public.scheme == "https"
        prefix = ("__Host-" if self.path == "/" else "__Secure-") if self.secure else ""
        self.name = f"{prefix}interviewer_session"

    def token(self, header: str) -> str | None:
        """The token in a request's Cookie header; None for none of ours."""
        value = cookie_parser(header).get(self.name)
        try:
            return self.signer("session").unsign(value, max_age=_LASTS).decode() if value else None
        except (BadSignature, UnicodeDecodeError):
            return None

    def put(self, response: Response, token: str) -> None:
        """Has the browser keep a sign-in."""
        signed = self.signer("session").sign(token).decode()
        self.set(response, self.name, signed, max_age=_LASTS)

    def remove(self, response: Response) -> None:
        self.set(response, self.name, "", max_age=0)

    def set(self, response: Response, name: str, value: str, *, max_age: int) -> None:
        """A cookie with the same bounds as that of a sign-in."""
        response.set_cookie(
            name, value, max_age=max_age, path=self.path, secure=self.secure, httponly=True, samesite="lax"
        )

    def signer(self, purpose: str) -> TimestampSigner:
        """Signs for one purpose only; what it signed does for no other."""
        return TimestampSigner(self._secret, salt=f"interviewer.{purpose}", digest_method=hashlib.sha256)

    @cached_property
    def _secret(self) -> str:
        return signing_secret(self._settings)
