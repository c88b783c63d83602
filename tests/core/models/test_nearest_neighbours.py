"""Nearest neighbours of vectors."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.encoders.nearest_neighbours import k_nearest

few = st.integers(0, 9)


def plainly(mine: np.ndarray, theirs: np.ndarray, k: int) -> list[list[int]]:
    """For each vector the places of the k nearest, of equally near ones the first, in order."""
    units = [rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12) for rows in (mine, theirs)]
    cosines = np.round(units[0].astype(np.float64) @ units[1].T.astype(np.float64), 6)
    return [sorted(np.argsort(-row, kind="stable")[:k].tolist()) for row in cosines]


@settings(deadline=None)
@given(few, few, st.integers(1, 12), st.integers(0, 999))
def test_ties_select_the_first_neighbours(rows: int, others: int, k: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    # of few values, so that many cosines are equal
    mine, theirs = (chance.integers(-1, 2, (n, 3)).astype(np.float32) for n in (rows, others))
    neighbours = k_nearest(mine, theirs, k, "cpu")
    assert neighbours.places.tolist() == plainly(mine, theirs, k)


def test_differences_beyond_the_sixth_digit_are_ties() -> None:
    angles = np.array([0.3, 0.2 + 1e-8, 0.2, 0.9])
    theirs = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    mine = np.array([[1.0, 0.0]], dtype=np.float32)
    assert k_nearest(mine, theirs, 1, "cpu").places.tolist() == [[1]]
    assert k_nearest(mine, theirs[[0, 2, 1, 3]], 1, "cpu").places.tolist() == [[1]]
    assert k_nearest(mine, theirs, 3, "cpu").places.tolist() == [[0, 1, 2]]
