"""Conversion of BLEURT's checkpoints from the names of bleurt-pytorch to those of transformers.

BLEURT-20 and what was distilled from it are RemBERTs with a pooler and one output (Pu et al. 2021), the
older checkpoints BERTs; that program names the same tensors otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError

BLEURT = "bleurt"
_SIZES = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)
_OTHERS = {"hidden_act": "gelu", "layer_norm_eps": 1e-12, "pad_token_id": 0}
_BUFFERS = (".position_ids", ".token_type_ids")
_PROJECTION = ("encoder.embedding_projection.", "encoder.embedding_hidden_mapping_in.")
_HEAD = ("pooler.dense.weight", "pooler.dense.bias")


def bleurt_in_transformers(
    state: Mapping[str, Any], config: Mapping[str, Any], folder: object
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the weights and the configuration by the names of transformers.

    folder: of the checkpoint, for messages. Raises InputError if it is not a whole BLEURT.
    """
    width = config.get("embedding_size")
    kind, architecture = ("bert", "Bert") if width is None else ("rembert", "RemBert")
    weights = {
        name.replace("bleurt.", f"{kind}.", 1).replace(*_PROJECTION): tensor
        for name, tensor in state.items()
        if not name.endswith(_BUFFERS)
    }
    required = [*(f"{kind}.{name}" for name in _HEAD), "classifier.weight", "classifier.bias"]
    missing = [name for name in required if name not in weights] + [n for n in _SIZES if n not in config]
    if missing or weights["classifier.bias"].shape != (1,):
        what = f"it has no {missing[0]}" if missing else "it has other outputs than one"
        raise InputError(f"{folder} is no checkpoint of BLEURT: {what}. Get it again.")
    made = {
        "architectures": [f"{architecture}ForSequenceClassification"],
        "model_type": kind,
        **{name: config[name] for name in _SIZES},
        **{name: config.get(name, usual) for name, usual in _OTHERS.items()},
        **({} if width is None else {"input_embedding_size": width}),
        "id2label": {"0": "rating"},
        "label2id": {"rating": 0},
    }
    return weights, made
