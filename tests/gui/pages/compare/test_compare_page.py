"""The Compare page and the window of one summary, with real widgets and a real study."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from threading import current_thread, main_thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from core.annotation.comparison_plans import draw_plan
from core.comparison.comparison import load_comparison
from core.comparison.disagreement import disagreements
from core.comparison.explanations.explained_parts import NO_PARTS
from core.comparison.options import SystemSelection
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.domain.preferences import ComparisonKind
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.figures.canvas import empty_figure
from core.figures.palette import LIGHT
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Table
from core.operations import columns
from core.progress import run_to_completion
from core.report.report_items import list_report_items
from core.scoring.study_resources import StudyResources
from core.stats.correlation import CLASSIC, Coefficient, Level
from gui.item_models.table_model import Column, GroupedModel
from gui.pages.compare import correlation_cache
from gui.pages.compare.figure import FigureContent, with_note
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.summary.summary_view import EvidenceText, SummaryView, heaviest
from gui.pages.compare.table import measure_table
from gui.pages.compare.values import FigureHeader, PlotPoints, View
from gui.pages.compare.view import CompareView
from tests.scoring import score_all

SYSTEMS = ("s0", "s1", "s2", "s3", "s4")
SENTENCE = "the court lifted an old ban on the bridge while a storm closed the harbour and ships waited"
WORDS = SENTENCE.split()


def judged() -> ImportContent:
    """4 topics, 5 systems, ratings on two dimensions, all drawn with a seed."""
    draw = np.random.default_rng(7)
    topics, ratings = [], []
    for t in range(4):
        summaries = {s: NewText(" ".join(draw.choice(WORDS, 12)) + ".") for s in SYSTEMS}
        references = {a: NewText(" ".join(draw.choice(WORDS, 14)) + ".") for a in ("A", "B")}
        topics.append(NewTopic(f"T{t}", title=f"Topic {t}", references=references, summaries=summaries))
        for s in SYSTEMS:
            for dimension in ("coherence", "fluency"):
                ratings.append(NewRating(f"T{t}", s, dimension, "Ann", float(draw.integers(1, 6))))
    return ImportContent(
        "judged",
        topics=topics,
        annotators={"Ann": ""},
        dimensions={"coherence": (1, 5), "fluency": (1, 5)},
        ratings=ratings,
    )


@pytest.fixture
def scored(study):
    study.import_data(judged())
    score_all(study, "rouge-n:n=1", "rouge-n:n=2", "rouge-l")
    return study


@pytest.fixture
def page(qtbot, context, shown):
    view = CompareView()
    asked: list[Path] = []
    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)

    def open_summary(numbers, *request: str) -> None:
        presenter.opened.append(request)
        summaries.open(numbers, *request)

    presenter = ComparePresenter(
        view,
        context,
        lambda *_: asked.pop() if asked else None,
        open_summary,
        lambda choices, _title: presenter.chosen,
        lambda title, sentences: presenter.messages.append((title, *sentences)),
    )
    presenter.asked, presenter.messages, presenter.chosen, presenter.opened = asked, [], None, []
    return view, presenter


@pytest.fixture
def ready(scored, page, shown, qtbot):
    view, presenter = page
    shown(view)
    qtbot.waitUntil(lambda: bool(view.table.measures.rows()) and view.figure.canvas is not None)
    return view, presenter


def choose_coefficient(view: CompareView, coefficient: Coefficient) -> None:
    """Press the coefficient's segment, or choose it in the menu of the last segment."""
    box = view.coefficient_box
    if coefficient.value in box.keys:
        box.button(coefficient.value).click()
    else:
        title = coefficient_title(coefficient)
        next(action for action in box.more_menu.actions() if action.text() == title).trigger()


def values(view: CompareView, column: int = 0) -> dict[str, float]:
    return {row.label: row.cells[column].value for row in view.table.measures.rows()}


