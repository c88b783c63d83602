"""Model dialog: list of models, details of one, encoding cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QHeaderView, QSizePolicy, QStyleOptionViewItem, QWidget

from core.formatting.numbers import format_bytes, format_duration, format_known_bytes
from core.progress import Progress
from gui.item_models.table_model import ROW_ROLE, Column, Group, GroupedModel, Index
from gui.style import icons
from gui.style.language import plain_tip, tr
from gui.style.theme import LARGE, LEFT, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import SearchField, link_button, plain_button, primary_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import ToolDialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Gap, Stretch, hbox, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, padded, write
from gui.widgets.notice import Notice, ProgressBar, progress_text
from gui.widgets.panel import Panel


class ModelPresence(StrEnum):
    """Availability of a model on this computer."""

    HERE = tr("installed")
    ABSENT = tr("not installed")
    DAMAGED = tr("damaged")
    FETCHING = tr("downloading")


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model in one of its roles.

    key: of this row. name: of the model. used_by: papers and metrics. status: availability, as text.
    size, memory: bytes, 0 = unknown. seconds: NaN = unknown.
    """

    key: str
    name: str
    title: str
    role: str
    used_by: str
    presence: ModelPresence
    status: str
    size: float
    memory: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelDetails:
    """Details of one model.

    lines: facts, one per line.
    command: terminal command that downloads or adds the model, empty = none.
    can_download: the Hugging Face hub has the model.
    can_choose: a local folder or file can be used.
    is_single_file: the model is one file, not a folder.
    can_forget: the model was added by a user.
    """

    name: str
    title: str
    fact: str
    lines: tuple[str, ...]
    command: str = ""
    can_download: bool = False
    can_choose: bool = False
    is_single_file: bool = False
    can_forget: bool = False


WIDTH, HEIGHT = 1040, 680


class ModelsDialog(ToolDialog):
    """List of models by role, with details and actions for the selected one."""

    is_kept = True
    help_page = "models"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Models"), (WIDTH, HEIGHT), parent)
        self.list = ModelList()
        self.search = SearchField(tr("Find a model, a metric or a paper"))
        self.notice = Notice(can_close=True)
        self.folder_button = plain_button(tr("Add a folder…"), "plus")
        self.file_button = plain_button(tr("Add word vectors…"), "plus")
        self.close_button = plain_button(tr("Close"))
        self.offline_box = QCheckBox(tr("Work offline"))
        self.offline_box.setAccessibleName(tr("Work offline"))
        self.offline_box.setToolTip(tr("Never download anything from the network"))
        self.folder_button.setToolTip(tr("Add a model from a local folder; it is checked first"))
        self.file_button.setToolTip(tr("Add a word2vec, GloVe or fastText file"))
        self.details = _DetailsPanel()
        self.encodings = EncodingsPanel()
        self._panel = Panel(tr("Models"), hairline=False)
        self._panel.add(hbox(self.search, margins=(SMALL, 0, SMALL, SMALL)), (self.list, 1))
        parts = self.folder_button, self.file_button, Stretch(1), self.offline_box, Gap(MEDIUM)
        buttons = hbox(*parts, self.close_button, spacing=SMALL)
        content = self.notice, (self._panel, 1), self.details, self.encodings, buttons
        vbox(*content, parent=self, margins=LARGE, spacing=MEDIUM)
        self.search.filter_rows(self.list, self.list.models.find)
        self.close_button.clicked.connect(self.reject)

    def show_models(self, rows: Sequence[ModelRow], fact: str) -> None:
        """List models; the selection does not change. fact: number of installed models."""
        self.list.models.set_rows(rows)
        self._panel.set_fact(fact)
        if self.list.current_key is None and rows:
            self.list.choose(rows[0].key)

    def show_offline(self, is_offline: bool, why: str) -> None:
        """Show whether downloads are blocked and why; empty = they are not."""
        self.offline_box.setChecked(is_offline)
        self.details.offline_reason = why  # shown with the next details


class _DetailsPanel(Panel):
    """Details and actions of one model."""

    def __init__(self) -> None:
        super().__init__(tr("Model"))
        self.download_button = primary_button(tr("Download"), "download")
        self.choose_button = plain_button(tr("Choose a local copy…"), "folder")
        self.copy_button = link_button(tr("Copy command"))
        self.forget_button = link_button(tr("Forget"))
        self.cancel_button = plain_button(tr("Cancel"))
        self.choose_button.setToolTip(tr("Use a copy on this computer; it is checked and not moved"))
        self.copy_button.setToolTip(tr("Copy the equivalent terminal command"))
        self.forget_button.setToolTip(tr("Remove the model from the list; its files are not deleted"))
        self.lines_label = Label("", Type.BODY, "text", wrap=True)
        self.lines_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bar = ProgressBar(tr("Download"))
        self.progress_label = ElidedLabel("", Type.SMALL, "muted")
        self._command = self.offline_reason = ""
        self.add_action(self.copy_button, self.forget_button)
        self.add_action(self.choose_button, self.download_button, self.cancel_button)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._command))
        self.add(vbox(self.lines_label, self.bar, self.progress_label, spacing=SMALL), padded=True)

    def show_details(self, details: ModelDetails, downloading: str, progress: Progress) -> None:
        """Show the details of a model, with the progress if it is being downloaded.

        downloading: name of the model that is, empty = none.
        """
        is_own = downloading == details.name
        self._command = details.command
        self.set_title(details.title)
        self.set_fact(details.fact)
        self.lines_label.setText("\n".join(details.lines))
        self.copy_button.setVisible(bool(details.command))
        self.forget_button.setVisible(details.can_forget)
        self.choose_button.setVisible(details.can_choose and not is_own)
        self.download_button.setVisible(details.can_download and not is_own)
        why_not = self.offline_reason or (tr("Another download is running.") if downloading else "")
        self.download_button.setEnabled(not why_not)
        self.download_button.setToolTip(plain_tip(why_not))
        for part in (self.bar, self.progress_label, self.cancel_button):
            part.setVisible(is_own)
        if is_own:
            self.progress_label.setText(progress_text(progress))
            self.bar.show_progress(progress)


