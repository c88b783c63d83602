"""What the page of ratings shows."""

from __future__ import annotations

from dataclasses import dataclass

MAX_STEPS = 11


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """A dimension to rate on, from low to high. anchors: (value, text). value: None = not rated."""

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
        """Its whole numbers, none where it has too many of them or ends between two."""
        is_whole = self.low == int(self.low) and self.high == int(self.high)
        if not is_whole or self.high - self.low >= MAX_STEPS:
            return ()
        return tuple(range(int(self.low), int(self.high) + 1))

    def anchor(self, value: float) -> str:
        """What a value means, empty = nothing is said of it."""
        return dict(self.anchors).get(value, "")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to read beside the summary. kind: ``Document`` or ``Reference``."""

    id: str
    kind: str
    name: str
    content: str
