"""Whatever is typed is in the study's file after any exit, and half a second after the last key.

The tests find the fields themselves: they walk the widgets of every page, in the states that `STATES` shows,
and of the dialogs that stay open while the user works. A field that nobody stores fails, unless `UNSTORED`
says why; so does a field that no state shows.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import UnitKind, new_id
from core.domain.ratings import Dimension, ScaleKind
from core.files.preferences import PreferencesFile
from core.ports import annotations_of
from gui.annotation.match_values import UnitRow
from gui.annotation.stored_text_field import LabelField
from gui.app import PAGES, build_window
from gui.session.annotation_session import annotation_session
from gui.shell.dialogs import AnnotatorDialog
from gui.shell.main_window import RailButton
from gui.style import theme
from gui.widgets.buttons import SearchField
from gui.widgets.typed_text import PAUSE_MS, typed_texts
from storage.study_file import open_study
from tests.conftest import NIGHTLY
from tests.gui.conftest import HANG_MS, _all_garbage_on_this_thread, _dressed, _garbage_on_this_thread  # noqa: F401 - fixtures
from tests.gui.settled import is_settled

pytestmark = pytest.mark.slow

CTRL = Qt.KeyboardModifier.ControlModifier
Field = QLineEdit | QPlainTextEdit | QTextEdit

UNSTORED = {
    ("ratings", "Name of the scale"): "the name of a scale that Add creates",
    ("progress", "Name of an annotator"): "the name of an annotator that Add adds",
    ("assignment", "Annotators per shared topic"): "for the next proposal, whose plan is stored",
    (
        "assignment",
        "Topics with several annotators, in per cent",
    ): "for the next proposal, whose plan is stored",
    ("adjudication", "Result"): "whose result is shown; not a content of the study",
    ("adjudication", "Other value"): "a decision, which Enter takes",
    ("score", ""): "settings of a metric, which a run stores with its scores",
}
"""Fields by page and name (empty = all) whose text is not stored, with the reason; neither are searches."""


ARABIC = NewTopic(
    "D3",
    title="ميناء",
    documents={"D3-1": NewText("أغلقت العاصفة الميناء. انتظرت سفينتان في الخارج.")},
    references={
        "A": NewText("أغلقت العاصفة الميناء يومين كاملين وانتظرت سفينتان في عرض البحر حتى هدأت الريح، " * 3),
        "B": NewText("أُغلِقَ الميناءُ (port) لمدة 2 يومين."),
    },
    summaries={
        "lead": NewText("أغلقت العاصفة الميناء."),
        "good": NewText("انتظرت سفينتان خارج الميناء المغلق."),
    },
)


@pytest.fixture(scope="module")
def annotated(small_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small study with something to write about on every page."""
    path = Path(shutil.copy(small_file, tmp_path_factory.mktemp("annotated") / "typed.pyramidion"))
    with open_study(path) as study:
        study.import_data(ImportContent("arabic", topics=(ARABIC,)))
        me = study.annotators.get_or_create("Ann", "expert").id
        for name, low, high, kind in (
            ("coherence", 1.0, 5.0, ScaleKind.NUMBER),
            ("share", 0.0, 100.0, ScaleKind.NUMBER),
            ("remark", 0.0, 1.0, ScaleKind.TEXT),
        ):
            before = study.ratings.dimensions()
            scale = Dimension(new_id(), name, low, high, kind=kind)
            study.ratings.edit_dimensions(before, [*before, scale], me).result()
        for head in study.texts.topics():
            topic = study.texts.topic(head.id)
            for kind in UnitKind:
                store = annotations_of(study, kind)
                blank = store.annotation(topic.id, me)
                made = pyramid.add_scu(blank, f"First {kind}", topic.references[0].id, [(0, 3)], new_id())
                made = pyramid.add_scu(made, f"Second {kind}", topic.references[0].id, [(4, 9)], new_id())
                if kind is UnitKind.SCU:
                    for summary in topic.summaries:
                        made = pyramid.add_match(made, summary.id, me, made.pyramid.scus[0].id, [(0, 3)])
                store.commit(blank, made, "annotate", me).result()
    return path


