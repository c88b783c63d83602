"""Base class of pages: header, body of panels, key hints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QPushButton, QSplitter, QWidget

from gui.commands.definitions import KeyGroup, KeyHint
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, TIGHT, Type, bar_px, px
from gui.widgets.accessible import label_boxes, set_role
from gui.widgets.buttons import ActionButton, edits, icon_button, primary_button
from gui.widgets.controls import SHORT_NAME, Stepper, Tabs
from gui.widgets.label import IconLabel, Keycap, Label
from gui.widgets.layouts import Gap, Stretch, clear, extend, hbox, vbox


class TemporaryFocus(QObject):
    """Remembers the focused widget of a page's window before a command moves the focus.

    Another window may be active, such as a dialog that a command has just closed.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._previous: QWidget | None = None

    def remember(self) -> None:
        """Remember the focused widget."""
        self._previous = self._page.window().focusWidget()

    def move_to(self, widget: QWidget) -> None:
        """Focus a widget and remember the previous one."""
        self.remember()
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def restore(self) -> None:
        """Focus the remembered widget if it is still visible."""
        if self._previous is not None and self._previous.isVisible():
            self._previous.setFocus(Qt.FocusReason.OtherFocusReason)
        self._previous = None


_NOT_SAVED = tr("Text not saved")
_TRY_AGAIN = tr("It was refused. In its field, Enter tries again and Esc restores the text of before.")
_TYPING = tr("Typing…")
_SAVING = tr("Saving…")
_NOTHING_EDITED = tr("All saved")
_WORDS = (_NOT_SAVED, _TYPING, _SAVING, _NOTHING_EDITED, tr("Saved 00:00"), tr("Read-only"))


class SaveState(QWidget):
    """``✓ Saved 10:42``, or what is not saved yet."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("check", "success")
        self.saved_label = Label("", Type.SMALL, "muted")
        hbox(Stretch(1), self._icon, self.saved_label, parent=self, spacing=TIGHT)
        self._saved_at: datetime | None = None
        self._is_saving = self._is_typing = self._is_refused = False
        self.show_saved(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        letters = theme.metrics(Type.SMALL)
        words = max(map(letters.horizontalAdvance, _WORDS)) + TIGHT  # so that nothing moves
        return QSize(self._icon.width() + TIGHT + words, super().sizeHint().height())

    def _fit(self) -> None:
        """Show text if there is room, else the icon with a tooltip, so that the header fits the window."""
        self.setMinimumWidth(self._icon.width())
        has_room = self.width() >= self.sizeHint().width()
        self.saved_label.setVisible(has_room)
        self._icon.setToolTip("" if has_room else plain_tip(self.saved_label.text()))

    def show_saving(self) -> None:
        """Show that edits are being saved."""
        self._is_saving = True
        self._show_state()

    def show_saved(self, at: datetime | None) -> None:
        """Show that all edits are saved, and when; None = nothing was edited yet."""
        self._is_saving, self._saved_at = False, at
        self._show_state()

    def show_typed(self, is_typing: bool, is_refused: bool) -> None:
        """Show that typed text is not stored yet, or could not be stored."""
        if (is_typing, is_refused) != (self._is_typing, self._is_refused):
            self._is_typing, self._is_refused = is_typing, is_refused
            self._show_state()

    def _show_state(self) -> None:
        at = self._saved_at
        if self._is_refused:
            icon, tone, words = "warning", "warning", _NOT_SAVED
        elif self._is_typing:
            icon, tone, words = "clock", "muted", _TYPING
        elif self._is_saving:
            icon, tone, words = "clock", "muted", _SAVING
        else:
            icon, tone = "check", "success"
            words = (
                tr("Saved {astimezone:%H:%M}", astimezone=at.astimezone())
                if at is not None
                else _NOTHING_EDITED
            )
        self._icon.show_icon(icon, tone)
        self.saved_label.setText(words)
        self.saved_label.setToolTip(plain_tip(_TRY_AGAIN) if self._is_refused else "")
        self._fit()

    def show_read_only(self, reason: str) -> None:
        """Show that the study is read-only, with the reason in the tooltip."""
        self._icon.show_icon("lock")
        self.saved_label.setText(tr("Read-only"))
        self._fit()
        self.saved_label.setToolTip(plain_tip(reason))


HEADER_HEIGHT, SECOND_ROW = (56, 24), (44, 12)  # and what of them is around the text
_SHOWN, _HIDDEN = QEvent.Type.ShowToParent, QEvent.Type.HideToParent


class Notices(QWidget):
    """Notices over the bottom of a page: over its key hints, high ones over the ends of its panels."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page, self._added = page, list[QWidget]()
        self._column = vbox(parent=self, margins=(LARGE, 0, LARGE, HAIR), spacing=TIGHT)
        page.installEventFilter(self)
        self.hide()

    def add(self, notice: QWidget) -> None:
        """Add a notice below the others."""
        self._column.addWidget(notice)
        self._added.append(notice)
        notice.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_page = watched is self._page and event.type() is QEvent.Type.Resize
        if is_page or event.type() in (_SHOWN, _HIDDEN):
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def _place(self) -> None:
        self.setVisible(any(not notice.isHidden() for notice in self._added))
        self._column.activate()
        width = self._page.width()
        has_lines = self._column.hasHeightForWidth()
        height = self._column.heightForWidth(width) if has_lines else self._column.sizeHint().height()
        self.setGeometry(0, self._page.height() - height, width, height)
        self.raise_()


