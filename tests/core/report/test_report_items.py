"""Figures and tables chosen for the report: kept as they were, in an order, with what repeats them."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from core.domain.import_batch import ImportContent, NewRating
from core.figures.charts import chart
from core.formatting.tables import CellKind, Column, Table
from core.json_schema import to_plain
from core.progress import run_to_completion
from core.report.build import build_report
from core.report.formats.html import to_html
from core.report.report_items import STALE, add_figure, add_table, list_report_items, remove, reorder
from core.results.result import Chart, ChartKind, Series
from tests.scoring import QUICK

TABLE = Table(
    "A table", (Column("Measure", "m"), Column("r", "r", CellKind.CORRELATION)), (("a", 0.5),), "N."
)
CURVE = Chart("A curve", ChartKind.CURVES, "x", "r", (Series("m", (0.1, 0.2), (1.0, 2.0)),))

SMALL = replace(QUICK, judgements=("rating.coherence",), measures=("rouge-2.f",))
"""One judgement and one measure: the sections tested here do not depend on them."""


@pytest.fixture
def study(changeable_study):
    return changeable_study


def choose_both(study):
    figure = run_to_completion(
        add_figure(
            study, CURVE.title, ["Pearson's r."], "pyramidion x", lambda palette: chart(CURVE, palette)
        )
    )
    return figure, run_to_completion(add_table(study, ["By hand."], "pyramidion y", TABLE))


def chapters(study):
    report = run_to_completion(build_report(study, SMALL))
    return [each for each in report.sections if each.anchor.startswith("chosen-")]


def test_selected_items_are_in_the_report_unchanged(study):
    figure, table = choose_both(study)
    assert list_report_items(study) == [figure, table]
    one, two = chapters(study)
    assert (one.title, one.paragraphs, one.code) == ("A curve", ("Pearson's r.",), ("pyramidion x",))
    assert one.illustrations[0].light.startswith("<svg ")
    assert one.illustrations[0].light != one.illustrations[0].draw_dark()
    assert two.tables == (TABLE,)
    page = to_html(run_to_completion(build_report(study, SMALL)))
    assert page.index("A curve") < page.index("A table") < page.index("System-level correlation")


def test_items_can_be_reordered_and_removed(study):
    figure, table = choose_both(study)
    reorder(study, [table.id, figure.id]).result()
    assert [each.title for each in chapters(study)] == ["A table", "A curve"]
    remove(study, table.id).result()
    assert [each.title for each in chapters(study)] == ["A curve"]


def test_an_item_added_by_another_process_comes_last(study):
    figure, table = choose_both(study)
    reorder(study, [figure.id]).result()
    assert [part.id for part in list_report_items(study)] == [figure.id, table.id]


def test_an_item_states_that_the_study_has_changed_since(study):
    choose_both(study)
    assert not any(STALE in each.paragraphs for each in chapters(study))
    topic = next(iter(study.texts.load()))
    rating = NewRating(topic.name, topic.summaries[0].name, "fluency", "Zoe", 2.0)
    study.import_data(ImportContent("ratings", dimensions={"fluency": (1, 5)}, ratings=[rating]))
    for each in chapters(study):
        since = "since it was added to the report, annotators changed, ratings of fluency were added"
        assert each.paragraphs[0] == f"Out of date: {since}."


def test_an_item_added_without_the_parts_of_its_inputs_says_only_that_they_changed(study):
    figure, _ = choose_both(study)
    older = {key: value for key, value in to_plain(figure).items() if key != "parts"} | {"inputs_hash": "x"}
    study.settings.save(f"report.chosen.{figure.id}", json.dumps(older)).result()
    assert chapters(study)[0].paragraphs[0] == STALE


def test_an_item_of_stale_numbers_is_marked_at_once(study):
    run_to_completion(add_table(study, [], "pyramidion y", TABLE, is_stale=True))
    assert chapters(study)[0].paragraphs == (STALE,)


def test_an_undefined_number_of_a_table_is_preserved(study):
    undefined = Table("T", TABLE.columns, (("a", math.nan),))
    run_to_completion(add_table(study, [], "x", undefined))
    (part,) = list_report_items(study)
    assert part.table is not None
    assert part.table.texts() == [["a", "–"]]
