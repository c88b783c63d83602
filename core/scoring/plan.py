"""Scoring plans: configurations of metrics, and the topics that each still has to score.

A stored block has a hash of everything that its run read, so only what changed is scored again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from core.domain.reference_authors import check_authors, format_authors, parse_authors
from core.domain.study import TopicTexts
from core.errors import MissingResource, PluginFailed, PyramidionError
from core.files.allowed_names import NotAllowed
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need, Pool, Resources, missing_inputs
from core.ports import JACKKNIFE_KEY, MetricConfig, ScoringStudy
from core.text.scripts import non_latin_share

_UNKNOWN_TOKENS = "texts of unknown tokens are refused"
"""Part of the inputs of texts that a model may not know, so that their older scores are computed again."""

_MAY_BE_UNKNOWN = 0.3
"""Share of non-Latin letters above which a model may not know most of a text."""

_CHARACTERS_PER_TEXT = 600  # of the 100 words for which `Metric.seconds_per_text` gives a time


@dataclass(frozen=True, slots=True)
class ScoringConfig:
    """A metric, the authors whose references are used (empty = all), and whether references are systems."""

    metric: Metric
    references: tuple[str, ...] = ()
    humans: bool = False

    def signature(self, tools: Resources) -> str:
        """Return the signature that reproduces the run; includes the authors if they were chosen."""
        own = tools.with_references_by(self.references)
        head, mark, version = self.metric.signature(own).rpartition("|version:")
        chosen = f"|references:{format_authors(self.references)}" if self.references else ""
        humans = f"|{JACKKNIFE_KEY}" if self.humans else ""
        return f"{head}{chosen}{humans}{mark}{version}"

    def stored(self, tools: Resources) -> MetricConfig:
        """Return the configuration as stored in a study."""
        metric = self.metric
        return MetricConfig(
            signature=self.signature(tools),
            metric=metric.name,
            family=metric.family,
            spec=metric.spec,
            measures=metric.measures(),
            references=self.references,
            higher_is_better=metric.higher_is_better,
        )

    def restrict(self, topic: TopicTexts) -> TopicTexts:
        """Return the topic with only the references that are used."""
        if not self.references:
            return topic
        chosen = tuple(text for text in topic.references if text.name in self.references)
        return replace(topic, references=chosen)

    def missing_requirements(self, topic: TopicTexts, tools: Resources) -> str:
        """Return what a topic, restricted, lacks; empty = nothing."""
        return missing_inputs(self.metric, topic, tools, references_as_systems=self.humans)

    def inputs_hash(self, signature: str, topic: TopicTexts, other_inputs: str, tools: Resources) -> str:
        """Return the SHA-256 of everything that scoring a topic reads: texts, names, order, metric and more.

        topic: restricted.
        other_inputs: result of `Metric.corpus_hash`.
        """
        needs, read = self.metric.needs, {"summaries": topic.summaries}
        if Need.REFERENCES in needs or self.humans:
            read["references"] = topic.references
        if Need.DOCUMENTS in needs:
            read["documents"] = topic.documents
        texts = {kind: [(text.name, text.reading_key) for text in each] for kind, each in read.items()}
        own = [part for part in (self.metric.topic_hash(topic, tools),) if part]
        contents = (text.content for each in read.values() for text in each)
        if needs & MODELS and any(non_latin_share(content) > _MAY_BE_UNKNOWN for content in contents):
            own.append(_UNKNOWN_TOKENS)
        parts = [signature, other_inputs, texts, *own]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """The work of a configuration that can run.

    stored: the configuration as stored in the study.
    topics: ids to score.
    corpus_hash: result of `Metric.corpus_hash`.
    fresh: number of topics that are up to date.
    left_out: number of topics that cannot be scored, by reason.
    seconds: estimated time.
    """

    config: ScoringConfig
    stored: MetricConfig
    topics: tuple[str, ...] = ()
    corpus_hash: str = ""
    fresh: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


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


def parse_config(
    text: str, tools: Resources, references: Sequence[str] = (), humans: bool = False
) -> ScoringConfig:
    """Parse a configuration as used with -m, or a whole signature.

    references: authors, empty = as in the signature.
    humans: score references as systems too.
    Raises InputError if a signature cannot be reproduced here, for example because of another model.
    """
    request = registry.parse_with_extras(text)
    extras = dict(request.extras)
    signed = parse_authors(extras.pop("references", ""))
    humans = humans or f"humans:{extras.pop('humans', '')}" == JACKKNIFE_KEY
    registry.check_extras(request.metric, extras, tools)
    return ScoringConfig(request.metric, tuple(sorted(set(references or signed))), humans)


def config_from_stored(stored: MetricConfig) -> ScoringConfig:
    """Return the configuration stored in a study. Raises InputError if this program does not support it."""
    return ScoringConfig(registry.parse(stored.spec), stored.references, stored.scores_humans)


def plan(study: ScoringStudy, configs: Sequence[ScoringConfig], tools: Resources) -> ScoringPlan:
    """Plan what has to be scored. Raises InputError for an author without references in the study."""
    check_authors([name for config in configs for name in config.references], study.texts.reference_authors())
    entries = [_RunBuilder.of(study, config, tools) for config in dict.fromkeys(configs)]
    drafts = [entry for entry in entries if isinstance(entry, _RunBuilder)]
    for topic in study.texts.load():
        for draft in drafts:
            draft.consider(topic)
    topics = dict.fromkeys(head.id for head in study.texts.topics())
    planned = tuple(entry.run() if isinstance(entry, _RunBuilder) else entry for entry in entries)
    topic_ids = {id_ for run in planned if isinstance(run, PlannedRun) for id_ in run.topics}
    return ScoringPlan(planned, tuple(t for t in topics if t in topic_ids))


def _name_to_allow(metric: Metric, tools: Resources) -> NotAllowed | None:
    """Return the error of a metric that cannot run because of a name that is not allowed, None = another."""
    with suppress(PyramidionError):
        try:
            metric.check(tools)
        except NotAllowed as error:
            return error
    return None


@dataclass(slots=True)
class _RunBuilder:
    """A run under construction."""

    config: ScoringConfig
    tools: Resources
    stored: MetricConfig
    corpus_hash: str
    stored_hashes: Mapping[str, str]
    seconds_per_text: float
    topics: list[str] = field(default_factory=list)
    fresh: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    texts: float = 0.0
    failure: str = ""

    @classmethod
    def of(cls, study: ScoringStudy, config: ScoringConfig, tools: Resources) -> _RunBuilder | RefusedRun:
        try:
            if reason := config.metric.unavailable(tools):
                return RefusedRun(config, reason, _name_to_allow(config.metric, tools))
            stored = config.stored(tools)
            other = config.metric.corpus_hash(tools.with_references_by(config.references))
            seconds = config.metric.seconds_per_text(tools)
        except (MissingResource, PluginFailed) as error:
            return RefusedRun(config, str(error))
        stored_hashes = study.scores.input_hashes(stored.signature)
        return cls(config, tools, stored, other, stored_hashes, seconds)

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
        if reason := self.config.missing_requirements(chosen, self.tools):
            self.left_out[reason] += 1
            return
        now = self.config.inputs_hash(self.stored.signature, chosen, self.corpus_hash, self.tools)
        if self.stored_hashes.get(topic.id) == now:
            self.fresh += 1
            return
        self.topics.append(topic.id)
        self.texts += _texts_of_100_words(self.config, chosen)

    def run(self) -> PlannedRun | RefusedRun:
        if self.failure:
            return RefusedRun(self.config, self.failure)
        seconds = self.texts * self.seconds_per_text
        topics, left_out = tuple(self.topics), dict(self.left_out)
        return PlannedRun(self.config, self.stored, topics, self.corpus_hash, self.fresh, left_out, seconds)


def _texts_of_100_words(config: ScoringConfig, topic: TopicTexts) -> float:
    texts = [*topic.summaries, *topic.references]
    if Need.DOCUMENTS in config.metric.needs:
        texts += topic.documents
    if config.humans:
        texts += topic.references
    folds = len(topic.references) if config.humans and config.metric.pool is Pool.JOINT else 1
    return folds * sum(len(text.content) for text in texts) / _CHARACTERS_PER_TEXT
