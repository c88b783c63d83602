"""Encoded document lengths compared with Lucene's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.dirichlet import encoded_lengths

LENGTHS = st.integers(min_value=0, max_value=2**31 - 1)


@pytest.mark.parametrize(
    ("length", "counted"),
    [
        (0, 0),
        (1, 1),
        (39, 39),
        (41, 40),
        (57, 56),
        (100, 96),
        (333, 312),
        (1000, 984),
        (2500, 2328),
        (5000, 4632),
    ],
)
def test_lengths_of_lucene_8_equal_observed_ones(length, counted):
    assert encoded_lengths(np.array([length]), "lucene7").tolist() == [counted]


@pytest.mark.parametrize(
    ("length", "counted"),
    [(10, 10.24), (57, 64.0), (100, 113.78), (200, 256.0), (1000, 1024.0), (5000, 5349.88)],
)
def test_lengths_of_lucene_4_equal_observed_ones(length, counted):
    assert encoded_lengths(np.array([length]), "lucene4").tolist() == pytest.approx([counted], abs=0.005)


@given(LENGTHS)
def test_exact_lengths_are_unchanged(length):
    assert encoded_lengths(np.array([length]), "exact").tolist() == [length]


@given(LENGTHS)
def test_lucene_7_rounds_lengths_down_by_less_than_an_eighth(length):
    (counted,) = encoded_lengths(np.array([length]), "lucene7").tolist()
    assert length * 7 / 8 <= counted <= length
    assert counted == _by_bits(length)


def _by_bits(length: int) -> int:
    """Return four significant bits of a length above 24, computed from its binary digits."""
    if length < 24:
        return length
    digits = bin(length - 24)[2:]
    return 24 + int(digits[:4] + "0" * (len(digits) - 4), 2)


@pytest.mark.slow
@pytest.mark.parametrize("norms", ["lucene7", "lucene4", "exact"])
@given(lengths=st.lists(LENGTHS, min_size=2, max_size=5))
def test_a_longer_document_never_counts_as_shorter(norms, lengths):
    assert (np.diff(encoded_lengths(np.array(sorted(lengths)), norms)) >= 0).all()
