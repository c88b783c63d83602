"""A contributor's words laid out in lines: gaps in the accent, chosen and current parts on grounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextCharFormat, QTextLayout

from gui.pages.pyramid.values import ContributorRow
from gui.style import theme
from gui.style.theme import Type
from gui.widgets.utf16_offsets import offsets_of

GAP = " … "


def laid_out(
    line: ContributorRow, width: float, current: int | None = None, chosen: Collection[str] = ()
) -> QTextLayout:
    """The words in lines of this width; `current` is the place of a part, `chosen` are ids."""
    layout = QTextLayout(GAP.join(part.words for part in line.parts), theme.font(Type.BODY))
    layout.setFormats(list(_formats(line, current, chosen)))
    layout.beginLayout()
    top = 0.0
    while (row := layout.createLine()).isValid():
        row.setLineWidth(width)
        row.setPosition(QPointF(0, top))
        top += row.height()
    layout.endLayout()
    return layout


def part_at(line: ContributorRow, width: float, point: QPointF) -> int:
    """The place of the part at a point of the words, the first one where there is none."""
    layout = laid_out(line, width)
    for index in range(layout.lineCount()):
        row = layout.lineAt(index)
        if row.y() <= point.y() < row.y() + row.height():
            position = row.xToCursor(point.x())
            starts = [start for start, _ in _positions(line)]
            return max((i for i, start in enumerate(starts) if start <= position), default=0)
    return 0


def _formats(
    line: ContributorRow, current: int | None, chosen: Collection[str]
) -> Iterator[QTextLayout.FormatRange]:
    positions = _positions(line)
    for _, end in positions[:-1]:
        gap = QTextCharFormat()
        gap.setForeground(theme.colour("accent"))
        yield _range(end, end + len(GAP), gap)
    for place, (start, end) in enumerate(positions):
        is_chosen = line.parts[place].part_id in chosen
        if is_chosen or place == current:
            letters = QTextCharFormat()
            letters.setBackground(theme.colour("selection"))
            letters.setFontUnderline(is_chosen)
            yield _range(start, end, letters)


def _range(start: int, end: int, letters: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    found.format = letters
    return found


def _positions(line: ContributorRow) -> list[tuple[int, int]]:
    """Where each part stands in the laid-out words."""
    offsets = offsets_of(GAP.join(part.words for part in line.parts))
    found, at = [], 0
    for part in line.parts:
        found.append(offsets.span_to_document((at, at + len(part.words))))
        at += len(part.words) + len(GAP)
    return found
