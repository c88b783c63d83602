"""Words of references that lie on longest common subsequences with the sentences of summaries.

Each sentence of a reference is compared with every sentence of the summary, and the matches are united.
Ties are resolved by moving along the reference first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.metrics.kernels.ngrams import concatenate, ends_of
from core.recent import Recent
from core.text.tokenization import TokenizedText

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class LcsTexts(NamedTuple):
    """Several texts, concatenated.

    ids: of all words.
    sentences: offset of each sentence's first word, then the number of words.
    texts: index of each text's first sentence, then the number of sentences.
    ends: offset of each text's first word, then the number of words.
    longest: number of words in the longest sentence.
    """

    ids: Ints
    sentences: Ints
    texts: Ints
    ends: Ints
    longest: int


class LcsInput(NamedTuple):
    """Texts to compare, and those in which words are counted, with `known` distinct words."""

    summaries: LcsTexts
    references: LcsTexts
    counted_summaries: LcsTexts
    counted_references: LcsTexts
    known: int


Texts = tuple[TokenizedText, ...]

_recent = Recent[LcsInput](2)


def lcs_input(
    summaries: Texts, references: Texts, counted_summaries: Texts, counted_references: Texts
) -> LcsInput:
    """Return texts with their words as consecutive ids from 0. The arrays are shared: read only.

    counted_summaries, counted_references: the texts in which words are counted.
    """
    asked = summaries, references, counted_summaries, counted_references
    return _recent.get("", asked, lambda: _lcs_input(asked))


def _lcs_input(groups: Sequence[Texts]) -> LcsInput:
    numbered = concatenate([words.ids for group in dict.fromkeys(groups) for words in group])
    made, at = dict[Texts, LcsTexts](), 0
    for group in dict.fromkeys(groups):
        made[group] = _concatenated(numbered[0], at, group)
        at += len(made[group].ids)
    summaries, references, counted_summaries, counted_references = (made[group] for group in groups)
    return LcsInput(summaries, references, counted_summaries, counted_references, numbered[1])


def _concatenated(ids: Ints, begin: int, texts: Texts) -> LcsTexts:
    """Return texts whose words begin at a place in `ids`."""
    ends = ends_of([len(words.ids) for words in texts])
    counts = [len(words.sentences) - 1 for words in texts]
    bounds = np.concatenate([ends[:0], *[words.sentences[:-1] for words in texts]])
    sentences = np.concatenate([bounds + np.repeat(ends[:-1], counts), ends[-1:]])
    longest = int((sentences[1:] - sentences[:-1]).max(initial=0))
    return LcsTexts(ids[begin : begin + int(ends[-1])], sentences, ends_of(counts), ends, longest)


def lcs_partners(references: LcsTexts, summaries: LcsTexts) -> Ints:
    """Return the summary word that each reference word is matched with, -1 = none.

    Returns shape (summaries, words of the references); indices count from the summary's first word.
    """
    table = np.empty((references.longest + 1) * (summaries.longest + 1), dtype=np.int64)
    return _marked(_mark_all, references, summaries, table)


def weighted_partners(references: LcsTexts, summaries: LcsTexts, weights: Floats) -> Ints:
    """Do the same for subsequences weighted by the sum of weights[length] over their unbroken runs."""
    table = np.empty((references.longest + 2) * (summaries.longest + 1))
    return _marked(_mark_all_weighted, references, summaries, table, weights)


def clip_marks(marks: Ints, texts: LcsInput) -> Ints:
    """Remove matches of a word beyond its count in both texts, in the order of each reference."""
    clipped, counts = marks.ravel().copy(), np.zeros(3 * texts.known, dtype=np.int64)
    here, there = texts.counted_summaries, texts.counted_references
    sides = texts.references.ids, texts.references.ends, there.ids, there.ends, here.ids, here.ends
    _clip(*sides, counts, clipped, steps=2 * clipped.size)
    return clipped.reshape(marks.shape)


def run_lengths(marks: Ints, clipped: Ints, references: LcsTexts) -> Ints:
    """Return the length of the run that ends at each word, 0 elsewhere, with the runs of ROUGE-1.5.5.

    clipped: `marks` after clipping. Only words left after clipping lengthen a run. It ends at such a word if
    the next word is not marked or the sentence ends. A run whose last word was removed by clipping therefore
    continues in the next run, and is lost at the end of its sentence.
    """
    runs = np.zeros(marks.size, dtype=np.int64)
    _cut_runs(marks.ravel(), clipped.ravel(), references.sentences, runs, steps=runs.size)
    return runs.reshape(marks.shape)


def sum_weights(numbers: Ints, weights: Floats, ends: Ints) -> Floats:
    """Return the sums of weights[number] over parts of rows, added in order, shape (rows, parts).

    numbers: shape (rows, columns). ends: offset of each part's first column, then the number of columns.
    """
    sums = np.zeros(len(numbers) * (len(ends) - 1))
    _sum(numbers.ravel(), weights, ends, sums, steps=numbers.size)
    return sums.reshape(len(numbers), len(ends) - 1)


def _marked(
    kernel: Kernel, references: LcsTexts, summaries: LcsTexts, table: NDArray[Any], *weights: Floats
) -> Ints:
    marks = np.full((len(summaries.texts) - 1) * len(references.ids), -1, dtype=np.int64)
    steps = len(references.ids) * len(summaries.ids)
    sides = references.ids, references.sentences, summaries.ids, summaries.sentences, summaries.texts
    seen = np.zeros(len(references.ids) + len(summaries.ids), dtype=np.int64)
    kept = np.empty(references.longest + 2 * summaries.longest, dtype=np.int64)
    kernel(*sides, *weights, seen, kept, table, marks, steps=steps)
    return marks.reshape(len(summaries.texts) - 1, len(references.ids))


def _fill_marks(
    references: Ints, bounds: Ints, summaries: Ints, others: Ints, texts: Ints,
    seen: Ints, kept: Ints, table: Ints, marks: Ints,
) -> None:  # fmt: skip
    words = len(references)
    for s in range(len(texts) - 1):
        for i in range(len(bounds) - 1):
            for j in range(texts[s], texts[s + 1]):
                _mark(
                    references, bounds[i], bounds[i + 1], summaries, others[j], others[j + 1],
                    others[texts[s]], seen, kept, table, s * words, marks,
                )  # fmt: skip


def _mark(
    references: Ints, top: int, bottom: int, summaries: Ints, left: int, right: int,
    first: int, seen: Ints, kept: Ints, table: Ints, row: int, marks: Ints,
) -> None:  # fmt: skip
    """Mark one longest common subsequence of two sentences."""
    lines, columns = _keep_both(references, top, bottom, summaries, left, right, seen, kept)
    width, others = columns + 1, lines + columns
    for j in range(width):
        table[j] = 0
    for i in range(1, lines + 1):
        word, at = references[kept[i - 1]], i * width
        table[at] = best = before = 0
        for j in range(1, width):
            above = table[at + j - width]
            if word == kept[others + j - 1]:
                best = before + 1
            elif above > best:
                best = above
            table[at + j] = best
            before = above
    _trace(references, lines, columns, first, kept, table, row, marks)


def _fill_weighted_marks(
    references: Ints, bounds: Ints, summaries: Ints, others: Ints, texts: Ints,
    weights: Floats, seen: Ints, kept: Ints, table: Floats, marks: Ints,
) -> None:  # fmt: skip
    words = len(references)
    for s in range(len(texts) - 1):
        for i in range(len(bounds) - 1):
            for j in range(texts[s], texts[s + 1]):
                _mark_weighted(
                    references, bounds[i], bounds[i + 1], summaries, others[j], others[j + 1],
                    others[texts[s]], weights, seen, kept, table, s * words, marks,
                )  # fmt: skip


def _mark_weighted(
    references: Ints, top: int, bottom: int, summaries: Ints, left: int, right: int,
    first: int, weights: Floats, seen: Ints, kept: Ints, table: Floats, row: int, marks: Ints,
) -> None:  # fmt: skip
    """Mark one common subsequence of maximum weight. table: weights, then lengths of the last line's runs."""
    lines, columns = _keep_both(references, top, bottom, summaries, left, right, seen, kept)
    width, others = columns + 1, lines + columns
    runs = (lines + 1) * width
    for j in range(width):
        table[j] = table[runs + j] = 0.0
    for i in range(1, lines + 1):
        word, at = references[kept[i - 1]], i * width
        table[at] = best = before = longest = 0.0
        for j in range(1, width):
            above, run = table[at + j - width], longest
            longest = table[runs + j]
            if word == kept[others + j - 1]:
                best = before + weights[int(run) + 1] - weights[int(run)]
                table[runs + j] = run + 1.0
            else:
                if above > best:
                    best = above
                table[runs + j] = 0.0
            table[at + j] = best
            before = above
    _trace(references, lines, columns, first, kept, table, row, marks)


