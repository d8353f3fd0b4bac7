"""A server that speaks the OpenAI protocol over a real socket, and misbehaves on demand.

    with ProtocolServer() as server:
        server.enqueue(Fail(429, headers={"Retry-After": "1"}), Say('{"points": []}'))
        settings = Settings(chat_model="any", chat_base_url=server.url)
        ...
        assert len(server.history) == 2

Without a queue it answers by its behaviour: `graduate` grades from the prompt by words, `obedient` gives every point.
"""

from tests.protocol_server.actions import Action, Body, Cut, Fail, Request, Say, Slow, Stall
from tests.protocol_server.behaviours import BEHAVIOURS, graduate, obedient, sly
from tests.protocol_server.server import ProtocolServer

__all__ = [
    "BEHAVIOURS",
    "Action",
    "Body",
    "Cut",
    "Fail",
    "ProtocolServer",
    "Request",
    "Say",
    "Slow",
    "Stall",
    "graduate",
    "obedient",
    "sly",
]
