"""Selection of the systems in a comparison."""

from __future__ import annotations

import math
from collections.abc import Collection

from core.comparison.filters import Filter
from gui.pages.compare.study_data import ComparisonData
from gui.pages.compare.values import SystemChoice


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
