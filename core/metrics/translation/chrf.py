"""chrF (Popović 2015): F of shared character n-grams, computed as by sacrebleu (Post 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import Array, Evidence, Explanation, Pool, Prepared, Resources, noted, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.kernels.ngrams import Words, all_grams, unit_statistics
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf
from core.metrics.translation.matched_grams import Gram, PlacedTokens, shared_evidence

_EPSILON = 1e-16
"""Precision or recall of an order that a text does not have, as in sacrebleu."""


@dataclass(frozen=True, slots=True)
class PreparedChrf(Prepared):
    """A topic, and the numbers of common n-grams.

    counts: of the summary, of the reference and of both, shape (systems, references, orders, 3).
    """

    counts: Array


@register
@dataclass(frozen=True)
class Chrf(PooledMetric[PreparedChrf]):
    """F of precision and recall averaged over n-grams of 1 to 6 characters, from 0 to 100.

    With several references the best one counts. The statistic per reference is the score against it.

    Formula:
        P(n), R(n) = precision and recall of character n-grams
        score      = 100 · (1 + beta²) · P · R / (beta² · P + R), with the means P and R over n

    Limits:
        Rewards any common characters, so unrelated texts of one language score well above 0. Version 1 of
        sacrebleu printed the same on a scale of 0 to 1.
    """

    name: ClassVar[str] = "chrf"
    family: ClassVar[str] = "Translation"
    about: ClassVar[str] = "Character n-gram F score for any script, computed as by sacrebleu."
    paper: ClassVar[str] = "Popović 2015; Post 2018, sacrebleu"
    bibliography: ClassVar[tuple[str, ...]] = ("popovic-2015-chrf", "post-2018-call")
    is_in_summeval: ClassVar[bool] = True
    default_pool: ClassVar[Pool] = Pool.MAX
    default_seconds: ClassVar[float] = 2e-4

    case: str = setting(
        "mixed", "mixed = case-sensitive, lc = lower case.", choices=("mixed", "lc"), title="Case"
    )
    nc: int = setting(6, "Maximum n-gram length in characters.", low=1, high=12, title="Characters")
    nw: int = setting(0, "Maximum n-gram length in words; 2 = chrF++.", low=0, high=4, title="Words")
    space: bool = setting(False, "Include white space in n-grams.", title="White space")
    beta: int = setting(
        2, "Beta: how many times more recall weighs than precision.", low=1, high=10, title="Beta"
    )
    eff: bool = setting(
        True,
        "yes = average precision and recall over the orders that both texts have, then "
        "compute F; no = mean of the F scores of all orders.",
        title="Effective order",
    )

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedChrf:
        texts = (*topic.summaries, *topic.references)
        contents = [text.content.lower() if self.case == "lc" else text.content for text in texts]
        letters = [
            np.frombuffer(
                (one if self.space else "".join(one.split())).encode("utf-32-le", "surrogatepass"), np.int32
            )
            for one in contents
        ]
        orders = all_grams(letters, self.nc)
        if self.nw:
            orders += all_grams(_numbered_words(contents), self.nw)
        counts = [unit_statistics(order, len(topic.summaries)) for order in orders]
        return PreparedChrf(topic, np.stack(counts, axis=2)[..., [2, 1, 0]])

    def per_reference(self, prepared: PreparedChrf) -> Array:
        """Compute F as sacrebleu does, in the same order of operations."""
        n_hyp, n_ref, n_match = np.moveaxis(prepared.counts, -1, 0)
        n_hyp = np.where(n_ref > 0, n_hyp, 0)
        factor = self.beta**2
        precision = np.where(n_hyp > 0, n_match / np.maximum(n_hyp, 1), _EPSILON)
        recall = np.where(n_ref > 0, n_match / np.maximum(n_ref, 1), _EPSILON)
        if not self.eff:
            bottom = factor * precision + recall
            each = np.where(
                bottom > 0, (1 + factor) * precision * recall / np.where(bottom > 0, bottom, 1), _EPSILON
            )
            total = sum(np.moveaxis(each, -1, 0))
            return np.asarray(100 * total / each.shape[-1])[..., None]
        both = (n_hyp > 0) & (n_ref > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        precision, recall = (
            sum(np.moveaxis(np.where(both, side, 0.0), -1, 0)) / orders for side in (precision, recall)
        )
        bottom = factor * precision + recall
        value = (1 + factor) * precision * recall / np.where(bottom > 0, bottom, 1)
        return np.asarray(100 * value)[..., None]

    def notes(self, prepared: PreparedChrf) -> dict[str, int]:
        texts = (*prepared.topic.summaries, *prepared.topic.references)
        return noted(counted_as_zero=sum(not text.content.strip() for text in texts))

    def trees(self, prepared: PreparedChrf, system: int) -> Iterator[Sequence[Explanation]]:
        characters = self._characters(prepared.topic.summaries[system])
        scores = self.per_reference(prepared)[system, :, 0].tolist()
        for reference, score in zip(prepared.topic.references, scores, strict=True):
            yield (self._tree(characters, reference, score),)

    def _tree(self, mine: PlacedTokens, reference: Text, score: float) -> Explanation:
        """Explain the score against one reference: by counts with default settings, otherwise a leaf."""
        theirs = self._characters(reference)
        if self.nw or not self.eff:
            evidence = tuple(e for n in range(1, self.nc + 1) for e in shared_evidence(mine, theirs, n))
            return Explanation(f"against {reference.name}", value=score, evidence=evidence)
        orders = [
            _Order(n, here, there, shared_evidence(mine, theirs, n))
            for n in range(1, self.nc + 1)
            if (here := _counted(mine.grams(n))) and (there := _counted(theirs.grams(n)))
        ]
        name = reference.name
        precision, recall = (
            Explanation(label, "mean", children=tuple(order.share(of, label) for order, of in each))
            for label, each in (
                (f"precision against {name}", [(order, order.summary) for order in orders]),
                (f"recall of {name}", [(order, order.reference) for order in orders]),
            )
        )
        if not orders:
            return Explanation(f"against {reference.name}: too short for a common n-gram")
        factor = self.beta**2
        top = Explanation("product", "product", children=(leaf("", 100 * (1 + factor)), precision, recall))
        weighted = Explanation("beta² × precision", "product", children=(leaf("beta²", factor), precision))
        bottom = Explanation("sum", "sum", children=(weighted, recall))
        return Explanation(f"F against {reference.name}", "ratio", children=(top, bottom))

    def _characters(self, text: Text) -> PlacedTokens:
        """Return the characters that n-grams are made of, with their places."""
        content = text.content.lower() if self.case == "lc" else text.content
        kept = [at for at, character in enumerate(content) if self.space or not character.isspace()]
        has_places = len(content) == len(text.content)  # the lower case of some letters is two
        places = [(at, at + 1) if has_places else None for at in kept]
        return PlacedTokens(text, "".join(content[at] for at in kept), places)


def _numbered_words(contents: Sequence[str]) -> list[Words]:
    """Return the words of texts as numbers, with punctuation at their ends apart, as in sacrebleu."""
    from sacrebleu.metrics.chrf import CHRF

    split, numbers = CHRF()._remove_punctuation, dict[str, int]()
    return [
        np.array([numbers.setdefault(word, len(numbers)) for word in split(content)], dtype=np.int32)
        for content in contents
    ]


@dataclass(frozen=True, slots=True)
class _Order:
    """The counts of n-grams of one length, and those that both texts have."""

    n: int
    summary: Counter[Gram]
    reference: Counter[Gram]
    evidence: tuple[Evidence, ...]

    def share(self, of: Counter[Gram], label: str) -> Explanation:
        """Return the share of n-grams that the other text has. label: of the mean that it belongs to."""
        shared = leaf("shared", (self.summary & self.reference).total())
        parts = (replace(shared, evidence=self.evidence), leaf("of", of.total()))
        return Explanation(f"{self.n} characters, {label}", "ratio", children=parts)


def _counted(places: Mapping[Gram, Sequence[int]]) -> Counter[Gram]:
    return Counter({gram: len(each) for gram, each in places.items()})
