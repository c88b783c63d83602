"""Figures of a report, and the sections of its appendix, one function each."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.comparison.cautions import metric_notes
from core.comparison.comparison import CorrelationRow
from core.comparison.eligibility import ranking_notes
from core.comparison.families import SELECTION, family_words
from core.comparison.inference import InferenceResult, p_caution, p_method
from core.comparison.measures import MeasureRef, better_when, lower_is_better
from core.comparison.stand_ins import footnote_of, marked_labels, stand_in_of, stand_ins_among
from core.comparison.study_digest import StudyContents, study_contents
from core.errors import PyramidionError
from core.experiments.registry import parse_recipe, parse_request
from core.experiments.runner import study_inputs
from core.figures import scatter_and_heatmap
from core.figures.charts import chart
from core.figures.palette import Palette
from core.files.allowed_names import NotAllowed
from core.files.study_address import command_argument
from core.formatting.coefficients import COEFFICIENT_NAMES, LEVEL_HEADINGS, coefficient_title
from core.formatting.numbers import format_correlation, pluralize
from core.formatting.tables import MARK, PLAIN_ENDS, STAND_IN, Cell, CellKind, Column, Table, interval_ends
from core.matrix import ScoreMatrix
from core.operations.method_text import RULES, interval_cautions, interval_text, permutation_text
from core.ports import ExperimentRecord, Study
from core.report.main_part import (
    joined_policies,
    level_cautions,
    main_judgements,
    missing_contents,
    unranked_notes,
)
from core.report.model import FigureSvg, ReportInputs, Section
from core.report.reproduction import commands, versions
from core.results.result import Chart, Result, from_text
from core.stats.correlation import CLASSIC, Coefficient, Level, UndefinedPolicy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEVEL_POLICIES = {
    Level.SYSTEM: (
        "System level: correlation of system means over the topics with both a score and a judgement. "
        "n: systems; dropped: judged systems without a score."
    ),
    Level.TOPIC: (
        "Topic level: correlation across the systems of each topic, averaged over topics. n: topics; "
        "dropped: topics without a correlation."
    ),
    Level.GLOBAL: (
        "Global level: correlation over all summaries pooled. n: summaries; dropped: judged but not scored."
    ),
}
_UNDEFINED_POLICIES = {
    UndefinedPolicy.SKIP: "Undefined correlations (constant values or fewer than three pairs) are excluded.",
    UndefinedPolicy.ZERO: "Undefined correlations (constant values or fewer than three pairs) count as 0.",
    UndefinedPolicy.ERROR: "All correlations are defined; an undefined one would have been an error.",
}


def details_section(inputs: ReportInputs) -> list[Section]:
    """Return all policies behind the numbers."""
    people = (
        [f"Human summaries are excluded from the systems: {', '.join(inputs.left_out)}."]
        if inputs.left_out
        else []
    )
    return [
        Section(
            "Details of the methods",
            "policies",
            paragraphs=(
                *missing_contents(inputs),
                *joined_policies(inputs),
                *people,
                *(_LEVEL_POLICIES[level] for level in inputs.request.levels),
                _UNDEFINED_POLICIES[inputs.request.undefined],
                *unranked_notes(inputs),
                *metric_notes(inputs.study, inputs.comparison.refs),
            ),
        )
    ]


def figures_section(inputs: ReportInputs) -> list[Section]:
    """Return a heatmap of the main measures and judgements, and a scatter plot of the first one's best."""
    humans = main_judgements(inputs)
    rows = _rows(inputs, Level.SYSTEM, inputs.request.coefficient)
    if not any(math.isfinite(row.value) for row in rows):
        return []
    best = _best_of_each(inputs, rows)[:1]
    figures = [_heatmap(inputs, rows, inputs.main, humans), *(_scatter(inputs, row) for row in best)]
    return [Section("Figures", "overview", illustrations=tuple(figures))]


def other_figures_section(inputs: ReportInputs) -> list[Section]:
    """Return a heatmap of all measures and judgements, unless all are main ones, and the other scatter plots.

    These show the best measure for each judgement after the first.
    """
    rows = _rows(inputs, Level.SYSTEM, inputs.request.coefficient)
    figures = [_scatter(inputs, row) for row in _best_of_each(inputs, rows)[1:]]
    every, humans = range(len(inputs.comparison.refs)), [human.name for human in inputs.judgements]
    has_more = len(inputs.main) < len(every) or len(main_judgements(inputs)) < len(humans)
    if has_more and any(math.isfinite(row.value) for row in rows):
        figures.append(_heatmap(inputs, rows, every, humans, "All measures and judgements"))
    return [Section("More figures", "scatter", illustrations=tuple(figures))] if figures else []


