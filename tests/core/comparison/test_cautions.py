"""Warnings about correlations agree with their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.cautions import cautions, note_text
from core.comparison.inference import CorrelationInputs
from core.metrics.base import NOTES
from core.stats.correlation import Coefficient, Level


@pytest.mark.parametrize(("count", "start"), [(1, "1 text truncated"), (2, "2 texts truncated")])
def test_a_note_uses_singular_or_plural(count, start):
    assert note_text("truncated", count).startswith(start)


def test_a_note_of_a_newer_version_is_shown_unchanged():
    assert "newer" not in NOTES
    assert note_text("newer", 3) == "newer 3"


@pytest.mark.parametrize(("topics", "start"), [(1, "Only 1 topic: "), (2, "Only 2 topics: ")])
def test_a_small_number_of_topics_is_stated(topics, start):
    z = np.random.default_rng(1).random((12, topics))
    sample = CorrelationInputs(z[None] + 0.1, z, Level.TOPIC, Coefficient.PEARSON)
    assert any(sentence.startswith(start) for sentence in cautions(sample, ["m"]))
