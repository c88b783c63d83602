"""Edits of parts: spans that overlap or touch become one part, ids stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.word_coverage import merge_spans
from core.domain import pyramid
from core.domain.pyramid import Part, empty
from core.domain.pyramid.part_edits import extend_part, replaced
from core.errors import InputError

TEXT = "200,000 homes were without electricity on Monday"
HOMES, WERE = (0, 13), (14, 18)

spans = st.tuples(st.integers(0, 40), st.integers(1, 8)).map(lambda s: (s[0], s[0] + s[1]))


def spans_of(parts):
    return sorted(part.span for part in parts)


def test_an_overlapping_span_extends_the_part_and_keeps_its_id():
    parts = (Part("a", 0, 13), Part("b", 30, 41))
    after = extend_part(parts, [(8, 18)])
    assert [(p.id, p.span) for p in after] == [("a", (0, 18)), ("b", (30, 41))]


def test_spans_with_only_white_space_between_them_touch():
    assert spans_of(extend_part((), [HOMES, WERE], TEXT)) == [(0, 18)]
    assert spans_of(extend_part((), [HOMES, WERE])) == [HOMES, WERE]


def test_adding_an_existing_span_changes_nothing():
    parts = (Part("a", 0, 13),)
    assert extend_part(parts, [(2, 9)]) == parts


def test_a_span_between_two_parts_makes_one_of_all_three():
    after = extend_part((Part("a", 0, 5), Part("b", 10, 15)), [(4, 11)])
    assert [(p.id, p.span) for p in after] == [("a", (0, 15))]


def test_a_replaced_part_keeps_its_id_and_merges_overlapping_parts():
    parts = (Part("a", 0, 5), Part("b", 10, 15), Part("c", 20, 25))
    assert [(p.id, p.span) for p in replaced(parts, "b", [(12, 21)])] == [("a", (0, 5)), ("b", (12, 25))]
    assert [(p.id, p.span) for p in replaced(parts, "b", [(30, 32), (40, 42)])][:2] == [
        ("a", (0, 5)),
        ("b", (30, 32)),
    ]


def test_replacing_a_removed_part_is_refused():
    with pytest.raises(InputError, match="no longer there"):
        replaced((), "x", [(0, 1)])


@given(st.lists(spans, max_size=5), st.lists(spans, max_size=5))
def test_extended_parts_cover_the_same_positions_without_overlap(before, added):
    parts = extend_part((), before)
    after = extend_part(parts, added)
    assert tuple(spans_of(after)) == merge_spans([*before, *added])
    assert len({part.id for part in after}) == len(after)


def test_replacing_a_part_is_an_edit_of_an_scu_and_of_a_match():
    annotation = pyramid.add_scu(empty("t", "me"), "Label", "r", [HOMES], "scu")
    part = annotation.scu("scu").contributors[0].parts[0]
    after = pyramid.replace_part(annotation, "scu", part.id, [(0, 18)], TEXT)
    assert after.scu("scu").contributors[0].parts == (Part(part.id, 0, 18),)
    matched = pyramid.add_match(after, "s", "me", "scu", [HOMES, WERE], text=TEXT)
    match = matched.matches[0]
    assert spans_of(match.parts) == [(0, 18)]
    after = pyramid.replace_match_part(matched, match.id, match.parts[0].id, [WERE], TEXT)
    assert spans_of(after.matches[0].parts) == [WERE]
