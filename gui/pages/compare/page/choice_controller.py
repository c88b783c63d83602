"""Choices of the Compare page, with their dialogs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSpinBox, QWidget

from core.comparison.options import BEST, DifferenceTest, SystemSelection, williams_refusal
from core.comparison.pyramid_judgements import with_humans
from core.formatting.numbers import format_score
from core.operations.correlate import CorrelationData
from core.operations.options import CorrelateRequest
from core.stats.types import Coefficient, Level
from gui.pages.compare.correlation_cache import DEFAULT_REQUEST
from gui.pages.compare.table.table_content import left_out_text
from gui.pages.compare.values import SystemChoice
from gui.pages.compare.view import CompareView
from gui.session.edits import Selection
from gui.style.language import tr
from gui.style.theme import SMALL, Type
from gui.widgets.buttons import link_button
from gui.widgets.controls import Choice
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, extend, hbox

MIN_SYSTEMS = 3
"""Fewest systems for which a coefficient is defined."""


class SystemsDialog(Dialog):
    """A dialog that selects systems."""

    help_page = "statistics#weak-systems"

    def __init__(
        self, choices: Sequence[SystemChoice], judgement: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Choose systems"), tr("Compare these"), parent, icon="check")
        self._choices = tuple(choices)
        self.list_box = QListWidget()
        self.list_box.setAccessibleName(tr("Systems"))
        self.list_box.setMinimumHeight(280)
        for choice in choices:
            self.list_box.addItem(_item(choice, judgement))
        self.weak_box = QSpinBox()
        self.weak_box.setAccessibleName(tr("Number of lowest-scoring systems to exclude"))
        self.weak_box.setMaximum(max(len(choices) - MIN_SYSTEMS, 0))
        self.weak_button = link_button(tr("Exclude these"))
        self.all_button = link_button(tr("Tick all"))
        self.count_label = Label("", Type.SMALL, "muted")
        extend(self.body, (self.list_box, 1), self.count_label)
        parts = Label(tr("Lowest by {judgement}", judgement=judgement), Type.BODY, "muted"), self.weak_box
        row = hbox(*parts, self.weak_button, Stretch(1), self.all_button, spacing=SMALL)
        self.body.addLayout(row)
        self.list_box.itemChanged.connect(self._count)
        self.weak_button.clicked.connect(self._leave_weakest_out)
        self.all_button.clicked.connect(lambda: self._tick({c.name for c in self._choices}))
        self._count()

    @property
    def chosen(self) -> tuple[str, ...]:
        items = (self.list_box.item(row) for row in range(self.list_box.count()))
        pairs = zip(self._choices, items, strict=True)
        return tuple(c.name for c, item in pairs if item.checkState() is Qt.CheckState.Checked)

    def _leave_weakest_out(self) -> None:
        """Deselect the systems with the lowest mean judgement; systems without one come first."""
        order = sorted(self._choices, key=lambda c: c.mean if math.isfinite(c.mean) else -math.inf)
        weak = {choice.name for choice in order[: self.weak_box.value()]}
        self._tick({choice.name for choice in self._choices} - weak)

    def _tick(self, names: set[str]) -> None:
        for row, choice in enumerate(self._choices):
            state = Qt.CheckState.Checked if choice.name in names else Qt.CheckState.Unchecked
            self.list_box.item(row).setCheckState(state)

    def _count(self) -> None:
        count = len(self.chosen)
        self.count_label.setText(
            tr(
                "{count} of {choices} selected, at least {min_systems} required.",
                count=count,
                choices=len(self._choices),
                min_systems=MIN_SYSTEMS,
            )
        )
        self.accept_button.setEnabled(count >= MIN_SYSTEMS)


def ask_systems(parent: QWidget, choices: Sequence[SystemChoice], judgement: str) -> tuple[str, ...] | None:
    """Ask which systems to include; None = unchanged."""
    dialog = SystemsDialog(choices, judgement, parent)
    return dialog.chosen if dialog.exec() else None


def show_text(parent: QWidget, title: str, sentences: Sequence[str]) -> None:
    """Display sentences, each as a paragraph."""
    dialog = Dialog(title, tr("Close"), parent, width=BROAD)
    dialog.cancel_button.hide()
    for sentence in sentences:
        label = Label(sentence, wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        dialog.body.addWidget(label)
    dialog.exec()


def _item(choice: SystemChoice, judgement: str) -> QListWidgetItem:
    mean = f"{judgement} {format_score(choice.mean)}" if math.isfinite(choice.mean) else tr("not judged")
    item = QListWidgetItem(f"{choice.name}   ·   {mean}")
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if choice.is_in else Qt.CheckState.Unchecked)
    return item


AskSystems = Callable[[Sequence[SystemChoice], str], Sequence[str] | None]
"""Ask which systems to include, given the systems and the judgement of their means; None = unchanged."""

MAX_COLUMNS = 4
"""Judgements displayed by default; the others can be selected."""


class ChoiceController(QObject):
    """Holds the request of the page and displays the available choices.

    current_judgement: return the name of the current judgement; empty = none.

    Signals:
        chosen: other correlations are needed.
        method_chosen: other intervals or tests of the same correlations are needed.
        systems_chosen: scores of other systems or measures must be read.
    """

    chosen = Signal()
    method_chosen = Signal()
    systems_chosen = Signal()

    def __init__(
        self,
        view: CompareView,
        selection: Selection,
        ask_systems: AskSystems,
        current_judgement: Callable[[], str],
    ) -> None:
        super().__init__(view)
        self._view, self._selection = view, selection
        self._ask_systems, self._current_judgement = ask_systems, current_judgement
        self._data: CorrelationData | None = None
        self._request = DEFAULT_REQUEST
        self._left_out: frozenset[str] = frozenset()
        view.level_box.chosen.connect(lambda key: self._choose(level=Level(key)))
        view.coefficient_box.chosen.connect(lambda key: self._choose(coefficient=Coefficient(key)))
        view.judgements_box.chosen.connect(lambda humans: self._choose(judgements=tuple(humans)))
        view.topics_box.chosen.connect(lambda name: self._choose(topic_set=name or None))
        view.systems_chosen.connect(self._choose_systems)
        view.table_panel.option_chosen.connect(self._choose_option)
        view.only_button.clicked.connect(lambda: self._filter_by_marks(True))
        view.without_button.clicked.connect(lambda: self._filter_by_marks(False))
        view.scope_notice.remedy_button.clicked.connect(lambda: self._leave_out(set()))

    @property
    def request(self) -> CorrelateRequest:
        """What the page shows: values, intervals and tests, of the judgements that are its columns."""
        return self._request.fitting()

    def use_common_topics(self, is_common: bool) -> None:
        """Restrict all measures to their common topics, or remove that restriction."""
        value = "yes" if is_common else "no"
        self._view.options.choose("common_topics", value)
        self._choose_option("common_topics", value)

    def fit(self, data: CorrelationData) -> None:
        """Keep the choices that these data support, and display the available ones."""
        self._data = data
        known, sets = tuple(data.judgements), data.topic_sets()
        humans = retained_judgements(self._request.judgements, known) or suggested(known)
        topic_set = self._request.topic_set if self._request.topic_set in sets else None
        self._request = replace(
            self._request, judgements=humans, topic_set=topic_set, only_systems=self._included(data)
        )
        choices = [Choice(name, ref.title) for name, ref in data.judgements.items()]
        self._view.judgements_box.show_choices(choices, humans)
        self._view.show_topic_sets(sets, topic_set or "")
        self._show_scope()

    def _included(self, data: CorrelationData) -> tuple[str, ...]:
        """Return the included systems; empty = all."""
        names = data.system_names()
        return tuple(name for name in names if name not in self._left_out) if self._left_out else ()

    def _choose(self, **changed: Any) -> None:
        request = replace(self._request, **changed)
        if request.coefficient is Coefficient.SOFT_ACCURACY and request.level is not Level.SYSTEM:
            fitting = {"coefficient": Coefficient.ACCURACY} if "level" in changed else {"level": Level.SYSTEM}
            request = replace(request, **fitting)
            self._view.level_box.choose(request.level.value)
            self._view.coefficient_box.choose(request.coefficient.value)
        self._request = request
        refusal = williams_refusal(request.level, request.coefficient)
        self._view.options.refuse("test", DifferenceTest.WILLIAMS.value, refusal)
        self.chosen.emit()

    @Slot(str, str)
    def _choose_option(self, key: str, value: str) -> None:
        """Change a field of the request. value: of the field, or yes or no."""
        match key:
            case "undefined" | "common_topics":
                self._choose(**{key: self._value(key, value)})
            case "include_experiments":
                self._request = replace(self._request, include_experiments=value == "yes")
                self.systems_chosen.emit()
            case "test" if value == "none":
                self._change_method(compare=None, test=DifferenceTest.PERMUTATION_BOTH)
            case "test":
                self._change_method(compare=BEST, test=DifferenceTest(value))
            case _:
                self._change_method(**{key: self._value(key, value)})

    def _value(self, key: str, value: str) -> object:
        kind = type(getattr(self._request, key))
        return value == "yes" if kind is bool else kind(value)

    def _change_method(self, **changed: Any) -> None:
        self._request = replace(self._request, **changed)
        self.method_chosen.emit()

    @Slot(str)
    def _choose_systems(self, systems: str) -> None:
        if systems not in set(SystemSelection):
            self._choose_single_systems()
            return
        self._request = replace(self._request, systems=SystemSelection(systems))
        self._show_scope()
        self.systems_chosen.emit()

    def _choose_single_systems(self) -> None:
        if self._data is None or not self._request.judgements:
            return
        human = self._current_judgement() or self._request.judgements[0]
        judged = self._data.comparison.judgements[human]
        means = dict(zip(judged.systems, judged.system_means().tolist(), strict=True))
        systems = [
            SystemChoice(name, means.get(name, math.nan), name not in self._left_out)
            for name in self._data.system_names()
        ]
        chosen = self._ask_systems(systems, self._data.judgements[human].title)
        if chosen is not None:
            self._leave_out({choice.name for choice in systems} - set(chosen))

    def _filter_by_marks(self, keep: bool) -> None:
        """Include only the marked systems, or exclude them."""
        marked = {system for system, _ in self._selection.marks}
        if self._data is not None and marked:
            left = set(self._data.system_names()) - self._left_out
            self._selection.mark(())
            self._leave_out(self._left_out | (left - marked if keep else left & marked))

    def _leave_out(self, systems: Collection[str]) -> None:
        if self._data is not None and not set(self._data.system_names()) <= set(systems):
            self._left_out = frozenset(systems)
            self._show_scope()
            self._choose(only_systems=self._included(self._data))

    def _show_scope(self) -> None:
        count = len(self._data.system_names()) if self._data is not None else 0
        self._view.show_systems(self._request.systems.value, left_out_text(self._left_out, count))


def suggested(known: Sequence[str]) -> tuple[str, ...]:
    """Return the judgements displayed by default: one kind of pyramid score, and ratings."""
    scores = ("pyramid.", "nugget.")
    requested = [
        n for n in known if not n.startswith(scores) or n.startswith(("pyramid.modified", "nugget.units"))
    ]
    return tuple((requested or list(known))[:MAX_COLUMNS])


def retained_judgements(chosen: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the known judgements that were chosen, with or without references as systems."""
    plain = set(with_humans(chosen, humans=False))
    pairs = zip(known, with_humans(known, humans=False), strict=True)
    return tuple(name for name, without in pairs if without in plain)
