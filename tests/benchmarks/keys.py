"""Number of keys for a pyramid of 20 SCUs, by rebuilding one of the sample.

Run: .venv/bin/python -m tests.benchmarks keys
The real window (offscreen) on the sample study, as an annotator without a pyramid. An event filter counts
key events; a key with modifiers counts once. The numbers for DUCView are not measured but computed from the
table of its operations below, for the same pyramid.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import Contributor, Pyramid, Scu
from core.domain.study import Span
from core.files.preferences import Preferences, PreferencesFile
from core.progress import run_to_completion
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.word_selection_text import Caret
from gui.app import build_window
from gui.pages.pyramid.view import PyramidView
from gui.shell.main_window import MainWindow
from gui.shell.window_controller import WindowController
from storage.sample_study import create_sample
from tests.benchmarks import sized

TOPIC, AUTHORS, NEWCOMER = "D01", "Annotator A", "newcomer"
GOING, SELECTING, COMMANDS, LETTERS = "going to words", "selecting words", "commands", "letters of labels"
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
_WAIT_SECONDS = 20.0

Press = tuple[Qt.Key, Qt.KeyboardModifier]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation in DUCView: numbers of commands (keys or button clicks), drags and mouse clicks."""

    what: str
    commands: int = 0
    drags: int = 0
    clicks: int = 0


NEW_SCU = Operation("drag over words; New SCU", commands=1, drags=1)
SET_LABEL = Operation("Set Label; type; Enter", commands=2)
ADD_CONTRIBUTOR = Operation("drag over words; click the SCU; Add Contributor", commands=1, drags=1, clicks=1)
ADD_PART = Operation("drag over words; click the contributor; Add Contributor", commands=1, drags=1, clicks=1)


def main() -> None:
    """Replay the annotation and print the counts."""
    app = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.pyramidion"
        controller, window = open_as_newcomer(app, path)
        counted, built = replay(controller, window, sized(None, 1))
        window.close()
        _wait(lambda: not window.isVisible())  # a backup is made first
        controller.close()
    _report(counted, built)


def open_as_newcomer(app: QApplication, path: Path) -> tuple[WindowController, MainWindow]:
    """Open the window on a new sample study at the Pyramids page."""
    run_to_completion(create_sample(path)).close()
    settings = path.with_name("settings.json")
    PreferencesFile(settings).save(Preferences(theme="light").with_annotator(path, NEWCOMER))
    controller, window = build_window(app, settings)
    window.resize(1280, 800)
    window.show()
    controller.start(path)
    _wait(lambda: controller.context is not None)
    window.show_page("pyramids")
    window.activateWindow()
    _wait(window.isActiveWindow)
    return controller, window


def replay(
    controller: WindowController, window: MainWindow, most: int | None = None
) -> tuple[Mapping[str, int], Pyramid]:
    """Build the authors' pyramid by keys, or at most `most` of its SCUs.

    Returns the counts and the resulting pyramid.
    """
    context = controller.context
    if context is None:
        raise RuntimeError("No study is open.")
    study = context.study
    topic = next(head for head in study.texts.topics() if head.name == TOPIC)
    authors = next(person for person in study.annotators.all() if person.name == AUTHORS)
    expected = study.pyramids.annotation(topic.id, authors.id).pyramid
    context.selection.select(topic_id=topic.id)
    view = window.stack.currentWidget()
    if not isinstance(view, PyramidView):
        raise TypeError("The page of pyramids is not in front.")
    typist = Typist(view)
    QApplication.instance().installEventFilter(typist)
    for scu in expected.scus[:most]:
        typist.build(scu)
    QApplication.instance().removeEventFilter(typist)
    study.flush()
    return dict(typist.counted), study.pyramids.annotation(topic.id, context.annotator.id).pyramid


class Typist(QObject):
    """Press keys as an experienced annotator does, and count them as they arrive."""

    def __init__(self, view: PyramidView) -> None:
        super().__init__(view)
        self._view = view
        self._doing = COMMANDS
        self.counted: Counter[str] = Counter()

    def build(self, scu: Scu) -> None:
        """Make an SCU with its label and all its contributors."""
        first, *others = scu.contributors
        self._select(first)
        self._press(COMMANDS, (Qt.Key.Key_N, NONE))
        if _focused().text() != scu.label:
            self._type(scu.label)
        self._press(COMMANDS, (Qt.Key.Key_Return, NONE))
        for contributor in others:
            self._select(contributor)
            self._press(COMMANDS, (Qt.Key.Key_A, NONE))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_first = event.type() is QEvent.Type.ShortcutOverride and watched is QApplication.focusWidget()
        if is_first and isinstance(event, QKeyEvent) and event.key() not in _MODIFIERS:
            self.counted[self._doing] += 1
        return False

    def _select(self, contributor: Contributor) -> None:
        text = self._go_to_reference(contributor.reference_id)
        *others, last = sorted(part.span for part in contributor.parts)
        for span in others:
            self._select_span(text, span)
            self._press(COMMANDS, (Qt.Key.Key_P, NONE))
        self._select_span(text, last)
        if text.selected_spans() != tuple(sorted(part.span for part in contributor.parts)):
            raise RuntimeError(f"{text.selected_spans()} is not what was to be selected.")

    def _go_to_reference(self, reference_id: str) -> AnnotatedText:
        sections = self._view.references.sections
        target = next(at for at, section in enumerate(sections) if section.text_id == reference_id)
        while not sections[target].text.hasFocus():
            here = next((at for at, section in enumerate(sections) if section.text.hasFocus()), -1)
            is_down = (target - here) % len(sections) <= len(sections) // 2
            self._press(GOING, (Qt.Key.Key_Down if is_down else Qt.Key.Key_Up, ALT))
        return sections[target].text

    def _select_span(self, text: AnnotatedText, span: Span) -> None:
        while (here := _caret(text)) != (start := Caret(span[0], span[0])):
            self._press(GOING, way(text, here, start)[0])
        while (here := _caret(text)) != (whole := Caret(*span)):
            self._press(SELECTING, way(text, here, whole)[0])

    def _press(self, doing: str, press: Press) -> None:
        self._doing = doing
        QTest.keyClick(_focused(), *press)
        QApplication.processEvents()

    def _type(self, words: str) -> None:
        self._doing = LETTERS
        QTest.keyClicks(_focused(), words)


