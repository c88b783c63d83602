"""Sets of topics, as edits change them."""

from __future__ import annotations

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import add_scu
from core.errors import EditConflict, InputError
from core.ports import ChangeKind
from storage.study_file import check, open_study


def sets(study):
    return {topic.name: topic.set for topic in study.texts.topics()}


def ids(study):
    return [topic.id for topic in study.texts.topics()]


def test_topics_are_moved_undone_and_redone(study):
    me = study.annotators.get_or_create("Ann").id
    before = sets(study)
    receipt = study.texts.move_to_set(ids(study), "update", me).result()
    assert receipt.changes.kinds == {ChangeKind.TEXTS}
    assert set(sets(study).values()) == {"update"}
    study.edits.undo(me).result()
    assert sets(study) == before
    study.edits.redo(me).result()
    assert set(sets(study).values()) == {"update"}
    study.close()
    assert check(study.path) == []
    with open_study(study.path) as again:
        assert set(sets(again).values()) == {"update"}
        assert {topic.set for topic in again.texts.load()} == {"update"}


@pytest.mark.parametrize(
    ("number", "name", "what"),
    [
        (1, "late", "Moved topic D1 to set “late”"),
        (1, "", "Removed topic D1 from its set"),
        (2, "late", "Moved 2 topics to set “late”"),
    ],
)
def test_the_history_describes_it(study, number, name, what):
    me = study.annotators.get_or_create("Ann").id
    study.texts.move_to_set(ids(study)[:number], name, me).result()
    assert study.edits.history()[0].what == what


def test_nothing_is_written_where_nothing_changes(study):
    number = len(study.edits.history())
    first = study.texts.topics()[0]
    assert study.texts.move_to_set([first.id], first.set).result().edit_id == ""
    assert len(study.edits.history()) == number


def test_invalid_names_and_unknown_topics_are_refused(study):
    with pytest.raises(InputError, match="not a valid name of a set"):
        study.texts.move_to_set(ids(study), "a\nb").result()
    with pytest.raises(InputError, match="no longer in the study"):
        study.texts.move_to_set(["nowhere"], "update").result()


def test_undo_conflicts_with_a_later_import(study):
    """An import with --update changes the set of a topic after the edit."""
    me = study.annotators.get_or_create("Ann").id
    study.texts.move_to_set(ids(study)[:1], "update", me).result()
    topic = NewTopic("D1", set="initial", summaries={"new": NewText("A new text.")})
    study.import_data(ImportContent("later.csv", topics=[topic], is_update=True))
    assert sets(study)["D1"] == "initial"
    with pytest.raises(EditConflict, match="An import changed a topic"):
        study.edits.undo(me).result()


def test_undo_conflicts_with_a_later_edit_by_somebody_else(study):
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    study.texts.move_to_set(ids(study), "late", ann).result()
    study.texts.move_to_set(ids(study)[:1], "early", ben).result()
    with pytest.raises(EditConflict, match="Ben changed a topic"):
        study.edits.undo(ann).result()
    assert list(sets(study).values()) == ["early", "late"]


def test_earlier_states_of_a_pyramid_are_reconstructed_across_a_change_of_its_topic(study, ann):
    reference = ann.topic.references[0]
    ann.apply(lambda annotation: add_scu(annotation, "Bridge", reference.id, [(0, 4)]), "new SCU")
    made = ann.annotation
    study.texts.move_to_set([ann.topic.id], "late", ann.annotator_id).result()
    entry = next(edit for edit in study.edits.history() if edit.verb == "new SCU")
    assert study.pyramids.annotation_at(ann.topic.id, ann.owner_id, entry.edit_id) == made
    ann.undo()
    ann.undo()
    assert ann.reload().pyramid.scus == ()
