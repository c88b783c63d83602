"""Names beside points, clear of the points and of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_ANGLES = (0, 180, 90, 270, 45, 135, 315, 225)  # right and left read best
_DISTANCES = (0.0, 6.0, 14.0, 24.0)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """Area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands: its box, and whether it is so far from its point that a line should lead there."""

    box: Box
    is_far: bool


def place_names(
    points: Array,
    sizes: Sequence[tuple[float, float]],
    radii: Sequence[float],
    frame: Box,
    obstacles: Sequence[Box] = (),
) -> list[Place]:
    """A place for each name, those in a crowd first, each where it covers least.

    points: shape (n, 2); sizes: width and height of each name; radii: of each point's mark; frame: what names
    should stay in; obstacles: what they should keep off too. All in typographic points.
    """
    centres = zip(points.tolist(), radii, strict=True)
    marks = [Box(x - radius, y - radius, x + radius, y + radius) for (x, y), radius in centres]
    distances = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    crowded = np.argsort((distances < 40).sum(axis=1), kind="stable")[::-1]
    placed: dict[int, Place] = {}
    for i in crowded.tolist():
        taken = [*marks, *obstacles, *(place.box for place in placed.values())]
        x, y = points[i].tolist()
        placed[i] = _best_place(x, y, sizes[i], taken, frame, radii[i])
    return [placed[i] for i in range(len(marks))]


def _best_place(
    x: float, y: float, size: tuple[float, float], taken: Sequence[Box], frame: Box, radius: float
) -> Place:
    best, least = None, math.inf
    for rank, distance in enumerate(_DISTANCES):
        for order, angle in enumerate(_ANGLES):
            box = _box_at(x, y, angle, radius + 2 + distance, size)
            covered = sum(box.overlap(other) for other in taken) + 4 * (box.area - box.overlap(frame))
            cost = covered + 0.5 * order + 4 * rank  # in doubt near, and where it reads best
            if cost < least:
                best, least = Place(box, distance > 10), cost
    if best is None:
        raise ValueError("a name has no finite place")
    return best


def _box_at(x: float, y: float, angle: int, distance: float, size: tuple[float, float]) -> Box:
    """A name's box whose nearest side or corner is `distance` from the point, in that direction."""
    width, height = size
    across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    left = x + distance * across + width * (_sign(across) - 1) / 2
    bottom = y + distance * up + height * (_sign(up) - 1) / 2
    return Box(left, bottom, left + width, bottom + height)


def _sign(value: float) -> int:
    return 0 if abs(value) < 1e-9 else (1 if value > 0 else -1)
