"""Figures of the Compare page with their spots and underlying tables; the view in which spots are chosen."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QRubberBand, QToolTip, QWidget

from core.comparison.comparison import ScatterPoints
from core.comparison.intercorrelation import Dendrogram
from core.comparison.noise_ceiling import ONE_ANNOTATOR, UpperBound
from core.figures.matrix_figures import least_size
from core.figures.palette import Palette
from core.figures.row_figures import RankFlow
from core.formatting.coefficients import SYMBOLS, coefficient_title
from core.formatting.numbers import format_correlation, format_count, format_p, format_score
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, align_matrices
from core.operations.correlate import CorrelationData
from core.stats.precision import round_values
from core.stats.row_coefficients import descending_ranks
from gui.pages.compare.table.table_content import CurrentCell, Mark
from gui.pages.compare.values import FigureHeader, MeasureCell, PlotPoints, SpotKind
from gui.style.language import plain_tip
from gui.widgets.figure_view import FigureView
from gui.widgets.lists.grouped_tree import draw_ring

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False)
class FigureContent:
    """A figure with its text, spots and data.

    marks: the summaries of each spot; measures: the measure of each spot; one of the two is empty.
    table: return the numbers behind the figure.
    least: minimum width and height on screen, in inches.
    """

    head: FigureHeader
    dots: PlotPoints
    chosen: int | None
    draw: DrawSized
    table: Callable[[], Table]
    marks: tuple[Mark, ...] = ()
    measures: tuple[str, ...] = ()
    least: tuple[float, float] = (0.0, 0.0)


def with_note(content: FigureContent, sentences: Sequence[str]) -> FigureContent:
    """Return the figure with notes: behind a button on screen, below the figure in files and reports."""
    if not sentences:
        return content

    def table() -> Table:
        numbers = content.table()
        return replace(numbers, note=" ".join(part for part in (numbers.note, *sentences) if part))

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.canvas import add_note

        figure = content.draw(palette, size)
        if not palette.is_screen:
            add_note(figure, palette, " ".join(sentences))
        return figure

    return replace(content, draw=draw, table=table, head=replace(content.head, notes=tuple(sentences)))


def scatter_figure(cell: CurrentCell, points: ScatterPoints, chosen: int | None) -> FigureContent:
    """Return a scatter plot of the measure against the judgement."""
    topics = cell.data.topics
    ids = [topics[name].id if name else "" for name in points.topics]
    marks = tuple(zip(points.systems, ids, strict=True))
    marked = _places_of(marks, cell.marked)
    title = cell.title

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.scatter_and_heatmap import scatter

        selected = chosen if palette.is_screen else None
        return scatter(points, palette, size, selected=selected, marked=marked, human_title=title)

    correlation = points.correlation
    parts = (
        *cell.inference_text(),
        f"n = {format_count(correlation.n)}",
        f"{format_count(correlation.dropped)} dropped",
        points.stand_in,
    )
    label = cell.labels([points.measure])[0]
    head = FigureHeader(
        label,
        f"against {title}",
        f"{SYMBOLS[points.coefficient]} = {format_correlation(correlation.value)}",
        " · ".join(part for part in parts if part),
    )
    columns = (
        Column("System", "system"),
        Column("Topic", "topic"),
        Column(label, "measure", CellKind.SCORE),
        Column(title, "judgement", CellKind.SCORE),
    )

    def table() -> Table:
        rows = zip(points.systems, points.topics, points.x.tolist(), points.y.tolist(), strict=True)
        return Table(f"{label} against {title}", columns, tuple(rows))

    return FigureContent(head, PlotPoints(points.names, points.x, points.y), chosen, draw, table, marks=marks)


def bars_figure(
    cell: CurrentCell,
    labels: Sequence[str],
    cells: Sequence[MeasureCell],
    most: int,
    method: str,
    bound: UpperBound | None = None,
) -> FigureContent:
    """Return bars with intervals, the first measure on top, as many as fit.

    bound: agreement of the annotators, drawn as a line; None = unknown.
    """
    shown = list(range(len(labels)))[:most]
    if cell.measure in labels and (mine := labels.index(cell.measure)) not in shown:
        shown[-1:] = [mine]
    names = tuple(labels[i] for i in shown)
    values, low, high = (
        np.array([getattr(cells[i], part) for i in shown]) for part in ("value", "low", "high")
    )
    symbol = f"{SYMBOLS[cell.request.coefficient]} with {cell.title}"
    drawn = cell.labels(names)
    unranked = frozenset(drawn[at] for at, i in enumerate(shown) if not cells[i].eligible.is_ranked)

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.row_figures import IntervalRows, ReferenceLine, interval_bars

        found = IntervalRows(drawn, values, low, high, unranked)
        line = ReferenceLine(ONE_ANNOTATOR, bound.one, bound.low, bound.high) if bound is not None else None
        return interval_bars(found, palette, size, selected=cell.measure_label, x_label=symbol, line=line)

    def table() -> Table:
        columns = (
            Column("Measure", "measure"),
            *(Column(part, part, CellKind.CORRELATION) for part in ("value", "low", "high")),
            Column("note", "note"),
        )
        rows = zip(cell.labels(labels), cells, strict=True)
        lines = [(label, cell.value, cell.low, cell.high, cell.eligible.note) for label, cell in rows]
        if bound is not None:
            lines.append((ONE_ANNOTATOR, bound.one, bound.low, bound.high, "not a measure"))
        return Table(f"Measures by {symbol}", columns, tuple(lines))

    some = f"{len(shown)} of " if len(shown) < len(labels) else ""
    line = f"dashed: {bound.short_text}" if bound is not None else ""
    rest = " · ".join(part for part in (method, line) if part)
    head = FigureHeader("Measures", f"by {symbol}", f"{some}{len(labels)} measures", rest)
    texts = tuple(_bar_text(labels[i], cells[i]) for i in shown)
    chosen = names.index(cell.measure) if cell.measure in names else None
    return FigureContent(head, _rows(texts), chosen, draw, table, measures=names)


def intercorrelation_figure(
    cell: CurrentCell, labels: Sequence[str], values: Array, tree: Dendrogram
) -> FigureContent:
    """Return a heatmap of correlations between measures, ordered by clustering."""
    order = list(tree.order)
    names = tuple(labels[i] for i in order)
    turned = values[np.ix_(order, order)]

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.matrix_figures import MatrixFigure, intercorrelation

        square = MatrixFigure(cell.labels(names), turned, tree)
        return intercorrelation(square, palette, size, selected=cell.measure_label)

    texts = [
        f"{row} with {column}: {format_correlation(turned[i, j])}"
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    ]
    head = FigureHeader(
        "Metric–metric correlation",
        f"{cell.request.level.value} level",
        coefficient_title(cell.request.coefficient),
        "clustered by average linkage of 1 − |r|",
    )
    return _matrix_figure(cell, head, names, turned, texts, draw, CellKind.CORRELATION)


def significance_figure(
    cell: CurrentCell, labels: Sequence[str], signed: Array, method: str
) -> FigureContent:
    """Return a heatmap of pairwise significance tests.

    signed: p of each difference, negative where the measure of the column is better.
    """
    names = tuple(labels)

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.matrix_figures import MatrixFigure, significance

        square = MatrixFigure(cell.labels(names), signed)
        return significance(square, palette, size, selected=cell.measure_label)

    texts = [
        _difference(row, column, signed[i, j])
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    ]
    head = FigureHeader(
        "Differences between measures",
        f"against {cell.title}",
        "Dark: p < .05",
        f"row correlates higher than column · {method}",
    )
    return _matrix_figure(cell, head, names, np.abs(signed), texts, draw, CellKind.P)


def ranks_figure(cell: CurrentCell, other: str, other_title: str) -> FigureContent | None:
    """Return the systems' ranks by the current measure and another one; None = no common systems."""
    data = cell.data
    is_judgement = other in data.comparison.judgements
    measure = cell.measure_label
    if not is_judgement:
        (other_title,) = cell.labels([other])
    right = data.comparison.judgements[other] if is_judgement else data.scores(other)
    one, two = align_matrices(data.scores(cell.measure), right)
    x, y = one.system_means(), two.system_means()
    there = np.isfinite(x) & np.isfinite(y)
    names = tuple(name for name, is_there in zip(one.systems, there, strict=True) if is_there)
    if not names:
        return None
    left_ranks = descending_ranks(_sign(data, cell.measure) * x[there], one.values)
    right_ranks = descending_ranks(_sign(data, other) * y[there], two.values)

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.row_figures import rank_flow

        return rank_flow(_flow(), palette, size, chosen=cell.marked_systems)

    def _flow() -> RankFlow:
        from core.figures.row_figures import RankFlow

        return RankFlow(names, measure, other_title, left_ranks, right_ranks)

    def table() -> Table:
        columns = (
            Column("System", "system"),
            Column(f"rank by {measure}", "left", CellKind.SCORE),
            Column(f"rank by {other_title}", "right", CellKind.SCORE),
        )
        return Table(
            "Ranks", columns, tuple(zip(names, left_ranks.tolist(), right_ranks.tolist(), strict=True))
        )

    moved = int((np.abs(left_ranks - right_ranks) >= 1).sum())
    head = FigureHeader(
        measure,
        f"and {other_title}",
        f"{moved} of {len(names)} systems",
        "change rank; dashed: large rank change",
    )
    texts = tuple(
        f"{name}: rank {a:g} by {measure}, {b:g} by {other_title}"
        for name, a, b in zip(names, left_ranks, right_ranks, strict=True)
    )
    places = np.concatenate([_row_of(left_ranks), _row_of(right_ranks)])
    sides = np.repeat([0.0, 1.0], len(names))
    dots = PlotPoints(texts * 2, sides, places, SpotKind.ROW)
    return FigureContent(head, dots, None, draw, table, marks=tuple((name, "") for name in names) * 2)