def expected(study, level: Level, coefficient: Coefficient, human: str) -> dict[str, float]:
    return {r.measure: r.value for r in load_comparison(study, [human]).rows(level, coefficient)}


def test_every_level_and_coefficient_shows_what_core_computes(ready, scored, qtbot):
    view, _ = ready
    for level in Level:
        for coefficient in CLASSIC:
            view.level_box.button(level.value).click()
            choose_coefficient(view, coefficient)
            for column, human in enumerate(("rating.coherence", "rating.fluency")):
                wanted = expected(scored, level, coefficient, human)
                qtbot.waitUntil(lambda c=column, w=wanted: same(values(view, c), w))
    assert "Kendall's τ-b of all single summaries" in view.footer_label.text()


def test_partial_results_end_like_a_single_computation(monkeypatch, scored, request, shown, qtbot):
    monkeypatch.setattr(correlation_cache, "PATIENCE_MS", 0)
    monkeypatch.setattr(columns, "AT_ONCE_NS", 0.0)
    view, presenter = request.getfixturevalue("page")
    shown(view)
    wanted = expected(scored, Level.SYSTEM, Coefficient.PEARSON, "rating.coherence")
    qtbot.waitUntil(lambda: same(values(view), wanted) and view.figure.canvas is not None)
    assert presenter.cell == (max(wanted, key=wanted.__getitem__), "rating.coherence"), (
        "the best measure is current"
    )
    view.level_box.button("global").click()
    choose_coefficient(view, Coefficient.ACCURACY)
    wanted = expected(scored, Level.GLOBAL, Coefficient.ACCURACY, "rating.coherence")
    qtbot.waitUntil(lambda: same(values(view), wanted))
    qtbot.waitUntil(lambda: not any(column.coming for column in presenter.content.columns))


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        one[key] == other[key] or (one[key] != one[key] and other[key] != other[key]) for key in one
    )


def test_the_table_names_its_basis(ready):
    view, _ = ready
    row = view.table.measures.rows()[0]
    assert [cell.n for cell in row.cells] == [5, 5]
    assert row.tip.startswith("rouge-n|n:1|")
    assert view.notice.text_label.text().startswith("Only 5 systems")
    assert "6 topics · 0 dropped" in view.footer_label.text()


def test_notice_and_footer_follow_the_current_judgement(ready, qtbot):
    """They kept the earlier judgement until something else was computed."""
    view, presenter = ready
    qtbot.waitUntil(lambda: all(presenter.content.results))
    for place, human in enumerate(presenter.content.humans[::-1]):
        view.choose_cell("rouge-1.f", 1 - place)
        qtbot.waitUntil(
            lambda human=human: presenter.content.humans[presenter.content.current_column] == human
        )
        assert view.table.current_judgement == 1 - place


def test_sorting_is_by_value_within_families_and_undefined_values_last(qtbot):
    rows = [("a", "F", 0.1), ("b", "F", float("nan")), ("c", "F", -0.9), ("d", "G", 0.5)]
    columns = [Column("Name", lambda r: r[0]), Column("Value", lambda r: r[2], "{:.0%}".format)]
    model = GroupedModel(columns, lambda r: r[0], lambda r: r[1])
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(rows)
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert [row[0] for row in model.rows()] == ["c", "a", "b", "d"]
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in model.rows()] == ["a", "c", "b", "d"]
    model.sort(-1)
    assert model.rows() == rows
    model.find("g d")
    assert [row[0] for row in model.rows()] == ["d"]


def test_sorting_keeps_the_current_measure(ready):
    view, _ = ready
    view.choose_cell("rouge-2.recall", 1)
    view.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert view.table.current_key == "rouge-2.recall"
    assert view.table.currentIndex().column() == 2
    shown = [row.cells[0].value for row in view.table.measures.rows()]
    assert shown == sorted(shown, reverse=True), "they are all of one family"


