"""What there is to score: configurations of metrics, and the topics that each still has to do.

A block carries a hash over everything that its run read, so that only what changed is scored again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from urllib.parse import unquote

from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.base import Metric, Need, Tools
from core.ports import MetricConfig, Study

_CHARACTERS_PER_TEXT = 600  # of the 100 words that `Metric.seconds_per_text` speaks of


@dataclass(frozen=True, slots=True)
class Config:
    """A metric, and the authors whose references count (empty = all)."""

    metric: Metric
    references: tuple[str, ...] = ()

    def signature(self, tools: Tools) -> str:
        """What repeats the run; names the authors where they were chosen."""
        head, mark, version = self.metric.signature(tools).rpartition("|version:")
        chosen = f"|references:{'+'.join(map(_quoted, self.references))}" if self.references else ""
        return f"{head}{chosen}{mark}{version}"

    def stored(self, tools: Tools) -> MetricConfig:
        """The same, as a study keeps it."""
        metric = self.metric
        return MetricConfig(
            signature=self.signature(tools),
            metric=metric.name,
            family=metric.family,
            spec=registry.spec(metric),
            measures=metric.measures(),
            references=self.references,
            higher_is_better=metric.higher_is_better,
        )

    def restrict(self, topic: TopicTexts) -> TopicTexts:
        """A topic with only the references that count."""
        if not self.references:
            return topic
        chosen = tuple(text for text in topic.references if text.name in self.references)
        return replace(topic, references=chosen)


@dataclass(frozen=True, slots=True)
class Run:
    """What one configuration has to do.

    topics: ids to score. other_inputs: what `Metric.other_inputs` gave. fresh: how many need not be scored
    again. left_out: topics that it cannot score, by reason. seconds: an estimate. refusal: why it cannot run
    at all, with the remedy; then nothing is to do.
    """

    config: Config
    stored: MetricConfig | None = None
    topics: tuple[str, ...] = ()
    other_inputs: str = ""
    fresh: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What there is to score: a run per configuration; topics: ids of all that any run scores, in order."""

    runs: tuple[Run, ...]
    topics: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """How long it will take, an estimate."""
        return sum(run.seconds for run in self.runs)

    @property
    def steps(self) -> int:
        """How many (configuration, topic) there are to score."""
        return sum(len(run.topics) for run in self.runs)


def config_of(text: str, tools: Tools, references: Sequence[str] = ()) -> Config:
    """The configuration of what -m takes, or of a whole signature.

    Raises InputError where a signature was made with something else than is at hand here, as another model.
    """
    request = registry.read(text)
    extras = dict(request.extras)
    signed = tuple(unquote(name) for name in extras.pop("references", "").split("+") if name)
    if extras:
        _check_extras(request.metric, extras, tools)
    return Config(request.metric, tuple(sorted(set(references or signed))))


def plan(study: Study, configs: Sequence[Config], tools: Tools) -> Plan:
    """What there is to score. Raises InputError for an author of whom the study has no reference."""
    _check_authors(study, configs)
    drafts = [_Draft.of(study, config, tools) for config in dict.fromkeys(configs)]
    for topic in study.texts():
        for draft in drafts:
            draft.consider(topic)
    topics = dict.fromkeys(head.id for head in study.topics())
    wanted = {topic_id for draft in drafts for topic_id in draft.topics}
    return Plan(tuple(draft.run() for draft in drafts), tuple(t for t in topics if t in wanted))


def inputs_hash(metric: Metric, signature: str, topic: TopicTexts, other_inputs: str) -> str:
    """SHA-256 over everything that scoring a topic reads: texts, their names and order, the metric, more.

    topic: with only the references that count. other_inputs: what `Metric.other_inputs` gave.
    """
    read = {"summaries": topic.summaries}
    if Need.REFERENCES in metric.needs:
        read["references"] = topic.references
    if Need.DOCUMENTS in metric.needs:
        read["documents"] = topic.documents
    texts = {kind: [(text.name, text.digest) for text in found] for kind, found in read.items()}
    return hashlib.sha256(json.dumps([signature, other_inputs, texts]).encode()).hexdigest()


def _quoted(author: str) -> str:
    """An author's name without the signs that signatures use; `unquote` gives it back."""
    for sign in "%+|":
        author = author.replace(sign, f"%{ord(sign):02X}")
    return author


def lacking(metric: Metric, topic: TopicTexts) -> str:
    """What a metric needs and a topic does not have; empty = nothing."""
    if not topic.summaries:
        return "no summaries"
    if Need.REFERENCES in metric.needs and not topic.references:
        return "no references that count"
    return "no documents" if Need.DOCUMENTS in metric.needs and not topic.documents else ""


@dataclass(slots=True)
class _Draft:
    """A run while its topics are looked through."""

    config: Config
    stored: MetricConfig | None
    refusal: str = ""
    other_inputs: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)
    seconds_per_text: float = 0.0
    topics: list[str] = field(default_factory=list)
    fresh: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    texts: float = 0.0

    @classmethod
    def of(cls, study: Study, config: Config, tools: Tools) -> _Draft:
        try:
            if refusal := config.metric.unavailable(tools):
                return cls(config, None, refusal)
            stored = config.stored(tools)
            other = config.metric.other_inputs(tools.with_references_by(config.references))
        except MissingResource as error:
            return cls(config, None, str(error))
        kept = study.stored_inputs(stored.signature)
        return cls(config, stored, "", other, kept, config.metric.seconds_per_text(tools))

    def consider(self, topic: TopicTexts) -> None:
        """Note a topic as to be scored, fresh or left out."""
        if self.stored is None:
            return
        metric, chosen = self.config.metric, self.config.restrict(topic)
        if reason := lacking(metric, chosen):
            self.left_out[reason] += 1
            return
        now = inputs_hash(metric, self.stored.signature, chosen, self.other_inputs)
        if self.kept.get(topic.id) == now:
            self.fresh += 1
            return
        self.topics.append(topic.id)
        self.texts += _texts_of_100_words(metric, chosen)

    def run(self) -> Run:
        seconds = self.texts * self.seconds_per_text
        topics, left_out = tuple(self.topics), dict(self.left_out)
        return Run(
            self.config, self.stored, topics, self.other_inputs, self.fresh, left_out, seconds, self.refusal
        )


def _texts_of_100_words(metric: Metric, topic: TopicTexts) -> float:
    texts = [*topic.summaries, *topic.references]
    if Need.DOCUMENTS in metric.needs:
        texts += topic.documents
    return sum(len(text.content) for text in texts) / _CHARACTERS_PER_TEXT


def _check_authors(study: Study, configs: Sequence[Config]) -> None:
    known = list(study.reference_authors())
    for author in (name for config in configs for name in config.references):
        if author not in known:
            near = get_close_matches(author, known, n=2, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            listed = ", ".join(known) or "none"
            raise InputError(f"No reference in this study is by {author!r}.{hint} Its authors: {listed}.")


def _check_extras(metric: Metric, extras: Mapping[str, str], tools: Tools) -> None:
    here = metric.extras(tools)
    for key, value in extras.items():
        if here.get(key) != value:
            found = f"here it is {here[key]}" if key in here else f"{metric.name} has no such part"
            raise InputError(
                f"This signature says {key}:{value}, but {found}. Get what it was made with, or leave this "
                f"part out to score with what is here."
            )
