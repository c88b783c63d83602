"""Which measures a study has, told apart, and their numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from core import scoring
from core.authors import row_name
from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource
from core.made_scores import usual_configs
from core.matrix import Array, Matrix
from core.metrics import registry
from core.metrics.base import Tools
from core.ports import MetricConfig, ScoreBlock, Study
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


def measures(
    study: Study, tools: Tools | None = None, *, check_stale: bool = True, with_made: bool = False
) -> list[MeasureRef]:
    """Every measure of a study, in the order in which metrics were first run.

    check_stale: compare with the texts as they are now, which reads all of them. with_made: those too that
    experiments alone have scored.
    """
    configs = study.configs() if with_made else usual_configs(study)
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


def measures_for(
    study: Study, labels: Collection[str], tools: Tools | None = None, *, check_stale: bool = True
) -> list[MeasureRef]:
    """The measures among which labels are looked up: the usual ones, or all where a label is of no such."""
    usual = measures(study, tools, check_stale=check_stale)
    if {ref.label for ref in usual}.issuperset(labels):
        return usual
    return measures(study, tools, check_stale=check_stale, with_made=True)


def find(refs: Sequence[MeasureRef], label: str) -> MeasureRef:
    """The measure of a label. Raises InputError that lists those of the same measure, else all."""
    for ref in refs:
        if ref.label == label:
            return ref
    alike = [ref.label for ref in refs if ref.measure == label] or [ref.label for ref in refs]
    raise InputError(f"This study has no measure {label!r}. There are: {', '.join(alike) or 'none'}.")


def nested(label: str) -> tuple[str, str]:
    """A measure's label cut at its last dot, as ``rouge-2[stem:no]`` and ``f``; without one, ``""`` and all.

    A dot between brackets is part of what tells measures apart, as in ``length[source:lengths.csv]``.
    """
    depth = 0
    for at in range(len(label) - 1, -1, -1):
        depth += (label[at] == "]") - (label[at] == "[")
        if label[at] == "." and depth <= 0:
            return label[:at], label[at + 1 :]
    return "", label


def matrix(study: Study, ref: MeasureRef) -> Matrix:
    """A measure's numbers: the systems that it scored, every topic of the study; NaN = not scored.

    References that were scored as systems come last.
    """
    return matrices(study, [ref])[0]


def matrices(study: Study, refs: Sequence[MeasureRef]) -> list[Matrix]:
    """The same for several measures, in their order, each configuration's scores read once."""
    heads, known = study.topics(), [system.name for system in study.systems()]
    humans = sorted(map(row_name, study.reference_authors()))
    found: dict[str, Matrix] = {}
    for config in {ref.signature: ref.config for ref in refs}.values():
        mine = [ref for ref in refs if ref.signature == config.signature]
        blocks = {block.topic_id: block for block in study.score_blocks(config.signature)}
        scored = {system for block in blocks.values() for system in block.systems}
        rows = [name for name in (*known, *(humans if config.scores_humans else ())) if name in scored]
        cube = _cube(rows, [blocks.get(head.id) for head in heads], len(config.measures))
        topics = tuple(head.name for head in heads)
        for ref in mine:
            values = np.ascontiguousarray(cube[:, :, config.measures.index(ref.measure)])
            found[ref.label] = Matrix(ref.label, tuple(rows), topics, values)
    return [found[ref.label] for ref in refs]


def _cube(rows: Sequence[str], blocks: Sequence[ScoreBlock | None], measures: int) -> Array:
    """A configuration's numbers, shape (systems, topics, measures), NaN = not scored."""
    row = {name: i for i, name in enumerate(rows)}
    values = np.full((len(rows), len(blocks), measures), np.nan)
    for at, block in enumerate(blocks):
        if block is not None:
            kept = [(row[name], i) for i, name in enumerate(block.systems) if name in row]
            values[[here for here, _ in kept], at] = block.values[[i for _, i in kept]]
    return values


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

    def __init__(
        self, config: scoring.Config, signature: str, kept: Mapping[str, str], other: str, tools: Tools
    ) -> None:
        self.signature = signature
        self.stale = set(kept)  # a block whose topic is gone stays stale
        self._config, self._kept, self._other_inputs, self._tools = config, kept, other, tools

    @classmethod
    def of(cls, study: Study, stored: MetricConfig, tools: Tools) -> _StaleCheck | None:
        try:
            config = scoring.config_kept(stored)
            other = config.metric.other_inputs(tools.with_references_by(stored.references))
        except (InputError, MissingResource):
            return None
        kept = study.stored_inputs(stored.signature)
        return cls(config, stored.signature, kept, other, tools)

    def look_at(self, topic: TopicTexts) -> None:
        """Strike a topic off where its block is fresh."""
        chosen = self._config.restrict(topic)
        now = self._config.inputs_hash(self.signature, chosen, self._other_inputs, self._tools)
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
    prefix, last = nested(measure)
    if not differences:
        return measure
    return f"{prefix}[{differences}].{last}" if prefix else f"{last}[{differences}]"


def _differences(configs: Sequence[MetricConfig]) -> list[str]:
    """For each configuration what tells it from the others that give the same measure.

    Those of one metric differ in parts of their signatures. Two metrics share no settings, so that their
    names alone tell them apart, and for what was imported its source does.
    """
    own = {config.metric for config in configs if not config.is_imported}
    told: dict[str, list[str]] = {}
    for metric in dict.fromkeys(config.metric for config in configs):
        alike = [config for config in configs if config.metric == metric]
        parts = [_parts(config) for config in alike]
        keys = _telling_keys(parts, _chosen_parts(alike[0]))
        if alike[0].is_imported:
            keys = ["source"] if own or keys else []
        for config, each in zip(alike, parts, strict=True):
            name = [f"metric:{metric}"] if metric in own and len(own) > 1 else []
            told[config.signature] = [*name, *(f"{key}:{each[key]}" for key in keys if key in each)]
    return [",".join(told[config.signature]) for config in configs]


def _telling_keys(parts: Sequence[Mapping[str, str]], chosen: Set[str]) -> list[str]:
    """Every chosen part that differs; what follows from those, as a hash, only where they are equal."""
    keys = list(dict.fromkeys(key for each in parts for key in each))
    differing = [key for key in keys if len({each.get(key) for each in parts}) > 1]
    told = [key for key in differing if key in chosen]
    for key in (key for key in differing if key not in chosen):
        if _kinds(parts, [*told, key]) > _kinds(parts, told):
            told.append(key)
    return told


def _kinds(parts: Sequence[Mapping[str, str]], keys: Sequence[str]) -> int:
    """How many kinds of configuration these keys tell apart."""
    return len({tuple(each.get(key) for key in keys) for each in parts})


def _chosen_parts(config: MetricConfig) -> Set[str]:
    """The parts of a signature that somebody chose."""
    try:
        return {*_EVERYWHERE, *registry.parse(config.spec).settings()}
    except InputError:  # imported, or of a metric that this version does not have
        return _EVERYWHERE.keys()


def _parts(config: MetricConfig) -> dict[str, str]:
    named = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
    return named if config.is_imported else {**_EVERYWHERE, **named}


_EVERYWHERE: Mapping[str, str] = {"references": "all", "humans": "no"}
"""Parts that every configuration has, with what their absence from a signature means."""
