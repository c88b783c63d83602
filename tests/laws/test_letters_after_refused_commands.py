"""Letters typed after a refused command that opens a field do nothing, on every page with such commands.

They are meant for the field. Tried to be broken by each such command on each of its pages, where nothing is
annotated and nothing is selected.
"""

from __future__ import annotations

import json
import shutil
from itertools import product

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from gui.commands.definitions import COMMANDS, TYPING_COMMANDS
from tests.gui.program import Program

LETTERS = {
    command.id: command.key
    for command in COMMANDS
    if command.id in TYPING_COMMANDS
    and isinstance(command.key, str)
    and len(command.key.removeprefix("Shift+")) == 1
}
PAGES = sorted({page for command in COMMANDS if command.id in LETTERS for page in command.pages})


def test_letters_after_a_refused_command_do_nothing(qapp, qtbot, tmp_path, small_file) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"annotator": "Ann"}), "utf-8")
    shutil.copy(small_file, tmp_path / "study.pyramidion")
    program = Program(qapp, qtbot, tmp_path)
    program.open(tmp_path / "study.pyramidion")
    ran: list[str] = []
    for command, action in program.controller.commands:
        action.triggered.connect(lambda _=False, name=command.id: ran.append(name))
    refused, problems = set(), []
    for page, command in product(PAGES, COMMANDS):
        if command.id not in LETTERS or page not in command.pages:
            continue
        program.show(page)
        program.page.focus_default()
        program.press(Qt.Key.Key_F24)  # what was refused before does not count any longer
        program.window.status.show_message("")
        focused = QApplication.focusWidget()
        qtbot.keySequence(focused, QKeySequence(LETTERS[command.id]))
        if (dialog := QApplication.activeModalWidget()) is not None:
            dialog.reject()
            program.activate()
        elif program.window.status.sentence_label.text() and not program.context.writes.is_saving:
            refused.add(page)
            ran.clear()
            qtbot.keyClicks(QApplication.focusWidget(), "now a dam x")
            if ran or QApplication.focusWidget() is not focused:
                problems.append(f"{page}: {command.id}: {ran}")
    program.controller.close()
    assert problems == []
    assert refused == {"pyramids", "matches", "nuggets"}
