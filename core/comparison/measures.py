"""Measures of a study: labels, staleness, score matrices."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from core.domain.reference_authors import reference_system_name
from core.errors import InputError
from core.matrix import Array, ScoreMatrix
from core.metrics import registry
from core.metrics.base import Metric, Resources, setting_default
from core.metrics.names import chosen_measure
from core.metrics.registry import split_label
from core.names import MAX_LISTED, fitting_names, joined_names, unknown_name
from core.ports import MetricConfig, Study
from core.scoring.config import config_from_stored
from core.scoring.experiment_scores import listed_configs
from core.scoring.staleness import UP_TO_DATE, Staleness, check_scores
from core.scoring.study_resources import StudyResources


@dataclass(frozen=True, slots=True)
class MeasureRef:
    """Measure under one configuration.

    label: its name, with settings that differ from the defaults, such as ``rouge-2[stem:yes].recall``.
    topics_scored: number of topics with scores.
    staleness: which inputs have changed since scoring.
    """

    label: str
    measure: str
    signature: str
    family: str
    config: MetricConfig
    topics_scored: int
    staleness: Staleness = field(default=UP_TO_DATE, hash=False)

    @property
    def is_stale(self) -> bool:
        """Whether any input has changed since scoring."""
        return bool(self.staleness.changes)

    @property
    def higher_is_better(self) -> bool:
        return self.config.higher_is_better

    @property
    def sign(self) -> float:
        """Factor that makes larger values better: -1 where lower is better."""
        return 1.0 if self.higher_is_better else -1.0


def better_when(ref: MeasureRef) -> str:
    """Return ``higher``, ``lower``, or ``neither`` for a property of texts, for columns of files."""
    kind = None if ref.config.is_imported else registry.REGISTRY.find(ref.config.metric)
    if kind is not None and not kind.has_direction:
        return "neither"
    return "higher" if ref.higher_is_better else "lower"


def lower_is_better(refs: Iterable[MeasureRef]) -> str:
    """Return a sentence that names the measures that are better when lower; empty if there is none."""
    lower = [ref.label for ref in refs if not ref.higher_is_better]
    return f"↓ Lower is better: {', '.join(lower)}; ranked by the negated correlation." if lower else ""


def measures(
    study: Study, resources: Resources | None = None, *, check_stale: bool = True, with_made: bool = False
) -> list[MeasureRef]:
    """Return every measure of a study, in the order of first scoring.

    check_stale: compare with the current texts, which reads all of them.
    with_made: include measures that only experiments have scored.
    """
    configs = study.scores.configs() if with_made else listed_configs(study)
    stored = {config.signature: study.scores.input_hashes(config.signature) for config in configs}
    labels = _labels(configs)
    refs = [
        MeasureRef(
            label=labels[config.signature, measure],
            measure=measure,
            signature=config.signature,
            family=config.family,
            config=config,
            topics_scored=len(stored[config.signature]),
        )
        for config in configs
        for measure in config.measures
    ]
    return checked(study, refs, resources) if check_stale else refs


def checked(study: Study, refs: Iterable[MeasureRef], resources: Resources | None = None) -> list[MeasureRef]:
    """Return the measures with what has changed since they were scored, for which all texts are read."""
    refs = list(refs)
    configs = list({ref.signature: ref.config for ref in refs}.values())
    checks = check_scores(study, configs, resources or StudyResources(study))
    return [replace(ref, staleness=checks.get(ref.signature, UP_TO_DATE)) for ref in refs]


def measures_for(study: Study, labels: Collection[str], *, check_stale: bool = True) -> list[MeasureRef]:
    """Return the measures for label lookup: the listed ones, or all if a label is not among them."""
    usual = measures(study, check_stale=check_stale)
    if all(_match(usual, label) for label in labels):
        return usual
    return measures(study, check_stale=check_stale, with_made=True)


def find_measure(refs: Sequence[MeasureRef], label: str) -> MeasureRef:
    """Return the measure with a label; a name without settings is that of the default configuration.

    Default settings can be given too, such as ``bleu[humans:no].score``. A metric, as ``rouge-1``,
    ``rouge-n:n=1`` or a signature, stands for its F, its score, or its only measure. Raises InputError that
    lists the measures of the same name with their signatures, else all measures.
    """
    if (match := _match(refs, label)) is not None:
        return match
    if several := _of_metric(refs, label):
        raise InputError(f"{label} has several measures: {joined_names([ref.label for ref in several])}.")
    name = _bare(label)[0]
    alike = [ref for ref in refs if ref.measure in (label, name)]
    if not alike:
        labels = [ref.label for ref in refs]
        raise InputError(unknown_name("measure", label, labels, "`pyramidion correlate` lists them"))
    shown = alike[:MAX_LISTED]
    lines = "".join(f"\n  --measure {shlex.quote(ref.label)}   ({ref.signature})" for ref in shown)
    what = (
        f"with the default settings of {alike[0].config.metric}" if label == name else "with these settings"
    )
    raise InputError(f"This study has no {label} {what}. Use one of these:{lines}")


def _match(refs: Sequence[MeasureRef], label: str) -> MeasureRef | None:
    """Return the measure with a label that can include default settings; None if there is none."""
    for ref in refs:
        if ref.label == label:
            return ref
    if of_metric := _of_metric(refs, label):
        chosen = chosen_measure([ref.label for ref in of_metric])
        return next((ref for ref in of_metric if ref.label == chosen), None)
    name, requested = _bare(label)
    if not requested:
        labels = {ref.label: ref for ref in refs}
        return labels[fits[0]] if len(fits := fitting_names(label, labels)) == 1 else None
    fitting = [ref for ref in refs if ref.measure == name and requested.items() <= _parts(ref.config).items()]
    usual = [ref for ref in fitting if _bare(ref.label)[1].items() <= requested.items()]
    candidates = usual or fitting
    return candidates[0] if len(candidates) == 1 else None


def _of_metric(refs: Sequence[MeasureRef], name: str) -> list[MeasureRef]:
    """Return the measures of a metric by its name in tables, its configuration or its signature."""
    if found := [ref for ref in refs if name in (split_label(ref.label)[0], ref.signature)]:
        return found
    try:
        metric = registry.parse(name)
    except InputError:
        return []
    return [ref for ref in refs if not ref.config.is_imported and _is_of(ref, metric)]


def _is_of(ref: MeasureRef, metric: Metric) -> bool:
    """Return whether a measure has a metric with its usual references; not those of references as systems."""
    try:
        config = config_from_stored(ref.config)
    except InputError:  # the metric is unknown to this version
        return False
    return (config.metric, config.references, config.humans) == (metric, (), False)


def _bare(label: str) -> tuple[str, dict[str, str]]:
    """Return a label's measure and the settings in it, such as ``bleu.score`` and ``{humans: no}``."""
    head, last = split_label(label)
    prefix, bracket, listed = (head or last).partition("[")
    if not bracket:
        return label, {}
    named = dict(part.partition(":")[::2] for part in listed.rstrip("]").split(","))
    return (f"{prefix}.{last}" if head else prefix), named


