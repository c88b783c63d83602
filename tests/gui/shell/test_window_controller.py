"""The window as a whole: studies opened and closed, imports, annotators, settings."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog

from core.domain import pyramid
from core.files.preferences import PreferencesFile
from gui.app import PAGES
from gui.commands import definitions
from gui.dialogs.import_data.presenter import ImportPresenter
from gui.dialogs.import_data.view import ImportDialog
from gui.pages.ratings import presenter as ratings
from gui.session.annotation_session import annotation_session
from gui.shell import dialogs
from gui.shell.help.help_window import HelpWindow
from gui.shell.main_window import CommandPalette
from gui.shell.study_opener import user_name
from gui.shell.welcome import WelcomeView
from gui.style import theme
from gui.widgets.dialog import MessageDialog
from gui.widgets.label import Keycap
from gui.widgets.page import Page
from storage.study_file import open_study
from tests.core.annotation.test_reserved_names import RESERVED
from tests.gui.every_dialog import is_closed


@pytest.fixture
def window(controller):
    return controller.window


@pytest.fixture
def path(study) -> Path:
    """A closed study's file."""
    study.flush()
    return study.path


def opened(controller, qtbot, path: Path):
    controller.open_path(path)
    qtbot.waitUntil(lambda: isinstance(controller.window.stack.currentWidget(), Page))
    return controller.context


def dialog_of(controller, kind: type[QDialog]) -> QDialog:
    assert isinstance(controller.dialog, kind)
    return controller.dialog


def test_without_a_study_the_window_offers_ways_to_one(controller, window) -> None:
    assert isinstance(window.stack.currentWidget(), WelcomeView)
    assert not window.rail.isVisible()
    assert not controller.commands.action("view.texts").isEnabled()
    assert controller.commands.action("study.open").isEnabled()


def test_a_study_opens_on_its_overview_and_is_remembered(controller, window, qtbot, path, tmp_path) -> None:
    opened(controller, qtbot, path)
    assert window.page_key == "overview"
    assert window.rail.isVisible()
    assert window.status.file_label.text() == path.name
    assert controller.settings.now.recent == (str(path),)


def test_pages_are_built_when_they_are_first_shown_and_kept(controller, window, qtbot, path) -> None:
    opened(controller, qtbot, path)
    assert window.stack.count() == 1
    controller.window.show_page("texts")
    texts = window.stack.currentWidget()
    assert window.page_key == "texts"
    window.show_page("overview")
    window.show_page("texts")
    assert window.stack.currentWidget() is texts
    assert window.stack.count() == 2


def test_a_file_that_is_no_study_is_refused_with_a_sentence(controller, qtbot, tmp_path) -> None:
    wrong = tmp_path / "wrong.pyramidion"
    wrong.write_text("not a study", "utf-8")
    controller.open_path(wrong)
    qtbot.waitUntil(lambda: controller.dialog is not None)
    statement = dialog_of(controller, MessageDialog)
    assert statement.windowTitle() == "This did not work"
    assert controller.context is None


def test_closing_a_study_lets_go_of_its_file(controller, window, qtbot, path) -> None:
    context = opened(controller, qtbot, path)
    controller.commands.action("study.close").trigger()
    assert controller.context is None
    assert isinstance(window.stack.currentWidget(), WelcomeView)
    with pytest.raises(Exception, match=r".+"):
        context.study.settings.save("a", "b").result(timeout=600)


def test_closing_a_study_shows_none_of_its_other_pages(controller, window, qtbot, path) -> None:
    window.show()
    opened(controller, qtbot, path)
    shown = []
    for key in ("overview", "texts"):
        window.show_page(key)
        window.stack.currentWidget().shown.connect(lambda key=key: shown.append(key))
    controller.show_welcome()
    assert shown == [], "a page that is shown reads the study, which is being closed"


