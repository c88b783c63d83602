"""Nuggets in a study: stored apart from SCUs, undone, and described in the history."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from core.domain.pyramid import (
    UnitKind,
    add_match,
    add_scu,
    merge_scus,
    remove_scu,
    set_label,
    set_summary_state,
)
from core.domain.pyramid.nugget_edits import (
    Occurrence,
    add_automatic,
    confirm_hits,
    confirm_occurrences,
    set_importance,
    set_partial,
)
from core.errors import EditConflict
from storage.study_file import check, open_study


class Annotator:
    """An annotator of nuggets in topic D1."""

    def __init__(self, study, name="Ann"):
        self.study, self.id = study, study.annotators.get_or_create(name).id
        self.topic = study.texts.topic(study.texts.topics()[0].id)
        self.value = self.load()

    def load(self):
        return self.study.nuggets.annotation(self.topic.id, self.id)

    def edit(self, change, verb="edit"):
        after = change(self.value)
        self.study.nuggets.commit(self.value, after, verb, self.id).result()
        self.value = after
        return self.study.edits.history()[0].what


@pytest.fixture
def ann(study):
    annotator = Annotator(study)
    reference = annotator.topic.references[0].id
    annotator.edit(lambda a: add_scu(a, "ban lifted", reference, [(0, 9)], "1" * 32), "new nugget")
    return annotator


def test_nuggets_are_stored_apart_from_scus(ann, study):
    assert ann.load() == ann.value
    assert ann.value.pyramid.kind is UnitKind.NUGGET
    assert list(study.pyramids.annotations()) == []
    pyramid = study.pyramids.annotation(ann.topic.id, ann.id)
    study.pyramids.commit(
        pyramid, add_scu(pyramid, "an SCU", ann.topic.references[0].id, [(0, 9)]), "new SCU", ann.id
    ).result()
    assert [scu.label for a in study.nuggets.annotations() for scu in a.pyramid.scus] == ["ban lifted"]
    assert [scu.label for a in study.pyramids.annotations() for scu in a.pyramid.scus] == ["an SCU"]


@pytest.mark.slow
def test_every_mark_is_kept_and_undone(ann, study):
    summary, reference = ann.topic.summaries[0].id, ann.topic.references[1].id
    states = [ann.value]
    found = [Occurrence(reference, ((0, 4), (6, 9)))], [Occurrence(summary, ((0, 3),))]
    for change in (
        lambda a: add_automatic(a, "1" * 32, *found, ann.id),
        lambda a: confirm_occurrences(a, "1" * 32, [c.id for c in a.scu("1" * 32).contributors]),
        lambda a: confirm_hits(a, [a.matches[0].id]),
        lambda a: set_partial(a, [a.matches[0].id], True),
        lambda a: set_importance(a, "1" * 32, "vital"),
        lambda a: add_match(a, summary, ann.id, None, [(4, 6)]),
        lambda a: set_summary_state(a, summary, ann.id, is_done=True),
    ):
        ann.edit(change)
        states.append(ann.value)
        assert ann.load() == ann.value
    for state in states[-2::-1]:
        study.edits.undo(ann.id).result()
        assert ann.load() == state
    for state in states[1:]:
        study.edits.redo(ann.id).result()
        assert ann.load() == state
    study.close()
    assert check(study.path) == []
    with open_study(study.path) as again:
        assert again.nuggets.annotation(ann.topic.id, ann.id) == states[-1]


def test_the_history_speaks_of_nuggets(ann):
    reference, summary = ann.topic.references[1], ann.topic.summaries[0].id
    assert ann.study.edits.history()[0].what == "New nugget “ban lifted”"
    assert ann.edit(lambda a: set_label(a, "1" * 32, "the ban")) == "Label “ban lifted” → “the ban”"
    found = [Occurrence(reference.id, ((0, 4),))], [Occurrence(summary, ((0, 3),))]
    searched = ann.edit(lambda a: add_automatic(a, "1" * 32, *found, ann.id))
    assert searched == (f"Found an occurrence of “the ban” in {reference.name}; found “the ban” in a summary")
    ids = [c.id for c in ann.value.scu("1" * 32).contributors]
    confirmed = ann.edit(lambda a: confirm_occurrences(a, "1" * 32, ids))
    assert confirmed == f"Confirmed an occurrence of “the ban” in {reference.name}"
    hit = [ann.value.matches[0].id]
    assert ann.edit(lambda a: confirm_hits(a, hit)) == "Confirmed “the ban” in a summary"
    assert ann.edit(lambda a: set_partial(a, hit, True)) == "Marked “the ban” as supported in part"
    assert ann.edit(lambda a: set_partial(a, hit, False)) == "Marked “the ban” as supported in full"
    assert ann.edit(lambda a: set_importance(a, "1" * 32, "vital")) == "Rated “the ban” vital"
    assert ann.edit(lambda a: set_importance(a, "1" * 32, "")) == "Removed the importance of “the ban”"
    outside = ann.edit(lambda a: add_match(a, summary, ann.id, None, [(4, 6)]))
    assert outside == "Noted a unit outside the nuggets"
    other = ann.edit(lambda a: add_scu(a, "it", reference.id, [(6, 8)], "2" * 32))
    assert other == "New nugget “it”"
    assert ann.edit(lambda a: merge_scus(a, "1" * 32, "2" * 32)) == "Merged “it” into “the ban”"
    assert ann.edit(lambda a: remove_scu(a, "1" * 32)) == "Removed nugget “the ban”"


def test_an_edit_conflicts_with_a_newer_one(ann, study):
    other = Annotator(study)
    ann.edit(lambda a: set_label(a, "1" * 32, "mine"))
    with pytest.raises(EditConflict, match="this nugget"):
        other.edit(lambda a: set_label(a, "1" * 32, "theirs"))


def test_edits_of_earlier_versions_can_be_undone(study):
    """Their deltas lack the columns that were added later."""
    me = study.annotators.get_or_create("Ann").id
    topic = study.texts.topics()[0].id
    empty = study.pyramids.annotation(topic, me)
    reference = study.texts.topic(topic).references[0].id
    summary = study.texts.topic(topic).summaries[0].id
    value = add_match(add_scu(empty, "SCU", reference, [(0, 9)], "3" * 32), summary, me, "3" * 32)
    study.pyramids.commit(empty, value, "new SCU", me).result()
    study.close()
    with closing(sqlite3.connect(study.path)) as connection, connection:
        (delta,) = connection.execute("SELECT delta FROM edits WHERE verb = 'new SCU'").fetchone()
        changes = json.loads(delta)
        for change in changes:
            for row in (change["before"], change["after"]):
                for column in ("kind", "importance", "is_confirmed", "is_partial"):
                    row.pop(column, None)
        connection.execute("UPDATE edits SET delta = ? WHERE verb = 'new SCU'", [json.dumps(changes)])
    with open_study(study.path) as again:
        again.edits.undo(me).result()
        assert again.pyramids.annotation(topic, me) == empty
        again.edits.redo(me).result()
        assert again.pyramids.annotation(topic, me) == value
