"""Connecting to Chroma: embedded in a folder, or a server by URL."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SERVER_TIMEOUT = 5.0  # seconds for a Chroma server to answer the first request
REQUEST_TIMEOUT = 30.0  # seconds without a byte from it later on

Connect = Callable[[], Any]
"""Makes a Chroma client."""


def embedded(folder: Path) -> Connect:
    """Connects to the store in a folder, which is made if need be."""

    def connect() -> Any:
        import chromadb

        folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(str(folder), settings=_settings())

    return connect


def server(url: str) -> Connect:
    """Connects to a Chroma server such as `http://127.0.0.1:8000`, which has to answer within seconds."""
    parts = urlsplit(url if "//" in url else f"http://{url}")

    def connect() -> Any:
        import chromadb
        import httpx

        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 8000)
        httpx.get(f"{parts.scheme}://{host}:{port}/api/v2/heartbeat", timeout=SERVER_TIMEOUT).raise_for_status()
        client = chromadb.HttpClient(host=host, port=port, ssl=secure, settings=_settings())
        session = _session(client)
        if session is not None:  # Chroma's own client would wait for a stalled server for ever
            session.timeout = httpx.Timeout(REQUEST_TIMEOUT)
        return client

    return connect


def disconnect(client: Any) -> None:
    session = _session(client)
    client.close()
    if session is not None:  # Chroma leaves its connections open
        session.close()


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _session(client: Any) -> Any:
    """The HTTP session of a client of a Chroma server; None for the embedded store."""
    return getattr(getattr(client, "_server", None), "_session", None)
