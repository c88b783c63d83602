"""Spans marked in summaries, such as errors: stored, undone, merged, exported, judged, compared."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from core.adjudication.topics import AdjudicationSelection, adjudication_of, read_topic, sides_of
from core.agreement.analysis import AgreementOptions
from core.agreement.estimates import BootstrapOptions
from core.annotation.marked_spans import share_of_unmarked_sentences, with_span
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.comparison.judgements import judgement_matrix
from core.domain.annotation_pack import parse_pack
from core.domain.assignment import Work
from core.domain.decisions import RESULT_GROUP, Choice
from core.domain.ratings import span_scale
from core.domain.study import Text
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import check, open_study

ERRORS = span_scale("e" * 32, "errors", ["entity", "date", "grammar"])
COURT, ON = (4, 9, 1), (14, 16, 2)  # of “The court met on Monday.”


@pytest.fixture
def ann(study):
    return study.annotators.get_or_create("Ann").id


@pytest.fixture
def ben(study):
    return study.annotators.get_or_create("Ben").id


@pytest.fixture
def scaled(study, ann):
    study.ratings.edit_dimensions([], [ERRORS], ann).result()
    return study


def summary_of(study, system="lead"):
    topic = study.texts.topic(study.texts.topics()[0].id)
    return next(text for text in topic.summaries if text.name == system)


def stored(study):
    found = study.ratings.of_topic(study.texts.topics()[0].id)
    return sorted((r.value, r.spans, r.note) for r in found)


def mark(study, who, *spans, system="lead"):
    study.ratings.rate(summary_of(study, system).id, ERRORS.id, who, 1, spans=spans).result()


def test_the_value_is_the_share_of_sentences_without_a_mark():
    text = Text("t", "lead", "One is here. Two is there. Three is away.", None, "", "")
    assert share_of_unmarked_sentences(text, [(0, 3, 1)]) == pytest.approx(2 / 3)
    assert share_of_unmarked_sentences(text, [(9, 20, 1)]) == pytest.approx(1 / 3), "it touches two sentences"
    assert share_of_unmarked_sentences(text, []) == 1
    assert share_of_unmarked_sentences(Text("t", "lead", " ", None, "", ""), []) == 1


def test_a_mark_at_the_same_place_changes_its_category():
    assert with_span([COURT], (4, 9), 3) == ((4, 9, 3),)
    assert with_span([ON], (4, 9), 1) == (COURT, ON)


def test_marks_are_sorted_described_and_undone(scaled, ann):
    mark(scaled, ann)
    assert stored(scaled) == [(1.0, (), "")], "nothing to mark"
    mark(scaled, ann, ON, COURT, ON)
    assert stored(scaled) == [(0.0, (COURT, ON), "")]
    assert scaled.edits.history()[0].what == "Marked a span"
    scaled.ratings.rate(summary_of(scaled).id, ERRORS.id, ann, 0, note="sure").result()
    assert stored(scaled) == [(0.0, (COURT, ON), "sure")], "the marks stay"
    for _ in range(2):
        scaled.edits.undo(ann).result()
    assert stored(scaled) == [(1.0, (), "")]
    scaled.ratings.rate(summary_of(scaled).id, ERRORS.id, ann, None).result()
    assert stored(scaled) == []


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ((4, 4, 1), "not within"),
        ((-1, 2, 1), "not within"),
        ((0, 99, 1), "not within"),
        ((0, 3, 4), "no cat"),
    ],
)
def test_a_span_that_cannot_be_is_refused(scaled, ann, span, message):
    with pytest.raises(InputError, match=message):
        mark(scaled, ann, span)
    assert stored(scaled) == []


def test_a_category_in_use_cannot_be_removed(scaled, ann):
    mark(scaled, ann, ON)
    fewer = span_scale(ERRORS.id, "errors", ["entity"])
    with pytest.raises(InputError, match="neither moved nor removed"):
        scaled.ratings.edit_dimensions(scaled.ratings.dimensions(), [fewer], ann).result()


def test_the_share_is_a_judgement(scaled, ann):
    mark(scaled, ann, ON)
    mark(scaled, ann, system="bad")
    matrix = judgement_matrix(scaled, "rating.errors")
    values = dict(zip(matrix.systems, matrix.values[:, 0], strict=True))
    assert (values["lead"], values["bad"]) == (0, 1)
    assert np.isnan(values["good"])


def test_marks_come_back_from_csv_with_the_value_that_they_have(scaled, ann, small_file, tmp_path):
    mark(scaled, ann, COURT, ON)
    for what in ("scales", "ratings", "spans"):
        export = export_registry.find(what, "csv")
        run_to_completion(export_registry.export_steps(scaled, export, tmp_path / f"{what}.csv"))
    assert "4,9,court,entity" in (tmp_path / "spans.csv").read_text(encoding="utf-8")
    table = tmp_path / "ratings.csv"
    table.write_text(table.read_text(encoding="utf-8").replace(",0.0,", ",0.75,", 1), encoding="utf-8")
    with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
        for what in ("scales", "ratings"):
            other.import_data(import_registry.read(tmp_path / f"{what}.csv", "table"))
        assert stored(other) == stored(scaled)
        table.write_text(table.read_text(encoding="utf-8").replace("14-16:2", "14-99:2"), encoding="utf-8")
        with pytest.raises(BadImport, match="not within the text"):
            other.import_data(import_registry.read(table, "table"))
        table.write_text(table.read_text(encoding="utf-8").replace("14-99:2", "14"), encoding="utf-8")
        with pytest.raises(BadImport, match="not spans with categories"):
            import_registry.read(table, "table")


def test_a_pack_carries_marks(scaled, ann, small_file, tmp_path):
    mark(scaled, ann, COURT, ON)
    pack = parse_pack(scaled.annotation_pack().to_text(), "ann.pack")
    with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
        other.merge_annotations([("ann.pack", pack)])
        assert stored(other) == stored(scaled)
        path = other.path
    assert check(path) == []


def test_agreement_on_spans_and_on_the_categories_of_sentences(scaled, ann, ben):
    for system, first, second in (("lead", [COURT], [(4, 9, 2)]), ("bad", [], [])):
        mark(scaled, ann, *first, system=system)
        mark(scaled, ben, *second, system=system)
    options = AgreementOptions(BootstrapOptions(draws=0))
    table = run_to_completion(study_agreement(scaled, AgreementSelection((Work.RATINGS,)), options))
    found = {(row.what, row.coefficient): row.value for row in table.rows}
    assert found["rating.errors spans", "f1-exact"] == 1
    assert found["rating.errors sentences", "raw"] == pytest.approx(0.5), "other categories in one of two"
    assert found["rating.errors", "raw"] == 1, "the same sentences"


def test_an_adjudicator_accepts_marks_or_takes_all(scaled, ann, ben):
    mark(scaled, ann, COURT)
    mark(scaled, ben, ON)
    eva = scaled.annotators.get_or_create("Eva")
    result = scaled.annotators.get_or_create("adjudicated", RESULT_GROUP)
    selection = AdjudicationSelection(annotators=("Ann", "Ben"))
    topic_id = scaled.texts.topics()[0].id
    for choice, spans in ((Choice.ACCEPT, (COURT,)), (Choice.BOTH, (COURT, ON))):
        sides = sides_of(scaled.annotators.all(), selection, eva.name)
        adjudication = adjudication_of(read_topic(scaled, topic_id, result.id), selection, sides)
        (item,) = adjudication.items
        assert [version.text for version in item.versions] == ["“court” (entity)", "“on” (date)"]
        scaled.adjudication.commit(adjudication.decide(item, choice), eva.id).result()
        found = [r for r in scaled.ratings.of_topic(topic_id) if r.annotator_id == result.id]
        assert [r.spans for r in found] == [spans]
