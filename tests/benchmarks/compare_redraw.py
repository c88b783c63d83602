"""How long a change of level or coefficient takes on the Compare page, until table and figure are painted.

SummEval is imported into a temporary study and scored with ten configurations of ROUGE.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gui.presenters.compare import ComparePresenter

REPEATS = 5
SPECS = [f"rouge-n:n={n},stem={stem}" for n in (1, 2, 3, 4) for stem in ("no", "yes")] + [
    "rouge-l",
    "rouge-l:stem=yes",
]
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
        wait(app, lambda: not desk.jobs.running())
        report(app, view)
        desk.close()


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
    changes: list[tuple[str, Callable[[], None], Callable[[], None]]] = []
    for level in ("topic", "global"):
        for coefficient in ("pearson", "spearman", "kendall"):
            changes.append(
                (
                    f"system to {level}, {coefficient}",
                    lambda level=level: view.level_box._pick(level),
                    lambda c=coefficient: (view.level_box._pick("system"), view.coefficient_box._pick(c)),
                )
            )
    for level in ("system", "topic", "global"):
        changes.append(
            (
                f"pearson to kendall, {level}",
                lambda: view.coefficient_box._pick("kendall"),
                lambda level=level: (view.level_box._pick(level), view.coefficient_box._pick("pearson")),
            )
        )
    for is_known in (True, False):
        print("answers looked up ahead:" if is_known else "nothing looked up ahead:")
        for title, change, prepare in changes:
            times = [timed(app, view, change, prepare, is_known=is_known) for _ in range(REPEATS)]
            print(f"  {title:28} median {np.median(times):4.0f} ms, at most {max(times):4.0f} ms")


def timed(
    app: Any, view: Any, change: Callable[[], None], prepare: Callable[[], None], *, is_known: bool
) -> float:
    """Milliseconds from a change until the new figure is painted; the table is painted before it."""
    prepare()
    settle(app)
    if not is_known:
        view.findChild(ComparePresenter)._answers.clear()
    painted: list[float] = []

    def listen(canvas: Any) -> None:
        canvas.mpl_connect("draw_event", lambda _: painted.append(time.perf_counter()))

    view.figure.drawn.connect(listen)
    began = time.perf_counter()
    change()
    wait(app, lambda: bool(painted))
    view.figure.drawn.disconnect(listen)
    return 1000 * (painted[0] - began)


def settle(app: Any) -> None:
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        app.processEvents()
        time.sleep(0.002)


def wait(app: Any, is_done: Callable[[], bool]) -> None:
    """Work off events until something is so, a minute at most."""
    until = time.monotonic() + 60
    while not is_done() and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.001)


if __name__ == "__main__":
    main()
