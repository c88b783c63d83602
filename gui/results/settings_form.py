"""Form for the settings of a metric or an experiment, made from the fields of its dataclass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any, cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QCompleter, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from core.experiments.inputs.measure_inputs import names_in
from core.formatting.coefficients import LEVEL_TITLES, coefficient_title
from core.metrics.base import setting_default
from core.stats.types import Coefficient
from gui.background.turn_queue import TurnQueue
from gui.dialogs.indexes.presenter import index_choices
from gui.dialogs.models.presenter import names_for
from gui.results.values import FieldKind, SettingField, SettingValue, choose_place_text
from gui.style import theme
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, LARGE, SMALL, Type, px
from gui.widgets.buttons import icon_button
from gui.widgets.controls import Choice, ComboBox, MultiChoice
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, clear, extend, hbox, vbox

LARGEST_NUMBER = 1_000_000
"""Bound of a number field whose setting has none."""

_DECIMALS = 4
_NUMBER_WIDTH = 96
_ROWS_A_TURN = 4


class SettingsForm(QWidget):
    """Show each setting with its title, control, range and help.

    controls: by key of the setting.

    Signals:
        changed: key of a setting and its new value.
        place_requested: a setting for which the user wants to choose a folder, file or index.
    """

    changed = Signal(str, object)
    place_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.controls: dict[str, QWidget] = {}
        self._fields: tuple[SettingField, ...] = ()
        self._column = vbox(parent=self, spacing=LARGE)
        self._turns = TurnQueue(self)

    def show_fields(self, fields: Sequence[SettingField]) -> None:
        """Show these settings. If only values differ, the controls and the focus stay as they are."""
        if [_shape(field) for field in fields] != [_shape(field) for field in self._fields]:
            self._build(fields)
        self._fields = tuple(fields)
        for field in fields:
            _set_value(self.controls[field.key], field.value)

    def _build(self, fields: Sequence[SettingField]) -> None:
        clear(self._column)
        self._turns.forget()
        self.controls, rows = {}, []
        for field in fields:
            control = _MAKERS[field.kind](field, partial(self.changed.emit, field.key))
            control.setAccessibleName(field.title)
            control.setAccessibleDescription(field.help)
            self.controls[field.key] = control
            rows.append(self._row(field, control))
        for at in range(0, len(rows), _ROWS_A_TURN):
            self._turns.add(partial(extend, self._column, *rows[at : at + _ROWS_A_TURN]))
        self._turns.take_next()

    def _row(self, field: SettingField, control: QWidget) -> QWidget:
        row = QWidget()
        column = vbox(parent=row, spacing=HAIR + 2)
        if field.kind is not FieldKind.YES_NO:
            title = Label(field.title, "strong")
            title.setBuddy(control)
            column.addWidget(title)
        line = hbox((control, 0 if field.kind in (FieldKind.WHOLE, FieldKind.NUMBER) else 1), spacing=SMALL)
        if bounds := _range_text(field):
            extend(line, Label(bounds, Type.SMALL, "muted"), Stretch(1))
        if field.kind in (FieldKind.FOLDER, FieldKind.FILE, FieldKind.INDEX):
            name = "list", tr("Manage indexes")
            pick = icon_button(
                *name if field.kind is FieldKind.INDEX else ("folder", choose_place_text(field))
            )
            pick.clicked.connect(lambda: self.place_requested.emit(field))
            line.addWidget(pick)
        extend(column, line, Label(field.help, Type.SMALL, "muted", wrap=True))
        return row


Change = Callable[[SettingValue], None]


def _shape(field: SettingField) -> tuple[object, ...]:
    """Return everything that determines a field's control."""
    return field.key, field.title, field.kind, field.low, field.high, field.choices


def _whole(field: SettingField, change: Change) -> QWidget:
    return _bounded(QSpinBox(), int, field, change)


def _number(field: SettingField, change: Change) -> QWidget:
    box = QDoubleSpinBox()
    box.setDecimals(_DECIMALS)
    box.setSingleStep(0.1 if field.high is not None and field.high <= 1 else 1.0)
    return _bounded(box, float, field, change)


def _bounded(box: Any, number: Callable[[float], float], field: SettingField, change: Change) -> QWidget:
    box.setRange(
        number(-LARGEST_NUMBER if field.low is None else field.low),
        number(LARGEST_NUMBER if field.high is None else field.high),
    )
    box.setFixedWidth(px(_NUMBER_WIDTH))
    box.setKeyboardTracking(False)
    box.valueChanged.connect(change)
    return cast(QWidget, box)


