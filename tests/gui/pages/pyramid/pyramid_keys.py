"""The page of pyramids with its real view on a real study, and the keyboard before it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.pages.pyramid import presenter as page_of_pyramids

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


class Page:
    """The page under test, and the keyboard."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.qtbot = context, qtbot
        self.view, self.presenter = page_of_pyramids.build(context)
        for _, action in context.commands:
            self.view.addAction(action)
        context.commands.bind("edit.undo", context.history.undo)
        context.commands.bind("edit.redo", context.history.redo)
        context.commands.set_page(page_of_pyramids.KEY)
        self.topic = context.study.texts.topic(context.study.texts.topics()[0].id)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.view, key, modifier)
        QApplication.processEvents()  # editors in lists hand over their text a moment after Enter

    def type(self, words: str) -> None:
        self.qtbot.keyClicks(QApplication.focusWidget(), words)

    def section(self, letter: str):
        return next(s for s in self.view.references.sections if s.badge.text() == letter)

    def select(self, letter: str, *chosen: str) -> None:
        """Select words of a reference; several are kept as parts, the last one is selected."""
        section = self.section(letter)
        content = next(r.content for r in self.topic.references if r.id == section.text_id)
        section.text.setFocus()
        section.text.select_spans([(content.index(w), content.index(w) + len(w)) for w in chosen])

    def stored(self):
        self.context.study.flush()
        return self.context.study.pyramids.annotation(self.topic.id, self.context.annotator.id)

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
        """Make an SCU by its key and give it a label."""
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