class Window:
    """The window on a copy of the study."""

    def __init__(self, app: QApplication, folder: Path, annotated: Path) -> None:
        self.app, self.path = app, Path(shutil.copy(annotated, folder / "typed.pyramidion"))
        self.other = Path(shutil.copy(annotated, folder / "other.pyramidion"))
        self.typed = 0
        settings = PreferencesFile(folder / "settings.json")
        settings.save(settings.now.with_annotator(self.path, "Ann").with_annotator(self.other, "Ann"))
        settings.change(backups=0, theme="light")
        self.controller, self.window = build_window(app, folder / "settings.json")
        self.window.resize(1280, 800)
        self.controller.start(None)

    def open(self) -> None:
        """Show the study, if it is not open."""
        self.window.show()
        if self.controller.context is None or self.controller.context.study.path != self.path:
            self.controller.open_path(self.path)
            self.wait(lambda: self.controller.context is not None)
            self.wait(lambda: self.controller.context.study.path == self.path)
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        self.controller.context.selection.select(topic_id=self.topics[0].id)

    @property
    def topics(self) -> Any:
        return self.controller.context.study.texts.topics()

    def wait(self, condition: Callable[[], bool]) -> None:
        timer = QElapsedTimer()
        timer.start()
        while not condition():
            assert timer.elapsed() < HANG_MS
            QTest.qWait(5)

    def do(self, command: str) -> None:
        self.controller.commands.action(command).trigger()

    def type_into(self, field: Field) -> str:
        """Type something new into a field; return it."""
        self.typed += 1
        is_number = isinstance(field.parentWidget(), QAbstractSpinBox)
        text = str(20 + self.typed % 80) if is_number else f"typed{self.typed}x"
        field.setFocus()
        self.wait(field.hasFocus)
        if is_number:
            field.selectAll()
        QTest.keyClicks(field, text)
        return text

    def is_stored(self, text: str) -> bool:
        """Return whether another connection reads a text or number in the study's file."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as file:
            names = [name for (name,) in file.execute("select name from sqlite_master where type = 'table'")]
            return any(
                text in cell if isinstance(cell, str) else text.isdigit() and cell == float(text)
                for name in names
                if name not in ("edits", "sqlite_sequence")
                for row in file.execute(f'select * from "{name}"')
                for cell in row
                if isinstance(cell, (str, float))
            )

    @property
    def page(self) -> Any:
        return self.window.stack.currentWidget()

    def show(self, key: str, state: int = 0) -> None:
        self.window.show_page(key)
        self.settle()
        STATES.get(key, [nothing])[state](self)
        self.settle()

    def settle(self) -> None:
        self.wait(lambda: is_settled(self.controller))
        QApplication.processEvents()

    def select_unit(self) -> None:
        """Select the first SCU or nugget of the page."""
        scus = self.page.scus.tree.scus
        self.controller.context.selection.select(scu_id=scus.visible()[0])


def nothing(window: Window) -> None:
    pass


def of_unit(window: Window) -> None:
    window.select_unit()
    window.page.side.show_tab("scu")
    window.page.details.cards.step(+1)
    assert window.page.edit_card_comment()


def in_list(window: Window) -> None:
    window.select_unit()
    window.page.edit_label(window.controller.context.selection.scu_id)


def guidelines(window: Window) -> None:
    window.page.side.show_tab("guidelines")
    window.page.guidelines.edit()


def of_match(window: Window) -> None:
    lines = window.page.scus.tree.scus.lines
    rows = (row for line in lines for row in line.details if isinstance(row, UnitRow) and row.match_id)
    unit = next(rows)
    window.page.edit_comment(unit.scu_id, unit.match_id)


def of_rating(at: int, window: Window) -> None:
    """Open the note of one scale; an empty one that has lost the focus may close at any time."""
    window.page.scales[at].edit_note()


STATES: dict[str, list[Callable[[Window], None]]] = {
    "pyramids": [of_unit, in_list, guidelines],
    "nuggets": [of_unit, in_list, guidelines],
    "matches": [of_match, guidelines],
    "ratings": [partial(of_rating, at) for at in range(3)],
}


def is_stored_kind(page: str, field: QWidget) -> bool:
    """Return whether a widget is a text field whose text belongs to the study."""
    if not isinstance(field, Field) or isinstance(field, SearchField) or field.isReadOnly():
        return False
    return not {(page, name_of(field)), (page, "")} & UNSTORED.keys()


def name_of(field: QWidget) -> str:
    return field.accessibleName() or field.parentWidget().accessibleName()


def identity(field: QWidget) -> tuple[str, str]:
    """The name of a field, and what it is in."""
    return name_of(field), type(field.parentWidget().parentWidget()).__name__


def fields_of(page: QWidget, key: str) -> dict[tuple[str, str], Any]:
    return {identity(field): field for field in page.findChildren(QWidget) if is_stored_kind(key, field)}


def places(window: Window) -> list[tuple[str, int, tuple[str, str]]]:
    """Find all fields, each with a page and a state that show it."""
    found: dict[tuple[str, tuple[str, str]], int] = {}
    hidden: set[tuple[str, tuple[str, str]]] = set()
    for spec in PAGES:
        for state in range(len(STATES.get(spec.key, [nothing]))):
            window.show(spec.key, state)
            for which, field in fields_of(window.page, spec.key).items():
                if field.isVisible() and field.isEnabled():
                    found.setdefault((spec.key, which), state)
                else:
                    hidden.add((spec.key, which))
    assert not hidden - found.keys(), "add a state that shows these fields"
    return [(key, state, which) for (key, which), state in found.items()]


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, annotated: Path) -> Iterator[Window]:
    made = Window(qapp, tmp_path_factory.mktemp("window"), annotated)
    yield made
    made.window.close()
    made.window.deleteLater()


@pytest.fixture(scope="module")
def all_places(window: Window) -> list[tuple[str, int, tuple[str, str]]]:
    window.open()
    return places(window)


def by_pause(window: Window) -> None:
    window.wait(lambda: not typed_texts().waits)
    window.wait(lambda: window.controller.context is None or not window.controller.context.writes.is_saving)


def by_rail(window: Window) -> None:
    key = "texts" if window.window.page_key != "texts" else "overview"
    button = next(one for one in window.window.findChildren(RailButton) if one.title.lower() == key)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.window.page_key == key


def by_command(window: Window) -> None:
    window.do("view.overview")


def by_topic(window: Window) -> None:
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown, CTRL)
    assert window.controller.context.selection.topic_id == window.topics[1].id


def by_theme(window: Window) -> None:
    is_dark = theme.tokens() is not theme.LIGHT
    window.do("view.light" if is_dark else "view.dark")
    by_pause(window)


def by_undo_and_redo(window: Window) -> None:
    window.do("edit.undo")
    redo = window.controller.commands.action("edit.redo")
    window.wait(lambda: redo.isEnabled() and not window.controller.context.writes.is_saving)
    redo.trigger()


def by_end_of_session(window: Window) -> None:
    typed_texts().store(is_last=True)


def by_close_button(window: Window) -> None:
    window.window.close()


def by_quitting(window: Window) -> None:
    window.do("app.quit")


def by_closing_the_study(window: Window) -> None:
    window.do("study.close")


def by_another_study(window: Window) -> None:
    window.controller.open_path(window.other)
    window.wait(lambda: window.controller.context.study.path == window.other)


STAYING = (by_pause, by_rail, by_command, by_topic, by_theme, by_undo_and_redo, by_end_of_session)
CLOSING = (by_close_button, by_quitting, by_closing_the_study, by_another_study)


def leave(window: Window, place: tuple[str, int, tuple[str, str]], exit_: Callable[[Window], None]) -> str:
    """Type into a field and leave it; return what is wrong."""
    key, state, which = place
    window.open()
    window.show(key, state)
    field = fields_of(window.page, key)[which]
    text = window.type_into(field)
    is_shown = window.page.save_state.saved_label.text() == "Typing…"
    exit_(window)
    if window.controller.context is not None:
        window.wait(lambda: not window.controller.context.writes.is_saving)
    problems = [] if is_shown else ["the header says that all is saved"]
    if not window.is_stored(text):
        problems.append("not stored")
    return f"{key}: {which}: {', '.join(problems)}" if problems else ""


@pytest.mark.parametrize("exit_", STAYING)
def test_typed_text_is_stored_where_the_study_stays_open(exit_, window, all_places) -> None:
    """Each field is left by pausing, by undo and by a quarter of the other exits, every night by all."""
    is_every = NIGHTLY or exit_ in (by_pause, by_undo_and_redo)
    some = all_places if is_every else all_places[STAYING.index(exit_) % 4 :: 4]
    wrong = [problem for place in some if (problem := leave(window, place, exit_))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("exit_", CLOSING)
def test_typed_text_is_stored_where_the_study_is_closed(exit_, window, all_places) -> None:
    """Each field is left by one of these exits, which take a second: all lead through one function."""
    mine = all_places[CLOSING.index(exit_) :: len(CLOSING)]
    wrong = [problem for place in mine if (problem := leave(window, place, exit_))]
    assert not wrong, "\n".join(wrong)


def comment_on(window: Window, text: str) -> Any:
    """Type a comment on the first SCU; return its field."""
    window.open()
    window.show("pyramids")
    window.page.details.comment.setFocus()
    window.wait(window.page.details.comment.hasFocus)
    window.page.details.comment.selectAll()
    QTest.keyClicks(window.page.details.comment, text)
    return window.page.details.comment


def header(window: Window) -> str:
    return str(window.page.save_state.saved_label.text())


def test_a_comment_that_is_being_written_in_the_dialog_is_stored_on_closing(window) -> None:
    window.open()
    window.show("pyramids")
    window.do("edit.comments")
    dialog = window.controller.tool_windows.opened["edit.comments"].dialog
    window.wait(dialog.isActiveWindow)
    (text,) = [window.type_into(field) for field in fields_of(dialog, "comments").values()]
    window.do("study.close")
    assert window.is_stored(text)


def test_typing_with_pauses_is_one_step_of_undo_and_escape_restores_the_text_of_before(window) -> None:
    comment_on(window, "before")
    window.page.details.cards.setFocus()
    field = comment_on(window, "one")
    for more in (" two", " three"):
        by_pause(window)
        assert window.is_stored(field.text())
        QTest.keyClicks(field, more)
    by_pause(window)
    window.window.setFocus()
    window.do("edit.undo")
    window.wait(lambda: field.text() == "before")
    field.setFocus()
    QTest.keyClicks(field, " and after")
    by_pause(window)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    window.wait(lambda: not window.controller.context.writes.is_saving)
    assert field.text() == "before"
    assert not window.is_stored("before and after")


def test_text_that_is_refused_stays_in_its_field_and_the_header_says_so(window) -> None:
    field = comment_on(window, "first")
    by_pause(window)
    assert header(window).startswith("Saved")
    session = annotation_session(window.controller.context)
    session.block_edits("Nothing can be changed now.")
    QTest.keyClicks(field, ", refused")
    by_pause(window)
    assert header(window) == "Text not saved"
    assert not window.is_stored("first, refused")
    chosen = window.controller.context.selection
    first, second = window.page.scus.tree.scus.visible()
    chosen.select(scu_id=second)
    assert "refused" not in field.text()
    assert header(window).startswith("Saved")
    chosen.select(scu_id=first)
    assert (field.text(), header(window)) == ("first, refused", "Text not saved")
    session.allow_edits()
    by_closing_the_study(window)
    assert window.is_stored("first, refused")


def test_escape_in_the_label_of_a_row_restores_it(window) -> None:
    window.open()
    window.show("pyramids", 1)
    editor = QApplication.focusWidget()
    QTest.keyClicks(editor, "given up")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    window.wait(lambda: QApplication.focusWidget() is not editor)
    QTest.qWait(2 * PAUSE_MS)
    assert not window.is_stored("given up")
    assert header(window) == "All saved"


def test_a_label_refused_without_an_annotator_is_kept_until_it_is_given_up_or_there_is_one(
    window, monkeypatch
) -> None:
    window.open()
    window.controller.settings.save(window.controller.settings.now.with_annotator(window.path, ""))
    window.controller.show_welcome()
    window.open()
    monkeypatch.setattr(AnnotatorDialog, "exec", lambda _: 0)

    def edit_label() -> Any:
        window.do("pyramid.label")
        window.wait(lambda: isinstance(QApplication.focusWidget(), LabelField))
        return QApplication.focusWidget()

    def refused(text: str) -> None:
        editor = edit_label()
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        assert "Choose who annotates" in window.window.status.sentence_label.text()

    window.show("pyramids", 1)
    refused("by nobody yet")
    window.wait(lambda: header(window) == "All saved")  # no field shows the text any more
    editor = edit_label()
    assert (editor.text(), header(window)) == ("by nobody yet", "Text not saved")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    window.wait(lambda: header(window) == "All saved")
    assert edit_label().text() != "by nobody yet"
    refused("soon by somebody")
    window.controller.ask_annotator()
    window.controller.dialog.accept()
    QTest.keyClick(edit_label(), Qt.Key.Key_Return)
    window.wait(lambda: header(window).startswith("Saved"))
    assert window.is_stored("soon by somebody")
    assert not window.is_stored("by nobody yet")


def test_text_that_is_being_composed_is_stored_on_leaving_but_not_in_a_pause(window) -> None:
    field = comment_on(window, "")
    QApplication.sendEvent(field, QInputMethodEvent("こんにち", []))
    QTest.qWait(2 * PAUSE_MS)
    assert not window.is_stored("こんにち")
    by_command(window)
    by_pause(window)
    assert window.is_stored("こんにち")


def test_an_empty_label_is_not_stored_while_a_new_one_is_typed(window) -> None:
    window.open()
    window.show("pyramids", 1)
    editor = QApplication.focusWidget()
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.qWait(PAUSE_MS)
    assert (editor.text(), header(window)) == ("", header(window))
    QTest.keyClicks(editor, "another label")
    by_pause(window)
    assert QApplication.focusWidget() is editor, "storing leaves the editor open"
    assert window.is_stored("another label")


def test_text_whose_study_was_replaced_is_shown_again(window) -> None:
    comment_on(window, "typed too late")
    replaced = window.controller.context
    Path(shutil.copy(window.other, window.path.with_name("moved.pyramidion"))).replace(window.path)
    window.wait(lambda: window.controller.context not in (None, replaced))
    window.show("pyramids")
    window.wait(lambda: window.page.details.comment.text() == "typed too late")
    assert header(window) == "Text not saved"
    by_closing_the_study(window)
    assert window.is_stored("typed too late")
