"""Time from a typed letter to the list of results on SummEval, and time to open the search.

SummEval (100 topics, 1,600 summaries) is imported into a temporary study with a pyramid of 40 SCUs per topic.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from gui.dialogs.search.view import SearchDialog
from tests.benchmarks import sized
from tests.benchmarks.compare_redraw import wait
from tests.benchmarks.made_studies import SUMMEVAL, is_there

QUERIES = ("t", "th", "the", "police", "manchester united", '"in the', '"of the"', "zzzz", "a b c")
SCUS, REPEATS = sized((40, 5), (2, 1))


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
            import_registry.import_steps(study, import_registry.import_request(SUMMEVAL, "summeval"))
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
    began = time.perf_counter()
    controller.tool_windows.show("edit.search")
    presenter, dialog = controller.tool_windows.opened["edit.search"], window.findChild(SearchDialog)
    slowest = wait(app, lambda: not presenter.is_busy)
    print(f"read the study       {1000 * (time.perf_counter() - began):7.0f} ms", flush=True)
    print(f"passages             {len(presenter.passages):7,}")
    taken = []
    for _ in range(REPEATS):
        for query in QUERIES:
            began = time.perf_counter()
            dialog.field.setText(query)
            slowest = max(slowest, wait(app, lambda: not presenter.is_busy))
            dialog.repaint()
            taken.append(1000 * (time.perf_counter() - began))
    low, high = np.percentile(taken, [50, 95])
    print(f"letter to list  n={len(taken):4d}  median {low:6.0f}  p95 {high:6.0f}  max {max(taken):6.0f} ms")
    print(f"longest stall        {1000 * slowest:7.0f} ms")
