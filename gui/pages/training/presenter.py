"""Presenter of the tab Training: each change is stored at once, as one edit."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from core.annotation.assignment import manager_needed, merged
from core.annotation.blind_mode import is_blind, make_blind
from core.annotation.control_topics import (
    KnownTopic,
    KnownUse,
    accuracy_table,
    control_accuracy,
    known_uses,
    set_known_uses,
)
from core.formatting.tables import Table
from core.ports import ChangeKind, EditReceipt, Study
from core.progress import JobSteps
from gui.pages.training.view import TrainingView
from gui.session.context import Context, PageParts, PageReader
from gui.style.language import tr

KEY = "training"
_TITLES = {KnownUse.CONTROL: tr("Control"), KnownUse.TRAINING: tr("Training")}
_USES = {title: use for use, title in _TITLES.items()}

NO_TOPICS = tr("Choose topics first: how right everybody's annotations of them are is shown here.")
NO_WORK = tr("Nobody else has annotated these topics yet.")


@dataclass(frozen=True, slots=True)
class TrainingTopics:
    """What is stored. uses: by topic, its use and the annotator with the known annotation.

    topics, names: all of the study. refusal: why it is not for the annotator, empty = it is.
    """

    topics: tuple[str, ...]
    uses: Mapping[str, KnownTopic]
    names: tuple[str, ...]
    accuracy: Table
    is_blind: bool
    refusal: str


def read_training(study: Study, me: str) -> JobSteps[TrainingTopics]:
    """Return the topics with their uses and everybody's accuracy. me: name of who looks at it."""
    topics = tuple(topic.name for topic in study.texts.topics())
    uses = {topic: of for topic, of in known_uses(study).items() if topic in topics}
    found = {}
    for use in KnownUse:
        found[use] = [one for one in (yield from control_accuracy(study, use=use)) if one.total]
    names = tuple(person.name for person in study.annotators.all())
    refusal = manager_needed(study, me)
    return TrainingTopics(topics, uses, names, accuracy_table(found), is_blind(study), refusal)


class TrainingPresenter(QObject):
    """Show which topics are control or training topics, and store what is changed."""

    def __init__(self, view: TrainingView, context: Context) -> None:
        super().__init__(view)
        self._view = view
        self._stored: Mapping[str, KnownTopic] = {}  # as read
        self._uses: dict[str, KnownTopic] = {}
        self._topics: tuple[str, ...] = ()
        kinds = frozenset(ChangeKind) - {ChangeKind.SCORES}
        self._reader = PageReader(
            view,
            context,
            tr("Checking control topics"),
            lambda: read_training(context.study, context.annotator.name),
            kinds,
        )
        self._reader.read.connect(self._take)
        for title, button in view.use_buttons.items():
            button.clicked.connect(lambda _, title=title: self._choose_use(title))
        view.known_box.textActivated.connect(self._choose_known)
        view.blind_box.clicked.connect(
            lambda on: self._reader.edit(lambda its: make_blind(its.study, its.annotator.id, enabled=on))
        )

    @Slot(object)
    def _take(self, stored: TrainingTopics) -> None:
        self._topics, self._stored, self._uses = stored.topics, stored.uses, dict(stored.uses)
        self._view.show_refusal(stored.refusal)
        self._view.show_names(stored.names)
        self._view.show_accuracy(
            stored.accuracy, "" if stored.accuracy.rows else NO_WORK if self._uses else NO_TOPICS
        )
        self._view.blind_box.setChecked(stored.is_blind)
        self._show()

    def _choose_use(self, title: str) -> None:
        """Give the selected topics a use; empty = none."""
        topics, known = self._view.selected, self._view.known_box.currentText()
        others = {topic: of for topic, of in self._uses.items() if topic not in topics}
        self._change(others | (dict.fromkeys(topics, (_USES[title], known)) if title else {}))

    @Slot(str)
    def _choose_known(self, name: str) -> None:
        topics = self._view.selected
        chosen = {topic: (self._uses[topic][0], name) for topic in topics if topic in self._uses}
        if chosen:
            self._change(self._uses | chosen)

    def _change(self, uses: dict[str, KnownTopic]) -> None:
        """Store the uses; what others have changed of them meanwhile stays."""
        before = self._stored

        def store(context: Context) -> Future[EditReceipt]:
            now = merged(known_uses(context.study), before, uses)
            return set_known_uses(context.study, now, context.annotator.id)

        if self._reader.edit(store):
            self._uses = uses
            self._show()

    def _show(self) -> None:
        uses = {topic: (_TITLES[use], name) for topic, (use, name) in self._uses.items()}
        self._view.show_topics([(topic, *uses.get(topic, ("", ""))) for topic in self._topics])


build = PageParts(lambda: TrainingView(list(_USES)), TrainingPresenter)
