"""Time of an edit from the key to the repaint and to the disk, and time to open a topic.

Run: .venv/bin/python -m tests.benchmarks.edit_latency
Real widgets (offscreen) on a real study file in a temporary folder. Two topics: 4 references of 100 words and
20 SCUs, and 10 references of 1,000 words and 300 SCUs. Prints percentiles in milliseconds.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.annotation.word_coverage import words
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import TopicTexts
from core.files.preferences import PreferencesFile
from core.ports import Study
from gui.background.jobs import Jobs
from gui.commands.registry import Commands
from gui.pages.pyramid import presenter as page
from gui.pages.pyramid.edits import KEY
from gui.session.context import Context
from gui.session.edits import ChangeFeed, Selection, UndoHistory, WriteTracker
from gui.style import theme
from storage.study_file import new_study
from tests.benchmarks import sized

EDITS, OPENINGS = sized((200, 15), (4, 2))
LARGE = sized(300, 30)
"""SCUs of the large pyramid."""
LONGEST_WAIT = 2.0
"""Seconds after which an edit that was not stored is taken for one that changes nothing."""

VOCABULARY = [f"w{'abcdefgh'[i % 8] * (1 + i % 7)}" for i in range(400)]


def main() -> None:
    """Measure and print."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    with tempfile.TemporaryDirectory() as folder, new_study(Path(folder) / "study.pyramidion") as study:
        study.import_data(
            ImportContent("benchmark", topics=[_topic("other", 4, 100), _topic("small", 4, 100)])
        )
        study.import_data(ImportContent("benchmark", topics=[_topic("large", 10, 1000)]))
        ids = {head.name: head.id for head in study.texts.topics()}
        annotator = study.annotators.get_or_create("benchmark").id
        for name, scus in (("small", 20), ("large", LARGE)):
            annotate(study, study.texts.topic(ids[name]), annotator, scus)
        context = context_of(study, Path(folder))
        view, _presenter = page.build(context)
        for _, action in context.commands:
            view.addAction(action)
        context.commands.set_page(KEY)
        theme.dress(view)
        view.resize(1440, 900)
        context.selection.select(topic_id=ids["other"])
        view.show()
        settle()
        for name in ("small", "large"):
            report(f"open {name}", time_opening(context, ids[name], ids["other"]))
            context.selection.select(topic_id=ids[name])
            settle()
            painted, saved = _time_edits(context, view, EDITS)
            report(f"edit {name}, to repaint", painted)
            report(f"edit {name}, to disk", saved)
        context.changes.close()
        view.close()


def time_opening(context: Context, topic_id: str, other: str) -> list[float]:
    """Return the seconds from selecting a topic until it is painted, per repetition."""
    taken = []
    for _ in range(OPENINGS):
        began = time.perf_counter()
        context.selection.select(topic_id=topic_id)
        QApplication.processEvents()
        taken.append(time.perf_counter() - began)
        context.selection.select(topic_id=other)
        settle()
    return taken


def _time_edits(context: Context, view: page.PyramidView, edits: int) -> tuple[list[float], list[float]]:
    """Add and remove contributors by keys; each edit changes a weight, tints and rows.

    An edit that changes nothing, such as adding a contributor that is there already, is not counted.
    """
    chance = random.Random(7)
    painted, saved = [], []
    sections = view.references.sections
    for number in range(edits):
        section = chance.choice(sections)
        spans = section.text.word_spans
        at = chance.randrange(len(spans) - 6)
        view.scus.tree.step(+1)
        section.text.select_spans([(spans[at][0], spans[at + 5][1])])
        section.text.setFocus()
        QApplication.processEvents()
        key = Qt.Key.Key_A if number % 4 else Qt.Key.Key_N
        if times := timed_edit(context.study, lambda text=section.text, key=key: QTest.keyClick(text, key)):
            painted.append(times[0])
            saved.append(times[1])
        if QApplication.focusWidget() is not section.text:
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        settle()
    return painted, saved


def timed_edit(study: Study, edit: Callable[[], object]) -> tuple[float, float] | None:
    """Return the seconds until an edit is painted and until it is stored; None if it changed nothing."""
    done = watch(study)
    began = time.perf_counter()
    edit()
    QApplication.processEvents()
    painted = time.perf_counter() - began
    while not done and time.perf_counter() - began < LONGEST_WAIT:
        time.sleep(0.0005)
    return (painted, done[0] - began) if done else None


def watch(study: Study) -> list[float]:
    """Return a list to which the time of the next write is appended."""
    moments: list[float] = []
    stop: Callable[[], None]

    def note(_: object) -> None:
        moments.append(time.perf_counter())
        stop()

    stop = study.subscribe(note)
    return moments


def settle() -> None:
    until = time.perf_counter() + 0.03
    while time.perf_counter() < until:
        QApplication.processEvents()


def context_of(study: Study, folder: Path) -> Context:
    annotator = study.annotators.get_or_create("benchmark")
    selection, writes, changes = Selection(), WriteTracker(), ChangeFeed(study)
    jobs = Jobs()
    history = UndoHistory(study, annotator, selection, writes, changes, jobs)
    settings = PreferencesFile(folder / "settings.json")
    return Context(
        study=study,
        annotator=annotator,
        selection=selection,
        jobs=jobs,
        settings=settings,
        commands=Commands(),
        history=history,
        writes=writes,
        changes=changes,
        export=lambda *_: None,
        show_page=print,
        show_message=print,
    )


def _topic(name: str, references: int, length: int) -> NewTopic:
    chance = random.Random(name)

    def text() -> NewText:
        return NewText(" ".join(chance.choice(VOCABULARY) for _ in range(length)) + ".")

    return NewTopic(name, references={f"ref-{i}": text() for i in range(references)})


def annotate(study: Study, topic: TopicTexts, annotator: str, scus: int) -> None:
    """Add SCUs of one to all references, some discontinuous, to a topic in one edit."""
    chance = random.Random(scus)
    places = {reference.id: words(reference.content) for reference in topic.references}
    before = after = study.pyramids.annotation(topic.id, annotator)
    for number in range(scus):
        scu_id = pyramid.new_id()
        holders = chance.sample(topic.references, chance.randint(1, len(topic.references)))
        for place, reference in enumerate(holders):
            spans = _spans(chance, places[reference.id])
            if place == 0:
                after = pyramid.add_scu(after, f"unit {number}", reference.id, spans, scu_id)
            else:
                after = pyramid.add_contributor(after, scu_id, reference.id, spans)
    study.pyramids.commit(before, after, "annotate", annotator).result()


def _spans(chance: random.Random, known: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    pairs = []
    for _ in range(chance.choice((1, 1, 2))):
        at = chance.randrange(len(known) - 8)
        pairs.append((known[at][0], known[at + chance.randint(2, 7)][1]))
    return pairs


def report(what: str, seconds: Sequence[float]) -> None:
    p50, p95, most = (1000 * np.percentile(seconds, q) for q in (50, 95, 100))
    print(f"{what:28} n={len(seconds):4}  median {p50:6.1f}  p95 {p95:6.1f}  max {most:6.1f} ms")


if __name__ == "__main__":
    main()
