"""Detection of the labels of a classifier of pairs: entailment or support, and contradiction."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_json
from core.models.runtime.heads import Head, check_head

ENTAILMENT, CONTRADICTION = "entailment", "contradiction"
_NAMES = {
    ENTAILMENT: frozenset(
        {"entailment", "entail", "entails", "entailed", "supports", "supported", "support", "correct"}
    ),
    CONTRADICTION: frozenset(
        {"contradiction", "contradict", "contradicts", "refutes", "refuted", "incorrect", "unsupported"}
    ),
}
"""Names of labels, in lower case; VitaminC's are SUPPORTS and REFUTES, FactCC's CORRECT and INCORRECT."""

_BY_AUTHORS = {
    "roberta-large-tac08": {ENTAILMENT: 0},
    "vitaminc": {ENTAILMENT: 0, CONTRADICTION: 1},
    "minicheck": {ENTAILMENT: 1, CONTRADICTION: 0},
    "factcc": {ENTAILMENT: 0, CONTRADICTION: 1},
}
"""Models with unnamed labels, by a part of their names, and the labels of their authors."""

_GENERATIVE = "T5ForConditionalGeneration"
_NOT_SUPPORTED, _SUPPORTED = 3, 209
VERDICTS = (_NOT_SUPPORTED, _SUPPORTED)
"""MiniCheck's Flan-T5 answers by one of these pieces."""


def is_generative(model: Model) -> bool:
    """Return whether a model answers by its first word piece, as MiniCheck's Flan-T5 does."""
    return _GENERATIVE in (read_json(model.folder / "config.json").get("architectures") or ())


def is_minicheck(config: Mapping[str, Any], name: str) -> bool:
    """Return whether a configuration is that of MiniCheck's Flan-T5, which has no labels to tell it by."""
    return _GENERATIVE in (config.get("architectures") or ()) and "minicheck" in name.lower()


def is_regression(config: Mapping[str, Any]) -> bool:
    """Return whether a configuration is that of a network with one output, such as BLEURT's rating."""
    return len(config.get("id2label") or ()) == 1


def check_classifier(model: Model) -> None:
    """Raise InputError unless a model classifies pairs of texts. Loads nothing."""
    if not is_generative(model):
        check_head(model, Head.ENTAILMENT)


def entailment_of(model: Model) -> int:
    """Return the index of a model's entailment label. Raises InputError if it has none."""
    check_head(model, Head.ENTAILMENT)
    return entailment_label(read_json(model.folder / "config.json"), model.folder, model.name)


def contradiction_of(model: Model) -> int:
    """Return the index of a model's contradiction label. Raises InputError if it has none."""
    check_head(model, Head.ENTAILMENT)
    return _label(read_json(model.folder / "config.json"), model.folder, model.name, CONTRADICTION)


def support_of(model: Model) -> int:
    """Return the index of the label that says that the first text supports the second.

    Raises InputError if the model has none.
    """
    if not is_generative(model):
        return entailment_of(model)
    config = read_json(model.folder / "config.json")
    if not is_minicheck(config, model.name) or config.get("vocab_size", 0) <= max(VERDICTS):
        raise InputError(
            f"{model.name} in {model.folder} is a T5 that nothing identifies as MiniCheck. If it was trained "
            "as MiniCheck is, add it under a name with minicheck in it: pyramidion models add FOLDER --name "
            "my-minicheck"
        )
    return VERDICTS.index(_SUPPORTED)


def entailment_label(config: Mapping[str, Any], folder: Path, name: str = "") -> int:
    """Return the index of the entailment label in a config.json. name: of the model.

    Raises InputError if no label or several labels have that name.
    """
    return _label(config, folder, name, ENTAILMENT)


def _label(config: Mapping[str, Any], folder: Path, name: str, wanted: str) -> int:
    labels = config.get("id2label") or {}
    named = {str(label).strip().lower(): int(place) for place, label in labels.items()}
    matching = [place for label, place in named.items() if label in _NAMES[wanted]]
    if len(matching) == 1:
        return matching[0]
    by_authors = [
        places[wanted] for key, places in _BY_AUTHORS.items() if key in name.lower() and wanted in places
    ]
    if by_authors and all(label.startswith("label_") or label.isdecimal() for label in named):
        return by_authors[0]
    listed = ", ".join(str(label) for label in labels.values()) or "none"
    article = "an" if wanted == ENTAILMENT else "a"
    raise InputError(
        f"{folder / 'config.json'} does not name {article} {wanted} label (its labels: {listed}). Name the "
        f"label “{wanted}” under id2label, as the model's authors describe it."
    )
