"""Connection to an Elasticsearch server: addresses, credentials, error messages.

Credentials come only from the environment, together with the host they are for: addresses are part of
signatures and studies and never contain any.
"""

from __future__ import annotations

import os
import random
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from core.errors import InputError, MissingResource, PyramidionError
from core.extras import require
from core.models.catalogue.hub import offline_reason
from core.progress import raise_if_cancelled
from core.retrieval.protocols import SERVER_SCHEME as SCHEME
from core.server_causes import cause_of, said
from core.server_secrets import (
    checked_secret,
    is_loopback,
    may_receive_secrets,
    without_login,
    without_secrets,
)

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

TIMEOUT_S = 30.0
LEAST_SERVER, MOST_SERVER = 8, 9
"""Major server versions that the client of version 8 supports."""

API_KEY = "PYRAMIDION_ELASTICSEARCH_API_KEY"
USER, PASSWORD = "PYRAMIDION_ELASTICSEARCH_USER", "PYRAMIDION_ELASTICSEARCH_PASSWORD"
HOST = "PYRAMIDION_ELASTICSEARCH_HOST"
CERTIFICATE = "PYRAMIDION_ELASTICSEARCH_CA"
FINGERPRINT = "PYRAMIDION_ELASTICSEARCH_FINGERPRINT"

TOO_MANY = 429
TRIES, TRIES_AWAY = 6, 8
"""Tries of a request that a server rejects as overloaded, or that finds no server: it may be starting."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
"""Waits between tries; each is twice as long."""

NO_REASON = "it sent a page instead of a reason"

_NO_NAME = re.compile(r"[-_+.]|.*[\s\\/*?\"<>|,#:]", re.DOTALL)
_LONGEST_NAME = 255
_FINGERPRINT = re.compile(r"(?:[0-9A-F]{2}:?){31}[0-9A-F]{2}", re.IGNORECASE)

T = TypeVar("T")
Item = TypeVar("Item")


class ServerBusy(InputError):
    """The server rejects requests for now. seconds: how long it asked to wait, 0 = it did not say."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class ServerAway(MissingResource):
    """No server answers at the address; it may have been stopped or be starting."""


class RequestTooLarge(InputError):
    """The server, or a proxy in front of it, takes only smaller requests."""


@dataclass(frozen=True, slots=True)
class Address:
    """Location of an index: the server's URL and the index's name."""

    server: str
    name: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.server}/{self.name}"


def is_address(name: str) -> bool:
    """Return whether an index's name is an address on a server."""
    return name.startswith(SCHEME)


def address_of(text: str) -> Address:
    """Parse an address, ``elasticsearch:https://HOST:9200/NAME``. Raises InputError with the reason."""
    server, _, name = text.removeprefix(SCHEME).rstrip("/").rpartition("/")
    check_server(server)
    check_name(name)
    return Address(server, name)


def target_of(text: str, name: str) -> Address:
    """Return where to send an index: an address, or a server's URL with this name in lower case."""
    server = text.removeprefix(SCHEME).rstrip("/")
    return address_of(f"{server}/{name.lower()}" if server.count("/") == 2 else server)


def check_server(server: str) -> None:
    """Raise InputError unless a text is a server's URL without credentials."""
    try:
        parts = urlsplit(server)
        host, has_secret = parts.hostname, bool("@" in parts.netloc or parts.query or parts.fragment)
    except ValueError:
        host, has_secret = None, False
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(
            f"{without_login(server)!r} is not the address of a server. Write it as "
            "elasticsearch:https://localhost:9200/NAME."
        )
    if has_secret:
        raise InputError(
            "An address with a user name, password or query would be stored. Remove them, and set "
            f"{API_KEY}, or {USER} and {PASSWORD}, and {HOST}, in the environment."
        )


def check_name(name: str) -> None:
    """Raise InputError unless Elasticsearch accepts this name for an index."""
    if not name or name != name.lower() or _NO_NAME.match(name) or len(name.encode()) > _LONGEST_NAME:
        raise InputError(
            f"{name!r} is not a valid index name on Elasticsearch. Use lower-case letters and "
            "digits, and - _ . after "
            "the first character."
        )


