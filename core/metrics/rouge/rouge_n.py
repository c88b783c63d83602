"""ROUGE-N (Lin 2004): n-grams shared with the references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.metrics.base import Array, setting
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.overlap import Overlap, PreparedWords, RougeModeMixin, Unit, explain_overlap
from core.text.tokenization import TokenizedText


@register
@dataclass(frozen=True)
class RougeN(RougeModeMixin):
    """Overlap of n-grams, each counted at most as often as in the reference; they cross sentences.

    Formula:
        matched   = Σ over references and n-grams: min(count in the summary, count in the reference)
        recall    = matched / n-grams of all references
        precision = matched / (number of references × n-grams of the summary)
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Counts words, not meaning: a paraphrase scores 0. The default tokenization drops all letters other
        than ASCII, which is noted. Scores with different numbers of references are not comparable, and
        longer summaries have a higher recall.
    """

    name: ClassVar[str] = "rouge-n"
    about: ClassVar[str] = (
        "N-gram overlap with the references: recall, precision and F of ROUGE-1 to ROUGE-9."
    )
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    default_configs: ClassVar[tuple[str, ...]] = ("n=1,stem=yes", "n=2,stem=yes")

    n: int = setting(2, "Length of the n-grams in words.", low=1, high=9, title="N")
    stem: bool = rouge_settings.stem_setting()
    stop_words: bool = rouge_settings.stop_words_setting()
    text: str = rouge_settings.text_setting()
    words: int = rouge_settings.words_setting()
    bytes: int = rouge_settings.bytes_setting()
    pooling: str = rouge_settings.pooling_setting()
    alpha: float = rouge_settings.alpha_setting()
    rounding: str = rouge_settings.rounding_setting()
    mode: str = rouge_settings.mode_setting()

    def prefix(self) -> str:
        return f"rouge-{self.n}"

    def count(self, prepared: PreparedWords) -> Array:
        from core.metrics.kernels.ngrams import number_grams, unit_statistics

        texts = [words.ids for words in (*prepared.summaries, *prepared.references)]
        return unit_statistics(number_grams(texts, self.n), len(prepared.summaries))

    def overlap(self, prepared: PreparedWords, system: int, reference: int) -> Overlap:
        topic = prepared.topic
        return explain_overlap(
            _grams(prepared.references[reference], self.n),
            _grams(prepared.summaries[system], self.n),
            topic.references[reference].name,
            topic.summaries[system].name,
        )


def _grams(words: TokenizedText, n: int) -> list[Unit]:
    """Return the n-grams of a text in order, each with its place."""
    return [
        (words.ids[i : i + n].tobytes(), ((int(words.spans[i, 0]), int(words.spans[i + n - 1, 1])),))
        for i in range(len(words.ids) - n + 1)
    ]
