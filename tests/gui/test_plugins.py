"""What other packages add, in the window: metrics, exports and import formats; programs of a study."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from core.files.allowed_names import NameKind, allowed_names
from core.metrics.external import ExternalMetric
from core.progress import run_to_completion
from gui.app import _importer, added_exports
from gui.pages.report import presenter as report
from gui.pages.score.presenter import ScorePresenter
from gui.pages.score.view import ScoreState, ScoreView
from gui.widgets.controls import Choice
from tests.plugins import installed
from tests.scoring import score_all


@pytest.fixture(autouse=True)
def _nothing_allowed_by_others():
    yield
    allowed_names().__init__()


@pytest.fixture
def open_score(context, qtbot):
    """Open the Score page and wait until it has planned."""

    def opened() -> ScoreView:
        view = ScoreView([Choice("cpu", "CPU")])
        qtbot.addWidget(view)
        presenter = ScorePresenter(view, context, lambda _: None, lambda _: None, lambda _: None)
        presenter.setParent(view)
        view.show()
        qtbot.waitUntil(
            lambda: bool(rows(view)) and not any(r.state is ScoreState.LOOKING for r in rows(view))
        )
        return view

    return opened


def rows(view):
    return view.metrics.metrics.rows()


def run_only(view, qtbot, name):
    for each in rows(view):
        if each.is_chosen != (each.name == name):
            view.metrics.toggled.emit(each.key)
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(r.name == name and r.state is ScoreState.SCORED for r in rows(view)))


def test_a_metric_of_a_package_is_listed_and_scored(open_score, study, qtbot):
    with installed("sample"):
        view = open_score()
        (first, second) = (r for r in rows(view) if r.family == "Sample package")
        assert {first.name, second.name} == {"word-overlap", "word-overlap case"}
        run_only(view, qtbot, "word-overlap")
    study.flush()
    (config,) = study.scores.configs()
    assert config.signature == "word-overlap|case:no|package:word-overlap 1.2|version:1"


def test_a_broken_package_is_named_and_the_page_works(open_score, requests):
    with installed("broken"):
        names = {r.name for r in rows(open_score())}
    assert {"rouge-1", "nowork"} <= names
    assert any("The metric clash of the package broken-metrics 0.9" in one for one in requests.sentences)


def test_import_formats_and_exports_of_a_package_are_listed(context, study, tmp_path, qtbot, monkeypatch):
    with installed("sample"):
        importer = _importer(context.settings, study)
        assert [row.description for row in importer.formats if row.name == "pipes"] == [
            "One summary per line: topic, system and text with pipes between them. (word-overlap 1.2)"
        ]
        page = replace(context, added_exports=added_exports)
        view, presenter = report.build(page)
        qtbot.addWidget(view)
        path = tmp_path / "out.pipes"
        monkeypatch.setattr(presenter, "_ask_path", lambda *_: path)
        view.show()
        qtbot.mouseClick(view.export_buttons["texts.pipes"], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: path.exists() and not view.job.bar.isVisible())
    assert "D1|bad|Bridges are old." in path.read_text("utf-8").splitlines()


def test_a_broken_format_is_named_in_the_preview(context, study, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("topic,system,text\nD9,lead,A bridge.\n", "utf-8")
    with installed("broken"):
        preview = run_to_completion(_importer(context.settings, study).preview(table, "table", {}))
    assert any("The format worse of the package" in notice for notice in preview.notices)


def test_a_program_that_only_the_study_names_runs_once_it_is_allowed(open_score, study, qtbot, tmp_path):
    code = tmp_path / "program.py"
    code.write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'score': 1}))\n",
        "utf-8",
    )
    metric = ExternalMetric(command=f"{sys.executable} -S {code}")
    allowed_names().named_settings(metric)
    score_all(study, metric.spec)
    allowed_names().__init__()
    view = open_score()
    row = next(r for r in rows(view) if str(code) in r.name)
    assert row.state is ScoreState.UNABLE
    view.metrics.choose(row.key)
    buttons = {b.text(): b for b in view.details.findChildren(QAbstractButton)}
    qtbot.mouseClick(buttons["Allow it"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: next(r for r in rows(view) if r.key == row.key).state is ScoreState.SCORED)
    assert allowed_names().has(NameKind.COMMAND, metric.command)
