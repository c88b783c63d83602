"""Content of the Compare page's table."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from core.comparison.cautions import cautions, joined_cautions
from core.comparison.comparison import CorrelationRow, ScatterPoints
from core.comparison.eligibility import Eligibility, Status, ranking_notes
from core.comparison.families import SELECTION, family_words
from core.comparison.inference import InferenceResult, correlation_inputs, p_caution, p_method, short_p_method
from core.comparison.measures import MeasureRef
from core.comparison.noise_ceiling import ONE_ANNOTATOR, UpperBound
from core.comparison.options import InferenceOptions, SystemSelection, Variants
from core.comparison.staleness_text import stale_notes
from core.comparison.stand_ins import footnote_of, mark_stand_in, marked_labels, stand_in_of
from core.formatting.coefficients import SYMBOLS, coefficient_title, explanation
from core.formatting.numbers import format_count, format_p, format_score, pluralize
from core.formatting.tables import PLAIN_ENDS, STAND_IN, Cell, CellKind, Column, Table, interval_ends
from core.operations.columns import CorrelationColumn
from core.operations.correlate import CorrelationData
from core.operations.method_text import RULES, interval_cautions, methods_line
from core.operations.options import CorrelateRequest
from core.stats.correlation import Correlation
from core.stats.resampling.intervals import Intervals
from core.stats.types import Coefficient, Level, UndefinedPolicy
from gui.pages.compare.correlation_cache import DEFAULT_REQUEST
from gui.pages.compare.values import JudgementColumn, MeasureCell, MeasureRow, MeasureTable
from gui.style.language import tr

_DROPPED = {
    UndefinedPolicy.SKIP: "undefined values are omitted",
    UndefinedPolicy.ZERO: "undefined values count as 0",
    UndefinedPolicy.ERROR: "undefined values are an error",
}

_PAIRS = {Level.SYSTEM: "system pairs", Level.TOPIC: "within-topic pairs", Level.GLOBAL: "summary pairs"}
"""The pairs that pairwise accuracy counts."""


_LISTED = 4
"""Names of excluded systems in a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class TableContent:
    """Data of the table of a request.

    columns: one per judgement. results, agreements: likewise, None = none, or not computed yet.
    current_column: the judgement that p against the best is about.
    stale: by label of each measure that is out of date what has changed, a sentence.
    notes: of metrics, while scoring. remedy: the label of the button that addresses the first warning.
    """

    data: CorrelationData
    columns: Sequence[CorrelationColumn]
    results: Sequence[InferenceResult | None]
    request: CorrelateRequest = DEFAULT_REQUEST
    stale: Mapping[str, str] = field(default_factory=dict)
    current_column: int = 0
    notes: Sequence[str] = ()
    remedy: str = ""
    agreements: Sequence[UpperBound | None] = ()

    def agreement(self, column: int) -> UpperBound | None:
        """The agreement of the annotators behind a column; None = none, or not computed yet."""
        return self.agreements[column] if self.agreements else None

    @property
    def humans(self) -> list[str]:
        return [column.human for column in self.columns]

    def eligibility(self, column: int) -> Sequence[Eligibility]:
        """Each measure's part in the ranking of a column."""
        return self.data.comparison.eligibility(self.humans[column])

    @property
    def method(self) -> str:
        """The methods of intervals and tests in one line; empty = neither."""
        result = self.results[self.current_column]
        return methods_line(self.request.inference(), self.request.level, result.tests if result else 0)


def table_of(content: TableContent) -> MeasureTable:
    refs, current = content.data.comparison.refs, content.current_column
    cells = [cells_of(content, place) for place in range(len(content.columns))]
    return MeasureTable(
        columns=tuple(_column(content, place) for place in range(len(content.columns))),
        rows=tuple(
            MeasureRow(
                ref.label,
                ref.family,
                ref.signature,
                tuple(column[i] for column in cells),
                ref.label in content.stale,
                stand_in_of(ref.config),
                not ref.higher_is_better,
            )
            for i, ref in _in_order(content, refs)
        ),
        fact=pluralize(len(refs), "measure"),
        footer=footer(content),
        method=method_line(content),
        warnings=(
            *(column.refusal for column in content.columns if column.refusal),
            *p_warning(content),
            *content.data.notes,
            *_unranked(content, [current]),
            *cautions_of(content, current),
            *content.notes,
        ),
        remedy=content.remedy,
        against_best=_against_best(content),
        p_method=p_name(content),
        lowest=0.0 if content.request.coefficient.is_accuracy else -1.0,
    )


