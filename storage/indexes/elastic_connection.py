"""Speaking with an Elasticsearch server: addresses, credentials, and what can go wrong, in sentences.

Credentials come from the environment alone, with the one host that they are for: an address is part of
signatures and studies, and has none in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.errors import InputError, MissingResource, PyramidionError
from core.models.catalogue.hub import offline_reason
from core.retrieval.allowed_servers import SCHEME

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

TIMEOUT_S = 30.0
LEAST_SERVER, MOST_SERVER = 8, 9
"""Major versions of the server that the client of version 8 speaks with."""

API_KEY = "PYRAMIDION_ELASTICSEARCH_API_KEY"
USER, PASSWORD = "PYRAMIDION_ELASTICSEARCH_USER", "PYRAMIDION_ELASTICSEARCH_PASSWORD"
HOST = "PYRAMIDION_ELASTICSEARCH_HOST"
CERTIFICATE = "PYRAMIDION_ELASTICSEARCH_CA"

_NO_NAME = re.compile(r"[-_+.]|.*[\s\\/*?\"<>|,#:]", re.DOTALL)
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Address:
    """Where an index is: the server's URL and the index's name there."""

    server: str
    name: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.server}/{self.name}"


def is_address(name: str) -> bool:
    """Whether an index's name is the address of one on a server."""
    return name.startswith(SCHEME)


def address_of(text: str) -> Address:
    """An address as ``elasticsearch:https://HOST:9200/NAME``. Raises InputError that says what is amiss."""
    server, _, name = text.removeprefix(SCHEME).rstrip("/").rpartition("/")
    check_server(server)
    check_name(name)
    return Address(server, name)


def target_of(text: str, name: str) -> Address:
    """Where to send an index: an address, or a server's URL, where it gets this name in small letters."""
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
            f"{_without_secret(server)!r} is no address of a server. Write it as "
            "elasticsearch:https://localhost:9200/NAME."
        )
    if has_secret:
        raise InputError(
            "An address with a name or a password in it would be kept in the study. Leave them out, and set "
            f"{API_KEY}, or {USER} and {PASSWORD}, and {HOST}, in the environment."
        )


def check_name(name: str) -> None:
    """Raise InputError unless Elasticsearch takes this name for an index."""
    if not name or name != name.lower() or _NO_NAME.match(name) or len(name.encode()) > _LONGEST_NAME:
        raise InputError(
            f"{name!r} cannot name an index on Elasticsearch: small letters, digits, and - _ . after the "
            "first sign."
        )


def connect(server: str) -> Elasticsearch:
    """A client of a server that answers and is of a version that it can speak with.

    Raises InputError offline, or where nobody fit answers; MissingResource without the client's package.
    """
    if why := offline_reason():
        raise InputError(f"The index is on the server {server}. {why}")
    try:
        from elasticsearch import Elasticsearch
    except ImportError:
        raise MissingResource(
            "Indexes on Elasticsearch need its client, which is not installed: pip install 'elasticsearch<9'."
        ) from None
    login = credentials_for(server)
    with map_errors(server):
        client = Elasticsearch(server, request_timeout=TIMEOUT_S, **login, **_certificate(server))
    try:
        with map_errors(server):
            _check_version(server, client.info())
    except BaseException:
        client.close()
        raise
    return client


def credentials_for(server: str) -> dict[str, Any]:
    """Return what the environment gives to log in at this server, nothing where it is meant for another one.

    Credentials are for the one host in HOST, or for this computer where HOST is not set: an address out of a
    study, a signature or a message must not get them. Raises InputError where they would travel unencrypted.
    """
    key, user = os.environ.get(API_KEY, ""), os.environ.get(USER, "")
    if not (key or user) or not _is_bound_to(server):
        return {}
    if urlsplit(server).scheme != "https" and not _is_loopback(server):
        raise InputError(
            f"{server} would get your credentials unencrypted. Use its https address, or unset {API_KEY} and "
            f"{USER}."
        )
    return {"api_key": key} if key else {"basic_auth": (user, os.environ.get(PASSWORD, ""))}


def _is_bound_to(server: str) -> bool:
    """Whether the credentials in the environment are for this server."""
    given = os.environ.get(HOST, "").strip()
    if not given:
        return _is_loopback(server)
    try:
        wanted = urlsplit(given if "://" in given else f"//{given}")
        asked = urlsplit(server)
        same_port = wanted.port is None or wanted.port == asked.port
    except ValueError as error:
        raise InputError(
            f"{HOST} is {given!r}. Set it to the host of your server, as es.example.org."
        ) from error
    same_scheme = wanted.scheme in ("", asked.scheme)
    return _host(wanted.hostname) == _host(asked.hostname) != "" and same_port and same_scheme


