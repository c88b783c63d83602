"""Base classes of the ROUGE metrics: matched units, units in references, units in summaries (Lin 2004)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np
from typing_extensions import TypeVar

from core.domain.study import Span, TopicTexts
from core.errors import BadSetting
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    noted,
)
from core.metrics.base.metric import P
from core.metrics.base.word_setting import icu_signature
from core.metrics.kernels.f_measure import DECIMALS, round_as_printed, with_f
from core.text.tokenization import TokenizedText, TokenizerSettings
from core.text.truncation import TextLimit

Unit = tuple[Hashable, tuple[Span, ...]]
"""A compared unit, and its spans."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of a summary and a reference, as trees that evaluate to the statistics."""

    matched: Explanation
    in_reference: Explanation
    in_summary: Explanation


def explain_overlap(theirs: Sequence[Unit], mine: Sequence[Unit], reference: str, summary: str) -> Overlap:
    """Explain the overlap of units, each matched at most as often as both texts contain it."""
    places: dict[Hashable, list[tuple[Span, ...]]] = defaultdict(list)
    for unit, spans in reversed(mine):
        places[unit].append(spans)
    matched = [(spans, places[unit].pop()) for unit, spans in theirs if places[unit]]
    evidence = (
        *_weighted_evidence("reference", reference, (span for there, _ in matched for span in there)),
        *_weighted_evidence("summary", summary, (span for _, here in matched for span in here)),
    )
    return Overlap(
        Explanation(reference, value=float(len(matched)), evidence=evidence),
        leaf(reference, len(theirs)),
        leaf(reference, len(mine)),
    )


def match_evidence(pairs: Sequence[tuple[Span, Span]], reference: str, summary: str) -> tuple[Evidence, ...]:
    """Return the matched places in the reference and in the summary."""
    theirs = (Evidence("reference", reference, there) for there, _ in pairs)
    places = dict.fromkeys(here for _, here in pairs)  # a word may match two words of a reference
    return (*theirs, *(Evidence("summary", summary, here) for here in places))


def leaf(label: str, value: float) -> Explanation:
    """Return a leaf."""
    return Explanation(label, value=float(value))


def total(label: str, children: Sequence[Explanation]) -> Explanation:
    """Return the sum of trees."""
    return Explanation(label, "sum", children=tuple(children))


def product(label: str, factor: float, child: Explanation) -> Explanation:
    """Return a weight times a number."""
    return Explanation(label, "product", children=(leaf("weight", factor), child))


def power(label: str, base: Explanation, exponent: float) -> Explanation:
    """Return a number to the power of a setting."""
    return Explanation(label, "power", exponent, (base,))


def rounded(tree: Explanation, decimals: int) -> Explanation:
    """Return a number rounded as it is printed."""
    return Explanation(f"{tree.label}, {decimals} decimals", "rounded", decimals, (tree,))


def _weighted_evidence(role: str, name: str, spans: Iterable[Span]) -> Iterable[Evidence]:
    """Yield each span once, weighted by the number of matched units that contain it."""
    for span, count in Counter(spans).items():
        if role == "reference":
            yield Evidence("reference", name, span, float(count))
        else:
            yield Evidence("summary", name, span, float(count))


@dataclass(frozen=True, slots=True)
class PreparedWords(Prepared):
    """The tokenized texts of a topic."""

    summaries: tuple[TokenizedText, ...]
    references: tuple[TokenizedText, ...]


V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=PreparedWords, default=PreparedWords)


