"""Warnings about correlations agree with their numbers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core.comparison.cautions import cautions, metric_notes, note_text
from core.comparison.inference import CorrelationInputs
from core.metrics.base import NOTES
from core.scoring.staleness import UP_TO_DATE
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


@pytest.mark.parametrize(
    ("systems", "sentence"),
    [
        (1, "Only 1 system: a correlation requires at least three."),
        (2, "Only 2 systems: a correlation requires at least three."),
        (3, "Only 3 systems: intervals are wide"),
    ],
)
def test_a_small_number_of_systems_is_stated(systems, sentence):
    z = np.random.default_rng(1).random((systems, 20))
    sample = CorrelationInputs(z[None] + 0.1, z, Level.SYSTEM, Coefficient.PEARSON)
    assert cautions(sample, ["m"])[0].startswith(sentence)


def test_the_reason_of_an_undefined_soft_accuracy_is_stated():
    z = np.random.default_rng(1).random((12, 6))
    holes = z.copy()
    holes[0, :2] = np.nan  # four complete topics are left
    sample = CorrelationInputs(np.stack([z, holes]), z, Level.SYSTEM, Coefficient.SOFT_ACCURACY)
    (sentence,) = cautions(sample, ["whole", "holes"])
    assert sentence.startswith("holes: soft pairwise accuracy is undefined. It needs 3 systems and 5 topics")


class _Noted:
    """The notes of stored scores, one configuration per signature."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.scores = self
        self._counts = counts

    def notes(self, signature: str):
        return {"topic": {"tied_documents": self._counts[signature]}}


@pytest.mark.parametrize(
    ("counts", "beginnings"),
    [
        ({"a": 2, "b": 2, "c": 1}, ["a, b: 2 texts with documents", "c: 1 text with documents"]),
        ({"a": 4, "b": 2, "c": 1, "d": 1200}, ["a, b, c and 1 more: 1 to 1,200 texts with documents"]),
    ],
)
def test_notes_with_many_counts_are_one_sentence(counts, beginnings):
    refs = [SimpleNamespace(signature=name, label=name, staleness=UP_TO_DATE) for name in counts]
    sentences = metric_notes(_Noted(counts), refs)
    assert len(sentences) == len(beginnings)
    for sentence, beginning in zip(sentences, beginnings, strict=True):
        assert sentence.startswith(beginning)
