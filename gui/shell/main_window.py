"""Main window: menus and command field, page rail, the current page, status line."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QObject, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLayout,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from core.files.study_address import StudyAddress
from gui.background.turn_queue import TurnQueue
from gui.commands.definitions import NAMES, TABS, KeyGroup, PageName
from gui.commands.registry import Commands
from gui.item_models.table_model import Column
from gui.session.context import Context, PageParts, PageSpec
from gui.shell.status_line import StatusLine
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import LARGE, MEDIUM, RIGHT, SMALL, TIGHT, Type, bar_px, px
from gui.widgets.accessible import announce, announce_rows, spoken
from gui.widgets.buttons import EnterPresses, SearchField
from gui.widgets.dialog import BareDialog
from gui.widgets.label import IconLabel, Keycap, Label, rule
from gui.widgets.layouts import Gap, Stretch, extend, hbox, scrolled, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import Notice
from gui.widgets.page import HEADER_HEIGHT, Page
from gui.widgets.reading_order import ReadingOrder
from gui.widgets.reading_text import ReadingText
from gui.widgets.typed_text import typed_texts

log = logging.getLogger(__name__)
PALETTE_WIDTH, PALETTE_HEIGHT, KEYS_WIDTH = 480, 360, 120


class CommandPalette(BareDialog):
    """A search field and the matching commands; Enter runs the current one."""

    help_page = "keys"

    def __init__(self, actions: Sequence[tuple[str, QAction]], parent: QWidget | None = None) -> None:
        """actions: (menu, action) of every available command."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(tr("Any command"))
        self.resize(px(PALETTE_WIDTH), px(PALETTE_HEIGHT))
        self._actions = actions
        self.field = SearchField(tr("Any command"))
        columns = [Column(tr("Command"), _words), Column(tr("Key"), _keys)]
        self.list = RowTable[tuple[str, QAction]](tr("Commands"), columns, can_sort=False)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.horizontalHeader().hide()
        self.list.fit(stretch=0, widths={1: KEYS_WIDTH})
        vbox(self.field, self.list, parent=self, margins=SMALL)
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self.run_current)
        self.list.clicked.connect(self.run_current)
        announce_rows(self.list)
        self.field.step_through(self._step)
        self._find("")
        self.field.setFocus()

    def run_current(self) -> None:
        """Close and run the command in the selected row."""
        chosen = self.list.current
        self.close()
        if chosen is not None:
            chosen[1].trigger()

    def _step(self, by: int) -> None:
        if rows := self.list.sorted.rowCount():
            row = (self.list.currentIndex().row() + by) % rows
            self.list.setCurrentIndex(self.list.sorted.index(row, 0))

    def _find(self, typed: str) -> None:
        self.list.rows.set_rows(ranked(typed, self._actions))
        self.list.setCurrentIndex(self.list.sorted.index(0, 0))


def _words(command: tuple[str, QAction]) -> str:
    menu, action = command
    return f"{menu} › {action.text()}".replace("&", "")


def _keys(command: tuple[str, QAction]) -> str:
    return command[1].shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def ranked(typed: str, actions: Sequence[tuple[str, QAction]]) -> list[tuple[str, QAction]]:
    """Return the commands that contain the typed letters in this order, best match first.

    A command whose text is what was typed is first: the page *Ratings* before the export *Ratings…*.
    """
    fits = []
    for place, (menu, action) in enumerate(actions):
        text = action.text().replace("&", "")
        cost = fuzzy_cost(typed, text)
        if cost is not None:
            fits.append((cost, text.casefold() != typed.strip().casefold(), place, (menu, action)))
    return [pair for *_, pair in sorted(fits, key=lambda fit: fit[:3])]


def fuzzy_cost(typed: str, text: str) -> int | None:
    """Return the cost of a match: the number of skipped letters between the first and the last matching one.

    None if the letters do not all occur in this order. A match that starts inside a word costs five more.
    """
    letters, words = typed.casefold().replace(" ", ""), text.casefold()
    costs = [
        cost
        for start, letter in enumerate(words)
        if letters[:1] == letter and (cost := _cost_from(start, letters, words)) is not None
    ]
    return min(costs, default=None) if letters else 0


