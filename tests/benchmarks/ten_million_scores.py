"""A study with 10 million scores: storing, opening the window, Compare, correlations, inference and export.

1,000 topics × 100 systems × 34 configurations of ROUGE with three measures each, whose blocks are stored
through the repository with random values around a quality of each system, and one judgement of every summary.
Each step runs in a process of its own; its time and its peak memory are printed.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.domain.study import TopicTexts
from core.ports import ScoreBlock
from core.progress import run_to_completion
from core.scoring.config import ScoringConfig, parse_config
from core.scoring.staleness import input_parts
from core.scoring.study_resources import StudyResources
from storage.formats import export_registry
from storage.study_file import StudyFile, new_study, open_study
from tests.benchmarks import apart, sized
from tests.benchmarks.compare_redraw import SPECS as MANY_SPECS

TOPICS, SYSTEMS = sized((1_000, 100), (4, 6))
SPECS = sized(MANY_SPECS, MANY_SPECS[:2])
REFERENCES, AT_ONCE = 3, 250


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "large.pyramidion")


def measure(path: Path) -> None:
    """Make the study and print what each step takes."""
    print(f"{TOPICS * SYSTEMS * len(SPECS) * 3:,} scores in {TOPICS * len(SPECS):,} blocks")
    for step in (make, check_at_opening, open_window, correlate, infer, export):
        seconds, mebibytes, words = apart(_measured, step, path)
        size = path.stat().st_size / 2**20
        print(
            f"{step.__name__:18} {seconds:8.1f} s  {mebibytes:6.0f} MiB  file {size:6.0f} MiB  {words}",
            flush=True,
        )


def _measured(step: Callable[[Path], str], path: Path) -> tuple[float, float, str]:
    began = time.perf_counter()
    words = step(path)
    return time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, words


def make(path: Path) -> str:
    """Store texts, judgements and blocks; return the time of the blocks alone."""
    with new_study(path) as study:
        study.ratings.add_dimension("coherence", 1, 5)
        for first in range(0, TOPICS, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, TOPICS))
            study.import_data(ImportContent("made", topics=[_topic(number) for number in numbers]))
            ratings = [_rating(number, system) for number in numbers for system in range(SYSTEMS)]
            study.import_data(ImportContent("judged", ratings=ratings))
        began = time.perf_counter()
        store_blocks(study)
        return f"blocks {time.perf_counter() - began:.1f} s"


def store_blocks(study: StudyFile) -> None:
    """Store a block for each topic and configuration, up to date and with values of one system each."""
    resources, chance = StudyResources(study), np.random.default_rng(1)
    configs = [parse_config(spec, resources) for spec in SPECS]
    stored = {config: config.stored(resources) for config in configs}
    quality = np.linspace(0.2, 0.6, SYSTEMS)[:, None]
    waiting = []
    for topic in study.texts.load():
        for config in configs:
            values = np.clip(quality + chance.normal(0, 0.1, (SYSTEMS, 3)), 0, 1)
            waiting.append(
                study.scores.save(stored[config], _block(config, stored[config].signature, topic, values))
            )
        while len(waiting) > AT_ONCE:
            waiting.pop(0).result()
    study.flush()


def _block(config: ScoringConfig, signature: str, topic: TopicTexts, values: np.ndarray) -> ScoreBlock:
    stats = np.repeat(np.round(values[:, None, :] * 50), REFERENCES, axis=1)
    names = tuple(text.name for text in topic.summaries), tuple(text.name for text in topic.references)
    inputs = config.inputs_hash(signature, topic, "", StudyResources())
    return ScoreBlock(
        topic.id, *names, values, stats, inputs, 0.01, {}, input_parts(config, topic, "", StudyResources())
    )


def _topic(number: int) -> NewTopic:
    return NewTopic(
        _name(number),
        references={
            f"R{k}": NewText(f"Reference {k} of topic {number} is short.") for k in range(REFERENCES)
        },
        summaries={
            f"s{k:03}": NewText(f"Summary {k} of topic {number} is short, too.") for k in range(SYSTEMS)
        },
    )


def _rating(number: int, system: int) -> NewRating:
    value = 1 + system * 3 // SYSTEMS + (system * 7 + number) % 3
    return NewRating(_name(number), f"s{system:03}", "coherence", "Ann", value)


def _name(number: int) -> str:
    return f"T{number:05}"


def check_at_opening(path: Path) -> str:
    """Read what the first page of the window and `pyramidion show` ask for."""
    from core.comparison.measures import measures

    with open_study(path) as study:
        began = time.perf_counter()
        found = measures(study)
        stale = sum(bool(ref.staleness.changes) for ref in found)
        return f"{len(found)} measures, {stale} out of date, checked in {time.perf_counter() - began:.1f} s"


def open_window(path: Path) -> str:
    """Open the window offscreen and go to Compare; return the times to each."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from gui.app import build_window
    from tests.benchmarks.compare_redraw import wait

    app = QApplication.instance() or QApplication(sys.argv[:1])
    controller, window = build_window(app, path.parent / "settings.json")
    window.resize(1440, 900)
    window.show()
    began = time.perf_counter()
    controller.start(path)
    wait(app, lambda: controller.context is not None)
    opened = time.perf_counter()
    window.show_page("compare")
    view: Any = window.stack.currentWidget()
    wait(app, lambda: view.figure.canvas is not None)
    shown = time.perf_counter()
    controller.close()
    return f"opened {opened - began:.1f} s, Compare {shown - opened:.1f} s"


def correlate(path: Path) -> str:
    """Correlate every measure with the judgement, as `pyramidion correlate` does."""
    from core.operations.correlate import correlate as run
    from core.operations.options import CorrelateRequest

    with open_study(path) as study:
        done = run_to_completion(run(study, CorrelateRequest()))
        return f"{len(done.comparison.refs)} measures"


def infer(path: Path) -> str:
    """Draw the intervals and test the differences that Compare shows first."""
    from core.comparison.options import BEST, IntervalMethod
    from core.operations.correlate import correlate as run
    from core.operations.options import CorrelateRequest

    request = CorrelateRequest(interval=IntervalMethod.BOOTSTRAP_BOTH, compare=BEST)
    with open_study(path) as study:
        (done,) = run_to_completion(run(study, request)).results.values()
        found = sum(np.isfinite(done.intervals.low))
        return f"{found} intervals, {done.tests} tests"


def export(path: Path) -> str:
    """Write every score as a row of a table."""
    target = path.with_suffix(".csv")
    with open_study(path) as study:
        run_to_completion(export_registry.export_steps(study, export_registry.find("scores", "csv"), target))
    size = target.stat().st_size / 2**20
    target.unlink()
    return f"{size:.0f} MiB"
