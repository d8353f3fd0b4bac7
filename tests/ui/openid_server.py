"""An OpenID provider on a socket: discovery, authorize, token, keys, user info; it can be told to lie."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey


class OpenIdServer:
    """Knows one client and one person, who always agrees.

    Attributes:
        person: What the token says of them.
        lie: Changes the claims before they are signed.
        header: Of the token.
        key: What it signs with; bytes for a secret both sides know, empty for nothing.
        published: The keys it shows.
        asked: Paths that were asked for.
    """

    def __init__(self, client_id: str = "interviewer", client_secret: str = "a secret") -> None:
        self.client = (client_id, client_secret)
        self.person: dict[str, Any] = {"sub": "42", "name": "Ann Provider", "email": "ann@example.org"}
        self.user_info: dict[str, Any] = {}
        self.lie: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.published = [_first_key()]
        self.key: RSAKey | bytes = self.published[0]
        self.header = {"alg": "RS256", "kid": "first"}
        self.denies = False
        self.metadata: dict[str, Any] = {}
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        # Polled that often, or stopping takes half a second.
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def discovery(self) -> dict[str, Any]:
        names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        found = {"issuer": self.issuer, **{name: f"{self.issuer}/{path}" for name, path in names.items()}}
        return found | ({"userinfo_endpoint": f"{self.issuer}/me"} if self.user_info else {}) | self.metadata

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser goes on."""
        assert asked["client_id"] == self.client[0]
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        told = {"error": "access_denied"} if self.denies else {"code": code}
        return f"{asked['redirect_uri']}?{urlencode(told | {'state': asked['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """What a code is worth; None for nothing. Each is worth something once."""
        basic = base64.b64decode(authorization.removeprefix("Basic ")).decode() if authorization else ""
        given = (form.get("client_id", ""), form.get("client_secret", "")) if not basic else tuple(basic.split(":", 1))
        asked = self._codes.pop(form.get("code", ""), None)
        proof = _encoded(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        right = asked and asked["code_challenge"] == proof.decode() and asked["redirect_uri"] == form["redirect_uri"]
        if given != self.client or not asked or not right:
            return None
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": self.client[0], "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        token = self.sign(self.lie(claims | self.person))
        return {"access_token": "access", "token_type": "Bearer", "expires_in": 300, "id_token": token}

    def sign(self, claims: dict[str, Any]) -> str:
        if isinstance(self.key, bytes):
            signed = b".".join(_encoded(json.dumps(part).encode()) for part in (self.header, claims))
            proof = hmac.digest(self.key, signed, "sha256") if self.key else b""
            return b".".join([signed, _encoded(proof)]).decode()
        return jwt.encode(self.header, claims, self.key, algorithms=[self.header["alg"]])


def _encoded(part: bytes) -> bytes:
    return base64.urlsafe_b64encode(part).rstrip(b"=")


def new_key(kid: str) -> RSAKey:
    return RSAKey.generate_key(2048, parameters={"kid": kid})


@cache
def _first_key() -> RSAKey:
    """One for all servers of a run: making it takes longer than most tests do."""
    return new_key("first")


def _handler(server: OpenIdServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            server.asked.append(address.path)
            match address.path:
                case "/.well-known/openid-configuration":
                    self._tell(server.discovery())
                case "/keys":
                    self._tell({"keys": [key.as_dict(private=False) for key in server.published]})
                case "/me" if self.headers["Authorization"] == "Bearer access":
                    self._tell(server.user_info)
                case "/authorize":
                    self.send_response(302)
                    self.send_header("Location", server.authorize(dict(parse_qsl(address.query))))
                    self.end_headers()
                case _:
                    self._tell({}, 404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            answer = server.token(form, self.headers.get("Authorization", ""))
            self._tell(answer or {"error": "invalid_grant"}, 200 if answer else 400)

        def _tell(self, document: dict[str, Any], status: int = 200) -> None:
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Keeps the test's output to itself."""

    return Handler
