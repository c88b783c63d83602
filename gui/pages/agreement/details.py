"""Panel with the other coefficients of one kind of annotation, and the α of each pair of annotators."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.agreement.table import AgreementRow
from core.agreement.titles import agreement_title, distinct_words
from core.agreement.verdicts import TENTATIVE, VerdictLine
from core.formatting.numbers import format_correlation
from gui.style.language import tr
from gui.style.theme import MEDIUM, TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.label import Keycap, Label
from gui.widgets.layouts import Stretch, hbox
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel


class DetailsPanel(Panel):
    """The chosen line in detail."""

    def __init__(self) -> None:
        super().__init__(tr("Details"))
        self.pairs, self.notice = QGridLayout(), Notice()
        self.pairs.setSpacing(TIGHT)
        self.differences_button = link_button("")
        self._coefficients = QGridLayout()
        self._coefficients.setVerticalSpacing(TIGHT)
        self._coefficients.setColumnStretch(0, 1)
        self._pairs_label = Label(tr("Each pair, α"), Type.SMALL, "muted")
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.setSpacing(MEDIUM)
        column.addLayout(self._coefficients)
        column.addWidget(self._pairs_label)
        column.addLayout(self.pairs)
        column.addWidget(self.notice)
        column.addStretch(1)
        self.add(scrolled(inner), 1)
        self.add_foot(hbox(self.differences_button, Stretch(1), Keycap("Enter")))

    def show_line(
        self, line: VerdictLine, rows: Sequence[AgreementRow], pairs: Sequence[AgreementRow], note: str
    ) -> None:
        """Show a line: its coefficients, the main one of each pair, and a note on one annotator."""
        self.set_title(line.title)
        self._clear(self._coefficients)
        for place, row in enumerate(rows):
            title = agreement_title(row.coefficient).replace("Krippendorff's ", "")
            name, value = Label(title, wrap=True), Label(row.text, Type.STRONG)
            value.setToolTip(plain_tip(row.reason))
            self._coefficients.addWidget(name, place, 0)
            self._coefficients.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self._show_pairs(pairs)
        self._pairs_label.setVisible(bool(pairs))
        self.notice.show_message(note)
        self.differences_button.setText(
            tr("See {left}", left=tr("%n differences", "", line.differences))
            if line.differences
            else tr("No differences")
        )
        self.differences_button.setEnabled(bool(line.differences))

    def _show_pairs(self, pairs: Sequence[AgreementRow]) -> None:
        """Show a triangle; what reaches the first threshold is filled."""
        self._clear(self.pairs)
        names = list(dict.fromkeys(name for row in pairs for name in row.annotators))
        short = distinct_words(names)
        for place, (name, word) in enumerate(zip(names, short, strict=True)):
            for at in ((0, place + 1), (place, 0)):
                if at not in ((0, len(names)), (0, 0)):
                    label = Label(word, Type.CAPTION, "muted")
                    label.setToolTip(plain_tip(name))
                    self.pairs.addWidget(label, *at, Qt.AlignmentFlag.AlignCenter)
        for row in pairs:
            column, line = sorted(names.index(name) for name in row.annotators)
            value = Label(format_correlation(row.value), "pair-high" if row.value >= TENTATIVE else "pair")
            value.setAccessibleName(f"{row.group}: {value.text()}")
            value.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.pairs.addWidget(value, line, column + 1)

    @staticmethod
    def _clear(grid: QGridLayout) -> None:
        while (item := grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
