"""Splitting, moving and merging: worked by hand, then for any pyramid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain import pyramid as p
from core.domain.pyramid import Contributor, Part, Pyramid, Scu, TopicAnnotation
from core.domain.pyramid.scu_edits import move, split
from core.errors import InputError


def contributor(name: str, *spans: tuple[int, int], comment: str = "") -> Contributor:
    """Return a contributor of the reference that its name begins with."""
    parts = tuple(Part(f"{name}{place}", *span) for place, span in enumerate(spans, 1))
    return Contributor(name, name[0], parts, comment)


@pytest.fixture
def a() -> TopicAnnotation:
    ferry = Scu("ferry", "Ferry stuck in fog", (contributor("A", (0, 5), (9, 12)), contributor("B", (3, 9))))
    fog = Scu("fog", "Fog was thick", (contributor("A-fog", (20, 25), comment="dense"),))
    annotation = TopicAnnotation(Pyramid("p", "topic", "KO", (ferry, fog)))
    return p.add_match(annotation, "summary", "LM", "ferry", [(0, 4)])


def spans(scu: Scu) -> dict[str, list[tuple[int, int]]]:
    return {c.reference_id: [part.span for part in c.parts] for c in scu.contributors}


def test_a_split_moves_contributors_to_a_new_scu_after_the_old_one(a):
    b = split(a, "ferry", {"B1"}, " Passengers ", "new")
    assert [scu.id for scu in b.pyramid.scus] == ["ferry", "new", "fog"]
    assert spans(b.scu("ferry")) == {"A": [(0, 5), (9, 12)]}
    assert (b.scu("new").label, spans(b.scu("new"))) == ("Passengers", {"B": [(3, 9)]})
    assert b.scu("new").contributors == (a.scu("ferry").contributors[1],)


def test_a_split_can_move_single_parts_so_both_scus_have_the_reference(a):
    b = split(a, "ferry", {"A2", "B1"}, "Fog", "new")
    assert spans(b.scu("ferry")) == {"A": [(0, 5)]}
    assert spans(b.scu("new")) == {"A": [(9, 12)], "B": [(3, 9)]}
    assert (b.scu("ferry").weight, b.scu("new").weight) == (1, 2)


def test_matches_stay_with_the_scu_that_was_split(a):
    assert split(a, "ferry", {"B1"}, "x").matches == a.matches


def test_a_moved_contributor_is_merged_with_that_of_its_reference(a):
    b = move(a, "ferry", {"A2"}, "fog")
    assert spans(b.scu("ferry")) == {"A": [(0, 5)], "B": [(3, 9)]}
    assert spans(b.scu("fog")) == {"A": [(20, 25), (9, 12)]}
    assert b.scu("fog").contributors[0].comment == "dense"
    assert spans(move(a, "ferry", {"B1"}, "fog").scu("fog")) == {"A": [(20, 25)], "B": [(3, 9)]}


def test_an_emptied_scu_is_removed_unless_it_is_matched(a):
    assert [scu.id for scu in move(a, "fog", {"A-fog1"}, "ferry").pyramid.scus] == ["ferry"]
    b = move(a, "ferry", {"A1", "A2", "B1"}, "fog")
    assert [(scu.id, scu.weight) for scu in b.pyramid.scus] == [("ferry", 0), ("fog", 2)]
    assert b.matches == a.matches


def test_a_merge_keeps_comments_of_both(a):
    a = p.set_comment(p.set_comment(a, "ferry", "sure"), "fog", "doubtful")
    a = p.set_contributor_comment(a, "ferry", "A", "vague")
    merged = p.merge_scus(a, "ferry", "fog").scu("ferry")
    assert merged.comment == "sure\ndoubtful"
    assert merged.contributors[0].comment == "vague\ndense"


def test_two_contributors_of_one_reference_survive_a_later_merge(a):
    twice = Scu("twice", "x", (contributor("A", (0, 2)), contributor("A-again", (4, 6))))
    both = p.merge_parts(twice, [contributor("B", (1, 3))])
    assert [c.id for c in both.contributors] == ["A", "A-again", "B"]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda a: split(a, "ferry", {"A1", "A2", "B1"}, "x"), "has to stay"),
        (lambda a: split(a, "ferry", {"A-fog1"}, "x"), "No contributor is chosen"),
        (lambda a: move(a, "ferry", set(), "fog"), "No contributor is chosen"),
        (lambda a: move(a, "ferry", {"B1"}, "ferry"), "in this SCU already"),
        (lambda a: move(a, "ferry", {"B1"}, "gone"), "no longer in the pyramid"),
    ],
)
def test_impossible_edits_raise_errors(a, edit, sentence):
    with pytest.raises(InputError, match=sentence):
        edit(a)


@st.composite
def pyramids(draw: st.DrawFn) -> TopicAnnotation:
    """Up to four SCUs over references A to C; no two parts share a span, so each can be followed."""
    scus, start = [], 0
    for number in range(draw(st.integers(2, 4))):
        held = []
        for reference in sorted(draw(st.sets(st.sampled_from("ABC"), min_size=1))):
            parts = []
            for _ in range(draw(st.integers(1, 3))):
                parts.append((start, start + 1))
                start += 2
            held.append(
                contributor(f"{reference}-{number}-", *parts, comment=draw(st.sampled_from(["", "?"])))
            )
        scus.append(Scu(f"scu{number}", f"SCU {number}", tuple(held)))
    a = TopicAnnotation(Pyramid("p", "topic", "KO", tuple(scus)))
    for scu in scus:
        if draw(st.booleans()):
            a = p.add_match(a, "summary", draw(st.sampled_from(["KO", "LM"])), scu.id)
    return a


def places(a: TopicAnnotation) -> list[tuple[str, str, int, int]]:
    """Return every part with its reference."""
    return sorted(
        (part.id, c.reference_id, *part.span)
        for scu in a.pyramid.scus
        for c in scu.contributors
        for part in c.parts
    )


@given(pyramids(), st.data())
def test_regrouping_neither_loses_nor_adds_parts(a, data):
    before = places(a)
    for _ in range(data.draw(st.integers(1, 5))):
        scu = data.draw(st.sampled_from(a.pyramid.scus))
        other = data.draw(st.sampled_from(a.pyramid.scus))
        ids = [part.id for c in scu.contributors for part in c.parts]
        chosen = data.draw(st.sets(st.sampled_from(ids), min_size=1)) if ids else set()
        edit = data.draw(
            st.sampled_from(
                [
                    lambda a, s=scu, c=chosen: split(a, s.id, c, "new"),
                    lambda a, s=scu, c=chosen, o=other: move(a, s.id, c, o.id),
                    lambda a, s=scu, o=other: p.merge_scus(a, s.id, o.id),
                ]
            )
        )
        try:
            after = edit(a)
        except InputError:
            continue
        assert places(after) == before
        assert {m.id for m in after.matches} == {m.id for m in a.matches}
        known = {s.id for s in after.pyramid.scus}
        assert all(m.scu_id in known for m in after.matches)
        for s in after.pyramid.scus:
            references = [c.reference_id for c in s.contributors]
            assert len(references) == len(set(references)) == s.weight
            assert all(c.parts for c in s.contributors)
        a = after
