"""Guidelines beside the work: written, kept, dropped, taken from a file, on both pages alike."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.errors import InputError
from gui.annotation.guidelines import MAX_BYTES, GuidelinesController, read_text
from gui.annotation.guidelines_pane import GuidelinesPane

CTRL = Qt.KeyboardModifier.ControlModifier


class Beside:
    """A pane on a study, and the file that is chosen next."""

    def __init__(self, context, shown) -> None:
        self.file = None
        self.pane = shown(GuidelinesPane())
        self.presenter = GuidelinesController(self.pane, context, lambda: self.file)
        self.pane.activateWindow()


@pytest.fixture
def beside(context, shown):
    return Beside(context, shown)


def stored(context) -> str:
    context.study.flush()
    return context.study.settings.get("guidelines")


def test_without_guidelines_the_pane_says_what_to_do_and_what_is_written_is_kept(beside, context, qtbot):
    pane = beside.pane
    assert pane.write_button.isVisible()
    pane.write_button.click()
    qtbot.waitUntil(pane.editor.hasFocus)
    pane.editor.setPlainText("# Units\n\n- one fact each")
    qtbot.keyClick(pane.editor, Qt.Key.Key_Return, CTRL)
    assert stored(context) == "# Units\n\n- one fact each"
    assert pane.text.toPlainText() == "Units\none fact each"
    assert context.study.edits.history(limit=1)[0].verb == "set guidelines"


def test_escape_drops_what_was_written(beside, context, qtbot):
    beside.pane.edit("Draft")
    qtbot.waitUntil(beside.pane.editor.hasFocus)
    qtbot.keyClick(beside.pane.editor, Qt.Key.Key_Escape)
    assert not beside.pane.is_editing
    assert stored(context) == ""


def test_what_was_written_can_be_undone_and_done_again(beside, context, qtbot):
    for text in ("One fact each", "One fact each, or none"):
        beside.pane.edit(text)
        beside.pane.hide()
        qtbot.waitUntil(lambda: not context.writes.is_saving)
        beside.pane.show()
    context.history.undo()
    qtbot.waitUntil(lambda: beside.pane.text.toPlainText() == "One fact each")
    context.history.redo()
    qtbot.waitUntil(lambda: beside.pane.text.toPlainText() == "One fact each, or none")


def test_leaving_the_pane_keeps_what_was_written(beside, context):
    beside.pane.edit("Half a thought")
    beside.pane.hide()
    assert stored(context) == "Half a thought"


def test_a_file_is_seen_in_the_editor_before_it_is_kept(beside, context, tmp_path):
    beside.file = tmp_path / "rules.md"
    beside.file.write_text("\ufeff# Rules\r\nBe **exact**.", "utf-8")
    beside.pane.file_button.click()
    assert beside.pane.is_editing
    assert stored(context) == ""
    beside.pane.done_button.click()
    assert stored(context) == "# Rules\nBe **exact**."


def test_a_file_that_is_no_text_is_refused_in_a_sentence(beside, told, tmp_path):
    beside.file = tmp_path / "rules.md"
    beside.file.write_bytes(b"\xff\xfe\x00\xd8")
    beside.pane.file_button.click()
    assert "UTF-8" in told.sentences[-1]
    assert not beside.pane.is_editing
    beside.file.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_text(beside.file)
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / "none.md")


def test_what_somebody_else_wrote_appears_but_not_in_the_middle_of_writing(beside, context, qtbot):
    context.study.settings.save("guidelines", "One").result()
    qtbot.waitUntil(lambda: beside.pane.text.toPlainText() == "One")
    beside.pane.edit()
    beside.pane.editor.setPlainText("Mine")
    context.study.settings.save("guidelines", "Two").result()
    qtbot.waitUntil(lambda: beside.pane.text.toPlainText() == "Two")
    assert beside.pane.editor.toPlainText() == "Mine"


def test_html_in_guidelines_is_text_not_a_page(beside):
    beside.pane.show_guidelines("<script>x</script> **b**")
    assert "<script>" in beside.pane.text.toPlainText()


def test_both_pages_of_annotation_show_the_guidelines(context, shown):
    from gui.pages.match import presenter as match
    from gui.pages.pyramid import presenter as pyramid

    context.study.settings.save("guidelines", "One fact each").result()
    for module in (pyramid, match):
        view, _ = module.build(context)
        shown(view)
        view.side.show_tab("guidelines")
        assert view.guidelines.text.toPlainText() == "One fact each"
