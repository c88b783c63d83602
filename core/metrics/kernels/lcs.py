"""Words of references that lie on longest common subsequences with the sentences of summaries.

Each sentence of a reference is compared with every sentence of the summary, and the matches are united.
Ties are resolved by moving along the reference first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.metrics.kernels.ngrams import concatenate
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
    """What is compared, and how often each word may match.

    limits: the smaller count of a word in both texts, shape (summaries, references, distinct words).
    """

    references: LcsTexts
    summaries: LcsTexts
    limits: Ints


Texts = tuple[TokenizedText, ...]

_recent = Recent[LcsInput](2)


def lcs_input(
    summaries: Texts, references: Texts, counted_summaries: Texts, counted_references: Texts
) -> LcsInput:
    """Return texts to compare, and the counts of their words. The arrays are shared: read only.

    counted_summaries, counted_references: the texts in which words are counted.
    """
    asked = summaries, references, counted_summaries, counted_references
    return _recent.get("", asked, lambda: _lcs_input(*asked))


def _lcs_input(
    summaries: Texts, references: Texts, counted_summaries: Texts, counted_references: Texts
) -> LcsInput:
    rows, known_words = number_words(summaries, references, counted_summaries, counted_references)
    here = word_counts(rows[2], counted_summaries, known_words)
    there = word_counts(rows[3], counted_references, known_words)
    return LcsInput(
        concatenate_texts(rows[1], references),
        concatenate_texts(rows[0], summaries),
        np.minimum(here[:, None], there[None]),
    )


def concatenate_texts(ids: Ints, texts: Sequence[TokenizedText]) -> LcsTexts:
    """Return texts concatenated. ids: of their words."""
    ends = _ends([len(words.ids) for words in texts])
    bounds = [words.sentences[:-1] + start for words, start in zip(texts, ends[:-1].tolist(), strict=True)]
    sentences = np.concatenate([*bounds, ends[-1:]])
    longest = int((sentences[1:] - sentences[:-1]).max(initial=0))
    return LcsTexts(ids, sentences, _ends([len(words.sentences) - 1 for words in texts]), ends, longest)


def number_words(*groups: Texts) -> tuple[list[Ints], int]:
    """Return the words of each group as consecutive ids from 0, and the number of distinct words."""
    texts = list(dict.fromkeys(words for group in groups for words in group))  # by identity
    flat, known = concatenate([words.ids for words in texts])
    ends = _ends([len(words.ids) for words in texts]).tolist()
    numbered = {words: flat[ends[at] : ends[at + 1]] for at, words in enumerate(texts)}
    rows = {group: np.concatenate([flat[:0], *map(numbered.__getitem__, group)]) for group in set(groups)}
    return [rows[group] for group in groups], known


def word_counts(ids: Ints, texts: Sequence[TokenizedText], known: int) -> Ints:
    """Count each word in each text, shape (texts, known)."""
    text = np.repeat(np.arange(len(texts)), [len(words.ids) for words in texts])
    counts = np.bincount(text * known + ids, minlength=len(texts) * known)
    return counts.reshape(len(texts), known).astype(np.int64)


def lcs_partners(references: LcsTexts, summaries: LcsTexts) -> Ints:
    """Return the summary word that each reference word is matched with, -1 = none.

    Returns shape (summaries, words of the references); indices count from the summary's first word.
    """
    table = np.zeros((references.longest + 1) * (summaries.longest + 1), dtype=np.int64)
    return _marked(_mark_all, references, summaries, table)


def weighted_partners(references: LcsTexts, summaries: LcsTexts, weights: Floats) -> Ints:
    """Do the same for subsequences weighted by the sum of weights[length] over their unbroken runs."""
    table = np.zeros(2 * (references.longest + 1) * (summaries.longest + 1))
    return _marked(_mark_all_weighted, references, summaries, weights, table)


def clip_marks(marks: Ints, references: LcsTexts, limits: Ints) -> Ints:
    """Remove matches of a word beyond its count in both texts, in the order of each reference.

    limits: shape (summaries, references, distinct words), maximum number of matches of a word.
    """
    clipped = marks.copy().ravel()
    known = limits.shape[2]
    used = np.zeros(known, dtype=np.int64)
    _clip(references.ids, references.ends, limits.ravel(), used, clipped, steps=clipped.size)
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


def _marked(kernel: Kernel, references: LcsTexts, summaries: LcsTexts, *extra: NDArray[np.generic]) -> Ints:
    marks = np.full((len(summaries.texts) - 1) * len(references.ids), -1, dtype=np.int64)
    steps = len(references.ids) * len(summaries.ids)
    sides = references.ids, references.sentences, summaries.ids, summaries.sentences, summaries.texts
    kernel(*sides, *extra, marks, steps=steps)
    return marks.reshape(len(summaries.texts) - 1, len(references.ids))


def _fill_marks(
    references: Ints, bounds: Ints, summaries: Ints, others: Ints, texts: Ints, table: Ints, marks: Ints
) -> None:
    words = len(references)
    for s in range(len(texts) - 1):
        for i in range(len(bounds) - 1):
            for j in range(texts[s], texts[s + 1]):
                _mark(
                    references, bounds[i], bounds[i + 1], summaries, others[j], others[j + 1],
                    others[texts[s]], table, s * words, marks,
                )  # fmt: skip


def _mark(
    references: Ints, top: int, bottom: int, summaries: Ints, left: int, right: int,
    first: int, table: Ints, row: int, marks: Ints,
) -> None:  # fmt: skip
    """Mark one longest common subsequence of two sentences. table: its first row and column stay zero."""
    lines, columns = bottom - top, right - left
    width = columns + 1
    for j in range(width):
        table[j] = 0
    for i in range(1, lines + 1):
        word, at = references[top + i - 1], i * width
        table[at] = best = before = 0
        for j in range(1, width):
            above = table[at + j - width]
            if word == summaries[left + j - 1]:
                best = before + 1
            elif above > best:
                best = above
            table[at + j] = best
            before = above
    i, j = lines, columns
    while i > 0 and j > 0:
        if references[top + i - 1] == summaries[left + j - 1]:
            i, j = i - 1, j - 1
            if marks[row + top + i] < 0:
                marks[row + top + i] = left + j - first
        elif table[i * width + j - width] >= table[i * width + j - 1]:
            i -= 1
        else:
            j -= 1


def _fill_weighted_marks(
    references: Ints, bounds: Ints, summaries: Ints, others: Ints, texts: Ints,
    weights: Floats, table: Floats, marks: Ints,
) -> None:  # fmt: skip
    words = len(references)
    for s in range(len(texts) - 1):
        for i in range(len(bounds) - 1):
            for j in range(texts[s], texts[s + 1]):
                _mark_weighted(
                    references, bounds[i], bounds[i + 1], summaries, others[j], others[j + 1],
                    others[texts[s]], weights, table, s * words, marks,
                )  # fmt: skip


def _mark_weighted(
    references: Ints, top: int, bottom: int, summaries: Ints, left: int, right: int,
    first: int, weights: Floats, table: Floats, row: int, marks: Ints,
) -> None:  # fmt: skip
    """Mark one common subsequence of maximum weight. table: weights, then lengths of the current runs."""
    lines, columns = bottom - top, right - left
    width = columns + 1
    runs = (lines + 1) * width
    for j in range(width):
        table[j] = table[runs + j] = 0.0
    for i in range(1, lines + 1):
        word, at = references[top + i - 1], i * width
        table[at] = table[runs + at] = best = before = 0.0
        for j in range(1, width):
            above = table[at + j - width]
            if word == summaries[left + j - 1]:
                run = int(table[runs + at + j - width - 1])
                best = before + weights[run + 1] - weights[run]
                table[runs + at + j] = run + 1
            else:
                if above > best:
                    best = above
                table[runs + at + j] = 0.0
            table[at + j] = best
            before = above
    i, j = lines, columns
    while i > 0 and j > 0:
        if references[top + i - 1] == summaries[left + j - 1]:
            i, j = i - 1, j - 1
            if marks[row + top + i] < 0:
                marks[row + top + i] = left + j - first
        elif table[i * width + j - width] >= table[i * width + j - 1]:
            i -= 1
        else:
            j -= 1


def _fill_clipped(references: Ints, ends: Ints, limits: Ints, used: Ints, clipped: Ints) -> None:
    """Clip in place. limits: flat. used: zeros."""
    texts, words, known = len(ends) - 1, len(references), len(used)
    for s in range(len(clipped) // max(words, 1)):
        for r in range(texts):
            most = (s * texts + r) * known
            for i in range(ends[r], ends[r + 1]):
                if clipped[s * words + i] >= 0:
                    if used[references[i]] < limits[most + references[i]]:
                        used[references[i]] += 1
                    else:
                        clipped[s * words + i] = -1
            for i in range(ends[r], ends[r + 1]):
                used[references[i]] = 0


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


def _ends(sizes: Sequence[int]) -> Ints:
    return np.array([0, *accumulate(sizes)], dtype=np.int64)


_mark_all = Kernel(_fill_marks, _mark)
_mark_all_weighted = Kernel(_fill_weighted_marks, _mark_weighted)
_clip = Kernel(_fill_clipped)
_cut_runs = Kernel(_fill_runs)
