"""What a user says of models: those that they added, whether to fetch any, how many encodings to keep."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.atomic_write import atomic_open
from core.models.catalogue.entries import Role


@dataclass(frozen=True, slots=True)
class UserModel:
    """A model by the name that it was given. place: its folder, or its file where it is a single one."""

    name: str
    place: Path
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """All that is remembered. encodings: bytes of them to keep between runs, None = nothing was said."""

    models: tuple[UserModel, ...] = ()
    is_offline: bool = False
    encodings: int | None = None


class UserModelStore:
    """What is remembered; read anew at each question, since window and command line share the file.

    folder: of the user's settings, None = nothing is remembered.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: Path | None = None
        if folder is not None:
            self.use_folder(folder)

    def use_folder(self, folder: Path) -> None:
        """Remember in this folder from now on."""
        self._file = folder / "models.json"

    def all(self) -> tuple[UserModel, ...]:
        """Every model, in the order in which they were added. Raises InputError where the file is damaged."""
        return self._read().models

    @property
    def is_offline(self) -> bool:
        """Whether this user wants nothing fetched from the network."""
        return self._read().is_offline

    def set_offline(self, is_offline: bool) -> None:
        """Forbid or allow the network."""
        self._write(replace(self._read(), is_offline=is_offline))

    @property
    def encoding_bytes(self) -> int | None:
        """How many bytes of encodings this user wants kept between runs, None = they did not say."""
        return self._read().encodings

    def set_encoding_bytes(self, most: int) -> None:
        """Keep at most so many bytes of encodings from now on, 0 = none."""
        self._write(replace(self._read(), encodings=most))

    def get(self, *names: str) -> UserModel | None:
        """The model of one of these names, None = there is none."""
        return next((model for model in self.all() if model.name in names), None)

    def add(self, model: UserModel) -> None:
        """Remember a model; one of its name is replaced."""
        kept = self._read()
        others = (known for known in kept.models if known.name != model.name)
        self._write(replace(kept, models=(*others, model)))

    def remove(self, name: str) -> UserModel:
        """Forget a model; its files stay. Raises InputError where none was added under this name."""
        kept = self._read()
        model = next((one for one in kept.models if one.name == name), None)
        if model is None:
            known = ", ".join(one.name for one in kept.models) or "none"
            raise InputError(f"No model was added as {name!r}. Added were: {known}.")
        self._write(replace(kept, models=tuple(one for one in kept.models if one != model)))
        return model

    def _read(self) -> _Kept:
        if self._file is None or not self._file.is_file():
            return _Kept()
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            most = kept.get("encodings")
            models = tuple(_read(row) for row in kept["models"])
            return _Kept(models, bool(kept.get("offline")), None if most is None else int(most))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._file}, which lists the models that you added, cannot be read ({error}). Remove it, "
                "and add them again."
            ) from error

    def _write(self, kept: _Kept) -> None:
        if self._file is None:
            raise InputError("There is no place for the settings, so that nothing can be remembered.")
        rows = [{"name": m.name, "place": str(m.place), "roles": list(m.roles)} for m in kept.models]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self._file.parent} cannot be made ({error.strerror}).") from error
        said = {"offline": kept.is_offline, "encodings": kept.encodings, "models": rows}
        with atomic_open(self._file) as file:
            file.write(json.dumps(said, indent=1, ensure_ascii=False))


@cache
def user_models() -> UserModelStore:
    """What this user added; whoever begins the process says where it is remembered."""
    return UserModelStore()


def _read(row: Any) -> UserModel:
    return UserModel(str(row["name"]), Path(row["place"]), tuple(Role(role) for role in row["roles"]))
