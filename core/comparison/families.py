"""Families of tests: measures that are tested together, one of which is the best.

Recall, precision and F of a metric, or a metric with and without stemming, are nearly the same measure.
Testing them all only raises the adjusted p-values of all others, so by default a family has one variant per
metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from core.comparison.measures import MeasureRef
from core.comparison.options import Variants
from core.errors import InputError
from core.metrics import registry
from core.metrics.registry import split_label
from core.ports import MetricConfig

SELECTION = (
    "The best measure was chosen on the same data as it is tested on, so these p-values are too small "
    "(anticonservative)"
)
"""Caution for every comparison with the best."""

_MAIN = ("f", "f1", "score")
"""Last parts of the names of main measures, in order of preference."""


def family_of(refs: Sequence[MeasureRef], variants: Variants, among: Sequence[int]) -> tuple[int, ...]:
    """Return the indices of the measures that are tested together, ascending.

    among: indices of the measures ranked against the judgement.

    A metric's main measure is F if present, else its score, else its first measure; of several
    configurations the default, else the one scored first.
    """
    if variants is Variants.ALL:
        return tuple(sorted(among))
    chosen: dict[str, int] = {}
    for place in sorted(among):
        ref = refs[place]
        metric = split_label(ref.measure)[0] or ref.measure
        if metric not in chosen or _rank(ref) < _rank(refs[chosen[metric]]):
            chosen[metric] = place
    return tuple(sorted(chosen.values()))


def _rank(ref: MeasureRef) -> tuple[bool, int]:
    """Return the sort key of a metric's measures; the smallest, first on ties, is the main measure."""
    last = split_label(ref.measure)[1]
    return not _is_default(ref.config), _MAIN.index(last) if last in _MAIN else len(_MAIN)


def _is_default(config: MetricConfig) -> bool:
    """Return whether a configuration has the metric's default settings and all references."""
    is_limited = config.is_imported or config.references or config.scores_humans
    return not is_limited and _has_defaults(config.spec)


@lru_cache(maxsize=4096)
def _has_defaults(spec: str) -> bool:
    try:
        metric = registry.parse(spec)
    except InputError:  # the metric is unknown to this version
        return False
    usual = (f"{metric.name}:{settings}" if settings else metric.name for settings in metric.default_configs)
    return metric == type(metric)() or metric in map(registry.parse, usual)


def family_words(human: str, against: str, tests: int, rule: str, *, is_best: bool) -> str:
    """Return the name of a family, as ``Holm over 12 comparisons with the best of rating.coherence``.

    The best is that of the family, which other measures may surpass; a family of one has no tests.
    """
    if is_best and tests == 0:
        return (
            f"no test of {human}: {against} is the only measure in the tested family (one per metric); test "
            "all variants for more"
        )
    what = f"the best of {human} ({against})" if is_best else f"{against} by {human}"
    if not tests:
        return f"no other measure was tested against {what}"
    comparisons = "comparison" if tests == 1 else "comparisons"
    return f"{rule} over {tests} {comparisons} with {what}"
