"""Time of a change on the Compare page until the table and the side panel are painted.

SummEval is imported into a temporary study and scored with 34 configurations of ROUGE: 1,600 summaries, 102
measures, 4 judgements. Each level, coefficient, number of judgements and view is selected once with and once
without cached correlations. The time of intervals, which are computed in a job, is printed separately.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core.formatting.coefficients import coefficient_title
from core.stats.correlation import Coefficient, Level
from gui.pages.compare.correlation_cache import CorrelationCache
from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.values import View
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SUMMEVAL, is_there

REPEATS = sized(3, 1)
LIMIT_MS = 200
SPECS = [
    f"rouge-n:n={n},stem={stem},stop_words={stop_words}"
    for n in range(1, sized(9, 1))
    for stem in ("no", "yes")
    for stop_words in ("no", "yes")
] + ["rouge-l", "rouge-l:stem=yes"]


@dataclass(frozen=True, slots=True)
class Duration:
    """Milliseconds of one change.

    first: until the table is painted with known values and the figure is drawn or shows why it is missing.
    last: until both are complete.
    own: CPU time of the window's thread until then.
    """

    first: float
    last: float
    own: float


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not is_there():
        return
    from PySide6.QtWidgets import QApplication

    from gui.app import build_window

    app = QApplication.instance() or QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "summeval.pyramidion"
        make_study(path)
        controller, window = build_window(app, Path(folder) / "settings.json")
        window.resize(1440, 900)
        window.show()
        controller.start(path)
        wait(app, lambda: controller.context is not None)
        began = time.perf_counter()
        window.show_page("compare")
        view = window.stack.currentWidget()
        wait(app, lambda: view.figure.canvas is not None)
        rows, columns = len(view.table.measures.rows()), view.table.measures.columnCount() - 2
        first = 1000 * (time.perf_counter() - began)
        print(f"{rows} measures, {columns} judgements; page opened in {first:.0f} ms")
        report_intervals(app, view)
        wait(app, lambda: not controller.jobs.running())
        report(Changes(app, view, controller.jobs))
        controller.close()


def make_study(path: Path) -> None:
    """Import SummEval into a new study and score it."""
    from core.progress import run_to_completion
    from core.scoring.config import parse_config
    from core.scoring.engine import score
    from core.scoring.plan import plan
    from core.scoring.study_resources import StudyResources
    from storage.formats import import_registry
    from storage.study_file import new_study

    with new_study(path) as study:
        run_to_completion(
            import_registry.import_steps(study, import_registry.import_request(SUMMEVAL, "summeval"))
        )
        resources = StudyResources(study, "cpu")
        run_to_completion(
            score(study, plan(study, [parse_config(spec, resources) for spec in SPECS], resources), resources)
        )
        study.flush()


def report_intervals(app: Any, view: Any) -> None:
    """Time intervals and tests of every column from the opening of the page."""
    began = time.perf_counter()
    for column in range(view.table.measures.columnCount() - 2):
        wait(
            app,
            lambda column=column: all(row.cells[column].has_interval for row in view.table.measures.rows()),
        )
        print(f"intervals of judgement {column + 1} after {time.perf_counter() - began:.1f} s")


def report(changes: Changes) -> None:
    """Time each change in each view."""
    for view in View:
        for is_cached in sized((True, False), (False,)):
            cache = "correlations cached" if is_cached else "nothing cached"
            print(f"{view.value}, {cache}: first painted, complete, window's thread (ms)")
            for title, change, prepare in islice(changes.of(view), sized(None, 1)):
                durations = [changes.timed(change, prepare, is_cached=is_cached) for _ in range(REPEATS)]
                print(_line(title, durations))


def _line(title: str, durations: list[Duration]) -> str:
    first, last, own = (
        np.median([getattr(one, part) for one in durations]) for part in ("first", "last", "own")
    )
    most = max(one.first for one in durations)
    late = "  above the limit" if first > LIMIT_MS else ""
    return f"  {title:30} {first:5.0f} (at most {most:5.0f}) {last:6.0f} {own:5.0f}{late}"


class Changes:
    """Changes of the page's settings through its controls, timed until they are painted."""

    def __init__(self, app: Any, view: Any, jobs: Any) -> None:
        self._app, self._view, self._jobs = app, view, jobs
        self._presenter = view.findChild(ComparePresenter)
        self._cache = self._presenter.findChild(CorrelationCache)
        self._paints = _count_paints(view.table.viewport())

    def of(self, view: View) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
        """Yield the title of each change, the change, and the preparation of its starting point."""
        self._presenter.side_panel.choose_view(view)
        for level in Level:
            for coefficient in Coefficient:
                other = Coefficient.SPEARMAN
                if coefficient is other:
                    other = Coefficient.PEARSON
                yield f"{level}, to {coefficient}", self._to(level, coefficient), self._to(level, other)
        for coefficient in (Coefficient.KENDALL, Coefficient.ACCURACY):
            for level in Level:
                start = Level.TOPIC if level is Level.SYSTEM else Level.SYSTEM
                yield f"{coefficient}, to {level}", self._to(level, coefficient), self._to(start, coefficient)
        humans = tuple(self._presenter.data.judgements)
        kendall = Level.TOPIC, Coefficient.KENDALL
        yield "one judgement to all", self._to(*kendall, humans), self._to(*kendall, humans[:1])

    def timed(
        self, change: Callable[[], object], prepare: Callable[[], object], *, is_cached: bool
    ) -> Duration:
        """Make a change and return its duration."""
        prepare()
        self._settle(is_cached=is_cached)
        before, painted = self._presenter.content, self._paints[0]
        drawn: list[Any] = []
        self._view.figure.drawn.connect(drawn.append)
        began, computed = time.perf_counter(), time.thread_time()
        change()

        def has_painted() -> bool:
            is_figure = self._view.figure.isVisible()
            figure = bool(drawn) or not is_figure
            return self._presenter.content is not before and self._paints[0] > painted and figure

        wait(self._app, has_painted)
        first = time.perf_counter()
        wait(self._app, lambda: self._is_complete() and has_painted())
        last, own = time.perf_counter(), time.thread_time()
        self._view.figure.drawn.disconnect(drawn.append)
        return Duration(1000 * (first - began), 1000 * (last - began), 1000 * (own - computed))

    def _is_complete(self) -> bool:
        is_waiting = self._view.figure_panel.waiting_label.isVisible()
        return not is_waiting and not any(column.coming for column in self._presenter.content.columns)

    def _to(self, level: Level, coefficient: Coefficient, humans: tuple[str, ...] = ()) -> Callable[[], None]:
        def change() -> None:
            """Set whatever differs; each setting redraws the page."""
            request = self._presenter.request
            if request.level is not level:
                self._view.level_box.button(level.value).click()
            if request.coefficient is not coefficient:
                self._choose(coefficient)
            if humans and request.judgements != humans:
                self._view.judgements_box.chosen.emit(humans)

        return change

    def _choose(self, coefficient: Coefficient) -> None:
        """Click the coefficient's segment, or its entry in the menu of the last segment."""
        box = self._view.coefficient_box
        if coefficient.value in box.keys:
            box.button(coefficient.value).click()
        else:
            title = coefficient_title(coefficient)
            next(action for action in box.more_menu.actions() if action.text() == title).trigger()

    def _settle(self, *, is_cached: bool) -> None:
        """Wait for pending paints, then for the background computations, or clear the cache."""
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            self._app.processEvents()
            time.sleep(0.002)
        if is_cached:
            wait(self._app, lambda: not self._jobs.running())
        else:
            self._cache.start_over(self._presenter.data)


def _count_paints(widget: Any) -> list[int]:
    """Return a one-element list with the number of paint events of a widget, updated while it lives."""
    from PySide6.QtCore import QEvent, QObject

    count = [0]

    class Counter(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            count[0] += event.type() == QEvent.Type.Paint
            return False

    widget.installEventFilter(Counter(widget))
    return count


def wait(app: Any, is_done: Callable[[], bool]) -> float:
    """Process events until a condition holds; return the longest turn of the event loop in seconds.

    Raises TimeoutError after five minutes.
    """
    until, longest = time.monotonic() + 300, 0.0
    while not is_done():
        if time.monotonic() > until:
            raise TimeoutError("The window did not come to what is waited for.")
        began = time.perf_counter()
        app.processEvents()
        longest = max(longest, time.perf_counter() - began)
        time.sleep(0.0005)
    return longest


if __name__ == "__main__":
    main()
