"""Eligibility of measures for a ranking against a judgement.

A measure computed from the judgement's own annotations does not compete: it shows the attainable maximum. A
measure that lacks scores for summaries that others scored cannot be ranked with them, unless all are
restricted to their common data (`common_part`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.comparison.pyramid_judgements import PyramidJudgement
from core.domain.pyramid import UnitKind
from core.errors import InputError
from core.formatting.numbers import format_count, pluralize
from core.matrix import Array, ScoreMatrix
from core.names import first_names
from core.ports import MetricConfig
from core.stats.precision import normalize, round_values, scale_exponents, varies
from core.stats.row_coefficients import MINIMUM_PAIRS

if TYPE_CHECKING:
    from core.comparison.measures import MeasureRef

_LEAST_EQUAL = 4
"""Minimum number of values: equality of fewer may be chance."""

_LEAST_DISTINCT = 3
_ROUNDING = 1e-9
"""Relative to the range of the scores: copies may be stored with nine digits."""

_UNIT_ROWS = {
    UnitKind.SCU: re.compile(r"pyramid($|[.\[ †])", re.IGNORECASE),
    UnitKind.NUGGET: re.compile(r"nugget($|[.\[ †])", re.IGNORECASE),
}


class Status(StrEnum):
    """Whether a measure is ranked against a judgement, and the reason if not; in the order of tables."""

    RANKED = "ranked"
    INCOMPLETE = "incomplete"
    CONSTANT = "constant"
    SAME_FAMILY = "same-family"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Eligibility of one measure for the ranking against one judgement.

    reason: a sentence on why it is not ranked, empty = it is.
    coverage: such as ``15/100 topics`` if judged summaries have no score, else empty.
    caution: a sentence on a ranked measure that uses information from the judgement, such as training on it;
    empty = none.
    """

    status: Status = Status.RANKED
    reason: str = ""
    coverage: str = ""
    caution: str = ""

    @property
    def is_ranked(self) -> bool:
        """Return whether the measure can be best, is tested, and has a rank."""
        return self.status is Status.RANKED

    @property
    def mark(self) -> str:
        """Return the short note of its row: ``same annotations``, ``15/100 topics``, … or empty."""
        marks = {Status.SAME_FAMILY: SAME_ANNOTATIONS, Status.CONSTANT: CONSTANT}
        return marks.get(self.status, self.coverage)

    @property
    def note(self) -> str:
        """Return the note as text, such as ``15/100 topics, not ranked``."""
        return self.mark if self.is_ranked else f"{self.mark}, not ranked"

    @property
    def sentence(self) -> str:
        """Return the reason, else the caution."""
        return self.reason or self.caution


RANKED = Eligibility()
SAME_ANNOTATIONS = "same annotations"
CONSTANT = "constant values"


def eligibilities(
    refs: Sequence[MeasureRef], scores: Array, judgement: ScoreMatrix, human: str
) -> tuple[Eligibility, ...]:
    """Return the eligibility of each measure for the ranking against a judgement.

    scores: shape (measures, systems, topics), on the judgement's systems and topics; NaN = not scored.
    human: the judgement's name.
    """
    families = [
        same_family(ref.config, human, values, judgement.values)
        for ref, values in zip(refs, scores, strict=True)
    ]
    eligibility = _parted(families, scores, judgement)
    return tuple(
        replace(one, caution=_caution(ref.config, human)) if one.is_ranked else one
        for ref, one in zip(refs, eligibility, strict=True)
    )


def eligible_rows(rows: Sequence[ScoreMatrix], judgement: ScoreMatrix) -> tuple[Eligibility, ...]:
    """Return the eligibility of table rows, which are known only by names and values."""
    scores = np.array([row.select(judgement.systems, judgement.topics).values for row in rows])
    scores = scores.reshape(-1, *judgement.values.shape)
    own = f"Computed from the same annotations as {judgement.label}: it shows the attainable maximum."
    families = [
        own if is_own_name(row.label, judgement.label) or _is_own(values, judgement.values) else ""
        for row, values in zip(rows, scores, strict=True)
    ]
    return tuple(_parted(families, scores, judgement))


def is_own_name(label: str, human: str) -> bool:
    """Return whether a row is the judgement itself, or another score of the same pyramids, by its name."""
    if label == human:
        return True
    judgement = PyramidJudgement.read(human)
    return judgement is not None and _UNIT_ROWS[judgement.unit].match(label) is not None


