"""Dialog of the assignment: a grid of topics and annotators, a proposal, roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from core.domain.assignment import Role, Work
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import Label
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import Notice

WIDTH, TABLE_HEIGHT, COLUMN_PX = 860, 340, 130
REMOVE, RETIRE, ACTIVATE = "Remove", "Set inactive", "Set active"
_WORKS = {
    Work.PYRAMIDS: "Pyramids",
    Work.MATCHES: "Matches",
    Work.NUGGETS: "Nuggets",
    Work.HITS: "Hits",
    Work.RATINGS: "Ratings",
}
_ROLES = {"": "no role", **{role.value: role.value for role in Role}}

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class GridCell:
    """An annotator's work on a topic. text: progress such as ``3 of 8``, empty = nothing to show."""

    is_assigned: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class PersonHead:
    """An annotator.

    summary: a line such as ``5 topics, 2 done, 1 h``. has_work: they cannot be removed.
    is_inactive: they get no topics in proposals.
    """

    name: str
    summary: str
    role: str = ""
    has_work: bool = False
    is_inactive: bool = False


class GridModel(QAbstractTableModel):
    """Topics as rows and annotators as columns; a check mark assigns.

    Signals:
        toggled: topic, annotator.
    """

    toggled = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.topics: Sequence[str] = ()
        self.people: Sequence[PersonHead] = ()
        self._cells: Mapping[tuple[str, str], GridCell] = {}

    def show(
        self,
        topics: Sequence[str],
        people: Sequence[PersonHead],
        cells: Mapping[tuple[str, str], GridCell],
    ) -> None:
        """Show a plan."""
        is_same = topics == self.topics and [p.name for p in people] == [p.name for p in self.people]
        if not is_same:
            self.beginResetModel()
        self.topics, self.people, self._cells = topics, people, cells
        if not is_same:
            self.endResetModel()
        elif topics and people:
            last = self.index(len(topics) - 1, len(people))
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(people))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.topics)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else 1 + len(self.people)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if not section:
            return "Topic"
        person = self.people[section - 1]
        state = "inactive" if person.is_inactive else person.role
        return "\n".join(filter(None, (person.name, state, person.summary)))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        topic = self.topics[index.row()]
        if not index.column():
            return topic if role == Qt.ItemDataRole.DisplayRole else None
        person = self.people[index.column() - 1].name
        cell = self._cells.get((topic, person), GridCell(False))
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if cell.is_assigned else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            assigned = "assigned" if cell.is_assigned else "not assigned"
            return ", ".join(filter(None, (topic, person, assigned, cell.text)))
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.column():
            return False
        self.toggled.emit(self.topics[index.row()], self.people[index.column() - 1].name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() else flags


class AssignmentDialog(Dialog):
    """Edit a copy of the plan.

    Signals:
        proposed: annotators per topic, share of topics with several annotators.
        person_added: name.
        person_removed: name of an annotator to remove, or to make inactive or active.
        role_chosen: annotator, role, empty = none.
        shared_chosen: annotator against whose pyramids or nuggets everyone matches, empty = own ones.
    """

    help_page = "assignment"
    proposed = Signal(int, float)
    person_added = Signal(str)
    person_removed = Signal(str)
    role_chosen = Signal(str, str)
    shared_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Assignment", "Save", parent, width=WIDTH, icon="check")
        self.work_choice = Segmented("Work", [(work.value, title) for work, title in _WORKS.items()])
        self.model = GridModel()
        self.table = Table("Topics and annotators", self.model)
        self.per_topic_box = _box("Annotators per shared topic", 1, 99, 2)
        self.overlap_box = _box("Topics with several annotators, in per cent", 0, 100, 100)
        self.overlap_box.setSuffix(" %")
        self.propose_button = plain_button("Propose")
        self.name_field, self.add_button = QLineEdit(), plain_button("Add annotator", "plus")
        self.name_field.setPlaceholderText("Name of an annotator")
        self.name_field.setMinimumWidth(px(200))
        self.name_field.setAccessibleName("Name of an annotator")
        self.person_box, self.role_box = QComboBox(), QComboBox()
        self.person_box.setAccessibleName("Annotator")
        self.role_box.setAccessibleName("Role")
        for role, title in _ROLES.items():
            self.role_box.addItem(title, role)
        self.remove_button = plain_button(REMOVE)
        self.only_done_box = QCheckBox("Only those marked done")
        self.shared_box = QComboBox()
        self.shared_label = Label("Everyone matches against the pyramids of", Type.BODY)
        self.shared_box.setAccessibleName("Everyone matches against the pyramids of")
        self.notice = Notice(lines=2)
        self._arrange()
        self._connect()

    def show_plan(
        self,
        work: Work,
        topics: Sequence[str],
        people: Sequence[PersonHead],
        cells: Mapping[tuple[str, str], GridCell],
    ) -> None:
        """Show the plan of a kind of work."""
        self.work_choice.choose(work.value)
        self.model.show(topics, people, cells)
        for column in range(1, self.model.columnCount()):
            needed = self.table.horizontalHeader().sectionSizeHint(column)
            self.table.setColumnWidth(column, max(px(COLUMN_PX), needed))
        chosen = self.person_box.currentText()
        with QSignalBlocker(self.person_box):
            self.person_box.clear()
            self.person_box.addItems([person.name for person in people])
            self.person_box.setCurrentText(chosen)
        self._show_role()

    def show_shared(self, work: Work, names: Sequence[str], chosen: str) -> None:
        """Show against whose pyramids or nuggets everyone matches; empty = each against any.

        names: of all whose pyramids can be chosen, results of adjudication among them.
        """
        is_nugget = work is Work.HITS
        is_offered = work in (Work.MATCHES, Work.HITS)
        self.shared_label.setText(
            f"Everyone {'looks for the nuggets' if is_nugget else 'matches against the pyramids'} of"
        )
        self.shared_box.setAccessibleName(self.shared_label.text())
        with QSignalBlocker(self.shared_box):
            self.shared_box.clear()
            self.shared_box.addItem("whom they choose", "")
            for name in names:
                self.shared_box.addItem(name, name)
            self.shared_box.setCurrentIndex(max(0, self.shared_box.findData(chosen)))
        for widget in (self.shared_label, self.shared_box, self.only_done_box):
            widget.setVisible(is_offered)

    def show_only_done(self, is_on: bool, *, is_offered: bool) -> None:
        """Show whether only pyramids that are marked done are shared; offered where somebody is chosen."""
        self.only_done_box.setChecked(is_on)
        self.only_done_box.setEnabled(is_offered)

    def show_problem(self, sentence: str) -> None:
        """Show why something is not possible; empty = nothing."""
        self.notice.show_message(sentence)

    @Slot()
    def _show_role(self) -> None:
        name = self.person_box.currentText()
        person = next((person for person in self.model.people if person.name == name), None)
        with QSignalBlocker(self.role_box):
            self.role_box.setCurrentIndex(self.role_box.findData(person.role if person is not None else ""))
        for widget in (self.role_box, self.remove_button):
            widget.setEnabled(person is not None)
        verb = REMOVE if person is None or not person.has_work else ACTIVATE if person.is_inactive else RETIRE
        self.remove_button.setText(verb)
        self.remove_button.setAccessibleName(f"{verb}: {name}" if name else verb)

    @Slot()
    def _add_person(self) -> None:
        if name := self.name_field.text().strip():
            self.name_field.clear()
            self.person_added.emit(name)

    def _arrange(self) -> None:
        self.table.setSortingEnabled(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.setMinimumHeight(min(px(TABLE_HEIGHT), within_screen(self, 0, 10_000).height() // 3))
        self.body.addWidget(self.work_choice)
        proposing, people = QHBoxLayout(), QHBoxLayout()
        for row, widgets in (
            (
                proposing,
                (
                    Label("Annotators per topic", Type.BODY),
                    self.per_topic_box,
                    Label("for", Type.BODY),
                    self.overlap_box,
                    Label("of the topics, one for the others", Type.BODY),
                    self.propose_button,
                ),
            ),
            (
                people,
                (
                    self.name_field,
                    self.add_button,
                    Label("Role of", Type.BODY),
                    self.person_box,
                    self.role_box,
                    self.remove_button,
                ),
            ),
        ):
            row.setSpacing(SMALL)
            for widget in widgets:
                row.addWidget(widget)
            row.addStretch(1)
        self.body.addLayout(proposing)
        self.body.addWidget(self.table, 1)
        self.body.addLayout(people)
        sharing = QHBoxLayout()
        sharing.setSpacing(SMALL)
        sharing.addWidget(self.shared_label)
        sharing.addWidget(self.shared_box)
        sharing.addWidget(self.only_done_box)
        sharing.addStretch(1)
        self.body.addLayout(sharing)
        self.body.addWidget(
            Label(
                "A check mark assigns a topic; the numbers show what is done. Roles are guidance in a study "
                "file; on a server, its permissions enforce them.",
                Type.SMALL,
                "muted",
                wrap=True,
            )
        )
        self.body.addWidget(self.notice)

    def _connect(self) -> None:
        self.shared_box.activated.connect(lambda _: self.shared_chosen.emit(self.shared_box.currentData()))
        self.propose_button.clicked.connect(
            lambda: self.proposed.emit(self.per_topic_box.value(), self.overlap_box.value() / 100)
        )
        self.add_button.clicked.connect(self._add_person)
        self.name_field.returnPressed.connect(self._add_person)
        self.remove_button.clicked.connect(lambda: self.person_removed.emit(self.person_box.currentText()))
        self.person_box.activated.connect(self._show_role)
        self.role_box.activated.connect(
            lambda _: self.role_chosen.emit(self.person_box.currentText(), self.role_box.currentData())
        )


def _box(name: str, low: int, high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setAccessibleName(name)
    return box
