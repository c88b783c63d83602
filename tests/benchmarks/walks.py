"""Keys, clicks and longest turns of the GUI thread on walks through the real window (offscreen).

Run: .venv/bin/python -m tests.benchmarks walks
A turn is the time between two returns to the event loop, in CPU time of the GUI thread, which other programs
hardly lengthen, and in elapsed time. The longest are printed with the step of the walk and where the thread
was most often, by samples of its stack.

Counted also in the program with 16 pages (50b79504^), where the walk on an empty study needs two keys to the
fields of a new scale and one back to the text after the question for the name:

walk                          16 pages     9 pages with tabs
First start, by keys          6 keys       6 keys
First start, by mouse         6 clicks     6 clicks
Empty study, by keys          63 keys      60 keys
Empty study, by mouse         49 clicks    49 clicks
SummEval, all pages twice     89 keys      95 keys (19 pages and tabs instead of 16; 89 without the new)

Of the 16 pages 15 are pages or tabs now; each took one key, so 87 of the 89 keys were for these. Baseline
summaries, the 16th, have a dialog. *Fewer references or topics* is a third tab, two keys from the first.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QListView, QWidget

from core.files.preferences import Preferences, PreferencesFile
from gui.app import build_window, preload
from gui.background.gc_timer import GarbageTimer
from gui.commands.definitions import NAMES, PAGES, TABS
from gui.shell.main_window import ComingPage, MainWindow
from gui.shell.window_controller import WindowController
from gui.widgets.file_dialogs import start_in
from tests.benchmarks import sized
from tests.benchmarks.editing_while_scoring import Script, Until, follow, make_study, wait_for
from tests.benchmarks.made_studies import is_there

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
SAMPLE_S, QUIET_S, DEPTH = 0.005, sized(0.1, 0.03), 4
LISTED, LONG_MS = 12, 20.0
EXPECTED = {"SCUs": 3, "matches": 1, "nuggets": 1, "hits": 1, "raters": 3, "answers": 2}
"""At least so many of each are made; the third rater is the adjudicated one."""
TABLE = "texts.csv"
TEXTS = (
    ("document", "report", "A storm closed the harbour on Monday. Boats stayed in port."),
    ("reference", "A", "A storm closed the harbour on Monday while boats stayed in port."),
    ("reference", "B", "The harbour was closed by a storm and boats stayed in port."),
    ("summary", "bart", "The harbour was closed after a storm on Monday."),
    ("summary", "lead", "Boats stayed in port as a storm closed the harbour."),
    ("summary", "random", "A storm came on Monday."),
)
"""Kind, author or system, and content of the texts that are imported."""


@dataclass(slots=True)
class Turn:
    """A turn of the GUI thread in milliseconds, and how often which function of the program was running."""

    step: str
    own: float
    elapsed: float
    places: Counter[str] = field(default_factory=Counter)


class Turns(QObject):
    """Record the turns of this thread, the GUI thread, by a timer; a thread samples its stack."""

    def __init__(self) -> None:
        super().__init__()
        self.step = ""
        self.long: list[Turn] = []
        self._samples: list[FrameType | None] = []
        self._places: Counter[str] = Counter()
        self._began, self._own = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self, interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        signal.signal(signal.SIGALRM, self._sample)
        signal.setitimer(signal.ITIMER_REAL, SAMPLE_S, SAMPLE_S)

    def stop(self) -> None:
        self._timer.stop()
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _beat(self) -> None:
        now, own = time.perf_counter(), time.thread_time()
        places, self._places = self._places, Counter()
        if 1000 * (own - self._own) > LONG_MS:
            self.long.append(Turn(self.step, 1000 * (own - self._own), 1000 * (now - self._began), places))
        self._began, self._own = time.perf_counter(), time.thread_time()

    def _sample(self, _: int, frame: FrameType | None) -> None:
        """Count where the thread is: in which functions of the program, the innermost first."""
        places: list[str] = []
        while frame is not None and len(places) < DEPTH:
            if "/gui/" in (name := frame.f_code.co_filename):
                places.append(f"{name.rpartition('/gui/')[2]}:{frame.f_lineno}")
            frame = frame.f_back
        self._places[" < ".join(places)] += 1


def way(here: str, key: str) -> list[tuple[Qt.Key, Qt.KeyboardModifier]]:
    """Return the fewest keys from a page or tab to another.

    These are the digit of the page for its first tab, again for the next one, or with Shift for the second,
    and Ctrl+Shift+Tab for the one before.
    """
    page = NAMES[key].page
    tabs, digit = [name.key for name in TABS[page]], Qt.Key(KEY.Key_1 + list(TABS).index(page))
    begun = [([], tabs.index(here))] if here in tabs else [([(digit, CTRL)], 0)]
    if len(tabs) > 1:
        begun.append(([(digit, CTRL | SHIFT)], 1))
    ways = []
    for pressed, place in begun:
        forward, back = (tabs.index(key) - place) % len(tabs), (place - tabs.index(key)) % len(tabs)
        nearer = [(digit, CTRL)] * forward if forward <= back else [(KEY.Key_Tab, CTRL | SHIFT)] * back
        ways.append([*pressed, *nearer])
    return min(ways, key=len)


class Driver:
    """Press keys and click in the window, and count it."""

    def __init__(self, controller: WindowController, window: MainWindow, turns: Turns) -> None:
        self.controller, self.window, self.turns = controller, window, turns
        self.keys = self.clicks = self.letters = 0

    @property
    def page(self) -> Any:
        return self.window.stack.currentWidget()

    def at(self, step: str) -> None:
        """Name the step to which the next turns belong."""
        self.turns.step = step

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = NONE, times: int = 1) -> Script:
        """Press a key where the focus is."""
        for _ in range(times):
            self.keys += 1
            yield self._do(lambda: QTest.keyClick(QApplication.focusWidget() or self.front(), key, held))

    def write(self, text: str) -> Script:
        """Type letters, which are counted apart."""
        self.letters += len(text)
        yield self._do(lambda: QTest.keyClicks(QApplication.focusWidget(), text))

    def click(self, target: QWidget | str, place: QPoint | None = None) -> Script:
        """Click on a widget, or on the visible button with this text or name."""
        self.clicks += 1
        widget = self.button(target) if isinstance(target, str) else target
        at = widget.rect().center() if place is None else place
        yield self._do(lambda: QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at))

    def choose(self, menu: str, title: str) -> Script:
        """Choose a command from a menu by two clicks."""
        bar = self.window.top.menus
        action = next(one for one in bar.actions() if one.text().replace("&", "") == menu)
        yield from self.click(bar, bar.actionGeometry(action).center())
        opened = action.menu()
        item = next(one for one in opened.actions() if one.text().replace("&", "").startswith(title))
        yield from self.click(opened, opened.actionGeometry(item).center())

    def drag(self, text: Any, start: int, end: int) -> Script:
        """Select characters of a text by the mouse, which counts as a click."""
        self.clicks += 1
        places = []
        for at in (start, end):
            cursor = text.textCursor()
            cursor.setPosition(at)
            places.append(text.cursorRect(cursor).center())
        viewport, left = text.viewport(), Qt.MouseButton.LeftButton

        def drag() -> None:
            QTest.mousePress(viewport, left, pos=places[0])
            at = QPointF(places[1])  # QTest moves without a pressed button
            moved = QMouseEvent(QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), left, left, NONE)
            QApplication.sendEvent(viewport, moved)
            QTest.mouseRelease(viewport, left, pos=places[1])

        yield self._do(drag)

    def go(self, key: str) -> Script:
        """Show a page or tab by the fewest keys."""
        for pressed, held in way(self.window.page_key, key):
            yield from self.press(pressed, held)
        if self.window.page_key != key:
            raise RuntimeError(f"{self.turns.step}: the keys to {key} led to {self.window.page_key}.")

    def click_to(self, key: str) -> Script:
        """Show a page by its button in the rail and a tab by its own."""
        page = NAMES[key].page
        if NAMES[self.window.page_key].page != page:
            yield from self.click(self.window.rail.button(page))
        if self.window.page_key != key:
            yield from self.click(self.page.tabs.button(key))

    def button(self, text: str) -> QAbstractButton:
        """Return the visible button with this text or name in the window in front."""
        front = self.front()
        found = [one for one in front.findChildren(QAbstractButton) if one.isVisible() and one.isEnabled()]
        names = [(one.text().replace("&", "").strip(), one.accessibleName()) for one in found]
        for is_named in (lambda name: name == text, lambda name: name.startswith(text)):
            for one, named in zip(found, names, strict=True):
                if any(map(is_named, named)):
                    return one
        raise LookupError(f"{self.turns.step}: no button {text!r} among {names}")

    def front(self) -> QWidget:
        """Return the dialog in front, or the window."""
        return QApplication.activeModalWidget() or self.window

    def _do(self, act: Callable[[], object]) -> Until:
        """Act in an event of its own, as a dialog may run an event loop; return whether all is quiet."""
        acted: list[float] = []

        def do() -> None:
            acted.append(time.perf_counter())
            act()

        def is_quiet() -> bool:
            if not acted:
                return False
            context = self.controller.context
            is_saving = context is not None and context.writes.is_saving
            if self.controller.jobs.running() or is_saving or isinstance(self.page, ComingPage):
                acted[0] = time.perf_counter()
            elif QApplication.activePopupWidget() is None and not self.front().isActiveWindow():
                self.front().activateWindow()  # as a window manager does when a dialog is closed
                acted[0] = time.perf_counter()
            return time.perf_counter() - acted[0] > QUIET_S

        QTimer.singleShot(0, do)
        return is_quiet


def first_start(driver: Driver) -> Script:
    """First start, sample, score, compare, report, by keys."""
    driver.at("sample")
    yield from driver.press(KEY.Key_Return)
    yield from driver.press(KEY.Key_Return)
    driver.at("score")
    yield from driver.go("score")
    yield from driver.press(KEY.Key_Return, CTRL)
    driver.at("compare")
    yield from driver.go("compare")
    driver.at("report")
    yield from driver.go("report")


def first_start_by_mouse(driver: Driver) -> Script:
    """First start, sample, score, compare, report, by clicks."""
    driver.at("sample")
    yield from driver.click("Create the sample study")
    yield from driver.click("Save")
    driver.at("score")
    yield from driver.click_to("score")
    yield from driver.click(driver.page.run_button)
    driver.at("compare")
    yield from driver.click_to("compare")
    driver.at("report")
    yield from driver.click_to("report")


def study(driver: Driver) -> Script:
    """An empty study to the report, by keys."""
    press, write = driver.press, driver.write
    driver.at("new study")
    yield from press(KEY.Key_N, CTRL)
    yield from press(KEY.Key_Return)
    driver.at("import")
    yield from press(KEY.Key_I, CTRL)
    yield from press(KEY.Key_Return)
    yield from write(TABLE)
    yield from press(KEY.Key_Return)
    yield from press(KEY.Key_Return, CTRL)
    driver.at("pyramid")
    yield from driver.go("pyramids")
    for number, (end, forward) in enumerate(
        ((KEY.Key_Home, KEY.Key_Right), (KEY.Key_End, KEY.Key_Left), (KEY.Key_Home, KEY.Key_Right))
    ):
        if number == 2:
            yield from press(KEY.Key_Down, ALT)  # the next reference
        yield from press(end)
        yield from press(forward, SHIFT, 2)
        yield from press(KEY.Key_N)
        if number == 0:
            yield from press(KEY.Key_Return)  # who annotates
        yield from press(KEY.Key_Return)
    yield from press(KEY.Key_D, CTRL)
    driver.at("match")
    yield from driver.go("matches")
    yield from press(KEY.Key_Home)
    yield from press(KEY.Key_Right, SHIFT, 2)
    yield from press(KEY.Key_Space)
    yield from press(KEY.Key_D, CTRL)
    driver.at("nugget")
    yield from driver.go("nuggets")
    yield from press(KEY.Key_Home)
    yield from press(KEY.Key_Right, SHIFT, 2)
    yield from press(KEY.Key_N)
    yield from press(KEY.Key_Return)
    driver.at("hit")
    yield from driver.go("hits")
    yield from press(KEY.Key_Space)
    driver.at("scale")
    yield from driver.go("ratings")
    yield from write("quality")
    yield from press(KEY.Key_Return)
    driver.at("rate")
    yield from press(KEY.Key_4)
    yield from press(KEY.Key_U)
    yield from press(KEY.Key_2)
    driver.at("pairs")
    yield from driver.go("comparisons")
    yield from press(KEY.Key_E)
    yield from press(KEY.Key_Return)
    yield from press(KEY.Key_1)
    yield from press(KEY.Key_2)
    driver.at("second annotator")
    yield from press(KEY.Key_K, CTRL)
    yield from write("annotator")
    yield from press(KEY.Key_Return)
    yield from write("Ben")
    yield from press(KEY.Key_Return)
    yield from driver.go("ratings")
    yield from press(KEY.Key_1)
    yield from press(KEY.Key_U)
    yield from press(KEY.Key_1)
    driver.at("agreement")
    yield from driver.go("agreement")
    driver.at("difference")
    yield from driver.go("adjudication")
    yield from press(KEY.Key_1)
    driver.at("report")
    yield from driver.go("report")


def study_by_mouse(driver: Driver) -> Script:
    """An empty study to the report, by clicks; only names are typed."""
    click, drag = driver.click, driver.drag
    driver.at("new study")
    yield from click("New study…")
    yield from click("Save")
    driver.at("import")
    yield from click("Import texts…")
    yield from click("File…")
    files = driver.front().findChild(QListView, "listView")
    model, folder = files.model(), files.rootIndex()
    rows = (model.index(row, 0, folder) for row in range(model.rowCount(folder)))
    row = next(one for one in rows if one.data() == TABLE)
    yield from click(files.viewport(), files.visualRect(row).center())
    yield from click("Open")
    yield from click("Import 3 systems")
    driver.at("pyramid")
    yield from driver.click_to("pyramids")
    for start, end in ((0, 7), (8, 14), (15, 26)):
        yield from drag(driver.page.references.sections[0].text, start, end)
        yield from click("New")
        if start == 0:
            yield from click("Continue")
    yield from click("Mark done")
    driver.at("match")
    yield from driver.click_to("matches")
    yield from drag(driver.page.left.text, 0, 11)
    yield from driver.choose("Annotate", "Match selected text")
    yield from click("Mark done")
    driver.at("nugget")
    yield from driver.click_to("nuggets")
    yield from drag(driver.page.references.sections[0].text, 0, 7)
    yield from click("New")
    driver.at("hit")
    yield from driver.click_to("hits")
    matrix = driver.page.matrix
    yield from click(matrix.viewport(), matrix.visualRect(matrix.model().index(0, 0)).center())
    yield from driver.choose("Annotate", "Set")
    driver.at("scale")
    yield from driver.click_to("ratings")
    yield from driver.write("quality")
    yield from click("Add")
    driver.at("rate")
    yield from click("4")
    yield from click("Next unrated")
    yield from click("2")
    driver.at("pairs")
    yield from driver.click_to("comparisons")
    yield from click("Plan comparisons…")
    yield from click("Plan")
    yield from click(next(iter(driver.page.buttons.values())))
    yield from click(next(iter(driver.page.buttons.values())))
    driver.at("second annotator")
    yield from click(driver.window.status.annotator_button)
    yield from driver.write("Ben")
    yield from click("Continue")
    yield from driver.click_to("ratings")
    yield from click("1")
    yield from click("Next unrated")
    yield from click("1")
    driver.at("agreement")
    yield from driver.click_to("agreement")
    driver.at("difference")
    yield from driver.click_to("adjudication")
    yield from click("Accept")
    driver.at("report")
    yield from driver.click_to("report")


TEXTUAL = ("texts", "pyramids", "matches", "nuggets", "hits", "ratings")
ADDED = frozenset(("progress", "assignment", "training", "judges"))
"""Tabs that the program with 16 pages had as dialogs, or not at all."""


def keys_to_visit(keys: Sequence[str]) -> int:
    """Return how many keys lead from page to page on the walk `visits` of these pages and tabs."""
    route = ("overview", *keys, *keys, *TEXTUAL, "pyramids", "compare")
    return sum(len(way(here, key)) for here, key in pairwise(route))


def visits(driver: Driver) -> Script:
    """Visit all pages twice; change topic and summary, undo, redo, filter, open the palette."""
    press = driver.press
    for visit in ("first", "second"):
        for name in PAGES:
            driver.at(f"{visit} visit of {name.full_title}")
            yield from driver.go(name.key)
    for key in TEXTUAL:
        driver.at(f"to {key}")
        yield from driver.go(key)
        for step, pressed, held in (
            ("next topic", KEY.Key_PageDown, CTRL),
            ("next summary", KEY.Key_Right, ALT),
            ("previous topic", KEY.Key_PageUp, CTRL),
        ):
            driver.at(f"{step} on {key}")
            yield from press(pressed, held, 2)
    driver.at("SCU from words")
    yield from driver.go("pyramids")
    yield from press(KEY.Key_Home)
    yield from press(KEY.Key_Right, SHIFT, 3)
    yield from press(KEY.Key_N)
    yield from press(KEY.Key_Return)
    driver.at("undo and redo")
    yield from press(KEY.Key_Z, CTRL)
    yield from press(KEY.Key_Z, CTRL | SHIFT)
    for key, words in (("pyramids", "unit"), ("compare", "rou")):
        driver.at(f"filter on {key}")
        yield from driver.go(key)
        yield from press(KEY.Key_F, CTRL)
        for letter in words:
            yield from driver.write(letter)
        yield from press(KEY.Key_Escape)
    driver.at("palette")
    yield from press(KEY.Key_K, CTRL)
    for letter in "topic":
        yield from driver.write(letter)
    yield from press(KEY.Key_Escape)


WALKS: tuple[tuple[str, Callable[[Driver], Script]], ...] = (
    ("First start, by keys", first_start),
    ("First start, by mouse", first_start_by_mouse),
    ("Empty study, by keys", study),
    ("Empty study, by mouse", study_by_mouse),
    ("SummEval, by keys", visits),
)


def main() -> None:
    """Walk and print."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    for title, walk in sized(WALKS, WALKS[2:3]):
        if walk is not visits or is_there():
            with tempfile.TemporaryDirectory() as folder:
                _walk(app, title, walk, Path(folder))


