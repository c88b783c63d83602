"""Scoring configurations: a metric, the references it uses, and what scoring a topic with it reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.domain.reference_authors import format_authors, parse_authors
from core.domain.study import Text, TopicTexts
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need, Resources, missing_inputs
from core.metrics.base.needs import texts_read
from core.ports import JACKKNIFE_KEY, MetricConfig
from core.recent import Recent
from core.text.scripts import non_latin_share

_UNKNOWN_TOKENS = "texts of unknown tokens are refused"
"""Part of the inputs of texts that a model may not know, so that their older scores are computed again."""

_MAY_BE_UNKNOWN = 0.3
"""Share of non-Latin letters above which a model may not know most of a text."""


@dataclass(frozen=True, slots=True)
class ScoringConfig:
    """A metric, the authors whose references are used (empty = all), and whether references are systems."""

    metric: Metric
    references: tuple[str, ...] = ()
    humans: bool = False

    def signature(self, resources: Resources) -> str:
        """Return the signature that reproduces the run; includes the authors if they were chosen."""
        own = resources.with_references_by(self.references)
        head, mark, version = self.metric.signature(own).rpartition("|version:")
        chosen = f"|references:{format_authors(self.references)}" if self.references else ""
        humans = f"|{JACKKNIFE_KEY}" if self.humans else ""
        return f"{head}{chosen}{humans}{mark}{version}"

    def stored(self, resources: Resources) -> MetricConfig:
        """Return the configuration as stored in a study."""
        metric = self.metric
        return MetricConfig(
            signature=self.signature(resources),
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

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        """Return what a topic, restricted, lacks; empty = nothing."""
        return missing_inputs(self.metric, topic, resources, references_as_systems=self.humans)

    def texts_read(self, topic: TopicTexts) -> Mapping[str, Sequence[Text]]:
        """Return the texts of a topic, restricted, that scoring it reads, by kind."""
        needs = self.metric.needs | {Need.REFERENCES} if self.humans else self.metric.needs
        return {kind: getattr(topic, kind) for kind in texts_read(needs)}

    def inputs_hash(self, signature: str, topic: TopicTexts, other_inputs: str, resources: Resources) -> str:
        """Return the SHA-256 of everything that scoring a topic reads: texts, names, order, metric and more.

        topic: restricted.
        other_inputs: result of `Metric.corpus_hash`.
        """
        read = self.texts_read(topic)
        own = [part for part in (self.metric.topic_hash(topic, resources),) if part]
        if not MODELS.isdisjoint(self.metric.needs):
            contents = (text.content for each in read.values() for text in each)
            own += (
                [_UNKNOWN_TOKENS] if any(non_latin_share(one) > _MAY_BE_UNKNOWN for one in contents) else []
            )
        if self.metric.reads_query and topic.query:
            own.append(f"query:{topic.query}")
        parts = [_to_json(signature), _to_json(other_inputs), _json_of(topic, read), *map(json.dumps, own)]
        return hashlib.sha256(f"[{', '.join(parts)}]".encode()).hexdigest()


_to_json = lru_cache(maxsize=256)(json.dumps)  # of signatures, which all topics have
_recent = Recent[str](4)


def _json_of(topic: TopicTexts, read: Mapping[str, Sequence[Text]]) -> str:
    """Return the names and keys of the texts of a topic that are read, by kind, as JSON."""

    def made() -> str:
        pairs = {kind: [(text.name, text.reading_key) for text in each] for kind, each in read.items()}
        return json.dumps(pairs)

    return _recent.get(tuple(read), (topic,), made)


def parse_config(
    text: str, resources: Resources, references: Sequence[str] = (), humans: bool = False
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
    registry.check_extras(request.metric, extras, resources)
    return ScoringConfig(request.metric, tuple(sorted(set(references or signed))), humans)


def config_from_stored(stored: MetricConfig) -> ScoringConfig:
    """Return the configuration stored in a study. Raises InputError if this program does not support it."""
    return ScoringConfig(registry.parse(stored.spec), stored.references, stored.scores_humans)
