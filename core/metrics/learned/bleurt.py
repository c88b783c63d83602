"""BLEURT (Sellam, Das & Parikh 2020; Pu et al. 2021): a BERT trained to rate a text against a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base import (
    Array,
    Explanation,
    Need,
    Pool,
    Prepared,
    Resources,
    noted,
    setting,
    undefined,
)
from core.metrics.base.pooling import PooledMetric
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import read_json
from core.models.heads.nli_labels import is_regression
from core.models.runtime.heads import Head, check_head

_WORDS = 150
"""Words of a typical summary and reference, for estimates of run time."""


@dataclass(frozen=True, slots=True)
class PreparedRatings(Prepared):
    """The ratings of all pairs. values: shape (summaries, references, 1), NaN = a text is blank."""

    values: Array
    truncated: int


@register
@dataclass(frozen=True)
class Bleurt(PooledMetric[PreparedRatings]):
    """Rating of a summary by a network that was trained on synthetic pairs, then on judgements of WMT.

    NaN for a text without letters or signs. Statistics per reference: the rating.

    Formula:
        score = w · tanh(W · c + b) + v, c = vector of the first piece of BERT([CLS] reference [SEP] summary)

    Modes:
        BLEURT-20 and the three networks distilled from it (rater=bleurt-20, bleurt-20-d12, -d6 and -d3) are
        RemBERTs, tested on thirteen languages (Pu et al. 2021); the others are BERTs for English.

    Limits:
        Trained on single sentences: a longer pair is cut at the model's limit, at most 512 pieces, which is
        noted. Ratings are about 0 to 1, but have no bounds; only those of one checkpoint are comparable.
    """

    name: ClassVar[str] = "bleurt"
    family: ClassVar[str] = "Learned"
    about: ClassVar[str] = "Rating against a reference by a BERT trained on judgements of translations."
    paper: ClassVar[str] = "Sellam, Das & Parikh 2020, BLEURT, ACL"
    bibliography: ClassVar[tuple[str, ...]] = ("sellam-2020-bleurt", "pu-2021-bleurt")
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.RATER})

    rater: str = setting(
        "bleurt-large-512",
        "The checkpoint: bleurt-large-512, bleurt-base-512, bleurt-tiny-512, bleurt-20, bleurt-20-d12, "
        "bleurt-20-d6, bleurt-20-d3, a model's name, or its folder.",
        title="Model",
    )
    pooling: str = setting(
        "mean",
        "Several references: mean = their mean; best = the largest value.",
        choices=("mean", "best"),
        title="Several references",
    )
    pieces: int = setting(
        512,
        "Maximum number of word pieces of a pair; 128 for checkpoints that were trained with so many.",
        low=16,
        high=100_000,
        title="Pieces",
    )
    dtype: str = dtype_setting()

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.pooling == "best" else Pool.MEAN

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.score",)

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"rater": ("bleurt-large-512", "bleurt-base-512", "bleurt-20")}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.rater)
        return {"model": model.name, "hash": resources.model_hash(self.rater)[:12], "tokenizer": "fast"}

    def check(self, resources: Resources) -> None:
        model = find_model(self.rater)
        check_head(model, Head.ENTAILMENT)
        if not is_regression(read_json(model.folder / "config.json")):
            raise InputError(
                f"{model.name} in {model.folder} is a classifier, but BLEURT has one output, the rating. "
                "Choose a checkpoint of BLEURT, such as bleurt-base-512 or bleurt-20."
            )

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.rater)
        return seconds_per_text(model, model.layers, resources.device, _WORDS)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return resources.entailment(self.rater, self.dtype).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedRatings:
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        texts = [*product(topic.summaries, topic.references)]
        is_rated = np.array([bool(s.content.strip() and r.content.strip()) for s, r in texts], dtype=np.bool_)
        pairs = [(r.content, s.content) for (s, r), is_one in zip(texts, is_rated, strict=True) if is_one]
        rated = resources.entailment(self.rater, self.dtype).logits(
            pairs, PairLayout(self.pieces, "by_piece")
        )
        shape = len(topic.summaries), len(topic.references)
        values, is_cut = np.full(len(texts), np.nan), np.zeros(len(texts), dtype=np.bool_)
        values[is_rated], is_cut[is_rated] = rated.values[:, 0], rated.is_truncated
        truncated = int(is_cut.reshape(shape).any(axis=1).sum())
        return PreparedRatings(topic, values.reshape(*shape, 1), truncated)

    def per_reference(self, prepared: PreparedRatings) -> Array:
        return prepared.values

    def notes(self, prepared: PreparedRatings) -> dict[str, int]:
        blank = int(np.isnan(prepared.values).any(axis=(1, 2)).sum())
        return noted(truncated=prepared.truncated, no_units=blank)

    def trees(self, prepared: PreparedRatings, system: int) -> Iterator[Sequence[Explanation]]:
        for text, value in zip(
            prepared.topic.references, prepared.values[system, :, 0].tolist(), strict=True
        ):
            label = f"rating against {text.name}"
            yield (undefined(label, "no_units") if np.isnan(value) else Explanation(label, value=value),)