def distribution_figure(cell: CurrentCell) -> FigureContent:
    """Return the distribution of the current measure over topics for each system, highest mean on top."""
    scores, measure = cell.data.scores(cell.measure), cell.measure_label
    means = scores.system_means()
    ordered = round_values(means, scores.values)
    order = np.argsort(-np.nan_to_num(ordered, nan=-np.inf), kind="stable").tolist()
    names = tuple(scores.systems[i] for i in order)
    values = tuple(scores.values[i] for i in order)

    def draw(palette: Palette, size: tuple[float, float]) -> Figure:
        from core.figures.row_figures import DistributionRows, distribution

        spreads = DistributionRows(names, values)
        return distribution(spreads, palette, size, chosen=cell.marked_systems, x_label=measure)

    def table() -> Table:
        columns = (
            Column("System", "system"),
            *(Column(n, n, CellKind.SCORE) for n in ("mean", "lowest", "median", "highest")),
            Column("topics", "topics", CellKind.COUNT),
        )
        return Table(f"{measure} over topics", columns, tuple(map(_spread_row, names, values)))

    texts = tuple(_spread_text(row) for row in map(_spread_row, names, values))
    head = FigureHeader(
        measure,
        "over the topics of each system",
        f"{len(names)} systems",
        "line: topic; bar: interquartile range; ring: mean",
    )
    marks = tuple((name, "") for name in names)
    return FigureContent(head, _rows(texts), None, draw, table, marks=marks)