def cautions_of(content: TableContent, place: int) -> list[str]:
    """Return the cautions on a column: on samples and texts, and on a best measure that may be none.

    The most serious come first.
    """
    column, comparison = content.columns[place], content.data.comparison
    inputs = correlation_inputs(comparison, column.human, *content.request.method)
    found, result = [*cautions(inputs, [ref.label for ref in comparison.refs])], content.results[place]
    found += interval_cautions([result.intervals] if result else [], content.request.inference().draws)
    found += [sentence.replace("`", "") for sentence in column.cautions]  # the signs of code in reports
    title = content.data.judgements[column.human].title
    return [*found, *column.best_cautions(comparison, content.request, title, result)]


def _unranked(content: TableContent, places: Iterable[int]) -> list[str]:
    """Return which measures are not ranked in columns."""
    eligible = {content.humans[at]: content.eligibility(at) for at in places}
    return ranking_notes([ref.label for ref in content.data.comparison.refs], eligible)


def _in_order(content: TableContent, refs: Sequence[MeasureRef]) -> list[tuple[int, MeasureRef]]:
    """Return measures with their indexes, the family of the current judgement last."""
    eligible = content.eligibility(content.current_column)
    return sorted(enumerate(refs), key=lambda pair: eligible[pair[0]].status is Status.SAME_FAMILY)


def cells_of(content: TableContent, place: int) -> list[MeasureCell]:
    """Return a column's cells, a measure each."""
    comparison, column, result = content.data.comparison, content.columns[place], content.results[place]
    best = column.best(comparison, content.request)
    intervals = result.intervals if result is not None else Intervals.none(len(column.rows))
    return [
        MeasureCell(
            row.value,
            row.ranked_by,
            float(intervals.p[i]),
            row.n,
            row.dropped,
            is_best=i in best,
            low=float(intervals.low[i]),
            high=float(intervals.high[i]),
            no_interval=intervals.reasons[i],
            tie_threshold=row.tie_threshold,
            against_best=float(result.adjusted[i]) if result is not None else math.nan,
            is_coming=i in column.coming,
            eligible=one,
            can_differ=result is None or not result.untestable,
        )
        for i, (row, one) in enumerate(zip(column.rows, content.eligibility(place), strict=True))
    ]


def export_of(content: TableContent) -> Table:
    """Return the table for copying and saving: one measure per row, all columns for each judgement."""
    refs = content.data.comparison.refs
    columns = [Column("Measure", "measure"), Column("Family", "family")]
    parts = [_export_column(content, place) for place in range(len(content.columns))]
    columns += [column for part, _ in parts for column in part]
    stand_ins = [stand_in_of(ref.config).removeprefix("stand-in: ") for ref in refs]
    stale = [content.stale.get(ref.label, "") for ref in refs]
    heads = Column("Stand-in", STAND_IN), Column("Out of date", "out_of_date", is_in_note=True)
    marks = [(head, texts) for head, texts in zip(heads, (stand_ins, stale), strict=True) if any(texts)]
    columns += [head for head, _ in marks]
    rows = [
        (
            mark_stand_in(ref.label, ref.config),
            ref.family,
            *(cell for _, cells in parts for cell in cells[i]),
            *(texts[i] for _, texts in marks),
        )
        for i, ref in _in_order(content, refs)
    ]
    if any(content.agreements):
        rows.append(_annotator_row(content, columns))
    note = " · ".join(part for part in (footer(content), content.method, *families_of(content)) if part)
    each = {
        content.data.judgements[human].title: cautions_of(content, at)
        for at, human in enumerate(content.humans)
    }
    warnings = (*p_warning(content), *content.data.notes, *stale_notes(content.stale), *joined_cautions(each))
    notes = (note, *warnings, *_unranked(content, range(len(each))), *content.notes, footnote_of(refs))
    note = " ".join(part for part in notes if part)
    return Table("Measures and judgements", tuple(columns), tuple(rows), note)


