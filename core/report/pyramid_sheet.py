"""A pyramid, or nuggets, for reading and printing: a figure, and a table of SCUs with their contributors."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.pyramid import Contributor, Pyramid, Scu, UnitKind
from core.domain.study import TopicTexts
from core.errors import InputError
from core.figures.canvas import SMALL_POINTS, empty_figure
from core.figures.fonts import drawable_parts
from core.figures.palette import Palette
from core.files.atomic_write import atomic_folder, atomic_write_bytes
from core.files.file_names import FileNames
from core.formatting.legible_text import legible_text
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.formatting.unit_terms import in_terms_of
from core.ports import Study
from core.progress import JobSteps, Progress
from core.report.formats.html import to_html
from core.report.formats.pdf import figure_bytes, to_pdf
from core.report.legible import legible
from core.report.model import FigureSvg, Report, Section
from core.report.sections import illustration

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_PER_LINE = 5
_WIDTH, _HEIGHT, _GAP = 1.5, 0.58, 0.07
"""Inches of a box, and between boxes."""

_MARGIN = 0.95
"""Inches at the left for the weights."""

_LINES, _LETTERS = 3, 22
_BETWEEN = 0.12
"""Inches between tiers, in addition to the gap."""


@dataclass(frozen=True, slots=True)
class Tier:
    """SCUs of one weight. title: such as ``weight 4``. labels: one for each SCU."""

    title: str
    labels: tuple[str, ...]


def pyramid_figure(tiers: Sequence[Tier], palette: Palette) -> Figure:
    """Draw tiers from top to bottom, each centred; a tier of more than five SCUs has several lines."""
    starts = [range(0, len(tier.labels), _PER_LINE) for tier in tiers]
    lines = [
        [tier.labels[at : at + _PER_LINE] for at in each] for tier, each in zip(tiers, starts, strict=True)
    ]
    height = sum(len(each) * (_HEIGHT + _GAP) + _BETWEEN for each in lines)
    width = _MARGIN + _PER_LINE * (_WIDTH + _GAP)
    figure, axes = empty_figure(palette, (width, height))
    figure.set_layout_engine("none")
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    axes.axis("off")
    axes.set(xlim=(0, width), ylim=(height, 0))
    top = _BETWEEN / 2
    for number, (tier, rows) in enumerate(zip(tiers, lines, strict=True)):
        share = 0.55 - 0.45 * number / max(1, len(tiers) - 1)
        middle = top + (len(rows) * (_HEIGHT + _GAP)) / 2
        axes.text(
            0.05,
            middle,
            tier.title,
            va="center",
            color=palette.muted,
            fontsize=SMALL_POINTS,
            fontfamily=palette.fonts,
        )
        for row in rows:
            left = _MARGIN + (_PER_LINE - len(row)) * (_WIDTH + _GAP) / 2
            for place, label in enumerate(row):
                _draw_box(axes, label, (left + place * (_WIDTH + _GAP), top), palette, share)
            top += _HEIGHT + _GAP
        top += _BETWEEN
    return figure


def _draw_box(axes: Axes, label: str, corner: tuple[float, float], palette: Palette, share: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, top = corner
    box = FancyBboxPatch(
        (left + 0.03, top + 0.03),
        _WIDTH - 0.06,
        _HEIGHT - 0.06,
        boxstyle="round,pad=0.03,rounding_size=0.06",
        linewidth=0.8,
        edgecolor=palette.outline,
        facecolor=palette.mixed(share * 0.6),
    )
    axes.add_patch(box)
    axes.text(
        left + _WIDTH / 2,
        top + _HEIGHT / 2,
        _wrapped(label),
        ha="center",
        va="center",
        color=palette.text,
        fontsize=SMALL_POINTS - 0.5,
        fontfamily=palette.fonts,
        parse_math=False,
    )


def _wrapped(label: str) -> str:
    """Return a label in at most two lines, shortened at its end."""
    drawn = "".join(drawable_parts(" ".join(legible_text(label).split())))
    lines = textwrap.wrap(drawn, _LETTERS) or [""]
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], f"{lines[_LINES - 1][: _LETTERS - 1].rstrip()}…"]
    return "\n".join(lines)


SUFFIXES: Mapping[str, str] = {".html": "Web page", ".pdf": "PDF", ".png": "Picture (PNG)"}
"""Formats of one pyramid with their names for users."""


def pyramid_sheet(pyramid: Pyramid, topic: TopicTexts, annotator: str) -> Report:
    """Return a pyramid as a report with one figure and one table."""
    kind = pyramid.kind
    scus = sorted(pyramid.scus, key=lambda scu: -scu.weight)
    name = in_terms_of(kind, "Pyramid")
    counted = pluralize(len(scus), in_terms_of(kind, "SCU"), in_terms_of(kind, "SCUs"))
    references = pluralize(len(topic.references), "reference")
    documents = pluralize(len(topic.documents), "document")
    texts = documents if kind is UnitKind.NUGGET and topic.documents else references
    parts = [f"{counted} of {texts}", f"by {annotator}"] + ([] if pyramid.is_done else ["not marked done"])
    title = f"{name} of {topic.name}"
    section = Section(
        in_terms_of(kind, "SCUs"),
        "scus",
        tables=(_table(scus, topic, kind),),
        illustrations=(_figure(scus, title, kind),) if scus else (),
    )
    return legible(Report(title, " · ".join(parts), (section,)))


def _figure(scus: Sequence[Scu], title: str, kind: UnitKind) -> FigureSvg:
    weights = dict.fromkeys(scu.weight for scu in scus)
    word = in_terms_of(kind, "weight")
    tiers = [
        Tier(f"{word} {weight}", tuple(scu.label for scu in scus if scu.weight == weight))
        for weight in weights
    ]
    counts = ", ".join(f"{word} {tier.title.split()[-1]}: {len(tier.labels)}" for tier in tiers)
    return illustration(title, f"{counts}.", lambda palette: pyramid_figure(tiers, palette), is_wide=True)


def _table(scus: Sequence[Scu], topic: TopicTexts, kind: UnitKind) -> Table:
    texts = {text.id: text for text in (*topic.references, *topic.documents)}

    def words(contributor: Contributor) -> str:
        text = texts[contributor.reference_id]
        parts = sorted(contributor.parts, key=lambda part: part.span)
        quoted = " … ".join(" ".join(text.content[part.start : part.end].split()) for part in parts)
        unconfirmed = "" if contributor.is_confirmed else " (not confirmed)"
        return f"{text.name}: “{quoted}”{unconfirmed}"

    rows: list[tuple[Cell, ...]] = [
        (
            number,
            scu.weight,
            scu.label,
            "; ".join(words(one) for one in scu.contributors if one.reference_id in texts),
            scu.comment,
        )
        for number, scu in enumerate(scus, 1)
    ]
    columns = [
        Column("No.", "number", CellKind.COUNT),
        Column(in_terms_of(kind, "Weight"), "weight", CellKind.COUNT),
        Column("Label", "label"),
        Column(in_terms_of(kind, "Contributors"), "contributors"),
        Column("Comment", "comment"),
    ]
    if not any(scu.comment for scu in scus):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    note = in_terms_of(kind, "Weight: number of references that express the SCU.")
    return Table(in_terms_of(kind, "SCUs and their contributors"), tuple(columns), tuple(rows), note)


def sheet_bytes(sheet: Report, suffix: str) -> bytes:
    """Return a sheet as ``.html`` or ``.pdf``, or its figure as ``.png``.

    Raises InputError where it has no figure.
    """
    if suffix == ".html":
        return to_html(sheet).encode()
    if suffix == ".pdf":
        return to_pdf(sheet)
    if not (figures := sheet.sections[0].illustrations):
        raise InputError(f"{sheet.title} has nothing to draw yet. Save it as a web page or PDF.")
    return figure_bytes(figures[0], "png")


def write_sheets(study: Study, folder: Path, suffix: str) -> JobSteps[int]:
    """Write every pyramid of a study as a file in a folder, all or none; returns the number of files.

    Files are named by the topic, followed by the annotator.
    Raises InputError where there is nothing to write.
    """
    annotations = [each for each in study.pyramids.annotations() if each.pyramid.scus]
    if not annotations:
        raise InputError("The study has no pyramid with an SCU yet. Create or import one first.")
    people = {person.id: person.name for person in study.annotators.all()}
    texts = {topic.id: topic for topic in study.texts.load()}
    names = FileNames()
    with atomic_folder(folder) as part:
        for done, annotation in enumerate(annotations):
            pyramid = annotation.pyramid
            topic, annotator = texts[pyramid.topic_id], people[pyramid.annotator_id]
            name = names.reserve(f"{topic.name}.{annotator}", suffix)
            yield Progress(done, len(annotations), f"writing {name}")
            content = sheet_bytes(pyramid_sheet(pyramid, topic, annotator), suffix)
            atomic_write_bytes(part / name, content)
    return len(annotations)
