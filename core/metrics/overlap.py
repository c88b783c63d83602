"""What the metrics of ROUGE share: units matched, wanted by references, offered by summaries (Lin 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np

from core.domain.study import Span, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Mask,
    Metric,
    Pool,
    Prepared,
    Tools,
    TopicScores,
    setting,
)
from core.tokens import Cut, Words

DECIMALS = 5
"""What ROUGE-1.5.5 prints, and rounds recall and precision to before F is computed."""


def stem_setting() -> Any:
    return setting(False, "Compare English stems instead of words (-m of ROUGE-1.5.5).", title="Stem")


def stop_words_setting() -> Any:
    return setting(False, "Leave English stop words out (-s of ROUGE-1.5.5).", title="Drop stop words")


def text_setting() -> Any:
    explained = "What a word is: 1.5.5 = runs of ASCII letters and digits; unicode = words of every script."
    return setting("1.5.5", explained, choices=("1.5.5", "unicode"), title="Words")


def alpha_setting() -> Any:
    return setting(0.5, "Weight of precision in F; 0 = recall alone.", low=0.0, high=1.0, title="Alpha")


def rounding_setting() -> Any:
    explained = "1.5.5 = five decimals, recall and precision before F, as the Perl script; none = exact."
    return setting("1.5.5", explained, choices=("1.5.5", "none"), title="Rounding")


@dataclass(frozen=True, slots=True)
class PreparedWords(Prepared):
    """A topic's texts cut into words."""

    summaries: tuple[Words, ...]
    references: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """What one summary shares with one reference, and where.

    matched: places (in the reference, in the summary), one per matched unit.
    """

    reference: str
    matched: Sequence[tuple[Span, Span]]
    wanted: int
    offered: int


class OverlapMetric(Metric):
    """Recall, precision and F of matched units; several references are pooled by summing the counts.

    Statistics per reference: matched, wanted (units in the reference), offered (units in the summary).
    Subclasses declare these fields in the order in which signatures show them.
    """

    family: ClassVar[str] = "ROUGE"
    pool: ClassVar[Pool] = Pool.SUM
    stem: bool
    stop_words: bool
    text: str
    alpha: float
    rounding: str

    def prefix(self) -> str:
        """What its measures are called before the dot."""
        raise NotImplementedError

    def count(self, prepared: PreparedWords) -> Array:
        """Statistics of every summary against every reference, shape (summaries, references, 3)."""
        raise NotImplementedError

    def overlap(self, prepared: PreparedWords, system: int, reference: int) -> Overlap:
        """The same counts for one pair, with the places."""
        raise NotImplementedError

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{self.prefix()}.{part}" for part in ("recall", "precision", "f"))

    def words_of(self, topic: TopicTexts, tools: Tools, *, by_sentence: bool) -> PreparedWords:
        """A topic's texts cut as the settings say."""
        cut = Cut(self.text, self.stem, self.stop_words)
        return PreparedWords(
            topic,
            tuple(tools.words(text, cut, by_sentence=by_sentence) for text in topic.summaries),
            tuple(tools.words(text, cut, by_sentence=by_sentence) for text in topic.references),
        )

    def score(self, prepared: Prepared) -> TopicScores:
        words = cast(PreparedWords, prepared)
        stats = self.count(words)
        lost = sum(text.lost_letters for text in (*words.summaries, *words.references))
        values = self.combine(stats, np.ones(stats.shape[1], dtype=np.bool_))
        return TopicScores(values, stats, {"dropped_characters": lost} if lost else {})

    def combine(self, stats: Array, references: Mask) -> Array:
        if not references.any():
            return np.full((len(stats), 3), np.nan)
        matched, wanted, offered = stats[:, references].sum(axis=1).T
        recall = self._rounded(_ratio(matched, wanted))
        precision = self._rounded(_ratio(matched, offered))
        f = _ratio(precision * recall, (1 - self.alpha) * precision + self.alpha * recall)
        return np.stack([recall, precision, self._rounded(f)], axis=-1)

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        words = cast(PreparedWords, prepared)
        summary = words.topic.summaries[system].name
        overlaps = [self.overlap(words, system, r) for r in range(len(words.references))]
        matched = _sum("matched", [_matched_leaf(overlap, summary) for overlap in overlaps])
        wanted = _sum("in the references", [_leaf(o.reference, o.wanted) for o in overlaps])
        offered = _sum(
            "in the summary, once per reference", [_leaf(o.reference, o.offered) for o in overlaps]
        )
        recall = self._rounded_tree(Explanation("recall", "ratio", children=(matched, wanted)))
        precision = self._rounded_tree(Explanation("precision", "ratio", children=(matched, offered)))
        f = self._rounded_tree(self._f_tree(recall, precision))
        return dict(zip(self.measures(), (recall, precision, f), strict=True))

    def _rounded(self, values: Array) -> Array:
        return round_as_printed(values) if self.rounding == "1.5.5" else values

    def _rounded_tree(self, tree: Explanation) -> Explanation:
        if self.rounding == "none":
            return tree
        return Explanation(f"{tree.label}, {DECIMALS} decimals", "rounded", DECIMALS, (tree,))

    def _f_tree(self, recall: Explanation, precision: Explanation) -> Explanation:
        top = Explanation("precision × recall", "product", children=(precision, recall))
        parts = (
            _product("(1 − alpha) × precision", 1 - self.alpha, precision),
            _product("alpha × recall", self.alpha, recall),
        )
        return Explanation("F", "ratio", children=(top, _sum("weighted sum", parts)))


def round_as_printed(values: Array) -> Array:
    """Values to DECIMALS places as C's printf rounds them: by their exact binary value, a tie to even."""
    scaled = values * 10.0**DECIMALS
    rounded = np.rint(scaled) / 10.0**DECIMALS
    for place in np.argwhere(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6):
        rounded[tuple(place)] = round(float(values[tuple(place)]), DECIMALS)
    return rounded


def _ratio(top: Array, bottom: Array) -> Array:
    """Element by element, 0/0 = 0."""
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)


def _matched_leaf(overlap: Overlap, summary: str) -> Explanation:
    theirs = (Evidence("reference", overlap.reference, there) for there, _ in overlap.matched)
    places = dict.fromkeys(here for _, here in overlap.matched)  # a word may answer for two of a reference's
    mine = (Evidence("summary", summary, here) for here in places)
    return replace(_leaf(overlap.reference, len(overlap.matched)), evidence=(*theirs, *mine))


def _leaf(label: str, value: float) -> Explanation:
    return Explanation(label, value=float(value))


def _sum(label: str, children: Sequence[Explanation]) -> Explanation:
    return Explanation(label, "sum", children=tuple(children))


def _product(label: str, factor: float, child: Explanation) -> Explanation:
    return Explanation(label, "product", children=(_leaf("weight", factor), child))
