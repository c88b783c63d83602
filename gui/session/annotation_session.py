"""The annotation in front: an edit shows at once, is written behind, and others' edits are loaded.

All pages that annotate share it, so what one page edits the other one has.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.domain.pyramid import Edit, TopicAnnotation, hand_over
from core.domain.study import TopicTexts
from core.errors import EditConflict, InputError, PyramidionError
from core.ports import ChangeKind, ChangeSet, EditReceipt
from gui.session.active_time import ActiveTime
from gui.session.context import Context

WITHHELD = (
    "The study is blind: another annotator's pyramid is shown once you marked your own done. "
    "Nothing was changed."
)
Key = tuple[str, str]
"""Topic and owner of a pyramid."""

_TEXTS = frozenset({ChangeKind.TEXTS})
_ANNOTATIONS = frozenset({ChangeKind.PYRAMIDS, ChangeKind.MATCHES})


def annotation_session(context: Context) -> AnnotationSession:
    """The annotation in front of an open study."""
    return context.history.findChild(AnnotationSession) or AnnotationSession(context)


class AnnotationSession(QObject):
    """One topic's texts with one annotator's pyramid and everybody's matches on it.

    Signals:
        opened: another topic or another annotator's pyramid is in front.
        changed: the same pyramid is in front with another content.
        written: an edit is on the disk (Receipt).
        refused: a sentence; an edit is not possible, and nothing was changed.
        lost: a sentence; the study did not take an edit that was shown, and was loaded again.
    """

    opened = Signal()
    changed = Signal()
    written = Signal(object)
    refused = Signal(str)
    lost = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self._study, self._annotator, self._writes = context.study, context.annotator, context.writes
        self._topic: TopicTexts | None = None
        self._annotation: TopicAnnotation | None = None
        self._owner_id = ""
        self._on_their_way: Counter[Key] = Counter()
        self._unwritten: dict[Key, TopicAnnotation] = {}
        self._stale: set[Key] = set()
        self._held = ""
        self._may_edit = context.may_edit
        self.time = ActiveTime()
        context.history.moved.connect(self._moved)
        context.changes.changed.connect(self._look)

    @property
    def topic(self) -> TopicTexts:
        """The topic in front. Raises LookupError before `open`."""
        if self._topic is None:
            raise LookupError("no topic is open")
        return self._topic

    @property
    def annotation(self) -> TopicAnnotation:
        """The annotation in front. Raises LookupError before `open`."""
        if self._annotation is None:
            raise LookupError("no topic is open")
        return self._annotation

    @property
    def topic_id(self) -> str:
        """The topic in front, empty = none."""
        return self._topic.id if self._topic is not None else ""

    @property
    def owner_id(self) -> str:
        """Whose pyramid is in front."""
        return self._owner_id

    def open(self, topic_id: str, owner_id: str = "") -> None:
        """Bring an annotator's pyramid of a topic to the front; the annotator's own if none is named."""
        key = topic_id, owner_id or self._annotator.id
        if key == self._key:
            return
        if topic_id != self.topic_id:
            self._topic = self._study.texts.topic(topic_id)
        self._owner_id = key[1]
        unwritten = self._unwritten.get(key)
        self._annotation = unwritten or self._study.pyramids.annotation(*key)
        self.opened.emit()

    def edit(self, change: Edit, verb: str, details: str = "") -> bool:
        """Make an edit: shown at once, on the disk a moment later. Whether it changed something.

        details: JSON to keep with it in the history.
        """
        if self._held:
            self.refused.emit(self._held)
            return False
        before, key = self.annotation, self._key
        try:
            after = change(before)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        if after == before or not self._may_edit(partial(self._repeat, before, after, verb)):
            return False
        self._annotation = self._unwritten[key] = after
        self._on_their_way[key] += 1
        self._writes.track(
            self._study.pyramids.commit(before, after, verb, self._annotator.id, self.time.take(), details),
            lambda receipt: self._wrote(receipt, key),
            lambda error: self._not_written(error, key),
        )
        self.changed.emit()
        return True

    def _repeat(self, before: TopicAnnotation, after: TopicAnnotation, verb: str, context: Context) -> str:
        """Make an edit as the annotator of another Context.

        An edit of the pyramid is made in their own pyramid, an edit of matches against the same pyramid.
        """
        old, new, topic_id = self._annotator.id, context.annotator.id, before.pyramid.topic_id
        owner_id = before.pyramid.annotator_id if after.pyramid == before.pyramid else new
        theirs = context.study.pyramids.annotation(topic_id, owner_id)
        if owner_id != new and is_blind(context.study):
            own = context.study.pyramids.annotation(topic_id, new)
            if theirs not in visible_pyramids((own, theirs), new):
                return WITHHELD
        try:
            changed = hand_over(theirs, before, after, old, new)
        except InputError as error:
            return str(error)
        summaries = {match.summary_id for match in changed.matches if match not in theirs.matches}
        summaries |= {state.summary_id for state in changed.states if state not in theirs.states}
        scus = [scu.id for scu in changed.pyramid.scus if scu not in theirs.pyramid.scus]
        front = annotation_session(context)
        front.open(topic_id, owner_id)
        front.edit(lambda annotation: hand_over(annotation, before, after, old, new), verb)
        context.selection.select(
            topic_id=topic_id, summary_id=next(iter(summaries), None), scu_id=next(iter(scus), None)
        )
        return ""

    def record_event(self, verb: str, details: str) -> None:
        """Put into the topic's history what changes nothing, as a dismissed suggestion."""
        write = self._study.edits.record_event(self.topic_id, self._annotator.id, verb, details)
        self._writes.track(write, self.written.emit)

    def hold(self, sentence: str) -> None:
        """Refuse every edit with a sentence until `release`, as while an earlier state is shown."""
        self._held = sentence

    def release(self) -> None:
        """Take edits again."""
        self._held = ""

    @property
    def _key(self) -> Key:
        return self.topic_id, self._owner_id

    def _wrote(self, receipt: EditReceipt, key: Key) -> None:
        self._arrived(key)
        self.written.emit(receipt)

    def _not_written(self, error: PyramidionError, key: Key) -> None:
        self._stale.add(key)
        self._arrived(key)
        remedy = " The topic was loaded again." if isinstance(error, EditConflict) else ""
        self.lost.emit(f"{error}{remedy}")

    def _arrived(self, key: Key) -> None:
        self._on_their_way[key] -= 1
        if self._on_their_way[key]:
            return
        del self._unwritten[key]
        if key in self._stale:
            self._stale.discard(key)
            if key == self._key:
                self._reload()

    @Slot(object)
    def _moved(self, receipt: EditReceipt) -> None:
        """Undo and redo change rows that this object did not write."""
        if receipt.topic_id is not None and receipt.topic_id == self.topic_id:
            self._reload()

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        concerned = changes.kinds & (_TEXTS | _ANNOTATIONS if changes.is_external else _TEXTS)
        if concerned and self._topic is not None and (not changes.topics or self.topic_id in changes.topics):
            self._reload()

    def _reload(self) -> None:
        """Load anew, once nothing is on its way to the disk: what is not there yet must not get lost."""
        if self._on_their_way[self._key]:
            self._stale.add(self._key)
            return
        texts, before = self._study.texts.topic(self.topic_id), self._annotation
        self._annotation = self._study.pyramids.annotation(*self._key)
        if texts != self._topic:
            self._topic = texts
            self.opened.emit()
        elif self._annotation != before:
            self.changed.emit()
