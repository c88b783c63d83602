"""Addresses of studies: a file, or a database on a PostgreSQL server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from core.errors import InputError

SCHEME = "postgresql+psycopg"
_SCHEMES = (SCHEME, "postgresql", "postgres")
EXAMPLE = f"{SCHEME}://user@host/database"
_PASSWORD = re.compile(
    r"postgres\S*?:/*[^/\s@]*:\S*@|postgres\S*[?&]\w*password\w*=", re.ASCII | re.IGNORECASE
)
_URL = re.compile(r"\w[\w+.-]*://|postgres(ql)?(\+\w+)?:", re.ASCII)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a study on a server. It never contains a password.

    url: the URL as SQLAlchemy reads it, for example ``postgresql+psycopg://ko@db.example.org/duc2006``.
    name: of the database. host: name, address or folder of the socket; empty = the local socket. port: empty
    = the default. user: empty = the user of the computer.
    """

    url: str
    name: str
    host: str
    port: str
    user: str

    @property
    def stem(self) -> str:
        """Return the name for files that are saved from this study, as `Path.stem`."""
        return self.name

    @property
    def server(self) -> str:
        """Return how messages name the server."""
        return f"{self.host or 'localhost'}{f':{self.port}' if self.port else ''}"

    def __str__(self) -> str:
        return self.url


StudyAddress: TypeAlias = Path | ServerAddress
"""Where a study is."""


def resolved(address: StudyAddress) -> StudyAddress:
    """Return an address that is the same for every way to write it."""
    return address.resolve() if isinstance(address, Path) else address


def command_argument(address: StudyAddress) -> str:
    """Return how a command line names a study: the name of its file, or its URL."""
    return address.name if isinstance(address, Path) else address.url


def is_server_url(text: str) -> bool:
    """Return whether a text is a URL instead of a path."""
    return _URL.match(text.strip()) is not None


def parse_study_address(text: str) -> StudyAddress:
    """Return the address of a study from a path or a URL.

    Raises InputError for a URL of another kind, without a database or with a password.
    """
    return parse_server_url(text) if is_server_url(text) else Path(text)


class PasswordInUrl(InputError):
    """A URL contains a password; the message does not repeat it."""


def refuse_password(text: str) -> None:
    """Raise PasswordInUrl where a text contains the URL of a server with a password.

    Also one that is mistyped, or whose signs are written as codes (``pass%77ord=``, ``user%3Apassword@``).
    """
    if any(_PASSWORD.search(form) for form in (text, unquote(text))):
        raise PasswordInUrl(
            "Remove the password from the URL: it would be visible in lists of processes and in logs. "
            "Set PGPASSWORD, add it to ~/.pgpass, or store it in the keyring with "
            "`keyring set pyramidion user@host/database`."
        )


def parse_server_url(text: str) -> ServerAddress:
    """Return the address of a study on a server. Raises InputError as `parse_study_address`."""
    text = text.strip()
    refuse_password(text)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise InputError(f"This is not the URL of a study. Enter one such as {EXAMPLE}.") from error
    query = dict(parse_qsl(parts.query))
    if parts.scheme not in _SCHEMES:
        raise InputError(
            f"The URL begins with {parts.scheme}://, which is not a server that stores studies. Enter a URL "
            f"such as {EXAMPLE}."
        )
    name = unquote(parts.path.strip("/"))
    is_one_name = name and "/" not in name and "@" not in parts.path  # "@": a slash in a password
    if not is_one_name or "://" not in text or any(character in text for character in "# \t\n"):
        raise InputError(f"The URL must name one database. Enter a URL such as {EXAMPLE}.")
    host = parts.hostname or query.get("host", "")
    url = f"{SCHEME}://{text.partition('://')[2]}"
    return ServerAddress(url, name, host, str(port or query.get("port", "")), unquote(parts.username or ""))