def _keep_both(
    references: Ints, top: int, bottom: int, summaries: Ints, left: int, right: int, seen: Ints, kept: Ints
) -> tuple[int, int]:
    """Return how many words of two sentences have to be compared.

    Of words in a row that the other sentence lacks, one is enough: the others repeat its line or column.
    seen: zeros. kept: filled with the indices of these words, and the words of the second sentence.
    """
    lines = _keep(references, top, bottom, summaries, left, right, seen, kept, 0)
    columns = _keep(summaries, left, right, references, top, bottom, seen, kept, lines)
    for j in range(lines, lines + columns):
        kept[columns + j] = summaries[kept[j]]
    return lines, columns


def _keep(
    words: Ints, begin: int, end: int, others: Ints, first: int, last: int, seen: Ints, kept: Ints, at: int
) -> int:
    for i in range(first, last):
        seen[others[i]] = 1
    count, before = 0, 1
    for i in range(begin, end):
        is_shared = seen[words[i]]
        if is_shared or before:
            kept[at + count] = i
            count += 1
        before = is_shared
    for i in range(first, last):
        seen[others[i]] = 0
    return count


def _trace(
    references: Ints, i: int, j: int, first: int, kept: Ints, table: Any, row: int, marks: Ints
) -> None:
    """Mark the matches on the way from the end of a table of i lines and j columns to its beginning."""
    lines, others, width = i, i + j, j + 1
    while i > 0 and j > 0:
        if references[kept[i - 1]] == kept[others + j - 1]:
            i, j = i - 1, j - 1
            if marks[row + kept[i]] < 0:
                marks[row + kept[i]] = kept[lines + j] - first
        elif table[i * width + j - width] >= table[i * width + j - 1]:
            i -= 1
        else:
            j -= 1


