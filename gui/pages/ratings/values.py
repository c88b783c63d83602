"""Values that the Ratings page displays."""

from __future__ import annotations

from dataclasses import dataclass

MAX_STEPS = 11


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """A dimension to rate on, from low to high.

    anchors: (value, meaning) pairs.
    value: the rating, None = not rated.
    """

    dimension_id: str
    name: str
    low: float
    high: float
    question: str = ""
    description: str = ""
    anchors: tuple[tuple[float, str], ...] = ()
    value: float | None = None

    @property
    def steps(self) -> tuple[int, ...]:
        """The whole numbers of the scale; empty if there are too many or its ends are fractions."""
        is_whole = self.low == int(self.low) and self.high == int(self.high)
        if not is_whole or self.high - self.low >= MAX_STEPS:
            return ()
        return tuple(range(int(self.low), int(self.high) + 1))

    def anchor(self, value: float) -> str:
        """Return the meaning of a value, empty = none."""
        return dict(self.anchors).get(value, "")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to read next to the summary. kind: ``Document`` or ``Reference``."""

    id: str
    kind: str
    name: str
    content: str
    language: str = ""
