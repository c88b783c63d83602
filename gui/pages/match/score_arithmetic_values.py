"""What the panel of the live score shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

SCORE_TITLES = ("Original", "Modified", "Comprehensive", "Presence")
MAIN_SCORE = "Modified"


@dataclass(frozen=True, slots=True)
class WeightBlock:
    """An SCU's weight as a block; step 1 to 5.

    scu_id: empty where any of several SCUs would do, which label then says.
    """

    weight: int
    step: int
    scu_id: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class BlockRow:
    """A sum of weights. blocks: falling."""

    title: str
    blocks: tuple[WeightBlock, ...]

    @property
    def total(self) -> int:
        return sum(block.weight for block in self.blocks)

    @property
    def expression(self) -> str:
        """The sum written out, as ``2×4 + 1×1``; 0 for none."""
        return expression([block.weight for block in self.blocks])

    def runs(self) -> tuple[tuple[WeightBlock, ...], ...]:
        """The blocks of each weight together."""
        return tuple(tuple(run) for _, run in groupby(self.blocks, key=lambda block: block.weight))


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A score of SCORE_TITLES: how it comes about, its value (NaN = undefined)."""

    title: str
    how: str
    value: float


@dataclass(frozen=True, slots=True)
class LiveScore:
    """A summary's scores by a pyramid, in the order of SCORE_TITLES; nothing but a fact without SCUs.

    left_out: the modified score without each reference, by its letter.
    """

    hero: float
    hero_fact: str
    rows: tuple[BlockRow, ...] = ()
    scores: tuple[ScoreRow, ...] = ()
    origins: tuple[str, ...] = ()
    left_out: tuple[tuple[str, float], ...] = ()


def expression(weights: Sequence[int]) -> str:
    """Weights as a sum of products, heaviest first."""
    counted = sorted(Counter(weights).items(), reverse=True)
    return " + ".join(f"{count}×{weight}" for weight, count in counted) or "0"


def score_text(value: float) -> str:
    """A score to three places; a dash where it is undefined."""
    return "–" if value != value else f"{value:.3f}"
