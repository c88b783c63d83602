"""Cosine of text vectors (Sun & Nenkova 2019): similarity of a summary to references or documents.

Of the paper's seven encoders, enc-2, enc-3, InferSent, ELMo-m and ELMo-a are settings of this metric; max
and avg are settings of `cosine-words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import BadSetting, InputError, PyramidionError
from core.metrics.base import Array, Explanation, Need, Resources, setting
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting
from core.metrics.embedding.text_encoder_source import (
    cut_text,
    placed_words,
    read_texts,
    source_seconds,
    source_signature,
)
from core.metrics.embedding.text_vectors import (
    PreparedVectors,
    WholeTextMetric,
    against_setting,
    explain_by_words,
    pooling_setting,
    unit_rows,
    words_setting,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.encoders.pooling import read_pooling
from core.models.encoders.precomputed_vectors import PrecomputedVectors
from core.models.encoders.text_encoders import KINDS, EncoderSource, find_source, infer_kind, kind_of
from core.models.encoders.text_encoding import EncodedText

if TYPE_CHECKING:
    from core.models.encoders.encode_request import EncodeRequest


def text_encoder_setting() -> Any:
    kinds = ", ".join(kind for kind in KINDS if kind != "vectors")
    explained = (
        "The encoder: minilm (installed with the program), a model's name, or its folder; of the paper's "
        f"others the kind with its folder, as elmo-max:FOLDER ({kinds}); vectors:FILE for vectors computed "
        "elsewhere."
    )
    return setting("minilm", explained, title="Encoder")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedReadings(PreparedVectors):
    """A topic's texts, and of each summary what its vector is joined of."""

    source: EncoderSource
    readings: tuple[EncodedText, ...]


@register
@dataclass(frozen=True)
class Cosine(WholeTextMetric, EncoderMetric):
    """Mean or greatest cosine of a summary to the references (its one statistic each) or the documents."""

    name: ClassVar[str] = "cosine"
    about: ClassVar[str] = "Cosine similarity of text vectors."
    paper: ClassVar[str] = "Sun & Nenkova 2019, Feasibility of Embedding Based Automatic Evaluation, EMNLP"
    model: ClassVar[Need] = Need.ENCODER
    shorthands: ClassVar[Mapping[str, tuple[str, str]]] = {"vectors": ("encoder", "vectors:")}

    encoder: str = text_encoder_setting()
    against: str = against_setting()
    pooling: str = pooling_setting()
    words: int = words_setting()
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dtype != "float32" and kind_of(self.encoder):
            raise BadSetting(f"{self.name}: dtype={self.dtype} is for transformers; {self.encoder} is none.")

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"encoder": ("infersent1", "infersent2", "use-2", "use-3", "elmo")}

    def settings(self) -> dict[str, str]:
        """Every setting as text; no limit is not named, so that runs from before it keep their signature."""
        return {key: value for key, value in super().settings().items() if key != "words" or self.words}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.pooling}",)

    def layers_read(self, model: Model) -> int:
        read_pooling(model)  # a model whose way is not known says so before a run
        return model.layers

    def check(self, tools: Resources) -> None:
        if self._source() is None:
            super().check(tools)

    def seconds_per_text(self, tools: Resources) -> float:
        source = self._source()
        return super().seconds_per_text(tools) if source is None else source_seconds(source, tools.device)

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        source = self._source()
        if source is not None:
            return source_signature(source, tools)
        pooling = read_pooling(find_model(self.encoder))
        found = {**super().signature_extras(tools), "vectors": str(pooling), "pieces": str(pooling.limit)}
        if pooling.layers:
            found["layers-hash"] = tools.files_hash([layer.weights for layer in pooling.layers])[:12]
        return found

    def lacking(self, topic: TopicTexts, tools: Resources) -> str:
        if not self.encoder.startswith("vectors:"):
            return ""
        try:
            encoder = tools.text_encoder(self.encoder)
        except PyramidionError as error:  # a damaged file leaves out every topic, and other metrics run
            return str(error).removesuffix(".")
        assert isinstance(encoder, PrecomputedVectors)
        return encoder.lacking((*topic.summaries, *self._others(topic)))

    def unknown_shares(self, texts: Sequence[Text], tools: Resources) -> Sequence[float]:
        if self._source() is None:
            return super().unknown_shares(texts, tools)
        return [reading.unknown_share for reading in tools.text_encoder(self.encoder).read(texts)]

    def to_encode(self, topic: TopicTexts, tools: Resources) -> Sequence[EncodeRequest]:
        if self._source() is not None:
            return ()
        model = find_model(self.encoder)
        pooling = read_pooling(model)
        texts = [text.content for text in (*topic.summaries, *self._others(topic))]
        return self.ahead(texts, (model.layers,), pooling.limit, lower=pooling.is_lower)

    def prepare(self, topic: TopicTexts, tools: Resources) -> PreparedVectors:
        others, count = self._others(topic), len(topic.summaries)
        texts = (*topic.summaries, *others)
        source = self._source()
        if source is None:
            vectors, notes = self._by_transformer(texts, tools)
            return PreparedVectors(topic, others, vectors[:count], vectors[count:], notes)
        vectors, read, notes = read_texts(source, tools.text_encoder(self.encoder), texts)
        mine, theirs, readings = vectors[:count], vectors[count:], tuple(read[:count])
        return PreparedReadings(topic, others, mine, theirs, notes, source=source, readings=readings)

    def cosine_trees(self, prepared: PreparedVectors, system: int) -> list[Explanation]:
        if not isinstance(prepared, PreparedReadings):
            return super().cosine_trees(prepared, system)
        words, summary = (
            placed_words(prepared.source, prepared.readings[system]),
            prepared.topic.summaries[system],
        )
        joining = prepared.source.kind.joining
        return explain_by_words(summary, words, joining, prepared.others, prepared.other_vectors)

    def _others(self, topic: TopicTexts) -> tuple[Text, ...]:
        others = topic.documents if self.against == "document" else topic.references
        return tuple(cut_text(text, self.words) for text in others) if self.words else others

    def _source(self) -> EncoderSource | None:
        """Where its encoder lies, None = it is a transformer. Raises MissingResource, InputError."""
        if kind_of(self.encoder):
            return find_source(self.encoder)
        if meant := infer_kind(self.encoder):
            raise InputError(f"{self.encoder} is no transformer's folder; write {meant}.")
        return None

    def _by_transformer(self, texts: Sequence[Text], tools: Resources) -> tuple[Array, Mapping[str, int]]:
        """Vectors of length 1, shape (texts, dimension), zeros for an empty text; and the notes."""
        made = tools.encoder(self.encoder, self.dtype).text_vectors([text.content for text in texts])
        vectors = made.vectors.astype(np.float64)
        vectors[[not text.content.strip() for text in texts]] = 0.0
        truncated = int(made.is_truncated.sum())
        return unit_rows(vectors), {"truncated": truncated} if truncated else {}