def test_a_recent_study_is_offered_and_opens(controller, window, qtbot, path) -> None:
    opened(controller, qtbot, path)
    controller.show_welcome()
    welcome = window.stack.currentWidget()
    assert isinstance(welcome, WelcomeView)
    welcome.recent_chosen.emit(str(path))
    qtbot.waitUntil(lambda: controller.context is not None)


def test_the_sample_study_is_made_and_opened(controller, window, qtbot, tmp_path, monkeypatch) -> None:
    target = tmp_path / "sample.pyramidion"
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: target)
    welcome = window.stack.currentWidget()
    qtbot.mouseClick(welcome.sample_button, Qt.MouseButton.LeftButton)
    assert not welcome.sample_button.isEnabled()
    assert welcome.sample_bar.isVisibleTo(welcome)
    qtbot.waitUntil(lambda: "Importing texts" in welcome.sample_state.text())
    qtbot.waitUntil(lambda: controller.context is not None)
    assert len(controller.context.study.texts.topics()) == 8
    assert controller.context.annotator.name == "Annotator A"
    qtbot.waitUntil(lambda: window.tour.isVisibleTo(window))


def test_a_sample_that_cannot_be_made_is_offered_again(
    controller, window, qtbot, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda *_: tmp_path / "no" / "sample.pyramidion")
    welcome = window.stack.currentWidget()
    qtbot.mouseClick(welcome.sample_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(controller.dialog, MessageDialog))
    qtbot.waitUntil(welcome.sample_button.isEnabled)
    assert not welcome.sample_bar.isVisibleTo(welcome)


def test_the_title_names_the_file_of_a_copy(controller, window, qtbot, small_file, tmp_path) -> None:
    names = "small.pyramidion", "lee.pyramidion"
    path, copy = (Path(shutil.copy(small_file, tmp_path / name)) for name in names)
    opened(controller, qtbot, path)
    assert window.windowTitle() == "Small – Pyramidion"
    controller.open_path(copy)
    qtbot.waitUntil(lambda: controller.context.study.path == copy)
    assert window.windowTitle() == "Small (lee) – Pyramidion"


def test_an_import_previews_then_writes_and_shows_what_came(
    controller, window, qtbot, path, tmp_path
) -> None:
    context = opened(controller, qtbot, path)
    window.show_page("texts")
    table = tmp_path / "more.csv"
    table.write_text("topic,system,text,colour\nD9,lead,One.,red\nD9,other,Two.,blue\n", "utf-8")
    controller.ask_import()
    dialog = dialog_of(controller, ImportDialog)
    dialog.findChild(ImportPresenter).choose(table)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.chosen_format == "table"
    counts = dialog.preview.counts
    assert (counts["topics"], counts["summaries"]) == ("1", "2 by 2 systems")
    assert len(context.study.texts.topics()) == 2, "a preview writes nothing"
    dialog.accept_button.click()
    qtbot.waitUntil(lambda: len(context.study.texts.topics()) == 3)
    qtbot.waitUntil(lambda: is_closed(dialog))
    assert window.page_key == "overview"
    came, *left_out = window.stack.currentWidget().import_notice.text_label.text().splitlines()
    assert "1 topic" in came
    assert any("colour" in line for line in left_out)


def test_columns_with_other_names_can_be_mapped(controller, qtbot, path, tmp_path) -> None:
    opened(controller, qtbot, path)
    table = tmp_path / "other.tsv"
    table.write_text("item\tsystem\tsummary\nD9\tlead\tOne.\n", "utf-8")
    controller.ask_import()
    dialog = dialog_of(controller, ImportDialog)
    dialog.findChild(ImportPresenter).choose(table)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.chosen_format == "columns"
    dialog.format_box.setCurrentIndex(dialog.format_box.findData("table"))
    dialog.format_box.activated.emit(0)
    qtbot.waitUntil(dialog.problems.isVisible)
    for ours, theirs in (("topic", "item"), ("text", "summary")):
        box = dialog.columns.role_box(theirs)
        box.setCurrentIndex(box.findData(ours))
        box.activated.emit(0)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.mapping == {"topic": "item", "text": "summary"}


