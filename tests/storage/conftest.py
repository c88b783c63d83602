"""An annotator at work on the small study."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.domain.pyramid import Edit, TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import Receipt
from storage.study_file import StudyFile


@dataclass
class Desk:
    """One annotator before one topic's pyramid; what they see is renewed only by `look`."""

    study: StudyFile
    topic: TopicTexts
    owner_id: str
    annotator_id: str
    seen: TopicAnnotation

    def look(self) -> TopicAnnotation:
        self.seen = self.study.annotation(self.topic.id, self.owner_id)
        return self.seen

    def do(self, edit: Edit, verb: str = "edit", seconds: float = 0.0) -> Receipt:
        after = edit(self.seen)
        receipt = self.study.commit(self.seen, after, verb, self.annotator_id, seconds).result()
        self.seen = after
        return receipt

    def undo(self) -> Receipt:
        return self.study.undo(self.annotator_id).result()

    def redo(self) -> Receipt:
        return self.study.redo(self.annotator_id).result()


def desk_at(study: StudyFile, annotator: str = "Ann", owner: str = "Ann", topic: str = "D1") -> Desk:
    head = next(head for head in study.topics() if head.name == topic)
    owner_id, annotator_id = study.annotator(owner).id, study.annotator(annotator).id
    return Desk(study, study.topic(head.id), owner_id, annotator_id, study.annotation(head.id, owner_id))


@pytest.fixture
def ann(study: StudyFile) -> Desk:
    """Ann before her own pyramid of D1."""
    return desk_at(study)


@pytest.fixture
def ben(study: StudyFile) -> Desk:
    """Ben before Ann's pyramid of D1."""
    return desk_at(study, "Ben")
