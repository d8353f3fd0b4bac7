"""Starts the server by hand: `python -m tests.protocol_server --port 8123 --behaviour graduate`."""

import argparse
import signal
import threading

from tests.protocol_server.actions import Action, Request, Say
from tests.protocol_server.behaviours import BEHAVIOURS
from tests.protocol_server.server import ProtocolServer


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server for trying the product without a model.")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--behaviour", choices=sorted(BEHAVIOURS), default="graduate")
    parser.add_argument("--pace", type=float, default=0.02, help="seconds between streamed pieces")
    arguments = parser.parse_args()

    def paced(request: Request) -> Action:
        action = BEHAVIOURS[arguments.behaviour](request)
        return action._replace(pace=arguments.pace) if isinstance(action, Say) else action

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with ProtocolServer(paced, arguments.port) as server:
        print(f"INTERVIEWER_CHAT_MODEL=mock INTERVIEWER_CHAT_BASE_URL={server.url}", flush=True)  # noqa: T201
        stop.wait()


if __name__ == "__main__":
    main()
