"""The open annotation, shared by all annotation pages.

An edit is applied at once and saved in the background; edits by others are loaded when they arrive.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.annotation.assignment import manager_needed
from core.annotation.blind_mode import is_blind, visible_pyramids
from core.annotation.shared_pyramid import lock_message, lock_on
from core.domain.pyramid import Edit, TopicAnnotation, UnitKind, hand_over, mark_pyramid_done
from core.domain.study import TopicTexts
from core.errors import EditConflict, InputError, PyramidionError
from core.formatting import unit_terms
from core.ports import ChangeKind, ChangeSet, EditReceipt, annotations_of
from gui.session.context import Context
from gui.session.edits import ActiveTime
from gui.style.language import in_terms_of, tr
from gui.widgets.typed_text import typed_texts

WITHHELD = tr(
    "The study is blind: you see another annotator's pyramid after marking your own "
    "done. Nothing was changed."
)
Key = tuple[str, str]
"""Ids of a pyramid's topic and owner."""

_TEXTS = frozenset({ChangeKind.TEXTS})
_ANNOTATIONS = frozenset({ChangeKind.PYRAMIDS, ChangeKind.MATCHES})


def annotation_session(context: Context, kind: UnitKind = UnitKind.SCU) -> AnnotationSession:
    """Return the annotation session of an open study; there is one per kind of content unit."""
    return context.history.findChild(AnnotationSession, kind) or AnnotationSession(context, kind)


