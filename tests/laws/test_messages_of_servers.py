"""No message about a server has a library's representation, a page or a Python exception in it.

Tried to be broken with servers of every kind of the program that are absent, of an unknown name, silent, that
hang up, or that answer with pages, structures and noise, before and after a line that HTTP allows.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from core.errors import InputError, PyramidionError
from core.files.allowed_names import allowed_names
from core.files.study_address import parse_server_url
from core.models.catalogue.hub import query_hub
from core.models.chat_server import ChatServer
from core.scoring import dask_cluster
from core.server_causes import cause_of, said, status_words
from storage.indexes import elastic_connection
from storage.study_file import open_study

FOREIGN = re.compile(
    r"</?\w|Traceback|\b\w*(?:Error|Exception)\b|\w\(['\"{\[]|[{\[]['\"]|Errno|0x[0-9a-f]|\bNone\b|_ssl"
)
PAGE = b"<html><head><title>Bad gateway</title></head><body><h1>nginx</h1></body></html>"
STRUCTURE = (
    b"""{"error": {"message": "BadRequestError(400, {'a': <object at 0x7f11>})", "root_cause": [{"x": 1}]}}"""
)


def _http(status: str, body: bytes, kind: str) -> bytes:
    head = (
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode() + body


ANSWERS: dict[str, bytes | None] = {
    "hangs up": b"",
    "silent": None,
    "noise": b"\x00\xff\x13" * 40,
    "a page": _http("200 OK", PAGE, "text/html"),
    "an error page": _http("500 Internal Server Error", PAGE, "text/html"),
    "a page of a proxy": _http("502 Bad Gateway", PAGE, "text/html"),
    "an error in a structure": _http("400 Bad Request", STRUCTURE, "application/json"),
    "a refused login": _http("401 Unauthorized", STRUCTURE, "application/json"),
    "another structure": _http("200 OK", b'[{"a": 1}]', "application/json"),
    "half of an answer": _http("200 OK", PAGE, "text/html")[:-30],
}

PRODUCT = "application/json\r\nX-Elastic-Product: Elasticsearch"
HTTP_ANSWERS: dict[str, bytes] = {
    "a redirect to no address": _http("302 Found", b"", "text/html\r\nLocation: http://127.0.0.1["),
    "a redirect to a file": _http("307 Found", b"", "text/html\r\nLocation: file:///etc/passwd"),
    "structures in structures": _http("200 OK", b"[" * 100_000, PRODUCT),
    "a text for a structure": _http("200 OK", b'{"version": "8", "data": "m", "siblings": "f"}', PRODUCT),
    "a structure for a text": _http("200 OK", b'{"version": {"number": ["8"]}}', PRODUCT),
    "commands to a terminal": _http(
        "400 Bad",
        rb'{"error": {"message": "\u001b[2J\u202e a", "reason": "\u001b[2J", "type": "\u0007"}}',
        PRODUCT,
    ),
    "a page as the kind of error": _http("400 Bad", b'{"error": {"type": "' + PAGE * 9 + b'"}}', PRODUCT),
}


def _elasticsearch(place: str) -> None:
    elastic_connection.connect(f"http://{place}").close()


def _tls(place: str) -> None:
    elastic_connection.connect(f"https://{place}").close()


def _language_model(place: str) -> None:
    allowed_names().named(f"http://{place}/v1")
    ChatServer(f"http://{place}/v1", "tiny").models()


def _hub(place: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HF_ENDPOINT", f"http://{place}")
        query_hub("org/model")


def _postgresql(place: str) -> None:
    open_study(parse_server_url(f"postgresql+psycopg://ann@{place}/study")).close()


def _dask(place: str) -> None:
    dask_cluster.connect(f"tcp://{place}").close()


CLIENTS: dict[str, Callable[[str], None]] = {
    "Elasticsearch": _elasticsearch,
    "Elasticsearch over TLS": _tls,
    "language model": _language_model,
    "hub": _hub,
    "PostgreSQL": _postgresql,
    "Dask": _dask,
}


@contextmanager
def _server(answer: bytes | None) -> Iterator[str]:
    """Provide the place of a server that gives each connection one answer, None = waits in silence."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                if answer is None:
                    held.append(connection)
                    continue
                threading.Thread(target=_reply, args=(connection, answer), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        for connection in held:
            connection.close()


def _reply(connection: socket.socket, answer: bytes) -> None:
    with closing(connection):
        connection.settimeout(0.2)
        try:
            connection.recv(65536)
            connection.sendall(answer)
        except OSError:
            pass


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    for module in ("elasticsearch", "distributed", "psycopg"):
        pytest.importorskip(module)
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(elastic_connection, "TIMEOUT_S", 0.5)
    monkeypatch.setattr("core.models.chat_server._LISTING_SECONDS", 0.5)
    monkeypatch.setattr("core.models.catalogue.hub.TIMEOUT_S", 0.5)
    monkeypatch.setattr("storage.database.server.server_engine.CONNECT_SECONDS", 2)
    monkeypatch.setattr(dask_cluster, "_WAIT", 1.0)


def _message(ask: Callable[[str], None], place: str) -> str:
    with pytest.raises(PyramidionError) as failed:
        ask(place)
    return str(failed.value)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("kind", CLIENTS)
def test_a_server_that_is_not_the_one_meant_is_described_in_words(kind, answer):
    with _server(ANSWERS[answer]) as place:
        message = _message(CLIENTS[kind], place)
    assert not FOREIGN.search(message), message
    assert place in message or (kind == "hub" and "The hub" in message)


@pytest.mark.parametrize("answer", HTTP_ANSWERS)
@pytest.mark.parametrize("kind", ["Elasticsearch", "language model", "hub"])
def test_hostile_answers_over_http_are_described_in_words(kind, answer):
    with _server(HTTP_ANSWERS[answer]) as place:
        message = _message(CLIENTS[kind], place)
    assert not FOREIGN.search(message), message
    assert message.isprintable()
    assert place in message or (kind == "hub" and "The hub" in message)


@pytest.mark.parametrize("kind", CLIENTS)
def test_absent_servers_are_named_with_one_and_the_same_cause(kind, monkeypatch):
    with _server(b"") as place:
        pass
    for seconds in (1.0, 10.0, 60.0):  # a busy machine may not even have tried in the first ones
        monkeypatch.setattr(dask_cluster, "_WAIT", seconds)
        if "in time" not in (message := _message(CLIENTS[kind], place)):
            break
    assert not FOREIGN.search(message), message
    assert "refuses the connection" in message


@pytest.mark.parametrize(
    "told",
    [
        "failed to resolve host 'h': [Errno -2] Name or service not known",  # psycopg
        "<urllib3.connection.HTTPConnection object at 0x7f>: Failed to resolve 'h' ([Errno -3] Temporary "
        "failure in name resolution)",
        "[Errno 8] nodename nor servname provided, or not known",  # macOS
        "[Errno 11001] getaddrinfo failed",  # Windows
    ],
)
def test_unknown_names_have_one_and_the_same_cause(told):
    assert cause_of(OSError(told)) == "its name is unknown"


def test_the_innermost_error_is_the_cause():
    error = RuntimeError("timed out trying to connect")
    error.__cause__ = ConnectionRefusedError(111, "Connection refused")
    assert cause_of(error) == "it refuses the connection"
    assert cause_of(InputError("something else"), "who knows") == "who knows"


@pytest.mark.parametrize(
    "text", ["", PAGE.decode(), STRUCTURE.decode(), "KeyError: 'a'", "f(x='1')", '["a"]']
)
def test_what_is_not_a_line_for_people_is_not_repeated(text):
    assert said(text, "nothing") == "nothing"


def test_every_status_of_a_failure_has_words():
    assert all(status_words(status).endswith(f", HTTP {status}") for status in range(400, 600))
    assert said('database "missing" does not exist.') == 'database "missing" does not exist'
