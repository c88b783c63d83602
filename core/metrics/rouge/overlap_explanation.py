"""Explanations of the overlap of a summary and a reference."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from core.domain.study import Span
from core.metrics.base import Evidence, Explanation

Unit = tuple[Hashable, tuple[Span, ...]]
"""A compared unit, and its spans."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The overlap of a summary and a reference, as trees that evaluate to the statistics."""

    matched: Explanation
    in_reference: Explanation
    in_summary: Explanation


def explain_overlap(theirs: Sequence[Unit], mine: Sequence[Unit], reference: str, summary: str) -> Overlap:
    """Explain the overlap of units, each matched at most as often as both texts contain it."""
    places: dict[Hashable, list[tuple[Span, ...]]] = defaultdict(list)
    for unit, spans in reversed(mine):
        places[unit].append(spans)
    matched = [(spans, places[unit].pop()) for unit, spans in theirs if places[unit]]
    evidence = (
        *_weighted_evidence("reference", reference, (span for there, _ in matched for span in there)),
        *_weighted_evidence("summary", summary, (span for _, here in matched for span in here)),
    )
    return Overlap(
        Explanation(reference, value=float(len(matched)), evidence=evidence),
        leaf(reference, len(theirs)),
        leaf(reference, len(mine)),
    )


def match_evidence(pairs: Sequence[tuple[Span, Span]], reference: str, summary: str) -> tuple[Evidence, ...]:
    """Return the matched places in the reference and in the summary."""
    theirs = (Evidence("reference", reference, there) for there, _ in pairs)
    places = dict.fromkeys(here for _, here in pairs)  # a word may match two words of a reference
    return (*theirs, *(Evidence("summary", summary, here) for here in places))


def leaf(label: str, value: float) -> Explanation:
    """Return a leaf."""
    return Explanation(label, value=float(value))


def total(label: str, children: Sequence[Explanation]) -> Explanation:
    """Return the sum of trees."""
    return Explanation(label, "sum", children=tuple(children))


def product(label: str, factor: float, child: Explanation) -> Explanation:
    """Return a weight times a number."""
    return Explanation(label, "product", children=(leaf("weight", factor), child))


def power(label: str, base: Explanation, exponent: float) -> Explanation:
    """Return a number to the power of a setting."""
    return Explanation(label, "power", exponent, (base,))


def rounded(tree: Explanation, decimals: int) -> Explanation:
    """Return a number rounded as it is printed."""
    return Explanation(f"{tree.label}, {decimals} decimals", "rounded", decimals, (tree,))


def _weighted_evidence(role: str, name: str, spans: Iterable[Span]) -> Iterable[Evidence]:
    """Yield each span once, weighted by the number of matched units that contain it."""
    for span, count in Counter(spans).items():
        if role == "reference":
            yield Evidence("reference", name, span, float(count))
        else:
            yield Evidence("summary", name, span, float(count))
