"""Where the keys of servers of language models are, and what their tokens cost.

Only the user's own settings name them, never a study: `pyramidion allow URL --key NAME`. A key itself is in
an environment variable or in the computer's keyring, and in no file, study, history or message.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import InputError, MissingResource
from core.files.atomic_write import atomic_open

KEYRING = "keyring"
"""Written instead of a variable: the key is in the keyring, under `SERVICE` and the server's address."""

SERVICE = "pyramidion"

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class ChatAccount:
    """Settings of a server.

    key: name of the environment variable that holds its key, `KEYRING`, or empty = it needs none.
    price_in, price_out: of a million tokens of prompts and of answers, in any currency; NaN = unknown.
    """

    key: str = ""
    price_in: float = math.nan
    price_out: float = math.nan

    def cost(self, tokens_in: float, tokens_out: float) -> float:
        """Return the cost of tokens, NaN = a price that is needed is unknown."""
        parts = ((tokens_in, self.price_in), (tokens_out, self.price_out))
        return math.fsum(tokens * price for tokens, price in parts if tokens) / 1e6


class ChatAccounts:
    """The accounts of this user, by address. In memory only until `use_folder` is called."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._known: dict[str, ChatAccount] = {}

    def use_folder(self, folder: Path) -> None:
        """Store the accounts in this folder from now on."""
        self._file = folder / "chat_servers.json"

    def of(self, url: str) -> ChatAccount:
        """Return the settings of a server, the empty ones if there are none."""
        return self.listed().get(_plain(url), ChatAccount())

    def listed(self) -> Mapping[str, ChatAccount]:
        """Return all accounts by address. Raises InputError for a damaged file."""
        return {**self._stored(), **({} if self._file else self._known)}

    def change(self, url: str, **changes: Any) -> ChatAccount:
        """Change fields of an account; an empty one is removed.

        Raises InputError for a name that no variable can have, a price below 0, or where nothing is stored.
        """
        account = replace(self.of(url), **changes)
        if account.key not in ("", KEYRING) and not _VARIABLE.fullmatch(account.key):
            raise InputError(
                f"The name of an environment variable has letters, digits and _. Write the name of the one "
                f"that holds the key, or {KEYRING}; never the key itself."
            )
        for price in (account.price_in, account.price_out):
            if not math.isnan(price) and not 0 <= price < math.inf:
                raise InputError(f"{price:g} is no price. Use a number from 0.")
        known = {**self.listed(), _plain(url): account}
        is_empty = not account.key and math.isnan(account.price_in) and math.isnan(account.price_out)
        if is_empty:
            del known[_plain(url)]
        self._known = known
        if self._file is not None:
            self._write(known)
        return account

    def key_of(self, url: str) -> str:
        """Return the key of a server, empty = it needs none.

        Raises MissingResource where it is not to be found, InputError for one that cannot be sent, or that
        would be sent unencrypted over a network. No message contains it.
        """
        name = self.of(url).key
        if not name:
            return ""
        key = _from_keyring(_plain(url)) if name == KEYRING else os.environ.get(name, "")
        where = "the keyring" if name == KEYRING else f"the environment variable {name}"
        if not key.strip():
            remedy = f"`keyring set {SERVICE} {_plain(url)}`" if name == KEYRING else f"`export {name}=…`"
            raise MissingResource(f"The key of {url} is not in {where}. Store it there: {remedy}.")
        if not _KEY.fullmatch(key.strip()):
            raise InputError(f"The key of {url} in {where} has characters that no key has. Store it again.")
        if urlsplit(url).scheme != "https" and not _is_loopback(url):
            raise InputError(f"The key of {url} would be sent unencrypted. Use its https address.")
        return key.strip()

    def _stored(self) -> dict[str, ChatAccount]:
        if self._file is None:
            return {}
        try:
            read = json.loads(self._file.read_text(encoding="utf-8"))
            return {
                str(url): ChatAccount(str(one["key"]), _price(one["price_in"]), _price(one["price_out"]))
                for url, one in read.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
            raise InputError(
                f"{self._file}, the list of servers of language models, cannot be read ({error}). Remove it."
            ) from error

    def _write(self, known: Mapping[str, ChatAccount]) -> None:
        assert self._file is not None
        rows = {
            url: {name: None if value != value else value for name, value in asdict(account).items()}
            for url, account in known.items()
        }
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_open(self._file) as file:
                json.dump(rows, file, indent=1)
        except OSError as error:
            raise InputError(f"{self._file} cannot be written: {error.strerror}.") from error


@cache
def chat_accounts() -> ChatAccounts:
    """Return the accounts of this process; the entry point sets the folder of the stored list."""
    return ChatAccounts()


def _price(stored: Any) -> float:
    return math.nan if stored is None else float(stored)


def _plain(url: str) -> str:
    return url.rstrip("/")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _from_keyring(name: str) -> str:
    """Return a key of the keyring, empty = there is none, or no keyring."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return keyring.get_password(SERVICE, name) or ""
    except KeyringError:
        return ""
