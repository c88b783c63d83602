"""Where the key of a server is, on the command line."""

from __future__ import annotations

import json
import math

import pytest

from core.models.chat_accounts import chat_accounts

KEY = "sk-proj-Zq81xPw7Lm2"


def test_the_command_line_sets_and_shows_where_the_key_is(run, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    url = "https://models.invalid/v1"
    code, out, _ = run("allow", url, "--key", "MY_KEY", "--price-in", "0.5", "--json")
    assert code == 0
    (row,) = (one for one in json.loads(out)["allowed"] if one["name"] == url)
    assert (row["kind"], row["key"], row["price_in"]) == ("server", "MY_KEY", 0.5)
    assert KEY not in out
    assert run("allow", url, "--key", "none", "--price-in", "0")[0] == 0
    assert run("allow", "--key", "MY_KEY")[0] == 1
    assert run("allow", url, "--remove")[0] == 0
    assert math.isnan(chat_accounts().of(url).price_in)


@pytest.mark.parametrize("typed", [KEY, "gsk_0aBcD", "hf_KeyOfAHub", "AKIA0123456789EXAMPL", "_AB"])
def test_a_key_typed_in_place_of_a_name_is_refused_and_not_repeated(run, typed):
    code, out, errors = run("allow", "https://models.invalid/v1", "--key", typed)
    assert code == 1
    assert "never the key itself" in errors
    assert typed not in out + errors
    assert chat_accounts().listed() == {}
    run("allow", "https://models.invalid/v1", "--remove")


def test_a_name_in_small_letters_is_accepted_where_it_is_set_and_kept(run, monkeypatch):
    monkeypatch.setenv("my_key", KEY)
    assert run("allow", "https://models.invalid/v1", "--key", "my_key")[0] == 0
    monkeypatch.delenv("my_key")
    assert run("allow", "https://models.invalid/v1", "--price-in", "1")[0] == 0
    assert chat_accounts().of("https://models.invalid/v1").key == "my_key"
    run("allow", "https://models.invalid/v1", "--remove")
    assert chat_accounts().listed() == {}
