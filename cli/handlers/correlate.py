"""`pyramidion correlate`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from cli.console import print_csv, print_json, print_message, print_table, run_with_progress
from cli.handlers.correlate_inference import (
    Columns,
    format_row,
    group_all,
    headers,
    infer_all,
    p_method,
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
from core.comparison.comparison import (
    Comparison,
    CorrelationRow,
    SystemSelection,
    judgements_for,
    load_comparison,
)
from core.comparison.eligibility import Eligibility, Status, ranking_notes
from core.comparison.families import Variants
from core.comparison.filters import Filter, apply_filter, excluded_systems
from core.comparison.inference import CorrelationInputs, InferenceOptions, correlation_inputs, signs_of
from core.comparison.judgements import included_ratings, judgements
from core.comparison.measures import MeasureRef
from core.comparison.measures import measures as stored_measures
from core.comparison.noise_ceiling import UpperBound, judgement_noise_ceiling
from core.comparison.pyramid_judgements import choose_references
from core.comparison.stand_ins import footnote_of, marked_labels
from core.domain.ratings import RatingCube
from core.errors import InputError
from core.experiments.inputs.topic_filters import topics_of_set
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, format_score, pluralize
from core.ports import Study
from core.scoring.experiment_scores import listed_configs
from core.stats.correlation import Coefficient

_OF_ROW = (
    "measure",
    "signature",
    "human",
    "level",
    "coefficient",
    "value",
    "p",
    "p_method",
    "tie_threshold",
    "n",
    "dropped",
    "stand_in",
)
_OF_RANKING = ("status", "coverage", "reason")
COLUMNS = (*_OF_ROW, *_OF_RANKING)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the study says before chance is asked.

    cubes: a rating's numbers by judgement. policies: whose opinion each judgement is. warnings: what a reader
    must know.
    """

    comparison: Comparison
    rows: Sequence[CorrelationRow]
    cubes: Mapping[str, RatingCube]
    policies: Mapping[str, str]
    warnings: Sequence[str]

    def eligibility(self) -> list[Eligibility]:
        """Of each row, whether it is ranked."""
        return [one for human in self.comparison.judgements for one in self.comparison.eligibility(human)]

    def samples(self, question: CorrelationOptions) -> dict[str, CorrelationInputs]:
        """By judgement, what its correlations are of."""
        asked = question.correlation()
        return {
            human: correlation_inputs(self.comparison, human, *asked, self.cubes.get(human))
            for human in self.comparison.judgements
        }


def correlate_study(
    path: Path,
    question: CorrelationOptions,
    taking_part: FilterOptions,
    doubt: InferenceArguments,
    form: OutputOptions,
) -> None:
    """Print how well every measure follows the judgements. Raises InputError on unknown names."""
    with open_sound(path) as study:
        answer = _answer(study, question, taking_part)
    if not answer.rows:
        raise InputError(_unscored(taking_part.kinds()))
    if doubt.needed and not doubt.compare:
        raise InputError("--needed is about differences; say with --compare from which measure.")
    chance, samples = doubt.chance(), answer.samples(question)
    variants = doubt.variants(question)
    columns = _columns(answer, samples, doubt, variants)
    reached = _reached(samples, chance) if doubt.upper_bound else []
    rows = _rows(answer, columns, chance)
    _put(answer, rows, columns, reached, form)
    policy = [f"{name}: {sentence}" for name, sentence in answer.policies.items()]
    untested = [
        cells for cells in rows if cells.get("in_family") is False and cells["status"] == Status.RANKED
    ]
    only_main = variants is Variants.MAIN and bool(untested)
    told = policy_of(chance, columns, doubt.needed or "", only_main=only_main)
    bounds = [bound.sentence() for bound in reached]
    for sentence in (*policy, *told, *bounds, *_lower(answer), *answer.warnings, *_dashes(answer.rows)):
        print_message(sentence)


def _answer(study: Study, question: CorrelationOptions, taking_part: FilterOptions) -> Answer:
    annotators, systems = taking_part.chosen_annotators(), taking_part.kinds()
    wanted = _wanted(study, question.human or [], question.references(), annotators, systems)
    policies = _policies(study, wanted, annotators)
    whole = load_comparison(
        study,
        list(policies),
        measures=question.measure or None,
        systems=systems,
        annotators=annotators,
        with_made=question.with_made,
    )
    topics = frozenset(topics_of_set(study, taking_part.topic_set)) if taking_part.topic_set else None
    part = taking_part.part(topics)
    comparison = apply_filter(whole, part)
    limits = []
    if taking_part.common_topics:
        every, comparison = comparison.size(), comparison.common()
        limits = [_limited(every, comparison.size())]
    rows = comparison.rows(*question.correlation())
    told = _warnings(study, comparison, rows, with_made=question.with_made)
    warnings = [*limits, *_left_out(whole, part), *_apart(study, question), *told]
    return Answer(comparison, rows, _cubes(study, comparison, annotators), policies, warnings)