def _yes_no(field: SettingField, change: Change) -> QWidget:
    box = QCheckBox(field.title)
    box.toggled.connect(change)
    return box


def _choice(field: SettingField, change: Change) -> QWidget:
    box = ComboBox(choices=zip(field.choices, field.titles or field.choices, strict=True))
    box.chosen.connect(change)
    return box


def _text(field: SettingField, change: Change) -> QWidget:
    edit = QLineEdit()

    def report() -> None:
        if edit.isModified():  # what is only passed by may be a name of the study, which nobody allowed
            edit.setModified(False)
            change(edit.text().strip())

    edit.editingFinished.connect(report)
    if field.choices:  # suggestions; other text is allowed too
        completer = QCompleter(list(field.choices), edit)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.activated.connect(change)
        if (popup := completer.popup()) is not None:
            theme.dress(popup)  # Qt makes it a window of its own
        edit.setCompleter(completer)
    return edit


def _index(field: SettingField, change: Change) -> QWidget:
    box = IndexBox(change)
    box.show_choices(field.choices, field.titles or field.choices)
    return box


def _several_names(field: SettingField, change: Change) -> QWidget:
    box = MultiChoice(field.title, field.nothing_text)
    box.show_choices([Choice(name, name) for name in field.choices], ())
    box.chosen.connect(change)
    return box


_MAKERS: dict[FieldKind, Callable[[SettingField, Change], QWidget]] = {
    FieldKind.WHOLE: _whole,
    FieldKind.NUMBER: _number,
    FieldKind.YES_NO: _yes_no,
    FieldKind.CHOICE: _choice,
    FieldKind.TEXT: _text,
    FieldKind.FOLDER: _text,
    FieldKind.FILE: _text,
    FieldKind.INDEX: _index,
    FieldKind.SEVERAL: _several_names,
}


def _set_value(control: Any, value: Any) -> None:
    """Show a value without reporting a change."""
    with QSignalBlocker(control):
        if isinstance(control, MultiChoice):
            control.show_current(value)
        elif isinstance(control, QSpinBox):
            control.setValue(int(value))
        elif isinstance(control, QDoubleSpinBox):
            control.setValue(float(value))
        elif isinstance(control, QCheckBox):
            control.setChecked(bool(value))
        elif isinstance(control, IndexBox):
            control.show_value(str(value))
        elif isinstance(control, QComboBox):
            control.setCurrentIndex(control.findData(str(value)))
        elif control.text() != str(value):
            control.setText(str(value))


def _range_text(field: SettingField) -> str:
    if field.kind not in (FieldKind.WHOLE, FieldKind.NUMBER):
        return ""
    low = "" if field.low is None else f"{field.low:g}"
    high = "" if field.high is None else f"{field.high:g}"
    if low and high:
        return tr("{low} to {high}", low=low, high=high)
    return tr("from {low}", low=low) if low else (tr("up to {high}", high=high) if high else "")


SERVER_TITLE = tr("An Elasticsearch server…")
SERVER_TEMPLATE = "elasticsearch:https://localhost:9200/NAME"


class IndexBox(ComboBox):
    """Editable list of indexes. `change` is called with the chosen index or the typed address."""

    def __init__(self, change: Callable[[str], None]) -> None:
        super().__init__()
        self._change, self._value = change, ""
        self.setEditable(True)
        self._line = cast(QLineEdit, self.lineEdit())  # not None, since the box is editable
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._choose)
        self._line.editingFinished.connect(self._apply_text)

    def show_choices(self, keys: Sequence[str], titles: Sequence[str]) -> None:
        """Offer these indexes, and a template for the address of one on a server."""
        with QSignalBlocker(self):
            self.clear()
            for key, title in zip(keys, titles, strict=True):
                self.addItem(title, key)
            self.insertSeparator(self.count())
            self.addItem(SERVER_TITLE, SERVER_TEMPLATE)
            self.show_value(self._value)

    def show_value(self, value: str) -> None:
        """Show a value without reporting a change."""
        self._value = value
        with QSignalBlocker(self):
            index = self.findData(value)
            self.setCurrentIndex(index)
            self.setEditText(self.itemText(index) if index >= 0 else value)
            self._line.setCursorPosition(0)
            self.setToolTip(plain_tip(value))

    @Slot(int)
    def _choose(self, index: int) -> None:
        key = str(self.itemData(index) or "")
        if key == SERVER_TEMPLATE:
            self.setEditText(SERVER_TEMPLATE)
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            start = SERVER_TEMPLATE.index("https://") + len("https://")
            self._line.setSelection(start, len(SERVER_TEMPLATE) - start)
        else:
            self._apply(key)

    @Slot()
    def _apply_text(self) -> None:
        """Apply the typed text: a title selects its index; the unedited template is ignored."""
        text = self.currentText().strip()
        index = self.findText(text, Qt.MatchFlag.MatchFixedString)
        key = str(self.itemData(index)) if index >= 0 else text
        if key and key != SERVER_TEMPLATE:
            self._apply(key)

    def _apply(self, key: str) -> None:
        if key != self._value:
            self._value = key
            self._change(key)


