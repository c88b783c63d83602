"""Dialog of public data sets: a list, the details of one, and its download."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from core.files.data_sets import DataSet
from core.formatting.numbers import format_known_bytes
from gui.item_models.table_model import Column
from gui.style.engine_words import engine_words
from gui.style.language import plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.controls import Segmented
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, extend, grid, hbox
from gui.widgets.lists.table_view import ROW_HEIGHT, RowTable
from gui.widgets.notice import JobState, Notice


class Stored(StrEnum):
    """How much of a data set is on this computer."""

    NOTHING = tr("No")
    PART = tr("Partly")
    ALL = tr("Yes")


Row = tuple[DataSet, Stored]
WIDTH = 760
NEW, OPEN = "new", "open"
"""Where a data set goes: into a new study, or into the open one."""

INTRO = tr(
    "Data sets are downloaded from their authors' servers, and only when you ask for it. "
    "Licences and citations are those that the authors name."
)
STOPPED = tr("Stopped. What was downloaded is kept, and the next download continues there.")
_ROWS, _FEWEST_ROWS = 9, 4
"""Heights of the list in rows, its headings included: at first, and in a low window."""

_SHARE_OF_SCREEN = 0.9
_FACTS = (tr("Contents"), tr("Size"), tr("Licence"), tr("Cite"), tr("Checked by"), tr("Page"))


class DataSetDialog(Dialog):
    """List of public data sets; the accept button downloads the selected one into a new or the open study."""

    help_page = "import-data#public-data-sets"

    def __init__(self, parent: QWidget | None = None, *, open_study: str = "") -> None:
        """open_study: name of the study that data sets can be added to, empty = none."""
        super().__init__(tr("Get a public data set"), tr("Download…"), parent, width=WIDTH, icon="download")
        self._offline = ""
        self._described = ""
        self.table = RowTable[Row](
            tr("Public data sets"),
            [
                Column(tr("Data set"), lambda row: row[0].title),
                Column(tr("Size"), lambda row: row[0].size, format_known_bytes),
                Column(tr("On this computer"), lambda row: row[1]),
            ],
            can_sort=False,
        )
        self.table.fit(stretch=0, widths={1: 110, 2: 150})
        self.table.setMinimumHeight(px(ROW_HEIGHT * _FEWEST_ROWS))
        self.facts = {name: Label("", Type.BODY, wrap=True) for name in _FACTS}
        self.page_button = link_button(tr("Open"))
        self.page_button.setToolTip(tr("Open the page of the data set in the browser"))
        self.target = Segmented(tr("Import into"), ((NEW, tr("A new study")), (OPEN, tr("The open study"))))
        self.target.button(OPEN).setToolTip(plain_tip(open_study))
        self.target.setVisible(bool(open_study))
        self._target_label = Label(tr("Import into"), Type.SMALL, "muted")
        self._target_label.setVisible(bool(open_study))
        self.notice = Notice()
        self.job = JobState(tr("Download"))
        self._lay_out()
        self.accept_button.clicked.disconnect()
        self.table.row_chosen.connect(self._show_details)
        self.table.doubleClicked.connect(self.accept_button.click)
        self.target.chosen.connect(self._update)
        self.job.busy_changed.connect(self._show_busy)
        self._update()
        self.table.setFocus()

    @property
    def is_new(self) -> bool:
        """Whether the data set goes into a new study."""
        return self.target.isHidden() or self.target.current == NEW

    def show_data_sets(self, rows: Sequence[Row]) -> None:
        """List data sets; the selection does not change."""
        at = max(self.table.currentIndex().row(), 0)
        self.table.rows.set_rows(tuple(rows))
        if rows:
            self.table.selectRow(min(at, len(rows) - 1))
        self._update()
        more = px(ROW_HEIGHT * (min(len(rows) + 1, _ROWS) - _FEWEST_ROWS))
        room = round(self.screen().availableGeometry().height() * _SHARE_OF_SCREEN)
        self.resize(self.width(), max(self.height(), min(self.minimumSizeHint().height() + more, room)))

    def show_offline(self, why: str) -> None:
        """Show why downloads are off, empty = they are on."""
        self._offline = why
        self.notice.show_message(why)
        self._update()

    @Slot()
    def _show_busy(self) -> None:
        self._update()
        if self.job.is_busy:
            self.notice.show_message("")
        (self.job.stop_button if self.job.is_busy else self.table).setFocus()

    @Slot()
    def _show_details(self) -> None:
        name = self.table.current[0].name if self.table.current is not None else ""
        if not self.job.is_busy and name and name != self._described:  # else the list was read again
            self.notice.show_message(self._offline)
            self.job.show_idle()
        self._described = name or self._described
        self._update()

    @Slot()
    def _update(self) -> None:
        row, stored = self.table.current or (None, Stored.NOTHING)
        size = format_known_bytes(row.size) if row and row.size else tr("Not published by the server")
        texts = (row.about, size, row.licence, row.citation, engine_words(row.check), row.page) if row else ()
        for name, text in zip(_FACTS, texts or ("",) * len(_FACTS), strict=True):
            self.facts[name].setText(
                text[:1].upper() + text[1:] if name in (tr("Licence"), tr("Checked by")) else text
            )
        self.page_button.setVisible(row is not None)
        self.page_button.setAccessibleName(tr("Open {page}", page=row.page) if row is not None else "")
        is_there = stored is Stored.ALL
        can_get = row is not None and (is_there or not self._offline)
        self.accept_button.setEnabled(can_get and not self.job.is_busy)
        self.table.setEnabled(not self.job.is_busy)
        self.target.setEnabled(not self.job.is_busy)
        is_begun = stored is Stored.PART
        verb = tr("Create study") if is_there else tr("Resume") if is_begun else tr("Download")
        self.accept_button.setText(
            f"{verb}…" if self.is_new else tr("Add") if is_there else tr("{verb} and add", verb=verb)
        )

    def _lay_out(self) -> None:
        facts = grid(across=MEDIUM, down=SMALL)
        for line, (name, label) in enumerate(self.facts.items()):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            facts.addWidget(Label(name, Type.SMALL, "muted"), line, 0, Qt.AlignmentFlag.AlignTop)
            facts.addWidget(label, line, 1)
        facts.addWidget(self.page_button, len(self.facts) - 1, 2)
        target = hbox(self._target_label, self.target, Stretch(1), spacing=SMALL)
        extend(self.body, Label(INTRO, Type.BODY, "muted", wrap=True), (self.table, 1), facts, target)
        extend(self.body, self.notice, self.job)
