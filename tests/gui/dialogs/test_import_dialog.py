"""The import dialog in a real window, with good and bad sources."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox

from core.progress import Progress, raise_if_cancelled
from gui.dialogs.import_data.options import UNREADABLE
from gui.dialogs.import_data.view import STOPPED, ImportDialog
from gui.shell import dialogs, window_controller
from storage.formats import import_registry
from storage.study_file import open_study
from tests.gui.every_dialog import is_closed
from tests.storage.formats.ducview.conftest import pan, pyr
from tests.storage.formats.ducview.test_import import OFF

LEFT = Qt.MouseButton.LeftButton
RATINGS = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), 4)


def begin(controller: Any, qtbot: Any, monkeypatch: Any, target: Path, source: Path | None) -> ImportDialog:
    """Press Import on the Welcome page, then File in the dialog."""
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: target)
    monkeypatch.setattr(window_controller, "ask_file", lambda *_: source)
    qtbot.mouseClick(controller.window.stack.currentWidget().import_button, LEFT)
    qtbot.waitUntil(lambda: isinstance(controller.dialog, ImportDialog))
    qtbot.mouseClick(controller.dialog.file_button, LEFT)
    return controller.dialog


def test_no_format_is_named_before_a_source_is_chosen(controller, qtbot, tmp_path, monkeypatch) -> None:
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", None)
    assert dialog.format_box.currentText() == ""
    assert not dialog.documents_button.isVisible()
    assert not dialog.accept_button.isEnabled()


@pytest.mark.parametrize(
    ("number", "suffix", "added"),
    [
        (0, ".tsv", {"topics": "1", "documents": "1", "references": "1", "summaries": "1 by 1 system"}),
        (1, ".csv", {"topics": "1", "references": "1", "summaries": "2 by 2 systems"}),
        (2, ".csv", {"summaries": "2 by 2 systems", "ratings": "4 by 1 annotator"}),
    ],
)
def test_tables_to_copy_are_shown_first_and_can_be_imported(
    controller, qtbot, tmp_path, monkeypatch, number, suffix, added
) -> None:
    source = tmp_path / f"copied{suffix}"
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", None)
    qtbot.waitUntil(lambda: [table.isVisible() for table in dialog.examples.tables] == [True] * 3)
    qtbot.mouseClick(dialog.examples.copy_buttons[number], LEFT)
    assert "was copied" in dialog.job.label.text()
    source.write_text(QGuiApplication.clipboard().text(), "utf-8")
    monkeypatch.setattr(window_controller, "ask_file", lambda *_: source)
    qtbot.mouseClick(dialog.file_button, LEFT)
    qtbot.waitUntil(lambda: dialog.problems.isVisible() or dialog.accept_button.isEnabled())
    assert dialog.problems.toPlainText() == ""
    assert {kind: dialog.preview.counts[kind] for kind in added} == added
    assert not dialog.examples.isVisible()
    dialog.reject()


def test_summeval_is_imported_from_an_empty_window_with_progress(
    controller, qtbot, tmp_path, monkeypatch, shared_data
) -> None:
    lines = (shared_data / "summeval" / "model_annotations.aligned.paired.jsonl").read_text("utf-8")
    source = tmp_path / "thirty.jsonl"
    source.write_text("".join(lines.splitlines(keepends=True)[: 30 * 16]), "utf-8")
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", source)
    bars = []
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: bars.append(dialog.job.bar.maximum() if dialog.job.bar.isVisible() else -2))
    heart.start()
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.chosen_format == "summeval"
    counts = dialog.preview.counts
    assert (counts["topics"], counts["summaries"]) == ("30", "480 by 16 systems")
    assert (counts["references"], counts["ratings"]) == ("330", "15,360 by 8 annotators")
    assert dialog.accept_button.text() == "Import 15,360 ratings"
    assert controller.context.study.texts.topics() == [], "a preview writes nothing"
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: is_closed(dialog))
    heart.stop()
    assert len({value for value in bars if value >= 0}) > 3, "the bar moves and the window responds meanwhile"
    heads = controller.context.study.texts.topics()
    assert (len(heads), sum(head.summaries for head in heads)) == (30, 480)
    assert "30 topics" in controller.window.status.sentence_label.text()


def test_every_problem_of_a_bad_file_is_shown_with_its_line(controller, qtbot, tmp_path, monkeypatch) -> None:
    source = tmp_path / "bad.jsonl"
    good = {"id": "a", "model_id": "M0", "decoded": "One.", "references": ["Two."]}
    lines = [
        json.dumps(good),
        "{not json",
        json.dumps(good | {"model_id": ""}),
        json.dumps(good | {"model_id": "M1", "references": []}),
        json.dumps(good | {"model_id": "M2", "expert_annotations": [RATINGS | {"fluency": 9}]}),
        *(json.dumps(good | {"model_id": f"S{i}", "decoded": 7}) for i in range(300)),
    ]
    source.write_text("\n".join(lines), "utf-8")
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", source)
    qtbot.waitUntil(dialog.problems.isVisible)
    shown = dialog.problems.toPlainText().split("\n")
    for line in range(2, 6):
        assert any(f"line {line}," in s or f"line {line}:" in s for s in shown), f"line {line} is reported"
    assert shown[-1].startswith("bad.jsonl, 300 places (lines 6\N{EN DASH}305), decoded: A number instead of")
    assert "expert_annotations[0].fluency" in "\n".join(shown)
    assert dialog.notice.text_label.text().startswith("304 problems")
    assert not dialog.accept_button.isEnabled()
    assert controller.context.study.texts.topics() == []


def test_a_folder_of_duc_view_files_is_previewed_as_the_pattern_is_typed(
    controller, qtbot, tmp_path, monkeypatch
) -> None:
    """The contents of each file are shown before anything is written; a bad pattern is reported at once."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "D7.pyr").write_bytes(pyr(OFF))
    (folder / "4-of-D7.pan").write_bytes(pan(OFF))
    monkeypatch.setattr(dialogs, "ask_study_to_make", lambda parent, suggested: tmp_path / "new.pyramidion")
    monkeypatch.setattr(window_controller, "ask_folder", lambda *_: folder)
    qtbot.mouseClick(controller.window.stack.currentWidget().import_button, LEFT)
    qtbot.waitUntil(lambda: isinstance(controller.dialog, ImportDialog))
    dialog = controller.dialog
    qtbot.mouseClick(dialog.folder_button, LEFT)
    qtbot.waitUntil(dialog.naming.isVisible)
    assert dialog.chosen_format == "ducview"
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.keyClicks(dialog.naming.pattern_field, "{system}.pan")
    qtbot.waitUntil(lambda: "contains no topic" in dialog.notice.text_label.text())
    dialog.naming.pattern_field.clear()
    qtbot.keyClicks(dialog.naming.pattern_field, "{system}-of-{topic}.pan")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    files = dialog.files
    lines = [tuple(files.index(row, at).data() for at in (0, 1, 2, 4)) for row in range(files.rowCount())]
    assert lines == [("D7.pyr", "D7", "", "A, B"), ("4-of-D7.pan", "D7", "4", "A, B")]
    assert dialog.preview.note_boxes[0].isVisible()
    assert "21 to 28 contains “he ban ”, not “The ban”" in str(dialog.preview.notes)
    dialog.naming.repair_box.click()
    qtbot.waitUntil(lambda: "imported as 20 to 27" in str(dialog.preview.notes))
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: is_closed(dialog))
    (annotation,) = controller.context.study.pyramids.annotations()
    assert len(annotation.matches) == 3
    message = controller.window.status.sentence_label.text()
    assert "1 topic, 2 references, 1 summary, 1 pyramid, 2 SCUs, 1 annotated summary, 3 matches" in message


