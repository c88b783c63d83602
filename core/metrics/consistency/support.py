"""Base class of metrics that judge units of a summary by units of the documents, pair by pair.

All pairs of a topic go through a classifier at once. A unit of the summary is judged by the units of all
documents together: it is enough that one of them supports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.formatting.legible_text import one_line
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.explanation import Operator
from core.metrics.consistency.text_units import TextUnit
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.catalogue.model_folder import Model

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier, PairLayout, PairLogits

_LONGEST_LABEL = 60

POOLINGS: Mapping[str, Callable[..., Any]] = {"max": np.max, "mean": np.mean, "min": np.min}
"""Ways to make one value of several, which are operators of explanations too."""


@dataclass(frozen=True, slots=True)
class PreparedSupport(Prepared):
    """Units of a topic, and how the units of the documents judge those of each summary.

    claims: units of each summary.
    support: per summary, shape (document units, its claims, kinds of probabilities).
    truncated: number of summaries with a truncated pair.
    """

    units: tuple[TextUnit, ...]
    claims: tuple[tuple[TextUnit, ...], ...]
    support: tuple[Array, ...]
    truncated: int


def classifier_setting(default: str, others: str = "") -> Any:
    return setting(
        default, f"The classifier: {default}{others}, a model's name, or its folder.", title="Model"
    )


def pieces_setting(default: int) -> Any:
    return setting(
        default,
        "Maximum number of word pieces of a pair; the model may allow fewer.",
        low=16,
        high=100_000,
        title="Pieces",
    )


class SupportMetric(Metric[PreparedSupport]):
    """A metric that pools the judgements of pairs. Subclasses declare the fields `nli`, `pieces` and `dtype`.

    They say how texts are divided (`document_units`, `claims_of`), how a pair is written (`layout`), which
    probabilities count (`kinds`), and how these become scores (`pooled`) and trees (`trees`).
    """

    family: ClassVar[str] = "Consistency"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS, Need.NLI})
    usual_pairs: ClassVar[tuple[int, int]] = (90, 50)
    """Pairs of a summary of three sentences with a document of thirty, and words of a pair, for estimates."""
    default_pool: ClassVar[Pool] = Pool.JOINT

    nli: str
    pieces: int
    dtype: str

    @property
    def counts_empty(self) -> bool:
        """Return whether a text without units counts as 0, as in the program that defines the metric."""
        return False

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        """Return the units of a document."""
        raise NotImplementedError

    def claims_of(self, text: Text) -> Sequence[TextUnit]:
        """Return the units of a summary."""
        raise NotImplementedError

    def labels(self, model: Model) -> tuple[int, ...]:
        """Return the labels that count. Raises InputError if the model is of another kind."""
        raise NotImplementedError

    def layout(self, model: Model) -> PairLayout:
        """Return how a pair becomes the input of the model."""
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        return PairLayout(self.pieces)

    def kinds(self, logits: PairLogits, model: Model) -> Array:
        """Return what counts of a model's scores, shape (pairs, kinds): probabilities of the labels."""
        return logits.probabilities()[:, self.labels(model)]

    def pooled(self, prepared: PreparedSupport, support: Array) -> Sequence[float]:
        """Return the measures of a summary, from shape (document units, claims, kinds), none empty.

        By default one, the mean over its units of what the best unit of the documents says.
        """
        return (float(support[:, :, 0].max(axis=0).mean()),)

    def undecided(self, support: Array) -> int:
        """Return how many of a summary's units rounding could decide otherwise. support: as in `pooled`."""
        return 0

    def trees(self, prepared: PreparedSupport, pairs: PairTrees) -> Sequence[Explanation]:
        """Return the tree of each measure of a summary."""
        claims = [pairs.over_units(claim, 0, "max") for claim in range(len(pairs.claims))]
        return (Explanation("mean over the summary's units", "mean", children=tuple(claims)),)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.nli)
        label = "+".join(map(str, self.labels(model)))
        digest = resources.model_hash(self.nli)[:12]
        return {"model": model.name, "hash": digest, "label": label, "tokenizer": "fast"}

    def check(self, resources: Resources) -> None:
        self.labels(find_model(self.nli))

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.nli)
        pairs, words = self.usual_pairs
        return pairs * seconds_per_text(model, model.layers, resources.device, words)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return resources.entailment(self.nli, self.dtype).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSupport:
        classifier = resources.entailment(self.nli, self.dtype)
        units = tuple(unit for text in topic.documents for unit in self.document_units(text, classifier))
        claims = tuple(tuple(self.claims_of(text)) for text in topic.summaries)
        pairs = [(unit.content, claim.content) for own in claims for unit in units for claim in own]
        logits = classifier.logits(pairs, self.layout(classifier.model))
        kinds = self.kinds(logits, classifier.model)
        counts = [len(units) * len(own) for own in claims]
        ends = np.cumsum(counts)[:-1]
        support = tuple(
            part.reshape(len(units), len(own), kinds.shape[1])
            for part, own in zip(np.split(kinds, ends), claims, strict=True)
        )
        truncated = sum(bool(part.any()) for part in np.split(logits.is_truncated, ends))
        return PreparedSupport(topic, units, claims, support, truncated)

    def score(self, prepared: PreparedSupport) -> TopicScores:
        nothing = 0.0 if self.counts_empty else np.nan
        values = np.full((len(prepared.support), len(self.measures())), nothing)
        for row, support in zip(values, prepared.support, strict=True):
            if support.size:
                row[:] = self.pooled(prepared, support)
        empty = sum(not support.size for support in prepared.support)
        undecided = sum(self.undecided(support) for support in prepared.support if support.size)
        notes = {
            "undecided_answers": undecided,
            "counted_as_zero" if self.counts_empty else "no_units": empty,
        }
        return TopicScores(values, notes=noted(truncated=prepared.truncated, **notes))

    def explain(self, prepared: PreparedSupport, system: int) -> dict[str, Explanation]:
        support = prepared.support[system]
        if not support.size:
            label = "sentences of the documents and the summary"
            nothing = Explanation(f"no {label}") if self.counts_empty else undefined(label, "no_units")
            return dict.fromkeys(self.measures(), nothing)
        trees = self.trees(prepared, PairTrees(prepared.units, prepared.claims[system], support))
        return dict(zip(self.measures(), trees, strict=True))


@dataclass(frozen=True, slots=True)
class PairTrees:
    """Trees over the pairs of a summary. support: shape (document units, claims, kinds)."""

    units: tuple[TextUnit, ...]
    claims: tuple[TextUnit, ...]
    support: Array

    def over_units(self, claim: int, kind: int, operator: Operator, label: str = "") -> Explanation:
        """Return what the documents' units say about a claim. label: empty = the claim's beginning."""
        values = self.support[:, claim, kind].tolist()
        leaves = (self.leaf(unit, claim, value) for unit, value in zip(self.units, values, strict=True))
        return Explanation(label or self.label_of(claim), operator, children=tuple(leaves))

    def leaf(self, unit: TextUnit, claim: int, value: float) -> Explanation:
        """Return the leaf of a pair, which marks both units."""
        own = self.claims[claim]
        evidence = (
            Evidence("summary", own.text.name, own.span, value),
            Evidence("document", unit.text.name, unit.span, value),
        )
        return Explanation(f"by {unit.text.name}: {shortened(unit.content)}", value=value, evidence=evidence)

    def label_of(self, claim: int) -> str:
        return shortened(self.claims[claim].content)


def shortened(content: str) -> str:
    """Return the beginning of a unit in one line."""
    return one_line(content, _LONGEST_LABEL)
