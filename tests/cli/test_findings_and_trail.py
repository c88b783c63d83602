"""Findings and the edit trail, run as a user would."""

from __future__ import annotations

import csv
import json

import pytest

from cli.errors import DONE
from cli.main import main
from core.domain import pyramid


@pytest.fixture
def annotated(study):
    """The small study with an SCU that cuts a word, made, undone and made again by Ann."""
    head = study.texts.topics()[0]
    ann, topic = study.annotators.get_or_create("Ann").id, study.texts.topic(head.id)
    before = study.pyramids.annotation(head.id, ann)
    after = pyramid.add_scu(before, "Court ruled", topic.references[0].id, [(4, 13)])
    study.pyramids.commit(before, after, "new SCU", ann, 2.5).result()
    study.edits.undo(ann).result()
    study.edits.redo(ann).result()
    return study.path


def test_findings_are_listed_as_a_table_and_as_one_document(annotated, capsys):
    assert main(["validate", str(annotated), "--findings"]) == DONE
    streams = capsys.readouterr()
    assert "misplaced part" in streams.out
    assert "has 1 finding." in streams.err
    assert main(["validate", str(annotated), "--findings", "--json"]) == DONE
    (row,) = json.loads(capsys.readouterr().out)["findings"]
    assert (row["topic"], row["annotator"], row["kind"]) == ("D1", "Ann", "misplaced part")
    assert (row["start"], row["end"], row["repair"]) == (4, 13, "Snap to words")


def test_the_edit_trail_leaves_as_a_table_oldest_first(annotated, tmp_path):
    target = tmp_path / "trail.csv"
    assert main(["export", str(annotated), "--what", "history", "--format", "csv", "-o", str(target)]) == DONE
    with target.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["topic"] == "D1"]
    assert [row["what"] for row in rows] == [
        "New SCU “Court ruled”",
        "Undid: New SCU “Court ruled”",
        "Redid: New SCU “Court ruled”",
    ]
    assert rows[0]["annotator"] == "Ann"
    assert (rows[0]["active_seconds"], rows[0]["undone"]) == ("2.5", "no")
