"""Comparative judgement: plans of comparisons, and annotators' preferences among summaries.

In a pairwise comparison an annotator prefers one of two summaries, or neither (tie). In best–worst scaling
the annotator chooses the best and the worst of a tuple, usually of four.
Sources: Thurstone 1927; Louviere et al. 2015; Kiritchenko and Mohammad 2017.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, count, pairwise

from core.errors import InputError

DEFAULT_TUPLE = 4
MOST_PER_SUMMARY = 1000
MOST_IN_TUPLE = 9
"""Summaries of a tuple are chosen by the keys 1 to 9."""

_RESTARTS = 16
"""Random starts of which the best balanced is taken."""


class ComparisonKind(StrEnum):
    """Question that a comparison asks."""

    PAIRWISE = "pairwise"
    BEST_WORST = "best-worst"


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """A plan of comparisons.

    question: shown to annotators.
    size: summaries in a comparison, 2 for pairs.
    per_summary: number of comparisons with each summary that was requested, 0 = not drawn by a rule.
    overlap: share of the comparisons that everybody judges.
    seed: of the draw.
    """

    id: str
    name: str
    kind: ComparisonKind
    question: str = ""
    size: int = 2
    per_summary: int = 0
    overlap: float = 1.0
    seed: int = 0

    @property
    def signature(self) -> str:
        """Return the text from which the plan can be drawn again for the same summaries."""
        settings = f"size:{self.size}|per-summary:{self.per_summary}|overlap:{self.overlap:g}"
        return f"comparisons|kind:{self.kind}|{settings}|seed:{self.seed}|draw:1"


@dataclass(frozen=True, slots=True)
class ComparisonItem:
    """One comparison of a plan.

    summary_ids: in the order in which they are displayed.
    annotator_id: who judges it, None = everybody.
    """

    id: str
    topic_id: str
    summary_ids: tuple[str, ...]
    annotator_id: str | None = None

    def is_for(self, annotator_id: str) -> bool:
        """Return whether an annotator is to judge it."""
        return self.annotator_id in (None, annotator_id)


@dataclass(frozen=True, slots=True)
class Preference:
    """One annotator's answer to a comparison.

    best, worst: ids of summaries; of a pair the preferred one and the other. Both None = tie.
    """

    id: str
    item_id: str
    annotator_id: str
    best: str | None = None
    worst: str | None = None

    @property
    def is_tie(self) -> bool:
        return self.best is None


@dataclass(frozen=True, slots=True)
class DrawnComparison:
    """A comparison as drawn: its topic, its systems in order, and who judges it (None = everybody)."""

    topic_id: str
    systems: tuple[str, ...]
    annotator_id: str | None = None


def check_plan(plan: ComparisonPlan) -> None:
    """Raise InputError for settings outside their ranges."""
    if not plan.name.strip():
        raise InputError("A plan of comparisons needs a name; type one.")
    if plan.kind is ComparisonKind.PAIRWISE and plan.size != 2:
        raise InputError(f"A pairwise comparison has 2 summaries, not {plan.size}. Remove the size.")
    if plan.kind is ComparisonKind.BEST_WORST and not 3 <= plan.size <= MOST_IN_TUPLE:
        raise InputError(f"The size {plan.size} is outside 3 to {MOST_IN_TUPLE}. Four is usual.")
    if not 0 <= plan.per_summary <= MOST_PER_SUMMARY:
        raise InputError(
            f"{plan.per_summary} comparisons per summary are not possible. Use at least 1 and at most "
            f"{MOST_PER_SUMMARY:,}."
        )
    if not 0 <= plan.seed < 2**31:
        raise InputError(f"The seed {plan.seed} is not possible. Use a number from 0 to {2**31 - 1}.")
    if not 0 <= plan.overlap <= 1:
        raise InputError(f"The overlap {plan.overlap:g} is not a share. Use a number from 0 to 1.")


def check_preference(plan: ComparisonPlan, item: ComparisonItem, best: str | None, worst: str | None) -> None:
    """Raise InputError for an answer that the comparison does not allow."""
    if best is None and worst is None:
        if plan.kind is ComparisonKind.PAIRWISE:
            return
        raise InputError("Best–worst scaling has no ties. Choose the best and the worst summary.")
    if best is None or worst is None or best == worst:
        raise InputError("Choose two different summaries as the best and the worst.")
    if not {best, worst} <= set(item.summary_ids):
        raise InputError("The chosen summary is not one of this comparison. Choose one that is displayed.")


def draw_comparisons(
    plan: ComparisonPlan, topics: Mapping[str, Sequence[str]], annotator_ids: Sequence[str] = ()
) -> list[DrawnComparison]:
    """Draw the comparisons of a plan; the same arguments give the same comparisons.

    topics: names of the systems of each topic, by topic id, in the order of the topics.
    annotator_ids: among whom the comparisons that do not overlap are divided, in a fixed order such as that
        of their names; empty = everybody judges all.
    Within a topic each summary is compared equally often (pairs: exactly, unless both the number of summaries
    and of comparisons per summary are odd; tuples: to within one). Topics with the same systems compare each
    pair of systems equally often, to within one. Each pair is displayed equally often in either order.
    Raises InputError for invalid settings.
    """
    check_plan(plan)
    if plan.per_summary < 1:
        raise InputError("A plan needs at least 1 comparison per summary.")
    drawn = random.Random(f"{plan.kind} {plan.size} {plan.seed}")
    pairs: Counter[tuple[str, str]] = Counter()
    draw = _draw_pairs if plan.kind is ComparisonKind.PAIRWISE else _draw_tuples
    sets = draw(plan, {topic: sorted(systems) for topic, systems in topics.items()}, drawn, pairs)
    ordered = _ordered(sets, drawn)
    return _assigned(ordered, plan.overlap, annotator_ids, drawn)


def _draw_pairs(
    plan: ComparisonPlan,
    topics: Mapping[str, Sequence[str]],
    drawn: random.Random,
    pairs: Counter[tuple[str, str]],
) -> dict[str, list[tuple[str, ...]]]:
    """Draw regular graphs on each topic's systems; topics with the same systems continue one rotation."""
    labelled: dict[tuple[str, ...], tuple[list[str], Iterator[int]]] = {}
    result: dict[str, list[tuple[str, ...]]] = {}
    for topic, systems in topics.items():
        group = tuple(systems)
        if len(group) < 2:
            result[topic] = []
            continue
        degree = min(plan.per_summary, len(group) - 1)
        classes, needed = _classes(len(group), degree)
        if group not in labelled:
            labelled[group] = (_best_labels(group, classes[:needed], drawn, pairs), count())
        labels, turn = labelled[group]
        chosen = [classes[next(turn) % len(classes)] for _ in range(needed)]
        result[topic] = [(labels[i], labels[j]) for edges in chosen for i, j in edges]
        pairs.update(_pair(a, b) for a, b in result[topic])
    return result


