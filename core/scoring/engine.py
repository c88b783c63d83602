"""The scoring engine: run a plan so that it can be stopped and resumed.

Scoring proceeds topic by topic, so the texts of a topic are tokenized once for all metrics; what models
read is encoded in advance for several topics together. Each (metric, topic) is passed to the study soon
after it is done.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from core.domain.study import TopicTexts
from core.errors import InputError, PyramidionError
from core.metrics.base import Metric, Resources
from core.ports import MetricConfig, ScoreBlock, ScoringStudy
from core.progress import JobSteps, Progress
from core.recent import identity
from core.scoring.config import ScoringConfig, config_from_stored, parse_config
from core.scoring.encode_ahead import DueTopic, EncodingBatch, batch_topics, encode
from core.scoring.plan import PlannedRun, RefusedRun, ScoringPlan, plan
from core.scoring.process_pool import PendingTasks, WorkerPool
from core.scoring.speeds import speeds
from core.scoring.tasks import TaskResult, can_run_remotely, score_run, score_topic

__all__ = [
    "Failure",
    "PlannedRun",
    "RefusedRun",
    "RunProgress",
    "RunReport",
    "ScoringConfig",
    "ScoringPlan",
    "config_from_stored",
    "parse_config",
    "plan",
    "score",
    "score_topic",
]

BLOCKS_AT_ONCE = 32
"""Number of blocks that are passed to the study together, where those of a topic take less than _QUICK_S."""

UNWRITTEN_BLOCKS = 512
"""Number of blocks that may wait to be stored before scoring waits too."""

_QUICK_S = 0.1
"""Seconds of scoring a topic below which its blocks wait for others; a killed program loses them."""

_TOPICS_AT_ONCE, _TOPICS_LOADED = 16, 48

_OF_ENCODING = 0.8
"""Share of encoding in the progress of a topic, for metrics with an encoder."""


@dataclass(frozen=True, slots=True)
class RunProgress(Progress):
    """Progress of a plan. topics: number of finished topics of each of the plan's runs, in order."""

    topics: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A topic that could not be scored, and the error message."""

    signature: str
    topic: str
    message: str


@dataclass(frozen=True, slots=True)
class RunReport:
    """The result of a scoring run.

    scored: (configuration, topic) pairs.
    left_out: number of pairs without what the metric needs, by reason.
    refusals: configuration, as used with -m, to the reason why it could not run.
    notes: signature to the notes of the metric, for example ``{"truncated": 3}``.
    """

    scored: int
    up_to_date: int
    seconds: float
    failures: tuple[Failure, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    refusals: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def score(
    study: ScoringStudy, plan: ScoringPlan, resources: Resources, workers: WorkerPool | None = None
) -> JobSteps[RunReport]:
    """Run a plan and store each (configuration, topic) in the study soon after it is scored.

    A topic that fails is reported and the others continue; a metric whose model turns out to be missing
    is abandoned. Closing the generator stops at once and keeps everything stored so far. Each RunProgress
    counts estimated seconds.

    The texts of a topic are read from the study once, for all metrics. Planning reads them too, to hash
    them; passing them on would hold the texts of a whole study in memory.

    workers: run the tasks that do not need this process, from when the estimate of the work left is worth
    it; they are closed at the end.
    """
    recorder = _ResultRecorder(study, _ProgressTracker(plan))
    with recorder, closing(workers) if workers else nullcontext():
        pending = PendingTasks(workers) if workers else None
        yield recorder.tally.progress("")
        for due in _due(study, plan):
            sending = _Dispatcher(pending, recorder, due)
            yield from _scored_ahead(due, plan, resources, recorder.tally)
            for group in batch_topics(due, resources):
                yield from _encoded(group, resources, recorder.tally, sending)
                recorder.at_once = BLOCKS_AT_ONCE if recorder.tally.is_quick() else 1
                for topic, runs in group.due:
                    yield from sending.poll()
                    yield from _scored(topic, runs, resources, recorder, is_sent=sending.takes(topic))
                recorder.pass_on()
            yield from sending.drain()
        while pending is not None and pending.has_any:
            yield from _returned(pending, recorder)
    study.flush()  # the last scores do not wait for others
    recorder.wait()
    speeds().note(recorder.tally.speeds(), resources)
    return recorder.tally.report()


def _encoded(
    group: EncodingBatch, resources: Resources, tally: _ProgressTracker, sending: _Dispatcher
) -> Iterator[RunProgress]:
    """Encode what a group of topics needs; the run can be stopped between batches."""
    yield from sending.poll()
    began = time.perf_counter()
    for share in encode(group.requests, resources):
        now = time.perf_counter()
        tally.encode(group.readers, share, now - began)
        began = now
        yield tally.progress(f"encoding · {group.due[0][0].name}")
        yield from sending.poll()


def _scored_ahead(
    due: Sequence[DueTopic], plan: ScoringPlan, resources: Resources, tally: _ProgressTracker
) -> Iterator[RunProgress]:
    """Let metrics that take several topics at once do so; one that fails is abandoned."""
    for run in plan.runs:
        config = run.config
        if type(config.metric).score_ahead is Metric.score_ahead or config.humans or tally.has_failed(run):
            continue
        if topics := [config.restrict(topic) for topic, runs in due if run in runs]:
            yield tally.progress(f"{config.metric.name} · {topics[0].name}")
            try:
                config.metric.score_ahead(topics, resources.with_references_by(config.references))
            except PyramidionError as error:
                tally.give_up(run, str(error))


def _scored(
    topic: TopicTexts,
    runs: Sequence[PlannedRun],
    resources: Resources,
    recorder: _ResultRecorder,
    *,
    is_sent: bool,
) -> Iterator[RunProgress]:
    """Score a topic with the runs that workers cannot execute."""
    for run in runs:
        is_remote = is_sent and can_run_remotely(run.config.metric)
        if not recorder.tally.has_failed(run) and not is_remote:
            recorder.note(run, topic, score_run(run, topic, resources))
            yield recorder.progress(run, topic)


class _Dispatcher:
    """Sends topics to workers, as many at a time as keep them busy."""

    def __init__(
        self, pending: PendingTasks | None, recorder: _ResultRecorder, due: Sequence[DueTopic]
    ) -> None:
        self._pending, self._recorder = pending, recorder
        self._waiting = deque(due if pending is not None else ())

    def poll(self) -> Iterator[RunProgress]:
        """Record finished tasks and send more, without waiting."""
        while self._pending is not None and self._pending.has_finished:
            yield from _returned(self._pending, self._recorder)
        tally = self._recorder.tally
        if self._pending is not None and self._pending.turn_on(tally.remote_seconds()):
            tally.share_among(self._pending.workers)
        self._send()

    def takes(self, topic: TopicTexts) -> bool:
        """Return whether workers score a topic; else it is no longer sent."""
        if self._pending is not None and self._pending.is_on:
            return True
        self._waiting = deque(one for one in self._waiting if one[0] is not topic)
        return False

    def drain(self) -> Iterator[RunProgress]:
        """Wait until everything is sent and workers have capacity again."""
        while self._pending is not None and (self._waiting or self._pending.is_full):
            yield from _returned(self._pending, self._recorder)
            self._send()

    def _send(self) -> None:
        pending = self._pending
        while pending is not None and pending.is_on and self._waiting and not pending.is_full:
            topic, runs = self._waiting.popleft()
            left = [run for run in runs if not self._recorder.tally.has_failed(run)]
            if away := [run for run in left if can_run_remotely(run.config.metric)]:
                pending.send(topic, away)


def _returned(pending: PendingTasks, recorder: _ResultRecorder) -> Iterator[RunProgress]:
    """Record finished tasks; waits briefly, so that the run can be stopped meanwhile."""
    for topic, run, outcome in pending.collect():
        recorder.note(run, topic, outcome)
        yield recorder.progress(run, topic)
    yield recorder.tally.progress("")


class _ResultRecorder:
    """Records the result of each (configuration, topic) in the study and in the progress.

    at_once: number of blocks that are passed to the study together.
    Leaving its context passes the last blocks to the study.
    """

    def __init__(self, study: ScoringStudy, tally: _ProgressTracker) -> None:
        self._study, self.tally = study, tally
        self._blocks: list[tuple[MetricConfig, ScoreBlock]] = []
        self.at_once = 1
        self._waiting: deque[Future[Any]] = deque()

    def __enter__(self) -> _ResultRecorder:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(InputError):  # the study was closed meanwhile
            self.pass_on()

    def note(self, run: PlannedRun, topic: TopicTexts, outcome: TaskResult) -> None:
        if outcome.block is not None:
            self._blocks.append((run.stored, outcome.block))
            if len(self._blocks) >= self.at_once:
                self.pass_on()
            if outcome.block.answers:
                self._waiting.append(self._study.settings.save_all(outcome.block.answers))
            self.tally.count(run, outcome.block)
        elif outcome.is_missing:
            self.tally.give_up(run, outcome.message)
        else:
            self.tally.fail(run, topic, outcome.message)
        self.tally.pass_time(run, outcome.seconds)
        self.wait(UNWRITTEN_BLOCKS // self.at_once)

    def progress(self, run: PlannedRun, topic: TopicTexts) -> RunProgress:
        return self.tally.progress(f"{run.config.metric.name} · {topic.name}")

    def pass_on(self) -> None:
        """Pass finished blocks to the study."""
        if self._blocks:
            self._waiting.append(self._study.scores.save_all(self._blocks))
            self._blocks = []

    def wait(self, unwritten: int = 0) -> None:
        """Wait until at most this many writes are waiting for the disk."""
        while len(self._waiting) > unwritten:
            self._waiting.popleft().result()


class _ProgressTracker:
    """Finished work of a run and the estimated remaining time."""

    def __init__(self, plan: ScoringPlan) -> None:
        self._plan, self._seconds = plan, plan.seconds
        self._began = time.perf_counter()
        self._tallies = {identity(run): _RunTally(run) for run in plan.runs}
        self._notes: dict[str, Counter[str]] = {}
        self._failures: list[Failure] = []
        self._scored = 0
        self._failed: dict[ScoringConfig, str] = {}

    def share_among(self, workers: int) -> None:
        """Record how many processes share what they can execute."""
        for tally in self._tallies.values():
            tally.workers = workers if tally.is_remote else 1
            tally.update()

    def count(self, run: PlannedRun, block: ScoreBlock) -> None:
        self._scored += 1
        if block.notes:
            self._notes.setdefault(run.stored.signature, Counter()).update(block.notes)

    def fail(self, run: PlannedRun, topic: TopicTexts, message: str) -> None:
        self._failures.append(Failure(run.stored.signature, topic.name, message))

    def give_up(self, run: PlannedRun, message: str) -> None:
        self._failed[run.config] = message
        self._tallies[identity(run)].give_up()

    def has_failed(self, run: PlannedRun) -> bool:
        return self._tallies[identity(run)].has_failed

    def pass_time(self, run: PlannedRun, seconds: float) -> None:
        self._tallies[identity(run)].pass_topic(seconds)

    def encode(self, readers: Sequence[PlannedRun], share: float, seconds: float) -> None:
        """Record the encoded share of what these runs read of a topic, and the time since the last call."""
        for key, topics in Counter(map(identity, readers)).items():
            tally = self._tallies[key]
            tally.encoding.note(share * topics, seconds * topics / len(readers))
            tally.update()

    def progress(self, note: str) -> RunProgress:
        done = left = 0.0
        topics = []
        for tally in self._tallies.values():
            done += tally.done
            left += tally.left
            topics.append(tally.topics)
        return RunProgress(done, self._seconds, note, left, tuple(topics))

    def report(self) -> RunReport:
        runs, left_out = self._plan.runs, Counter[str]()
        for run in runs:
            left_out.update(run.left_out)
        refused = {run.config: run.reason for run in self._plan.refused}
        return RunReport(
            scored=self._scored,
            up_to_date=sum(run.up_to_date for run in runs),
            seconds=time.perf_counter() - self._began,
            failures=tuple(self._failures),
            left_out=dict(left_out),
            refusals={c.metric.spec: why for c, why in {**refused, **self._failed}.items()},
            notes={signature: dict(notes) for signature, notes in self._notes.items()},
        )

    def is_quick(self) -> bool:
        """Return whether a topic was measured to take less than _QUICK_S with all runs together."""
        tallies = [tally for tally in self._tallies.values() if tally.topics_left]
        seconds = sum(tally.each + tally.encoding.each for tally in tallies)
        return seconds < _QUICK_S and all(tally.topics > 1 for tally in tallies)

    def remote_seconds(self) -> float:
        """Return the time of the work left that other processes can execute, for one process."""
        return sum(tally.topics_left * tally.each for tally in self._tallies.values() if tally.is_remote)

    def speeds(self) -> dict[Metric, float]:
        """Return the measured seconds per text of 100 words of runs that scored at least two topics."""
        return {
            tally.run.config.metric: (tally.each + tally.encoding.each)
            * len(tally.run.topics)
            / tally.run.texts
            for tally in self._tallies.values()
            if tally.topics > 1 and tally.run.texts
        }


@dataclass(slots=True)
class _RunTally:
    """Progress of one run, updated where it changes.

    topics: finished. workers: that share the run. done, left: estimated seconds of its work.
    """

    run: PlannedRun
    topics: int = 0
    workers: int = 1
    has_failed: bool = False
    is_remote: bool = False
    done: float = 0.0
    left: float = 0.0
    encoding: _Encoding = field(default_factory=lambda: _Encoding())
    _steady: float = 0.0
    """Seconds of all topics but the first one, which pays for loading and compiling."""

    def __post_init__(self) -> None:
        self.is_remote = can_run_remotely(self.run.config.metric)
        self.update()

    def pass_topic(self, seconds: float) -> None:
        self._steady += seconds if self.topics else 0.0
        self.topics += 1
        self.encoding.pass_topic()
        self.update()

    def give_up(self) -> None:
        self.has_failed = True
        self.update()

    @property
    def topics_left(self) -> int:
        return 0 if self.has_failed else len(self.run.topics) - self.topics

    @property
    def each(self) -> float:
        """Return the seconds of a topic, as estimated until two are measured."""
        if self.topics > 1:
            return self._steady / (self.topics - 1)
        return self.run.seconds / len(self.run.topics) if self.run.topics else 0.0

    def update(self) -> None:
        """Compute again what is done and left."""
        if not self.run.topics:
            return
        ahead, left = _OF_ENCODING * self.encoding.topics, self.topics_left
        share = 1.0 if self.has_failed else (self.topics + ahead) / len(self.run.topics)
        self.done = self.run.seconds * share
        self.left = left * self.each / self.workers + (left - self.encoding.topics) * self.encoding.each


@dataclass(slots=True)
class _Encoding:
    """Progress of encoding ahead. topics: encoded but not scored yet; for one in progress, its share."""

    topics: float = 0.0
    _ever: float = 0.0
    _seconds: float = 0.0

    @property
    def each(self) -> float:
        """Return the seconds that encoding takes per topic."""
        return self._seconds / self._ever if self._ever else 0.0

    def note(self, topics: float, seconds: float) -> None:
        """Record the number of encoded topics of a group, and the time since the last call."""
        self._ever += topics - self.topics
        self.topics = topics
        self._seconds += seconds

    def pass_topic(self) -> None:
        """Record that one more topic is scored."""
        self.topics = max(0.0, self.topics - 1.0)


def _due(study: ScoringStudy, plan: ScoringPlan) -> Iterator[list[DueTopic]]:
    """Yield each topic with the runs that have to score it; few topics are in memory at once."""
    topics_of_run = {identity(run): frozenset(run.topics) for run in plan.runs}
    for start in range(0, len(plan.topics), _TOPICS_LOADED):
        loaded = study.texts.load(plan.topics[start : start + _TOPICS_LOADED])
        while topics := tuple(islice(loaded, _TOPICS_AT_ONCE)):
            yield [(t, [run for run in plan.runs if t.id in topics_of_run[identity(run)]]) for t in topics]
