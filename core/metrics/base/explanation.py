"""Explanations of scores: expression trees that evaluate to the score, with text spans as evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.domain.study import Span
from core.metrics.base.scores import REASONS


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a text that contributes to a score.

    role: ``summary``, ``reference`` or ``document``.
    name: of the text.
    """

    role: Literal["summary", "reference", "document"]
    name: str
    span: Span
    weight: float = 1.0


def undefined(label: str, reason: str) -> Explanation:
    """Return the leaf of a value that is not defined. reason: a key of ``REASONS``."""
    return Explanation(f"{label}: {REASONS[reason]}", value=math.nan)


def naming(tree: Explanation, blank: str) -> Explanation:
    """Return a tree that names which texts are blank where it has no value for them, else at its root."""
    named = _with_reason(tree, blank)
    return named if named != tree else replace(tree, label=f"{tree.label} ({blank})")


def _with_reason(tree: Explanation, reason: str) -> Explanation:
    children = tuple(_with_reason(child, reason) for child in tree.children)
    return replace(tree, label=tree.label.replace(REASONS["no_units"], reason), children=children)


Operator = Literal[
    "value", "sum", "mean", "max", "min", "ratio", "product", "harmonic", "geometric", "power",
    "rounded", "logistic",
]  # fmt: skip

_OPERATIONS: dict[Operator, str] = {
    "value": "",
    "sum": "sum",
    "mean": "mean",
    "max": "largest",
    "min": "smallest",
    "ratio": "first ÷ second",
    "product": "product",
    "harmonic": "harmonic mean",
    "geometric": "geometric mean",
    "power": "to the power of",
    "rounded": "rounded to",
    "logistic": "logistic function",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """An expression tree that evaluates to the score: a leaf has a value, a node an operator.

    value: a leaf's number; for ``power`` the exponent; for ``rounded`` the number of decimals.
    """

    label: str
    operator: Operator = "value"
    value: float = 0.0
    children: tuple[Explanation, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    @property
    def operation(self) -> str:
        """The operation in words, such as ``sum`` or ``rounded to 5 decimals``; empty = a leaf."""
        words = _OPERATIONS[self.operator]
        match self.operator:
            case "power":
                return f"{words} {self.value:g}"
            case "rounded":
                return f"{words} {self.value:g} decimals"
            case _:
                return words

    def evaluate(self) -> float:
        """Return the value of the tree; 0/0 counts as 0."""
        return self.combine([child.evaluate() for child in self.children])

    def combine(self, values: Sequence[float]) -> float:
        """Return the value of this node, given those of its children."""
        match self.operator:
            case "value":
                return self.value
            case "sum":
                return math.fsum(values)
            case "mean":
                return math.fsum(values) / len(values) if values else math.nan
            case "max":
                return math.nan if any(map(math.isnan, values)) else max(values, default=math.nan)
            case "min":
                return math.nan if any(map(math.isnan, values)) else min(values, default=math.nan)
            case "ratio":
                return values[0] / values[1] if values[1] else 0.0
            case "product":
                return math.prod(values)
            case "harmonic":
                total = values[0] + values[1]
                return 2 * values[0] * values[1] / total if total else 0.0
            case "geometric":
                return _geometric_mean(values)
            case "power":
                return math.pow(values[0], self.value)
            case "rounded":
                return round(values[0], int(self.value))
            case "logistic":
                return 1.0 / (1.0 + math.exp(-values[0]))


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values and all(values) else 0.0
