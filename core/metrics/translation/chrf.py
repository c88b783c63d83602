"""chrF (Popović 2015): F of shared character n-grams, computed by sacrebleu (Post 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Pool,
    Prepared,
    Resources,
    noted,
    setting,
)
from core.metrics.base.pooling import PooledMetric, compare_pairs
from core.metrics.registry import register
from core.metrics.rouge.overlap_explanation import leaf
from core.metrics.translation.matched_grams import Gram, PlacedTokens, shared_evidence

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF


@dataclass(frozen=True, slots=True)
class PreparedChrf(Prepared):
    """A topic, and a chrF scorer for each reference."""

    against: tuple[CHRF, ...]


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
    about: ClassVar[str] = "Character n-gram F score for any script, computed by sacrebleu."
    paper: ClassVar[str] = "Popović 2015; Post 2018, sacrebleu"
    bibliography: ClassVar[tuple[str, ...]] = ("popovic-2015-chrf", "post-2018-call")
    is_in_summeval: ClassVar[bool] = True

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

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}

    def seconds_per_text(self, resources: Resources) -> float:
        return 3e-3

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedChrf:
        return PreparedChrf(topic, tuple(self._against(reference) for reference in topic.references))

    def per_reference(self, prepared: PreparedChrf) -> Array:
        return compare_pairs(prepared.topic.summaries, prepared.against, _score)

    def notes(self, prepared: PreparedChrf) -> dict[str, int]:
        texts = (*prepared.topic.summaries, *prepared.topic.references)
        return noted(counted_as_zero=sum(not text.content.strip() for text in texts))

    def trees(self, prepared: PreparedChrf, system: int) -> Iterator[Sequence[Explanation]]:
        characters = self._characters(prepared.topic.summaries[system])
        for reference in prepared.topic.references:
            yield (self._tree(characters, reference),)

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

    def _tree(self, mine: PlacedTokens, reference: Text) -> Explanation:
        """Explain the score against one reference: by counts with default settings, otherwise a leaf."""
        theirs = self._characters(reference)
        if self.nw or not self.eff:
            score = _score(mine.text, self._against(reference))
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


def _score(summary: Text, chrf: CHRF) -> float:
    score: float = chrf.corpus_score([summary.content], None).score
    return score


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
