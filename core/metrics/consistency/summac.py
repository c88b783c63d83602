"""SummaC (Laban et al. 2022): entailment between units of the documents and of a summary, pooled.

ZS takes extremes or means; Conv reads the distribution of each unit's values by a learned linear layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import MissingResource
from core.files.allowed_names import NameKind, NotAllowed, allowed_names, is_path
from core.metrics.base import Array, Explanation, Resources, setting
from core.metrics.base.explanation import Operator
from core.metrics.consistency.support import (
    POOLINGS,
    PairTrees,
    PreparedSupport,
    SupportMetric,
    classifier_setting,
    pieces_setting,
)
from core.metrics.consistency.text_units import (
    DOCUMENT,
    MIXED,
    PARAGRAPH,
    SENTENCE,
    TWO_SENTENCES,
    TextUnit,
    units_of,
)
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.conversion import read_layer_file
from core.models.catalogue.entries import SUMMAC_LAYER, catalogue_entry
from core.models.catalogue.lookup import added_place
from core.models.catalogue.model_folder import Model
from core.models.heads.nli_labels import contradiction_of, entailment_of

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier


BINS = np.array(
    [
        *(0.0, 0.01, 0.02, 0.03, 0.04, 0.07, 0.13, 0.37, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96),
        *(0.965, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 1.0),
    ]
)
"""Edges of the bins, by percentiles of the authors' training data; the last bin includes 1."""


@dataclass(frozen=True, slots=True, eq=False)
class SummacLayer:
    """A linear layer over the histogram of a unit's probabilities, and one over the mean of units.

    weights: of each bin, shape (bins,). bias: of a unit.
    slope, intercept: of the log-odds that a summary is consistent, from the mean of its units.
    """

    weights: Array
    bias: float
    slope: float
    intercept: float

    def weights_of(self, probabilities: Array) -> Array:
        """Return the weight of the bin of each probability; the same shape."""
        places = np.searchsorted(BINS, probabilities, side="right") - 1
        return self.weights[np.clip(places, 0, len(self.weights) - 1)]


def find_layer(name: str) -> Path:
    """Return the file of a layer by the name of an added model, or its path.

    Raises MissingResource with how to get it.
    """
    place = added_place(name)
    if place is None and is_path(name):
        if not allowed_names().has(NameKind.PLACE, name):
            raise NotAllowed(NameKind.PLACE, name)
        place = Path(name).expanduser()
    if place is not None and place.is_file():
        return place
    entry = catalogue_entry(SUMMAC_LAYER)
    how = entry.by_hand if entry else ""
    raise MissingResource(f"The layer {name!r} of SummaC-Conv is not on this machine. {how}")


def read_layer(file: Path) -> SummacLayer:
    """Read a layer. Raises InputError if the file is damaged or contains anything else."""
    numbers: Mapping[str, Any] = read_layer_file(file)
    weights, final, final_bias = (
        np.asarray(numbers[key], dtype=np.float64)
        for key in ("mlp.weight", "layer_final.weight", "layer_final.bias")
    )
    slope = float((final[1] - final[0]).sum())
    bias = float(np.asarray(numbers["mlp.bias"], dtype=np.float64).item())
    return SummacLayer(weights.reshape(-1), bias, slope, float(final_bias[1] - final_bias[0]))


_KINDS = (SENTENCE, TWO_SENTENCES, PARAGRAPH, MIXED, DOCUMENT)
_SHORTEST = 11
"""Characters of the shortest sentence or paragraph that counts."""

_USED_CLAIMS = 10
"""Units of a summary that Conv reads; further ones are ignored."""


@dataclass(frozen=True, slots=True)
class PreparedSummac(PreparedSupport):
    """What SummaC compares. layer: of Conv, None = ZS."""

    layer: SummacLayer | None = None


