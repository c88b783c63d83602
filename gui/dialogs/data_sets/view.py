"""Dialog of public data sets: a list, the details of one, and its download."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from core.formatting.byte_sizes import format_known_bytes
from core.progress import Progress
from gui.dialogs.data_sets.values import DataSetRow, Stored
from gui.item_models.table_model import Column, TableModel
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox
from gui.widgets.lists.table_view import ROW_HEIGHT, Table
from gui.widgets.notice import Notice
from gui.widgets.progress_bar import ProgressBar, percent, time_left

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
_STORED = {Stored.NOTHING: "", Stored.PART: tr("Partly"), Stored.ALL: tr("Yes")}
_FACTS = (tr("Contents"), tr("Size"), tr("Licence"), tr("Cite"), tr("Checked by"), tr("Page"))


class DataSetDialog(Dialog):
    """List of public data sets; the selected one is downloaded into a new or the open study.

    Signals:
        get_requested: download the selected data set, and import it.
    """

    help_page = "import-data#public-data-sets"
    get_requested = Signal()

    def __init__(self, parent: QWidget | None = None, *, open_study: str = "") -> None:
        """open_study: name of the study that data sets can be added to, empty = none."""
        super().__init__(tr("Get a public data set"), tr("Download…"), parent, width=WIDTH, icon="download")
        self._offline = ""
        self._is_busy = False
        self._described = ""
        self.rows = TableModel[DataSetRow](
            [
                Column(tr("Data set"), lambda row: row.title),
                Column(tr("Size"), lambda row: row.size, format_known_bytes),
                Column(tr("On this computer"), lambda row: _STORED[row.stored]),
            ],
            self,
        )
        self.table = Table(tr("Public data sets"), self.rows)
        self.table.setSortingEnabled(False)
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
        self.bar = ProgressBar(tr("Download"))
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.stop_button = link_button(tr("Stop"))
        self._lay_out()
        self._connect()
        self.show_idle()
        self._update()
        self.table.setFocus()

    @property
    def chosen(self) -> DataSetRow | None:
        """The selected data set, None = none."""
        index = self.table.currentIndex()
        return self.rows.row(index) if index.isValid() else None

    @property
    def is_new(self) -> bool:
        """Whether the data set goes into a new study."""
        return self.target.isHidden() or self.target.current == NEW

    def show_data_sets(self, rows: Sequence[DataSetRow]) -> None:
        """List data sets; the selection does not change."""
        at = max(self.table.currentIndex().row(), 0)
        self.rows.set_rows(tuple(rows))
        if rows:
            self.table.setCurrentIndex(self.rows.index(min(at, len(rows) - 1), 0))
        self._update()
        more = px(ROW_HEIGHT * (min(len(rows) + 1, _ROWS) - _FEWEST_ROWS))
        room = round(self.screen().availableGeometry().height() * _SHARE_OF_SCREEN)
        self.resize(self.width(), max(self.height(), min(self.minimumSizeHint().height() + more, room)))

    def show_offline(self, why: str) -> None:
        """Show why downloads are off, empty = they are on."""
        self._offline = why
        self.notice.show_message(why)
        self._update()

    def show_progress(self, progress: Progress) -> None:
        """Show how far the download or import is."""
        is_first, self._is_busy = not self._is_busy, True
        self.notice.show_message("")
        self.bar.show()
        self.stop_button.show()
        self.bar.show_progress(progress)
        parts = (progress.note or tr("Starting"), percent(progress), time_left(progress.seconds_left))
        self.state_label.setText(" · ".join(filter(None, parts)))
        if is_first:
            self._update()
            self.stop_button.setFocus()

    def show_idle(self, sentence: str = "") -> None:
        """Show that nothing is running, and why it ended."""
        was_busy, self._is_busy = self._is_busy, False
        self.bar.hide()
        self.stop_button.hide()
        self.state_label.setText(sentence)
        self._update()
        if was_busy:
            self.table.setFocus()

    def _connect(self) -> None:
        self.accept_button.clicked.disconnect()
        self.accept_button.clicked.connect(self.get_requested)
        self.table.selectionModel().currentRowChanged.connect(self._show_details)
        self.table.doubleClicked.connect(self._get_row)
        self.target.chosen.connect(self._update)

    @Slot()
    def _show_details(self) -> None:
        name = self.chosen.name if self.chosen is not None else ""
        if not self._is_busy and name and name != self._described:  # else the list was read again
            self.notice.show_message(self._offline)
            self.state_label.setText("")
        self._described = name or self._described
        self._update()

    @Slot(QModelIndex)
    def _get_row(self, _: QModelIndex) -> None:
        if self.accept_button.isEnabled():
            self.get_requested.emit()

    @Slot()
    def _update(self) -> None:
        row = self.chosen
        texts = () if row is None else (row.about, _size(row), row.licence, row.citation, row.check, row.page)
        for name, text in zip(_FACTS, texts or ("",) * len(_FACTS), strict=True):
            self.facts[name].setText(
                text[:1].upper() + text[1:] if name in (tr("Licence"), tr("Checked by")) else text
            )
        self.page_button.setVisible(row is not None)
        self.page_button.setAccessibleName(tr("Open {page}", page=row.page) if row is not None else "")
        is_there = row is not None and row.stored is Stored.ALL
        can_get = row is not None and (is_there or not self._offline)
        self.accept_button.setEnabled(can_get and not self._is_busy)
        self.table.setEnabled(not self._is_busy)
        self.target.setEnabled(not self._is_busy)
        verb = (
            tr("Create study")
            if is_there
            else tr("Resume")
            if row and row.stored is Stored.PART
            else tr("Download")
        )
        self.accept_button.setText(
            f"{verb}…" if self.is_new else tr("Add") if is_there else tr("{verb} and add", verb=verb)
        )

    def _lay_out(self) -> None:
        facts = QGridLayout()
        facts.setHorizontalSpacing(MEDIUM)
        facts.setVerticalSpacing(SMALL)
        facts.setColumnStretch(1, 1)
        for line, (name, label) in enumerate(self.facts.items()):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            facts.addWidget(Label(name, Type.SMALL, "muted"), line, 0, Qt.AlignmentFlag.AlignTop)
            facts.addWidget(label, line, 1)
        facts.addWidget(self.page_button, len(self.facts) - 1, 2)
        target = hbox(self._target_label, self.target, Stretch(1), spacing=SMALL)
        state = hbox((self.state_label, 1), self.stop_button, spacing=SMALL)
        self.body.addWidget(Label(INTRO, Type.BODY, "muted", wrap=True))
        self.body.addWidget(self.table, 1)
        self.body.addLayout(facts)
        self.body.addLayout(target)
        self.body.addWidget(self.notice)
        self.body.addWidget(self.bar)
        self.body.addLayout(state)


def _size(row: DataSetRow) -> str:
    return format_known_bytes(row.size) if row.size else tr("Not published by the server")
