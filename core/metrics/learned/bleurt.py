"""BLEURT (Sellam, Das & Parikh 2020; Pu et al. 2021): a BERT trained to rate a text against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base import Resources, setting
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.learned.rating import RatingMetric
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import read_json
from core.models.heads.nli_labels import is_regression
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier


@register
@dataclass(frozen=True)
class Bleurt(RatingMetric):
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
    about: ClassVar[str] = "Rating against a reference by a BERT trained on judgements of translations."
    paper: ClassVar[str] = "Sellam, Das & Parikh 2020, BLEURT, ACL"
    bibliography: ClassVar[tuple[str, ...]] = ("sellam-2020-bleurt", "pu-2021-bleurt")

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

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        distilled = ("bleurt-20-d12", "bleurt-20-d6", "bleurt-20-d3")
        return {"rater": ("bleurt-large-512", "bleurt-base-512", "bleurt-20", *distilled)}

    def check(self, resources: Resources) -> None:
        model = find_model(self.rater)
        check_head(model, Head.ENTAILMENT)
        if not is_regression(read_json(model.folder / "config.json")):
            raise InputError(
                f"{model.name} in {model.folder} is a classifier, but BLEURT has one output, the rating. "
                "Choose a checkpoint of BLEURT, such as bleurt-base-512 or bleurt-20."
            )

    def network(self, resources: Resources) -> PairClassifier:
        return resources.entailment(self.rater, self.dtype)

    def rows(self, topic: TopicTexts, others: Sequence[Text]) -> list[tuple[str, ...]]:
        return [(other.content, summary.content) for summary, other in product(topic.summaries, others)]

    def rated(
        self, rows: list[tuple[str, str]], resources: Resources
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        rated = self.network(resources).logits(rows, PairLayout(self.pieces, "by_piece"))
        return rated.values[:, 0], rated.is_truncated
