"""Processes that score: the same numbers, whoever computes them, and nothing lost where one dies."""

from __future__ import annotations

import os
import pickle
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.errors import InputError, MissingResource
from core.metrics.base import Metric, Need, TopicScores, setting
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.scoring.engine import ScoringConfig, plan, score
from core.scoring.process_pool import MOST_TRIES, ProcessPool, local_workers
from core.scoring.speeds import Speeds, speeds
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import Task, can_run_remotely, corpus_of

SPECS = ("rouge-n:n=1", "rouge-n:n=2,stem=yes", "rouge-l:stem=yes", "bleu", "chrf", "meteor:synonyms=none")


@dataclass(frozen=True)
class Deadly(Metric):
    """A metric that kills its process on one topic if a file exists, and deletes the file; not registered."""

    name: ClassVar[str] = "deadly"
    family: ClassVar[str] = "Test"
    about: ClassVar[str] = "A metric that kills."

    bait: str = setting("", "The file.")
    always: bool = setting(False, "Leave the file.")

    def measures(self):
        return ("deadly.value",)

    def prepare(self, topic, resources):
        bait = Path(self.bait)
        if topic.id == "id-1" and bait.exists():
            if not self.always:
                bait.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return topic

    def score(self, prepared):
        return TopicScores(np.ones((len(prepared.summaries), 1)))


@dataclass(frozen=True)
class MissingResources(Deadly):
    """A metric with a missing resource on every topic, or one unreadable topic."""

    name: ClassVar[str] = "lacking"

    def prepare(self, topic, resources):
        if self.always:
            raise MissingResource("The word vectors are gone; name them again.")
        if topic.id == "id-1":
            raise InputError(f"{topic.name} cannot be read; import it again.")
        return topic


@dataclass(frozen=True)
class Counting(Deadly):
    """A metric that counts the references of the study."""

    name: ClassVar[str] = "counting"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.CORPUS})

    def prepare(self, topic, resources):
        return topic, len(resources.study_references())

    def score(self, prepared):
        topic, count = prepared
        return TopicScores(np.full((len(topic.summaries), 1), float(count)))


def scored(study, metrics, workers):
    study.scores.stored.clear()
    resources = StudyResources(study)
    what = plan(study, [ScoringConfig(metric) for metric in metrics], resources)
    report = run_to_completion(score(study, what, resources, workers(what) if workers else None))
    return report, {key: dict(blocks) for key, blocks in study.scores.stored.items()}


def two(study):
    return lambda what: ProcessPool(2, partial(corpus_of, study, what), least_seconds=0.0)


def test_worker_processes_compute_the_same_numbers(study):
    metrics = [parse(spec) for spec in SPECS]
    alone, here = scored(study, metrics, None)
    shared, there = scored(study, metrics, two(study))
    assert shared.scored == alone.scored == len(SPECS) * 9  # one topic has no references
    for signature, blocks in here.items():
        for topic, block in blocks.items():
            other = there[signature][topic]
            assert np.array_equal(block.values, other.values)
            assert (block.inputs_hash, block.systems, block.notes) == (
                other.inputs_hash,
                other.systems,
                other.notes,
            )
            assert (block.stats is None) == (other.stats is None)
            assert block.stats is None or np.array_equal(block.stats, other.stats)


def test_a_killed_worker_loses_nothing(study, tmp_path):
    (tmp_path / "bait").touch()
    metric = Deadly(bait=str(tmp_path / "bait"))
    report, stored = scored(study, [metric, parse("rouge-n:n=1")], two(study))
    assert not (tmp_path / "bait").exists()
    assert not report.failures
    assert [len(blocks) for blocks in stored.values()] == [9, 9]  # one topic has no references


def test_a_topic_that_kills_every_worker_is_reported_and_others_are_scored(study, tmp_path):
    (tmp_path / "bait").touch()
    metric = Deadly(bait=str(tmp_path / "bait"), always=True)
    report, blocks = scored(study, [metric], two(study))
    (failure,) = report.failures
    assert failure.topic == "D1"
    assert f"died {MOST_TRIES} times" in failure.message
    assert "--workers 0" in failure.message
    assert len(next(iter(blocks.values()))) == 8


