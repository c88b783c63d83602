"""Scales: added, renamed, removed, reordered and described, each as an edit that can be undone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from core.comparison.study_digest import study_digest
from core.domain.ratings import Dimension, ScaleKind
from core.errors import BadImport, EditConflict, InputError, StudyDamaged
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import check, new_study


@pytest.fixture
def ann(study):
    return study.annotators.get_or_create("Ann").id


@pytest.fixture
def ben(study):
    return study.annotators.get_or_create("Ben").id


@pytest.fixture
def rated(study, ann):
    """The study with coherence (two ratings, 4 and 5) and fluency."""
    for name in ("coherence", "fluency"):
        study.ratings.add_dimension(name, annotator_id=ann)
    for summary, value in zip(summaries(study), (4, 5), strict=False):
        study.ratings.rate(summary, study.ratings.dimensions()[0].id, ann, value).result()
    return study


def summaries(study):
    return [summary.id for summary in study.texts.topic(study.texts.topics()[0].id).summaries]


def names(study):
    return [scale.name for scale in study.ratings.dimensions()]


def values(study):
    return sorted(rating.value for rating in study.ratings.of_topic(study.texts.topics()[0].id))


def change(study, after, annotator_id):
    return study.ratings.edit_dimensions(study.ratings.dimensions(), after, annotator_id).result()


class TestEdits:
    def test_a_scale_added_by_mistake_can_be_undone_and_redone(self, study, ann):
        study.ratings.add_dimension("coherence", annotator_id=ann)
        assert study.edits.undo_labels(ann) == ("add scale coherence", "")
        study.edits.undo(ann).result()
        assert study.ratings.dimensions() == []
        study.edits.redo(ann).result()
        assert names(study) == ["coherence"]

    def test_a_removed_scale_takes_its_ratings_along_and_undo_restores_both(self, rated, ann):
        before = rated.ratings.dimensions()
        assert change(rated, before[1:], ann).verb == "remove scale coherence"
        assert (names(rated), values(rated)) == (["fluency"], [])
        with pytest.raises(InputError, match="No scale is named 'coherence'"):
            rated.ratings.cube("coherence")
        assert rated.edits.history(limit=1)[0].what == "Removed scale “coherence” with 2 ratings"
        rated.edits.undo(ann).result()
        assert (rated.ratings.dimensions(), values(rated)) == (before, [4, 5])
        rated.edits.redo(ann).result()
        rated.close()
        assert check(rated.path) == []

    def test_every_field_and_the_order_are_one_edit(self, rated, ann):
        coherence, fluency = before = rated.ratings.dimensions()
        anchors = ((1.0, "very poor"), (7.0, "excellent; “best”"))
        asked = replace(coherence, name="Is it coherent?", high=7, question="How well?", anchors=anchors)
        after = [replace(fluency, description="Grammar only."), asked]
        change(rated, after, ann)
        assert rated.ratings.dimensions() == after
        rated.edits.undo(ann).result()
        assert rated.ratings.dimensions() == before
        rated.edits.redo(ann).result()
        assert rated.ratings.dimensions() == after

    def test_the_history_states_what_changed(self, rated, ann):
        coherence, fluency = rated.ratings.dimensions()
        for after in (
            [fluency, coherence],
            [fluency, replace(coherence, name="clarity")],
            [fluency, replace(coherence, name="clarity", high=7)],
            [fluency, replace(coherence, name="clarity", high=7, question="How clear?")],
        ):
            change(rated, after, ann)
        assert [record.what for record in rated.edits.history(limit=4)] == [
            "Changed the question of scale “clarity”",
            "Changed the range of scale “clarity” from 1–5 to 1–7",
            "Renamed scale “coherence” to “clarity”",
            "Moved scale “fluency”",
        ]
        change(rated, [Dimension(f"new{n}", f"new{n}") for n in range(3)], ann)
        assert rated.edits.history(limit=1)[0].what == "3 scales added, 2 scales removed"

    def test_two_scales_can_exchange_their_names(self, rated, ann):
        coherence, fluency = rated.ratings.dimensions()
        change(rated, [replace(coherence, name="fluency"), replace(fluency, name="coherence")], ann)
        assert names(rated) == ["fluency", "coherence"]
        rated.edits.undo(ann).result()
        assert names(rated) == ["coherence", "fluency"]

    def test_the_name_of_a_removed_scale_is_free_in_the_same_edit(self, rated, ann):
        fluency = rated.ratings.dimensions()[1]
        change(rated, [Dimension("new", "coherence", 0, 100), fluency], ann)
        assert (rated.ratings.dimensions()[0].high, values(rated)) == (100, [])

    def test_the_order_does_not_change_what_the_study_states(self, rated, ann):
        before = study_digest(rated)
        change(rated, rated.ratings.dimensions()[::-1], ann)
        assert study_digest(rated) == before

    def test_a_moved_span_and_another_kind_change_what_the_study_states(self, study, ann):
        """Agreement on spans depends on both, whatever the number of spans is."""
        kinds = ScaleKind.NUMBER, ScaleKind.SPANS
        plain, marking = (Dimension("new", "errors", 0, 1, "", "", ((1.0, "wrong"),), kind) for kind in kinds)
        change(study, [plain], ann)
        digests = {study_digest(study)}
        change(study, [replace(marking, id=study.ratings.dimensions()[0].id)], ann)
        digests.add(study_digest(study))
        for span in ((0, 3, 1), (0, 4, 1)):
            at = summaries(study)[0], study.ratings.dimensions()[0].id
            study.ratings.rate(*at, ann, 0.0, spans=[span]).result()
            digests.add(study_digest(study))
        assert len(digests) == 4

    def test_nothing_changed_is_no_edit(self, rated, ann):
        assert change(rated, rated.ratings.dimensions(), ann).edit_id == ""


class TestRefusals:
    def test_a_range_that_excludes_ratings_is_refused_with_their_number(self, rated, ann):
        coherence, fluency = rated.ratings.dimensions()
        with pytest.raises(InputError, match=r"^1 rating of coherence \(5\) would lie outside 1 to 4"):
            change(rated, [replace(coherence, high=4), fluency], ann)
        with pytest.raises(InputError, match=r"^2 ratings of coherence \(values from 4 to 5\)"):
            change(rated, [replace(coherence, high=3), fluency], ann)
        assert rated.ratings.dimensions() == [coherence, fluency]

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"name": " "}, "needs a name"),
            ({"name": "fluency"}, "Two scales are called fluency"),
            ({"low": 5.0}, "its end must be greater than its start"),
            ({"anchors": ((9.0, "too good"),)}, r"“too good” of coherence is at 9, outside 1 to 5"),
        ],
    )
    def test_what_is_no_scale_is_refused(self, changed, message, rated, ann):
        coherence, fluency = rated.ratings.dimensions()
        with pytest.raises(InputError, match=message):
            change(rated, [replace(coherence, **changed), fluency], ann)

    def test_two_who_edit_the_same_scale_do_not_overwrite_each_other(self, rated, ann, ben):
        coherence, fluency = before = rated.ratings.dimensions()
        change(rated, [replace(coherence, name="clarity"), fluency], ann)
        with pytest.raises(EditConflict, match="Ann changed this scale by “change scale clarity”"):
            rated.ratings.edit_dimensions(before, [replace(coherence, high=7), fluency], ben).result()

    def test_a_wider_range_stays_once_somebody_used_it(self, rated, ann, ben):
        coherence, fluency = rated.ratings.dimensions()
        change(rated, [replace(coherence, high=7), fluency], ann)
        rated.ratings.rate(summaries(rated)[0], coherence.id, ben, 6).result()
        with pytest.raises(EditConflict, match="1 rating of coherence would lie outside its range, 1 to 5"):
            rated.edits.undo(ann).result()
        assert rated.ratings.dimensions()[0].high == 7

    def test_a_rating_does_not_come_back_without_its_scale(self, rated, ann, ben):
        change(rated, rated.ratings.dimensions()[1:], ben)
        with pytest.raises(EditConflict, match="Ben removed this rating"):
            rated.edits.undo(ann).result()

    def test_a_scale_does_not_come_back_where_another_has_its_name(self, rated, ann, ben):
        change(rated, rated.ratings.dimensions()[1:], ann)
        rated.ratings.add_dimension("coherence", annotator_id=ben)
        with pytest.raises(EditConflict, match="Another scale has the same name now"):
            rated.edits.undo(ann).result()


@pytest.mark.parametrize("stored", ["", "5", "[1]", '[["a", "b"]]', "[[1]]"])
def test_anchors_that_nobody_wrote_are_reported_as_damage(stored, study):
    study.ratings.add_dimension("coherence")
    with closing(sqlite3.connect(study.path)) as connection, connection:
        connection.execute("UPDATE dimensions SET anchors = ?", (stored,))
    with pytest.raises(StudyDamaged, match="anchors of a scale"):
        study.ratings.dimensions()


class TestFiles:
    def test_scales_go_out_and_come_in_with_everything(self, rated, ann, tmp_path):
        coherence, fluency = rated.ratings.dimensions()
        anchors = ((1.0, "very poor"), (2.5, "so so; “fair”"), (5.0, "excellent"))
        texts = {"question": "How well, overall?", "description": "Read it\ntwice.", "anchors": anchors}
        change(rated, [fluency, replace(coherence, **texts)], ann)
        path = tmp_path / "scales.csv"
        assert (
            run_to_completion(
                export_registry.export_steps(rated, export_registry.find("scales", "csv"), path)
            )
            == 2
        )
        with new_study(tmp_path / "other.pyramidion") as other:
            run_to_completion(
                import_registry.import_steps(other, import_registry.import_request(path, "table"))
            )
            assert [replace(scale, id="") for scale in other.ratings.dimensions()] == [
                replace(scale, id="") for scale in rated.ratings.dimensions()
            ]
            assert (
                run_to_completion(
                    import_registry.import_steps(other, import_registry.import_request(path, "table"))
                ).added
                == {}
            )

    def test_blank_texts_of_a_scale_are_filled_and_others_reported(self, rated, ann, tmp_path):
        coherence, fluency = rated.ratings.dimensions()
        change(rated, [replace(coherence, question="How well?"), fluency], ann)
        line = {"dimension": "coherence", "question": "How badly?", "anchors": {"1": "poor"}}
        path = tmp_path / "scales.jsonl"
        path.write_text(json.dumps(line), "utf-8")
        counts = run_to_completion(
            import_registry.import_steps(rated, import_registry.import_request(path, "table"))
        )
        assert "The question of scale coherence differs" in counts.different[0]
        assert rated.ratings.dimensions()[0].question == "How well?"
        assert rated.ratings.dimensions()[0].anchors == ((1.0, "poor"),)

    @pytest.mark.parametrize(
        ("cell", "what"),
        [
            ("poor", "These are not anchors"),
            ('["poor"]', "These are not anchors"),
            ('{"one": "poor"}', "These are not anchors"),
            ('{"1": 2}', "These are not anchors"),
            ('{"NaN": "poor"}', "These are not anchors"),
            ('{"7": "good"}', "The anchor at 7 is outside the scale 1 to 5"),
        ],
    )
    def test_bad_anchors_are_a_problem_with_a_place(self, cell, what, tmp_path):
        path = tmp_path / "scales.csv"
        quoted = cell.replace('"', '""')
        path.write_text(f'dimension,low,high,anchors\ncoherence,1,5,"{quoted}"\n', "utf-8")
        with pytest.raises(BadImport, match=what) as caught:
            import_registry.read(path, "table")
        assert caught.value.problems[0].place == "line 2"
