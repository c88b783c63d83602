"""Work of each annotator: what is done, and how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.formatting.numbers import format_duration
from core.formatting.tables import Cell, CellKind, Column, Table
from core.ports import Study
from core.progress import JobSteps, Progress


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Work of one annotator.

    pyramids, pyramids_done: topics with an SCU, and topics marked done.
    nuggets, nuggets_done: the same for nuggets.
    matched: summaries whose matching is marked done, against whichever pyramid.
    flagged: summaries with a flag.
    ratings: number of rated values.
    seconds: active time of all edits.
    """

    name: str
    group: str = ""
    pyramids: int = 0
    pyramids_done: int = 0
    nuggets: int = 0
    nuggets_done: int = 0
    matched: int = 0
    flagged: int = 0
    ratings: int = 0
    seconds: float = 0.0

    @property
    def has_work(self) -> bool:
        """Return whether there is anything besides the name."""
        return self != AnnotatorProgress(self.name, self.group)


def team_progress(study: Study) -> JobSteps[list[AnnotatorProgress]]:
    """Return the work of every annotator who has done any, by name."""
    counts: dict[str, Counter[str]] = {}
    people = study.annotators.all()
    stores = (("pyramids", study.pyramids), ("nuggets", study.nuggets))
    for done, (what, store) in enumerate(stores):
        yield Progress(done, 3, what)
        for annotation in store.annotations():
            own = counts.setdefault(annotation.pyramid.annotator_id, Counter())
            own[what] += bool(annotation.pyramid.scus)
            own[f"{what}_done"] += annotation.pyramid.is_done
            for state in annotation.states:
                theirs = counts.setdefault(state.annotator_id, Counter())
                theirs["matched"] += state.is_done and what == "pyramids"
                theirs["flagged"] += state.is_flagged
    yield Progress(2, 3, "ratings")
    ratings: Counter[str] = Counter()
    for scale in study.ratings.dimensions():
        cube = study.ratings.cube(scale.name)
        for name, values in zip(cube.annotators, cube.values, strict=True):
            ratings[name] += int(np.isfinite(values).sum())
    found = [
        AnnotatorProgress(
            person.name,
            person.group,
            ratings=ratings[person.name],
            seconds=sum(study.edits.seconds_worked(person.id).values()),
            **counts.get(person.id, Counter()),
        )
        for person in people
    ]
    return [one for one in found if one.has_work]


def progress_table(people: Sequence[AnnotatorProgress]) -> Table:
    """Return the work of annotators as a table; columns in which nobody has done anything are left out."""
    columns = [
        Column("Annotator", "annotator"),
        Column("Group", "group"),
        Column("Pyramids", "pyramids", CellKind.COUNT),
        Column("Pyramids done", "pyramids_done", CellKind.COUNT),
        Column("Nuggets", "nuggets", CellKind.COUNT),
        Column("Nuggets done", "nuggets_done", CellKind.COUNT),
        Column("Summaries matched", "matched", CellKind.COUNT),
        Column("Flagged", "flagged", CellKind.COUNT),
        Column("Ratings", "ratings", CellKind.COUNT),
        Column("Time", "time"),
    ]
    rows: list[dict[str, Cell]] = [
        {
            "annotator": one.name,
            "group": one.group,
            "pyramids": one.pyramids,
            "pyramids_done": one.pyramids_done,
            "nuggets": one.nuggets,
            "nuggets_done": one.nuggets_done,
            "matched": one.matched,
            "flagged": one.flagged,
            "ratings": one.ratings,
            "time": format_duration(one.seconds) if one.seconds else "",
        }
        for one in people
    ]
    used = [column for column in columns if column.key == "annotator" or any(row[column.key] for row in rows)]
    note = (
        "Time: from edit to edit, without pauses. Imported work has none." if used[-1].key == "time" else ""
    )
    return Table(
        "Annotators",
        tuple(used),
        tuple(tuple(row[column.key] for column in used) for row in rows),
        note,
    )
