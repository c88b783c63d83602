"""The Score page with its real widgets and a real study."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QSpinBox, QWidget

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics.base import MODELS, Metric, Need
from core.metrics.registry import metric, metrics, parse
from core.ports import set_language
from core.progress import run_to_completion as run_to_end
from core.scoring.config import ScoringConfig
from core.scoring.engine import score
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from core.systems.registry import summarizers
from gui.item_models.table_model import ROW_ROLE
from gui.pages.score.configurations import ConfigEntry, ConfigStatus, details_of, row_of, with_distinct_names
from gui.pages.score.presenter import ScorePresenter, build
from gui.pages.score.view import (
    MetricList,
    MetricModel,
    MetricRow,
    RunDetails,
    RunPanel,
    RunRow,
    ScoreState,
    ScoreView,
    check_area,
)
from gui.results.settings_form import SettingsForm, setting_fields
from gui.results.values import FieldKind
from gui.widgets.controls import Choice
from storage.study_file import new_study

pytestmark = pytest.mark.slow

USUAL = [
    parse(f"{kind.name}:{settings}" if settings else kind.name)
    for kind in metrics()
    for settings in kind.default_configs
]
"""Configurations that the page lists by default."""

QUICK = [
    each
    for each in USUAL
    if each.is_usual and not each.needs & MODELS and not each.unavailable(StudyResources())
]
"""Configurations that are checked by default: those that need only the texts."""


def name_of(each: Metric) -> str:
    """What a line calls a metric: its measures' common head."""
    return each.measures()[0].rpartition(".")[0]


@pytest.fixture
def page(qtbot, context):
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    folders: list[Path] = []
    files: list[Path] = []
    presenter = ScorePresenter(
        view,
        context,
        lambda question: folders.pop() if folders else None,
        lambda question: files.pop() if files else None,
        lambda _: None,
    )
    presenter.folders, presenter.files = folders, files
    view.resize(1200, 800)
    view.show()
    qtbot.waitUntil(lambda: bool(rows(view)) and not is_looking(view))
    return view, presenter


def rows(view: ScoreView) -> list[MetricRow]:
    return view.metrics.metrics.rows()


def row(view: ScoreView, name: str) -> MetricRow:
    return next(r for r in rows(view) if r.name == name)


def choose_only(view: ScoreView, *names: str) -> None:
    for each in rows(view):
        if each.is_chosen != (each.name in names):
            view.metrics.toggled.emit(each.key)


def choose_place(view: ScoreView, qtbot, title: str) -> None:
    """Press the button beside a setting that names a folder or a file."""
    buttons = view.details.form.findChildren(QAbstractButton)
    qtbot.mouseClick(next(b for b in buttons if b.toolTip().endswith(title)), Qt.MouseButton.LeftButton)


def is_looking(view: ScoreView) -> bool:
    return any(r.state is ScoreState.LOOKING for r in rows(view))


def run(view: ScoreView, qtbot) -> None:
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.stop_button.isVisible() and not is_looking(view))


def test_nothing_is_said_to_run_before_it_is_checked(qtbot, context):
    view = ScoreView([Choice("cpu", "CPU")])
    qtbot.addWidget(view)
    _presenter = ScorePresenter(view, context, *([lambda _: None] * 3))
    said = set()
    view.show()

    def is_checked() -> bool:
        if rows(view) and is_looking(view):
            said.add(view.unable_label.text())
        return bool(rows(view)) and not is_looking(view)

    qtbot.waitUntil(is_checked)
    assert said
    assert not any("All can run" in text for text in said)


def test_usual_configurations_are_listed_and_quick_ones_chosen(page):
    view, _ = page
    assert sorted(r.name for r in rows(view) if r.is_chosen) == sorted(map(name_of, QUICK))
    others = {name_of(each) for each in USUAL if each not in QUICK}
    assert {r.name.partition(" ")[0] for r in rows(view) if not r.is_chosen} == others
    assert view.study_label.text() == "2 topics · 3 systems · 2 references"


def test_another_language_changes_the_settings_that_are_listed(page, qtbot, study):
    view, _ = page
    names = sorted(r.name for r in rows(view))
    assert all("unicode" not in r.about for r in rows(view))
    set_language(study, "ja").result()
    qtbot.waitUntil(lambda: "words icu" in row(view, "js-1").about)
    assert "words unicode" in row(view, "rouge-2").about
    assert sorted(r.name for r in rows(view)) == names
    assert sorted(r.name for r in rows(view) if r.is_chosen) == sorted(map(name_of, QUICK))


