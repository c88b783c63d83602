"""Start page, shown while no study is open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.files.preferences import PreferencesFile
from core.files.study_address import StudyAddress
from core.progress import Progress
from gui.commands.definitions import NAMES
from gui.commands.registry import Commands
from gui.shell.main_window import MainWindow
from gui.style import icons
from gui.style.language import literal, tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button, primary_button, set_kind
from gui.widgets.controls import FlowLayout
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.layouts import Stretch, clear, extend, hbox, vbox
from gui.widgets.notice import ProgressBar, progress_text
from gui.widgets.panel import Panel

PANEL_WIDTH = 660


class WelcomeView(QWidget):
    """Buttons to open, create or import a study, and the recent studies.

    Signals:
        recent_chosen: the path or URL of a recent study.
    """

    recent_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sample_button = primary_button(tr("Create the sample study…"), "bulb")
        self.open_button = plain_button(tr("Open a study…"), "open")
        self.server_button = plain_button(tr("Study on a server…"), "people")
        self.new_button = plain_button(tr("New study…"), "plus")
        self.import_button = plain_button(tr("Import texts…"), "import")
        self.data_set_button = plain_button(tr("Public data set…"), "download")
        self.evaluation_button = plain_button(tr("Quick evaluation…"), "sigma")
        self.recent_buttons: list[QPushButton] = []
        self.sample_bar = ProgressBar(tr("Creating the sample study"))
        self.sample_state = Label("", Type.SMALL, "muted")
        self._recent, self._recent_part = vbox(spacing=SMALL), QWidget()
        self._lay_out()
        self.show_ready()
        self.show_recent(())

    def show_recent(self, paths: Sequence[StudyAddress]) -> None:
        """List the recent studies."""
        clear(self._recent)
        self._recent_part.setVisible(bool(paths))
        self.recent_buttons = [link_button(literal(path.stem)) for path in paths]
        for path, button in zip(paths, self.recent_buttons, strict=True):
            self._recent.addWidget(self._recent_row(path, button))
        set_kind(self.sample_button, "plain" if paths else "primary")
        icons.set_icon(self.sample_button, "bulb", "muted" if paths else "on_accent")
        self._panel.set_title(tr("Continue or begin a study") if paths else tr("Begin with a study"))
        self.setFocusProxy(self.recent_buttons[0] if paths else self.sample_button)

    @Slot(object)
    def show_creating(self, progress: Progress) -> None:
        """Show how far the sample study is, below its button."""
        self.sample_button.setEnabled(False)
        self.sample_bar.show_progress(progress)
        text = progress_text(progress)
        self.sample_state.setText(text[:1].upper() + text[1:])
        self.sample_bar.show()
        self.sample_state.show()

    @Slot()
    def show_ready(self) -> None:
        """Offer the sample study: it is not being created."""
        self.sample_button.setEnabled(True)
        self.sample_bar.hide()
        self.sample_state.hide()

    def _recent_row(self, path: StudyAddress, name: QPushButton) -> QWidget:
        row = QWidget()
        name.setAccessibleName(tr("Open {stem}", stem=path.stem))
        name.clicked.connect(lambda: self.recent_chosen.emit(str(path)))
        where = str(path.parent) if isinstance(path, Path) else path.server
        hbox(IconLabel("folder"), name, (ElidedLabel(where, Type.SMALL, "muted"), 1), parent=row)
        return row

    def _lay_out(self) -> None:
        panel = self._panel = Panel(
            tr("Begin with a study"), tr("one file holds texts, annotations and scores")
        )
        panel.setFixedWidth(px(PANEL_WIDTH))
        vbox(
            Label(tr("Recent studies"), Type.CAPTION, "muted"),
            self._recent,
            rule(),
            parent=self._recent_part,
            spacing=MEDIUM,
        )
        row, buttons = QWidget(), FlowLayout()
        row.setLayout(buttons)  # before its items, which it owns then
        for button in (
            self.open_button,
            self.new_button,
            self.import_button,
            self.data_set_button,
            self.server_button,
            self.evaluation_button,
        ):
            buttons.addWidget(button)
        column = vbox(
            self._recent_part,
            Label(
                tr(
                    "The sample has eight topics with summaries of eight systems and the work of "
                    "two annotators: use it to try every page."
                ),
                wrap=True,
            ),
            (self.sample_button, 0, Qt.AlignmentFlag.AlignLeft),
            self.sample_bar,
            self.sample_state,
            rule(),
            row,
            margins=LARGE,
            spacing=MEDIUM,
        )
        panel.add(column)
        whole = QVBoxLayout(self)
        whole.setSpacing(MEDIUM)
        whole.addStretch(2)
        for widget in (
            IconLabel("pyramid", "accent", 40),
            Label("Pyramidion", Type.HERO),
            Label(tr("Annotate, score, compare and report summaries."), Type.BODY, "muted"),
        ):
            whole.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        middle = hbox(Stretch(1), panel, Stretch(1))  # an aligned panel would not get its labels' height
        extend(whole, middle, Stretch(3))


STEPS = (
    (
        "overview",
        tr(
            "The sample is a small study with the work of two annotators: try anything, {edit.undo} undoes "
            "it. {view.palette} finds every command, {help.keys} shows the keys of a page."
        ),
    ),
    (
        "pyramids",
        tr(
            "Select words in a reference; {pyramid.new_scu} makes them an SCU. {pyramid.add_contributor} "
            "adds words of another reference to it. Its weight is the number of references that express it."
        ),
    ),
    (
        "matches",
        tr(
            "Select an SCU, and the words of the summary that express it; {match.match} matches them. The "
            "score is shown when the summary is marked done ({match.done})."
        ),
    ),
    ("ratings", tr("A digit rates and goes on to the next scale, at the end to the next summary.")),
    (
        "score",
        tr(
            "Tick metrics and press {score.run}. Compare then shows how each metric correlates with the "
            "pyramids and ratings."
        ),
    ),
    (
        "report",
        tr(
            "The report has tables, figures and the commands that reproduce each number. Help › Tutorial "
            "goes on from here, with your own texts."
        ),
    ),
)
"""Pages, and texts with ids of commands in braces."""


class Tour(QObject):
    """Shows the steps above the pages; it is offered once, with the first sample."""

    def __init__(
        self, window: MainWindow, commands: Commands, settings: PreferencesFile, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window, self._commands, self._settings = window, commands, settings
        self._place = 0
        window.tour.remedy_button.clicked.connect(lambda: self._show(self._place + 1))
        commands.bind("help.tour", self.begin)

    def offer(self) -> None:
        """Begin, unless the tour was shown before."""
        if not self._settings.now.knows_tour:
            self.begin()

    def begin(self) -> None:
        """Show the first step."""
        self._settings.change(knows_tour=True)
        self._show(0)

    def _show(self, place: int) -> None:
        self._place = place
        page, text = STEPS[place]
        step = tr("Tour, {step} of {steps}:", step=place + 1, steps=len(STEPS))
        is_last = place + 1 == len(STEPS)
        going_on = "" if is_last else tr("Next: {page}", page=NAMES[STEPS[place + 1][0]].title)
        self._window.go_to(page)
        self._window.tour.show_message(f"{step} {self._commands.expand_shortcuts(text)}", going_on)
