"""Content of the Compare page's table."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.comparison.eligibility import Eligibility, Status, ranking_notes
from core.comparison.families import SELECTION, family_words
from core.comparison.inference import nothing_can_differ, p_caution, p_method, short_p_method
from core.comparison.measures import MeasureRef
from core.comparison.noise_ceiling import ONE_ANNOTATOR, UpperBound
from core.comparison.options import InferenceOptions, SystemSelection, Variants
from core.comparison.stand_ins import footnote_of, mark_stand_in, stand_in_of
from core.formatting.coefficients import SYMBOLS, coefficient_title
from core.formatting.numbers import format_correlation, format_count, format_p, pluralize
from core.formatting.tables import STAND_IN, Cell, CellKind, Column, Table
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from gui.pages.compare.correlations.inference import Inference
from gui.pages.compare.correlations.queries import CorrelationColumn, best_of
from gui.pages.compare.correlations.study_data import ComparisonData
from gui.pages.compare.values import SIGNIFICANT, JudgementColumn, MeasureCell, MeasureRow, MeasureTable

_DROPPED = {
    UndefinedPolicy.SKIP: "undefined values are omitted",
    UndefinedPolicy.ZERO: "undefined values count as 0",
    UndefinedPolicy.ERROR: "undefined values are an error",
}

_PAIRS = {
    Level.SYSTEM: "system pairs",
    Level.TOPIC: "within-topic pairs",
    Level.GLOBAL: "summary pairs",
}
"""The pairs that pairwise accuracy counts."""


@dataclass(frozen=True, slots=True, eq=False)
class TableContent:
    """Data of the table. answers: one per column. inferences: likewise, None = not computed (yet).

    cell: the judgement that p against the best is about. method: of intervals and tests, in words.
    variants: of a metric that are tested together. options: of intervals, whose method p is of too, and
    tests.
    agreements: of the annotators behind each column, empty = not computed.
    """

    numbers: ComparisonData
    answers: Sequence[CorrelationColumn]
    inferences: Sequence[Inference | None]
    stale: Collection[str] = ()
    current_column: int = 0
    method: str = ""
    adjusted: str = ""
    variants: Variants = Variants.MAIN
    options: InferenceOptions = field(default_factory=InferenceOptions)
    warnings: Sequence[str] = field(default=())
    remedy: str = ""
    agreements: Sequence[UpperBound | None] = field(default=())

    def agreement(self, column: int) -> UpperBound | None:
        """The agreement of the annotators behind a column; None = none, or not computed yet."""
        return self.agreements[column] if self.agreements else None

    @property
    def humans(self) -> list[str]:
        return [answer.question.human for answer in self.answers]

    def eligibility(self, column: int) -> Sequence[Eligibility]:
        """Each measure's part in the ranking of a column."""
        return self.numbers.comparison.eligibility(self.humans[column])

    @property
    def coefficient(self) -> Coefficient:
        return self.answers[0].question.coefficient

    @property
    def level(self) -> Level:
        return self.answers[0].question.level


def table_of(content: TableContent) -> MeasureTable:
    """Return the table."""
    refs = content.numbers.comparison.refs
    pairs = zip(content.answers, content.inferences, strict=True)
    cells = [cells_of(content, answer, found) for answer, found in pairs]
    return MeasureTable(
        columns=tuple(
            _column(content, answer, found)
            for answer, found in zip(content.answers, content.inferences, strict=True)
        ),
        rows=tuple(
            MeasureRow(
                ref.label,
                ref.family,
                ref.signature,
                tuple(column[i] for column in cells),
                ref.label in content.stale,
                stand_in_of(ref.config),
            )
            for i, ref in _in_order(content, refs)
        ),
        fact=f"{len(refs)} measure{'' if len(refs) == 1 else 's'}",
        footer=footer(content),
        method=method_line(content),
        warnings=(
            *(a.refusal for a in content.answers if a.refusal),
            *p_warning(content),
            *content.warnings,
            *weak_best(content, content.current_column, cells[content.current_column]),
        ),
        remedy=content.remedy,
        against_best=_against_best(content),
        p_method=p_name(content),
        lowest=0.0 if content.coefficient.is_accuracy else -1.0,
    )


