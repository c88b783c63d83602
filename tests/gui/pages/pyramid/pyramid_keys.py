"""Driver of the Pyramid page: a real view on a real study, operated by keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import UnitKind
from core.ports import annotations_of
from gui.pages.pyramid import presenter as pyramid_page
from gui.pages.pyramid.edits import KEYS

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Page:
    """The page under test, with helpers that press keys and read the study."""

    def __init__(self, context, qtbot, kind: UnitKind = UnitKind.SCU) -> None:
        self.context, self.qtbot = context, qtbot
        build = pyramid_page.build if kind is UnitKind.SCU else pyramid_page.build_nuggets
        self.view, self.presenter = build(context)
        self.store = annotations_of(context.study, kind)
        for _, action in context.commands:
            self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.bind("edit.redo", context.history.redo)
        context.commands.set_page(KEYS[kind])
        self.topic = context.study.texts.topic(context.study.texts.topics()[0].id)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)
        QApplication.processEvents()  # item editors commit their text after Enter in the event loop

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(QApplication.focusWidget(), text)

    def section(self, letter: str):
        return next(s for s in self.view.references.sections if s.badge.text() == letter)

    def select(self, letter: str, *chosen: str) -> None:
        """Select text of a reference; all but the last selection are stored as parts."""
        section = self.section(letter)
        content = next(r.content for r in self.topic.references if r.id == section.text_id)
        section.text.setFocus()
        section.text.select_spans([(content.index(w), content.index(w) + len(w)) for w in chosen])

    def stored(self):
        self.context.study.flush()
        return self.store.annotation(self.topic.id, self.context.annotator.id)

    def scu(self, label: str):
        return next(scu for scu in self.stored().pyramid.scus if scu.label == label)

    def words_of(self, label: str) -> list[list[str]]:
        contents = {r.id: r.content for r in self.topic.references}
        return [
            [contents[c.reference_id][p.start : p.end] for p in c.parts] for c in self.scu(label).contributors
        ]

    def labels(self) -> list[str]:
        return [scu.label for scu in self.stored().pyramid.scus]

    def make(self, letter: str, words: str, label: str = "") -> None:
        """Create an SCU by its shortcut and type its label."""
        self.select(letter, words)
        self.press(Qt.Key.Key_N)
        if label:
            QApplication.focusWidget().selectAll()
            self.type(label)
        self.press(Qt.Key.Key_Return)
        self.wait_until_saved()

    def wait_until_saved(self) -> None:
        self.qtbot.waitUntil(lambda: not self.context.writes.is_saving)

    def choose(self, label: str) -> None:
        self.context.selection.select(scu_id=self.scu(label).id)
