"""BERT encoders in plain torch, loaded without transformers' models, whose import takes seconds.

Modules are named as the weights are. Operations and their order are those of transformers, so that results
are the same. Source: Devlin et al. 2019.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

from core.models.catalogue.model_folder import read_json

_OLD_NAMES = {"gamma": "weight", "beta": "bias"}
"""Last parts of names in weights that were converted from the first release."""


class LoadedLinear(nn.Linear):
    """A layer whose weights are loaded: drawing them first would take long."""

    def reset_parameters(self) -> None:
        pass


class _Embedding(nn.Embedding):
    """See `LoadedLinear`."""

    def reset_parameters(self) -> None:
        pass


class BertModel(nn.Module):
    """An encoder. config: contents of a config.json."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.config = SimpleNamespace(is_encoder_decoder=False)
        self.embeddings = _Embeddings(config)
        self.encoder = _Blocks(config)

    def get_input_embeddings(self) -> nn.Embedding:
        """Return the vectors of word pieces."""
        return self.embeddings.word_embeddings

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, output_hidden_states: bool = False
    ) -> SimpleNamespace:
        """Return the last state and, if asked for, the embeddings and the state after each block.

        input_ids, attention_mask: shape (texts, pieces), the mask is 0 for padding.
        """
        mask = None
        if not bool(attention_mask.all()):
            texts, pieces = input_ids.shape
            mask = attention_mask[:, None, None, :].bool().expand(texts, 1, pieces, pieces)
        state = self.embeddings(input_ids)
        states = [state]
        for layer in self.encoder.layer:
            state = layer(state, mask)
            states.append(state)
        hidden = tuple(states) if output_hidden_states else None
        return SimpleNamespace(last_hidden_state=state, hidden_states=hidden)


class _Embeddings(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        size = config["hidden_size"]
        self.word_embeddings = _Embedding(config["vocab_size"], size)
        self.position_embeddings = _Embedding(config["max_position_embeddings"], size)
        self.token_type_embeddings = _Embedding(config["type_vocab_size"], size)
        self.LayerNorm = nn.LayerNorm(size, eps=config["layer_norm_eps"])

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)[None]
        embedded = self.word_embeddings(ids) + self.token_type_embeddings(torch.zeros_like(ids))
        normed: torch.Tensor = self.LayerNorm(embedded + self.position_embeddings(places))
        return normed


class _SelfAttention(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        size = config["hidden_size"]
        self._of_head = size // config["num_attention_heads"]
        self.query, self.key, self.value = (LoadedLinear(size, size) for _ in range(3))

    def forward(self, state: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        shape = (*state.shape[:-1], -1, self._of_head)
        query, key, value = (
            part(state).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        attended = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, scale=self._of_head**-0.5
        )
        return attended.transpose(1, 2).contiguous().reshape(state.shape)


class _Output(nn.Module):
    def __init__(self, given: int, config: dict[str, Any]) -> None:
        super().__init__()
        self.dense = LoadedLinear(given, config["hidden_size"])
        self.LayerNorm = nn.LayerNorm(config["hidden_size"], eps=config["layer_norm_eps"])

    def forward(self, state: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        normed: torch.Tensor = self.LayerNorm(self.dense(state) + before)
        return normed


class _Attention(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.self = _SelfAttention(config)
        self.output = _Output(config["hidden_size"], config)

    def forward(self, state: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        attended: torch.Tensor = self.output(self.self(state, mask), state)
        return attended


class _Intermediate(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.dense = LoadedLinear(config["hidden_size"], config["intermediate_size"])

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        return functional.gelu(self.dense(state))


class _Layer(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.attention, self.intermediate = _Attention(config), _Intermediate(config)
        self.output = _Output(config["intermediate_size"], config)

    def forward(self, state: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        attended = self.attention(state, mask)
        result: torch.Tensor = self.output(self.intermediate(attended), attended)
        return result


class _Blocks(nn.Module):
    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.layer = nn.ModuleList(_Layer(config) for _ in range(config["num_hidden_layers"]))


def load_bert(folder: Path, dtype: torch.dtype) -> BertModel | None:
    """Return the encoder of a folder; None if it is another model, or if its files cannot be read.

    Loading the folder with transformers then reports what is wrong.
    """
    config = read_json(folder / "config.json")
    if config.get("model_type") != "bert" or not (folder / "model.safetensors").is_file():
        return None
    if config.get("hidden_act") != "gelu" or config.get("is_decoder") or "quantization_config" in config:
        return None
    if config.get("position_embedding_type", "absolute") != "absolute":
        return None
    try:
        with torch.device("meta"):
            module = BertModel({"layer_norm_eps": 1e-12, "type_vocab_size": 2, **config})
        weights = load_file(folder / "model.safetensors")
        named = {_named(name): weight.to(dtype) for name, weight in weights.items()}
        wanted = module.state_dict()
        module.load_state_dict({name: named[name] for name in wanted}, assign=True)
    except (OSError, KeyError, TypeError, ValueError, RuntimeError, SafetensorError):
        return None
    return module.requires_grad_(False)


def _named(name: str) -> str:
    """Return the name of a weight in an encoder alone, in its present spelling."""
    before, dot, last = name.removeprefix("bert.").rpartition(".")
    return f"{before}{dot}{_OLD_NAMES.get(last, last)}"
