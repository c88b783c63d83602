"""RoSE: ACUs, labels and other protocols come in, and go out again."""

from __future__ import annotations

import json

import pytest

from core.comparison.judgements import judgement_matrix
from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
    NewTopic,
)
from core.domain.study import SystemKind
from core.errors import BadImport
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.study_file import new_study

ROW = {
    "source": "The bridge fell on Monday. It was old.",
    "reference": "The old bridge fell.\nNobody was hurt.",
    "reference_acus": ["The bridge fell.", "The bridge was old.", "Nobody was hurt."],
    "count_id": 0,
    "example_id": "a1",
    "system_outputs": {"bart": "A bridge fell.", "gold": "The old bridge fell."},
    "annotations": {
        "bart": {"acu_labels": [1, 0, 1], "acu": 0.6666666865, "normalized_acu": 0.5},
        "gold": {"acu_labels": [0, 0, 0], "acu": 0.0, "normalized_acu": 0.0},
    },
}


@pytest.fixture
def write(tmp_path):
    def write_rows(*rows, name="rose.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write_rows


@pytest.fixture
def made(tmp_path):
    opened = []

    def make(incoming):
        study = new_study(tmp_path / f"{len(opened)}.pyramidion")
        opened.append(study)
        study.import_data(incoming)
        return study

    yield make
    for study in opened:
        study.close()


def values(study, name):
    matrix = judgement_matrix(study, name)
    return dict(zip(matrix.systems, matrix.values[:, 0].tolist(), strict=True))


def test_acus_become_scus_and_their_share_is_the_acu_score(write, made):
    path = write(ROW)
    assert import_registry.detect(path).name == "rose"
    incoming = import_registry.read(path)
    assert incoming.systems == {"bart": SystemKind.AUTOMATIC, "gold": SystemKind.HUMAN}
    study = made(incoming)
    assert values(study, "pyramid.modified") == pytest.approx({"bart": 2 / 3, "gold": 0})
    assert values(study, "rating.normalized_acu") == {"bart": 0.5, "gold": 0}
    reference = incoming.topics[0].references["ref-00"].content
    parts = [scu.contributors[0].parts[0] for scu in incoming.pyramids[0].scus]
    assert [reference[p.start : p.end] for p in parts] == ["bridge fell", "old bridge", "Nobody was hurt"]


def test_other_protocols_are_ratings_and_minus_one_is_none(write):
    row = ROW | {
        "annotations": {
            "bart": {"prior": 3, "ref_free": 4.5, "ref_based": -1, "acu_labels": [], "acu": -1},
            "reference": {"prior": 5, "ref_free": -1, "acu_labels": [], "acu": -1},
        }
    }
    incoming = import_registry.read(write(row))
    found = {(r.system, r.dimension): r.value for r in incoming.ratings}
    assert found == {("bart", "prior"): 3, ("bart", "ref_free"): 4.5, ("reference", "prior"): 5}
    assert incoming.topics[0].summaries["reference"].content == ROW["reference"]
    assert incoming.systems["reference"] is SystemKind.HUMAN
    assert incoming.dimensions["prior"] == (1, 5)
    assert [matches.system for matches in incoming.matches] == []


@pytest.mark.parametrize("left_out", ["reference", "reference_acus"])
def test_without_acus_or_reference_the_acu_score_is_a_rating_and_a_notice_says_so(write, left_out):
    incoming = import_registry.read(write({key: value for key, value in ROW.items() if key != left_out}))
    assert not incoming.pyramids
    assert [(r.system, r.value) for r in incoming.ratings if r.dimension == "acu"] == [
        ("bart", 0.6666666865), ("gold", 0.0)
    ]  # fmt: skip
    assert "1 rows have labels, but lack the ACUs or the reference" in str(incoming.notices)


def test_a_score_that_contradicts_its_labels_is_noticed(write):
    row = ROW | {"annotations": {"bart": {"acu_labels": [1, 0, 1], "acu": 0.9}}}
    assert "1 values of acu are not the share" in str(import_registry.read(write(row)).notices)


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"example_id": "", "count_id": None}, "example_id", "missing or empty"),
        ({"annotations": {"t5": {"acu_labels": [1, 0, 1]}}}, "annotations.t5", "but not its summary"),
        ({"annotations": {"bart": {"acu_labels": [1]}}}, "annotations.bart.acu_labels", "1 labels for 3"),
        ({"annotations": {"bart": {"acu_labels": [1, 0, 2]}}}, "annotations.bart.acu_labels", "neither 0"),
        ({"annotations": {"bart": {"prior": 6}}}, "annotations.bart.prior", "outside the range 1 to 5"),
        ({"annotations": []}, "annotations", "Not an object"),
        ({"annotations": {"bart": [1]}}, "annotations.bart", "Not an object"),
        ({"reference_acus": ["a", ""]}, "reference_acus", "not a text, or empty"),
        ({"reference_acus": ["a\0b"]}, "reference_acus", "is a NUL"),
        ({"system_outputs": {"bart": 7}}, "system_outputs.bart", "A number instead of a text"),
        ({"system_outputs": {"a\nb": "x"}, "annotations": {}}, "system", "line break"),
    ],
)  # fmt: skip
def test_a_bad_row_is_refused_with_its_field(write, change, field, sentence):
    with pytest.raises(BadImport) as bad:
        import_registry.read(write(ROW | change))
    assert ("line 1", field) in [(p.place, p.field) for p in bad.value.problems]
    assert sentence in str(bad.value)