def test_a_cell_shows_its_figure(ready, context):
    view, _ = ready
    view.choose_cell("rouge-l.f", 1)
    assert view.figure_panel.what_label.text() == "rouge-l.f"
    assert view.figure_panel.about_label.text() == "against Fluency"
    assert context.selection.measure == "rouge-l.f"
    assert view.figure_panel.result_label.text().startswith("r = ")


def place_of(view: CompareView, dot: int) -> tuple[float, float]:
    canvas = view.figure.canvas
    dots = view.figure.dots
    x, y = canvas.figure.axes[0].transData.transform((dots.x[dot], dots.y[dot]))
    return float(x), float(y)


def press(view: CompareView, qtbot, dot: int) -> None:
    canvas = view.figure.canvas
    canvas.draw()
    x, y = place_of(view, dot)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(canvas.height() - y)))


def test_a_press_on_a_dot_selects_its_system_everywhere(ready, context, scored, qtbot):
    view, presenter = ready
    names = view.figure.dots.names
    target = (presenter.side_panel.dot + 1) % len(names)
    press(view, qtbot, target)
    assert context.selection.system == names[target]
    assert view.selection_panel.title_label.text() == names[target]
    context.selection.select(system=names[0])
    assert view.selection_panel.title_label.text() == names[0]


def test_topics_are_sorted_by_disagreement(ready, qtbot):
    view, presenter = ready
    comparison = presenter.data.comparison
    measure, human = presenter.cell
    ref = next(r for r in comparison.refs if r.label == measure)
    scores = comparison.scores[comparison.refs.index(ref)]
    system = view.selection_panel.title_label.text()
    wanted = [d.topic for d in disagreements(scores, comparison.judgements[human], system)]
    assert [topic.name for topic in view.ranks.topics()] == wanted


def test_a_summary_of_the_global_level_opens_with_its_texts_scores_and_explanation(ready, scored, qtbot):
    view, presenter = ready
    view.choose_cell("rouge-1.f", 0)
    view.level_box.button("global").click()
    qtbot.waitUntil(lambda: presenter.side_panel.points.level is Level.GLOBAL)
    press(view, qtbot, 3)
    view.figure.setFocus()
    qtbot.keyClick(view.figure, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.findChild(SummaryView) is not None)
    window = view.findChild(SummaryView)
    qtbot.waitUntil(lambda: window.why_model.rowCount() == 1)
    points, dot = presenter.side_panel.points, presenter.side_panel.dot
    topic = next(t for t in scored.texts.load() if t.name == points.topics[dot])
    text = next(s for s in topic.summaries if s.name == points.systems[dot])
    assert window.summary_text.toPlainText() == text.content
    row = next(r for r in window.numbers_table.rows.rows() if r.name == "rouge-1.f")
    assert row.value == points.x[dot]
    assert window.why_model.index(0, 2).data() == f"{row.value:.4f}"
    matched = {text.content[start:end] for start, end in window.summary_text.marked()}
    shared = {word for phrase in matched for word in phrase.split()}
    assert shared <= set(text.content.rstrip(".").split())
    assert bool(shared) == (row.value > 0)


