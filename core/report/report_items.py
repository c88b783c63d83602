"""Figures and tables added to the report by users, stored as they were when added.

Each is a study setting of its own, their order another; a figure is stored as drawn, so that the report shows
what was on screen.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.errors import InputError
from core.experiments.runner import StudyInputs, study_inputs
from core.figures.palette import Palette
from core.formatting.tables import Table
from core.json_schema import OMITTED_IF_EMPTY, from_json, to_plain
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress
from core.report.model import FigureSvg, ReportInputs, Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[Palette], "Figure"]

_PREFIX, _ORDER = "report.chosen.", "report.order"
STALE = "Out of date: its inputs have changed since it was added to the report."


@dataclass(frozen=True, slots=True)
class ReportItem:
    """Figure or table in the report. A figure has day and night (SVG elements), a table has `table`.

    policy: methods, a sentence each.
    command: reproduces it.
    inputs_hash: over all inputs in the study when it was added, empty = it was already out of date.
    parts: digests of these inputs by name, empty = not recorded.
    """

    id: str
    title: str
    policy: tuple[str, ...]
    command: str
    day: str = ""
    night: str = ""
    table: Table | None = None
    inputs_hash: str = ""
    parts: Mapping[str, str] = field(default_factory=dict, metadata=OMITTED_IF_EMPTY)

    @property
    def is_figure(self) -> bool:
        return bool(self.day)


def add_figure(
    study: Study, title: str, policy: Sequence[str], command: str, draw: Draw, *, is_stale: bool = False
) -> JobSteps[ReportItem]:
    """Draw a figure for light and dark mode and append it to the report.

    is_stale: whether its inputs have already changed.
    """
    from core.figures.scatter_and_heatmap import to_svg_of_both_modes

    yield Progress(0, 2, "drawing")
    made = uuid.uuid4().hex
    day, draw_night = to_svg_of_both_modes(draw, title, salt=made)
    part = ReportItem(made, title, tuple(policy), command, day, draw_night())
    return (yield from _adding(study, part, is_stale=is_stale))


def add_table(
    study: Study, policy: Sequence[str], command: str, table: Table, *, is_stale: bool = False
) -> JobSteps[ReportItem]:
    """Append a table to the report. is_stale: whether its inputs have already changed."""
    part = ReportItem(uuid.uuid4().hex, table.title, tuple(policy), command, table=table)
    return (yield from _adding(study, part, is_stale=is_stale))


def _adding(study: Study, part: ReportItem, *, is_stale: bool) -> JobSteps[ReportItem]:
    yield Progress(1, 2, "reading the study")
    inputs = study_inputs(study)
    stored = replace(part, parts=inputs.parts, inputs_hash="" if is_stale else inputs.hash)
    study.settings.save(_PREFIX + stored.id, json.dumps(to_plain(stored), ensure_ascii=False)).result()
    others = (one.id for one in list_report_items(study) if one.id != stored.id)
    reorder(study, [*others, stored.id]).result()
    return stored


def list_report_items(study: Study) -> list[ReportItem]:
    """Return the items of the report in order; concurrently added items come last."""
    texts = {key.removeprefix(_PREFIX): study.settings.get(key) for key in study.settings.keys(_PREFIX)}
    there = {part_id: _read(text) for part_id, text in texts.items() if text}
    order = [part_id for part_id in study.settings.get(_ORDER).split() if part_id in there]
    return [there[part_id] for part_id in dict.fromkeys((*order, *there))]


def reorder(study: Study, order: Sequence[str]) -> Future[EditReceipt]:
    """Store the order of the items, by ids."""
    return study.settings.save(_ORDER, " ".join(order))


def remove(study: Study, part_id: str) -> Future[EditReceipt]:
    """Remove a figure or table from the report."""
    return study.settings.save(_PREFIX + part_id, "")


def chosen_sections(inputs: ReportInputs) -> list[Section]:
    """Return a section for each added figure and table, in order."""
    parts = list_report_items(inputs.study)
    if not parts:
        return []
    now = study_inputs(inputs.study)
    return [_section(part, _stale_text(part, now)) for part in parts]


def _stale_text(part: ReportItem, now: StudyInputs) -> str:
    """Return that an item is out of date, and why if that is recorded; empty = it is not."""
    if part.inputs_hash == now.hash:
        return ""
    changes = now.changes_since(part.parts) if part.inputs_hash else ""
    return f"Out of date: since it was added to the report, {changes}." if changes else STALE


def _section(part: ReportItem, stale: str) -> Section:
    figure = FigureSvg(part.title, part.day, lambda: part.night, "", is_wide=True)
    return Section(
        title=part.title,
        anchor=f"chosen-{part.id[:8]}",
        paragraphs=(*((stale,) if stale else ()), *part.policy),
        tables=(part.table,) if part.table else (),
        illustrations=(figure,) if part.is_figure else (),
        code=(part.command,),
    )


def _read(text: str) -> ReportItem:
    try:
        return from_json(ReportItem, text)
    except ValueError as error:
        raise InputError(
            f"A figure or table that was added to the report is damaged: {error}. Restore a backup of the "
            "study."
        ) from error
