"""Placement of point labels without overlaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_ANGLES = (0, 180, 90, 270, 45, 135, 315, 225)  # right and left are most readable
_DISTANCES = (0.0, 6.0, 14.0, 24.0)


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle in points, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """Return the area of the intersection."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)


@dataclass(frozen=True, slots=True)
class LabelPlacement:
    """Placement of a label: its box, and whether it is so far away that it needs a leader line."""

    box: Box
    is_far: bool


def place_labels(
    points: Array,
    sizes: Sequence[tuple[float, float]],
    radii: Sequence[float],
    frame: Box,
    obstacles: Sequence[Box] = (),
) -> list[LabelPlacement]:
    """Place each label, crowded ones first, where it overlaps least.

    points: shape (n, 2).
    sizes: width and height of each label.
    radii: of each point's mark.
    frame: area that labels should stay in.
    obstacles: areas to avoid.
    All in typographic points.
    """
    centres = zip(points.tolist(), radii, strict=True)
    marks = [(x - radius, y - radius, x + radius, y + radius) for (x, y), radius in centres]
    fixed = np.array([*marks, *((box.left, box.bottom, box.right, box.top) for box in obstacles)])
    distances = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    crowded = np.argsort((distances < 40).sum(axis=1), kind="stable")[::-1]
    placed: dict[int, LabelPlacement] = {}
    for i in crowded.tolist():
        boxes = [(box.left, box.bottom, box.right, box.top) for box in (p.box for p in placed.values())]
        taken = np.vstack([fixed, np.array(boxes).reshape(-1, 4)])
        x, y = points[i].tolist()
        placed[i] = _best_place(x, y, sizes[i], taken, frame, radii[i])
    return [placed[i] for i in range(len(marks))]


def _best_place(
    x: float, y: float, size: tuple[float, float], taken: Array, frame: Box, radius: float
) -> LabelPlacement:
    """Return the placement with the least overlap; on ties the nearest, then the most readable."""
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a label has no finite position")
    candidates = [
        (_box_at(x, y, angle, radius + 2 + distance, size), 0.5 * order + 4 * rank, distance > 10)
        for rank, distance in enumerate(_DISTANCES)
        for order, angle in enumerate(_ANGLES)
    ]
    covered = _covered(np.array([(b.left, b.bottom, b.right, b.top) for b, _, _ in candidates]), taken)
    costs = [
        area + 4 * (box.area - box.overlap(frame)) + doubt
        for area, (box, doubt, _) in zip(covered.tolist(), candidates, strict=True)
    ]
    box, _, is_far = candidates[int(np.argmin(costs))]
    return LabelPlacement(box, is_far)


def _covered(boxes: Array, taken: Array) -> Array:
    """Return the overlap of each box with occupied rectangles, shape (boxes,).

    Both as left, bottom, right, top.
    """
    low = np.maximum(boxes[:, None, :2], taken[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], taken[None, :, 2:])
    areas: Array = np.clip(high - low, 0.0, None).prod(axis=2).sum(axis=1)
    return areas


def _box_at(x: float, y: float, angle: int, distance: float, size: tuple[float, float]) -> Box:
    """Return a label's box whose nearest side or corner is `distance` from the point, in a direction."""
    width, height = size
    across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    left = x + distance * across + width * (_sign(across) - 1) / 2
    bottom = y + distance * up + height * (_sign(up) - 1) / 2
    return Box(left, bottom, left + width, bottom + height)


def _sign(value: float) -> int:
    return 0 if abs(value) < 1e-9 else (1 if value > 0 else -1)
