"""Passwords of servers: entered by the user, or stored in the keyring of the computer.

libpq reads PGPASSWORD and ~/.pgpass itself. An entered password is in the memory of this process only.
"""

from __future__ import annotations

import logging

from core.errors import MissingResource
from core.files.study_address import ServerAddress

_log = logging.getLogger(__name__)

KEYRING = "pyramidion"
"""Name of the program in the keyring; the user name there is ``user@host/database``."""

_entered: dict[str, str] = {}  # by name in the keyring


def remember_password(address: ServerAddress, password: str) -> None:
    """Use a password for a server study until this process ends; empty = those stored elsewhere."""
    _entered[keyring_name(address)] = password


def remembered_password(address: ServerAddress) -> str:
    """Return the password that was entered in this process; empty = none."""
    return _entered.get(keyring_name(address), "")


def stored_password(address: ServerAddress) -> str | None:
    """Return the password of a server study in the keyring, None = none is stored."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(KEYRING, keyring_name(address))
    except KeyringError as error:
        _log.info("The keyring cannot be read (%s).", type(error).__name__)
        return None


def store_password(address: ServerAddress, password: str) -> None:
    """Store the password of a server study in the keyring. Raises MissingResource where there is none."""
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(KEYRING, keyring_name(address), password)
    except KeyringError as error:
        raise MissingResource(
            "This computer has no keyring that can store the password. Set PGPASSWORD, add the password to "
            "~/.pgpass, or enter it each time."
        ) from error


def keyring_name(address: ServerAddress) -> str:
    """Return the user name of a server study in the keyring."""
    return f"{address.user}@{address.server}/{address.name}"