def connect(server: str) -> Elasticsearch:
    """Connect to a server of a supported version.

    Raises InputError offline, or if there is no such server; MissingResource without the client package.
    """
    if why := offline_reason():
        raise InputError(f"The index is on the server {server}. {why}")
    require("elasticsearch")
    from elasticsearch import Elasticsearch

    login = credentials_for(server)
    with map_errors(server):
        client = Elasticsearch(
            server,
            request_timeout=TIMEOUT_S,
            retry_on_status=(),  # `patiently` does, and waits
            **login,
            **_certificate(server),
        )
    try:
        with map_errors(server):
            _check_version(server, client.info())
    except BaseException:
        client.close()
        raise
    return client


def credentials_for(server: str) -> dict[str, Any]:
    """Return the credentials from the environment for this server, empty if they are for another one.

    Credentials are for the one host in HOST, or for this computer if HOST is not set: an address from a
    study, signature or message must not receive them. Raises InputError if they would be sent unencrypted.
    """
    key, user = os.environ.get(API_KEY, ""), os.environ.get(USER, "")
    if not (key or user) or not _is_bound_to(server):
        return {}
    if not may_receive_secrets(server):
        raise InputError(
            f"{server} would receive your credentials unencrypted. Use its https address, or "
            f"unset {API_KEY} and "
            f"{USER}."
        )
    if key:
        return {"api_key": checked_secret(key, API_KEY)}
    return {
        "basic_auth": (checked_secret(user, USER), checked_secret(os.environ.get(PASSWORD, ""), PASSWORD))
    }


def _is_bound_to(server: str) -> bool:
    """Return whether the credentials in the environment are for this server."""
    host = os.environ.get(HOST, "").strip()
    if not host:
        return is_loopback(server)
    try:
        url = urlsplit(host if "://" in host else f"//{host}")
        address = urlsplit(server)
        same_port = url.port is None or url.port == address.port
    except ValueError as error:
        raise InputError(
            f"{HOST} is {host!r}. Set it to the host of your server, such as es.example.org."
        ) from error
    same_scheme = url.scheme in ("", address.scheme)
    return _host(url.hostname) == _host(address.hostname) != "" and same_port and same_scheme


def _host(name: str | None) -> str:
    return (name or "").lower().rstrip(".")


def _certificate(server: str) -> dict[str, Any]:
    """Return what a server's certificate is checked by, where it is unknown to the system.

    The file of its authority, or the SHA-256 fingerprint of the certificate itself, which wins.
    """
    file, fingerprint = os.environ.get(CERTIFICATE, ""), os.environ.get(FINGERPRINT, "").strip()
    if not server.startswith("https:"):
        return {}
    if fingerprint:
        if not _FINGERPRINT.fullmatch(fingerprint):
            raise InputError(
                f"{FINGERPRINT} is not a SHA-256 fingerprint of 64 hexadecimal digits. Correct it, or "
                "unset it."
            )
        return {"ssl_assert_fingerprint": fingerprint.replace(":", "").lower()}
    if not file:
        return {}
    if not os.path.isfile(file):  # noqa: PTH113 - what the client itself asks
        raise InputError(f"{CERTIFICATE} names {file}, which is not a file. Correct it, or unset it.")
    return {"ca_certs": file}


def _check_version(server: str, response: Any) -> None:
    with reading(server):
        number = said(str(response["version"]["number"]), "")
    if number.partition(".")[0] not in map(str, range(LEAST_SERVER, MOST_SERVER + 1)):
        raise _too_other(server, number or "of an unknown version")


def _too_other(server: str, version: str) -> InputError:
    return InputError(
        f"The server {server} is Elasticsearch {version}, but only {LEAST_SERVER} to "
        f"{MOST_SERVER} are supported. "
        "Choose another server, or build the index on this computer: pyramidion index build"
    )


def patiently(server: str, name: str, call: Callable[[], T], *, tries: int | None = None) -> T:
    """Return the result of a request, repeated with growing waits while the server is busy or away.

    name: of the index. tries: while it is busy, None = TRIES.
    Raises as `map_errors` does. The wait ends where the job is cancelled.
    """
    wait = FIRST_WAIT_S
    for number in count(1):
        try:
            with map_errors(server, name):
                return call()
        except ServerBusy as busy:
            if number >= (TRIES if tries is None else tries):
                raise
            seconds = busy.seconds
        except ServerAway:
            if number >= TRIES_AWAY:
                raise
            seconds = 0.0
        pause(seconds or min(wait * random.uniform(0.5, 1.0), LONGEST_WAIT_S))
        wait *= 2
    raise AssertionError("the last try returns or raises")