def _matrix_figure(
    cell: CurrentCell,
    head: FigureHeader,
    names: tuple[str, ...],
    values: Array,
    texts: Sequence[str],
    draw: DrawSized,
    kind: CellKind,
) -> FigureContent:
    n = len(names)
    places = np.arange(n, dtype=np.float64)
    dots = PlotPoints(tuple(texts), np.tile(places, n), np.repeat(places, n), SpotKind.CELL)

    def table() -> Table:
        shown = cell.labels(names)
        columns = (Column("Measure", "measure"), *(Column(name, name, kind) for name in shown))
        return Table(head.title, columns, tuple((name, *values[i].tolist()) for i, name in enumerate(shown)))

    chosen = names.index(cell.measure) * n if cell.measure in names else None
    measures, least = tuple(np.repeat(names, n).tolist()), least_size(cell.labels(names))
    return FigureContent(head, dots, chosen, draw, table, measures=measures, least=least)


def _places_of(marks: Sequence[Mark], requested: Collection[Mark]) -> tuple[int, ...]:
    """Return the spots that are marked themselves, by their system or by one of its topics."""
    if not requested:
        return ()
    systems = {system for system, _ in requested}
    whole = {system for system, topic in requested if not topic}
    return tuple(
        i
        for i, (system, topic) in enumerate(marks)
        if (system in systems if not topic else system in whole or (system, topic) in requested)
    )


def _rows(texts: tuple[str, ...]) -> PlotPoints:
    """Return one spot per row."""
    return PlotPoints(texts, np.zeros(len(texts)), np.arange(len(texts), dtype=np.float64), SpotKind.ROW)


def _bar_text(label: str, cell: MeasureCell) -> str:
    interval = f", {cell.interval_text}" if cell.has_interval else ""
    note = f", {cell.eligible.note}" if cell.eligible.note else ""
    return f"{label}: {format_correlation(cell.value)}{interval}, n {format_count(cell.n)}{note}"


def _difference(row: str, column: str, signed: float) -> str:
    if not math.isfinite(signed):
        return f"{row} and {column}: no test"
    better, worse = (row, column) if math.copysign(1.0, signed) > 0 else (column, row)
    return f"{better} above {worse}, p {format_p(abs(signed))}"