def _cost_from(start: int, letters: str, words: str) -> int | None:
    at, skipped = start, 0
    for letter in letters:
        place = words.find(letter, at)
        if place < 0:
            return None
        skipped += place - at
        at = place + 1
    starts_inside = start > 0 and words[start - 1].isalnum()
    return skipped + 5 * starts_inside


WIDTH = 172
_DONE = "100 %"
"""The longest progress in percent, for which the rail has room next to each name."""


class RailButton(QPushButton):
    """Button of a page: icon, name, and its progress on the right.

    Screen readers announce a checkable push button as a radio button, a tool button as a check box.
    """

    def __init__(self, name: PageName) -> None:
        super().__init__()
        self.title = name.title
        self.progress = ""
        self.setProperty("kind", "rail")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.label = f" {name.title}"  # style sheets know no gap after a drawing
        self.is_narrow = False
        self.setText(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        icons.set_icon(self, name.icon, "muted", icons.HEADER_PX)
        self.show_progress("")

    def set_narrow(self, is_narrow: bool) -> None:
        """Show the name in small letters below the icon; False = at its right."""
        self.is_narrow = is_narrow
        self.setText("" if is_narrow else self.label)
        self.setProperty("narrow", is_narrow)
        self.style().polish(self)

    def show_progress(self, progress: str, details: str = "") -> None:
        """Show the progress of the page, such as ``18/24``. details: that of its tabs, in words."""
        self.progress = progress
        self.setAccessibleName(f"{self.title} {details or progress}".strip())
        self.setToolTip(plain_tip(self.accessibleName()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self.progress or self.is_narrow):
            return
        painter = QPainter(self)
        painter.setFont(theme.font(Type.CAPTION))
        if self.is_narrow:
            painter.setPen(theme.colour("text" if self.isChecked() else "muted"))
            room = self.rect().adjusted(0, 0, 0, -TIGHT)
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, self.title)
        else:
            painter.setPen(theme.colour("muted"))
            room = self.rect().adjusted(0, 0, -MEDIUM, 0)
            words = self.progress_text(self.width() - self.sizeHint().width() - TIGHT)
            painter.drawText(room, RIGHT, words)

    def progress_text(self, width: int) -> str:
        """Return the progress next to the name: as counts, else in percent; empty if neither fits."""
        letters = theme.metrics(Type.CAPTION)
        done, _, total = self.progress.partition("/")
        share = f"{100 * int(done) // int(total)} %" if total.isdigit() and int(total) else ""
        return next(
            (words for words in (self.progress, share) if letters.horizontalAdvance(words) <= width), ""
        )


class PageRail(QFrame):
    """Buttons for the pages, with a line between groups.

    Signals:
        page_chosen: the key of the page.
    """

    page_chosen = Signal(str)

    def __init__(self, names: Sequence[PageName]) -> None:
        """names: of the pages, or of one tab of each."""
        super().__init__()
        self.setProperty("kind", "rail")
        self.setAccessibleName(tr("Pages"))
        self._buttons: dict[str, RailButton] = {}
        inner = QWidget()
        column = vbox(parent=inner, margins=SMALL, spacing=TIGHT)
        self._area = scrolled(inner)  # by wheel and arrow keys where the window is too low
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        vbox(self._area, parent=self, spacing=0)
        for before, name in zip((None, *names), names, strict=False):
            if before is not None and before.group != name.group:
                extend(column, Gap(SMALL), rule(), Gap(SMALL))
            button = self._buttons[name.page] = RailButton(name)
            button.clicked.connect(partial(self.page_chosen.emit, name.page))
            column.addWidget(button)
        column.addStretch(1)
        self.set_narrow(False)

    def button(self, key: str) -> RailButton:
        return self._buttons[key]

    def mark(self, key: str) -> None:
        """Mark the current page; Tab stops at its button, arrow keys move on."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)
            self._area.ensureWidgetVisible(self._buttons[key])
        for other, button in self._buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if other == key else Qt.FocusPolicy.NoFocus)

    def show_progress(self, key: str, progress: str, details: str = "") -> None:
        """Show the progress of a page. details: that of its tabs, in words."""
        if key in self._buttons:
            self._buttons[key].show_progress(progress, details)

    def set_narrow(self, is_narrow: bool) -> None:
        """Show names in small letters below the icons; False = at their right."""
        small = theme.metrics(Type.CAPTION)
        letters = small if is_narrow else theme.metrics(Type.STRONG)
        names = (button.title if is_narrow else button.label for button in self._buttons.values())
        longest = max(map(letters.horizontalAdvance, names), default=0)
        around = px(icons.HEADER_PX) + 2 * (SMALL + MEDIUM) + SMALL + small.horizontalAdvance(_DONE)
        self.setFixedWidth(longest + 2 * (SMALL + TIGHT) if is_narrow else max(px(WIDTH), longest + around))
        for button in self._buttons.values():
            button.set_narrow(is_narrow)


NARROW_BELOW = 1100
FIRST_SIZE, LEAST_SIZE = QSize(1280, 800), QSize(900, 600)
FRAME = QSize(8, 40)
"""Room for the title bar and borders that a desktop puts around the window, which Qt does not know before."""


class ComingPage(QFrame):
    """The heading of a page, until that is built. A key that is pressed here is for that page.

    Signals:
        key_pressed: the page is needed at once.
    """

    key_pressed = Signal()

    def __init__(self, name: PageName, before: str, ways: Sequence[QAction], *, has_tab_focus: bool) -> None:
        """before: key of the page that is left. ways: lead to other pages. has_tab_focus: its tabs had it."""
        super().__init__()
        self.key, self.before, self.has_tab_focus = name.key, before, has_tab_focus
        self._ways = ways
        self.setAccessibleName(name.full_title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        header = QFrame()
        header.setProperty("kind", "page-head")
        header.setFixedHeight(bar_px(*HEADER_HEIGHT))
        hbox(Label(name.title, Type.TITLE), parent=header, margins=(LARGE, 0))
        vbox(header, Stretch(1), parent=self, spacing=0)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is not QEvent.Type.KeyRelease:
            if self._leads_on(event):
                return super().event(event)
            if self.isVisible():
                self.key_pressed.emit()
            focused = QApplication.focusWidget()
            return focused not in (None, self) and QApplication.sendEvent(focused, event)
        return super().event(event)

    def _leads_on(self, event: QKeyEvent) -> bool:
        """Return whether a key goes to another page, or is only held for another key."""
        pressed = QKeySequence(event.keyCombination())
        return event.key() in _HELD or any(pressed in way.shortcuts() for way in self._ways)


_HELD = frozenset((Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta))


class MainWindow(EnterPresses, ReadingOrder, QMainWindow):
    """Shows one page of the open study, or a single widget while no study is open.

    The keys of pages are those of `gui.commands.definitions`: each tab of a page has its own. A page is built
    in steps, ahead or once the user goes to it; it is deleted when the study or the annotator changes.

    Signals:
        closing: the user closes the window; receivers stop all jobs.
        dropped: a file or folder was dropped on the window (Path).
        current_page_changed: the key of the current page.
        page_left: another page was gone to; it may have to be built first.
    """

    closing = Signal()
    dropped = Signal(object)
    current_page_changed = Signal(str)
    page_left = Signal()

    def __init__(self, commands: Commands, specs: Sequence[PageSpec]) -> None:
        super().__init__()
        self.setWindowTitle("Pyramidion")
        self.setAcceptDrops(True)
        self.setMinimumSize(LEAST_SIZE)
        available = self.screen().availableGeometry().size() - FRAME
        self.resize(FIRST_SIZE.boundedTo(available).expandedTo(LEAST_SIZE))
        self._commands = commands
        self._specs = {spec.key: spec for spec in specs}
        self._context: Context | None = None
        self._context_path: StudyAddress | None = None
        self._built: dict[str, tuple[Page, QObject | None]] = {}
        self._unbuilt: dict[str, Iterator[None]] = {}
        self._coming: ComingPage | None = None
        self._next_step = QTimer(self, interval=1)  # 0 would be due before other timers
        self._next_step.timeout.connect(self._build_coming)
        self._deleting = TurnQueue(self)  # of the pages of a closed study; all at once would be a long turn
        self._is_held_open = self._is_changing = False
        self.top, self.status, self.stack = TopBar(), StatusLine(), QStackedWidget()
        self.notice, self.tour = Notice(can_close=True), Notice(can_close=True, is_warning=False)
        self._tabs = {
            page: tabs
            for page, names in TABS.items()
            if (tabs := [name for name in names if name.key in self._specs])
        }
        self._last_tab: dict[str, str] = {}
        self._progress: dict[str, str] = {}
        self.rail = PageRail([tabs[0] for tabs in self._tabs.values()])
        self._commands.fill(self.top.menus)
        self.setMenuWidget(self.top)
        middle = hbox(self.rail, (self.stack, 1), spacing=0)
        central = QWidget()
        vbox(self.notice, self.tour, (middle, 1), self.status, parent=central, spacing=0)
        self.setCentralWidget(central)
        self.rail.hide()
        self.rail.page_chosen.connect(self.show_last_tab)
        self.top.field.clicked.connect(self.open_palette)
        self.status.annotator_button.clicked.connect(self._commands.action("annotator.choose").trigger)
        self._commands.keys_changed.connect(self.refresh_keys)
        self._commands.bind("view.palette", self.open_palette)
        theme.signal().changed.connect(self._fit_rail)
        for command, action in self._commands:
            if not command.is_local:
                self.addAction(action)
        theme.dress(self)

    @property
    def page_key(self) -> str:
        """Key of the current page, also of one that is being built; empty = none."""
        if self._coming is not None:
            return self._coming.key
        return next((k for k, (page, _) in self._built.items() if page is self.stack.currentWidget()), "")

    @property
    def page_keys(self) -> tuple[str, ...]:
        """Keys of all pages and tabs, in the rail's order."""
        return tuple(name.key for tabs in self._tabs.values() for name in tabs)

    @property
    def rail_keys(self) -> tuple[str, ...]:
        return tuple(self._tabs)

    @property
    def help_page(self) -> str:
        """Page in the manual on the current page, or on the start."""
        spec = self._specs.get(self.page_key)
        return spec.help_page if spec is not None else "first-steps"

    @property
    def page_titles(self) -> Mapping[str, str]:
        """Titles of the pages and tabs by key."""
        return {key: NAMES[key].full_title for key in self._specs}

    @Slot(str)
    def go_to(self, key: str) -> None:
        """Show a page of the open study as soon as it is built, its heading until then."""
        if key in self._built or self._context is None:
            self.show_page(key)
        elif key != self.page_key:
            typed_texts().store()
            before = self._coming.before if self._coming is not None else self.page_key
            ways = [f"view.{page}" for page in self._tabs] + ["view.next_tab", "view.previous_tab"]
            ways += [f"tab.{one}" for one in self._specs if NAMES[one].tab]
            actions = [self._commands.action(way) for way in ways]
            coming = ComingPage(NAMES[key], before, actions, has_tab_focus=self._has_tab_focus())
            coming.key_pressed.connect(partial(self.show_page, key))
            self._commands.set_page("")
            self.rail.mark(NAMES[key].page)
            self._show_in_stack(coming)
            coming.setFocus()
            self.page_left.emit()
            self._forget_coming()
            self._coming = coming
            self._next_step.start()

    @Slot()
    def _build_coming(self) -> None:
        """Do the next step of building the page that the user went to; after the last one, show it."""
        if self._coming is None or self._context is None:
            self._next_step.stop()
            return
        key, before = self._coming.key, self._coming.before
        if key in self._built:
            self.show_page(key)
            return
        steps = self._unbuilt.setdefault(key, self._build(key, self._context))
        try:
            next(steps)
        except Exception:  # whatever it is: show the page before, and the error
            del self._unbuilt[key]
            self._forget_coming()
            if before:
                self.show_page(before)
            raise

    def _forget_coming(self) -> None:
        self._next_step.stop()
        if self._coming is not None:
            self.stack.removeWidget(self._coming)
            self._coming.deleteLater()
            self._coming = None

    def _has_tab_focus(self) -> bool:
        """Return whether the keyboard is on the tabs of the page, or was before the page to come."""
        page = self.stack.currentWidget()
        if isinstance(page, ComingPage):
            return page.has_tab_focus
        tabs = page.tabs if isinstance(page, Page) else None
        return tabs is not None and self.focusWidget() in [tabs.button(key) for key in tabs.keys]

    def _show_in_stack(self, widget: QWidget) -> None:
        if self.stack.indexOf(widget) < 0:
            self.stack.addWidget(widget)
        self._is_changing = True
        self.stack.setCurrentWidget(widget)
        self._is_changing = False

    def show_page(self, key: str) -> None:
        """Show a page of the open study now, also if it is not built."""
        if self._context is None:
            return
        typed_texts().store()
        steps = self._unbuilt.pop(key, None) or self._build(key, self._context)
        while key not in self._built:  # no other event in between could find half a page, or delete a dialog
            next(steps)
        page, _ = self._built[key]
        has_tab_focus = self._has_tab_focus()
        is_known = page.focusWidget() is not None  # Qt would put the keyboard on its first button: undo
        self._commands.set_page(key)
        self.rail.mark(NAMES[key].page)
        self._last_tab[NAMES[key].page] = key
        self._show_in_stack(page)
        if self._coming is None or self._coming.key != key:
            self.page_left.emit()
        self._forget_coming()
        if has_tab_focus and page.tabs is not None:
            page.tabs.button(key).setFocus(Qt.FocusReason.TabFocusReason)
        elif not is_known:
            page.focus_default()
        elif not page.isAncestorOf(self.focusWidget() or self):
            page.setFocus()
        announce(page, page.accessibleName())
        self.current_page_changed.emit(key)

    def build_ahead(self) -> bool:
        """Do the next step of building the pages, in their order; return False if all are built."""
        for key, steps in self._unbuilt.items():
            try:
                is_built = next(steps, True)
            except Exception:  # whatever it is: a visit of the page builds it again and shows the error
                log.warning("%s cannot be built ahead", key, exc_info=True)
                is_built = True
            if is_built:
                del self._unbuilt[key]
            return True
        return False

    @Slot(str)
    def show_last_tab(self, page: str) -> None:
        """Show a page of the rail with the tab that was shown last."""
        if page != NAMES[self.page_key or page].page or not self.page_key:
            self.go_to(self._last_tab.get(page, self._tabs[page][0].key))

    def go_on_to(self, page: str) -> None:
        """Show the first tab of a page of the rail; of the page that is shown already, its next tab."""
        if not self.page_key or NAMES[self.page_key].page != page:
            self.go_to(self._tabs[page][0].key)
        elif len(self._tabs[page]) > 1:
            self.step_tab(+1)

    def step_tab(self, by: int) -> None:
        """Show the next (+1) or previous (-1) tab of the page."""
        keys = [name.key for name in self._tabs[NAMES[self.page_key].page]]
        self.go_to(keys[(keys.index(self.page_key) + by) % len(keys)])

    def show_progress(self, counts: Mapping[str, str]) -> None:
        """Show the progress of pages and tabs by key, such as ``18/24``; empty = nothing to count.

        A page with tabs shows the first that isn't finished. A tab shows what is left, such as ``31``.
        """
        self._progress.update(counts)
        for page, _ in self._built.values():
            self._name_tabs(page)
        for page, tabs in self._tabs.items():
            counted = [(tab, count) for tab in tabs if (count := self._progress.get(tab.key))]
            unfinished = [count for _, count in counted if len(set(count.split("/"))) > 1]
            shown = (*unfinished, *(count for _, count in counted), "")[0]
            details = ", ".join(f"{tab.tab} {count}" for tab, count in counted if tab.tab)
            self.rail.show_progress(page, shown, details)

    def _explain_tabs(self, page: Page) -> None:
        """Show the keys of the tabs of a page in their tooltips."""
        if (tabs := page.tabs) is not None:
            for key in tabs.keys:
                is_first = key == self._tabs[NAMES[key].page][0].key
                action = self._commands.action(f"view.{NAMES[key].page}" if is_first else f"tab.{key}")
                pressed = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                tip = f"{NAMES[key].full_title} ({pressed})" if pressed else NAMES[key].full_title
                tabs.button(key).setToolTip(plain_tip(tip))

    def _name_tabs(self, page: Page) -> None:
        if (tabs := page.tabs) is not None:
            for key in tabs.keys:
                left = "" if "/" in (count := self._progress.get(key, "")) else count
                tabs.set_text(key, f"{NAMES[key].tab} {left}".rstrip())

    def show_study(self, context: Context) -> None:
        """Show the pages of this study; delete those of another one."""
        self.show_alone(None)
        if self._context_path != context.study.path:
            self._context_path = context.study.path
            self._last_tab.clear()
        self._context = context
        self._unbuilt = {key: self._build(key, context) for key in self.page_keys}
        self._progress.clear()
        self.addActions(self._commands.refusals())
        self.rail.show()
        self.status.show_study(context.study.path.name, context.annotator.name)
        state = tr(" (read-only)") if context.study.read_only else ""
        named, stem = context.study.name, context.study.path.stem
        name = named if named.casefold() == stem.casefold() else f"{named} ({stem})"
        self.setWindowTitle(tr("{name}{state} – Pyramidion", name=name, state=state))

    def show_alone(self, widget: QWidget | None) -> None:
        """Delete the study's pages and show a single widget instead."""
        self._context = None
        self._forget_coming()
        self._commands.set_page("")
        self._commands.forget_pages()
        self._built.clear()
        self._unbuilt.clear()
        # The current page goes last: a page that is shown meanwhile would read the study.
        while (
            page := self.stack.widget(0 if self.stack.currentIndex() else self.stack.count() - 1)
        ) is not None:
            self.stack.removeWidget(page)
            for part in page.children():  # a presenter must not read the closed study until its page is gone
                if not part.isWidgetType() and not isinstance(part, QLayout):
                    part.deleteLater()
            self._deleting.add(page.deleteLater)
        self.rail.hide()
        self.tour.hide()
        self.status.show_study("", "")
        self.setWindowTitle("Pyramidion")
        if widget is not None:
            self.stack.addWidget(widget)
            widget.setFocus()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Focus the next or previous widget; none while the page changes, as the new one gets the focus."""
        return not self._is_changing and super().focusNextPrevChild(forward)

    @Slot()
    def open_palette(self) -> None:
        """Open the command palette with all available commands."""
        actions = [
            (f"{command.menu} › {command.submenu}" if command.submenu else str(command.menu), action)
            for command, action in self._commands
            if action.isEnabled() and command.id != "view.palette"
        ]
        palette = CommandPalette(actions, self)
        corner = self.top.field.mapToGlobal(self.top.field.rect().bottomRight())
        palette.move(corner.x() - palette.width(), corner.y())
        palette.show()

    def here(self) -> str:
        """Describe what the focus or the caret is on."""
        focused = self.focusWidget() or self
        return focused.here() if isinstance(focused, ReadingText) else spoken(focused)

    def own_keys(self) -> KeyGroup | None:
        """Return the keys that widgets of the current page handle themselves."""
        page = self.stack.currentWidget()
        return page.own_keys if isinstance(page, Page) else None

    def shows_texts(self) -> bool:
        """Return whether the current page has texts to read, which have their own text size."""
        page = self.stack.currentWidget()
        return page is not None and any(text.isVisible() for text in page.findChildren(ReadingText))

    @Slot()
    def refresh_keys(self) -> None:
        """Update the key hints below the pages."""
        for key, (page, _) in self._built.items():
            page.show_hints(self._commands.hints(key))
            self._explain_tabs(page)

    def geometry_text(self) -> str:
        """Return size and position of the window as text for `restore`."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def restore(self, geometry: str) -> None:
        """Restore size and position; do nothing if the text is not valid."""
        self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "ignore")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rail()

    def hold_open(self) -> None:
        """Keep the window open; for receivers of `closing` that close it later."""
        self._is_held_open = True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dragged(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _dragged(event.mimeData())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if len(paths) == 1:
            self.dropped.emit(paths[0])
        else:
            self.status.show_message(tr("Nothing was opened. Drop one file, or the folder of several."))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._is_held_open = False
        self.closing.emit()
        if self._is_held_open:
            event.ignore()
            return
        super().closeEvent(event)

    @Slot()
    def _fit_rail(self) -> None:
        """Show page names in the rail if the pages keep enough width, which depends on the text size."""
        self.rail.set_narrow(self.width() < px(NARROW_BELOW))

    def _build(self, key: str, context: Context) -> Iterator[None]:
        """Build a page in steps, each short enough for a turn of the event loop."""
        spec = self._specs[key]
        for name in spec.modules():
            if name not in sys.modules:
                import_module(name)
                yield
        build = spec.load()
        page: Page
        presenter: QObject | None
        if isinstance(build, PageParts):
            parts: list[QWidget] = []
            for make in build.parts:
                parts.append(make())
                yield
            page, presenter = build.view(*parts), None
        else:
            page, presenter = build(context)
        try:
            yield
            if isinstance(build, PageParts):
                presenter = build.presenter(page, context)
                yield
        except BaseException:  # the study was closed, or cannot be read
            page.deleteLater()
            raise
        tabs = [(name.key, name.tab) for name in self._tabs[NAMES[key].page]]
        if NAMES[key].tab:
            page.offer_tabs(NAMES[key].title, tabs, key).chosen.connect(self.go_to)
            self._name_tabs(page)
            self._explain_tabs(page)
        page.bind_history(self._commands.action("edit.undo"), self._commands.action("edit.redo"))
        if reason := context.study.read_only:
            page.save_state.show_read_only(reason)
        else:
            page.save_state.show_saved(context.writes.last_saved)
            context.writes.saving.connect(page.save_state.show_saving)
            context.writes.saved.connect(page.save_state.show_saved)
            typed_texts().changed.connect(page.save_state.show_typed)
        self.stack.addWidget(page)
        page.show_hints(self._commands.hints(key))
        while page.later:
            yield
            page.later.pop(0)()
        theme.measure_again(page)
        for part in page.findChildren(QWidget):
            if not part.isHidden():  # else Qt shows it again, with all it contains, when it is first told to
                part.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
        page.resize(self.stack.size())
        yield
        page.grab(QRect(0, 0, 1, 1))  # Qt lays out the whole of what it draws a part of
        self._built[key] = page, presenter
        yield
        if page is not self.stack.currentWidget():
            page.grab()


def _dragged(mime: QMimeData) -> list[Path]:
    """Return the local files and folders of a drag."""
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


HEIGHT, FIELD_WIDTH = 38, 256


class CommandField(QToolButton):
    """Looks like a search field; a click opens the command palette."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "command-field")
        self.setAccessibleName(tr("Any command"))
        self.setToolTip(tr("Any command (Ctrl+K)"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedWidth(px(FIELD_WIDTH))
        row = hbox(parent=self, margins=(SMALL, 0, TIGHT, 0), spacing=TIGHT)
        parts = (IconLabel("search"), Label(tr("Any command"), "small", "muted"), Keycap("Ctrl"), Keycap("K"))
        for part in parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part)
        row.setStretch(1, 1)


class MenuBar(QMenuBar):
    """Menus, which Alt alone focuses.

    With a screen reader Qt reports Alt a second time when the reader has answered, which may be after the
    shortcut with Alt; the menus would then take the focus when Alt is released.
    """

    _is_alt_down = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate:  # Alt may have been released in another window
            self._is_alt_down = False
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            is_again = self._is_alt_down and event.type() is QEvent.Type.ShortcutOverride
            self._is_alt_down = event.type() is not QEvent.Type.KeyRelease
            if is_again:
                return False
        return super().eventFilter(watched, event)


class TopBar(QFrame):
    """Menus on the left, the command field on the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "top")
        self.setMinimumHeight(px(HEIGHT))
        self.menus = MenuBar()
        self.menus.setNativeMenuBar(False)
        self.field = CommandField()
        row = hbox((self.menus, 1, Qt.AlignmentFlag.AlignVCenter), parent=self, margins=(SMALL, 0, LARGE, 0))
        row.addWidget(self.field)
