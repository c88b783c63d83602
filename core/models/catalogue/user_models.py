"""The user's model settings: added models, offline mode and size of the encoding cache."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.atomic_write import atomic_open
from core.json_text import parse_json
from core.models.catalogue.entries import Role
from core.names import resolve_name


@dataclass(frozen=True, slots=True)
class UserModel:
    """A model added by the user. place: its folder, or its file if it is a single one."""

    name: str
    place: Path
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class _Settings:
    """Stored settings. encodings: maximum size of the cache in bytes, None = not set."""

    models: tuple[UserModel, ...] = ()
    is_offline: bool = False
    encodings: int | None = None


class UserModelStore:
    """Model settings, read again at each query because the window and the command line share the file.

    folder: the user's settings folder; None = nothing is stored.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: Path | None = None
        if folder is not None:
            self.use_folder(folder)

    def use_folder(self, folder: Path) -> None:
        """Store the settings in this folder from now on."""
        self._file = folder / "models.json"

    def all(self) -> tuple[UserModel, ...]:
        """Return every model in the order of adding. Raises InputError if the file is damaged."""
        return self._read().models

    @property
    def is_offline(self) -> bool:
        """Whether the user turned downloads off."""
        return self._read().is_offline

    def set_offline(self, is_offline: bool) -> None:
        """Turn offline mode on or off."""
        self._write(replace(self._read(), is_offline=is_offline))

    @property
    def encoding_bytes(self) -> int | None:
        """Maximum size of the encoding cache in bytes, None = not set."""
        return self._read().encodings

    def set_encoding_bytes(self, most: int) -> None:
        """Set the maximum size of the encoding cache in bytes, 0 = disabled."""
        self._write(replace(self._read(), encodings=most))

    def get(self, *names: str) -> UserModel | None:
        """Return the model with one of these names, or None."""
        return next((model for model in self.all() if model.name in names), None)

    def add(self, model: UserModel) -> None:
        """Add a model, replacing one of the same name."""
        stored = self._read()
        others = (known for known in stored.models if known.name != model.name)
        self._write(replace(stored, models=(*others, model)))

    def remove(self, name: str) -> UserModel:
        """Remove a model from the list; its files stay. Raises InputError if there is no such model."""
        stored = self._read()
        known = {one.name: one for one in stored.models}
        model = known[resolve_name("added model", name, known, "`pyramidion models` lists them")]
        self._write(replace(stored, models=tuple(one for one in stored.models if one != model)))
        return model

    def _read(self) -> _Settings:
        if self._file is None or not self._file.is_file():
            return _Settings()
        try:
            stored = parse_json(self._file.read_text(encoding="utf-8"))
            most = stored.get("encodings")
            models = tuple(_read(row) for row in stored["models"])
            return _Settings(models, bool(stored.get("offline")), None if most is None else int(most))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._file}, the list of models that you added, cannot be read ({error}). Delete it "
                "and add the models again."
            ) from error

    def _write(self, stored: _Settings) -> None:
        if self._file is None:
            raise InputError("There is no settings folder, so nothing can be stored.")
        rows = [{"name": m.name, "place": str(m.place), "roles": list(m.roles)} for m in stored.models]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self._file.parent} cannot be created ({error.strerror}).") from error
        content = {"offline": stored.is_offline, "encodings": stored.encodings, "models": rows}
        with atomic_open(self._file) as file:
            file.write(json.dumps(content, indent=1, ensure_ascii=False))


@cache
def user_models() -> UserModelStore:
    """Return the settings of this process; `use_folder` sets where they are stored."""
    return UserModelStore()


def _read(row: Any) -> UserModel:
    return UserModel(str(row["name"]), Path(row["place"]), tuple(Role(role) for role in row["roles"]))
