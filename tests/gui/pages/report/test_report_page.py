"""The Report page with real widgets and a real study."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import openpyxl
import pyarrow.parquet
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from core.domain.import_batch import ImportContent, NewRating
from core.domain.pyramid import add_scu
from core.formatting.tables import Column, Table
from core.progress import run_to_completion
from core.report.report_items import add_table, list_report_items
from gui.pages.report.presenter import EXPORTS, ReportPresenter
from gui.pages.report.view import ReportView
from tests.scoring import score_all

pytestmark = pytest.mark.slow


@pytest.fixture
def scored(study):
    ratings = [
        NewRating(topic, system, "coherence", "Ann", value)
        for topic in ("D1", "D2")
        for system, value in (("lead", 3.0), ("good", 5.0), ("bad", 1.0))
    ]
    study.import_data(ImportContent("ratings", dimensions={"coherence": (1, 5)}, ratings=ratings))
    score_all(study, "rouge-n:n=1")
    return study


@pytest.fixture
def page(context, shown, qtbot):
    view = ReportView(EXPORTS)
    chosen: list[Path] = []
    opened: list[Path] = []
    presenter = ReportPresenter(
        view,
        context,
        lambda *_: chosen.pop() if chosen else None,
        lambda _: chosen.pop() if chosen else None,
        opened.append,
    )
    presenter.chosen_paths, presenter.opened = chosen, opened
    shown(view)
    qtbot.waitUntil(lambda: bool(view.about_label.text()))
    return view, presenter


def write(view: ReportView, presenter: ReportPresenter, qtbot, path: Path, button) -> None:
    presenter.chosen_paths.append(path)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: path.exists() and not view.job.bar.isVisible())


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def test_the_report_is_written_and_opened(scored, page, qtbot, tmp_path):
    view, presenter = page
    path = tmp_path / "out" / "r.html"
    path.parent.mkdir()
    write(view, presenter, qtbot, path, view.write_button)
    text = path.read_text("utf-8")
    assert view.focusWidget() is view.write_button
    assert text.startswith(("<!DOCTYPE html>", "<!doctype html>"))
    assert "rouge-1.f" in text
    assert "rouge-n|n:1|" in text.replace("<wbr>", "")
    links = {
        b.text(): b for b in view.findChildren(type(view.job.stop_button)) if "r.html" in b.accessibleName()
    }
    qtbot.mouseClick(links["Open"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(links["Show in folder"], Qt.MouseButton.LeftButton)
    assert presenter.opened == [path, path.parent]


def test_an_excluded_level_is_not_in_the_report(scored, page, qtbot, tmp_path):
    view, presenter = page
    view.section_boxes["global"].setChecked(False)
    write(view, presenter, qtbot, tmp_path / "r.html", view.write_button)
    text = (tmp_path / "r.html").read_text("utf-8")
    assert 'id="correlation-topic"' in text
    assert 'id="correlation-global"' not in text


def test_the_suffix_chooses_the_format_and_the_appendix_can_be_left_out(scored, page, qtbot, tmp_path):
    view, presenter = page
    view.section_boxes["appendix"].setChecked(False)
    write(view, presenter, qtbot, tmp_path / "r.json", view.write_button)
    document = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert {section["is_appendix"] for section in document["sections"]} == {False}
    write(view, presenter, qtbot, tmp_path / "r.pdf", view.write_button)
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF-")


def test_a_report_for_a_paper_is_a_folder_with_every_format(scored, page, qtbot, tmp_path):
    view, presenter = page
    view.section_boxes["appendix"].setChecked(False)
    write(view, presenter, qtbot, tmp_path / "paper", view.export_buttons["pack"])
    names = {path.name for path in (tmp_path / "paper").iterdir()}
    assert names >= {"report.html", "report.pdf", "report.docx", "report.tex", "report.md", "manifest.json"}


def test_scores_and_judgements_are_exported(scored, page, qtbot, tmp_path):
    view, presenter = page
    write(view, presenter, qtbot, tmp_path / "s.csv", view.export_buttons["scores.csv"])
    rows = read_csv(tmp_path / "s.csv")
    assert {row["measure"] for row in rows} == {"rouge-1.recall", "rouge-1.precision", "rouge-1.f"}
    assert len(rows) == 2 * 3 * 3
    write(view, presenter, qtbot, tmp_path / "s.xlsx", view.export_buttons["scores.csv"])
    sheet = openpyxl.load_workbook(tmp_path / "s.xlsx").worksheets[0]
    assert sheet.max_row == len(rows) + 1
    write(view, presenter, qtbot, tmp_path / "s.parquet", view.export_buttons["scores.csv"])
    assert pyarrow.parquet.read_metadata(tmp_path / "s.parquet").num_rows == len(rows)
    write(view, presenter, qtbot, tmp_path / "s.jsonl", view.export_buttons["scores.sacrerouge"])
    first = json.loads((tmp_path / "s.jsonl").read_text("utf-8").splitlines()[0])
    assert set(first["metrics"]["rouge-1"]) == {"recall", "precision", "f"}
    write(view, presenter, qtbot, tmp_path / "j.csv", view.export_buttons["judgements.csv"])
    assert len(read_csv(tmp_path / "j.csv")) == 6


def test_tables_are_written_to_a_folder(scored, page, qtbot, tmp_path):
    view, presenter = page
    write(view, presenter, qtbot, tmp_path / "tables", view.export_buttons["tables"])
    assert len(list((tmp_path / "tables").glob("*.csv"))) >= 6


def test_pyramids_are_written_to_a_folder_for_duc_view(scored, page, context, qtbot, tmp_path):
    view, presenter = page
    topic = scored.texts.topic(scored.texts.topics()[0].id)
    before = scored.pyramids.annotation(topic.id, context.annotator.id)
    after = add_scu(before, "x", topic.references[0].id, [(0, 9)])
    scored.pyramids.commit(before, after, "new SCU", context.annotator.id).result()
    write(view, presenter, qtbot, tmp_path / "pyramids", view.export_buttons["pyramids.ducview"])
    assert [path.name for path in (tmp_path / "pyramids").iterdir()] == [f"{topic.name}.pyr"]


def test_a_test_set_for_mt_metrics_eval_is_written_to_a_folder(scored, page, qtbot, tmp_path):
    view, presenter = page
    write(view, presenter, qtbot, tmp_path / "set", view.export_buttons["metrics.mt-metrics-eval"])
    assert (tmp_path / "set" / "README.md").is_file()
    assert list((tmp_path / "set" / "metric-scores").rglob("rouge-1.f-all.seg.score"))


def test_an_unwritable_path_is_reported(scored, page, qtbot, tmp_path, context):
    view, presenter = page
    failed: list[Exception] = []
    context.jobs.failed.connect(lambda job, error: failed.append(error))
    presenter.chosen_paths.append(tmp_path / "nowhere" / "r.html")
    qtbot.mouseClick(view.write_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(failed))
    assert "cannot be written" in str(failed[0])
    assert view.write_button.isEnabled()


def test_an_unscored_study_shows_what_is_missing(page, qtbot, requests):
    view, _ = page
    assert "Nothing is scored yet" in view.notice.text_label.text()
    view.notice.remedy_button.click()
    assert requests.pages == ["score"]


def test_the_contents_follow_the_study(scored, page, qtbot, context):
    view, _ = page
    assert view.about_label.text() == "3 measures · 1 judgement"
    score_all(scored, "rouge-l")
    qtbot.waitUntil(lambda: view.about_label.text() == "6 measures · 1 judgement")
    contents = [label.text() for label in view.findChildren(QLabel)]
    assert not any("requires scores" in text for text in contents)
    assert all(box.isChecked() for box in view.section_boxes.values())


def add_two_tables(study) -> None:
    columns = (Column("Measure", "measure"),)
    for title in ("First", "Second"):
        run_to_completion(
            add_table(study, ["By hand."], f"pyramidion {title}", Table(title, columns, ((title,),)))
        )


def added_titles(study) -> list[str]:
    return [item.title for item in list_report_items(study)]


def test_added_tables_can_be_reordered_and_removed(scored, page, qtbot):
    view, _ = page
    assert view.items.empty_label.isVisible()
    add_two_tables(scored)
    qtbot.waitUntil(lambda: len(view.items.buttons) == 6)
    first, second = (item.id for item in list_report_items(scored))
    assert not view.items.empty_label.isVisible()
    assert not view.items.buttons[first, "up"].isEnabled()
    qtbot.mouseClick(view.items.buttons[second, "up"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: added_titles(scored) == ["Second", "First"])
    qtbot.waitUntil(lambda: view.items.buttons[first, "up"].isEnabled())
    qtbot.mouseClick(view.items.buttons[second, "remove"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: added_titles(scored) == ["First"])
    qtbot.waitUntil(lambda: len(view.items.buttons) == 3)


def test_an_added_table_is_in_the_written_report(scored, page, qtbot, tmp_path):
    view, presenter = page
    add_two_tables(scored)
    write(view, presenter, qtbot, tmp_path / "r.html", view.write_button)
    text = (tmp_path / "r.html").read_text("utf-8")
    assert text.index("<h2>First</h2>") < text.index("<h2>Second</h2>")
    assert "pyramidion Second" in text