def test_a_bad_row_is_named_and_nothing_can_be_imported(controller, qtbot, path, tmp_path) -> None:
    opened(controller, qtbot, path)
    table = tmp_path / "bad.csv"
    table.write_text("topic,system,text\nD9,lead,One.\n,lead,Two.\n", "utf-8")
    controller.ask_import()
    dialog = dialog_of(controller, ImportDialog)
    dialog.findChild(ImportPresenter).choose(table)
    qtbot.waitUntil(dialog.problems.isVisible)
    assert "line 3" in dialog.problems.toPlainText()
    assert not dialog.accept_button.isEnabled()


def test_another_annotator_gets_pages_of_their_own_and_is_remembered(controller, qtbot, path) -> None:
    first = opened(controller, qtbot, path)
    controller.ask_annotator()
    dialog = dialog_of(controller, dialogs.AnnotatorDialog)
    dialog.name_box.setCurrentText("Cleo")
    dialog.accept()
    qtbot.waitUntil(lambda: controller.context is not first)
    assert controller.context.annotator.name == "Cleo"
    assert controller.settings.now.annotator_of(path) == "Cleo"


@pytest.mark.parametrize("name", ["crowd-1", "root", "crowd-10", "new", "Root"])
def test_enter_takes_the_name_that_is_shown(qtbot, name) -> None:
    """Qt's editable box falls back to another of its names on Enter."""
    for is_typed in (False, True):
        dialog = dialogs.AnnotatorDialog(
            ["crowd-1", "crowd-10", "expert-1", "root"], "expert-1" if is_typed else name
        )
        qtbot.addWidget(dialog)
        dialog.show()
        if is_typed:
            dialog.name_box.lineEdit().selectAll()
            qtbot.keyClicks(dialog.name_box, name)
        with qtbot.waitSignal(dialog.accepted):
            qtbot.keyClick(dialog.name_box, Qt.Key.Key_Return)
        assert dialog.name == name


def test_an_annotator_needs_a_name(controller, qtbot, path) -> None:
    opened(controller, qtbot, path)
    controller.ask_annotator()
    dialog = dialog_of(controller, dialogs.AnnotatorDialog)
    dialog.name_box.setCurrentText("  ")
    assert not dialog.accept_button.isEnabled()


def test_settings_apply_at_once_and_are_kept(controller, qapp) -> None:
    controller.appearance.ask()
    dialog = dialog_of(controller, dialogs.SettingsDialog)
    dialog.scheme.choose("dark")
    dialog.size_box.setCurrentIndex(dialog.size_box.findData(125))
    dialog.accept()
    assert theme.tokens() is theme.DARK
    assert (controller.settings.now.theme, controller.settings.now.text_percent) == ("dark", 125)


def test_a_narrow_window_shows_drawings_alone(controller, window, qtbot, path) -> None:
    opened(controller, qtbot, path)
    wide = window.rail.width()
    window.resize(1000, 700)
    qtbot.waitUntil(lambda: window.rail.width() < wide)
    button = window.rail.button("texts")
    assert button.is_narrow
    assert button.toolTip() == "Texts"


def test_edits_made_elsewhere_reach_the_rail(controller, window, qtbot, path) -> None:
    from core.domain import pyramid

    context = opened(controller, qtbot, path)
    qtbot.waitUntil(lambda: window.rail.button("texts").progress == "")
    with open_study(path) as other:
        topic = other.texts.topic(other.texts.topics()[0].id)
        before = other.pyramids.annotation(topic.id, context.annotator.id)
        after = pyramid.add_scu(before, "x", topic.references[0].id, [(0, 3)])
        with qtbot.waitSignal(controller.progress_counts.counted, check_params_cb=done_one):
            other.pyramids.commit(
                before, pyramid.mark_pyramid_done(after, True), "new SCU", context.annotator.id
            ).result()


def done_one(counts: dict[str, str]) -> bool:
    return counts["pyramids"] == "1/2"


