"""Time from a typed letter to the list of results on SummEval, and time to open the search.

SummEval (100 topics, 1,600 summaries) is imported into a temporary study with a pyramid of 40 SCUs per topic.
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

from gui.dialogs.search.view import SearchDialog

SOURCE = Path(__file__).parents[3] / "shared" / "data" / "summeval" / "model_annotations.aligned.paired.jsonl"
QUERIES = ("t", "th", "the", "police", "manchester united", '"in the', '"of the"', "zzzz", "a b c")
SCUS, REPEATS = 40, 5


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
        controller, window = build_window(app, Path(folder) / "settings.json")
        window.resize(1440, 900)
        window.show()
        controller.start(path)
        wait(app, lambda: controller.context is not None and not controller.jobs.running())
        measure(app, controller, window)
        controller.close()


def make_study(path: Path) -> None:
    """Import SummEval and create pyramids."""
    from core.annotation.word_coverage import words
    from core.domain import pyramid
    from core.progress import run_to_completion
    from storage.formats import import_registry
    from storage.study_file import new_study

    with new_study(path) as study:
        run_to_completion(
            import_registry.import_steps(study, import_registry.import_request(SOURCE, "summeval"))
        )
        annotator = study.annotators.get_or_create("Ann").id
        for topic in study.texts.load():
            before = after = study.pyramids.annotation(topic.id, annotator)
            for number in range(SCUS):
                text = topic.references[number % len(topic.references)]
                first, last = words(text.content)[:4][0], words(text.content)[:4][-1]
                after = pyramid.add_scu(after, f"Unit {number}", text.id, [(first[0], last[1])])
            study.pyramids.commit(before, after, "new SCU", annotator)
        study.flush()


def measure(app: Any, controller: Any, window: Any) -> None:
    """Time the opening of the search, and each query until its list is painted."""
    slowest = Slowest()
    began = time.perf_counter()
    controller.tool_windows.search()
    presenter, dialog = controller.tool_windows.search_presenter, window.findChild(SearchDialog)
    wait(app, lambda: not presenter.is_busy, slowest)
    print(f"read the study       {1000 * (time.perf_counter() - began):7.0f} ms", flush=True)
    print(f"passages             {len(presenter.passages):7,}")
    taken = []
    for _ in range(REPEATS):
        for query in QUERIES:
            began = time.perf_counter()
            dialog.field.setText(query)
            wait(app, lambda: not presenter.is_busy, slowest)
            dialog.repaint()
            taken.append(1000 * (time.perf_counter() - began))
    low, high = np.percentile(taken, [50, 95])
    print(f"letter to list  n={len(taken):4d}  median {low:6.0f}  p95 {high:6.0f}  max {max(taken):6.0f} ms")
    print(f"longest stall        {1000 * slowest.seconds:7.0f} ms")


class Slowest:
    """Longest duration of one pass of the event loop."""

    def __init__(self) -> None:
        self.seconds = 0.0


def wait(app: Any, is_done: Callable[[], bool], slowest: Slowest | None = None) -> None:
    """Process events until a condition holds."""
    until = time.perf_counter() + 60
    while not is_done() and time.perf_counter() < until:
        began = time.perf_counter()
        app.processEvents()
        if slowest is not None:
            slowest.seconds = max(slowest.seconds, time.perf_counter() - began)
        time.sleep(0.001)