def _walk(app: QApplication, title: str, walk: Callable[[Driver], Script], folder: Path) -> None:
    """Walk through a new window and print what was counted."""
    path, settings = folder / "summeval.pyramidion", folder / "settings.json"
    if walk is visits:
        make_study(path)
    PreferencesFile(settings).save(Preferences().with_annotator(path, "annotator"))
    _write_table(folder / TABLE)
    start_in(folder)
    controller, window = build_window(app, settings)
    garbage, turns = GarbageTimer(window), Turns()
    garbage.start()
    turns.step = "start"
    window.resize(1280, 800)
    window.show()
    preloader = preload(controller, window)
    controller.start(path if walk is visits else None)
    follow(wait_for(lambda: not controller.jobs.running() and not preloader.isActive()))
    window.activateWindow()
    follow(wait_for(window.isActiveWindow))
    driver = Driver(controller, window, turns)
    try:
        follow(walk(driver))
    finally:
        turns.stop()
    print(f"{title}: {driver.keys} keys, {driver.clicks} clicks, {driver.letters} letters")
    for turn in sorted(turns.long, key=lambda one: -one.own)[:LISTED]:
        print(f"  {turn.own:4.0f} ms, elapsed {turn.elapsed:4.0f}: {turn.step}", flush=True)
        for where, times in turn.places.most_common(2):
            print(f"    {times:4} × {where}")
    if walk is visits:
        every = [name.key for name in PAGES]
        shared = [key for key in every if key not in ADDED]
        fewer = driver.keys - keys_to_visit(every) + keys_to_visit(shared)
        print(f"  {fewer} keys without the {len(ADDED)} tabs that the program with 16 pages lacked")
    if walk in (study, study_by_mouse):
        _check(driver)
    garbage.stop()
    window.close()
    follow(wait_for(lambda: not window.isVisible()))


