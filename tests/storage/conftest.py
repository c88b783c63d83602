"""Annotators at work on the small study, and a study with something of everything."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from core.domain import pyramid
from core.domain.pyramid import Edit, TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import EditReceipt, ExperimentRecord, MetricConfig, ScoreBlock
from storage.study_file import StudyFile


@dataclass
class Editor:
    """One annotator with one topic's pyramid; `annotation` is read again only by `reload`."""

    study: StudyFile
    topic: TopicTexts
    owner_id: str
    annotator_id: str
    annotation: TopicAnnotation

    def reload(self) -> TopicAnnotation:
        self.annotation = self.study.pyramids.annotation(self.topic.id, self.owner_id)
        return self.annotation

    def apply(self, edit: Edit, verb: str = "edit", seconds: float = 0.0, details: str = "") -> EditReceipt:
        after = edit(self.annotation)
        receipt = self.study.pyramids.commit(
            self.annotation, after, verb, self.annotator_id, seconds, details
        ).result()
        self.annotation = after
        return receipt

    def undo(self) -> EditReceipt:
        return self.study.edits.undo(self.annotator_id).result()

    def redo(self) -> EditReceipt:
        return self.study.edits.redo(self.annotator_id).result()

    def check_undo_and_redo(self, states: Sequence[TopicAnnotation]) -> None:
        """Undo back through states that edits led through, redo them all, undo them all at once."""
        for state in states[-2::-1]:
            self.undo()
            assert self.reload() == state
        for state in states[1:]:
            self.redo()
            assert self.reload() == state
        for _ in states[1:]:
            self.undo()
        assert self.reload() == states[0]


def open_editor(study: StudyFile, annotator: str = "Ann", owner: str = "Ann", topic: str = "D1") -> Editor:
    head = next(head for head in study.texts.topics() if head.name == topic)
    owner_id, annotator_id = (
        study.annotators.get_or_create(owner).id,
        study.annotators.get_or_create(annotator).id,
    )
    return Editor(
        study,
        study.texts.topic(head.id),
        owner_id,
        annotator_id,
        study.pyramids.annotation(head.id, owner_id),
    )


@pytest.fixture
def ann(study: StudyFile) -> Editor:
    """Ann before her own pyramid of D1."""
    return open_editor(study)


@pytest.fixture
def ben(study: StudyFile) -> Editor:
    """Ben before Ann's pyramid of D1."""
    return open_editor(study, "Ben")


@pytest.fixture
def full_study(study: StudyFile, ann: Editor, ben: Editor) -> Path:
    """The path of a closed study with at least one row in every table."""
    me, summaries = ann.annotator_id, ann.topic.summaries
    ann.apply(lambda a: pyramid.add_scu(a, "ban lifted", ann.topic.references[0].id, [(0, 9), (14, 19)]))
    scu = ann.annotation.pyramid.scus[0].id
    ann.apply(lambda a: pyramid.add_contributor(a, scu, ann.topic.references[1].id, [(23, 24)]))
    ann.apply(lambda a: pyramid.add_match(a, summaries[1].id, me, scu, [(0, 9)]), "match")
    ann.apply(lambda a: pyramid.set_summary_state(a, summaries[1].id, me, is_done=True))
    ben.reload()
    ben.apply(lambda a: pyramid.add_match(a, summaries[0].id, ben.annotator_id, None, [(0, 7)]))
    nuggets = study.nuggets.annotation(ann.topic.id, me)
    study.nuggets.commit(
        nuggets, pyramid.add_scu(nuggets, "ban void", ann.topic.references[0].id, [(0, 9)]), "nugget", me
    ).result()
    study.ratings.rate(summaries[0].id, study.ratings.add_dimension("coherence").id, me, 3).result()
    config = MetricConfig("m|version:1", "m", "Family", "m", ("m.f",))
    names = tuple(text.name for text in summaries)
    block = ScoreBlock(ann.topic.id, names, ("A",), np.ones((3, 1)), np.ones((3, 1, 2)), "hash", 0.1)
    study.scores.save(config, block).result()
    study.settings.save("guidelines", "Mark whole clauses.").result()
    study.experiments.save(vary_topics()).result()
    study.experiments.save_part("e1", "n=3", np.ones((2, 3))).result()
    study.close()
    return study.path


def vary_topics(**changed: object) -> ExperimentRecord:
    """An experiment under way."""
    at = datetime(2026, 3, 4, 12, tzinfo=UTC)
    record = ExperimentRecord("e1", "topics", "", "Fewer topics", {"draws": "3"}, 7, "hash", at)
    return replace(record, **changed)


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, asked past the program."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {name: connection.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall() for name in tables}
