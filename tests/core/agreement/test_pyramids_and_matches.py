"""Agreement of pyramids and matches, and its effect on the ranking of systems."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.agreement.analysis import (
    MATCH_COEFFICIENTS,
    AgreementOptions,
    pyramid_agreement,
    ranking_agreements,
    ranking_pairs,
    ranking_rows,
    value_agreement,
)
from core.agreement.coefficients import PairCorrelation
from core.agreement.estimates import BootstrapOptions, estimate
from core.agreement.items import match_items
from core.agreement.pyramid_pairs import contributor_sets, pair_pyramids, scu_overlaps
from core.agreement.table import Grouping
from core.domain.pyramid import Contributor, Match, Part, Pyramid, Scu, SummaryState, TopicAnnotation, new_id
from core.progress import run_to_completion

WORDS = {name: tuple((4 * i, 4 * i + 3) for i in range(10)) for name in ("R1", "R2")}


def scu(label, **words):
    """An SCU with the given first and last word in references."""
    contributors = tuple(
        Contributor(new_id(), reference, (Part(new_id(), 4 * first, 4 * last + 3),))
        for reference, (first, last) in words.items()
    )
    return Scu(new_id(), label, contributors)


def pyramid(who, *scus):
    return Pyramid(new_id(), "T", who, scus)


FIRST = pyramid("A", scu("ban", R1=(0, 3), R2=(0, 1)), scu("court", R1=(4, 5)), scu("cost", R2=(8, 9)))
SECOND = pyramid("B", scu("verdict", R1=(4, 6)), scu("ban lifted", R1=(0, 2), R2=(0, 1)))


def test_scus_with_the_most_common_words_are_paired():
    found = pair_pyramids(FIRST, SECOND, WORDS)
    assert [(one.first.label, one.second.label) for one in found.pairs] == [
        ("ban", "ban lifted"),
        ("court", "verdict"),
    ]
    assert [one.overlap for one in found.pairs] == pytest.approx([5 / 6, 2 / 3])
    assert [one.label for one in found.only_first] == ["cost"]
    assert found.only_second == ()


SPANS = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: (min(ends), max(ends)))


@given(st.lists(SPANS, min_size=1, max_size=4), st.lists(SPANS, min_size=1, max_size=4))
def test_pairing_is_the_best_of_all(first, second):
    ours = pyramid("A", *(scu(f"a{i}", R1=span) for i, span in enumerate(first)))
    theirs = pyramid("B", *(scu(f"b{i}", R1=span) for i, span in enumerate(second)))
    overlaps = scu_overlaps(ours.scus, theirs.scus, WORDS)
    table = overlaps if len(first) <= len(second) else overlaps.T
    best = max(
        sum(table[i, j] for i, j in enumerate(order))
        for order in permutations(range(table.shape[1]), len(table))
    )
    found = pair_pyramids(ours, theirs, WORDS)
    assert sum(one.overlap for one in found.pairs) == pytest.approx(best)
    back = pair_pyramids(theirs, ours, WORDS)
    assert sum(one.overlap for one in back.pairs) == pytest.approx(best)


def test_items_of_set_alpha_are_words_in_an_scu_of_either_annotator():
    sets = contributor_sets(pair_pyramids(FIRST, SECOND, WORDS))
    assert len(sets) == 11  # 7 of the first reference, 2 + 2 of the second
    assert ((frozenset({("R2", 8), ("R2", 9)}), frozenset())) in sets


def rows_of(pyramids, topics, **more):
    options = AgreementOptions(BootstrapOptions(200), **more)
    rows = run_to_completion(pyramid_agreement({("A", "B"): pyramids}, topics, options))
    return {(row.grouping, row.group, row.coefficient): row for row in rows}


def test_equal_pyramids_agree_fully_where_that_is_defined():
    pairs = [pair_pyramids(FIRST, FIRST, WORDS)]
    rows = rows_of(pairs, ["T"])
    values = {name: row.value for (_, _, name), row in rows.items()}
    assert all(value == pytest.approx(1) for value in values.values())
    one_scu = pyramid("A", FIRST.scus[1])
    rows = rows_of([pair_pyramids(one_scu, one_scu, WORDS)], ["T"])
    assert rows[Grouping.ALL, "", "alpha-masi"].reason == "both annotators always chose the same set"
    assert rows[Grouping.ALL, "", "weight-kappa-quadratic"].reason == "both annotators always chose 1"


def test_units_list_paired_scus_and_those_without_a_counterpart():
    rows = rows_of([pair_pyramids(FIRST, SECOND, WORDS)], ["T"], groupings=(Grouping.UNIT, Grouping.TOPIC))
    units = [row for row in rows.values() if row.grouping is Grouping.UNIT]
    assert [(row.group, row.reason) for row in units] == [
        ("T: cost", "only in the pyramid of A"),
        ("T: court – verdict", ""),
        ("T: ban – ban lifted", ""),
    ]
    assert rows[Grouping.ALL, "", "paired-scus"].value == pytest.approx(4 / 5)
    assert rows[Grouping.ALL, "", "weight-raw"].value == 1
    for name in ("alpha-masi", "f1-words", "boundary-similarity"):
        assert rows[Grouping.TOPIC, "T", name].value == rows[Grouping.ALL, "", name].value


def test_pyramids_without_a_common_word_have_no_weights_to_compare():
    found = rows_of(
        [pair_pyramids(pyramid("A", scu("x", R1=(0, 1))), pyramid("B", scu("y", R1=(3, 4))), WORDS)], ["T"]
    )
    assert (
        found[Grouping.ALL, "", "weight-raw"].reason
        == "no SCU of one annotator overlaps with one of the other"
    )
    assert found[Grouping.ALL, "", "paired-scus"].value == 0


def annotation(decisions):
    """A pyramid with matches. decisions: by annotator and summary the indices of the matched SCUs."""
    matches = [
        Match(new_id(), summary, who, FIRST.scus[i].id)
        for (who, summary), found in decisions.items()
        for i in found
    ]
    states = [SummaryState(new_id(), summary, who, is_done=True) for who, summary in decisions]
    return TopicAnnotation(FIRST, tuple(matches), tuple(states))


def test_matches_are_decisions_on_finished_summaries():
    made = annotation({("A", "s1"): [0, 1], ("B", "s1"): [0], ("A", "s2"): [2]})
    items = match_items([("T", made)], {"A": "Ann", "B": "Ben"})
    assert items.values.shape == (6, 2)
    assert items.shared().values.tolist() == [[1, 1], [1, 0], [0, 0]]
    assert items.units == ("T: ban", "T: court", "T: cost")


def test_scus_with_the_lowest_agreement_come_first():
    made = annotation({("A", f"s{i}"): [0, 1] if i % 2 else [0] for i in range(4)})
    other = annotation({("B", f"s{i}"): [0, 1] if i == 1 else [0] for i in range(4)})
    both = TopicAnnotation(FIRST, (*made.matches, *other.matches), (*made.states, *other.states))
    items = match_items([("T", both)], {"A": "Ann", "B": "Ben"})
    options = AgreementOptions(BootstrapOptions(0), (Grouping.UNIT,), ("kappa",))
    rows = run_to_completion(value_agreement(items, "matches", MATCH_COEFFICIENTS, options))
    assert [(row.group, row.reason) for row in rows if row.grouping is Grouping.UNIT] == [
        ("T: court", ""),
        ("T: ban", "both annotators always chose 1"),
        ("T: cost", "both annotators always chose 0"),
    ]
    assert rows[1].value == pytest.approx(0.5)


def test_ranking_compares_the_means_over_summaries_of_both():
    random = np.random.default_rng(0)
    first, second = random.random((2, 6, 8))
    second[0, 0] = math.nan
    kept = first.copy()
    kept[0, 0] = math.nan
    for kind, reference in (
        (PairCorrelation.KENDALL, stats.kendalltau),
        (PairCorrelation.SPEARMAN, stats.spearmanr),
    ):
        (found,) = ranking_agreements([(first, second)], kind)
        expected = reference(np.nanmean(kept, axis=1), np.nanmean(second, axis=1)).statistic
        assert found.value == pytest.approx(expected)
        row = estimate(found, "matches", "ranking", ("A", "B"), BootstrapOptions(300))
        assert row.low < row.value < row.high
        assert row.items == 6


def test_a_ranking_without_differences_is_undefined():
    equal = np.ones((4, 5))
    same, few = ranking_agreements([(equal, equal), (equal[:2], equal[:2])], PairCorrelation.KENDALL)
    assert "same mean" in same.reason
    assert "too few" in few.reason
    assert ranking_pairs(np.full((2, 3, 3), math.nan), ["A", "B"]) == {}
    rows = ranking_rows({}, ["A", "B"], "matches", AgreementOptions())
    assert {row.reason for row in rows} == {"no two annotators scored the same summaries"}
