"""ROUGE-L (Lin 2004): longest common subsequences with the references."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, cast

import numpy as np

from core.metrics.base import Array, Explanation, Resources, setting
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.google_rouge import RougeModeMixin
from core.metrics.rouge.lcs_metric import LcsMetric, PreparedSequences, matched_places, sizes
from core.metrics.rouge.overlap_explanation import Overlap, leaf, match_evidence
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.metrics.kernels.lcs import Ints, LcsTexts


@register
@dataclass(frozen=True)
class RougeL(RougeModeMixin[PreparedSequences], LcsMetric):
    """Words in a longest common subsequence of a reference's sentence with any sentence of the summary.

    Formula:
        matched   = Σ over references and their sentences: words in the union of the longest common
                    subsequences with each sentence of the summary, each as often as both texts have it
        recall    = matched / words of all references
        precision = matched / (number of references × words of the summary)
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Counts words, not meaning: a paraphrase scores 0. The default tokenization drops all letters other
        than ASCII, which is noted. Scores with different numbers of references are not comparable, and
        longer summaries have a higher recall. Depends on how texts are split into sentences; with `bytes`
        subsequences are searched beyond the limit, as in the script.
    """

    name: ClassVar[str] = "rouge-l"
    version: ClassVar[int] = 2
    about: ClassVar[str] = (
        "Words in the same order, sentence by sentence: recall, precision and F of ROUGE-L."
    )
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    default_configs: ClassVar[tuple[str, ...]] = ("stem=yes",)

    stem: bool = rouge_settings.stem_setting()
    stop_words: bool = rouge_settings.stop_words_setting()
    text: str = rouge_settings.text_setting()
    split: str = setting(
        "sentences",
        "Unit in which subsequences are searched: sentences, which line breaks end unless lines are "
        "wrapped; lines = rouge-score's rougeLsum; text = the whole text, rouge-score's rougeL.",
        choices=("sentences", "lines", "text"),
        title="Sequences in",
    )
    words: int = rouge_settings.words_setting()
    bytes: int = rouge_settings.bytes_setting()
    pooling: str = rouge_settings.pooling_setting()
    alpha: float = rouge_settings.alpha_setting()
    rounding: str = rouge_settings.rounding_setting()
    mode: str = rouge_settings.mode_setting()

    def prefix(self) -> str:
        return "rouge-l"

    def seconds_per_text(self, resources: Resources) -> float:
        return 2e-4

    def extent(self) -> TextLimit:
        return replace(super().extent(), split=cast(Literal["sentences", "lines", "text"], self.split))

    def mark(self, references: LcsTexts, summaries: LcsTexts) -> Ints:
        from core.metrics.kernels.lcs import lcs_partners

        return lcs_partners(references, summaries)

    def count(self, prepared: PreparedSequences) -> Array:
        from core.metrics.kernels.lcs import sum_weights
        from core.metrics.kernels.ngrams import stacked

        marks = self.marks(prepared)
        matched = sum_weights(
            (marks.clipped >= 0).astype(np.int64), np.array([0.0, 1.0]), marks.references.ends
        )
        return stacked(matched, sizes(prepared.references), sizes(prepared.counted_summaries)[:, None])

    def overlap(self, prepared: PreparedSequences, system: int, reference: int) -> Overlap:
        pair = prepared.pair(system, reference)
        places = matched_places(self.marks(pair), pair)
        name = prepared.topic.references[reference].name
        evidence = match_evidence(places, name, prepared.topic.summaries[system].name)
        return Overlap(
            Explanation(name, value=float(len(places)), evidence=evidence),
            leaf(name, len(pair.references[0].ids)),
            leaf(name, len(pair.counted_summaries[0].ids)),
        )