def test_texts_outside_the_settings_folder_are_listed_and_imported_if_allowed(
    controller, qtbot, tmp_path, monkeypatch
) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.txt").write_text("A cat sat.\n")
    source = tmp_path / "run" / "settings.xml"
    source.parent.mkdir()
    source.write_text(
        '<ROUGE-EVAL><EVAL ID="D1"><MODEL-ROOT>../models</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
        '<MODELS><M ID="A">a.txt</M></MODELS></EVAL></ROUGE-EVAL>'
    )
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", source)
    qtbot.waitUntil(lambda: "outside the file" in dialog.problems.toPlainText())
    assert "a.txt" in dialog.problems.toPlainText()
    assert not dialog.accept_button.isEnabled()
    dialog.outside_box.click()
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    (line,) = dialog.files.rows()
    assert line.file == str(tmp_path / "models" / "a.txt")
    dialog.reject()


def test_a_large_folder_is_looked_at_in_the_background_and_can_be_stopped(
    controller, qtbot, tmp_path, monkeypatch
) -> None:
    """The dialog shows how far it is, and takes another source while the first is still being read."""
    folder, goes_on = tmp_path / "network", threading.Event()
    folder.mkdir()
    real, seen = import_registry.detection_steps, []

    def slow(path):
        seen.append(threading.current_thread())
        while path == folder and not goes_on.is_set():
            raise_if_cancelled()
            time.sleep(0.01)
            yield Progress(0, 0, "reading the folder network, 400 files")
        return (yield from real(path))

    monkeypatch.setattr(import_registry, "detection_steps", slow)
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", folder)
    qtbot.waitUntil(lambda: "400 files" in dialog.job.label.text())
    assert threading.main_thread() not in seen
    assert dialog.job.bar.isVisible()
    qtbot.mouseClick(dialog.job.stop_button, LEFT)
    assert dialog.job.label.text() == STOPPED
    assert not dialog.job.bar.isVisible()
    qtbot.mouseClick(dialog.file_button, LEFT)
    qtbot.waitUntil(lambda: "400 files" in dialog.job.label.text())
    (tmp_path / "t.csv").write_text("topic,system,text\nD1,M,A court met.\n", "utf-8")
    monkeypatch.setattr(window_controller, "ask_file", lambda *_: tmp_path / "t.csv")
    qtbot.mouseClick(dialog.file_button, LEFT)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert dialog.chosen_format == "table"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


