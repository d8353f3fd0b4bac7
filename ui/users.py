"""Who is asking. The one place that accounts will change."""

from typing import Any

LOCAL_USER = "local"


def current_user(request: Any) -> str:
    """The id of the person behind a request (a gradio or FastAPI one)."""
    return LOCAL_USER
