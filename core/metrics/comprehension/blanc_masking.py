"""Choice of masked word pieces in BLANC, and truncation to the model's limit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_CONTINUES = "##"

Masking = tuple[int, ...]
"""Indices of the pieces that are masked together, ascending."""


@dataclass(frozen=True, slots=True)
class MinimumPieceLengths:
    """Minimum number of letters of a masked piece: a whole word, a word's first piece, a later piece."""

    normal: int
    lead: int
    followup: int

    def admits(self, pieces: Sequence[str], place: int) -> bool:
        """Return whether a piece is long enough. pieces: in WordPiece notation."""
        piece = pieces[place]
        if piece.startswith(_CONTINUES):
            return len(piece) - len(_CONTINUES) >= self.followup
        is_lead = place + 1 < len(pieces) and pieces[place + 1].startswith(_CONTINUES)
        return len(piece) >= (self.lead if is_lead else self.normal)


def regular_masks(pieces: Sequence[str], gap: int, run: int, minimum: MinimumPieceLengths) -> list[Masking]:
    """Mask `run` pieces out of every `gap`, once for each offset; empty maskings are omitted."""
    gap = min(gap, len(pieces))
    allowed = [place for place in range(len(pieces)) if minimum.admits(pieces, place)]
    every = (tuple(p for p in allowed if _is_masked(p % gap, first, gap, run)) for first in range(gap))
    return [masking for masking in every if masking]


def random_maskings(
    pieces: Sequence[str], share: float, minimum: MinimumPieceLengths, chance: random.Random
) -> list[Masking]:
    """Distribute long enough pieces at random over maskings, each with a share of all pieces."""
    allowed = [place for place in range(len(pieces)) if minimum.admits(pieces, place)]
    chance.shuffle(allowed)
    size = max(int(len(pieces) * share), 1)
    return [tuple(sorted(allowed[i : i + size])) for i in range(0, len(allowed), size)]


def fit(
    sentence: int, summary: Sequence[int], special: int, minimum: int, limit: int
) -> tuple[int, int, int]:
    """Truncate a sentence and a summary to the model's limit.

    sentence: number of pieces. summary: number of pieces of each of its sentences.
    special: number of additional pieces. limit: 0 = none.
    minimum: length to which the sentence is truncated first.
    Then whole sentences are removed from the end of the summary; if its first sentence is too long, its last
    pieces remain, as in the authors' program.
    Returns the number of remaining pieces of the sentence, and the range of the summary's pieces.
    """
    total = sum(summary)
    excess = special + total + sentence - limit
    if limit <= 0 or excess <= 0:
        return sentence, 0, total
    minimum = min(minimum, max(0, limit - special))
    length = min(sentence, max(minimum, sentence - excess))
    room = limit - special - length
    if total <= room:
        return length, 0, total
    end = 0
    for count, pieces in enumerate(summary):
        if end + pieces > room:
            return (length, 0, end) if count else (length, pieces - room, pieces)
        end += pieces
    return length, 0, end


def _is_masked(place: int, first: int, gap: int, run: int) -> bool:
    if gap == 1:
        return True
    if first + run >= gap:  # the run continues after the next offset
        return place >= first or place < (first + run) % gap
    return first <= place < first + run