def test_a_parquet_file_of_the_hub_is_read_like_json(tmp_path, write):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    row = ROW | {"annotations": {name: {"prior": 3, **one} for name, one in ROW["annotations"].items()}}
    path = tmp_path / "rose.parquet"
    parquet.write_table(arrow.Table.from_pylist([row]), path)
    assert import_registry.detect(path).name == "rose"
    found, same = import_registry.read(path), import_registry.read(write(row))
    assert (found.topics, found.pyramids, found.matches) == (same.topics, same.pyramids, same.matches)
    assert found.ratings == same.ratings
    bad = ROW | {"annotations": {"bart": {"acu_labels": [1]}}}
    parquet.write_table(arrow.Table.from_pylist([bad]), path)
    with pytest.raises(
        BadImport, match=r"row 1, annotations\.bart\.acu_labels: 1 labels for 3 content units"
    ):
        import_registry.read(path)
    path.write_bytes(b"PAR1 no")
    assert getattr(import_registry.detect(path), "name", "") != "rose"


def test_a_topic_in_two_rows_is_refused(write):
    with pytest.raises(BadImport, match="a1 is in two rows"):
        import_registry.read(write(ROW, ROW))


def test_what_is_exported_is_read_again_without_a_difference(write, made, tmp_path):
    twice = ROW | {"reference_acus": ["It fell.", "It fell.", "It fell. [2]"]}
    study = made(import_registry.read(write(ROW, twice | {"example_id": "a2"})))
    out = tmp_path / "out.jsonl"
    run_to_completion(export_steps(study, find("pyramids", "rose"), out))
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert row["annotations"]["bart"] == {"normalized_acu": 0.5, "acu_labels": [1, 0, 1], "acu": 2 / 3}
    counts = study.import_data(import_registry.read(out), dry_run=True)
    assert (dict(counts.added), counts.different) == ({}, ())
    assert counts.equal["matches"] == 4


def test_other_boundaries_of_sentences_do_not_refuse_a_pyramid(write, made):
    study = made(import_registry.read(write(ROW | {"reference": ROW["reference"].split("\n")})))
    counts = study.import_data(import_registry.read(write(ROW)), dry_run=True)
    assert (dict(counts.added), counts.equal["SCUs"]) == ({}, 3)
    assert [what.split(" differs")[0] for what in counts.different] == [
        "The text of reference ref-00 of topic a1"
    ]


def test_weights_and_who_matched_come_back_through_a_row_per_reference(made, tmp_path):
    part = (NewPart(0, 4),)
    both = NewScu("1", "It fell.", (NewContributor("A", part), NewContributor("B", part)))
    only_b = NewScu("2", "It was old.", (NewContributor("B", part),))
    topic = NewTopic(
        "t",
        references={"A": NewText("Fell down."), "B": NewText("Fell and old.")},
        summaries={"S": NewText("It fell.")},
    )
    incoming = ImportContent(
        "made",
        topics=[topic],
        annotators={"Ko": "", "Li": ""},
        pyramids=[NewPyramid("t", "Ko", (both, only_b))],
        matches=[NewMatches("t", "S", "Ko", "Li", (NewMatch("1"),))],
    )
    out = tmp_path / "out.jsonl"
    run_to_completion(export_steps(made(incoming), find("pyramids", "rose"), out))
    study = made(import_registry.read(out))
    (annotation,) = study.pyramids.annotations()
    assert [(scu.label, scu.weight) for scu in annotation.pyramid.scus] == [
        ("It fell.", 2),
        ("It was old.", 1),
    ]
    people = {person.id: person.name for person in study.annotators.all()}
    assert people[annotation.pyramid.annotator_id] == "Ko"
    (match,) = annotation.matches
    assert (people[match.annotator_id], match.scu_id) == ("Li", annotation.pyramid.scus[0].id)
