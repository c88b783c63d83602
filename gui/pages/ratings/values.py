"""Values that the Ratings page displays."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.ratings import Dimension, Rating, ScaleKind
from gui.annotation.text.marks import Mark

MAX_STEPS = 11
_TINTS = 5
NO_RATING = Rating("", "", "", "", None)


@dataclass(frozen=True, slots=True)
class ScaleRow(Dimension):
    """A scale with the rating on it; the anchors of categories are numbered from 1.

    feedback: the known rating on a training topic, once there is an own one.
    """

    rating: Rating = NO_RATING
    feedback: str = ""

    @property
    def steps(self) -> tuple[int, ...]:
        """The whole numbers of the scale; empty if there are too many or its ends are fractions."""
        if self.kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS):
            return tuple(range(1, len(self.anchors) + 1))
        if self.kind is ScaleKind.TEXT:
            return ()
        is_whole = self.low == int(self.low) and self.high == int(self.high)
        if not is_whole or self.high - self.low >= MAX_STEPS:
            return ()
        return tuple(range(int(self.low), int(self.high) + 1))

    @property
    def rating_text(self) -> str:
        """The scale's name with its value, empty = not rated."""
        value = self.rating.value
        if value is None:
            return ""
        if self.kind is ScaleKind.TEXT:
            return f"{self.name}: {' '.join(self.rating.note.split())}"
        if self.kind is ScaleKind.CATEGORIES:
            return f"{self.name}: {self.anchor(value)}"
        if self.kind is ScaleKind.SPANS:
            return f"{self.name}: {len(self.rating.spans)}"
        return f"{self.name} {value:g}"

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marked spans, with a tint by category."""
        return tuple(
            Mark(f"{self.id} {start}-{end}", 1 + (category - 1) % _TINTS, ((start, end),))
            for start, end, category in self.rating.spans
        )

    def anchor(self, value: float) -> str:
        """Return the meaning of a value, empty = none."""
        return dict(self.anchors).get(value, "")
