"""Servers that may be contacted."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.retrieval.allowed_servers import AllowedServers, server_of


def test_an_allowed_server_covers_all_its_paths(tmp_path):
    named = AllowedServers()
    named.use_folder(tmp_path / "settings")
    assert not named.has("https://host:9200")
    named.add("https://host:9200")
    named.add("https://host:9200")
    again = AllowedServers()
    again.use_folder(tmp_path / "settings")
    assert again.has("https://host:9200")
    assert again.has("https://host:9200/behind/a/proxy")
    assert not again.has("https://host:92000")
    assert not again.has("http://host:9200")


def test_credentials_are_never_stored(tmp_path):
    named = AllowedServers()
    named.use_folder(tmp_path)
    named.add("https://me:secret@host:9200")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_reported(tmp_path):
    (tmp_path / "servers.json").write_text("[")
    named = AllowedServers()
    named.use_folder(tmp_path)
    with pytest.raises(InputError, match=r"servers\.json"):
        named.has("https://host")


@pytest.mark.parametrize(
    ("index", "server"),
    [
        ("documents", ""),
        ("pubmed", ""),
        ("elasticsearch:https://host:9200/a", "https://host:9200"),
        ("elasticsearch:https://host/es/a/", "https://host/es"),
    ],
)
def test_the_server_of_an_address_is_extracted(index, server):
    assert server_of(index) == server
