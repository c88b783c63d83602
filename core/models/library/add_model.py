"""Registration of a model from the user's own folder or file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from core.errors import InputError, MissingResource
from core.models.catalogue.allennlp import SUFFIX, converted_archive, is_archive
from core.models.catalogue.conversion import converted_copy, converted_layer, is_layer_file, needs_conversion
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.lightning import checkpoint_of, converted_checkpoint, name_of
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.installation import aside, put_in_place
from core.models.library.validation import detect_roles, disk_size, roles_used
from core.models.library.weights import check_weights

_MAX_SIZE_RATIO = 2.0
"""Largest ratio of sizes at which a model is still accepted as the catalogue model of its name."""

_LONGEST = 100
"""Characters of a folder's name, which file systems limit."""


def add_model(place: Path, role: Role | None = None, name: str = "", copies: Path | None = None) -> UserModel:
    """Check a model and add it to the user's models.

    role: its use; None = every role it supports.
    name: empty = the catalogue model with this file name, else the folder's name.
    copies: folder for copies in the format of transformers of models in others; None = reject these.
    Raises InputError or MissingResource with the remedy if the model cannot be used; nothing is changed then.
    """
    place = place.expanduser().resolve()
    chosen = name.strip() or _usual_name(place)
    if "|" in chosen or "," in chosen:
        raise InputError(
            f"The name {chosen!r} contains “|” or “,”, which signatures use. Choose another --name."
        )
    converted = None if copies is None else _conversion(place)
    if copies is None or converted is None:
        model = _checked(place, role, name, chosen)
    else:
        target = _folder_for(chosen, copies, place)
        with aside(copies) as folder:
            made = folder / target.name
            try:
                model = _checked(converted(made), role, name, chosen)
            except (InputError, MissingResource) as error:  # about the copy, which the user does not know
                error.args = (str(error).replace(str(made), str(place)),)
                raise
            _check_owner(target, model.name)
            put_in_place(made, target, folder)
        model = replace(model, place=target / model.place.relative_to(made))
    user_models().add(model)
    return model


def _conversion(place: Path) -> Callable[[Path], Path] | None:
    """Return what writes a model in the format of transformers to a new folder; None if it is in that."""
    if (checkpoint := checkpoint_of(place)) is not None:
        return partial(converted_checkpoint, checkpoint)
    if place.is_dir():
        return partial(converted_copy, place) if needs_conversion(place) else None
    if is_archive(place):
        return partial(converted_archive, place)
    is_layer = place.is_file() and place.suffix == ".bin" and is_layer_file(place)
    return partial(converted_layer, place) if is_layer else None


def _checked(place: Path, role: Role | None, name: str, chosen: str) -> UserModel:
    """Return a model that can be used. Raises InputError or MissingResource."""
    roles = roles_used(role, detect_roles(place, name), place)
    entry = catalogue_entry(chosen)
    if entry is not None:
        _check_size(entry, place, roles)
        roles = tuple(each for each in entry.roles if each in roles)
    check_weights(place, roles)
    return UserModel(entry.key if entry else chosen, place, roles)


def _folder_for(name: str, copies: Path, place: Path) -> Path:
    """Return the folder of a model's copy. Raises InputError if there can be none or the model is in it."""
    parts = name.split("/")
    is_folder = all(part.strip(".") and part.isprintable() and len(part) <= _LONGEST for part in parts)
    if not is_folder or set(name) & set("\\:") or name.startswith("."):
        raise InputError(f"The name {name!r} cannot name a folder. Choose another --name.")
    folder = copies.resolve() / "--".join(parts)
    if place.is_relative_to(folder):
        raise InputError(
            f"{place} is where the copy in the format of transformers would be. Choose another --name."
        )
    return folder


def _check_owner(folder: Path, name: str) -> None:
    """Raise InputError if a folder is that of a model of another name."""
    for model in user_models().all():
        if model.name != name and model.place.is_relative_to(folder):
            raise InputError(f"{folder} is the folder of the model {model.name}. Choose another --name.")


def _usual_name(place: Path) -> str:
    if (checkpoint := checkpoint_of(place)) is not None:
        return name_of(checkpoint)
    single = (entry.key for entry in CATALOGUE if entry.files == (place.name,))
    return next(single, place.name.removesuffix(SUFFIX) if is_archive(place) else place.name)


def _check_size(entry: CatalogueEntry, place: Path, roles: tuple[Role, ...]) -> None:
    if not set(entry.roles).intersection(roles):
        raise InputError(
            f"{entry.key} is a model for {' and '.join(entry.roles)}, but {place.name} can be used as "
            f"{', '.join(roles)}. Choose another --name."
        )
    size, usual = disk_size(place) / 1e6, entry.megabytes
    if usual and not usual / _MAX_SIZE_RATIO <= size <= usual * _MAX_SIZE_RATIO * _MAX_SIZE_RATIO:
        raise InputError(
            f"{entry.key} takes about {usual:,} MB, but {place.name} takes {size:,.1f} MB, so it is a "
            "different model. Choose another --name."
        )