class Page(QWidget):
    """Base of all pages of the window.

    The header contains, from the left: title; tabs (`offer_tabs`); position (`place`, or a widget by
    `add_place`); the state (`add_state`); undo and redo, if the page edits (`edits`); one primary button
    (`set_primary`).
    `add` puts panels into the body, side by side in a splitter; `add_above` something above them all.

    later: what remains to be built before the page is shown, each in a turn of the event loop.
    help_page: page in the manual on what is selected, empty = the page's own.

    Signals:
        shown: the page became visible; presenters load what has changed.
    """

    shown = Signal()
    help_page = ""

    def __init__(self, title: str, *, steps: str = "", edits: bool = False) -> None:
        """steps: unit of the stepper, such as ``topic``; empty = no stepper."""
        super().__init__()
        self.setProperty("kind", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(title)
        self._waits_for_work = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.title_label = Label(title, Type.TITLE)
        self.place = Stepper(steps) if steps else None
        self.undo_button = ActionButton("undo", tr("Undo"), icons.HEADER_PX)
        self.redo_button = ActionButton("redo", tr("Redo"), icons.HEADER_PX)
        self.side_button = ActionButton("panel-right", tr("Side panel"), icons.HEADER_PX)
        self.later: list[Callable[[], object]] = []
        self.tabs: Tabs | None = None
        self.primary: QPushButton | None = None
        self.own_keys: KeyGroup | None = None  # of its widgets, which are no commands
        self.hints = KeyHints()
        self._tab_row, self._place_row = QHBoxLayout(), QHBoxLayout()
        self._state_row, self._primary_row = QHBoxLayout(), QHBoxLayout()
        self._above = vbox(spacing=SMALL)
        self._stretches: list[int] = []
        self._is_shared_out = False
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setHandleWidth(MEDIUM)
        self._columns.setChildrenCollapsible(False)
        whole = vbox(self._page_header(), parent=self, spacing=0)
        whole.addLayout(vbox(self._above, (self._columns, 1), margins=(LARGE, 0), spacing=MEDIUM), 1)
        whole.addWidget(self.hints)
        self._notices = Notices(self)
        for button in (self.undo_button, self.redo_button):
            button.setVisible(edits)  # now that it is inside: alone it would be a window
        self.side_button.hide()
        self.save_state = SaveState()
        self.add_state(self.save_state)
        self.save_state.setVisible(edits)

    def add(self, *panels: QWidget | tuple[QWidget, int]) -> None:
        """Add panels at the right, each with its share of the width."""
        for one in panels:
            panel, stretch = one if isinstance(one, tuple) else (one, 1)
            self._columns.addWidget(panel)
            self._columns.setStretchFactor(self._columns.count() - 1, stretch)
            self._stretches.append(stretch)

    def share_out(self, stretches: Sequence[int]) -> None:
        """Change the shares of the width, for example when a panel shows several columns."""
        self._stretches = list(stretches)
        for place, stretch in enumerate(stretches):
            self._columns.setStretchFactor(place, stretch)
        if self._is_shared_out:
            self._set_widths()

    def add_notice(self, *notices: QWidget) -> None:
        """Add notices, which are shown over the key hints, so that they move nothing."""
        for notice in notices:
            self._notices.add(notice)

    def add_above(self, widget: QWidget) -> None:
        """Add a widget above the panels, as wide as all of them."""
        self._above.addWidget(widget)

    def add_place(self, widget: QWidget) -> None:
        """Insert a widget next to the title."""
        self._place_row.addWidget(widget)

    def add_state(self, *widgets: QWidget) -> None:
        """Insert widgets before undo and redo."""
        extend(self._state_row, *widgets)

    def set_primary(self, text: str, icon: str = "", labels: Sequence[str] = ()) -> QPushButton:
        """Create the primary button and return it. labels: all that it shows at times."""
        self.primary = primary_button(text, icon, labels)
        self._primary_row.addWidget(self.primary)
        return self.primary

    def set_primaries(self, *choices: tuple[str, str]) -> QPushButton:
        """Create the primary button, which shows one of these labels and icons at a time.

        It is as wide as the longest label, so that its neighbors do not move.
        """
        button = self.set_primary(*choices[0], labels=[label for label, _ in choices])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not move the focus out of a text
        return button

    def show_primary(self, choice: tuple[str, str]) -> None:
        """Show this label and icon on the primary button."""
        if self.primary is not None:
            self.primary.setText(choice[0])
            self.primary.setAccessibleName(choice[0])
            icons.set_icon(self.primary, choice[1], "on_accent")

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        self.hints.show_hints(hints)
        self.hints.setVisible(bool(hints))

    def event(self, event: QEvent) -> bool:
        """Focus the widget where work starts also when it is shown later than the page."""
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest and self._waits_for_work:
            self._waits_for_work = False
            if self.hasFocus():
                self.focus_default()
        return is_done

    def start(self) -> QWidget | None:
        """Return the widget where work starts; None = there is none yet."""
        return None

    def focus_default(self) -> None:
        """Focus the widget where work starts; a page without one takes the focus itself, until it has."""
        start = self.start()
        self._waits_for_work = start is None
        (start if start is not None else self).setFocus(Qt.FocusReason.OtherFocusReason)

    def offer_tabs(self, title: str, tabs: Sequence[tuple[str, str]], current: str) -> Tabs:
        """Show that this is one of the tabs of a page, and return the control that chooses among them.

        tabs: (key, title).
        """
        self.title_label.setText(title)
        self.tabs = Tabs(title, tabs)
        self.tabs.choose(current)
        self.setAccessibleName(f"{title}: {dict(tabs)[current]}")
        self._tab_row.addWidget(self.tabs)
        return self.tabs

    def bind_history(self, undo: QAction, redo: QAction) -> None:
        """Connect the undo and redo buttons to the window's commands."""
        self.undo_button.follow(undo)
        self.redo_button.follow(redo)

    def offer_side_panel(self, toggle: QAction) -> None:
        """Show the button that opens and closes the side panel, for this command."""
        self.side_button.follow(toggle)
        self.side_button.show()

    def showEvent(self, event: object) -> None:
        if not self._is_shared_out:
            self._is_shared_out = True
            self._set_widths()
            label_boxes(self)
        self.shown.emit()

    def _set_widths(self) -> None:
        total = sum(self._stretches) or 1
        self._columns.setSizes([self.width() * stretch // total for stretch in self._stretches])

    def _page_header(self) -> PageHeader:
        begin, end, place = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for part in (begin, end, self._state_row, self._primary_row):
            part.setSpacing(MEDIUM)
        for part in (place, self._place_row):
            part.setSpacing(SMALL)
        extend(begin, self.title_label, self._tab_row)
        place.addLayout(self._place_row)
        if self.place is not None:
            self.add_place(self.place)
            self.place.labels.setMinimumWidth(px(SHORT_NAME))  # whatever they show, so that nothing moves
            place.addWidget(self.place.labels, 1)
        place.addStretch(0 if self.place is not None else 1)
        end.addLayout(self._state_row)
        end.addLayout(hbox(self.undo_button, self.redo_button, self.side_button, spacing=SMALL))
        end.addLayout(self._primary_row)
        return PageHeader(begin, place, end)


set_role(Page, QAccessible.Role.Pane)


class AnnotationPage(Page):
    """A page of work that is marked done part by part: its primary button does that, and then goes on.

    Signals:
        done_requested: mark done, or reopen.
        next_requested: go to the next part that is not done.
        worked: something was selected or hovered, which counts as active time.
    """

    done_requested = Signal()
    next_requested = Signal()
    worked = Signal()

    def __init__(self, title: str, next_label: str, reopen_label: str) -> None:
        super().__init__(title, steps=tr("topic"), edits=True)
        self.is_done = False
        self.keyboard = TemporaryFocus(self)
        self._choices = (tr("Mark done"), "check"), (next_label, "chevron-right")
        self.done_button = self.set_primaries(*self._choices)
        self.reopen_button = icon_button("refresh", reopen_label, icons.HEADER_PX)
        policy = self.reopen_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reopen_button.setSizePolicy(policy)
        self._primary_row.insertWidget(0, self.reopen_button)
        self.reopen_button.hide()
        edits(self.reopen_button)
        self.done_button.clicked.connect(self._press_primary)
        self.reopen_button.clicked.connect(self.done_requested)

    def show_done(self, is_done: bool) -> None:
        """Show whether the current part is marked done."""
        self.is_done = is_done
        self.show_primary(self._choices[is_done])
        edits(self.done_button, now=not is_done)
        self.reopen_button.setVisible(is_done)

    @Slot()
    def _press_primary(self) -> None:
        (self.next_requested if self.is_done else self.done_requested).emit()


class PageHeader(QFrame):
    """Title and tabs, position, state and buttons; what does not fit goes below, the position first."""

    def __init__(self, begin: QHBoxLayout, place: QHBoxLayout, end: QHBoxLayout) -> None:
        super().__init__()
        self.setProperty("kind", "page-head")
        self._begin = begin
        self._place, self._end, self._below = QWidget(), QWidget(), QWidget()
        self._place.setLayout(place)
        self._end.setLayout(end)
        self._first, self._second = QHBoxLayout(), QHBoxLayout(self._below)
        self._first.setSpacing(MEDIUM)
        extend(self._first, begin, (self._place, 1), Stretch(0), self._end)
        self._first.addStrut(bar_px(*HEADER_HEIGHT))
        self._below.hide()
        rows = vbox(parent=self, margins=(LARGE, 0), spacing=0)
        rows.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # `_fit` makes room instead
        extend(rows, self._first, self._below)
        for part in (place, end, self._second):
            part.setContentsMargins(0, 0, 0, 0)
        self.setFixedHeight(bar_px(*HEADER_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        begin, place, end = self._widths()
        return QSize(max(begin, place, end) + 2 * LARGE, self.height())

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _widths(self) -> tuple[int, int, int]:
        parts = (self._begin.minimumSize(), self._place.minimumSizeHint(), self._end.minimumSizeHint())
        return parts[0].width(), parts[1].width(), parts[2].width()

    def _fit(self) -> None:
        begin, place, end = self._widths()
        room = self.width() - 2 * LARGE - MEDIUM
        is_short = begin + end > room
        is_narrow = is_short or (place > 0 and begin + place + MEDIUM + end > room)
        for part, is_below in ((self._place, is_narrow), (self._end, is_short)):
            row, other = (self._second, self._first) if is_below else (self._first, self._second)
            if row.indexOf(part) < 0:
                other.removeWidget(part)
                at = 0 if is_below else 1
                row.insertWidget(at if part is self._place else -1, part, int(part is self._place))
        is_tall = is_short and place + MEDIUM + end > self.width() - 2 * LARGE
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._second.setDirection(down if is_tall else across)
        self._below.setFixedHeight(bar_px(*SECOND_ROW) * (1 + is_tall))
        self._below.setVisible(is_narrow)
        self.setFixedHeight(bar_px(*HEADER_HEIGHT) + self._below.height() * is_narrow)


BAR_HEIGHT = 34
MOST = 9


class KeyHints(QWidget):
    """Up to nine hints in a row, the last one at the right. Hints that do not fit are hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(bar_px(BAR_HEIGHT, 14))
        self.setMinimumWidth(0)
        self._row = hbox(parent=self, margins=(LARGE, 0), spacing=LARGE)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # too many hints widen no window
        self._shown: tuple[KeyHint, ...] = ()
        self._hints: list[QWidget] = []

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Replace the hints, the most useful first."""
        if self._shown == tuple(hints):
            return
        self._shown = tuple(hints)
        clear(self._row)
        visible = hints if len(hints) <= MOST else (*hints[: MOST - 1], hints[-1])
        self._hints = [_hint(hint) for hint in visible]
        extend(self._row, *self._hints[:-1], Stretch(1))
        if self._hints:
            self._row.addWidget(self._hints[-1])
        self._leave_out()

    def resizeEvent(self, event: object) -> None:
        self._leave_out()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        hint.setWidth(0)
        return hint

    def _leave_out(self) -> None:
        if not self._hints:
            return
        room = self.width() - 2 * LARGE - self._hints[-1].sizeHint().width()
        for widget in self._hints[:-1]:
            room -= widget.sizeHint().width() + LARGE
            widget.setVisible(room >= 0)


def _hint(hint: KeyHint) -> QWidget:
    whole = QWidget()
    whole.setAccessibleName(f"{' '.join(hint.keys)}: {hint.text}")
    row = hbox(parent=whole, spacing=TIGHT)
    for key in hint.keys:
        row.addWidget(Keycap(key))
    extend(row, Gap(SMALL - TIGHT), Label(hint.text, Type.SMALL, "muted"))
    return whole
