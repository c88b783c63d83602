"""Scales of published evaluations, in words, each with its source."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.domain.scale_templates import TEMPLATES, ScaleTemplate
from gui.style.language import tr
from gui.style.theme import HAIR, SMALL, Type
from gui.widgets.buttons import link_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label


def described(template: ScaleTemplate) -> tuple[str, str]:
    """Return the name of a published evaluation, and its scales with their range and source."""
    names = ", ".join(scale.name for scale in template.scales)
    return template.title.partition(":")[0], f"{names}: {template.scales[0].range_text}. {template.source}."


class PublishedScales(QWidget):
    """A button for each published evaluation.

    Signals:
        chosen: a ScaleTemplate.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.buttons = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(HAIR)
        for template in TEMPLATES:
            name, scales = described(template)
            button = link_button(name, "plus")
            button.setAccessibleName(tr("Add {name}: {scales}", name=name, scales=scales))
            button.clicked.connect(partial(self.chosen.emit, template))
            edits(button)
            self.buttons.append(button)
            label = Label(scales, Type.SMALL, "muted", wrap=True)
            label.setContentsMargins(SMALL, 0, SMALL, SMALL)
            column.addWidget(button)
            column.addWidget(label)
