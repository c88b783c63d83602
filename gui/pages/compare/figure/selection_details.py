"""Details of the selected system or the marked summaries, by disagreement."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.comparison.comparison import ScatterPoints
from core.comparison.disagreement import Disagreement, all_disagreements, disagreements
from core.comparison.stand_ins import footnote_of, marked_labels
from core.comparison.topic_correlations import topic_correlations
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import format_correlation, format_count
from core.formatting.tables import CellKind, Column, Table
from core.operations.correlate import CorrelationData
from core.stats.correlation import Coefficient, Level
from core.stats.row_coefficients import descending_ranks
from gui.pages.compare.figure.figures import Mark
from gui.pages.compare.values import RankedTopic, SelectionDetails

MAX_TOPICS = 50
"""Topics listed for a system, those with the largest disagreement."""

MAX_SUMMARIES = 500


def system_details(data: CorrelationData, points: ScatterPoints, system: str) -> SelectionDetails | None:
    """Return a system's ranks over all topics and within them; None = not scored."""
    comparison = data.comparison
    better = _is_better_high(data, points.measure)
    scores, judgement = data.scores(points.measure), comparison.judgements[points.human]
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
        topics=tuple(_ranked(data, one) for one in topics[:MAX_TOPICS]),
    )


def marked_details(data: CorrelationData, points: ScatterPoints, marks: Collection[Mark]) -> SelectionDetails:
    """Return the marked summaries, largest disagreement first."""
    requested = set(marks)
    found = [
        one
        for one in _all(data, points.measure, points.human, Level.SYSTEM)
        if (one.system, "") in requested or (one.system, data.topics[one.topic].id) in requested
    ]
    systems = {system for system, _ in requested}
    is_whole = all(not topic for _, topic in requested)
    one_of, many = ("system", "systems") if is_whole else ("summary", "summaries")
    count = len(systems) if is_whole else len(requested)
    return SelectionDetails(
        key=f"{format_count(count)} {one_of if count == 1 else many}",
        fact="marked",
        caption="Their summaries where metric and people disagree most",
        topics=tuple(_ranked(data, one, names_system=True) for one in found[:MAX_TOPICS]),
        are_marked=True,
    )


def disagreement_list(
    data: CorrelationData, measure: str, human: str, level: Level, marks: Collection[Mark]
) -> tuple[RankedTopic, ...]:
    """Return summaries by rank difference within topics, or at global level among all.

    marks: only these; empty = all.
    """
    found = _all(data, measure, human, level)
    if marks:
        requested = set(marks)
        found = [
            one
            for one in found
            if (one.system, "") in requested or (one.system, data.topics[one.topic].id) in requested
        ]
    return tuple(_ranked(data, one, names_system=True) for one in found[:MAX_SUMMARIES])


def topic_list(
    data: CorrelationData, measure: str, human: str, coefficient: Coefficient
) -> tuple[RankedTopic, ...]:
    """Return the judged topics by correlation, the worst first, with the reason where it is undefined."""
    symbol, rows = SYMBOLS[coefficient], []
    for one in topic_correlations(data.comparison, human, coefficient, [measure]):
        head = data.topics[one.topic]
        value = f"undefined: {one.reason}" if one.reason else f"{symbol} {format_correlation(one.value)}"
        rows.append(RankedTopic(head.id, head.name, head.title, "", "", fact=f"{value} · n {one.n}"))
    return tuple(rows)


def worst_system(data: CorrelationData, measure: str, human: str, topic_id: str) -> str:
    """Return the system of a topic on which the measure and people disagree most; empty = none has both."""
    found = _all(data, measure, human, Level.TOPIC)
    return next((one.system for one in found if data.topics[one.topic].id == topic_id), "")


def disagreement_table(data: CorrelationData, measure: str, topics: Sequence[RankedTopic]) -> Table:
    """Return the list of disagreements as a table."""
    refs = [ref for ref in data.comparison.refs if ref.label == measure]
    name = marked_labels(refs).get(measure, measure)
    columns = (
        Column("Topic", "topic"),
        Column("System", "system"),
        Column(f"rank by {name}", "measure_rank", CellKind.TEXT),
        Column("rank by people", "human_rank", CellKind.TEXT),
    )
    rows = tuple((one.name, one.system, one.measure, one.people) for one in topics)
    return Table("Summaries by disagreement", columns, rows, footnote_of(refs))


def rank_text(rank: float) -> str:
    """Return ``6``, or ``2.5`` for a tied rank."""
    return f"{rank:g}"


def _all(data: CorrelationData, measure: str, human: str, level: Level) -> list[Disagreement]:
    return all_disagreements(
        data.scores(measure),
        data.comparison.judgements[human],
        higher_is_better=_is_better_high(data, measure),
        within_topics=level is not Level.GLOBAL,
    )


def _is_better_high(data: CorrelationData, measure: str) -> bool:
    ref = data.ref(measure)
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