def test_parts_are_reached_from_a_dot_by_the_keyboard_alone(ready, qtbot):
    view, presenter = ready
    view.choose_cell("rouge-1.f", 0)
    view.level_box.button("global").click()
    qtbot.waitUntil(lambda: presenter.side_panel.points.level is Level.GLOBAL)
    view.figure.setFocus()
    qtbot.keyClick(view.figure, Qt.Key.Key_Right)
    qtbot.keyClick(view.figure, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.findChild(SummaryView) is not None)
    window = view.findChild(SummaryView)
    qtbot.waitUntil(lambda: window.parts_table.rows.rowCount() == 2)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.numbers_table)
    for _ in range(2):  # past the system to compare with
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.parts_table
    described = set()
    for _ in range(2):
        described.add((window.other_box.currentText(), window.other_text.accessibleDescription()))
        assert window.summary_text.accessibleDescription().startswith("Marked: ")
        qtbot.keyClick(window.parts_table, Qt.Key.Key_Down)
    assert {title for title, _ in described} == {"Reference A", "Reference B"}
    assert all(words.startswith("Marked: ") for _, words in described)
    qtbot.keyClick(window.parts_table, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_a_topic_of_the_list_opens_its_summary(ready, qtbot):
    view, _ = ready
    view.ranks.setCurrentIndex(view.ranks.model().index(0, 0))
    qtbot.keyClick(view.ranks, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.findChild(SummaryView) is not None)
    window = view.findChild(SummaryView)
    assert view.ranks.topics()[0].name in window.fact_label.text()


def test_texts_are_offered_only_of_a_selected_system(page):
    view, _ = page
    assert not view.texts_button.isEnabled()


def test_a_human_judgement_is_explained_by_the_ratings(ready, qtbot):
    view, _ = ready
    qtbot.mouseClick(view.texts_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.findChild(SummaryView) is not None)
    window = view.findChild(SummaryView)
    window.measure_chosen.emit("rating.coherence")
    qtbot.waitUntil(lambda: window.why_model.rowCount() == 1 and window.why_label.text() == NO_PARTS)
    root = window.why_model.index(0, 0)
    assert (root.data(), window.why_model.index(0, 0, root).data()) == ("mean of the ratings", "by Ann")
    value = next(row.value for row in window.numbers_table.rows.rows() if row.name == "rating.coherence")
    assert window.why_model.index(0, 2, root).data() == f"{value:.4f}"


def test_the_table_is_copied_in_every_format(ready, qtbot):
    view, presenter = ready
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:3] == ["Measure", "Family", "Coherence"]
    assert len(lines) == 1 + len(view.table.measures.rows())
    presenter.outputs.copy_table("csv")
    first = next(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    assert float(first["rating.coherence"]) == values(view)[first["measure"]]
    presenter.outputs.copy_table("latex")
    assert "\\toprule" in QGuiApplication.clipboard().text()
    presenter.outputs.copy_table("markdown")
    assert QGuiApplication.clipboard().text().startswith("| Measure |")


def test_table_and_figure_are_saved(ready, tmp_path, requests):
    _view, presenter = ready
    for name in ("t.csv", "t.tex"):
        presenter.asked.append(tmp_path / name)
        presenter.outputs.save_table()
        assert (tmp_path / name).read_text("utf-8")
    for name, magic in (("t.xlsx", b"PK"), ("t.parquet", b"PAR1")):
        presenter.asked.append(tmp_path / name)
        presenter.outputs.save_table()
        assert (tmp_path / name).read_bytes().startswith(magic)
    for name, head in (("f.svg", b"<?xml"), ("f.pdf", b"%PDF"), ("f.png", b"\x89PNG")):
        presenter.asked.append(tmp_path / name)
        presenter.outputs.save_figure()
        assert (tmp_path / name).read_bytes().startswith(head)
    presenter.asked.append(tmp_path / "none" / "t.csv")
    presenter.outputs.save_table()
    assert "cannot be written" in requests.sentences[-1]


def test_new_scores_appear_in_the_table(ready, scored, qtbot):
    view, _ = ready
    score_all(scored, "rouge-n:n=3")
    qtbot.waitUntil(lambda: "rouge-3.f" in values(view))


def test_answers_to_comparisons_appear_in_the_table(ready, scored, qtbot):
    _view, presenter = ready
    plan, items = draw_plan(scored, "better", ComparisonKind.PAIRWISE, per_summary=2, size=0)
    scored.comparisons.add_plan(plan, items, None).result()
    ann = scored.annotators.get_or_create("Ann").id
    for item in items:
        scored.comparisons.answer(item.id, ann, *item.summary_ids).result()
    qtbot.waitUntil(lambda: "preference.better.count" in presenter.data.judgements)


def test_what_makes_scores_stale_is_named_in_files_too(ready, scored, qtbot, tmp_path):
    view, presenter = ready
    topic = NewTopic(scored.texts.topics()[0].name, references={"Z": NewText("One more reference.")})
    scored.import_data(ImportContent("x", topics=[topic]))
    sentence = f"Reference Z of {topic.name} was added on"
    qtbot.waitUntil(lambda: sentence in view.stale_notice.text_label.text())
    qtbot.waitUntil(lambda: any(sentence in note for note in presenter.side_panel.content.head.notes))
    for name in ("csv", "latex", "markdown"):
        presenter.outputs.copy_table(name)
        assert sentence in QGuiApplication.clipboard().text(), name
        presenter.outputs.copy_figure(name)
        assert name == "csv" or sentence in QGuiApplication.clipboard().text(), name
    presenter.asked.append(tmp_path / "f.svg")
    presenter.outputs.save_figure()
    assert "out of date" in (tmp_path / "f.svg").read_text("utf-8")


def test_ranks_are_marked_by_the_measure_that_they_compare_with(ready, scored, qtbot):
    view, presenter = ready
    score_all(scored, "readability")
    wanted = "readability.flesch", 0
    qtbot.waitUntil(lambda: view.choose_cell(*wanted))
    topic = NewTopic(scored.texts.topics()[0].name, references={"Z": NewText("One more reference.")})
    scored.import_data(ImportContent("x", topics=[topic]))
    qtbot.waitUntil(lambda: "rouge-1.f" in view.stale_notice.text_label.text())
    qtbot.waitUntil(lambda: view.choose_cell(*wanted) and presenter.cell[0] == wanted[0])
    panel, box = view.figure_panel, view.figure_panel.other_box

    def is_noted() -> bool:
        return any("rouge-1.f: out of date" in note for note in presenter.side_panel.content.head.notes)

    for kind, other, is_marked in (
        (View.RANKS, "rouge-1.f", True),
        (View.DISTRIBUTION, "", False),
        (View.RANKS, "rating.fluency", False),
    ):
        panel.view_box.setCurrentIndex(panel.view_box.findData(kind.value))
        panel.view_box.activated.emit(0)
        if other:
            box.setCurrentIndex(box.findData(other))
            box.activated.emit(box.currentIndex())
        qtbot.waitUntil(lambda is_marked=is_marked: is_noted() == is_marked)
        count = len(list_report_items(scored))
        qtbot.mouseClick(panel.report_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda count=count: len(list_report_items(scored)) == count + 1)
        added = list_report_items(scored)[-1]
        assert (added.inputs_hash == "") == is_marked, (kind, other)
        assert ("--measure rouge-1.f" in added.command) == is_marked
        shown = other if other.startswith("rating.") else presenter.cell[1]
        assert f"--human {shown} " in added.command, "the command prints what the figure shows"


def test_saved_tables_have_the_warnings_on_screen(ready):
    view, presenter = ready
    shown = " ".join(view.notice.sentences)
    assert "Only 5 systems" in shown
    presenter.outputs.copy_table("markdown")
    assert all(one in QGuiApplication.clipboard().text() for one in view.notice.sentences)


def test_a_low_page_shows_one_warning_and_the_others_on_request(ready, qtbot):
    view, _ = ready
    view.resize(1000, 900)
    view.show_stale("A measure is out of date.")
    shown = view.notice, view.stale_notice
    assert all(one.isVisible() for one in shown)
    before = len(view.notice.sentences) - 1
    view.resize(1000, 500)
    assert [one.isVisible() for one in shown] == [True, False]
    assert view.notice.more_button.text() == f"{before + 1} more"
    qtbot.mouseClick(view.notice.more_button, Qt.MouseButton.LeftButton)
    assert all(one.isVisible() for one in shown)
    qtbot.mouseClick(view.notice.more_button, Qt.MouseButton.LeftButton)
    assert not view.stale_notice.isVisible()
    view.show_stale("")
    assert view.notice.more_button.isVisible() == bool(before)


def test_long_warnings_do_not_keep_the_page_from_becoming_lower(ready, qtbot):
    view, _ = ready
    view.resize(1280, 900)
    lowest = view.minimumSizeHint().height()
    view.show_stale("A measure is out of date. " * 60)
    notice = view.stale_notice
    qtbot.waitUntil(lambda: notice.visibleRegion().boundingRect().height() == notice.height() > 100)
    assert view.minimumSizeHint().height() - lowest < notice.height() / 2


def test_people_are_included_only_on_request(ready, scored, qtbot):
    view, _ = ready
    view.systems_box.setCurrentIndex(1)
    view.systems_box.activated.emit(1)
    comparison = load_comparison(scored, ["rating.coherence"], systems=SystemSelection.ALL)
    rows = comparison.rows(Level.SYSTEM, Coefficient.PEARSON)
    qtbot.waitUntil(lambda: same(values(view), {r.measure: r.value for r in rows}))


def test_chosen_judgements_are_the_columns(ready, qtbot):
    view, _ = ready
    view.judgements_box.list_menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: view.table.measures.columnCount() == 3)  # names, the judgement, p
    assert view.table.measures.headerData(1, Qt.Orientation.Horizontal) == "Fluency"
    view.judgements_box.list_menu.actions()[1].trigger()
    assert view.judgements_box.current == ("rating.fluency",), "one judgement stays"


