"""The engine: it does what is to do, once, and can be stopped."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

import numpy as np
import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import SystemKind
from core.errors import InputError, MissingResource
from core.metrics.base import Metric, Need, TopicScores, setting
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.scoring.engine import UNWRITTEN_BLOCKS, ScoringConfig, parse_config, plan, score, score_topic
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study, open_study

ONE = ScoringConfig(parse("rouge-n:n=1"))
TWO = ScoringConfig(parse("rouge-l:stem=yes"))


@dataclass(frozen=True)
class Fragile(Metric):
    """A metric that fails on summaries with a certain text; not registered."""

    name: ClassVar[str] = "fragile"
    family: ClassVar[str] = "Test"
    about: ClassVar[str] = "A metric that fails."
    needs: ClassVar[frozenset[Need]] = frozenset()
    error: ClassVar[type[Exception]] = InputError

    def measures(self):
        return ("fragile.value",)

    def prepare(self, topic, resources):
        if topic.id in ("id-1", "id-2"):
            raise self.error(f"The texts of {topic.name} cannot be read; import them again.")
        return topic

    def score(self, prepared):
        return TopicScores(np.ones((len(prepared.summaries), 1)))


class Absent(Fragile):
    """A metric whose model is missing when it is loaded."""

    name = "absent"
    error = MissingResource


@dataclass(frozen=True)
class ByModel(Fragile):
    """A metric one of whose models is missing when it is loaded."""

    name: ClassVar[str] = "by-model"
    model: str = setting("there", "Which model.")

    def prepare(self, topic, resources):
        if self.model == "gone":
            raise MissingResource("The model 'gone' is not here.")
        return topic


class Refused(Fragile):
    """A metric whose model is known to be missing."""

    name = "refused"

    def unavailable(self, resources):
        return "The model is not here; get it with care."


@pytest.fixture
def resources(study):
    return StudyResources(study)


def score_all(study, resources, *configs):
    return run_to_completion(score(study, plan(study, configs, resources), resources))


def test_every_topic_with_references_is_scored_and_stored(study, resources):
    report = score_all(study, resources, ONE)
    assert (report.scored, report.left_out) == (9, {"no references that count": 1})
    block = study.scores.stored[ONE.signature(resources)]["id-4"]
    assert block.systems == ("bad", "good")
    assert block.values.tolist() == [[0.0] * 3, [1.0] * 3]
    assert block.stats.shape == (2, 1, 3)


def test_existing_scores_are_not_computed_again(study, resources):
    score_all(study, resources, ONE)
    again = plan(study, [ONE, TWO], resources)
    assert [(len(run.topics), run.up_to_date) for run in again.runs] == [(0, 9), (9, 0)]
    assert score_all(study, resources, ONE).scored == 0


def test_a_cancelled_run_keeps_finished_scores_and_resumes(study, resources):
    steps = score(study, plan(study, [ONE], resources), resources)
    list(islice(steps, 4))
    steps.close()
    done = set(study.scores.stored[ONE.signature(resources)])
    assert len(done) == 3
    left = plan(study, [ONE], resources)
    assert done.isdisjoint(left.topics)
    assert run_to_completion(score(study, left, resources)).scored == 6


@pytest.mark.parametrize("kind", ["references", "summaries"])
def test_a_changed_text_makes_only_its_topic_stale(kind, study, resources):
    score_all(study, resources, ONE)
    topic = study.texts.all_topics[4]
    study.change("id-4", **{kind: tuple(replace(t, content="new", digest="") for t in getattr(topic, kind))})
    assert plan(study, [ONE], resources).topics == ("id-4",)


def test_a_changed_document_affects_only_metrics_that_read_documents(study, resources):
    score_all(study, resources, ONE)
    document = study.texts.all_topics[4].documents[0]
    study.change("id-4", documents=(replace(document, content="new", digest=""),))
    assert plan(study, [ONE], resources).topics == ()


def test_a_renamed_reference_makes_scores_stale(study, resources):
    score_all(study, resources, ONE)
    study.change("id-4", references=tuple(replace(t, name="C") for t in study.texts.all_topics[4].references))
    assert plan(study, [ONE], resources).topics == ("id-4",)


def test_chosen_authors_are_in_the_signature_and_only_they_count(study, resources):
    config = ScoringConfig(ONE.metric, ("B",))
    report = score_all(study, resources, config)
    assert "|references:B|version:1" in config.signature(resources)
    assert (report.scored, report.left_out) == (3, {"no references that count": 7})
    assert study.scores.stored[config.signature(resources)]["id-0"].references == ("B",)


@pytest.mark.parametrize("authors", [("A+B",), ("A", "B"), ("A|B",), ("50%2B",), ("Smith, J.", "Ö")])
def test_authors_of_any_name_survive_the_signature(resources, authors):
    config = ScoringConfig(ONE.metric, authors)
    assert parse_config(config.signature(resources), resources) == config
    others = {("A+B",), ("A", "B"), ("A|B",)} - {authors}
    assert all(
        ScoringConfig(ONE.metric, other).signature(resources) != config.signature(resources)
        for other in others
    )


def test_another_authors_text_does_not_make_a_chosen_authors_scores_stale(study, resources):
    config = ScoringConfig(ONE.metric, ("B",))
    score_all(study, resources, config)
    topic = study.texts.all_topics[0]
    study.change(
        "id-0", references=(replace(topic.references[0], content="new", digest=""), topic.references[1])
    )
    assert plan(study, [config], resources).topics == ()


def test_an_unknown_author_is_refused_with_the_known_ones(study, resources):
    with pytest.raises(InputError, match="Did you mean A"):
        plan(study, [ScoringConfig(ONE.metric, ("a",))], resources)


def test_a_signature_with_authors_is_parsed_to_itself(study, resources):
    signature = ScoringConfig(ONE.metric, ("A", "B")).signature(resources)
    assert parse_config(signature, resources).signature(resources) == signature
    assert parse_config("rouge-n:n=1", resources, ["B", "A"]).signature(resources) == signature


def test_a_signature_of_another_configuration_is_refused(resources):
    with pytest.raises(InputError, match="hash:0123"):
        parse_config("rouge-n|n:1|hash:0123|version:1", resources)


def test_topics_are_scored_by_all_metrics_before_the_next_topic(study, resources):
    notes = [p.note for p in score(study, plan(study, [ONE, TWO], resources), resources)]
    assert notes[1:5] == ["rouge-n · D0", "rouge-l · D0", "rouge-n · D1", "rouge-l · D1"]


def test_progress_grows_to_its_total_with_the_time_left(study, resources):
    progress = list(score(study, plan(study, [ONE, TWO], resources), resources))
    assert [p.done for p in progress] == sorted(p.done for p in progress)
    assert progress[-1].done == pytest.approx(progress[-1].total)
    assert progress[-1].seconds_left == 0
    assert all(p.seconds_left > 0 for p in progress[:-1])


def test_few_blocks_are_pending_and_none_at_the_end(study, resources):
    score_all(study, resources, ONE, TWO)
    assert study.most_waiting <= UNWRITTEN_BLOCKS + 1
    assert study.waiting == 0


@pytest.mark.parametrize(("quick", "together"), [(0.0, {1}), (600.0, {4, 2})])
def test_blocks_wait_for_others_only_where_a_whole_topic_is_quick(
    study, resources, monkeypatch, quick, together
):
    monkeypatch.setattr("core.scoring.engine._QUICK_S", quick)
    monkeypatch.setattr("core.scoring.engine._TOPICS_AT_ONCE", 2)
    sizes, save_all = [], study.scores.save_all
    monkeypatch.setattr(
        study.scores, "save_all", lambda blocks: sizes.append(len(blocks)) or save_all(blocks)
    )
    score_all(study, resources, ONE, TWO)
    assert sizes[:4] == [1] * 4  # nothing is measured yet
    assert set(sizes[4:]) == together


def test_a_failed_topic_is_reported_and_others_are_scored(study, resources):
    report = score_all(study, resources, ScoringConfig(Fragile()), ONE)
    assert [failure.topic for failure in report.failures] == ["D1", "D2"]
    assert "import them again" in report.failures[0].message
    assert report.scored == 8 + 9


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "than this computer has left. Close"),
        (MemoryError("Unable to allocate 44.7 GiB for an array with shape (6000230001,)"), "(Unable to allo"),
    ],
    ids=["silent", "numpy's"],
)
def test_a_topic_that_exceeds_memory_does_not_stop_others(error, message, study, resources, monkeypatch):
    def ask_for_too_much(metric, topic, resources):
        if topic.id == "id-1":
            raise error
        return topic

    monkeypatch.setattr(Fragile, "prepare", ask_for_too_much)
    report = score_all(study, resources, ScoringConfig(Fragile()), ONE)
    assert [failure.topic for failure in report.failures] == ["D1"]
    assert message in report.failures[0].message
    assert report.scored == 9 + 9


def test_a_metric_with_a_missing_model_fails_once(study, resources):
    report = score_all(study, resources, ScoringConfig(Absent()), ONE)
    assert list(report.refusals) == ["absent"]
    assert report.scored == 1 + 9


def test_a_missing_model_does_not_stop_other_configurations(study, resources):
    report = score_all(study, resources, ScoringConfig(ByModel("gone")), ScoringConfig(ByModel("there")))
    assert report.refusals == {"by-model:model=gone": "The model 'gone' is not here."}
    assert report.scored == 10


def test_texts_of_a_topic_are_read_once_for_all_metrics(study, resources, monkeypatch):
    planned, load, read = plan(study, [ONE, TWO], resources), study.texts.load, []
    monkeypatch.setattr(study.texts, "load", lambda ids: read.extend(ids) or load(ids))
    run_to_completion(score(study, planned, resources))
    assert read == list(planned.topics)


def test_a_metric_that_cannot_run_is_planned_with_its_reason(study, resources):
    planned = plan(study, [ScoringConfig(Refused()), ONE], resources)
    assert planned.refused[0].reason == "The model is not here; get it with care."
    assert planned.steps == 9
    assert run_to_completion(score(study, planned, resources)).refusals == {
        "refused": planned.refused[0].reason
    }


def test_dropped_characters_are_counted_in_the_report(study, resources):
    study.change(
        "id-0",
        summaries=tuple(replace(t, content="café", digest="") for t in study.texts.all_topics[0].summaries),
    )
    report = score_all(study, resources, ONE)
    assert report.notes == {ONE.signature(resources): {"dropped_characters": 2}}


def test_a_topics_block_is_the_same_in_another_process(study, resources):
    first = plan(study, [ONE], resources).runs[0]
    again = pickle.loads(pickle.dumps(first))
    topic = pickle.loads(pickle.dumps(study.texts.all_topics[0]))
    here, there = (
        score_topic(r, t, StudyResources(study))
        for r, t in ((first, study.texts.all_topics[0]), (again, topic))
    )
    assert np.array_equal(here.values, there.values)
    assert here.inputs_hash == there.inputs_hash


def test_a_reopened_study_has_nothing_left_to_score(tmp_path):
    path = tmp_path / "small.pyramidion"
    topic = NewTopic(
        "D1",
        references={"A": NewText("A court ruled."), "B": NewText("A ban fell.")},
        summaries={"s": NewText("The court ruled on a ban.")},
    )
    with new_study(path) as made:
        made.import_data(ImportContent("test", [topic], {"s": SystemKind.AUTOMATIC}))
        report = score_all(made, StudyResources(made), ONE, TWO)
    with open_study(path) as opened:
        again = plan(opened, [ONE, TWO], StudyResources(opened))
        blocks = opened.scores.blocks(ONE.signature(StudyResources(opened)))
    assert (report.scored, again.steps) == (2, 0)
    assert blocks[0].values.tolist() == [[0.83333, 0.41667, 0.55556]]  # 5 of 6, 5 of 12
    assert blocks[0].references == ("A", "B")
