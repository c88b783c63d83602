"""Texts of a study are shown literally wherever Qt would interpret markup."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QAbstractItemModelTester

from gui.annotation.guidelines_pane import GuidelinesText
from gui.item_models.table_model import Column, TableModel
from gui.style.language import plain_tip

ROOT = Path(__file__).parents[3]
TEXT_ARGUMENT = {"setToolTip": 0, "setStatusTip": 0, "setWhatsThis": 0, "showText": 1}
MARKUP = {"setHtml", "insertHtml", "setMarkdown", "setTextFormat", "QMessageBox", "QErrorMessage"}
MAY_SET_MARKUP = {
    "gui/shell/help/help_window.py",
    "gui/annotation/guidelines_pane.py",
    "gui/widgets/label.py",
}
"""The help window, guidelines without HTML and resources, and the label that disables markup."""

HOSTILE = "<img src='file:///etc/hostname'><b>bold</b> & a\nline"


@cache
def calls() -> list[tuple[str, ast.Call, str]]:
    """Return the calls that give texts to widgets, or markup: path, call and name of the function."""
    found = []
    for path in sorted((ROOT / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                if name in TEXT_ARGUMENT or name in MARKUP:
                    found.append((path.relative_to(ROOT).as_posix(), node, name))
    return found


def is_safe(node: ast.expr) -> bool:
    """Return whether an argument is a constant text or goes through `plain_tip`."""
    match node:
        case ast.Constant() | ast.Call(func=ast.Name(id="plain_tip")):
            return True
        case ast.Call(func=ast.Name(id="tr"), keywords=[]):  # no value of a study in it
            return True
        case ast.IfExp():
            return is_safe(node.body) and is_safe(node.orelse)
        case ast.Name(id=name):
            return name.isupper()
        case ast.Attribute(attr="_own_tip"):  # the previous tooltip of a widget, restored
            return True
    return False


def as_shown(tip: str) -> str:
    """Return the text that Qt shows for a tooltip."""
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText().replace("\u2028", "\n")


def test_every_tooltip_goes_through_one_function() -> None:
    unsafe = [
        f"{path}:{node.lineno}"
        for path, node, name in calls()
        if name in TEXT_ARGUMENT and not all(map(is_safe, node.args[TEXT_ARGUMENT[name] :][:1]))
    ]
    assert unsafe == []


def test_nothing_else_sets_markup() -> None:
    assert {path for path, _, name in calls() if name in MARKUP} <= MAY_SET_MARKUP


def test_models_escape_their_tooltips() -> None:
    for path in sorted((ROOT / "gui").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert "ToolTipRole" not in text or "plain_tip(" in text, path


def test_a_tooltip_shows_markup_literally() -> None:
    assert plain_tip("Two lines,\nno tags: a < b & c") == "Two lines,\nno tags: a < b & c"
    assert as_shown(plain_tip(HOSTILE)) == HOSTILE


def test_tables_of_hostile_texts_have_plain_tooltips(qapp) -> None:
    model = TableModel([Column("Name", str, tip=HOSTILE, cell_tip=str)])
    model.set_rows([HOSTILE])
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert as_shown(model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)) == HOSTILE
    heading = model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert as_shown(heading) == HOSTILE


@pytest.mark.parametrize("place", ["{}", "file://{}"])
def test_guidelines_load_no_image(place, qtbot) -> None:
    picture = place.format(ROOT / "resources" / "help" / "images" / "pyramid-light.png")
    view = GuidelinesText()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.show_markdown("words")
    without = view.document().size().height()
    view.show_markdown(f"words ![x]({picture})")
    view.grab()
    loaded = view.document().resource(QTextDocument.ResourceType.ImageResource.value, QUrl(picture))
    assert loaded.size().width() == 1
    assert view.document().size().height() < 2 * without
