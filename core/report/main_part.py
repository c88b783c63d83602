"""The main part of a report: what a reader of a paper needs, in some five pages.

The details of each section are in the appendix (`core.report.sections`).
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence

from core.agreement.analysis import AgreementOptions
from core.agreement.result import method_notes
from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import agreement_title, annotations_title
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.comparison.cautions import cautions, joined_cautions
from core.comparison.comparison import CorrelationRow
from core.comparison.eligibility import ranking_notes
from core.comparison.families import SELECTION
from core.comparison.inference import correlation_inputs
from core.comparison.measures import MeasureRef, better_when, lower_is_better
from core.comparison.noise_ceiling import ONE_ANNOTATOR, ONE_ANNOTATOR_NOTE, UpperBound
from core.comparison.options import SystemSelection
from core.comparison.stand_ins import footnote_of, marked_labels, stand_ins_among
from core.domain.assignment import Work
from core.domain.ratings import ScaleKind
from core.errors import InputError
from core.files.study_address import command_argument
from core.formatting.coefficients import COEFFICIENT_NAMES, LEVEL_TITLES, coefficient_title
from core.formatting.numbers import UNDEFINED, format_correlation, pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.operations.method_text import interval_cautions, tests_text
from core.progress import JobSteps
from core.report.bibliography import cited_data, cited_methods, data_origins
from core.report.model import ReportInputs, Section
from core.report.reproduction import report_command
from core.report.study_summary import study_facts
from core.stats.correlation import Level

MOST_JUDGEMENTS = 4
"""Judgements in the tables of the main part; all are in the appendix."""

_ONE_OF = ("pyramid", "nuggets")
"""Kinds of judgements with several scores of the same annotations."""

_AGREEMENT = "Agreement is that of the annotators whose values count in these judgements."

_LEVEL_WORDS = {
    Level.SYSTEM: "means of the systems over the topics that have both a score and a judgement",
    Level.TOPIC: "the systems of each topic, averaged over topics",
    Level.GLOBAL: "all summaries pooled",
}


def main_judgements(inputs: ReportInputs) -> list[str]:
    """Return the names of the judgements of the main part that have values.

    Unless judgements were chosen, one score of pyramids and of nuggets comes before their other scores.
    """
    judged = [ref.name for ref in inputs.judgements if ref.name in inputs.comparison.judgements]
    if not inputs.request.judgements:
        kinds = [name.partition(".")[0] for name in judged]
        is_further = [kind in _ONE_OF and kind in kinds[:place] for place, kind in enumerate(kinds)]
        judged = [name for _, name in sorted(zip(is_further, judged, strict=True), key=lambda pair: pair[0])]
    return judged[:MOST_JUDGEMENTS]


def data_section(inputs: ReportInputs) -> list[Section]:
    """Return the section on the data set."""
    people = (
        [f"Human summaries are excluded from the systems: {', '.join(inputs.left_out)}."]
        if inputs.left_out
        else []
    )
    missing = missing_contents(inputs)
    facts = (study_facts(inputs.study),)
    return [Section("Data", "study", (*missing, *people), facts, cited=cited_data(inputs))]


def joined_policies(inputs: ReportInputs) -> list[str]:
    """Return what is included in each judgement, judgements with the same policy together."""
    titles: dict[str, list[str]] = {}
    for ref in inputs.judgements:
        beginning = f"{ref.title}: "
        is_named = ref.policy.startswith(beginning)
        titles.setdefault(ref.policy.removeprefix(beginning) if is_named else ref.policy, []).extend(
            [ref.title] if is_named else []
        )
    return [f"{'; '.join(named)}: {policy}" if named else policy for policy, named in titles.items()]


def missing_contents(inputs: ReportInputs) -> list[str]:
    """Return what the study lacks for a comparison and how to add it."""
    missing = []
    if not inputs.study.texts.topics():
        missing.append("The study has no texts yet. Import a data set.")
    if not inputs.judgements:
        missing.append("The study has no human judgements yet. Match or rate summaries, or import ratings.")
    if not inputs.comparison.refs:
        missing.append(
            "No scores of references as systems yet. Run: pyramidion score --humans."
            if inputs.request.systems is SystemSelection.WITH_HUMANS
            else "No summaries are scored yet. Score them, or import scores."
        )
    if missing:
        missing.append("This report therefore contains no correlations.")
    return missing


def agreement_steps(inputs: ReportInputs) -> JobSteps[list[Section]]:
    """Return the section on judgements and the agreement of their annotators."""
    policies = joined_policies(inputs)
    found = yield from _counted_agreement(inputs)
    if not found.rows:
        alone = "No two annotators have annotated the same items, so agreement is unknown."
        return [Section("Annotation and agreement", "agreement", paragraphs=(*policies, alone))]
    return [
        Section(
            "Annotation and agreement",
            "agreement",
            paragraphs=(" ".join(policies), _AGREEMENT) if policies else (_AGREEMENT,),
            tables=(_agreement_table(found, most=2),),
        ),
        Section(
            "Agreement, all coefficients",
            "agreement-all",
            tables=(_agreement_table(found),),
            is_appendix=True,
        ),
    ]


def _counted_agreement(inputs: ReportInputs) -> JobSteps[AgreementTable]:
    """Return the agreement of the annotators who count, judgement by judgement.

    All are compared in annotations that are no judgement, such as categories and pyramids.
    """
    chosen, people = inputs.request.annotators, {ref.name: ref.annotators for ref in inputs.judgements}

    def counting(beginning: str) -> tuple[str, ...]:
        names = (who for name, each in people.items() if name.startswith(beginning) for who in each)
        return chosen or tuple(dict.fromkeys(names))

    scales = [scale for scale in inputs.study.ratings.dimensions() if scale.kind is not ScaleKind.TEXT]
    selections = [
        *(
            AgreementSelection((Work.RATINGS,), (one.name,), chosen or people.get(f"rating.{one.name}", ()))
            for one in scales
        ),
        AgreementSelection((Work.MATCHES,), (), counting("pyramid.")),
        AgreementSelection((Work.PYRAMIDS, Work.NUGGETS), (), chosen),
        AgreementSelection((Work.HITS,), (), counting("nugget.")),
        AgreementSelection((Work.COMPARISONS,), (), counting("preference.")),
    ]
    options = AgreementOptions()
    found = AgreementTable((), options.bootstrap.draws, options.bootstrap.seed, options.bootstrap.confidence)
    for selection in selections:
        try:
            table = yield from study_agreement(inputs.study, selection, options)
        except InputError:  # no two annotators have made these
            continue
        found = found.extended(table.rows, [note for note in table.notes if note not in found.notes])
    return found


def _agreement_table(found: AgreementTable, most: int = 0) -> Table:
    """Return a row for each kind of annotation and coefficient over all items.

    most: number of coefficients of each kind, the main ones first, 0 = all.
    """
    rows: list[tuple[Cell, ...]] = []
    every = found.select(grouping=Grouping.ALL)
    for what in dict.fromkeys(row.what for row in every):
        mine = [row for row in every if row.what == what]
        rows += [_agreement_cells(row) for row in mine[: most or None]]
    columns = [
        Column("Annotations", "what"),
        Column("Coefficient", "coefficient"),
        Column("Value", "value", CellKind.FINE_CORRELATION),
        Column("95 % interval", "interval"),
        Column("Items", "items", CellKind.COUNT),
        Column("Annotators", "annotators", CellKind.COUNT),
        Column("Remark", "remark"),
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    note = " ".join((*found.notes, *method_notes(found)))
    return Table("Agreement of annotators", tuple(columns), tuple(rows), note)


def _agreement_cells(row: AgreementRow) -> tuple[Cell, ...]:
    about, title = row.reason or row.note, agreement_title(row.coefficient)
    interval = _interval(row.low, row.high)
    return annotations_title(row.what), title, row.value, interval, row.items, len(row.annotators), about


def metrics_section(inputs: ReportInputs) -> list[Section]:
    """Return the section on the metrics of the main tables with their signatures."""
    refs = _main_refs(inputs)
    if not refs:
        return []
    labels = marked_labels(inputs.comparison.refs)
    rows = tuple((labels[ref.label], ref.topics_scored, ref.signature) for ref in refs)
    columns = (
        Column("Measure", "measure"),
        Column("Topics", "topics", CellKind.COUNT),
        Column("Signature", "signature", CellKind.CODE),
    )
    note = " ".join(filter(None, (lower_is_better(refs), footnote_of(refs))))
    table = Table("Measures and signatures", columns, rows, note)
    others = len(inputs.comparison.refs) - len(refs)
    more = (
        f" {pluralize(others, 'other measure is', 'other measures are')} in the appendix."
        if others and inputs.request.has_appendix
        else f" {pluralize(others, 'other measure is', 'other measures are')} not listed."
        if others
        else ""
    )
    text = f"A signature reproduces the run of a metric.{more}"
    return [Section("Metrics", "metrics", paragraphs=(text,), tables=(table,))]


def results_section(inputs: ReportInputs) -> list[Section]:
    """Return one table per level: value, interval and cluster of each main measure."""
    humans = main_judgements(inputs)
    if not inputs.comparison.refs or not humans:
        return []
    tables = tuple(_result_table(inputs, level, humans) for level in inputs.request.levels)
    left_out = len(inputs.comparison.judgements) - len(humans)
    paragraphs = []
    if left_out > 0:
        total = pluralize(len(inputs.comparison.judgements), "judgement")
        rest = "; the appendix has all" if inputs.request.has_appendix else ""
        paragraphs.append(f"The tables have {len(humans)} of {total}{rest}.")
    return [Section("Results", "results", paragraphs=tuple(paragraphs), tables=tables)]


def _result_table(inputs: ReportInputs, level: Level, humans: Sequence[str]) -> Table:
    """Return the table of a level, the best measure of the first judgement on top."""
    comparison, coefficient = inputs.comparison, inputs.request.coefficient
    by_name = {(row.human, row.measure): row for row in inputs.correlations[level].rows}
    labels = marked_labels(comparison.refs)
    places = _order(inputs, level, humans[0], by_name)
    columns = [Column("Measure", "measure")]
    grouped = [inputs.groups(level, human) for human in humans]
    has_clusters = any(one is not None and not one.reason for one in grouped)
    width = 3 if has_clusters else 2
    for human in humans:
        title = inputs.title_of(human)
        symbol = COEFFICIENT_NAMES[coefficient].split()[-1]
        columns += [
            Column(symbol, f"{human} {coefficient.value}", CellKind.CORRELATION, title),
            Column("95 %", f"{human} interval", group=title),
        ]
        columns += [Column("C", f"{human} cluster", CellKind.COUNT, title)] if has_clusters else []
    has_lower = bool(lower_is_better(comparison.refs))
    columns += [Column("Better", "better", is_in_note=True)] if has_lower else []
    columns += [Column("Out of date", "out_of_date", is_in_note=True)] if inputs.changed else []
    marks = has_lower + bool(inputs.changed)
    cells: list[tuple[Cell, ...]] = []
    tops = [_top_group(inputs, level, human) for human in humans]
    bold: set[tuple[int, int]] = set()
    for at, place in enumerate(places):
        label = comparison.refs[place].label
        row: list[Cell] = [labels[label]]
        for number, human in enumerate(humans):
            intervals, group = inputs.inference(level, human).intervals, grouped[number]
            low, high = float(intervals.low[place]), float(intervals.high[place])
            if place in tops[number] and low * high > 0:
                bold.add((at, 1 + width * number))
            interval = _interval(low, high)
            row += [by_name[human, label].value, interval]
            row += [(group.ranks[place] if group else 0) or None] if has_clusters else []
        row += [better_when(comparison.refs[place])] if has_lower else []
        row += [inputs.changed.get(label, "")] if inputs.changed else []
        cells.append(tuple(row))
    bounds = [inputs.agreement(level, human) for human in humans]
    if any(bounds):
        own = (cell for bound in bounds for cell in _annotator_cells(bound)[:width])
        cells.append((ONE_ANNOTATOR, *own, *[None] * marks))
    note = " ".join(_result_notes(inputs, level, humans))
    title = f"{LEVEL_TITLES[level]} level: {coefficient_title(coefficient)} with human judgements"
    return Table(title, tuple(columns), tuple(cells), note, bold=frozenset(bold))


def _top_group(inputs: ReportInputs, level: Level, human: str) -> frozenset[int]:
    """Return the measures that differ from none above them, where others do; else none.

    Those of the first cluster; without clusters, the best and those that do not differ from it.
    """
    groups, inference = inputs.groups(level, human), inputs.inference(level, human)
    if groups is not None and not groups.reason:
        ranks = {place: rank for place, rank in enumerate(groups.ranks) if rank}
        top = frozenset(place for place, rank in ranks.items() if rank == 1)
        return top if len(top) < len(ranks) else frozenset()
    alpha = 1 - inputs.request.confidence
    top = frozenset(place for place in inference.family if not inference.adjusted[place] < alpha)
    return top if len(top) < len(inference.family) else frozenset()


def _annotator_cells(bound: UpperBound | None) -> tuple[Cell, Cell, Cell]:
    """Return the value, interval and cluster of one annotator for one judgement."""
    return (None, UNDEFINED, None) if bound is None else (bound.one, _interval(bound.low, bound.high), None)


def _annotator_notes(inputs: ReportInputs, level: Level, humans: Sequence[str]) -> Iterator[str]:
    """Yield sentences on the row of the annotators, judgements with the same caution together."""
    named: dict[str, list[str]] = {}
    for human in humans:
        if bound := inputs.agreement(level, human):
            named.setdefault(bound.note, []).append(inputs.title_of(human))
    if named:
        yield f"{ONE_ANNOTATOR_NOTE}."
    for caution, titles in named.items():
        if caution:
            who = f"{'; '.join(titles)}: " if len(named) > 1 else ""
            yield f"{who}{caution}." if who else f"{caution[0].upper()}{caution[1:]}."


def _result_notes(inputs: ReportInputs, level: Level, humans: Sequence[str]) -> list[str]:
    refs = _main_refs(inputs)
    notes = list(_cluster_notes(inputs, level, humans))
    notes += _annotator_notes(inputs, level, humans)
    estimates = [inputs.inference(level, human).intervals for human in humans]
    notes += interval_cautions(estimates, inputs.request.inference().draws, inputs.main)
    eligible = {human: inputs.comparison.eligibility(human) for human in humans}
    main = {human: [each[place] for place in inputs.main] for human, each in eligible.items()}
    notes += ranking_notes([ref.label for ref in refs], main)
    notes += level_cautions(inputs, level, humans, inputs.main)
    notes += inputs.stale_notes([ref.label for ref in refs])
    notes += [lower_is_better(refs), footnote_of(refs)]
    return [note for note in notes if note]


def _cluster_notes(inputs: ReportInputs, level: Level, humans: Sequence[str]) -> Iterator[str]:
    """Yield what clusters and bold numbers mean, and for which judgements there are no clusters."""
    groups = {human: found for human in humans if (found := inputs.groups(level, human))}
    bold = "interval without 0, and not all"
    if any(not one.reason for one in groups.values()):
        yield f"C: cluster; bold: cluster 1, {bold}."
    reasons: dict[str, list[str]] = {}
    for human, one in groups.items():
        if one.reason:
            reasons.setdefault(one.reason, []).append(inputs.title_of(human))
    for reason, titles in reasons.items():
        who = f" for {'; '.join(titles)}" if len(titles) < len(humans) else ""
        tests = max(inputs.inference(level, human).tests for human in groups)
        yield (
            f"No clusters{who}: {reason}. Bold instead: the best and the measures that do not differ from it "
            f"significantly (Holm over {pluralize(tests, 'comparison')} with the best), {bold}."
        )


def _order(
    inputs: ReportInputs, level: Level, human: str, rows: dict[tuple[str, str], CorrelationRow]
) -> list[int]:
    """Return the places of the main measures: by the correlation with a judgement, those not ranked last."""
    refs = inputs.comparison.refs
    ranked = set(inputs.comparison.ranked(human))

    def key(place: int) -> tuple[bool, float]:
        value = rows[human, refs[place].label].ranked_by
        return place not in ranked, -value if math.isfinite(value) else math.inf

    return sorted(inputs.main, key=key)


def _main_refs(inputs: ReportInputs) -> list[MeasureRef]:
    return [inputs.comparison.refs[place] for place in inputs.main]


def methods_section(inputs: ReportInputs) -> list[Section]:
    """Return how the numbers were computed, in words."""
    request, comparison = inputs.request, inputs.comparison
    if not comparison.refs or not inputs.judgements:
        return []
    options, symbol = request.inference(), COEFFICIENT_NAMES[request.coefficient]
    systems, topics = comparison.size()
    levels = " ".join(f"{LEVEL_TITLES[level]} level: {_LEVEL_WORDS[level]}." for level in request.levels)
    humans = ", ".join(ref.title for ref in inputs.judgements)
    configs = len({ref.signature for ref in comparison.refs})
    title = coefficient_title(request.coefficient)
    named = title if title == symbol else f"{title} ({symbol})"
    first = (
        f"We compare {pluralize(configs, 'metric configuration')} with "
        f"{pluralize(len(inputs.judgements), 'human judgement')} ({humans}) on "
        f"{pluralize(topics, 'topic')} and {pluralize(systems, 'system')}, by "
        f"{named}. {levels} The main tables have one measure of each metric: F where it has one, else its "
        "score."
    )
    groups = [group for one in inputs.correlations.values() for group in one.groups.values()]
    draws = max((group.draws for group in groups if group.tests), default=options.draws)
    second = (
        f"Intervals are {100 * options.confidence:g} % BCa bootstrap intervals over systems and topics "
        f"({options.draws:,} resamples, seed {options.seed}). Differences between measures are tested by "
        f"{tests_text(options.test)} ({draws:,} permutations, two-sided), with Holm's adjustment over all "
        "pairs of a judgement. From the best measure down, a new cluster begins at a measure that differs "
        "significantly from one in the current cluster, as WMT ranks metrics."
    )
    return [Section("Methods", "methods", paragraphs=(first, second), cited=cited_methods(inputs))]


def limits_section(inputs: ReportInputs) -> list[Section]:
    """Return what a reader must know before using the numbers."""
    comparison = inputs.comparison
    if not comparison.refs or not inputs.judgements:
        return []
    humans = list(comparison.judgements)
    sentences = [
        *inputs.stale_notes(),
        *(one for level in inputs.request.levels for one in level_cautions(inputs, level, humans)),
        *unranked_notes(inputs),
        *stand_ins_among(comparison.refs),
        *comparison.text_cautions(human.name for human in inputs.judgements),
        *_judged_once(inputs),
        f"{SELECTION}.",
        "At the global level, summaries of one topic or system are not independent.",
        "Correlations hold for these systems, topics and judgements; they do not show that a measure works "
        "for other data.",
    ]
    return [Section("Limits", "limits", paragraphs=tuple(dict.fromkeys(sentences)))]


def unranked_notes(inputs: ReportInputs) -> list[str]:
    """Return sentences on measures that are not ranked, by judgement."""
    comparison = inputs.comparison
    eligibility = {human: comparison.eligibility(human) for human in comparison.judgements}
    return ranking_notes([ref.label for ref in comparison.refs], eligibility)


def _judged_once(inputs: ReportInputs) -> list[str]:
    """Return a sentence on judgements by one annotator."""
    titles = [ref.title for ref in inputs.judgements if len(ref.annotators) == 1]
    if not titles:
        return []
    return [f"Judged by one annotator, so that agreement is unknown: {'; '.join(titles)}."]


def level_cautions(
    inputs: ReportInputs, level: Level, humans: Sequence[str], places: Sequence[int] | None = None
) -> list[str]:
    """Return the cautions on the correlations of a level, those of all judgements first.

    places: indices of the measures, None = all.
    """
    comparison = inputs.comparison if places is None else inputs.comparison.part(places)
    method = level, inputs.request.coefficient, inputs.request.undefined
    labels = [ref.label for ref in comparison.refs]
    each = {
        inputs.title_of(human): cautions(correlation_inputs(comparison, human, *method), labels)
        for human in humans
    }
    found, variants = inputs.correlations[level], inputs.request.variants
    best = (one for human in humans for one in found.best_cautions(human, inputs.title_of(human), variants))
    return [*joined_cautions(each), *best]


def reproduction_section(inputs: ReportInputs) -> list[Section]:
    """Return how to check the report, and the digest of the study."""
    study = command_argument(inputs.study.path)
    digest = inputs.digest
    text = (
        "The command pyramidion replay scores a copy of the study again, recomputes every number of this "
        "report and lists what differs."
    )
    if inputs.request.has_appendix:
        text += " All commands and the versions of all software are in the appendix."
    written = "report.html" if inputs.request.output == "-" else inputs.request.output
    lines = (
        f"# SHA-256 over the study's texts, annotations and ratings: {digest}",
        report_command(inputs),
        shlex.join(["pyramidion", "replay", written, "--study", study]),
    )
    origins = (origin.sentence for origin in data_origins(inputs.study))
    return [Section("Reproduction", "reproduction", paragraphs=(*origins, text), code=lines)]


def _interval(low: float, high: float) -> str:
    if not math.isfinite(low) or not math.isfinite(high):
        return UNDEFINED
    return f"[{format_correlation(low)}, {format_correlation(high)}]"
