"""What the list of models says of each, made from what was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.inventory import Availability, ModelStatus
from core.models.catalogue.user_models import UserModel, user_models
from gui.dialogs.models.values import ModelDetails, ModelPresence, ModelRow

_ROLES: Mapping[str, tuple[Role, ...]] = {
    "encoder": (Role.ENCODER, Role.SENTENCE_ENCODER),
    "masked_lm": (Role.MASKED_LM,),
    "qa": (Role.QA,),
    "nli": (Role.NLI,),
    "vectors": (Role.WORD_VECTORS, Role.ENCODER),
    "parser": (Role.PARSER,),
}
"""Settings that name a model, with what it is for."""


def names_for(setting: str) -> tuple[str, ...]:
    """The models that a metric's setting may name: those of the papers, then those that were added."""
    wanted = set(_ROLES.get(setting, ()))
    if not wanted:
        return ()
    try:
        added = user_models().all()
    except InputError:  # the list of models says it
        added = ()
    found: Sequence[CatalogueEntry | UserModel] = (*CATALOGUE, *added)
    names = (
        one.key if isinstance(one, CatalogueEntry) else one.name for one in found if wanted & set(one.roles)
    )
    return tuple(dict.fromkeys(names))


def rows_of(found: Iterable[ModelStatus], words: int, device: str, fetched: str) -> list[ModelRow]:
    """A row for each model in each of its roles, role by role.

    words: of the study, 0 = none is open. fetched: the name of the model that is being downloaded.
    """
    standings = list(found)
    return [
        _row(one, role, words, device, is_fetched=one.name == fetched)
        for role in Role
        for one in standings
        if role in one.roles
    ]


def key_of(role: Role, name: str) -> str:
    """The key of a model's row under a role."""
    return f"{role}/{name}"


def details_of(one: ModelStatus, role: str) -> ModelDetails:
    """A model in full."""
    entry = catalogue_entry(one.name)
    wants_file = entry is not None and len(entry.files) == 1
    lines = [f"Used by: {one.used_by}"] if one.used_by else []
    lines += [f"Folder: {one.place}"] if one.place is not None else []
    lines += [f"SHA-256 {one.sha256}"] if one.sha256 else []
    lines += [one.problem] if one.problem and not one.repository else []
    lines += [_on_the_hub(one)] if one.repository and one.state is Availability.ABSENT else []
    is_packaged = entry is not None and entry.is_packaged
    return ModelDetails(
        one.name,
        one.title,
        role,
        tuple(lines),
        command=_command(one, wants_file=wants_file),
        can_download=bool(one.repository) and not one.state.is_here,
        can_choose=not one.state.is_here and not is_packaged,
        wants_file=wants_file,
        can_forget=_added(one.name) is not None,
    )


def _row(one: ModelStatus, role: Role, words: int, device: str, *, is_fetched: bool) -> ModelRow:
    seconds = one.seconds_for(words, device) if words else float("nan")
    presence = ModelPresence.HERE if one.state.is_here else ModelPresence.ABSENT
    presence = ModelPresence.DAMAGED if one.state is Availability.DAMAGED else presence
    return ModelRow(
        key_of(role, one.name),
        one.name,
        one.title,
        role[0].upper() + role[1:],
        one.used_by,
        ModelPresence.FETCHING if is_fetched else presence,
        "downloading" if is_fetched else str(one.state),
        one.disk_bytes,
        one.memory_bytes,
        seconds,
    )


def _on_the_hub(one: ModelStatus) -> str:
    return f"It is on the Hugging Face hub as {one.repository}. Nothing is fetched before you press Download."


def _command(one: ModelStatus, *, wants_file: bool) -> str:
    if one.state.is_here:
        return ""
    if one.repository:
        return f"pyramidion models download {one.name}"
    return f"pyramidion models add {'FILE' if wants_file else 'FOLDER'} --name {one.name}"


def _added(name: str) -> UserModel | None:
    entry = catalogue_entry(name)
    return user_models().get(name, *(() if entry is None else entry.repositories))