LEAD = "The court met on Monday."
XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>'
    '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain" sofaString="{}"/>'
    '<custom:Error xmi:id="2" sofa="1" begin="4" end="9" kind="wrong"/>'
    '<cas:View sofa="1" members="2"/></xmi:XMI>'
)
PAIR = {
    "data": {"topic": "D1", "systems": ["lead", "good"]},
    "annotations": [
        {"result": [{"type": "pairwise", "from_name": "better", "value": {"selected": "right"}}]}
    ],
}
ANNOTATED = {
    "brat": {"lead.txt": LEAD, "lead.ann": "T1\tError 4 9\tcourt\n"},
    "label-studio": {"tasks.json": json.dumps([PAIR])},
    "doccano": {
        "all.jsonl": "".join(
            json.dumps({"text": text, "label": [label]}) + "\n"
            for text, label in ((LEAD, "good"), ("Bridges are old.", "bad"))
        )
    },
    "potato": {
        "rows.jsonl": json.dumps(
            {
                "id": "D1.summary.lead",
                "label_annotations": {"fluency": {"scale_4": "4"}},
                "span_annotations": [],
            }
        )
    },
    "inception": {"document.xmi": XMI.format(LEAD)},
}
"""Files of annotation tools that do not name the annotator."""


@pytest.mark.parametrize(
    ("tool", "counted"),
    [
        ("brat", {"ratings": "1"}),
        ("label-studio", {"answers": "1"}),
        ("doccano", {"ratings": "2"}),
        ("potato", {"ratings": "1"}),
        ("inception", {"ratings": "1"}),
    ],
)
def test_files_of_annotation_tools_are_counted_and_their_annotator_is_asked(
    controller, study, qtbot, tmp_path, tool, counted
) -> None:
    """Nothing can be imported before the annotator is named; then it is imported as theirs."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name, content in ANNOTATED[tool].items():
        (folder / name).write_text(content, "utf-8")
    study.close()
    controller.open_path(study.path)
    qtbot.waitUntil(lambda: controller.context is not None)
    controller.ask_import(folder if tool == "brat" else next(folder.iterdir()))
    dialog = controller.dialog
    qtbot.waitUntil(dialog.annotator_field.isVisible)
    assert dialog.chosen_format == tool
    assert "does not name the annotator" in dialog.notice.text_label.text()
    assert {kind: dialog.preview.counts.get(kind, "").split()[0] for kind in counted} == counted
    assert "name no annotator: " in str(dialog.preview.notes)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.annotator_field, "Kim")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert "name no annotator" not in str(dialog.preview.notes)
    qtbot.mouseClick(dialog.accept_button, LEFT)
    qtbot.waitUntil(lambda: is_closed(dialog))
    there = controller.context.study
    kim = next(person.id for person in there.annotators.all() if person.name == "Kim")
    if tool == "label-studio":
        (plan,) = there.comparisons.plans()
        assert [answer.annotator_id for answer in there.comparisons.preferences(plan.id)] == [kim]
    else:
        (scale,) = there.ratings.dimensions()
        assert there.ratings.cube(scale.name).annotators == ("Kim",)


BAD_TABLE = (
    "topic,system,author,text\nD1,lead,,The court met.\n,lead,,No topic.\nD1,,A,It ruled.\nD1,blank,,\n"
)


class TestTable:
    def import_dialog(
        self, controller: Any, qtbot: Any, monkeypatch: Any, tmp_path: Path, rows: str
    ) -> ImportDialog:
        source = tmp_path / "rows.csv"
        source.write_text(rows, "utf-8")
        dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", source)
        qtbot.waitUntil(lambda: dialog.problems.isVisible() or dialog.accept_button.isEnabled())
        return dialog

    def test_a_corrected_file_is_checked_again(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        dialog = self.import_dialog(controller, qtbot, monkeypatch, tmp_path, BAD_TABLE)
        assert dialog.notice.text_label.text() == "1 problem. Fix it to import."
        (tmp_path / "rows.csv").write_text(BAD_TABLE.replace("\n,lead", "\nD2,lead"), "utf-8")
        qtbot.mouseClick(dialog.recheck_button, LEFT)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert not dialog.problems.isVisible()

    def test_bad_rows_are_skipped_counted_and_reported(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        dialog = self.import_dialog(controller, qtbot, monkeypatch, tmp_path, BAD_TABLE)
        dialog.skip_box.click()
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert "1 bad row will be skipped" in dialog.notice.text_label.text()
        assert "rows.csv, line 3, topic" in str(dialog.preview.notes)
        qtbot.mouseClick(dialog.accept_button, LEFT)
        qtbot.waitUntil(lambda: is_closed(dialog))
        assert controller.window.status.sentence_label.text().endswith("1 bad row was skipped.")
        assert [head.name for head in controller.context.study.texts.topics()] == ["D1"]

    def test_corrected_ratings_replace_the_old_ones_and_can_be_undone(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        head = "topic,system,text,dimension,annotator,value\nD1,m,It met.,,,\n"
        old = tmp_path / "old.csv"
        old.write_text(f"{head}D1,m,,fluency,Kim,2\n", encoding="utf-8")
        dialog = begin(controller, qtbot, monkeypatch, tmp_path / "s.pyramidion", old)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.update_box.isHidden()
        with qtbot.waitSignal(dialog.accepted):
            dialog.accept_button.click()
        new = tmp_path / "new.csv"
        new.write_text(f"{head}D1,m,,fluency,Kim,4\n", encoding="utf-8")
        controller.ask_import(new)
        dialog = controller.window.findChildren(ImportDialog)[-1]
        qtbot.waitUntil(lambda: not dialog.update_box.isHidden())
        assert "differ from the study" in dialog.notice.text_label.text()
        dialog.update_box.click()
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        with qtbot.waitSignal(dialog.accepted):
            dialog.accept_button.click()
        with open_study(tmp_path / "s.pyramidion") as study:
            assert study.ratings.cube("fluency").values.item() == 4
            (edit,) = [edit for edit in study.edits.history() if edit.verb.startswith("replace 1 rating")]
            assert edit.annotator

    def test_the_first_topics_are_stepped_through_with_their_texts(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        dialog = self.import_dialog(
            controller, qtbot, monkeypatch, tmp_path, BAD_TABLE.replace("\n,lead", "\nD2,lead")
        )
        preview = dialog.preview
        assert preview.text.isVisible()
        lines = ["Reference A  It ruled.", "lead  The court met.", "blank  (empty)", ""]
        assert preview.text.toPlainText().split("\n") == lines
        assert not preview.stepper.previous_button.isEnabled()
        qtbot.mouseClick(preview.stepper.next_button, LEFT)
        assert preview.stepper.name_label.text() == "D2"
        assert preview.text.toPlainText().startswith("lead  No topic.")
        qtbot.mouseClick(preview.stepper.previous_button, LEFT)
        assert preview.stepper.name_label.text() == "D1"


def test_source_documents_are_read_from_the_chosen_folder(controller, qtbot, tmp_path, monkeypatch) -> None:
    source, folder = tmp_path / "s.jsonl", tmp_path / "stories"
    source.write_text(
        json.dumps({"id": "a", "model_id": "M0", "decoded": "One.", "references": ["Two."]}), "utf-8"
    )
    folder.mkdir()
    (folder / "a.story").write_text("An article.\n\n@highlight\n\nTwo.", "utf-8")
    monkeypatch.setattr(window_controller, "ask_folder", lambda *_: folder)
    dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", source)
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert "supert" in str(dialog.preview.notes)
    qtbot.mouseClick(dialog.documents_button, LEFT)
    qtbot.waitUntil(lambda: dialog.preview.counts.get("documents") == "1")
    assert dialog.documents_label.text() == str(folder)
    assert dialog.preview.notes == ()


def lines(model: QAbstractItemModel, parent: QModelIndex = QModelIndex(), indent: str = "") -> list[str]:  # noqa: B008 - Qt's
    """Return the names of a tree, those in others indented."""
    found = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found += [f"{indent}{index.data()}", *lines(model, index, f"{indent}  ")]
    return found


FOREIGN = (
    "doc_id;model;hyp;highlights;worker_id;coherence;fluency;seconds\n"
    "d1;bart;A court met on Monday.;The court met.;w1;4;5;31\n"
    "d1;bart;A court met on Monday.;The court met.;w2;3;5;12\n"
    "d2;bart;A bridge fell down there.;The bridge fell.;w1;2;1;40\n"
)


class TestForeignTable:
    """A table of another project: its columns are guessed, shown and changed."""

    def dialog(self, controller, qtbot, monkeypatch, tmp_path, content: bytes, name="r.csv") -> ImportDialog:
        (tmp_path / name).write_bytes(content)
        dialog = begin(controller, qtbot, monkeypatch, tmp_path / "new.pyramidion", tmp_path / name)
        qtbot.waitUntil(lambda: dialog.problems.isVisible() or dialog.accept_button.isEnabled())
        return dialog

    def test_columns_are_shown_with_their_values_and_imported_by_keyboard_alone(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        """From the Welcome page on: the guess is read, one role is changed, and Enter imports."""
        (tmp_path / "r.csv").write_text(FOREIGN, "utf-8")
        monkeypatch.setattr(
            dialogs, "ask_study_to_make", lambda parent, suggested: tmp_path / "new.pyramidion"
        )
        monkeypatch.setattr(window_controller, "ask_file", lambda *_: tmp_path / "r.csv")
        welcome = controller.window.stack.currentWidget()
        welcome.import_button.setFocus()
        qtbot.keyClick(welcome.import_button, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: isinstance(controller.dialog, ImportDialog))
        dialog = controller.dialog
        assert dialog.focusWidget() is dialog.file_button
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert "guessed" in dialog.panel.fact_label.text()
        assert dialog.columns.footer.text().startswith("Every column is listed. One is not used.")
        assert dialog.columns.use("coherence") == ("Rating: coherence", "numbers 2 to 4")
        roles = {name: dialog.columns.use(name)[0] for name in ("doc_id", "hyp", "seconds")}
        assert roles == {"doc_id": "Topic", "hyp": "Text of the summary", "seconds": "Not used"}
        assert "separated by semicolons" in str(dialog.preview.notes)
        assert "doc_id = topic" not in str(dialog.preview.notes), "the table shows it"
        tree = dialog.columns.tree
        for _ in range(30):
            if dialog.focusWidget() is tree:
                break
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        assert dialog.focusWidget() is tree
        qtbot.keyClick(tree, Qt.Key.Key_End)
        for letter in "Score":
            qtbot.keyClicks(dialog.focusWidget(), letter)
        wanted = dialog.focusWidget()
        qtbot.keyClick(wanted, Qt.Key.Key_Tab)
        field = dialog.columns.name_field("seconds")
        assert (dialog.focusWidget(), field.text()) == (field, "seconds")
        assert dialog.columns.use("seconds") == ("Score: seconds", "chosen")
        qtbot.keyClicks(field, " spent")
        qtbot.waitUntil(lambda: dialog.problems.isVisible())
        assert "Two values of the score" in dialog.problems.toPlainText()
        qtbot.keyClick(field, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        assert dialog.focusWidget() is wanted
        qtbot.keyClick(wanted, Qt.Key.Key_Home)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.accept_button.text() == "Import 6 ratings"
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: is_closed(dialog))
        study = controller.context.study
        assert [head.name for head in study.texts.topics()] == ["d1", "d2"]
        cube = study.ratings.cube("coherence")
        assert (list(cube.annotators), cube.values[:, 0, 0].tolist()) == (["w1", "w2"], [4, 3])

    def test_a_result_that_comes_after_the_next_change_is_not_shown(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, FOREIGN.encode())
        shown, show = [], dialog.show_preview
        monkeypatch.setattr(dialog, "show_preview", lambda preview: (shown.append(preview), show(preview)))
        box = dialog.columns.role_box("seconds")
        for role in ("note", "score"):
            box.setCurrentIndex(box.findData(role))
            box.activated.emit(box.currentIndex())
            dialog.options_changed.emit()  # without the pause
            time.sleep(0.3)  # the reading ends, and its result waits for the window
        qtbot.waitUntil(lambda: bool(shown) and dialog.problems.isVisible())
        assert [preview.table.columns[-1].role for preview in shown] == ["score"]

    def test_what_is_unclear_is_marked_and_answered_in_the_table(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        rows = b"doc_id,article,bart,pegasus\nd1,A court met on Monday.,It met a lot.,It did meet there.\n"
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, rows)
        box = dialog.columns.role_box("bart")
        assert "may contain the summaries of one system" in box.accessibleDescription()
        assert "may contain" in dialog.columns.use("bart")[1]
        assert not dialog.accept_button.isEnabled()
        for name in ("bart", "pegasus"):
            box = dialog.columns.role_box(name)
            box.setCurrentIndex(box.findData("summary"))
            box.activated.emit(0)
            field = dialog.columns.name_field(name)
            qtbot.keyClicks(field, name)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.mapping == {"summary:bart": "bart", "summary:pegasus": "pegasus"}

    def test_another_encoding_is_chosen(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        rows = "doc_id,model,hyp\nd1,M,Le café a fermé hier.\n".encode("latin-1")
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, rows)
        assert "is not UTF-8" in dialog.problems.toPlainText()
        assert "--" not in dialog.problems.toPlainText()
        assert not dialog.columns.isVisible()
        assert dialog.notice.text_label.text() == UNREADABLE
        qtbot.mouseClick(dialog.notice.remedy_button, LEFT)
        box = dialog.table_options.encoding_box
        assert box.view().isVisible()
        qtbot.keyClicks(box.view(), "UTF-16")  # a wrong one
        qtbot.keyClick(box.view(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: "not in UTF-16" in dialog.problems.toPlainText())
        assert not dialog.columns.isVisible()
        box.setCurrentIndex(box.findData("windows-1252"))
        box.activated.emit(0)
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.columns.isVisible()
        assert dialog.notice.remedy_button.isHidden()
        assert "Le café a fermé hier." in dialog.preview.text.toPlainText()

    def test_foreign_headings_are_proposed_as_ratings_with_their_scales(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        """Nothing is named for the command line; without a column of annotators their name can be entered."""
        rows = "Dokument-ID;Modell;Ausgabe;fluency (1-7);Kohärenz\nd1;M;Ein Gericht tagte gestern.;7;2\n"
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, rows.encode())
        roles = {
            name: (dialog.columns.role_box(name).currentText(), dialog.columns.name_field(name).text())
            for name in ("Dokument-ID", "Ausgabe", "fluency (1-7)", "Kohärenz")
        }
        assert roles == {
            "Dokument-ID": ("Topic", ""),
            "Ausgabe": ("Text of the summary", ""),
            "fluency (1-7)": ("Rating", "fluency (1-7)"),
            "Kohärenz": ("Rating", "Kohärenz"),
        }
        assert "--" not in str(dialog.preview.notes)
        field = dialog.columns.name_field("Kohärenz")
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, "coherence (0-10)")
        qtbot.waitUntil(lambda: dialog.mapping == {"rating:coherence (0-10)": "Kohärenz"})
        assert dialog.annotator_field.isVisible()
        assert dialog.annotator_field.placeholderText() == "imported"
        qtbot.keyClicks(dialog.annotator_field, "Ann")
        qtbot.waitUntil(
            lambda: dialog.accept_button.isEnabled() and "imported" not in str(dialog.preview.notes)
        )
        qtbot.mouseClick(dialog.accept_button, LEFT)
        qtbot.waitUntil(lambda: is_closed(dialog))
        ratings = controller.context.study.ratings
        assert {scale.name: (scale.low, scale.high) for scale in ratings.dimensions()} == {
            "fluency": (1, 7),
            "coherence": (0, 10),
        }
        assert ratings.cube("coherence").annotators == ("Ann",)

    def test_rows_are_topics_if_no_column_names_them(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        rows = b"reference,system_a,system_b\nA court met there.,It met a lot.,It did meet there.\n"
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, rows)
        assert "No column names the topic" in dialog.problems.toPlainText()
        assert dialog.table_options.rows_box.isVisible()
        dialog.table_options.rows_box.click()
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.preview.topics[0].name == "1"

    def test_tab_goes_through_the_columns_and_esc_leaves_them(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, FOREIGN.encode())
        dialog.columns.role_box("worker_id").setFocus()
        heard = []
        for backwards in (False, False, False, True, True, True):
            shift = Qt.KeyboardModifier.ShiftModifier if backwards else Qt.KeyboardModifier.NoModifier
            qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab, shift)
            heard.append(dialog.focusWidget().accessibleName())
        box, name = "{} becomes", "Name for {}"
        there = [box.format("coherence"), name.format("coherence"), box.format("fluency")]
        assert heard == [*there, *there[1::-1], box.format("worker_id")]
        qtbot.waitUntil(lambda: len(dialog.columns.findChildren(QComboBox)) == 1)  # others are painted
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Escape)
        tree = dialog.columns.tree
        assert dialog.focusWidget() is tree
        read = QAccessible.queryAccessibleInterface(tree).focusChild().text(QAccessible.Text.Name)
        assert read == "worker_id, becomes Annotator, heading, 2 values, first values w1, w2, w1"
        qtbot.keyClick(tree, Qt.Key.Key_Tab)
        assert not dialog.columns.isAncestorOf(dialog.focusWidget())

    def test_keys_in_objects_are_a_tree(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        rows = [
            {
                "doc": {"id": f"d{n}", "meta": {"year": 1999, "place": "here"}},
                "model": "bart",
                "hyp": "A court met on Monday.",
                "scores": {"rouge1": 0.5 + n / 10},
            }
            for n in range(3)
        ]
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, json.dumps(rows).encode(), "r.json")
        model = dialog.columns.model
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        assert lines(model) == [
            "doc",
            "  id",
            "  meta",
            "    year",
            "    place",
            "model",
            "hyp",
            "scores",
            "  rouge1",
        ]
        index = model.find("doc.id")
        assert (index.data(), dialog.columns.tree.isExpanded(index.parent())) == ("Topic", True)

    def test_a_table_of_very_many_columns_lists_them_all(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        names, values = ",".join(f"c{n}" for n in range(400)), ",".join(["0"] * 400)
        rows = f"doc_id,model,hyp,{names}\nd1,M,A court met on Monday.,{values}\n".encode()
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, rows)
        assert dialog.accept_button.isEnabled()
        assert dialog.columns.model.rowCount() == 403
        assert dialog.columns.role_box("c399").isVisible()
        assert len(dialog.columns.findChildren(QComboBox)) == 1

    def test_a_mapping_is_saved_recognized_and_used_from_a_file(
        self, controller, qtbot, tmp_path, monkeypatch
    ) -> None:
        monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, FOREIGN.encode(), "crowd 1.csv")
        file = tmp_path / "ours.toml"
        asked: list[str] = []
        monkeypatch.setattr(
            window_controller,
            "ask_where_to_save",
            lambda parent, title, name, kinds: asked.append(name) or file,
        )
        monkeypatch.setattr(window_controller, "ask_file", lambda parent, title, kinds: file)
        as_file, kept = dialog.save_actions
        as_file.trigger()
        qtbot.waitUntil(lambda: str(file) in dialog.job.label.text())
        assert asked == ["crowd-1.toml"]
        assert "doc_id" in file.read_text("utf-8")
        dialog.mapping_button.menu().actions()[0].trigger()
        qtbot.waitUntil(lambda: dialog.chosen_format == str(file) and dialog.accept_button.isEnabled())
        assert dialog.accept_button.text() == "Import 6 ratings"
        assert dialog.columns.use("coherence") == ("Rating: coherence", "")
        assert dialog.columns.use("seconds") == ("Left out", "nothing reads it")
        assert dialog.columns.tree.choose("seconds") is None, "the mapping decides"
        kept.trigger()
        qtbot.waitUntil(lambda: "recognized from now on" in dialog.job.label.text())
        assert "crowd-1" in [one.name for one in import_registry.formats()]
        kept.trigger()
        qtbot.waitUntil(lambda: "already" in dialog.job.label.text())

    def test_a_known_mapping_is_chosen_from_the_menu(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, FOREIGN.encode())
        titles = {action.text(): action for action in dialog.mapping_button.menu().actions()}
        title = import_registry.find("summeval").title
        assert import_registry.find("ducview").title not in titles, "it is no mapping"
        titles[title].trigger()
        qtbot.waitUntil(lambda: dialog.problems.isVisible())
        assert (dialog.chosen_format, dialog.panel.title_label.text()) == ("summeval", "Format")
        assert dialog.about_label.isVisible()

    def test_the_sheet_and_the_scale_are_chosen(self, controller, qtbot, tmp_path, monkeypatch) -> None:
        book = openpyxl.Workbook()
        for name, value in (("first", 7), ("second", 6)):
            sheet = book.create_sheet(name)
            sheet.append(["doc_id", "model", "hyp", "coherence"])
            sheet.append([f"d-{name}", "M", "A court met on Monday.", value])
        book.remove(book.worksheets[0])
        book.save(tmp_path / "r.xlsx")
        content = (tmp_path / "r.xlsx").read_bytes()
        dialog = self.dialog(controller, qtbot, monkeypatch, tmp_path, content, "r.xlsx")
        assert "7 is outside the scale 1 to 5" in dialog.problems.toPlainText()
        box = dialog.table_options.part_box
        assert [box.itemText(at) for at in range(box.count())] == ["first", "second"]
        box.setCurrentIndex(1)
        box.activated.emit(1)
        qtbot.waitUntil(lambda: "6 is outside" in dialog.problems.toPlainText())
        qtbot.keyClicks(dialog.table_options.scale_field, "1-7")
        qtbot.waitUntil(dialog.accept_button.isEnabled)
        assert dialog.preview.topics[0].name == "d-second"