def _classes(systems: int, degree: int) -> tuple[list[list[tuple[int, int]]], int]:
    """Return disjoint sets of pairs that cover all, and how many of them give each system `degree` pairs.

    Even number of systems, or odd degree: the rounds of a round robin. Otherwise the cycles of equal
    differences, of which each gives every system two pairs.
    """
    if systems % 2 and degree % 2 == 0:
        steps = range(1, (systems - 1) // 2 + 1)
        return [[(i, (i + step) % systems) for i in range(systems)] for step in steps], degree // 2
    circle = systems - 1 if systems % 2 == 0 else systems
    rounds = []
    for turn in range(circle):
        edges = [((turn + i) % circle, (turn - i) % circle) for i in range(1, (circle + 1) // 2)]
        rounds.append([(turn, circle), *edges] if systems % 2 == 0 else edges)
    return rounds, degree


def _best_labels(
    group: Sequence[str],
    classes: Sequence[Sequence[tuple[int, int]]],
    drawn: random.Random,
    pairs: Mapping[tuple[str, str], int],
) -> list[str]:
    """Return the random order of systems whose first pairs are the least frequent so far."""
    best: tuple[int, list[str]] | None = None
    for _ in range(_RESTARTS):
        labels = list(group)
        drawn.shuffle(labels)
        seen = sum(pairs.get(_pair(labels[i], labels[j]), 0) for edges in classes for i, j in edges)
        if best is None or seen < best[0]:
            best = seen, labels
    assert best is not None
    return best[1]


def _draw_tuples(
    plan: ComparisonPlan,
    topics: Mapping[str, Sequence[str]],
    drawn: random.Random,
    pairs: Counter[tuple[str, str]],
) -> dict[str, list[tuple[str, ...]]]:
    """Draw tuples one after the other from the systems and pairs that are the least frequent so far."""
    result: dict[str, list[tuple[str, ...]]] = {}
    for topic, systems in topics.items():
        size = min(plan.size, len(systems))
        if size < 2:
            result[topic] = []
            continue
        wanted = min(math.ceil(len(systems) * plan.per_summary / size), math.comb(len(systems), size))
        candidates = [_tuples(systems, size, wanted, drawn, pairs) for _ in range(_RESTARTS)]
        result[topic] = min(candidates, key=lambda tuples: _unevenness(tuples, pairs))
        pairs.update(_pairs_of(result[topic]))
    return result


def _tuples(
    systems: Sequence[str], size: int, wanted: int, drawn: random.Random, pairs: Mapping[tuple[str, str], int]
) -> list[tuple[str, ...]]:
    used: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    tuples = []
    for _ in range(wanted):
        chosen: list[str] = []
        while len(chosen) < size:
            rank = {
                system: (
                    used[system],
                    sum(together[_pair(system, other)] for other in chosen),
                    sum(pairs.get(_pair(system, other), 0) for other in chosen),
                    drawn.random(),
                )
                for system in systems
                if system not in chosen
            }
            chosen.append(min(rank, key=rank.__getitem__))
        used.update(chosen)
        together.update(_pairs_of([tuple(chosen)]))
        tuples.append(tuple(chosen))
    return tuples


def _unevenness(tuples: Sequence[tuple[str, ...]], pairs: Mapping[tuple[str, str], int]) -> tuple[int, int]:
    """Return the sums of squared pair counts within the tuples, and with all earlier ones."""
    inside = Counter(_pairs_of(tuples))
    return (
        sum(number**2 for number in inside.values()),
        sum((number + pairs.get(pair, 0)) ** 2 - pairs.get(pair, 0) ** 2 for pair, number in inside.items()),
    )


def _ordered(
    sets: Mapping[str, Sequence[tuple[str, ...]]], drawn: random.Random
) -> list[tuple[str, tuple[str, ...]]]:
    """Shuffle the comparisons of each topic and order each so that systems change places equally often."""
    before: Counter[tuple[str, str]] = Counter()
    lead: Counter[str] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    result: list[tuple[str, tuple[str, ...]]] = []
    for topic, tuples in sets.items():
        shuffled = list(tuples)
        drawn.shuffle(shuffled)
        for systems in shuffled:
            if len(systems) == 2:
                a, b = systems[0], systems[1]
                key = before[a, b] - before[b, a], lead[a] - lead[b], drawn.random() - 0.5
                first, second = (b, a) if key > (0, 0, 0.0) else (a, b)
                before[first, second] += 1
                lead[first] += 1
                lead[second] -= 1
                result.append((topic, (first, second)))
            else:
                remaining = list(systems)
                drawn.shuffle(remaining)
                placed = []
                for place in range(len(systems)):
                    system = min(remaining, key=lambda name: places[name, place])
                    remaining.remove(system)
                    places[system, place] += 1
                    placed.append(system)
                result.append((topic, tuple(placed)))
    return result


def _assigned(
    ordered: Sequence[tuple[str, tuple[str, ...]]],
    overlap: float,
    annotator_ids: Sequence[str],
    drawn: random.Random,
) -> list[DrawnComparison]:
    """Spread the shared comparisons evenly over the plan; deal the others to the annotators in turn."""
    if not annotator_ids:
        return [DrawnComparison(topic, systems) for topic, systems in ordered]
    start = drawn.random()
    steps = [math.floor(start + overlap * at) for at in range(len(ordered) + 1)]
    shared = [after > before for before, after in pairwise(steps)]
    people = list(annotator_ids)
    drawn.shuffle(people)
    turn = count()
    return [
        DrawnComparison(topic, systems, None if is_shared else people[next(turn) % len(people)])
        for (topic, systems), is_shared in zip(ordered, shared, strict=True)
    ]


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def _pairs_of(tuples: Iterable[tuple[str, ...]]) -> list[tuple[str, str]]:
    return [_pair(a, b) for systems in tuples for a, b in combinations(systems, 2)]


def implied_pairs(item: ComparisonItem, answer: Preference) -> list[tuple[str, str]]:
    """Return the pairs (preferred, other) of summaries that an answer implies; none for a tie.

    The best of a tuple is preferred to all others, and all others to the worst.
    """
    if answer.best is None or answer.worst is None:
        return []
    middle = [one for one in item.summary_ids if one not in (answer.best, answer.worst)]
    return [
        (answer.best, answer.worst),
        *((answer.best, one) for one in middle),
        *((one, answer.worst) for one in middle),
    ]


def next_item(
    items: Sequence[ComparisonItem], answered: Iterable[str], annotator_id: str, after: str = ""
) -> ComparisonItem | None:
    """Return the annotator's next comparison without an answer, from `after` on and then from the start."""
    mine = [item for item in items if item.is_for(annotator_id)]
    done = set(answered)
    at = next((place + 1 for place, item in enumerate(mine) if item.id == after), 0)
    return next((item for item in (*mine[at:], *mine[:at]) if item.id not in done), None)
