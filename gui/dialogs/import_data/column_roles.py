"""Tree of the columns or keys of a file: their first values, what each one becomes, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from gui.dialogs.import_data.options import PAUSE_MS
from gui.dialogs.import_data.values import ColumnRow, RoleChoice
from gui.item_models.table_model import Index
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.controls import ComboBox
from gui.widgets.label import Label, rule
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, padded, write

FOREIGN_CHOICES = (
    RoleChoice("", tr("Not used"), tr("It is named in the report of the import.")),
    RoleChoice(
        "topic", tr("Topic"), tr("The item that is summarized, such as D04 or a number of a dialogue.")
    ),
    RoleChoice("title", tr("Title"), tr("The title of the topic, such as “Harbour closed by a storm”.")),
    RoleChoice("query", tr("Query"), tr("The question that summaries of the topic answer.")),
    RoleChoice("set", tr("Set"), tr("The part of the data that the topic belongs to, such as validation.")),
    RoleChoice(
        "document",
        tr("Text of the document"),
        tr("The text that is summarized."),
        "document",
        help=tr("A name of the document."),
        hint="optional",
    ),
    RoleChoice(
        "reference",
        tr("Text of the reference"),
        tr("A summary by a person, which others are compared with."),
        "author",
        help=tr("The author, if all references are by one."),
        hint="optional",
    ),
    RoleChoice(
        "summary",
        tr("Text of the summary"),
        tr("A summary by a system."),
        "system",
        help=tr("The system, if all summaries are of one."),
        hint="optional",
    ),
    RoleChoice("system", tr("System"), tr("Who made the summary, such as bart or lead-3.")),
    RoleChoice("author", tr("Author"), tr("Who wrote the reference, such as A.")),
    RoleChoice(
        "judge",
        tr("Judge", "model"),
        tr("A language model that gave the ratings of the row: they become scores, such as gpt-4o.fluency."),
        "judge",
        help=tr("The judge, if the column has its ratings."),
        hint="optional",
    ),
    RoleChoice("annotator", tr("Annotator"), tr("Who gave the ratings of the row, such as w17.")),
    RoleChoice("group", tr("Group"), tr("The group of the annotator, such as experts.")),
    RoleChoice(
        "rating",
        tr("Rating"),
        tr("A judgement by a person, such as 4 on a scale from 1 to 5, or yes."),
        "dimension",
        needs_name=True,
        help=tr(
            "The dimension, with its scale such as fluency (1-7) if it is not the usual one; "
            "dimension@annotator if the column is of one annotator."
        ),
    ),
    RoleChoice(
        "score",
        tr("Score", "noun"),
        tr("A number of a metric, such as 0.41 of ROUGE-1."),
        "measure",
        needs_name=True,
        help=tr("The name of the measure."),
    ),
    RoleChoice("dimension", tr("Dimension"), tr("What the value of the row rates, such as fluency.")),
    RoleChoice("measure", tr("Measure"), tr("What the value of the row is of, such as ROUGE-1.")),
    RoleChoice("value", tr("Value"), tr("The rating or score of the row, such as 4.")),
    RoleChoice("note", tr("Note"), tr("A remark of the annotator on the rating.")),
    RoleChoice(
        "rejected", tr("Leave out rows"), tr("Rows with the word Rejected in this column are left out.")
    ),
)
"""What a column of a table of another project can become."""

GUESSED = tr("guessed; change what is wrong")
ASSIGNED = tr("choose what each column contains")
MAPPED = tr("as the format reads them")
CHOSEN = "chosen"
REPEATED = tr("Every column is listed. {} The report of the import repeats this.")
TITLES = (tr("Column"), tr("First values"), tr("Becomes"), tr("Why"))
NAME, VALUES, BECOMES, WHY = range(4)
_SHARES = (22, 25, 29, 24)
"""Shares of the width, in per cent."""
_ROW_HEIGHT, _INDENT, _POPUP_WIDTH, _TITLE_WIDTH = 34, 14, 640, 170
_NO_PARENT = QModelIndex()


@dataclass(slots=True)
class _Node:
    """A key of the file. above: the node it is in, -1 = none; below: the nodes in it."""

    name: str
    above: int
    place: int
    row: ColumnRow | None = None
    below: list[int] = field(default_factory=list)


class ColumnModel(QAbstractItemModel):
    """Columns, and keys in the objects and lists that contain them. An index has the number of its node."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices: Mapping[str, RoleChoice] = {}
        self._nodes: list[_Node] = []
        self._top: list[int] = []
        self._numbers: dict[str, int] = {}

    def set_columns(self, rows: Sequence[ColumnRow], choices: Sequence[RoleChoice]) -> bool:
        """Show columns and what they can become. Returns whether they are others than before."""
        titles = {choice.key: choice for choice in choices}
        if titles == self.choices and [row.name for row in rows] == list(self._numbers):
            for row in rows:
                self._nodes[self._numbers[row.name]].row = row
            for number in self._numbers.values():
                self.dataChanged.emit(self._index(number, NAME), self._index(number, WHY))
            return False
        self.beginResetModel()
        self.choices, self._nodes, self._top, self._numbers = titles, [], [], {}
        numbers: dict[tuple[str, ...], int] = {}
        for row in rows:
            path = row.path or (row.name,)
            above = -1
            for depth in range(1, len(path) + 1):
                number = numbers.setdefault(path[:depth], len(self._nodes))
                if number == len(self._nodes):
                    siblings = self._nodes[above].below if above >= 0 else self._top
                    self._nodes.append(_Node(path[depth - 1], above, len(siblings)))
                    siblings.append(number)
                above = number
            self._nodes[above].row = row
            self._numbers[row.name] = above
        self.endResetModel()
        return True

    def change(self, row: ColumnRow) -> None:
        """Show a column with another use."""
        number = self._numbers[row.name]
        self._nodes[number].row = row
        self.dataChanged.emit(self._index(number, NAME), self._index(number, WHY))

    @property
    def has_groups(self) -> bool:
        """Whether there are keys in others."""
        return len(self._top) < len(self._nodes)

    def groups(self) -> Iterator[QModelIndex]:
        """Yield the keys that contain others."""
        return (self._index(number, NAME) for number, node in enumerate(self._nodes) if node.below)

    def find(self, column: str) -> QModelIndex:
        return self._index(self._numbers[column], BECOMES)

    def row(self, index: Index) -> ColumnRow | None:
        """Return the column of an index, None = it only contains others."""
        return self._nodes[index.internalId()].row if index.isValid() else None

    def rows(self) -> Iterator[ColumnRow]:
        return (row for number in self._numbers.values() if (row := self._nodes[number].row) is not None)

    def title(self, row: ColumnRow) -> str:
        """Return what a column becomes in words."""
        choice = self.choices.get(row.role)
        title = choice.title if choice is not None else row.role or tr("Left out")
        return f"{title}: {row.detail}" if row.detail else title

    def _index(self, number: int, column: int) -> QModelIndex:
        return self.createIndex(self._nodes[number].place, column, number)

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        siblings = self._nodes[parent.internalId()].below if parent.isValid() else self._top
        return self._index(siblings[row], column)

    # QObject.parent, which takes no index, is an overload of it in Qt
    def parent(self, index: Index = _NO_PARENT) -> QModelIndex:  # type: ignore[override]  # also QObject's
        above = self._nodes[index.internalId()].above if index.isValid() else -1
        return self._index(above, NAME) if above >= 0 else QModelIndex()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if not parent.isValid():
            return len(self._top)
        return 0 if parent.column() else len(self._nodes[parent.internalId()].below)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return len(TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        name, row = self._nodes[index.internalId()].name, self.row(index)
        if row is None:
            is_name = index.column() == NAME
            return name if is_name and role == Qt.ItemDataRole.DisplayRole else None
        values, title = ", ".join(filter(None, row.values)), self.title(row)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (name, values, title, row.question or row.why)[index.column()]
            case Qt.ItemDataRole.ToolTipRole:
                choice = self.choices.get(row.role)
                about = f"{choice.title}: {choice.about}" if choice is not None and choice.about else title
                return plain_tip((row.name, values, about, row.question or row.why)[index.column()])
            case Qt.ItemDataRole.AccessibleTextRole if index.column() in (NAME, BECOMES):
                becomes = tr("becomes {title}", title=title)
                first = tr("first values {values}", values=values)
                return ", ".join(filter(None, (row.name, becomes, row.question or row.why, first)))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None


class _ColumnDelegate(GroupedDelegate):
    """Paints a column; what it becomes looks like the box that chooses it, if there is a choice."""

    row_height = _ROW_HEIGHT
    has_lines = rings_cell = True

    def __init__(self, model: ColumnModel) -> None:
        super().__init__()
        self._model = model

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row, text, place = self._model.row(index), str(index.data() or ""), index.column()
        is_unclear, is_used = row is not None and bool(row.question), row is None or bool(row.role)
        if place == NAME:
            tone = "warning" if is_unclear else "text" if is_used else "muted"
            write(painter, padded(area), text, Type.STRONG, tone)
        elif place == BECOMES and row is not None and self._model.choices:
            box = area.adjusted(0, 2, 0, -3)
            painter.setPen(QPen(theme.colour("outline"), 1))
            painter.setBrush(theme.colour("surface"))
            painter.drawRoundedRect(
                QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_CONTROL, RADIUS_CONTROL
            )
            words = icons.trail(painter, box.adjusted(px(10), 0, -px(6), 0), "chevron-down", size=14)
            write(painter, words, text, Type.BODY, "text" if is_used else "muted")
        elif place == BECOMES:
            write(painter, padded(area), text, Type.BODY, "text" if is_used else "muted")
        else:
            tone = "warning" if is_unclear and place == WHY else "muted"
            write(painter, padded(area), text, Type.SMALL, tone)


class _ChoiceDelegate(QStyledItemDelegate):
    """Paints what a column can become, and what that is."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(px(_TITLE_WIDTH), px(28))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        GroupedDelegate.paint_ground(painter, option, index)
        area = padded(option.rect)
        write(
            painter, area.adjusted(0, 0, px(_TITLE_WIDTH) - area.width(), 0), str(index.data()), Type.STRONG
        )
        about = str(index.data(Qt.ItemDataRole.AccessibleDescriptionRole) or "")
        write(painter, area.adjusted(px(_TITLE_WIDTH) + SMALL, 0, 0, 0), about, Type.SMALL, "muted")


class _Editor(QWidget):
    """Box for what the row in edit becomes, and a field for the name of that.

    Tab goes through them and the rows; the tree alone is reached from outside.
    """

    def __init__(self, column: str, model: QStandardItemModel) -> None:
        super().__init__()
        self.field, name = QLineEdit(), Label(tr("{column} becomes", column=column))
        self.box = ComboBox(name.text(), chars=6)
        self.box.setModel(model)
        self.box.setItemDelegate(_ChoiceDelegate(self.box))
        self.box.view().setMinimumWidth(px(_POPUP_WIDTH))
        self.field.setAccessibleName(tr("Name for {column}", column=column))
        name.setBuddy(self.box)  # the only name of a box that screen readers on Linux are given
        line = hbox(parent=self, margins=(0, 2, 0, 3), spacing=TIGHT)
        for part in (name, self.box, self.field):
            line.addWidget(part, 1)
            part.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        name.hide()

    def show_use(self, row: ColumnRow, choice: RoleChoice | None) -> None:
        """Show what the column becomes; the field if that has a name."""
        self.box.choose(row.role)
        self.box.setAccessibleDescription(row.question)
        self.box.setToolTip(plain_tip(row.question or (choice.about if choice is not None else "")))
        if self.field.text() != row.detail and not self.field.hasFocus():
            self.field.setText(row.detail)
            self.field.setCursorPosition(0)
        self.field.setVisible(choice is not None and bool(choice.named))
        if choice is not None:
            self.field.setPlaceholderText(choice.hint or choice.named)
            self.field.setToolTip(plain_tip(choice.help))


class ColumnTree(QTreeView):
    """The columns; the current one has an editor. Enter opens it, Tab goes on to the next column in it."""

    editor_opened = Signal(object)

    def __init__(self, model: ColumnModel) -> None:
        super().__init__()
        self._model = model
        self._roles = QStandardItemModel(self)
        self.editor: _Editor | None = None
        self.setModel(model)
        delegate = _ColumnDelegate(model)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setAccessibleName(tr("Columns of the file"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(px(100))
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.header().setStretchLastSection(True)
        self.header().setSectionsMovable(False)

    def show_choices(self) -> None:
        """Show other columns and what they can become."""
        self.editor = None  # the view has deleted it
        self._roles = QStandardItemModel(self)
        for choice in self._model.choices.values():
            item = QStandardItem(choice.title)
            item.setData(choice.key, Qt.ItemDataRole.UserRole)
            item.setData(choice.about, Qt.ItemDataRole.AccessibleDescriptionRole)
            self._roles.appendRow(item)
        self.setRootIsDecorated(self._model.has_groups)
        self.setIndentation(px(_INDENT) if self._model.has_groups else 0)
        for index in self._model.groups():
            self.setExpanded(index, True)
            self.setFirstColumnSpanned(index.row(), index.parent(), self._model.row(index) is None)

    def choose(self, column: str) -> _Editor | None:
        """Make a column the current one. Returns its editor, None = there is no choice."""
        self.setCurrentIndex(self._model.find(column))
        return self.editor

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        row = self._model.row(current)
        if current.isValid() and current.column() != BECOMES and row is not None:
            self.setCurrentIndex(current.sibling(current.row(), BECOMES))
            return
        if previous.isValid() and (previous.row(), previous.parent()) != (current.row(), current.parent()):
            self.setIndexWidget(previous.sibling(previous.row(), BECOMES), None)  # type: ignore[arg-type]  # None removes it
            self.editor = None
        if row is not None and self._model.choices and self.editor is None:
            self.editor = _Editor(row.name, self._roles)
            self.setIndexWidget(current, self.editor)
            self.editor_opened.emit(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.column() == BECOMES and self.editor is not None and index == self.currentIndex():
            self.editor.box.setFocus()
            self.editor.box.showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, is_in_editor = event.key(), self._is_in_editor()
        if is_in_editor and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.setFocus()
        elif not is_in_editor and self.editor is not None and _begins_edit(event):
            self.editor.box.setFocus()
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
                self.editor.box.showPopup()
            elif key != Qt.Key.Key_F2:
                QApplication.sendEvent(self.editor.box, event)
        elif not is_in_editor:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go through the parts of the editor and the columns below or above."""
        editor = self.editor
        if editor is None or not self._is_in_editor():
            return super().focusNextPrevChild(forward)
        ends = (editor.box, editor.field) if editor.field.isVisible() else (editor.box, editor.box)
        if not ends[forward].hasFocus():
            ends[forward].setFocus(Qt.FocusReason.TabFocusReason)
            return True
        index = self.currentIndex()
        while (index := self.indexBelow(index) if forward else self.indexAbove(index)).isValid():
            if self._model.row(index) is not None:
                self.setCurrentIndex(index)
                assert self.editor is not None
                is_field = not forward and self.editor.field.isVisible()
                part = self.editor.field if is_field else self.editor.box
                part.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        self.setFocus()
        return super().focusNextPrevChild(forward)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        for column, share in enumerate(_SHARES[:-1]):
            self.header().resizeSection(column, self.viewport().width() * share // 100)

    def _is_in_editor(self) -> bool:
        return self.editor is not None and self.editor.isAncestorOf(QApplication.focusWidget() or self)


def _begins_edit(event: QKeyEvent) -> bool:
    """Return whether a key opens the editor: Enter, F2 or a letter."""
    is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    opens = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
    return is_plain and (opens or (event.text().isprintable() and bool(event.text())))


class ColumnRoles(QWidget):
    """The tree of a file's columns, which the user assigns, and how many are not used.

    Signals:
        edited: the user changed a role or a name; changed: a moment ago.
    """

    edited = Signal()
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fact = ""
        self.model = ColumnModel(self)
        self.tree = ColumnTree(self.model)
        self.tree.editor_opened.connect(self._open)
        self._assigned: dict[str, str] = {}
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.footer = Label("", Type.SMALL, "muted", wrap=True)
        vbox((self.tree, 1), rule(), self.footer, parent=self, spacing=SMALL)

    @property
    def assigned(self) -> dict[str, str]:
        """The roles that the user chose, by column; other columns are guessed."""
        return dict(self._assigned)

    def role_box(self, column: str) -> QComboBox:
        """Make a column the current one, and return the box that chooses what it becomes."""
        editor = self.tree.choose(column)
        assert editor is not None
        return editor.box

    def name_field(self, column: str) -> QLineEdit:
        """Make a column the current one, and return the field with the name that its role needs."""
        editor = self.tree.choose(column)
        assert editor is not None
        return editor.field

    def use(self, column: str) -> tuple[str, str]:
        """Return what a column becomes, in words, and why."""
        index = self.model.find(column)
        return str(index.data()), str(index.siblingAtColumn(WHY).data())

    def forget(self) -> None:
        """Remove what the user chose, for another source or format."""
        self._assigned.clear()
        self._pause.stop()

    def show_columns(self, rows: Sequence[ColumnRow], choices: Sequence[RoleChoice]) -> None:
        """Show the columns of a file; none hides the table. The same columns stay where they are."""
        self.setVisible(bool(rows))
        if self._pause.isActive() and [row.name for row in rows] == [row.name for row in self.model.rows()]:
            return  # what the user has just chosen is read next
        chosen = [replace(row, why=CHOSEN) if row.name in self._assigned else row for row in rows]
        if self.model.set_columns(chosen, choices):
            self.tree.show_choices()
        elif self.tree.editor is not None and (row := self.model.row(self.tree.currentIndex())) is not None:
            self.tree.editor.show_use(row, self.model.choices.get(row.role))
        guessed = GUESSED if any(row.is_guessed and row.role for row in rows) else ASSIGNED
        self.fact = guessed if choices else MAPPED
        unused = sum(not row.role for row in rows)
        counts = {0: tr("All are used."), 1: tr("One is not used.")}.get(
            unused, tr("{unused:,} are not used.", unused=unused)
        )
        self.footer.setText(REPEATED.format(counts))

    def _open(self, row: ColumnRow) -> None:
        editor = self.tree.editor
        assert editor is not None
        editor.show_use(row, self.model.choices.get(row.role))
        editor.box.activated.connect(lambda _: self._choose(row.name))
        editor.field.textEdited.connect(lambda _: self._rename(row.name))

    def _choose(self, column: str) -> None:
        editor = self.tree.editor
        assert editor is not None
        choice = self.model.choices[str(editor.box.currentData())]
        self._assign(column, choice, column if choice.needs_name else "")

    def _rename(self, column: str) -> None:
        editor = self.tree.editor
        assert editor is not None
        choice = self.model.choices[str(editor.box.currentData())]
        if (name := editor.field.text().strip()) or not choice.needs_name:
            self._assign(column, choice, name)

    def _assign(self, column: str, choice: RoleChoice, name: str) -> None:
        """Note the role of a column; another column that the user gave the same one loses it."""
        role = f"{choice.key}:{name}" if name and choice.named else choice.key
        for other, given in list(self._assigned.items()):
            if given == role and other != column and choice.key:
                del self._assigned[other]
        self._assigned[column] = role
        before = self.model.row(self.model.find(column))
        assert before is not None
        assert self.tree.editor is not None
        row = replace(before, role=choice.key, detail=name, why=CHOSEN, question="")
        self.model.change(row)
        self.tree.editor.show_use(row, choice)
        self._pause.start()
        self.edited.emit()


def mapping_of(assigned: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each role; columns that are left out have the role ``ignore:COLUMN``."""
    return {role or f"ignore:{column}": column for column, role in assigned.items()}
