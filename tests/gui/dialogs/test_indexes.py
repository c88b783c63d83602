"""The index dialog with its real widgets, and the index setting of SERA."""

from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton

from core.files.allowed_names import NameKind, allowed_names
from core.progress import Progress, run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.index_provider import EmptyIndexProvider, set_index_provider
from core.retrieval.index_store import DocumentColumns, IndexRequest
from core.retrieval.protocols import STUDY_INDEX
from core.scoring.config import ScoringConfig
from gui.background.jobs import Jobs
from gui.dialogs.indexes.presenter import IndexesPresenter
from gui.dialogs.indexes.view import BuildDialog, IndexesDialog, UploadChoice, UploadDialog
from gui.results.settings_form import SERVER_TEMPLATE, SERVER_TITLE, IndexBox, SettingsForm
from storage.indexes.index_folder import IndexFolder
from tests.storage.indexes.elastic_server import serving


@pytest.fixture
def folder(tmp_path):
    """A registered folder of indexes that contains one index."""
    (tmp_path / "a.txt").write_text("The court lifted the ban on the bridge.")
    made = IndexFolder(tmp_path / "indexes", tmp_path / "cache")
    run_to_completion(made.build(IndexRequest("courts", (tmp_path / "a.txt",))))
    set_index_provider(lambda: made)
    yield made
    set_index_provider(EmptyIndexProvider)


class OpenDialog:
    """The dialog, its presenter, and the answers of the user."""

    def __init__(self, qtbot, folder, study) -> None:
        self.view, self.jobs = IndexesDialog(), Jobs()
        self.choice: IndexRequest | None = None
        self.choices: tuple | None = None
        self.address: UploadChoice | None = None
        self.may_remove, self.from_study, self.messages = True, False, []
        qtbot.addWidget(self.view)
        self.presenter = IndexesPresenter(
            self.view, self.jobs, folder, self._ask, lambda _: self.may_remove, study, lambda _: self.address
        )
        self.presenter.message.connect(self.messages.append)
        self.presenter.open()
        qtbot.waitUntil(lambda: bool(self.rows))

    def _ask(self, taken, study, documents):
        self.choices = (list(taken), documents)
        if self.choice is not None and self.from_study:
            return replace(self.choice, sources=(study, *self.choice.sources))
        return self.choice

    @property
    def rows(self):
        return {row.name: row for row in self.view.table.rows.rows()}


@pytest.fixture
def shown(qtbot, folder, study):
    made = OpenDialog(qtbot, folder, study)
    yield made
    made.jobs.cancel_all(5.0)


def _choice(name, *sources, **more):
    return IndexRequest(name, sources, Analysis("porter", True), replaces=True, **more)