def test_arrows_step_through_the_dots(ready, qtbot):
    view, presenter = ready
    view.figure.setFocus()
    order = np.lexsort((view.figure.dots.y, view.figure.dots.x)).tolist()
    for _ in order:
        qtbot.keyClick(view.figure, Qt.Key.Key_Left)
    assert presenter.side_panel.dot == order[0]
    qtbot.keyClick(view.figure, Qt.Key.Key_Right)
    assert presenter.side_panel.dot == order[1]


def test_an_unscored_study_states_what_to_do(page, shown, qtbot, requests):
    view, _ = page
    shown(view)
    qtbot.waitUntil(lambda: "Nothing is scored" in view.empty.sentence_label.text())
    qtbot.mouseClick(view.empty.primary, Qt.MouseButton.LeftButton)
    assert requests.pages == ["score"]


def test_evidence_that_overlaps_is_painted_once_and_as_the_heaviest():
    found = heaviest([((0, 4), 1.0), ((2, 8), 0.5), ((8, 9), 0.5)])
    assert found == [((0, 4), 6), ((4, 9), 3)]


@given(
    st.lists(
        st.tuples(
            st.tuples(st.integers(0, 9), st.integers(1, 5)).map(lambda span: (span[0], sum(span))),
            st.sampled_from([0.1, 0.4, 0.7, 1.0]),
        ),
        max_size=8,
    )
)
def test_each_character_has_the_weight_of_its_heaviest_evidence(evidence):
    painted = {at: step for (start, end), step in heaviest(evidence) for at in range(start, end)}
    for at in range(15):
        weights = [weight for (start, end), weight in evidence if start <= at < end]
        assert painted.get(at) == (max(1, round(6 * max(weights))) if weights else None)


