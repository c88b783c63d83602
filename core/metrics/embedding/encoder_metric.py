"""Base class of metrics with an encoder: model setting, signature and run time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

from core.domain.study import Text
from core.metrics.base import Metric, Need, Resources, setting
from core.metrics.base.metric import P
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import Model
from core.models.encoders.text_encoding import EncodeRequest


def encoder_setting() -> Any:
    description = "The encoder: minilm (installed with the program), a model's name, or its folder."
    return setting("minilm", description, title="Encoder")


def dtype_setting() -> Any:
    description = "Numeric precision of the model; bfloat16, and int8 on a CPU, are faster but less exact."
    choices = ("float32", "bfloat16", "int8")
    return setting("float32", description, choices=choices, title="Numeric precision")


class EncoderMetric(Metric[P]):
    """A metric with an encoder. Subclasses declare these fields in the order of their signatures."""

    family: ClassVar[str] = "Embeddings"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.ENCODER})
    encoder: str
    dtype: str

    def layers_read(self, model: Model) -> int:
        """Return the number of layers to run. Raises InputError if the settings do not fit the model."""
        raise NotImplementedError

    def ahead(
        self, texts: Sequence[str], layers: Sequence[int], limit: int = 0, lower: bool = False
    ) -> tuple[EncodeRequest, ...]:
        """Return the result of `to_encode` for texts and layers. lower: convert texts to lower case."""
        contents = tuple(text.lower() for text in texts) if lower else tuple(texts)
        return (EncodeRequest(self.encoder, self.dtype, contents, tuple(layers), limit),)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.encoder)
        return {"model": model.name, "hash": resources.model_hash(self.encoder)[:12], "tokenizer": "fast"}

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        encoder = resources.encoder(self.encoder, self.dtype)
        return encoder.unknown_shares([text.content for text in texts])

    def check(self, resources: Resources) -> None:
        self.layers_read(find_model(self.encoder))

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.encoder)
        return seconds_per_text(model, self.layers_read(model), resources.device)


def references_hash(resources: Resources) -> str:
    """Return the hexadecimal SHA-256 of the included references, from which idf weights are computed."""
    return corpus_hash(resources.study_references())


def corpus_hash(texts: Sequence[str]) -> str:
    """Return the hexadecimal SHA-256 of texts from which idf weights are computed."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
