"""ROUGE-L (Lin 2004): longest common subsequences with the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, cast

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Array, Explanation, Resources, noted, setting
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.overlap import (
    Overlap,
    PreparedWords,
    RougeModeMixin,
    WordOverlapMetric,
    first_of_equal,
    leaf,
    match_evidence,
    ratio,
)
from core.recent import Recent
from core.text.sentences import are_wrapped
from core.text.tokenization import TokenizedText
from core.text.truncation import TextLimit

if TYPE_CHECKING:
    from core.metrics.kernels.lcs import Ints, LcsTexts


@dataclass(frozen=True, slots=True)
class PreparedSequences(PreparedWords):
    """Texts in which subsequences are searched, and in which words are counted.

    They differ only with a byte limit.
    """

    counted_summaries: tuple[TokenizedText, ...]
    counted_references: tuple[TokenizedText, ...]

    def pair(self, system: int, reference: int) -> PreparedSequences:
        """Return one summary and one reference."""
        return PreparedSequences(
            self.topic,
            self.summaries[system : system + 1],
            self.references[reference : reference + 1],
            self.counted_summaries[system : system + 1],
            self.counted_references[reference : reference + 1],
        )


class LcsMarks(NamedTuple):
    """Words of the references on common subsequences.

    marked: shape (summaries, words of all references), index of the matched summary word, -1 = none.
    clipped: same shape, after clipping by word counts.
    """

    references: LcsTexts
    marked: Ints
    clipped: Ints


class LcsMetric(WordOverlapMetric[PreparedSequences]):
    """Base class of metrics that count words on common subsequences of sentences."""

    def notes(self, prepared: PreparedSequences) -> dict[str, int]:
        notes = super().notes(prepared)
        if self.rules[1].split != "sentences":
            return notes
        topic = prepared.topic
        wrapped = _wrapped_texts.get("", (topic,), lambda: _count_wrapped(topic.summaries + topic.references))
        return {**notes, **noted(wrapped_lines=wrapped)}

    def marks(self, prepared: PreparedSequences) -> LcsMarks:
        """Return the words of the references on common subsequences."""
        from core.metrics.kernels.lcs import clip_marks, lcs_input

        texts = lcs_input(
            prepared.summaries, prepared.references, prepared.counted_summaries, prepared.counted_references
        )
        marked = self.mark(texts.references, texts.summaries)
        return LcsMarks(texts.references, marked, clip_marks(marked, texts))

    def mark(self, references: LcsTexts, summaries: LcsTexts) -> Ints:
        """Return the words on the best common subsequence of each pair of sentences, as the metric does."""
        raise NotImplementedError

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedSequences:
        extent = self.rules[1]
        counted = searched = self.cut_words(topic, extent, resources)
        if self.bytes:
            searched = self.cut_words(topic, first_of_equal(replace(extent, for_sequences=True)), resources)
        return PreparedSequences(
            topic, searched.summaries, searched.references, counted.summaries, counted.references
        )

    def extent(self) -> TextLimit:
        return replace(super().extent(), split="sentences")

    def preference(self, stats: Array) -> Array:
        return ratio(stats[..., 0], stats[..., 1])


_wrapped_texts = Recent[int](2)


def _count_wrapped(texts: Sequence[Text]) -> int:
    return sum(text.sentence_spans is None and are_wrapped(text.content) for text in texts)


def sizes(texts: tuple[TokenizedText, ...]) -> Array:
    """Return the number of words in each text."""
    return np.array([len(words.ids) for words in texts], dtype=np.float64)


def matched_places(marks: LcsMarks, prepared: PreparedSequences) -> list[tuple[Span, Span]]:
    """Return the spans of each clipped match in the reference and in the summary, for one pair of texts."""
    reference, summary = prepared.references[0], prepared.summaries[0]
    return [
        (_place(reference, there), _place(summary, here))
        for there, here in enumerate(marks.clipped[0].tolist())
        if here >= 0
    ]


def _place(words: TokenizedText, at: int) -> Span:
    return int(words.spans[at, 0]), int(words.spans[at, 1])


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
    default_seconds: ClassVar[float] = 2e-4

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