def test_an_empty_study_is_not_said_to_be_scored(context, tmp_path, qtbot) -> None:
    with new_study(tmp_path / "empty.pyramidion") as empty:
        view, _ = build(replace(context, study=empty))
        qtbot.addWidget(view)
        view.show()
        qtbot.waitUntil(lambda: bool(rows(view)) and not is_looking(view))
        assert view.run_panel.beside_labels[0].text() == "There is nothing to score."
        context.jobs.cancel_all(5.0)


def test_a_run_scores_the_chosen_metrics_and_reports_it(page, qtbot, study):
    view, _ = page
    run(view, qtbot)
    assert sorted(config.spec for config in study.scores.configs()) == sorted(one.spec for one in QUICK)
    assert all(len(study.scores.blocks(config.signature)) == 2 for config in study.scores.configs())
    assert [r.status for r in rows(view) if r.is_chosen] == ["scored"] * len(QUICK)
    assert view.run_panel.beside_labels[1].text() == f"{len(QUICK)} metrics × 2 topics scored"
    assert not view.run_button.isEnabled(), "nothing is left to score"


def test_only_ticked_metrics_run(page, qtbot, study):
    view, _ = page
    choose_only(view, "rouge-1", "rouge-2")
    view.metrics.choose(row(view, "rouge-1").key)
    qtbot.keyClick(view.metrics, Qt.Key.Key_Space)
    assert [r.name for r in rows(view) if r.is_chosen] == ["rouge-2"]
    run(view, qtbot)
    assert [config.spec for config in study.scores.configs()] == ["rouge-n:stem=yes"]


def test_the_box_is_ticked_with_the_mouse(page, qtbot):
    view, _ = page
    index = view.metrics.metrics.index_of(row(view, "rouge-l").key)
    area = view.metrics.visualRect(index)
    qtbot.mouseClick(view.metrics.viewport(), Qt.MouseButton.LeftButton, pos=check_area(area).center())
    assert not row(view, "rouge-l").is_chosen


@pytest.fixture
def third_topic(study):
    topic = NewTopic(
        "D3", references={"A": NewText("A flood.")}, summaries={"lead": NewText("A flood came.")}
    )
    study.import_data(ImportContent("more", topics=[topic]))


def test_a_cancelled_run_stores_finished_topics_and_the_next_resumes(
    third_topic, page, qtbot, study, monkeypatch
):
    view, _ = page
    choose_only(view, "rouge-l")
    rouge, scored, stopped = type(metric("rouge-l")), count(), Event()
    plain = rouge.score

    def score_one(self, *prepared):
        if next(scored) > 0:
            stopped.wait()
        return plain(self, *prepared)

    monkeypatch.setattr(rouge, "score", score_one)
    qtbot.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(study.scores.configs()))
    qtbot.mouseClick(view.stop_button, Qt.MouseButton.LeftButton)
    stopped.set()
    qtbot.waitUntil(lambda: not view.stop_button.isVisible() and not is_looking(view))
    (config,) = study.scores.configs()
    done = len(study.scores.input_hashes(config.signature))
    assert 0 < done < 3
    assert row(view, "rouge-l").status == f"{3 - done} topic{'s' if done == 1 else ''} left"
    assert "Cancelled" in view.run_panel.beside_labels[1].text()
    run(view, qtbot)
    assert len(study.scores.input_hashes(config.signature)) == 3
    assert view.run_panel.beside_labels[1].text().startswith(f"1 metric × {3 - done} topic")


def test_what_makes_scores_stale_is_named(page, qtbot, study):
    view, _ = page
    choose_only(view, "rouge-l")
    run(view, qtbot)
    assert row(view, "rouge-l").tip == ""
    topic = NewTopic("D1", references={"Z": NewText("One more reference.")})
    study.import_data(ImportContent("x", topics=[topic]))
    qtbot.waitUntil(lambda: row(view, "rouge-l").status == "1 topic stale")
    assert row(view, "rouge-l").tip.startswith("Reference Z of D1 was added on")


def test_results_from_elsewhere_appear(page, qtbot, study):
    view, _ = page
    resources = StudyResources(study, "cpu")
    run_to_end(score(study, plan(study, [ScoringConfig(parse("rouge-n:n=3"))], resources), resources))
    qtbot.waitUntil(lambda: any(r.name == "rouge-3" and r.status == "scored" for r in rows(view)))


