"""Metrics that check each sentence of a summary against the documents: FactCC and MiniCheck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text
from core.metrics.base import Array, Explanation, setting
from core.metrics.consistency.support import (
    PairTrees,
    PreparedSupport,
    SupportMetric,
    classifier_setting,
    pieces_setting,
)
from core.metrics.consistency.text_units import DOCUMENT, SENTENCE, TextUnit, filled_chunks, units_of, whole
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.model_folder import Model
from core.models.heads.nli_labels import entailment_of, is_generative, support_of

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier, PairLayout

_SUPPORTED = 0.5
"""Probability above which a claim counts as supported."""

_CHUNK_PIECES, _CHUNK_WORDS = 400, 500
_PREFIX = "predict: "


def claims_setting() -> Any:
    return setting(
        SENTENCE,
        "What is checked: each sentence of the summary, or the summary as one (document).",
        choices=(SENTENCE, DOCUMENT),
        title="Claims",
    )


class ClaimMetric(SupportMetric):
    """A metric that says of each claim whether the documents support it. Subclasses declare `claims`."""

    parts: ClassVar[tuple[str, ...]] = ("mean", "min", "share")

    claims: str

    def labels(self, model: Model) -> tuple[int, ...]:
        return (entailment_of(model),)

    def claims_of(self, text: Text) -> Sequence[TextUnit]:
        return units_of(text, self.claims)

    def pooled(self, prepared: PreparedSupport, support: Array) -> Sequence[float]:
        best = support[:, :, 0].max(axis=0)
        return float(best.mean()), float(best.min()), float(is_supported(support).mean())

    def undecided(self, support: Array) -> int:
        return near_threshold(support)

    def trees(self, prepared: PreparedSupport, pairs: PairTrees) -> Sequence[Explanation]:
        claims = tuple(pairs.over_units(claim, 0, "max") for claim in range(len(pairs.claims)))
        decisions = tuple(decision(pairs, claim) for claim in range(len(pairs.claims)))
        return (
            Explanation("mean over the claims", "mean", children=claims),
            Explanation("least supported claim", "min", children=claims),
            Explanation("share of supported claims", "mean", children=decisions),
        )


def is_supported(support: Array) -> NDArray[np.bool_]:
    """Return whether some unit of the documents supports each claim. support: (units, claims, kinds)."""
    supported: NDArray[np.bool_] = support[:, :, 0].max(axis=0) > _SUPPORTED
    return supported


def near_threshold(support: Array) -> int:
    """Return how many claims rounding could make supported or unsupported. support: as above."""
    from core.models.heads.head_model import TIE_TOLERANCE  # imports torch

    return int((np.abs(support[:, :, 0].max(axis=0) - _SUPPORTED) <= TIE_TOLERANCE).sum())


def decision(pairs: PairTrees, claim: int) -> Explanation:
    """Return the leaf of a claim: 1 if its best unit supports it, else 0."""
    values = pairs.support[:, claim, 0]
    place = int(values.argmax())
    holds = bool(values[place] > _SUPPORTED)
    verdict = "supported" if holds else "not supported"
    evidence = pairs.leaf(pairs.units[place], claim, float(values[place])).evidence
    return Explanation(f"{verdict}: {pairs.label_of(claim)}", value=float(holds), evidence=evidence)


@register
@dataclass(frozen=True)
class FactCC(ClaimMetric):
    """Probability that the sentences of a summary are consistent with the whole document, by one classifier.

    `mean` and `min` over the sentences, and the `share` of those with a probability above one half.

    Formula:
        p(s) = max over documents d of P(correct given d and the sentence s)
        mean = mean of p(s), min = min of p(s), share = share of s with p(s) > 0.5

    Limits:
        Trained on news of CNN and the Daily Mail with errors made by rules. What exceeds `pieces` is cut from
        the end of the document.
    """

    name: ClassVar[str] = "factcc"
    about: ClassVar[str] = "Whether a classifier finds each sentence consistent with the whole document."
    paper: ClassVar[str] = "Kryściński, McCann, Xiong & Socher 2020, FactCC, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("kryscinski-2020-factcc",)
    usual_pairs: ClassVar[tuple[int, int]] = (3, 370)
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"nli": ("factcc",)}

    nli: str = classifier_setting("factcc")
    claims: str = claims_setting()
    pieces: int = pieces_setting(512)
    dtype: str = dtype_setting()

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        return whole(text)


@register
@dataclass(frozen=True)
class MiniCheck(ClaimMetric):
    """Probability that chunks of the documents support the sentences of a summary.

    `mean` and `min` over the sentences, and the `share` of those with a probability above one half.

    Formula:
        p(s) = max over chunks c of P(c supports the sentence s)
        mean = mean of p(s), min = min of p(s), share = share of s with p(s) > 0.5

    Limits:
        A sentence whose evidence is in several chunks counts as unsupported, and one with pronouns is judged
        without its context. The authors leave open how sentences are combined.
    """

    name: ClassVar[str] = "minicheck"
    about: ClassVar[str] = "Whether chunks of the documents support each sentence of the summary."
    paper: ClassVar[str] = "Tang, Laban & Durrett 2024, MiniCheck, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("tang-2024-minicheck",)
    usual_pairs: ClassVar[tuple[int, int]] = (6, 320)
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {
        "nli": ("minicheck-flan-t5-large", "minicheck-deberta-v3-large", "minicheck-roberta-large")
    }

    nli: str = classifier_setting(
        "minicheck-flan-t5-large", ", minicheck-roberta-large, minicheck-deberta-v3-large"
    )
    claims: str = claims_setting()
    chunk: int = setting(
        0,
        f"Longest chunk in word pieces, for Flan-T5 in words; 0 = as published, {_CHUNK_PIECES} pieces or "
        f"{_CHUNK_WORDS} words.",
        low=0,
        title="Chunk",
    )
    pieces: int = pieces_setting(2048)
    dtype: str = dtype_setting()

    def labels(self, model: Model) -> tuple[int, ...]:
        return (support_of(model),)

    def layout(self, model: Model) -> PairLayout:
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        return PairLayout(self.pieces, is_joined=True, prefix=_PREFIX if is_generative(model) else "")

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        if is_generative(classifier.model):
            return filled_chunks(text, self.chunk or _CHUNK_WORDS, _words)
        return filled_chunks(text, self.chunk or _CHUNK_PIECES, classifier.lengths)


def _words(parts: Sequence[str]) -> list[int]:
    return [len(part.split()) for part in parts]
