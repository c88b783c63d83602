"""The window of one summary: which text is shown next to it."""

from __future__ import annotations

from gui.pages.compare.summary_values import Highlight, ReadText, SummaryTexts, Why, WhyNode
from gui.pages.compare.summary_view import SummaryView


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
    view.show_why(Why("rouge-1.f", "", node))
    assert view.other_box.currentText() == "Reference C"
    view.show_why(Why("rouge-1.f", "No account.", None))
    assert view.other_box.currentText() == "Reference C"
