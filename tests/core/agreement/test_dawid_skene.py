"""Reliability of annotators by a model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.agreement.analysis import annotator_reliability
from core.agreement.dawid_skene import fit_counts, fit_dawid_skene
from core.agreement.items import AnnotatedItems
from core.errors import InputError

ANESTHESIA = (
    *("1111111", "3334334", "1122122", "2223121", "2223222", "2223322", "1222111", "3333433", "2222223"),
    *("2322223", "4444444", "2223343", "1111111", "2223212", "1211111", "1112111", "1111111", "1111111"),
    *("2222221", "2221322", "2222222", "2222221", "2223222", "2212222", "1111111", "1111111", "2322222"),
    *("1111111", "1111111", "1121121", "1111111", "3333233", "1111111", "2222222", "2223232", "4334343"),
    *("2212232", "2323233", "3333432", "1111111", "1111111", "1212111", "2322222", "1211111", "2222222"),
)
"""Dawid & Skene 1979, table 1: 45 patients; three answers of the first observer, one of each other one."""


def counts_of(rows):
    counts = np.zeros((len(rows), 5, 4))
    for i, row in enumerate(rows):
        for place, answer in enumerate(row):
            counts[i, max(0, place - 2), int(answer) - 1] += 1
    return counts


def test_prevalence_and_errors_of_the_paper():
    """Dawid & Skene 1979: prevalence .40, .42, .11, .07, and the errors of observer 1; no smoothing."""
    model = fit_counts(counts_of(ANESTHESIA), np.arange(1.0, 5.0), tuple("12345"), smoothing=0)
    assert np.round(model.prevalence, 2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert np.round(model.confusion[0, 0], 2).tolist() == [0.89, 0.11, 0, 0]
    assert np.round(model.confusion[0, 1], 2).tolist() == [0.07, 0.88, 0.05, 0]


def test_a_step_is_that_of_loops():
    """The M and E steps of the last iteration, written out."""
    counts = counts_of(ANESTHESIA)
    model = fit_counts(counts, np.arange(1.0, 5.0), tuple("12345"), smoothing=0.5)
    for i in range(len(counts)):
        likely = []
        for true in range(4):
            p = model.prevalence[true]
            for who in range(5):
                for chosen in range(4):
                    p *= model.confusion[who, true, chosen] ** counts[i, who, chosen]
            likely.append(p)
        assert model.posterior[i] == pytest.approx(np.array(likely) / sum(likely), abs=1e-9)
    expected = np.einsum("i,ic->c", model.posterior[:, 1], counts[:, 2]) + 0.5
    assert model.confusion[2, 1] == pytest.approx(expected / expected.sum(), abs=1e-3)


def simulated(accuracies, items=400, seed=0):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    values = np.empty((items, len(accuracies)))
    for who, accuracy in enumerate(accuracies):
        guess = random.integers(0, 3, items)
        values[:, who] = np.where(random.random(items) < accuracy, truth, guess)
        values[random.random(items) < 0.2, who] = math.nan
    names = tuple(f"A{i}" for i in range(len(accuracies)))
    return truth, AnnotatedItems(values, np.zeros(items, dtype=np.int64), ("T",), names)


def test_a_guessing_annotator_is_found():
    truth, items = simulated([0.9, 0.8, 0.0, 0.85])
    model = fit_dawid_skene(items)
    assert model.informedness() == pytest.approx([0.9, 0.8, 0.0, 0.85], abs=0.1)
    there = np.isfinite(items.values).any(axis=1)
    assert (model.posterior.argmax(axis=1) == truth[there]).mean() > 0.93
    rows = annotator_reliability(items, "matches")
    last = [row for row in rows if row.coefficient == "dawid-skene-informedness"][-1]
    assert last.group == "A2"


def test_reliability_does_not_depend_on_the_order_of_annotators():
    _, items = simulated([0.9, 0.7, 0.2])
    there, back = fit_dawid_skene(items), fit_dawid_skene(items.of_annotators((2, 1, 0)))
    assert there.accuracy() == pytest.approx(back.accuracy()[::-1], abs=1e-6)


def test_constant_values_say_nothing_about_annotators():
    constant = AnnotatedItems(np.full((5, 2), 3.0), np.zeros(5, dtype=np.int64), ("T",), ("A", "B"))
    assert {row.reason for row in annotator_reliability(constant, "r")} == {"both annotators always chose 3"}
    with pytest.raises(InputError, match="two different values"):
        fit_dawid_skene(constant)