def _spread_row(name: str, values: Array) -> tuple[Cell, ...]:
    there = values[np.isfinite(values)]
    if not there.size:
        return name, None, None, None, None, 0
    data = (there.mean(), there.min(), np.median(there), there.max())
    return name, *(float(n) for n in data), int(there.size)


def _spread_text(row: tuple[Cell, ...]) -> str:
    name, mean, low, _, high, topics = row
    if not isinstance(mean, float) or not isinstance(low, float) or not isinstance(high, float):
        return f"{name}: not scored"
    return (
        f"{name}: mean {format_score(mean)}, {format_score(low)} to {format_score(high)} over {topics} topics"
    )


def _sign(data: CorrelationData, name: str) -> int:
    ref = data.ref(name)
    return 1 if ref is None or ref.higher_is_better else -1


def _row_of(ranks: Array) -> Array:
    """Return the row of each rank; tied ranks take successive rows."""
    rows = np.empty(ranks.size)
    rows[np.argsort(ranks, kind="stable")] = np.arange(ranks.size)
    return rows


REACH_PX = 12
"""Largest distance from the pointer to a dot, in device-independent pixels."""

DRAG_PX = 6
"""Distance after which a press becomes a rubber band."""

DrawSized = Callable[[Palette, tuple[float, float]], "Figure"]
"""Draws the plot in these colours and this size in inches."""

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class _FocusRing(QWidget):
    """The ring around a figure that has the keyboard, above the figure."""

    def __init__(self, figure: QWidget) -> None:
        super().__init__(figure)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_ring(QPainter(self), self.rect())