def _parted(families: Sequence[str], scores: Array, judgement: ScoreMatrix) -> list[Eligibility]:
    """Return the eligibility of each measure.

    families: why its values are the judgement's own, empty = not.
    """
    judged, scored = np.isfinite(judgement.values), np.isfinite(scores)
    rivals = [i for i, reason in enumerate(families) if not reason]
    required = judged & scored[rivals].any(axis=0) if rivals else judged
    eligibility = []
    for reason, values, there in zip(families, scores, scored, strict=True):
        coverage = coverage_text(there, judged)
        if reason:
            eligibility.append(Eligibility(Status.SAME_FAMILY, reason, coverage))
        elif (required & ~there).any():
            eligibility.append(
                Eligibility(Status.INCOMPLETE, _incomplete(there & judged, required), coverage)
            )
        elif is_constant(np.where(judged, values, np.nan)):
            eligibility.append(Eligibility(Status.CONSTANT, CONSTANT_SCORES, coverage))
        else:
            eligibility.append(Eligibility(coverage=coverage))
    return eligibility


CONSTANT_SCORES = "The same score for every judged summary, so no correlation is defined."


def is_constant(values: Array) -> bool:
    """Return whether all of at least three values are equal; NaN = missing."""
    return bool(np.isfinite(values).sum() >= MINIMUM_PAIRS and not varies(normalize(values)))


def same_family(config: MetricConfig, human: str, scores: Array, judged: Array) -> str:
    """Return why a measure's values are the judgement's own; empty if they are not.

    scores, judged: shape (systems, topics). Pyramid scores of all kinds are one family: they count the same
    SCUs and matches. Imported values are the judgement's own if they are equal.
    """
    if config.metric == "pyramid" and not config.is_imported:
        if _is_by_scus(human):
            return f"Computed from the same annotations as {human}: it shows the attainable maximum."
        return ""
    if config.is_imported and _are_equal(scores, judged):
        return f"Imported, and equal to {human} for every summary: these are the judgement's own values."
    if config.is_imported and _is_linear(scores, judged):
        return f"Imported, and a linear function of {human}: these are the judgement's own values, rescaled."
    return ""


def _is_by_scus(human: str) -> bool:
    judgement = PyramidJudgement.read(human)
    return judgement is not None and judgement.unit is UnitKind.SCU


def coverage_text(scored: NDArray[np.bool_], judged: NDArray[np.bool_]) -> str:
    """Return the coverage of judged summaries by a measure, such as ``15/100 topics``; empty = complete.

    Topics are counted if only whole topics or systems are missing, else summaries.
    scores, judged: shape (systems, topics).
    """
    there = scored & judged
    if (there == judged).all():
        return ""
    topics, systems = np.asarray(there.any(axis=0)), np.asarray(there.any(axis=1))
    if (there == judged & topics[None]).all():
        return _share(topics.sum(), judged.any(axis=0).sum(), "topics")
    if (there == judged & systems[:, None]).all():
        return _share(systems.sum(), judged.any(axis=1).sum(), "systems")
    return _share(there.sum(), judged.sum(), "summaries")


def ranking_notes(
    labels: Sequence[str], eligibility: Mapping[str, Sequence[Eligibility]], remedy: str = ""
) -> list[str]:
    """Return sentences on unranked measures, and cautions on ranked ones.

    Constant ones have theirs in `core.comparison.cautions`.

    eligibility: by judgement, measures in the order of the labels; equal sentences are shared.
    remedy: a sentence on how to compare incomplete measures nevertheless.
    """
    humans: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for human, eligible in eligibility.items():
        pairs = list(zip(labels, eligible, strict=True))
        own = [label for label, one in pairs if one.status is Status.SAME_FAMILY]
        partial = [f"{label} ({one.coverage})" for label, one in pairs if one.status is Status.INCOMPLETE]
        if partial:
            humans.setdefault(f"incomplete: {first_names(partial)}. {remedy}".strip(), []).append(human)
        if own:
            detail = f"computed from the same annotations: {first_names(own)}."
            humans.setdefault(detail, []).append(human)
        for label, one in pairs:
            if one.caution and label not in others.setdefault(one.caution, []):
                others[one.caution].append(label)
    ranked = [f"Not ranked against {first_names(names)}, {detail}" for detail, names in humans.items()]
    return [*ranked, *(f"{first_names(names)}: {caution}" for caution, names in others.items())]


