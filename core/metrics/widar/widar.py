"""WIDAR (Jain et al. 2022): ROUGE with sentence weights from the documents, plus document overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, cast

import numpy as np

from core.domain.study import TopicTexts
from core.metrics.base import Array, Explanation, Need, Prepared, Resources, format_setting, noted, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.base.word_setting import WordMetric, tokenization_setting
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf
from core.metrics.widar.idss import (
    CUT,
    DocumentOverlap,
    document_overlaps,
    similarity_setting,
    tokenizer_settings,
)
from core.metrics.widar.weighted_overlap import (
    Mode,
    SentenceWeights,
    WeightedCounts,
    WeightedText,
    weigh,
    weighted_grams,
    weighted_sequences,
)
from core.text.tokenization import TokenizerSettings
from core.text.truncation import TextLimit

PARTS = ("recall", "precision", "f")
KINDS = ("widar", "weighted", "coverage", "redundancy", "sentences")


@dataclass(frozen=True, slots=True)
class PreparedWeights(Prepared):
    """Texts by sentence, sentence weights of references, and overlap of summaries with the documents."""

    summaries: tuple[WeightedText, ...]
    references: tuple[WeightedText, ...]
    weights: tuple[SentenceWeights, ...]
    overlaps: tuple[DocumentOverlap, ...]


@register
@dataclass(frozen=True)
class Widar(WordMetric[PreparedWeights], PooledMetric[PreparedWeights]):
    """(1 − λ) × similarity to the documents + λ × ROUGE with weighted sentences.

    Several references: the mean. Not bounded by 1, because weights may sum to more than the number of
    sentences. Statistics per reference: recall, precision and F against that reference.

    Formula:
        coverage(i)   = share of the documents' sentences d with LCS(r_i, d) / |d| ≥ theta_1
        redundancy(i) = 1 − share of the other reference sentences with LCS(r_i, r_j) / |r_i| ≥ theta_2
        weight(i)     = (coverage(i) + redundancy(i)) / 2 · number of sentences of the reference
        widar         = (1 − lam) · idss + lam · ROUGE in which a match in sentence i counts weight(i)

    Limits:
        The values exceed 1 where weights add up to more than the number of sentences. The authors' program
        differs from the paper in several formulas; `mode` chooses. Longer references get higher weights.
    """

    name: ClassVar[str] = "widar"
    version: ClassVar[int] = 2
    family: ClassVar[str] = "WIDAR"
    about: ClassVar[str] = (
        "ROUGE with reference sentences weighted by the documents, plus overlap with the documents."
    )
    paper: ClassVar[str] = "Jain, Mavi, Jangra & Saha 2022"
    bibliography: ClassVar[tuple[str, ...]] = ("jain-2022-widar",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.DOCUMENTS})
    default_configs: ClassVar[tuple[str, ...]] = ("variant=1", "variant=2", "")
    default_seconds: ClassVar[float] = 5e-4

    variant: str = setting("l", "n-grams of 1 or 2 words, or l = common sequences.", choices=("1", "2", "l"))
    part: str = setting(
        "widar",
        "widar = the complete metric; weighted = ROUGE with both weights; coverage, "
        "redundancy = with one weight; sentences = without weights.",
        choices=KINDS,
        title="Part",
    )
    lam: float = setting(0.5, "λ: weight of the weighted ROUGE score.", low=0.0, high=1.0, title="Lambda")
    weighing: str = setting(
        "fixed",
        "λ is fixed, or the mean or maximum of a reference's coverage weights.",
        choices=("fixed", "mean", "max"),
        title="Lambda is",
    )
    theta_1: float = setting(
        0.1, "θ₁: minimum share of a document sentence that counts as covered.", low=0.0, high=1.0
    )
    theta_2: float = setting(
        0.3, "θ₂: minimum share of a reference sentence that counts as repeated.", low=0.0, high=1.0
    )
    similarity: str = similarity_setting()
    mode: str = setting(
        "published",
        "paper = the formulas of the paper; reference = the authors' program, which splits "
        "sentences at '. ', divides redundancy differently, clips subsequences and divides "
        "them by words, and divides n-grams by the distinct ones of a sentence; published = "
        "the same with n-grams divided by words, which reproduces the published numbers.",
        choices=("paper", "reference", "published"),
        title="Mode",
    )

    text: str = tokenization_setting("rouge-score")

    def unused(self) -> dict[str, str]:
        if self.part != "widar":
            return dict.fromkeys(("lam", "weighing"), f"part={self.part}")
        return {} if self.weighing == "fixed" else {"lam": f"weighing={self.weighing}"}

    def settings(self) -> dict[str, str]:
        """Return the settings as text, also those not in use, which old signatures have."""
        unused = {key: format_setting(getattr(self, key)) for key in self.unused()}
        every = super().settings() | unused
        return {f.name: every[f.name] for f in fields(self) if f.name in every}

    def measures(self) -> tuple[str, ...]:
        head = f"widar-{self.variant}" if self.part == "widar" else f"widar-{self.variant}-{self.part}"
        return tuple(f"{head}.{part}" for part in PARTS)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedWeights:
        default = tokenizer_settings(self.text)
        weighing = [resources.words(text, default, self._sentences) for text in topic.references]
        article = [resources.words(text, default, self._sentences) for text in topic.documents]
        thetas = self.theta_1, self.theta_2
        cut = default if self.mode == "paper" or default != CUT else TokenizerSettings("widar", stem=True)
        return PreparedWeights(
            topic,
            tuple(
                WeightedText(text, resources.words(text, cut, self._sentences)) for text in topic.summaries
            ),
            tuple(
                WeightedText(text, resources.words(text, cut, self._sentences)) for text in topic.references
            ),
            tuple(weigh(words, article, *thetas, cast(Mode, self.mode)) for words in weighing),
            document_overlaps(topic, self.similarity, resources, default),
        )

    def per_reference(self, prepared: PreparedWeights) -> Array:
        counts = self._counts(prepared)
        rouge = np.stack([counts.recall, counts.precision, counts.f], axis=-1)
        return rouge if self.part != "widar" else self._mixed(rouge, prepared)

    def notes(self, prepared: PreparedWeights) -> dict[str, int]:
        texts = (*prepared.summaries, *prepared.references)
        return noted(counted_as_zero=sum(not len(text.words.ids) for text in texts))

    def trees(self, prepared: PreparedWeights, system: int) -> Iterator[Sequence[Explanation]]:
        counts = self._counts(prepared)
        for place, reference in enumerate(prepared.references):
            rouge = counts.trees(system, place, prepared.summaries[system], reference)
            yield [self._mixed_tree(tree, prepared, system, place) for tree in rouge]

    @property
    def _sentences(self) -> TextLimit:
        split: Literal["points", "sentences"] = "sentences" if self.mode == "paper" else "points"
        return TextLimit(split=split)

    def _counts(self, prepared: PreparedWeights) -> WeightedCounts:
        weights = [each.of(self.part) for each in prepared.weights]
        if self.variant == "l":
            return weighted_sequences(prepared.summaries, prepared.references, weights, cast(Mode, self.mode))
        n = int(self.variant)
        return weighted_grams(prepared.summaries, prepared.references, weights, n, cast(Mode, self.mode))

    def _mixed(self, rouge: Array, prepared: PreparedWeights) -> Array:
        lams = np.array([self._lam(each) for each in prepared.weights])[None, :, None]
        similar = np.array([overlap.value(self.similarity) for overlap in prepared.overlaps])[:, None, None]
        mixed: Array = (1 - lams) * similar + lams * rouge
        return mixed

    def _mixed_tree(
        self, rouge: Explanation, prepared: PreparedWeights, system: int, place: int
    ) -> Explanation:
        if self.part != "widar":
            return rouge
        lam = self._lam(prepared.weights[place])
        similar = prepared.overlaps[system].tree(self.similarity)
        return Explanation(
            f"against {prepared.references[place].text.name}",
            "sum",
            children=(
                Explanation("(1 − λ) × documents", "product", children=(leaf("1 − λ", 1 - lam), similar)),
                Explanation("λ × weighted ROUGE", "product", children=(leaf("λ", lam), rouge)),
            ),
        )

    def _lam(self, weights: SentenceWeights) -> float:
        if self.weighing == "fixed" or not len(weights.coverage):
            return self.lam
        return float(weights.coverage.mean() if self.weighing == "mean" else weights.coverage.max())
