"""Loops that select the best documents of a query without scoring all (MaxScore, Turtle & Flood 1995).

Scores of words in documents are rounded up to multiples of a unit, their *impacts*. Words that cannot lift a
document above those selected so far are not read; they are looked up only for documents that the other words
nearly select. The score of such a document is then summed exactly, in the order of the query. Of a frequent
word, the few postings with the highest impacts, its *peaks*, are read in any case, since the others then have
a lower bound, its *base*.

Arrays of several loops:

documents, frequencies: postings of all words of an index, ascending by document.
by_length: summand of each document.
begins, ends: range of the postings of each word of a query.
weight_starts, weights: its summand by frequency.
impact_starts, impacts: impact of each of its postings.
highest, bases: highest impact of each word, with and without its peaks.
peak_starts, peak_ends: range of the peaks of each word.
peak_documents, peak_extras: their documents, and what their impacts exceed the base by.
counts: how often it occurs in the query.
"""

from __future__ import annotations

from typing import Any

import numpy as np

HIGHEST_IMPACT = 2**16 - 1

BLOCK = 2**15
"""Documents whose sums are in the processor's cache at once."""

SEEDS = 2**11
"""Postings of the rarest words that are read to find documents to begin with."""

SKIPPED = 0.5
"""Share of the score to exceed that words can have together which are only looked up."""

PEAKS = 16
"""A peak is one of that many postings of a word, or of more."""

_IMPACTS_PER_BIN = 16


def find_words(letters: Any, ends: Any, words: Any, word_ends: Any, numbers: Any) -> None:
    """Fill `numbers` with the number of each word among sorted terms, -1 = absent. All are packed strings."""
    for at in range(len(numbers)):
        begin, length = word_ends[at], word_ends[at + 1] - word_ends[at]
        low, high = 0, len(ends) - 1
        found = -1
        while low < high and found < 0:
            middle = (low + high) // 2
            start, size = ends[middle], ends[middle + 1] - ends[middle]
            k = 0
            while k < size and k < length and letters[start + k] == words[begin + k]:
                k += 1
            if k == size and k == length:
                found = middle
            elif k < length and (k == size or letters[start + k] < words[begin + k]):
                low = middle + 1
            else:
                high = middle
        numbers[at] = found


def highest_frequencies(frequencies: Any, begins: Any, ends: Any, highest: Any) -> None:
    """Fill `highest` with the highest frequency of each word in a document."""
    for word in range(len(highest)):
        most = 0
        for at in range(begins[word], ends[word]):
            most = max(most, frequencies[at])
        highest[word] = most


