"""Scoring on a real Dask scheduler with two worker processes."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.metrics.registry import parse
from core.progress import run_to_completion
from core.scoring.dask_cluster import ClusterWorkers, connect
from core.scoring.engine import ScoringConfig, plan, score
from core.scoring.process_pool import WorkerDied
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import Task
from tests.dask_clusters import Cluster, running_cluster, wait_for

SPECS = ("rouge-n:n=2,stem=yes", "rouge-l:stem=yes", "meteor:synonyms=none")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
def own_cluster(tmp_path) -> Iterator[Cluster]:
    """A cluster that the test may break."""
    pytest.importorskip("distributed")
    with running_cluster(tmp_path) as running:
        yield running


def values(study) -> dict[str, dict[str, list]]:
    return {
        s: {t: np.nan_to_num(b.values).tolist() for t, b in blocks.items()}
        for s, blocks in study.scores.stored.items()
    }


def test_a_cluster_gives_equal_scores_even_if_a_worker_is_killed(study, own_cluster):
    resources = StudyResources(study)
    configs = [ScoringConfig(parse(spec)) for spec in SPECS]
    what = plan(study, configs, resources)
    run_to_completion(score(study, what, resources))
    alone = values(study)
    study.scores.stored.clear()
    steps = score(study, plan(study, configs, resources), resources, ClusterWorkers(own_cluster.address))
    while not study.scores.stored:
        next(steps)
    own_cluster.kill_a_worker()
    report = run_to_completion(steps)
    assert not report.failures
    assert values(study) == alone


def test_a_worker_of_another_version_is_refused_and_one_that_joins_later_gets_no_task(
    study, own_cluster, monkeypatch, caplog
):
    monkeypatch.setattr("core.scoring.dask_cluster._CHECK_INTERVAL", 0.2)
    runs = plan(study, [ScoringConfig(parse(SPECS[0]))], StudyResources(study)).runs
    task = Task.of(study.texts.all_topics[0], runs)
    with (
        closing(ClusterWorkers(own_cluster.address)) as workers,
        closing(connect(own_cluster.address)) as client,
    ):
        assert workers.count == 2
        own_cluster.start_worker_of_another_version()
        wait_for(lambda: len(client.nthreads()) == 3)
        wait_for(lambda: workers.find_lost() or "It has 0.0.7." in caplog.text)
        assert workers.count == 2
        assert workers.submit(task).result()[0].block is not None
        own_cluster.signal_workers(signal.SIGSTOP)
        sent = [workers.submit(task) for _ in range(12)]
        wait_for(lambda: sum(client.run_on_scheduler(tasks_of).values()) == len(sent))
        (unfit,) = client.nthreads().keys() - workers.fit_workers()
        assert client.run_on_scheduler(tasks_of)[unfit] == 0
        own_cluster.signal_workers(signal.SIGCONT)
        assert all(future.result()[0].block is not None for future in sent)
    with pytest.raises(InputError, match=r"1 of 3 workers .* It has 0\.0\.7\. Install .* there"):
        connect(own_cluster.address)


def test_a_terminal_shows_no_messages_that_the_library_logs_while_it_scores(cluster, caplog):
    loggers = [logging.getLogger(f"distributed{part}") for part in ("", ".client", ".scheduler", ".comm")]
    with closing(ClusterWorkers(cluster.address)) as workers:
        assert workers.count
        for logger in loggers:
            logger.error("Couldn't gather 1 keys, rescheduling")
        assert caplog.text == ""
    for logger in loggers:
        logger.error("said by others")
    assert caplog.text.count("said by others") == len(loggers)


def test_a_scheduler_keeps_no_texts_of_what_was_scored(study, cluster):
    resources = StudyResources(study)
    what = plan(study, [ScoringConfig(parse(spec)) for spec in SPECS], resources)
    with closing(connect(cluster.address)) as client:
        workers = ClusterWorkers(cluster.address)
        steps = score(study, what, resources, workers)
        kept = [client.run_on_scheduler(tasks_in_messages) for _ in steps]
        assert max(kept) > 0  # or the messages are read wrongly
        assert client.run_on_scheduler(tasks_in_messages) == 0


def tasks_in_messages(dask_scheduler: Any) -> int:
    sent = [one.recent_message_log for one in dask_scheduler.stream_comms.values()]
    return sum("compute-task" in str(messages) for log in sent for messages in log)


def tasks_of(dask_scheduler: Any) -> dict[str, int]:
    """Return the number of tasks that each worker is given; runs in the scheduler."""
    return {address: len(worker.processing) for address, worker in dask_scheduler.workers.items()}


def test_a_frozen_worker_is_reported_when_connecting(cluster, monkeypatch):
    monkeypatch.setattr("core.scoring.dask_cluster._WAIT", 1.0)
    cluster.signal_workers(signal.SIGSTOP)
    with pytest.raises(InputError, match="does not answer within 1 seconds"):
        connect(cluster.address)
    cluster.signal_workers(signal.SIGCONT)


def known(dask_scheduler: Any) -> list[str]:
    """Return the tasks that the scheduler knows; runs in the scheduler."""
    return list(dask_scheduler.tasks)


def forget(keys: list[str], dask_scheduler: Any) -> None:
    """Drop tasks without a word to the client that sent them; runs in the scheduler."""
    for client in list(dask_scheduler.clients):
        dask_scheduler.client_releases_keys(keys, client, "test")


def cancel(keys: list[str], dask_scheduler: Any) -> None:
    """Cancel tasks, as another client may; runs in the scheduler."""
    for client in list(dask_scheduler.clients):
        dask_scheduler.client_releases_keys(keys, client, "test")
        dask_scheduler.report({"op": "cancelled-keys", "keys": keys}, client=client)


@pytest.mark.parametrize("lose", [forget, cancel])
def test_tasks_that_the_scheduler_loses_are_found_and_can_be_sent_again(study, cluster, monkeypatch, lose):
    monkeypatch.setattr("core.scoring.dask_cluster._CHECK_INTERVAL", 0.2)
    runs = plan(study, [ScoringConfig(parse(spec)) for spec in SPECS], StudyResources(study)).runs
    task, *others = [Task.of(topic, runs) for topic in study.texts.all_topics[:4]]
    workers = ClusterWorkers(cluster.address)
    with closing(workers), closing(connect(cluster.address)) as client:
        scored = workers.submit(task).result()
        cluster.signal_workers(signal.SIGSTOP)
        sent = [workers.submit(other) for other in (task, *others)]
        wait_for(lambda: set(workers.unfinished) <= set(client.run_on_scheduler(known)))
        client.run_on_scheduler(lose, workers.unfinished)
        wait_for(lambda: workers.find_lost() or all(future.done() for future in sent))
        cluster.signal_workers(signal.SIGCONT)
        assert [type(future.exception()) for future in sent] == [WorkerDied] * len(sent)
        for now, before in zip(workers.submit(task).result(), scored, strict=True):
            np.testing.assert_array_equal(now.block.values, before.block.values)


@pytest.mark.parametrize(("status", "is_lost"), [("finished", False), ("pending", True)])
def test_a_finished_task_whose_result_is_slow_is_not_lost(monkeypatch, status, is_lost):
    monkeypatch.setattr("core.scoring.dask_cluster._CHECK_INTERVAL", 0.0)
    workers, mine = ClusterWorkers("tcp://host:1"), Future()
    workers._sent["a"] = SimpleNamespace(status=status), mine
    answers = {"_states_of": {"a": "memory"}, "_workers_of": ["tcp://host:2"]}
    workers._fit = frozenset(answers["_workers_of"])
    workers._client = SimpleNamespace(run_on_scheduler=lambda ask, *_: answers[ask.__name__])
    for _ in range(3):
        workers.find_lost()
    assert mine.done() == is_lost


@pytest.mark.parametrize("when", [1, 5])
def test_a_scheduler_that_ends_is_reported(study, own_cluster, monkeypatch, when):
    monkeypatch.setattr("core.scoring.dask_cluster._CHECK_INTERVAL", 0.2)
    resources = StudyResources(study)
    what = plan(study, [ScoringConfig(parse(spec)) for spec in SPECS], resources)
    steps = score(study, what, resources, ClusterWorkers(own_cluster.address))
    for _ in range(when):
        next(steps)
    monkeypatch.setattr("core.scoring.dask_cluster._WAIT", 1.0)
    own_cluster.processes[0].kill()
    with pytest.raises(InputError, match="no longer answers"):
        run_to_completion(steps)


@pytest.mark.parametrize(("status", "is_asked"), [("running", True), ("connecting", False)])
def test_closing_waits_neither_for_a_stopped_scheduler_nor_long_for_a_frozen_one(status, is_asked):
    waits, done = [], []
    workers = ClusterWorkers("tcp://host:1")
    workers._client = SimpleNamespace(
        status=status,
        sync=lambda *_, callback_timeout: waits.append(callback_timeout),
        _run_on_scheduler=None,
        close=lambda: done.append(True),
    )
    workers.close()
    assert done
    assert bool(waits) == is_asked
    assert max(waits, default=0) <= 2


def test_an_unreachable_address_is_reported(monkeypatch):
    monkeypatch.setattr("core.scoring.dask_cluster._WAIT", 1.0)
    with pytest.raises(InputError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9")
