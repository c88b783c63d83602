"""Ratings by categories and in words, optional scales, notes and flags, stored and compared."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from core.agreement.analysis import AgreementOptions
from core.agreement.estimates import BootstrapOptions
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.comparison.judgements import judgement_matrix, judgements
from core.domain.assignment import Work
from core.domain.import_batch import ImportContent, NewRating
from core.domain.ratings import Dimension, ScaleKind, category_scale, check_dimensions, is_rated, text_scale
from core.errors import BadImport, EditConflict, InputError
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import check, open_study
from tests.people import imported

ERRORS = category_scale("e" * 32, "error", ["none", "wrong entity", "wrong date"], "Which error is there?")
REMARK = text_scale("r" * 32, "remark", "Anything else?")


@pytest.fixture
def ann(study):
    return study.annotators.get_or_create("Ann").id


@pytest.fixture
def scaled(study, ann):
    """The study with coherence (1 to 5), error (categories) and remark (free text)."""
    study.ratings.edit_dimensions([], [Dimension("c" * 32, "coherence"), ERRORS, REMARK], ann).result()
    return study


def topic(study):
    return study.texts.topics()[0]


def summaries(study):
    return [summary.id for summary in study.texts.topic(topic(study).id).summaries]


def stored(study):
    names = {scale.id: scale.name for scale in study.ratings.dimensions()}
    found = study.ratings.of_topic(topic(study).id)
    return {(names[r.dimension_id], r.value, r.note, r.is_flagged) for r in found}


def test_a_note_and_a_flag_stay_when_the_value_changes_and_may_stand_alone(scaled, ann):
    summary = summaries(scaled)[0]
    scaled.ratings.rate(summary, "c" * 32, ann, 4, note="late", is_flagged=True).result()
    scaled.ratings.rate(summary, "c" * 32, ann, 2).result()
    assert stored(scaled) == {("coherence", 2.0, "late", True)}
    scaled.ratings.rate(summary, "c" * 32, ann, None).result()
    assert stored(scaled) == {("coherence", None, "late", True)}
    assert not scaled.ratings.cube("coherence").values.size, "nothing is rated"
    assert [(n.annotator, n.note, n.value) for n in scaled.ratings.notes()] == [("Ann", "late", None)]
    scaled.ratings.rate(summary, "c" * 32, ann, None, note="", is_flagged=False).result()
    assert stored(scaled) == set()


def test_each_part_of_a_rating_is_described_and_undone(scaled, ann):
    summary = summaries(scaled)[0]
    scaled.ratings.rate(summary, "c" * 32, ann, 4).result()
    scaled.ratings.rate(summary, "c" * 32, ann, 4, note="late", is_flagged=True).result()
    assert scaled.edits.history()[0].what == "Note on a rating: “late”; flagged a rating"
    scaled.edits.undo(ann).result()
    assert stored(scaled) == {("coherence", 4.0, "", False)}


def test_the_value_of_free_text_follows_from_the_answer(scaled, ann):
    summary = summaries(scaled)[0]
    scaled.ratings.rate(summary, REMARK.id, ann, None, note="  a new fact ").result()
    assert stored(scaled) == {("remark", 1.0, "a new fact", False)}
    scaled.ratings.rate(summary, REMARK.id, ann, 1, note=" ").result()
    assert stored(scaled) == set()


@pytest.mark.parametrize("value", [0, 1.5, 4])
def test_a_value_that_is_no_category_is_refused(scaled, ann, value):
    with pytest.raises(InputError, match="not one of the 3 categories of error"):
        scaled.ratings.rate(summaries(scaled)[0], ERRORS.id, ann, value).result()


def test_categories_with_ratings_are_renamed_or_added_but_not_removed(scaled, ann):
    scaled.ratings.rate(summaries(scaled)[0], ERRORS.id, ann, 3).result()
    before = scaled.ratings.dimensions()
    longer = category_scale(ERRORS.id, "error", ["none", "wrong entity", "wrong time", "grammar"])
    shorter = category_scale(ERRORS.id, "error", ["none", "other"])
    number = Dimension(ERRORS.id, "error")
    with pytest.raises(InputError, match="neither moved nor removed"):
        scaled.ratings.edit_dimensions(before, [before[0], shorter, before[2]], ann).result()
    with pytest.raises(InputError, match="its kind cannot be changed"):
        scaled.ratings.edit_dimensions(before, [before[0], number, before[2]], ann).result()
    scaled.ratings.edit_dimensions(before, [before[0], longer, before[2]], ann).result()
    assert scaled.ratings.dimensions()[1].meaning(3) == "wrong time"


@pytest.mark.parametrize(
    ("categories", "message"), [(["one"], "at least two"), (["same", "same"], "same name")]
)
def test_categories_without_a_choice_are_refused(categories, message):
    with pytest.raises(InputError, match=message):
        check_dimensions([category_scale("", "error", categories)])


def test_a_summary_is_rated_once_all_required_scales_are():
    optional = Dimension("o", "fluency", is_required=False)
    assert is_rated([ERRORS, optional], [ERRORS.id])
    assert not is_rated([ERRORS, optional], ["o"])
    assert is_rated([optional, REMARK], ["o"]), "without a required scale one is enough"
    assert not is_rated([], ["o"])


def test_only_numbers_are_judgements(scaled, ann):
    for value, summary in enumerate(summaries(scaled), 1):
        scaled.ratings.rate(summary, "c" * 32, ann, value).result()
        scaled.ratings.rate(summary, ERRORS.id, ann, value).result()
        scaled.ratings.rate(summary, REMARK.id, ann, None, note="fine").result()
    assert [ref.name for ref in judgements(scaled) if ref.cells] == ["rating.coherence"]
    for name, why in (("rating.error", "3 categories"), ("rating.remark", "free text")):
        with pytest.raises(InputError, match=why):
            judgement_matrix(scaled, name)


def test_the_agreement_on_categories_is_nominal_and_free_text_has_none(scaled, ann):
    ben = scaled.annotators.get_or_create("Ben").id
    for person, values in ((ann, (1, 2, 3)), (ben, (1, 2, 2))):
        for summary, value in zip(summaries(scaled), values, strict=True):
            scaled.ratings.rate(summary, ERRORS.id, person, value).result()
            scaled.ratings.rate(summary, REMARK.id, person, None, note="same").result()
    options = AgreementOptions(BootstrapOptions(draws=0))
    selected = AgreementSelection((Work.RATINGS,))
    table = run_to_completion(study_agreement(scaled, selected, options))
    found = {row.coefficient: row.value for row in table.rows if row.what == "rating.error"}
    assert {row.what for row in table.rows} == {"rating.error"}
    assert set(found) == {"alpha-nominal", "kappa", "fleiss-kappa", "raw"}
    # Of 6 values, counts are 2, 3, 1: disagreement 1/3 observed, (6² - 14) / 30 expected.
    assert found["alpha-nominal"] == pytest.approx(1 - (1 / 3) / (22 / 30))
    with pytest.raises(InputError, match="free text"):
        run_to_completion(study_agreement(scaled, AgreementSelection(scales=("remark",)), options))


def test_scales_ratings_and_notes_come_back_from_csv(scaled, ann, small_file, tmp_path):
    first, second, _ = summaries(scaled)
    scaled.ratings.rate(first, "c" * 32, ann, 4, note="=1+1", is_flagged=True).result()
    scaled.ratings.rate(second, "c" * 32, ann, None, note="why?").result()
    scaled.ratings.rate(first, ERRORS.id, ann, 2).result()
    scaled.ratings.rate(first, REMARK.id, ann, None, note="two\nlines").result()
    for what in ("scales", "ratings"):
        export = export_registry.find(what, "csv")
        run_to_completion(export_registry.export_steps(scaled, export, tmp_path / f"{what}.csv"))
    assert "wrong entity" in (tmp_path / "ratings.csv").read_text(encoding="utf-8")
    with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
        for what in ("scales", "ratings"):
            other.import_data(import_registry.read(tmp_path / f"{what}.csv", "table"))
        assert stored(other) == stored(scaled)
        about = [(s.name, s.kind, s.is_required, s.anchors) for s in other.ratings.dimensions()]
        assert about == [(s.name, s.kind, s.is_required, s.anchors) for s in scaled.ratings.dimensions()]


def test_a_table_with_categories_out_of_order_is_refused(tmp_path):
    table = tmp_path / "scales.csv"
    table.write_text('dimension,low,high,anchors,kind\nerror,1,3,"{""1"": ""a"", ""3"": ""b""}",categories\n')
    with pytest.raises(BadImport, match="numbered from 1 to 2"):
        import_registry.read(table, "table")


def test_a_pack_carries_kinds_notes_and_flags(scaled, ann, small_file, tmp_path):
    first, second, _ = summaries(scaled)
    scaled.ratings.rate(first, ERRORS.id, ann, 2, note="the mayor").result()
    scaled.ratings.rate(second, ERRORS.id, ann, None, is_flagged=True).result()
    scaled.ratings.rate(first, REMARK.id, ann, None, note="fine").result()
    with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
        other.merge_annotations([("ann.pack", scaled.annotation_pack())])
        assert stored(other) == stored(scaled)
        by_name = {scale.name: scale for scale in other.ratings.dimensions()}
        assert by_name["error"].kind is ScaleKind.CATEGORIES
        assert not by_name["remark"].is_required
        path = other.path
    assert check(path) == []


def with_categories(*names):
    return category_scale(ERRORS.id, "error", list(names))


class TestMeaningsOfRatings:
    """A stored number must never get another meaning: not by edits, undo, imports or merges."""

    def test_a_category_above_used_ones_is_not_removed_or_moved(self, scaled, ann):
        scaled.ratings.rate(summaries(scaled)[0], ERRORS.id, ann, 2).result()
        before = scaled.ratings.dimensions()
        for names in (("wrong entity", "wrong date"), ("wrong entity", "none", "wrong date")):
            after = [before[0], with_categories(*names), before[2]]
            with pytest.raises(InputError, match="neither moved nor removed"):
                scaled.ratings.edit_dimensions(before, after, ann).result()

    @pytest.mark.parametrize("name", ["", "two\nlines", " blank"])
    def test_categories_that_the_form_would_change_are_refused(self, name):
        with pytest.raises(InputError, match="is empty or has"):
            check_dimensions([with_categories("a", name)])

    def test_undo_of_a_scale_does_not_change_what_others_chose(self, scaled, ann):
        ben = scaled.annotators.get_or_create("Ben").id
        before = scaled.ratings.dimensions()
        tone = Dimension("f" * 32, "tone")
        scaled.ratings.edit_dimensions(before, [*before, tone], ann).result()
        now = scaled.ratings.dimensions()
        changed = category_scale(tone.id, "tone", ["kind", "rude"])
        scaled.ratings.edit_dimensions(now, [*now[:-1], changed], ann).result()
        scaled.ratings.rate(summaries(scaled)[0], tone.id, ben, 2).result()
        with pytest.raises(EditConflict, match="its kind cannot be changed"):
            scaled.edits.undo(ann).result()

    def test_a_table_of_another_scale_of_the_same_name_is_refused(self, scaled, ann, small_file, tmp_path):
        first, second, _ = summaries(scaled)
        scaled.ratings.rate(first, ERRORS.id, ann, 2).result()
        scaled.ratings.rate(second, REMARK.id, ann, None, note="fine").result()
        export = export_registry.find("ratings", "csv")
        run_to_completion(export_registry.export_steps(scaled, export, tmp_path / "ratings.csv"))
        read = import_registry.read(tmp_path / "ratings.csv", "table")
        with open_study(shutil.copyfile(small_file, tmp_path / "none.pyramidion")) as other:
            with pytest.raises(BadImport) as without_scales:
                other.import_data(read)
            assert len(without_scales.value.problems) == 2
        with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
            swapped = with_categories("wrong date", "none", "wrong entity")
            other.ratings.edit_dimensions([], [swapped, REMARK], None).result()
            with pytest.raises(BadImport, match="has another number"):
                other.import_data(read)

    def test_another_note_or_flag_is_reported_and_not_dropped(self, scaled, ann):
        scaled.ratings.rate(summaries(scaled)[0], "c" * 32, ann, 3).result()
        systems = {t.id: t.name for t in scaled.texts.topic(topic(scaled).id).summaries}
        name = systems[summaries(scaled)[0]]
        same = NewRating("D1", name, "coherence", "Ann", 3.0)
        other = NewRating("D1", name, "coherence", "Ann", 3.0, "long", True)
        for rating, reported in ((same, 0), (other, 1)):
            content = ImportContent("r", annotators={"Ann": ""}, ratings=[rating])
            content.dimensions["coherence"] = (1.0, 5.0)
            counts = scaled.import_data(content)
            assert len(counts.different) == reported
        assert stored(scaled) == {("coherence", 3.0, "", False)}

    def test_packs_with_other_scales_of_one_name_are_refused_together_too(self, small_file, tmp_path):
        packs = []
        for who, names in (("Ann", ("good", "bad")), ("Ben", ("bad", "good"))):
            with open_study(shutil.copyfile(small_file, tmp_path / f"{who}.pyramidion")) as study:
                person = study.annotators.get_or_create(who).id
                study.ratings.edit_dimensions([], [with_categories(*names)], person).result()
                number = names.index("good") + 1
                study.ratings.rate(summaries(study)[0], ERRORS.id, person, number).result()
                packs.append((f"{who}.pack", study.annotation_pack()))
        with open_study(shutil.copyfile(small_file, tmp_path / "all.pyramidion")) as study:
            with pytest.raises(BadImport, match="another scale in another of these files"):
                study.merge_annotations(packs)
            assert study.ratings.dimensions() == []

    def test_what_cannot_be_stored_in_files_is_left_out_of_notes(self, scaled, ann):
        scaled.ratings.rate(summaries(scaled)[0], "c" * 32, ann, 3, note="a\0b\ud800").result()
        assert stored(scaled) == {("coherence", 3.0, "ab", False)}

    def test_the_check_reports_ratings_off_their_scale(self, scaled, ann):
        scaled.ratings.rate(summaries(scaled)[0], ERRORS.id, ann, 3).result()
        path = scaled.path
        scaled.close()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("update ratings set value = 77")
        assert any("ratings of error are not on this scale" in fault for fault in check(path))


def test_versions_of_conflicts_are_not_counted_as_annotators(scaled, ann):
    twin = imported(scaled, "Ann (conflict 0a1b2c)").id
    for person, value in ((ann, 2), (twin, 4)):
        scaled.ratings.rate(summaries(scaled)[0], "c" * 32, person, value).result()
    matrix = judgement_matrix(scaled, "rating.coherence")
    assert np.nanmax(matrix.values) == 2
    with pytest.raises(InputError, match="No two annotators"):
        run_to_completion(study_agreement(scaled, AgreementSelection(), AgreementOptions()))
