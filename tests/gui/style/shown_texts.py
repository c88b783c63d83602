"""Print the texts of every page and dialog of the window: ``shown_texts.py LANGUAGE STUDY SETTINGS``.

With them come the texts that were translated meanwhile. A program of its own, as texts are read with the
modules. Left out are texts of the study, and lists and results of the engine, which are English in every
language.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from gui.style import language
from tests.gui.style.recorded_texts import recording

language.use(sys.argv[1])
translated: set[str] = set()
for _name in ("tr", "marked_text", "in_terms_of"):
    setattr(language, _name, recording(getattr(language, _name), translated))

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt  # noqa: E402
from PySide6.QtPrintSupport import QPrintDialog  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from core.domain.study import Text  # noqa: E402
from core.models.encoders.contextual_spans import ContextualText  # noqa: E402
from core.progress import JobSteps, Progress  # noqa: E402
from core.suggestions.encoding import EncodedTexts, TextEncoderCache  # noqa: E402
from gui.app import build_window  # noqa: E402
from tests.gui.settled import is_settled  # noqa: E402

ENGINE = {
    "Badge", "BoundedText", "ExperimentList", "FactLabel", "FigurePanel", "ItemList", "Keycap",
    "MeasurePanel", "MetricList", "ModelList", "MultiChoice", "Notice", "ReadingText", "ReportTableView",
    "ScuTree", "SettingsForm", "UnitList", "_Details", "_DetailsPanel", "_Example",
}  # fmt: skip
"""Names of classes whose texts are those of the study, or names, settings and results of the engine."""
_TAGS = re.compile(r"<[^>]*>")
_ROLES = Qt.ItemDataRole


def is_of_the_engine(widget: QWidget | None) -> bool:
    while widget is not None:
        if ENGINE & {one.__name__ for one in type(widget).__mro__}:
            return True
        widget = widget.parentWidget()
    return False


def texts_of(widget: QWidget) -> Iterator[str]:
    """Yield the texts that a widget shows or speaks itself."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QComboBox):
        yield from map(widget.itemText, range(widget.count()))
    elif isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QMenu):
        yield from (action.text() for action in widget.actions())
    elif isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
        yield from texts_of_items(model)


def texts_of_items(model: QAbstractItemModel) -> Iterator[str]:
    """Yield the headers and the first items of a model."""
    none = QModelIndex()
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(none)
    for column in range(columns):
        for role in (_ROLES.DisplayRole, _ROLES.ToolTipRole):
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
    rows = [model.index(row, 0) for row in range(min(model.rowCount(none), 40))]
    if not isinstance(model, QAbstractListModel):
        rows += [model.index(row, 0, parent) for parent in rows for row in range(model.rowCount(parent))]
    for row in rows[:80]:
        for column in range(columns):
            cell = row.siblingAtColumn(column)
            for role in (
                _ROLES.DisplayRole,
                _ROLES.ToolTipRole,
                _ROLES.AccessibleTextRole,
                _ROLES.AccessibleDescriptionRole,
            ):
                yield str(cell.data(role) or "")


class Walk:
    """Goes through all pages and everything that opens from their commands."""

    def __init__(self, study: Path, settings: Path) -> None:
        self.app = QApplication([])
        language.install(self.app)
        self.found: dict[str, str] = {}
        self.asked = {"app.quit", "study.close", "study.restore", "study.merge"}
        self.controller, self.window = build_window(self.app, settings)
        self.window.resize(1280, 800)
        self.window.show()
        self.controller.start(None)
        self.record("welcome", self.window)
        self.controller.open_path(study)
        self.wait(lambda: self.controller.context is not None)
        self.controller.ask_annotator()
        dialog, opened = self.controller.dialog, self.controller.context
        self.record("annotator", dialog)
        dialog.name_box.setCurrentText("Annotator A")
        dialog.accept()
        if opened.annotator.name != "Annotator A":
            self.wait(lambda: self.controller.context not in (None, opened))

    def wait(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            self.app.processEvents()
            time.sleep(0.005)

    def settle(self) -> None:
        for _ in range(2):
            end = time.monotonic() + 0.02
            self.wait(lambda end=end: time.monotonic() > end)
            self.wait(lambda: is_settled(self.controller))

    def record(self, place: str, root: QWidget) -> None:
        self.settle()
        self.add(place, root)

    def add(self, place: str, root: QWidget) -> None:
        for widget in (root, *root.findChildren(QWidget)):
            if (widget is root or widget.isVisibleTo(root)) and not is_of_the_engine(widget):
                for text in texts_of(widget):
                    self.found.setdefault(_TAGS.sub(" ", text).replace("&", "").strip(), place)

    def record_commands(self, page: str) -> None:
        """Record what opens from the commands of a page that ask something."""
        for command, action in self.window._commands:
            is_here = not command.pages or page in command.pages
            if not is_here or command.id in self.asked or not action.isEnabled() or "…" not in action.text():
                continue
            self.asked.add(command.id)
            before = {one for one in self.app.topLevelWidgets() if one.isVisible()}
            action.trigger()
            self.settle()
            opened = [one for one in self.app.topLevelWidgets() if one.isVisible() and one not in before]
            for one in opened or [self.window.stack.currentWidget()]:
                self.record(f"{page} {command.id}", one)
            for one in opened:
                one.close()

    def run(self) -> None:
        for menu in self.window.findChildren(QMenu):
            self.record("menus", menu)
        for key in self.window.page_keys:
            self.window.show_page(key)
            self.record(key, self.window.stack.currentWidget())
            self.record_commands(key)
        self.record("window", self.window)


def record_only(dialog: QDialog) -> int:
    """Record a dialog that would wait for an answer, and answer no. A dialog on files is Qt's own."""
    if not isinstance(dialog, QFileDialog | QPrintDialog):
        dialog.show()
        walk.add("questions", dialog)
        dialog.hide()
    return 0


def drawn_vectors(self: TextEncoderCache, texts: Sequence[Text]) -> JobSteps[EncodedTexts]:
    """Give each letter a random vector; importing what encodes texts takes longer than all pages."""
    yield Progress(0, len(texts), "")
    for text in texts:
        places = np.arange(len(text.content))
        sums = np.random.default_rng(len(places)).normal(size=(len(places) + 1, 8)).cumsum(axis=0)
        self._cache.keep(text.reading_key, ContextualText(places, places + 1, sums))
    found = self.known(texts)
    assert found is not None
    return found


TextEncoderCache.reading = drawn_vectors  # type: ignore[method-assign]
QDialog.exec = QFileDialog.exec = QPrintDialog.exec = record_only  # type: ignore[method-assign]
walk = Walk(Path(sys.argv[2]), Path(sys.argv[3]))
walk.run()
sys.stdout.write(json.dumps([walk.found, sorted(translated)]))
walk.controller.close()
sys.stdout.flush()
os._exit(0)
