"""Base class of metrics with an encoder: model setting, signature and run time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from core.domain.study import Text
from core.metrics.base import Array, Mask, Metric, Need, Resources, setting
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import Model
from core.models.encoders.encode_request import EncodeRequest


def encoder_setting() -> Any:
    explained = "The encoder: minilm (installed with the program), a model's name, or its folder."
    return setting("minilm", explained, title="Encoder")


def dtype_setting() -> Any:
    explained = "Numeric precision of the encoder; bfloat16 is faster on a GPU but less exact."
    return setting("float32", explained, choices=("float32", "bfloat16"), title="Numeric precision")


class EncoderMetric(Metric):
    """A metric with an encoder; subclasses declare these fields in the order that signatures show."""

    family: ClassVar[str] = "Embeddings"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.ENCODER})
    encoder: str
    dtype: str

    def layers_read(self, model: Model) -> int:
        """How many of a model's layers it runs. Raises InputError where the settings do not fit."""
        raise NotImplementedError

    def ahead(
        self, texts: Sequence[str], layers: Sequence[int], limit: int = 0, lower: bool = False
    ) -> tuple[EncodeRequest, ...]:
        """Texts as `to_encode` names them, by its own encoder. lower: put in lower case first."""
        read = tuple(text.lower() for text in texts) if lower else tuple(texts)
        return (EncodeRequest(self.encoder, self.dtype, read, tuple(layers), limit),)

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        model = find_model(self.encoder)
        return {"model": model.name, "hash": tools.model_hash(self.encoder)[:12], "tokenizer": "fast"}

    def unknown_shares(self, texts: Sequence[Text], tools: Resources) -> Sequence[float]:
        encoder = tools.encoder(self.encoder, self.dtype)
        return encoder.unknown_shares([text.content for text in texts])

    def check(self, tools: Resources) -> None:
        self.layers_read(find_model(self.encoder))

    def seconds_per_text(self, tools: Resources) -> float:
        model = find_model(self.encoder)
        return seconds_per_text(model, self.layers_read(model), tools.device)


def references_hash(tools: Resources) -> str:
    """SHA-256 over what an idf counts, the references in use; hexadecimal."""
    return corpus_hash(tools.study_references())


def corpus_hash(texts: Sequence[str]) -> str:
    """SHA-256 over texts that an idf counts; hexadecimal."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def pool_references(stats: Array, references: Mask, *, best: bool) -> Array:
    """The best or the mean of stats[systems, references, k] over the references that count; NaN if none."""
    kept = stats[:, references]
    if not kept.shape[1]:
        return np.full((stats.shape[0], stats.shape[2]), np.nan)
    pooled: Array = kept.max(axis=1) if best else kept.mean(axis=1)
    return pooled