@register
@dataclass(frozen=True)
class SummaC(SupportMetric):
    """How far the documents entail the sentences of a summary, and do not contradict them.

    ZS is in [-1, 1], Conv in [0, 1]. Sentences and paragraphs of at most 10 characters do not count. In ZS a
    text without units counts as 0, as in the authors' program.

    Formula:
        ZS:   score = mean over units h of the summary of (max over units d of P(entailment of h by d)
                      − max over units d of P(contradiction))
        Conv: score = logistic(a · mean over units h of (b + Σ over units d of w[bin of P(entailment)]) + c)

    Modes:
        zs pools probabilities (`within` over the documents' units, `across` over the summary's).
        conv reads their histogram in 23 bins by the authors' released layer, of entailment only and of the
        first 10 units of a summary.

    Limits:
        Sentences that need several sentences of the documents as evidence count as unsupported. Names,
        numbers and negations are judged as well as the entailment model judges them. A copied sentence scores
        high. The released layer was trained with `nli=vitc` and sentences.
    """

    name: ClassVar[str] = "summac"
    about: ClassVar[str] = (
        "How far sentences of the documents entail those of the summary; uses no reference."
    )
    paper: ClassVar[str] = "Laban, Schnabel, Bennett & Hearst 2022, SummaC, TACL"
    bibliography: ClassVar[tuple[str, ...]] = ("laban-2022-summac",)
    default_configs: ClassVar[tuple[str, ...]] = ("", "mode=conv")
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {
        "nli": ("vitc", "roberta-large-mnli", "roberta-large-nli")
    }

    mode: str = setting(
        "zs",
        "zs = extremes or means of the probabilities; conv = the authors' learned layer over their bins.",
        choices=("zs", "conv"),
        title="Mode",
    )
    nli: str = classifier_setting("vitc", ", roberta-large-mnli, roberta-large-nli (trained on ANLI too)")
    units: str = setting(
        SENTENCE,
        "Units of the documents; two-sentences = every pair of neighbours; mixed = sentences and paragraphs.",
        choices=_KINDS,
        title="Units of documents",
    )
    claims: str = setting(SENTENCE, "Units of the summary.", choices=_KINDS, title="Units of summaries")
    most_units: int = setting(
        100, "Units of a document that are used, from its beginning.", low=1, title="Units"
    )
    counted: str = setting(
        "both",
        "both = entailment minus contradiction; entailment; contradiction = 1 minus its probability.",
        choices=("both", "entailment", "contradiction"),
        title="Labels",
    )
    within: str = setting(
        "max", "Value of a unit of the summary among the documents'.", choices=tuple(POOLINGS), title="Within"
    )
    across: str = setting(
        "mean", "Value of a summary among its units.", choices=tuple(POOLINGS), title="Across"
    )
    layer: str = setting(
        "summac-conv", "The learned layer of conv: summac-conv, or its file.", title="Layer of conv"
    )
    pieces: int = pieces_setting(500)
    dtype: str = dtype_setting()

    def unused(self) -> Mapping[str, str]:
        if self.mode == "zs":
            return {"layer": "mode=zs"}
        return dict.fromkeys(("counted", "within", "across"), "mode=conv")

    @property
    def counts_empty(self) -> bool:
        return self.mode == "zs" and self.counted != "contradiction"

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}-{self.mode}.score",)

    def labels(self, model: Model) -> tuple[int, ...]:
        return entailment_of(model), contradiction_of(model)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        extras = super().signature_extras(resources)
        if self.mode == "conv":
            extras["layer_hash"] = resources.files_hash([find_layer(self.layer)])[:12]
        return extras

    def check(self, resources: Resources) -> None:
        super().check(resources)
        if self.mode == "conv":
            find_layer(self.layer)

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        return units_of(text, self.units, _SHORTEST)[: self.most_units]

    def claims_of(self, text: Text) -> Sequence[TextUnit]:
        found = units_of(text, self.claims, _SHORTEST)
        return found[:_USED_CLAIMS] if self.mode == "conv" else found

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSummac:
        found = super().prepare(topic, resources)
        file = find_layer(self.layer) if self.mode == "conv" else None
        layer = None if file is None else resources.once(("SummaC-Conv", file), lambda: read_layer(file))
        return PreparedSummac(topic, found.units, found.claims, found.support, found.truncated, layer)

    def pooled(self, prepared: PreparedSupport, support: Array) -> Sequence[float]:
        if isinstance(prepared, PreparedSummac) and (layer := prepared.layer) is not None:
            units = layer.bias + layer.weights_of(support[:, :, 0]).sum(axis=0)
            return (1 / (1 + np.exp(-(layer.slope * units.mean() + layer.intercept))),)
        entailed, contradicted = np.moveaxis(POOLINGS[self.within](support, axis=0), 1, 0)
        by_labels = {
            "both": entailed - contradicted,
            "entailment": entailed,
            "contradiction": 1.0 - contradicted,
        }
        return (float(POOLINGS[self.across](by_labels[self.counted])),)

    def trees(self, prepared: PreparedSupport, pairs: PairTrees) -> Sequence[Explanation]:
        claims = range(len(pairs.claims))
        if isinstance(prepared, PreparedSummac) and prepared.layer is not None:
            return (_of_layer(prepared.layer, pairs),)
        across: Operator = self.across  # type: ignore[assignment]  # a choice of POOLINGS
        label = f"{self.across} over the summary's {self.claims} units"
        return (Explanation(label, across, children=tuple(self._claim(pairs, claim) for claim in claims)),)

    def _claim(self, pairs: PairTrees, claim: int) -> Explanation:
        within: Operator = self.within  # type: ignore[assignment]  # a choice of POOLINGS
        if self.counted == "entailment":
            return pairs.over_units(claim, 0, within)
        own = pairs.label_of(claim)
        contradicted = pairs.over_units(claim, 1, within, f"contradiction of {own}")
        less = Explanation(
            "minus contradiction", "product", children=(Explanation("−1", value=-1.0), contradicted)
        )
        first = Explanation("all", value=1.0)
        if self.counted == "both":
            first = pairs.over_units(claim, 0, within, f"entailment of {own}")
        return Explanation(own, "sum", children=(first, less))


def _of_layer(layer: SummacLayer, pairs: PairTrees) -> Explanation:
    """Return the tree of Conv, whose leaves are the weights of bins."""
    claims = []
    for claim in range(len(pairs.claims)):
        weights = layer.weights_of(pairs.support[:, claim, 0]).tolist()
        leaves = [pairs.leaf(unit, claim, weight) for unit, weight in zip(pairs.units, weights, strict=True)]
        children = (*leaves, Explanation("constant of a unit", value=layer.bias))
        claims.append(Explanation(pairs.label_of(claim), "sum", children=children))
    mean = Explanation("mean over the summary's units", "mean", children=tuple(claims))
    sloped = Explanation("slope · mean", "product", children=(Explanation("slope", value=layer.slope), mean))
    odds = (sloped, Explanation("constant", value=layer.intercept))
    return Explanation(
        "probability of consistency", "logistic", children=(Explanation("log-odds", "sum", children=odds),)
    )
