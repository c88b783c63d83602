"""ROUGE with units weighted by the sentence of the reference that contains them, and these weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Array, Evidence, Explanation
from core.metrics.kernels.lcs import clip_marks, lcs_input, lcs_partners
from core.metrics.kernels.lcs_lengths import lcs_lengths
from core.metrics.kernels.ngrams import number_grams
from core.metrics.rouge.overlap import ratio
from core.stats.precision import weighted_sums
from core.text.tokenization import Ids, TokenizedText

Mode = Literal["paper", "reference", "published"]


@dataclass(frozen=True, slots=True)
class SentenceWeights:
    """Weights of one reference, shape (sentences,), in [0, 1]; redundancy 1 = repeats no other sentence."""

    coverage: Array
    redundancy: Array

    def of(self, part: str) -> Array:
        """Return the sentence weights for a part of the metric, scaled by the number of sentences."""
        count = len(self.coverage)
        match part:
            case "coverage":
                return self.coverage * count
            case "redundancy":
                return self.redundancy * count
            case "sentences":
                return np.ones(count)
            case _:
                return (self.coverage + self.redundancy) / 2 * count


def sentences_of(words: TokenizedText) -> list[Ids]:
    """Return the words of each sentence."""
    bounds = words.sentences.tolist()
    return [words.ids[start:end] for start, end in pairwise(bounds)]


def weigh(
    reference: TokenizedText, article: list[TokenizedText], theta_1: float, theta_2: float, mode: Mode
) -> SentenceWeights:
    """Compute the weights by Algorithm 1 of the paper, or as in the authors' program."""
    mine = sentences_of(reference)
    theirs = [sentence for words in article for sentence in sentences_of(words)]
    shared = lcs_lengths(mine, theirs)
    sizes = np.array([len(each) for each in theirs])
    covered = _ratio(shared, sizes[None, :]) >= theta_1
    coverage = covered.mean(axis=1) if theirs else np.zeros(len(mine))
    return SentenceWeights(coverage, _redundancy(mine, theta_2, mode))


def _redundancy(sentences: list[Ids], theta: float, mode: Mode) -> Array:
    count = len(sentences)
    sizes = np.array([len(each) for each in sentences], dtype=np.int64)
    shared = lcs_lengths(sentences, sentences)
    if mode != "paper":
        repeats = (_ratio(shared, sizes[:, None]) >= theta) & ~np.eye(count, dtype=np.bool_)
        return 1 - repeats.sum(axis=1) / (count - 1) if count > 1 else np.ones(count)
    equal = np.array([[np.array_equal(a, b) for b in sentences] for a in sentences], dtype=np.bool_)
    repeats = (_ratio(shared, sizes[None, :]) >= theta) & ~equal.reshape(count, count)
    unique: Array = 1 - repeats.sum(axis=1) / max(count, 1)
    return unique


