"""The Compare page ranks neither the judgement's own numbers nor incomplete measures."""

from __future__ import annotations

import csv
import io
import shlex

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.report.report_items import list_report_items
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.summary.summary_view import SummaryView
from gui.pages.compare.values import View
from gui.pages.compare.view import CompareView

pytestmark = pytest.mark.slow

SYSTEMS, TOPICS = tuple(f"s{i}" for i in range(5)), tuple(f"T{i}" for i in range(4))


def judged() -> ImportContent:
    """Ratings; imported: the ratings themselves, a near copy for two topics, and two noisy measures."""
    draw = np.random.default_rng(3)
    rated = draw.integers(1, 6, (len(TOPICS), len(SYSTEMS))) + np.arange(len(SYSTEMS)) / 8
    topics = [NewTopic(t, summaries={s: NewText(f"{s} of {t}.") for s in SYSTEMS}) for t in TOPICS]
    cells = [(i, j) for i in range(len(TOPICS)) for j in range(len(SYSTEMS))]
    ratings = [NewRating(TOPICS[i], SYSTEMS[j], "coherence", "Ann", rated[i, j]) for i, j in cells]
    scores = [NewScore(TOPICS[i], SYSTEMS[j], "copy.score", rated[i, j]) for i, j in cells]
    scores += [NewScore(TOPICS[i], SYSTEMS[j], "some.score", rated[i, j] ** 1.1) for i, j in cells if i < 2]
    for name in ("one", "two"):
        noisy = rated + draw.normal(0, 2, rated.shape)
        scores += [NewScore(TOPICS[i], SYSTEMS[j], f"{name}.score", noisy[i, j]) for i, j in cells]
    return ImportContent(
        "judged",
        topics=topics,
        annotators={"Ann": ""},
        dimensions={"coherence": (1, 6)},
        ratings=ratings,
        scores=scores,
    )


@pytest.fixture
def ready(study, qtbot, context, shown):
    study.import_data(judged())
    view = CompareView()
    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    presenter = ComparePresenter(
        view, context, lambda *_: None, summaries.open, lambda *_: None, lambda *_: None
    )
    shown(view)
    qtbot.waitUntil(lambda: any(np.isfinite(cell(view, name).against_best) for name in ("one", "two")))
    return view, presenter


def cell(view: CompareView, name: str):
    found = [row.cells[0] for row in view.table.measures.rows() if row.label == f"{name}.score"]
    return found[0] if found else type("Nothing", (), {"against_best": np.nan})


def test_neither_own_numbers_nor_incomplete_measures_are_best(ready):
    view, _ = ready
    assert cell(view, "copy").value == pytest.approx(1)
    assert cell(view, "some").value == max(cell(view, name).value for name in ("some", "one", "two"))
    assert (cell(view, "copy").eligible.mark, cell(view, "some").eligible.mark) == (
        "same annotations",
        "2/4 topics",
    )
    assert [cell(view, name).is_best for name in ("copy", "some")] == [False, False]
    assert np.isnan([cell(view, name).against_best for name in ("copy", "some")]).all()
    assert cell(view, "one").is_best != cell(view, "two").is_best
    assert "1 incomplete measure not ranked" in view.footer_label.text()


def test_a_best_measure_that_is_not_significant_is_marked(ready):
    view, presenter = ready
    best = next(name for name in ("one", "two") if cell(view, name).is_best)
    assert cell(view, best).p > 0.05
    sentence = f"The best measure of Coherence, {best}.score, is itself not significantly correlated with it"
    assert any(text.startswith(sentence) for text in view.notice.sentences)
    presenter.outputs.copy_table("markdown")
    assert sentence in QGuiApplication.clipboard().text()


def test_a_dot_beside_the_name_marks_measures_like_the_best(ready):
    view, _ = ready
    other = next(name for name in ("one", "two") if not cell(view, name).is_best)
    assert cell(view, other).is_like_best != cell(view, other).is_significant
    assert not any(cell(view, name).is_like_best for name in ("copy", "some"))


def test_unranked_measures_are_below_however_the_table_is_sorted(ready):
    view, _ = ready
    assert view.table.measures.rows()[-1].label == "copy.score"
    view.table.show_families(False)
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        view.table.sortByColumn(1, order)
        labels = [row.label for row in view.table.measures.rows()]
        assert set(labels[:2]) == {"one.score", "two.score"}


def test_the_notice_compares_all_on_common_topics_and_back(ready, qtbot):
    view, _ = ready
    assert view.notice.text_label.text() == (
        "Not ranked against rating.coherence, incomplete: some.score (2/4 topics)."
    )
    view.notice.remedy_button.click()
    qtbot.waitUntil(lambda: cell(view, "some").is_best)
    assert {cell(view, name).n for name in ("one", "two", "some")} == {5}
    assert "over 2 of 6 topics, common to all measures" in view.footer_label.text()
    assert (
        "Common topics: 2 of 4 topics and 5 of 5 systems are scored by every measure."
        in view.notice.text_label.text()
    )
    view.notice.remedy_button.click()
    qtbot.waitUntil(lambda: cell(view, "some").eligible.mark == "2/4 topics")
    assert view.options.current("common_topics") == "no"


def test_exports_say_what_is_not_ranked(ready):
    _, presenter = ready
    presenter.outputs.copy_table("csv")
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    notes = {row["measure"]: row["rating.coherence.note"] for row in rows}
    assert notes["copy.score"] == "same annotations, not ranked"
    assert notes["some.score"] == "2/4 topics, not ranked"
    assert rows[-1]["measure"] == "copy.score"
    for kind in ("latex", "markdown"):
        presenter.outputs.copy_table(kind)
        assert "2/4 topics, not ranked" in QGuiApplication.clipboard().text()


def test_figures_of_ranking_leave_unranked_measures_out_or_mark_them(ready, qtbot):
    view, presenter = ready

    def behind() -> list[dict[str, str]]:
        presenter.outputs.copy_figure("csv")
        return list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))

    look_at(view, View.SIGNIFICANCE)
    qtbot.waitUntil(lambda: {row.get("measure") for row in behind()} == {"one.score", "two.score"})
    look_at(view, View.BARS)
    qtbot.waitUntil(lambda: len(behind()) == 4)
    notes = {row["measure"]: row["note"] for row in behind()}
    assert list(notes.values())[:2] == ["", ""]
    assert notes["copy.score"] == "same annotations, not ranked"


def test_the_reports_command_repeats_common_topics(ready, context, qtbot):
    view, presenter = ready
    view.notice.remedy_button.click()
    qtbot.waitUntil(lambda: cell(view, "some").is_best)
    presenter.outputs.add_table()
    qtbot.waitUntil(lambda: bool(list_report_items(context.study)))
    assert "--common-topics" in shlex.split(list_report_items(context.study)[0].command)


def look_at(view: CompareView, kind: View) -> None:
    view.figure_panel.view_box.setCurrentIndex(view.figure_panel.view_box.findData(kind.value))
    view.figure_panel.view_box.activated.emit(0)


def test_the_first_press_of_a_heading_puts_the_best_measure_first(ready, qtbot):
    view, _ = ready
    view.table.show_families(False)
    view.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    header = view.table.header()
    place = QPoint(header.sectionViewportPosition(1) + header.sectionSize(1) // 2, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
    assert view.table.measures.rows()[0].cells[0].is_best
