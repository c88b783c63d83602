"""chrF (Popović 2015): F of shared character n-grams, computed by sacrebleu (Post 2018)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Explanation,
    Mask,
    Metric,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    setting,
)
from core.metrics.base.pooling import pool_references
from core.metrics.registry import register
from core.metrics.rouge.overlap_explanation import leaf

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF


@dataclass(frozen=True, slots=True)
class PreparedChrf(Prepared):
    """A topic, and a chrF scorer for each reference."""

    against: tuple[CHRF, ...]


@register
@dataclass(frozen=True)
class Chrf(Metric):
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
    about: ClassVar[str] = "Character n-gram F score for any script, computed by sacrebleu."
    paper: ClassVar[str] = "Popović 2015; Post 2018, sacrebleu"

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

    @property
    def pool(self) -> Pool:
        return Pool.MAX

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.score",)

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def seconds_per_text(self, tools: Resources) -> float:
        return 3e-3

    def prepare(self, topic: TopicTexts, tools: Resources) -> PreparedChrf:
        return PreparedChrf(topic, tuple(self._against(reference) for reference in topic.references))

    def score(self, prepared: Prepared) -> TopicScores:
        assert isinstance(prepared, PreparedChrf)
        summaries = prepared.topic.summaries
        stats = np.array(
            [
                [chrf.corpus_score([text.content], None).score for chrf in prepared.against]
                for text in summaries
            ],
            dtype=np.float64,
        ).reshape(len(summaries), len(prepared.against), 1)
        return TopicScores(self.combine(stats, np.ones(stats.shape[1], dtype=np.bool_)), stats)

    def combine(self, stats: Array, references: Mask) -> Array:
        return pool_references(stats, references, best=True)

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        assert isinstance(prepared, PreparedChrf)
        summary = prepared.topic.summaries[system]
        trees = tuple(self._tree(summary, reference) for reference in prepared.topic.references)
        return {self.measures()[0]: Explanation("best reference", "max", children=trees)}

    def _against(self, reference: Text) -> CHRF:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.nc,
            word_order=self.nw,
            beta=self.beta,
            lowercase=self.case == "lc",
            whitespace=self.space,
            eps_smoothing=not self.eff,
            references=[[reference.content]],
        )

    def _tree(self, summary: Text, reference: Text) -> Explanation:
        """Explain the score against one reference: by counts with default settings, otherwise a leaf."""
        if self.nw or not self.eff:
            score = self._against(reference).corpus_score([summary.content], None).score
            return Explanation(f"against {reference.name}", value=score)
        orders = [
            (n, mine, theirs)
            for n in range(1, self.nc + 1)
            if (mine := self._grams(summary, n)) and (theirs := self._grams(reference, n))
        ]
        precision = Explanation("precision", "mean", children=tuple(_share(n, m, r, m) for n, m, r in orders))
        recall = Explanation("recall", "mean", children=tuple(_share(n, m, r, r) for n, m, r in orders))
        if not orders:
            return Explanation(f"against {reference.name}: too short for a common n-gram")
        factor = self.beta**2
        top = Explanation("product", "product", children=(leaf("", 100 * (1 + factor)), precision, recall))
        weighted = Explanation("beta² × precision", "product", children=(leaf("beta²", factor), precision))
        bottom = Explanation("sum", "sum", children=(weighted, recall))
        return Explanation(f"F against {reference.name}", "ratio", children=(top, bottom))

    def _grams(self, text: Text, n: int) -> Counter[str]:
        content = text.content.lower() if self.case == "lc" else text.content
        line = content if self.space else "".join(content.split())
        return Counter(line[at : at + n] for at in range(len(line) - n + 1))


def _share(n: int, mine: Counter[str], theirs: Counter[str], of: Counter[str]) -> Explanation:
    shared = (mine & theirs).total()
    parts = (leaf("shared", shared), leaf("of", of.total()))
    return Explanation(f"{n} characters", "ratio", children=parts)
