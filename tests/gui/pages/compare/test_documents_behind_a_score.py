"""The window of one summary, for a measure that goes by the documents which texts find."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.operations.columns import load_whole
from core.operations.options import CorrelateRequest
from core.progress import run_to_completion
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.summary.summary_view import SummaryView
from tests.scoring import score_all

STORM = NewTopic("D3", documents={"D3-1": NewText("The court lifted the ban on the bridge.")})


@pytest.fixture
def why(study, context, qtbot):
    """Asks for the account of a summary and gives the documents that it shows."""
    score_all(study, "sera:cutoff=3")
    view = SummaryView(None)
    qtbot.addWidget(view)
    presenter = SummaryPresenter(lambda: view, context, view)

    def ask():
        view.why_model.set_root(None)
        presenter.open(
            run_to_completion(load_whole(study, CorrelateRequest())),
            study.texts.topics()[0].id,
            "good",
            "sera-3.score",
        )
        qtbot.waitUntil(lambda: view.why_model.rowCount() == 1)
        against = view.why_model.node(view.why_model.index(0, 0)).children[0]
        assert against.label == "against A"
        return [node.label for node in against.children[0].children]

    return view, ask


def test_the_documents_of_both_lists_are_shown_with_their_ranks(why):
    view, ask = why
    shown = ask()
    assert shown[0] == "ranks 1 and 1: D1 · Bridge ban · D1-1"
    against = view.why_model.index(0, 0, view.why_model.index(0, 0))
    tip = view.why_model.index(0, 0, against).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "documents retrieved by both"
    assert view.summary_text.marked()


def test_a_document_that_came_in_since_is_searched_too(why, study, qtbot):
    _, ask = why
    before = ask()
    study.import_data(ImportContent("more", topics=(STORM,)))
    qtbot.waitUntil(lambda: any("D3-1" in label for label in ask()))
    assert not any("D3-1" in label for label in before)