def way(text: AnnotatedText, start: Caret, target: Caret) -> list[Press]:
    """Return the shortest predictable sequence of keys from one caret position to another."""
    moves = _steps if target.is_empty else _draws
    known: dict[Caret, list[Press]] = {}
    waiting: deque[tuple[Caret, list[Press]]] = deque([(start, [])])
    while waiting and target not in known:
        here, presses = waiting.popleft()
        for press, landed in moves(text, here):
            if landed not in known:
                known[landed] = [*presses, press]
                waiting.append((landed, known[landed]))
    return known[target]


_BY_LINES = (
    (Qt.Key.Key_Up, NONE, QTextCursor.MoveOperation.Up),
    (Qt.Key.Key_Down, NONE, QTextCursor.MoveOperation.Down),
    (Qt.Key.Key_Home, NONE, QTextCursor.MoveOperation.StartOfLine),
    (Qt.Key.Key_End, NONE, QTextCursor.MoveOperation.EndOfLine),
    (Qt.Key.Key_Home, CTRL, QTextCursor.MoveOperation.Start),
    (Qt.Key.Key_End, CTRL, QTextCursor.MoveOperation.End),
)


def _steps(text: AnnotatedText, caret: Caret) -> Iterator[tuple[Press, Caret]]:
    """Yield each key without Shift and the caret after it."""
    for key, is_forward in ((Qt.Key.Key_Right, True), (Qt.Key.Key_Left, False)):
        yield (key, NONE), caret.walk(text.word_spans, forward=is_forward)
    for key, held, move in _BY_LINES:
        at = _moved(text, caret.position, move)
        yield (key, held), Caret(at, at)


def _draws(text: AnnotatedText, caret: Caret) -> Iterator[tuple[Press, Caret]]:
    """Yield each key with Shift and the selection after it."""
    for key, is_forward in ((Qt.Key.Key_Right, True), (Qt.Key.Key_Left, False)):
        yield (key, SHIFT), caret.step(text.word_spans, forward=is_forward)
    for key, held, move in _BY_LINES:
        at = _moved(text, caret.position, move)
        yield (key, held | SHIFT), Caret(caret.anchor, at).snap(text.word_spans)


def _moved(text: AnnotatedText, position: int, move: QTextCursor.MoveOperation) -> int:
    cursor = QTextCursor(text.document())
    cursor.setPosition(position)
    cursor.movePosition(move)
    return cursor.position()


def _caret(text: AnnotatedText) -> Caret:
    """Return the caret; the sample has only BMP characters, so text and document positions agree."""
    cursor = text.textCursor()
    return Caret(cursor.anchor(), cursor.position())


def by_table(pyramid: Pyramid) -> list[tuple[int, Operation]]:
    """Return how often each DUCView operation is needed for a pyramid."""
    scus = pyramid.scus
    contributors = sum(len(scu.contributors) for scu in scus)
    parts = sum(len(c.parts) for scu in scus for c in scu.contributors)
    return [
        (len(scus), NEW_SCU),
        (len(scus), SET_LABEL),
        (contributors - len(scus), ADD_CONTRIBUTOR),
        (parts - contributors, ADD_PART),
    ]


def _report(counted: Mapping[str, int], built: Pyramid) -> None:
    contributors = sum(len(scu.contributors) for scu in built.scus)
    print(f"{TOPIC} of the sample: {len(built.scus)} SCUs, {contributors} contributors\n")
    print("Pyramidion, keys counted by an event filter")
    for what in (GOING, SELECTING, COMMANDS, LETTERS):
        print(f"  {what:20} {counted[what]:5}")
    print(f"  {'all':20} {sum(counted.values()):5}, the mouse never")
    parts = sum(len(c.parts) for scu in built.scus for c in scu.contributors)
    print(f"  Words selected by mouse instead: {counted[COMMANDS]} commands and {parts} drags\n")
    print("DUCView, NOT measured: sums over the table of its operations")
    table = by_table(built)
    for times, operation in table:
        print(f"  {times:3} × {operation.what}")
    for what in ("commands", "drags", "clicks"):
        print(f"  {what:20} {sum(times * getattr(operation, what) for times, operation in table):5}")
    print(f"  {LETTERS:20} {sum(len(scu.label) for scu in built.scus):5}")


def _focused() -> Any:
    widget = QApplication.focusWidget()
    if widget is None:
        raise RuntimeError("Nothing has the keyboard.")
    return widget


def _wait(is_there: Callable[[], bool]) -> None:
    until = time.monotonic() + _WAIT_SECONDS
    while not is_there():
        if time.monotonic() > until:
            raise TimeoutError("The window did not get ready.")
        QApplication.processEvents()
        time.sleep(0.005)
