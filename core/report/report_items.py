"""Figures and tables that people chose for the report, as they were when they were chosen.

Each is kept in the study as a text of its own, their order in another; a figure is kept as it was drawn, so
that the report shows what was on screen.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from core.experiments.runner import inputs_hash
from core.figures.palette import DARK, LIGHT, Palette
from core.formatting.tables import Table
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress
from core.report.model import FigureSvg, ReportInputs, Section
from core.results.result_json import table_document, table_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[Palette], "Figure"]

_PREFIX, _ORDER = "report.chosen.", "report.order"
STALE = "Something that this was made from has changed since it was chosen for the report."


@dataclass(frozen=True, slots=True)
class ReportItem:
    """A figure or a table in the report. A figure has day and night (SVG elements), a table has `table`.

    policy: how the numbers came about, a sentence each. command: what repeats them. inputs_hash: over all
    that the study held when it was chosen, empty = it had changed by then.
    """

    id: str
    title: str
    policy: tuple[str, ...]
    command: str
    day: str = ""
    night: str = ""
    table: Table | None = None
    inputs_hash: str = ""

    @property
    def is_figure(self) -> bool:
        return bool(self.day)


def add_figure(
    study: Study, title: str, policy: Sequence[str], command: str, draw: Draw, *, is_stale: bool = False
) -> JobSteps[ReportItem]:
    """Draw a figure for day and night and put it last in the report.

    is_stale: what it was made from has changed already.
    """
    from core.figures.scatter_and_heatmap import to_svg

    yield Progress(0, 2, "drawing")
    made = uuid.uuid4().hex
    day, night = (
        to_svg(draw(palette), title, f"{made} {when}") for palette, when in ((LIGHT, "day"), (DARK, "night"))
    )
    part = ReportItem(made, title, tuple(policy), command, day, night)
    return (yield from _adding(study, part, is_stale=is_stale))


def add_table(
    study: Study, policy: Sequence[str], command: str, table: Table, *, is_stale: bool = False
) -> JobSteps[ReportItem]:
    """The same of a table."""
    part = ReportItem(uuid.uuid4().hex, table.title, tuple(policy), command, table=table)
    return (yield from _adding(study, part, is_stale=is_stale))


def _adding(study: Study, part: ReportItem, *, is_stale: bool) -> JobSteps[ReportItem]:
    yield Progress(1, 2, "reading the study")
    kept = replace(part, inputs_hash="" if is_stale else inputs_hash(study))
    study.save_setting(_PREFIX + kept.id, json.dumps(_document(kept), ensure_ascii=False)).result()
    others = (one.id for one in chosen_parts(study) if one.id != kept.id)
    reorder(study, [*others, kept.id]).result()
    return kept


def chosen_parts(study: Study) -> list[ReportItem]:
    """What is in the report, in its order; what two people added at once comes last."""
    found = {key.removeprefix(_PREFIX): study.setting(key) for key in study.setting_keys(_PREFIX)}
    there = {part_id: _read(text) for part_id, text in found.items() if text}
    order = [part_id for part_id in study.setting(_ORDER).split() if part_id in there]
    return [there[part_id] for part_id in dict.fromkeys((*order, *there))]


def reorder(study: Study, order: Sequence[str]) -> Future[EditReceipt]:
    """Keep the order of what is in the report, by ids."""
    return study.save_setting(_ORDER, " ".join(order))


def remove(study: Study, part_id: str) -> Future[EditReceipt]:
    """Take a figure or table out of the report."""
    return study.save_setting(_PREFIX + part_id, "")


def chosen_sections(inputs: ReportInputs) -> list[Section]:
    """A chapter for each figure and table that was chosen, in their order."""
    parts = chosen_parts(inputs.study)
    now = inputs_hash(inputs.study) if parts else ""
    return [_section(part, is_stale=part.inputs_hash != now) for part in parts]


def _section(part: ReportItem, *, is_stale: bool) -> Section:
    figures = (FigureSvg(part.title, part.day, part.night, "", is_wide=True),) if part.is_figure else ()
    return Section(
        title=part.title,
        anchor=f"chosen-{part.id[:8]}",
        paragraphs=(*((STALE,) if is_stale else ()), *part.policy),
        tables=(part.table,) if part.table else (),
        illustrations=figures,
        code=(part.command,),
    )


def _document(part: ReportItem) -> dict[str, Any]:
    table = table_document(part.table) if part.table else None
    return {**asdict(replace(part, table=None)), "table": table}


def _read(text: str) -> ReportItem:
    read = json.loads(text)
    table = table_of(read["table"]) if read["table"] else None
    return ReportItem(**{**read, "policy": tuple(read["policy"]), "table": table})
