"""Input document similarity score of WIDAR (Jain et al. 2022): overlap of a summary with its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.metrics.base import Array, Explanation, Need, Pool, Prepared, Resources, TopicScores, noted, setting
from core.metrics.base.word_setting import WordMetric, tokenization_setting
from core.metrics.kernels.lcs_lengths import lcs_lengths
from core.metrics.kernels.ngrams import number_grams, unit_statistics
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf
from core.text.tokenization import Ids, TokenizedText, TokenizerSettings
from core.text.truncation import TextLimit

SIMILARITIES = ("rouge-l.f", "rouge-l.recall", "rouge-1.f", "rouge-1.recall", "rouge-2.f", "rouge-2.recall")

CUT = TokenizerSettings("rouge-score", stem=True)


def similarity_setting() -> Any:
    return setting(
        "rouge-l.f",
        "Comparison of the summary with the documents, as in Table 2 of the paper.",
        choices=SIMILARITIES,
        title="Similarity",
    )


@dataclass(frozen=True, slots=True)
class DocumentOverlap:
    """Numbers of units shared by a summary and the documents, in the documents, and in the summary."""

    shared: float
    there: float
    here: float

    def value(self, similarity: str) -> float:
        """Return recall, or F with equal weights for recall and precision."""
        recall = self.shared / self.there if self.there else 0.0
        if similarity.endswith("recall"):
            return recall
        precision = self.shared / self.here if self.here else 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def tree(self, similarity: str) -> Explanation:
        """Return the explanation of `value`."""
        shared = leaf("shared with the documents", self.shared)
        recall = Explanation("recall", "ratio", children=(shared, leaf("in the documents", self.there)))
        if similarity.endswith("recall"):
            return recall
        precision = Explanation("precision", "ratio", children=(shared, leaf("in the summary", self.here)))
        return Explanation("F", "harmonic", children=(precision, recall))


def document_overlaps(
    topic: TopicTexts, similarity: str, resources: Resources, cut: TokenizerSettings = CUT
) -> tuple[DocumentOverlap, ...]:
    """Compare each summary with the concatenated documents, tokenized as in rouge-score."""
    whole = TextLimit(split="text")
    summaries = [resources.words(text, cut, whole) for text in topic.summaries]
    article = np.concatenate(
        [*(resources.words(t, cut, whole).ids for t in topic.documents), np.empty(0, np.int32)]
    )
    if similarity.startswith("rouge-l"):
        return _common(summaries, article)
    n = int(similarity[len("rouge-") : similarity.index(".")])
    counted = unit_statistics(number_grams([*(words.ids for words in summaries), article], n), len(summaries))
    return tuple(DocumentOverlap(*row) for row in counted[:, 0].tolist())


def _common(summaries: Sequence[TokenizedText], article: Ids) -> tuple[DocumentOverlap, ...]:
    shared = lcs_lengths([words.ids for words in summaries], [article])[:, 0].tolist()
    return tuple(
        DocumentOverlap(float(length), float(len(article)), float(len(words.ids)))
        for length, words in zip(shared, summaries, strict=True)
    )


def tokenizer_settings(text: str) -> TokenizerSettings:
    """Return the tokenizer settings. text: ``rouge-score`` (with stems), ``unicode`` or ``icu``."""
    return CUT if text == CUT.text else TokenizerSettings(text)


@dataclass(frozen=True, slots=True)
class PreparedOverlaps(Prepared):
    """The overlap of each summary with the documents."""

    overlaps: tuple[DocumentOverlap, ...]


@register
@dataclass(frozen=True)
class Idss(WordMetric[PreparedOverlaps]):
    """Overlap of a summary with the concatenated documents of its topic; uses no reference.

    Formula:
        idss = longest common subsequence or n-grams shared with the documents, as F or recall (`similarity`)

    Limits:
        Rewards copying: the documents themselves would score 1. Long documents make all values small.
    """

    name: ClassVar[str] = "idss"
    family: ClassVar[str] = "WIDAR"
    about: ClassVar[str] = "Overlap of a summary with its documents: the reference-free part of WIDAR."
    paper: ClassVar[str] = "Jain, Mavi, Jangra & Saha 2022"
    bibliography: ClassVar[tuple[str, ...]] = ("jain-2022-widar",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS})
    default_pool: ClassVar[Pool] = Pool.JOINT

    similarity: str = similarity_setting()
    text: str = tokenization_setting("rouge-score")

    def measures(self) -> tuple[str, ...]:
        head, _, tail = self.similarity.removeprefix("rouge-").partition(".")
        return (f"{self.name}-{head}.{tail}",)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedOverlaps:
        return PreparedOverlaps(
            topic, document_overlaps(topic, self.similarity, resources, tokenizer_settings(self.text))
        )

    def score(self, prepared: PreparedOverlaps) -> TopicScores:
        values: Array = np.array(
            [overlap.value(self.similarity) for overlap in prepared.overlaps], dtype=np.float64
        )
        empty = sum(not overlap.here or not overlap.there for overlap in prepared.overlaps)
        return TopicScores(values[:, None], notes=noted(counted_as_zero=empty))

    def explain(self, prepared: PreparedOverlaps, system: int) -> dict[str, Explanation]:
        return {self.measures()[0]: prepared.overlaps[system].tree(self.similarity)}