def _best_of_each(inputs: ReportInputs, rows: Sequence[CorrelationRow]) -> list[CorrelationRow]:
    return [best[0] for human in inputs.judgements if (best := _best_rows(inputs, rows, human.name, 1))]


def correlation_sections(inputs: ReportInputs) -> list[Section]:
    """Return a section for each level with a table for each judgement."""
    return [
        Section(
            LEVEL_HEADINGS[level],
            f"correlation-{level.value}",
            paragraphs=tuple(_common_notes(inputs, level)),
            tables=tuple(_correlation_tables(inputs, level)),
        )
        for level in inputs.request.levels
        if inputs.comparison.refs and inputs.judgements
    ]


def _method_notes(inputs: ReportInputs, level: Level, human: str) -> list[str]:
    """Return sentences on how the intervals and p-values of a table were computed."""
    options, coefficient = inputs.request.inference(), inputs.request.coefficient
    chosen, notes = (options, level, coefficient), []
    if inputs.inference(level, human).intervals.are_any:
        name = COEFFICIENT_NAMES[coefficient]
        notes.append(f"low, high: 95 % interval of {name}, {interval_text(options, level)}.")
    if method := p_method(*chosen):
        notes.append(f"p: test of no correlation, {method}; report --coefficient gives that of others.")
    if caution := p_caution(*chosen):
        notes.append(f"p {caution}.")
    return notes


def _common_notes(inputs: ReportInputs, level: Level) -> list[str]:
    """Return the sentences on methods that hold for all tables of a level."""
    each = [_method_notes(inputs, level, human.name) for human in inputs.judgements]
    return [note for note in each[0] if all(note in notes for notes in each)]


def means_section(inputs: ReportInputs) -> list[Section]:
    """Return each system's mean by every judgement and measure, and bars of the best ones."""
    named = _named_matrices(inputs)
    systems = tuple(sorted({name for _, _, matrix in named for name in matrix.systems}))
    if not systems:
        return []
    means = [matrix.select(systems, matrix.topics).system_means() for _, _, matrix in named]
    columns = [Column("System", "system"), *(Column(title, key, CellKind.SCORE) for title, key, _ in named)]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(float(mean[i]) for mean in means)) for i, name in enumerate(systems)
    )
    parts = ("Means over each system's topics.", *inputs.stale_notes(), footnote_of(inputs.comparison.refs))
    note = " ".join(parts).strip()
    table = Table("System means", tuple(columns), rows, note)
    keys = [key for _, key, _ in named]
    places = [keys.index(key) for key in _leading(inputs)]
    values = np.column_stack([means[i] for i in places])
    bars = scatter_and_heatmap.SystemMeans(systems, tuple(named[i][0] for i in places), values)
    drawn = footnote_of(ref for ref in inputs.comparison.refs if ref.label in {keys[i] for i in places})
    caption = f"System means, ordered by {bars.measures[0]}. {drawn}".strip()
    picture = illustration(
        "Systems ranked", caption, lambda palette: scatter_and_heatmap.bars(bars, palette), is_wide=True
    )
    return [Section("System scores", "systems", tables=(table,), illustrations=(picture,))]


def experiment_sections(inputs: ReportInputs) -> list[Section]:
    """Return a section for each stored result, oldest first; stale results are left out.

    A result of other studies that the user has not allowed cannot be checked: its section says so.
    """
    study = inputs.study
    records = [record for record in study.experiments.all() if record.result]
    if not records:
        return []
    contents = study_contents(study)
    now = study_inputs(study, contents=contents).hash
    built = []
    for record in reversed(records):
        try:
            if record.inputs_hash == now or _is_fresh_beside(study, record, contents):
                built.append(_experiment_section(record, command_argument(study.path)))
        except NotAllowed as error:
            sentence = f"Left out, as its inputs cannot be checked. {error}"
            built.append(Section(*_heading(record), paragraphs=(sentence,)))
    return built


def _is_fresh_beside(study: Study, record: ExperimentRecord, contents: StudyContents) -> bool:
    """Return whether a result that also read other studies is up to date. Raises NotAllowed."""
    ask, name = (parse_recipe, record.recipe) if record.recipe else (parse_request, record.experiment)
    try:
        experiment = ask(name, record.settings).experiment
        reads_others = bool(experiment.corpus_hash(study))
    except NotAllowed:
        raise
    except PyramidionError:  # unknown to this version, or a deleted study
        return False
    return reads_others and record.inputs_hash == study_inputs(study, experiment, contents).hash


