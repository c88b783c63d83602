"""The right of the Compare page: the figure in view, and below it what is selected in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.comparison.comparison import ScatterPoints
from core.formatting.tables import Table
from core.stats.correlation import Level
from gui.pages.compare.current_cell import CurrentCell
from gui.pages.compare.figure_controller import FigureController, FigureRequest
from gui.pages.compare.figures import FigureContent, Mark
from gui.pages.compare.selection_details import (
    disagreement_list,
    disagreement_table,
    marked_subject,
    subject_of,
)
from gui.pages.compare.study_data import ComparisonData
from gui.pages.compare.values import FigureHeader, View
from gui.session.context import Context
from gui.widgets.multi_choice import Choice

if TYPE_CHECKING:
    from gui.pages.compare.view import CompareView

OpenSummary = Callable[[ComparisonData, str, str, str], None]


class SidePanelController(QObject):
    """Shows the figure that is chosen, and keeps selection and marks one with the rest of the window.

    Signals:
        measure_chosen: a measure's label, chosen in a figure.
    """

    measure_chosen = Signal(str)

    def __init__(self, view: CompareView, context: Context, open_summary: OpenSummary) -> None:
        super().__init__(view)
        self._view, self._context, self._open_summary = view, context, open_summary
        self._kind = View.SCATTER
        self._in_hand: CurrentCell | None = None
        self._points: ScatterPoints | None = None
        self._dot: int | None = None
        self._other = ""
        self._sheet: FigureContent | None = None
        self._drawing = FigureController(context, self)
        self._connect()

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.view_chosen.connect(self._choose_key)
        view.other_chosen.connect(self._choose_other)
        view.dot_chosen.connect(self._choose_spot)
        view.dot_opened.connect(self._open_spot)
        view.dot_toggled.connect(self._toggle)
        view.dots_swept.connect(self._sweep)
        view.figure_resized.connect(self.draw)
        view.topic_opened.connect(self._open_topic)
        view.summary_opened.connect(self._open_of)
        view.texts_requested.connect(self._open_texts)
        selection.system_changed.connect(self._follow_system)
        selection.marked.connect(self._heed_marks)
        self._drawing.found.connect(self.draw)
        self._drawing.awaited.connect(view.show_waiting)

    @property
    def sheet(self) -> FigureContent | None:
        """The figure that is shown."""
        return self._sheet

    @property
    def points(self) -> ScatterPoints | None:
        """The measure in hand against the judgement in hand."""
        return self._points

    @property
    def dot(self) -> int | None:
        """The selected point among `points`."""
        return self._dot

    @property
    def kind(self) -> View:
        """What is in view."""
        return self._kind

    def numbers_behind(self) -> Table | None:
        """The numbers of what is in view, None = there are none."""
        if self._sheet is not None:
            return self._sheet.table()
        if self._kind is View.DISAGREEMENT and self._in_hand is not None:
            listed = self._view.figure_panel.summaries.topics()
            return disagreement_table(self._in_hand.numbers, self._in_hand.measure, listed)
        return None

    def show(self, in_hand: CurrentCell | None) -> None:
        """Show what belongs to a cell of the table; None = no cell is current."""
        self._in_hand = in_hand
        if in_hand is None:
            self._points, self._sheet = None, None
            self._view.show_no_figure()
            return
        asked, points = in_hand.question, in_hand.points()
        if self._points is None or points.names != self._points.names:
            self._dot = self._dot_of(points, self._context.selection.system)
            if self._dot is None and asked.level is Level.SYSTEM and points.names:
                self._dot = int(points.y.argmax())
        self._points = points
        self._show_others(in_hand)
        self._show()

    def refresh(self, in_hand: CurrentCell) -> None:
        """Show what has come to be known of the same cell: intervals follow the values."""
        self._in_hand = in_hand
        if self._kind is View.BARS:
            self.draw()
        elif self._kind is View.SCATTER and self._points is not None:
            self._sheet = self._drawing.sheet(self._kind, self._scene(in_hand, self._points))
            if self._sheet is not None:
                self._view.show_head(self._sheet.head)

    def forget(self) -> None:
        """Drop what was computed from numbers that have changed."""
        self._drawing.forget()
        self._points = None

    @Slot(str)
    def _choose_key(self, key: str) -> None:
        self.choose_view(View(key))

    def choose_view(self, kind: View) -> None:
        """Bring a view to the front."""
        self._kind = kind
        self._view.show_view(kind)
        self._show()

    # Drawing

    @Slot(object)
    def _heed_marks(self, _marks: object) -> None:
        self._show()

    def _show(self) -> None:
        self.draw()
        self._show_subject()

    @Slot()
    def draw(self) -> None:
        """Draw what is in view, for the room that there is."""
        in_hand = self._in_hand
        if in_hand is None or self._points is None:
            return
        if self._kind is View.DISAGREEMENT:
            self._show_disagreement(in_hand)
            return
        sheet = self._drawing.sheet(self._kind, self._scene(in_hand, self._points))
        self._sheet = sheet
        if sheet is not None:
            self._view.show_figure(sheet.head, sheet.dots, sheet.chosen, sheet.draw, sheet.least)

    def _scene(self, in_hand: CurrentCell, points: ScatterPoints) -> FigureRequest:
        return FigureRequest(in_hand, points, self._dot, self._other, self._view.figure.inches()[1])

    def _show_disagreement(self, in_hand: CurrentCell) -> None:
        marks = self._context.selection.marks
        level = in_hand.question.level
        found = disagreement_list(in_hand.numbers, in_hand.measure, in_hand.human, level, marks)
        among = "among all summaries" if level is Level.GLOBAL else "within topics"
        title = in_hand.numbers.judgements[in_hand.human].title
        what = "marked summaries" if marks else "summaries"
        head = FigureHeader(
            in_hand.measure, f"against {title}", f"{len(found)} {what}", f"by the distance of ranks {among}"
        )
        self._sheet = None
        self._view.show_disagreement(head, found)

    # The other side of ranks

    def _show_others(self, in_hand: CurrentCell) -> None:
        humans = [Choice(name, ref.title) for name, ref in in_hand.numbers.judgements.items()]
        measures = [Choice(ref.label, ref.label) for ref in in_hand.numbers.comparison.refs]
        if self._other not in {choice.key for choice in (*humans, *measures)}:
            self._other = ""
        first = Choice("", f"{in_hand.numbers.judgements[in_hand.human].title} (selected)")
        self._view.show_others([first, *humans, *measures], self._other)

    @Slot(str)
    def _choose_other(self, other: str) -> None:
        self._other = other
        self.draw()

    # Spots

    @Slot(int)
    def _choose_spot(self, spot: int) -> None:
        sheet = self._sheet
        if sheet is None:
            return
        if sheet.measures:
            self.measure_chosen.emit(sheet.measures[spot])
        elif self._kind is View.SCATTER:
            self._choose_dot(spot)
        else:
            self._context.selection.select(system=sheet.marks[spot][0])
            self._context.selection.mark({sheet.marks[spot]})

    def _choose_dot(self, dot: int) -> None:
        if self._points is None or self._sheet is None or dot == self._dot:
            return
        self._dot = dot
        system, topic = self._sheet.marks[dot]
        self._context.selection.select(system=system, topic_id=topic or None)
        self._show()

    @Slot(int)
    def _toggle(self, spot: int) -> None:
        if self._sheet is not None and self._sheet.marks:
            self._context.selection.mark(self._context.selection.marks ^ {self._sheet.marks[spot]})

    @Slot(object)
    def _sweep(self, spots: Sequence[int]) -> None:
        if self._sheet is not None and (self._sheet.marks or not spots):
            self._context.selection.mark(self._sheet.marks[spot] for spot in spots)

    @Slot(str)
    def _follow_system(self, system: str) -> None:
        """Select the dot of a system that was selected elsewhere."""
        points = self._points
        if points is None or self._in_hand is None or self._in_hand.question.level is not Level.SYSTEM:
            return
        dot = self._dot_of(points, system)
        if dot is not None and dot != self._dot:
            self._dot = dot
            self._show()

    @staticmethod
    def _dot_of(points: ScatterPoints, system: str) -> int | None:
        return points.systems.index(system) if system in points.systems else None

    # What is selected

    def _show_subject(self) -> None:
        in_hand, points = self._in_hand, self._points
        if in_hand is None or points is None:
            return
        marks = {m for m in self._context.selection.marks if m[0] in in_hand.numbers.system_names()}
        if marks:
            self._view.show_subject(marked_subject(in_hand.numbers, points, marks))
            return
        system = points.systems[self._dot] if self._dot is not None else ""
        topic = in_hand.numbers.topics.get(points.topics[self._dot]) if self._dot is not None else None
        subject = subject_of(in_hand.numbers, points, system) if system else None
        self._view.show_subject(subject, topic.id if topic is not None else "")

    @Slot(int)
    def _open_spot(self, spot: int) -> None:
        if self._kind is View.SCATTER:
            self._choose_dot(spot)
            self._open_texts()
        elif self._sheet is not None and self._sheet.measures:
            self.measure_chosen.emit(self._sheet.measures[spot])
            self.choose_view(View.SCATTER)
        elif self._sheet is not None:
            self._open_worst(self._sheet.marks[spot])

    @Slot()
    def _open_texts(self) -> None:
        """Open the summary of the dot; of a system's dot, where metric and people disagree most."""
        if self._points is None or self._dot is None or self._in_hand is None:
            return
        topic = self._in_hand.numbers.topics.get(self._points.topics[self._dot])
        system = self._points.systems[self._dot]
        self._open_worst((system, topic.id if topic is not None else ""))

    def _open_worst(self, mark: Mark) -> None:
        system, topic_id = mark
        if self._in_hand is None or self._points is None:
            return
        if not topic_id:
            subject = subject_of(self._in_hand.numbers, self._points, system)
            topic_id = subject.topics[0].topic_id if subject is not None and subject.topics else ""
        if topic_id:
            self._open_of(system, topic_id)

    @Slot(str)
    def _open_topic(self, topic_id: str) -> None:
        if self._points is not None and self._dot is not None:
            self._open_of(self._points.systems[self._dot], topic_id)

    @Slot(str, str)
    def _open_of(self, system: str, topic_id: str) -> None:
        if self._in_hand is not None:
            self._open_summary(self._in_hand.numbers, topic_id, system, self._in_hand.measure)
