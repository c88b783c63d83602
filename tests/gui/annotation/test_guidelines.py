"""The guidelines pane: editing, saving, cancelling and loading from a file, on both pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.errors import InputError
from gui.annotation.guidelines_pane import MAX_BYTES, GuidelinesController, GuidelinesPane, read_text

CTRL = Qt.KeyboardModifier.ControlModifier


class PaneOnStudy:
    """A pane connected to a study, and the file chosen in the file dialog."""

    def __init__(self, context, shown) -> None:
        self.file = None
        self.pane = shown(GuidelinesPane())
        self.presenter = GuidelinesController(self.pane, context, lambda: self.file)
        self.pane.activateWindow()


@pytest.fixture
def opened(context, shown):
    return PaneOnStudy(context, shown)


def stored(context) -> str:
    context.study.flush()
    return context.study.settings.get("guidelines")


def test_new_guidelines_are_written_in_the_pane_and_saved(opened, context, qtbot):
    pane = opened.pane
    assert pane.write_button.isVisible()
    pane.write_button.click()
    qtbot.waitUntil(pane.editor.hasFocus)
    pane.editor.setPlainText("# Units\n\n- one fact each")
    qtbot.keyClick(pane.editor, Qt.Key.Key_Return, CTRL)
    assert stored(context) == "# Units\n\n- one fact each"
    assert pane.text.toPlainText() == "Units\none fact each"
    assert context.study.edits.history(limit=1)[0].verb == "set guidelines"


def test_escape_discards_the_changes(opened, context, qtbot):
    opened.pane.edit("Draft")
    qtbot.waitUntil(opened.pane.editor.hasFocus)
    qtbot.keyClick(opened.pane.editor, Qt.Key.Key_Escape)
    assert not opened.pane.is_editing
    assert stored(context) == ""


def test_guidelines_can_be_undone_and_redone(opened, context, qtbot):
    for text in ("One fact each", "One fact each, or none"):
        opened.pane.edit(text)
        opened.pane.hide()
        qtbot.waitUntil(lambda: not context.writes.is_saving)
        opened.pane.show()
    context.history.undo()
    qtbot.waitUntil(lambda: opened.pane.text.toPlainText() == "One fact each")
    context.history.redo()
    qtbot.waitUntil(lambda: opened.pane.text.toPlainText() == "One fact each, or none")


def test_leaving_the_pane_saves_the_changes(opened, context):
    opened.pane.edit("Half a thought")
    opened.pane.hide()
    assert stored(context) == "Half a thought"


def test_a_file_is_loaded_into_the_editor_before_it_is_saved(opened, context, tmp_path):
    opened.file = tmp_path / "rules.md"
    opened.file.write_text("\ufeff# Rules\r\nBe **exact**.", "utf-8")
    opened.pane.file_button.click()
    assert opened.pane.is_editing
    assert stored(context) == ""
    opened.pane.done_button.click()
    assert stored(context) == "# Rules\nBe **exact**."


def test_a_file_that_is_not_text_is_refused_with_a_message(opened, requests, tmp_path):
    opened.file = tmp_path / "rules.md"
    opened.file.write_bytes(b"\xff\xfe\x00\xd8")
    opened.pane.file_button.click()
    assert "UTF-8" in requests.sentences[-1]
    assert not opened.pane.is_editing
    opened.file.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_text(opened.file)
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / "none.md")


def test_changes_by_others_appear_but_not_in_an_open_editor(opened, context, qtbot):
    context.study.settings.save("guidelines", "One").result()
    qtbot.waitUntil(lambda: opened.pane.text.toPlainText() == "One")
    opened.pane.edit()
    opened.pane.editor.setPlainText("Mine")
    context.study.settings.save("guidelines", "Two").result()
    qtbot.waitUntil(lambda: opened.pane.text.toPlainText() == "Two")
    assert opened.pane.editor.toPlainText() == "Mine"


def test_html_in_guidelines_is_shown_as_text(opened):
    opened.pane.show_guidelines("<script>x</script> **b**")
    assert "<script>" in opened.pane.text.toPlainText()


def test_both_annotation_pages_show_the_guidelines(context, shown):
    from gui.pages.match import presenter as match
    from gui.pages.pyramid import presenter as pyramid

    context.study.settings.save("guidelines", "One fact each").result()
    for module in (pyramid, match):
        view, _ = module.build(context)
        shown(view)
        view.side.show_tab("guidelines")
        assert view.guidelines.text.toPlainText() == "One fact each"