def answers_to(
    server: str,
    name: str,
    items: Sequence[Item],
    send: Callable[[Sequence[Item]], Sequence[Mapping[str, Any]]],
) -> list[Mapping[str, Any]]:
    """Return the server's answer to each of many items, which are sent together.

    What the server rejects as overloaded is sent again, fewer items at once, down to one, which is tried with
    growing waits; then more again. Where a request is too large, half of it is sent.
    send: returns the answers to some of the items, each with its HTTP status.
    Raises RequestTooLarge where one item alone is too large, ServerBusy where the server rejects one for
    long, and else as `patiently`.
    """
    answers: list[Mapping[str, Any]] = [{}] * len(items)
    waiting, size, most = list(range(len(items))), len(items), len(items)
    while waiting:
        some = waiting[:size]
        try:
            given = _sent(server, name, partial(send, [items[at] for at in some]), len(some))
        except RequestTooLarge:
            if len(some) == 1:
                raise
            size = most = len(some) // 2
            continue
        except ServerBusy as busy:
            if len(some) == 1:
                raise
            size = len(some) // 2
            pause(busy.seconds or FIRST_WAIT_S)
            continue
        answers_there = dict(zip(some, given, strict=True))
        rejected = [at for at, answer in answers_there.items() if is_rejected(answer)]
        for at in answers_there.keys() - rejected:
            answers[at] = answers_there[at]
        waiting = rejected + waiting[len(some) :]
        size = max(1, len(some) // 2) if rejected else min(2 * len(some), most)
        if rejected:
            pause(FIRST_WAIT_S)
    return answers


def _sent(
    server: str, name: str, send: Callable[[], Sequence[Mapping[str, Any]]], items: int
) -> Sequence[Mapping[str, Any]]:
    """Return the answers to some items. Raises ServerBusy if the server is busy, for one item after TRIES."""
    is_alone = items == 1

    def call() -> Sequence[Mapping[str, Any]]:
        answers = send()
        if len(answers) != items:
            raise _unreadable(server)
        if is_alone and is_rejected(answers[0]):
            raise ServerBusy(_overloaded(server, TOO_MANY))
        return answers

    return patiently(server, name, call, tries=None if is_alone else 1)


def is_rejected(answer: Mapping[str, Any]) -> bool:
    """Return whether an overloaded server has rejected an item of a request, which may be sent again."""
    error = str(answer.get("error", ""))
    return not is_disk_full(error) and (
        answer.get("status") == TOO_MANY or "es_rejected_execution_exception" in error
    )


def pause(seconds: float) -> None:
    """Wait; raises Cancelled where the job is cancelled meanwhile."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        raise_if_cancelled()
        time.sleep(min(left, 0.1))


@contextmanager
def map_errors(server: str, name: str = "") -> Iterator[None]:
    """Convert errors of a server to messages. name: of the queried index."""
    from elasticsearch import ApiError, TransportError

    try:
        yield
    except (ApiError, TransportError) as error:
        raise _as_error(server, name, error) from error
    except RecursionError:
        raise _unreadable(server) from None
    except (ValueError, OSError) as error:  # an invalid address or certificate
        raise InputError(
            f"{server} cannot be used ({cause_of(error, 'its address is not valid')}). Check the address "
            f"and {CERTIFICATE}."
        ) from error


@contextmanager
def reading(server: str) -> Iterator[None]:
    """Raise InputError where an answer has not the structure of Elasticsearch's: any program may answer."""
    try:
        yield
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError) as error:
        raise _unreadable(server) from error


