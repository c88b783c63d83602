"""Scoring plans: configurations of metrics, and the topics that each still has to score.

A stored block is computed again only if what its run read has changed (`core.scoring.staleness`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.domain.reference_authors import check_authors
from core.domain.study import TopicTexts
from core.errors import MissingResource, PluginFailed, PyramidionError
from core.files.allowed_names import NotAllowed
from core.metrics.base import Metric, Need, Pool, Resources
from core.metrics.base.model_requests import NO_REQUESTS, ModelRequests
from core.ports import MetricConfig, ScoringStudy
from core.scoring.config import ScoringConfig
from core.scoring.speeds import speeds
from core.scoring.staleness import ChangedInput, InputCheck

_CHARACTERS_PER_TEXT = 600  # of the 100 words for which `Metric.seconds_per_text` gives a time


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """The work of a configuration that can run.

    stored: the configuration as stored in the study.
    topics: ids to score.
    corpus_hash: result of `Metric.corpus_hash`.
    up_to_date: number of topics whose scores are.
    left_out: number of topics that cannot be scored, by reason.
    texts: size of these topics in texts of 100 words.
    seconds: estimated time.
    requests: to a language model.
    changes: by id of each topic to score that has been scored before, what has changed since.
    since: when the oldest of these were scored, in seconds since 1970, 0 = unknown.
    """

    config: ScoringConfig
    stored: MetricConfig
    topics: tuple[str, ...] = ()
    corpus_hash: str = ""
    up_to_date: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    texts: float = 0.0
    seconds: float = 0.0
    requests: ModelRequests = NO_REQUESTS
    changes: Mapping[str, tuple[ChangedInput, ...]] = field(default_factory=dict)
    since: int = 0


@dataclass(frozen=True, slots=True)
class RefusedRun:
    """A configuration that cannot run at all.

    reason: why, with a remedy. to_allow: the name that the user would have to allow, None = another reason.
    """

    config: ScoringConfig
    reason: str
    to_allow: NotAllowed | None = None


@dataclass(frozen=True, slots=True)
class ScoringPlan:
    """Configurations and topics to score.

    entries: one per configuration, in the requested order.
    topics: ids of all topics that any run scores, in order.
    """

    entries: tuple[PlannedRun | RefusedRun, ...]
    topics: tuple[str, ...]

    @property
    def runs(self) -> tuple[PlannedRun, ...]:
        """Return the configurations that can run."""
        return tuple(entry for entry in self.entries if isinstance(entry, PlannedRun))

    @property
    def refused(self) -> tuple[RefusedRun, ...]:
        """Return the configurations that cannot run."""
        return tuple(entry for entry in self.entries if isinstance(entry, RefusedRun))

    @property
    def seconds(self) -> float:
        """Return the estimated total time."""
        return sum(run.seconds for run in self.runs)

    @property
    def steps(self) -> int:
        """Return the number of (configuration, topic) pairs to score."""
        return sum(len(run.topics) for run in self.runs)


def plan(
    study: ScoringStudy,
    configs: Sequence[ScoringConfig],
    resources: Resources,
    topic_ids: Sequence[str] | None = None,
) -> ScoringPlan:
    """Plan what has to be scored. topic_ids: of the topics to score, None = all.

    Raises InputError for an author without references in the study.
    """
    check_authors([name for config in configs for name in config.references], study.texts.reference_authors())
    entries = [_RunBuilder.of(study, config, resources) for config in dict.fromkeys(configs)]
    drafts = [entry for entry in entries if isinstance(entry, _RunBuilder)]
    for topic in study.texts.load(topic_ids):
        for draft in drafts:
            draft.consider(topic)
    topics = dict.fromkeys(head.id for head in study.texts.topics())
    planned = tuple(entry.run() if isinstance(entry, _RunBuilder) else entry for entry in entries)
    due = {id_ for run in planned if isinstance(run, PlannedRun) for id_ in run.topics}
    return ScoringPlan(planned, tuple(t for t in topics if t in due))


def _name_to_allow(metric: Metric, resources: Resources) -> NotAllowed | None:
    """Return the error of a metric that cannot run because of a name that is not allowed, None = another."""
    with suppress(PyramidionError):
        try:
            metric.check(resources)
        except NotAllowed as error:
            return error
    return None


@dataclass(slots=True)
class _RunBuilder:
    """A run under construction.

    before: check of scores under another signature, as of an older version of the metric. None = none.
    """

    config: ScoringConfig
    resources: Resources
    stored: MetricConfig
    check: InputCheck
    seconds_per_text: float
    before: InputCheck | None
    topics: list[str] = field(default_factory=list)
    up_to_date: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    changes: dict[str, tuple[ChangedInput, ...]] = field(default_factory=dict)
    texts: float = 0.0
    requests: ModelRequests = NO_REQUESTS
    failure: str = ""

    @classmethod
    def of(cls, study: ScoringStudy, config: ScoringConfig, resources: Resources) -> _RunBuilder | RefusedRun:
        try:
            if reason := config.metric.unavailable(resources):
                return RefusedRun(config, reason, _name_to_allow(config.metric, resources))
            stored = config.stored(resources)
            check = InputCheck(study, config, stored.signature, resources)
            older = _older_signature(study, stored)
            before = InputCheck(study, config, older, resources, stored.signature) if older else None
            seconds = speeds().of(config.metric, resources)
        except (MissingResource, PluginFailed) as error:
            return RefusedRun(config, str(error))
        return cls(config, resources, stored, check, seconds, before)

    def consider(self, topic: TopicTexts) -> None:
        """Count a topic as to be scored, up to date or skipped."""
        if self.failure:
            return
        try:
            self._count(topic)
        except PluginFailed as error:
            self.failure = str(error)

    def _count(self, topic: TopicTexts) -> None:
        chosen = self.config.restrict(topic)
        if reason := self.config.missing_requirements(chosen, self.resources):
            self.left_out[reason] += 1
            return
        changes = self.check.changes(topic)
        if changes == ():
            self.up_to_date += 1
            return
        if changes is None and self.before is not None:
            changes = self.before.changes(topic)
        if changes:
            self.changes[topic.id] = changes
        self.topics.append(topic.id)
        self.texts += _texts_of_100_words(self.config, chosen)
        self.requests += self.config.metric.requests(chosen, self.resources)

    def run(self) -> PlannedRun | RefusedRun:
        if self.failure:
            return RefusedRun(self.config, self.failure)
        return PlannedRun(
            self.config,
            self.stored,
            tuple(self.topics),
            self.check.corpus_hash,
            self.up_to_date,
            dict(self.left_out),
            self.texts,
            self.texts * self.seconds_per_text,
            self.requests,
            self.changes,
            min(map((self.before or self.check).scored_at, self.changes), default=0),
        )


def _older_signature(study: ScoringStudy, config: MetricConfig) -> str:
    """Return the last signature of a configuration's scores; empty = none, or the current one has some."""
    about = config.spec, config.references, config.scores_humans
    same = [
        known.signature
        for known in study.scores.configs()
        if (known.spec, known.references, known.scores_humans) == about
    ]
    return "" if not same or config.signature in same else same[-1]


def _texts_of_100_words(config: ScoringConfig, topic: TopicTexts) -> float:
    texts = [*topic.summaries, *topic.references]
    if Need.DOCUMENTS in config.metric.needs:
        texts += topic.documents
    if config.humans:
        texts += topic.references
    folds = len(topic.references) if config.humans and config.metric.pool is Pool.JOINT else 1
    return folds * sum(len(text.content) for text in texts) / _CHARACTERS_PER_TEXT
