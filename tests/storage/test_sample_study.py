"""The packaged sample: what its files hold, and what the study made of them shows."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from core.domain.topic_sets import INITIAL, UPDATE
from core.errors import InputError
from core.operations.agree import agree
from core.operations.options import AgreeRequest
from core.progress import run_to_completion
from core.systems.registry import summarizers
from core.systems.run import SystemRequest, earlier_topic, summarize_study
from storage.sample_study import ANNOTATOR, SECOND, sample_records, span_of
from storage.study_file import open_study

pytestmark = pytest.mark.slow

RECORDS = sample_records()
LONG = [record for record in RECORDS if record["set"] == INITIAL]
SHORT = [record for record in RECORDS if record["set"] == UPDATE]


@pytest.fixture(scope="module")
def sample(sample_file, tmp_path_factory):
    with open_study(Path(shutil.copy(sample_file, tmp_path_factory.mktemp("own")))) as study:
        yield study


def words(text):
    return len(text.split())


def second(record, key):
    return record.get("second", {}).get(key, [])


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["name"])
class TestTopic:
    def test_it_has_the_texts_of_a_real_topic(self, record):
        documents, least, most = (3, 300, 600) if record in LONG else (2, 150, 250)
        assert len(record["documents"]) == documents
        assert all(least <= words(document["text"]) <= most for document in record["documents"])
        least, most = (85, 115) if record in LONG else (50, 75)
        assert [reference["author"] for reference in record["references"]] == ["A", "B", "C", "D"]
        assert all(least <= words(reference["text"]) <= most for reference in record["references"])
        assert len({summary["system"] for summary in record["summaries"]}) == 8

    def test_baselines_are_sentences_of_the_documents(self, record):
        documents = " ".join(document["text"] for document in record["documents"]).replace("\n\n", " ")
        (lead,) = (one["text"] for one in record["summaries"] if one["system"] == "lead")
        assert lead.replace("\n\n", " ") in documents

    def test_every_part_is_in_its_text(self, record):
        references = {one["author"]: one["text"] for one in record["references"]}
        summaries = {one["system"]: one["text"] for one in record["summaries"]}
        for unit in (*record["scus"], *record.get("nuggets", ()), *second(record, "scus")):
            authors = [one["reference"] for one in unit["contributors"]]
            assert len(set(authors)) == len(authors)
            for contributor in unit["contributors"]:
                for part in contributor["parts"]:
                    span_of(references[contributor["reference"]], part)
        for matched in (*record["matches"], *record.get("hits", ()), *second(record, "matches")):
            for unit in matched["units"]:
                for part in unit["parts"]:
                    span_of(summaries[matched["system"]], part)

    def test_it_is_a_pyramid_with_all_weights(self, record):
        weights = Counter(len(scu["contributors"]) for scu in record["scus"])
        assert all(weights[weight] for weight in (1, 2, 3, 4))
        apart = sum(len(one["parts"]) > 1 for scu in record["scus"] for one in scu["contributors"])
        assert record in SHORT or apart >= 4

    def test_every_summary_is_matched_and_rated(self, record):
        systems = {summary["system"] for summary in record["summaries"]}
        labels = {scu["label"] for scu in record["scus"]}
        assert len(labels) == len(record["scus"])
        assert {matched["system"] for matched in record["matches"]} == systems
        for matched in (*record["matches"], *second(record, "matches"), *record.get("hits", ())):
            assert {unit["scu"] for unit in matched["units"]} <= labels | {None}
        rated = Counter((rating["system"], rating["dimension"]) for rating in record["ratings"])
        assert set(rated.values()) == {1}
        assert len(rated) == 8 * 3


def test_there_are_six_topics_and_two_updates_of_them(sample):
    assert [record["name"] for record in LONG] == [f"D0{number}" for number in range(1, 7)]
    heads = {head.name: head for head in sample.texts.topics()}
    for record in SHORT:
        initial = heads[record["name"].removesuffix("-update")]
        assert earlier_topic(heads[record["name"]], list(heads.values())) == initial.id


def test_two_annotators_differ_as_people_do(sample):
    """Krippendorff's α of about .8: enough in common to average them, enough to decide on."""
    request = AgreeRequest(coefficients=("alpha-ordinal", "alpha-nominal", "alpha-masi"), bootstrap=0)
    table = run_to_completion(agree(sample, request))
    alphas = {(row.what, row.coefficient): row.value for row in table.rows}
    for name in ("responsiveness", "coherence", "fluency"):
        assert 0.7 < alphas[f"rating.{name}", "alpha-ordinal"] < 0.85, name
    assert 0.8 < alphas["matches", "alpha-nominal"] < 0.9
    assert 0.5 < alphas["pyramids", "alpha-masi"] < 0.8
    assert 0.4 < alphas["preference.Better summary", "alpha-nominal"] < 0.6


def test_nuggets_have_hits_that_are_to_be_checked(sample):
    begun = list(sample.nuggets.annotations())
    hits = [hit for annotation in begun for hit in annotation.matches]
    assert len(begun) == 2
    assert {nugget.importance for one in begun for nugget in one.pyramid.scus} == {"vital", "okay"}
    assert {hit.is_confirmed for hit in hits} == {hit.is_partial for hit in hits} == {True, False}
    assert not sample.nuggets.is_any_summary_done()


def test_each_summarizer_summarizes_it_or_says_what_it_needs(sample):
    """Of these topics, the initial one has citances."""
    topics = ("D01", "D01-update")
    requests = [SystemRequest(f"new-{cls.name}", cls()) for cls in summarizers()]
    able = [one for one in requests if not one.summarizer.unavailable()]
    reports = run_to_completion(summarize_study(sample, able, topics))
    for request, report in zip(able, reports, strict=True):
        assert report.without == (("D01-update",) if request.summarizer.reads_citances else ())
        assert report.made == len(topics) - len(report.without)
    refused = [one for one in requests if one not in able]
    for one in refused:
        with pytest.raises(InputError, match=one.summarizer.name):
            run_to_completion(summarize_study(sample, [one], topics))
    assert len(able) > 4 * len(refused)


def test_single_decisions_are_in_the_history(sample_file):
    """The second annotator's pyramid and the answers to pairs; the first annotator's is the last one."""
    with open_study(sample_file) as study:
        history = study.edits.history(limit=1000)
        people = {person.name: person.id for person in study.annotators.all()}
        topic = study.texts.topics()[0].id
        own = study.pyramids.annotation(topic, people[SECOND])
    assert set(people) == {ANNOTATOR, SECOND}
    assert history[0].annotator == ANNOTATOR
    verbs = Counter(edit.verb for edit in history)
    written = RECORDS[0]["second"]["scus"]
    assert verbs["import"] == 1
    assert verbs["new SCU"] == len(written)
    assert verbs["compare summaries"] == 2 * sum(len(record["pairs"]) for record in RECORDS) == 40
    assert [scu.label for scu in own.pyramid.scus] == [scu["label"] for scu in written]
    assert own.pyramid.is_done


def test_its_guidelines_say_how_it_was_made(sample):
    assert "were written for Pyramidion" in sample.settings.get("guidelines")
