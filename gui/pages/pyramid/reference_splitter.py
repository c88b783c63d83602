"""Layout of references: in one column at full height, or side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.pages.pyramid.reference_section import LEAST_WIDTH, ReferenceSection
from gui.style.theme import px

STACKED, BESIDE = "stacked", "beside"


class ReferencePanel(QWidget):
    """Places the sections: in one column as high as their texts, side by side as high as the view."""

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
        top = 0
        for section in self._sections:
            height = section.fit_height(self.width())
            section.setGeometry(0, top, self.width(), height)
            top += height
        self.setMinimumSize(QSize(0, top))

    def _stand_beside(self) -> None:
        count, least = len(self._sections), px(LEAST_WIDTH)
        for section in self._sections:
            section.free_height()
        self.setMinimumSize(QSize(count * least, max(s.minimumSizeHint().height() for s in self._sections)))
        edges = [max(self.width(), count * least) * place // count for place in range(count + 1)]
        for section, left, right in zip(self._sections, edges, edges[1:], strict=False):
            section.setGeometry(left, 0, right - left, self._room())

    def _room(self) -> int:
        """The height of the view."""
        area = self.parentWidget()
        return area.height() if area is not None else self.height()
