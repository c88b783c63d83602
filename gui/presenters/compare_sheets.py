"""What the Compare page says, made from numbers."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from core.comparison import CorrelationRow, ScatterPoints, Systems
from core.disagreement import Disagreement, disagreements
from core.matrix import Array
from core.measures import MeasureRef
from core.report.numbers import correlation_text, count_text, p_text
from core.report.tables import Cell, CellKind, Column, Table
from core.stand_ins import stand_in_of, stand_ins_among
from core.stats.correlation import Coefficient, Level
from core.stats.rows import average_ranks
from gui.presenters.compare_numbers import Answer, Numbers
from gui.values.compare import (
    FigureHead,
    JudgementColumn,
    MeasureCell,
    MeasureRow,
    MeasureTable,
    RankedTopic,
    Subject,
)

FEW_SYSTEMS = 10
MOST_TOPICS = 50
"""Topics listed for a system; those below disagree least."""

_NAMES = {
    Coefficient.PEARSON: "Pearson's r",
    Coefficient.SPEARMAN: "Spearman's ρ",
    Coefficient.KENDALL: "Kendall's τ-b",
    Coefficient.KENDALL_C: "Stuart's τ-c",
    Coefficient.TAU: "the plain τ",
    Coefficient.ACCURACY: "pairwise accuracy",
}
_SYMBOLS = {
    Coefficient.PEARSON: "r",
    Coefficient.SPEARMAN: "ρ",
    Coefficient.KENDALL: "τ-b",
    Coefficient.KENDALL_C: "τ-c",
    Coefficient.TAU: "τ",
    Coefficient.ACCURACY: "accuracy",
}


def table_of(answer: Answer, stale: Collection[str]) -> MeasureTable:
    """The table of an answer."""
    numbers, question = answer.numbers, answer.question
    refs = numbers.comparison.refs
    by_human = [[row for row in answer.rows if row.human == human] for human in question.humans]
    cells = [_cells(rows, refs) for rows in by_human]
    return MeasureTable(
        columns=tuple(
            JudgementColumn(name, numbers.judgements[name].title, numbers.judgements[name].policy)
            for name in question.humans
        ),
        rows=tuple(
            MeasureRow(
                ref.label,
                ref.family,
                ref.signature,
                tuple(column[i] for column in cells),
                ref.label in stale,
                stand_in_of(ref.config),
            )
            for i, ref in enumerate(refs)
        ),
        fact=f"{len(refs)} measure{'' if len(refs) == 1 else 's'}",
        symbol=_SYMBOLS[question.coefficient],
        footer=_footer(answer),
        warning=_warning(numbers.systems(question.humans), question.level),
    )


def export_of(answer: Answer) -> Table:
    """The table as it is copied and saved: a measure per row, for each judgement value, p, n, dropped."""
    numbers = answer.numbers
    columns = [Column("Measure", "measure"), Column("Family", "family")]
    for human in answer.question.humans:
        title = numbers.judgements[human].title
        columns += [
            Column(title, human, CellKind.CORRELATION),
            Column("p", f"{human}.p", CellKind.P),
            Column("n", f"{human}.n", CellKind.COUNT),
            Column("dropped", f"{human}.dropped", CellKind.COUNT),
        ]
    stand_ins = [stand_in_of(ref.config).removeprefix("stand-in: ") for ref in numbers.comparison.refs]
    if any(stand_ins):
        columns.append(Column("Stand-in", "stand_in"))
    rows: list[tuple[Cell, ...]] = []
    for ref, stand_in in zip(numbers.comparison.refs, stand_ins, strict=True):
        mine = {row.human: row for row in answer.rows if row.measure == ref.label}
        found = (mine[human] for human in answer.question.humans)
        cells = (n for r in found for n in (r.value, r.p, r.n, r.dropped))
        rows.append((ref.label, ref.family, *cells, *((stand_in,) if any(stand_ins) else ())))
    return Table(
        "Measures and judgements",
        tuple(columns),
        tuple(rows),
        " ".join((_footer(answer), *stand_ins_among(numbers.comparison.refs))),
    )


def head_of(numbers: Numbers, points: ScatterPoints) -> FigureHead:
    """What stands over and under a scatter plot."""
    found = points.correlation
    return FigureHead(
        title=points.measure,
        fact=f"against {numbers.judgements[points.human].title}",
        result=f"{_SYMBOLS[points.coefficient]} = {correlation_text(found.value)}",
        rest=f"p {p_text(found.p)} · n = {count_text(found.n)} · {count_text(found.dropped)} dropped"
        f"{' · ' if points.stand_in else ''}{points.stand_in}",
    )


def subject_of(numbers: Numbers, points: ScatterPoints, system: str) -> Subject | None:
    """A system's ranks over all topics and within them, None where it has no numbers."""
    comparison = numbers.comparison
    ref = next(ref for ref in comparison.refs if ref.label == points.measure)
    scores, judgement = comparison.scores[comparison.refs.index(ref)], comparison.judgements[points.human]
    better = ref.config.higher_is_better
    found = disagreements(scores, judgement, system, higher_is_better=better)
    means = comparison.points(points.measure, points.human, Level.SYSTEM, points.coefficient)
    if system not in means.systems:
        return None
    at = means.systems.index(system)
    by_measure, by_people = _ranks(means.x if better else -means.x)[at], _ranks(means.y)[at]
    ranks = f"rank {rank_text(by_measure)} by metric, {rank_text(by_people)} by people"
    return Subject(
        key=system,
        fact=f"{ranks}, of {len(means.systems)}",
        caption=_caption(found),
        topics=tuple(_ranked(numbers, one) for one in found[:MOST_TOPICS]),
    )


