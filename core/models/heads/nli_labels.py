"""Detection of the entailment label of a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_json
from core.models.runtime.heads import Head, check_head

_BY_AUTHORS = {"roberta-large-tac08": 0}
"""Models with unnamed labels, and the label their authors use for entailment."""


def entailment_of(model: Model) -> int:
    """Return the index of a model's entailment label. Raises InputError if it has none."""
    check_head(model, Head.ENTAILMENT)
    return entailment_label(read_json(model.folder / "config.json"), model.folder, model.name)


def entailment_label(config: Mapping[str, Any], folder: Path, name: str = "") -> int:
    """Return the index of the entailment label in a config.json. name: of the model.

    Raises InputError if no label or several labels have that name.
    """
    labels = config.get("id2label") or {}
    named = {str(name).strip().lower(): int(place) for place, name in labels.items()}
    matching = [place for name, place in named.items() if _is_entailment(name)]
    if len(matching) == 1:
        return matching[0]
    by_authors = [place for key, place in _BY_AUTHORS.items() if key in name]
    if by_authors and all(label.startswith("label_") for label in named):
        return by_authors[0]
    listed = ", ".join(str(name) for name in labels.values()) or "none"
    raise InputError(
        f"{folder / 'config.json'} does not name an entailment label (its labels: {listed}). Name the label "
        "“entailment” under id2label, as the model's authors describe it."
    )


def _is_entailment(name: str) -> bool:
    return name in {"entailment", "entail", "entails", "entailed"}
