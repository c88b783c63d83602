"""View of the Score page: metrics, their settings and the run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QMenu, QVBoxLayout, QWidget

from core.manual.page import page_key
from gui.pages.score.panels import MetricDetails, MetricList, MetricRow, RunDetails, RunPanel
from gui.results.settings_form import SettingsForm
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import SearchField, edits, icon_button, link_button, open_menu, plain_button
from gui.widgets.controls.flow_chips import Chips, Flow
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.label import BoundedText, FactLabel, IconLabel, Label
from gui.widgets.layouts import hbox, scrolled, vbox
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame

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
        self.help_page = page_key("metrics", details.name)
        self.details.show_details(details)

    def show_run(self, details: RunDetails) -> None:
        self._run_box.set_fact(details.fact)
        self.run_panel.show_details(details)
        self.stop_button.setVisible(details.is_running)
        self.run_button.setEnabled(details.can_start)
        for part in (self.references_box, self.humans_box, self.device_box):
            part.setEnabled(not details.is_running)

    def focus_default(self) -> None:
        self.metrics.setFocus(Qt.FocusReason.OtherFocusReason)

    def _presets_menu(self) -> QMenu:
        menu = QMenu(self)
        for key, title in _PRESETS:
            menu.addAction(title).triggered.connect(lambda _, key=key: self.preset_chosen.emit(key))
        return menu

    def _lay_out(self) -> None:
        self.add_place(self.study_label)
        self.add_state(Label(tr("References"), Type.BODY, "muted"))
        self.add_state(self.references_box)
        self.add_state(self.humans_box)
        if self._has_choice:
            self.add_state(Label(tr("Run on"), Type.BODY, "muted"))
            self.add_state(self.device_box)
        else:
            self.device_box.setParent(self)  # deleted with the page
            self.device_box.hide()
        find = hbox(self.search, margins=(SMALL, 0, SMALL, SMALL))
        unable = QWidget()
        hbox(self._unable_icon, self.unable_label, parent=unable, spacing=SMALL)
        foot = Flow(unable, self.models_button, self.training_button)
        self._metrics_panel.add_action(self.presets_button)
        self._metrics_panel.add(find)
        self._metrics_panel.add(self.metrics, 1)
        self._metrics_panel.add_foot(foot)
        self._run_box.add_action(self.stop_button)
        self._run_box.add(self.run_panel, 1)
        self.add(self._metrics_panel, 45)
        self.add(self.details, 39)
        self.add(self._run_box, 33)


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
        for action in (self.another_button, self.reset_button, self.remove_button):
            self.add_action(action)
        inner = QWidget()
        column = vbox(parent=inner, margins=MEDIUM, spacing=MEDIUM)
        column.addLayout(vbox(self.about_label, self.paper_label, self.stand_in_label, spacing=HAIR))
        column.addWidget(self.problem)
        column.addWidget(Label(tr("Measures"), Type.CAPTION, "muted"))
        column.addWidget(self.chips)
        column.addSpacing(TIGHT)
        column.addWidget(self.form)
        column.addStretch(1)
        self.add(scrolled(inner), 1)
        self.add(self._signature_box(), padded=True)

    def show_details(self, details: MetricDetails) -> None:
        """Show this configuration; its signature follows."""
        self.set_title(details.name)
        self.set_fact(details.family)
        self.about_label.setText(details.about)
        self.paper_label.setText(details.paper)
        self.paper_label.setVisible(bool(details.paper))
        self.stand_in_label.setText(details.stand_in)
        self.stand_in_label.setVisible(bool(details.stand_in))
        self.problem.show_message(details.problem, details.remedy)
        self.chips.show_chips(details.measures)
        self.form.show_fields(details.fields)
        self.reset_button.setEnabled(not details.is_default)
        self.remove_button.setVisible(details.can_remove)

    def show_signature(self, signature: str) -> None:
        self.signature = signature
        # Allow line breaks before each part, as signatures have no spaces.
        self.signature_text.show_text(signature.replace("|", "\u200b|").replace(";", ";\u200b") or "…")
        self.copy_button.setEnabled(bool(signature))

    def focus_first(self) -> None:
        for control in self.form.controls.values():
            control.setFocus(Qt.FocusReason.TabFocusReason)
            return

    def _signature_box(self) -> QVBoxLayout:
        row = hbox((self.signature_text, 1), (self.copy_button, 0, Qt.AlignmentFlag.AlignTop))
        return vbox(Label(tr("Signature"), Type.CAPTION, "muted"), inset_frame(row), spacing=SMALL)
