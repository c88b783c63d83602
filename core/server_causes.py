"""Causes of a server's errors in words: one table for every kind of server.

Elasticsearch, PostgreSQL, Dask, the hub of models and servers of language models fail in the same ways, and
each library reports that in its own. A message of these words has no library's representation of an error, no
page and no Python exception in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

UNKNOWN = "there is no connection"

_CAUSES: tuple[tuple[str, str], ...] = (
    # certificates and encryption, which libraries report inside other errors
    ("WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE|does not support SSL", "it does not speak https or TLS"),
    ("hostname mismatch|doesn't match|not valid for '", "its certificate is of another host"),
    ("certificate has expired", "its certificate has expired"),
    ("self-signed|self signed", "its certificate is self-signed"),
    ("no certificate or crl|NO_CERTIFICATE", "the file of its certificate authority has no certificate"),
    ("certificate|CERTIFICATE|SSLError|TLSV1|SSL error", "its certificate is not trusted"),
    # finding the server
    ("refused|ConnectionRefused", "it refuses the connection"),
    (
        "Name or service|getaddrinfo|resolve|gaierror|nodename|No address associated|Name resolution",
        "its name is unknown",
    ),
    ("unreachable|No route", "its network cannot be reached"),
    # losing it
    (
        "[Dd]isconnected|reset|aborted|Broken pipe|broken pipe|IncompleteRead|bytes are missing|CommClosed|"
        "[Cc]onnection closed|closed the connection|Stream is closed|EOF",
        "it broke the connection off",
    ),
    ("[Tt]imed? ?out|TimeoutError|timeout expired|takes longer", "it did not answer in time"),
    # what PostgreSQL says, in its words
    ("password authentication failed|no pg_hba.conf entry|authentication failed", "it refuses the login"),
    (
        "too many (clients|connections)|remaining connection slots|connection limit",
        "it has too many connections",
    ),
    ("is starting up|in recovery mode|not yet accepting", "it is starting"),
    ("administrator command", "its administrator ended the connection"),
    ("shutting down", "it is being shut down"),
    # what is not the program that was meant
    (
        "Handshake|magic|RemoteProtocol|BadStatusLine|invalid response|unsupported frontend",
        "it is another program",
    ),
)
"""A regular expression of what libraries and systems write, and what it means; the first that matches counts:
the certain ones stand before what they may look like from outside."""

_BY_STATUS = {
    401: "it requires a login",
    403: "it does not permit this",
    404: "it has nothing at this address",
    407: "a proxy requires a login",
    408: "it did not answer in time",
    413: "it takes no requests of this size",
    429: "it is overloaded",
    500: "it failed itself",
    501: "it does not know the request",
    502: "a proxy does not reach it",
    503: "it is overloaded or starting",
    504: "a proxy waited too long for it",
}
_BY_HUNDREDS = {3: "it redirects to another address", 4: "it refuses the request", 5: "it failed itself"}
_LONGEST = 300
_STRUCTURE = re.compile(
    r"<\s*[/!a-zA-Z]|[{\[]\s*['\"]|\w+(Error|Exception)\b|\bTraceback\b|0x[0-9a-f]{4}|\w\(.*['\"=]"
)
"""Signs of a page, of JSON, and of a Python exception or value."""


def cause_of(error: BaseException, otherwise: str = UNKNOWN) -> str:
    """Return why a server cannot be used, for brackets or after a colon.

    It is looked for in the error, in the ones that it was raised from and in the ones that it holds.
    """
    chain = list(_chain(error))
    if status := next(filter(None, map(status_of, chain)), 0):
        return status_words(status)
    told = "\n".join(f"{type(one).__name__}: {one}" for one in chain)
    return next((words for sign, words in _CAUSES if re.search(sign, told)), otherwise)


def status_of(error: BaseException) -> int:
    """Return the HTTP status that an error of any client holds, 0 = none."""
    for holder in (error, getattr(error, "response", None), getattr(error, "meta", None)):
        for name in ("status_code", "code", "status"):
            if isinstance(status := getattr(holder, name, None), int) and 400 <= status < 600:
                return status
    return 0


def status_words(status: int) -> str:
    """Return what an HTTP status of a request that did not succeed means, with its number."""
    words = _BY_STATUS.get(status) or _BY_HUNDREDS.get(status // 100, "it does not speak HTTP")
    return f"{words}, HTTP {status}"


def said(text: str, otherwise: str = "without a reason") -> str:
    """Return what a server wrote to its users as one short line without a full stop.

    Characters that are not printed, such as commands to a terminal, are left out. A page, a structure or an
    exception is no line: `otherwise` is returned.
    """
    line = " ".join("".join(sign for sign in word if sign.isprintable()) for word in text.split())
    if not line or _STRUCTURE.search(line):
        return otherwise
    return (line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…").rstrip(".")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that it holds or was raised from, the outer ones first."""
    waiting, seen = [error], set()
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        held = [
            one.__cause__,
            one.__context__,
            getattr(one, "reason", None),
            *(getattr(one, "errors", None) or ()),
        ]
        waiting += [inner for inner in held if isinstance(inner, BaseException)]