def _ratio(shared: NDArray[np.int64], sizes: NDArray[np.int64]) -> Array:
    """Return lengths divided by sizes; 0 where a size is 0."""
    whole = np.broadcast_to(sizes, shared.shape).astype(np.float64)
    share: Array = np.divide(shared, whole, out=np.zeros_like(whole), where=whole > 0)
    return share


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text and its words by sentence."""

    text: Text
    words: TokenizedText


@dataclass(frozen=True, slots=True)
class WeightedCounts:
    """Weighted units that summaries share with references.

    matched: shape (summaries, references).
    there: denominators of recall, shape (references,). here: denominators of precision, shape (summaries,).
    matches: whether a unit is matched, shape (summaries, units of all references).
    spans: of each reference's units.
    partners: the word of the summary that each unit is matched with, same shape as ``matches``; None = units
        are n-grams of n words, matched with those of the summary in their order.
    """

    matched: Array
    there: Array
    here: Array
    matches: NDArray[np.bool_]
    spans: tuple[tuple[Span, ...], ...]
    partners: NDArray[np.int64] | None = None
    n: int = 1

    @property
    def recall(self) -> Array:
        return ratio(self.matched, np.broadcast_to(self.there[None, :], self.matched.shape))

    @property
    def precision(self) -> Array:
        return ratio(self.matched, np.broadcast_to(self.here[:, None], self.matched.shape))

    @property
    def f(self) -> Array:
        recall, precision = self.recall, self.precision
        return ratio(2 * recall * precision, recall + precision)

    def trees(
        self, system: int, place: int, summary: WeightedText, reference: WeightedText
    ) -> tuple[Explanation, Explanation, Explanation]:
        """Return the explanations of recall, precision and F against one reference."""
        name = reference.text.name
        first = sum(len(spans) for spans in self.spans[:place])
        matches = self.matches[system, first : first + len(self.spans[place])]
        spans = (span for span, is_match in zip(self.spans[place], matches, strict=True) if is_match)
        if self.partners is None:
            own = _matched_grams(summary.words, reference.words, matches, self.n)
        else:
            chosen = self.partners[system, first : first + len(matches)][matches]
            own = [(int(a), int(b)) for a, b in summary.words.spans[chosen]]
        matched = Explanation(
            f"weight matched in {name}",
            value=float(self.matched[system, place]),
            evidence=(
                *(Evidence("reference", name, span) for span in spans),
                *(Evidence("summary", summary.text.name, span) for span in dict.fromkeys(own)),
            ),
        )
        there = Explanation(f"units of {name}", value=float(self.there[place]))
        here = Explanation("units of the summary", value=float(self.here[system]))
        recall = Explanation(f"recall of {name}", "ratio", children=(matched, there))
        precision = Explanation(f"precision against {name}", "ratio", children=(matched, here))
        return recall, precision, Explanation(f"F against {name}", "harmonic", children=(precision, recall))


def weighted_grams(
    summaries: Sequence[WeightedText],
    references: Sequence[WeightedText],
    weights: Sequence[Array],
    n: int,
    mode: Mode,
) -> WeightedCounts:
    """Count n-grams within sentences, at most as often as the summary contains them.

    Denominators: n-grams of each text; in mode ``reference`` the distinct ones of each sentence, in mode
    ``published`` the words.
    """
    texts = [*summaries, *references]
    sentences = [sentence for text in texts for sentence in sentences_of(text.words)]
    grams = number_grams(sentences, n)
    text_of = np.repeat(np.arange(len(texts)), [len(t.words.sentences) - 1 for t in texts])
    sentence_of = np.repeat(np.arange(len(sentences)), np.diff(grams.ends))
    owner = text_of[sentence_of]
    first = int(np.searchsorted(owner, len(summaries)))  # where the references' n-grams begin
    counts = np.zeros((len(summaries), grams.total), dtype=np.int64)
    np.add.at(counts, (owner[:first], grams.units[:first]), 1)
    unit, unit_owner = grams.units[first:], owner[first:] - len(summaries)
    matches = counts[:, unit] > _ranks(unit_owner * grams.total + unit)[None, :]
    unit_weights = np.concatenate([*weights, np.empty(0)])[sentence_of[first:] - _sentences(summaries)]
    sizes = _sizes(grams.units, sentence_of, owner, texts, mode)
    spans = _gram_spans(references, n)
    matched = _per_reference(matches, unit_weights, unit_owner, len(references))
    return WeightedCounts(matched, sizes[len(summaries) :], sizes[: len(summaries)], matches, spans, n=n)


def weighted_sequences(
    summaries: Sequence[WeightedText],
    references: Sequence[WeightedText],
    weights: Sequence[Array],
    mode: Mode,
) -> WeightedCounts:
    """Count words in the union of longest common subsequences.

    Denominators: sentences of each text. In modes other than ``paper``, matches are clipped to the word's
    count in both texts, and denominators are words.
    """
    here, there = (tuple(each.words for each in side) for side in (summaries, references))
    texts = lcs_input(here, there, here, there)
    marked = lcs_partners(texts.references, texts.summaries)
    if mode != "paper":
        marked = clip_marks(marked, texts)
    bounds = texts.references.sentences
    sentence_of = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    owner = np.repeat(np.arange(len(references)), np.diff(texts.references.ends))
    unit_weights = np.concatenate([*weights, np.empty(0)])[sentence_of]
    matches = marked >= 0
    matched = _per_reference(matches, unit_weights, owner, len(references))
    spans = tuple(tuple((int(a), int(b)) for a, b in words.spans) for words in there)
    return WeightedCounts(
        matched, _lengths(there, mode), _lengths(here, mode), matches, spans, marked.astype(np.int64)
    )


def _lengths(texts: Sequence[TokenizedText], mode: Mode) -> Array:
    return np.array(
        [len(words.sentences) - 1 if mode == "paper" else len(words.ids) for words in texts], dtype=np.float64
    )


def _ranks(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each element how many earlier elements have the same key."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = (
        np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        if len(keys)
        else np.empty(0, int)
    )
    ranks = np.empty(len(keys), dtype=np.int64)
    sizes = np.diff(np.append(starts, len(keys)))
    ranks[order] = np.arange(len(keys)) - np.repeat(starts, sizes)
    return ranks


def _sizes(
    units: NDArray[np.int64],
    sentence_of: NDArray[np.int64],
    owner: NDArray[np.int64],
    texts: Sequence[WeightedText],
    mode: Mode,
) -> Array:
    """Return the denominator of each text's n-grams."""
    if mode == "published":
        return np.array([len(text.words.ids) for text in texts], dtype=np.float64)
    if mode == "reference" and len(units):
        _, places = np.unique(np.stack([sentence_of, units]), axis=1, return_index=True)
        owner = owner[places]
    return np.bincount(owner, minlength=len(texts)).astype(np.float64)