def test_ctrl_k_opens_the_palette_with_what_can_be_chosen(controller, window, qtbot, path) -> None:
    opened(controller, qtbot, path)
    window.activateWindow()
    page = window.stack.currentWidget()
    qtbot.waitUntil(page.hasFocus)
    qtbot.keyClick(page, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.findChild(CommandPalette)
    qtbot.keyClicks(palette.field, "texts")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.page_key == "texts"


def test_help_opens_at_the_keys_from_their_overlay(controller, qtbot) -> None:
    controller.commands.action("help.keys").trigger()
    overlay = controller.help_windows.overlay
    overlay.help_button.click()
    assert not overlay.isVisible()
    assert isinstance(controller.help_windows.window, HelpWindow)
    title = controller.help_windows.window.reading.title_label
    qtbot.waitUntil(lambda: title.text() == "Keys")
    assert "Ctrl+K" in controller.help_windows.window.browser.toPlainText()


def test_a_key_chosen_in_the_settings_works_at_once_and_is_kept(controller, window, qtbot, path) -> None:
    opened(controller, qtbot, path)
    controller.window.show_page("texts")
    controller.commands.action("help.keys").trigger()
    controller.help_windows.overlay.change_button.click()
    dialog = dialog_of(controller, dialogs.SettingsDialog)
    dialog.keys.choose("edit.find")
    assert dialog.keys.give("F8")
    dialog.accept()
    assert controller.commands.key("edit.find") == "F8"
    assert ("edit.find", "F8") in controller.settings.now.keys
    caps = [cap.text() for cap in window.stack.currentWidget().hints.findChildren(Keycap)]
    assert "F8" in caps


def test_larger_text_is_of_the_texts_to_read_where_a_page_has_some(controller, qtbot, path) -> None:
    opened(controller, qtbot, path)
    controller.window.show_page("texts")
    controller.commands.action("view.larger").trigger()
    assert (controller.settings.now.reading_percent, controller.settings.now.text_percent) == (110, 100)
    controller.commands.action("view.line_75").trigger()
    assert controller.settings.now.line_width == 75
    for _ in range(2):
        controller.commands.action("view.line_75").trigger()
    ticked = [n for n in (0, 60, 75, 90) if controller.commands.action(f"view.line_{n}").isChecked()]
    assert ticked == [75], "choosing it again leaves it chosen"
    controller.commands.action("view.usual").trigger()
    assert controller.settings.now.reading_percent == 100
    controller.commands.action("view.overview").trigger()
    controller.commands.action("view.larger").trigger()
    assert (controller.settings.now.reading_percent, controller.settings.now.text_percent) == (100, 110)


def test_the_window_comes_back_where_it_was(controller, window, qtbot) -> None:
    window.resize(900, 700)
    controller.close()
    kept = controller.settings.now.geometry
    window.resize(950, 620)
    window.restore(kept)
    assert (window.width(), window.height()) == (900, 700)


def test_every_page_and_tab_has_a_name_and_a_command(controller) -> None:
    assert [spec.key for spec in PAGES] == [name.key for name in definitions.PAGES]
    assert len(definitions.TABS) == 9
    for page, names in definitions.TABS.items():
        assert controller.commands.action(f"view.{page}")
        for name in names:
            assert bool(name.tab) == (len(names) > 1)
            assert not name.tab or controller.commands.action(f"tab.{name.key}").text() == name.full_title


def test_a_study_is_reopened_on_the_page_and_topic_that_were_last_in_front(
    controller, window, qtbot, path
) -> None:
    context = opened(controller, qtbot, path)
    second = context.study.texts.topics()[1].id
    window.show_page("texts")
    context.selection.select(topic_id=second)
    controller.show_welcome()
    context = opened(controller, qtbot, path)
    assert (window.page_key, context.selection.topic_id) == ("texts", second)
    assert PreferencesFile(controller.settings.path).now.place_in(path) == ("texts", second), (
        "it survives the program"
    )


def test_the_place_is_stored_while_the_program_runs(controller, window, qtbot, path) -> None:
    context = opened(controller, qtbot, path)
    window.show_page("texts")
    context.selection.select(topic_id=context.study.texts.topics()[1].id)
    place = ("texts", context.study.texts.topics()[1].id)
    qtbot.waitUntil(lambda: controller.settings.now.place_in(path) == place)


def test_a_place_that_is_no_longer_there_is_no_place_to_begin(controller, window, qtbot, path) -> None:
    controller.settings.save(controller.settings.now.with_place(path, "poems", "gone"))
    context = opened(controller, qtbot, path)
    assert window.page_key == "overview"
    assert context.selection.topic_id in {"", *(head.id for head in context.study.texts.topics())}


def test_recent_studies_are_in_the_study_menu_and_before_the_sample_on_the_start_page(
    controller, window, qtbot, path
) -> None:
    assert window.stack.currentWidget().sample_button.property("kind") == "primary"
    opened(controller, qtbot, path)
    controller.show_welcome()
    welcome = window.stack.currentWidget()
    assert [button.text() for button in welcome.recent_buttons] == [path.stem]
    top, sample = (
        button.mapTo(welcome, button.rect().topLeft()).y()
        for button in (welcome.recent_buttons[0], welcome.sample_button)
    )
    assert top < sample
    assert welcome.sample_button.property("kind") == "plain"
    controller.recent_menu.aboutToShow.emit()
    (action,) = controller.recent_menu.actions()
    assert action.text().startswith(path.stem)
    action.trigger()
    qtbot.waitUntil(lambda: controller.context is not None)


def test_the_annotator_in_the_header_can_be_pressed_and_typed_over(controller, window, qtbot, path) -> None:
    context = opened(controller, qtbot, path)
    button = window.status.annotator_button
    assert button.text().strip() == context.annotator.name
    button.click()
    dialog = dialog_of(controller, dialogs.AnnotatorDialog)
    field = dialog.name_box.lineEdit()
    assert (field.selectedText(), dialog.focusWidget()) == (context.annotator.name, dialog.name_box)
    qtbot.keyClicks(field, "Cem")
    qtbot.keyClick(dialog.name_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: controller.context is not None and controller.context.annotator.name == "Cem")


class TestANewUser:
    @pytest.fixture
    def answers(self, monkeypatch):
        """What is typed into the dialog, None = Escape; and how often it was asked."""
        answers: list[str | None] = []
        asked: list[str] = []

        def answer(dialog) -> int:
            asked.append(dialog.name)
            answer = answers.pop(0)
            dialog.name_box.setCurrentText(answer or "")
            return 0 if answer is None else 1

        monkeypatch.setattr(dialogs.AnnotatorDialog, "exec", answer)
        return answers, asked

    def test_is_asked_once_before_the_first_edit(self, controller, qtbot, path, answers) -> None:
        given, asked = answers
        context = opened(controller, qtbot, path)
        me = context.annotator.name
        given.append(me)
        assert context.may_edit()
        assert context.may_edit()
        assert asked == [me]
        controller.show_welcome()
        assert opened(controller, qtbot, path).may_edit()
        assert asked == [me], "nor the next time"

    def test_is_not_offered_the_name_of_the_last_editor(
        self, controller, qtbot, tmp_path, sample_file, answers
    ):
        given, asked = answers
        context = opened(controller, qtbot, Path(shutil.copy(sample_file, tmp_path / "theirs.pyramidion")))
        assert context.annotator.name == "Annotator A"
        given.append(None)
        assert not context.may_edit()
        assert asked == [user_name("")] != ["Annotator A"]

    def test_is_asked_before_the_edits_of_others_are_undone(
        self, controller, window, qtbot, tmp_path, sample_file, answers
    ):
        given, asked = answers
        context = opened(controller, qtbot, Path(shutil.copy(sample_file, tmp_path / "theirs.pyramidion")))
        assert context.annotator.name == "Annotator A"
        number = len(context.study.edits.history(limit=10_000, moves=True))
        undo = controller.commands.action("edit.undo")
        qtbot.waitUntil(undo.isEnabled)
        given += [None, "Cem"]
        undo.trigger()
        assert len(asked) == 1
        undo.trigger()
        qtbot.waitUntil(lambda: "Nothing was undone." in window.status.sentence_label.text())
        assert controller.context.annotator.name == "Cem"
        assert len(controller.context.study.edits.history(limit=10_000, moves=True)) == number

    def test_a_new_annotator_is_informed_about_empty_annotations(self, qtbot):
        dialog = dialogs.AnnotatorDialog(["Ann", "Ben"], "Ann")
        qtbot.addWidget(dialog)
        assert not dialog.new_label.isVisibleTo(dialog)
        dialog.name_box.setCurrentText("Cem")
        assert "Cem is new in this study" in dialog.new_label.text()
        assert "choose Ann, Ben." in dialog.new_label.text()
        assert dialog.new_label.isVisibleTo(dialog)

    @pytest.mark.parametrize("name", RESERVED)
    def test_nobody_can_work_under_the_name_of_a_result(self, qtbot, name):
        dialog = dialogs.AnnotatorDialog(["Ann", "Ben"], "Ann")
        qtbot.addWidget(dialog)
        dialog.name_box.setCurrentText(name)
        assert "the name of a result" in dialog.new_label.text()
        assert dialog.new_label.isVisibleTo(dialog)
        assert not dialog.accept_button.isEnabled()

    def test_is_offered_the_name_of_last_time_and_those_of_the_study(
        self, controller, qtbot, path, tmp_path, sample_file, answers
    ):
        given, asked = answers
        context = opened(controller, qtbot, path)
        given.append("Cem")
        context.may_edit()
        qtbot.waitUntil(lambda: controller.context is not None and controller.context.annotator.name == "Cem")
        theirs = Path(shutil.copy(sample_file, tmp_path / "theirs.pyramidion"))
        controller.open_path(theirs)
        qtbot.waitUntil(lambda: controller.context is not None and controller.context.study.path == theirs)
        given.append(None)
        controller.may_edit()
        assert asked[-1] == "Cem"
        controller.ask_annotator()
        box = dialog_of(controller, dialogs.AnnotatorDialog).name_box
        assert "Annotator A" in [box.itemText(place) for place in range(box.count())]

    def test_who_cancels_changes_nothing(self, controller, window, qtbot, path, answers) -> None:
        given, _ = answers
        context = opened(controller, qtbot, path)
        given.append(None)
        assert not context.may_edit()
        assert "Nothing was changed" in window.status.sentence_label.text()

    def test_who_takes_another_name_gets_their_own_pages_first(
        self, controller, qtbot, path, answers
    ) -> None:
        given, _ = answers
        context = opened(controller, qtbot, path)
        given.append("Cem")
        assert not context.may_edit()
        qtbot.waitUntil(lambda: controller.context is not context and controller.context is not None)
        assert controller.context.annotator.name == "Cem"
        assert controller.context.may_edit()

    def test_an_edit_made_before_another_name_is_given_is_made_under_that_name(
        self, controller, window, qtbot, path, answers
    ) -> None:
        given, _ = answers
        context = opened(controller, qtbot, path)
        study, before = context.study, context.annotator
        topic = study.texts.topic(study.texts.topics()[0].id)
        theirs = study.pyramids.annotation(topic.id, before.id)
        front = annotation_session(context)
        front.open(topic.id)
        given.append("Cem")
        spans, reference = [(0, 5)], topic.references[0]
        assert not front.edit(lambda a: pyramid.add_scu(a, "made first", reference.id, spans), "new SCU")
        qtbot.waitUntil(lambda: controller.context is not context and controller.context is not None)
        study, cem = controller.context.study, controller.context.annotator
        qtbot.waitUntil(lambda: len(study.pyramids.annotation(topic.id, cem.id).pyramid.scus) == 1)
        (scu,) = study.pyramids.annotation(topic.id, cem.id).pyramid.scus
        assert (scu.label, scu.contributors[0].parts[0].span) == ("made first", (0, 5))
        assert study.pyramids.annotation(topic.id, before.id) == theirs, (
            "the other annotator's pyramid is as it was"
        )
        assert controller.context.selection.scu_id == scu.id
        assert "The edit was made as yours" in window.status.sentence_label.text()

    def test_a_rating_given_before_another_name_is_that_annotators(
        self, controller, qtbot, path, answers
    ) -> None:
        given, _ = answers
        context = opened(controller, qtbot, path)
        scale = context.study.ratings.add_dimension("relevance")
        page, _ = ratings.build(context)
        qtbot.addWidget(page)
        page.show()
        qtbot.waitUntil(lambda: bool(context.selection.summary_id))
        summary_id, topic_id = context.selection.summary_id, context.selection.topic_id
        given.append("Cem")
        page.scales[0].rated.emit(scale.id, 4.0)
        qtbot.waitUntil(lambda: controller.context is not context and controller.context is not None)
        context = controller.context
        qtbot.waitUntil(lambda: bool(context.study.ratings.of_topic(topic_id)))
        (rating,) = context.study.ratings.of_topic(topic_id)
        assert (rating.summary_id, rating.value) == (summary_id, 4.0)
        assert (rating.annotator_id, context.annotator.name) == (context.annotator.id, "Cem")
        assert context.selection.summary_id == summary_id


def test_an_edit_and_a_selection_of_words_clear_the_sentence_of_before(
    controller, window, qtbot, path
) -> None:
    context = opened(controller, qtbot, path)
    controller.show_message("You annotate as this person.")
    controller.ask_annotator()
    dialog_of(controller, dialogs.AnnotatorDialog).accept()
    assert window.status.sentence_label.text()
    context.may_edit()
    assert not window.status.sentence_label.text()
    window.show_page("texts")
    controller.show_message("Select some words first.")
    reading = window.stack.currentWidget().reading
    qtbot.waitUntil(lambda: bool(reading.toPlainText()))
    assert window.status.sentence_label.text()
    reading.select_spans([(0, 5)])
    assert not window.status.sentence_label.text()


def drop(window, *paths: Path) -> bool:
    """Drop files on the window; whether it takes them."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), Qt.DropAction.CopyAction, mime, buttons, keys)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        event = QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, mime, buttons, keys)
        QApplication.sendEvent(window, event)
    return enter.isAccepted()


def test_a_study_dropped_on_the_window_opens(controller, window, qtbot, path) -> None:
    assert drop(window, path)
    qtbot.waitUntil(lambda: controller.context is not None)
    assert not drop(window), "what is no file is not taken"


def test_of_several_dropped_files_none_is_taken_silently_for_all(
    controller, window, qtbot, path, tmp_path
) -> None:
    opened(controller, qtbot, path)
    before = controller.dialog
    assert drop(window, tmp_path / "a.csv", tmp_path / "b.csv")
    assert "Drop one file" in window.status.sentence_label.text()
    assert controller.dialog is before


def test_another_file_dropped_on_the_window_goes_to_import(controller, window, qtbot, path, tmp_path) -> None:
    opened(controller, qtbot, path)
    table = tmp_path / "more.csv"
    table.write_text("topic,system,text\nD9,lead,One.\n", "utf-8")
    assert drop(window, table)
    dialog = dialog_of(controller, ImportDialog)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.source_label.text() == table.name


def test_a_file_dropped_without_a_study_makes_one_first(
    controller, window, qtbot, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: tmp_path / suggested)
    table = tmp_path / "more.csv"
    table.write_text("topic,system,text\nD9,lead,One.\n", "utf-8")
    assert drop(window, table)
    qtbot.waitUntil(lambda: isinstance(controller.dialog, ImportDialog))
    assert controller.context.study.path.name == "more.pyramidion"
    qtbot.waitUntil(controller.dialog.accept_button.isEnabled)
