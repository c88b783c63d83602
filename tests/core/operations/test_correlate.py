"""The request and the outcome of a correlation; its numbers are tested where they are computed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import BadRequest, InputError
from core.operations.correlate import COLUMNS, annotator_agreement, correlate, correlate_topics, load_data
from core.operations.options import CorrelateRequest
from core.progress import run_to_completion
from core.stats.types import Level

RATING = "rating.coherence"


def test_requests_are_declared_without_numpy():
    code = "import sys, core.operations.options; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_records_have_the_columns_and_tables_begin_with_the_best(judged_study):
    request = CorrelateRequest(judgements=(RATING,), compare="best", clusters=True, draws=20)
    found = run_to_completion(correlate(judged_study, request))
    records = found.records()
    assert set(found.columns) == set(records[0])
    assert found.columns[: len(COLUMNS)] == COLUMNS
    ranked = [records[at]["ranked_by"] for at in found.in_order() if records[at]["status"] == "ranked"]
    assert ranked == sorted(ranked, reverse=True)
    assert {record["compared_with"] for record in records} == {found.results[RATING].against}


def test_correlations_in_each_topic_have_the_notes_of_their_level(judged_study):
    found = correlate_topics(judged_study, CorrelateRequest(judgements=(RATING,)))
    assert {record["topic"] for record in found.records} <= {"D1", "D2", "D3", "D10"}
    assert any(note.startswith(f"{RATING}: ") for note in found.notes)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"needed": "topics"}, "--needed requires --compare"),
        ({"upper_bound": True, "judgements": ("pyramid.modified",)}, "requires a rating"),
        ({"topic_set": "late"}, "No set of topics is named 'late'"),
    ],
)
def test_what_a_study_cannot_answer_is_said_in_a_sentence(judged_study, given, sentence):
    with pytest.raises(InputError, match=sentence):
        run_to_completion(correlate(judged_study, CorrelateRequest(**given)))


def test_options_without_effect_are_refused():
    with pytest.raises(BadRequest, match="--weak-by has no effect alone"):
        CorrelateRequest(weak_by=RATING)


def test_only_options_of_inference_count_as_such():
    assert not CorrelateRequest(measures=("js-1.divergence",), level=Level.TOPIC).has_inference
    assert CorrelateRequest(draws=5).has_inference


def test_a_judgement_without_ratings_has_no_agreement(judged_study):
    request = CorrelateRequest(judgements=(RATING, "pyramid.modified"))
    data = load_data(judged_study, request)
    assert run_to_completion(annotator_agreement(data, "pyramid.modified", request)) is None