@pytest.mark.parametrize("spec", ["rouge-n:n=1", "rouge-l", "bertscore", "cosine"])
def test_every_setting_has_a_control_that_shows_its_value_and_reports_changes(qtbot, spec):
    shown = parse(spec)
    sheet = details_of(ConfigEntry(1, shown), None, can_remove=False)
    form = SettingsForm()
    qtbot.addWidget(form)
    form.show_fields(sheet.fields)
    changed: dict[str, object] = {}
    form.changed.connect(changed.__setitem__)
    for field in sheet.fields:
        control = form.controls[field.key]
        assert control.accessibleName() == field.title
        match field.kind:
            case FieldKind.WHOLE:
                assert isinstance(control, QSpinBox)
                assert control.value() == field.value
                control.setValue(3)
            case FieldKind.NUMBER:
                assert isinstance(control, QDoubleSpinBox)
                assert control.value() == field.value
                control.setValue(0.25)
            case FieldKind.YES_NO:
                assert isinstance(control, QCheckBox)
                assert control.isChecked() == field.value
                control.toggle()
            case FieldKind.CHOICE:
                assert isinstance(control, QComboBox)
                assert control.currentData() == field.value
                control.setCurrentIndex(control.count() - 1)
                control.activated.emit(control.currentIndex())
            case _:
                assert control.text() == field.value
                control.selectAll()
                qtbot.keyClicks(control, "elsewhere")
                qtbot.keyClick(control, Qt.Key.Key_Return)
    assert changed.keys() == {field.key for field in sheet.fields}
    for key, value in changed.items():
        again = replace(shown, **{key: value})
        assert again == parse("|".join((again.name, *(f"{k}:{v}" for k, v in again.settings().items()))))
        assert again != shown


def test_every_setting_that_names_a_folder_or_file_has_a_button_to_choose_it():
    kinds = {
        (kind.name, field.key): (field.kind, field.help)
        for kind in (*metrics(), *summarizers())
        for field in setting_fields(kind())
        if isinstance(field.value, str) and field.kind not in (FieldKind.CHOICE, FieldKind.INDEX)
    }
    for setting, (kind, text) in kinds.items():
        words = set(re.findall(r"\w+", text.lower()))
        if "folder" in words or "file" in words:
            assert kind in (FieldKind.FOLDER, FieldKind.FILE), setting
        if "folder" not in words and "file" in words:
            assert kind is FieldKind.FILE, setting


def test_a_stored_name_is_not_typed_by_whoever_passes_its_field(qtbot, shown):
    form = SettingsForm()
    changed = []
    form.changed.connect(lambda key, value: changed.append((key, value)))
    judge = parse("judge:lm=theirs,server=https://models.invalid/v1")
    form.show_fields([field for field in setting_fields(judge) if field.kind is FieldKind.TEXT])
    shown(form)
    for control in (*form.controls.values(), *form.controls.values()):
        control.setFocus()
        qtbot.keyClick(control, Qt.Key.Key_Return)
    assert not changed
    qtbot.keyClicks(form.controls["server"], "/x")
    qtbot.keyClick(form.controls["server"], Qt.Key.Key_Return)
    assert changed == [("server", "https://models.invalid/v1/x")]


