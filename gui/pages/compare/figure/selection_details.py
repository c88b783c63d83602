"""Details of the selected system or the marked summaries, by disagreement."""

from __future__ import annotations

from collections.abc import Sequence

from core.comparison.comparison import ScatterPoints
from core.comparison.disagreement import Disagreement, all_disagreements, disagreements
from core.comparison.stand_ins import footnote_of
from core.comparison.topic_correlations import topic_correlations
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import format_correlation, format_count
from core.formatting.tables import CellKind, Column, Table
from core.operations.correlate import CorrelationData
from core.stats.correlation import Level
from core.stats.row_coefficients import descending_ranks
from gui.pages.compare.table.current_cell import CurrentCell
from gui.pages.compare.values import RankedTopic, SelectionDetails

MAX_TOPICS = 50
"""Topics listed for a system, those with the largest disagreement."""

MAX_SUMMARIES = 500


def system_details(cell: CurrentCell, points: ScatterPoints, system: str) -> SelectionDetails | None:
    """Return a system's ranks over all topics and within them; None = not scored."""
    comparison, better = cell.data.comparison, _is_better_high(cell)
    scores, judgement = cell.data.scores(points.measure), comparison.judgements[points.human]
    topics = disagreements(scores, judgement, system, higher_is_better=better)
    means = comparison.points(points.measure, points.human, Level.SYSTEM)
    if system not in means.systems:
        return None
    at = means.systems.index(system)
    by_measure, by_people = (
        descending_ranks(means.x if better else -means.x)[at],
        descending_ranks(means.y)[at],
    )
    ranks = f"rank {rank_text(by_measure)} by metric, {rank_text(by_people)} by people"
    return SelectionDetails(
        key=system,
        fact=f"{ranks}, of {len(means.systems)}",
        caption=_caption(topics),
        topics=tuple(_ranked(cell.data, one) for one in topics[:MAX_TOPICS]),
    )


def marked_details(cell: CurrentCell) -> SelectionDetails:
    """Return the marked summaries, largest disagreement first."""
    requested, found = cell.marked, _of_marks(cell, _all(cell, Level.SYSTEM))
    systems = {system for system, _ in requested}
    is_whole = all(not topic for _, topic in requested)
    one_of, many = ("system", "systems") if is_whole else ("summary", "summaries")
    count = len(systems) if is_whole else len(requested)
    return SelectionDetails(
        key=f"{format_count(count)} {one_of if count == 1 else many}",
        fact="marked",
        caption="Their summaries where metric and people disagree most",
        topics=tuple(_ranked(cell.data, one, names_system=True) for one in found[:MAX_TOPICS]),
        are_marked=True,
    )


def disagreement_list(cell: CurrentCell) -> tuple[RankedTopic, ...]:
    """Return summaries by rank difference within topics, or at global level among all; only marked ones."""
    found = _of_marks(cell, _all(cell, cell.request.level))
    return tuple(_ranked(cell.data, one, names_system=True) for one in found[:MAX_SUMMARIES])


def topic_list(cell: CurrentCell) -> tuple[RankedTopic, ...]:
    """Return the judged topics by correlation, the worst first, with the reason where it is undefined."""
    coefficient, rows = cell.request.coefficient, []
    for one in topic_correlations(cell.data.comparison, cell.human, coefficient, [cell.measure]):
        head = cell.data.topics[one.topic]
        value = f"{SYMBOLS[coefficient]} {format_correlation(one.value)}"
        fact = f"{f'undefined: {one.reason}' if one.reason else value} · n {one.n}"
        rows.append(RankedTopic(head.id, head.name, head.title, "", "", fact=fact))
    return tuple(rows)


def worst_system(cell: CurrentCell, topic_id: str) -> str:
    """Return the system of a topic on which the measure and people disagree most; empty = none has both."""
    found = _all(cell, Level.TOPIC)
    return next((one.system for one in found if cell.data.topics[one.topic].id == topic_id), "")


def disagreement_table(cell: CurrentCell, topics: Sequence[RankedTopic]) -> Table:
    """Return the list of disagreements as a table."""
    columns = (
        Column("Topic", "topic"),
        Column("System", "system"),
        Column(f"rank by {cell.measure_label}", "measure_rank", CellKind.TEXT),
        Column("rank by people", "human_rank", CellKind.TEXT),
    )
    rows = tuple((one.name, one.system, one.measure, one.people) for one in topics)
    refs = [ref for ref in cell.data.comparison.refs if ref.label == cell.measure]
    return Table("Summaries by disagreement", columns, rows, footnote_of(refs))


def rank_text(rank: float) -> str:
    """Return ``6``, or ``2.5`` for a tied rank."""
    return f"{rank:g}"


def _all(cell: CurrentCell, level: Level) -> list[Disagreement]:
    return all_disagreements(
        cell.data.scores(cell.measure),
        cell.data.comparison.judgements[cell.human],
        higher_is_better=_is_better_high(cell),
        within_topics=level is not Level.GLOBAL,
    )


def _of_marks(cell: CurrentCell, found: Sequence[Disagreement]) -> list[Disagreement]:
    """Return those of marked systems and summaries; all if none is marked."""
    marks, topics = cell.marked, cell.data.topics
    return [
        one
        for one in found
        if not marks or (one.system, "") in marks or (one.system, topics[one.topic].id) in marks
    ]


def _is_better_high(cell: CurrentCell) -> bool:
    ref = cell.data.ref(cell.measure)
    return ref is None or ref.higher_is_better


def _caption(found: Sequence[Disagreement]) -> str:
    if not found:
        return "No topic has both numbers for more than one system"
    return "Topics where metric and people disagree most"


def _ranked(data: CorrelationData, one: Disagreement, *, names_system: bool = False) -> RankedTopic:
    head = data.topics[one.topic]
    measure, people = rank_text(one.measure_rank), rank_text(one.human_rank)
    return RankedTopic(
        head.id, head.name, head.title, measure, people, system=one.system if names_system else ""
    )
