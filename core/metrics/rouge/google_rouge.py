"""ROUGE-N and ROUGE-L as computed by the package rouge-score 0.1.2 (google-research)."""

from __future__ import annotations

from core.metrics.base import Array, Pool
from core.metrics.rouge.overlap import W, WordOverlapMetric, ratio
from core.text.tokenization import TokenizerSettings

_UNSUPPORTED = ("stop_words", "text", "words", "bytes", "pooling", "alpha", "rounding")
"""Settings that rouge-score does not support."""


class RougeModeMixin(WordOverlapMetric[W]):
    """A ROUGE metric defined by ROUGE-1.5.5 or by rouge-score."""

    mode: str

    def unused(self) -> dict[str, str]:
        return dict.fromkeys(_UNSUPPORTED, "mode=rouge-score") if self.is_by_rouge_score else {}

    @property
    def is_by_rouge_score(self) -> bool:
        return self.mode == "rouge-score"

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.is_by_rouge_score else super().pool

    @property
    def is_in_release(self) -> bool:
        return not self.is_by_rouge_score

    def cut(self) -> TokenizerSettings:
        return TokenizerSettings("rouge-score", self.stem) if self.is_by_rouge_score else super().cut()

    def preference(self, stats: Array) -> Array:
        if not self.is_by_rouge_score:
            return super().preference(stats)
        recall, precision = ratio(stats[..., 0], stats[..., 1]), ratio(stats[..., 0], stats[..., 2])
        return ratio(2 * precision * recall, precision + recall)

    def rounds(self) -> bool:
        return not self.is_by_rouge_score and super().rounds()
