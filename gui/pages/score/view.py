"""View of the Score page: metrics, their settings and the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QCheckBox, QMenu, QStyleOptionViewItem, QVBoxLayout, QWidget

from core.manual.page import page_key
from core.metrics.base import Metric
from gui.item_models.table_model import ROW_ROLE, Column, Group, GroupedModel, Index
from gui.results.settings_form import SettingsForm
from gui.results.values import SettingField
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import SearchField, edits, icon_button, link_button, open_menu, plain_button
from gui.widgets.controls import Chips, Choice, Flow, MultiChoice, Segmented
from gui.widgets.label import BoundedText, ElidedLabel, FactLabel, Facts, IconLabel, Label, rule
from gui.widgets.layouts import Stretch, clear, hbox, scrolled, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, text_width, write
from gui.widgets.notice import Notice, ProgressBar
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame


class ScoreState(StrEnum):
    """Status of a configuration in the study."""

    LOOKING = "looking"
    NEW = "new"
    SCORED = "scored"
    STALE = "stale"
    PARTLY = "partly"
    UNABLE = "unable"
    WAITING = "waiting"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One configuration in the list.

    key: stays the same while settings change.
    about: settings that differ from the defaults, and a description.
    status: the state as text; tip: the reason.
    """

    key: int
    name: str
    about: str
    family: str
    is_chosen: bool
    state: ScoreState
    status: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class MetricDetails:
    """Details of one configuration.

    problem: why it cannot run; empty = it can.
    remedy: label of the button that resolves the problem; empty = none.
    stand_in: a sentence if it runs on another model than the paper's, else empty.
    """

    metric: Metric
    fields: tuple[SettingField, ...]
    can_remove: bool
    problem: str = ""
    remedy: str = ""
    stand_in: str = ""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One configuration in a run. status: as text; share: share of finished topics, None = not running."""

    name: str
    about: str
    state: ScoreState
    status: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a run skips, with the reason. key: row that the remedy opens; None = no remedy."""

    name: str
    reason: str
    remedy: str = ""
    key: int | None = None


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run that is planned, running or finished.

    hero: the large number, as ``2:10``; beside: two lines next to it.
    share: share of finished work; None = not running.
    facts: (label, value) pairs. notes: notes of metrics on texts, a sentence each.
    """

    fact: str
    hero: str
    beside: tuple[str, str]
    share: float | None
    facts: tuple[tuple[str, str], ...]
    lines: tuple[RunRow, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()
    is_running: bool = False
    can_start: bool = False


OWN = "own"
"""The key of selecting single measures instead of a feature set."""


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """Available choices. names: existing models."""

    judgements: tuple[Choice, ...]
    measures: tuple[Choice, ...]
    names: tuple[str, ...]


ROW_HEIGHT = 32
BOX_PX = 15
INDENT = 32
_ICONS = {
    ScoreState.SCORED: ("check", "success"),
    ScoreState.STALE: ("refresh", "warning"),
    ScoreState.PARTLY: ("clock", "muted"),
    ScoreState.UNABLE: ("warning", "warning"),
}
_TONES = {ScoreState.STALE: "warning", ScoreState.UNABLE: "warning", ScoreState.RUNNING: "accent"}


class MetricModel(GroupedModel[MetricRow]):
    """Configurations by family, with the check box as an item's own state for screen readers."""

    def __init__(self) -> None:
        column: Column[MetricRow] = Column(
            tr("Metric"),
            lambda row: f"{row.name} {row.about}",
            cell_tip=lambda row: row.tip,
            accessible=_spoken,
            description=lambda row: row.status,
        )
        super().__init__([column], lambda row: row.key, lambda row: row.family)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.row(index) is not None else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if row.is_chosen else Qt.CheckState.Unchecked
        return super().data(index, role)


