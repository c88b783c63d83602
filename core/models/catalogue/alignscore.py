"""AlignScore's checkpoints by the names of transformers.

AlignScore (Zha et al. 2023) is a RoBERTa with a pooler and three linear heads upon it. That is a sequence
classifier with as many labels as the heads have outputs, whose hidden layer is the pooler.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TITLE = "AlignScore with RoBERTa"
LABELS = (
    "not aligned (bin)",
    "aligned (bin)",
    "aligned (nli)",
    "neutral (nli)",
    "contradiction (nli)",
    "alignment (reg)",
)
"""Outputs of the heads: binary, three-way, and of the regression."""

ENCODER = "base_model."
_HEADS = ("bin_layer", "tri_layer", "reg_layer")
WITH_ITS_TOKENIZER = (
    "roberta-large",
    "FacebookAI/roberta-base",
    *("roberta-large-mnli", "roberta-large-nli", "roberta-large-tac08"),
)
"""Models that have RoBERTa's tokenizer."""


def is_alignment(config: Mapping[str, Any]) -> bool:
    """Return whether a config.json is that of a converted checkpoint."""
    return tuple((config.get("id2label") or {}).values()) == LABELS


def alignscore_in_transformers(
    state: Mapping[str, Any], sizes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the weights by their names in RobertaForSequenceClassification, and the configuration.

    sizes: those of the RoBERTa, as in its configuration. Raises KeyError for what a checkpoint does not have.
    """
    import torch

    weights = {}
    for kind in ("weight", "bias"):
        weights[f"classifier.dense.{kind}"] = state[f"{ENCODER}pooler.dense.{kind}"]
        weights[f"classifier.out_proj.{kind}"] = torch.cat([state[f"{head}.{kind}"] for head in _HEADS])
    for name, tensor in state.items():
        part = name.removeprefix(ENCODER)
        if part != name and not part.startswith("pooler.") and not part.endswith("position_ids"):
            weights[f"roberta.{part}"] = tensor
    config = {
        **sizes,
        "architectures": ["RobertaForSequenceClassification"],
        "model_type": "roberta",
        "id2label": {str(place): label for place, label in enumerate(LABELS)},
        "label2id": {label: place for place, label in enumerate(LABELS)},
    }
    return weights, config