def common_part(
    scores: Sequence[ScoreMatrix], judgements: Iterable[ScoreMatrix]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the systems and topics for which every measure has scored every judged summary.

    A system that some measure lacks in all topics is dropped first; then every topic that lacks a score.
    Measures without any score do not count. Raises InputError, naming the least complete measures, if no
    topic or fewer than three systems remain.
    """
    judged_by = list(judgements)
    sides = (*judged_by, *scores)
    systems = tuple(dict.fromkeys(name for side in sides for name in side.systems))
    topics = tuple(dict.fromkeys(name for side in sides for name in side.topics))
    judged: NDArray[np.bool_] = np.zeros((len(systems), len(topics)), dtype=np.bool_)
    for one in judged_by:
        judged |= np.isfinite(one.select(systems, topics).values)
    scored = np.array([np.isfinite(one.select(systems, topics).values) for one in scores])
    scored = scored.reshape(-1, *judged.shape)
    scored = scored[(scored & judged).any(axis=(1, 2))]
    if not len(scored):
        return systems, topics
    required = judged & scored.any(axis=0)
    has_system = np.asarray((scored & required).any(axis=2).all(axis=0))
    required = required & has_system[:, None]
    is_missing = (required & ~scored).any(axis=(0, 1))
    has_topic = required.any(axis=0) & ~is_missing
    if has_system.sum() < 3 or not has_topic.any():
        counts = sorted((int((np.isfinite(one.values)).sum()), one.label) for one in scores)
        least = first_names([f"{label} ({pluralize(count, 'score')})" for count, label in counts])
        raise InputError(
            "These measures have no topic with three systems in common. "
            f"Measures with the fewest scores: {least}. Complete their scores or exclude them."
        )
    return (
        tuple(name for name, is_there in zip(systems, has_system, strict=True) if is_there),
        tuple(name for name, is_there in zip(topics, has_topic, strict=True) if is_there),
    )


def _incomplete(there: NDArray[np.bool_], required: NDArray[np.bool_]) -> str:
    missing = int((required & ~there).sum())
    summaries = "summary" if missing == 1 else "summaries"
    return f"Incomplete: {format_count(missing)} {summaries} scored by other measures, but not by this one."


def _share(some: int, every: int, what: str) -> str:
    return f"{format_count(int(some))}/{format_count(int(every))} {what}"


def _are_equal(scores: Array, judged: Array) -> bool:
    """Return whether both are equal wherever both have values."""
    both = np.isfinite(scores) & np.isfinite(judged)
    if both.sum() < _LEAST_EQUAL or is_constant(judged[both]):
        return False
    exponent = scale_exponents(judged[both])
    x, y = (np.ldexp(side[both], -exponent) for side in (scores, judged))
    return bool(np.allclose(x, y, rtol=_ROUNDING, atol=_ROUNDING))


def _is_linear(scores: Array, judged: Array) -> bool:
    """Return whether scores are a + b · judgement with b ≠ 0, as a judgement in percent is.

    At least three distinct values are needed: any two lie on a line.
    """
    both = np.isfinite(scores) & np.isfinite(judged)
    x, y = judged[both], scores[both]
    if len(x) < _LEAST_EQUAL or len(np.unique(round_values(x))) < _LEAST_DISTINCT:
        return False
    low, high = np.argmin(x), np.argmax(x)
    with np.errstate(over="ignore", invalid="ignore"):  # scores near the largest double are not linear
        slope = (y[high] - y[low]) / (x[high] - x[low])
        error = np.abs(y - y[low] - slope * (x - x[low])).max()
        return bool(slope != 0 and error <= _ROUNDING * np.ptp(y) < np.inf)


def _is_own(scores: Array, judged: Array) -> bool:
    return _are_equal(scores, judged) or _is_linear(scores, judged)


def _caution(config: MetricConfig, human: str) -> str:
    """Return a caution on a ranked measure that uses information from the judgement; empty if none."""
    if config.is_imported:
        return ""
    settings = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
    if settings.get("trained", "").replace("%7C", "|") == human:
        how = settings.get("topics-in-training", "")
        return f"trained on {human}{f' ({how})' if how else ''}; its agreement with other data may be lower."
    if config.metric == "pyramid":
        return "computed from human annotations, not automatically."
    if config.metric == "lite-pyramid" and _is_by_scus(human):
        return f"uses the SCUs of {human}, but no human matches."
    return ""
