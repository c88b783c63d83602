"""`pyramidion correlate`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from cli.console import print_csv, print_json, print_message, print_table, run_with_progress
from cli.handlers.correlate_inference import (
    P_CAUTION,
    Columns,
    format_row,
    group_all,
    headers,
    infer_all,
    places_of,
    policy_of,
    required_sizes_all,
)
from cli.opening import open_sound
from cli.options.correlation import CorrelationOptions
from cli.options.filters import FilterOptions
from cli.options.inference import InferenceArguments
from cli.options.output import OutputOptions
from core.comparison.cautions import cautions, metric_notes
from core.comparison.comparison import Comparison, CorrelationRow, judgements_for, load_comparison
from core.comparison.eligibility import Eligibility, Status, ranking_notes
from core.comparison.filters import Filter, apply_filter, excluded_systems
from core.comparison.inference import (
    CorrelationInputs,
    correlation_inputs,
    p_caution,
    p_method,
    short_p_method,
)
from core.comparison.judgements import included_ratings, judgements
from core.comparison.measures import MeasureRef, lower_is_better
from core.comparison.measures import measures as stored_measures
from core.comparison.noise_ceiling import UpperBound, judgement_noise_ceiling
from core.comparison.options import InferenceOptions, SystemSelection, Variants
from core.comparison.pyramid_judgements import choose_references
from core.comparison.stand_ins import footnote_of, marked_labels, stand_in_of
from core.comparison.topic_correlations import topic_correlations
from core.domain.ratings import RatingCube
from core.errors import InputError
from core.experiments.inputs.topic_filters import topics_of_set
from core.files.study_address import StudyAddress
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, format_score, pluralize
from core.ports import Study
from core.scoring.experiment_scores import listed_configs
from core.stats.correlation import Coefficient, Level

_OF_ROW = (
    "measure",
    "signature",
    "human",
    "level",
    "coefficient",
    "value",
    "p",
    "p_method",
    "p_caution",
    "tie_threshold",
    "n",
    "dropped",
    "stand_in",
    "higher_is_better",
    "ranked_by",
)
_OF_P = ("p", "p_method", "p_caution")
_OF_RANKING = ("status", "coverage", "reason")
COLUMNS = (*_OF_ROW, *_OF_RANKING)


@dataclass(frozen=True, slots=True)
class Correlations:
    """Correlations of a study before statistical inference.

    cubes: the ratings of each judgement that is a rating. policies: the source of each judgement. warnings:
    notes on the data.
    """

    comparison: Comparison
    rows: Sequence[CorrelationRow]
    cubes: Mapping[str, RatingCube]
    policies: Mapping[str, str]
    warnings: Sequence[str]

    def eligibility(self) -> list[Eligibility]:
        """Return for each row whether it is ranked."""
        return [one for human in self.comparison.judgements for one in self.comparison.eligibility(human)]

    def samples(self, selection: CorrelationOptions) -> dict[str, CorrelationInputs]:
        """Return the values correlated for each judgement."""
        against = selection.correlation()
        return {
            human: correlation_inputs(self.comparison, human, *against, self.cubes.get(human))
            for human in self.comparison.judgements
        }


@dataclass(frozen=True, slots=True)
class CorrelationTable:
    """The result of `pyramidion correlate`.

    rows: one per judgement and measure, values as in JSON, by column. more: columns of inference.
    upper_bounds: of the judgements that are ratings, if requested. needed: units whose required number is a
    column, empty = none. notes: sentences on data and methods.
    """

    rows: Sequence[Mapping[str, Any]]
    more: tuple[str, ...]
    upper_bounds: Sequence[UpperBound]
    notes: tuple[str, ...]
    needed: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns, in order."""
        return (*COLUMNS, *self.more)


def correlate_study(
    path: StudyAddress,
    selection: CorrelationOptions,
    filters: FilterOptions,
    inference: InferenceArguments,
    form: OutputOptions,
) -> None:
    """Print the correlation of every measure with the judgements. Raises InputError on unknown names."""
    with open_sound(path) as study:
        answer = load_correlations(study, selection, filters)
    table = correlation_table(answer, selection, filters, inference)
    _print_rows(answer, table, form)
    for sentence in table.notes:
        print_message(sentence)


