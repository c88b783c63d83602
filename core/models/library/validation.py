"""Detection of usable models in folders and files, and of their roles. Loads no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError, MissingResource
from core.models.catalogue.alignscore import is_alignment
from core.models.catalogue.conversion import check_safetensors, is_layer_file, read_layer_file, read_numbers
from core.models.catalogue.entries import Role
from core.models.catalogue.model_folder import read_json, read_model
from core.models.encoders.vector_files import SUFFIXES, read_vectors
from core.models.heads.nli_labels import entailment_label, entailment_of, is_minicheck, is_regression
from core.models.runtime.heads import Head
from core.names import resolve_name

_HDF5 = b"\x89HDF\r\n\x1a\n"
_VOCABULARIES = (("vocab.txt",), ("vocab.json", "merges.txt"))
"""Files from which a tokenizer can be built as well."""

_DISCRIMINATOR = "ElectraForPreTraining"
"""Tells pieces that were replaced; it predicts none."""

_ROLES = "`pyramidion models add --help` names them"


def detect_roles(place: Path, name: str = "") -> tuple[Role, ...]:
    """Return the roles of the model in a folder or file. name: that it will have, empty = the folder's.

    Raises MissingResource if something is missing, InputError if it is damaged or not a model, with the
    remedy.
    """
    if place.is_dir():
        return _roles_of_folder(place, name or place.name)
    if not place.is_file():
        raise MissingResource(f"{place} does not exist. Name a model's folder or a file of word vectors.")
    if place.suffix in {".bin", ".safetensors"} and is_layer_file(place):
        read_layer_file(place)
        return (Role.SUMMAC,)
    if place.name.endswith(SUFFIXES):
        if next(read_vectors(place), None) is None:
            raise InputError(f"{place} contains no words. Get the file again.")
        return (Role.WORD_VECTORS,)
    if place.suffix in {".pkl", ".pt"}:
        read_numbers(place)
        return (Role.INFERSENT,)
    raise InputError(
        f"{place.name} is not a known kind of model. Name a folder, a file of word vectors (.bin, "
        ".txt, .vec), InferSent's infersent1.pkl or infersent2.pkl, or the layer of SummaC-Conv."
    )


def parse_role(name: str) -> Role | None:
    """Return a role by its name or abbreviation, such as nli; None = empty. Raises InputError."""
    asked = name.strip().replace("-", " ").replace("_", " ")
    short = {role.name.replace("_", " ").casefold(): role for role in Role}
    if not asked:
        return None
    return short.get(asked.casefold()) or Role(resolve_name("role", asked, list(Role), _ROLES))


def roles_used(role: Role | None, detected: tuple[Role, ...], place: Path) -> tuple[Role, ...]:
    """Return what a model is used as: a role, or all that were detected. Raises InputError if it can't be."""
    if role is None:
        return detected
    # a sentence encoder may lack modules.json, and word vectors have no configuration
    if role is Role.NLI and role not in detected and Role.ENCODER in detected:
        entailment_of(read_model(place.name, place))  # raises with what is missing
    if role not in detected and not (role is Role.SENTENCE_ENCODER and Role.ENCODER in detected):
        raise InputError(f"{place} cannot be used as {role}; it can be used as: {', '.join(detected)}.")
    return (role,)


def disk_size(place: Path) -> int:
    """Return the size of a model's files in bytes."""
    if place.is_file():
        return place.stat().st_size
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def _roles_of_folder(folder: Path, name: str) -> tuple[Role, ...]:
    if (folder / "config.json").is_file():
        return _roles_of_transformer(folder, name)
    if (folder / "config.cfg").is_file():
        from core.models.nlp.parser import read_pipeline

        read_pipeline(folder)
        return (Role.PARSER,)
    if any(folder.glob("*options.json")):
        return _check_elmo(folder)
    if states := sorted(folder.glob("infersent[12].pkl")):
        read_numbers(states[0])
        return (Role.INFERSENT,)
    if (folder / "saved_model.pb").is_file():
        if not (folder / "variables").is_dir():
            raise MissingResource(
                f"{folder} has no folder variables next to saved_model.pb. Copy the whole folder."
            )
        return (Role.USE,)
    raise MissingResource(
        f"{folder} contains no model: it has neither config.json (transformers), config.cfg (spaCy), "
        "options.json (ELMo) nor saved_model.pb (Universal Sentence Encoder)."
    )


def _check_elmo(folder: Path) -> tuple[Role, ...]:
    read_json(next(folder.glob("*options.json")))
    weights = next(folder.glob("*weights.hdf5"), None)
    if weights is None:
        raise MissingResource(f"{folder} has no weights.hdf5 next to options.json. Copy both files.")
    with weights.open("rb") as stream:
        if stream.read(len(_HDF5)) != _HDF5:
            raise InputError(f"{weights} is damaged or not an HDF5 file. Get it again.")
    return (Role.ELMO,)


def _roles_of_transformer(folder: Path, name: str) -> tuple[Role, ...]:
    model = read_model(folder.name, folder)
    _check_tokenizer(folder)
    for file in model.weights:
        check_safetensors(file)
    config = read_json(folder / "config.json")
    return _by_architecture(config, folder, name)


def _has_entailment_label(folder: Path, config: Mapping[str, Any], name: str) -> bool:
    """Return whether a classifier has a label for entailment; otherwise it is only used as an encoder."""
    try:
        entailment_label(config, folder, name)
    except InputError:
        return False
    return True


def _check_tokenizer(folder: Path) -> None:
    if (folder / "tokenizer.json").is_file():
        read_json(folder / "tokenizer.json")
    elif not any(all((folder / name).is_file() for name in names) for names in _VOCABULARIES):
        raise MissingResource(
            f"{folder} has no tokenizer.json, which is needed for character offsets. Get a version that has "
            "one."
        )


def _by_architecture(config: Mapping[str, Any], folder: Path, model: str) -> tuple[Role, ...]:
    named: Sequence[str] = [str(name) for name in config.get("architectures") or ()]
    roles = []
    if any(name.endswith(Head.MASKED_LM.value[1]) and name != _DISCRIMINATOR for name in named):
        roles.append(Role.MASKED_LM)
    if any(name.endswith("ForQuestionAnswering") for name in named):
        roles.append(Role.QA)
    if any(name.endswith("ForSequenceClassification") for name in named):
        if is_regression(config):
            roles.append(Role.RATER)
        elif _has_entailment_label(folder, config, model):
            roles.append(Role.NLI)
    if any(name.endswith(Head.COMET.value[1]) for name in named):
        roles.append(Role.COMET)
    if any(name.endswith((*Head.SEQUENCE.value[1], *Head.CAUSAL_LM.value[1])) for name in named):
        roles.append(Role.LANGUAGE_MODEL)
    if is_minicheck(config, model):
        roles.append(Role.NLI)
    if is_alignment(config):
        roles.append(Role.ALIGNMENT)
    if (folder / "modules.json").is_file():
        roles.append(Role.SENTENCE_ENCODER)
    return (Role.ENCODER, *roles)
