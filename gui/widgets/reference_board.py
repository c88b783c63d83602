"""Where references stand: below each other, or side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.theme import px
from gui.widgets.reference_section import LEAST_WIDTH, ReferenceSection

STACKED, BESIDE = "stacked", "beside"


class ReferenceBoard(QWidget):
    """Gives each section its place: short texts as much as they need, long ones the rest in equal shares."""

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[ReferenceSection] = ()
        self._layout_key = STACKED

    def show_sections(self, sections: Sequence[ReferenceSection], layout: str) -> None:
        """Place these sections, in their order."""
        self._sections, self._layout_key = tuple(sections), layout
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if not self._sections:
            return
        if self._layout_key == STACKED:
            self._stack()
        else:
            self._stand_beside()

    def _stack(self) -> None:
        least = [section.least_height() for section in self._sections]
        wanted = [max(s.sizeHint().height(), low) for s, low in zip(self._sections, least, strict=True)]
        room = self._room()
        if sum(least) > room:  # it scrolls as a whole anyway: fewer texts need to scroll by themselves
            least = [min(want, max(low, room * 4 // 5)) for want, low in zip(wanted, least, strict=True)]
        self.setMinimumSize(QSize(0, sum(least)))
        top = 0
        for section, height in zip(self._sections, share_out(wanted, least, room), strict=True):
            section.setGeometry(0, top, self.width(), height)
            top += height

    def _room(self) -> int:
        """The height in sight."""
        area = self.parentWidget()
        return area.height() if area is not None else self.height()

    def _stand_beside(self) -> None:
        count, least = len(self._sections), px(LEAST_WIDTH)
        self.setMinimumSize(QSize(count * least, max(s.least_height() for s in self._sections)))
        edges = [max(self.width(), count * least) * place // count for place in range(count + 1)]
        for section, left, right in zip(self._sections, edges, edges[1:], strict=False):
            section.setGeometry(left, 0, right - left, self._room())


def share_out(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Heights that fill `room`: who wants little gets it, the others share equally, nobody below `least`.

    wanted: at least `least` each. Where there is room for all, what is left over is shared equally too; where
    there is not room for the least, everybody gets that and the sum is more than `room`.
    """
    if sum(wanted) <= room:
        spare, count = room - sum(wanted), len(wanted)
        return [height + spare * (i + 1) // count - spare * i // count for i, height in enumerate(wanted)]
    low, high = 0, max(wanted)
    while low < high:  # the highest level that still fits
        level = (low + high + 1) // 2
        fits = sum(_up_to(level, wanted, least)) <= room
        low, high = (level, high) if fits else (low, level - 1)
    return _up_to(low, wanted, least)


def _up_to(level: int, wanted: Sequence[int], least: Sequence[int]) -> list[int]:
    return [max(few, min(many, level)) for many, few in zip(wanted, least, strict=True)]
