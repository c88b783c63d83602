"""Models that somebody added: names, places and roles, and whether to fetch any, in a file of the user's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.entries import Role
from core.whole_files import whole_file


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A model by the name that it was given. place: its folder, or its file where it is a single one."""

    name: str
    place: Path
    roles: tuple[Role, ...]


class AddedModels:
    """What is remembered; read anew at each question, since window and command line share the file.

    folder: of the user's settings, None = nothing is remembered.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: Path | None = None
        if folder is not None:
            self.keep_in(folder)

    def keep_in(self, folder: Path) -> None:
        """Remember in this folder from now on."""
        self._file = folder / "models.json"

    def all(self) -> tuple[AddedModel, ...]:
        """Every model, in the order in which they were added. Raises InputError where the file is damaged."""
        return self._read()[0]

    @property
    def is_offline(self) -> bool:
        """Whether this user wants nothing fetched from the network."""
        return self._read()[1]

    def set_offline(self, is_offline: bool) -> None:
        """Forbid or allow the network."""
        self._write(self.all(), is_offline=is_offline)

    def get(self, *names: str) -> AddedModel | None:
        """The model of one of these names, None = there is none."""
        return next((model for model in self.all() if model.name in names), None)

    def add(self, model: AddedModel) -> None:
        """Remember a model; one of its name is replaced."""
        others = [known for known in self.all() if known.name != model.name]
        self._write([*others, model], is_offline=self.is_offline)

    def remove(self, name: str) -> AddedModel:
        """Forget a model; its files stay. Raises InputError where none was added under this name."""
        model = self.get(name)
        if model is None:
            known = ", ".join(model.name for model in self.all()) or "none"
            raise InputError(f"No model was added as {name!r}. Added were: {known}.")
        self._write([known for known in self.all() if known != model], is_offline=self.is_offline)
        return model

    def _read(self) -> tuple[tuple[AddedModel, ...], bool]:
        """The models, and whether the network is forbidden."""
        if self._file is None or not self._file.is_file():
            return (), False
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            return tuple(_read(row) for row in kept["models"]), bool(kept.get("offline"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{self._file}, which lists the models that you added, cannot be read ({error}). Remove it, "
                "and add them again."
            ) from error

    def _write(self, models: Sequence[AddedModel], *, is_offline: bool) -> None:
        if self._file is None:
            raise InputError("There is no place for the settings, so that no model can be remembered.")
        rows = [{"name": m.name, "place": str(m.place), "roles": list(m.roles)} for m in models]
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self._file.parent} cannot be made ({error.strerror}).") from error
        with whole_file(self._file) as file:
            file.write(json.dumps({"offline": is_offline, "models": rows}, indent=1, ensure_ascii=False))


@cache
def added_models() -> AddedModels:
    """What this user added; whoever begins the process says where it is remembered."""
    return AddedModels()


def _read(row: Any) -> AddedModel:
    return AddedModel(str(row["name"]), Path(row["place"]), tuple(Role(role) for role in row["roles"]))