def correlate_topics(
    path: StudyAddress, selection: CorrelationOptions, filters: FilterOptions, form: OutputOptions
) -> None:
    """Print the correlation in each topic. Raises InputError on unknown names and where nothing is scored."""
    with open_sound(path) as study:
        answer = load_correlations(study, replace(selection, level=Level.TOPIC), filters)
    table = correlations_by_topic(answer, filters)
    comparison, coefficient, rows = answer.comparison, selection.coefficient, table.rows
    if form.as_json:
        print_json({"rows": rows})
    elif form.as_csv:
        print_csv(rows, TOPIC_COLUMNS)
    else:
        heads = {
            "human": "Judgement",
            "measure": "Measure",
            "topic": "Topic",
            "value": "Correlation",
            "n": "n",
        }
        heads |= {"reason": "Undefined because"} if any(row["reason"] for row in rows) else {}
        texts = [{**row, "value": format_correlation(row["value"], 3)} for row in rows]
        title = f"{coefficient_title(coefficient)} in each topic"
        marked = _marked(texts, marked_labels(comparison.refs))
        print_table(marked, heads, title=title, right=("value", "n"))
    for sentence in table.notes:
        print_message(sentence)


TOPIC_COLUMNS = ("human", "measure", "topic", "coefficient", "value", "n", "reason", "stand_in")


@dataclass(frozen=True, slots=True)
class TopicRows:
    """Correlations in each topic, by column, and sentences on data and methods."""

    rows: Sequence[Mapping[str, Any]]
    notes: tuple[str, ...]


def correlations_by_topic(answer: Correlations, filters: FilterOptions) -> TopicRows:
    """Return the correlation in each topic, by judgement and measure.

    answer: correlations at topic level. Raises InputError where there are no scores.
    """
    if not answer.rows:
        raise InputError(_missing_scores(filters.systems))
    comparison, coefficient = answer.comparison, answer.rows[0].coefficient
    stand_ins = {ref.label: stand_in_of(ref.config) for ref in comparison.refs}
    rows = [
        {**asdict(one), "coefficient": str(coefficient), "stand_in": stand_ins[one.measure]}
        for human in comparison.judgements
        for one in topic_correlations(comparison, human, coefficient)
    ]
    policy = [f"{name}: {sentence}" for name, sentence in answer.policies.items()]
    return TopicRows(rows, (*policy, *_lower(answer), *answer.warnings))


def correlation_table(
    answer: Correlations,
    selection: CorrelationOptions,
    filters: FilterOptions,
    inference: InferenceArguments,
) -> CorrelationTable:
    """Return correlations with the requested inference. Raises InputError where there are no scores."""
    if not answer.rows:
        raise InputError(_missing_scores(filters.systems))
    if inference.needed and not inference.compare:
        raise InputError("--needed requires --compare MEASURE, as it is about differences between measures.")
    options, samples = inference.options(), answer.samples(selection)
    variants = inference.variants(selection)
    columns = _columns(answer, samples, inference, variants)
    upper_bounds = _upper_bounds(samples, options) if inference.upper_bound else []
    rows = _rows(answer, columns, options)
    policy = [f"{name}: {sentence}" for name, sentence in answer.policies.items()]
    untested = [
        cells for cells in rows if cells.get("in_family") is False and cells["status"] == Status.RANKED
    ]
    only_main = variants is Variants.MAIN and bool(untested)
    notes = policy_of(
        options, selection.level, selection.coefficient, columns, inference.needed or "", only_main=only_main
    )
    bounds = [bound.sentence() for bound in upper_bounds]
    sentences = (*policy, *notes, *bounds, *_lower(answer), *answer.warnings, *_dashes(answer.rows))
    return CorrelationTable(rows, columns.names(), upper_bounds, sentences, inference.needed or "")


def load_correlations(study: Study, selection: CorrelationOptions, filters: FilterOptions) -> Correlations:
    """Return the correlations of a study, without inference. Raises InputError on unknown names."""
    annotators, systems = filters.chosen_annotators(), filters.systems
    selected = _selected(study, selection.human or [], selection.references(), annotators, systems)
    policies = _policies(study, selected, annotators)
    whole = load_comparison(
        study,
        list(policies),
        measures=selection.measure or None,
        systems=systems,
        annotators=annotators,
        with_made=selection.with_made,
    )
    topics = frozenset(topics_of_set(study, filters.topic_set)) if filters.topic_set else None
    part = filters.to_filter(topics)
    comparison = apply_filter(whole, part)
    limits = []
    if filters.common_topics:
        every, comparison = comparison.size(), comparison.common()
        limits = [_limited(every, comparison.size())]
    rows = comparison.rows(*selection.correlation())
    notes = _warnings(study, comparison, rows, with_made=selection.with_made)
    warnings = [*limits, *_excluded(whole, part), *_hidden(study, selection), *notes]
    return Correlations(comparison, rows, _cubes(study, comparison, annotators), policies, warnings)


def _limited(every: tuple[int, int], left: tuple[int, int]) -> str:
    topics, systems = f"{left[1]} of {every[1]} topics", f"{left[0]} of {every[0]} systems"
    return f"Common topics: {topics} and {systems} are scored by every measure."


