"""The window with a study on a server: opening it, edits of others, a lost connection."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QLabel

from core.domain import pyramid
from core.errors import StudyLost
from gui.shell.dialogs import ServerDialog
from gui.shell.welcome import WelcomeView
from gui.widgets.dialog import MessageDialog
from storage.database.server import passwords
from storage.study_file import new_study, open_study
from tests.conftest import small
from tests.gui.program import Program
from tests.storage.conftest import open_editor

pytestmark = pytest.mark.slow

SECRET = "hunter2"


@pytest.fixture
def make_program(qapp, qtbot, tmp_path):
    """Start windows with settings of their own; they are closed at the end."""
    made = []

    def make() -> Program:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps({"annotator": "Ann"}), "utf-8")
        made.append(Program(qapp, qtbot, folder))
        return made[-1]

    yield make
    for program in made:
        program.controller.close()


class TestDialog:
    @pytest.fixture
    def ask(self, controller, qtbot):
        def ask() -> ServerDialog:
            controller.commands.action("study.open_server").trigger()
            assert isinstance(controller.dialog, ServerDialog)
            qtbot.waitUntil(controller.dialog.isVisible)
            return controller.dialog

        return ask

    @pytest.fixture
    def locked(self, postgres, server_address, monkeypatch):
        """The address of a user who needs a password that is stored nowhere."""
        monkeypatch.setattr("keyring.get_password", lambda *name: None)
        address = postgres.user(
            server_address,
            "locked_in_window",
            f"ALTER ROLE locked_in_window PASSWORD '{SECRET}'",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked_in_window",
        )
        with postgres.password_required("locked_in_window"):
            yield address
        passwords.remember_password(address, "")

    def test_a_study_is_opened_by_its_url_and_listed_as_recent(self, controller, qtbot, ask, server_address):
        dialog = ask()
        assert not dialog.accept_button.isEnabled()
        dialog.url_edit.setText(str(server_address).partition("://")[2])
        dialog.accept_button.click()
        qtbot.waitUntil(lambda: controller.context is not None)
        assert controller.context.study.path == server_address
        assert controller.window.status.file_label.text() == server_address.name
        assert controller.settings.now.recent == (str(server_address),)
        controller.show_welcome()
        welcome = controller.window.stack.currentWidget()
        assert isinstance(welcome, WelcomeView)
        welcome.recent_buttons[0].click()
        qtbot.waitUntil(lambda: controller.context is not None)
        assert ask().url_edit.text() == str(server_address)

    def test_a_study_is_created_in_an_empty_database_only(self, controller, qtbot, ask, postgres):
        address = postgres.create_database()
        dialog = ask()
        dialog.url_edit.setText(str(address))
        dialog.new_box.click()
        assert dialog.accept_button.text() == "Create"
        dialog.accept_button.click()
        qtbot.waitUntil(lambda: controller.context is not None)
        assert controller.context.study.path == address
        assert not controller.context.study.texts.topics()
        dialog = ask()
        dialog.new_box.click()
        dialog.accept_button.click()
        qtbot.waitUntil(lambda: isinstance(controller.dialog, MessageDialog))
        sentences = " ".join(label.text() for label in controller.dialog.findChildren(QLabel))
        assert "contains a study already" in sentences
        assert controller.context is not None

    def test_the_start_page_offers_it(self, controller):
        welcome = controller.window.stack.currentWidget()
        assert isinstance(welcome, WelcomeView)
        welcome.server_button.click()
        assert isinstance(controller.dialog, ServerDialog)

    @pytest.mark.parametrize(
        "url", ["postgresql://ko:hunter2@host/study", "ko:hunter2@host/study", "https://host/study", "host"]
    )
    def test_a_wrong_url_is_refused_in_the_dialog_without_repeating_a_password(self, ask, url):
        dialog = ask()
        dialog.url_edit.setText(url)
        dialog.accept_button.click()
        assert dialog.isVisible()
        assert dialog.problem_label.isVisible()
        assert SECRET not in dialog.problem_label.text()
        dialog.reject()

    @pytest.mark.parametrize("is_stored", [True, False])
    def test_an_entered_password_is_used_and_stored_only_in_the_keyring(
        self, controller, qtbot, ask, locked, tmp_path, monkeypatch, caplog, is_stored
    ):
        stored = []
        monkeypatch.setattr("keyring.set_password", lambda *entry: stored.append(entry))
        caplog.set_level("DEBUG")
        controller.open_path(locked)
        qtbot.waitUntil(lambda: controller.dialog is not None)
        controller.dialog.remedy_button.click()
        dialog = controller.dialog
        assert isinstance(dialog, ServerDialog)
        assert dialog.url_edit.text() == str(locked)
        dialog.password_edit.setText(SECRET)
        dialog.store_box.setChecked(is_stored)
        dialog.accept_button.click()
        qtbot.waitUntil(lambda: controller.context is not None)
        assert stored == ([("pyramidion", f"{locked.user}@{locked.host}/{locked.name}", SECRET)] * is_stored)
        assert SECRET not in caplog.text
        written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
        assert written
        assert not any(SECRET.encode() in content for content in written)

    def test_a_wrong_password_is_not_kept(self, controller, qtbot, ask, locked):
        dialog = ask()
        dialog.url_edit.setText(str(locked))
        dialog.password_edit.setText("wrong-secret")
        dialog.accept_button.click()
        qtbot.waitUntil(lambda: isinstance(controller.dialog, MessageDialog))
        sentences = " ".join(label.text() for label in controller.dialog.findChildren(QLabel))
        assert "password authentication failed" in sentences
        assert "wrong-secret" not in sentences
        assert passwords.remembered_password(locked) == ""


def test_every_page_works_on_a_server(make_program, server_address):
    program = make_program()
    program.open(server_address)
    for key in program.window.page_keys:
        program.show(key)
        program.settle()
    assert program.message() == ""
    assert not program.window.notice.isVisible()
    program.controller.commands.action("study.restore").trigger()
    assert "pg_restore" in program.message()


class TestOthers:
    def test_two_windows_on_one_topic_show_each_others_edits(self, make_program, server_address):
        first, second = make_program(), make_program()
        for program in (first, second):
            program.open(server_address)
            program.show("pyramids")
        first.activate()
        first.make_scu(0, 9)
        second.wait(lambda: len(second.labels()) == 1)
        second.activate()
        second.make_scu(10, 15)
        first.wait(lambda: len(first.labels()) == 2)
        assert sorted(first.labels()) == sorted(second.labels())
        first.controller.commands.action("edit.undo").trigger()  # both are the same annotator
        first.settle()
        second.wait(lambda: len(second.labels()) == 1)

    def test_killed_connections_are_not_noticed(self, make_program, postgres, server_address):
        program = make_program()
        program.open(server_address)
        for number in range(3):
            assert postgres.kill_connections(server_address.name)
            program.make_scu(10 * number, 10 * number + 5)
            program.settle()
        assert not program.window.notice.isVisible()
        assert program.message() == ""
        with open_study(server_address) as study:
            assert len(own_scus(study)) == 3

    def test_pages_are_read_again_after_a_read_whose_connection_was_killed(
        self, make_program, server_address, qtbot, monkeypatch
    ):
        program = make_program()
        program.open(server_address)
        program.show("pyramids")
        program.controller.failures.install()
        program.settle()
        study, due = program.context.study, []
        read = study.texts.topic

        def killed(topic_id):
            if not due:
                return read(topic_id)
            due.pop()
            raise StudyLost("The server cannot be used: terminating connection.", "", may_return=True)

        monkeypatch.setattr(study.texts, "topic", killed)
        with open_study(server_address) as other:
            editor = open_editor(other)
            editor.apply(lambda a: pyramid.add_scu(a, "ban", editor.topic.references[0].id, [(0, 9)]))
            due.append(True)
        program.wait(lambda: program.labels() == ["ban"])
        assert not due


class TestLostConnection:
    @pytest.fixture
    def program(self, make_program, server_of_this_test):
        """A window on the small study of a server that the test may stop."""
        address = server_of_this_test.create_database()
        with new_study(address, name="Small") as study:
            study.import_data(small())
        program = make_program()
        program.open(address)
        program.controller.failures.install()  # errors are shown as to users
        program.make_scu(0, 9)
        program.settle()
        return program

    def test_edits_wait_for_the_server_and_are_stored_when_it_is_back(self, program, server_of_this_test):
        notice = program.window.notice
        server_of_this_test.stop()
        program.wait(lambda: "Not connected to the server" in notice.text_label.text())
        program.make_scu(10, 15)
        program.wait(lambda: "1 edit is waiting" in notice.text_label.text())
        program.make_scu(16, 22)
        program.wait(lambda: "2 edits are waiting" in notice.text_label.text())
        assert len(program.labels()) == 3
        assert program.message() == "", "no dialog interrupts the work"
        server_of_this_test.start()
        program.wait(lambda: not notice.isVisible())
        assert program.window.status.sentence_label.text() == "Connected to the server again."
        program.settle()
        assert len(program.labels()) == 3
        with open_study(program.context.study.path) as study:
            assert sorted(own_scus(study)) == sorted(program.labels())

    def test_what_cannot_be_read_meanwhile_is_reported(self, program, server_of_this_test):
        server_of_this_test.stop()
        program.wait(program.window.notice.isVisible)
        program.controller.commands.action("view.ratings").trigger()
        program.wait(lambda: "Not connected" in program.window.status.sentence_label.text())
        assert program.message() == ""
        server_of_this_test.start()
        program.wait(lambda: not program.window.notice.isVisible())

    @pytest.mark.parametrize("command", ["study.close", "app.quit"])
    def test_closing_offers_to_wait_and_reports_what_was_not_saved(
        self, program, server_of_this_test, server_address, command
    ):
        server_of_this_test.stop()
        program.wait(program.window.notice.isVisible)
        program.make_scu(10, 15)
        program.wait(lambda: "1 edit is waiting" in program.window.notice.text_label.text())
        program.controller.commands.action(command).trigger()
        assert "Edits are not saved yet" in program.message()
        assert "1 edit is waiting" in program.message()
        program.dismiss()
        assert program.window.isVisible()
        assert len(program.labels()) == 2
        program.controller.open_path(server_address)
        program.wait(lambda: f"{server_address.name} was not opened" in program.message())
        program.dismiss()
        program.controller.commands.action(command).trigger()
        program.controller.dialog.remedy_button.click()
        program.wait(lambda: "1 edit of" in program.message())
        assert "could not be saved" in program.message()
        assert program.controller.context is None


def own_scus(study):
    """The labels of the SCUs of everybody in the first topic."""
    topic = study.texts.topics()[0].id
    owners = [person.id for person in study.annotators.all()]
    return [scu.label for owner in owners for scu in study.pyramids.annotation(topic, owner).pyramid.scus]
