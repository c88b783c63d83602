"""Sizes in bytes, typed and formatted."""

from __future__ import annotations

import pytest

from core.formatting.numbers import format_bytes, format_known_bytes, parse_bytes


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 MB"),
        (1, "1 MB"),
        (1_600_000, "2 MB"),
        (91_000_000, "91 MB"),
        (1_440_000_000, "1.4 GB"),
        (2 * 10**9, "2 GB"),
    ],
)
def test_sizes_are_formatted_in_decimal_units(count, text):
    assert format_bytes(count) == text


def test_an_unknown_size_is_a_dash():
    assert format_known_bytes(0) == "–"
    assert format_known_bytes(5_000_000) == "5 MB"


@pytest.mark.parametrize("text", ["0 MB", "3 MB", "812 MB", "1.5 GB", "2 GB"])
def test_a_formatted_size_parses_to_the_same_size(text):
    assert format_bytes(parse_bytes(text)) == text
