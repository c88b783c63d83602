"""Rows and details of models, as text for the model dialog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.inventory import Availability, ModelStatus
from gui.dialogs.models.values import ModelDetails, ModelPresence, ModelRow
from gui.style.language import tr

_ROLES: Mapping[str, tuple[Role, ...]] = {
    "encoder": (Role.ENCODER, Role.SENTENCE_ENCODER),
    "masked_lm": (Role.MASKED_LM,),
    "qa": (Role.QA,),
    "nli": (Role.NLI,),
    "vectors": (Role.WORD_VECTORS, Role.ENCODER),
    "parser": (Role.PARSER,),
}
"""Settings that name a model, with the roles that fit."""


def names_for(setting: str) -> tuple[str, ...]:
    """Return the models that a metric setting may name: those of the catalogue, then added ones."""
    roles = set(_ROLES.get(setting, ()))
    if not roles:
        return ()
    try:
        added = user_models().all()
    except InputError:  # the model dialog reports it
        added = ()
    known: Sequence[CatalogueEntry | UserModel] = (*CATALOGUE, *added)
    names = (
        one.key if isinstance(one, CatalogueEntry) else one.name for one in known if roles & set(one.roles)
    )
    return tuple(dict.fromkeys(names))


def rows_of(statuses: Iterable[ModelStatus], words: int, device: str, downloading: str) -> list[ModelRow]:
    """Return a row for each model in each of its roles, ordered by role.

    words: number of words in the study, 0 = no study is open.
    downloading: name of the model that is being downloaded, empty = none.
    """
    models = list(statuses)
    return [
        _row(one, role, words, device, is_downloading=one.name == downloading)
        for role in Role
        for one in models
        if role in one.roles
    ]


def key_of(role: Role, name: str) -> str:
    """Return the key of the row of a model under a role."""
    return f"{role}/{name}"


def details_of(one: ModelStatus, role: str) -> ModelDetails:
    """Return the details of a model."""
    entry = catalogue_entry(one.name)
    is_single_file = entry is not None and len(entry.files) == 1
    lines = [tr("Used by: {used_by}", used_by=one.used_by)] if one.used_by else []
    lines += [tr("Folder: {place}", place=one.place)] if one.place is not None else []
    lines += [tr("SHA-256 {sha256}", sha256=one.sha256)] if one.sha256 else []
    lines += [one.problem] if one.problem and not one.repository else []
    lines += [_on_the_hub(one)] if one.repository and one.state is Availability.ABSENT else []
    is_packaged = entry is not None and entry.is_packaged
    return ModelDetails(
        one.name,
        one.title,
        role,
        tuple(lines),
        command=_command(one, is_single_file=is_single_file),
        can_download=bool(one.repository) and not one.state.is_here,
        can_choose=not one.state.is_here and not is_packaged,
        is_single_file=is_single_file,
        can_forget=_added(one.name) is not None,
    )


def _row(one: ModelStatus, role: Role, words: int, device: str, *, is_downloading: bool) -> ModelRow:
    seconds = one.seconds_for(words, device) if words else float("nan")
    presence = ModelPresence.HERE if one.state.is_here else ModelPresence.ABSENT
    presence = ModelPresence.DAMAGED if one.state is Availability.DAMAGED else presence
    return ModelRow(
        key_of(role, one.name),
        one.name,
        one.title,
        role[0].upper() + role[1:],
        one.used_by,
        ModelPresence.FETCHING if is_downloading else presence,
        "downloading" if is_downloading else str(one.state),
        one.disk_bytes,
        one.memory_bytes,
        seconds,
    )


def _on_the_hub(one: ModelStatus) -> str:
    return tr(
        "Hugging Face hub: {repository}. Nothing is downloaded until you press Download.",
        repository=one.repository,
    )


def _command(one: ModelStatus, *, is_single_file: bool) -> str:
    if one.state.is_here:
        return ""
    if one.repository:
        return f"pyramidion models download {one.name}"
    return f"pyramidion models add {'FILE' if is_single_file else 'FOLDER'} --name {one.name}"


def _added(name: str) -> UserModel | None:
    entry = catalogue_entry(name)
    return user_models().get(name, *(() if entry is None else entry.repositories))
