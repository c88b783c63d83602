"""The sentence in the status line ends with what it is about."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from core.domain import pyramid as edits
from gui.shell.main_window import MainWindow


@pytest.fixture
def window(controller, study, qtbot):
    """The window with the small study open."""
    study.flush()
    controller.open_path(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    controller.window.show_page("texts")
    return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())


def test_a_sentence_goes_with_the_page(window, controller, qtbot):
    controller.show_message("Select some words first.")
    assert window.status.sentence_label.text() == "Select some words first."
    controller.context.commands.action("view.overview").trigger()
    qtbot.waitUntil(lambda: window.status.sentence_label.text() == "")


def test_a_sentence_goes_when_something_else_is_selected(window, controller):
    controller.show_message("Select some words first.")
    controller.context.selection.select(topic_id=controller.context.study.texts.topics()[-1].id)
    assert window.status.sentence_label.text() == ""


def make_scu(context, label: str) -> None:
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = edits.add_scu(before, label, topic.references[0].id, [(0, 9)])
    context.writes.track(context.study.pyramids.commit(before, after, "new SCU", context.annotator.id))


def test_undo_names_what_it_undid(window, controller, qtbot):
    context = controller.context
    with qtbot.waitSignal(context.writes.saved):
        make_scu(context, "Ban lifted")
    with qtbot.waitSignal(context.history.reported):
        context.history.undo()
    assert window.status.sentence_label.text().startswith("Undone: ")
    assert "“Ban lifted”" in window.status.sentence_label.text()
