"""Splitting, moving and merging are undone to the exact value, other people's matches and topics included."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain import pyramid as p
from core.domain.pyramid.scu_edits import move, split
from core.errors import InputError
from tests.conftest import examples
from tests.storage.conftest import Editor, open_editor

CHOICES = st.tuples(st.integers(0, 4), st.integers(0, 99), st.integers(0, 99), st.integers(1, 7))


def annotated(editor: Editor, other: Editor) -> None:
    """Three SCUs over both references, two of them matched by somebody else."""
    for label, start in (("one", 0), ("two", 8), ("three", 16)):
        scu_id, spans = p.new_id(), [(start, start + 3), (start + 4, start + 7)]
        first, second = (reference.id for reference in editor.topic.references[:2])
        editor.apply(lambda a, i=scu_id, s=spans, n=label, r=first: p.add_scu(a, n, r, s, i))
        editor.apply(lambda a, i=scu_id, s=spans, r=second: p.add_contributor(a, i, r, s))
    other.reload()
    for scu in other.annotation.pyramid.scus[:2]:
        summary = other.topic.summaries[0].id
        other.apply(lambda a, s=scu.id, t=summary: p.add_match(a, t, other.annotator_id, s, [(0, 4)]))
    editor.reload()


def regrouping(choice: tuple[int, int, int, int]) -> p.Edit:
    """One of the ways to regroup, on whatever is there; where it is not possible, nothing."""
    kind, one, two, mask = choice

    def edit(a: p.TopicAnnotation) -> p.TopicAnnotation:
        scus = a.pyramid.scus
        scu, other = scus[one % len(scus)], scus[two % len(scus)]
        parts = [part.id for c in scu.contributors for part in c.parts]
        chosen = {part for place, part in enumerate(parts) if mask >> place % 3 & 1}
        try:
            match kind:
                case 0 | 1:
                    return split(a, scu.id, chosen, f"from {scu.label}")
                case 2 | 3:
                    return move(a, scu.id, chosen, other.id)
            return p.merge_scus(a, scu.id, other.id)
        except InputError:
            return a

    return edit


@pytest.mark.slow
@settings(
    max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(choices=st.lists(CHOICES, min_size=1, max_size=8))
def test_any_regrouping_is_undone_to_the_exact_value_and_redone(ann, ben, choices):
    ann.reload()
    if not ann.annotation.pyramid.scus:
        annotated(ann, ben)
    states = [ann.reload()]
    for choice in choices:
        if ann.apply(regrouping(choice)).edit_id:
            states.append(ann.annotation)
            assert ann.reload() == states[-1]
    ann.check_undo_and_redo(states)


def test_undo_crosses_topics_and_restores_what_others_matched(ann, ben, study):
    annotated(ann, ben)
    before = ann.reload()
    one, two, _ = before.pyramid.scus
    ann.apply(lambda a: p.merge_scus(a, one.id, two.id), "merge SCUs")
    elsewhere = open_editor(study, topic="D2")
    reference = elsewhere.topic.references[0].id
    elsewhere.apply(lambda a: p.add_scu(a, "far away", reference, [(0, 3), (4, 6)]), "new SCU")
    part = elsewhere.annotation.pyramid.scus[0].contributors[0].parts[1]
    elsewhere.apply(lambda a: split(a, a.pyramid.scus[0].id, {part.id}, "split off"), "split SCU")
    assert [ann.undo().topic_id for _ in range(3)] == [elsewhere.topic.id, elsewhere.topic.id, ann.topic.id]
    assert elsewhere.reload().pyramid.scus == ()
    assert ann.reload() == before
    assert {m.scu_id for m in before.matches} == {one.id, two.id}


def test_a_contributor_that_moves_keeps_its_id_and_comment(ann, ben):
    annotated(ann, ben)
    one, two, _ = ann.annotation.pyramid.scus
    moving = one.contributors[1]
    ann.apply(lambda a: p.set_contributor_comment(a, one.id, moving.id, "vague"))
    ann.apply(lambda a: p.remove_contributor(a, two.id, two.contributors[1].id))
    ann.apply(lambda a: move(a, one.id, {part.id for part in moving.parts}, two.id), "move contributor")
    found = ann.reload().scu(two.id).contributors[1]
    assert found == replace(moving, comment="vague")
