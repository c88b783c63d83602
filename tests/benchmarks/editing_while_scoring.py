"""Response time of the window while BERTScore is scored and the command line writes.

Run: .venv/bin/python -m tests.benchmarks.editing_while_scoring
The real window (offscreen) on SummEval in a temporary study, driven by its controls and keys. Times are in
milliseconds. *Repaint*: from the key until the list and the text are painted. *Acknowledged*: from the key
until the window knows that the edit is stored. *Stall*: the longest time without a response of the event
loop, by a timer of 5 ms.
"""

from __future__ import annotations

import csv
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.annotation.word_coverage import words
from core.domain import pyramid
from core.files.preferences import Preferences, PreferencesFile
from core.progress import run_to_completion
from gui.app import build_window
from gui.background.gc_timer import GarbageTimer
from gui.session.context import Context
from gui.shell.main_window import MainWindow
from gui.shell.window_controller import WindowController
from gui.widgets.label import Facts
from storage.formats import import_registry
from storage.study_file import new_study
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SUMMEVAL, is_there

EDITS, SCUS, BEAT_MS, PAUSE_S = sized(200, 4), 20, 5, 0.03
TOO_LONG_S = 300.0  # scoring all of SummEval may take minutes

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

Until = Callable[[], bool]
Script = Iterator[Until]


def main() -> None:
    """Measure at rest, then while scoring, and print."""
    if not is_there():
        return
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "summeval.pyramidion"
        make_study(path)
        settings = Path(folder) / "settings.json"
        PreferencesFile(settings).save(
            Preferences().with_annotator(path, "annotator")
        )  # nobody is asked who annotates
        controller, window = build_window(app, settings)
        garbage = GarbageTimer(window)
        garbage.start()  # as the program does
        window.resize(1440, 900)
        window.show()
        controller.start(path)
        follow(wait_for(lambda: controller.context is not None and not controller.jobs.running()))
        window.activateWindow()
        follow(wait_for(window.isActiveWindow))
        for title, is_scoring in (("at rest", False), ("while BERTScore is scored", True)):
            measured = Measured(controller, window, Path(folder))
            follow(measured.script(is_scoring=is_scoring))
            measured.report(title)
        garbage.stop()
        window.close()
        follow(wait_for(lambda: not window.isVisible()))  # a backup is made first


def make_study(path: Path) -> None:
    """Create a study of SummEval with one annotator's pyramid of its first topic."""
    with new_study(path) as study:
        run_to_completion(
            import_registry.import_steps(study, import_registry.import_request(SUMMEVAL, "summeval"))
        )
        topic = study.texts.topic(study.texts.topics()[0].id)
        annotator = study.annotators.get_or_create("annotator").id
        before = after = study.pyramids.annotation(topic.id, annotator)
        chance = random.Random(3)
        places = {reference.id: words(reference.content) for reference in topic.references}
        for number in range(SCUS):
            first, *others = chance.sample(sorted(places), chance.randint(1, 4))
            after = pyramid.add_scu(after, f"Unit {number}", first, [_some(places[first], chance)])
            for other in others:
                scu_id = after.pyramid.scus[-1].id
                after = pyramid.add_contributor(after, scu_id, other, [_some(places[other], chance)])
        study.pyramids.commit(before, after, "pyramid", annotator).result()


def _some(spans: Sequence[tuple[int, int]], chance: random.Random) -> tuple[int, int]:
    at = chance.randrange(len(spans) - 5)
    return spans[at][0], spans[at + 4][1]


def wait_for(is_so: Until) -> Script:
    """Wait until a condition holds."""
    yield is_so


def follow(script: Script) -> None:
    """Run a script inside the event loop; it continues when the condition that it yielded holds."""
    loop, timer = QEventLoop(), QTimer(interval=1)
    state: dict[str, Any] = {"until": next(script), "since": time.monotonic()}

    def look() -> None:
        try:
            if state["until"]():
                state.update(until=next(script), since=time.monotonic())
            elif time.monotonic() - state["since"] > TOO_LONG_S:
                line = state["until"].__code__.co_firstlineno
                raise TimeoutError(f"The window did not get on: what line {line} waits for is not so.")
        except StopIteration:
            loop.quit()
        except BaseException as error:  # noqa: BLE001 - handed on below, outside the event loop
            state["error"] = error
            loop.quit()

    timer.timeout.connect(look)
    timer.start()
    loop.exec()
    timer.stop()
    if "error" in state:
        raise state["error"]