def matrix(study: Study, ref: MeasureRef) -> ScoreMatrix:
    """Return a measure's scores: rows are scored systems, columns all topics; NaN = not scored.

    References scored as systems come last.
    """
    return matrices(study, [ref])[0]


def matrices(study: Study, refs: Sequence[MeasureRef]) -> list[ScoreMatrix]:
    """Return several measures, in their order, reading each configuration's scores once."""
    heads, known = study.texts.topics(), [system.name for system in study.texts.systems()]
    humans = sorted(map(reference_system_name, study.texts.reference_authors()))
    by_label: dict[str, ScoreMatrix] = {}
    for config in {ref.signature: ref.config for ref in refs}.values():
        mine = [ref for ref in refs if ref.signature == config.signature]
        blocks = study.scores.values(config.signature)
        scored = {system for systems in {systems for systems, _ in blocks.values()} for system in systems}
        rows = [name for name in (*known, *(humans if config.scores_humans else ())) if name in scored]
        cube = _cube(rows, [blocks.get(head.id) for head in heads], len(config.measures))
        topics = tuple(head.name for head in heads)
        for ref in mine:
            values = np.ascontiguousarray(cube[:, :, config.measures.index(ref.measure)])
            by_label[ref.label] = ScoreMatrix(ref.label, tuple(rows), topics, values)
    return [by_label[ref.label] for ref in refs]


def _cube(
    rows: Sequence[str], blocks: Sequence[tuple[tuple[str, ...], Array] | None], measures: int
) -> Array:
    """Return a configuration's scores, shape (systems, topics, measures), NaN = not scored.

    blocks: systems and values of each topic, None = not scored.
    """
    row = {name: i for i, name in enumerate(rows)}
    values = np.full((len(rows), len(blocks), measures), np.nan)
    places: dict[tuple[str, ...], tuple[list[int], list[int]]] = {}  # most topics have the same systems
    for at, block in enumerate(blocks):
        if block is not None:
            systems, theirs = block
            if systems not in places:
                own = [i for i, name in enumerate(systems) if name in row]
                places[systems] = [row[systems[i]] for i in own], own
            here, there = places[systems]
            values[here, at] = theirs[there]
    return values


