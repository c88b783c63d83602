"""One sentence names what has changed since scoring, with the day if the history has it."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from core.comparison.measures import measures
from core.comparison.staleness_text import changes_text, measures_text, run_text
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics.rouge.rouge_n import RougeN
from core.scoring.config import parse_config
from core.scoring.plan import plan
from core.scoring.staleness import ChangedInput, Staleness
from core.scoring.study_resources import StudyResources
from tests.scoring import report_of, score_all

TODAY = f"{datetime.now(UTC):%Y-%m-%d} UTC"


@pytest.fixture
def scored(study):
    score_all(study, "rouge-n:n=1")
    return study


def changes_of(study):
    return changes_text(study, [measures(study)[0].staleness])


def test_unchanged_scores_have_no_sentence(scored):
    assert changes_of(scored) == measures_text(scored, measures(scored)) == ""


def test_an_added_reference_is_named_with_its_day_everywhere(scored):
    references = {"C": NewText("Judges lifted a ban.")}
    scored.import_data(ImportContent("x", topics=[NewTopic("D1", references=references)]))
    sentence = f"Reference C of D1 was added on {TODAY}."
    assert changes_of(scored) == sentence
    resources = StudyResources(scored)
    (run,) = plan(scored, [parse_config("rouge-n:n=1", resources)], resources).runs
    assert run_text(scored, run) == sentence
    assert measures_text(scored, measures(scored)) == (
        f"rouge-1.recall, rouge-1.precision, rouge-1.f: out of date. {sentence}"
    )
    paragraphs = [text for section in report_of(scored).sections for text in section.paragraphs]
    assert any(sentence in text for text in paragraphs)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone is that of the machine")
@pytest.mark.parametrize("zone", ["XXX-14", "XXX+12"])  # 26 hours apart, so that one has another day
def test_the_day_is_the_same_in_every_time_zone(scored, monkeypatch, zone):
    references = {"C": NewText("Judges lifted a ban.")}
    scored.import_data(ImportContent("x", topics=[NewTopic("D1", references=references)]))
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        found = changes_of(scored)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert found == f"Reference C of D1 was added on {TODAY}."


VERSION = ("metric version", "", "1 → 2", True)
LANGUAGE = ("language", "", "none → de", True)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([("summary", "lead")], [], "Summary of D1 by lead was edited."),
        (
            [("summary", "new", "added")],
            [("summary", "new", "added")],
            "Summaries by new of D1 and 1 other topic were added.",
        ),
        (
            [("reference", "A"), ("reference", "B")],
            [("reference", "A")],
            "3 references of D1 and 1 other topic were edited.",
        ),
        ([], [("source documents",)], "Source documents of D2 were edited."),
        ([VERSION], [VERSION], "Metric version 1 → 2."),
        (
            [("reference", "A", "removed"), ("idf weights", "", "edited", True)],
            [],
            "Reference A of D1 was removed; the idf weights changed.",
        ),
        (
            [("inputs",)],
            [],
            "Texts, annotations or settings of D1 changed (which is unknown, as these scores are older than "
            "the record of their inputs).",
        ),
        (
            [("query",), ("reference", "A"), ("summary", "lead"), ("source documents",), LANGUAGE],
            [],
            "Query of D1 was edited; reference A of D1 was edited; source documents of D1 were edited; "
            "2 further changes.",
        ),
    ],
)
def test_changes_are_summed_up(study, first, second, sentence):
    ids = [head.id for head in study.texts.topics()]
    changes = {
        topic: tuple(ChangedInput(*one) for one in each)
        for topic, each in zip(ids, (first, second), strict=True)
        if each
    }
    assert changes_text(study, [Staleness(changes)]) == sentence


def test_annotations_have_the_day_of_their_edits(study):
    topic = next(iter(study.texts.load()))
    ann = study.annotators.get_or_create("Ann").id
    since, before = int(time.time()), study.pyramids.annotation(topic.id, ann)
    found = Staleness({topic.id: (ChangedInput("pyramids and matches"),)}, since)
    assert changes_text(study, [found]) == f"Pyramids and matches of D1 were edited (scored on {TODAY})."
    after = pyramid.add_scu(before, "ban", topic.references[0].id, [(0, 9)])
    study.pyramids.commit(before, after, "new SCU", ann).result()
    assert changes_text(study, [found]) == f"Pyramids and matches of D1 were edited on {TODAY}."


def test_a_new_version_of_the_metric_is_named_until_it_has_scored(scored, monkeypatch):
    old = RougeN.version
    monkeypatch.setattr(RougeN, "version", old + 1)
    assert changes_of(scored) == f"Metric version {old} → {old + 1} (scored on {TODAY})."
    score_all(scored, "rouge-n:n=1")
    assert measures_text(scored, measures(scored)) == ""