def test_evidence_positions_are_right_in_texts_with_emoji(qtbot):
    text = EvidenceText("t")
    qtbot.addWidget(text)
    text.show_text("🌉 ban 👩‍🚀 lifted")
    start = "🌉 ban 👩‍🚀 lifted".index("lifted")
    text.show_evidence([((start, start + 6), 1.0)])
    assert text.extraSelections()[0].cursor.selectedText() == "lifted"


def test_a_figure_has_its_stand_in_note_in_every_format():
    def draw(palette, size):
        return empty_figure(palette, size)[0]

    head = FigureHeader("Measures", "by r", "", "")
    plain = FigureContent(
        head, PlotPoints((), np.zeros(0), np.zeros(0)), None, draw, lambda: Table("", (), ())
    )
    noted = with_note(plain, ("bertscore.f ran on mine, a stand-in for roberta-large.",))
    texts = [text.get_text() for text in noted.draw(LIGHT, (6.0, 4.0)).findobj(Text)]
    assert "bertscore.f ran on mine, a stand-in for roberta-large." in texts
    assert with_note(plain, ()) is plain


def test_the_table_and_the_figure_go_into_the_report_with_their_commands(ready, scored, qtbot):
    view, _ = ready
    panel = view.figure_panel
    qtbot.mouseClick(panel.report_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(list_report_items(scored)) == 1)
    qtbot.mouseClick(view.table_panel.report_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(list_report_items(scored)) == 2)
    figure, table = list_report_items(scored)
    assert figure.is_figure
    assert figure.title == f"{panel.what_label.text()} {panel.about_label.text()}"
    assert panel.result_label.text() in figure.policy[0]
    asked = shlex.split(table.command)
    assert asked[:3] == ["pyramidion", "correlate", scored.path.name]
    assert [asked[at + 1] for at, word in enumerate(asked) if word == "--human"] == [
        "rating.coherence",
        "rating.fluency",
    ]
    assert table.table is not None
    assert {row[0]: row[2] for row in table.table.rows} == pytest.approx(values(view), nan_ok=True)


