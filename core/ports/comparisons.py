"""Protocol for comparative judgement."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.preferences import ComparisonItem, ComparisonPlan, Preference
from core.ports.changes import EditReceipt


class ComparisonStore(Protocol):
    """Plans of comparisons, and the annotators' answers."""

    def plans(self) -> Sequence[ComparisonPlan]:
        """Return every plan, in the order of creation."""
        ...

    def items(self, plan_id: str) -> Sequence[ComparisonItem]:
        """Return the comparisons of a plan, in order."""
        ...

    def preferences(self, plan_id: str) -> Sequence[Preference]:
        """Return all answers to the comparisons of a plan."""
        ...

    def add_plan(
        self, plan: ComparisonPlan, items: Sequence[ComparisonItem], annotator_id: str | None
    ) -> Future[EditReceipt]:
        """Store a new plan with its comparisons as one edit.

        The Future raises InputError if the plan is not valid or its name is used.
        """
        ...

    def remove_plan(self, plan_id: str, annotator_id: str | None) -> Future[EditReceipt]:
        """Remove a plan with its comparisons as one edit. The Future raises InputError if it has answers."""
        ...

    def answer(
        self,
        item_id: str,
        annotator_id: str,
        best: str | None,
        worst: str | None,
        active_seconds: float = 0.0,
    ) -> Future[EditReceipt]:
        """Set an answer as one edit. best, worst: ids of summaries, both None = a tie.

        The Future raises InputError if the comparison does not allow the answer.
        """
        ...

    def clear(self, item_id: str, annotator_id: str, active_seconds: float = 0.0) -> Future[EditReceipt]:
        """Remove an answer as one edit."""
        ...
