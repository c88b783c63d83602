"""Names, symbols and explanations of coefficients."""

from __future__ import annotations

import pytest

from core.formatting import coefficients
from core.formatting.coefficients import coefficient_title, explanation, p_test
from core.stats.types import Coefficient, Level, UndefinedPolicy

BY_COEFFICIENT = ("COEFFICIENT_NAMES", "SYMBOLS", "_FORMULAS")


@pytest.mark.parametrize("table", BY_COEFFICIENT)
def test_every_coefficient_has_every_label(table):
    labels = getattr(coefficients, table)
    assert set(labels) == set(Coefficient)
    assert len(set(labels.values())) == len(Coefficient)


@pytest.mark.parametrize("undefined", UndefinedPolicy)
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("coefficient", Coefficient)
def test_every_combination_is_explained_in_four_sentences(level, coefficient, undefined):
    sentences = explanation(level, coefficient, undefined)
    assert len(sentences) == 4
    assert all(sentence.endswith(".") for sentence in sentences)


def test_every_level_has_a_title():
    assert set(coefficients.LEVEL_TITLES) == set(Level)


def test_titles_begin_with_a_capital_letter():
    assert coefficient_title(Coefficient.ACCURACY) == "Pairwise accuracy"
    assert coefficient_title(Coefficient.STUART_TAU_C) == "Stuart's τ-c"


def test_only_accuracy_has_no_test():
    assert [c for c in Coefficient for level in Level if not p_test(level, c)] == [
        *[Coefficient.ACCURACY] * 3,
        *[Coefficient.SOFT_ACCURACY] * 3,
    ]
