"""Correlation of a study's measures with its judgements: values, intervals, tests, ceilings and notes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from core.comparison.cautions import cautions, metric_notes
from core.comparison.comparison import Comparison, CorrelationRow, judgements_for, load_comparison
from core.comparison.eligibility import Eligibility, Status, ranking_notes
from core.comparison.inference import (
    CorrelationInputs,
    InferenceResult,
    SignificanceGroups,
    correlation_inputs,
    infer,
    oriented,
    p_caution,
    p_method,
    required_sample_sizes,
    significance_groups,
)
from core.comparison.judgements import (
    Judgement,
    JudgementRef,
    included_ratings,
    read_judgements,
    resolve_judgements,
)
from core.comparison.measures import MeasureRef, checked, lower_is_better
from core.comparison.noise_ceiling import UpperBound, judgement_noise_ceiling
from core.comparison.options import (
    DifferenceTest,
    InferenceOptions,
    SystemSelection,
    Variants,
    williams_refusal,
)
from core.comparison.pyramid_judgements import choose_references
from core.comparison.staleness_text import OUT_OF_DATE, stale_notes, stale_texts, stale_topics
from core.comparison.stand_ins import footnote_of, stand_in_of
from core.comparison.topic_correlations import topic_correlations
from core.domain.ratings import RatingCube
from core.domain.study import TopicHeader
from core.errors import BadRequest, InputError
from core.experiments.inputs.measure_inputs import NO_JUDGEMENTS, NO_SCORES
from core.experiments.inputs.topic_filters import heads_of_set
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, pluralize
from core.matrix import ScoreMatrix
from core.names import resolve_name
from core.operations.method_text import cluster_notes, difference_notes, interval_notes, p_notes
from core.operations.options import CorrelateRequest
from core.ports import Study
from core.progress import JobSteps
from core.scoring.experiment_scores import listed_configs
from core.stats.precision import round_to_grain, round_values
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.intervals import Intervals
from core.stats.resampling.power import Power
from core.stats.types import Level

_VALUE = ("measure", "signature", "human", "level", "coefficient", "value")
_P = ("p", "p_method", "p_caution")
_FACTS = ("tie_threshold", "n", "dropped", "stand_in", "higher_is_better", "ranked_by")
_RANKING = ("status", "coverage", "reason")
COLUMNS = (*_VALUE, *_P, *_FACTS, *_RANKING)
_TOPIC_COLUMNS = ("human", "measure", "topic", "coefficient", "value", "n", "reason", "stand_in")
_INTERVAL = ("low", "high", "no_interval", "undefined_draws", "tail_draws")
_DIFFERENCE = ("compared_with", "p_difference", "p_adjusted", "adjusted_over", "in_family")
_NEEDED = ("needed", "needed_low", "needed_high")
_CLUSTER = ("cluster", "letters")


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationData:
    """Scores and judgements of a study, read once for any level, coefficient and part of them.

    judgements: by name, in the order of the request. topics: by name.
    cubes: ratings of each judgement that is a rating.
    is_common: whether only what every measure has scored is included.
    notes: sentences on what is excluded.
    """

    comparison: Comparison
    judgements: Mapping[str, JudgementRef]
    topics: Mapping[str, TopicHeader] = field(default_factory=dict)
    cubes: Mapping[str, RatingCube] = field(default_factory=dict)
    is_common: bool = False
    notes: tuple[str, ...] = ()

    def system_names(self) -> tuple[str, ...]:
        """Return all scored systems in the study's order."""
        return tuple(dict.fromkeys(name for one in self.comparison.scores for name in one.systems))

    def topic_sets(self) -> tuple[str, ...]:
        """Return the names of topic sets, as ``initial``; none if there is only one."""
        sets = dict.fromkeys(head.set for head in self.topics.values())
        return tuple(name for name in sets if name) if len(sets) > 1 else ()

    def ref(self, label: str) -> MeasureRef | None:
        """Return the measure of a label; None = unknown."""
        return next((ref for ref in self.comparison.refs if ref.label == label), None)

    def scores(self, label: str) -> ScoreMatrix:
        """Return a measure's scores."""
        return self.comparison.scores[[ref.label for ref in self.comparison.refs].index(label)]

    def within(self, request: CorrelateRequest) -> CorrelationData:
        """Return the systems and topics of a request.

        Raises InputError for unknown names, and where too little is left.
        """
        topics = self.topics
        if request.topic_set:
            topics = {head.name: head for head in heads_of_set(list(topics.values()), request.topic_set)}
        of_set = topics if request.topic_set else None
        chosen = restrict(self.comparison, request.only_systems, of_set)
        weak = excluded_systems(chosen, request)
        comparison, notes = without_systems(chosen, weak), list(self.notes)
        if request.common_topics:
            (systems, before), comparison = comparison.size(), comparison.common()
            left = comparison.size()
            notes.append(
                f"Common topics: {left[1]} of {before} topics and {left[0]} of {systems} systems are scored "
                "by every measure."
            )
        if weak:
            notes.append(f"Excluded weak systems: {', '.join(weak)}.")
        return replace(
            self, comparison=comparison, topics=topics, is_common=request.common_topics, notes=tuple(notes)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Correlations:
    """Outcome of `correlate`; the mappings are by judgement.

    rows: by judgement, measures in order. eligible: whether each row is ranked.
    required: of each measure, the sample size that detects its difference; groups: of measures without
    significant differences; upper_bounds: of judgements that are ratings. All empty unless requested.
    notes: sentences on data and methods.
    changed: by label of each measure that is out of date what has changed, a sentence.
    """

    comparison: Comparison
    options: InferenceOptions
    rows: Sequence[CorrelationRow]
    results: Mapping[str, InferenceResult]
    required: Mapping[str, Sequence[Power | None]]
    groups: Mapping[str, SignificanceGroups]
    upper_bounds: Sequence[UpperBound]
    notes: tuple[str, ...] = ()
    changed: Mapping[str, str] = field(default_factory=dict)

    @property
    def eligible(self) -> list[Eligibility]:
        return [one for human in self.comparison.judgements for one in self.comparison.eligibility(human)]

    def best_cautions(self, human: str, title: str, variants: Variants) -> list[str]:
        """Return `best_cautions` on a judgement. variants: which measures can be best."""
        rows = [row for row in self.rows if row.human == human]
        family, found = self.comparison.family(human, variants), self.results[human].intervals
        return best_cautions(title, rows, family, found, self.options.confidence)

    @property
    def more_columns(self) -> tuple[str, ...]:
        """The columns of inference and of outdated scores that have values."""
        results = self.results.values()
        return (
            *(_INTERVAL if any(one.asks_interval for one in results) else ()),
            *(_DIFFERENCE if any(one.against for one in results) else ()),
            *(_NEEDED if self.required else ()),
            *(_CLUSTER if self.groups else ()),
            *((OUT_OF_DATE,) if self.changed else ()),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `records`, in order."""
        return (*COLUMNS, *self.more_columns)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows with their marks and inference, by column."""
        more, count = self.more_columns, len(self.comparison.refs)
        return [
            self._record(row, one, place % count, more)
            for place, (row, one) in enumerate(zip(self.rows, self.eligible, strict=True))
        ]

    def _record(
        self, row: CorrelationRow, eligible: Eligibility, place: int, more: Sequence[str]
    ) -> dict[str, Any]:
        method, one = (self.options, row.level, row.coefficient), self.results[row.human]
        found = one.intervals
        values: dict[str, Any] = {
            "level": str(row.level),
            "coefficient": str(row.coefficient),
            "p": float(found.p[place]),
            "p_method": p_method(*method),
            "p_caution": p_caution(*method),
            "status": eligible.status.value,
            "coverage": eligible.coverage,
            "reason": eligible.sentence,
            "low": float(found.low[place]),
            "high": float(found.high[place]),
            "no_interval": found.reasons[place],
            "undefined_draws": int(found.undefined[place]),
            "tail_draws": int(found.tail_draws[place]) if math.isfinite(found.tail_draws[place]) else None,
            "compared_with": one.against,
            "p_difference": float(one.p[place]),
            "p_adjusted": float(one.adjusted[place]),
            "adjusted_over": one.tests,
            "in_family": place in one.family,
            OUT_OF_DATE: self.changed.get(row.measure, ""),
        }
        power = self.required[row.human][place] if row.human in self.required else None
        values |= {column: getattr(power, column, None) for column in _NEEDED}
        if group := self.groups.get(row.human):
            values |= {"cluster": group.ranks[place] or None, "letters": group.letters[place]}
        return {
            column: values[column] if column in values else getattr(row, column)
            for column in (*_VALUE, *_FACTS, *_P, *_RANKING, *more)
        }

    def in_order(self) -> list[int]:
        """Return the places of the rows as tables show them.

        By judgement, ranked measures first, best on top, the judgement's own family last.
        """
        eligible, order = self.eligible, list(Status)

        def key(place: int) -> tuple[str, int, float]:
            row = self.rows[place]
            value = -row.ranked_by if math.isfinite(row.value) else 2.0
            return row.human, order.index(eligible[place].status), value

        return sorted(range(len(self.rows)), key=key)


@dataclass(frozen=True, slots=True)
class TopicCorrelations:
    """Outcome of `correlate_topics`: correlations in each topic, by column, and sentences on them."""

    comparison: Comparison
    records: Sequence[Mapping[str, Any]]
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def correlate(study: Study, request: CorrelateRequest) -> JobSteps[Correlations]:
    """Correlate measures with judgements, with the requested inference.

    Raises BadRequest for options that do not fit together; InputError for unknown names and where nothing
    is judged or scored.
    """
    refusal = williams_refusal(request.level, request.coefficient)
    if request.test is DifferenceTest.WILLIAMS and refusal:
        raise BadRequest(f"--test williams: {refusal}")
    data = load_data(study, request)
    if request.needed and not request.compare:
        raise InputError("--needed requires --compare MEASURE, as it is about differences between measures.")
    done = yield from infer_data(data, request)
    if request.upper_bound and not done.upper_bounds:
        raise InputError("--upper-bound requires a rating. Choose one with --human.")
    refs = checked(study, data.comparison.refs)
    changed = stale_texts(study, refs)
    notes = [*_method_notes(done, data, request), *_data_notes(study, data, request, refs, changed)]
    for human in done.results:
        notes += done.best_cautions(human, human, request.variants)
    if not all(math.isfinite(row.value) for row in done.rows):
        notes.append(f"{UNDEFINED}: undefined (constant values or fewer than three pairs).")
    return replace(done, notes=tuple(notes), changed=changed)


def infer_data(
    data: CorrelationData, request: CorrelateRequest, detailed: Collection[str] | None = None
) -> JobSteps[Correlations]:
    """Correlate loaded data, with the requested inference and without notes. Raises like `correlate`.

    detailed: judgements with clusters and upper bounds, if these are requested; None = all.
    """
    options = request.inference()
    comparison, humans = data.comparison, list(data.comparison.judgements)
    rows = comparison.rows(*request.method)  # raises an error that names the measure
    results: dict[str, InferenceResult] = {}
    for human in humans:
        results[human] = yield from infer_judgement(data, human, request)
    required, groups, bounds = {}, dict[str, SignificanceGroups](), list[UpperBound]()
    for human in humans:
        inputs = correlation_inputs(comparison, human, *request.method, data.cubes.get(human))
        one = results[human]
        if request.needed and one.against:
            required[human] = yield from _required_sizes(inputs, one, request.needed, options)
        if detailed is not None and human not in detailed:
            continue
        if request.clusters:
            turned, family = oriented(inputs, comparison.refs), tested_family(comparison, human, request)
            groups[human] = yield from significance_groups(turned, options, family)
        if request.upper_bound:
            bound = yield from judgement_noise_ceiling(human, inputs, options.simulated, options.seed)
            bounds += [bound] if bound is not None else []
    return Correlations(comparison, options, rows, results, required, groups, bounds)


def infer_judgement(
    data: CorrelationData, human: str, request: CorrelateRequest
) -> JobSteps[InferenceResult]:
    """Return the requested intervals and tests of one judgement."""
    comparison, (level, coefficient, undefined) = data.comparison, request.method
    return (
        yield from infer(
            comparison,
            human,
            level,
            coefficient,
            request.inference(),
            undefined,
            data.cubes.get(human),
            tested_family(comparison, human, request),
        )
    )


def tested_family(comparison: Comparison, human: str, request: CorrelateRequest) -> tuple[int, ...]:
    """Return the indices of the measures that are tested together for a judgement."""
    return comparison.family(human, request.variants)


def strongest(rows: Sequence[CorrelationRow], family: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the best measures of one judgement in a family; several if tied."""
    better = np.full(len(rows), np.nan)
    better[list(family)] = round_to_grain(np.array([row.ranked_by for row in rows]))[list(family)]
    if not np.isfinite(better).any():
        return ()
    return tuple(np.flatnonzero(better == np.nanmax(better)).tolist())


def best_cautions(
    title: str, rows: Sequence[CorrelationRow], family: Sequence[int], intervals: Intervals, confidence: float
) -> list[str]:
    """Return which best measures of a judgement may be none, as their correlation is not significant.

    title: of the judgement. rows: of its measures in order. family: places of those that can be best.
    """
    alpha = round(1 - confidence, 9)
    return [
        f"The best measure of {title}, {rows[at].measure}, is itself not significantly correlated with it "
        f"({rows[at].level} level, {SYMBOLS[rows[at].coefficient]} {format_correlation(rows[at].value)}, "
        f"p {format_p(float(intervals.p[at]))})."
        for at in strongest(rows, family)
        if intervals.p[at] >= alpha
    ]


def correlate_topics(study: Study, request: CorrelateRequest) -> TopicCorrelations:
    """Correlate measures with judgements in each topic, by judgement and measure. Raises like `correlate`."""
    request = replace(request, level=Level.TOPIC)
    data = load_data(study, request)
    comparison = data.comparison
    comparison.rows(*request.method)  # raises an error that names the measure
    stand_ins = {ref.label: stand_in_of(ref.config) for ref in comparison.refs}
    refs = checked(study, comparison.refs)
    changed, marks = stale_texts(study, refs), stale_topics(study, refs)
    columns = (*_TOPIC_COLUMNS, *((OUT_OF_DATE,) if changed else ()))
    records = []
    for human in comparison.judgements:
        for one in topic_correlations(comparison, human, request.coefficient):
            mark = changed[one.measure] if one.measure in marks[one.topic] else ""
            more = {"coefficient": str(request.coefficient), "stand_in": stand_ins[one.measure]}
            row = {**asdict(one), **more, OUT_OF_DATE: mark}
            records.append({column: row[column] for column in columns})
    notes = (*_policies(data), *_data_notes(study, data, request, refs, changed))
    return TopicCorrelations(comparison, records, columns, notes)


def annotator_agreement(
    data: CorrelationData, human: str, request: CorrelateRequest
) -> JobSteps[UpperBound | None]:
    """Return the agreement behind a judgement; None = it is not a rating by two or more annotators."""
    options = request.inference()
    ratings = data.cubes.get(human)
    if ratings is None or len(ratings.annotators) < 2:
        return None
    inputs = correlation_inputs(data.comparison, human, *request.method, ratings)
    bound = yield from judgement_noise_ceiling(human, inputs, options.simulated, options.seed)
    return bound if bound is not None and bound.short_text else None


def requested_judgements(study: Study, request: CorrelateRequest) -> dict[str, Judgement]:
    """Return the judgements of a request by name: all if none is given, for its references and systems."""
    found: dict[str, Judgement] = {}
    names = resolve_judgements(study, request.judgements)
    if not names:
        found = read_judgements(study, request.annotators)
        names = list(found)
    if request.human_references and names:
        known = study.texts.reference_authors()
        authors = [resolve_name("author of references", name, known) for name in request.human_references]
        names = choose_references(names, authors)
    names = judgements_for(request.systems, names)
    if others := [name for name in names if name not in found]:
        found |= read_judgements(study, request.annotators, others)
    return {name: found[name] for name in names}


def read_data(
    study: Study, request: CorrelateRequest, judged: Mapping[str, Judgement] | None = None
) -> CorrelationData:
    """Read the scores and judgements of a request, of all systems of its selection and of all topics.

    judged: judgements by name; None = those of the request. Raises InputError for unknown names.
    """
    found = requested_judgements(study, request) if judged is None else judged
    comparison = load_comparison(
        study,
        {name: judgement.matrix for name, judgement in found.items()},
        measures=request.measures or None,
        systems=request.systems,
        annotators=request.annotators,
        with_made=request.include_experiments,
    )
    topics = {head.name: head for head in study.texts.topics()}
    cubes = rating_cubes(study, comparison, request.annotators)
    return CorrelationData(comparison, {name: one.ref for name, one in found.items()}, topics, cubes)


def rating_cubes(
    study: Study, comparison: Comparison, annotators: Sequence[str] = ()
) -> dict[str, RatingCube]:
    """Return the included ratings of each judgement that is a rating."""
    cubes = {human: included_ratings(study, human, annotators) for human in comparison.judgements}
    return {human: cube for human, cube in cubes.items() if cube is not None}


def load_data(study: Study, request: CorrelateRequest) -> CorrelationData:
    """Load the scores and judgements of a request.

    Raises InputError for unknown names and where nothing is judged or scored.
    """
    judged = requested_judgements(study, request)
    if not judged:
        raise InputError(NO_JUDGEMENTS)
    data = read_data(study, request, judged).within(request)
    if not data.comparison.refs:
        raise InputError(
            "References have not been scored as systems yet. Run `pyramidion score --humans` first."
            if request.systems is SystemSelection.WITH_HUMANS
            else NO_SCORES
        )
    hidden = len(study.scores.configs()) - len(listed_configs(study))
    if not hidden or request.include_experiments or request.measures:
        return data
    note = f"Hidden: {pluralize(hidden, 'configuration')} used only by experiments; --all includes them."
    return replace(data, notes=(*data.notes, note))


def restrict(comparison: Comparison, systems: Sequence[str], topics: Collection[str] | None) -> Comparison:
    """Return the comparison restricted to named systems, in its order, and topics; empty and None = all.

    Raises InputError for an unknown system.
    """
    if (not systems and topics is None) or not comparison.judgements:
        return comparison
    sides = (*comparison.judgements.values(), *comparison.scores)
    there = dict.fromkeys(name for side in sides for name in side.systems)
    systems = [resolve_name("system", name, there) for name in systems]
    every = {name for side in sides for name in side.topics}
    return comparison.select(set(systems or there), every if topics is None else topics)


def without_systems(comparison: Comparison, names: Collection[str]) -> Comparison:
    """Return the comparison without these systems. Raises InputError if fewer than three are left."""
    if not names:
        return comparison
    sides = (*comparison.judgements.values(), *comparison.scores)
    left = list(dict.fromkeys(name for side in sides for name in side.systems if name not in names))
    if len(left) < 3:
        some = pluralize(len(left), "system is", "systems are")
        raise InputError(f"Only {some} left after excluding the weakest. Exclude fewer.")
    return restrict(comparison, left, None)


def excluded_systems(comparison: Comparison, request: CorrelateRequest) -> tuple[str, ...]:
    """Return the systems that a request excludes as weak, weakest first."""
    if not comparison.judgements or (not request.weakest and request.below is None):
        return ()
    by = request.weak_by or next(iter(comparison.judgements))
    by = resolve_name("compared judgement", by, comparison.judgements)
    return weak_systems(comparison.judgements[by], request.weakest, request.below)


def weak_systems(judgement: ScoreMatrix, weakest: int, below: float | None = None) -> tuple[str, ...]:
    """Return systems with low means, lowest first; systems without judgements are not weak.

    weakest: their number. below: standard deviations (n - 1) of the system means below their mean.
    """
    means = judgement.system_means()
    order = [
        int(i)
        for i in np.argsort(round_values(means, judgement.values), kind="stable")
        if np.isfinite(means[i])
    ]
    gone = order[:weakest]
    if below is not None and len(order) > 1:
        judged = means[order]
        bound = judged.mean() - below * judged.std(ddof=1)
        gone += [i for i in order[weakest:] if means[i] < bound]
    return tuple(judgement.systems[i] for i in gone)


def _required_sizes(
    inputs: CorrelationInputs, one: InferenceResult, over: str, options: InferenceOptions
) -> JobSteps[list[Power | None]]:
    """Estimate the sample size that each measure's difference requires; None = not tested."""
    against, *others = one.family
    pairs = [(against, place) for place in others]
    powers = yield from required_sample_sizes(inputs, pairs, ResampleUnit(over), options)
    needed = dict(zip(others, powers, strict=True))
    return [needed.get(place) for place in range(len(inputs.x))]


def _policies(data: CorrelationData) -> list[str]:
    """Return the source of each judgement as a sentence."""
    nobody = "no included annotator has judged a summary yet."
    return [f"{name}: {ref.policy if ref.cells else nobody}" for name, ref in data.judgements.items()]


def _method_notes(done: Correlations, data: CorrelationData, request: CorrelateRequest) -> list[str]:
    """Return how p, intervals, differences and clusters were computed."""
    options, results = done.options, done.results.values()
    ranked = {human: done.comparison.ranked(human) for human in done.results}
    is_untested = any(set(ranked[one.human]) - set(one.family) for one in results)
    only_main = request.variants is Variants.MAIN and is_untested
    return [
        *_policies(data),
        *p_notes(options, request.level, request.coefficient),
        *interval_notes(options, request.level, results),
        *difference_notes(options, results, request.needed or "", only_main=only_main),
        *cluster_notes(options, done.groups),
        *(bound.sentence() for bound in done.upper_bounds),
    ]


def _data_notes(
    study: Study,
    data: CorrelationData,
    request: CorrelateRequest,
    refs: Sequence[MeasureRef],
    changed: Mapping[str, str],
) -> list[str]:
    """Return notes on the data: direction, small samples, ties, topics without a score, changed texts.

    refs: the measures, with what has changed; changed: the same in words.
    """
    comparison, humans = data.comparison, list(data.comparison.judgements)
    labels = [ref.label for ref in comparison.refs]
    topics = len(study.texts.topics())
    notes = [] if request.coefficient.is_accuracy else [lower_is_better(comparison.refs)]
    notes += [*data.notes, footnote_of(refs)]
    eligible = {human: comparison.eligibility(human) for human in humans}
    notes += ranking_notes(labels, eligible, "--common-topics compares all measures on their common topics.")
    by_signature = {ref.signature: [one for one in refs if one.signature == ref.signature] for ref in refs}
    for alike in by_signature.values():
        named = ", ".join(ref.label for ref in alike)
        if 0 < alike[0].topics_scored < topics:
            notes.append(f"{named}: scored in {alike[0].topics_scored} of {topics} topics.")
    notes += stale_notes(changed)
    for human in humans:
        inputs = correlation_inputs(comparison, human, *request.method)
        notes += [f"{human}: {sentence}" for sentence in cautions(inputs, labels)]
    if request.level is Level.SYSTEM:
        notes += comparison.text_cautions(humans)
    return [note for note in (*notes, *metric_notes(study, refs)) if note]
