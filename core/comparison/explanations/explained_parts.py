"""Parts of an explained score: what each adds, and the parts of two systems side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import add

from core.metrics.base import Evidence, Explanation

Path = tuple[int, ...]
"""Place of a node in a tree: the index of the child at each step from the root."""

NO_PARTS = "This score is one number; no part of it can be left out."
"""Shown in place of parts."""

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
    flat = _FlatTree(tree)
    return flat.value_without([place for place, node in enumerate(flat.nodes) if node in left_out])


def parts(tree: Explanation) -> list[ScorePart]:
    """Return the parts of a score that can be left out, the one that the score would lose most by first.

    They are matches in the texts; of a metric without any, all values of which it takes a sum or mean.
    """
    flat = _FlatTree(tree)
    candidates = [
        place for place in range(1, len(flat.nodes)) if flat.operator_of_parent(place) in _REMOVABLE
    ]
    if in_texts := [place for place in candidates if flat.is_in_texts(place)]:
        candidates = in_texts
    by_node: dict[int, list[int]] = {}
    for place in candidates:
        by_node.setdefault(flat.kinds[place], []).append(place)
    score, found = flat.values[0], []
    for kind, mine in by_node.items():
        places = flat.places[kind]
        node = flat.nodes[places[0]]
        if not math.isnan(left := flat.value_without(places)):
            name = f"{flat.nodes[flat.parents[mine[0]]].label} › {node.label}"
            paths = tuple(flat.paths[place] for place in mine)
            evidence = tuple(_evidence(node))
            found.append(ScorePart(name, paths, flat.values[places[0]], left, score - left, evidence))
    return sorted(_numbered(found), key=lambda part: (-part.contribution, part.paths))


class _FlatTree:
    """The nodes of a tree in depth-first order with their values, so that leaving one out is quick.

    A tree can have thousands of parts, and neither the whole of it nor a sum of a thousand terms need be
    evaluated for each.
    kinds: a number for each node, the same for equal nodes. places: those of each kind.
    """

    def __init__(self, tree: Explanation) -> None:
        self.nodes: list[Explanation] = []
        self.parents: list[int] = []
        self.paths: list[Path] = []
        self.values: list[float] = []
        self.kinds: list[int] = []
        self.places: dict[int, list[int]] = {}
        self._children: list[list[int]] = []
        self._has_evidence: list[bool] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self._others: dict[int, list[tuple[float, float]]] = {}
        self._add(tree, -1, ())
        for place, kind in enumerate(self.kinds):
            self.places.setdefault(kind, []).append(place)

    def _add(self, node: Explanation, parent: int, path: Path) -> int:
        place = len(self.nodes)
        self.nodes.append(node)
        self.parents.append(parent)
        self.paths.append(path)
        self.values.append(node.value)
        self.kinds.append(-1)
        self._children.append([])
        self._has_evidence.append(bool(node.evidence))
        for at, child in enumerate(node.children):
            one = self._add(child, place, (*path, at))
            self._children[place].append(one)
            self._has_evidence[place] |= self._has_evidence[one]
        children = self._children[place]
        self.values[place] = node.combine([self.values[child] for child in children])
        own = node.label, node.operator, node.value, node.evidence, *(self.kinds[child] for child in children)
        self.kinds[place] = self._numbers.setdefault(own, len(self._numbers))
        return place

    def operator_of_parent(self, place: int) -> str:
        return self.nodes[self.parents[place]].operator

    def is_in_texts(self, place: int) -> bool:
        """Return whether a node is a match, or a value with matches that belongs to a mean or maximum."""
        if self.operator_of_parent(place) == "sum":
            return bool(self.nodes[place].evidence)
        return self._has_evidence[place]

    def value_without(self, left_out: Collection[int]) -> float:
        """Return the value of the tree without some of its nodes; see `without`."""
        removed, changed = set(left_out), dict.fromkeys(left_out, math.nan)
        waiting = {self.parents[place] for place in removed if place}
        while waiting:
            place = max(waiting)  # a node comes after its parent
            waiting.remove(place)
            changed[place] = self._changed_value(place, removed, changed)
            if place:
                waiting.add(self.parents[place])
        return changed.get(0, self.values[0])

    def _changed_value(self, place: int, removed: Collection[int], changed: Mapping[int, float]) -> float:
        """Return the value of a node, given the new values of some children and those that are removed."""
        node, children = self.nodes[place], self._children[place]
        if len(children) >= _MANY and node.operator in _FOLDS:
            different = [at for at, child in enumerate(children) if child in changed]
            if len(different) == 1 and (others := self._others_of(place)):
                child = children[different[0]]
                return self._folded(place, others[different[0]], None if child in removed else changed[child])
        kept = [child for child in children if child not in removed]
        if len(kept) < len(children):
            if node.operator not in _REMOVABLE:
                return math.nan
            if not kept:
                return 0.0 if node.operator == "sum" else math.nan
        values = [changed.get(child, self.values[child]) for child in kept]
        return math.nan if any(map(math.isnan, values)) else node.combine(values)

    def _others_of(self, place: int) -> list[tuple[float, float]]:
        """Return for each child the fold of those before and after it; empty = a child is undefined."""
        if place not in self._others:
            values = [self.values[child] for child in self._children[place]]
            undefined = any(map(math.isnan, values))
            self._others[place] = [] if undefined else _of_others(values, _FOLDS[self.nodes[place].operator])
        return self._others[place]

    def _folded(self, place: int, others: tuple[float, float], value: float | None) -> float:
        """Return the value of a sum, mean or maximum in which one child has another value; None = none."""
        operator, count = self.nodes[place].operator, len(self._children[place])
        if value is not None and math.isnan(value):
            return math.nan
        folded = _FOLDS[operator](*others)
        if value is not None:
            folded = _FOLDS[operator](folded, value)
        return folded / (count - (value is None)) if operator == "mean" else folded


_MANY = 8
"""Children from which on their values are folded once for all parts, which rounds otherwise than a sum."""

_FOLDS: Mapping[str, Callable[[float, float], float]] = {"sum": add, "mean": add, "max": max}


def _of_others(values: Sequence[float], fold: Callable[[float, float], float]) -> list[tuple[float, float]]:
    """Return for each value the fold of those before it and of those after it."""
    start = 0.0 if fold is add else -math.inf
    before = accumulate(values[:-1], fold, initial=start)
    after = reversed(list(accumulate(values[:0:-1], fold, initial=start)))
    return list(zip(before, after, strict=True))


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
