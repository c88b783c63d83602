"""The Compare page beyond its values: intervals, tests, figures, marks, choice of systems."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QRubberBand, QToolButton

from core.comparison.disagreement import all_disagreements
from core.comparison.families import family_of
from core.comparison.inference import correlation_inputs, infer
from core.comparison.judgements import included_ratings
from core.comparison.noise_ceiling import ONE_ANNOTATOR, judgement_noise_ceiling
from core.comparison.options import InferenceOptions, Variants
from core.comparison.topic_correlations import topic_correlations
from core.domain.import_batch import ImportContent, NewRating
from core.formatting.numbers import format_correlation, format_p
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from gui.pages.compare.page.choice_controller import SystemsDialog
from gui.pages.compare.table.measure_table import INDENT, MeasureTree
from gui.pages.compare.table.table_content import export_of, method_line, table_of
from gui.pages.compare.values import (
    JudgementColumn,
    MeasureCell,
    MeasureRow,
    MeasureTable,
    SpotKind,
    SystemChoice,
    View,
)
from gui.session.edits import Selection
from gui.style.theme import Type
from gui.widgets.controls import SegmentedMore
from gui.widgets.lists.grouped_tree import text_width
from tests.gui.pages.compare.test_compare_page import choose_coefficient, page, ready, scored, values  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow

HUMAN = "rating.coherence"


def cells(view, column: int = 0):
    return {row.label: row.cells[column] for row in view.table.measures.rows()}


@pytest.fixture
def inferred(ready, qtbot):  # noqa: F811
    view, presenter = ready
    qtbot.waitUntil(lambda: all(cell.has_interval for c in (0, 1) for cell in cells(view, c).values()))
    qtbot.waitUntil(lambda: any(np.isfinite(cell.against_best) for cell in cells(view, 1).values()))
    return view, presenter


def look_at(view, presenter, kind: View) -> None:
    view.figure_panel.view_box.setCurrentIndex(view.figure_panel.view_box.findData(kind.value))
    view.figure_panel.view_box.activated.emit(0)
    assert presenter.side_panel.kind is kind


def has_measures(presenter) -> bool:
    figure = presenter.side_panel.content
    return figure is not None and bool(figure.measures)


def test_intervals_and_p_against_the_best_follow_the_values_as_core_has_them(inferred):
    view, presenter = inferred
    comparison = presenter.data.comparison
    found = run_to_completion(
        infer(
            comparison,
            HUMAN,
            Level.SYSTEM,
            Coefficient.PEARSON,
            InferenceOptions(),
            family=family_of(comparison.refs, Variants.MAIN, comparison.ranked(HUMAN)),
        )
    )
    ends = zip(comparison.refs, found.intervals.low, found.intervals.high, found.adjusted, strict=True)
    for ref, low, high, p in ends:
        cell = cells(view)[ref.label]
        assert (cell.low, cell.high) == (low, high)
        assert cell.against_best == p or (np.isnan(cell.against_best) and np.isnan(p))
        ends_spoken = f"95 % interval {format_correlation(low)} to {format_correlation(high)}"
        spoken = view.table.measures.index_of(ref.label, 1).data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken == f"Coherence {format_correlation(cell.value)}, {ends_spoken}"
        last = view.table.measures.index_of(ref.label, view.table.measures.columnCount() - 1)
        said = "best, n.s." if cell.is_best else format_p(p) if cell.eligible.is_ranked else "not ranked"
        assert last.data(Qt.ItemDataRole.AccessibleTextRole).endswith(f": {said}")
    assert [label for label, cell in cells(view).items() if cell.is_best] == [found.against]
    words = "BCa bootstrap over systems and topics, 10,000 resamples, seed 0"
    method = view.table_panel.method_label.text()
    assert words in method
    assert f"Holm over {found.tests} comparison" in method
    assert f"with the best of {HUMAN}" in method
    assert "best of one measure per metric" in method
    assert "chosen on the same data" in method


def test_other_methods_are_a_choice(inferred, qtbot):
    view, _ = inferred
    before = {label: cell.low for label, cell in cells(view).items()}
    view.options.action("interval", "fisher").trigger()
    qtbot.waitUntil(lambda: all(c.has_interval and c.low != before[k] for k, c in cells(view).items()))
    assert "Fisher" in view.table_panel.method_label.text()
    view.options.action("adjust", "none").trigger()
    plain = {label: cell.against_best for label, cell in cells(view).items()}
    view.options.action("adjust", "holm").trigger()
    adjusted = {label: cell.against_best for label, cell in cells(view).items()}
    assert all(adjusted[k] >= plain[k] for k in plain if np.isfinite(plain[k]))
    view.options.action("test", "none").trigger()
    qtbot.waitUntil(lambda: view.table.measures.columnCount() == 3)  # names and judgements, no p


def test_the_copied_table_has_intervals_and_tests(inferred):
    view, presenter = inferred
    presenter.outputs.copy_table("csv")
    first = next(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    cell = cells(view)[first["measure"]]
    assert float(first[f"{HUMAN}.low"]) == cell.low
    assert f"{HUMAN}.p_vs_best" in first


def test_every_coefficient_can_be_chosen(ready, qtbot):  # noqa: F811
    view, presenter = ready
    for coefficient in Coefficient:
        choose_coefficient(view, coefficient)
        comparison = presenter.data.comparison
        wanted = {r.measure: r.value for r in comparison.rows_against(HUMAN, Level.SYSTEM, coefficient)}
        qtbot.waitUntil(lambda w=wanted: values(view) == pytest.approx(w, nan_ok=True))
    assert view.coefficient_box.current == "soft-accuracy"
    assert view.coefficient_box.button("more").text() == "Soft pairwise accuracy"
    assert "BCa bootstrap" in presenter.content.method
    button = view.coefficient_box.button("more")
    bold = button.font()
    bold.setBold(True)
    room = QFontMetrics(bold).horizontalAdvance("Soft pairwise accuracy")
    qtbot.waitUntil(lambda: button.width() >= button.sizeHint().width())
    plain = button.fontMetrics().horizontalAdvance("Soft pairwise accuracy")
    padding = QToolButton.sizeHint(button).width() - plain
    assert button.sizeHint().width() >= room + padding
    view.level_box.button("topic").click()  # where it does not exist
    assert presenter.request.coefficient is Coefficient.ACCURACY
    assert view.coefficient_box.current == "accuracy"
    choose_coefficient(view, Coefficient.SOFT_ACCURACY)
    assert presenter.request.level is Level.SYSTEM
    assert view.level_box.current == "system"


def test_undefined_values_count_as_zero_or_are_an_error(ready, qtbot):  # noqa: F811
    view, presenter = ready
    view.level_box.button("topic").click()
    view.options.action("undefined", "zero").trigger()
    asked = (HUMAN, Level.TOPIC, Coefficient.PEARSON, UndefinedPolicy.ZERO)
    rows = presenter.data.comparison.rows_against(*asked)
    wanted = {row.measure: row.value for row in rows}
    qtbot.waitUntil(lambda: values(view) == pytest.approx(wanted, nan_ok=True))
    assert "undefined values count as 0" in view.footer_label.text()
    view.options.action("undefined", "error").trigger()
    qtbot.waitUntil(lambda: "undefined values are an error" in view.footer_label.text())


def test_arrows_and_tab_go_through_the_judgements(ready, qtbot):  # noqa: F811
    view, presenter = ready
    view.table.setFocus()
    view.choose_cell("rouge-1.f", 0)
    qtbot.keyClick(view.table, Qt.Key.Key_Right)
    assert presenter.cell == ("rouge-1.f", "rating.fluency")
    qtbot.keyClick(view.table, Qt.Key.Key_Left)
    assert presenter.cell == ("rouge-1.f", HUMAN)
    assert view.table.focusNextPrevChild(True)
    assert presenter.cell[1] == "rating.fluency"
    assert view.table.current_judgement == 1, "p against the best is about it"


def test_shift_tab_leaves_the_table_where_tab_entered_it(ready, qtbot):  # noqa: F811
    view, presenter = ready
    view.choose_cell("rouge-1.f", 1)
    for came, back in (("TabFocusReason", False), ("BacktabFocusReason", True)):
        view.setFocus()
        view.table.setFocus(getattr(Qt.FocusReason, came))
        view.table.focusNextPrevChild(back)
        assert presenter.cell == ("rouge-1.f", "rating.fluency"), "the table is left, its cell stays"


class TestViews:
    def test_bars_are_sorted_by_value_and_choose_their_measure(self, inferred, qtbot):
        view, presenter = inferred
        look_at(view, presenter, View.BARS)
        sheet = presenter.side_panel.content
        strength = [cells(view)[label].value for label in sheet.measures]
        assert strength == sorted(strength, reverse=True)
        view.figure.dot_chosen.emit(len(sheet.measures) - 1)
        assert presenter.cell[0] == sheet.measures[-1]
        assert view.table.current_key == sheet.measures[-1]

    def test_intercorrelation_orders_measures_by_clustering(self, ready, qtbot):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.INTERCORRELATION)
        qtbot.waitUntil(lambda: has_measures(presenter))
        sheet = presenter.side_panel.content
        table = sheet.table()
        assert len(table.rows) == len(view.table.measures.rows())
        assert all(row[i + 1] == pytest.approx(1.0) for i, row in enumerate(table.rows))
        assert sheet.dots.kind is SpotKind.CELL
        assert sheet.dots.names[1].startswith(f"{table.rows[0][0]} with {table.rows[1][0]}")

    def test_the_filter_narrows_figures_too(self, ready, qtbot):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.INTERCORRELATION)
        view.search.setText("rouge-1")
        qtbot.waitUntil(
            lambda: has_measures(presenter) and len(presenter.side_panel.content.table().rows) == 3
        )

    def test_significance_names_the_better_of_two(self, ready, qtbot):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.SIGNIFICANCE)
        qtbot.waitUntil(lambda: has_measures(presenter))
        table = presenter.side_panel.content.table()
        first, second = table.rows[0][0], table.rows[1][0]
        assert cells(view)[first].value >= cells(view)[second].value
        assert f"{first} above {second}" in presenter.side_panel.content.dots.names[1]
        assert "paired permutation of systems and topics" in view.figure_panel.rest_label.text()
        assert "main measures shown and ranked; p-values: Holm." in table.note
        metrics = [row[0].split(".")[0] for row in table.rows]
        assert len(metrics) == len(set(metrics))

    def test_ranks_are_compared_with_any_judgement_or_measure(self, ready):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.RANKS)
        assert view.figure_panel.other_box.isVisible()
        box = view.figure_panel.other_box
        box.setCurrentIndex(box.findData("rating.fluency"))
        box.activated.emit(box.currentIndex())
        table = presenter.side_panel.content.table()
        judged = presenter.data.comparison.judgements["rating.fluency"]
        best = judged.systems[int(np.nanargmax(judged.system_means()))]
        assert next(row[2] for row in table.rows if row[0] == best) in (1.0, 1.5)

    def test_distribution_has_every_topic_of_a_system(self, ready):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.DISTRIBUTION)
        scores = presenter.data.scores(presenter.cell[0])
        rows = {row[0]: row[1:] for row in presenter.side_panel.content.table().rows}
        mine = scores.values[0][np.isfinite(scores.values[0])]
        assert rows[scores.systems[0]] == (mine.mean(), mine.min(), np.median(mine), mine.max(), mine.size)

    def test_disagreement_lists_summaries_and_opens_their_texts(self, ready, qtbot):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.DISAGREEMENT)
        measure, human = presenter.cell
        numbers = presenter.data
        found = all_disagreements(numbers.scores(measure), numbers.comparison.judgements[human])
        shown = view.figure_panel.summaries.topics()
        assert [(one.system, one.name) for one in shown] == [(one.system, one.topic) for one in found]
        view.figure_panel.summaries.setCurrentIndex(view.figure_panel.summaries.model().index(2, 0))
        qtbot.keyClick(view.figure_panel.summaries, Qt.Key.Key_Return)
        assert presenter.opened == [(shown[2].topic_id, shown[2].system, measure)]

    def test_topics_are_listed_by_correlation_and_open_their_worst_summary(self, ready, context, qtbot):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, View.TOPICS)
        measure, human = presenter.cell
        numbers, shown = presenter.data, view.figure_panel.topics
        found = topic_correlations(numbers.comparison, human, Coefficient.PEARSON, [measure])
        assert [one.name for one in shown.topics()] == [one.topic for one in found]
        assert shown.topics()[0].fact == f"r {format_correlation(found[0].value)} · n {found[0].n}"
        assert view.figure_panel.result_label.text() == f"{len(found)} of {len(found)} topics"
        shown.setCurrentIndex(shown.model().index(1, 0))
        qtbot.keyClick(shown, Qt.Key.Key_Return)
        topic = shown.topics()[1]
        every = all_disagreements(numbers.scores(measure), numbers.comparison.judgements[human])
        system = next(one.system for one in every if one.topic == topic.name)
        assert presenter.opened == [(topic.topic_id, system, measure)]
        assert context.selection.topic_id == topic.topic_id
        presenter.outputs.add_figure()
        presenter.outputs.copy_figure("csv")
        assert QGuiApplication.clipboard().text().splitlines()[0] == "measure,topic,value,n,reason"

    @pytest.mark.parametrize("kind", [View.BARS, View.RANKS, View.DISTRIBUTION, View.DISAGREEMENT])
    def test_the_numbers_behind_a_view_are_copied(self, ready, kind):  # noqa: F811
        view, presenter = ready
        look_at(view, presenter, kind)
        presenter.outputs.copy_figure("markdown")
        assert QGuiApplication.clipboard().text().startswith("| ")

    def test_a_larger_figure_replaces_the_table(self, ready, qtbot):  # noqa: F811
        view, _ = ready
        qtbot.mouseClick(view.figure_panel.larger_button, Qt.MouseButton.LeftButton)
        assert not view.table.isVisible()
        assert view.figure_panel.larger_button.toolTip() == "Back to the table"
        qtbot.mouseClick(view.figure_panel.larger_button, Qt.MouseButton.LeftButton)
        assert view.table.isVisible()


class TestOneAnnotator:
    @pytest.fixture
    def agreed(self, scored, page, shown, qtbot):  # noqa: F811
        """The page of a study in which a second annotator rated coherence."""
        draw = np.random.default_rng(1)
        known = scored.ratings.cube("coherence")
        ratings = [
            NewRating(topic, system, "coherence", "Ben", float(np.clip(value + draw.integers(-1, 2), 1, 5)))
            for topic, column in zip(known.topics, known.values[0].T, strict=True)
            for system, value in zip(known.systems, column, strict=True)
            if np.isfinite(value)
        ]
        content = ImportContent(
            "more", annotators={"Ben": ""}, dimensions={"coherence": (1, 5)}, ratings=ratings
        )
        scored.import_data(content)
        view, presenter = page
        shown(view)
        qtbot.waitUntil(lambda: presenter.content is not None and presenter.content.agreement(0) is not None)
        return view, presenter

    def test_agreement_of_annotators_is_drawn_and_exported(self, agreed, scored, qtbot):  # noqa: F811
        view, presenter = agreed
        sample = correlation_inputs(
            presenter.data.comparison, "rating.coherence", Level.SYSTEM, Coefficient.PEARSON,
            ratings=included_ratings(scored, "rating.coherence"),
        )  # fmt: skip
        expected = run_to_completion(judgement_noise_ceiling("rating.coherence", sample))
        # the import may be noticed after the page has read it, and then it is read again
        qtbot.waitUntil(lambda: presenter.content.agreement(0) is not None)
        bound = presenter.content.agreement(0)
        assert (bound.one, bound.low, bound.high) == (expected.one, expected.low, expected.high)
        assert presenter.content.agreement(1) is None, "one annotator rated fluency"
        assert method_line(presenter.content).startswith(expected.short_text.capitalize())
        assert expected.sentence() in table_of(presenter.content).columns[0].tip
        last = export_of(presenter.content).rows[-1]
        assert last[:3] == (ONE_ANNOTATOR, "agreement", expected.one)
        look_at(view, presenter, View.BARS)
        qtbot.waitUntil(
            lambda: (
                ONE_ANNOTATOR in {t.get_text() for t in view.figure.canvas.figure.axes[0].texts}
                and presenter.side_panel.content.table().rows[-1][0] == ONE_ANNOTATOR
            )
        )
        axes = view.figure.canvas.figure.axes[0]
        assert any(
            line.get_linestyle() == "--" and line.get_xdata()[0] == expected.one for line in axes.lines
        )
        table = presenter.side_panel.content.table()
        assert table.rows[-1] == (ONE_ANNOTATOR, expected.one, expected.low, expected.high, "not a measure")
        assert f"dashed: {expected.short_text}" in view.figure_panel.rest_label.text()


class TestMarks:
    def test_a_rubber_band_marks_the_systems_under_it(self, ready, context, qtbot):  # noqa: F811
        view, _presenter = ready
        canvas = view.figure.canvas
        canvas.draw()
        last = QPoint(canvas.width() - 2, canvas.height() - 2)
        qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
        qtbot.mouseMove(canvas, QPoint(60, 60))
        qtbot.mouseMove(canvas, last)
        assert canvas.findChild(QRubberBand) is not None
        qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=last)
        assert context.selection.marks == {(f"s{i}", "") for i in range(5)}
        assert view.selection_panel.title_label.text() == "5 systems"

    def test_marks_are_one_in_every_view(self, ready, context):  # noqa: F811
        view, presenter = ready
        context.selection.mark({("s1", ""), ("s3", "")})
        assert view.only_button.isVisible()
        look_at(view, presenter, View.DISAGREEMENT)
        assert {one.system for one in view.figure_panel.summaries.topics()} == {"s1", "s3"}
        look_at(view, presenter, View.DISTRIBUTION)
        axes = view.figure.canvas.figure.axes[0]
        bold = {t.get_text() for t in axes.get_yticklabels() if t.get_fontweight() == "bold"}
        assert bold == {"s1", "s3"}

    def test_space_marks_the_selected_dot_and_escape_unmarks(self, ready, context, qtbot):  # noqa: F811
        view, presenter = ready
        view.figure.setFocus()
        qtbot.keyClick(view.figure, Qt.Key.Key_Space)
        name = presenter.side_panel.points.systems[presenter.side_panel.dot]
        assert context.selection.marks == {(name, "")}
        qtbot.keyClick(view.figure, Qt.Key.Key_Escape)
        assert not context.selection.marks

    def test_only_the_marked_systems_are_compared_until_all_are_included_again(
        self,
        ready,  # noqa: F811
        context,
        qtbot,
    ):
        view, presenter = ready
        whole = values(view)
        context.selection.mark({("s1", ""), ("s3", ""), ("s4", "")})
        qtbot.mouseClick(view.only_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: next(iter(cells(view).values())).n == 3)
        assert "5 of 8 systems are left out: " in view.scope_notice.text_label.text()
        qtbot.waitUntil(lambda: presenter.side_panel.points.systems == ("s1", "s3", "s4"))
        view.scope_notice.remedy_button.click()
        qtbot.waitUntil(lambda: values(view) == whole)

    def test_marks_are_signalled_only_when_they_change(self):
        selection, requests = Selection(), []
        selection.marked.connect(requests.append)
        selection.mark([("a", ""), ("b", "t")])
        selection.mark([("b", "t"), ("a", "")])
        selection.mark(())
        assert requests == [frozenset({("a", ""), ("b", "t")}), frozenset()]


def test_systems_are_chosen_in_a_dialog(ready, qtbot):  # noqa: F811
    view, presenter = ready
    presenter.chosen = ("s0", "s1", "s2", "s3")
    view.systems_box.setCurrentIndex(view.systems_box.findData("choose"))
    view.systems_box.activated.emit(view.systems_box.currentIndex())
    qtbot.waitUntil(lambda: next(iter(cells(view).values())).n == 4)
    assert view.systems_box.currentData() == "automatic", "the notice names the excluded systems"


def test_systems_with_the_lowest_mean_are_excluded(qtbot):
    means = dict(zip("abcde", (3, 1, np.nan, 2, 5), strict=True))
    choices = [SystemChoice(name, mean, True) for name, mean in means.items()]
    dialog = SystemsDialog(choices, "Coherence")
    qtbot.addWidget(dialog)
    dialog.weak_box.setValue(2)
    dialog.weak_button.click()
    assert dialog.chosen == ("a", "d", "e"), "who is not judged counts as weakest"
    dialog.list_box.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.accept_button.isEnabled(), "two have no coefficient"


def test_the_formula_is_explained(ready):  # noqa: F811
    view, presenter = ready
    view.formula_button.click()
    title, first, level, *_ = presenter.messages[-1]
    assert title == "How are these numbers computed?"
    assert first.startswith("r = Σ")
    assert level.startswith("System level")


def test_one_list_is_sorted_through_all_families(ready):  # noqa: F811
    view, _ = ready
    view.options.action("families", "no").trigger()
    assert view.table.measures.rowCount() == 1
    view.options.action("families", "yes").trigger()
    assert view.table.measures.index(0, 0).data() == "ROUGE"


def test_more_choices_are_in_the_menu_of_the_last_segment(qtbot):
    box = SegmentedMore("Size", (("s", "Small"), ("m", "Medium")), (("l", "Large"), ("x", "Huge")))
    qtbot.addWidget(box)
    chosen = []
    box.chosen.connect(chosen.append)
    box.more_menu.actions()[1].trigger()
    assert (chosen, box.current, box.button("more").text()) == (["x"], "x", "Huge")
    qtbot.keyClick(box.button("more"), Qt.Key.Key_Right)
    assert (chosen[-1], box.current) == ("s", "s")
    qtbot.keyClick(box.button("s"), Qt.Key.Key_Left)
    assert box.current == "x", "what was chosen there last"


def test_the_heading_of_p_names_the_judgement_of_the_current_cell(qtbot):
    """It named the earlier judgement until further tests had been computed."""
    table = MeasureTree()
    qtbot.addWidget(table)
    cell = MeasureCell(0.5, 0.5, 0.01, 8, 0)
    rows = (MeasureRow("rouge-1.f", "ROUGE", "rouge-n|n:1", (cell,) * 2),)
    columns = tuple(JudgementColumn(name, name, "") for name in ("a", "b"))
    table.show_table(MeasureTable(columns, rows, fact="", footer="", against_best=("p vs best", "a")))
    table.setCurrentIndex(table.measures.index_of("rouge-1.f", 2))
    assert table.current_judgement == 1
    assert table.headings.facts[-1] == ("b",)


def test_names_are_whole_and_say_whether_lower_is_better(qtbot):
    """Two names elided in the middle were one: widar-1.precision and widar-2.precision."""
    cell = MeasureCell(-0.97, 0.97, 0.01, 8, 0)
    table = MeasureTree()
    qtbot.addWidget(table)
    table.resize(420, 200)
    table.show()
    rows = [
        MeasureRow("widar-1.precision", "WIDAR", "widar|variant:1", (cell,) * 4),
        MeasureRow("js-1.divergence", "Divergence", "js|n:1", (cell,) * 4, is_lower_better=True),
    ]
    columns = tuple(JudgementColumn(name, name, "") for name in ("a", "b", "c", "d"))
    table.show_table(MeasureTable(columns, tuple(rows), fact="", footer=""))
    for row in rows:
        assert table.columnWidth(0) > text_width(row.name, Type.STRONG) + INDENT
    groups = (table.measures.index(group, 0) for group in range(2))
    tips = [table.measures.index(0, 0, group).data(Qt.ItemDataRole.ToolTipRole) for group in groups]
    assert ["Lower is better" in tip for tip in tips] == [row.is_lower_better for row in rows]
    assert all(row.label in tip for row, tip in zip(rows, tips, strict=True))


def test_where_lower_is_better_the_most_negative_correlation_comes_first(qtbot):
    """The command line ranked it first and the page last."""
    table = MeasureTree()
    qtbot.addWidget(table)
    values = {"low": -0.97, "middle": -0.2, "none": math.nan, "high": 0.4}
    cells = {name: (MeasureCell(value, -value, 0.01, 8, 0),) for name, value in values.items()}
    rows = tuple(
        MeasureRow(name, "Divergence", name, own, is_lower_better=True) for name, own in cells.items()
    )
    table.show_table(MeasureTable((JudgementColumn("a", "a", ""),), rows, fact="", footer=""))
    assert [row.label for row in table.measures.rows()] == ["low", "middle", "high", "none"]
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert [row.label for row in table.measures.rows()] == ["high", "middle", "low", "none"]


def test_required_sizes_are_simulated_for_the_current_and_the_best_measure(ready, qtbot):  # noqa: F811
    view, presenter = ready
    best = next(label for label, cell in cells(view).items() if cell.is_best)
    other = min(cells(view), key=lambda label: cells(view)[label].value)
    view.choose_cell(other, 0)
    assert view.notice.remedy_button.text() == "How many are needed?"
    view.notice.remedy_button.click()
    qtbot.waitUntil(lambda: bool(presenter.messages))
    title, *sentences = presenter.messages[-1]
    assert title == "How many are needed?"
    assert sentences[0].startswith(f"{best} and {other} differ by r = ")
    assert any("systems" in one and "this study has" in one for one in sentences)
    assert any("topics" in one and "this study has" in one for one in sentences)


def test_long_text_below_the_table_takes_one_line_and_a_tooltip(inferred):
    view, _ = inferred
    label = view.table_panel.method_label
    height = label.height()
    label.setText("words " * 400)
    assert label.height() == height
    assert label.toolTip() == label.text()
