"""An import is one edit: undo leaves the study as it was, redo as it was after."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.errors import EditConflict, InputError
from core.ports import ChangeKind
from storage.database.schema import Base
from storage.repositories.edits import import_edits
from storage.study_file import open_study
from tests.conftest import examples
from tests.storage.repositories.test_imports import RATED


def dump(study):
    """Return every row of the study but those of the history, and what imports store in it."""
    found = {}
    with study._transactions.reading() as connection:
        for table in Base.metadata.sorted_tables:
            if table.name != "edits":
                rows = map(tuple, connection.execute(select(table)))
                kept = (row for row in rows if not str(row[0]).startswith("import."))
                found[table.name] = sorted(kept, key=repr)
    return found


def of_topics(names, system="new", measure="m"):
    """Return an import of texts, ratings and scores."""
    return ImportContent(
        "f.csv",
        [
            NewTopic(name, references={"Z": NewText("A text.")}, summaries={system: NewText("One.")})
            for name in names
        ],
        annotators={"Zoe": "crowd"},
        dimensions={"fluency": (1.0, 5.0)},
        ratings=[NewRating(name, system, "fluency", "Zoe", 3.0) for name in names],
        scores=[NewScore(name, system, measure, 0.5) for name in names],
        settings={"origin": "here"},
    )


def undone(study, annotator=None):
    return study.edits.undo(annotator).result()


class TestUndo:
    @pytest.mark.parametrize(
        "content",
        [
            of_topics(["D1"]),
            of_topics(["D1", "N1", "N2"]),
            of_topics(["N1"], "good"),
            RATED,
            replace(RATED, topics=[NewTopic("D1", title="New title", set="update")], is_update=True),
        ],
        ids=["in a topic", "topics", "system", "ratings", "columns"],
    )
    def test_undo_leaves_the_study_as_before_and_redo_as_after(self, study, content):
        before = dump(study)
        study.import_data(content)
        after = dump(study)
        assert after != before
        receipt = undone(study)
        assert dump(study) == before
        assert receipt.what.startswith(f"Imported {content.source}: ")
        study.verify()
        study.edits.redo(None).result()
        assert dump(study) == after
        undone(study)
        assert dump(study) == before

    def test_replaced_ratings_and_new_texts_are_one_edit(self, study):
        study.import_data(RATED)
        before = dump(study)
        changed = [replace(RATED.ratings[0], value=1.0), *RATED.ratings[1:]]
        both = replace(of_topics(["N1"]), is_update=True)
        dimensions = {**both.dimensions, **RATED.dimensions}
        study.import_data(replace(both, ratings=[*both.ratings, *changed], dimensions=dimensions))
        after = dump(study)
        undone(study)
        assert dump(study) == before
        study.edits.redo(None).result()
        assert dump(study) == after

    def test_an_annotator_undoes_their_import(self, study):
        ann = study.annotators.get_or_create("Ann").id
        study.import_data(of_topics(["N1"]), annotator_id=ann)
        assert study.edits.undo_labels(ann) == ("import", "")
        changes = []
        study.subscribe(changes.append)
        undone(study, ann)
        assert study.edits.undo_labels(ann) == ("", "import")
        named = {ChangeKind.TEXTS, ChangeKind.RATINGS, ChangeKind.SCORES, ChangeKind.PEOPLE}
        assert changes[0].kinds >= named
        with pytest.raises(InputError, match="Nothing to undo"):
            undone(study, ann)

    def test_undone_work_goes_with_the_import_and_comes_back(self, study):
        ann = study.annotators.get_or_create("Ann").id
        before = dump(study)
        study.import_data(of_topics(["N1"]), annotator_id=ann)
        (topic,) = (head for head in study.texts.topics() if head.name == "N1")
        (summary,) = study.texts.topic(topic.id).summaries
        scale = study.ratings.dimensions()[0]
        study.ratings.rate(summary.id, scale.id, ann, 2.0).result()
        undone(study, ann)
        undone(study, ann)
        assert dump(study) == before
        study.edits.redo(ann).result()
        study.edits.redo(ann).result()
        assert sum(study.ratings.counts()[scale.id].values()) == 2


class TestRefusal:
    def test_later_work_on_an_imported_summary_is_named(self, study):
        study.import_data(of_topics(["N1"]))
        ann = study.annotators.get_or_create("Ann").id
        (topic,) = (head for head in study.texts.topics() if head.name == "N1")
        (summary,) = study.texts.topic(topic.id).summaries
        study.ratings.rate(summary.id, study.ratings.dimensions()[0].id, ann, 2.0).result()
        before = dump(study)
        with pytest.raises(EditConflict, match=r"Ann worked on what it added by “.*” \(.*cannot be undone"):
            undone(study)
        assert dump(study) == before

    def test_a_changed_topic_and_a_later_import_are_named(self, study):
        study.import_data(of_topics(["N1"]))
        ann = study.annotators.get_or_create("Ann").id
        (topic,) = (head for head in study.texts.topics() if head.name == "N1")
        study.texts.move_to_set([topic.id], "update", ann).result()
        with pytest.raises(EditConflict, match="Ann worked on what it added"):
            undone(study)
        undone(study, ann)
        study.import_data(of_topics(["N1"], "other", "n"), annotator_id=ann)
        with pytest.raises(EditConflict, match="Ann worked on what it added by “import”"):
            undone(study)

    def test_content_of_the_same_names_prevents_redo(self, study):
        study.import_data(of_topics(["N1"]))
        undone(study)
        ann = study.annotators.get_or_create("Ann").id
        study.import_data(of_topics(["N1"]), annotator_id=ann)
        before = dump(study)
        with pytest.raises(EditConflict, match="Import the file again"):
            study.edits.redo(None).result()
        assert dump(study) == before


NAMES = st.sampled_from(["D1", "D2", "N1", "N2", "N3"])


@settings(max_examples=examples(10))
@given(st.lists(st.lists(NAMES, min_size=1, unique=True), min_size=1, max_size=3))
def test_several_imports_are_undone_one_after_the_other(small_file, tmp_path_factory, each):
    path = Path(shutil.copy(small_file, tmp_path_factory.mktemp("several")))
    with open_study(path) as study:
        states = [dump(study)]
        for number, names in enumerate(each):
            study.import_data(of_topics(names, f"s{number}", f"m{number}"))
            states.append(dump(study))
        for state in states[-2::-1]:
            undone(study)
            assert dump(study) == state
        for state in states[1:]:
            study.edits.redo(None).result()
            assert dump(study) == state


@pytest.mark.parametrize("most", [1, None])
def test_what_is_stored_of_an_import_may_be_damaged_or_too_large(study, monkeypatch, most):
    study.import_data(of_topics(["N1"]))
    if most:
        monkeypatch.setattr(import_edits, "_MOST", most)
    else:
        with closing(sqlite3.connect(study.path)) as file, file:
            file.execute("UPDATE settings SET value = 'eJw=' WHERE id LIKE 'import.%'")
    before = dump(study)
    with pytest.raises(EditConflict, match="cannot be read"):
        undone(study)
    assert dump(study) == before