def _annotator_row(content: TableContent, columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Return the row of the annotators' agreement for an exported table."""
    cells: dict[str, Cell] = {"measure": ONE_ANNOTATOR, "family": "agreement"}
    for human, bound in zip(content.humans, content.agreements, strict=True):
        if bound is not None:
            cells |= {human: bound.one, f"{human}.low": bound.low, f"{human}.high": bound.high}
            cells[f"{human}.note"] = f"{bound.annotators} annotators, not a measure"
    return tuple(cells.get(column.key) for column in columns)


def _export_column(content: TableContent, place: int) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """Return one judgement's columns, and their cells for each measure."""
    human, result, cells = content.humans[place], content.results[place], cells_of(content, place)
    title = content.data.judgements[human].title
    p_title = f"p ({p_name(content)})" if p_name(content) else "p"
    parts = [(Column(title, human, CellKind.CORRELATION), "value")]
    if result is not None and result.intervals.are_any:
        ends = interval_ends(CellKind.CORRELATION, f"{human}.", PLAIN_ENDS)
        parts += zip(ends, ("low", "high"), strict=True)
    if content.request.coefficient is Coefficient.ACCURACY:
        parts.append((Column("tie threshold", f"{human}.tie_threshold", CellKind.SCORE), "tie_threshold"))
    parts += [
        (Column(p_title, f"{human}.p", CellKind.P), "p"),
        (Column("n", f"{human}.n", CellKind.COUNT), "n"),
        (Column("dropped", f"{human}.dropped", CellKind.COUNT), "dropped"),
    ]
    if result is not None and result.tests:
        parts.append((Column("p vs best", f"{human}.p_vs_best", CellKind.P), "against_best"))
    if any(cell.eligible.mark for cell in cells):
        parts.append((Column("note", f"{human}.note"), "eligible.note"))
    read = attrgetter(*(name for _, name in parts))
    return [column for column, _ in parts], [read(cell) for cell in cells]


def p_name(content: TableContent) -> str:
    """Return the method that p of a correlation is of, with a mark where it is too small; empty = no p."""
    method = short_p_method(p_method(*_inference(content)))
    return f"{method}, caution" if p_warning(content) else method


def p_warning(content: TableContent) -> tuple[str, ...]:
    """Return a caution on p, if there is one to give."""
    caution = p_caution(*_inference(content))
    return (f"p by {p_method(*_inference(content))} {caution}.",) if caution else ()


def _inference(content: TableContent) -> tuple[InferenceOptions, Level, Coefficient]:
    return content.request.inference(), content.request.level, content.request.coefficient


def families_of(content: TableContent) -> list[str]:
    """Return which tests were adjusted together for each judgement, and the caution that belongs to them."""
    each = (family_of_column(content, place) for place in range(len(content.columns)))
    sentences = [sentence[0].upper() + sentence[1:] for sentence in each if sentence]
    return [*sentences, SELECTION] if sentences else []


def family_of_column(content: TableContent, place: int) -> str:
    """Return which tests of a judgement were adjusted together; empty = there are none (yet)."""
    result, rule = content.results[place], RULES[content.request.adjust]
    if result is None or not result.tests:
        return ""
    return family_words(result.human, result.against, result.tests, rule, is_best=True)


def _against_best(content: TableContent) -> tuple[str, str]:
    """Return the heading of p against the best, and below it whose best it is; empty = no tests."""
    if not content.request.compare:
        return "", ""
    return "p vs best", content.data.judgements[content.humans[content.current_column]].title


def footer(content: TableContent) -> str:
    """Return the aggregation policy in one line."""
    name = coefficient_title(content.request.coefficient)
    how = {
        Level.SYSTEM: f"{name} of the systems' means over {_topics_text(content)}",
        Level.TOPIC: f"{name} among the systems of a topic, averaged over topics",
        Level.GLOBAL: f"{name} of all single summaries",
    }[content.request.level]
    if content.request.coefficient is Coefficient.ACCURACY:
        how = {
            Level.SYSTEM: f"share of pairs of systems that the measure orders like the judgement, by means "
            f"over {_topics_text(content)}",
            Level.TOPIC: "share of pairs of systems that the measure orders like the judgement within a "
            "topic, averaged over topics",
            Level.GLOBAL: "share of pairs of summaries that the measure orders like the judgement",
        }[content.request.level]
    if content.request.coefficient is Coefficient.SOFT_ACCURACY:
        how = (
            f"{name}: 1 minus the mean difference of p of all pairs of systems, over {_topics_text(content)}"
        )
    dropped = spread_text(row.dropped for column in content.columns for row in column.rows)
    undefined = _DROPPED[content.request.undefined]
    incomplete = sum(one.status is Status.INCOMPLETE for one in content.eligibility(content.current_column))
    partial = (f"{pluralize(incomplete, 'incomplete measure')} not ranked",) if incomplete else ()
    return " · ".join((how[0].upper() + how[1:], *partial, f"{dropped} dropped", undefined))


def _topics_text(content: TableContent) -> str:
    """Return the topics, as ``15 of 100 topics, common to all measures``."""
    count, every = content.data.comparison.size()[1], len(content.data.topics)
    some = f"{format_count(count)} of " if count < every else ""
    common = ", common to all measures" if content.data.is_common else ""
    return f"{some}{pluralize(every, 'topic')}{common}"


def method_line(content: TableContent) -> str:
    count = sum(bool(stand_in_of(ref.config)) for ref in content.data.comparison.refs)
    stand_ins = f"† {count} on a stand-in (hover for details)" if count else ""
    words = content.method[:1].upper() + content.method[1:]
    family = family_of_column(content, content.current_column)
    result, caution = content.results[content.current_column], ""
    if family:
        which = "best of one measure per metric," if content.request.variants is Variants.MAIN else "best"
        caution = f"{which} chosen on the same data, so p is too small"
    untestable = result.untestable if result is not None else ""
    bound = content.agreement(content.current_column)
    agreement = bound.short_text.capitalize() if bound is not None else ""
    return " · ".join(part for part in (agreement, words, family, untestable, caution, stand_ins) if part)


def spread_text(counts: Iterable[int]) -> str:
    """Return ``8``, or ``6–8`` where the counts differ; 0 for none."""
    decimals = sorted(set(counts)) or [0]
    return "–".join(format_count(n) for n in dict.fromkeys((decimals[0], decimals[-1])))


def unscored_text(systems: SystemSelection) -> str:
    """Return what to do if no measure has scored the included systems."""
    if systems is SystemSelection.WITH_HUMANS:
        return tr(
            "No metric has scored the references as systems yet. On the Score page tick “Also as systems”, "
            "score, then compare."
        )
    return tr("Nothing is scored yet. Score the summaries, then compare.")


def left_out_text(without: Collection[str], count: int) -> str:
    """Return a sentence on excluded systems; empty = none."""
    if not without:
        return ""
    names = sorted(without)
    listed = ", ".join(names[:_LISTED]) + (" …" if len(names) > _LISTED else "")
    systems = tr("%n systems", "", count)
    return tr("%n of {systems} are left out: {names}.", "", len(names), systems=systems, names=listed)


def formula_text(content: TableContent) -> tuple[str, ...]:
    """Return how the numbers of the table are computed, one sentence each."""
    method = (content.method[0].upper() + content.method[1:] + ".",) if content.method else ()
    refs = (content.data.judgements[human] for human in content.humans)
    judged = (r.policy if r.policy.startswith(r.title) else f"{r.title}: {r.policy}" for r in refs)
    return (*explanation(*content.request.method), *method, *judged)


def _column(content: TableContent, place: int) -> JudgementColumn:
    column, name = content.columns[place], content.humans[place]
    ref, bound = content.data.judgements[name], content.agreement(place)
    symbol = SYMBOLS[content.request.coefficient]
    result = content.results[place]
    interval = ", 95 % interval" if result is not None and result.intervals.are_any else ""
    n = spread_text(row.n for row in column.rows)
    facts: tuple[str, ...] = (f"{symbol}{interval}, n {n}", f"{symbol}, n {n}", symbol)
    if content.request.coefficient is Coefficient.ACCURACY:
        pairs = _PAIRS[content.request.level]
        facts = (
            f"{symbol}, {pairs}{interval}, n {n}",
            f"{symbol}, {pairs}, n {n}",
            f"{symbol}, {pairs}",
            f"{pairs}, n {n}",
            pairs,
        )
    tip = f"{ref.policy} {bound.sentence()}" if bound is not None else ref.policy
    return JudgementColumn(name, ref.title, tip, facts)


Mark = tuple[str, str]
"""A system's name and a topic's id, empty = all its topics."""


@dataclass(frozen=True, slots=True, eq=False)
class CurrentCell:
    """The current cell and its table.

    visible: labels of the measures that pass the filter. marked: summaries that are marked.
    """

    content: TableContent
    measure: str
    human: str
    table: MeasureTable
    visible: Sequence[str]
    marked: frozenset[Mark] = frozenset()

    @property
    def data(self) -> CorrelationData:
        return self.content.data

    @property
    def column(self) -> int:
        return self.content.humans.index(self.human)

    @property
    def request(self) -> CorrelateRequest:
        return self.content.request

    @property
    def title(self) -> str:
        return self.data.judgements[self.human].title

    @property
    def marked_systems(self) -> frozenset[str]:
        return frozenset(system for system, _ in self.marked)

    def labels(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return labels as figures have them: marked where the measure ran on a stand-in."""
        marked = marked_labels(self.data.comparison.refs)
        return tuple(marked.get(label, label) for label in labels)

    @property
    def measure_label(self) -> str:
        return self.labels([self.measure])[0]

    @property
    def rows(self) -> Sequence[CorrelationRow]:
        return self.content.columns[self.column].rows

    def points(self) -> ScatterPoints:
        """Return the points behind the cell, with the coefficient from the table, as it may be slow."""
        points = self.data.comparison.points(self.measure, self.human, self.request.level)
        row = next(row for row in self.rows if row.measure == self.measure)
        known = Correlation(row.value, math.nan, row.n, row.dropped)
        return replace(points, coefficient=self.request.coefficient, correlation=known)

    def is_defined(self, label: str) -> bool:
        """Return whether a measure has a coefficient with the current judgement."""
        return any(row.measure == label and math.isfinite(row.value) for row in self.rows)

    def rivals(self) -> tuple[str, str] | None:
        """Return the best measure and the current one, or else the second best; None = fewer than two."""
        ranked = [label for label in self.ranked_labels() if self.is_defined(label)]
        if len(ranked) < 2:
            return None
        return ranked[0], self.measure if self.measure in ranked[1:] else ranked[1]

    def ranked_labels(self) -> list[str]:
        """Return the measures that are ranked for the current judgement, the highest first."""
        rows = self.table.rows
        return self.by_strength([row.label for row in rows if row.cells[self.column].eligible.is_ranked])

    def inference_text(self) -> list[str]:
        """Return the interval of the cell and p by the same procedure, and accuracy's threshold for ties.

        Without intervals p is labelled with the coefficient's own test.
        """
        cell = next((row.cells[self.column] for row in self.table.rows if row.label == self.measure), None)
        if cell is None:
            return []
        words = cell.interval_words
        if math.isfinite(cell.p):
            words.append(f"p {format_p(cell.p)} ({self.table.p_method})")
        if math.isfinite(cell.tie_threshold):
            words.append(
                tr("tie threshold {tie_threshold}", tie_threshold=format_score(cell.tie_threshold, 4))
            )
        return words

    def by_strength(self, labels: Sequence[str]) -> list[str]:
        """Return measures by correlation, lower-is-better ones negated; undefined ones last.

        Unranked measures follow all others.
        """
        strength = {row.measure: row.ranked_by for row in self.rows}
        ranked = {row.label: row.cells[self.column].eligible.is_ranked for row in self.table.rows}
        return sorted(
            labels,
            key=lambda n: (not ranked.get(n, True), -strength[n] if math.isfinite(strength[n]) else math.inf),
        )