def test_the_list_begins_with_the_documents_of_the_study(shown):
    assert list(shown.rows) == [STUDY_INDEX, "courts"]
    assert shown.rows[STUDY_INDEX].documents == 2
    assert shown.view.details.remove_button.isHidden()
    shown.view.table.choose(lambda row: row.name == "courts")
    assert "choose courts as the index of SERA" in shown.view.details.lines_label.text()
    assert not shown.view.details.remove_button.isHidden()
    QAbstractItemModelTester(shown.view.table.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_an_index_is_built_from_files_and_the_studys_documents(shown, folder, tmp_path, qtbot):
    shown.choice, shown.from_study = _choice("both", tmp_path / "a.txt"), True
    with qtbot.waitSignal(shown.presenter.changed):
        shown.view.build_button.click()
        assert not shown.view.progress.isHidden()
        assert not shown.view.build_button.isEnabled()
    qtbot.waitUntil(lambda: "both" in shown.rows and shown.view.progress.isHidden())
    assert folder.open("both").documents == 3
    assert shown.view.details.title_label.text() == "both"
    assert shown.messages[0].startswith("The index both is built: 3 documents")
    assert shown.choices == (["courts"], 2)


def test_a_build_can_be_cancelled_and_leaves_nothing(shown, folder, monkeypatch, qtbot, tmp_path):
    goes_on = threading.Event()

    def slow(self, request):
        yield Progress(1, 4, "a.txt · 1 documents")
        goes_on.wait(600)
        yield from building(self, request)

    building = IndexFolder.build
    monkeypatch.setattr(IndexFolder, "build", slow)
    shown.choice = _choice("late", tmp_path / "a.txt")
    shown.view.build_button.click()
    qtbot.waitUntil(lambda: shown.view.job.bar.value() * 4 == shown.view.job.bar.maximum())
    assert shown.view.job.label.text().startswith("a.txt")
    shown.view.job.stop_button.click()
    goes_on.set()
    qtbot.waitUntil(lambda: shown.view.progress.isHidden())
    assert folder.names() == ["courts"]


def test_problems_of_a_table_are_shown_in_the_dialog(shown, tmp_path, qtbot):
    table = tmp_path / "bad.jsonl"
    table.write_text('{"id": "a", "text": "x"}\n' + '{"id": "a", "text": "y"}\n' * 8)
    shown.choice = _choice("bad", table)
    shown.view.build_button.click()
    qtbot.waitUntil(lambda: not shown.view.notice.isHidden())
    message = shown.view.notice.text_label.text()
    assert "line 2" in message
    assert message.endswith("And 3 more.")
    assert "bad" not in shown.rows


def test_an_index_is_removed_once_that_is_confirmed(shown, folder, qtbot):
    shown.view.table.choose(lambda row: row.name == "courts")
    shown.may_remove = False
    shown.view.details.remove_button.click()
    assert folder.names() == ["courts"]
    shown.may_remove = True
    with qtbot.waitSignal(shown.presenter.changed):
        shown.view.details.remove_button.click()
    qtbot.waitUntil(lambda: list(shown.rows) == [STUDY_INDEX])
    assert folder.names() == []


def test_a_damaged_index_shows_its_problem_and_can_be_removed(shown, folder, qtbot):
    (folder.folder / "courts" / "places.npy").unlink()
    shown.presenter.open()
    qtbot.waitUntil(lambda: bool(shown.rows["courts"].problem))
    shown.view.table.choose(lambda row: row.name == "courts")
    assert "places.npy is missing" in shown.view.details.problem.text_label.text()
    assert not shown.view.details.remove_button.isHidden()


def test_the_command_that_sends_an_index_is_copied(shown):
    shown.view.table.choose(lambda row: row.name == "courts")
    shown.view.details.copy_button.click()
    assert QGuiApplication.clipboard().text() == "pyramidion index upload courts https://localhost:9200"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """An Elasticsearch server that may be asked; requests are repeated at once."""
    from storage.indexes import elastic_connection

    allowed_names().use_folder(tmp_path / "settings")
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(elastic_connection, "FIRST_WAIT_S", 0.001)
    with serving() as made:
        yield made


def test_an_upload_that_was_refused_continues_from_the_dialog(shown, folder, server, qtbot):
    shown.view.table.choose(lambda row: row.name == "courts")
    shown.address = UploadChoice(f"{server.address}/law", 500.0)
    server.busy_documents = 1000
    shown.view.details.upload_button.click()
    assert shown.view.progress.title_label.text() == "Uploading courts"
    assert not shown.view.details.upload_button.isEnabled()
    qtbot.waitUntil(lambda: not shown.view.notice.isHidden() and shown.view.progress.isHidden(), timeout=9000)
    assert "is overloaded" in shown.view.notice.text_label.text()
    server.busy_documents = 0
    with qtbot.waitSignal(shown.presenter.changed):
        shown.view.details.upload_button.click()
    qtbot.waitUntil(lambda: shown.view.progress.isHidden())
    assert shown.view.notice.isHidden()
    assert shown.messages[-1].endswith(f"choose the server elasticsearch:{server.address}/law.")
    with closing(folder.open(f"elasticsearch:{server.address}/law")) as there:
        assert there.documents == 1


def test_an_upload_can_be_cancelled_and_keeps_what_arrived(shown, monkeypatch, qtbot):
    goes_on, was_closed = threading.Event(), []

    def slow(self, name, address, mu, *, replaces):
        try:
            yield Progress(1, 4, "1 of 4 documents")
            goes_on.wait(600)
            yield Progress(2, 4, "2 of 4 documents")
        finally:
            was_closed.append((name, address, mu, replaces))

    monkeypatch.setattr(IndexFolder, "uploading", slow)
    shown.view.table.choose(lambda row: row.name == "courts")
    shown.address = UploadChoice("https://es.example.org", 2000.0, replaces=True)
    shown.view.details.upload_button.click()
    qtbot.waitUntil(lambda: shown.view.job.bar.value() * 4 == shown.view.job.bar.maximum())
    assert "continues" in shown.view.job.stop_button.toolTip()
    shown.view.job.stop_button.click()
    goes_on.set()
    qtbot.waitUntil(lambda: shown.view.progress.isHidden())
    assert was_closed == [("courts", "https://es.example.org", 2000.0, True)]


def test_an_upload_needs_an_address(qtbot):
    dialog = UploadDialog("Courts")
    qtbot.addWidget(dialog)
    assert not dialog.accept_button.isEnabled()
    assert dialog.address_edit.placeholderText().endswith("/courts")
    dialog.address_edit.setText(" https://localhost:9200 ")
    dialog.mu_box.setValue(50)
    dialog.replace_box.setChecked(True)
    assert dialog.accept_button.isEnabled()
    assert dialog.choice == UploadChoice("https://localhost:9200", 50.0, replaces=True)


def test_every_control_has_a_name(shown):
    view = shown.view
    buttons = (view.build_button, view.close_button, view.details.remove_button, view.job.stop_button)
    assert all(
        part.accessibleName() for part in (*buttons, view.table, view.job.bar, view.details.copy_button)
    )


# The build dialog


@pytest.fixture
def dialog(qtbot, tmp_path):
    (tmp_path / "papers 1.csv").write_text("id,text\na,b\n")
    study = tmp_path / "s.pyramidion"
    made = BuildDialog(["taken"], study, 2, lambda: tmp_path, lambda: [tmp_path / "papers 1.csv"])
    qtbot.addWidget(made)
    return made


def test_an_index_needs_a_name_and_a_source(dialog):
    assert not dialog.accept_button.isEnabled()
    dialog.name_edit.setText("mine")
    assert not dialog.accept_button.isEnabled()
    dialog.study_box.click()
    assert dialog.accept_button.isEnabled()


def test_files_suggest_a_name_and_show_fields_for_columns(dialog, tmp_path):
    assert dialog.columns["id"].parentWidget().isHidden()
    dialog.files_button.click()
    assert not dialog.columns["id"].parentWidget().isHidden()
    assert dialog.name_edit.text() == "papers-1"
    dialog.folder_button.click()
    dialog.columns["text"].setText(" body ")
    dialog.stop_words_box.click()
    dialog.stemmer_box.setCurrentIndex(1)
    path = tmp_path / "papers 1.csv"
    columns = DocumentColumns("", "", "body")
    assert dialog.request == IndexRequest(
        "papers-1", (path, tmp_path), Analysis("english", False), columns, True
    )
    dialog.study_box.click()
    assert dialog.request.sources == (tmp_path / "s.pyramidion", path, tmp_path)


def test_parts_of_articles_are_chosen_and_at_least_one_is_needed(qtbot, tmp_path):
    made = BuildDialog([], None, 0, lambda: None, lambda: [tmp_path / "pubmed.xml.gz"])
    qtbot.addWidget(made)
    boxes = made.part_boxes
    assert boxes["title"].parentWidget().isHidden()
    made.files_button.click()
    assert not boxes["title"].parentWidget().isHidden()
    boxes["title"].click()
    assert made.request.parts == ("title", "abstract")
    boxes["title"].click()
    boxes["abstract"].click()
    assert not made.accept_button.isEnabled()
    boxes["body"].click()
    assert made.accept_button.isEnabled()


def test_a_file_can_be_removed_from_the_list(dialog):
    dialog.files_button.click()
    assert not dialog.remove_button.isEnabled()
    dialog.source_list.setCurrentRow(0)
    dialog.remove_button.click()
    assert dialog.request.sources == ()
    assert not dialog.accept_button.isEnabled()


def test_an_existing_name_shows_that_the_index_is_replaced(dialog):
    dialog.files_button.click()
    dialog.name_edit.setText("taken")
    assert "will be replaced" in dialog.taken_label.text()
    assert dialog.accept_button.isEnabled()
    dialog.name_edit.setText("no name")
    assert not dialog.accept_button.isEnabled()


# The index setting


@pytest.fixture
def box(qtbot, folder):
    from core.metrics.registry import parse
    from gui.results.settings_form import setting_fields

    form = SettingsForm()
    qtbot.addWidget(form)
    form.changes = []
    form.changed.connect(lambda key, value: form.changes.append((key, value)))
    form.show_fields([field for field in setting_fields(parse("sera")) if field.key == "index"])
    form.show()
    return form, form.controls["index"]


def test_seras_setting_offers_the_study_the_indexes_and_a_server(box):
    _, control = box
    assert isinstance(control, IndexBox)
    titles = [control.itemText(at) for at in range(control.count())]
    assert titles == ["This study's documents", "courts", "", SERVER_TITLE]
    assert control.currentText() == "This study's documents"


def test_an_index_is_chosen_by_its_name(box):
    form, control = box
    control.activated.emit(1)
    assert form.changes == [("index", "courts")]
    control.activated.emit(1)
    assert form.changes == [("index", "courts")]


def test_a_server_address_starts_from_a_template(box, qtbot):
    form, control = box
    control.activated.emit(3)
    assert control.currentText() == SERVER_TEMPLATE
    assert control.lineEdit().selectedText() == "localhost:9200/NAME"
    assert form.changes == []
    QTest.keyClicks(control.lineEdit(), "search.example.org/pubmed")
    control.lineEdit().editingFinished.emit()
    assert form.changes == [("index", "elasticsearch:https://search.example.org/pubmed")]


def test_a_typed_title_selects_its_index(box):
    form, control = box
    control.setEditText("Courts")
    control.lineEdit().editingFinished.emit()
    control.setEditText("this study's documents")
    control.lineEdit().editingFinished.emit()
    assert form.changes == [("index", "courts"), ("index", STUDY_INDEX)]


def test_an_address_that_is_set_is_shown(box):
    form, control = box
    control.show_value("elasticsearch:http://host:9200/a")
    assert control.currentText() == "elasticsearch:http://host:9200/a"
    assert control.toolTip() == control.currentText()
    assert form.changes == []


def test_the_command_opens_the_dialog_without_a_study(qapp, qtbot, tmp_path: Path, monkeypatch):
    from gui.app import build_window

    monkeypatch.setenv("PYRAMIDION_INDEXES", str(tmp_path / "none"))
    controller, window = build_window(qapp, tmp_path / "settings.json")
    qtbot.addWidget(window)
    controller.start(None)
    controller.commands.action("score.indexes").trigger()
    (dialog,) = window.findChildren(IndexesDialog)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.panel.fact_label.text() == "0 indexes")
    assert dialog.details.isHidden()
    controller.close()
    set_index_provider(EmptyIndexProvider)


