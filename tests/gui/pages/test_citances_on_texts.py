"""Citances on the Texts page: shown only where there are any, with the parts that they cite."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from core.domain.citations import CitedSpan
from core.domain.import_batch import ImportContent, NewCitance, NewCitanceAnnotation, NewText, NewTopic
from gui.pages.texts import presenter as texts
from gui.session.edits import ChangeFeed
from storage.study_file import new_study

DOCUMENT = "We prune the chart. 🌉 Accuracy rises."
PAPER = "Much is known. 🌉 They prune charts (Kim). Accuracy rises too."
MARKED = "Accuracy rises."


def content() -> ImportContent:
    """Return a topic with two citances, one of them of a paper without text, and a topic without any."""
    place = (DOCUMENT.index(MARKED), len(DOCUMENT))
    spans = ((PAPER.index("They"), PAPER.index(" Accuracy")),)
    first = (
        NewCitanceAnnotation(
            "Ann", "They prune charts (Kim).", spans, (CitedSpan(place, MARKED),), ("results",)
        ),
        NewCitanceAnnotation("Ben", "They prune charts (Kim).", spans, (), ()),
    )
    second = (NewCitanceAnnotation("Ann", "See [4].", (), (CitedSpan(None, "Somewhere."),), ("method",)),)
    documents, papers = {"P01": NewText(DOCUMENT)}, {"C02": NewText(PAPER), "C09": NewText("")}
    return ImportContent(
        "test",
        [NewTopic("P01", documents=documents, citing_papers=papers), NewTopic("P02", documents=documents)],
        citances=(
            NewCitance("P01", "C02", "1", "P01", "Kim", None, first),
            NewCitance("P01", "C09", "2", "P01", "[4]", None, second),
        ),
    )


@pytest.fixture
def view(tmp_path, context, shown):
    with new_study(tmp_path / "cited.pyramidion") as study:
        study.import_data(content())
        changes = ChangeFeed(study)
        view, _presenter = texts.build(replace(context, study=study, changes=changes))
        shown(view)
        yield view
        changes.close()


def choose(view, number: int) -> None:
    view.kind.button("citances").click()
    view.text_table.setCurrentIndex(view.text_table.sorted.index(number, 0))


def test_citances_are_listed_only_where_a_topic_has_any(view):
    assert view.kind.button("citances").isVisible()
    assert view.kind.button("citances").text() == "Citances 2"
    view.place.next_button.click()
    assert not view.kind.button("citances").isEnabled(), "it stays, so that nothing moves"
    assert not view.cited_panel.isVisible()


def test_a_citance_is_highlighted_in_its_paper_with_the_parts_that_it_cites(view):
    choose(view, 0)
    assert view.text_table.rows.index(0, 0).data() == "C02 · 1"
    assert view.text_table.rows.index(0, 1).data() == "4"
    assert view.reading.content == PAPER
    assert [PAPER[slice(*span)] for span in view.reading.highlighted] == ["They prune charts (Kim)."]
    assert [selection.cursor.selectedText() for selection in view.reading.extraSelections()] == [
        "They prune charts (Kim)."
    ]
    rows = [[view.cited_table.rows.index(row, column).data() for column in range(3)] for row in range(2)]
    assert rows == [["Ann", "results", MARKED], ["Ben", "", ""]]
    assert view.reading_panel.fact_label.text() == "4 words · cites P01 · marker Kim"


def test_a_citance_of_a_paper_without_text_shows_what_is_known(view):
    choose(view, 1)
    assert view.reading.content == "See [4]."
    assert view.reading.highlighted == ()
    assert "not in the study" in view.reading_panel.fact_label.text()


def test_enter_on_a_cited_part_shows_it_in_its_document(view, qtbot):
    choose(view, 0)
    view.cited_table.setFocus()
    view.cited_table.setCurrentIndex(view.cited_table.sorted.index(0, 0))
    qtbot.keyClick(view.cited_table, Qt.Key.Key_Return)
    assert view.kind.current == "documents"
    assert view.reading.textCursor().selectedText() == MARKED
    assert not view.cited_panel.isVisible()
    assert view.reading.highlighted == ()


def test_arrow_keys_skip_the_hidden_segment(view, qtbot):
    view.place.next_button.click()
    view.kind.button("documents").setFocus()
    qtbot.keyClick(view.kind.button("documents"), Qt.Key.Key_Left)
    assert view.kind.current == "summaries"
