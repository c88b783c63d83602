"""No message repeats a secret of a server, and none is sent unencrypted over a network.

Tried to be broken with servers of every kind that repeat the header in which they got the secret, whole and
in part, and with addresses that have a user, a password, or a key in their query.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from core.errors import PyramidionError
from core.files.allowed_names import allowed_names
from core.models.catalogue.hub import query_hub
from core.models.chat import check_address
from core.models.chat_accounts import chat_accounts
from core.models.chat_server import ChatServer
from core.server_secrets import without_login
from storage.indexes import elastic_connection

SECRET = "Zq81xPw7Lm2T"


def _language_model(url: str, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("MY_KEY", SECRET)
    allowed_names().named(url)
    chat_accounts().change(url, key="MY_KEY")
    try:
        ChatServer(url, "tiny").models()
    finally:
        chat_accounts().change(url, key="", price_in=math.nan, price_out=math.nan)


def _elasticsearch(url: str, patch: pytest.MonkeyPatch, **login: str) -> None:
    pytest.importorskip("elasticsearch")
    for name, value in {"HOST": url, **login}.items():
        patch.setenv(getattr(elastic_connection, name), value)
    elastic_connection.connect(url).close()


def _key_of_elasticsearch(url: str, patch: pytest.MonkeyPatch) -> None:
    _elasticsearch(url, patch, API_KEY=SECRET)


def _password_of_elasticsearch(url: str, patch: pytest.MonkeyPatch) -> None:
    _elasticsearch(url, patch, USER="ann", PASSWORD=SECRET)


def _hub(url: str, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_ENDPOINT", url)
    patch.setenv("HF_TOKEN", SECRET)
    query_hub("org/model")


CLIENTS: dict[str, Callable[[str, pytest.MonkeyPatch], None]] = {
    "language model": _language_model,
    "Elasticsearch by key": _key_of_elasticsearch,
    "Elasticsearch by password": _password_of_elasticsearch,
    "hub": _hub,
}


@pytest.fixture
def repeating() -> Iterator[tuple[str, list[str]]]:
    """Provide the address of a server that repeats the login that it gets, and a list of these."""
    got: list[str] = []

    class Repeating(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            login = self.headers["Authorization"]
            got.append(login)
            told = f"wrong: {login}, {login[-9:]} and {login.split()[-1][2:8]}"
            body = json.dumps({"error": {"message": told, "type": told, "reason": told}}).encode()
            self.send_response(400, told)
            for name, value in (("X-Elastic-Product", "Elasticsearch"), ("X-Error-Message", told)):
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Repeating)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def _online(monkeypatch):
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("kind", CLIENTS)
def test_no_message_has_a_part_of_a_secret_that_a_server_repeats(kind, repeating, monkeypatch):
    url, got = repeating
    with pytest.raises(PyramidionError) as refused:
        CLIENTS[kind](url, monkeypatch)
    (login,) = got
    sent = login.split()[-1]
    for secret in (SECRET, sent):
        parts = {secret[at : at + 4] for at in range(len(secret) - 3)}
        assert not [part for part in parts if part in str(refused.value)], refused.value


# huggingface_hub joins the lines of a token
@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        *((kind, f"ü{SECRET}…") for kind in CLIENTS),
        *((k, f"{SECRET}\n{SECRET}") for k in CLIENTS if k != "hub"),
    ],
)
def test_a_secret_that_cannot_be_sent_is_named_by_its_place(kind, secret, repeating, monkeypatch):
    url, got = repeating
    monkeypatch.setattr(f"{__name__}.SECRET", secret)
    with pytest.raises(PyramidionError, match=r"characters that (no key has|cannot be sent)") as refused:
        CLIENTS[kind](url, monkeypatch)
    assert SECRET not in str(refused.value)
    assert got == []


@pytest.mark.parametrize("kind", CLIENTS)
def test_no_secret_is_sent_unencrypted_over_a_network(kind, monkeypatch):
    with pytest.raises(PyramidionError, match="unencrypted"):
        CLIENTS[kind]("http://models.invalid", monkeypatch)


@pytest.mark.parametrize(
    "url",
    [
        f"https://ann:{SECRET}@h.invalid/v1",
        f"https://ann:a/{SECRET}?@h.invalid",
        f"ann:{SECRET}@h.invalid",
        f"https://h.invalid/v1?api_key={SECRET}",
        f"elasticsearch:https://ann:{SECRET}@h.invalid/x",
    ],
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(url, monkeypatch):
    assert SECRET not in without_login(url)
    assert "h.invalid" in without_login(url)
    monkeypatch.setenv("HF_ENDPOINT", url.replace("https:", "ftp:"))
    for refuse in (check_address, lambda _: query_hub("org/model")):
        with pytest.raises(PyramidionError) as refused:
            refuse(url)
        assert SECRET not in str(refused.value)


def test_a_hub_that_cannot_be_reached_is_named_without_its_password(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", f"http://ann:{SECRET}@127.0.0.1:1")
    monkeypatch.setenv("HF_TOKEN", "")
    with pytest.raises(PyramidionError, match=r"http://…@127\.0\.0\.1:1") as refused:
        query_hub("org/model")
    assert SECRET not in str(refused.value)