def _per_reference(
    matches: NDArray[np.bool_], unit_weights: Array, owner: NDArray[np.int64], references: int
) -> Array:
    """Return the sum of the weights of matched units per reference, shape (summaries, references)."""
    member = np.zeros((references, len(unit_weights)))
    member[owner, np.arange(len(unit_weights))] = unit_weights
    return weighted_sums(matches.astype(np.float64), member)


def _sentences(texts: Sequence[WeightedText]) -> int:
    return sum(len(text.words.sentences) - 1 for text in texts)


def _matched_grams(
    mine: TokenizedText, theirs: TokenizedText, matches: NDArray[np.bool_], n: int
) -> list[Span]:
    """Return where a summary has the n-grams that are matched, each at most as often as it has it."""
    places: dict[tuple[int, ...], list[Span]] = {}
    for gram, span in _placed_grams(mine, n):
        places.setdefault(gram, []).append(span)
    found = []
    for (gram, _), is_match in zip(_placed_grams(theirs, n), matches.tolist(), strict=True):
        if is_match and places.get(gram):
            found.append(places[gram].pop(0))
    return found


def _placed_grams(words: TokenizedText, n: int) -> Iterator[tuple[tuple[int, ...], Span]]:
    """Yield the n-grams within sentences and their spans, in order."""
    ids, spans = words.ids.tolist(), words.spans.tolist()
    for start, end in zip(words.sentences[:-1].tolist(), words.sentences[1:].tolist(), strict=True):
        for at in range(start, end - n + 1):
            yield tuple(ids[at : at + n]), (spans[at][0], spans[at + n - 1][1])


def _gram_spans(texts: Sequence[WeightedText], n: int) -> tuple[tuple[Span, ...], ...]:
    """Return the spans of each text's n-grams, in order."""
    return tuple(tuple(span for _, span in _placed_grams(text.words, n)) for text in texts)
