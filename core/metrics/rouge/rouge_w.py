"""ROUGE-W (Lin 2004): common subsequences weighted by the length of consecutive matches."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.metrics.base import Array, Explanation, setting
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.overlap import Overlap, leaf, match_evidence, power, total
from core.metrics.rouge.rouge_l import LcsMarks, LcsMetric, PreparedSequences, matched_places, sizes

if TYPE_CHECKING:
    from core.metrics.kernels.lcs import Ints, LcsTexts


@register
@dataclass(frozen=True)
class RougeW(LcsMetric):
    """Runs of matched words; a run of k words has the weight k to the power of `weight`, as in ROUGE-1.5.5.

    1.5.5 raises the sum of the sentences' weights to the power again, so a text compared with itself has a
    recall below 1.

    Statistics per reference: matched, in the reference, in the summary, and the sum of the weights of the
    reference's sentences.

    Formula:
        f(k)      = k^weight, f⁻¹(x) = x^(1 / weight)
        matched   = Σ over references, their sentences and runs of matched words: f(length of the run)
        recall    = f⁻¹(matched / f(Σ over sentences: f(length of the sentence)))
        precision = f⁻¹(matched / f(words of the summary))
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Counts words, not meaning: a paraphrase scores 0. The default tokenization drops all letters other
        than ASCII, which is noted. Scores with different numbers of references are not comparable, and
        longer summaries have a higher recall.
    """

    name: ClassVar[str] = "rouge-w"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Longest common subsequences in which consecutive matches weigh more: ROUGE-W."
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    default_configs: ClassVar[tuple[str, ...]] = ("stem=yes",)
    default_seconds: ClassVar[float] = 3e-4

    weight: float = setting(
        1.2,
        "A run of k words weighs k to this power (-w); 1 = unweighted.",
        low=0.1,
        high=10.0,
        title="Weight",
    )
    stem: bool = rouge_settings.stem_setting()
    stop_words: bool = rouge_settings.stop_words_setting()
    text: str = rouge_settings.text_setting()
    words: int = rouge_settings.words_setting()
    bytes: int = rouge_settings.bytes_setting()
    pooling: str = rouge_settings.pooling_setting()
    alpha: float = rouge_settings.alpha_setting()
    rounding: str = rouge_settings.rounding_setting()

    def prefix(self) -> str:
        return f"rouge-w-{self.weight:g}"

    def run_weights(self, longest: int) -> Array:
        """Return the weights of runs of 0, 1, … words. The array is shared: read only."""
        return _run_weights(self.weight, longest)

    def mark(self, references: LcsTexts, summaries: LcsTexts) -> Ints:
        from core.metrics.kernels.lcs import weighted_partners

        return weighted_partners(references, summaries, self.run_weights(references.longest + 1))

    def runs(self, marks: LcsMarks) -> Ints:
        """Return the length of a run at its last word, 0 elsewhere; shape as `marks.clipped`."""
        from core.metrics.kernels.lcs import run_lengths

        return run_lengths(marks.marked, marks.clipped, marks.references)

    def count(self, prepared: PreparedSequences) -> Array:
        from core.metrics.kernels.lcs import sum_weights
        from core.metrics.kernels.ngrams import stacked

        marks = self.marks(prepared)
        references, run_weights = marks.references, self.run_weights(marks.references.longest)
        matched = sum_weights(self.runs(marks), run_weights, references.ends)
        sentences = references.sentences[1:] - references.sentences[:-1]
        sums = sum_weights(sentences[None], run_weights, references.texts)[0]
        in_summary = _powers(sizes(prepared.counted_summaries), self.weight)[:, None]
        return stacked(matched, _powers(sums, self.weight), in_summary, sums)

    def preference(self, stats: Array) -> Array:
        return self.share(stats[..., 0], stats[..., 3])

    def share(self, matched: Array, whole: Array) -> Array:
        return _powers(super().share(matched, whole), 1 / self.weight)

    def share_tree(self, label: str, matched: Explanation, whole: Explanation) -> Explanation:
        return power(label, super().share_tree("share of weights", matched, whole), 1 / self.weight)

    def overlap(self, prepared: PreparedSequences, system: int, reference: int) -> Overlap:
        pair = prepared.pair(system, reference)
        marks = self.marks(pair)
        name = prepared.topic.references[reference].name
        evidence = match_evidence(matched_places(marks, pair), name, prepared.topic.summaries[system].name)
        runs = self._weight_leaves(self.runs(marks)[0], "runs")
        sentences = self._weight_leaves(np.diff(marks.references.sentences), "sentences")
        words = leaf("words", len(pair.counted_summaries[0].ids))
        return Overlap(
            Explanation(name, "sum", children=runs, evidence=evidence),
            power(name, total("sentences", sentences), self.weight),
            power(name, words, self.weight),
        )

    def _weight_leaves(self, lengths: Ints, what: str) -> tuple[Explanation, ...]:
        """Return the weights of runs or sentences, longest first, grouped by length."""
        counts = sorted(Counter(lengths[lengths > 0].tolist()).items(), reverse=True)
        return tuple(
            Explanation(
                f"{what} of {length}" + (" word" if length == 1 else " words"),
                "product",
                children=(leaf("count", count), power("weight of each", leaf("words", length), self.weight)),
            )
            for length, count in counts
        )


@lru_cache(maxsize=256)
def _run_weights(weight: float, longest: int) -> Array:
    return np.array([math.pow(k, weight) for k in range(longest + 1)])


def _powers(values: Array, exponent: float) -> Array:
    """Raise each element to a power with C's pow, as Perl does; numpy's differs in the last digit."""
    return np.array([math.pow(value, exponent) for value in values.ravel()]).reshape(values.shape)