def test_a_server_named_only_in_the_study_is_contacted_once_allowed(qtbot, tmp_path, study):
    from core.metrics.registry import parse
    from gui.pages.score.configurations import ConfigEntry, details_of, plan_configs

    allowed_names().use_folder(tmp_path / "settings")
    folder = IndexFolder(tmp_path / "indexes")
    set_index_provider(lambda: folder)
    with serving() as server:
        metric = parse(f"sera:index=elasticsearch:{server.address}/pubmed")

        def plan_details():
            (config_status,) = run_to_completion(plan_configs(study, [ScoringConfig(metric)], "cpu")).values()
            return details_of(ConfigEntry(0, metric), config_status, can_remove=False)

        details = plan_details()
        assert "is named only in the study" in details.problem
        assert (details.remedy, server.asked) == ("Allow it", [])
        allowed_names().allow(NameKind.SERVER, server.address)
        details = plan_details()
        assert "has no index named pubmed" in details.problem
        assert details.remedy == "Indexes…"
    set_index_provider(EmptyIndexProvider)


# The Score page


@pytest.fixture
def score_page(qtbot, context, folder, tmp_path):
    from gui.pages.score.presenter import ScorePresenter
    from gui.pages.score.view import ScoreState, ScoreView
    from gui.widgets.controls import Choice

    allowed_names().use_folder(tmp_path / "settings")
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    view.presenter = ScorePresenter(view, context, lambda _: None, lambda _: None, lambda _: None)
    view.opened = []
    context.commands.bind("score.indexes", lambda: view.opened.append("indexes"))
    view.show()

    def row():
        return next((r for r in view.metrics.metrics.rows() if r.name == "sera-5"), None)

    qtbot.waitUntil(lambda: row() is not None and row().state is not ScoreState.LOOKING)
    view.metrics.choose(row().key)
    return view, row


