"""The tour of the sample: six pages, and what to do on each."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from core.files.preferences import PreferencesFile
from gui.commands.pages import NAMES
from gui.commands.registry import Commands
from gui.shell.main_window import MainWindow
from gui.style.language import tr

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
        window.tour.remedy_button.clicked.connect(self._go_on)
        commands.bind("help.tour", self.begin)

    def offer(self) -> None:
        """Begin, unless the tour was shown before."""
        if not self._settings.now.knows_tour:
            self.begin()

    @Slot()
    def begin(self) -> None:
        """Show the first step."""
        self._settings.change(knows_tour=True)
        self._show(0)

    @Slot()
    def _go_on(self) -> None:
        self._show(self._place + 1)

    def _show(self, place: int) -> None:
        self._place = place
        page, text = STEPS[place]
        step = tr("Tour, {step} of {steps}:", step=place + 1, steps=len(STEPS))
        is_last = place + 1 == len(STEPS)
        going_on = "" if is_last else tr("Next: {page}", page=NAMES[STEPS[place + 1][0]].title)
        self._window.show_page(page)
        self._window.tour.show_message(f"{step} {self._commands.expand_shortcuts(text)}", going_on)