def fill_impacts(
    documents: Any, frequencies: Any, by_length: Any, begins: Any, ends: Any, weight_starts: Any,
    weights: Any, unit: Any, highest: Any, bases: Any, peak_ends: Any, peak_documents: Any, peak_extras: Any,
    impacts: Any,
) -> None:  # fmt: skip
    """Fill the arrays from `highest` on for words, one after the other. unit: of impacts."""
    free = free_peak = 0
    bins = np.zeros(HIGHEST_IMPACT // _IMPACTS_PER_BIN + 1, dtype=np.int64)
    for word in range(len(highest)):
        most, start, first, size = 0, weight_starts[word], free, ends[word] - begins[word]
        for at in range(begins[word], ends[word]):
            value = max(weights[start + frequencies[at]] + by_length[documents[at]], 0.0)
            impact = min(int(value / unit[0]) + 1, HIGHEST_IMPACT)
            impacts[free] = impact
            bins[impact // _IMPACTS_PER_BIN] += 1
            most = max(most, impact)
            free += 1
        base, peaks = most, 0
        for k in range(most // _IMPACTS_PER_BIN, -1, -1):
            peaks += bins[k]
            if peaks > size // PEAKS:
                base = min(k * _IMPACTS_PER_BIN + _IMPACTS_PER_BIN - 1, most)
                break
        bins[: most // _IMPACTS_PER_BIN + 1] = 0
        if base < most:
            for at in range(first, free):
                if impacts[at] > base:
                    peak_documents[free_peak] = documents[begins[word] + at - first]
                    peak_extras[free_peak] = impacts[at] - base
                    free_peak += 1
        highest[word], bases[word], peak_ends[word] = most, base, free_peak


def first_from(documents: Any, begin: int, end: int, document: int) -> int:
    """Return the index of the first posting from `begin` on whose document is not before this one."""
    step = 1
    while begin + step < end and documents[begin + step] < document:
        begin += step
        step *= 2
    end = min(begin + step + 1, end)
    while begin < end:
        middle = (begin + end) // 2
        if documents[middle] < document:
            begin = middle + 1
        else:
            end = middle
    return begin


def score_of(
    document: int, documents: Any, frequencies: Any, by_length: Any, begins: Any, ends: Any, counts: Any,
    weight_starts: Any, weights: Any,
) -> float:  # fmt: skip
    """Return the score of a document, summed in the order of the query. begins: moved up to the document."""
    total = 0.0
    for word in range(len(counts)):
        at = first_from(documents, begins[word], ends[word], document)
        if at < ends[word] and documents[at] == document:
            value = weights[weight_starts[word] + frequencies[at]] + by_length[document]
            total += float(np.float32(max(counts[word] * value, 0.0)))
    return float(np.float32(total))


def insert(document: int, score: float, best: Any) -> None:
    """Insert a document that comes after all others of its score. best: documents, then scores."""
    limit = len(best) // 2
    at = limit - 1
    while at > 0 and best[limit + at - 1] < score:
        best[at], best[limit + at] = best[at - 1], best[limit + at - 1]
        at -= 1
    best[at], best[limit + at] = document, score


def seed(
    documents: Any, frequencies: Any, by_length: Any, begins: Any, ends: Any, counts: Any, weight_starts: Any,
    weights: Any, highest: Any, impacts: Any, impact_starts: Any, sums: Any, best: Any,
) -> float:  # fmt: skip
    """Return a score that as many documents as are to be selected reach, -1 if too few are known.

    The arrays are those of `select`.
    """
    left, used = SEEDS, 0
    order = np.argsort(-highest)
    for word in order:
        size = ends[word] - begins[word]
        if size > left:
            break
        left -= size
        used += 1
        for at in range(size):
            sums[documents[begins[word] + at]] += counts[word] * impacts[impact_starts[word] + at]
    best[:] = -1.0
    limit = len(best) // 2
    for word in order[:used]:
        for at in range(begins[word], ends[word]):
            document = documents[at]
            if sums[document] > max(best[2 * limit - 1], 0):
                insert(document, sums[document], best)
            sums[document] = 0
    least = np.inf
    for at in range(limit):
        if best[at] < 0:
            return -1.0
        score = score_of(
            int(best[at]), documents, frequencies, by_length, begins, ends, counts, weight_starts, weights
        )
        least = min(least, score)
    return least


def select(
    documents: Any, frequencies: Any, by_length: Any, starts: Any, ends: Any, counts: Any, weight_starts: Any,
    weights: Any, highest: Any, impacts: Any, impact_starts: Any, bases: Any, peak_starts: Any,
    peak_ends: Any, peak_documents: Any, peak_extras: Any, unit: Any, sums: Any, best: Any,
) -> None:  # fmt: skip
    """Fill `best` with the documents, best first, -1 = none, and then with their scores.

    starts: what is `begins` elsewhere.
    unit: of impacts, slightly larger than that of `fill_impacts`, which covers all rounding.
    sums: shape (documents,), zeros, also on return.
    """
    words, size, limit = len(counts), len(by_length), len(best) // 2
    begins = starts.copy()
    least = seed(
        documents, frequencies, by_length, begins, ends, counts, weight_starts, weights, highest, impacts,
        impact_starts, sums, best,
    )  # fmt: skip
    limits = counts * bases
    peaks = peak_starts.copy()
    order = np.argsort(limits / (ends - begins + 1))
    best[:] = -1.0
    cursors = begins.copy()
    skipped, rest = 0, 0
    for first in range(0, size, BLOCK):
        last = min(first + BLOCK, size)
        least = max(least, best[2 * limit - 1])
        while skipped < words and (rest + limits[order[skipped]]) * unit[0] < least * SKIPPED:
            rest += limits[order[skipped]]
            skipped += 1
        for word in order[:skipped]:
            at = first_from(peak_documents, peaks[word], peak_ends[word], first)
            end = first_from(peak_documents, at, peak_ends[word], last)
            peaks[word], count = end, counts[word]
            for k in range(at, end):
                sums[peak_documents[k]] += count * peak_extras[k]
        for word in order[skipped:]:
            at, end, count = cursors[word], ends[word], counts[word]
            begins[word] = at
            shift = impact_starts[word] - starts[word]
            end = first_from(documents, at, end, last)
            cursors[word] = end
            there, those = documents[at:end], impacts[at + shift : end + shift]
            for k in range(end - at):
                sums[there[k]] += count * those[k]
        beaten = max(int(least / unit[0]) - rest, 1)  # lower sums are too low
        for document in range(first, last):
            if sums[document] < beaten:
                continue
            bound = sums[document]
            # tighten the bound by the skipped words
            left, k = rest, skipped - 1
            while k >= 0 and (bound + left) * unit[0] >= least:
                word = order[k]
                at = first_from(documents, begins[word], ends[word], document)
                begins[word] = at
                left -= limits[word]
                if at < ends[word] and documents[at] == document:
                    impact = impacts[impact_starts[word] + at - starts[word]]
                    bound += counts[word] * min(impact, bases[word])
                k -= 1
            if (bound + left) * unit[0] < least:
                continue
            score = score_of(
                document, documents, frequencies, by_length, begins, ends, counts, weight_starts, weights
            )
            if score > best[2 * limit - 1]:
                insert(document, score, best)
                if best[2 * limit - 1] > least:
                    least = best[2 * limit - 1]
                    beaten = max(int(least / unit[0]) - rest, 1)
        sums[first:last] = 0
