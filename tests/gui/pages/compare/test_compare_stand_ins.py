"""Whatever leaves the Compare page marks measures that ran on stand-ins and names these."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.metrics import registry
from core.ports import MetricConfig, ScoreBlock
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.summary.summary_presenter import SummaryPresenter
from gui.pages.compare.summary.summary_view import SummaryView
from gui.pages.compare.values import View
from gui.pages.compare.view import CompareView

SYSTEMS, TOPICS = tuple(f"s{i}" for i in range(5)), tuple(f"T{i}" for i in range(4))
MODEL = "all-MiniLM-L6-v2"
SENTENCE = f"{MODEL}, a stand-in for roberta-large, which the paper used."
FORMATS = ("csv", "tsv", "latex", "markdown")
PLAIN = ("csv", "tsv")
"""Formats for programs: names without marks, the explanation in a column of its own."""


@pytest.fixture
def ready(study, qtbot, context, shown):
    """A page over ratings and BERTScores by the packaged model, with BERTScore F in hand."""
    draw = np.random.default_rng(5)
    cells = [(topic, system) for topic in TOPICS for system in SYSTEMS]
    texts = [NewTopic(t, summaries={s: NewText(f"{s} of {t}.") for s in SYSTEMS}) for t in TOPICS]
    ratings = [NewRating(*cell, "coherence", "Ann", float(draw.integers(1, 6))) for cell in cells]
    study.import_data(
        ImportContent(
            "j", topics=texts, annotators={"Ann": ""}, dimensions={"coherence": (1, 6)}, ratings=ratings
        )
    )
    metric = registry.parse("bertscore")
    config = MetricConfig(
        f"bertscore|model:{MODEL}|version:1", "bertscore", "Embeddings", "bertscore", metric.measures()
    )
    for topic in study.texts.topics():
        values = draw.random((len(SYSTEMS), len(config.measures)))
        study.scores.save(config, ScoreBlock(topic.id, SYSTEMS, (), values, None, "hash", 0.1)).result()
    view = CompareView()
    summaries = SummaryPresenter(lambda: SummaryView(view), context, view)
    asked: list[Path] = []
    presenter = ComparePresenter(
        view, context, lambda *_: asked.pop(), summaries.open, lambda *_: None, lambda *_: None
    )
    presenter.asked = asked
    shown(view)
    qtbot.waitUntil(lambda: np.isfinite([r.cells[0].value for r in view.table.measures.rows()]).sum() == 3)
    qtbot.waitUntil(lambda: presenter.side_panel.points is not None)
    return view, presenter


def look_at(view: CompareView, kind: View) -> None:
    view.figure_panel.view_box.setCurrentIndex(view.figure_panel.view_box.findData(kind.value))
    view.figure_panel.view_box.activated.emit(0)


def copied() -> str:
    return QGuiApplication.clipboard().text().replace(r"$^{\dagger}$", "†")


@pytest.mark.parametrize("kind", FORMATS)
def test_the_table_marks_and_explains_stand_ins(ready, kind):
    _, presenter = ready
    presenter.outputs.copy_table(kind)
    assert ("bertscore.f" if kind in PLAIN else "bertscore.f†") in copied()
    assert ("†" in copied()) is (kind not in PLAIN)
    assert MODEL in copied()


@pytest.mark.parametrize("kind", list(View))
def test_figures_and_their_numbers_mark_and_explain_stand_ins(ready, qtbot, tmp_path, kind):
    view, presenter = ready
    look_at(view, kind)

    def numbers(name: str) -> str:
        QGuiApplication.clipboard().clear()
        presenter.outputs.copy_figure(name)
        return copied()

    qtbot.waitUntil(lambda: bool(numbers("tsv")))
    for name in FORMATS:
        assert ("†" in numbers(name)) is (name not in PLAIN), name
        assert SENTENCE in numbers(name), name
    if kind in (View.DISAGREEMENT, View.TOPICS):
        return  # lists, without a figure
    path = tmp_path / "f.svg"
    presenter.asked.append(path)
    presenter.outputs.save_figure()
    drawn = path.read_text("utf-8")
    assert "†" in drawn
    assert MODEL in drawn
