"""Choice of masked word pieces in BLANC, and truncation to the model's limit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_CONTINUES = "##"

Masking = tuple[int, ...]
"""Places of the pieces that are masked at one time, ascending."""


@dataclass(frozen=True, slots=True)
class MinimumPieceLengths:
    """How many signs a piece needs to be masked: a whole word, a word's first piece, a later piece."""

    normal: int
    lead: int
    followup: int

    def admits(self, pieces: Sequence[str], place: int) -> bool:
        """Whether the piece at a place is long enough. pieces: as WordPiece writes them."""
        piece = pieces[place]
        if piece.startswith(_CONTINUES):
            return len(piece) - len(_CONTINUES) >= self.followup
        is_lead = place + 1 < len(pieces) and pieces[place + 1].startswith(_CONTINUES)
        return len(piece) >= (self.lead if is_lead else self.normal)


def regular_masks(pieces: Sequence[str], gap: int, run: int, least: MinimumPieceLengths) -> list[Masking]:
    """Every `gap`-th stretch of `run` pieces, from each beginning; those without a piece left out."""
    gap = min(gap, len(pieces))
    allowed = [place for place in range(len(pieces)) if least.admits(pieces, place)]
    every = (tuple(p for p in allowed if _is_masked(p % gap, first, gap, run)) for first in range(gap))
    return [masking for masking in every if masking]


def random_maskings(
    pieces: Sequence[str], share: float, least: MinimumPieceLengths, chance: random.Random
) -> list[Masking]:
    """Each piece that is long enough in one masking, drawn at random; a share of all pieces in each."""
    allowed = [place for place in range(len(pieces)) if least.admits(pieces, place)]
    chance.shuffle(allowed)
    size = max(int(len(pieces) * share), 1)
    return [tuple(sorted(allowed[i : i + size])) for i in range(0, len(allowed), size)]


def fit(sentence: int, summary: Sequence[int], more: int, least: int, limit: int) -> tuple[int, int, int]:
    """How many pieces of a sentence remain, and which of the summary's: from here to there.

    summary: pieces of each of its sentences. more: pieces beside both. least: the sentence is cut to these
    before the summary is cut, by whole sentences from its end; of a first sentence that is too long by
    itself the last pieces remain, as in the authors' program. limit: 0 = none.
    """
    total = sum(summary)
    excess = more + total + sentence - limit
    if limit <= 0 or excess <= 0:
        return sentence, 0, total
    least = min(least, max(0, limit - more))
    kept = min(sentence, max(least, sentence - excess))
    room = limit - more - kept
    if total <= room:
        return kept, 0, total
    end = 0
    for count, pieces in enumerate(summary):
        if end + pieces > room:
            return (kept, 0, end) if count else (kept, pieces - room, pieces)
        end += pieces
    return kept, 0, end


def _is_masked(place: int, first: int, gap: int, run: int) -> bool:
    if gap == 1:
        return True
    if first + run >= gap:  # the stretch goes on at the next beginning
        return place >= first or place < (first + run) % gap
    return first <= place < first + run
