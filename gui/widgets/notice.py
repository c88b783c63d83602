"""Notices and placeholders of empty pages, with a button for the remedy; progress of work."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QProgressBar, QSizePolicy, QWidget

from core.progress import Progress
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, Type, font, px
from gui.widgets.accessible import set_role
from gui.widgets.buttons import edits, icon_button, link_button, plain_button, primary_button
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, extend, hbox, scrolled, vbox

_QUARTER = 10_000


class ProgressBar(QProgressBar):
    """A progress bar 6 px high, without text.

    Screen readers speak each change of the value, so it changes only with each quarter; within one, the
    maximum changes.
    """

    def __init__(self, name: str = tr("Progress")) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.show_share(0.0)

    def show_share(self, share: float | None) -> None:
        """Fill a share (0 to 1) of the bar; None = unknown, shown by a moving bar."""
        if share is None:
            self.setRange(0, 0)
        else:
            share = min(max(share, 0.0001), 1.0)
            value = _QUARTER * (1 + int(4 * share))
            self.setUpdatesEnabled(False)  # Qt would paint it at once, and again with the rest of the window
            self.setRange(0, round(value / share))
            self.setValue(value)
            self.setUpdatesEnabled(True)

    def show_progress(self, progress: Progress) -> None:
        self.show_share(progress.done / progress.total if progress.total > 0 else None)


class ShareBar(ProgressBar):
    """A bar of a share that belongs to no running work: its changes are not spoken."""


set_role(ShareBar, QAccessible.Role.Graphic)


def percent(progress: Progress) -> str:
    """Return the progress as ``64 %``, empty if unknown."""
    return f"{100 * progress.done / progress.total:.0f} %" if progress.total > 0 else ""


def time_left(seconds: float | None) -> str:
    """Return the remaining time as ``2:10 left`` or ``1 h 05 left``, empty if unknown."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole >= 3600:
        return tr("{hours} h {minutes:02d} left", hours=whole // 3600, minutes=whole % 3600 // 60)
    return tr("{minutes}:{seconds:02d} left", minutes=whole // 60, seconds=whole % 60)


def progress_text(progress: Progress, first: str = "") -> str:
    """Return how far work is: first, what it does, percent and time left, as far as they are known."""
    parts = (first, progress.note, percent(progress), time_left(progress.seconds_left))
    return " · ".join(filter(None, parts))


class JobState(QWidget):
    """The job of a dialog or page: bar, state, and the button that stops it.

    Signals:
        busy_changed: a job began or ended.
    """

    busy_changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.is_busy = False
        self.bar, self.stop_button = ProgressBar(name), link_button(tr("Stop"))
        self.label = Label("", Type.SMALL, "muted", wrap=True)
        vbox(self.bar, hbox((self.label, 1), self.stop_button, spacing=SMALL), parent=self, spacing=SMALL)
        self._show_busy(False)

    def show_progress(self, progress: Progress, title: str = "") -> None:
        """Show how far the job is."""
        self.bar.show_progress(progress)
        self.label.setText(progress_text(progress, title or ("" if progress.note else tr("Starting"))))
        self._show_busy(True)

    def show_idle(self, sentence: str = "") -> None:
        """Show that no job runs, and why it ended."""
        self.label.setText(sentence)
        self._show_busy(False)

    def _show_busy(self, is_busy: bool) -> None:
        was_busy, self.is_busy = self.is_busy, is_busy
        self.bar.setVisible(is_busy)
        self.stop_button.setVisible(is_busy)
        if was_busy != is_busy:
            self.busy_changed.emit()


_TOP, _MIDDLE = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignVCenter


class Notice(QFrame):
    """Icon, message, number of further messages, remedy; these are below the message if it is narrow.

    Hidden if there is no message.

    is_warning: else it is information.
    lines: height that is kept free for it while it is hidden, so that it moves nothing; 0 = none.
    """

    def __init__(
        self,
        text: str = "",
        remedy: str = "",
        *,
        can_close: bool = False,
        is_warning: bool = True,
        lines: int = 0,
    ) -> None:
        super().__init__()
        self.setProperty("kind", "notice" if is_warning else "information")
        self.text_label = Label("", "body", "warning" if is_warning else "text", wrap=True)
        self.more_button = link_button("")
        self.remedy_button = link_button("")
        self.close_button = icon_button("close", tr("Dismiss"))
        self._can_close = can_close
        self.sentences: tuple[str, ...] = ()  # message and the others that are shown on request
        self.shows_all, self._below = False, 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setRetainSizeWhenHidden(lines > 0)
        self.setSizePolicy(policy)
        if lines:
            self.setMinimumHeight(lines * QFontMetrics(font()).lineSpacing() + 2 * SMALL)
        high = HAIR if can_close else SMALL  # the button has its own room
        row = hbox(parent=self, margins=(MEDIUM, high, SMALL, high), spacing=SMALL)
        row.addWidget(IconLabel("warning", "warning") if is_warning else IconLabel("bulb", "accent"))
        self._buttons = hbox(self.more_button, self.remedy_button, Stretch(0), spacing=SMALL)
        self._parts: QBoxLayout = hbox((self.text_label, 1), self._buttons, spacing=SMALL)
        extend(row, (self._parts, 1), self.close_button)
        self.more_button.clicked.connect(self._show_more)
        self.close_button.clicked.connect(self.hide)
        self.show_message(text, remedy)

    def show_message(self, text: str, remedy: str = "", others: Sequence[str] = ()) -> None:
        """Show a message and its remedy; an empty one hides the bar. others: shown on request."""
        sentences = (text, *others)
        if sentences != self.sentences:
            self.sentences, self.shows_all = sentences, False
        self.remedy_button.setText(remedy)
        self.remedy_button.setAccessibleName(remedy)
        self.remedy_button.setVisible(bool(remedy))
        self._write()
        self.close_button.setVisible(self._can_close)
        self.setAccessibleName(" ".join(sentences))
        self.setVisible(bool(text))

    def count_below(self, below: int) -> None:
        """Count notices below this one, hidden until all messages are shown, as messages of its own."""
        self._below = below
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Move the buttons below the message if they would take half of its width."""
        shown = [one for one in (self.more_button, self.remedy_button) if not one.isHidden()]
        is_narrow = 2 * sum(button.sizeHint().width() for button in shown) > self.width()
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._parts.setDirection(down if is_narrow and shown else right)

    @Slot()
    def _show_more(self) -> None:
        self.shows_all = not self.shows_all
        self._write()

    def _write(self) -> None:
        first, *others = self.sentences
        more = len(others) + self._below
        self.text_label.setText("\n".join(self.sentences) if self.shows_all else first)
        self.more_button.setText(tr("Less") if self.shows_all else tr("{others} more", others=more))
        self.more_button.setVisible(bool(more))
        self._parts.setAlignment(self._buttons, _TOP if self.shows_all else _MIDDLE)
        self._fit()


ICON_PX, SENTENCE_WIDTH, MIN_SENTENCE_WIDTH = 32, 340, 120


class EmptyPage(QWidget):
    """An icon, a sentence, a primary button and at most one plain button."""

    def __init__(
        self, icon: str, sentence: str, primary: str = "", quiet: str = "", *, is_edit: bool = False
    ) -> None:
        """is_edit: whether the primary button changes the study."""
        super().__init__()
        self.sentence_label = Label(sentence, wrap=True)
        self.sentence_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.primary = primary_button(primary)
        self.quiet = plain_button(quiet)
        buttons = hbox(Stretch(1), self.quiet, self.primary, Stretch(1), spacing=MEDIUM)
        inner, middle = QWidget(), Qt.AlignmentFlag.AlignHCenter
        sign = IconLabel(icon, "muted", ICON_PX)
        parts = Stretch(2), (sign, 0, middle), (self.sentence_label, 0, middle), buttons, Stretch(3)
        vbox(*parts, parent=inner, margins=(0, SMALL), spacing=LARGE)
        vbox(scrolled(inner), parent=self)
        self.primary.setVisible(bool(primary))  # now that they are inside: alone they would be windows
        self.quiet.setVisible(bool(quiet))
        edits(self.primary, now=is_edit)
        self._fit_sentence()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sentence()

    def _fit_sentence(self) -> None:
        room = self.contentsRect().width() - 2 * LARGE
        self.sentence_label.setFixedWidth(max(min(px(SENTENCE_WIDTH), room), MIN_SENTENCE_WIDTH))
