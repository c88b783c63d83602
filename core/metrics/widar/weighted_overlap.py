"""ROUGE with units weighted by the sentence of the reference that contains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Array, Evidence, Explanation
from core.metrics.kernels.lcs import clip_marks, lcs_partners, number_words, texts_in_a_row, word_counts
from core.metrics.kernels.ngrams import number_grams
from core.metrics.rouge.overlap import ratio
from core.metrics.widar.sentence_weights import Mode, sentences_of
from core.text.tokenization import TokenizedText


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text and its words by sentence."""

    text: Text
    words: TokenizedText


@dataclass(frozen=True, slots=True)
class WeightedCounts:
    """Weighted units that summaries share with references.

    matched: shape (summaries, references). there, here: what recall and precision divide by, shapes
    (references,) and (summaries,). places: for a summary and a reference the spans matched there.
    """

    matched: Array
    there: Array
    here: Array
    held: NDArray[np.bool_]
    spans: tuple[tuple[Span, ...], ...]
    """held: shape (summaries, units of all references). spans: of each reference's units."""

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
        """How recall, precision and F against one reference come about."""
        name = reference.text.name
        first = sum(len(spans) for spans in self.spans[:place])
        held = self.held[system, first : first + len(self.spans[place])]
        spans = (span for span, is_held in zip(self.spans[place], held, strict=True) if is_held)
        matched = Explanation(
            f"weight matched in {name}",
            value=float(self.matched[system, place]),
            evidence=tuple(Evidence("reference", name, span) for span in spans),
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
    """n-grams within sentences. A reference's occurrences count in its order, as many as the summary has.

    Both sides are divided by their n-grams; in mode ``reference`` by those that differ within a sentence, in
    mode ``published`` by their words.
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
    held = counts[:, unit] > _ranks(unit_owner * grams.total + unit)[None, :]
    worth = np.concatenate([*weights, np.empty(0)])[sentence_of[first:] - _sentences(summaries)]
    sizes = _sizes(grams.units, sentence_of, owner, texts, mode)
    spans = _gram_spans(references, n)
    matched = _per_reference(held, worth, unit_owner, len(references))
    return WeightedCounts(matched, sizes[len(summaries) :], sizes[: len(summaries)], held, spans)


def weighted_sequences(
    summaries: Sequence[WeightedText],
    references: Sequence[WeightedText],
    weights: Sequence[Array],
    mode: Mode,
) -> WeightedCounts:
    """Words in the union of longest common subsequences, divided by the number of sentences.

    But for mode ``paper`` as often as both texts have a word, and divided by the number of words.
    """
    here, there = [each.words for each in summaries], [each.words for each in references]
    rows, known = number_words(there, here)
    texts = texts_in_a_row(rows[0], there)
    marked = lcs_partners(texts, texts_in_a_row(rows[1], here))
    if mode != "paper":
        limits = np.minimum(
            word_counts(rows[1], here, known)[:, None], word_counts(rows[0], there, known)[None]
        )
        marked = clip_marks(marked, texts, limits)
    sentence_of = np.repeat(np.arange(len(texts.sentences) - 1), np.diff(texts.sentences))
    owner = np.repeat(np.arange(len(references)), np.diff(texts.ends))
    worth = np.concatenate([*weights, np.empty(0)])[sentence_of]
    held = marked >= 0
    matched = _per_reference(held, worth, owner, len(references))
    spans = tuple(tuple((int(a), int(b)) for a, b in words.spans) for words in there)
    return WeightedCounts(matched, _lengths(there, mode), _lengths(here, mode), held, spans)


def _lengths(texts: Sequence[TokenizedText], mode: Mode) -> Array:
    return np.array(
        [len(words.sentences) - 1 if mode == "paper" else len(words.ids) for words in texts],
        dtype=np.float64,
    )


def _ranks(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each place how often its key stood before."""
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
    """What n-grams of each text are divided by."""
    if mode == "published":
        return np.array([len(text.words.ids) for text in texts], dtype=np.float64)
    if mode == "reference" and len(units):
        _, places = np.unique(np.stack([sentence_of, units]), axis=1, return_index=True)
        owner = owner[places]
    return np.bincount(owner, minlength=len(texts)).astype(np.float64)


def _per_reference(held: NDArray[np.bool_], worth: Array, owner: NDArray[np.int64], references: int) -> Array:
    """Weights of held units added up for each reference, shape (summaries, references)."""
    member = np.zeros((len(worth), references))
    member[np.arange(len(worth)), owner] = worth
    total: Array = held.astype(np.float64) @ member
    return total


def _sentences(texts: Sequence[WeightedText]) -> int:
    return sum(len(text.words.sentences) - 1 for text in texts)


def _gram_spans(texts: Sequence[WeightedText], n: int) -> tuple[tuple[Span, ...], ...]:
    """Where each text's n-grams stand, in their order."""
    found = []
    for text in texts:
        words = text.words
        spans: list[Span] = []
        for start, end in zip(words.sentences[:-1].tolist(), words.sentences[1:].tolist(), strict=True):
            spans += [
                (int(words.spans[i, 0]), int(words.spans[i + n - 1, 1])) for i in range(start, end - n + 1)
            ]
        found.append(tuple(spans))
    return tuple(found)