def _heading(record: ExperimentRecord) -> tuple[str, str]:
    """Return the title and the anchor of a result's section."""
    return f"Experiment: {record.title}", f"experiment-{record.id[:8]}"


def _experiment_section(record: ExperimentRecord, study: str) -> Section:
    result = from_text(record.result, record.title)
    title, anchor = _heading(record)
    draw = partial(_experiment_figure, result=result, anchor=anchor)
    return Section(
        title=title,
        anchor=anchor,
        paragraphs=(*result.policy, *result.stand_ins, *result.warnings),
        tables=result.tables,
        illustrations=tuple(draw(each, place=place) for place, each in enumerate(result.charts)),
        code=(_experiment_command(record, study),),
    )


def _experiment_figure(drawn: Chart, *, result: Result, anchor: str, place: int) -> FigureSvg:
    light, draw_dark = scatter_and_heatmap.to_svg_of_both_modes(
        partial(chart, drawn), drawn.title, salt=f"{anchor} {place}"
    )
    return FigureSvg(drawn.title, light, draw_dark, " ".join(result.policy[:1]), is_wide=True)


def _experiment_command(record: ExperimentRecord, study: str) -> str:
    """Return the command that reproduces a result, with every setting explicit."""
    source = ["--recipe", record.recipe] if record.recipe else ["--experiment", record.experiment]
    settings = [word for key, value in record.settings.items() for word in ("-s", f"{key}={value}")]
    return shlex.join(["pyramidion", "resample", study, *source, *settings])


def recipe_section(inputs: ReportInputs) -> list[Section]:
    """Return the full signatures, the commands that reproduce the numbers, and software versions."""
    texts, code = commands(inputs)
    return [
        *_signature_sections(inputs),
        Section("Commands", "repeat", paragraphs=tuple(texts), code=tuple(code)),
        Section("Software versions", "versions", tables=(versions(inputs.digest),)),
    ]


Builder = Callable[[ReportInputs], list[Section]]

APPENDIX: tuple[tuple[str, Builder], ...] = (
    ("More figures", other_figures_section),
    ("Details of the methods", details_section),
    ("Correlations", correlation_sections),
    ("Systems", means_section),
    ("Experiments", experiment_sections),
    ("Reproduction", recipe_section),
)
"""Sections of the appendix in order, with the label shown while each is built."""


def _rows(inputs: ReportInputs, level: Level, coefficient: Coefficient) -> list[CorrelationRow]:
    return inputs.comparison.rows(level, coefficient, inputs.request.undefined)


def _correlation_tables(inputs: ReportInputs, level: Level) -> list[Table]:
    """Return a table for each judgement, the best measure on top, by the coefficient of the options.

    That coefficient has an interval with its p and a test against the best; the other coefficients follow.
    """
    first = inputs.request.coefficient
    coefficients = list(dict.fromkeys((first, *CLASSIC)))
    found = inputs.correlations[level]
    by_coefficient = [found.rows, *(_rows(inputs, level, coefficient) for coefficient in coefficients[1:])]
    has_stand_ins = any(stand_in_of(ref.config) for ref in inputs.comparison.refs)
    refs, tables, common = inputs.comparison.refs, [], _common_notes(inputs, level)
    shown = marked_labels(refs)
    for human in inputs.judgements:
        eligible = inputs.comparison.eligibility(human.name)
        inference = inputs.inference(level, human.name)
        mine = [at for at in found.in_order() if found.rows[at].human == human.name]
        order = [at % len(refs) for at in mine]
        has_p = bool(p_method(found.options, level, first))
        heads = _heads(coefficients, inference, has_p=has_p)
        cells = [
            _cells([rows[at] for rows in by_coefficient], inference, at % len(refs), shown, has_p=has_p)
            for at in mine
        ]
        if lower_is_better(refs):
            heads.append(Column("Better", "better", is_in_note=True))
            cells = [(*row, better_when(refs[i])) for row, i in zip(cells, order, strict=True)]
        if has_stand_ins:
            heads.append(Column("Stand-in", STAND_IN, is_in_note=True))
            cells = [
                (*row, found.rows[at].stand_in.removeprefix("stand-in: "))
                for row, at in zip(cells, mine, strict=True)
            ]
        if inputs.changed:
            heads.append(Column("Out of date", "out_of_date", is_in_note=True))
            cells = [
                (*row, inputs.changed.get(refs[i].label, "")) for row, i in zip(cells, order, strict=True)
            ]
        if any(one.note for one in eligible):
            heads.append(Column("Note", "note", is_in_note=True))
            cells = [(*row, eligible[i].note) for row, i in zip(cells, order, strict=True)]
        title = f"{human.title}, {level.value} level"
        unranked = ranking_notes([ref.label for ref in refs], {human.name: eligible})
        parts = (
            f"Judgement {human.name}.",
            *level_cautions(inputs, level, [human.name]),
            *inputs.stale_notes(),
            *(note for note in _method_notes(inputs, level, human.name) if note not in common),
            *_inference_notes(inputs, inference),
            *unranked,
            lower_is_better(refs),
            footnote_of(refs),
        )
        tables.append(Table(title, tuple(heads), tuple(cells), " ".join(part for part in parts if part)))
    return tables