class MetricDelegate(GroupedDelegate):
    """Paints a configuration: check box, name, description and status."""

    row_height = ROW_HEIGHT

    def head_fact(self, group: Group[Any]) -> str:
        return tr(
            "{is_chosen} of {rows}", is_chosen=sum(row.is_chosen for row in group.rows), rows=len(group.rows)
        )

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: MetricRow = index.data(ROW_ROLE)
        is_unable = row.state is ScoreState.UNABLE
        _paint_box(painter, check_area(area), is_chosen=row.is_chosen, is_unable=is_unable)
        right = self._paint_status(painter, area, row)
        words = area.adjusted(px(INDENT) + px(BOX_PX) + SMALL + 2, 0, -(area.right() - right) - MEDIUM, 0)
        taken = write(painter, words, row.name, Type.STRONG, "muted" if is_unable else "text")
        write(painter, words.adjusted(taken + SMALL + 2, 0, 0, 0), row.about, Type.SMALL, "muted")

    def editorEvent(self, event: QEvent, model: Any, option: QStyleOptionViewItem, index: Any) -> bool:
        row = index.data(ROW_ROLE)
        if not isinstance(event, QMouseEvent) or not isinstance(row, MetricRow):
            return False
        if event.type() != QEvent.Type.MouseButtonRelease:
            return False
        if not check_area(option.rect).adjusted(-6, -8, 6, 8).contains(event.position().toPoint()):
            return False
        tree = option.widget
        if isinstance(tree, MetricList):
            tree.toggled.emit(row.key)
        return True

    def _paint_status(self, painter: QPainter, area: QRect, row: MetricRow) -> int:
        """Paint the status at the right; return its left edge."""
        if not row.status:
            return area.right() - MEDIUM
        inner = area.adjusted(0, 0, -MEDIUM, 0)
        drawing = _ICONS.get(row.state)
        kind = Type.CAPTION if row.state in _TONES else Type.SMALL
        width = text_width(row.status, kind)
        gap = px(16) + 6 if drawing else 0
        # A check mark follows its text, a warning precedes it.
        follows = row.state is ScoreState.SCORED
        words = inner.adjusted(0, 0, -gap if follows else 0, 0)
        write(painter, words, row.status, kind, _TONES.get(row.state, "muted"), right=True)
        if drawing:
            before = 0 if follows else width + gap - px(icons.ROW_PX)
            icons.trail(painter, inner.adjusted(0, 0, -before, 0), *drawing)
        return inner.right() - width - gap


class MetricList(GroupedTree):
    """The list.

    Signals:
        toggled: the key of a row to choose or drop, by its check box or Space.
    """

    toggled = Signal(object)

    def __init__(self) -> None:
        self.metrics = MetricModel()
        super().__init__(tr("Metrics"), self.metrics, MetricDelegate())
        self.setHeaderHidden(True)
        self.space_pressed.connect(self.toggled)


def _spoken(row: MetricRow) -> str:
    name, about = row.name, row.about
    if row.is_chosen:
        return tr("{name}, chosen: {about}", name=name, about=about)
    return tr("{name}, not chosen: {about}", name=name, about=about)