def _is_loopback(server: str) -> bool:
    host = _host(urlsplit(server).hostname)
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _host(name: str | None) -> str:
    return (name or "").lower().rstrip(".")


def _certificate(server: str) -> dict[str, Any]:
    """The file of an authority that the system does not know, as a server makes for itself."""
    file = os.environ.get(CERTIFICATE, "")
    if not file or not server.startswith("https:"):
        return {}
    if not os.path.isfile(file):  # noqa: PTH113 - what the client itself asks
        raise InputError(f"{CERTIFICATE} names {file}, which is no file. Correct it, or unset it.")
    return {"ca_certs": file}


def _check_version(server: str, said: Any) -> None:
    number = str((said.get("version") or {}).get("number", ""))
    major = number.partition(".")[0]
    if not major.isdecimal() or not LEAST_SERVER <= int(major) <= MOST_SERVER:
        raise _too_other(server, number or "of no version that it tells")


def _too_other(server: str, version: str) -> InputError:
    return InputError(
        f"The server {server} is Elasticsearch {version}; this program speaks with {LEAST_SERVER} and "
        f"{MOST_SERVER}. Choose another server, or build the index on this computer: pyramidion index build."
    )


@contextmanager
def map_errors(server: str, name: str = "") -> Iterator[None]:
    """Turn what can go wrong with a server into sentences. name: of the index that is asked."""
    from elasticsearch import ApiError, TransportError

    try:
        yield
    except (ApiError, TransportError) as error:
        raise _told(server, name, error) from error
    except (ValueError, OSError) as error:  # an address, a certificate that the client cannot take
        raise InputError(f"{server} cannot be used ({error}). Check the address.") from error


def _told(server: str, name: str, error: Exception) -> PyramidionError:
    from elasticsearch import ApiError, ConnectionTimeout, SSLError, UnsupportedProductError
    from elasticsearch import ConnectionError as NotConnected

    if isinstance(error, UnsupportedProductError):
        return InputError(f"What answers at {server} is no Elasticsearch. Check the address and the port.")
    if isinstance(error, ApiError):
        return _refused(server, name, error.meta.status, str(error))
    if isinstance(error, ConnectionTimeout):
        return InputError(
            f"{server} did not answer in {TIMEOUT_S:.0f} seconds. See whether it has too much to do, and try "
            "again: what was done is kept."
        )
    if isinstance(error, SSLError):
        return InputError(
            f"The certificate of {server} is not trusted ({_cause(error)}). Name the file of its authority, "
            f"as http_ca.crt, in {CERTIFICATE}."
        )
    if isinstance(error, NotConnected):
        return InputError(
            f"Nobody answers at {server} ({_cause(error)}). Check the address, that Elasticsearch runs "
            "there, and whether it wants https."
        )
    return InputError(f"What {server} answers cannot be read ({error}). Check that it is Elasticsearch.")


def _refused(server: str, name: str, status: int, said: str) -> PyramidionError:
    if status == 401:
        return InputError(
            f"{server} does not let you in. Set {API_KEY}, or {USER} and {PASSWORD}, in the environment, and "
            f"{HOST} to the host that they are for."
        )
    if status == 403:
        return InputError(f"{server} does not allow this ({said}). Ask whoever runs it for the right to.")
    if status == 404 and name:
        return MissingResource(
            f"{server} has no index called {name}. Send one there: pyramidion index upload INDEX "
            f"{server}/{name}"
        )
    if "media_type_header_exception" in said or status == 406:
        return _too_other(server, "of another age")
    if status in (413, 429, 502, 503, 504):
        return InputError(
            f"{server} has too much to do (HTTP {status}). Try again later: what was done is kept."
        )
    return InputError(f"{server} refuses a request ({said}). Nothing was changed by it.")


def _cause(error: Any) -> str:
    """Why a connection broke, in short: the innermost cause."""
    cause = error.errors[0] if getattr(error, "errors", ()) else error
    return str(cause).rpartition(": ")[2].strip("')\" ") or type(cause).__name__


def _without_secret(server: str) -> str:
    """A server's address without what stands before an @."""
    head, _, host = server.rpartition("@")
    return f"…@{host}" if head else host
