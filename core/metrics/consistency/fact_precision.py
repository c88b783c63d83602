"""Precision of facts as in FActScore (Min et al. 2023), with clauses for facts and entailment for support.

FActScore lets a language model divide a text into facts and decide on each; here no language model is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.domain.study import Text
from core.metrics.base import Array, Explanation, setting
from core.metrics.consistency.claims import decision, is_supported, near_threshold
from core.metrics.consistency.support import (
    PairTrees,
    PreparedSupport,
    SupportMetric,
    classifier_setting,
    pieces_setting,
)
from core.metrics.consistency.text_units import (
    CLAUSE,
    PARAGRAPH,
    SENTENCE,
    TWO_SENTENCES,
    TextUnit,
    clauses_of,
    sentences_of,
    units_of,
)
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.model_folder import Model
from core.models.heads.nli_labels import entailment_of

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier


@register
@dataclass(frozen=True)
class FactPrecision(SupportMetric):
    """Share of a summary's facts that the documents entail, plain and with a penalty for few facts.

    A fact is a clause or a sentence, and is supported if a unit of the documents entails it with a
    probability above one half. This is not FActScore, whose facts and decisions come from a language model.

    Formula:
        precision = supported facts / facts
        score     = precision · exp(1 − gamma / facts) where there are fewer facts than gamma, else precision

    Limits:
        Clauses are found by English rules and keep their pronouns, so that some are judged without what they
        are about. The penalty rewards length: compare systems of similar lengths, or set gamma=0.
    """

    name: ClassVar[str] = "fact-precision"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Share of a summary's clauses that the documents entail, counted as by FActScore."
    paper: ClassVar[str] = "Min et al. 2023, FActScore, EMNLP, without its language model"
    bibliography: ClassVar[tuple[str, ...]] = ("min-2023-factscore",)
    usual_pairs: ClassVar[tuple[int, int]] = (180, 40)
    parts: ClassVar[tuple[str, ...]] = ("precision", "score")

    nli: str = classifier_setting("vitc", ", roberta-large-mnli, roberta-large-nli")
    facts: str = setting(CLAUSE, "What counts as a fact.", choices=(CLAUSE, SENTENCE), title="Facts")
    units: str = setting(
        SENTENCE,
        "Units of the documents; two-sentences = every pair of neighbours.",
        choices=(SENTENCE, TWO_SENTENCES, PARAGRAPH),
        title="Units of documents",
    )
    gamma: int = setting(
        10, "Number of facts from which there is no penalty; 0 = none.", low=0, title="Gamma"
    )
    pieces: int = pieces_setting(512)
    dtype: str = dtype_setting()

    def substitutes(self) -> tuple[tuple[str, str], ...]:
        return (("entailment of clauses", "a language model that writes and checks facts"),)

    def labels(self, model: Model) -> tuple[int, ...]:
        return (entailment_of(model),)

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        return units_of(text, self.units)

    def claims_of(self, text: Text) -> Sequence[TextUnit]:
        return clauses_of(text) if self.facts == CLAUSE else sentences_of(text)

    def pooled(self, prepared: PreparedSupport, support: Array) -> Sequence[float]:
        precision = float(is_supported(support).mean())
        return precision, precision * self._penalty(support.shape[1])

    def undecided(self, support: Array) -> int:
        return near_threshold(support)

    def trees(self, prepared: PreparedSupport, pairs: PairTrees) -> Sequence[Explanation]:
        facts = tuple(decision(pairs, fact) for fact in range(len(pairs.claims)))
        precision = Explanation("share of supported facts", "mean", children=facts)
        count = len(pairs.claims)
        penalty = Explanation(f"penalty for {count} facts, gamma {self.gamma}", value=self._penalty(count))
        return precision, Explanation("precision · penalty", "product", children=(precision, penalty))

    def _penalty(self, facts: int) -> float:
        return math.exp(1 - self.gamma / facts) if facts < self.gamma else 1.0