class OverlapMetric(Metric[P]):
    """Recall, precision and F of matched units.

    Statistics per reference: matched units, units in the reference, units in the summary.
    Several references are pooled by their sums, or the best one is used.
    Subclasses declare these fields in the order of their signatures.
    """

    family: ClassVar[str] = "ROUGE"
    bibliography: ClassVar[tuple[str, ...]] = ("lin-2004-rouge",)
    pooling: str
    alpha: float
    rounding: str

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.pooling == "best" else Pool.SUM

    def prefix(self) -> str:
        """Return the name of the measures before the dot."""
        raise NotImplementedError

    def count(self, prepared: P) -> Array:
        """Return the statistics of all pairs, shape (summaries, references, 3 or more)."""
        raise NotImplementedError

    def overlap(self, prepared: P, system: int, reference: int) -> Overlap:
        """Return the same counts for one pair, with spans."""
        raise NotImplementedError

    @property
    def is_in_release(self) -> bool:
        """Return whether the Perl script ROUGE-1.5.5 supports these settings."""
        return True

    def notes(self, prepared: P) -> dict[str, int]:
        """Return the counts of warnings by key of ``NOTES``."""
        return {}

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{self.prefix()}.{part}" for part in ("recall", "precision", "f"))

    def score(self, prepared: P) -> TopicScores:
        stats = self.count(prepared)
        empty = 0
        if np.count_nonzero(stats[..., 1:3]) < stats[..., 1:3].size:
            empty = (stats[..., 2] == 0).all(axis=1).sum() + (stats[..., 1] == 0).all(axis=0).sum()
        return self.combine_all(stats, {**self.notes(prepared), **noted(counted_as_zero=empty)})

    def combine(self, stats: Array, references: Mask) -> Array:
        if not np.count_nonzero(references):
            return np.full((len(stats), 3), np.nan)
        return self._values(self.counts(stats, references))

    def counts(self, stats: Array, references: Mask) -> Array:
        """Return the pooled statistics for a subset of references, shape (summaries, 3)."""
        chosen = stats if np.count_nonzero(references) == len(references) else stats[:, references]
        if self.pool is Pool.SUM:
            return chosen[..., :3].cumsum(axis=1)[:, -1]  # added in order, with the rounding of 1.5.5
        return chosen[np.arange(len(chosen)), self.preference(chosen).argmax(axis=1), :3]

    def preference(self, stats: Array) -> Array:
        """Return the values by which the best reference is chosen, shape (summaries, references)."""
        return self._rounded(ratio(stats[..., 0], stats[..., 1]))

    def share(self, matched: Array, whole: Array) -> Array:
        """Return recall or precision; 0/0 = 0."""
        return ratio(matched, whole)

    def share_tree(self, label: str, matched: Explanation, whole: Explanation) -> Explanation:
        """Return recall or precision as a tree."""
        return Explanation(label, "ratio", children=(matched, whole))

    def explain(self, prepared: P, system: int) -> dict[str, Explanation]:
        overlaps = [self.overlap(prepared, system, r) for r in self._used_references(prepared, system)]
        matched = total("matched", [overlap.matched for overlap in overlaps])
        in_references = total("in the references", [overlap.in_reference for overlap in overlaps])
        in_summary = total("in the summary, once per reference", [overlap.in_summary for overlap in overlaps])
        recall = self._rounded_tree(self.share_tree("recall", matched, in_references))
        precision = self._rounded_tree(self.share_tree("precision", matched, in_summary))
        f = self._rounded_tree(self._f_tree(recall, precision))
        return dict(zip(self.measures(), (recall, precision, f), strict=True))

    def rounds(self) -> bool:
        """Return whether numbers are rounded as ROUGE-1.5.5 prints them."""
        return self.rounding == "1.5.5"

    def _values(self, counts: Array) -> Array:
        columns = counts.T
        recall, precision = self.share(columns[0], columns[1:3])
        return with_f(recall, precision, self.alpha, is_rounded=self.rounds())

    def _used_references(self, prepared: P, system: int) -> Sequence[int]:
        """Return the references that determine a summary's score."""
        if self.pool is Pool.SUM:
            return range(len(prepared.topic.references))
        return [int(self.preference(self.count(prepared)[[system]]).argmax())]

    def _rounded(self, values: Array) -> Array:
        return round_as_printed(values) if self.rounds() else values

    def _rounded_tree(self, tree: Explanation) -> Explanation:
        return rounded(tree, DECIMALS) if self.rounds() else tree

    def _f_tree(self, recall: Explanation, precision: Explanation) -> Explanation:
        top = Explanation("precision × recall", "product", children=(precision, recall))
        parts = (
            product("(1 − alpha) × precision", 1 - self.alpha, precision),
            product("alpha × recall", self.alpha, recall),
        )
        return Explanation("F", "ratio", children=(top, total("weighted sum", parts)))


class WordOverlapMetric(OverlapMetric[W]):
    """Overlap of units made of words, from whole texts or their beginnings."""

    is_in_summeval: ClassVar[bool] = True
    stem: bool
    stop_words: bool
    text: str
    words: int
    bytes: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.words and self.bytes:
            raise BadSetting(
                f"{self.name}: words={self.words} and bytes={self.bytes} both limit texts. Remove one."
            )

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"text": "unicode", "stem": "no", "stop_words": "no"}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        # Breaks between sentences are no bytes of the limit, so the rule for lines is a part of its meaning.
        return {**icu_signature(self.text), **({"lines": "sentences"} if self.bytes else {})}

    @property
    def reads(self) -> Script:
        return Script.SPACED if self.text == "word" else Script.ALL

    def cut(self) -> TokenizerSettings:
        """Return the tokenizer settings."""
        return TokenizerSettings(self.text, self.stem, self.stop_words)

    def extent(self) -> TextLimit:
        """Return the part of a text that is read; sentences matter to some metrics only."""
        return TextLimit(words=self.words, bytes=self.bytes)

    @cached_property
    def rules(self) -> tuple[TokenizerSettings, TextLimit]:
        """Return how texts are read; equal rules of metrics are the same objects, which caches recognize."""
        return first_of_equal(self.cut()), first_of_equal(self.extent())

    def prepare(self, topic: TopicTexts, resources: Resources) -> W:
        # subclasses with another W override it
        return cast(W, self.cut_words(topic, self.rules[1], resources))

    def cut_words(self, topic: TopicTexts, extent: TextLimit, resources: Resources) -> PreparedWords:
        """Return a topic's texts, of which this part is read, as words."""
        cut = self.rules[0]
        summaries = resources.words_of(topic.summaries, cut, extent)
        references = resources.words_of(topic.references, cut, extent)
        return PreparedWords(topic, summaries, references)

    def notes(self, prepared: W) -> dict[str, int]:
        lost = sum([text.lost_letters for text in (*prepared.summaries, *prepared.references)])
        return noted(dropped_characters=lost)


_seen_rules: dict[Hashable, Any] = {}


def first_of_equal(rule: V) -> V:
    """Return the first rule that was equal to this one."""
    found: V = _seen_rules.setdefault(rule, rule)
    return found


def ratio(top: Array, bottom: Array) -> Array:
    """Divide element by element; 0/0 = 0. top: of the shape of `bottom`, or of its last axes."""
    return np.divide(top, bottom, out=np.zeros(bottom.shape), where=bottom > 0)


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
