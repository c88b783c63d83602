"""ROUGE-S and ROUGE-SU (Lin 2004): pairs of words in the same order, shared with the references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.metrics.base import Array, Resources
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.overlap import Overlap, PreparedWords, Unit, WordOverlapMetric, explain_overlap
from core.text.tokenization import TokenizedText


@register
@dataclass(frozen=True)
class RougeS(WordOverlapMetric):
    """Overlap of skip-bigrams, each counted at most as often as in the reference; they cross sentences.

    Formula:
        matched   = Σ over references and pairs of words: min(count in the summary, count in the reference)
        recall    = matched / pairs of all references
        precision = matched / (number of references × pairs of the summary)
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Counts words, not meaning: a paraphrase scores 0. The default tokenization drops all letters other
        than ASCII, which is noted. Scores with different numbers of references are not comparable, and
        longer summaries have a higher recall.
    """

    name: ClassVar[str] = "rouge-s"
    about: ClassVar[str] = (
        "Overlap of skip-bigrams, pairs of words in the same order with a limited gap: ROUGE-S."
    )
    paper: ClassVar[str] = "Lin 2004; ROUGE-1.5.5"
    default_configs: ClassVar[tuple[str, ...]] = ("gap=4,stem=yes",)
    with_words: ClassVar[bool] = False
    letters: ClassVar[str] = "s"

    gap: int = rouge_settings.gap_setting()
    stem: bool = rouge_settings.stem_setting()
    stop_words: bool = rouge_settings.stop_words_setting()
    text: str = rouge_settings.text_setting()
    words: int = rouge_settings.words_setting()
    bytes: int = rouge_settings.bytes_setting()
    pooling: str = rouge_settings.pooling_setting()
    alpha: float = rouge_settings.alpha_setting()
    rounding: str = rouge_settings.rounding_setting()

    def prefix(self) -> str:
        return f"rouge-{self.letters}{self.gap if self.gap >= 0 else '*'}"

    def seconds_per_text(self, resources: Resources) -> float:
        return 1e-4 if self.gap >= 0 else 3e-4

    def count(self, prepared: PreparedWords) -> Array:
        from core.metrics.kernels.skip_bigrams import skip_statistics

        summaries = [words.ids for words in prepared.summaries]
        references = [words.ids for words in prepared.references]
        return skip_statistics(summaries, references, self.gap, with_words=self.with_words)

    def overlap(self, prepared: PreparedWords, system: int, reference: int) -> Overlap:
        topic = prepared.topic
        return explain_overlap(
            self._units(prepared.references[reference]),
            self._units(prepared.summaries[system]),
            topic.references[reference].name,
            topic.summaries[system].name,
        )

    def _units(self, words: TokenizedText) -> list[Unit]:
        """Return the units of a text in order, each with the places of its words."""
        ids, spans = words.ids.tolist(), [(int(start), int(end)) for start, end in words.spans]
        count = len(ids)
        units: list[Unit] = []
        for i in range(count - 1):
            if self.with_words:
                units.append((ids[i], (spans[i],)))
            end = count if self.gap < 0 else min(i + self.gap + 2, count)
            units += [((ids[i], ids[j]), (spans[i], spans[j])) for j in range(i + 1, end)]
        return units


@register
@dataclass(frozen=True)
class RougeSU(RougeS):
    """ROUGE-S with single words as additional units: all but the last of each text, as in ROUGE-1.5.5.

    Formula:
        matched   = Σ over references, pairs of words and single words:
                    min(count in the summary, count in the reference)
        recall    = matched / pairs and single words of all references
        precision = matched / (number of references × pairs and single words of the summary)
        f         = P · R / ((1 − alpha) · P + alpha · R)

    Limits:
        Counts words, not meaning: a paraphrase scores 0. The default tokenization drops all letters other
        than ASCII, which is noted. Scores with different numbers of references are not comparable, and
        longer summaries have a higher recall. As in the script, a text of one word scores 0 even against
        itself.
    """

    name: ClassVar[str] = "rouge-su"
    about: ClassVar[str] = "Overlap of skip-bigrams and single words: ROUGE-SU."
    with_words: ClassVar[bool] = True
    letters: ClassVar[str] = "su"
