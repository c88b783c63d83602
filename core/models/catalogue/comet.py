"""COMET's checkpoints by the names of transformers.

COMET (Rei et al. 2020, 2022) is an XLM-RoBERTa, a mean of the outputs of its layers with trained weights,
and a feed-forward network. The first is stored as an encoder, the others next to it, below `HEAD`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_json

TITLE = "COMET with XLM-RoBERTa"
ENCODER = "encoder.model."
WITH_ITS_TOKENIZER = (
    "FacebookAI/xlm-roberta-large",
    "FacebookAI/xlm-roberta-base",
    *("xlm-roberta-large", "xlm-roberta-base", "wmt22-comet-da", "wmt22-cometkiwi-da"),
)
"""Models that have the tokenizer of XLM-RoBERTa, and of InfoXLM."""

TOKENIZER_SETTINGS = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "bos_token": "<s>",
    "eos_token": "</s>",
    "cls_token": "<s>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
}

ACTIVATIONS = ("tanh", "sigmoid", "relu")
"""Functions between the layers of the feed-forward network that are computed here."""

ARCHITECTURE, HEAD = "Comet", "comet"
"""Name of the architecture, and of what is added to a config.json and to names of weights."""

SUMMARY, REFERENCE, DOCUMENT = "mt", "ref", "src"
_MIXED, _ESTIMATOR = "layerwise_attention.", "estimator.ff."
_UNIFIED = "unified_metric"
_READS = {
    "regression_metric": [SUMMARY, REFERENCE, DOCUMENT],
    "referenceless_regression_metric": [SUMMARY, DOCUMENT],
    _UNIFIED: [SUMMARY, DOCUMENT],
}
"""Kinds of checkpoints that are read here, and the texts that they read."""


def comet_in_transformers(
    state: Mapping[str, Any],
    parameters: Mapping[str, Any],
    written: Mapping[str, Any],
    sizes: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the weights and the configuration of a checkpoint.

    parameters: in the checkpoint. written: in hparams.yaml; as in the authors' program, this names the kind,
    and whether a checkpoint that names sparsemax was trained by softmax after all.
    sizes: those of the XLM-RoBERTa. Raises KeyError for what a checkpoint does not have, InputError if it is
    of another kind.
    """
    import torch

    kind = written["class_identifier"]
    is_joint = kind == _UNIFIED
    options = {"layer_transformation": "sparsemax" if is_joint else "softmax", **_USUAL, **parameters}
    _check(kind, options)
    scalars = {
        int(name.rpartition(".")[2]): tensor
        for name, tensor in state.items()
        if name.startswith(f"{_MIXED}scalar_parameters.")
    }
    weights = {
        f"{HEAD}.layers": torch.cat([scalars[layer] for layer in range(sizes["num_hidden_layers"] + 1)]),
        f"{HEAD}.gamma": state[f"{_MIXED}gamma"],
    }
    for name, tensor in state.items():
        part = name.removeprefix(ENCODER)
        if part != name and not part.startswith("pooler.") and not part.endswith("position_ids"):
            weights[part] = tensor
        elif name.startswith(_ESTIMATOR):
            weights[f"{HEAD}.{name}"] = tensor
    is_patched = written.get("layer_transformation") == "sparsemax_patch"
    config = {
        **sizes,
        "architectures": [ARCHITECTURE],
        "model_type": "xlm-roberta",
        HEAD: {
            "reads": _READS[kind],
            "is_joint": is_joint,
            "is_sparse": options["layer_transformation"] == "sparsemax" and not is_patched,
            "is_normed": bool(options["layer_norm"]),
            "activation": _activation(options, "activations"),
            "final_activation": _activation(options, "final_activation"),
        },
    }
    return weights, config


_USUAL = {
    "layer_norm": True,
    "activations": "Tanh",
    "final_activation": None,
    "encoder_model": "XLM-RoBERTa",
    "pool": "avg",
    "layer": "mix",
    "sent_layer": "mix",
    "input_segments": [SUMMARY, DOCUMENT, REFERENCE],
}
"""What a checkpoint means that does not say otherwise, besides the kind's way to weigh layers."""


def _check(kind: str, options: Mapping[str, Any]) -> None:
    """Raise InputError for a checkpoint of a kind that is not read here."""
    wanted: dict[str, Any] = {"encoder_model": "XLM-RoBERTa"}
    if kind == _UNIFIED:
        wanted |= {"sent_layer": "mix", "input_segments": [SUMMARY, DOCUMENT], "word_level_training": False}
    else:
        wanted |= {"layer": "mix", "pool": "avg"}
    other = [
        f"{key}={options.get(key)}" for key, value in wanted.items() if (options.get(key) or False) != value
    ]
    if kind not in _READS or other:
        raise _of_another_kind(f"it has {other[0]}" if kind in _READS else f"it is a {kind}")


def _activation(options: Mapping[str, Any], key: str) -> str:
    """Return the name of an activation in lower case; the last one may be none."""
    name = str(options[key] or "").lower()
    if name not in ACTIVATIONS and (name or key == "activations"):
        raise _of_another_kind(f"it has {key}={options[key]}")
    return name


def _of_another_kind(why: str) -> InputError:
    return InputError(
        f"This checkpoint of COMET is of a kind that is not read here: {why}. Choose one such as "
        "wmt22-comet-da or wmt22-cometkiwi-da, or import the scores of its own program."
    )


def head_of(model: Model) -> Mapping[str, Any]:
    """Return how a checkpoint is read. Raises InputError if its configuration does not say that."""
    head = read_json(model.folder / "config.json").get(HEAD)
    if (
        not isinstance(head, dict)
        or not isinstance(head.get("reads"), list)
        or not all(isinstance(head.get(key), bool) for key in ("is_joint", "is_sparse", "is_normed"))
        or head.get("activation") not in ACTIVATIONS
        or head.get("final_activation") not in ("", *ACTIVATIONS)
    ):
        raise InputError(
            f"{model.folder / 'config.json'} does not say how this checkpoint of COMET is read. Add the "
            "folder with its checkpoints/model.ckpt again."
        )
    return head


def reads_references(model: Model) -> bool:
    """Return whether a checkpoint reads a reference."""
    return REFERENCE in head_of(model)["reads"]