def _check(driver: Driver) -> None:
    """Raise RuntimeError for what the study lacks of what the walk was to make."""
    context = driver.controller.context
    if context is None:
        raise RuntimeError("No study is open.")
    stored, topic = context.study, context.study.texts.topics()[0].id
    units = {
        kind: [one for annotator in stored.annotators.all() for one in found(topic, annotator.id)]
        for kind, found in (
            ("SCUs", lambda *at: stored.pyramids.annotation(*at).pyramid.scus),
            ("matches", lambda *at: stored.pyramids.annotation(*at).matches),
            ("nuggets", lambda *at: stored.nuggets.annotation(*at).pyramid.scus),
            ("hits", lambda *at: stored.nuggets.annotation(*at).matches),
        )
    }
    raters = {rating.annotator_id for rating in stored.ratings.of_topic(topic)}
    answers = [one for plan in stored.comparisons.plans() for one in stored.comparisons.preferences(plan.id)]
    made = {**{kind: len(of) for kind, of in units.items()}, "raters": len(raters), "answers": len(answers)}
    missing = {kind: (made[kind], least) for kind, least in EXPECTED.items() if made[kind] < least}
    if missing:
        raise RuntimeError(f"The walk made less than it should: {missing}")


def _write_table(path: Path) -> None:
    """Write a table of one topic with two references and three summaries."""
    lines = ["topic,kind,who,text", *(f"harbour,{kind},{who},{text}" for kind, who, text in TEXTS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