def _limited(every: tuple[int, int], left: tuple[int, int]) -> str:
    topics, systems = f"{left[1]} of {every[1]} topics", f"{left[0]} of {every[0]} systems"
    return f"Common topics: {topics} and {systems}, those that every measure has scored in whole."


def _columns(
    answer: Answer, samples: Mapping[str, CorrelationInputs], doubt: InferenceArguments, variants: Variants
) -> Columns:
    comparison, chance, needed = answer.comparison, doubt.chance(), doubt.needed or ""
    standings = run_with_progress(
        infer_all(comparison, samples, answer.cubes, chance, variants), "Correlating", "No result was kept."
    )
    wants = run_with_progress(
        required_sizes_all(comparison, samples, standings, needed, chance),
        "Simulating",
        "No result was kept.",
    )
    groups = (
        run_with_progress(
            group_all(comparison, samples, chance, variants), "Testing every pair", "No result was kept."
        )
        if doubt.clusters
        else {}
    )
    return Columns(standings, wants, groups)


def _cubes(study: Study, comparison: Comparison, annotators: Sequence[str]) -> dict[str, RatingCube]:
    cubes = {human: included_ratings(study, human, annotators) for human in comparison.judgements}
    return {human: cube for human, cube in cubes.items() if cube is not None}


def _reached(samples: Mapping[str, CorrelationInputs], chance: InferenceOptions) -> list[UpperBound]:
    """How far people agree. Raises InputError where no judgement is a rating."""
    found = [
        judgement_noise_ceiling(human, sample, chance.simulated, chance.seed)
        for human, sample in samples.items()
    ]
    if not any(found):
        raise InputError("--upper-bound is about ratings; none is compared here. Choose one with --human.")
    return [bound for bound in found if bound is not None]


def _left_out(whole: Comparison, part: Filter) -> list[str]:
    gone = excluded_systems(apply_filter(whole, replace(part, weakest=0, below=None)), part)
    return [f"Left out as weak: {', '.join(gone)}."] if gone else []


def _apart(study: Study, question: CorrelationOptions) -> list[str]:
    """A sentence on measures that are left out as experiments alone have scored them."""
    count = len(study.configs()) - len(listed_configs(study))
    if question.with_made or question.measure or not count:
        return []
    return [f"Left out: {pluralize(count, 'configuration')} of sweeps and recipes alone; --all shows them."]


def _wanted(
    study: Study,
    humans: Sequence[str],
    references: Sequence[str],
    annotators: Sequence[str],
    systems: SystemSelection,
) -> list[str]:
    """Names of the judgements that count, all where none is named, by the references and systems chosen."""
    names = list(dict.fromkeys(humans)) or [ref.name for ref in judgements(study, annotators)]
    if not names:
        raise InputError(
            "This study has no judgements yet. Import ratings, or rate or match summaries first."
        )
    return judgements_for(systems, choose_references(names, references) if references else names)


def _policies(study: Study, names: Sequence[str], annotators: Sequence[str]) -> dict[str, str]:
    """Whose opinion each judgement is, and what counts."""
    found = zip(names, judgements(study, annotators, names), strict=True)
    return {name: ref.policy if ref.cells else _NOBODY for name, ref in found}


_NOBODY = "nobody who counts has judged a summary yet."


def _unscored(systems: SystemSelection) -> str:
    if systems is SystemSelection.WITH_HUMANS:
        return "No measure of this study scored references as systems. Run `pyramidion score --humans` first."
    return "This study has no scores yet. Run `pyramidion score` first."


def _rows(answer: Answer, columns: Columns, chance: InferenceOptions) -> list[dict[str, Any]]:
    """Return the rows of JSON and CSV."""
    found, eligible = answer.rows, answer.eligibility()
    return [
        {
            **_row(row),
            "p": columns.p_of(row, place),
            "p_method": p_method(chance, row, columns),
            **_ranking(one),
            **{name: columns.cell(row.human, place, name) for name in columns.names()},
        }
        for row, one, place in zip(found, eligible, places_of(found), strict=True)
    ]


def _put(
    answer: Answer,
    rows: Sequence[dict[str, Any]],
    columns: Columns,
    reached: Sequence[UpperBound],
    form: OutputOptions,
) -> None:
    more = columns.names()
    if form.as_json:
        bounds = {"upper_bounds": [asdict(bound) for bound in reached]} if reached else {}
        print_json({"rows": rows, **bounds})
    elif form.as_csv:
        print_csv(rows, (*COLUMNS, *more))
    else:
        _show(answer, rows, more, marked_labels(answer.comparison.refs))


def _ranking(one: Eligibility) -> dict[str, str]:
    """Whether a row is ranked: ``ranked``, ``same-family`` or ``incomplete``, how much it has, and why."""
    return dict(zip(_OF_RANKING, (one.status.value, one.coverage, one.sentence), strict=True))


