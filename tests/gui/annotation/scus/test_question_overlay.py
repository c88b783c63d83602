"""The question overlay, the height of the label editor, and accessible descriptions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from gui.annotation.stored_text_field import LabelField
from tests.gui.pages.match.test_match_page import opened
from tests.gui.pages.pyramid.pyramid_keys import Page


@pytest.fixture
def page(context, shown, qtbot):
    made = Page(context, qtbot)
    shown(made.view)
    made.view.activateWindow()
    qtbot.waitUntil(made.section("A").text.hasFocus)
    return made


def top_of(page, label: str) -> QPoint:
    QApplication.processEvents()
    tree = page.view.scus.tree
    row = tree.visualRect(tree.scus.index_of(page.scu(label).id))
    return tree.viewport().mapTo(page.view, row.topLeft())


def test_asking_for_another_scu_moves_no_row_and_covers_none(page, qtbot):
    page.make("A", "The court ruled", "Court ruled")
    page.make("B", "A judge", "A judge spoke")
    before = top_of(page, "A judge spoke")
    page.choose("Court ruled")
    page.press(Qt.Key.Key_M)
    assert page.view.prompt_label.isVisible()
    assert top_of(page, "A judge spoke") == before
    tree = page.view.scus.tree
    asking = page.view.prompt_label.parentWidget()
    bottom = asking.mapTo(page.view, asking.rect().bottomLeft()).y()
    assert bottom <= tree.mapTo(page.view, QPoint(0, 0)).y()
    qtbot.mouseClick(asking.cancel_button, Qt.MouseButton.LeftButton)
    assert not page.view.prompt_label.isVisible()


def test_asking_for_the_scu_of_a_unit_moves_no_row(context, shown, qtbot):
    page = opened(context, shown, qtbot)
    page.choose("Ban lifted")
    page.select("lifted the ban")
    page.press(Qt.Key.Key_Space)
    tree = page.view.scus.tree
    before = tree.mapTo(page.view, QPoint(0, 0))
    page.view.left.text.setFocus()
    page.press(Qt.Key.Key_A)
    QApplication.processEvents()
    assert tree.mapTo(page.view, QPoint(0, 0)) == before


def test_the_editor_of_a_long_label_covers_its_row(page):
    page.make("A", "The court ruled", "A label of many words " * 5)
    page.press(Qt.Key.Key_L)
    QApplication.processEvents()
    editor = QApplication.focusWidget()
    tree = page.view.scus.tree
    assert isinstance(editor, LabelField)
    row = tree.visualRect(tree.currentIndex())
    assert editor.height() >= row.height() - 2
    assert editor.geometry().top() >= row.top()


def test_screen_readers_get_coverage_and_read_only_texts(page):
    page.make("A", "The court ruled on Monday that", "Court ruled")
    text = page.section("A").text
    accessible = QAccessible.queryAccessibleInterface(text)
    assert accessible.text(QAccessible.Text.Name) == "Reference A"
    assert "46 % covered" in accessible.text(QAccessible.Text.Description)
    assert accessible.state().readOnly
    assert not accessible.state().editable