def unchecked_notes(refs: Iterable[MeasureRef]) -> list[str]:
    """Return a sentence on each configuration whose inputs cannot be compared with those of its scores."""
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for ref in refs:
        if ref.staleness.unchecked:
            labels[ref.signature, ref.staleness.unchecked].append(ref.label)
    return [
        f"{', '.join(listed)}: it cannot be checked whether the inputs have changed since scoring. {reason}"
        for (_, reason), listed in labels.items()
    ]


def _labels(configs: Sequence[MetricConfig]) -> dict[tuple[str, str], str]:
    """Return the label of each (signature, measure).

    The default configuration has the plain measure name, whatever else is scored; every other one adds the
    settings that differ. Settings in the name already, such as n in ``rouge-1``, are not repeated.
    """
    by_measure: dict[str, list[MetricConfig]] = defaultdict(list)
    for config in configs:
        for measure in config.measures:
            by_measure[measure].append(config)
    return {
        (config.signature, measure): _label(measure, qualifier)
        for measure, alike in by_measure.items()
        for config, qualifier in zip(alike, _qualifiers(measure, alike), strict=True)
    }


def _label(measure: str, qualifier: str) -> str:
    prefix, last = split_label(measure)
    if not qualifier:
        return measure
    return f"{prefix}[{qualifier}].{last}" if prefix else f"{last}[{qualifier}]"


def _qualifiers(measure: str, configs: Sequence[MetricConfig]) -> list[str]:
    """Return by configuration of a measure what distinguishes it from the default, empty = nothing."""
    own = [_changed(config, measure) for config in configs]
    named: dict[str, list[int]] = defaultdict(list)
    for place, qualifier in enumerate(own):
        named[qualifier].append(place)
    for places in named.values():
        current = max(places, key=lambda place: (_is_current(configs[place]), place))
        if all(configs[place].is_imported for place in places):
            current = places[0]
        for place in places:
            if place != current:
                more = _telling(configs[place], [configs[other] for other in places])
                own[place] = ",".join(part for part in (own[place], more) if part)
    return own


def _changed(config: MetricConfig, measure: str) -> str:
    """Return the non-default settings of a configuration, such as ``stem:yes,humans:jackknife``."""
    parts = _parts(config)
    changed = (
        [] if config.is_imported else [key for key in _changed_settings(config, measure) if key in parts]
    )
    changed += [key for key, usual in _EVERYWHERE.items() if parts.get(key, usual) != usual]
    return ",".join(f"{key}:{parts[key]}" for key in changed)


def _changed_settings(config: MetricConfig, measure: str) -> list[str]:
    try:
        metric = registry.parse(config.spec)
    except InputError:  # the metric is unknown to this version
        return []
    changed = []
    for f in fields(metric):
        usual: Any = setting_default(f)
        if getattr(metric, f.name) == usual or f.name in metric.unlabelled:
            continue
        try:
            other = replace(metric, **{f.name: usual})
        except InputError:  # the other settings require this one
            changed.append(f.name)
            continue
        is_chosen_by_machine = getattr(other, f.name) != usual  # such as the noun phrase extractor
        if not is_chosen_by_machine and measure in other.measures():
            changed.append(f.name)
    return changed


def _is_current(config: MetricConfig) -> tuple[bool, bool]:
    """Return whether the scores were computed here, by this program's version of the metric."""
    try:
        version = str(registry.parse(config.spec).version) if config.spec else ""
    except InputError:
        return True, False
    return not config.is_imported, _parts(config).get("version", "") == version


def _telling(config: MetricConfig, alike: Sequence[MetricConfig]) -> str:
    """Return what distinguishes configurations with the same settings: source, version or model."""
    if config.is_imported:
        return f"source:{_parts(config).get('source', config.metric)}"
    named = (
        [f"metric:{config.metric}"] if len({one.metric for one in alike if not one.is_imported}) > 1 else []
    )
    mine, others = _parts(config), [_parts(one) for one in alike if one.metric == config.metric]
    keys = dict.fromkeys(key for each in others for key in each)
    differing = [key for key in keys if key in mine and len({each.get(key) for each in others}) > 1]
    return ",".join((*named, *(f"{key}:{mine[key]}" for key in differing)))


def _parts(config: MetricConfig) -> dict[str, str]:
    named = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
    return named if config.is_imported else {**_EVERYWHERE, **named}


_EVERYWHERE: Mapping[str, str] = {"references": "all", "humans": "no"}
"""Parts of every configuration, with the meaning of their absence from a signature."""