def _heads(coefficients: Sequence[Coefficient], inference: InferenceResult, *, has_p: bool) -> list[Column]:
    """Return the columns: only the first coefficient has an interval, p and a test, all of one method."""
    columns = [Column("Measure", "measure"), Column("Family", "family")]
    for at, coefficient in enumerate(coefficients):
        group = coefficient_title(coefficient)
        symbol = COEFFICIENT_NAMES[coefficient].split()[-1]
        columns.append(Column(symbol, coefficient.value, CellKind.CORRELATION, group))
        if at:
            continue
        if inference.intervals.are_any:
            columns += interval_ends(CellKind.CORRELATION, "", PLAIN_ENDS, group)
        if has_p:
            columns.append(Column("p", f"{coefficient.value}_p", CellKind.P, group))
        if inference.against:
            columns.append(Column("p (diff.)", "p_difference", CellKind.P, group))
    return [*columns, Column("n", "n", CellKind.COUNT), Column("dropped", "dropped", CellKind.COUNT)]


def _cells(
    same: Sequence[CorrelationRow],
    inference: InferenceResult,
    place: int,
    shown: Mapping[str, str],
    *,
    has_p: bool,
) -> tuple[Cell, ...]:
    """Return a row for the columns of `_heads`. place: index of the measure. shown: names by label."""
    first, intervals = same[0], inference.intervals
    chosen = [intervals.low, intervals.high] if intervals.are_any else []
    chosen += [intervals.p] if has_p else []
    chosen += [inference.adjusted] if inference.against else []
    numbers = [first.value, *(float(each[place]) for each in chosen), *(row.value for row in same[1:])]
    return shown[first.measure], first.family, *numbers, first.n, first.dropped


def _inference_notes(inputs: ReportInputs, inference: InferenceResult) -> list[str]:
    """Return sentences on how the intervals and tests of a table were computed."""
    request = inputs.request
    sentences = interval_cautions([inference.intervals], request.inference().draws)
    if inference.against:
        rule, symbol = RULES[request.adjust], COEFFICIENT_NAMES[request.coefficient]
        words = family_words(inference.human, inference.against, inference.tests, rule, is_best=True)
        sentences.append(
            f"p (diff.) of {symbol}: {permutation_text(request.test)}, two-sided; {words}. {SELECTION}."
        )
        sentences += filter(None, inference.reasons)
        if untestable := inference.untestable:
            sentences.append(f"{untestable[0].upper()}{untestable[1:]}.")
    return sentences


def _signature_sections(inputs: ReportInputs) -> list[Section]:
    if not inputs.comparison.refs:
        return []
    tables = (_signatures(inputs),)
    paragraphs = (*stand_ins_among(inputs.comparison.refs), *inputs.stale_notes())
    return [Section("Signatures", "signatures", paragraphs=paragraphs, tables=tables)]


def _signatures(inputs: ReportInputs) -> Table:
    """Return a row for each configuration: measures, number of scored topics, command."""
    by_signature: dict[str, list[MeasureRef]] = {}
    for ref in inputs.comparison.refs:
        by_signature.setdefault(ref.signature, []).append(ref)
    columns = (
        Column("Measures", "measures"),
        Column("Topics", "topics", CellKind.COUNT),
        Column("Signature", "signature", CellKind.CODE),
    )
    rows = tuple(
        (", ".join(marked_labels(refs).values()), refs[0].topics_scored, signature)
        for signature, refs in by_signature.items()
    )
    return Table(
        "Full signatures",
        columns,
        rows,
        f"The study has {pluralize(len(inputs.study.texts.topics()), 'topic')}. "
        f"{footnote_of(inputs.comparison.refs)}".strip(),
    )