def check_area(area: QRect) -> QRect:
    """Return the area of a row's check box."""
    side = px(BOX_PX)
    return QRect(area.left() + px(INDENT), area.center().y() - side // 2, side, side)


def _paint_box(painter: QPainter, area: QRect, *, is_chosen: bool, is_unable: bool) -> None:
    edge = QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5)
    if is_chosen:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("outline" if is_unable else "accent"))
        painter.drawRoundedRect(QRectF(area), RADIUS_SMALL, RADIUS_SMALL)
        painter.drawPixmap(area.adjusted(1, 1, -1, -1), icons.pixmap("check", "on_accent", area.width()))
    else:
        painter.setPen(QPen(theme.colour("border" if is_unable else "outline"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(edge, RADIUS_SMALL, RADIUS_SMALL)


_RUN_ICONS = {
    ScoreState.SCORED: ("check", "success"),
    ScoreState.RUNNING: ("chip", "accent"),
    ScoreState.UNABLE: ("warning", "warning"),
    ScoreState.STALE: ("refresh", "warning"),
}
_WAITS = ("clock", "muted")
PROMISE = tr("Scores are stored topic by topic. You can cancel at any time; the next run resumes.")


class RunPanel(QWidget):
    """Displays a RunDetails; reuses widgets where only values change.

    Signals:
        remedy_requested: key of the row that a remedy concerns.
    """

    remedy_requested = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.hero_label = Label("", Type.HERO)
        self.beside_labels = (Label("", Type.SMALL), Label("", Type.SMALL, "muted", wrap=True))
        self.bar = ProgressBar(tr("Progress of the run"))
        self._facts = Facts()
        self.notes_button = link_button(tr("Notes"))
        self.notes_button.setCheckable(True)
        self.notes_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notes_button.toggled.connect(self.notes_label.setVisible)
        self._line_area, self._left_out = QWidget(), vbox(spacing=SMALL)
        self._lines = vbox(parent=self._line_area, spacing=SMALL)
        self._line_rows: list[_Line] = []
        self._current_left_out: tuple[LeftOut, ...] | None = None
        head = hbox(self.hero_label, spacing=MEDIUM)
        head.addLayout(vbox(Stretch(1), *self.beside_labels, Stretch(1), spacing=0), 1)
        inner = QWidget()
        parts = head, self.bar, self._facts, self.notes_button, self.notes_label, rule(), self._line_area
        vbox(*parts, self._left_out, Stretch(1), _promise(), parent=inner, margins=MEDIUM, spacing=MEDIUM)
        vbox(scrolled(inner), parent=self)

    def show_details(self, details: RunDetails) -> None:
        self.hero_label.show_text(details.hero)
        for label, text in zip(self.beside_labels, details.beside, strict=True):
            label.show_text(text)
        self.bar.setVisible(details.share is not None)
        self.bar.show_share(details.share or 0.0)
        self._facts.show_facts(details.facts)
        self._show_notes(details.notes)
        self._show_lines(details.lines)
        self._show_left_out(details.left_out)

    def _show_notes(self, notes: tuple[str, ...]) -> None:
        self.notes_button.setVisible(bool(notes))
        self.notes_button.setText(tr("Notes ({notes})", notes=len(notes)))
        self.notes_label.setText("\n".join(notes))
        self.notes_label.setVisible(bool(notes) and self.notes_button.isChecked())

    def _show_lines(self, lines: Sequence[RunRow]) -> None:
        self.reserve(len(lines))
        for row, line in zip(self._line_rows, lines, strict=False):
            row.show_line(line)
        if sum(not row.isHidden() for row in self._line_rows) != len(lines):
            self._line_area.hide()  # else all is laid out again for each line
            for place, row in enumerate(self._line_rows):
                row.setVisible(place < len(lines))
            self._line_area.setVisible(bool(lines))

    def reserve(self, number: int) -> None:
        """Create as many lines as a run has configurations."""
        while len(self._line_rows) < number:
            self._line_rows.append(row := _Line())
            self._lines.addWidget(row)
            row.hide()

    def _show_left_out(self, left_out: tuple[LeftOut, ...]) -> None:
        if left_out == self._current_left_out:
            return
        self._current_left_out = left_out
        clear(self._left_out)
        if not left_out:
            return
        self._left_out.addWidget(rule())
        self._left_out.addWidget(
            Label(tr("Left out of this run · {left_out}", left_out=len(left_out)), Type.CAPTION, "muted")
        )
        for entry in left_out:
            self._left_out.addWidget(self._left_out_row(entry))

    def _left_out_row(self, entry: LeftOut) -> QWidget:
        whole = QWidget()
        row = hbox(parent=whole, spacing=SMALL)
        row.addWidget(IconLabel("warning", "warning"), 0, Qt.AlignmentFlag.AlignTop)
        words = vbox(Label(entry.name, "strong", wrap=True), spacing=HAIR)
        words.addWidget(Label(entry.reason, Type.SMALL, "muted", wrap=True))
        row.addLayout(words, 1)
        if entry.key is not None and entry.remedy:
            remedy = link_button(entry.remedy)
            remedy.clicked.connect(lambda: self.remedy_requested.emit(entry.key))
            row.addWidget(remedy, 0, Qt.AlignmentFlag.AlignTop)
        return whole


class _Line(QWidget):
    """One configuration of a run."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("clock")
        self._name = ElidedLabel("", "strong")
        self._about = ElidedLabel("", Type.SMALL, "muted")
        self._status = Label("", Type.SMALL, "muted")
        self._bar = ProgressBar()
        row = hbox(self._icon, self._name, (self._about, 1), self._status, spacing=SMALL)
        vbox(row, self._bar, parent=self, spacing=TIGHT)
        self._drawing = ""

    def show_line(self, line: RunRow) -> None:
        drawing, token = _RUN_ICONS.get(line.state, _WAITS)
        if drawing != self._drawing:
            self._drawing = drawing
            self._icon.show_icon(drawing, token)
        self._name.setText(line.name)
        self._about.setText(line.about)
        self._status.setText(line.status)
        self._status.set_tone("accent" if line.state is ScoreState.RUNNING else "muted")
        self._bar.setVisible(line.share is not None)
        self._bar.show_share(line.share or 0.0)
        self._bar.setAccessibleName(tr("Progress of {name} {about}", name=line.name, about=line.about))
        self.setAccessibleName(f"{line.name} {line.about}".rstrip() + f": {line.status}")


def _promise() -> QWidget:
    row = hbox((IconLabel("info", "accent"), 0, Qt.AlignmentFlag.AlignTop), spacing=MEDIUM)
    row.addWidget(Label(PROMISE, Type.SMALL, wrap=True), 1)
    return inset_frame(row)


_SIGNATURE_LINES = 4
"""Lines of the signature visible without scrolling."""

_PRESETS = (
    ("ready", tr("All ready")),
    ("quick", tr("Quick")),
    ("summeval", tr("SummEval")),
    ("reference-free", tr("Reference-free")),
)
"""Keys and titles of presets."""


_SUGGESTED = 20
"""About as many configurations as are suggested for a study."""


class ScoreView(Page):
    """Selection, settings and run of metrics.

    Signals:
        preset_chosen: key of a preset.
    """

    preset_chosen = Signal(str)

    def __init__(self, devices: Sequence[Choice]) -> None:
        super().__init__(tr("Score"))
        self.study_label = Label("", Type.BODY, "muted")
        self.references_box = MultiChoice(tr("References that count"), tr("All authors"))
        self.humans_box = QCheckBox(tr("Also as systems"))
        self.humans_box.setAccessibleName(tr("Score references as systems too"))
        self.humans_box.setToolTip(
            tr(
                "Score each reference against the others, and each summary with one reference left "
                "out in turn.\nStored in addition to the usual scores, to compare people with "
                "systems."
            )
        )
        self.device_box = Segmented(tr("Run on"), [(device.key, device.title) for device in devices])
        self._has_choice = len(devices) > 1
        self.run_button = self.set_primary(tr("Score"), "play")
        self.metrics = MetricList()
        self.search = SearchField(tr("Find a metric"))
        self.presets_button = link_button(tr("Choose"))
        self.presets_button.setToolTip(tr("Choose a set of metrics; those that cannot run are skipped"))
        open_menu(self.presets_button, self._presets_menu())
        self.training_button = link_button(tr("Train a metric…"))
        self.training_button.setToolTip(tr("Train a metric on the study's judgements"))
        edits(self.run_button, self.training_button)
        self.models_button = link_button(tr("Models…"))
        self.models_button.setToolTip(tr("Show installed models and models to download"))
        self.unable_label = FactLabel("", Type.SMALL, "warning")
        self.details = _Details()
        self.run_panel = RunPanel()
        self.later.append(partial(self.run_panel.reserve, _SUGGESTED))
        self.stop_button = plain_button(tr("Cancel"))
        self._metrics_panel = Panel(tr("Metrics"), hairline=False)
        self._run_box = Panel(tr("Run"))
        self._unable_icon = IconLabel("check", "success")
        self._lay_out()
        self.metrics.row_opened.connect(lambda _: self.details.focus_first())
        self.search.filter_rows(self.metrics, self.metrics.metrics.find)
        self.run_panel.remedy_requested.connect(self.metrics.choose)

    def show_study(self, words: str, authors: Sequence[Choice], chosen: Sequence[str]) -> None:
        """Show the study's size and the reference authors."""
        self.study_label.setText(words)
        self.references_box.show_choices(authors, chosen)

    def show_metrics(
        self, rows: Sequence[MetricRow], fact: str, unable: str, *, is_complete: bool = True
    ) -> None:
        """Show the configurations.

        unable: how many cannot run, as text; empty = none of those checked.
        is_complete: whether all are checked.
        """
        self.metrics.metrics.set_rows(rows)
        self._metrics_panel.set_fact(fact)
        all_can = tr("All can run on this computer") if is_complete else tr("Checking which can run")
        self.unable_label.setText(unable or all_can)
        self.models_button.setVisible(bool(unable))
        self.unable_label.set_tone("warning" if unable else "muted")
        good = ("check", "success") if is_complete else ("clock", "muted")
        self._unable_icon.show_icon(*(("warning", "warning") if unable else good))

    def show_details(self, details: MetricDetails) -> None:
        self.help_page = page_key("metrics", details.metric.name)
        self.details.show_details(details)

    def show_run(self, details: RunDetails) -> None:
        self._run_box.set_fact(details.fact)
        self.run_panel.show_details(details)
        self.stop_button.setVisible(details.is_running)
        self.run_button.setEnabled(details.can_start)
        for part in (self.references_box, self.humans_box, self.device_box):
            part.setEnabled(not details.is_running)

    def start(self) -> QWidget:
        return self.metrics

    def _presets_menu(self) -> QMenu:
        menu = QMenu(self)
        for key, title in _PRESETS:
            menu.addAction(title).triggered.connect(lambda _, key=key: self.preset_chosen.emit(key))
        return menu

    def _lay_out(self) -> None:
        self.add_place(self.study_label)
        self.add_state(Label(tr("References"), Type.BODY, "muted"), self.references_box, self.humans_box)
        if self._has_choice:
            self.add_state(Label(tr("Run on"), Type.BODY, "muted"), self.device_box)
        else:
            self.device_box.setParent(self)  # deleted with the page
            self.device_box.hide()
        find = hbox(self.search, margins=(SMALL, 0, SMALL, SMALL))
        unable = QWidget()
        hbox(self._unable_icon, self.unable_label, parent=unable, spacing=SMALL)
        foot = Flow(unable, self.models_button, self.training_button)
        self._metrics_panel.add_action(self.presets_button)
        self._metrics_panel.add(find, (self.metrics, 1))
        self._metrics_panel.add_foot(foot)
        self._run_box.add_action(self.stop_button)
        self._run_box.add((self.run_panel, 1))
        self.add((self._metrics_panel, 45), (self.details, 39), (self._run_box, 33))


class _Details(Panel):
    """One configuration: its measures, settings and signature."""

    def __init__(self) -> None:
        super().__init__(tr("Settings"))
        self.form = SettingsForm()
        self.chips = Chips(tr("Measures"))
        self.another_button = link_button(tr("Add another"))
        self.another_button.setToolTip(tr("Add another configuration of this metric"))
        self.reset_button = link_button(tr("Reset"))
        self.reset_button.setToolTip(tr("Reset all settings to their defaults"))
        self.remove_button = icon_button("trash", tr("Remove this configuration"))
        self.about_label = Label("", wrap=True)
        self.paper_label = Label("", Type.SMALL, "muted", wrap=True)
        self.stand_in_label = Label("", Type.SMALL, "muted", wrap=True)
        self.problem = Notice()
        self.signature_label = Label("", "code", wrap=True)
        self.signature_text = BoundedText(self.signature_label, _SIGNATURE_LINES, tr("Signature"))
        self.signature_text.setAccessibleName(tr("Signature"))
        self.copy_button = icon_button("copy", tr("Copy the signature"))
        self.signature = ""  # signature of the configuration; empty = not known yet
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.signature))
        self.add_action(self.another_button, self.reset_button, self.remove_button)
        inner = QWidget()
        column = vbox(parent=inner, margins=MEDIUM, spacing=MEDIUM)
        column.addLayout(vbox(self.about_label, self.paper_label, self.stand_in_label, spacing=HAIR))
        column.addWidget(self.problem)
        column.addWidget(Label(tr("Measures"), Type.CAPTION, "muted"))
        column.addWidget(self.chips)
        column.addSpacing(TIGHT)
        column.addWidget(self.form)
        column.addStretch(1)
        self.add((scrolled(inner), 1))
        self.add(self._signature_box(), padded=True)

    def show_details(self, details: MetricDetails) -> None:
        """Show this configuration; its signature follows."""
        metric = details.metric
        self.set_title(metric.name)
        self.set_fact(metric.family)
        self.about_label.setText(metric.about)
        self.paper_label.show_text(metric.paper)
        self.stand_in_label.show_text(details.stand_in)
        self.problem.show_message(details.problem, details.remedy)
        self.chips.show_chips(metric.measures())
        self.form.show_fields(details.fields)
        self.reset_button.setEnabled(metric != type(metric)())
        self.remove_button.setVisible(details.can_remove)

    def show_signature(self, signature: str) -> None:
        self.signature = signature
        # Allow line breaks before each part, as signatures have no spaces.
        self.signature_text.show_text(signature.replace("|", "\u200b|").replace(";", ";\u200b") or "…")
        self.copy_button.setEnabled(bool(signature))

    def focus_first(self) -> None:
        if self.form.controls:
            next(iter(self.form.controls.values())).setFocus(Qt.FocusReason.TabFocusReason)

    def _signature_box(self) -> QVBoxLayout:
        row = hbox((self.signature_text, 1), (self.copy_button, 0, Qt.AlignmentFlag.AlignTop))
        title = Label(tr("Signature"), Type.CAPTION, "muted")
        title.setBuddy(self.signature_text)
        return vbox(title, inset_frame(row), spacing=SMALL)
