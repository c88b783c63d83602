"""Edits of nuggets: automatic and confirmed occurrences and hits."""

from __future__ import annotations

import pytest

from core.domain.pyramid import UnitKind, add_scu, empty, merge_scus
from core.domain.pyramid.nugget_edits import (
    Occurrence,
    add_automatic,
    add_occurrence,
    automatic_hits,
    confirm_hits,
    confirm_occurrences,
    only_confirmed,
    set_importance,
    set_partial,
    with_automatic,
)
from core.errors import InputError


@pytest.fixture
def begun():
    """A pyramid of one nugget that occurs in reference a."""
    return add_scu(empty("t", "ann", UnitKind.NUGGET), "ban lifted", "a", [(0, 9)], scu_id="n")


@pytest.fixture
def searched(begun):
    """The same with two automatic occurrences in b and one automatic hit."""
    references = [Occurrence("b", ((3, 8),)), Occurrence("b", ((20, 25),)), Occurrence("a", ((4, 9),))]
    return add_automatic(
        begun, "n", references, [Occurrence("s", ((0, 5),)), Occurrence("s", ((9, 14),))], "ann"
    )


def test_each_occurrence_is_a_contributor_of_its_own(begun):
    twice = add_occurrence(begun, "n", "a", [(30, 39)])
    assert [c.parts[0].span for c in twice.scu("n").contributors] == [(0, 9), (30, 39)]
    assert (twice.scu("n").weight, twice.scu("n").occurrences) == (1, 2)


def test_automatic_occurrences_do_not_count_until_they_are_confirmed(searched):
    nugget = searched.scu("n")
    assert [c.is_confirmed for c in nugget.contributors] == [True, False, False]  # one overlapped
    assert (nugget.weight, nugget.occurrences) == (1, 1)
    both = confirm_occurrences(searched, "n", [c.id for c in nugget.contributors])
    assert (both.scu("n").weight, both.scu("n").occurrences) == (2, 3)


def test_an_automatic_search_adds_one_hit_per_summary_and_none_twice(searched):
    assert [(m.summary_id, m.is_confirmed) for m in searched.matches] == [("s", False)]
    again = add_automatic(searched, "n", [Occurrence("b", ((3, 8),))], [Occurrence("s", ((0, 5),))], "ann")
    assert again == searched
    other = add_automatic(searched, "n", [], [Occurrence("s", ((0, 5),))], "ben")
    assert [m.annotator_id for m in other.matches] == ["ann", "ben"]


def test_hits_are_confirmed_and_marked_partial(searched):
    (hit,) = automatic_hits(searched, "s", "ann")
    confirmed = confirm_hits(searched, [hit])
    assert automatic_hits(confirmed, "s", "ann") == []
    (partial,) = set_partial(searched, [hit], True).matches
    assert partial.is_confirmed
    assert partial.is_partial


def test_confirmed_and_automatic_work_can_be_separated(searched):
    own, everything = only_confirmed(searched), with_automatic(searched)
    assert (len(own.scu("n").contributors), own.matches) == (1, ())
    assert (everything.scu("n").weight, everything.matches[0].is_confirmed) == (2, True)


def test_adding_an_automatic_occurrence_by_hand_confirms_it(searched):
    added = add_occurrence(searched, "n", "b", [(3, 8)])
    assert [c.is_confirmed for c in added.scu("n").contributors] == [True, True, False]


def test_merging_keeps_every_occurrence_and_hit(searched):
    other = add_scu(searched, "prohibition ended", "a", [(0, 9)], scu_id="o")
    other = add_occurrence(other, "o", "b", [(3, 8)])
    merged = merge_scus(other, "n", "o")
    assert [scu.id for scu in merged.pyramid.scus] == ["n"]
    spans = [(c.reference_id, c.parts[0].span, c.is_confirmed) for c in merged.scu("n").contributors]
    assert spans == [("a", (0, 9), True), ("b", (3, 8), True), ("b", (20, 25), False)]


def test_an_occurrence_needs_words(begun):
    with pytest.raises(InputError, match="select them first"):
        add_occurrence(begun, "n", "a", [])


def test_importance_is_vital_or_okay(begun):
    assert set_importance(begun, "n", "vital").scu("n").importance == "vital"
    with pytest.raises(InputError, match="vital or okay"):
        set_importance(begun, "n", "high")
