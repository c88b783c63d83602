"""Time from a dot on the Compare page to the parts of its score, in two clicks.

SummEval is imported and scored; an argument can name a study in which this has been done before. A dot is
clicked; some time later a topic of the system is pointed at and clicked, or *Open texts* where a dot is a
summary. Timed are the first click until the details of the dot are painted, the second until the texts and
the score are, and until the parts of the score are. The longest turn of the event loop shows how long the
window did not answer. The first explanation of a measure is listed apart, as it may load a model.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.progress import run_to_completion
from core.stats.correlation import Level
from tests.benchmarks import sized
from tests.benchmarks.compare_redraw import wait
from tests.benchmarks.made_studies import SUMMEVAL, is_there

SPECS = sized(("rouge-n:n=2", "chrf", "meteor", "bertscore", "moverscore"), ("rouge-n:n=2",))
MEASURES = sized(
    ("rouge-2.f", "chrf.score", "meteor.score", "bertscore.f", "moverscore-v1.score"), ("rouge-2.f",)
)
CLICKS = sized(10, 1)
"""Of each measure at each level."""
PAUSE_MS = 400
"""Between the clicks, as of a person who knows what to click."""
POINT_MS = 200
"""From pointing at a topic to pressing it; part of the pause."""


@dataclass(slots=True)
class Clicks:
    """Milliseconds of some clicks.

    first: until the details are painted.
    text, parts: from the second click until the texts with the score, and the parts, are painted.
    turns: the longest turn of the event loop after each second click. own: the same in CPU time.
    missing: messages in place of parts.
    """

    first: list[float] = field(default_factory=list)
    text: list[float] = field(default_factory=list)
    parts: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    given = [Path(argument) for argument in sys.argv[1:] if argument.endswith(".pyramidion")]
    if not given and not is_there():
        return
    from PySide6.QtWidgets import QApplication

    from gui.app import build_window, preload
    from gui.background.gc_timer import GarbageTimer
    from storage.process_setup import set_up_process

    app = QApplication.instance() or QApplication(sys.argv[:1])
    set_up_process()
    with tempfile.TemporaryDirectory() as folder:
        path = given[0] if given else _scored(Path(folder) / "summeval.pyramidion")
        controller, window = build_window(app, Path(folder) / "settings.json")
        window.resize(1440, 900)
        GarbageTimer(window).start()
        window.show()
        preload(controller, window)
        controller.start(path)
        wait(app, lambda: controller.context is not None)
        window.show_page("compare")
        clicker = Clicker(app, window.stack.currentWidget(), controller.jobs)
        wait(app, clicker.is_drawn)
        print("median and worst in ms: click 1, texts, parts, longest turn, CPU time of a turn")
        for measure in MEASURES:
            for level in (Level.SYSTEM, Level.GLOBAL):
                print(_line(measure, level, clicker.run(measure, level)), flush=True)
        controller.close()


def _scored(path: Path) -> Path:
    """Import SummEval into a new study and score it."""
    from core.scoring.config import parse_config
    from core.scoring.engine import score
    from core.scoring.plan import plan
    from core.scoring.study_resources import StudyResources
    from storage.formats import import_registry
    from storage.study_file import new_study

    with new_study(path) as study:
        request = import_registry.import_request(SUMMEVAL, "summeval")
        run_to_completion(import_registry.import_steps(study, request))
        resources = StudyResources(study, "cpu")
        configs = [parse_config(spec, resources) for spec in SPECS]
        run_to_completion(score(study, plan(study, configs, resources), resources))
        study.flush()
    return path


def _line(measure: str, level: Level, clicks: Clicks) -> str:
    cells = "  ".join(
        f"{np.median(times):5.0f} {max(times):5.0f}"
        for times in (clicks.first, clicks.text, clicks.parts, clicks.turns, clicks.own)
    )
    return f"{measure:20} {level.value:7} {cells}  " + "; ".join(clicks.missing)


class Clicker:
    """Clicks dots, then a topic of the system, or *Open texts* where the dot is a summary."""

    def __init__(self, app: Any, view: Any, jobs: Any) -> None:
        from gui.pages.compare.presenter import ComparePresenter

        self._app, self._view, self._jobs = app, view, jobs
        self._side = view.findChild(ComparePresenter).side_panel
        self._chance = random.Random(15)
        self._used: set[str] = set()
        self._paints = count_paints(view.selection_panel)

    def is_drawn(self) -> bool:
        """Whether there is a figure."""
        return self._view.figure.isVisible() and self._view.figure.canvas is not None

    def run(self, measure: str, level: Level) -> Clicks:
        """Click dots of a measure and return the times."""
        self._view.level_box.button(level.value).click()
        self._view.choose_cell(measure, 0)
        wait(self._app, lambda: self._shows(measure, level))
        self._idle(1.0)
        clicks, first = Clicks(), Clicks()
        if measure not in self._used:  # it may load a model
            self._used.add(measure)
            self._click(level, first)
            print(f"{measure:20} first time: texts {first.text[0]:.0f} ms, parts {first.parts[0]:.0f} ms")
        for _ in range(CLICKS):
            self._click(level, clicks)
        return clicks

    def _shows(self, measure: str, level: Level) -> bool:
        points = self._side.points
        return points is not None and (points.measure, points.level) == (measure, level) and self.is_drawn()

    def _click(self, level: Level, clicks: Clicks) -> None:
        self._idle(0.2)
        self._close()
        before, painted = self._side.dot, self._paints[0]
        began = time.perf_counter()
        self._press_dot()
        wait(self._app, lambda: self._side.dot != before and self._paints[0] > painted and self.is_drawn())
        clicks.first.append(1000 * (time.perf_counter() - began))
        if level is Level.SYSTEM:
            self._idle((PAUSE_MS - POINT_MS) / 1000)
            target, place = self._point_at_topic()
            self._idle(POINT_MS / 1000)
        else:
            target, place = self._view.texts_button, None
            self._idle(PAUSE_MS / 1000)
        began = time.perf_counter()
        self._press(target, place)
        turns, own = [1000 * (time.perf_counter() - began)], [0.0]
        self._turn(turns, own, lambda: self._painted("numbers_table"))
        clicks.text.append(1000 * (time.perf_counter() - began))
        self._turn(turns, own, lambda: self._painted("parts_table"))
        clicks.parts.append(1000 * (time.perf_counter() - began))
        self._turn(turns, own, lambda: False, seconds=0.1)
        clicks.turns.append(max(turns))
        clicks.own.append(max(own))
        if not self._painted("parts_table"):
            clicks.missing.append(self._window().why_label.text() or "no value and no message")

    def _press_dot(self) -> None:
        """Press the centre of another dot that no other dot hides."""
        from PySide6.QtCore import QPoint

        figure = self._view.figure
        dots, canvas = figure.dots, figure.canvas
        ratio, high = canvas.devicePixelRatioF(), canvas.height()
        centres = canvas.figure.axes[0].transData.transform(np.column_stack([dots.x, dots.y])) / ratio
        for dot in self._chance.sample(range(len(centres)), len(centres)):
            place = QPoint(round(centres[dot, 0]), round(high - centres[dot, 1]))
            if dot != self._side.dot and figure.dot_at(place.x() * ratio, (high - place.y()) * ratio) == dot:
                self._press(canvas, place)
                return

    def _point_at_topic(self) -> tuple[Any, Any]:
        """Move the pointer to one of the first topics; return the widget and the place."""
        from PySide6.QtTest import QTest

        ranks = self._view.ranks
        place = ranks.visualRect(ranks.model().index(self._chance.randrange(8), 0)).center()
        QTest.mouseMove(ranks.viewport(), place)
        return ranks.viewport(), place

    @staticmethod
    def _press(widget: Any, place: Any = None) -> None:
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint() if place is None else place)

    def _window(self) -> Any:
        from gui.pages.compare.summary.summary_view import SummaryView

        return self._view.findChild(SummaryView)

    def _painted(self, name: str) -> bool:
        """Whether a table of the window of texts has been painted with rows since it was opened."""
        window = self._window()
        if window is None or not window.isVisible():
            return False
        table = getattr(window, name)
        if not hasattr(table, "paints_counted"):
            table.paints_counted = count_rows_painted(table)
        return bool(table.paints_counted[0])

    def _close(self) -> None:
        window = self._window()
        if window is not None:
            window.close()
            for name in ("numbers_table", "parts_table"):
                table = getattr(window, name)
                if hasattr(table, "paints_counted"):
                    table.paints_counted[0] = 0

    def _turn(
        self, turns: list[float], own: list[float], is_done: Callable[[], bool], seconds: float = 20.0
    ) -> None:
        """Run the event loop until a condition holds, and note how long each turn takes."""
        until = time.perf_counter() + seconds
        while not is_done() and time.perf_counter() < until:
            began, computed = time.perf_counter(), time.thread_time()
            self._app.processEvents()
            turns.append(1000 * (time.perf_counter() - began))
            own.append(1000 * (time.thread_time() - computed))
            time.sleep(0.0005)

    def _idle(self, seconds: float) -> None:
        self._turn([], [], lambda: False, seconds)


def count_paints(widget: Any, counts: Callable[[], bool] = lambda: True) -> list[int]:
    """Return a list of the number of paint events of a widget, updated while it lives."""
    from PySide6.QtCore import QEvent, QObject

    count = [0]

    class Counter(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            count[0] += event.type() == QEvent.Type.Paint and counts()
            return False

    widget.installEventFilter(Counter(widget))
    return count


def count_rows_painted(table: Any) -> list[int]:
    """Return a list of the number of paint events of a table with rows."""
    count = count_paints(table.viewport(), lambda: table.model().rowCount() > 0)
    table.viewport().update()
    return count


if __name__ == "__main__":
    main()