ROW_HEIGHT = 32
INDENT = 12
STATUS_WIDTH, NUMBER_WIDTH = 216, 92
_ICONS = {
    ModelPresence.HERE: ("check", "success"),
    ModelPresence.DAMAGED: ("warning", "warning"),
    ModelPresence.ABSENT: ("minus", "muted"),
    ModelPresence.FETCHING: ("download", "accent"),
}
_TONES = {ModelPresence.HERE: "text", ModelPresence.DAMAGED: "warning"}


class ModelDelegate(GroupedDelegate):
    """Delegate that paints a model: name and papers, status with an icon, numbers."""

    row_height = ROW_HEIGHT
    has_lines = rings_cell = True

    def head_fact(self, group: Group[ModelRow]) -> str:
        installed = sum(row.presence is ModelPresence.HERE for row in group.rows)
        return tr("{installed} of {rows} installed", installed=installed, rows=len(group.rows))

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ModelRow = index.data(ROW_ROLE)
        inner = padded(area)
        if index.column() == 0:
            words = inner.adjusted(px(INDENT), 0, 0, 0)
            tone = "text" if row.presence is ModelPresence.HERE else "muted"
            taken = write(painter, words, row.title, Type.STRONG, tone)
            write(painter, words.adjusted(taken + SMALL, 0, 0, 0), row.used_by, Type.SMALL, "muted")
        elif index.column() == 1:
            words = icons.lead(painter, inner, *_ICONS[row.presence])
            write(painter, words, row.status, Type.SMALL, _TONES.get(row.presence, "muted"))
        else:
            write(painter, inner, str(index.data() or ""), Type.SMALL, "muted")


class ModelList(GroupedTree):
    """Tree of models, grouped by role."""

    def __init__(self) -> None:
        self.models: GroupedModel[ModelRow] = GroupedModel(
            [
                Column(
                    tr("Model"), lambda row: f"{row.title} {row.used_by}", cell_tip=lambda row: row.used_by
                ),
                Column(tr("Status"), lambda row: row.status, cell_tip=lambda row: row.status),
                Column(tr("Size"), lambda row: row.size, format_known_bytes, tr("Size of the files")),
                Column(
                    tr("Memory"),
                    lambda row: row.memory,
                    format_known_bytes,
                    tr("Approximate memory while it runs"),
                ),
                Column(tr("One pass"), lambda row: row.seconds, format_duration, _TIME_TIP),
            ],
            lambda row: row.key,
            lambda row: row.role,
        )
        super().__init__(tr("Models"), self.models, ModelDelegate())
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for column, width in enumerate((STATUS_WIDTH, *(NUMBER_WIDTH,) * 3), start=1):
            header.resizeSection(column, px(width))
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(LEFT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


_TIME_TIP = tr("Estimated time to process all texts of this study once on the chosen device")
_GB = 10**9
LIMITS = (0, _GB // 2, _GB, 2 * _GB, 5 * _GB, 20 * _GB)
"""Limits offered, in bytes."""


class EncodingsPanel(Panel):
    """One row with the size of the cache, its limit and a button that clears it."""

    def __init__(self) -> None:
        super().__init__(tr("Cached encodings"), hairline=False)
        self.setToolTip(tr("Encodings of texts, stored so that later runs need not compute them again"))
        self.limit_box = ComboBox(tr("Maximum size of cached encodings"))
        self.limit_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.empty_button = plain_button(tr("Clear"))
        self.add_action(self.limit_box, self.empty_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_cache(self, fact: str, limit: int, *, can_empty: bool, fixed_reason: str) -> None:
        """Show the cache.

        fact: its size, as text. limit: bytes. fixed_reason: why the limit is fixed, empty = it is not.
        """
        self.set_fact(fact)
        limits = [
            (n, tr("At most {format_bytes}", format_bytes=format_bytes(n)) if n else tr("Store none"))
            for n in sorted({*LIMITS, limit})
        ]
        self.limit_box.offer(limits, limit)
        self.limit_box.setEnabled(not fixed_reason)
        self.limit_box.setToolTip(
            plain_tip(fixed_reason or tr("The least recently used encodings are deleted first"))
        )
        self.empty_button.setEnabled(can_empty)
        self.empty_button.setToolTip(
            tr("Delete all cached encodings; scores are kept") if can_empty else tr("The cache is empty")
        )
