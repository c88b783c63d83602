"""Connection to an Elasticsearch server: addresses, credentials, error messages.

Credentials come only from the environment, together with the host they are for: addresses are part of
signatures and studies and never contain any.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from core.errors import InputError, MissingResource, PyramidionError
from core.models.catalogue.hub import offline_reason
from core.progress import raise_if_cancelled
from core.retrieval.protocols import SERVER_SCHEME as SCHEME

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
TRIES = 6
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
"""Waits between tries of a request that an overloaded server rejected; each is twice as long."""

_NO_NAME = re.compile(r"[-_+.]|.*[\s\\/*?\"<>|,#:]", re.DOTALL)
_LONGEST_NAME = 255
_FINGERPRINT = re.compile(r"(?:[0-9A-F]{2}:?){31}[0-9A-F]{2}", re.IGNORECASE)

T = TypeVar("T")


class ServerBusy(InputError):
    """The server rejects requests for now. seconds: it asked to wait so long, 0 = it did not say."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.seconds = seconds


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
        host, has_secret = parts.hostname, "@" in parts.netloc
    except ValueError:
        host, has_secret = None, False
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(
            f"{_without_secret(server)!r} is not the address of a server. Write it as "
            "elasticsearch:https://localhost:9200/NAME."
        )
    if has_secret:
        raise InputError(
            "An address with a user name or password would be stored in the study. Remove them, and set "
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
    try:
        from elasticsearch import Elasticsearch
    except ImportError:
        raise MissingResource(
            "Indexes on Elasticsearch require its client, which is not installed. Run: pip "
            "install 'elasticsearch<9'"
        ) from None
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
    if urlsplit(server).scheme != "https" and not _is_loopback(server):
        raise InputError(
            f"{server} would receive your credentials unencrypted. Use its https address, or "
            f"unset {API_KEY} and "
            f"{USER}."
        )
    return {"api_key": key} if key else {"basic_auth": (user, os.environ.get(PASSWORD, ""))}


def _is_bound_to(server: str) -> bool:
    """Return whether the credentials in the environment are for this server."""
    host = os.environ.get(HOST, "").strip()
    if not host:
        return _is_loopback(server)
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


def _is_loopback(server: str) -> bool:
    host = _host(urlsplit(server).hostname)
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


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
    number = str((response.get("version") or {}).get("number", ""))
    major = number.partition(".")[0]
    if not major.isdecimal() or not LEAST_SERVER <= int(major) <= MOST_SERVER:
        raise _too_other(server, number or "of an unknown version")


def _too_other(server: str, version: str) -> InputError:
    return InputError(
        f"The server {server} is Elasticsearch {version}, but only {LEAST_SERVER} to "
        f"{MOST_SERVER} are supported. "
        "Choose another server, or build the index on this computer: pyramidion index build"
    )


def patiently(server: str, name: str, call: Callable[[], T]) -> T:
    """Return the result of a request, repeated with growing waits while the server is busy.

    name: of the index. Raises as `map_errors` does. The wait ends where the job is cancelled.
    """
    wait = FIRST_WAIT_S
    for left in range(TRIES - 1, -1, -1):
        try:
            with map_errors(server, name):
                return call()
        except ServerBusy as busy:
            if not left:
                raise
            pause(min(busy.seconds or wait * random.uniform(0.5, 1.0), LONGEST_WAIT_S))
            wait *= 2
    raise AssertionError("the last try returns or raises")


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
    except (ValueError, OSError) as error:  # an invalid address or certificate
        raise InputError(f"{server} cannot be used ({error}). Check the address.") from error


def _as_error(server: str, name: str, error: Exception) -> PyramidionError:
    from elasticsearch import ApiError, ConnectionTimeout, SSLError, UnsupportedProductError
    from elasticsearch import ConnectionError as NotConnected

    if isinstance(error, UnsupportedProductError):
        return InputError(
            f"The server at {server} is not Elasticsearch; OpenSearch and others are not supported. Check "
            "the address and the port."
        )
    if isinstance(error, ApiError):
        return _refused(server, name, error.meta.status, str(error), error.meta.headers.get("retry-after"))
    if isinstance(error, ConnectionTimeout):
        return InputError(
            f"{server} did not answer within {TIMEOUT_S:.0f} seconds. Check whether it is "
            "overloaded, and try "
            "again; finished work is not lost."
        )
    if isinstance(error, SSLError):
        return InputError(
            f"The certificate of {server} is not trusted ({_cause(error)}). Set {CERTIFICATE} to "
            "the file of its "
            "authority, such as http_ca.crt."
        )
    if isinstance(error, NotConnected):
        return InputError(
            f"{server} cannot be reached ({_cause(error)}). Check the address, whether "
            "Elasticsearch is running, "
            "and whether it requires https."
        )
    return InputError(
        f"The answer of {server} cannot be read ({error}). Check that the server is Elasticsearch."
    )


def _refused(server: str, name: str, status: int, response: str, retry_after: str | None) -> PyramidionError:
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
        return InputError(
            f"{server} takes no requests of this size. Raise http.max_content_length on the server."
        )
    if status in (TOO_MANY, 502, 503, 504):
        seconds = float(retry_after) if retry_after and retry_after.isdecimal() else 0.0
        message = f"{server} is overloaded (HTTP {status}). Try again later; finished work is not lost."
        return ServerBusy(message, seconds)
    return InputError(f"{server} rejected a request ({response}). Nothing was changed.")


def is_disk_full(response: str) -> bool:
    """Return whether a rejection is due to the flood stage of a nearly full disk."""
    return "read-only-allow-delete" in response or "flood-stage watermark" in response


def disk_full(server: str) -> InputError:
    """Return the error of a server whose disk is nearly full."""
    return InputError(
        f"{server} has made the index read-only, as its disk is nearly full. Free space on the server, and "
        "run the same command again; finished work is not lost."
    )


def _cause(error: Any) -> str:
    """Return the innermost cause of a connection error, shortened."""
    cause = error.errors[0] if getattr(error, "errors", ()) else error
    return str(cause).rpartition(": ")[2].strip("')\" ") or type(cause).__name__


def _without_secret(server: str) -> str:
    """Return a server's address without anything before an @."""
    head, _, host = server.rpartition("@")
    return f"…@{host}" if head else host
