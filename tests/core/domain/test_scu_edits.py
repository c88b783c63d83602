"""Edits of a pyramid are pure functions; every case is worked by hand."""

from __future__ import annotations

import pytest

from core.domain import pyramid as p
from core.errors import InputError


@pytest.fixture
def two_scus():
    a = p.empty("topic", "KO")
    a = p.add_scu(a, "Ferry ran aground", "A", [(0, 5)])
    a = p.add_scu(a, "Ferry was stuck", "B", [(3, 9), (12, 15)])
    keep, gone = a.pyramid.scus
    a = p.add_match(a, "summary", "KO", keep.id, [(0, 4)])
    a = p.add_match(a, "summary", "LM", gone.id, [(0, 4)])
    return a, keep.id, gone.id


def test_an_edit_returns_a_new_value_and_does_not_change_the_old_one(two_scus):
    a, keep, _ = two_scus
    b = p.set_label(a, keep, "  Aground ")
    assert (a.scu(keep).label, b.scu(keep).label) == ("Ferry ran aground", "Aground")


def test_weight_counts_distinct_references():
    a = p.add_scu(p.empty("t", "KO"), "x", "A", [(0, 5)])
    scu = a.pyramid.scus[0]
    a = p.add_contributor(a, scu.id, "A", [(7, 9), (0, 5)])
    assert a.scu(scu.id).weight == 1
    assert [x.span for x in a.scu(scu.id).contributors[0].parts] == [(0, 5), (7, 9)]
    assert p.add_contributor(a, scu.id, "B", [(1, 2)]).scu(scu.id).weight == 2


def test_merging_keeps_contributors_label_and_all_matches(two_scus):
    a, keep, gone = two_scus
    b = p.merge_scus(a, keep, gone)
    assert [s.label for s in b.pyramid.scus] == ["Ferry ran aground"]
    assert b.scu(keep).weight == 2
    assert {m.annotator_id: m.scu_id for m in b.matches} == {"KO": keep, "LM": keep}


@pytest.mark.parametrize("first_is_kept", [True, False])
def test_merging_keeps_the_label_of_the_heavier_scu(first_is_kept):
    a = p.add_scu(p.empty("t", "KO"), "cutting off", "A", [(0, 5)])
    a = p.add_scu(a, "Some 12,000 islanders rely on the ferries", "A", [(6, 9)])
    light, heavy = (s.id for s in a.pyramid.scus)
    a = p.add_contributor(a, heavy, "B", [(1, 2)])
    keep, gone = (light, heavy) if first_is_kept else (heavy, light)
    merged = p.merge_scus(a, keep, gone).scu(keep)
    assert (merged.label, merged.weight) == ("Some 12,000 islanders rely on the ferries", 2)


def test_merging_combines_contributors_of_one_reference():
    a = p.add_scu(p.empty("t", "KO"), "x", "A", [(0, 5)])
    a = p.add_scu(a, "y", "A", [(0, 5), (8, 9)])
    keep, gone = (s.id for s in a.pyramid.scus)
    merged = p.merge_scus(a, keep, gone).scu(keep)
    assert [[x.span for x in c.parts] for c in merged.contributors] == [[(0, 5), (8, 9)]]


def test_removing_an_scu_removes_all_its_matches(two_scus):
    a, keep, gone = two_scus
    b = p.remove_scu(a, gone)
    assert [m.scu_id for m in b.matches] == [keep]


def test_a_contributor_is_removed_with_its_last_part(two_scus):
    a, _, gone = two_scus
    first, second = a.scu(gone).contributors[0].parts
    b = p.remove_part(a, gone, first.id)
    assert b.scu(gone).weight == 1
    assert p.remove_part(b, gone, second.id).scu(gone).weight == 0


def test_a_second_span_extends_a_match_and_a_repetition_is_a_separate_unit(two_scus):
    a, keep, _ = two_scus
    grown = p.add_match(a, "summary", "KO", keep, [(6, 8)])
    assert [[x.span for x in m.parts] for m in grown.matches_of("summary", "KO")] == [[(0, 4), (6, 8)]]
    again = p.add_match(a, "summary", "KO", keep, [(6, 8)], repeats=True)
    assert len(again.matches_of("summary", "KO")) == 2
    assert p.unmatch(again, "summary", "KO", keep).matches_of("summary", "KO") == ()


def test_a_unit_outside_the_pyramid_is_removed_with_its_last_span():
    a = p.add_match(p.empty("t", "KO"), "s", "KO", None, [(2, 4)])
    unit = a.matches[0]
    assert p.remove_match_part(a, unit.id, unit.parts[0].id).matches == ()


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda a: p.add_scu(a, "x", "A", []), "select them first"),
        (lambda a: p.add_scu(a, "x", "A", [(4, 4)]), "at least one character"),
        (lambda a: p.add_match(a, "s", "KO", None), "needs its words"),
        (lambda a: p.set_label(a, "gone", "x"), "no longer in the pyramid"),
        (lambda a: p.merge_scus(a, "x", "x"), "cannot be merged with itself"),
    ],
)
def test_impossible_edits_raise_errors(edit, sentence):
    with pytest.raises(InputError, match=sentence):
        edit(p.empty("topic", "KO"))


def test_a_summary_is_marked_without_losing_its_other_marks():
    a = p.set_summary_state(p.empty("t", "KO"), "s", "KO", is_flagged=True, note=" vague ")
    a = p.set_summary_state(a, "s", "KO", is_done=True)
    state = a.state_of("s", "KO")
    assert state is not None
    assert (state.is_done, state.is_flagged, state.note) == (True, True, "vague")
    assert len(a.states) == 1