def _best_rows(
    inputs: ReportInputs, rows: Sequence[CorrelationRow], human: str, count: int
) -> list[CorrelationRow]:
    """Return the ranked measures with the highest correlation; lower-is-better measures are negated.

    Only the main measure of each metric counts, as in tests, unless measures were selected for the report.
    """
    refs = inputs.comparison.refs
    variants = inputs.request.variants
    ranked = {refs[place].label for place in inputs.comparison.family(human, variants)}
    mine = [row for row in rows if row.human == human and math.isfinite(row.value) and row.measure in ranked]
    return sorted(mine, key=lambda row: -row.ranked_by)[:count]


def _leading(inputs: ReportInputs) -> list[str]:
    """Return the first judgement and its three best measures, else the first four available."""
    humans = [ref.name for ref in inputs.judgements]
    if not humans or not inputs.comparison.refs:
        return (humans + [_measure_key(inputs, ref.label) for ref in inputs.comparison.refs])[:4]
    rows = _rows(inputs, Level.SYSTEM, inputs.request.coefficient)
    best = [row.measure for row in _best_rows(inputs, rows, humans[0], 3)]
    return [humans[0], *(_measure_key(inputs, label) for label in best)]


def _named_matrices(inputs: ReportInputs) -> list[tuple[str, str, ScoreMatrix]]:
    """Return title, key and matrix of every judgement and measure, whose names can coincide."""
    titles = {ref.name: ref.title for ref in inputs.judgements}
    judged = [(titles[name], name, m) for name, m in inputs.comparison.judgements.items()]
    labels = marked_labels(inputs.comparison.refs)
    measured = [(labels[m.label], _measure_key(inputs, m.label), m) for m in inputs.comparison.scores]
    return [*judged, *measured]


def _measure_key(inputs: ReportInputs, label: str) -> str:
    return f"{label} (measure)" if label in inputs.comparison.judgements else label


def _heatmap(
    inputs: ReportInputs,
    rows: Sequence[CorrelationRow],
    places: Sequence[int],
    humans: Sequence[str],
    title: str = "Measures and judgements",
) -> FigureSvg:
    """Return a heatmap. places: indices of the measures. humans: names of the judgements."""
    titles = {ref.name: ref.title for ref in inputs.judgements if ref.name in humans}
    drawn = [row for row in rows if row.human in titles]
    grid = scatter_and_heatmap.correlation_grid(inputs.comparison, titles, drawn, places)
    description = f"{coefficient_title(inputs.request.coefficient)} of system means; darker = stronger."
    footnote = footnote_of(inputs.comparison.refs[place] for place in places)
    caption = " ".join((description, *unranked_notes(inputs), footnote)).strip()
    return illustration(
        title, caption, lambda palette: scatter_and_heatmap.heatmap(grid, palette), is_wide=True
    )


def _scatter(inputs: ReportInputs, best: CorrelationRow) -> FigureSvg:
    points = inputs.comparison.points(best.measure, best.human, Level.SYSTEM, best.coefficient)
    human = inputs.title_of(best.human)
    mark, stand_in = (MARK, f" {MARK} {best.stand_in}.") if best.stand_in else ("", "")
    scope = (
        ""
        if inputs.request.measures
        else "Only the main measure of each metric (F, else score) is considered. "
    )
    caption = (
        f"Highest correlation with {human}: {COEFFICIENT_NAMES[best.coefficient]} = "
        f"{format_correlation(best.value)}, n = {best.n}, {best.dropped} dropped. "
        f"{scope}Least-squares line with the 95 % band of its mean. The best measure was chosen on "
        f"the same data, so its correlation is optimistic.{stand_in}"
    )
    title = f"{best.measure}{mark} against {human}"
    return illustration(
        title, caption, lambda palette: scatter_and_heatmap.scatter(points, palette, human_title=human)
    )


def illustration(
    title: str, caption: str, draw: Callable[[Palette], Figure], *, is_wide: bool = False
) -> FigureSvg:
    """Return a figure drawn in both modes. draw: takes a palette."""
    light, draw_dark = scatter_and_heatmap.to_svg_of_both_modes(draw, title, salt=title)
    return FigureSvg(title, light, draw_dark, caption, is_wide)
