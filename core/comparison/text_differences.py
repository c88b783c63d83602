"""Differences between systems' texts that move correlations: letter case, length, number of references.

Systems that write without capital letters lose points by metrics that distinguish letter case, long summaries
win by recall, and more references raise scores: measures then differ for reasons that are not theirs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.comparison.measures import MeasureRef
from core.errors import InputError
from core.formatting.numbers import format_correlation, pluralize
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Metric, Need
from core.names import first_names
from core.ports import Study
from core.stats.correlation import partial_correlation

NO_CAPITALS = 0.001
"""Share of capitals among a system's letters below which it writes none."""

CAPITALS_RATIO, LENGTH_RATIO = 4.0, 2.0
"""How many times as much as others a system must have for a difference that a correlation shows."""

LENGTH_RATIO_OF_TEXTS = 3.0
"""The same before any metric is scored."""

CASE_MOVES, LENGTH_MOVES = 0.1, 0.2
"""Difference between a correlation and the one given the property from which it is reported."""

_FEWEST = 5
"""Systems from which lengths are compared, and correlations given a property are computed."""


@dataclass(frozen=True, slots=True)
class SystemTexts:
    """Texts of a system. capitals: share of its cased letters, NaN = none is cased. words: mean number."""

    name: str
    capitals: float
    words: float


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A difference between systems. what: a sentence without a full stop. remedy: a sentence."""

    kind: str
    what: str
    remedy: str


def describe_texts(texts: Iterable[tuple[str, str]]) -> tuple[SystemTexts, ...]:
    """Describe the texts of each system. texts: pairs of a system and a text."""
    capitals: dict[str, int] = defaultdict(int)
    cased: dict[str, int] = defaultdict(int)
    words: dict[str, list[int]] = defaultdict(list)
    for name, text in texts:
        upper = sum(map(str.isupper, text))
        capitals[name] += upper
        cased[name] += upper + sum(map(str.islower, text))
        words[name].append(len(text.split()))
    return tuple(
        SystemTexts(name, capitals[name] / cased[name] if cased[name] else math.nan, float(np.mean(counts)))
        for name, counts in words.items()
    )


def texts_of_systems(study: Study) -> tuple[SystemTexts, ...]:
    """Describe the texts of each system of a study, which reads all of them."""
    return describe_texts(
        (text.name, text.content) for topic in study.texts.load() for text in topic.summaries
    )


def text_differences(systems: Sequence[SystemTexts]) -> Iterator[TextDifference]:
    """Yield the large differences between systems, before any metric is scored."""
    if any(one.capitals < NO_CAPITALS for one in systems) and (sentence := _case_sentence(systems)):
        specs = " or ".join(f"`{name}:case=lc`" for name in ("bleu", "chrf"))
        yield TextDifference(
            "letter-case",
            sentence,
            f"Metrics that distinguish letter case, such as BLEU and chrF, score them lower: use {specs}.",
        )
    if len(systems) >= _FEWEST and (sentence := _length_sentence(systems, LENGTH_RATIO_OF_TEXTS)):
        yield TextDifference(
            "length",
            sentence,
            "Recall favors long summaries and precision short ones: `pyramidion resample STUDY --experiment "
            "length` shows correlations given the length.",
        )


def comparison_cautions(
    refs: Sequence[MeasureRef],
    scores: Sequence[ScoreMatrix],
    judgement: ScoreMatrix,
    systems: Sequence[SystemTexts],
) -> list[str]:
    """Return the differences that move the correlation of system means with a judgement, as sentences.

    refs, scores: the compared measures. systems: from `describe_texts`.
    """
    known = {one.name: one for one in systems}
    there = [name for name in judgement.systems if name in known]
    described = [known[name] for name in there]
    if len(there) < _FEWEST:
        return []
    human, sentences = judgement.select(there, judgement.topics), []
    given = f"Pearson's r of system means with {judgement.label} changes"
    cased = [place for place, ref in enumerate(refs) if _distinguishes_case(ref)]
    if cased and (sentence := _case_sentence(described)):
        moved = _moved(scores, human, cased, [one.capitals for one in described], CASE_MOVES)
        folded = _folded(refs, scores, human, cased)
        moved = [one for one in moved if one[0] not in dict(folded)]
        specs = sorted({f"`{refs[place].config.metric}:case=lc`" for place, _ in (*folded, *moved)})
        with_lc = [f"With `case=lc`, {given}: {_listed(folded, refs)}."] if folded else []
        with_lc += [f"Given this share, {given}: {_listed(moved, refs)}."] if moved else []
        if with_lc:
            sentences.append(f"{sentence}. {' '.join(with_lc)} Use {' and '.join(specs)}.")
    if sentence := _length_sentence(described, LENGTH_RATIO):
        moved = _moved(scores, human, range(len(refs)), [one.words for one in described], LENGTH_MOVES)
        if moved:
            remedy = "`resample --experiment length` shows all."
            sentences.append(f"{sentence}. Given the length, {given}: {_listed(moved, refs)}. {remedy}")
    return sentences


def reference_caution(refs: Sequence[MeasureRef]) -> str:
    """Return that measures were scored on different references; empty if not."""
    by_references: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for ref in refs:
        if _reads_references(ref):
            by_references[ref.config.references].append(ref.label)
    if len(by_references) < 2:
        return ""
    parts = [
        f"{first_names(labels)} on {pluralize(len(authors), 'reference') if authors else 'all references'}"
        for authors, labels in sorted(by_references.items(), key=lambda one: len(one[0]))
    ]
    return (
        f"Measures have different references: {'; '.join(parts)}. More references raise correlations, so "
        "differences between these measures are not theirs alone. Score all on the same (--references)."
    )


def _case_sentence(systems: Sequence[SystemTexts]) -> str:
    cased = [one for one in systems if math.isfinite(one.capitals)]
    if len(cased) < 2:
        return ""
    most, least = max(one.capitals for one in cased), min(one.capitals for one in cased)
    if most < NO_CAPITALS or most < CAPITALS_RATIO * least:
        return ""
    without = [one for one in cased if one.capitals < NO_CAPITALS]
    if without:
        others = [one.capitals for one in cased if one.capitals >= NO_CAPITALS]
        verb = "writes" if len(without) == 1 else "write"
        return (
            f"{len(without)} of {pluralize(len(cased), 'system')} {verb} no capital letters, the others "
            f"{min(others):.1%} to {max(others):.1%} of their letters"
        )
    return f"Capitals are {least:.1%} to {most:.1%} of the letters of a system"


def _length_sentence(systems: Sequence[SystemTexts], ratio: float) -> str:
    filled = [one for one in systems if one.words]
    if len(filled) < 2:
        return ""
    longest, shortest = max(filled, key=lambda one: one.words), min(filled, key=lambda one: one.words)
    if longest.words < ratio * shortest.words:
        return ""
    return (
        f"Mean lengths of systems range from {shortest.words:.0f} words ({shortest.name}) to "
        f"{longest.words:.0f} ({longest.name})"
    )


_Moved = list[tuple[int, tuple[float, float]]]
"""Places of measures with the correlation, and the one given a property; the largest change first."""


def _moved(
    scores: Sequence[ScoreMatrix],
    human: ScoreMatrix,
    places: Iterable[int],
    properties: Sequence[float],
    least: float,
) -> _Moved:
    control, z = np.array([properties]), human.system_means()
    found: _Moved = []
    for place in places:
        x = scores[place].select(human.systems, human.topics).system_means()
        plain, given = partial_correlation(x, z, control[:0]), partial_correlation(x, z, control)
        if abs(plain - given) >= least:  # not if one is undefined
            found.append((place, (plain, given)))
    return sorted(found, key=lambda one: -abs(one[1][0] - one[1][1]))


def _folded(
    refs: Sequence[MeasureRef], scores: Sequence[ScoreMatrix], human: ScoreMatrix, places: Iterable[int]
) -> _Moved:
    """Return the measures that are scored without letter case too, where that changes the correlation."""
    lower_case: dict[str, Any] = {"case": "lc"}
    by_key = {(ref.config.spec, ref.config.references, ref.measure): at for at, ref in enumerate(refs)}
    z, nothing = human.system_means(), np.empty((0, len(human.systems)))

    def correlation(place: int) -> float:
        x = scores[place].select(human.systems, human.topics).system_means()
        return partial_correlation(x, z, nothing)

    found: _Moved = []
    for place in places:
        ref = refs[place]
        spec = replace(registry.parse(ref.config.spec), **lower_case).spec
        other = by_key.get((spec, ref.config.references, ref.measure))
        if other is not None and abs(correlation(place) - correlation(other)) >= CASE_MOVES:
            found.append((place, (correlation(place), correlation(other))))
    return found


def _listed(moved: _Moved, refs: Sequence[MeasureRef]) -> str:
    parts = [
        f"{refs[place].label} from {format_correlation(plain)} to {format_correlation(given)}"
        for place, (plain, given) in moved
    ]
    return first_names(parts)


def _distinguishes_case(ref: MeasureRef) -> bool:
    return _of_metric(ref, lambda metric: metric.settings().get("case") == "mixed")


def _reads_references(ref: MeasureRef) -> bool:
    return _of_metric(ref, lambda metric: Need.REFERENCES in metric.needs)


def _of_metric(ref: MeasureRef, has: Callable[[Metric], bool]) -> bool:
    """Return whether the metric of a measure has a property; False for imported and unknown ones."""
    if ref.config.is_imported:
        return False
    try:
        return has(registry.parse(ref.config.spec))
    except InputError:
        return False