def test_the_command_of_a_chosen_table_gives_its_numbers(ready, scored, qtbot, capsys):
    from cli.main import main

    view, _ = ready
    qtbot.mouseClick(view.table_panel.report_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(list_report_items(scored)) == 1)
    (table,) = list_report_items(scored)
    scored.flush()
    words = shlex.split(table.command.replace(scored.path.name, str(scored.path)))[1:]
    assert main([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    found = {row["measure"]: row["value"] for row in rows if row["human"] == "rating.coherence"}
    assert found == pytest.approx(values(view))


def test_measures_of_a_sweep_are_shown_only_on_request(ready, scored, qtbot):
    view, _ = ready
    before = set(values(view))
    question = parse_request("sweep", {"metric": "rouge-n", "vary": "n", "values": "3,4"})
    run_to_completion(run_experiment(scored, question, StudyResources(scored, "cpu")))
    qtbot.waitUntil(lambda: set(values(view)) == before)
    view.options.chosen.emit("include_experiments", "yes")
    qtbot.waitUntil(lambda: {"rouge-3.f", "rouge-4.f"} <= set(values(view)))
    view.options.chosen.emit("include_experiments", "no")
    qtbot.waitUntil(lambda: set(values(view)) == before)


def test_what_texts_do_to_correlations_is_computed_off_the_thread_of_the_window(
    scored, page, shown, qtbot, monkeypatch
):
    threads = []

    def cautions(*_):
        threads.append(current_thread())
        return ["The texts differ."]

    monkeypatch.setattr("core.comparison.comparison.comparison_cautions", cautions)
    view, presenter = page
    shown(view)
    qtbot.waitUntil(lambda: presenter._table is not None and "The texts differ." in presenter._table.warnings)
    assert main_thread() not in threads
    assert len(threads) == len(presenter.data.judgements), "each judgement once"


def test_every_part_of_a_wide_cell_has_a_heading(ready, qtbot, monkeypatch):
    view, presenter = ready
    view.judgements_box.chosen.emit((presenter.request.judgements[0],))
    view.resize(2200, 760)
    qtbot.waitUntil(lambda: len(view.table.headings.facts) == 3)
    written, write = [], measure_table.write
    monkeypatch.setattr(measure_table, "write", lambda *a, **k: (written.append(a[2]), write(*a, **k))[1])
    view.table.viewport().grab()
    assert written.count("5") == len(view.table.measures.rows()), "the number of systems of each measure"
    written.clear()
    view.table.headings.viewport().grab()
    assert "n" in written