def test_the_score_page_uses_the_chosen_index(score_page, qtbot):
    view, row = score_page
    view.details.form.controls["index"].activated.emit(1)
    qtbot.waitUntil(lambda: "index:courts|" in view.details.signature)
    assert row().about.startswith("index courts")


def test_a_missing_index_offers_a_button_to_the_index_dialog(score_page, qtbot):
    view, _ = score_page
    view.details.form.changed.emit("index", "absent")
    qtbot.waitUntil(lambda: "No index is named 'absent'" in view.details.problem.text_label.text())
    view.details.problem.remedy_button.click()
    build = next(b for b in view.details.form.findChildren(QAbstractButton) if "indexes" in b.toolTip())
    build.click()
    assert view.opened == ["indexes"] * 2


def test_a_server_of_the_study_is_contacted_once_allowed_on_the_score_page(score_page, qtbot, tmp_path):
    view, _ = score_page
    with serving() as server:
        view.details.form.changed.emit("index", f"elasticsearch:{server.address}/pubmed")  # typed: named
        qtbot.waitUntil(lambda: "has no index named pubmed" in view.details.problem.text_label.text())
        asked = len(server.asked)
        allowed_names().__init__()  # as on a computer where nobody has entered it
        view.presenter.plan_again()
        qtbot.waitUntil(lambda: view.details.problem.remedy_button.text() == "Allow it")
        assert len(server.asked) == asked
        view.details.problem.remedy_button.click()
        qtbot.waitUntil(lambda: view.details.problem.remedy_button.text() == "Indexes…")
        assert len(server.asked) > asked
