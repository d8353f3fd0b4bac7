"""The adapter over a real socket, with the real client, against a server that misbehaves."""

import itertools
import json
import logging
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer import chat_levels
from interviewer.chat import ChatMessage
from interviewer.chat_failures import Target, retry_after, status_failure
from interviewer.chat_json import JsonPieces
from interviewer.chat_levels import Learned, is_strict
from interviewer.chat_model import LangChainChatModel, chat_model_of
from interviewer.errors import ChatModelError
from interviewer.grading.model import ModelGrader
from interviewer.grading.protocol import GradingContext
from interviewer.prompts import find_prompt
from interviewer.settings import Settings
from tests.interviewer.grading.test_model import QUESTION
from tests.protocol_server import Body, Cut, Fail, ProtocolServer, Say, Slow, Stall

pytestmark = pytest.mark.usefixtures("quick_clients")

KEY = "sk-very-secret-0123456789"
ASK = [ChatMessage("system", "Be brief."), ChatMessage("user", "Say hello.")]
SCHEMA = {
    "title": "Hello",
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
OK = '{"a": "hello, \\"world\\" {"}'


@pytest.fixture(autouse=True)
def _nothing_learned(monkeypatch):
    monkeypatch.setattr(chat_levels, "_known", {})


@pytest.fixture
def server():
    with ProtocolServer() as running:
        yield running
        assert running.waiting == 0, "a queued action was never reached"


def model(server, **changes):
    fields = {"chat_model": "mock", "chat_base_url": server.url, "chat_api_key": KEY, **changes}
    return LangChainChatModel(Settings(_env_file=None, **fields))


def reply(server, *actions, **changes):
    server.enqueue(*actions)
    return "".join(model(server, **changes).stream_json(ASK, SCHEMA))


def failure(server, *actions, **changes):
    with pytest.raises(ChatModelError) as caught:
        reply(server, *actions, **changes)
    error = caught.value
    assert KEY not in f"{error} {error!r}"
    assert error.__cause__ is None, "a chained cause would put the client's own text into logs"
    assert error.__context__ is None, "a chained cause would put the client's own text into logs"
    assert error.message.endswith(".")
    assert error.next_step.endswith(".")
    return error


class TestReplies:
    def test_the_object_arrives_in_pieces(self, server):
        server.enqueue(Say(OK, piece=5))
        pieces = list(model(server).stream_json(ASK, SCHEMA))
        assert len(pieces) > 3
        assert "".join(pieces) == OK

    def test_one_strict_streamed_request_is_sent_with_the_key(self, server):
        reply(server, Say(OK))
        (request,) = server.history
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.body["stream"] is True
        assert request.body["temperature"] == 0
        wanted = request.body["response_format"]["json_schema"]
        assert (wanted["strict"], wanted["schema"]) == (True, SCHEMA)
        assert [m["role"] for m in request.body["messages"]] == ["system", "user"]

    def test_a_local_server_needs_no_key(self, server):
        assert reply(server, Say(OK), chat_api_key="") == OK

    @pytest.mark.parametrize(
        "text",
        [
            f"<think>Is {{it}} so?</think>\n{OK}",
            f"thinking without an opening tag {{}}</think>{OK}",
            f"```json\n{OK}\n```",
            f"Here you are:\n{OK}\nAnything else, such as {{x}}?",
            f"\n\n  {OK}  \n",
            f"<think>draft: {{}}</think>```\n{OK}```",
        ],
    )
    def test_what_stands_around_the_object_is_dropped(self, server, text):
        assert reply(server, Say(text, piece=3)) == OK

    def test_reasoning_tokens_are_no_part_of_the_reply(self, server):
        assert reply(server, Say(OK, reasoning='I might say {"a": "no"}')) == OK

    def test_a_server_that_lingers_after_the_object_is_not_waited_for(self, server):
        started = time.monotonic()
        assert reply(server, Say(OK, keep_open=30)) == OK
        assert time.monotonic() - started < 10

    def test_tokens_and_requests_are_counted(self, server):
        server.enqueue(Say(OK))
        chat = model(server)
        list(chat.stream_json(ASK, SCHEMA))
        assert chat.usage.requests == 1
        assert chat.usage.prompt_tokens > 0
        assert chat.usage.completion_tokens > 0

    def test_many_threads_share_one_adapter(self, server):
        server.behaviour = lambda request: Say(OK, pace=0.01)
        chat, found = model(server), []
        threads = [
            threading.Thread(target=lambda: found.append("".join(chat.stream_json(ASK, SCHEMA)))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert found == [OK] * 8


class TestLevels:
    @pytest.mark.parametrize(
        ("rejects", "level", "requests"),
        [
            ({"json_schema"}, "tool", 2),
            ({"json_schema", "tools"}, "json_mode", 3),
            ({"json_schema", "tools", "json_mode"}, "plain", 4),
        ],
    )
    @pytest.mark.parametrize("status", [400, 422, 500])
    def test_a_server_that_rejects_a_way_is_asked_in_the_next_and_never_again(
        self, server, rejects, level, requests, status
    ):
        server.rejects, server.reject_status = frozenset(rejects), status
        assert reply(server, Say(OK)) == OK
        assert len(server.history) == requests
        assert reply(server, Say(OK)) == OK, "another adapter for the same endpoint knows it too"
        assert len(server.history) == requests + 1
        body = server.history[-1].body
        assert ("tools" in body) == (level == "tool")
        assert body.get("response_format", {}).get("type") == ("json_object" if level == "json_mode" else None)
        assert ('"additionalProperties": false' in server.history[-1].text) == (level in ("json_mode", "plain"))

    @pytest.mark.parametrize(("language", "told"), [("zh", "只回复一个"), ("en", "Reply with exactly one")])
    def test_what_is_asked_in_words_is_asked_in_the_language_of_the_prompt(self, server, language, told):
        """A small model replies in the language it was last spoken to in."""
        server.rejects = frozenset({"json_schema", "tools", "json_mode"})
        ask = find_prompt("extract-points", language).render({"question": "> x", "reference": "> x"})
        server.enqueue(Say(OK))
        assert "".join(model(server).stream_json(ask, SCHEMA)) == OK
        assert told in server.history[-1].body["messages"][-1]["content"]

    def test_a_tool_call_arrives_in_pieces_too(self, server):
        server.rejects = frozenset({"json_schema"})
        server.enqueue(Say(OK, piece=4))
        assert len(list(model(server).stream_json(ASK, SCHEMA))) > 3

    def test_a_model_that_writes_instead_of_calling_the_tool_is_understood(self, server):
        server.rejects = frozenset({"json_schema"})
        assert reply(server, Say(f"Sure: {OK}", as_content=True)) == OK

    @pytest.mark.parametrize("extra", ["temperature", "stream_options"])
    def test_an_optional_parameter_rejected_by_name_is_left_out_for_good(self, server, extra):
        server.rejects = frozenset({extra})
        assert reply(server, Say(OK)) == OK
        assert reply(server, Say(OK)) == OK
        assert len(server.history) == 3
        assert extra not in server.history[-1].body
        assert server.history[-1].body["response_format"]["type"] == "json_schema"

    def test_a_server_that_cannot_stream_is_asked_without(self, server):
        server.ignores = frozenset({"stream"})
        assert reply(server, Say(OK), Say(OK)) == OK
        assert reply(server, Say(OK)) == OK
        assert "stream" not in server.history[-1].body or not server.history[-1].body["stream"]

    def test_a_tool_call_that_is_not_streamed_is_read(self, server):
        server.ignores, server.rejects = frozenset({"stream"}), frozenset({"json_schema"})
        assert json.loads(reply(server, Say(OK), Say(OK))) == json.loads(OK)

    def test_a_server_that_ignores_the_format_is_asked_in_a_plainer_way_next_time(self, server):
        error = failure(server, Say("I would say hello."))
        assert error.kind == "invalid_output"
        assert reply(server, Say(OK)) == OK
        assert "tools" in server.history[-1].body

    def test_a_server_that_gives_other_fields_is_asked_in_a_plainer_way_next_time_too(self, server):
        assert reply(server, Say('{"b": 1}')) == '{"b": 1}', "what to do with it is the caller's to decide"
        assert reply(server, Say(OK)) == OK
        assert "tools" in server.history[-1].body

    def test_a_rejection_within_the_stream_counts_too(self, server):
        assert reply(server, Cut("", after=0, error="response_format is not supported"), Say(OK)) == OK
        assert "tools" in server.history[-1].body

    def test_a_server_that_rejects_everything_is_an_error_that_says_so(self, server):
        server.behaviour = lambda request: Fail(400, "roles must alternate")
        error = failure(server)
        assert error.kind == "other"
        assert "roles must alternate" in error.message
        assert len(server.history) <= 6

    def test_strict_is_asked_for_only_where_the_schema_keeps_its_rules(self):
        assert is_strict(SCHEMA)
        assert not is_strict({**SCHEMA, "required": []})
        assert not is_strict({**SCHEMA, "properties": {"a": {"type": "object", "properties": {}}}})


class TestFailures:
    @pytest.mark.parametrize(
        ("status", "message", "kind"),
        [
            (401, "Incorrect API key provided: " + KEY, "auth"),
            (403, "forbidden", "auth"),
            (400, "API key not valid", "auth"),
            (404, "The model `mock` does not exist", "not_found"),
            (400, "Model Not Exist", "not_found"),
            (404, "404 page not found", "not_found"),
            (400, "maximum context length is 4096 tokens", "other"),
            (400, "blocked by the content_filter", "refused"),
            (418, f"teapot, your key was {KEY}", "other"),
        ],
    )
    def test_an_error_status_is_told_once_in_one_sentence(self, server, status, message, kind):
        assert failure(server, Fail(status, message)).kind == kind
        assert len(server.history) == 1

    @pytest.mark.parametrize("status", [500, 502, 503])
    def test_a_server_error_is_tried_once_more(self, server, status):
        assert reply(server, Fail(status), Say(OK)) == OK
        assert failure(server, Fail(status), Fail(status)).kind == "server"

    def test_a_short_wait_asked_for_is_kept(self, server):
        started = time.monotonic()
        assert reply(server, Fail(429, headers={"Retry-After": "1"}), Say(OK)) == OK
        assert time.monotonic() - started >= 1

    @pytest.mark.parametrize(
        ("headers", "told"),
        [({"Retry-After": "60"}, "60 seconds"), ({}, "minute"), ({"Retry-After": "soon"}, "minute")],
    )
    def test_a_long_wait_is_told_instead(self, server, headers, told):
        error = failure(server, Fail(429, headers=headers))
        assert error.kind == "rate_limit"
        assert told in error.next_step
        assert len(server.history) == 1

    def test_a_limit_that_names_the_page_for_payments_is_waited_for(self, server):
        limited = "Rate limit reached for requests per minute. Upgrade at https://console.example.com/settings/billing"
        assert reply(server, Fail(429, limited, headers={"Retry-After": "0.1"}), Say(OK)) == OK

    def test_who_has_not_paid_is_told_so(self, server):
        error = failure(server, Fail(402, "Insufficient Balance"))
        assert error.kind == "rate_limit"
        assert "quota" in error.message

    def test_a_service_that_will_not_stream_is_asked_without(self, server):
        refusal = Fail(400, "Your organization must be verified to stream this model.")
        assert reply(server, refusal, Say(OK)) == OK
        assert [request.body.get("stream", False) for request in server.history] == [True, False]

    def test_a_used_up_quota_is_not_waited_for(self, server):
        error = failure(
            server, Fail(429, "You exceeded your current quota", "insufficient_quota", {"Retry-After": "1"})
        )
        assert "quota" in error.message
        assert len(server.history) == 1

    def test_waits_are_read_in_every_form(self):
        assert retry_after({"retry-after": "2.5"}) == 2.5
        assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
        assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
        assert retry_after({"retry-after": "inf"}) is None
        assert retry_after({}) is None

    def test_a_slow_first_byte_ends_at_the_timeout(self, server):
        started = time.monotonic()
        error = failure(server, Slow(30, Say(OK)), chat_timeout=0.4)
        assert error.kind == "timeout"
        assert time.monotonic() - started < 10
        assert len(server.history) == 1

    @pytest.mark.parametrize(
        ("url", "set_by_hand", "seconds"),
        [
            ("http://127.0.0.1:11434/v1", {}, 90),
            ("http://LOCALHOST:8000/v1", {}, 90),
            ("http://[::1]:8000/v1", {}, 90),
            ("http://127.0.0.1:11434/v1", {"chat_timeout": 5}, 5),
            ("https://127.0.0.1.example.org/v1", {}, 30),
            ("", {}, 30),
        ],
    )
    def test_a_model_on_this_machine_may_read_until_the_deadline(self, url, set_by_hand, seconds):
        settings = Settings(_env_file=None, chat_model="mock", chat_base_url=url, chat_deadline=90, **set_by_hand)
        assert LangChainChatModel(settings)._timeout == seconds

    def test_a_stalled_stream_ends_at_the_timeout(self, server):
        assert failure(server, Stall(OK, after=10, seconds=30), chat_timeout=0.4).kind == "timeout"

    def test_a_stream_kept_alive_by_comments_ends_at_the_deadline(self, server):
        started = time.monotonic()
        error = failure(server, Stall(OK, 10, 30, comments=True), chat_timeout=5, chat_deadline=0.8)
        assert error.kind == "timeout"
        assert "0.8 seconds" in error.message
        assert time.monotonic() - started < 10

    def test_a_reply_that_drips_on_and_on_ends_at_the_deadline(self, server):
        assert failure(server, Say(OK * 99, piece=1, pace=0.05), chat_deadline=0.6).kind == "timeout"

    def test_the_deadline_covers_retries(self, server):
        server.behaviour = lambda request: Slow(0.3, Fail(500))
        assert failure(server, chat_deadline=0.5).kind == "timeout"

    @pytest.mark.parametrize("chunked", [True, False])
    def test_a_connection_cut_within_the_reply_is_noticed(self, server, chunked):
        error = failure(server, Cut(OK, after=10, chunked=chunked))
        assert error.kind == "connection"
        assert len(server.history) == 1, "what was passed on already can't be taken back"

    def test_a_cut_behind_the_whole_object_does_no_harm(self, server):
        assert reply(server, Cut(OK, after=len(OK))) == OK

    def test_an_error_within_the_stream_is_told(self, server):
        error = failure(server, Cut(OK, after=10, error=f"out of memory, key {KEY}"))
        assert error.kind == "server"
        assert "out of memory" in error.message

    def test_a_web_page_instead_of_a_reply_points_to_the_address(self, server):
        error = failure(server, Body(b"<html>Sign in</html>"), Body(b"<html>Sign in</html>"))
        assert "/v1" in error.next_step

    def test_garbage_in_the_stream_is_one_error(self, server):
        body = Body(b"data: {not json\n\ndata: [1]\n\n", "text/event-stream")
        assert failure(server, body, body).kind in ("other", "invalid_output")

    @pytest.mark.parametrize("finish", ["length", "content_filter"])
    def test_a_reply_stopped_early_is_told_apart(self, server, finish):
        error = failure(server, Say(OK[:10], finish=finish))
        assert error.kind == ("refused" if finish == "content_filter" else "truncated")

    def test_an_empty_reply_is_an_error(self, server):
        assert failure(server, Say("")).kind == "invalid_output"

    def test_a_reply_without_end_is_cut_off(self, server):
        endless = Say('{"a": "' + "x" * 400_000, piece=20_000)
        assert failure(server, endless).kind == "invalid_output"

    def test_nobody_listening_is_a_connection_error(self):
        with ProtocolServer() as gone:
            pass
        assert failure(gone, chat_timeout=2).kind == "connection"

    def test_an_address_without_scheme_is_named(self, server):
        error = failure(server, chat_base_url="localhost:11434/v1")
        assert error.kind == "connection"
        assert "INTERVIEWER_CHAT_BASE_URL" in error.next_step

    def test_the_public_service_without_a_key_is_told_before_anything_is_sent(self, server, monkeypatch):
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        assert failure(server, chat_base_url="", chat_api_key="").kind == "auth"

    @pytest.mark.parametrize("key", ["sk-\u00e9\u00e8secret", "sk-line\nbreak-secret"])
    def test_a_key_that_is_no_header_is_an_error_without_the_key(self, server, key):
        with pytest.raises(ChatModelError) as caught:
            reply(server, chat_api_key=key)
        assert "secret" not in str(caught.value)

    def test_the_server_may_not_put_the_key_or_much_else_into_the_sentence(self):
        said = f"bad {KEY} and {KEY[3:]}\n<script> " + "x" * 999
        target = Target("mock", "http://h/v1", KEY)
        message = status_failure(503, said, {}, target).error.message
        assert KEY not in message
        assert "\n" not in message
        assert len(message) < 300


class TestGivingUp:
    def test_closing_the_iterator_closes_the_connection(self, server):
        server.enqueue(Stall(OK, after=10, seconds=30))
        pieces = model(server).stream_json(ASK, SCHEMA)
        next(pieces)
        pieces.close()
        limit = time.monotonic() + 10
        while not server.left and time.monotonic() < limit:
            time.sleep(0.02)
        assert server.left == 1


class TestQuietness:
    def test_no_log_line_holds_the_key(self, server, caplog):
        with caplog.at_level(logging.DEBUG):
            reply(server, Fail(500), Say(OK))
            failure(server, Fail(401, "bad key"))
            failure(server, Fail(429))
        assert caplog.text
        assert KEY not in caplog.text

    def test_a_key_echoed_by_the_server_reaches_no_log_of_ours(self, server, caplog):
        settings = Settings(_env_file=None, chat_model="mock", chat_base_url=server.url, chat_api_key=KEY)
        server.enqueue(Fail(500, f"key {KEY}"), Fail(500, f"key {KEY}"))
        with caplog.at_level(logging.INFO):
            result = ModelGrader(LangChainChatModel(settings)).grade(
                QUESTION, "An answer.", GradingContext(language="en")
            )
        assert "No grade from the model" in caplog.text
        assert KEY not in caplog.text + result.model_dump_json()

    def test_making_an_adapter_loads_no_library_and_opens_no_socket(self):
        code = (
            "import socket, sys\n"
            "def refuse(*a, **k): raise RuntimeError('a socket was opened')\n"
            "socket.socket.__init__ = refuse\n"
            "from interviewer.settings import Settings\n"
            "from interviewer.chat_model import LangChainChatModel\n"
            "chat = LangChainChatModel(Settings(_env_file=None, chat_model='m', chat_base_url='http://127.0.0.1:9/v1'))\n"
            "iterator = chat.stream_json([], {})\n"
            "print(chat.describe(), chat.name, sorted({'openai', 'langchain_core', 'langchain_openai'} & set(sys.modules)))\n"
        )
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == "m at http://127.0.0.1:9/v1 m []"

    def test_no_model_configured_is_none(self):
        assert chat_model_of(Settings(_env_file=None, chat_model=" ")) is None

    def test_credentials_in_the_address_are_not_shown(self):
        settings = Settings(_env_file=None, chat_model="m", chat_base_url="http://me:hush@host:1/v1?token=hush")
        assert LangChainChatModel(settings).describe() == "m at http://host:1/v1"


class TestPing:
    def test_a_listed_model_is_fine(self, server):
        status = model(server).ping()
        assert (status.reachable, status.listed, status.problem) == (True, True, "")
        assert server.history == [], "asking for the list costs nothing"

    def test_an_unlisted_model_is_named(self, server):
        server.models = ["other"]
        status = model(server).ping()
        assert (status.reachable, status.listed) == (True, False)
        assert "'mock'" in status.problem

    def test_a_server_without_a_list_is_reachable(self, server):
        server.models = None
        server.enqueue(Fail(400, "messages: too few"))
        assert model(server).ping()[2:] == (True, None, "")

    @pytest.mark.parametrize("base", ["", "/v2"])
    def test_an_address_without_a_chat_is_told(self, server, base):
        status = model(server, chat_base_url=server.url.removesuffix("/v1") + base).ping()
        assert status.listed is None
        assert "no chat at this address" in status.problem
        assert "/v1" in status.problem

    def test_a_list_may_say_models_in_front_of_each(self, server):
        server.models = ["models/other", "models/mock"]
        assert model(server).ping()[2:] == (True, True, "")

    @pytest.mark.parametrize("url", ["http://127.0.0.1:abc/v1", "http://127.0.0.1:99999/v1", "http://[::1/v1"])
    def test_an_address_that_can_not_be_is_told(self, url):
        chat = LangChainChatModel(Settings(_env_file=None, chat_model="mock", chat_base_url=url))
        assert "not an HTTP address" in chat.ping().problem
        with pytest.raises(ChatModelError) as caught:
            next(chat.stream_json(ASK, SCHEMA))
        assert caught.value.kind == "connection"

    def test_a_wrong_key_is_told(self, server):
        server.key = "other"
        status = model(server).ping()
        assert not status.reachable
        assert "key" in status.problem
        assert KEY not in status.problem

    def test_nobody_listening_is_told(self):
        with ProtocolServer() as gone:
            pass
        assert "can't be reached" in model(gone).ping().problem


class TestJsonPieces:
    @pytest.mark.parametrize("size", [1, 2, 7, 1000])
    def test_the_same_object_comes_out_however_it_is_cut(self, size):
        text = '<thinking>{"a": 1}</thinking>\n```json\n{"a": "}\\"{", "b": [{"c": "]"}]}\n```\nbye {}'
        pieces = JsonPieces()
        out = "".join(pieces.feed(text[i : i + size]) for i in range(0, len(text), size)) + pieces.finish()
        assert out == '{"a": "}\\"{", "b": [{"c": "]"}]}'
        assert pieces.complete

    @given(
        st.dictionaries(st.text(max_size=6), st.text(max_size=12) | st.lists(st.text(max_size=6)), max_size=4),
        st.sampled_from(["", "\n", "<think>a { b</think>", "```json\n", "Well, {here} it is: "]),
        st.sampled_from(["", "\n```", " That { is } it.", "}"]),
        st.lists(st.integers(1, 9), min_size=1, max_size=9),
    )
    def test_any_object_comes_through_in_any_pieces(self, value, before, after, sizes):
        rest, out, pieces = before + json.dumps(value, ensure_ascii=False) + after, "", JsonPieces()
        for size in itertools.cycle(sizes):
            out += pieces.feed(rest[:size])
            rest = rest[size:]
            if not rest:
                break
        assert json.loads(out + pieces.finish()) == value

    def test_the_largest_object_among_words_is_taken(self):
        pieces = JsonPieces()
        assert pieces.feed('Say {x} or {"a": 1} or {"a": 22}?') == ""
        assert pieces.finish() == '{"a": 22}'

    def test_an_unfinished_object_is_not_complete(self):
        pieces = JsonPieces()
        assert pieces.feed('{"a": ') + pieces.finish() == '{"a": '
        assert not pieces.complete

    def test_ways_to_ask_come_to_an_end(self):
        way, seen = Learned(), []
        while way:
            seen.append(way)
            way = way.lower()
        assert [w.level for w in seen] == ["json_schema", "tool", "json_mode", "plain", "plain"]