def _fill_clipped(
    references: Ints, ends: Ints, theirs: Ints, their_ends: Ints, mine: Ints, my_ends: Ints,
    counts: Ints, clipped: Ints,
) -> None:  # fmt: skip
    """Clip in place.

    theirs, mine: words that are counted in references and in summaries.
    counts: zeros; of each word in the summary, in the reference, and of its matches.
    """
    words, known = len(references), len(counts) // 3
    for s in range(len(my_ends) - 1):
        for i in range(my_ends[s], my_ends[s + 1]):
            counts[mine[i]] += 1
        for r in range(len(ends) - 1):
            for i in range(their_ends[r], their_ends[r + 1]):
                counts[known + theirs[i]] += 1
            for i in range(ends[r], ends[r + 1]):
                if clipped[s * words + i] >= 0:
                    word = references[i]
                    used = counts[2 * known + word]
                    if used < counts[word] and used < counts[known + word]:
                        counts[2 * known + word] += 1
                    else:
                        clipped[s * words + i] = -1
            for i in range(their_ends[r], their_ends[r + 1]):
                counts[known + theirs[i]] = 0
            for i in range(ends[r], ends[r + 1]):
                counts[2 * known + references[i]] = 0
        for i in range(my_ends[s], my_ends[s + 1]):
            counts[mine[i]] = 0


def _fill_runs(marks: Ints, clipped: Ints, bounds: Ints, runs: Ints) -> None:
    words = bounds[len(bounds) - 1]
    for s in range(len(marks) // max(words, 1)):
        for sentence in range(len(bounds) - 1):
            length = 0
            for i in range(s * words + bounds[sentence], s * words + bounds[sentence + 1]):
                if clipped[i] >= 0:
                    length += 1
                    if i + 1 == s * words + bounds[sentence + 1] or marks[i + 1] < 0:
                        runs[i] = length
                        length = 0


def _fill_sums(numbers: Ints, weights: Floats, ends: Ints, sums: Floats) -> None:
    """Fill `sums`, which are zeros."""
    parts, columns = len(ends) - 1, ends[len(ends) - 1]
    for at in range(len(sums)):
        row = at // parts * columns
        for i in range(row + ends[at % parts], row + ends[at % parts + 1]):
            sums[at] += weights[numbers[i]]


_mark_all = Kernel(_fill_marks, _keep, _keep_both, _trace, _mark)
_mark_all_weighted = Kernel(_fill_weighted_marks, _keep, _keep_both, _trace, _mark_weighted)
_clip = Kernel(_fill_clipped)
_cut_runs = Kernel(_fill_runs)
_sum = Kernel(_fill_sums)