def test_failures_and_missing_resources_are_reported(study):
    report, _ = scored(study, [MissingResources(), parse("rouge-n:n=1")], two(study))
    assert [failure.message for failure in report.failures] == ["D1 cannot be read; import it again."]
    missing, blocks = scored(study, [MissingResources(always=True)], two(study))
    assert list(missing.refusals.values()) == ["The word vectors are gone; name them again."]
    assert not blocks


def test_workers_have_the_references_of_all_topics(study):
    _, stored = scored(study, [Counting()], two(study))
    blocks = next(iter(stored.values())).values()
    assert {float(block.values[0, 0]) for block in blocks} == {
        float(sum(map(len, study.texts.reference_sets())))
    }


def test_cancelling_stops_workers_and_keeps_finished_scores(study):
    resources = StudyResources(study)
    what = plan(study, [ScoringConfig(parse(spec)) for spec in SPECS], resources)
    workers = ProcessPool(2, least_seconds=0.0)
    steps = score(study, what, resources, workers)
    while not study.scores.stored:
        next(steps)
    done = {key: set(blocks) for key, blocks in study.scores.stored.items()}
    steps.close()
    assert workers._pool is None
    again = plan(study, [ScoringConfig(parse(spec)) for spec in SPECS], resources)
    assert again.steps == what.steps - sum(map(len, done.values()))


def test_metrics_that_read_models_or_annotations_run_in_this_process():
    specs = ("rouge-l", "bertscore", "pyramid", "be", "rouge-we", "be:elements=text")
    assert [can_run_remotely(parse(spec)) for spec in specs] == [True, False, False, False, False, True]


@dataclass(frozen=True)
class Where(Deadly):
    """The process that scores; slower than it says."""

    name: ClassVar[str] = "where"

    def prepare(self, topic, resources):
        time.sleep(0.02)
        return topic

    def score(self, prepared):
        return TopicScores(np.full((len(prepared.summaries), 1), float(os.getpid())))


def processes(study, workers):
    """Return the process that scored each topic, in the order of the topics, 0 = this one."""
    _, stored = scored(study, [Where()], lambda what: workers)
    (blocks,) = stored.values()
    found = [int(blocks[topic.id].values[0, 0]) for topic in study.texts.all_topics if topic.id in blocks]
    return [0 if one == os.getpid() else one for one in found]


def test_processes_start_once_the_work_left_is_known_to_be_worth_it(study):
    found = processes(study, ProcessPool(2, least_seconds=0.1))
    assert found[:2] == [0, 0]
    assert all(found[2:])
    assert len(found) == 9


def test_small_runs_start_no_process(study):
    resources = StudyResources(study)
    little = plan(study, [ScoringConfig(parse("rouge-n"))], resources)
    assert local_workers(study, little, 0) is None
    assert set(processes(study, ProcessPool(2, least_seconds=60.0))) == {0}


def test_the_next_estimate_is_what_was_measured(study, tmp_path):
    metric, resources = Where(), StudyResources(study)
    assert plan(study, [ScoringConfig(metric)], resources).seconds < 0.01
    speeds().use_folder(tmp_path)
    scored(study, [metric], None)
    study.scores.stored.clear()
    assert plan(study, [ScoringConfig(metric)], resources).seconds > 9 * 0.02
    again = Speeds()
    again.use_folder(tmp_path)
    assert again.of(metric, resources) == speeds().of(metric, resources)
    (tmp_path / "speeds.json").write_text('{"a": "fast"}', encoding="utf-8")
    again.use_folder(tmp_path)


def test_a_task_is_sent_without_all_topic_ids(study):
    resources = StudyResources(study)
    what = plan(study, [ScoringConfig(parse("rouge-n"))], resources)
    task = Task.of(study.texts.all_topics[0], what.runs)
    assert task.runs[0].topics == ()
    assert pickle.loads(pickle.dumps(task)) == task
