"""An OpenID provider: found by its issuer, asked with PKCE, believed only by its signature."""

import secrets
import time
from collections.abc import Callable
from ipaddress import ip_address
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from interviewer.accounts.errors import RefusedError
from interviewer.accounts.values import Identity
from interviewer.settings import Settings

_SCOPE = "openid profile email"
_TIMEOUT = 10.0
_KEPT = 3600.0
"""Seconds the provider's own description and keys are believed."""
_SIGNED_BY = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Never `none`, and never a secret that both sides know."""
_LEEWAY = 60
_LONGEST_TOKEN = 50_000


class ProviderError(RefusedError):
    """The provider can't be reached, says no, or says something that can't be believed."""


class NotBegunError(ProviderError):
    """What came back belongs to no sign-in that this browser began and has not ended."""

    def __init__(self) -> None:
        super().__init__("openid_not_begun")


class Begun(NamedTuple):
    """A sign-in that was begun: where the browser goes, and what has to come back.

    Attributes:
        verifier: PKCE: proves that who began it ends it.
    """

    address: str
    state: str
    nonce: str
    verifier: str


class Provider:
    """The provider of the settings.

    Args:
        clock: Seconds since 1970.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._clock = clock
        self._lock = Lock()
        self._kept: dict[str, tuple[float, dict[str, Any]]] = {}

    def begin(self, redirect_uri: str) -> Begun:
        """Where to send the browser.

        Raises:
            ProviderError: if the provider can't be reached.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        with self._client(redirect_uri) as client:
            address, _ = client.create_authorization_url(
                self._endpoint("authorization_endpoint"), state=state, nonce=nonce, code_verifier=verifier
            )
        return Begun(address, state, nonce, verifier)

    def finish(self, begun: Begun, code: str, redirect_uri: str) -> Identity:
        """Who came back with `code`.

        Raises:
            ProviderError: if the provider refuses the code, or what it signed is not for us and for this sign-in.
        """
        answer = self._exchange(begun, code, redirect_uri)
        token = answer.get("id_token")
        if not isinstance(token, str) or len(token) > _LONGEST_TOKEN:
            raise ProviderError("openid_not_believed")
        claims = self._believed(token, begun.nonce)
        if "email" not in claims:
            claims = {**self._more(answer, claims["sub"]), **claims}
        return Identity(
            issuer=str(claims["iss"]),
            subject=str(claims["sub"]),
            email=_text(claims.get("email")),
            verified=claims.get("email_verified") is True,
            name=_text(claims.get("name")) or _text(claims.get("preferred_username")),
        )

    def _exchange(self, begun: Begun, code: str, redirect_uri: str) -> dict[str, Any]:
        try:
            with self._client(redirect_uri) as client:
                answer = client.fetch_token(
                    self._endpoint("token_endpoint"),
                    code=code,
                    code_verifier=begun.verifier,
                    grant_type="authorization_code",
                )
        except httpx.HTTPError as error:
            raise ProviderError("openid_unreachable", issuer=self._settings.oidc_issuer) from error
        except (AuthlibBaseError, ValueError) as error:
            raise ProviderError("openid_refused") from error
        return dict(answer)

    def _believed(self, token: str, nonce: str) -> dict[str, Any]:
        """What the token claims, once its signature and its bounds are right."""
        registry = jwt.JWTClaimsRegistry(
            now=lambda: int(self._clock()),
            leeway=_LEEWAY,
            iss={"essential": True, "value": self._metadata()["issuer"]},
            aud={"essential": True, "value": self._settings.oidc_client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            claims = self._read_token(token)
            registry.validate(claims)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise ProviderError("openid_not_believed") from error
        others = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", None if others else self._settings.oidc_client_id) != self._settings.oidc_client_id:
            raise ProviderError("openid_not_believed")
        return claims

    def _read_token(self, token: str) -> dict[str, Any]:
        """Its claims, if a key of the provider's signed them; one we do not know yet may be new."""
        address = self._endpoint("jwks_uri")
        try:
            return jwt.decode(token, _keys(self._read(address)), algorithms=_SIGNED_BY).claims
        except InvalidKeyIdError:
            return jwt.decode(token, _keys(self._read(address, anew=True)), algorithms=_SIGNED_BY).claims

    def _more(self, answer: dict[str, Any], subject: str) -> dict[str, Any]:
        """What the provider tells beside the token, if it is about the same person."""
        address = self._metadata().get("userinfo_endpoint")
        bearer = answer.get("access_token")
        if not isinstance(address, str) or not isinstance(bearer, str):
            return {}
        told = self._fetch(address, {"Authorization": f"Bearer {bearer}"})
        return told if told.get("sub") == subject else {}

    def _client(self, redirect_uri: str) -> OAuth2Client:
        secret = self._settings.oidc_client_secret.get_secret_value()
        known = self._metadata().get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        method = "client_secret_basic" if "client_secret_basic" in known else "client_secret_post"
        return OAuth2Client(
            self._settings.oidc_client_id,
            secret or None,
            token_endpoint_auth_method=method if secret else "none",
            scope=_SCOPE,
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            timeout=_TIMEOUT,
        )

    def _metadata(self) -> dict[str, Any]:
        issuer = self._settings.oidc_issuer.rstrip("/")
        told = self._read(f"{issuer}/.well-known/openid-configuration")
        if str(told.get("issuer", "")).rstrip("/") != issuer:
            raise ProviderError("openid_not_believed")
        return told

    def _endpoint(self, name: str) -> str:
        address = self._metadata().get(name)
        if not isinstance(address, str):
            raise ProviderError("openid_unreachable", issuer=self._settings.oidc_issuer)
        return _safe(address)

    def _read(self, address: str, *, anew: bool = False) -> dict[str, Any]:
        """A document of the provider, kept for an hour; anew not more often than every minute."""
        with self._lock:
            at, document = self._kept.get(address, (0.0, {}))
            if self._clock() - at < (60.0 if anew else _KEPT):
                return document
            document = self._fetch(address, {})
            self._kept[address] = (self._clock(), document)
            return document

    def _fetch(self, address: str, headers: dict[str, str]) -> dict[str, Any]:
        try:
            reply = httpx.get(_safe(address), headers=headers, timeout=_TIMEOUT)
            reply.raise_for_status()
            document = reply.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderError("openid_unreachable", issuer=self._settings.oidc_issuer) from error
        if not isinstance(document, dict):
            raise ProviderError("openid_unreachable", issuer=self._settings.oidc_issuer)
        return document


def _keys(document: dict[str, Any]) -> KeySet:
    return KeySet.import_key_set({"keys": document["keys"]})


def _safe(address: str) -> str:
    """Raises ProviderError for an address where what is said could be read or changed on the way."""
    parts = urlsplit(address)
    try:
        here = parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        here = False
    if parts.scheme != "https" and not here:
        raise ProviderError("openid_insecure", address=address[:200])
    return address


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