def weak_best(content: TableContent, column: int, cells: Sequence[MeasureCell]) -> list[str]:
    """Return a caution if the best correlation of a column is itself not significantly different from 0."""
    title = content.numbers.judgements[content.humans[column]].title
    symbol = SYMBOLS[content.coefficient]
    return [
        f"The best measure of {title}, {ref.label}, is itself not significantly correlated with it "
        f"({symbol} {format_correlation(cell.value)}, p {format_p(cell.p)})."
        for cell, ref in zip(cells, content.numbers.comparison.refs, strict=True)
        if cell.is_best and cell.p >= SIGNIFICANT
    ]


def _in_order(content: TableContent, refs: Sequence[MeasureRef]) -> list[tuple[int, MeasureRef]]:
    """Return measures with their indexes, the family of the current judgement last."""
    eligible = content.eligibility(content.current_column)
    return sorted(enumerate(refs), key=lambda pair: eligible[pair[0]].status is Status.SAME_FAMILY)


def cells_of(
    content: TableContent, answer: CorrelationColumn, inference: Inference | None
) -> list[MeasureCell]:
    """Return a column's cells, a measure each."""
    comparison = content.numbers.comparison
    best = () if answer.coming else best_of(answer, comparison, content.variants)
    intervals = inference.intervals if inference is not None else None
    nothing = np.full(len(answer.rows), math.nan)
    low, high, p = (
        (intervals.low, intervals.high, intervals.p) if intervals is not None else (nothing, nothing, nothing)
    )
    can_differ = not untestable_text(content, answer.question.human, inference)
    return [
        MeasureCell(
            row.value,
            float(p[i]),
            row.n,
            row.dropped,
            is_best=i in best,
            low=float(low[i]),
            high=float(high[i]),
            no_interval=intervals.reasons[i] if intervals is not None else "",
            tie_threshold=row.tie_threshold,
            against_best=float(inference.p[i]) if inference else math.nan,
            is_coming=i in answer.coming,
            mark=one.mark,
            reason=one.sentence,
            is_ranked=one.is_ranked,
            is_own=one.status is Status.SAME_FAMILY,
            can_differ=can_differ,
        )
        for i, (row, one) in enumerate(
            zip(answer.rows, comparison.eligibility(answer.question.human), strict=True)
        )
    ]


def untestable_text(content: TableContent, human: str, inference: Inference | None) -> str:
    """Return why no difference from the best can be significant; empty = one can, or nothing is tested."""
    if inference is None or not inference.tests:
        return ""
    judgement = content.numbers.comparison.judgements[human]
    return nothing_can_differ(judgement.values, inference.tests, content.options)