def pause(seconds: float) -> Until:
    """Return a condition that holds after this time."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end


class Heartbeat(QObject):
    """Record the longest delay of a periodic timer."""

    def __init__(self) -> None:
        super().__init__()
        self.stalls: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.stalls.append(now - self._last - BEAT_MS / 1000)
        self._last = now

    def stop(self) -> None:
        self._timer.stop()


class Painted(QObject):
    """Record when all widgets have been painted since the last `begin`."""

    def __init__(self) -> None:
        super().__init__()
        self.at: float | None = None
        self._waiting: set[QWidget] = set()
        self._widgets: tuple[QWidget, ...] = ()

    def begin(self, *widgets: QWidget) -> None:
        """Start to wait for these widgets."""
        for widget in self._widgets:
            widget.removeEventFilter(self)
        self.at, self._widgets, self._waiting = None, widgets, set(widgets)
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and watched in self._waiting:
            self._waiting.discard(watched)  # type: ignore[arg-type]
            if not self._waiting:
                QTimer.singleShot(0, self._note)  # after the painting, which follows this event
        return False

    def _note(self) -> None:
        self.at = time.perf_counter()


class Measured:
    """A series of timed edits."""

    def __init__(self, controller: WindowController, window: MainWindow, folder: Path) -> None:
        self._controller, self._window, self._folder = controller, window, folder
        assert controller.context is not None
        self._context: Context = controller.context
        self._painted, self._saved = Painted(), [0.0]
        self._context.writes.saved.connect(self._note_saved)
        self.to_repaint: list[float] = []
        self.to_saved: list[float] = []
        self.missed = 0
        self.facts: list[str] = []
        self._stalls: list[float] = []

    def script(self, *, is_scoring: bool) -> Script:
        """Start scoring, edit, and write by the command line in between."""
        if is_scoring:
            yield from self._start_scoring()
        began = time.perf_counter()
        self._window.show_page("pyramids")
        yield pause(1.0)
        yield from self._edit_beating(EDITS // 2)
        if is_scoring:
            self.facts.append(f"scoring still ran after {len(self.to_saved)} edits: {self._is_scoring()}")
            yield from self._write_elsewhere()
        yield from self._edit_beating(EDITS // 2)
        if is_scoring:
            self.facts.append(f"scoring still ran after {len(self.to_saved)} edits: {self._is_scoring()}")
        self.facts.append(f"all of it took {time.perf_counter() - began:.1f} s")
        if is_scoring:
            yield lambda: not self._is_scoring()
            self.facts.append(f"scoring took {time.perf_counter() - began:.1f} s")

    def report(self, title: str) -> None:
        """Print the durations."""
        print(f"{title}: {len(self.to_saved)} edits, {self.missed} keys that were no edit")
        for name, times in (("repaint", self.to_repaint), ("acknowledged", self.to_saved)):
            ms = 1000 * np.array(times)
            print(
                f"  {name:13} n {len(ms)}, median {np.median(ms):5.1f}, p95 {np.percentile(ms, 95):5.1f}, "
                f"max {ms.max():5.1f} ms"
            )
        stalls = 1000 * np.array(self._stalls)
        print(
            f"  stall         beats {len(stalls)}, p95 {np.percentile(stalls, 95):5.1f}, "
            f"max {stalls.max():5.1f} ms"
        )
        for fact in self.facts:
            print(f"  {fact}")

    def _start_scoring(self) -> Script:
        self._window.show_page("score")
        view: Any = self._window.stack.currentWidget()
        rows = view.metrics.metrics.rows
        yield lambda: bool(rows()) and not any(row.state.name == "LOOKING" for row in rows())
        for row in rows():
            if row.is_chosen != (row.name == "bertscore"):
                view.metrics.choose(row.key)
                QTest.keyClick(view.metrics, Qt.Key.Key_Space)
        assert [row.name for row in rows() if row.is_chosen] == ["bertscore"]
        heart = Heartbeat()
        QTest.mouseClick(view.run_button, Qt.MouseButton.LeftButton)
        yield lambda: bool(self._context.study.scores.configs())
        heart.stop()
        self.facts.append(f"longest stall while the encoder was loaded: {1000 * max(heart.stalls):.0f} ms")

    def _edit_beating(self, edits: int) -> Script:
        heart = Heartbeat()
        view: Any = self._window.stack.currentWidget()
        chance = random.Random(11)
        goal = len(self.to_saved) + edits
        keys = (Qt.Key.Key_N, Qt.Key.Key_A, Qt.Key.Key_Z, Qt.Key.Key_A)
        while len(self.to_saved) < goal:
            yield from self._edit(view, keys[(len(self.to_saved) + self.missed) % 4], chance)
            yield pause(PAUSE_S)
        heart.stop()
        self._stalls += heart.stalls

    def _edit(self, view: Any, key: Qt.Key, chance: random.Random) -> Script:
        """Select words with mouse and keys and press the key of an edit or undo."""
        is_undo = key == Qt.Key.Key_Z
        section = chance.choice(view.references.sections)
        if not is_undo:
            view.references.ensureWidgetVisible(section)
            yield pause(0.01)
            area = section.text.viewport().rect()
            x, y = chance.randint(8, area.width() // 2), chance.randint(6, max(7, area.height() // 2))
            QTest.mouseClick(section.text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))
            for _ in range(4):
                QTest.keyClick(section.text, Qt.Key.Key_Right, CTRL | SHIFT)
            yield pause(0.01)
        watched = [view.scus.tree.viewport()]
        if not is_undo:
            watched.append(section.text.viewport())
        self._painted.begin(*watched)
        target = QApplication.focusWidget() or view
        began = time.perf_counter()
        QTest.keyClick(target, key, CTRL if is_undo else Qt.KeyboardModifier.NoModifier)
        if not self._context.writes.is_saving:
            self.missed += 1  # as words that the SCU has already
            return
        yield lambda: self._saved[-1] > began and self._painted.at is not None
        if self._painted.at is not None:
            self.to_saved.append(next(at for at in self._saved if at > began) - began)
            self.to_repaint.append(self._painted.at - began)
        if key == Qt.Key.Key_N and QApplication.focusWidget() is not None:
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)

    def _write_elsewhere(self) -> Script:
        """Import a rating of a new annotator by the command line, which the overview then counts."""
        self._window.show_page("overview")
        page: Any = self._window.stack.currentWidget()
        before = self._annotators(page)
        yield lambda: self._annotators(page) > 0
        yield pause(1.0)
        before = self._annotators(page)
        reported: list[float] = []
        self._context.changes.changed.connect(
            lambda changes: reported.append(time.perf_counter()) if changes.is_external else None
        )
        look = sqlite3.connect(self._context.study.path)
        began = time.perf_counter()
        process = self._import_rating()
        written: list[float] = []

        def shows() -> bool:
            if not written and look.execute("SELECT 1 FROM annotators WHERE name = 'Elsewhere'").fetchone():
                written.append(time.perf_counter())
            return self._annotators(page) > before

        yield shows
        displayed = time.perf_counter()
        yield lambda: process.poll() is not None and bool(reported)
        look.close()
        self.facts += [
            f"the command line wrote {written[0] - began:.2f} s after its start, status {process.returncode}",
            f"the window was notified {1000 * (reported[0] - written[0]):.0f} ms after that, "
            f"the overview showed it {1000 * (displayed - written[0]):.0f} ms after it",
        ]
        self._window.show_page("pyramids")
        yield pause(0.3)

    def _import_rating(self) -> subprocess.Popen[bytes]:
        study = self._context.study
        topic = study.texts.topic(study.texts.topics()[0].id)
        table = self._folder / "ratings.csv"
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("topic", "system", "dimension", "annotator", "value"))
            writer.writerow(
                (topic.name, topic.summaries[0].name, study.ratings.dimensions()[0].name, "Elsewhere", 4)
            )
        program = Path(sys.executable).with_name("pyramidion")
        command = [str(program), "import", str(study.path), str(table), "--format", "table"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def _annotators(self, page: Any) -> int:
        return int(dict(page.findChild(Facts).shown).get("Annotators", "0").replace(",", ""))

    def _is_scoring(self) -> bool:
        return any(job.title == "Scoring" for job in self._controller.jobs.running())

    def _note_saved(self, _: object) -> None:
        self._saved.append(time.perf_counter())


if __name__ == "__main__":
    main()
