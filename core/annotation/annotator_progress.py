"""Progress of each annotator: what is done, how long it took, how many days are left, and who is late."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from core.annotation.annotators import annotators_of, team_of
from core.annotation.assignment import assigned_by_work
from core.annotation.team_progress import WorkProgress, work_progress
from core.domain.assignment import Work
from core.domain.decisions import MACHINE_GROUP
from core.domain.pyramid import UnitKind
from core.formatting.numbers import format_duration, pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.ports import Study, annotations_of
from core.progress import JobSteps, Progress

LAST_DAYS = 5
"""Days with work whose mean active time is the pace."""
IDLE_DAYS = 7
"""Days without work after which somebody with work left is late."""
LATE_FACTOR = 2.0
"""Multiple of the others' median of the days left above which somebody is late."""
LATE_RULE = (
    f"Late: at the pace of the last {LAST_DAYS} days with work, more than twice as many days are left as the "
    f"others' median, or nothing was done for {IDLE_DAYS} days."
)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Work of one annotator.

    pyramids, pyramids_done: topics with an SCU or marked done, and topics marked done.
    nuggets, nuggets_done: the same for nuggets.
    matched, hits, rated: summaries that are done. comparisons: answered.
    flagged: summaries with a flag.
    ratings: number of rated values.
    seconds: active time of all edits.
    done: share in [0, 1] of what is to do that is done, the mean of the kinds of work that are assigned or
        begun; None = there is nothing to do.
    days_left: days of work that are left at the pace of the last days; None = unknown.
    last_worked: date of the last edit, as ``2026-01-31``; empty = none.
    status: ``late``, ``done``, ``not begun``, ``inactive`` or empty.
    idle_days: days since the last edit; None = there is none.
    """

    name: str
    group: str = ""
    pyramids: int = 0
    pyramids_done: int = 0
    nuggets: int = 0
    nuggets_done: int = 0
    matched: int = 0
    hits: int = 0
    rated: int = 0
    comparisons: int = 0
    flagged: int = 0
    ratings: int = 0
    seconds: float = 0.0
    done: float | None = None
    days_left: float | None = None
    last_worked: str = ""
    idle_days: int | None = None
    status: str = ""

    @property
    def has_work(self) -> bool:
        """Return whether there is anything besides the name."""
        return self != AnnotatorProgress(self.name, self.group)


def team_progress(study: Study, today: date | None = None) -> JobSteps[list[AnnotatorProgress]]:
    """Return the work of everybody who is an annotator or has done any, by name; of no machine.

    today: None = now.
    """
    progress = yield from work_progress(study)
    yield Progress(0, 0, "flags and ratings")
    begun = {work: Counter(name for _, name in progress[work].done) for work in (Work.PYRAMIDS, Work.NUGGETS)}
    flagged = Counter(name for name, _ in _flagged(study))
    ratings: Counter[str] = Counter()
    for scale in study.ratings.dimensions():
        cube = study.ratings.cube(scale.name)
        for name, values in zip(cube.annotators, cube.values, strict=True):
            ratings[name] += int(np.isfinite(values).sum())
    annotators = {person.name for person in annotators_of(study)}
    found = []
    for person in (one for one in study.annotators.all() if one.group != MACHINE_GROUP):
        done = {work: one.of(person.name).done for work, one in progress.items()}
        seconds = study.edits.seconds_by_day(person.id)
        share = share_done(study, progress, person.name)
        last = max(seconds, default=None)
        one = AnnotatorProgress(
            person.name,
            person.group,
            pyramids=begun[Work.PYRAMIDS][person.name],
            pyramids_done=done[Work.PYRAMIDS],
            nuggets=begun[Work.NUGGETS][person.name],
            nuggets_done=done[Work.NUGGETS],
            matched=done[Work.MATCHES],
            hits=done[Work.HITS],
            rated=done[Work.RATINGS],
            comparisons=done[Work.COMPARISONS],
            flagged=flagged[person.name],
            ratings=ratings[person.name],
            seconds=sum(seconds.values()),
            done=share,
            days_left=None if share is None else days_left(share, seconds),
            last_worked=str(last) if last is not None else "",
            idle_days=((today or date.today()) - last).days if last is not None else None,
        )
        if one.has_work or person.name in annotators:
            found.append(one)
    return with_status(found, team_of(study).inactive)


def _flagged(study: Study) -> set[tuple[str, str]]:
    """Return the names of annotators and the ids of the summaries that they flagged, on any page."""
    people = {person.id: person.name for person in study.annotators.all()}
    found = {
        (people[state.annotator_id], state.summary_id)
        for kind in UnitKind
        for annotation in annotations_of(study, kind).annotations()
        for state in annotation.states
        if state.is_flagged
    }
    notes = [note for note in study.ratings.notes() if note.is_flagged]
    topics = {note.topic for note in notes}
    ids = tuple(head.id for head in study.texts.topics() if head.name in topics)
    of_name = {
        (topic.name, text.name): text.id
        for topic in (study.texts.load(ids) if ids else ())
        for text in topic.summaries
    }
    return found | {(note.annotator, of_name[note.topic, note.system]) for note in notes}


def share_done(study: Study, progress: Mapping[Work, WorkProgress], name: str) -> float | None:
    """Return the mean share of an annotator's kinds of work that is done; None = there is nothing to do.

    To do are the assigned topics, and without any all topics of the kinds of work that are begun.
    """
    shares = []
    assigned = assigned_by_work(study, progress, name)
    for work, one in progress.items():
        topics = assigned[work]
        cell = one.of(name, topics)
        if cell.total and (topics or name in one.names):
            shares.append(min(cell.done / cell.total, 1.0))
    return statistics.fmean(shares) if shares else None


def days_left(share: float, seconds: Mapping[date, float]) -> float | None:
    """Return how many days of work are left; None if there is no pace to tell from.

    share: done, in [0, 1]. seconds: active time by day.
    The time left is the time so far, times the share left by the share done; a day has the mean active time
    of the last days with work.
    """
    if share >= 1:
        return 0.0
    worked = [seconds[day] for day in sorted(seconds) if seconds[day] > 0]
    if not worked or share <= 0:
        return None
    return sum(worked) * (1 - share) / share / statistics.fmean(worked[-LAST_DAYS:])


def with_status(people: Sequence[AnnotatorProgress], inactive: Iterable[str] = ()) -> list[AnnotatorProgress]:
    """Return annotators with their status. inactive: names of those who get no more topics."""
    at_work = [one for one in people if one.name not in set(inactive)]
    return [
        replace(one, status=_status(one, [each for each in at_work if each is not one]))
        if one in at_work
        else replace(one, status="inactive")
        for one in people
    ]


def _status(one: AnnotatorProgress, others: Sequence[AnnotatorProgress]) -> str:
    if one.done is None:
        return ""
    if one.done >= 1:
        return "done"
    known = [each.days_left for each in others if each.days_left is not None]
    usual = max(statistics.median(known), 1.0) if known else math.inf
    is_idle = one.idle_days is not None and one.idle_days >= IDLE_DAYS
    if is_idle or (one.days_left is not None and one.days_left > LATE_FACTOR * usual):
        return "late"
    return "not begun" if one.idle_days is None and not one.done else ""


def progress_table(people: Sequence[AnnotatorProgress]) -> Table:
    """Return the work of annotators as a table; columns in which nobody has done anything are left out."""
    columns = [
        Column("Annotator", "annotator"),
        Column("Group", "group"),
        Column("Status", "status"),
        Column("Done", "done"),
        Column("Days left", "days_left"),
        Column("Last worked", "last_worked"),
        Column("Time", "time"),
        Column("Pyramids", "pyramids"),
        Column("Matches", "matched", CellKind.COUNT),
        Column("Nuggets", "nuggets"),
        Column("Hits", "hits", CellKind.COUNT),
        Column("Rated", "rated", CellKind.COUNT),
        Column("Ratings", "ratings", CellKind.COUNT),
        Column(Work.COMPARISONS.heading, "comparisons", CellKind.COUNT),
        Column("Flagged", "flagged", CellKind.COUNT),
    ]
    rows: list[dict[str, Cell]] = []
    for one in people:
        row: dict[str, Cell] = {column.key: getattr(one, column.key, "") for column in columns}
        row |= {
            "annotator": one.name,
            "time": format_duration(one.seconds) if one.seconds else "",
            "status": one.status.capitalize(),
            "pyramids": f"{one.pyramids_done} of {one.pyramids}" if one.pyramids else "",
            "nuggets": f"{one.nuggets_done} of {one.nuggets}" if one.nuggets else "",
            "done": "" if one.done is None else f"{one.done * 100:.0f} %",
            "days_left": "" if not one.days_left else f"{math.ceil(one.days_left)}",
            "last_worked": "" if one.idle_days is None else _ago(one.idle_days),
        }
        rows.append(row)
    used = [column for column in columns if column.key == "annotator" or any(row[column.key] for row in rows)]
    keys = {column.key for column in used}
    notes = [LATE_RULE] if "done" in keys else []
    if keys & {"pyramids", "nuggets"}:
        notes.append(
            "Pyramids, nuggets: topics marked done, of those begun. Matches, hits, rated: summaries."
        )
    if "time" in keys:
        notes.append("Time: from edit to edit, without pauses. Imported work has none.")
    return Table(
        "Annotators",
        tuple(used),
        tuple(tuple(row[column.key] for column in used) for row in rows),
        " ".join(notes),
    )


def _ago(days: int) -> str:
    return "today" if days < 1 else "yesterday" if days == 1 else f"{pluralize(days, 'day')} ago"