def export_of(content: TableContent) -> Table:
    """Return the table for copying and saving: one measure per row, all columns for each judgement."""
    refs = content.numbers.comparison.refs
    columns = [Column("Measure", "measure"), Column("Family", "family")]
    parts = [_export_column(content, place) for place in range(len(content.answers))]
    columns += [column for part, _ in parts for column in part]
    stand_ins = [stand_in_of(ref.config).removeprefix("stand-in: ") for ref in refs]
    if any(stand_ins):
        columns.append(Column("Stand-in", STAND_IN))
    rows = [
        (
            mark_stand_in(ref.label, ref.config),
            ref.family,
            *(cell for _, cells in parts for cell in cells[i]),
            *((stand_ins[i],) if any(stand_ins) else ()),
        )
        for i, ref in _in_order(content, refs)
    ]
    if any(content.agreements):
        rows.append(_annotator_row(content, columns))
    note = " · ".join(part for part in (footer(content), content.method, *families_of(content)) if part)
    eligible = {human: content.eligibility(at) for at, human in enumerate(content.humans)}
    labels = [ref.label for ref in refs]
    weak = [
        sentence
        for at, (answer, inference) in enumerate(zip(content.answers, content.inferences, strict=True))
        for sentence in weak_best(content, at, cells_of(content, answer, inference))
    ]
    notes = (note, *p_warning(content), *weak, *ranking_notes(labels, eligible), footnote_of(refs))
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
    answer, found = content.answers[place], content.inferences[place]
    human = answer.question.human
    title = content.numbers.judgements[human].title
    columns = [Column(title, human, CellKind.CORRELATION)]
    if found is not None and found.has_intervals:
        columns += [
            Column("low", f"{human}.low", CellKind.CORRELATION),
            Column("high", f"{human}.high", CellKind.CORRELATION),
        ]
    if content.coefficient is Coefficient.ACCURACY:
        columns.append(Column("tie threshold", f"{human}.tie_threshold", CellKind.SCORE))
    columns += [
        Column(f"p ({p_name(content)})" if p_name(content) else "p", f"{human}.p", CellKind.P),
        Column("n", f"{human}.n", CellKind.COUNT),
        Column("dropped", f"{human}.dropped", CellKind.COUNT),
    ]
    if found is not None and found.has_tests:
        columns.append(Column("p vs best", f"{human}.p_vs_best", CellKind.P))
    cells = cells_of(content, answer, found)
    if any(cell.mark for cell in cells):
        columns.append(Column("note", f"{human}.note"))
    keys = [column.key.removeprefix(human) for column in columns]
    return columns, [tuple(_cell(cell, key) for key in keys) for cell in cells]


def _cell(cell: MeasureCell, key: str) -> Cell:
    values: dict[str, Cell] = {
        "": cell.value,
        ".low": cell.low,
        ".high": cell.high,
        ".p": cell.p,
        ".tie_threshold": cell.tie_threshold,
        ".n": cell.n,
        ".dropped": cell.dropped,
        ".p_vs_best": cell.against_best,
        ".note": cell.note,
    }
    return values[key]


def p_name(content: TableContent) -> str:
    """Return the method that p of a correlation is of, with a mark where it is too small; empty = no p."""
    method = short_p_method(p_method(content.options, content.level, content.coefficient))
    return f"{method}, caution" if p_warning(content) else method


def p_warning(content: TableContent) -> tuple[str, ...]:
    """Return a caution on p, if there is one to give."""
    chosen = content.options, content.level, content.coefficient
    caution = p_caution(*chosen)
    return (f"p by {p_method(*chosen)} {caution}.",) if caution else ()


def families_of(content: TableContent) -> list[str]:
    """Return which tests were adjusted together for each judgement, and the caution that belongs to them."""
    sentences = []
    for place in range(len(content.answers)):
        sentence = family_of_column(content, place)
        if sentence:
            sentences.append(sentence[0].upper() + sentence[1:])
    return [*sentences, SELECTION] if sentences else []


def family_of_column(content: TableContent, place: int) -> str:
    """Return which tests of a judgement were adjusted together; empty = there are none (yet)."""
    answer, found = content.answers[place], content.inferences[place]
    best = () if answer.coming else best_of(answer, content.numbers.comparison, content.variants)
    if found is None or not found.has_tests or not best or not content.adjusted:
        return ""
    label = answer.rows[best[0]].measure
    return family_words(answer.question.human, label, found.tests, content.adjusted, is_best=True)


def _against_best(content: TableContent) -> tuple[str, str]:
    """Return the heading of p against the best, and below it whose best it is; empty = no tests."""
    if not content.adjusted:
        return "", ""
    return "p vs best", content.numbers.judgements[content.humans[content.current_column]].title


