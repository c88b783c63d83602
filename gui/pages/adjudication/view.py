"""View of the Adjudication page: items of a topic, the text, and what each annotator has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QStackedWidget, QStyleOptionViewItem, QWidget

from core.adjudication.model import Item, ItemState, Version
from core.domain.decisions import Decision
from gui.annotation.guidelines_pane import NOTHING, GuidelinesText
from gui.annotation.text.summary_columns import ShownText, SourcePanel
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.style import icons, theme
from gui.style.engine_words import engine_words
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import ActionButton, edits, plain_button
from gui.widgets.controls import Choice, ComboBox, FlowLayout, MultiChoice, Segmented
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import Stretch, discard, grid, hbox, scrolled, splitter, vbox
from gui.widgets.lists.grouped_tree import WrappedDelegate, WrappedTree, write
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel

STEPS = (2, 5, 3, 1, 4)
"""Weight steps whose colours tell apart the marks of the first annotators."""
_BADGE_PX = 22


def step_of(number: int) -> int:
    """Return the weight step of the marks of a version; numbers count from 1."""
    return STEPS[(number - 1) % len(STEPS)]


class VersionBadge(QWidget):
    """The number of a version, in the colour of its marks in the text."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.setFixedSize(QSize(px(_BADGE_PX), px(_BADGE_PX)))
        self.setAccessibleName(tr("Version {number}", number=number))

    def paintEvent(self, event: QPaintEvent) -> None:
        tint = theme.tokens().weights[step_of(self._number) - 1].tint
        painter = icons.smooth_painter(self)
        icons.badge(painter, QRectF(self.rect()), str(self._number), tint, Type.STRONG, RADIUS_CONTROL)


class VersionFrame(QFrame):
    """A version with the button that accepts it.

    Signals:
        accepted: the version's number.
    """

    accepted = Signal(int)

    def __init__(self, number: int, version: Version) -> None:
        super().__init__()
        self._number = number
        self.setProperty("kind", "well")
        self._annotator_label = Label("", Type.STRONG, wrap=True)
        self.text_label = Label("", Type.BODY, wrap=True)
        self.state_label = Label("", Type.SMALL, "success")
        self.accept_button = plain_button(tr("Accept"))
        self.accept_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        edits(self.accept_button)
        self.accept_button.clicked.connect(lambda: self.accepted.emit(number))
        parts = VersionBadge(number), (self._annotator_label, 1), self.state_label
        head = hbox(*parts, self.accept_button, spacing=SMALL)
        vbox(head, self.text_label, parent=self, margins=(MEDIUM, SMALL, SMALL, MEDIUM), spacing=TIGHT)
        self.show_version(version)

    def show_version(self, version: Version) -> None:
        self.version = version
        self._annotator_label.setText(version.annotator)
        self.text_label.setText(engine_words(version.text))
        self.accept_button.setAccessibleName(
            tr("Accept version {number} of {annotator}", number=self._number, annotator=version.annotator)
        )


TO_DO, ALL = "open", "all"
HALF = 400  # more than fits: both texts get the same height
NEXT_OPEN = tr("Next open difference")
_SHARES = (30, 40, 36, 0)


