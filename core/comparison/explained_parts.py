"""Parts of an explained score: what each adds, and the parts of two systems side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.metrics.base import Evidence, Explanation

Path = tuple[int, ...]
"""Place of a node in a tree: the index of the child at each step from the root."""

_REMOVABLE = frozenset({"sum", "mean", "max", "geometric"})
"""Operators that are defined without one of their children."""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a score: a match in the texts, or one of the values of which a mean or the largest is taken.

    name: label, after that of the value it belongs to.
    paths: its places in the tree, several where a formula uses it more than once, as in F.
    value: of the part. without: the score without it, see `without`. contribution: score minus ``without``.
    evidence: all spans in it.
    """

    name: str
    paths: tuple[Path, ...]
    value: float
    without: float
    contribution: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class PartPair:
    """The same part of two scores; None = one of them lacks it.

    difference: contribution to the first score minus that to the second.
    """

    name: str
    first: ScorePart | None
    second: ScorePart | None
    difference: float


def without(tree: Explanation, left_out: Collection[Explanation]) -> float:
    """Return the value of a tree without some of its nodes, wherever they occur.

    A sum loses their values, a mean is taken over the other parts, and the next largest value counts. NaN
    where nothing is left, or where a node belongs to another operator, such as a ratio.
    """
    if not tree.children:
        return tree.value
    kept = [child for child in tree.children if child not in left_out]
    if len(kept) < len(tree.children):
        if tree.operator not in _REMOVABLE:
            return math.nan
        if not kept:
            return 0.0 if tree.operator == "sum" else math.nan
    values = [without(child, left_out) for child in kept]
    if any(map(math.isnan, values)):
        return math.nan
    changed = tuple(Explanation(child.label, value=value) for child, value in zip(kept, values, strict=True))
    return replace(tree, children=changed).evaluate()


def parts(tree: Explanation) -> list[ScorePart]:
    """Return the parts of a score that can be left out, the largest contribution first.

    They are matches in the texts; of a metric without any, all values of which it takes a sum or mean.
    """
    candidates = list(_candidates(tree, ()))
    if in_texts := [found for found in candidates if _is_in_texts(found[1], found[2])]:
        candidates = in_texts
    places: dict[Explanation, list[Path]] = {}
    names: dict[Explanation, str] = {}
    for path, parent, node in candidates:
        places.setdefault(node, []).append(path)
        names.setdefault(node, f"{parent.label} › {node.label}")
    score, found = tree.evaluate(), []
    for node, paths in places.items():
        if not math.isnan(left := without(tree, {node})):
            evidence = tuple(_evidence(node))
            found.append(ScorePart(names[node], tuple(paths), node.evaluate(), left, score - left, evidence))
    return sorted(_numbered(found), key=lambda part: (-abs(part.contribution), part.paths))


def _candidates(node: Explanation, path: Path) -> Iterator[tuple[Path, Explanation, Explanation]]:
    for place, child in enumerate(node.children):
        here = (*path, place)
        if node.operator in _REMOVABLE:
            yield here, node, child
        yield from _candidates(child, here)


def _is_in_texts(parent: Explanation, node: Explanation) -> bool:
    """Return whether a node is a match, or a value with matches of which a mean or the largest is taken."""
    if parent.operator == "sum":
        return bool(node.evidence)
    return any(True for _ in _evidence(node))


def _numbered(listed: Sequence[ScorePart]) -> Iterator[ScorePart]:
    """Yield parts with a number after names that occur more than once."""
    counts = Counter(part.name for part in listed)
    seen: Counter[str] = Counter()
    for part in listed:
        seen[part.name] += 1
        yield replace(part, name=f"{part.name} ({seen[part.name]})") if counts[part.name] > 1 else part


def _evidence(tree: Explanation) -> Iterator[Evidence]:
    yield from tree.evidence
    for child in tree.children:
        yield from _evidence(child)


def compare_parts(first: Explanation, second: Explanation) -> list[PartPair]:
    """Return the parts of two scores of one measure, paired by name, the largest difference first."""
    one, other = ({part.name: part for part in parts(tree)} for tree in (first, second))
    pairs = []
    for name in dict.fromkeys((*one, *other)):
        here, there = one.get(name), other.get(name)
        apart = (here.contribution if here else 0.0) - (there.contribution if there else 0.0)
        pairs.append(PartPair(name, here, there, apart))
    return sorted(pairs, key=lambda pair: -abs(pair.difference))


def best_reference(tree: Explanation) -> str:
    """Return the reference, or document, that adds most to a score; empty = no part names one.

    Of a largest value it is the one that counts; else the one in whose part the most weight was matched.
    """
    node = tree
    while node.children:
        if node.operator == "max":
            node = max(node.children, key=Explanation.evaluate)
            if names := _sources(node):
                return max(names, key=lambda name: names[name])
        else:
            deeper = [child for child in node.children if _has_choice(child)]
            if not deeper:
                break
            node = deeper[0]
    names = _sources(tree)
    return max(names, key=lambda name: names[name]) if names else ""


def _has_choice(tree: Explanation) -> bool:
    return tree.operator == "max" or any(map(_has_choice, tree.children))


def _sources(tree: Explanation) -> dict[str, float]:
    """Return the weight of matched spans by reference or document."""
    weights: dict[str, float] = {}
    for one in _evidence(tree):
        if one.role != "summary":
            weights[one.name] = weights.get(one.name, 0.0) + abs(one.weight)
    return weights
