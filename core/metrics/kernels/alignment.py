"""Word alignment of METEOR 1.5: selection of compatible matches between two texts.

A beam search over the words of the reference. Alignments are ranked by more matched words, then fewer
chunks, then shorter distances. Like the published program, it counts half of the words of a match by stem or
meaning, rounded down, whatever its weight in the score, and adds the distance of a match only to alignments
that are created after it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

BEAM = 40

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AlignedTexts:
    """Texts as numbers of words, and what can match: flat arrays, each text's part after the one before.

    first: shape (texts + 1,), where the words of each text begin.
    words, stems: number of each word and of its stem, equal for equal ones.
    synonyms: by word, from `first_synonym` on, words that are written differently.
    first_phrase: where the phrases of each text begin that have paraphrases, in the order of their places.
    phrase_at, phrase_long, phrase_number: first word, number of words and number of each phrase.
    paraphrases: by number of a phrase, from `first_paraphrase` on.
    factors: weight of a match by module: the same word, stem, synonym, paraphrase.
    """

    first: Ints
    words: Ints
    stems: Ints
    first_synonym: Ints
    synonyms: Ints
    first_phrase: Ints
    phrase_at: Ints
    phrase_long: Ints
    phrase_number: Ints
    first_paraphrase: Ints
    paraphrases: Ints
    factors: Floats

    def sums(self, summaries: int, weights: Floats) -> Floats:
        """Return what the alignments of all pairs of summaries and references match.

        The first texts are the summaries. weights: of each word, in all texts.
        Returns the weighted matches of the summary and of the reference, their matched words, and the number
        of chunks, shape (summaries, references, 5).
        """
        references = len(self.first) - 1 - summaries
        out = np.zeros(summaries * references * 5)
        sizes = np.array([summaries, references, BEAM], dtype=np.int64)
        words = int(self.first[-1] - self.first[summaries])
        _FILL_SUMS(sizes, *self._arrays(), weights, out, steps=_STEPS * BEAM * words * summaries)
        return out.reshape(summaries, references, 5)

    def matches(self, summary: int, reference: int) -> Ints:
        """Return the selected matches of two texts, in the order of the reference, shape (matches, 5).

        Columns: first word in the summary and in the reference, numbers of words there, module.
        """
        words = int(self.first[reference + 1] - self.first[reference])
        out = np.full(5 * words, -1, dtype=np.int64)
        sizes = np.array([summary, reference, BEAM], dtype=np.int64)
        _FILL_MATCHES(sizes, *self._arrays(), out, steps=_STEPS * BEAM * words)
        rows = out.reshape(-1, 5)
        return rows[rows[:, 0] >= 0]

    def _arrays(self) -> list[NDArray[Any]]:
        return [getattr(self, field.name) for field in fields(self)]


_STEPS = 40
"""Operations for an alignment at a word, about."""


def _buffers(first: Any, words: Any, stems: Any, phrase_number: Any) -> Any:
    """Return buffers that each alignment fills.

    By word, stem and phrase its first place in the reference, and of each phrase in the summary, -1 = none;
    the next place of each. Where the matches of each word begin, how many matches claim each word of both
    texts, its only match, and the chosen one.
    """
    longest = 0
    for text in range(len(first) - 1):
        longest = max(longest, first[text + 1] - first[text])
    vocabulary = phrases = 0
    for at in range(len(words)):
        vocabulary = max(vocabulary, words[at] + 1, stems[at] + 1)
    for at in range(len(phrase_number)):
        phrases = max(phrases, phrase_number[at] + 1)
    many = len(phrase_number)
    return (
        np.full(vocabulary, -1, dtype=np.int64),
        np.full(vocabulary, -1, dtype=np.int64),
        np.full(phrases, -1, dtype=np.int64),
        np.full(phrases, -1, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
        np.zeros(many, dtype=np.int64),
        np.zeros(many, dtype=np.int64),
        np.zeros(longest + 2, dtype=np.int64),
        np.zeros(2 * longest, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
    )


def _candidates(summary: int, reference: int, texts: Any, buffers: Any, rows: Any) -> int:
    """Write the possible matches of two texts, module by module; return their number.

    texts: arrays of `AlignedTexts`. buffers: see `_buffers`.
    rows: first word in the reference and in the summary, numbers of words there, module, shape (5, room);
    nothing is written beyond its end.
    """
    first, words, stems, first_synonym, synonyms = texts[:5]
    first_phrase, phrase_at, phrase_long, phrase_number, first_paraphrase, paraphrases = texts[5:]
    of_word, of_stem, of_phrase, mine, next_word, next_stem, next_phrase, next_mine = buffers[:8]
    here, there = first[summary], first[reference]
    n, m = first[summary + 1] - here, first[reference + 1] - there
    p, q = first_phrase[summary], first_phrase[reference]
    p_end, q_end = first_phrase[summary + 1], first_phrase[reference + 1]
    is_same = n == m
    for t in range(m - 1, -1, -1):
        word, stem = words[there + t], stems[there + t]
        next_word[t], of_word[word] = of_word[word], t
        next_stem[t], of_stem[stem] = of_stem[stem], t
        is_same = is_same and words[here + t] == word
    count = 0
    for h in range(n):
        t = of_word[words[here + h]]
        while t >= 0:
            count = _add(rows, count, t, h, 1, 1, 0)
            t = next_word[t]
    if not is_same:
        for h in range(n):
            t = of_stem[stems[here + h]]
            while t >= 0:
                if words[there + t] != words[here + h]:
                    count = _add(rows, count, t, h, 1, 1, 1)
                t = next_stem[t]
        for h in range(n):
            word = words[here + h]
            for s in range(first_synonym[word], first_synonym[word + 1]):
                t = of_word[synonyms[s]]
                while t >= 0:
                    count = _add(rows, count, t, h, 1, 1, 2)
                    t = next_word[t]
        for at in range(q_end - 1, q - 1, -1):
            phrase = phrase_number[at]
            next_phrase[at - q], of_phrase[phrase] = of_phrase[phrase], at
        for at in range(p_end - 1, p - 1, -1):
            phrase = phrase_number[at]
            next_mine[at - p], mine[phrase] = mine[phrase], at
        for at in range(q, q_end):
            for s in range(first_paraphrase[phrase_number[at]], first_paraphrase[phrase_number[at] + 1]):
                o = mine[paraphrases[s]]
                while o >= 0:
                    count = _add(rows, count, phrase_at[at], phrase_at[o], phrase_long[at], phrase_long[o], 3)
                    o = next_mine[o - p]
        for at in range(p, p_end):
            for s in range(first_paraphrase[phrase_number[at]], first_paraphrase[phrase_number[at] + 1]):
                o = of_phrase[paraphrases[s]]
                while o >= 0:
                    count = _add(rows, count, phrase_at[o], phrase_at[at], phrase_long[o], phrase_long[at], 3)
                    o = next_phrase[o - q]
        for at in range(q, q_end):
            of_phrase[phrase_number[at]] = -1
        for at in range(p, p_end):
            mine[phrase_number[at]] = -1
    for t in range(m):
        of_word[words[there + t]] = -1
        of_stem[stems[there + t]] = -1
    return count


def _add(rows: Any, count: int, there: int, here: int, long_there: int, long_here: int, module: int) -> int:
    """Write a match if there is room; return the number of matches with it."""
    if count < rows.shape[1]:
        rows[0, count], rows[1, count] = there, here
        rows[2, count], rows[3, count], rows[4, count] = long_there, long_here, module
    return count + 1


def _sort(count: int, words: int, rows: Any, begin: Any, matches: Any) -> None:
    """Sort matches by their first word in the reference; fill where those of each word begin.

    Matches of one word keep their order.
    """
    for t in range(words + 2):
        begin[t] = 0
    for c in range(count):
        begin[rows[0, c] + 2] += 1
    for t in range(2, words + 2):
        begin[t] += begin[t - 1]
    for c in range(count):
        to = begin[rows[0, c] + 1]
        begin[rows[0, c] + 1] += 1
        for k in range(5):
            matches[k, to] = rows[k, c]


def _certain(count: int, n: int, m: int, begin: Any, matches: Any, claims: Any, alone: Any) -> None:
    """Fill, by word of the reference, the match that begins there and shares no word with others, else -1."""
    for k in range(n + m):
        claims[k] = 0
    for c in range(count):
        for k in range(matches[2, c]):
            claims[matches[0, c] + k] += 1
        for k in range(matches[3, c]):
            claims[m + matches[1, c] + k] += 1
    for t in range(m):
        alone[t] = -1
        if begin[t + 1] - begin[t] == 1:
            c = begin[t]
            shared = 0
            for k in range(matches[2, c]):
                shared += claims[matches[0, c] + k] - 1
            for k in range(matches[3, c]):
                shared += claims[m + matches[1, c] + k] - 1
            if shared == 0:
                alone[t] = c


def _offer(beam: int, count: int, state: Any, order: Any, best: Any) -> int:
    """Add an alignment to the best ones of a word, after those that are as good; return their number.

    state: weighted matched words, completed chunks, distance, next undecided word of the reference, end of
    the last match in the summary (-1 = no chunk is open), place of the alignment before and the match taken
    (-1 = none).
    order: places of the alignments in `best`, best first. best: their states, each with its rank.
    """
    rank = _rank(state)
    if count == beam:
        place = order[count - 1]
        if rank >= best[place, 7]:
            return count
    else:
        place = count
        count += 1
    at = count - 1
    while at > 0 and best[order[at - 1], 7] > rank:
        order[at] = order[at - 1]
        at -= 1
    order[at] = place
    for k in range(7):
        best[place, k] = state[k]
    best[place, 7] = rank
    return count


def _pass(word: int, certain: int, alive: int, matches: Any, weight: Any, order: Any, best: Any) -> None:
    """Bring all alignments past a word of the reference that has no match, or only the certain one.

    order, best: as in `_offer`; alignments that are as good as others keep their order.
    """
    for at in range(alive):
        place = order[at]
        end = best[place, 4]
        if word < best[place, 3]:
            continue
        if certain >= 0:
            begins = matches[1, certain]
            best[place, 0] += weight[certain]
            best[place, 1] += 1 if end != -1 and begins != end else 0
            best[place, 2] += abs(word - begins)
            best[place, 3], best[place, 4] = word + matches[2, certain], begins + matches[3, certain]
        else:
            best[place, 1] += 1 if end != -1 else 0
            best[place, 3], best[place, 4] = word + 1, -1
        best[place, 7] = _rank(best[place])
    for last in range(1, alive):
        place = order[last]
        at = last
        while at > 0 and best[order[at - 1], 7] > best[place, 7]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = place


def _rank(state: Any) -> int:
    """Return the rank of an alignment, better = less: by matched words, chunks, distance."""
    return int(((16383 - state[0]) << 46) + (state[1] << 32) + min(state[2], 4294967295))


def _branch(
    word: int, place: int, beam: int, begin: Any, matches: Any, weight: Any, used: Any, before: Any,
    kept: Any, count: int, state: Any, order: Any, best: Any,
) -> int:  # fmt: skip
    """Offer the successors of an alignment at a word of the reference; return the number of the best ones.

    Successors of the same weight that begin a chunk, or that continue one, are ranked in their order, because
    each adds to the distance of the following ones. So only the first `beam` of such a kind can be among the
    best `beam` of all, and the others are left out. kept: buffer for their numbers, by kind.
    used: bits of the words of the summary that an alignment has matched. before: states. Both by place.
    """
    matched, chunks, distance = before[place, 0], before[place, 1], before[place, 2]
    following, end = before[place, 3], before[place, 4]
    state[5], state[6] = place, -1
    if word < following:  # inside a match of several words
        state[0], state[1], state[2], state[3], state[4] = matched, chunks, distance, following, end
        return _offer(beam, count, state, order, best)
    for kind in range(len(kept)):
        kept[kind] = 0
    for c in range(begin[word], begin[word + 1]):  # millions of times if words are repeated
        begins = matches[1, c]
        is_free = True
        for k in range(begins, begins + matches[3, c]):
            if used[place, k >> 5] >> (k & 31) & 1:
                is_free = False
        if not is_free:
            continue
        kind = 2 * weight[c] + (1 if begins == end else 0)
        if kept[kind] < beam:
            kept[kind] += 1
            state[0] = matched + weight[c]
            state[1] = chunks + (1 if end != -1 and begins != end else 0)
            state[2], state[3], state[4] = distance, word + matches[2, c], begins + matches[3, c]
            state[6] = c
            count = _offer(beam, count, state, order, best)
        distance += abs(word - begins)
    state[0], state[2], state[3], state[4], state[6] = matched, distance, word + 1, -1, -1
    state[1] = chunks + (1 if end != -1 else 0)
    return _offer(beam, count, state, order, best)


def _select(n: int, m: int, beam: int, count: int, begin: Any, matches: Any, alone: Any, chosen: Any) -> None:
    """Fill the selected match by word of the reference, -1 = none begins there.

    n, m: numbers of words of the summary and of the reference. count: number of matches.
    """
    weight = np.zeros(count + 1, dtype=np.int64)
    heaviest = 0
    for c in range(count):
        weight[c] = 2 if matches[4, c] == 0 else (matches[3, c] >> 1) + (matches[2, c] >> 1)
        heaviest = max(heaviest, weight[c])
    kept = np.zeros(2 * (heaviest + 1), dtype=np.int64)
    parts = (n >> 5) + 1
    used, others = np.zeros((beam, parts), dtype=np.int64), np.zeros((beam, parts), dtype=np.int64)
    before, best = np.zeros((beam, 8), dtype=np.int64), np.zeros((beam, 8), dtype=np.int64)
    ordered, order = np.zeros(beam, dtype=np.int64), np.zeros(beam, dtype=np.int64)
    state = np.zeros(7, dtype=np.int64)
    trail = np.zeros((m + 1, beam, 2), dtype=np.int64)
    before[0, 4] = -1
    alive = 1
    for word in range(m):
        if alone[word] >= 0 or begin[word] == begin[word + 1]:
            _pass(word, alone[word], alive, matches, weight, ordered, before)
            for place in range(alive):
                trail[word + 1, place, 0], trail[word + 1, place, 1] = place, -1
            continue
        found = 0
        for p in range(alive):
            found = _branch(
                word, ordered[p], beam, begin, matches, weight, used, before, kept, found, state, order,
                best,
            )  # fmt: skip
        alive = found
        for place in range(alive):
            parent, match = best[place, 5], best[place, 6]
            trail[word + 1, place, 0], trail[word + 1, place, 1] = parent, match
            for k in range(parts):
                others[place, k] = used[parent, k]
            if match >= 0:
                for k in range(matches[1, match], matches[1, match] + matches[3, match]):
                    others[place, k >> 5] |= 1 << (k & 31)
        used, others = others, used
        before, best = best, before
        ordered, order = order, ordered
    found = 0
    for p in range(alive):
        for k in range(5):
            state[k] = before[ordered[p], k]
        state[1] += 1 if state[4] != -1 else 0
        state[5] = ordered[p]
        found = _offer(1, found, state, order, best)
    place = best[order[0], 5]
    for word in range(m - 1, -1, -1):
        chosen[word] = alone[word] if alone[word] >= 0 else trail[word + 1, place, 1]
        place = trail[word + 1, place, 0]


def _align(summary: int, reference: int, beam: int, texts: Any, buffers: Any, rows: Any, matches: Any) -> int:
    """Align two texts: fill `matches` and, in the last buffer, the chosen one by word of the reference.

    Returns the number of matches; where it is more than `rows` has room for, nothing is filled.
    """
    first, (begin, claims, alone, chosen) = texts[0], buffers[8:]
    n, m = first[summary + 1] - first[summary], first[reference + 1] - first[reference]
    count = _candidates(summary, reference, texts, buffers, rows)
    if count > rows.shape[1]:
        return count
    for word in range(m):
        chosen[word] = -1
    if count > 0:
        _sort(count, m, rows, begin, matches)
        _certain(count, n, m, begin, matches, claims, alone)
        _select(n, m, beam, count, begin, matches, alone, chosen)
    return count


def _fill_matches(
    sizes: Any, first: Any, words: Any, stems: Any, first_synonym: Any, synonyms: Any, first_phrase: Any,
    phrase_at: Any, phrase_long: Any, phrase_number: Any, first_paraphrase: Any, paraphrases: Any,
    factors: Any, out: Any,
) -> None:  # fmt: skip
    """Fill the rows of `AlignedTexts.matches`. sizes: summary, reference, beam."""
    texts = (
        first, words, stems, first_synonym, synonyms, first_phrase, phrase_at, phrase_long, phrase_number,
        first_paraphrase, paraphrases,
    )  # fmt: skip
    buffers = _buffers(first, words, stems, phrase_number)
    chosen = buffers[11]
    room = 1
    rows, matches = np.zeros((5, room), dtype=np.int64), np.zeros((5, room), dtype=np.int64)
    count = _align(sizes[0], sizes[1], sizes[2], texts, buffers, rows, matches)
    if count > room:
        rows, matches = np.zeros((5, count), dtype=np.int64), np.zeros((5, count), dtype=np.int64)
        _align(sizes[0], sizes[1], sizes[2], texts, buffers, rows, matches)
    at = 0
    for word in range(first[sizes[1] + 1] - first[sizes[1]]):
        c = chosen[word]
        if c >= 0:
            out[at], out[at + 1] = matches[1, c], matches[0, c]
            out[at + 2], out[at + 3], out[at + 4] = matches[3, c], matches[2, c], matches[4, c]
            at += 5


def _fill_sums(
    sizes: Any, first: Any, words: Any, stems: Any, first_synonym: Any, synonyms: Any, first_phrase: Any,
    phrase_at: Any, phrase_long: Any, phrase_number: Any, first_paraphrase: Any, paraphrases: Any,
    factors: Any, weights: Any, out: Any,
) -> None:  # fmt: skip
    """Fill the values of `AlignedTexts.sums`. sizes: summaries, references, beam."""
    texts = (
        first, words, stems, first_synonym, synonyms, first_phrase, phrase_at, phrase_long, phrase_number,
        first_paraphrase, paraphrases,
    )  # fmt: skip
    buffers = _buffers(first, words, stems, phrase_number)
    chosen = buffers[11]
    summaries, references = sizes[0], sizes[1]
    room = 512
    rows, matches = np.zeros((5, room), dtype=np.int64), np.zeros((5, room), dtype=np.int64)
    for s in range(summaries):
        for r in range(references):
            reference = summaries + r
            count = _align(s, reference, sizes[2], texts, buffers, rows, matches)
            if count > room:
                room = count
                rows, matches = np.zeros((5, room), dtype=np.int64), np.zeros((5, room), dtype=np.int64)
                _align(s, reference, sizes[2], texts, buffers, rows, matches)
            at = 5 * (s * references + r)
            next_there = next_here = -1
            for word in range(first[reference + 1] - first[reference]):
                c = chosen[word]
                if c < 0:
                    continue
                here, there = matches[1, c], matches[0, c]
                mine = theirs = 0.0
                for k in range(matches[3, c]):
                    mine += weights[first[s] + here + k]
                for k in range(matches[2, c]):
                    theirs += weights[first[reference] + there + k]
                out[at] += factors[matches[4, c]] * mine
                out[at + 1] += factors[matches[4, c]] * theirs
                out[at + 2] += matches[3, c]
                out[at + 3] += matches[2, c]
                if there != next_there or here != next_here:
                    out[at + 4] += 1
                next_there, next_here = there + matches[2, c], here + matches[3, c]


_CALLED = _buffers, _candidates, _add, _sort, _certain, _rank, _offer, _pass, _branch, _select, _align
_FILL_MATCHES, _FILL_SUMS = Kernel(_fill_matches, *_CALLED), Kernel(_fill_sums, *_CALLED)