class AnnotationSession(QObject):
    """The texts of one topic with one annotator's pyramid and all annotators' matches to it.

    The content units are of one kind; "pyramid" below also means a set of nuggets.

    Signals:
        opened: another topic or another annotator's pyramid was opened.
        changed: the content of the open pyramid changed.
        saved: an edit was saved (EditReceipt).
        refused: an edit is not possible and nothing was changed; carries the message.
        save_failed: an edit could not be saved and was reverted; carries the message.
    """

    opened = Signal()
    changed = Signal()
    saved = Signal(object)
    refused = Signal(str)
    save_failed = Signal(str)

    def __init__(self, context: Context, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__(context.history)
        self.setObjectName(kind)
        self.kind = kind
        self._study, self._annotator, self._writes = context.study, context.annotator, context.writes
        self._selection = context.selection
        self._topic: TopicTexts | None = None
        self._annotation: TopicAnnotation | None = None
        self.owner_id = ""  # Id of the annotator whose pyramid is open
        self._pending_writes: Counter[Key] = Counter()
        self._unsaved: dict[Key, TopicAnnotation] = {}
        self._stale: set[Key] = set()
        self._block_reason = ""
        self._shared_name = ""  # read with the pyramid, so that edits never wait for a read
        self._may_edit = context.may_edit
        self.time = ActiveTime()
        context.history.moved.connect(self._on_undo)
        context.changes.changed.connect(self._on_changes)

    @property
    def topic(self) -> TopicTexts:
        """The open topic. Raises LookupError before `open`."""
        if self._topic is None:
            raise LookupError("no topic is open")
        return self._topic

    @property
    def annotation(self) -> TopicAnnotation:
        """The open annotation. Raises LookupError before `open`."""
        if self._annotation is None:
            raise LookupError("no topic is open")
        return self._annotation

    @property
    def topic_id(self) -> str:
        """Id of the open topic; empty = none."""
        return self._topic.id if self._topic is not None else ""

    @property
    def lock_reason(self) -> str:
        """Why the open pyramid cannot be changed, as everyone matches against it; empty = it can."""
        is_done = self._annotation is not None and self._annotation.pyramid.is_done
        return lock_message(self.kind, self._shared_name) if is_done and self._shared_name else ""

    def open(self, topic_id: str, owner_id: str = "") -> None:
        """Open an annotator's pyramid of a topic; by default the current annotator's own."""
        key = topic_id, owner_id or self._annotator.id
        if key == self._key:
            return
        typed_texts().store()
        if topic_id != self.topic_id:
            self._topic = self._study.texts.topic(topic_id)
        self.owner_id = key[1]
        unsaved = self._unsaved.get(key)
        self._annotation = unsaved or annotations_of(self._study, self.kind).annotation(*key)
        self._shared_name = lock_on(self._study, self.kind, key[1])
        self.opened.emit()

    def edit(self, change: Edit, verb: str, details: str = "") -> bool:
        """Apply an edit at once and save it in the background.

        verb: its name in the history.
        details: JSON stored with it in the history.
        Returns whether the annotation changed.
        """
        if self._block_reason:
            self.refused.emit(self._block_reason)
            return False
        before, key = self.annotation, self._key
        try:
            after = change(before)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        if after == before:
            return False
        if self.lock_reason and after.pyramid not in (before.pyramid, replace(before.pyramid, is_done=False)):
            self.refused.emit(self.lock_reason)
            return False
        if not self._may_edit(partial(self._repeat_as, before, after, verb)):
            return False
        self._annotation = self._unsaved[key] = after
        self._pending_writes[key] += 1
        self._writes.track(
            annotations_of(self._study, self.kind).commit(
                before, after, verb, self._annotator.id, self.time.take(), details or typed_texts().details
            ),
            lambda receipt: self._on_saved(receipt, key),
            lambda error: self._on_save_failed(error, key),
        )
        self.changed.emit()
        return True

    def unlock(self) -> None:
        """Reopen the open pyramid, which everyone matches against; only managers may, if there are any."""
        if refusal := manager_needed(self._study, self._annotator.name):
            self.refused.emit(refusal)
        else:
            self.edit(
                lambda annotation: mark_pyramid_done(annotation, False),
                unit_terms.in_terms_of(self.kind, "unlock pyramid"),
            )

    def _repeat_as(self, before: TopicAnnotation, after: TopicAnnotation, verb: str, context: Context) -> str:
        """Repeat an edit as the annotator of another Context.

        An edit of the pyramid is repeated in that annotator's own pyramid, an edit of matches on the same
        pyramid.
        Returns why it cannot be repeated; empty = it was.
        """
        old, new, topic_id = self._annotator.id, context.annotator.id, before.pyramid.topic_id
        owner_id = before.pyramid.annotator_id if after.pyramid == before.pyramid else new
        store = annotations_of(context.study, self.kind)
        theirs = store.annotation(topic_id, owner_id)
        if owner_id != new and is_blind(context.study):
            own = store.annotation(topic_id, new)
            if theirs not in visible_pyramids((own, theirs), new):
                return in_terms_of(self.kind, WITHHELD)
        try:
            changed = hand_over(theirs, before, after, old, new)
        except InputError as error:
            return str(error)
        summaries = {match.summary_id for match in changed.matches if match not in theirs.matches}
        summaries |= {state.summary_id for state in changed.states if state not in theirs.states}
        scus = [scu.id for scu in changed.pyramid.scus if scu not in theirs.pyramid.scus]
        session = annotation_session(context, self.kind)
        session.open(topic_id, owner_id)
        session.edit(lambda annotation: hand_over(annotation, before, after, old, new), verb)
        context.selection.select(
            topic_id=topic_id, summary_id=next(iter(summaries), None), scu_id=next(iter(scus), None)
        )
        return ""

    def record_decision(self, verb: str, details: str) -> bool:
        """Add an edit that changes no annotation, for example a dismissed suggestion; undo reverts it.

        Returns whether the annotator may edit now.
        """
        if not self._may_edit(partial(_repeat_decision, self.topic_id, verb, details)):
            return False
        write = self._study.edits.record_decision(self.topic_id, self._annotator.id, verb, details)
        self._writes.track(write, self.saved.emit)
        return True

    def block_edits(self, reason: str) -> None:
        """Refuse all edits until `allow_edits`, for example while an earlier version is shown."""
        self._block_reason = reason

    def allow_edits(self) -> None:
        self._block_reason = ""

    @property
    def _key(self) -> Key:
        return self.topic_id, self.owner_id

    def _on_saved(self, receipt: EditReceipt, key: Key) -> None:
        self._finish_write(key)
        self.saved.emit(receipt)

    def _on_save_failed(self, error: PyramidionError, key: Key) -> None:
        self._stale.add(key)
        self._finish_write(key)
        consequence = tr(" The topic was reloaded.") if isinstance(error, EditConflict) else ""
        self.save_failed.emit(f"{error}{consequence}")

    def _finish_write(self, key: Key) -> None:
        self._pending_writes[key] -= 1
        if self._pending_writes[key]:
            return
        del self._unsaved[key]
        if key in self._stale:
            self._stale.discard(key)
            if key == self._key:
                self._reload()

    @Slot(object)
    def _on_undo(self, receipt: EditReceipt) -> None:
        """Reload after undo or redo, which change rows that this session did not write."""
        if receipt.topic_id is not None and receipt.topic_id == self.topic_id:
            self._reload(has_texts=bool(receipt.changes.kinds & _TEXTS))

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if ChangeKind.SETTINGS in changes.kinds and self._topic is not None:
            before, self._shared_name = self._shared_name, lock_on(self._study, self.kind, self.owner_id)
            if self._shared_name != before:
                self.changed.emit()
        relevant = changes.kinds & (_TEXTS | _ANNOTATIONS if changes.is_external else _TEXTS)
        if relevant and self._topic is not None and (not changes.topics or self.topic_id in changes.topics):
            self._reload(has_texts=bool(relevant & _TEXTS))

    def _known_topics(self) -> list[str]:
        return [head.id for head in self._study.texts.topics()]

    @Slot()
    def _leave(self) -> None:
        """Open the first topic instead of one that is no longer in the study."""
        known = self._known_topics()
        if self.topic_id in known:
            return
        self._topic = self._annotation = None
        if known:
            self.open(known[0])
        self._selection.select(topic_id=known[0] if known else "")

    def _reload(self, *, has_texts: bool = True) -> None:
        """Reload the topic, but only after pending writes: unsaved edits must not be lost.

        has_texts: whether texts may have changed.
        """
        typed_texts().store()
        if self._pending_writes[self._key]:
            self._stale.add(self._key)
            return
        if has_texts and self.topic_id not in self._known_topics():  # the import that added it was undone
            QTimer.singleShot(0, self, self._leave)  # once the pages list the topics that are left
            return
        texts = self._study.texts.topic(self.topic_id) if has_texts else self._topic
        before = self._annotation
        self._annotation = annotations_of(self._study, self.kind).annotation(*self._key)
        if texts != self._topic:
            self._topic = texts
            self.opened.emit()
        elif self._annotation != before:
            self.changed.emit()


def _repeat_decision(topic_id: str, verb: str, details: str, context: Context) -> str:
    """Record a decision as the annotator of another Context."""
    context.writes.track(context.study.edits.record_decision(topic_id, context.annotator.id, verb, details))
    return ""