class AdjudicationView(Page):
    """Step through the differences of annotators.

    Signals:
        accepted: number of a version, from 1.
    """

    accepted = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Differences"), steps=tr("topic"), edits=True)
        self.merge_button = self.set_primary(tr("Merge agreements"), "merge")
        self.annotation_box, self.comparison_box = ComboBox(tr("Annotations")), ComboBox(tr("Compare"))
        self.annotators_box = MultiChoice(tr("Annotators"), tr("All annotators"))
        self.result_field = QLineEdit()
        self.scope = Segmented(tr("Items"), ((TO_DO, tr("To decide")), (ALL, tr("All"))))
        self.list = ItemList()
        self.texts, self.sources = SourcePanel(tr("Summary")), SourcePanel()
        self.guidelines, self._guidelines_panel = GuidelinesText(), Panel(tr("Guidelines"))
        self.guidelines_button = ActionButton("help", tr("Guidelines"))
        self.cards: list[VersionFrame] = []
        self.item_label = Label("", Type.STRONG, wrap=True)
        self.result_label = Label("", Type.BODY, wrap=True)
        self.decided_label = Label("", Type.SMALL, "muted", wrap=True)
        self.both_button, self.neither_button = plain_button(tr("Both")), plain_button(tr("Neither"))
        self.later_button = plain_button(tr("Decide later"))
        self.value_field = QLineEdit()
        self.notice = Notice(can_close=True)
        self._has_guidelines = False
        self._shown: tuple[str, Decision | None] = "", None
        self.empty = EmptyPage("match", "", NEXT_OPEN)
        edits(self.merge_button, self.both_button, self.neither_button, self.later_button, self.value_field)
        self._list_panel, self._item_panel = Panel(tr("Differences")), Panel(tr("Versions"))
        self._guidelines_panel.add((self.guidelines, 1))
        self.texts.add_action(self.guidelines_button)
        self._lower = QStackedWidget()
        for leaf in (self.sources, self._guidelines_panel):
            self._lower.addWidget(leaf)
        self._reading = splitter(Qt.Orientation.Vertical, (self.texts, self._lower), (px(HALF),) * 2)
        self._list_panel.title_label.hide()  # the tab has it, and the number of differences needs the room
        self.agreed_label = ElidedLabel("", Type.SMALL, "muted")
        self._list_panel.add(self._options(), padded=True)
        self._list_panel.add((self.list, 1))
        self._list_panel.add_foot(self.agreed_label)
        self._list_panel.add_action(self.scope)
        self._item_panel.add((self._item_area(), 1))
        parts = (self._list_panel, self._reading, self._item_panel, self.empty)
        self.add(*zip(parts, _SHARES, strict=True))
        self.empty.hide()
        self.add_notice(self.notice)

    def show_options(
        self, comparisons: Sequence[Choice], annotators: Sequence[Choice], result: str, *, is_conflict: bool
    ) -> None:
        """Show what can be compared; choices that are still available stay."""
        self.comparison_box.offer(
            [(choice.key, choice.title) for choice in comparisons], self.comparison_box.currentData()
        )
        self._comparison_row.setVisible(len(comparisons) > 1)
        self.annotators_box.show_choices(annotators, self.annotators_box.current)
        self.annotators_box.setEnabled(not is_conflict)
        is_typing = self.result_field.hasFocus() and self.result_field.isModified()
        if self.result_field.text() != result and not is_typing:
            self.result_field.setText(result)

    def show_annotations(self, annotations: Sequence[Choice], chosen: str) -> None:
        """Offer kinds of annotation, without a signal."""
        box = self.annotation_box
        if [(choice.key, choice.title) for choice in annotations] != [
            (box.itemData(at), box.itemText(at)) for at in range(box.count())
        ]:
            box.clear()
            for choice in annotations:
                box.addItem(choice.title, choice.key)
        box.setCurrentIndex(box.findData(chosen))

    def show_items(self, rows: Sequence[Item], fact: str) -> None:
        """Show the items of the topic, and how many there are."""
        self.list.items.set_rows(rows)
        self._list_panel.set_fact(fact)

    def choose_item(self, key: str) -> None:
        """Make an item current, without a signal if it is already."""
        if self.list.current_key != key:
            self.list.choose(key)

    def show_empty(self, sentence: str, *, has_more: bool = False) -> None:
        """Show why there is no item to show; empty = there is one. has_more: on another topic."""
        self.empty.sentence_label.setText(sentence)
        self.empty.primary.setVisible(has_more)
        self.empty.setVisible(bool(sentence))
        for panel in (self._reading, self._item_panel):
            panel.setVisible(not sentence)
        self.share_out((30, 0, 0, 76) if sentence else _SHARES)

    def show_item(
        self, item: Item, texts: Sequence[ShownText], sources: Sequence[ShownText], result: str
    ) -> None:
        """Show an item to decide on; a value that is being typed for it stays.

        texts: what it is about. sources: to check it against. result: what the result has.
        """
        self.texts.show_texts(texts)
        self.sources.show_texts(sources)
        self._show_lower()
        self.item_label.setText(item.title)
        self._item_panel.set_fact(engine_words(item.place))
        self.show_cards(item)
        self.both_button.setText(engine_words(item.both) or tr("Both"))
        self.both_button.setEnabled(bool(item.both))
        self.neither_button.setText(engine_words(item.neither) or tr("Neither"))
        self.neither_button.setEnabled(bool(item.neither))
        self._value_row.setVisible(item.scale is not None)
        if (scale := item.scale) is not None:
            self.value_field.setPlaceholderText(
                tr("{low:g} to {high:g}, then Enter", low=scale.low, high=scale.high)
            )
        if (shown := (item.key, item.decision)) != self._shown:
            self._shown = shown
            self.value_field.clear()
        self.result_label.setText(result)
        self.decided_label.setText(item.decided)
        self.decided_label.setVisible(item.decision is not None)

    def show_mergeable(self, count: int) -> None:
        """Show how many agreements of the topic are not in the result yet."""
        text = tr("{count:,} agreed, not merged yet", count=count) if count else tr("Nothing to merge")
        self.agreed_label.setText(text)

    def focus_value(self) -> None:
        if self._value_row.isVisible():
            self.value_field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def start(self) -> QWidget:
        return self.list

    def toggle_guidelines(self, text: str) -> None:
        """Show the guidelines, in Markdown, instead of the sources; or the sources again."""
        self._has_guidelines = not self._has_guidelines
        self.guidelines.show_markdown(text or NOTHING)
        self._show_lower()

    def _show_lower(self) -> None:
        self._lower.setCurrentWidget(self._guidelines_panel if self._has_guidelines else self.sources)
        self._lower.setVisible(self._has_guidelines or self.sources.has_texts)

    def show_cards(self, item: Item) -> None:
        """Show what each annotator has on an item."""
        discard(self._cards_column, *self.cards[len(item.versions) :])
        del self.cards[len(item.versions) :]
        for frame, version in zip(self.cards, item.versions, strict=False):
            frame.show_version(version)
        for place in range(len(self.cards), len(item.versions)):
            frame = VersionFrame(place + 1, item.versions[place])
            frame.accepted.connect(self.accepted)
            self._cards_column.addWidget(frame)
            self.cards.append(frame)
        source = item.decision.source if item.decision is not None and not item.is_outdated else ""
        for frame in self.cards:
            frame.state_label.setText(tr("accepted") if frame.version.annotator == source else "")

    def _options(self) -> QGridLayout:
        options = grid(across=MEDIUM, down=SMALL)
        self._comparison_row = QWidget()
        hbox(self.comparison_box, parent=self._comparison_row)
        self.result_field.setAccessibleName(tr("Result"))
        self.result_field.setToolTip(tr("The result is stored as the work of an annotator with this name."))
        rows: tuple[tuple[str, QWidget], ...] = (
            (tr("Annotations"), self.annotation_box),
            (tr("Annotators"), self.annotators_box),
            (tr("Result"), self.result_field),
        )
        options.addWidget(self._comparison_row, 0, 0, 1, 2)
        for place, (title, widget) in enumerate(rows, 1):
            options.addWidget(Label(title, Type.CAPTION, "muted"), place, 0)
            options.addWidget(widget, place, 1)
        return options

    def _item_area(self) -> QWidget:
        inner = QWidget()
        self._cards_column = vbox(spacing=SMALL)
        choices = FlowLayout()
        for button in (self.both_button, self.neither_button, self.later_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            choices.addWidget(button)
        self._value_row = QWidget()
        self.value_field.setAccessibleName(tr("Other value"))
        value = hbox(Label(tr("Other value"), Type.CAPTION, "muted"), parent=self._value_row, spacing=SMALL)
        value.addWidget(self.value_field, 1)
        result = vbox(
            Label(tr("Result"), Type.CAPTION, "muted"), self.result_label, self.decided_label, spacing=HAIR
        )
        parts = self.item_label, self._cards_column, choices, self._value_row, result, Stretch(1)
        vbox(*parts, parent=inner, margins=MEDIUM, spacing=MEDIUM)
        return scrolled(inner)


_STATE_PX = 20
_SIGNS = {
    ItemState.OPEN: ("warning", "warning"),
    ItemState.LATER: ("clock", "muted"),
    ItemState.AGREED: ("merge", "muted"),
    ItemState.DONE: ("check", "success"),
}
"""Icon and its colour by state."""
_LEFT = MEDIUM + icons.ROW_PX + SMALL


class ItemModel(GroupedModel[Item]):
    """Items grouped by their place."""

    def __init__(self) -> None:
        column: Column[Item] = Column(
            tr("Item"),
            lambda row: f"{row.title}: {engine_words(row.status)}",
            cell_tip=lambda row: f"{row.title}\n{engine_words(row.status)}",
        )
        super().__init__([column], lambda row: row.key, lambda row: engine_words(row.place))


class _ItemDelegate(WrappedDelegate):
    """Paints an item: icon and title, and its state below them."""

    def words(self, row: Item) -> str:
        return row.title

    def margins(self, row: Item) -> tuple[int, int, int]:
        return _LEFT, SMALL, _STATE_PX + TIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: Item = index.data(ROW_ROLE)
        painter.drawPixmap(area.left() + px(MEDIUM), area.top() + px(SMALL), icons.pixmap(*_SIGNS[row.state]))
        painter.setFont(theme.font(Type.BODY))
        self.write_words(painter, area, row)
        below = QRect(area.left() + px(_LEFT), area.bottom() - px(_STATE_PX) - TIGHT, 0, px(_STATE_PX))
        below.setRight(area.right() - px(MEDIUM))
        write(painter, below, engine_words(row.status), Type.SMALL, "muted")


class ItemList(WrappedTree):
    """The items of a topic; the current one is shown on the page."""

    def __init__(self) -> None:
        self.items = ItemModel()
        super().__init__(tr("Items"), self.items, _ItemDelegate())
