"""A study written by version 0.1 opens in this version, complete and sound.

`study_of_version_0_1.sql` is the dump of a study that the code of version 0.1 (commit ef9dae8, tables of
version 0003) wrote: two topics, one pyramid with matches of two annotators, ratings on two scales, the edits
behind them (one of them undone), scores of three metrics and an unfinished experiment.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.domain.pyramid import set_label
from storage.database.study_database import versions
from storage.study_file import check, open_study
from tests.storage.conftest import dump, open_editor

DUMP = Path(__file__).with_name("study_of_version_0_1.sql")


@pytest.fixture
def old_study(tmp_path):
    """The path of the study of version 0.1, not opened yet."""
    path = tmp_path / "old.pyramidion"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    return path


@pytest.fixture
def upgraded(old_study):
    with open_study(old_study) as study:
        yield study


@pytest.mark.slow
def test_the_study_is_upgraded_after_a_backup_and_passes_every_check(old_study):
    before = dump(old_study)
    with open_study(old_study):
        pass
    after = dump(old_study)
    assert before["alembic_version"] == [("0003",)]
    assert after["alembic_version"] == [(versions()[-1],)]
    assert {name: len(rows) for name, rows in before.items() if rows} == {
        name: len(rows) for name, rows in after.items() if rows
    }
    assert check(old_study) == []
    (backup,) = (old_study.parent / "backups").iterdir()
    assert dump(backup) == before


def test_texts_systems_and_annotators_are_unchanged(upgraded):
    assert upgraded.name == "Study of version 0.1"
    first, second = upgraded.texts.load()
    assert (first.name, first.title, second.name, second.query) == ("D1", "Dam burst", "D2", "Why?")
    assert [text.name for text in first.references] == ["A", "B"]
    assert first.references[1].content.endswith("Rescue teams came from Zürich. 🌊")
    assert [system.name for system in upgraded.texts.systems()] == ["lead", "sys2", "sys3"]
    assert [(person.name, person.group) for person in upgraded.annotators.all()] == [
        ("Ann", "g1"),
        ("Ben", ""),
    ]
    assert upgraded.settings.get("guidelines") == "Mark whole clauses."


def test_the_pyramid_and_its_matches_are_unchanged(upgraded):
    editor = open_editor(upgraded)
    pyramid, texts = editor.annotation.pyramid, {text.id: text for text in editor.topic.summaries}
    assert pyramid.is_done
    assert [(scu.label, len(scu.contributors), scu.comment) for scu in pyramid.scus] == [
        ("Nine people died", 2, "Number is certain."),
        ("The dam burst", 1, ""),
        ("On Monday", 1, ""),
    ]
    reference, parts = editor.topic.references[1].content, pyramid.scus[0].contributors[1].parts
    assert [reference[part.start : part.end] for part in parts] == ["Nine people", "killed"]
    labels = {scu.id: scu.label for scu in pyramid.scus}
    matches = {
        (texts[match.summary_id].name, labels.get(match.scu_id), words(match, texts))
        for match in editor.annotation.matches
    }
    assert matches == {
        ("lead", "Nine people died", "Nine people died"),
        ("lead", "The dam burst", "The dam burst"),
        ("lead", "On Monday", "on Monday"),
        ("sys2", "Nine people died", "nine people died"),
        ("sys2", "The dam burst", "A dam broke"),
        ("sys2", None, "rescue teams said"),
    }


def words(match, texts):
    return " ".join(texts[match.summary_id].content[part.start : part.end] for part in match.parts)


def test_ratings_and_scales_are_unchanged(upgraded):
    scales = {scale.id: scale for scale in upgraded.ratings.dimensions()}
    assert [(s.name, s.low, s.high) for s in scales.values()] == [("coherence", 1, 5), ("fluency", 0, 100)]
    topic = upgraded.texts.topics()[0].id
    found = sorted((scales[r.dimension_id].name, r.value) for r in upgraded.ratings.of_topic(topic))
    assert found == [("coherence", 1), ("coherence", 4), ("coherence", 5), ("fluency", 70)]


def test_scores_and_the_unfinished_experiment_are_unchanged(upgraded):
    configs = upgraded.scores.configs()
    assert [config.metric for config in configs] == ["rouge-n", "rouge-l", "pyramid"]
    (rouge, *_), (lcs, *_), (pyramid,) = (upgraded.scores.blocks(config.signature) for config in configs)
    assert rouge.systems == ("lead", "sys2", "sys3")
    assert rouge.values[:, 0] == pytest.approx([12 / 25, 10 / 25, 0])  # of 25 words in both references
    assert lcs.values[:, 0] == pytest.approx([12 / 25, 8 / 25, 0])
    assert pyramid.values[:, 0] == pytest.approx([4 / 3, np.nan, np.nan], nan_ok=True)  # one summary is done
    assert [len(upgraded.scores.blocks(config.signature)) for config in configs] == [2, 2, 1]
    (experiment,) = upgraded.experiments.all()
    assert (experiment.title, experiment.settings, experiment.result) == ("Fewer topics", {"draws": "3"}, "")
    assert upgraded.experiments.parts("e1")["n=3"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_the_history_is_readable_and_old_edits_can_be_undone(upgraded):
    history = upgraded.edits.history(moves=True)
    assert len(history) == 22
    assert history[0].what == "Set guidelines"
    assert [entry.verb for entry in history if entry.is_undone] == ["remove SCU"]
    editor = open_editor(upgraded)
    first_scu = next(entry for entry in history if entry.verb == "new SCU" and "Nine" in entry.what)
    past = upgraded.pyramids.annotation_at(editor.topic.id, editor.owner_id, first_scu.edit_id)
    assert [scu.label for scu in past.pyramid.scus] == ["Nine people died"]
    editor.undo()
    assert sorted(rating.value for rating in upgraded.ratings.of_topic(editor.topic.id)) == [4, 5, 70]


@pytest.mark.slow
def test_every_edit_in_force_can_be_undone_and_redone(upgraded):
    me = upgraded.annotators.get_or_create("Ann").id
    before = list(upgraded.pyramids.annotations())
    undone = 0
    while upgraded.edits.undo_labels(me)[0]:
        upgraded.edits.undo(me).result()
        undone += 1
    assert undone >= 10
    assert not any(annotation.pyramid.scus for annotation in upgraded.pyramids.annotations())
    for _ in range(undone):
        upgraded.edits.redo(me).result()
    assert list(upgraded.pyramids.annotations()) == before


def test_sets_of_topics_can_be_changed(upgraded):
    me = upgraded.annotators.get_or_create("Ann").id
    topic = upgraded.texts.topics()[0]
    upgraded.texts.move_to_set([topic.id], "update", me).result()
    assert upgraded.texts.topics()[0].set == "update"
    upgraded.edits.undo(me).result()
    assert upgraded.texts.topics()[0] == topic


def test_the_study_can_be_annotated_further(upgraded):
    editor = open_editor(upgraded)
    scu = editor.annotation.pyramid.scus[2].id
    editor.apply(lambda annotation: set_label(annotation, scu, "The dam burst on Monday"))
    assert editor.reload().pyramid.scus[2].label == "The dam burst on Monday"
    editor.undo()
    assert editor.reload().pyramid.scus[2].label == "On Monday"
