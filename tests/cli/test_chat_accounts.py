"""Where the key of a server is, on the command line."""

from __future__ import annotations

import json
import math

from core.models.chat_accounts import chat_accounts

KEY = "sk-proj-Zq81xPw7Lm2"


def test_the_command_line_sets_and_shows_where_the_key_is(run, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    url = "https://models.invalid/v1"
    code, out, _ = run("allow", url, "--key", "MY_KEY", "--price-in", "0.5", "--json")
    assert code == 0
    (row,) = (one for one in json.loads(out)["allowed"] if one["name"] == url)
    assert (row["key"], row["price_in"]) == ("MY_KEY", 0.5)
    assert KEY not in out
    assert run("allow", url, "--key", "none", "--price-in", "0")[0] == 0
    assert run("allow", "--key", "MY_KEY")[0] == 1
    assert run("allow", url, "--remove")[0] == 0
    assert math.isnan(chat_accounts().of(url).price_in)