def _columns(
    answer: Correlations,
    samples: Mapping[str, CorrelationInputs],
    inference: InferenceArguments,
    variants: Variants,
) -> Columns:
    comparison, options, needed = answer.comparison, inference.options(), inference.needed or ""
    standings = run_with_progress(
        infer_all(comparison, samples, answer.cubes, options, variants), "Correlating", "No result was saved."
    )
    wants = run_with_progress(
        required_sizes_all(comparison, samples, standings, needed, options),
        "Simulating",
        "No result was saved.",
    )
    groups = (
        run_with_progress(
            group_all(comparison, samples, options, variants), "Testing every pair", "No result was saved."
        )
        if inference.clusters
        else {}
    )
    return Columns(standings, wants, groups)


def _cubes(study: Study, comparison: Comparison, annotators: Sequence[str]) -> dict[str, RatingCube]:
    cubes = {human: included_ratings(study, human, annotators) for human in comparison.judgements}
    return {human: cube for human, cube in cubes.items() if cube is not None}


def _upper_bounds(samples: Mapping[str, CorrelationInputs], options: InferenceOptions) -> list[UpperBound]:
    """Estimate inter-annotator agreement. Raises InputError where no judgement is a rating."""
    rows = [
        run_with_progress(
            judgement_noise_ceiling(human, sample, options.simulated, options.seed),
            "Measuring agreement",
            "No result was saved.",
        )
        for human, sample in samples.items()
    ]
    if not any(rows):
        raise InputError("--upper-bound requires a rating. Choose one with --human.")
    return [bound for bound in rows if bound is not None]


def _excluded(whole: Comparison, part: Filter) -> list[str]:
    gone = excluded_systems(apply_filter(whole, replace(part, weakest=0, below=None)), part)
    return [f"Excluded weak systems: {', '.join(gone)}."] if gone else []


def _hidden(study: Study, selection: CorrelationOptions) -> list[str]:
    """Return a note on measures that are hidden because only experiments have scored them."""
    count = len(study.scores.configs()) - len(listed_configs(study))
    if selection.with_made or selection.measure or not count:
        return []
    return [f"Hidden: {pluralize(count, 'configuration')} used only by experiments; --all includes them."]


def _selected(
    study: Study,
    humans: Sequence[str],
    references: Sequence[str],
    annotators: Sequence[str],
    systems: SystemSelection,
) -> list[str]:
    """Return the names of the selected judgements, all if none is given, for the references and systems."""
    names = list(dict.fromkeys(humans)) or [ref.name for ref in judgements(study, annotators)]
    if not names:
        raise InputError(
            "This study has no judgements yet. Import ratings, or rate or match summaries first."
        )
    return judgements_for(systems, choose_references(names, references) if references else names)


def _policies(study: Study, names: Sequence[str], annotators: Sequence[str]) -> dict[str, str]:
    """Return the source of each judgement as a sentence."""
    found = zip(names, judgements(study, annotators, names), strict=True)
    return {name: ref.policy if ref.cells else _NOBODY for name, ref in found}


_NOBODY = "no included annotator has judged a summary yet."


def _missing_scores(systems: SystemSelection) -> str:
    if systems is SystemSelection.WITH_HUMANS:
        return "References have not been scored as systems yet. Run `pyramidion score --humans` first."
    return "This study has no scores yet. Run `pyramidion score` first."


def _rows(answer: Correlations, columns: Columns, options: InferenceOptions) -> list[dict[str, Any]]:
    """Return the rows of JSON and CSV."""
    found, eligible = answer.rows, answer.eligibility()
    return [
        {
            **_row(row),
            "p": columns.p_of(row, place),
            "p_method": p_method(options, row.level, row.coefficient),
            "p_caution": p_caution(options, row.level, row.coefficient),
            **_ranking(one),
            **{name: columns.cell(row.human, place, name) for name in columns.names()},
        }
        for row, one, place in zip(found, eligible, places_of(found), strict=True)
    ]


def _print_rows(answer: Correlations, table: CorrelationTable, form: OutputOptions) -> None:
    if form.as_json:
        upper_bounds = [asdict(bound) for bound in table.upper_bounds]
        print_json({"rows": table.rows, **({"upper_bounds": upper_bounds} if upper_bounds else {})})
    elif form.as_csv:
        print_csv(table.rows, table.columns)
    else:
        _show(answer, table, marked_labels(answer.comparison.refs))


def _ranking(one: Eligibility) -> dict[str, str]:
    """Return a row's status (a value of `Status`), its coverage, and the reason."""
    return dict(zip(_OF_RANKING, (one.status.value, one.coverage, one.sentence), strict=True))


def _lower(answer: Correlations) -> list[str]:
    """Return a note on measures that are better when lower."""
    has_sign = not answer.rows[0].coefficient.is_accuracy
    return [sentence] if has_sign and (sentence := lower_is_better(answer.comparison.refs)) else []


