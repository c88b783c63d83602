"""Servers in the settings: what is entered is where the command line reads it, and no key is shown."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from cli.main import main
from core.files.allowed_names import NameKind, allowed_names
from core.models.chat_accounts import ChatAccount, chat_accounts
from gui.shell import dialogs

URL, KEY = "https://models.invalid/v1", "sk-proj-Zq81xPw7Lm2"


@pytest.fixture
def opened(controller, qtbot):
    """A function that opens the settings at the servers; no server is known before and after a test."""
    _forget_all()

    def open_settings():
        controller.appearance.ask()
        dialog = controller.dialog
        assert isinstance(dialog, dialogs.SettingsDialog)
        dialog.show_leaf("servers")
        qtbot.waitUntil(dialog.servers.isVisible)
        return dialog

    yield open_settings
    _forget_all()


def _forget_all():
    for url in allowed_names().listed()[NameKind.SERVER]:
        allowed_names().forget(url)
    for url in chat_accounts().listed():
        chat_accounts().forget(url)


def add(qtbot, pane, url=URL):
    qtbot.mouseClick(pane.add_button, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(pane.url_edit, url)


def choose_key(pane, key):
    pane.key_box.setCurrentIndex(pane.key_box.findData(key))
    pane.key_box.activated.emit(pane.key_box.currentIndex())


def test_a_server_with_its_variable_and_prices_is_stored(opened, qtbot):
    dialog = opened()
    pane = dialog.servers
    add(qtbot, pane)
    choose_key(pane, "variable")
    qtbot.keyClicks(pane.variable_edit, "MY_KEY")
    pane.price_in.setValue(0.15)
    (row,) = pane.table.displayed()
    assert (row.url, row.variable, row.price_in) == (URL, "MY_KEY", 0.15)
    assert chat_accounts().listed() == {}, "nothing before Apply"
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    account = chat_accounts().of(URL)
    assert (account.key, account.price_in) == ("MY_KEY", 0.15)
    assert math.isnan(account.price_out)
    assert allowed_names().has(NameKind.SERVER, URL)


def test_what_the_command_line_set_is_shown_and_can_be_removed(opened, qtbot):
    assert not main(["allow", f"{URL}/", "--key", "MY_KEY", "--price-out", "0.00001"])
    dialog = opened()
    pane = dialog.servers
    (row,) = pane.table.displayed()
    assert (row.url, row.variable) == (URL, "MY_KEY")
    pane.price_in.setValue(2)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert chat_accounts().of(URL) == ChatAccount("MY_KEY", 2.0, 0.00001), "digits that no field shows stay"
    dialog = opened()
    qtbot.mouseClick(dialog.servers.remove_button, Qt.MouseButton.LeftButton)
    assert dialog.servers.table.displayed() == []
    assert not dialog.servers.remove_button.isEnabled()
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert chat_accounts().listed() == {}
    assert allowed_names().listed()[NameKind.SERVER] == ()


@pytest.mark.parametrize(
    ("url", "variable", "problem"),
    [
        ("ftp://host", "MY_KEY", "is no address"),
        (URL, "", "Enter the name"),
        (URL, KEY, "never the key itself"),
        (URL, "gsk_0aBcD", "never the key itself"),
    ],
)
def test_what_cannot_be_stored_is_explained_and_keeps_the_dialog_open(opened, qtbot, url, variable, problem):
    dialog = opened()
    pane = dialog.servers
    add(qtbot, pane, url)
    choose_key(pane, "variable")
    qtbot.keyClicks(pane.variable_edit, variable)
    dialog.show_leaf("look")
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert pane.isVisible()
    assert problem in pane.problem_label.text()
    assert not variable or variable not in pane.problem_label.text()
    assert allowed_names().listed()[NameKind.SERVER] == ()
    dialog.reject()


def test_a_key_goes_into_the_keyring_and_nowhere_else(opened, qtbot, monkeypatch):
    stored = []
    monkeypatch.setattr("keyring.set_password", lambda *entry: stored.append(entry))
    dialog = opened()
    pane = dialog.servers
    add(qtbot, pane)
    choose_key(pane, "keyring")
    assert pane.secret_edit.isVisible()
    assert pane.secret_edit.echoMode() is QLineEdit.EchoMode.Password
    qtbot.keyClicks(pane.secret_edit, KEY)
    model = pane.table.model()
    assert not any(KEY in str(model.index(0, column).data()) for column in range(model.columnCount()))
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert stored == [("pyramidion", URL, KEY)]
    assert chat_accounts().of(URL).key == "keyring"
    dialog = opened()
    assert dialog.servers.secret_edit.text() == ""
    dialog.reject()


def test_the_same_address_twice_is_refused(opened, qtbot):
    dialog = opened()
    for _ in range(2):
        add(qtbot, dialog.servers)
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert "twice" in dialog.servers.problem_label.text()
    dialog.reject()


def test_an_empty_row_and_another_one_that_is_shown_stay_apart(opened, qtbot):
    dialog = opened()
    pane = dialog.servers
    add(qtbot, pane)
    add(qtbot, pane, "https://other.invalid/v1")
    pane.table.choose(lambda row: row.url == URL)
    assert pane.url_edit.text() == URL
    qtbot.mouseClick(pane.add_button, Qt.MouseButton.LeftButton)
    assert pane.url_edit.text() == ""
    qtbot.mouseClick(dialog.accept_button, Qt.MouseButton.LeftButton)
    assert set(allowed_names().listed()[NameKind.SERVER]) == {URL, "https://other.invalid/v1"}


def test_a_damaged_list_is_named_and_left_as_it_is(controller, tmp_path, monkeypatch):
    (tmp_path / "chat_servers.json").write_text("{")
    broken = chat_accounts.__wrapped__()
    broken.use_folder(tmp_path)
    monkeypatch.setattr("core.models.chat_accounts.chat_accounts", lambda: broken)
    controller.appearance.ask()
    dialog = controller.dialog
    assert "cannot be read" in dialog.servers.problem_label.text()
    assert not dialog.servers.add_button.isEnabled()
    dialog.accept()
    assert not dialog.isVisible()
    assert (tmp_path / "chat_servers.json").read_text() == "{"
