"""Registration of a model from the user's own folder or file."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.models.catalogue.allennlp import SUFFIX, converted_archive, is_archive
from core.models.catalogue.conversion import converted_copy, converted_layer, needs_conversion
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.lightning import checkpoint_of, converted_checkpoint, name_of
from core.models.catalogue.model_folder import read_model
from core.models.catalogue.user_models import UserModel, user_models
from core.models.heads.nli_labels import entailment_of
from core.models.library.validation import detect_roles, disk_size
from core.names import unknown_name

_MAX_SIZE_RATIO = 2.0
"""Largest ratio of sizes at which a model is still accepted as the catalogue model of its name."""


_LONGEST = 100
"""Characters of a folder's name, which file systems limit."""


def add_model(place: Path, role: str = "", name: str = "", copies: Path | None = None) -> UserModel:
    """Check a model and add it to the user's models.

    role: its use; empty = every role it supports.
    name: empty = the catalogue model with this file name, else the folder's name.
    copies: folder for a copy with weights as safetensors, if the model has none; None = reject such a model.
    Raises InputError or MissingResource with the remedy if the model cannot be used.
    """
    place = place.expanduser().resolve()
    checkpoint = checkpoint_of(place)
    usual = _usual_name(place, checkpoint)
    chosen = name.strip() or usual
    if "|" in chosen or "," in chosen:
        raise InputError(
            f"The name {chosen!r} contains “|” or “,”, which signatures use. Choose another --name."
        )
    if copies is not None and place.is_dir() and needs_conversion(place):
        place = converted_copy(place, copies)
    if copies is not None and checkpoint is not None:
        place = converted_checkpoint(checkpoint, copies / name_of(checkpoint))
    if copies is not None and is_archive(place):
        chosen = name.strip() or usual.removesuffix(SUFFIX)
        place = converted_archive(place, _folder_for(chosen, copies))
    detected = detect_roles(place, name)
    if copies is not None and detected == (Role.SUMMAC,):
        place = converted_layer(place, copies)
    roles = (_role(role, detected, place),) if role else detected
    entry = catalogue_entry(chosen)
    if entry is not None:
        _check_size(entry, place, roles)
        roles = tuple(each for each in entry.roles if each in roles)
    model = UserModel(entry.key if entry else chosen, place, roles)
    user_models().add(model)
    return model


def _folder_for(name: str, copies: Path) -> Path:
    """Return the folder of a model below that of all. Raises InputError if the name leads elsewhere."""
    parts = name.split("/")
    is_folder = all(part.strip(".") and part.isprintable() and len(part) <= _LONGEST for part in parts)
    if not is_folder or set(name) & set("\\:"):
        raise InputError(f"The name {name!r} cannot name a folder. Choose another --name.")
    return copies.joinpath(*parts)


def _role(requested: str, detected: tuple[Role, ...], place: Path) -> Role:
    known = {role.value.lower(): role for role in Role} | {role.name.lower(): role for role in Role}
    role = known.get(requested.strip().lower().replace("-", " "))
    role = role or known.get(requested.strip().lower().replace("-", "_").replace(" ", "_"))
    if role is None:
        raise InputError(unknown_name("role", requested, list(Role)))
    # a sentence encoder may lack modules.json, and word vectors have no configuration
    if role is Role.NLI and role not in detected and Role.ENCODER in detected:
        entailment_of(read_model(place.name, place))  # raises with what is missing
    if role not in detected and not (role is Role.SENTENCE_ENCODER and Role.ENCODER in detected):
        raise InputError(f"{place.name} cannot be used as {role}; it can be used as: {', '.join(detected)}.")
    return role


def _usual_name(place: Path, checkpoint: Path | None) -> str:
    single = (entry for entry in CATALOGUE if entry.files == (place.name,))
    return next((entry.key for entry in single), place.name if checkpoint is None else name_of(checkpoint))


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
