"""Keys of servers of language models: found, sent to their address alone, in no message; prices."""

from __future__ import annotations

import json
import math
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from core.errors import InputError, MissingResource
from core.files.allowed_names import allowed_names
from core.models.chat import ChatRequest
from core.models.chat_accounts import KEYRING, ChatAccount, ChatAccounts, chat_accounts
from core.models.chat_server import ChatServer

KEY = "sk-proj-Zq81xPw7Lm2"


class Guarded(BaseHTTPRequestHandler):
    """A server that lists a model for the key alone, and repeats what it was given."""

    seen: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        given = self.headers.get("Authorization")
        self.seen.append(given)
        is_right = given == f"Bearer {KEY}"
        start = (given or "")[:18]
        choice = {"message": {"content": f"I was given {given}"}}
        listed = {"data": [{"id": "m"}, {"id": f"m of {given}"}], "choices": [choice]}
        said = listed if is_right else {"error": f"wrong: {given} ({start}***)"}
        content = json.dumps(said).encode()
        self.send_response(200 if is_right else 401)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url():
    Guarded.seen.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Guarded)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    allowed_names().named(address)
    yield address
    server.shutdown()
    server.server_close()
    chat_accounts().change(address, key="", price_in=math.nan, price_out=math.nan)


def test_the_key_of_the_named_variable_is_sent(url, monkeypatch):
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    with pytest.raises(InputError, match="--key VARIABLE"):
        ChatServer(url, "m").models()
    chat_accounts().change(url, key="MY_KEY")
    assert "m" in ChatServer(url, "m").models()
    assert Guarded.seen == [None, f"Bearer {KEY}"]


def test_no_message_contains_a_key_or_a_part_of_it(url, monkeypatch):
    wrong = "sk-other-Vb55tyUi"
    monkeypatch.setenv("MY_KEY", wrong)
    chat_accounts().change(url, key="MY_KEY")
    with pytest.raises(InputError) as refusal:
        ChatServer(url, "m").models()
    said = str(refusal.value)
    assert "401" in said
    assert not [at for at in range(len(wrong) - 3) if wrong[at : at + 4] in said]


def test_what_a_server_repeats_of_a_key_is_not_stored(url, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    chat_accounts().change(url, key="MY_KEY")
    server = ChatServer(url, "m")
    assert server.models() == ["m", "m of Bearer …"]
    (answer,) = server.answers([("", "", "")], ChatRequest())
    assert answer.texts == ("I was given Bearer …",)


@pytest.mark.parametrize("key", ["two words", "a\nb", "schlüssel", "\x00"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(key, monkeypatch):
    accounts = ChatAccounts()
    accounts.change("https://host/v1", key="MY_KEY")
    monkeypatch.setattr("os.environ", {"MY_KEY": key})
    with pytest.raises(InputError, match="has characters") as refusal:
        accounts.key_of("https://host/v1")
    assert key not in str(refusal.value)


def test_a_missing_key_is_named_with_a_remedy(monkeypatch):
    accounts = ChatAccounts()
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    accounts.change("https://host/v1/", key="NO_SUCH_KEY")
    with pytest.raises(MissingResource, match="export NO_SUCH_KEY="):
        accounts.key_of("https://host/v1")
    assert accounts.key_of("https://host/v2") == ""


def test_the_keyring_is_asked_for_the_address(monkeypatch):
    import keyring

    asked = []
    monkeypatch.setattr(keyring, "get_password", lambda *names: asked.append(names) or KEY)
    accounts = ChatAccounts()
    accounts.change("https://host/v1", key=KEYRING)
    assert accounts.key_of("https://host/v1") == KEY
    assert asked == [("pyramidion", "https://host/v1")]


@pytest.mark.parametrize(
    ("url", "is_sent"),
    [
        ("https://host/v1", True),
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://localhost:1/v1", True),
        ("http://host/v1", False),
        ("http://localhost.host/v1", False),
    ],
)
def test_no_key_is_sent_unencrypted_over_a_network(url, is_sent, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    accounts = ChatAccounts()
    accounts.change(url, key="MY_KEY")
    if is_sent:
        assert accounts.key_of(url) == KEY
    else:
        with pytest.raises(InputError, match="https"):
            accounts.key_of(url)


def test_accounts_are_stored_without_keys_and_read_by_another_process(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    accounts, other = ChatAccounts(), ChatAccounts()
    for one in (accounts, other):
        one.use_folder(tmp_path)
    accounts.change("https://host/v1", key="MY_KEY", price_in=0.15)
    assert other.of("https://host/v1/").key == "MY_KEY"
    assert KEY not in (tmp_path / "chat_servers.json").read_text()
    assert other.of("https://host/v1").cost(2e6, 0) == pytest.approx(0.3)
    assert math.isnan(other.of("https://host/v1").cost(1, 1))
    accounts.change("https://host/v1", key="", price_in=math.nan)
    assert other.listed() == {}
    (tmp_path / "chat_servers.json").write_text('{"a": 1}')
    with pytest.raises(InputError, match="cannot be read"):
        other.of("https://host/v1")


@pytest.mark.parametrize("changes", [{"key": KEY}, {"price_in": -1.0}, {"price_out": math.inf}])
def test_keys_in_place_of_names_and_wrong_prices_are_refused(changes):
    with pytest.raises(InputError) as refusal:
        ChatAccounts().change("https://host/v1", **changes)
    assert KEY not in str(refusal.value)


def test_an_account_without_prices_costs_nothing_only_without_tokens():
    assert ChatAccount().cost(0, 0) == 0
    assert math.isnan(ChatAccount().cost(1, 0))
