"""Controller of the Compare page's choices: level, coefficient, judgements, method, systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.comparison.filters import Filter
from core.comparison.inference import williams_refusal
from core.comparison.options import Adjustment, DifferenceTest, IntervalMethod, SystemSelection, Variants
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.types import Ends
from gui.pages.compare.correlations.choices import Choices, suggested
from gui.pages.compare.correlations.inference import Method
from gui.pages.compare.correlations.study_data import ComparisonData, retained_judgements
from gui.pages.compare.table.texts import left_out_text
from gui.pages.compare.values import SystemChoice
from gui.session.selection import Selection
from gui.widgets.controls.multi_choice import Choice

if TYPE_CHECKING:
    from gui.pages.compare.view import CompareView


AskSystems = Callable[[Sequence[SystemChoice], str], Sequence[str] | None]
"""Ask which systems to include, given the systems and the judgement of their means; None = unchanged."""


class ChoiceController(QObject):
    """Holds the choices and displays the available ones.

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
        self._ask_systems, self._judgement_in_hand = ask_systems, current_judgement
        self._numbers: ComparisonData | None = None
        self.choices, self.method = Choices(), Method()
        view.level_box.chosen.connect(lambda key: self._choose(level=Level(key)))
        view.coefficient_box.chosen.connect(lambda key: self._choose(coefficient=Coefficient(key)))
        view.judgements_box.chosen.connect(lambda humans: self._choose(humans=tuple(humans)))
        view.topics_chosen.connect(lambda name: self._rescope(replace(self.choices.scope, topic_set=name)))
        view.systems_chosen.connect(self._choose_systems)
        view.table_panel.option_chosen.connect(self._choose_option)
        view.only_button.clicked.connect(lambda: self._filter_by_marks(True))
        view.without_button.clicked.connect(lambda: self._filter_by_marks(False))
        view.scope_notice.remedy_button.clicked.connect(lambda: self._leave_out(set()))

    def use_common_topics(self, is_common: bool) -> None:
        """Restrict all measures to their common topics, or remove that restriction."""
        value = "yes" if is_common else "no"
        self._view.options.choose("common", value)
        self._choose_option("common", value)

    def fit(self, numbers: ComparisonData) -> None:
        """Keep the choices that these data support, and display the available ones."""
        self._numbers = numbers
        known, scope = tuple(numbers.judgements), self.choices.scope
        if scope.topic_set not in numbers.topic_sets():
            scope = replace(scope, topic_set="")
        humans = retained_judgements(self.choices.humans, known) or suggested(known)
        self.choices = replace(self.choices, humans=humans, scope=scope)
        choices = [Choice(name, ref.title) for name, ref in numbers.judgements.items()]
        self._view.show_judgements(choices, humans)
        self._view.show_topic_sets(numbers.topic_sets(), scope.topic_set)
        self._show_scope()

    def _choose(self, **changed: object) -> None:
        self.choices = replace(self.choices, **changed)  # type: ignore[arg-type]
        if self.choices.coefficient is Coefficient.SOFT_ACCURACY and self.choices.level is not Level.SYSTEM:
            fitting = {"coefficient": Coefficient.ACCURACY} if "level" in changed else {"level": Level.SYSTEM}
            self.choices = replace(self.choices, **fitting)
            self._view.show_correlation(self.choices.level.value, self.choices.coefficient.value)
        refusal = williams_refusal(self.choices.level, self.choices.coefficient)
        self._view.options.refuse("test", DifferenceTest.WILLIAMS.value, refusal)
        self.chosen.emit()

    @Slot(str, str)
    def _choose_option(self, key: str, value: str) -> None:
        match key:
            case "undefined":
                self._choose(undefined=UndefinedPolicy(value))
                return
            case "common":
                self._rescope(replace(self.choices.scope, common=value == "yes"))
                return
            case "made":
                self.choices = replace(self.choices, with_made=value == "yes")
                self.systems_chosen.emit()
                return
            case "interval":
                self.method = replace(self.method, interval=IntervalMethod(value))
            case "test":
                self.method = replace(self.method, test=None if value == "none" else DifferenceTest(value))
            case "ends":
                self.method = replace(self.method, ends=Ends(value))
            case "variants":
                self.method = replace(self.method, variants=Variants(value))
            case "adjust":
                self.method = replace(self.method, adjustment=Adjustment(value))
        self.method_chosen.emit()

    @Slot(str)
    def _choose_systems(self, systems: str) -> None:
        if systems not in set(SystemSelection):
            self._choose_single_systems()
            return
        self.choices = replace(self.choices, systems=SystemSelection(systems))
        self._show_scope()
        self.systems_chosen.emit()

    def _choose_single_systems(self) -> None:
        """Ask which systems to include."""
        if self._numbers is None or not self.choices.humans:
            return
        human = self._judgement_in_hand() or self.choices.humans[0]
        systems = system_choices(self._numbers, human, self.choices.scope)
        chosen = self._ask_systems(systems, self._numbers.judgements[human].title)
        if chosen is not None:
            self._leave_out({choice.name for choice in systems} - set(chosen))

    def _filter_by_marks(self, keep: bool) -> None:
        """Include only the marked systems, or exclude them."""
        marked = {system for system, _ in self._selection.marks}
        if self._numbers is not None and marked:
            gone = without_marked(self._numbers, self.choices.scope, marked, keep=keep)
            self._selection.mark(())
            self._leave_out(gone)

    def _leave_out(self, systems: set[str]) -> None:
        self._rescope(replace(self.choices.scope, without=frozenset(systems)))

    def _rescope(self, scope: Filter) -> None:
        self.choices = replace(self.choices, scope=scope)
        self._show_scope()
        self.chosen.emit()

    def _show_scope(self) -> None:
        count = len(self._numbers.system_names()) if self._numbers is not None else 0
        words = left_out_text(self.choices.scope.without, count)
        self._view.show_systems(self.choices.systems.value, words)


def system_choices(numbers: ComparisonData, human: str, scope: Filter) -> list[SystemChoice]:
    """Return every system with its mean judgement and whether it is included."""
    judged = numbers.comparison.judgements[human]
    means = dict(zip(judged.systems, judged.system_means().tolist(), strict=True))
    return [
        SystemChoice(name, means.get(name, math.nan), name not in scope.without)
        for name in numbers.system_names()
    ]


def without_marked(
    numbers: ComparisonData, scope: Filter, marked: Collection[str], *, keep: bool
) -> set[str]:
    """Return the excluded systems if the marked ones are kept, or dropped."""
    names = set(numbers.system_names()) - scope.without
    gone = names - set(marked) if keep else names & set(marked)
    return gone | scope.without