def footer(content: TableContent) -> str:
    """Return the aggregation policy in one line."""
    name = coefficient_title(content.coefficient)
    how = {
        Level.SYSTEM: f"{name} of the systems' means over {_topics_text(content)}",
        Level.TOPIC: f"{name} among the systems of a topic, averaged over topics",
        Level.GLOBAL: f"{name} of all single summaries",
    }[content.level]
    if content.coefficient is Coefficient.ACCURACY:
        how = {
            Level.SYSTEM: f"share of pairs of systems that the measure orders like the judgement, by means "
            f"over {_topics_text(content)}",
            Level.TOPIC: "share of pairs of systems that the measure orders like the judgement within a "
            "topic, averaged over topics",
            Level.GLOBAL: "share of pairs of summaries that the measure orders like the judgement",
        }[content.level]
    if content.coefficient is Coefficient.SOFT_ACCURACY:
        how = (
            f"{name}: 1 minus the mean difference of p of all pairs of systems, over {_topics_text(content)}"
        )
    dropped = spread_text(row.dropped for answer in content.answers for row in answer.rows)
    undefined = _DROPPED[content.answers[0].question.undefined]
    incomplete = sum(one.status is Status.INCOMPLETE for one in content.eligibility(content.current_column))
    partial = (f"{pluralize(incomplete, 'incomplete measure')} not ranked",) if incomplete else ()
    return " · ".join((how[0].upper() + how[1:], *partial, f"{dropped} dropped", undefined))


def _topics_text(content: TableContent) -> str:
    """Return the topics, as ``15 of 100 topics, common to all measures``."""
    count, every = content.numbers.comparison.size()[1], len(content.numbers.topics)
    some = f"{format_count(count)} of " if count < every else ""
    common = ", common to all measures" if content.numbers.is_common else ""
    return f"{some}{pluralize(every, 'topic')}{common}"


def method_line(content: TableContent) -> str:
    """Return the method of intervals and tests in one line."""
    count = sum(bool(stand_in_of(ref.config)) for ref in content.numbers.comparison.refs)
    stand_ins = f"† {count} on a stand-in (hover for details)" if count else ""
    words = content.method[:1].upper() + content.method[1:]
    family = family_of_column(content, content.current_column)
    inference = content.inferences[content.current_column]
    untestable = untestable_text(content, content.humans[content.current_column], inference)
    has_tests = bool(family) and inference is not None and inference.tests > 0
    caution = "best chosen on the same data, so p is too small" if has_tests else ""
    if family and content.variants is Variants.MAIN:
        caution = (
            f"best of one measure per metric{caution.removeprefix('best').replace(' chosen', ', chosen')}"
        )
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
        return (
            "No metric has scored the references as systems yet. On the Score page tick “Also as systems”, "
            "score, then compare."
        )
    return "Nothing is scored yet. Score the summaries, then compare."


def stale_text(stale: Collection[str]) -> str:
    """Return a sentence on stale measures; empty = none."""
    if not stale:
        return ""
    listed = ", ".join(sorted(stale)[:3]) + (" …" if len(stale) > 3 else "")
    verb = "was" if len(stale) == 1 else "were"
    return f"{listed} {verb} scored with texts or settings that have changed since."


def _column(content: TableContent, answer: CorrelationColumn, found: Inference | None) -> JudgementColumn:
    name = answer.question.human
    ref = content.numbers.judgements[name]
    symbol = SYMBOLS[content.coefficient]
    interval = ", 95 % interval" if found is not None and found.has_intervals else ""
    n = spread_text(row.n for row in answer.rows)
    facts: tuple[str, ...] = (f"{symbol}{interval}, n {n}", f"{symbol}, n {n}", symbol)
    if content.coefficient is Coefficient.ACCURACY:
        pairs = _PAIRS[content.level]
        facts = (
            f"{symbol}, {pairs}{interval}, n {n}",
            f"{symbol}, {pairs}, n {n}",
            f"{symbol}, {pairs}",
            f"{pairs}, n {n}",
            pairs,
        )
    bound = content.agreement(content.humans.index(name))
    tip = f"{ref.policy} {bound.sentence()}" if bound is not None else ref.policy
    return JudgementColumn(name, ref.title, tip, facts)
