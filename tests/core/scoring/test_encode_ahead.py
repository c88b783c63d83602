"""Encoding ahead of scoring: shared passes, progress, cancellation."""

from __future__ import annotations

import random
from concurrent.futures import Future
from dataclasses import replace
from itertools import takewhile

import numpy as np
import pytest

from core.metrics.registry import metric, parse
from core.models.runtime.encoding_cache import BoundedCache
from core.progress import Cancelled, cancellable, run_to_completion
from core.scoring.encode_ahead import batch_topics
from core.scoring.engine import ScoringConfig, score
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import run_task

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "ran", "court", "ruled", "new"]


@pytest.fixture
def study(study):
    """Ten topics, each of different words that the tiny model knows."""
    chance = random.Random(4)

    def other(text):
        return replace(text, content=" ".join(chance.choices(WORDS, k=chance.randint(3, 9))), digest="")

    for topic in study.texts.all_topics:
        kinds = ("documents", "references", "summaries")
        study.change(topic.id, **{kind: tuple(map(other, getattr(topic, kind))) for kind in kinds})
    return study


@pytest.fixture
def folder(make_model):
    return str(make_model(num_hidden_layers=5))


@pytest.fixture
def resources(study):
    return StudyResources(study, "cpu", batch_tokens=64)


def configs(folder):
    return [
        ScoringConfig(metric("bertscore", encoder=folder, layer=4)),
        ScoringConfig(metric("moverscore", encoder=folder)),
        ScoringConfig(metric("cosine", encoder=folder)),
        ScoringConfig(metric("ancr", encoder=folder)),
    ]


def passes_of(resources, folder, monkeypatch):
    """Return the texts and layers of each pass."""
    encoder, seen = resources.encoder(folder), []
    hidden = encoder._network.hidden

    def watching(ids, layers):
        seen.append((len(ids), tuple(layers)))
        return hidden(ids, layers)

    monkeypatch.setattr(encoder._network, "hidden", watching)
    return seen


def test_topics_and_metrics_share_encoder_passes(study, resources, folder, monkeypatch):
    planned = plan(study, configs(folder), resources)
    seen = passes_of(resources, folder, monkeypatch)
    run_to_completion(score(study, planned, resources))
    read = [text for topic in study.texts.all_topics[:9] for text in (*topic.summaries, *topic.references)]
    documents = [text for topic in study.texts.all_topics[:9] for text in topic.documents]
    # of one sentence each, so that what is read whole and what is read by sentences is the same
    assert sum(texts for texts, _ in seen) == len({text.content for text in (*read, *documents)})
    assert {layers for _, layers in seen} == {(1, 2, 3, 4, 5), (2, 3, 4, 5)}
    assert len(seen) < len(study.texts.all_topics)


def test_scores_equal_those_of_each_topic_separately(study, resources, folder):
    chosen = configs(folder)
    run_to_completion(score(study, plan(study, chosen, resources), resources))
    alone = StudyResources(study, "cpu", batch_tokens=1)
    for config in chosen:
        blocks = study.scores.stored[config.signature(resources)]
        for topic in study.texts.all_topics:
            if topic.id in blocks:
                prepared = config.metric.prepare(topic, alone)
                np.testing.assert_allclose(
                    blocks[topic.id].values, config.metric.score(prepared).values, atol=1e-5
                )


def test_progress_moves_while_texts_are_encoded(study, resources, folder):
    steps = score(study, plan(study, configs(folder), resources), resources)
    encoding = list(takewhile(lambda step: " · " not in step.note or "encoding" in step.note, steps))
    assert len(encoding) > 3
    done = [step.done for step in (*encoding, *steps)]
    assert done == sorted(done)
    assert 0 < done[2] < done[-1]
    assert all(step.seconds_left > 0 for step in encoding)


def test_a_run_stops_between_batches_and_keeps_finished_scores(study, resources, folder, monkeypatch):
    monkeypatch.setattr("core.scoring.engine._TOPICS_AT_ONCE", 3)
    config = configs(folder)[0]
    steps = score(study, plan(study, [config], resources), resources)
    checks = [0]

    def while_the_second_group_is_encoded():
        checks[0] += bool(study.scores.stored)
        return checks[0] > 2

    with cancellable(while_the_second_group_is_encoded), pytest.raises(Cancelled):
        run_to_completion(steps)
    done = set(study.scores.stored[config.signature(resources)])
    assert len(done) == 3
    assert done.isdisjoint(plan(study, [config], resources).topics)


def test_batches_of_topics_fit_into_the_cache(study, resources, folder, monkeypatch):
    runs = list(plan(study, configs(folder), resources).runs)
    due = [(topic, runs) for topic in study.texts.all_topics[:9]]
    encoder = resources.encoder(folder)
    (together,) = batch_topics(due, resources)
    assert together.due == due
    alone = [next(batch_topics([one], resources)).requests[folder, "float32"] for one in due]
    largest = max(map(encoder.nbytes_of, alone))
    monkeypatch.setattr(encoder, "_cache", BoundedCache(max_bytes=4 * largest))
    groups = list(batch_topics(due, resources))
    assert [topic for group in groups for topic in group.due] == due
    assert 1 < len(groups) < len(due)
    filled = [encoder.nbytes_of(group.requests[folder, "float32"]) for group in groups]
    assert max(filled) <= 3 * largest
    monkeypatch.setattr(encoder, "_cache", BoundedCache(max_bytes=0))
    (unkept,) = batch_topics(due, resources)
    assert unkept.requests == {}


def test_an_absent_encoder_is_left_to_its_metric(study, resources, folder):
    gone = ScoringConfig(metric("bertscore", encoder="/nowhere/at/all"))
    (group,) = batch_topics([(study.texts.all_topics[0], plan(study, [gone], resources).runs)], resources)
    assert (group.requests, group.readers) == ({}, [])


def test_workers_score_while_texts_are_encoded(study, resources, folder, monkeypatch):
    happened = []

    class Here:
        """A pool that runs each task at once."""

        count = 1
        least_seconds = 0.0

        def submit(self, task):
            happened.append("sent")
            done = Future()
            done.set_result(run_task(task, StudyResources(study)))
            return done

        def close(self):
            happened.append("closed")

    hidden = resources.encoder(folder)._network.hidden

    def watching(ids, layers):
        happened.append("encoded")
        return hidden(ids, layers)

    monkeypatch.setattr(resources.encoder(folder)._network, "hidden", watching)
    chosen = [*configs(folder), ScoringConfig(parse("rouge-n:n=1"))]
    report = run_to_completion(score(study, plan(study, chosen, resources), resources, Here()))
    assert report.scored == 9 * len(chosen)
    encoded = [i for i, what in enumerate(happened) if what == "encoded"]
    assert happened[:2] == ["sent", "sent"]
    assert "sent" in happened[encoded[0] : encoded[-1]]
    assert happened[-1] == "closed"