def _dashes(rows: Sequence[CorrelationRow]) -> list[str]:
    if all(math.isfinite(row.value) for row in rows):
        return []
    return [f"{UNDEFINED}: undefined (constant values or fewer than three pairs)."]


def _warnings(
    study: Study, comparison: Comparison, rows: Sequence[CorrelationRow], *, with_made: bool
) -> list[str]:
    """Return notes on the data: small samples, ties, topics without a score, changed texts."""
    measures = {row.measure for row in rows}
    refs = [ref for ref in stored_measures(study, with_made=with_made) if ref.label in measures]
    by_signature: dict[str, list[MeasureRef]] = defaultdict(list)
    for ref in refs:
        by_signature[ref.signature].append(ref)
    topics = len(study.texts.topics())
    labels_of_all = [ref.label for ref in comparison.refs]
    notes = [footnote_of(refs)] if footnote_of(refs) else []
    eligible = {human: comparison.eligibility(human) for human in comparison.judgements}
    notes += ranking_notes(labels_of_all, eligible, _COMMON)
    for of_it in by_signature.values():
        labels = ", ".join(ref.label for ref in of_it)
        if 0 < of_it[0].topics_scored < topics:
            notes.append(f"{labels}: scored in {of_it[0].topics_scored} of {topics} topics.")
        if of_it[0].is_stale:
            notes.append(f"{labels}: texts or annotations have changed since scoring; score again.")
    is_system = bool(rows) and rows[0].level is Level.SYSTEM
    moving = comparison.text_cautions(comparison.judgements) if is_system else []
    return [*notes, *_cautions(comparison, rows), *moving, *metric_notes(study, refs)]


_COMMON = "--common-topics compares all measures on their common topics."


def _cautions(comparison: Comparison, found: Sequence[CorrelationRow]) -> list[str]:
    labels = [ref.label for ref in comparison.refs]
    notes = []
    for human in dict.fromkeys(row.human for row in found):
        sample = correlation_inputs(comparison, human, found[0].level, found[0].coefficient)
        notes += [f"{human}: {sentence}" for sentence in cautions(sample, labels)]
    return notes


def _row(row: CorrelationRow) -> dict[str, Any]:
    return {column: _plain(getattr(row, column)) for column in _OF_ROW if column not in _OF_P}


def _marked(rows: Sequence[dict[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows with the display names of measures."""
    keys = ("measure", "compared_with")
    return [{**row, **{key: names.get(row[key], row[key]) for key in keys if key in row}} for row in rows]


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value


def _show(answer: Correlations, table: CorrelationTable, names: Mapping[str, str]) -> None:
    """Print the rows of each judgement: ranked measures first, best on top, the judgement's own family last.

    names: display names of measures, with a dagger for stand-ins.
    """
    rows, eligible, cells = answer.rows, answer.eligibility(), table.rows
    found = sorted(zip(rows, eligible, cells, strict=True), key=lambda each: _place(each[0], each[1]))
    display_rows = [
        {
            "human": row.human,
            "measure": row.measure,
            "value": format_correlation(row.value, 3),
            "p": format_p(of_row["p"]),
            "tie_threshold": format_score(row.tie_threshold, 4),
            "n": row.n,
            "dropped": row.dropped,
            "note": one.note,
            "stand_in": row.stand_in.removeprefix("stand-in: "),
            **format_row(of_row),
        }
        for row, one, of_row in found
    ]
    coefficient = rows[0].coefficient
    title = f"{coefficient_title(rows[0].coefficient)} at {rows[0].level} level"
    value = coefficient_title(coefficient) if coefficient.is_accuracy else "Correlation"
    heads = {"human": "Judgement", "measure": "Measure", "value": value, **headers(table.more, table.needed)}
    if method := cells[0]["p_method"]:
        mark = f" {P_CAUTION}" if cells[0]["p_caution"] else ""
        heads |= {"p": f"p ({short_p_method(method)}){mark}"}
    elif coefficient is Coefficient.ACCURACY:
        heads |= {"tie_threshold": "Tie threshold"}
    heads |= {"n": "n", "dropped": "dropped"}
    if any(one.note for one in eligible):
        heads["note"] = "Note"
    if any(row.stand_in for row in rows):
        heads["stand_in"] = "Stand-in"
    print_table(
        _marked(display_rows, names), heads, title=title, right=[key for key in heads if key not in _WORDS]
    )


def _place(row: CorrelationRow, one: Eligibility) -> tuple[str, int, float]:
    value = -row.ranked_by if math.isfinite(row.value) else 2.0
    return row.human, list(Status).index(one.status), value


_WORDS = ("human", "measure", "note", "stand_in", "compared_with")