def rank_text(rank: float) -> str:
    """``6``, or ``2.5`` where it is shared."""
    return f"{rank:g}"


def unscored_words(systems: Systems) -> str:
    """What to do where no measure has scored the systems that take part."""
    if systems is Systems.WITH_HUMANS:
        return (
            "No metric has scored the references as systems yet. On the Score page tick “Also as systems”, "
            "score, then compare."
        )
    return "Nothing is scored yet. Score the summaries, then compare."


def stale_words(stale: Collection[str]) -> str:
    """A sentence on stale measures, empty = none."""
    if not stale:
        return ""
    listed = ", ".join(sorted(stale)[:3]) + (" …" if len(stale) > 3 else "")
    verb = "was" if len(stale) == 1 else "were"
    return f"{listed} {verb} scored from texts or settings that have changed since."


def _cells(rows: Sequence[CorrelationRow], refs: Sequence[MeasureRef]) -> list[MeasureCell]:
    signs = (1 if ref.config.higher_is_better else -1 for ref in refs)
    better = [sign * row.value for row, sign in zip(rows, signs, strict=True)]
    best = max((value for value in better if math.isfinite(value)), default=math.nan)
    return [
        MeasureCell(row.value, row.p, row.n, row.dropped, is_best=value == best)
        for row, value in zip(rows, better, strict=True)
    ]


def _footer(answer: Answer) -> str:
    level, name = answer.question.level, _NAMES[answer.question.coefficient]
    how = {
        Level.SYSTEM: f"{name} of the systems' means over {len(answer.numbers.topics):,} topics",
        Level.TOPIC: f"{name} among the systems of a topic, averaged over topics",
        Level.GLOBAL: f"{name} of all single summaries; p takes them as independent, so it is too small",
    }[level]
    count = sum(bool(stand_in_of(ref.config)) for ref in answer.numbers.comparison.refs)
    stand_ins = f" · {count} on a stand-in, see its tip" if count else ""
    dropped = sorted({row.dropped for row in answer.rows})
    lost = "0" if not dropped else "–".join(count_text(n) for n in dict.fromkeys((dropped[0], dropped[-1])))
    return f"{how} · {lost} dropped · undefined ones are left out{stand_ins}"


def _warning(systems: int, level: Level) -> str:
    if systems >= FEW_SYSTEMS or level is Level.GLOBAL or not systems:
        return ""
    return f"{systems} systems only: most differences between measures cannot be told apart."


def _caption(found: Sequence[Disagreement]) -> str:
    if not found:
        return "No topic has both numbers for more than one system"
    return "Topics where metric and people disagree most"


def _ranked(numbers: Numbers, one: Disagreement) -> RankedTopic:
    head = numbers.topics[one.topic]
    measure, people = rank_text(one.measure_rank), rank_text(one.human_rank)
    return RankedTopic(head.id, head.name, head.title, measure, people)


def _ranks(values: Array) -> Array:
    """Ranks from 1, the largest value first."""
    ranks: Array = average_ranks(-values[None])[0]
    return ranks