def _as_error(server: str, name: str, error: Exception) -> PyramidionError:
    from elasticsearch import ApiError, ConnectionTimeout, SSLError, UnsupportedProductError
    from elasticsearch import ConnectionError as NotConnected

    if isinstance(error, UnsupportedProductError):
        return InputError(
            f"The server at {server} is not Elasticsearch; OpenSearch and others are not supported. Check "
            "the address and the port."
        )
    if isinstance(error, ApiError):
        retry_after = error.meta.headers.get("retry-after")
        return refusal(server, name, error.meta.status, reason_of(error.body, server), retry_after)
    if isinstance(error, ConnectionTimeout):
        return InputError(
            f"{server} did not answer within {TIMEOUT_S:.0f} seconds. Check whether it is "
            "overloaded, and try "
            "again; finished work is not lost."
        )
    if isinstance(error, SSLError) and "WRONG_VERSION_NUMBER" in str(error):
        return InputError(f"{server} does not speak https. Write its address with http://.")
    if isinstance(error, SSLError):
        return InputError(
            f"{server} cannot be used ({cause_of(error)}). Set {CERTIFICATE} "
            "to the file of its authority, such as http_ca.crt."
        )
    if isinstance(error, NotConnected):
        return ServerAway(
            f"{server} cannot be reached ({cause_of(error)}). Check the address, whether "
            "Elasticsearch is running, "
            "and whether it requires https."
        )
    return _unreadable(server)


def _unreadable(server: str) -> InputError:
    return InputError(f"The answer of {server} cannot be read. Check that the server is Elasticsearch.")


def reason_of(body: Any, server: str) -> str:
    """Return the reason in the body of a server's error: a line without pages, structures and secrets."""
    login = credentials_for(server)
    secrets = [login.get("api_key", ""), login.get("basic_auth", ("", ""))[1]]
    if "basic_auth" in login:
        secrets.append(b64encode(":".join(login["basic_auth"]).encode()).decode())
    return without_secrets(_reason_of(body), secrets)


def _reason_of(body: Any) -> str:
    error = body.get("error") if isinstance(body, Mapping) else body
    if isinstance(error, str) and error.strip():
        return said(error, NO_REASON)
    if not isinstance(error, Mapping):
        return "without a reason"
    listed = error.get("root_cause")
    roots = listed if isinstance(listed, list) else ()
    causes = [cause for cause in (error, *roots) if isinstance(cause, Mapping)]
    parts = [[said(str(cause.get(key, "")), "") for key in ("type", "reason")] for cause in causes]
    return "; ".join(dict.fromkeys(": ".join(filter(None, part)) for part in parts)) or "without a reason"


def refusal(
    server: str, name: str, status: int, response: str, retry_after: str | None = None
) -> PyramidionError:
    """Return the error of a request, or of an item of it. name: of the index. response: the reason."""
    if status == 401 and (login := credentials_for(server)):
        who = f"for user {login['basic_auth'][0]}" if "basic_auth" in login else "by API key"
        return InputError(
            f"{server} refuses the login {who}. Correct {PASSWORD if 'basic_auth' in login else API_KEY} in "
            "the environment."
        )
    if status == 401:
        return InputError(
            f"{server} requires a login. Set {API_KEY}, or {USER} and {PASSWORD}, in the environment, and "
            f"{HOST} to the host they are for."
        )
    if status == 403:
        return InputError(
            f"{server} does not permit this ({response}). Ask its administrator for permission."
        )
    if status == 404 and name:
        return MissingResource(
            f"{server} has no index named {name}. Upload one: pyramidion index upload INDEX {server}/{name}"
        )
    if "media_type_header_exception" in response or status == 406:
        return _too_other(server, "of another version")
    if is_disk_full(response):
        return disk_full(server)
    if status == 413:
        return RequestTooLarge(
            f"{server} takes no requests of this size, or a proxy in front of it. Ask its administrator."
        )
    if status in (TOO_MANY, 502, 503, 504):
        seconds = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0
        return ServerBusy(_overloaded(server, status), min(seconds, LONGEST_WAIT_S))
    if "index_closed_exception" in response:
        return InputError(f"The index {name} on {server} is closed. Open it on the server.")
    if response == NO_REASON and server.startswith("http:"):
        return InputError(
            f"{server} does not answer as Elasticsearch does (HTTP {status}). Check the address, and whether "
            "it requires https."
        )
    return InputError(f"{server} rejected a request ({response}). Nothing was changed.")


def _overloaded(server: str, status: int) -> str:
    return f"{server} is overloaded (HTTP {status}). Try again later; finished work is not lost."


def is_disk_full(response: str) -> bool:
    """Return whether a rejection is due to the flood stage of a nearly full disk."""
    return "read-only-allow-delete" in response or "flood-stage watermark" in response


def disk_full(server: str) -> InputError:
    """Return the error of a server whose disk is nearly full."""
    return InputError(
        f"{server} has made the index read-only, as its disk is nearly full. Free space on the server, and "
        "run the same command again; finished work is not lost."
    )
