"""Which site a request comes from. A page of another site in the same browser must not act here for its visitor."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

_SAFE = ("GET", "HEAD")


class Origins:
    """Tells our own pages from others.

    Args:
        public_url: Where people reach the page, when a proxy stands in front; empty for none.
    """

    def __init__(self, public_url: str) -> None:
        self._public = urlsplit(public_url).netloc.lower()

    def foreign(self, headers: Headers, method: str) -> bool:
        """Whether a page of another site sent this. Following a link from there is no harm; anything else is.

        What says nothing of where it comes from was sent by no browser's page.
        """
        site = headers.get("sec-fetch-site")
        if site is not None:
            linked = method in _SAFE and headers.get("sec-fetch-mode") == "navigate"
            return site not in ("same-origin", "none") and not linked
        origin = headers.get("origin")
        return origin is not None and not self._own(origin, headers.get("host", ""))

    def misled(self, headers: Headers) -> bool:
        """Whether the request came under a name that is neither this machine's nor the public one.

        Where nobody signs in, a foreign site whose name was made to lead here would pass for our own page.
        """
        host = headers.get("host", "").lower()
        return host != self._public and not _is_loopback(host)

    def _own(self, origin: str, host: str) -> bool:
        netloc = origin.lower().partition("://")[2]
        return bool(netloc) and netloc in (host.lower(), self._public)


def _is_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