def _lower(answer: Answer) -> list[str]:
    """Return which measures are better when lower, so that the best correlation is negative."""
    signs = signs_of(answer.comparison.refs, answer.rows[0].coefficient)
    labels = [ref.label for ref, sign in zip(answer.comparison.refs, signs, strict=True) if sign < 0]
    negated = "the correlation is negated to find its place and the best"
    return [f"Lower is better: {', '.join(labels)}; {negated}, and printed as it is."] if labels else []


def _dashes(rows: Sequence[CorrelationRow]) -> list[str]:
    if all(math.isfinite(row.value) for row in rows):
        return []
    return [f"{UNDEFINED}: undefined, for one side is constant or there are fewer than three pairs."]


def _warnings(
    study: Study, comparison: Comparison, found: Sequence[CorrelationRow], *, with_made: bool
) -> list[str]:
    """What a reader of the numbers must know: small samples, ties, topics without a score, texts changed."""
    shown = {row.measure for row in found}
    refs = [ref for ref in stored_measures(study, with_made=with_made) if ref.label in shown]
    by_signature: dict[str, list[MeasureRef]] = defaultdict(list)
    for ref in refs:
        by_signature[ref.signature].append(ref)
    topics = len(study.topics())
    labels_of_all = [ref.label for ref in comparison.refs]
    told = [footnote_of(refs)] if footnote_of(refs) else []
    eligible = {human: comparison.eligibility(human) for human in comparison.judgements}
    told += ranking_notes(labels_of_all, eligible, _COMMON)
    for of_it in by_signature.values():
        labels = ", ".join(ref.label for ref in of_it)
        if 0 < of_it[0].topics_scored < topics:
            told.append(f"{labels}: scored in {of_it[0].topics_scored} of {topics} topics.")
        if of_it[0].is_stale:
            told.append(f"{labels}: texts or annotations have changed since the scoring; score again.")
    return [*told, *_cautions(comparison, found), *metric_notes(study, refs)]


_COMMON = "--common-topics compares all on the topics that they share."


def _cautions(comparison: Comparison, found: Sequence[CorrelationRow]) -> list[str]:
    labels = [ref.label for ref in comparison.refs]
    told = []
    for human in dict.fromkeys(row.human for row in found):
        sample = correlation_inputs(comparison, human, found[0].level, found[0].coefficient)
        told += [f"{human}: {sentence}" for sentence in cautions(sample, labels)]
    return told


def _row(row: CorrelationRow) -> dict[str, Any]:
    return {column: _plain(getattr(row, column)) for column in _OF_ROW if column != "p_method"}


def _marked(rows: Sequence[dict[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows with the names of measures as tables show them."""
    keys = ("measure", "compared_with")
    return [{**row, **{key: names.get(row[key], row[key]) for key in keys if key in row}} for row in rows]


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value


def _show(
    answer: Answer, cells: Sequence[Mapping[str, Any]], more: Sequence[str], names: Mapping[str, str]
) -> None:
    """The rows of each judgement, those that are ranked first, the best on top, its own family last.

    names: of the measures, with a dagger at stand-ins.
    """
    rows, eligible = answer.rows, answer.eligibility()
    signs = signs_of(answer.comparison.refs, rows[0].coefficient)
    every = zip(rows, eligible, cells, (float(signs[place]) for place in places_of(rows)), strict=True)
    found = [each[:3] for each in sorted(every, key=lambda each: _place(each[0], each[1], each[3]))]
    shown = [
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
    is_accuracy = rows[0].coefficient is Coefficient.ACCURACY
    title = f"{coefficient_title(rows[0].coefficient)} at {rows[0].level} level"
    value = "Pairwise accuracy" if is_accuracy else "Correlation"
    heads = {"human": "Judgement", "measure": "Measure", "value": value, **headers(more)}
    heads |= {"tie_threshold": "Tie threshold"} if is_accuracy else {"p": f"p ({_short(cells)})"}
    heads |= {"n": "n", "dropped": "dropped"}
    if any(one.note for one in eligible):
        heads["note"] = "Note"
    if any(row.stand_in for row in rows):
        heads["stand_in"] = "Stand-in"
    print_table(_marked(shown, names), heads, title=title, right=[key for key in heads if key not in _WORDS])


def _short(cells: Sequence[Mapping[str, Any]]) -> str:
    """Return the procedure that p is of, for the heading."""
    method = str(cells[0]["p_method"])
    return "bootstrap" if "bootstrap" in method else method


def _place(row: CorrelationRow, one: Eligibility, sign: float) -> tuple[str, int, float]:
    value = -sign * row.value if math.isfinite(row.value) else 2.0
    return row.human, list(Status).index(one.status), value


_WORDS = ("human", "measure", "note", "stand_in", "compared_with")
