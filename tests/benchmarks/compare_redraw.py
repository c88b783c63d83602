"""Time of a change on the Compare page until the table and the side panel are painted.

SummEval is imported into a temporary study and scored with 34 configurations of ROUGE: 1,600 summaries, 102
measures, 4 judgements. Every level, coefficient, number of judgements and view is changed to, looked up ahead
and not. Intervals follow as a job; how long they take is told apart.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gui.pages.compare.presenter import ComparePresenter
from gui.pages.compare.values import View

REPEATS = 3
LIMIT_MS = 200
LEVELS = ("system", "topic", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "kendall-c", "tau", "accuracy")
SPECS = [
    f"rouge-n:n={n},stem={stem},stop_words={stop_words}"
    for n in range(1, 9)
    for stem in ("no", "yes")
    for stop_words in ("no", "yes")
] + ["rouge-l", "rouge-l:stem=yes"]
SOURCE = Path(__file__).parents[3] / "shared" / "data" / "summeval" / "model_annotations.aligned.paired.jsonl"


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds of one change.

    first: until the table is painted with what is known and the figure is drawn, or says what it waits for.
    last: until both are complete. own: computing of the window's thread until then; on a busy machine the
    rest of the time is waiting for a processor.
    """

    first: float
    last: float
    own: float


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not SOURCE.exists():
        print(f"SummEval is not in {SOURCE.parent}; put it there, then run this again.")
        return
    from PySide6.QtWidgets import QApplication

    from gui.app import build_window

    app = QApplication.instance() or QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "summeval.pyramidion"
        make_study(path)
        desk, window = build_window(app, Path(folder) / "settings.json")
        window.resize(1440, 900)
        window.show()
        desk.start(path)
        wait(app, lambda: desk.context is not None)
        began = time.perf_counter()
        window.show_page("compare")
        view = window.stack.currentWidget()
        wait(app, lambda: view.figure.canvas is not None)
        rows, columns = len(view.table.measures.rows()), view.table.measures.columnCount() - 2
        first = 1000 * (time.perf_counter() - began)
        print(f"{rows} measures, {columns} judgements; page opened in {first:.0f} ms")
        report_intervals(app, view)
        wait(app, lambda: not desk.jobs.running())
        report(Changes(app, view, desk.jobs))
        desk.close()


def make_study(path: Path) -> None:
    """Import and score."""
    from core.progress import run_to_completion
    from core.scoring.engine import score
    from core.scoring.engine_tools import StudyResources
    from core.scoring.plan import parse_config, plan
    from storage.formats import import_registry
    from storage.study_file import new_study

    with new_study(path) as study:
        run_to_completion(
            import_registry.import_steps(study, import_registry.import_request(SOURCE, "summeval"))
        )
        tools = StudyResources(study, "cpu")
        run_to_completion(
            score(study, plan(study, [parse_config(spec, tools) for spec in SPECS], tools), tools)
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
        for is_known in (True, False):
            ahead = "looked up ahead" if is_known else "nothing looked up ahead"
            print(f"{view.value}, {ahead}: first painted, complete, window's thread (ms)")
            for title, change, prepare in changes.of(view):
                taken = [changes.timed(change, prepare, is_known=is_known) for _ in range(REPEATS)]
                print(_line(title, taken))


def _line(title: str, taken: list[Taken]) -> str:
    first, last, own = (np.median([getattr(one, part) for one in taken]) for part in ("first", "last", "own"))
    most = max(one.first for one in taken)
    late = "  above the limit" if first > LIMIT_MS else ""
    return f"  {title:30} {first:5.0f} (at most {most:5.0f}) {last:6.0f} {own:5.0f}{late}"


class Changes:
    """Makes changes on the page as its user would, and waits for the paint."""

    def __init__(self, app: Any, view: Any, jobs: Any) -> None:
        self._app, self._view, self._jobs = app, view, jobs
        self._presenter = view.findChild(ComparePresenter)
        self._paints = _count_paints(view.table.viewport())

    def of(self, view: View) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
        """What each change is called, how it is made, and from where."""
        self._presenter.side_panel.choose_view(view)
        for level in LEVELS:
            for name in COEFFICIENTS:
                other = "spearman" if name != "spearman" else "pearson"
                yield f"{level}, to {name}", self._to(level, name), self._to(level, other)
        for name in ("kendall", "accuracy"):
            for level in LEVELS:
                elsewhere = "system" if level != "system" else "topic"
                yield f"{name}, to {level}", self._to(level, name), self._to(elsewhere, name)
        humans = self._view.judgements_box.current
        one = humans[:1]
        yield (
            "one judgement to all",
            self._to("topic", "kendall", humans),
            self._to("topic", "kendall", one),
        )

    def timed(self, change: Callable[[], object], prepare: Callable[[], object], *, is_known: bool) -> Taken:
        """Make a change, timed."""
        prepare()
        self._settle(is_known=is_known)
        shown, painted = self._presenter.content, self._paints[0]
        drawn: list[Any] = []
        self._view.figure.drawn.connect(drawn.append)
        began, computed = time.perf_counter(), time.thread_time()
        change()

        def has_painted() -> bool:
            panel = self._view.figure_panel
            is_figure = panel._stack.currentWidget() is self._view.figure
            figure = bool(drawn) and hasattr(drawn[-1], "renderer") if is_figure else True
            return self._presenter.content is not shown and self._paints[0] > painted and figure

        wait(self._app, has_painted)
        first = time.perf_counter()
        wait(self._app, lambda: self._is_complete() and has_painted())
        last, own = time.perf_counter(), time.thread_time()
        self._view.figure.drawn.disconnect(drawn.append)
        return Taken(1000 * (first - began), 1000 * (last - began), 1000 * (own - computed))

    def _is_complete(self) -> bool:
        panel, sheet = self._view.figure_panel, self._presenter.content
        is_waiting = panel._stack.currentWidget() is panel.waiting_label
        return not is_waiting and not any(answer.coming for answer in sheet.answers)

    def _to(self, level: str, name: str, humans: tuple[str, ...] = ()) -> Callable[[], None]:
        def go() -> None:
            """Change each thing that is another; each change is a redraw."""
            view, choices = self._view, self._presenter.choices
            if choices.level.value != level:
                view.level_box._pick(level)
            if choices.coefficient.value != name:
                view.coefficient_box._pick(name)
            if humans and choices.humans != humans:
                view.judgements_chosen.emit(humans)

        return go

    def _settle(self, *, is_known: bool) -> None:
        """Wait until what was prepared is painted, and all is looked up ahead or nothing is."""
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            self._app.processEvents()
            time.sleep(0.002)
        if is_known:
            wait(self._app, lambda: not self._jobs.running())
        else:
            self._presenter._answers._known.clear()
            self._presenter._answers._next.clear()


def _count_paints(widget: Any) -> list[int]:
    """How often a widget has been asked to paint, counted on."""
    from PySide6.QtCore import QEvent, QObject

    count = [0]

    class Counter(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            count[0] += event.type() == QEvent.Type.Paint
            return False

    widget.installEventFilter(Counter(widget))
    return count


def wait(app: Any, is_done: Callable[[], bool]) -> None:
    """Work off events until something is so, five minutes at most."""
    until = time.monotonic() + 300
    while not is_done() and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.0005)


if __name__ == "__main__":
    main()
