"""The manual in the window: contents, search, links, and the page of what has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAccessible, QTextDocument
from PySide6.QtWidgets import QApplication, QWidget

from cli.command_pages import command_pages
from core.errors import InputError
from core.files.preferences import Preferences
from core.manual.contents import manual_files, manual_pages
from core.manual.page import ManualPage
from gui.app import PAGES
from gui.commands.definitions import shortcut_table
from gui.pages.score.view import ScoreView
from gui.shell import dialogs
from gui.shell.help.help_controller import HelpController, Manual, help_page
from gui.shell.help.help_window import HelpWindow
from gui.widgets.dialog import MessageDialog
from tests.gui.every_dialog import all_dialogs


@pytest.fixture(scope="module")
def pages(qapp) -> list[ManualPage]:
    return manual_pages(shortcut_table(), command_pages())


@pytest.fixture
def help_window(qtbot, pages) -> HelpWindow:
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show_pages(pages, manual_files())
    return window


def titles(window: HelpWindow) -> list[str]:
    return [page.title for page in window.contents.pages.rows()]


def test_the_contents_list_every_page_and_begin_with_the_tutorial(help_window, pages) -> None:
    assert titles(help_window) == [page.title for page in pages]
    assert titles(help_window)[:2] == ["Contents", "Tutorial: from a table to a paper"]
    assert help_window.key == "index"


def test_every_page_is_shown_with_its_pictures(help_window, pages) -> None:
    for page in pages:
        help_window.show_page(page.key)
        assert help_window.reading.title_label.text() == page.title
        assert page.text.count("{{keys}}") == 0
    help_window.show_page("pyramids")
    kind = QTextDocument.ResourceType.ImageResource.value
    picture = help_window.browser.loadResource(kind, QUrl("images/pyramid-light.png"))
    assert 100 < picture.width() <= help_window.browser.viewport().width()


def test_assistive_technology_finds_it_while_it_is_open(help_window, qtbot) -> None:
    program = QAccessible.queryAccessibleInterface(QApplication.instance())

    def is_found() -> bool:
        return help_window in [program.child(place).object() for place in range(program.childCount())]

    for _ in range(2):
        help_window.show_page("pyramids")
        assert is_found()
        qtbot.keyClick(help_window, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not is_found())
    assert help_window.key == "pyramids"


@pytest.mark.parametrize("place", ["file:///etc/hostname", "../../../etc/hostname", "http://x.example/a.png"])
def test_no_other_file_or_address_is_loaded(help_window, place) -> None:
    kind = QTextDocument.ResourceType.ImageResource.value
    assert help_window.browser.loadResource(kind, QUrl(place)).width() == 1


def test_links_lead_to_pages_and_headings_and_back(help_window) -> None:
    help_window.resize(900, 400)
    help_window.show_page("metrics/be")
    help_window.browser.anchorClicked.emit(QUrl("../metrics.md#bertscore"))
    assert help_window.key == "metrics"
    assert help_window.browser.verticalScrollBar().value() > 0
    help_window.back_button.click()
    assert help_window.key == "metrics/be"
    assert not help_window.back_button.isEnabled() or help_window.key != "index"
    help_window.forward_button.click()
    assert help_window.key == "metrics"
    assert not help_window.forward_button.isEnabled()


def test_a_search_finds_words_in_texts_and_titles_first(help_window, qtbot) -> None:
    help_window.search.setText("krippendorff")
    assert "Statistics" in titles(help_window)
    assert "rouge-n" not in titles(help_window)
    help_window.search.setText("back")
    assert titles(help_window)[0] == "Backups"
    qtbot.keyClick(help_window.search, Qt.Key.Key_Return)
    assert help_window.key == "backups"
    assert help_window.browser.extraSelections()
    help_window.search.setText("no such words anywhere")
    assert titles(help_window) == []
    assert help_window.contents.finds_nothing


def test_a_link_to_a_file_asks_where_to_save_it(help_window, qtbot) -> None:
    help_window.show_page("tutorial")
    with qtbot.waitSignal(help_window.file_requested) as asked:
        help_window.browser.anchorClicked.emit(QUrl("tutorial/texts.csv"))
    assert asked.args == ["tutorial/texts.csv"]


def test_saving_a_table_of_the_tutorial_writes_it(controller, qtbot, tmp_path, monkeypatch) -> None:
    shown(controller, qtbot, "tutorial")
    monkeypatch.setattr(
        "gui.shell.help.help_controller.ask_new_file", lambda *_: (tmp_path / "mine.csv", "Files (*.csv)")
    )
    controller.help_windows.window.file_requested.emit("tutorial/texts.csv")
    assert (tmp_path / "mine.csv").read_bytes() == manual_files()["tutorial/texts.csv"]


def shown(controller, qtbot, key: str) -> str:
    """Open a page and return the key of the one that is shown."""
    controller.help_windows.open(key)
    qtbot.waitUntil(lambda: bool(controller.help_windows.window.key))
    return controller.help_windows.window.key


def test_every_page_and_dialog_has_a_page_of_the_manual(pages) -> None:
    known = {page.key: page.anchors() for page in pages}
    named = {spec.key: spec.help_page for spec in PAGES}
    named |= {kind.__name__: getattr(kind, "help_page", "") for kind in all_dialogs()}
    del named[MessageDialog.__name__]  # shows the page of the window behind it
    wrong = {}
    for name, place in named.items():
        key, _, fragment = place.partition("#")
        if key not in known or (fragment and fragment not in known[key]):
            wrong[name] = place
    assert wrong == {}
    assert len(set(named.values())) > len(PAGES) / 2


def test_f1_in_a_dialog_opens_the_dialogs_page(controller, qtbot, pages) -> None:
    window = controller.window
    dialog = dialogs.SettingsDialog(Preferences(), [("cpu", "CPU")], parent=window)
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitActive(dialog)
    dialog.setFocus()
    qtbot.waitUntil(lambda: controller.commands.action("help.open") in dialog.actions())
    qtbot.keyClick(dialog, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: controller.help_windows.window is not None)
    qtbot.waitUntil(lambda: controller.help_windows.window.key == "settings")
    dialog.reject()


def test_f1_without_a_study_opens_the_first_steps(controller, qtbot) -> None:
    controller.window.activateWindow()
    qtbot.waitUntil(controller.window.isActiveWindow)
    assert controller.help_windows.current_page() == "first-steps"
    assert shown(controller, qtbot, "nothing of this name") == "index"


def test_help_that_cannot_be_read_is_closed_and_read_again(controller, qtbot) -> None:
    asked = []

    def fail(keys: str) -> list[ManualPage]:
        asked.append(keys)
        raise InputError("The manual cannot be read.")

    helping = HelpController(controller.window, controller.commands, Manual(fail, dict), controller.jobs)
    for times in (1, 2):
        helping.open("index")
        qtbot.waitUntil(lambda: helping.window is None)
        assert len(asked) == times


def test_on_score_help_is_about_the_selected_metric(window_with_score) -> None:
    view = window_with_score
    row = next(row for row in view.metrics.metrics.rows() if row.name.startswith("chrf"))
    view.metrics.choose(row.key)
    assert help_page(view.search) == "metrics/chrf"


@pytest.fixture
def window_with_score(context, qtbot) -> ScoreView:
    spec = next(spec for spec in PAGES if spec.key == "score")
    view, presenter = spec.load()(context)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: bool(view.metrics.metrics.rows()))
    view._presenter = presenter
    return view


def test_every_setting_of_the_program_is_described(qtbot, pages) -> None:
    dialog = dialogs.SettingsDialog(Preferences(), [("cpu", "CPU")])
    qtbot.addWidget(dialog)
    text = next(page.text for page in pages if page.key == "settings")
    named = [
        widget.accessibleName()
        for widget in (
            dialog.scheme,
            dialog.size_box,
            dialog.reading_box,
            dialog.width_box,
            dialog.device_box,
            dialog.backup_number,
            dialog.backup_folder,
        )
    ]
    assert all(f"| {name} |" in text for name in named), named


def test_a_widget_without_a_page_shows_that_of_its_parent(qtbot) -> None:
    outer, inner = QWidget(), QWidget()
    qtbot.addWidget(outer)
    inner.setParent(outer)
    outer.help_page = "texts"
    assert help_page(inner) == "texts"
    assert help_page(None) == ""
