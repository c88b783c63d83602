"""A metric and a summarizer for Pyramidion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.plugins import (
    Array,
    Explanation,
    Mask,
    Metric,
    Pool,
    Prepared,
    Resources,
    Source,
    Summarizer,
    TopicScores,
    TopicTexts,
    pool_references,
    setting,
)


@dataclass(frozen=True, slots=True)
class PreparedShares(Prepared):
    """The share of each summary's words that a reference has, shape (systems, references, 1)."""

    shares: Array


@dataclass(frozen=True)
class WordOverlap(Metric):
    """Share of the summary's different words that a reference has; the mean over references."""

    name: ClassVar[str] = "word-overlap"
    family: ClassVar[str] = "Sample package"
    about: ClassVar[str] = "Share of the words of a summary that a reference has."
    default_configs: ClassVar[tuple[str, ...]] = ("", "case=yes")

    case: bool = setting(False, "Distinguish upper and lower case.", title="Case")

    @property
    def pool(self) -> Pool:
        return Pool.MEAN

    def measures(self) -> tuple[str, ...]:
        return ("word-overlap.share",)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedShares:
        shares = [
            [[self._share(text.content, other.content)] for other in topic.references]
            for text in topic.summaries
        ]
        return PreparedShares(topic, np.array(shares))

    def score(self, prepared: Prepared) -> TopicScores:
        assert isinstance(prepared, PreparedShares)
        every = np.ones(prepared.shares.shape[1], dtype=np.bool_)
        return TopicScores(self.combine(prepared.shares, every), prepared.shares)

    def combine(self, stats: Array, references: Mask) -> Array:
        return pool_references(stats, references, best=False)

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        assert isinstance(prepared, PreparedShares)
        leaves = tuple(
            Explanation(f"words that {reference.name} has", value=float(share))
            for reference, share in zip(prepared.topic.references, prepared.shares[system, :, 0], strict=True)
        )
        return {"word-overlap.share": Explanation("mean of the references", "mean", children=leaves)}

    def _share(self, summary: str, reference: str) -> float:
        mine, others = set(self._words(summary)), set(self._words(reference))
        return len(mine & others) / len(mine) if mine else float("nan")

    def _words(self, text: str) -> list[str]:
        return (text if self.case else text.casefold()).split()


@dataclass(frozen=True)
class Tail(Summarizer):
    """The last sentences of the documents."""

    name: ClassVar[str] = "tail"
    about: ClassVar[str] = "The last sentences."

    skip: int = setting(0, "Sentences left out at the end.", low=0)

    def rank(self, source: Source) -> range:
        return range(len(source.sentences) - 1 - self.skip, -1, -1)
