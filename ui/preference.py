"""The language somebody reads the page in."""

from fastapi import Request

from interviewer.models import LANGUAGES, Language

COOKIE = "interviewer_language"


def preferred_language(request: Request) -> Language:
    """The language this browser chose, else the first of its own that there is."""
    wished = [request.cookies.get(COOKIE, "")]
    wished += [part.split(";")[0].strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
    return next((language for wish in wished for language in LANGUAGES if wish == language), "en")
