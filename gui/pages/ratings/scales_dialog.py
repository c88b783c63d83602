"""Dialog for editing rating scales: a list and a form for the selected scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDoubleSpinBox,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from core.domain.pyramid import new_id
from core.domain.ratings import Anchor, Dimension, ScaleKind, category_scale, span_scale
from core.domain.scale_templates import ScaleTemplate, add_template
from gui.item_models.table_model import Column, TableModel
from gui.pages.ratings.values import ScaleRow
from gui.pages.ratings.view import PublishedScales
from gui.style import theme
from gui.style.language import plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import icon_button, plain_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import Dialog, FormPage, within_screen
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, discard, extend, grid, hbox, scrolled, vbox
from gui.widgets.notice import Notice

WIDTH, HEIGHT, LIST_WIDTH, FORM_HEIGHT = 760, 680, 256, 160
NEW_SCALE = tr("New scale")
_MAX_VALUE = 1e6  # of the ends of a range
_DESCRIPTION_LINES = 4
_DEFAULT_RANGE = (1.0, 5.0)
_WITH_CATEGORIES = (ScaleKind.CATEGORIES, ScaleKind.SPANS)
_KIND_TITLES = {
    ScaleKind.NUMBER: tr("Numbers"),
    ScaleKind.CATEGORIES: tr("Categories"),
    ScaleKind.TEXT: tr("Free text"),
    ScaleKind.SPANS: tr("Marked spans"),
}


class ScalesDialog(Dialog):
    """Edit a copy of the scales; `scales` holds the edited ones.

    Signals:
        changed: a scale was edited, added, moved or removed.
    """

    help_page = "ratings#scales"
    changed = Signal()

    def __init__(
        self,
        scales: Sequence[Dimension],
        counts: Mapping[str, int],
        selected: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """counts: number of ratings by scale id. selected: id of the scale to show first."""
        super().__init__(tr("Rating scales"), tr("Save"), parent, width=WIDTH, icon="check")
        self._scales, self._first, self._counts = list(scales), tuple(scales), dict(counts)
        self._selected_id = ""
        self.model = TableModel[Dimension](
            [Column(tr("Scale"), lambda scale: scale.name or tr("Unnamed"))], self
        )
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setAccessibleName(tr("Scales"))
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.add_button = plain_button(tr("Add scale"), "plus")
        self.template_button = plain_button(tr("Published scales"))
        self.published = PublishedScales()
        self.remove_button = icon_button("trash", tr("Remove scale"))
        self.up_button = icon_button("chevron-up", tr("Move up"))
        self.down_button = icon_button("chevron-down", tr("Move down"))
        self.form = _ScaleForm()
        self.notice = Notice(lines=2)
        self.list.setFixedWidth(px(LIST_WIDTH))
        self.resize(within_screen(self, WIDTH, HEIGHT))
        parts = self.add_button, Stretch(1), self.up_button, self.down_button, self.remove_button
        buttons = hbox(*parts, spacing=TIGHT)
        self.template_button.setCheckable(True)
        left = vbox((self.list, 1), buttons, self.template_button, spacing=SMALL)
        self._form_area, self._published_area = scrolled(self.form), scrolled(self.published)
        self._stack = QStackedWidget()
        self._stack.setMinimumHeight(px(FORM_HEIGHT))
        self._stack.addWidget(self._form_area)
        self._stack.addWidget(self._published_area)
        extend(self.body, (hbox(left, (self._stack, 1), spacing=MEDIUM), 1), self.notice)
        self._connect()
        self._refresh(selected or (scales[0].id if scales else ""))
        (self.list if scales else self.add_button).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def scales(self) -> tuple[Dimension, ...]:
        """The edited scales, in order."""
        return tuple(self._scales)

    def show_problem(self, sentence: str) -> None:
        """Show why the scales cannot be saved; empty = they can be saved, and what that removes."""
        remaining = {scale.id for scale in self._scales}
        removed = [scale for scale in self._first if scale.id not in remaining]
        self.notice.show_message(sentence or _removal_text(removed, self._counts))
        self.accept_button.setEnabled(not sentence and self.scales != self._first)

    @Slot()
    def add_scale(self) -> None:
        """Add a scale at the end and select its name for typing."""
        names = {scale.name for scale in self._scales}
        name = next(
            n for i in range(len(names) + 1) if (n := f"{NEW_SCALE} {i + 1}" if i else NEW_SCALE) not in names
        )
        scale = Dimension(new_id(), name)
        self._scales.append(scale)
        self.template_button.setChecked(False)
        self._refresh(scale.id)
        self.form.name_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.form.name_field.selectAll()

    def add_template(self, template: ScaleTemplate) -> None:
        """Add the scales of a template at the end, except those whose name is used, and select the first."""
        before = len(self._scales)
        self._scales = list(add_template(self._scales, template))
        first = self._scales[before].id if len(self._scales) > before else self._selected_id
        self.template_button.setChecked(False)
        self._refresh(first)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def remove_scale(self) -> None:
        """Remove the selected scale. Saving removes its ratings too."""
        index = self._selected_index()
        if index is not None:
            del self._scales[index]
            nearest = self._scales[min(index, len(self._scales) - 1)].id if self._scales else ""
            self._refresh(nearest)

    def move_scale(self, by: int) -> None:
        """Move the selected scale up (-1) or down (+1)."""
        index = self._selected_index()
        if index is not None and 0 <= index + by < len(self._scales):
            scale = self._scales.pop(index)
            self._scales.insert(index + by, scale)
            self._refresh(scale.id)

    def _selected_index(self) -> int | None:
        return next((i for i, scale in enumerate(self._scales) if scale.id == self._selected_id), None)

    def _refresh(self, selected: str) -> None:
        """Update the list, the selection and the form. selected: id of a scale."""
        self._selected_id = selected
        index = self._selected_index()
        with QSignalBlocker(self.list.selectionModel()):
            self.model.set_rows(tuple(self._scales))
            if index is not None:
                self.list.setCurrentIndex(self.model.index(index, 0))
        self.list.viewport().update()
        self._show_form(index)
        self.changed.emit()

    def _show_form(self, index: int | None) -> None:
        shows_form = index is not None and not self.template_button.isChecked()
        self._stack.setCurrentWidget(self._form_area if shows_form else self._published_area)
        self.template_button.setEnabled(index is not None)  # without scales they are shown anyway
        self.remove_button.setEnabled(index is not None)
        self.up_button.setEnabled(index is not None and index > 0)
        self.down_button.setEnabled(index is not None and index < len(self._scales) - 1)
        if index is not None:
            scale = self._scales[index]
            self.form.show_scale(scale, self._counts.get(scale.id, 0))

    @Slot()
    def _select_current(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self._selected_id = self._scales[index.row()].id
            self.template_button.setChecked(False)
            self._show_form(index.row())

    @Slot()
    def _apply_form(self) -> None:
        index = self._selected_index()
        if index is not None:
            self._scales[index] = self.form.edited(self._scales[index])
            with QSignalBlocker(self.list.selectionModel()):
                self.model.set_rows(tuple(self._scales))
                self.list.setCurrentIndex(self.model.index(index, 0))
            self.changed.emit()

    def _connect(self) -> None:
        self.list.selectionModel().currentChanged.connect(self._select_current)
        self.add_button.clicked.connect(self.add_scale)
        self.template_button.toggled.connect(lambda _: self._show_form(self._selected_index()))
        self.published.chosen.connect(self.add_template)
        self.remove_button.clicked.connect(self.remove_scale)
        self.up_button.clicked.connect(lambda: self.move_scale(-1))
        self.down_button.clicked.connect(lambda: self.move_scale(+1))
        self.form.edited_by_user.connect(self._apply_form)


class _ScaleForm(FormPage):
    """The fields of one scale.

    Signals:
        edited_by_user: the content of a field has changed.
    """

    edited_by_user = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, MEDIUM, 0)  # room for the scroll bar
        self.name_field, self.question_field = QLineEdit(), QLineEdit()
        self.kind_box = ComboBox(tr("Kind"), _KIND_TITLES.items())
        self.required_box = QCheckBox(tr("Required"))
        self.required_box.setAccessibleName(tr("Required"))
        self.required_box.setToolTip(plain_tip(tr("A summary is done once all required scales have a value")))
        self.categories_field = QPlainTextEdit()
        self.categories_field.setTabChangesFocus(True)
        self.low_box, self.high_box = _number_box(tr("From")), _number_box(tr("To"))
        self.anchors = AnchorFields()
        self.description_field = QPlainTextEdit()
        self.description_field.setTabChangesFocus(True)
        lines = theme.metrics(Type.BODY).lineSpacing() * _DESCRIPTION_LINES
        for field in (self.description_field, self.categories_field):
            field.setFixedHeight(lines + 2 * SMALL)
        self.question_field.setPlaceholderText(tr("e.g. How coherent is the summary?"))
        self.rated_label = Label("", Type.SMALL, "muted", wrap=True)
        self.add_field(tr("Name"), self.name_field)
        self.add_field(tr("Question"), self.question_field)
        self.add_field(tr("Kind"), self._kind_row())
        self._number_parts = (
            self.add_field(tr("Range"), self._range_row()),
            self.add_field(tr("Anchors"), self.anchors, tr("Meanings of values (optional).")),
        )
        self._category_part = self.add_field(
            tr("Categories"),
            self.categories_field,
            tr("One per line, with the number of its line as its key."),
        )
        self.add_field(tr("Description"), self.description_field)
        for line in (self.name_field, self.question_field):
            line.textEdited.connect(self.edited_by_user)
        for box in (self.low_box, self.high_box):
            box.valueChanged.connect(self._range_edited)
        for field in (self.description_field, self.categories_field):
            field.textChanged.connect(self.edited_by_user)
        self.kind_box.activated.connect(self._kind_chosen)
        self.required_box.clicked.connect(self.edited_by_user)
        self.anchors.edited.connect(self.edited_by_user)

    def show_scale(self, scale: Dimension, ratings: int) -> None:
        """Show a scale. ratings: number of its ratings."""
        with (
            QSignalBlocker(self.low_box),
            QSignalBlocker(self.high_box),
            QSignalBlocker(self.description_field),
            QSignalBlocker(self.categories_field),
        ):
            self.name_field.setText(scale.name)
            self.question_field.setText(scale.question)
            self.question_field.setCursorPosition(0)
            self.description_field.setPlainText(scale.description)
            self.kind_box.choose(scale.kind)
            self.required_box.setChecked(scale.is_required)
            categories = scale.anchors if scale.has_categories else ()
            self.categories_field.setPlainText("\n".join(text for _, text in categories))
            is_number = scale.kind is ScaleKind.NUMBER
            ends = (scale.low, scale.high) if is_number else _DEFAULT_RANGE
            self.low_box.setValue(ends[0])
            self.high_box.setValue(ends[1])
        self.anchors.show_anchors(*ends, scale.anchors if is_number else ())
        self.kind_box.setEnabled(not ratings)
        count = tr("%n ratings", "", ratings)
        keep = {
            ScaleKind.NUMBER: tr("; the range must include them"),
            ScaleKind.CATEGORIES: tr("; rename categories or add some below"),
            ScaleKind.TEXT: "",
            ScaleKind.SPANS: tr("; rename categories or add some below"),
        }[scale.kind]
        self.rated_label.setText(f"{count}{keep}." if ratings else tr("No ratings yet."))
        self._show_fields()

    def edited(self, scale: Dimension) -> Dimension:
        """Return the scale with the values of the fields."""
        kind = self._kind
        low, high, anchors = self.low_box.value(), self.high_box.value(), self.anchors.anchors
        if kind in _WITH_CATEGORIES:
            lines = [line.strip() for line in self.categories_field.toPlainText().splitlines()]
            make = span_scale if kind is ScaleKind.SPANS else category_scale
            named = make("", "", [line for line in lines if line])
            low, high, anchors = named.low, named.high, named.anchors
        elif kind is ScaleKind.TEXT:
            low, high, anchors = 0.0, 1.0, ()
        return replace(
            scale,
            name=self.name_field.text().strip(),
            question=self.question_field.text().strip(),
            low=low,
            high=high,
            description=self.description_field.toPlainText().strip(),
            anchors=anchors,
            kind=kind,
            is_required=self.required_box.isChecked(),
        )

    @property
    def _kind(self) -> ScaleKind:
        return ScaleKind(self.kind_box.currentData())

    def _show_fields(self) -> None:
        for part in self._number_parts:
            part.setVisible(self._kind is ScaleKind.NUMBER)
        self._category_part.setVisible(self._kind in _WITH_CATEGORIES)

    @Slot()
    def _kind_chosen(self) -> None:
        self.required_box.setChecked(self._kind is not ScaleKind.TEXT)  # a remark is seldom required
        self._show_fields()
        self.edited_by_user.emit()

    @Slot()
    def _range_edited(self) -> None:
        low, high = self.low_box.value(), self.high_box.value()
        if low < high:
            self.anchors.show_anchors(low, high, self.anchors.anchors)
        self.edited_by_user.emit()

    def _kind_row(self) -> QWidget:
        widget = QWidget()
        hbox(self.kind_box, self.required_box, (self.rated_label, 1), parent=widget, spacing=MEDIUM)
        widget.setFocusProxy(self.kind_box)
        return widget

    def _range_row(self) -> QWidget:
        widget = QWidget()
        hbox(self.low_box, Label(tr("to")), self.high_box, Stretch(1), parent=widget, spacing=SMALL)
        widget.setFocusProxy(self.low_box)
        return widget


class AnchorFields(QWidget):
    """A text field for each value; for large ranges only for the ends, the middle and added values.

    fields: by value.

    Signals:
        edited: the text of an anchor has changed.
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[float, QLineEdit] = {}
        self._labels: list[Label] = []
        self._grid = grid(across=SMALL, down=TIGHT)
        self.value_box = _number_box(tr("Value of another anchor"))
        self.add_button: QToolButton = icon_button("plus", tr("Add an anchor at this value"))
        self._adding = QWidget()
        hbox(self.value_box, self.add_button, Stretch(1), parent=self._adding)
        vbox(self._grid, self._adding, parent=self, spacing=TIGHT)
        self.add_button.clicked.connect(self._add)

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The values with a text, in order."""
        texts = {value: field.text().strip() for value, field in self.fields.items()}
        return tuple(sorted((value, text) for value, text in texts.items() if text))

    def show_anchors(self, low: float, high: float, anchors: Sequence[Anchor]) -> None:
        """Show fields for this range. Anchors outside it stay until their text is deleted."""
        steps = ScaleRow("", "", low, high).steps
        self._adding.setVisible(not steps)
        self.value_box.setRange(low, high)
        values = steps or (low, (low + high) / 2, high)
        self._show({**dict.fromkeys(map(float, values), ""), **dict(anchors)})

    def _show(self, texts: Mapping[float, str]) -> None:
        discard(self._grid, *self.fields.values(), *self._labels)
        self.fields, self._labels = {}, []
        for row, value in enumerate(sorted(texts)):
            field, label = QLineEdit(texts[value]), Label(f"{value:g}", Type.BODY, "muted")
            field.setAccessibleName(tr("Meaning of {value:g}", value=value))
            field.textEdited.connect(self.edited)
            label.setBuddy(field)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(field, row, 1)
            self.fields[value] = field
            self._labels.append(label)

    @Slot()
    def _add(self) -> None:
        value = self.value_box.value()
        if value not in self.fields:
            self._show({**{v: field.text() for v, field in self.fields.items()}, value: ""})
        self.fields[value].setFocus(Qt.FocusReason.OtherFocusReason)


class _NumberBox(QDoubleSpinBox):
    def textFromValue(self, value: float) -> str:
        return f"{value:g}"


def _number_box(name: str) -> QDoubleSpinBox:
    box = _NumberBox()
    box.setDecimals(4)
    box.setRange(-_MAX_VALUE, _MAX_VALUE)
    box.setAccessibleName(name)
    box.setMinimumWidth(px(84))
    return box


def _removal_text(removed: Sequence[Dimension], counts: Mapping[str, int]) -> str:
    """Return a sentence on what saving removes, empty = nothing."""
    names = [
        tr("{name} with {count}", name=scale.name, count=tr("%n ratings", "", count))
        if (count := counts.get(scale.id, 0))
        else tr("{name} (no ratings)", name=scale.name)
        for scale in removed
    ]
    return tr("Saving removes {names}. Undo restores them.", names=", ".join(names)) if names else ""
