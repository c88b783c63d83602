"""Cosine of whole texts' vectors (Sun & Nenkova 2019): how near a summary is to references or documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import Array, Need, Tools
from core.metrics.neural import EncoderMetric, dtype_setting, encoder_setting
from core.metrics.registry import register
from core.metrics.whole_texts import (
    PreparedVectors,
    WholeTextMetric,
    against_setting,
    pooling_setting,
    unit_rows,
)
from core.models.catalogue import find
from core.models.folder import Model
from core.models.pooling import read_pooling

if TYPE_CHECKING:
    from core.models.encoder import Encoder


@register
@dataclass(frozen=True)
class Cosine(WholeTextMetric, EncoderMetric):
    """Mean or greatest cosine of a summary to the references (its one statistic each) or the documents."""

    name: ClassVar[str] = "cosine"
    about: ClassVar[str] = "Compares whole texts by the cosine of their vectors."
    paper: ClassVar[str] = "Sun & Nenkova 2019, Feasibility of Embedding Based Automatic Evaluation, EMNLP"
    model: ClassVar[Need] = Need.ENCODER

    encoder: str = encoder_setting()
    against: str = against_setting()
    pooling: str = pooling_setting()
    dtype: str = dtype_setting()

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"encoder": ("infersent1", "infersent2", "use-2", "use-3", "elmo")}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.pooling}",)

    def layers_read(self, model: Model) -> int:
        read_pooling(model)  # a model whose way is not known says so before a run
        return model.layers

    def extras(self, tools: Tools) -> dict[str, str]:
        pooling = read_pooling(find(self.encoder))
        return {**super().extras(tools), "vectors": str(pooling), "pieces": str(pooling.limit)}

    def prepare(self, topic: TopicTexts, tools: Tools) -> PreparedVectors:
        others = topic.documents if self.against == "document" else topic.references
        encoder = tools.encoder(self.encoder, self.dtype)
        vectors, truncated = _unit_vectors((*topic.summaries, *others), encoder)
        count = len(topic.summaries)
        notes = {"truncated": truncated} if truncated else {}
        return PreparedVectors(topic, others, vectors[:count], vectors[count:], notes)


def _unit_vectors(texts: Sequence[Text], encoder: Encoder) -> tuple[Array, int]:
    """Vectors of length 1, shape (texts, dimension), zeros for an empty text; and how many were truncated."""
    made = encoder.text_vectors([text.content for text in texts])
    vectors = made.vectors.astype(np.float64)
    vectors[[not text.content.strip() for text in texts]] = 0.0
    return unit_rows(vectors), int(made.is_truncated.sum())