def test_a_setting_changes_the_signature_that_is_shown_and_copied(page, qtbot, study):
    view, _ = page
    view.metrics.choose(row(view, "rouge-2").key)
    control = view.details.form.controls["n"]
    control.setValue(4)
    wanted = metric("rouge-n", n=4, stem=True).signature(StudyResources(study, "cpu"))
    details = view.details
    qtbot.waitUntil(lambda: details.copy_button.isEnabled() and "n:4" in details.signature_label.text())
    qtbot.mouseClick(view.details.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == wanted
    assert parse(wanted) == metric("rouge-n", n=4, stem=True)
    assert view.details.chips.texts == ("rouge-4.recall", "rouge-4.precision", "rouge-4.f")


def test_a_metric_that_cannot_run_links_to_the_models(page, qtbot):
    view, _ = page
    assert "cannot run" in view.unable_label.text()
    with qtbot.waitSignal(view.models_button.clicked):
        qtbot.mouseClick(view.models_button, Qt.MouseButton.LeftButton)
    view.show_metrics(view.metrics.metrics.rows(), "", "")
    assert not view.models_button.isVisible(), "all can run"


def test_a_long_signature_leaves_room_for_the_settings(page, qtbot):
    view, _ = page
    text, label, lines = view.details.signature_text, view.details.signature_label, 4
    view.details.show_signature("|".join(f"a_rather_long_setting:{n}" for n in range(60)))
    text_high = label.heightForWidth(text.viewport().width())
    line = label.fontMetrics().boundingRect(QRect(), 0, label.text()).height()
    assert text_high % line == 0, "whole lines, though the signs between parts are of another font"
    qtbot.waitUntil(lambda: text.height() == lines * line)
    assert text.focusPolicy() == Qt.FocusPolicy.TabFocus
    assert text.verticalScrollBar().maximum() > 0
    view.details.show_signature("js|n:1")
    assert text.height() < 3 * line
    assert text.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_a_scored_configuration_keeps_its_row_when_settings_change(page, qtbot):
    view, _ = page
    run(view, qtbot)
    before = len(rows(view))
    view.metrics.choose(row(view, "rouge-2").key)
    view.details.form.controls["n"].setValue(4)
    qtbot.waitUntil(lambda: not is_looking(view))
    assert len(rows(view)) == before + 1
    assert row(view, "rouge-2").status == "scored"
    assert row(view, "rouge-4").is_chosen
    assert row(view, "rouge-4").status == ""


def test_several_configurations_of_one_metric_run_together(page, qtbot, study):
    view, _ = page
    view.metrics.choose(row(view, "rouge-1").key)
    qtbot.mouseClick(view.details.another_button, Qt.MouseButton.LeftButton)
    view.details.form.controls["stem"].setChecked(False)
    qtbot.waitUntil(lambda: not is_looking(view))
    run(view, qtbot)
    assert "rouge-n:n=1" in {config.spec for config in study.scores.configs()}
    assert len(study.scores.configs()) == len(QUICK) + 1
    qtbot.mouseClick(view.details.remove_button, Qt.MouseButton.LeftButton)
    assert sum(r.name == "rouge-1" for r in rows(view)) == 1


def test_a_missing_model_is_reported_with_a_remedy_and_skipped(page, qtbot, tmp_path):
    view, presenter = page
    view.metrics.choose(row(view, "bertscore").key)
    view.metrics.toggled.emit(row(view, "bertscore").key)
    presenter.folders.append(tmp_path / "nothing")
    choose_place(view, qtbot, "Choose a folder for encoder")
    qtbot.waitUntil(lambda: row(view, "bertscore").state is ScoreState.UNABLE)
    assert row(view, "bertscore").status == "Needs a model"
    assert "no model" in view.details.problem.text_label.text()
    assert "Left out of this run · 1" in _texts(view.run_panel)
    run(view, qtbot)
    assert row(view, "rouge-1").status == "scored"


def test_word_vectors_are_a_file_and_a_parser_is_a_folder(page, qtbot, study, tmp_path):
    view, presenter = page
    vectors = tmp_path / "small.txt"
    vectors.write_text("court 1 2\njudge 2 1\n", encoding="utf-8")
    choose_only(view, "rouge-we-1-ng2015")
    view.metrics.choose(row(view, "rouge-we-1-ng2015").key)
    presenter.files.append(vectors)
    choose_place(view, qtbot, "Choose a file for word vectors")
    qtbot.waitUntil(lambda: not is_looking(view))
    run(view, qtbot)
    assert "|source:file|model:small.txt|" in study.scores.configs()[0].signature
    view.metrics.choose(row(view, "be-hm").key)
    presenter.folders.append(tmp_path)
    choose_place(view, qtbot, "Choose a folder for parser")
    qtbot.waitUntil(lambda: "config.cfg" in view.details.problem.text_label.text())
    qtbot.waitUntil(lambda: row(view, "be-hm").status == "Needs a model")


def _texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_chosen_references_are_used_and_part_of_the_signature(page, qtbot, study):
    view, _ = page
    view.references_box.list_menu.actions()[0].trigger()
    assert view.references_box.text() == "A"
    qtbot.waitUntil(lambda: not is_looking(view))
    run(view, qtbot)
    reading = [c for c in study.scores.configs() if Need.REFERENCES in parse(c.spec).needs]
    assert len(reading) > 3
    assert {config.references for config in reading} == {("A",)}
    assert all("|references:A|" in config.signature for config in reading)


def test_the_list_is_a_valid_model_that_filters_and_keeps_its_position(page, qtbot):
    view, _ = page
    QAbstractItemModelTester(view.metrics.metrics, QAbstractItemModelTester.FailureReportingMode.Fatal)
    view.metrics.choose(row(view, "rouge-l").key)
    view.search.setText("word pieces by the cosine")
    assert [r.name for r in rows(view)] == ["bertscore"]
    view.search.clear()
    assert len(rows(view)) == len(USUAL)
    assert view.metrics.current_key is not None


def test_headings_count_chosen_metrics(qtbot):
    model = MetricModel()
    tree = MetricList()
    qtbot.addWidget(tree)
    made = [MetricRow(i, f"m{i}", "", "F" if i < 2 else "G", i == 0, ScoreState.NEW) for i in range(3)]
    model.set_rows(made)
    delegate = tree.itemDelegate()
    assert [delegate.head_fact(model.index(i, 0).data(ROW_ROLE)) for i in range(2)] == ["1 of 2", "0 of 1"]


def test_details_name_the_stand_in_model(study):
    resources = StudyResources(study, "cpu")
    chosen = parse("bertscore")
    ran = plan(study, [ScoringConfig(chosen)], resources).runs[0]
    stand_in = details_of(ConfigEntry(1, chosen), ConfigStatus(ran), can_remove=False).stand_in
    assert stand_in == "Stand-in: all-MiniLM-L6-v2 for roberta-large, which the paper used."
    assert details_of(ConfigEntry(1, parse("rouge-n")), None, can_remove=False).stand_in == ""


def test_a_metric_that_lacks_a_model_offers_the_models(qtbot, page, context):
    opened: list[str] = []
    context.commands.bind("score.models", lambda: opened.append("models"))
    lacking = parse("lite-pyramid:nli=/no/such/folder")
    ran = plan(context.study, [ScoringConfig(lacking)], StudyResources(context.study, "cpu")).refused[0]
    sheet = details_of(ConfigEntry(1, lacking), ConfigStatus(ran), can_remove=False)
    assert sheet.remedy == "Models…"
    view = page[0] if isinstance(page, tuple) else page
    view.show_details(sheet)
    view.details.problem.remedy_button.click()
    assert opened == ["models"]


def choose_preset(view: ScoreView, title: str) -> set[str]:
    """Take a set of metrics from the menu; the names of what is chosen then."""
    next(action for action in view.presets_button.menu().actions() if action.text() == title).trigger()
    return {each.name for each in rows(view) if each.is_chosen}


def test_a_set_of_metrics_is_chosen_from_a_menu(page):
    view, _ = page
    ready = choose_preset(view, "All ready")
    assert ready == {each.name for each in rows(view) if each.state is not ScoreState.UNABLE}
    assert choose_preset(view, "Quick") == set(map(name_of, QUICK))
    summeval = choose_preset(view, "SummEval")
    assert {"rouge-1", "rouge-2", "rouge-l", "bleu", "bertscore"} <= summeval <= ready
    assert not {"js-1", "idss-l", "cosine-words-avg"} & summeval
    reference_free = choose_preset(view, "Reference-free")
    assert not {"rouge-1", "bleu"} & reference_free


def test_configurations_of_one_name_are_distinguished_by_their_settings():
    entries = [
        ConfigEntry(i, parse(spec))
        for i, spec in enumerate(("rouge-n:n=1,stem=yes", "rouge-n:n=1,stem=no", "bleu"))
    ]
    names = [each.name for each in with_distinct_names([row_of(entry, None) for entry in entries], entries)]
    assert len(set(names)) == 3
    assert all(name.startswith("rouge-1") for name in names[:2])
    assert names[2] == "bleu"


def test_lines_of_a_run_are_created_ahead_and_used_again(shown):
    def shows(*names: str) -> set[str]:
        lines = tuple(RunRow(name, "", ScoreState.WAITING, "") for name in names)
        panel.show_details(RunDetails("", "", ("", ""), None, (), lines, ()))
        return {label.text() for label in panel.findChildren(QLabel) if label.isVisible()} & {"a", "b", "c"}

    panel = RunPanel()
    panel.reserve(2)
    before = len(panel.findChildren(QWidget))
    shown(panel)
    assert shows("a", "b") == {"a", "b"}
    assert shows("c") == {"c"}
    assert len(panel.findChildren(QWidget)) == before
    assert shows("a", "b", "c") == {"a", "b", "c"}