NO_NAMES: Mapping[str, Sequence[str]] = MappingProxyType({})

_KINDS: Mapping[type, FieldKind] = {
    bool: FieldKind.YES_NO,
    int: FieldKind.WHOLE,
    float: FieldKind.NUMBER,
    str: FieldKind.TEXT,
}
_PATH_KINDS: Mapping[str, FieldKind] = {
    **dict.fromkeys(
        ("encoder", "parser", "model", "masked_lm", "qa", "nli", "qg", "rater"), FieldKind.FOLDER
    ),
    **dict.fromkeys(("lm", "phrases", "entities", "elements", "synonyms"), FieldKind.FOLDER),
    **dict.fromkeys(("vectors", "paraphrases", "baseline", "layer"), FieldKind.FILE),
    **dict.fromkeys(("rubric", "matching", "creation", "importance", "assignment"), FieldKind.FILE),
    "index": FieldKind.INDEX,
}
"""Settings that may name a folder, a file or a search index."""

_TITLES: Mapping[str, Mapping[str, str]] = {
    "level": {level.value: title for level, title in LEVEL_TITLES.items()},
    "coefficient": {coefficient.value: coefficient_title(coefficient) for coefficient in Coefficient},
    "systems": {"automatic": tr("Automatic systems"), "all": tr("All, including human")},
    "sides": {"two": tr("Two-sided"), "greater": tr("Greater only")},
    "subsets": {"random": tr("Random sample"), "all": tr("All")},
    "bootstrap": {
        "none": tr("None"),
        "systems": tr("Systems"),
        "topics": tr("Topics"),
        "both": tr("Systems and topics"),
    },
    "over": {"systems": tr("Systems"), "topics": tr("Topics"), "both": tr("Systems and topics")},
    "against": {"responsiveness": tr("Responsiveness"), "pyramid": tr("Pyramid")},
    "of": {"topics": tr("Topics"), "references": tr("References")},
}
"""Labels of the choices of experiments' settings, the same as on the Compare page."""


def setting_fields(owner: Any, several: Mapping[str, Sequence[str]] = NO_NAMES) -> tuple[SettingField, ...]:
    """Return the settings of a metric or experiment, a dataclass whose fields are made by `setting`.

    several: by field that holds a list of names, the names to choose from.
    """
    return tuple(
        _several(owner, f, several[f.name]) if f.name in several else _field(owner, f) for f in fields(owner)
    )


def _several(owner: Any, f: Field[Any], choices: Sequence[str]) -> SettingField:
    chosen = tuple(names_in(getattr(owner, f.name)))
    field = _field(owner, f)
    return replace(
        field,
        help=_list_help(field.help),
        kind=FieldKind.SEVERAL,
        value=chosen,
        choices=tuple(dict.fromkeys((*choices, *chosen))),
        nothing_text=tr("All") if "Empty = all" in field.help else tr("Default"),
    )


def _list_help(text: str) -> str:
    """Return the help of a setting chosen from a list, without the part on typing names."""
    default = text.partition("Empty = ")[2]
    return tr("None selected = {default}", default=default) if default else text


def _field(owner: Any, f: Field[Any]) -> SettingField:
    value, choices = getattr(owner, f.name), f.metadata.get("choices") or ()
    kind = FieldKind.CHOICE if choices else _KINDS[type(setting_default(f))]
    if kind is FieldKind.TEXT:
        kind = _PATH_KINDS.get(f.name, kind)
    field = SettingField(
        key=f.name,
        title=f.metadata.get("title") or f.name.replace("_", " ").capitalize(),
        help=f.metadata.get("help") or "",
        kind=kind,
        value=value,
        low=f.metadata.get("low"),
        high=f.metadata.get("high"),
        choices=tuple(choices) or names_for(f.name, getattr(owner, "name", "")),
        titles=tuple(_TITLES.get(f.name, {}).get(choice, choice) for choice in choices),
    )
    if kind is FieldKind.INDEX:
        keys, titles = index_choices()
        return replace(field, choices=keys, titles=titles)
    return field
