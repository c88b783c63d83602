"""Which measures a study has, told apart, and their numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import scoring
from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.matrix import Matrix
from core.metrics import registry
from core.metrics.base import Tools
from core.ports import MetricConfig, Study
from core.tools import EngineTools


@dataclass(frozen=True, slots=True)
class MeasureRef:
    """A measure under one configuration.

    label: its name, told apart from its like by what differs, as ``rouge-2[stem:no].recall``. topics_scored:
    with a block. is_stale: something that a block read has changed since.
    """

    label: str
    measure: str
    signature: str
    family: str
    config: MetricConfig
    topics_scored: int
    is_stale: bool


def measures(study: Study, tools: Tools | None = None, *, check_stale: bool = True) -> list[MeasureRef]:
    """Every measure of a study, in the order in which metrics were first run.

    check_stale: compare with the texts as they are now, which reads all of them.
    """
    configs = study.configs()
    stored = {config.signature: study.stored_inputs(config.signature) for config in configs}
    stale = stale_topics(study, configs, tools or EngineTools(study)) if check_stale else {}
    labels = _labels(configs)
    return [
        MeasureRef(
            label=labels[config.signature, measure],
            measure=measure,
            signature=config.signature,
            family=config.family,
            config=config,
            topics_scored=len(stored[config.signature]),
            is_stale=bool(stale.get(config.signature)),
        )
        for config in configs
        for measure in config.measures
    ]


def find(refs: Sequence[MeasureRef], label: str) -> MeasureRef:
    """The measure of a label. Raises InputError that lists those of the same measure, else all."""
    for ref in refs:
        if ref.label == label:
            return ref
    alike = [ref.label for ref in refs if ref.measure == label] or [ref.label for ref in refs]
    raise InputError(f"This study has no measure {label!r}. There are: {', '.join(alike) or 'none'}.")


def matrix(study: Study, ref: MeasureRef) -> Matrix:
    """A measure's numbers: the systems that it scored, every topic of the study; NaN = not scored."""
    blocks = {block.topic_id: block for block in study.score_blocks(ref.signature)}
    scored = {system for block in blocks.values() for system in block.systems}
    systems = tuple(system.name for system in study.systems() if system.name in scored)
    row = {name: i for i, name in enumerate(systems)}
    heads = study.topics()
    values = np.full((len(systems), len(heads)), np.nan)
    column = ref.config.measures.index(ref.measure)
    for at, head in enumerate(heads):
        if block := blocks.get(head.id):
            kept = [(row[name], i) for i, name in enumerate(block.systems) if name in row]
            values[[here for here, _ in kept], at] = block.values[[i for _, i in kept], column]
    return Matrix(ref.label, systems, tuple(head.name for head in heads), values)


def stale_topics(study: Study, configs: Sequence[MetricConfig], tools: Tools) -> dict[str, frozenset[str]]:
    """For each signature the ids of topics whose block read something that has changed since.

    What was computed elsewhere is never stale, nor is what a metric cannot be asked about here.
    """
    checks = [check for config in configs if (check := _StaleCheck.of(study, config, tools)) is not None]
    if checks:
        for topic in study.texts():
            for check in checks:
                check.look_at(topic)
    return {check.signature: frozenset(check.stale) for check in checks}


class _StaleCheck:
    """One configuration's blocks beside the texts as they are now."""

    def __init__(self, config: scoring.Config, signature: str, kept: Mapping[str, str], other: str) -> None:
        self.signature = signature
        self.stale = set(kept)  # a block whose topic is gone stays stale
        self._config, self._kept, self._other_inputs = config, kept, other

    @classmethod
    def of(cls, study: Study, stored: MetricConfig, tools: Tools) -> _StaleCheck | None:
        try:
            metric = registry.parse(stored.spec)
            other = metric.other_inputs(tools.with_references_by(stored.references))
        except (InputError, MissingResource):
            return None
        kept = study.stored_inputs(stored.signature)
        return cls(scoring.Config(metric, stored.references), stored.signature, kept, other)

    def look_at(self, topic: TopicTexts) -> None:
        """Strike a topic off where its block is fresh."""
        chosen = self._config.restrict(topic)
        now = scoring.inputs_hash(self._config.metric, self.signature, chosen, self._other_inputs)
        if self._kept.get(topic.id) == now:
            self.stale.discard(topic.id)


def _labels(configs: Sequence[MetricConfig]) -> dict[tuple[str, str], str]:
    """Label of each (signature, measure); one that only one configuration gives keeps its name."""
    by_measure: dict[str, list[MetricConfig]] = defaultdict(list)
    for config in configs:
        for measure in config.measures:
            by_measure[measure].append(config)
    return {
        (config.signature, measure): _label(measure, differences)
        for measure, alike in by_measure.items()
        for config, differences in zip(alike, _differences(alike), strict=True)
    }


def _label(measure: str, differences: str) -> str:
    prefix, dot, last = measure.rpartition(".")
    return f"{prefix}[{differences}]{dot}{last}" if differences else measure


def _differences(configs: Sequence[MetricConfig]) -> list[str]:
    """For each configuration the parts of its signature that not all of them share."""
    parts = [{"references": "all", "metric": c.metric, **_parts(c.signature)} for c in configs]
    keys = list(dict.fromkeys(key for each in parts for key in each))
    differing = [key for key in keys if len({each.get(key) for each in parts}) > 1]
    return [",".join(f"{key}:{each[key]}" for key in differing if key in each) for each in parts]


def _parts(signature: str) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in signature.split("|")[1:])
