"""The window of one summary: which text is shown next to it."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from gui.pages.compare.summary.summary_view import (
    Highlight,
    PartRow,
    ReadText,
    SummaryTexts,
    SummaryView,
    Why,
    WhyModel,
    WhyNode,
)


def test_the_reference_with_the_most_evidence_is_opened(qtbot) -> None:
    view = SummaryView()
    qtbot.addWidget(view)
    summary = ReadText("summary:lead", "Summary lead", "a b c")
    references = tuple(ReadText(f"reference:{n}", f"Reference {n}", f"text {n}") for n in "ABC")
    view.show_texts(SummaryTexts("lead", "D1", summary, references))
    assert view.other_box.currentText() == "Reference A"
    highlights = (
        Highlight("summary:lead", (0, 1), 1.0),
        Highlight("reference:A", (0, 1), 0.2),
        *(Highlight("reference:C", (at, at + 1), 0.4) for at in range(3)),
    )
    node = WhyNode("overlap", "sum", ".5", highlights, ())
    view.show_why(Why("rouge-1.f", "", node, highlights=highlights))
    assert view.other_box.currentText() == "Reference C"
    view.show_why(Why("rouge-1.f", "No account.", None))
    assert view.other_box.currentText() == "Reference C"


def shown_parts(view: SummaryView) -> list[list[str]]:
    model = view.parts_table.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def of_two_parts(qtbot, against: str = "") -> SummaryView:
    view = SummaryView()
    qtbot.addWidget(view)
    references = tuple(ReadText(f"reference:{n}", f"Reference {n}", f"text {n}") for n in "AB")
    view.show_texts(SummaryTexts("lead", "D1", ReadText("summary:lead", "Summary lead", "a b c"), references))
    in_a = (Highlight("summary:lead", (0, 1), 1.0), Highlight("reference:A", (0, 4), 1.0))
    in_b = (Highlight("summary:lead", (2, 3), 1.0), Highlight("reference:B", (5, 6), 1.0))
    parts = (
        PartRow("matched › A", 2.0, 0.25, 0.5, in_a, 0.125 if against else math.nan),
        PartRow("matched › B", 1.0, 0.5, 0.25, in_b),
    )
    node = WhyNode("overlap", "sum", ".75", (*in_a, *in_b), ())
    view.show_why(Why("rouge-1.f", "", node, parts, against, highlights=node.highlights))
    view.show()
    return view


def test_pointing_at_a_part_marks_its_words_in_both_texts(qtbot) -> None:
    view = of_two_parts(qtbot)
    assert [row[0] for row in shown_parts(view)] == ["A", "B"]
    assert shown_parts(view)[0][1:] == ["2.0000", "0.2500", "0.5000"]
    assert len(view.summary_text.evidence) == 2
    view.parts_table.entered.emit(view.parts_table.model().index(1, 0))
    assert [span for span, _ in view.summary_text.evidence] == [(2, 3)]
    assert view.other_box.currentText() == "Reference B"
    assert [span for span, _ in view.other_text.evidence] == [(5, 6)]
    QApplication.sendEvent(view.parts_table.viewport(), QEvent(QEvent.Type.Leave))
    assert len(view.summary_text.evidence) == 2


def test_parts_are_walked_by_keyboard(qtbot) -> None:
    view = of_two_parts(qtbot)
    view.parts_table.setFocus()
    view.parts_table.setCurrentIndex(view.parts_table.model().index(0, 0))
    qtbot.keyClick(view.parts_table, Qt.Key.Key_Down)
    assert [span for span, _ in view.summary_text.evidence] == [(2, 3)]


def test_two_systems_are_compared_part_by_part(qtbot) -> None:
    view = of_two_parts(qtbot, "north")
    headings = [view.parts_table.rows.headerData(at, Qt.Orientation.Horizontal) for at in range(4)]
    assert headings == ["Part", "Adds", "north", "Difference"]
    assert shown_parts(view) == [["A", "0.5000", "0.1250", "0.3750"], ["B", "0.2500", "–", "0.2500"]]
    view.show_systems(["north", "south"], "north")
    chosen: list[str] = []
    view.system_box.chosen.connect(chosen.append)
    assert view.system_box.currentText() == "north"
    view.system_box.activated.emit(0)
    view.system_box.setCurrentIndex(2)
    view.system_box.activated.emit(2)
    assert chosen[-1] == "south"


def test_screen_readers_read_the_numbers_of_a_part_and_the_marked_words(qtbot) -> None:
    view = of_two_parts(qtbot)
    assert view.parts_table.accessibleName() == "Parts of rouge-1.f, largest contribution first"
    first = view.parts_table.model().index(0, 0)
    spoken = first.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "matched › A: value 2.0000, without it 0.2500, adds 0.5000"
    view.parts_table.setCurrentIndex(first)
    assert view.summary_text.accessibleDescription() == "Marked: a"
    assert view.other_text.accessibleDescription() == "Marked: text"
    compared = of_two_parts(qtbot, "lead-3").parts_table.model().index(0, 0)
    spoken = compared.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "matched › A: adds 0.5000, to lead-3 0.1250, difference 0.3750"


def test_terms_are_numbered_only_when_they_are_shown(qtbot) -> None:
    def tree(depth: int) -> WhyNode:
        below = tuple(tree(depth - 1) for _ in range(3)) if depth else ()
        return WhyNode(f"depth {depth}", "sum" if depth else "", "1.0000", (), below)

    model = WhyModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_root(tree(3))
    place = model.index(0, 0)
    for row in (2, 1, 0):
        child = model.index(row, 0, place)
        assert model.parent(child) == place
        assert model.index(row, 2, place).siblingAtColumn(0) == child
        place = child
    assert place.data() == "depth 0"
    assert place.data(Qt.ItemDataRole.AccessibleTextRole) == "depth 0, 1.0000"
    assert model.rowCount(place) == 0
    model.set_root(None)
    assert model.rowCount() == 0
