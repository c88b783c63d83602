"""Where the keys of servers of language models are, and what their tokens cost.

Only the user's own settings name them, never a study: `pyramidion allow URL --key NAME`, or *Settings* in the
window. A key itself is in an environment variable or in the computer's keyring, and in no file, study,
history or message.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InputError, MissingResource
from core.files.allowed_names import NameKind, allowed_names
from core.files.atomic_write import atomic_open
from core.json_text import parse_json
from core.models.chat import check_address
from core.server_secrets import may_receive_secrets

KEYRING = "keyring"
"""Written instead of a variable: the key is in the keyring, under `SERVICE` and the server's address."""

SERVICE = "pyramidion"

_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
"""By convention; a key, such as `gsk_…` or one of capitals and digits alone, must not pass as a name."""
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

    @property
    def is_empty(self) -> bool:
        """Whether nothing is set."""
        return not self.key and math.isnan(self.price_in) and math.isnan(self.price_out)

    def check(self, before: ChatAccount) -> None:
        """Raise InputError for a new name that no variable has, which is not repeated, or a price below 0.

        before: the account so far, whose variable may be set at other times.
        """
        is_variable = bool(_VARIABLE.fullmatch(self.key)) or self.key in os.environ
        if self.key not in ("", KEYRING, before.key) and not is_variable:
            raise InputError(
                "The name of an environment variable has words in capitals joined by _, or is that of one "
                f"that is set. Write the name of the one that holds the key, or {KEYRING}; never the key "
                "itself."
            )
        for price in (self.price_in, self.price_out):
            if not math.isnan(price) and not 0 <= price < math.inf:
                raise InputError(f"{price:g} is no price. Use a number from 0.")

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
        before = self.of(url)
        account = replace(before, **changes)
        account.check(before)
        known = {**self.listed(), _plain(url): account}
        if account.is_empty:
            del known[_plain(url)]
        self._known = known
        if self._file is not None:
            self._write(known)
        return account

    def forget(self, url: str) -> None:
        """Remove the account of a server. Its key stays where it is."""
        self.change(url, **asdict(ChatAccount()))

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
        if not may_receive_secrets(url):
            raise InputError(f"The key of {url} would be sent unencrypted. Use its https address.")
        return key.strip()

    def _stored(self) -> dict[str, ChatAccount]:
        if self._file is None:
            return {}
        try:
            read = parse_json(self._file.read_text(encoding="utf-8"))
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


def allowed_servers() -> dict[str, ChatAccount]:
    """Return the accounts of all servers that are allowed, by address; that of a search server is empty.

    Raises InputError for a damaged list.
    """
    accounts = chat_accounts().listed()
    urls = map(_plain, allowed_names().listed()[NameKind.SERVER])
    return {url: accounts.get(url, ChatAccount()) for url in dict.fromkeys((*urls, *accounts))}


def change_servers(servers: Mapping[str, ChatAccount], keys: Mapping[str, str]) -> None:
    """Allow these servers with their accounts, and no others.

    keys: by address, those to store in the keyring.
    Raises InputError or MissingResource for what cannot be stored; then nothing is changed, but for keys.
    """
    before, after = allowed_servers(), {_plain(url): account for url, account in servers.items()}
    for url, account in after.items():
        if url not in before:
            check_address(url)
        account.check(before.get(url, ChatAccount()))
    for url, key in keys.items():
        _to_keyring(_plain(url), key)
    for url in before.keys() - after.keys():
        for written in (url, f"{url}/"):
            allowed_names().forget(written)
        chat_accounts().forget(url)
    for url, account in after.items():
        allowed_names().allow(NameKind.SERVER, url)
        chat_accounts().change(url, **asdict(account))


def _price(stored: Any) -> float:
    return math.nan if stored is None else float(stored)


def _plain(url: str) -> str:
    return url.rstrip("/")


def _to_keyring(name: str, key: str) -> None:
    """Store a key. Raises InputError for one that no server has, MissingResource without a keyring."""
    if not _KEY.fullmatch(key.strip()):
        raise InputError(f"The key of {name} has characters that no key has. Enter it again.")
    try:
        import keyring
        from keyring.errors import KeyringError

        keyring.set_password(SERVICE, name, key.strip())
    except (ImportError, KeyringError):
        raise MissingResource(
            "This computer has no keyring that can store the key. Put it into an environment variable."
        ) from None


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
