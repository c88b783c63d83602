"""How long a change of level or coefficient takes on the Compare page, until table and figure are painted.

SummEval is imported into a temporary study and scored with 34 configurations of ROUGE: 1,600 summaries, 102
measures. Intervals follow as a job; how long they take is told apart.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gui.presenters.compare import ComparePresenter

REPEATS = 5
Change = tuple[str, Callable[[], object], Callable[[], object]]
SPECS = [
    f"rouge-n:n={n},stem={stem},stop_words={stop_words}"
    for n in range(1, 9)
    for stem in ("no", "yes")
    for stop_words in ("no", "yes")
] + ["rouge-l", "rouge-l:stem=yes"]
SOURCE = Path(__file__).parents[3] / "shared" / "data" / "summeval" / "model_annotations.aligned.paired.jsonl"


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not SOURCE.exists():
        print(f"SummEval is not in {SOURCE.parent}; put it there, then run this again.")
        return
    from PySide6.QtWidgets import QApplication

    from gui.app import build_desk

    app = QApplication.instance() or QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "summeval.pyramidion"
        make_study(path)
        desk, window = build_desk(app, Path(folder) / "settings.json")
        window.resize(1440, 900)
        window.show()
        desk.start(path)
        wait(app, lambda: desk.context is not None)
        began = time.perf_counter()
        window.show_page("compare")
        view = window.stack.currentWidget()
        wait(app, lambda: view.figure.canvas is not None)
        rows, columns = len(view.table.measures.rows()), view.table.measures.columnCount() - 1
        first = 1000 * (time.perf_counter() - began)
        print(f"{rows} measures, {columns} judgements; page opened in {first:.0f} ms")
        report_intervals(app, view)
        wait(app, lambda: not desk.jobs.running())
        report(app, view)
        desk.close()


def report_intervals(app: Any, view: Any) -> None:
    """Time intervals and tests of every column from the opening of the page."""
    began = time.perf_counter()
    for column in range(view.table.measures.columnCount() - 2):
        wait(
            app,
            lambda column=column: all(row.cells[column].has_interval for row in view.table.measures.rows()),
        )
        print(f"intervals of judgement {column + 1} after {time.perf_counter() - began:.1f} s")


def make_study(path: Path) -> None:
    """Import and score."""
    from core.planning import config_of, plan
    from core.progress import run
    from core.scoring import score
    from core.tools import EngineTools
    from storage.exchange import registry
    from storage.study_file import new_study

    with new_study(path) as study:
        run(registry.importing(study, SOURCE, "summeval"))
        tools = EngineTools(study, "cpu")
        run(score(study, plan(study, [config_of(spec, tools) for spec in SPECS], tools), tools))
        study.flush()


def report(app: Any, view: Any) -> None:
    """Time each change, none of them answered before."""
    for is_known in (True, False):
        print("answers looked up ahead:" if is_known else "nothing looked up ahead:")
        for title, change, prepare in changes_of(view):
            times = [timed(app, view, change, prepare, is_known=is_known) for _ in range(REPEATS)]
            took, own = np.median(times, axis=0)
            most = max(times)[0]
            print(
                f"  {title:34} median {took:4.0f} ms, at most {most:4.0f} ms; window's thread {own:4.0f} ms"
            )


def changes_of(view: Any) -> Iterator[Change]:
    """Level, coefficient, judgement and policy: what it is called, how it is made, from where."""

    def at(level: str, coefficient: str, humans: tuple[str, ...] = ()) -> Callable[[], None]:
        def go() -> None:
            view.level_box._pick(level)
            view.coefficient_box._pick(coefficient)
            view.judgements_chosen.emit(humans or view.judgements_box.current)

        return go

    coefficients = ("pearson", "spearman", "kendall", "kendall-c", "tau", "accuracy")
    for level in ("topic", "global"):
        for coefficient in coefficients:
            yield f"system to {level}, {coefficient}", at(level, coefficient), at("system", coefficient)
    for level in ("system", "topic", "global"):
        yield f"pearson to kendall, {level}", at(level, "kendall"), at(level, "pearson")
        one = view.judgements_box.current[:1]
        yield f"one judgement to all, {level}", at(level, "kendall"), at(level, "kendall", one)
    yield (
        "undefined skipped to 0, topic",
        lambda: view.options._pick("undefined", "zero"),
        lambda: (at("topic", "kendall")(), view.options._pick("undefined", "skip")),
    )


def timed(
    app: Any, view: Any, change: Callable[[], object], prepare: Callable[[], object], *, is_known: bool
) -> tuple[float, float]:
    """Milliseconds from a change until the new figure is painted; the table is painted before it.

    Also how long the window's own thread computed: on a busy machine the rest is waiting for a processor.
    """
    prepare()
    settle(app)
    if not is_known:
        presenter = view.findChild(ComparePresenter)
        presenter._answers._known.clear()
        presenter._answers._next.clear()
    painted: list[tuple[float, float]] = []

    def listen(canvas: Any) -> None:
        canvas.mpl_connect("draw_event", lambda _: painted.append((time.perf_counter(), time.thread_time())))

    view.figure.drawn.connect(listen)
    began, computed = time.perf_counter(), time.thread_time()
    change()
    wait(app, lambda: bool(painted))
    view.figure.drawn.disconnect(listen)
    return 1000 * (painted[0][0] - began), 1000 * (painted[0][1] - computed)


def settle(app: Any) -> None:
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        app.processEvents()
        time.sleep(0.002)


def wait(app: Any, is_done: Callable[[], bool]) -> None:
    """Work off events until something is so, five minutes at most."""
    until = time.monotonic() + 300
    while not is_done() and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.001)


if __name__ == "__main__":
    main()
