"""Secrets of servers: where they may be sent, and messages without them.

Keys, tokens and passwords are only sent encrypted or to this computer. No message contains them, even if the
server's answer or its address does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from core.errors import InputError

_SHORTEST = 4
"""Letters in a row of a secret that no message contains."""

_SCHEME = re.compile(r"(?:\w[\w+.-]*:)+//")
_SENDABLE = re.compile("[ -~]*")
_QUERY = re.compile(r"\?.+", re.DOTALL)


def is_loopback(url: str) -> bool:
    """Return whether a URL leads to this computer."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def may_receive_secrets(url: str) -> bool:
    """Return whether nobody between this computer and a server can read what it is sent."""
    return url.lower().startswith("https://") or is_loopback(url)


def checked_secret(secret: str, where: str) -> str:
    """Return a key, token or password without white space around it.

    where: its place, for the message. Raises InputError, without the secret, for one that cannot be sent.
    """
    if not _SENDABLE.fullmatch(secret.strip()):
        raise InputError(
            f"{where} has characters that cannot be sent. Store it again: ASCII signs in a line."
        )
    return secret.strip()


def without_login(url: str) -> str:
    """Return an address for messages: without user, password and query."""
    login, sign, place = url.rpartition("@")
    scheme = _SCHEME.match(login)
    return _QUERY.sub("?…", f"{scheme[0] if scheme else ''}…@{place}" if sign else url)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Return a server's text without these secrets, and without words that have a part of one."""
    for secret in filter(None, secrets):
        runs = {secret[at : at + _SHORTEST] for at in range(len(secret) - _SHORTEST + 1)}
        words = re.split(r"(\s+)", text.replace(secret, "…"))
        text = "".join("…" if any(run in word for run in runs) else word for word in words)
    return text