class ScatterView(FigureView):
    """Displays spots: dots of a plot, rows of a chart, cells of a heatmap.

    Signals:
        dot_chosen: its position among the spots.
        dot_opened: the same, by Enter or double click.
        dot_toggled: the same, by Space or a press with Ctrl or Shift: marked or not.
        dots_swept: positions under a rubber band, as a tuple; empty where it covers none.
    """

    dot_chosen = Signal(int)
    dot_opened = Signal(int)
    dot_toggled = Signal(int)
    dots_swept = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.dots: PlotPoints | None = None  # spots of the figure; None = there is no figure
        self._chosen: int | None = None
        self._is_tall = False
        self._pressed_at: QPoint | None = None
        self._band: QRubberBand | None = None
        self._ring = _FocusRing(self)
        self.drawn.connect(self._listen)

    def show_dots(
        self, dots: PlotPoints, chosen: int | None, draw: DrawSized, least: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Show a plot of these spots with one of them selected. least: inches that it needs."""
        self.dots, self._chosen = dots, chosen
        self._band = None

        def sized(palette: Palette) -> Figure:
            wide, high = self.inches()
            return draw(palette, (max(wide, least[0]), max(high, least[1])))

        self._is_tall = bool(least[1])
        self.show_figure(sized, least)

    def show_nothing(self) -> None:
        self.dots, self._chosen = None, None
        self.show_figure(None)

    def inches(self) -> tuple[float, float]:
        """Return width and height of the drawing area."""
        return max(self._room.width(), 200) / self.dpi, max(self._room.height(), 160) / self.dpi

    def _scroll_to_spot(self, x: float, y: float) -> None:
        canvas = self.canvas
        if canvas is None or not canvas.figure.axes:
            return
        across, up = canvas.figure.axes[0].transData.transform((x, y)) / self.devicePixelRatioF()
        self.area.ensureVisible(round(across), round(canvas.height() - up))

    def dot_at(self, x: float, y: float) -> int | None:
        """The spot at a place of the canvas (device pixels from below left), None = none in reach."""
        dots = self.dots
        if dots is None or not dots.x.size or self.canvas is None or not self.canvas.figure.axes:
            return None
        axes = self.canvas.figure.axes[0]
        if dots.kind is SpotKind.DOT:
            places = axes.transData.transform(np.column_stack([dots.x, dots.y]))
            distances = np.hypot(places[:, 0] - x, places[:, 1] - y)
            nearest = int(np.argmin(distances))
            return nearest if distances[nearest] <= REACH_PX * self.devicePixelRatioF() else None
        across, up = axes.transData.inverted().transform((x, y))
        far_x, far_y = np.abs(dots.x - across), np.abs(dots.y - up)
        nearest = int(np.argmin(far_x * (1.0 if dots.kind is SpotKind.CELL else 1e-6) + far_y))
        is_near = far_y[nearest] <= 0.5 and (dots.kind is SpotKind.ROW or far_x[nearest] <= 0.5)
        return nearest if is_near else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        step = _STEPS.get(key)
        if step is not None and self.dots is not None and self.dots.x.size:
            is_dot = self.dots.kind is SpotKind.DOT and key in (Qt.Key.Key_Up, Qt.Key.Key_Down)
            self._step(-step if is_dot else step)  # up is further on a plot, further back in a list
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen is not None:
            self.dot_opened.emit(self._chosen)
        elif key is Qt.Key.Key_Space and self._chosen is not None:
            self.dot_toggled.emit(self._chosen)
        elif key is Qt.Key.Key_Escape:
            self.dots_swept.emit(())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring.raise_()
        self._ring.show()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.hide()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._ring.setGeometry(self.rect())
        super().resizeEvent(event)

    def _step(self, by: int) -> None:
        """Go to the next spot: from left to right on a plot, else row by row."""
        assert self.dots is not None
        dots = self.dots
        keys = (dots.y, dots.x) if dots.kind is SpotKind.DOT else (dots.x, dots.y)
        order = np.lexsort(keys).tolist()
        if self._chosen is None:
            self.dot_chosen.emit(order[0 if by > 0 else -1])
            return
        place = order.index(self._chosen) + by
        self.dot_chosen.emit(order[min(max(place, 0), len(order) - 1)])

    @Slot(object)
    def _listen(self, canvas: Any) -> None:
        canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.mpl_connect("button_press_event", self._pressed)
        canvas.mpl_connect("motion_notify_event", self._moved)
        canvas.mpl_connect("button_release_event", self._released)
        dots, chosen = self.dots, self._chosen
        if self._is_tall and dots is not None and chosen is not None and chosen < dots.x.size:
            self._scroll_to_spot(float(dots.x[chosen]), float(dots.y[chosen]))

    def _pressed(self, event: Any) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        dot = self.dot_at(event.x, event.y)
        self._pressed_at = self._place(event)
        if dot is None:
            return
        if event.dblclick:
            self._pressed_at = None
            self.dot_opened.emit(dot)
        elif event.modifiers and {"ctrl", "shift"} & set(event.modifiers):
            self._pressed_at = None
            self.dot_toggled.emit(dot)

    def _released(self, event: Any) -> None:
        began, self._pressed_at = self._pressed_at, None
        if self._band is not None:
            area = self._band.geometry()
            self._band.hide()
            self._band = None
            self.dots_swept.emit(self._swept(area))
        elif began is not None:
            dot = self.dot_at(event.x, event.y)
            if dot is not None:
                self.dot_chosen.emit(dot)

    def _moved(self, event: Any) -> None:
        canvas = self.canvas
        if canvas is None or self.dots is None:
            return
        if self._pressed_at is not None and self._drag(self._pressed_at, self._place(event)):
            return
        dot = self.dot_at(event.x, event.y)
        canvas.setCursor(Qt.CursorShape.ArrowCursor if dot is None else Qt.CursorShape.PointingHandCursor)
        if dot is None:
            QToolTip.hideText()
            return
        QToolTip.showText(canvas.mapToGlobal(self._place(event)), plain_tip(self.dots.names[dot]), canvas)

    def _drag(self, began: QPoint, now: QPoint) -> bool:
        """Extend the rubber band to the pointer; return whether there is one."""
        assert self.dots is not None
        if self._band is None:
            if self.dots.kind is SpotKind.CELL or (now - began).manhattanLength() < DRAG_PX:
                return False
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.canvas)
            self._band.show()
        self._band.setGeometry(QRect(began, now).normalized())
        return True

    def _swept(self, area: QRect) -> tuple[int, ...]:
        """The spots under an area of the canvas."""
        canvas, dots = self.canvas, self.dots
        if canvas is None or dots is None or not dots.x.size:
            return ()
        ratio = self.devicePixelRatioF()
        places = canvas.figure.axes[0].transData.transform(np.column_stack([dots.x, dots.y])) / ratio
        up = canvas.height() - places[:, 1]
        within = (up >= area.top()) & (up <= area.bottom())
        if dots.kind is SpotKind.DOT:
            within &= (places[:, 0] >= area.left()) & (places[:, 0] <= area.right())
        return tuple(np.flatnonzero(within).tolist())

    def _place(self, event: Any) -> QPoint:
        """Return the pointer's position on the canvas, in device-independent pixels from the top left."""
        assert self.canvas is not None
        ratio = self.devicePixelRatioF()
        return QPoint(round(event.x / ratio), round(self.canvas.height() - event.y / ratio))
