"""Eligibility of measures for a ranking against a judgement: who competes, who does not, and why.

A measure that is computed from the judgement's own annotations is no competitor: it shows how high a value
can get. A measure that lacks summaries which others have scored cannot be ranked with them either, unless all
are restricted to what they share (`common_part`).
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
from core.errors import InputError
from core.formatting.numbers import format_count, pluralize
from core.matrix import Array, ScoreMatrix
from core.ports import MetricConfig

if TYPE_CHECKING:
    from core.comparison.measures import MeasureRef

_LEAST_EQUAL = 4
"""Equal numbers of fewer summaries may be chance."""

_LISTED = 3
_PYRAMID_ROW = re.compile(r"pyramid($|[.\[ †])", re.IGNORECASE)


class Status(StrEnum):
    """Whether a measure is ranked against a judgement, and if not, why; in the order of tables."""

    RANKED = "ranked"
    INCOMPLETE = "incomplete"
    SAME_FAMILY = "same-family"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """One measure's part in the ranking against one judgement.

    reason: a sentence that says why it is not ranked, empty = it is. coverage: as ``15/100 topics`` where
    judged summaries have no score, else empty. caution: a sentence on a measure that is ranked and yet knows
    something of the judgement, as one trained on it; empty = none.
    """

    status: Status = Status.RANKED
    reason: str = ""
    coverage: str = ""
    caution: str = ""

    @property
    def is_ranked(self) -> bool:
        """Whether it may be best, is tested and takes a rank."""
        return self.status is Status.RANKED

    @property
    def mark(self) -> str:
        """What its row shows: ``same annotations``, ``15/100 topics`` or nothing."""
        return SAME_ANNOTATIONS if self.status is Status.SAME_FAMILY else self.coverage

    @property
    def note(self) -> str:
        """The mark of a row in words, as ``15/100 topics, not ranked``."""
        return self.mark if self.is_ranked else f"{self.mark}, not ranked"

    @property
    def sentence(self) -> str:
        """The reason, else the caution."""
        return self.reason or self.caution


RANKED = Eligibility()
SAME_ANNOTATIONS = "same annotations"


def eligibilities(
    refs: Sequence[MeasureRef], scores: Array, judgement: ScoreMatrix, human: str
) -> tuple[Eligibility, ...]:
    """Each measure's part in the ranking against a judgement.

    scores: shape (measures, systems, topics), on the judgement's systems and topics; NaN = not scored.
    human: the judgement's name.
    """
    families = [
        same_family(ref.config, human, values, judgement.values)
        for ref, values in zip(refs, scores, strict=True)
    ]
    found = _parted(families, scores, judgement)
    return tuple(
        replace(one, caution=_caution(ref.config, human)) if one.is_ranked else one
        for ref, one in zip(refs, found, strict=True)
    )


def eligible_rows(rows: Sequence[ScoreMatrix], judgement: ScoreMatrix) -> tuple[Eligibility, ...]:
    """The same for rows of a table, which are known by their names and numbers alone."""
    scores = np.array([row.select(judgement.systems, judgement.topics).values for row in rows])
    scores = scores.reshape(-1, *judgement.values.shape)
    own = f"Computed from the same annotations as {judgement.label}: it shows what is attainable."
    families = [
        own if is_own_name(row.label, judgement.label) or _are_equal(values, judgement.values) else ""
        for row, values in zip(rows, scores, strict=True)
    ]
    return tuple(_parted(families, scores, judgement))


def is_own_name(label: str, human: str) -> bool:
    """Whether a row's name shows that it is the judgement itself, or another score of the same pyramids."""
    if label == human:
        return True
    return PyramidJudgement.read(human) is not None and _PYRAMID_ROW.match(label) is not None


def _parted(families: Sequence[str], scores: Array, judgement: ScoreMatrix) -> list[Eligibility]:
    """Each measure's part. families: why its numbers are the judgement's own, empty = they are not."""
    judged, scored = np.isfinite(judgement.values), np.isfinite(scores)
    rivals = [i for i, reason in enumerate(families) if not reason]
    wanted = judged & scored[rivals].any(axis=0) if rivals else judged
    found = []
    for reason, there in zip(families, scored, strict=True):
        coverage = coverage_text(there, judged)
        if reason:
            found.append(Eligibility(Status.SAME_FAMILY, reason, coverage))
        elif (wanted & ~there).any():
            found.append(Eligibility(Status.INCOMPLETE, _incomplete(there & judged, wanted), coverage))
        else:
            found.append(Eligibility(coverage=coverage))
    return found


def same_family(config: MetricConfig, human: str, scores: Array, judged: Array) -> str:
    """Why a measure's numbers are the judgement's own, empty = they are not.

    scores, judged: shape (systems, topics). Pyramid scores of every kind are one family: they count the same
    SCUs and matches. Numbers that were imported are the judgement's where they equal it.
    """
    if config.metric == "pyramid" and not config.is_imported:
        if PyramidJudgement.read(human) is not None:
            return f"Computed from the same annotations as {human}: it shows what is attainable."
        return ""
    if config.is_imported and _are_equal(scores, judged):
        return f"Imported, and equal to {human} for every summary: these are the judgement's own numbers."
    return ""


def coverage_text(scored: NDArray[np.bool_], judged: NDArray[np.bool_]) -> str:
    """Which part of the judged summaries a measure has scored, as ``15/100 topics``; empty = all.

    Whole topics are counted where only whole topics or systems are missing, else summaries.
    scored, judged: shape (systems, topics).
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
    labels: Sequence[str], found: Mapping[str, Sequence[Eligibility]], remedy: str = ""
) -> list[str]:
    """Sentences on measures that are not ranked, and on ranked ones to beware of.

    found: by judgement, measures in the order of the labels; judgements with the same sentence share it.
    remedy: what compares incomplete measures nevertheless, a sentence.
    """
    humans: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for human, eligible in found.items():
        pairs = list(zip(labels, eligible, strict=True))
        own = [label for label, one in pairs if one.status is Status.SAME_FAMILY]
        partial = [f"{label} ({one.coverage})" for label, one in pairs if one.status is Status.INCOMPLETE]
        if partial:
            humans.setdefault(f"incomplete: {listed(partial)}. {remedy}".strip(), []).append(human)
        if own:
            said = f"computed from the same annotations: {listed(own)}."
            humans.setdefault(said, []).append(human)
        for label, one in pairs:
            if one.caution and label not in others.setdefault(one.caution, []):
                others[one.caution].append(label)
    ranked = [f"Not ranked against {listed(names)}, {said}" for said, names in humans.items()]
    return [*ranked, *(f"{listed(names)}: {caution}" for caution, names in others.items())]


def common_part(
    scores: Sequence[ScoreMatrix], judgements: Iterable[ScoreMatrix]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The systems and topics on which every measure has scored every judged summary.

    A system that some measure lacks in all topics is left out; then every topic is that lacks a score. A
    measure without any score does not count. Raises InputError where no topic or fewer than three systems
    are left; it names the measures that have least.
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
    wanted = judged & scored.any(axis=0)
    has_system = np.asarray((scored & wanted).any(axis=2).all(axis=0))
    wanted = wanted & has_system[:, None]
    lacking = (wanted & ~scored).any(axis=(0, 1))
    has_topic = wanted.any(axis=0) & ~lacking
    if has_system.sum() < 3 or not has_topic.any():
        counts = sorted((int((np.isfinite(one.values)).sum()), one.label) for one in scores)
        least = listed([f"{label} ({pluralize(count, 'score')})" for count, label in counts])
        raise InputError(
            "These measures have no topic with three systems in common. "
            f"Those with the fewest scores: {least}. Score them further or leave them out."
        )
    return (
        tuple(name for name, is_there in zip(systems, has_system, strict=True) if is_there),
        tuple(name for name, is_there in zip(topics, has_topic, strict=True) if is_there),
    )


def listed(names: Sequence[str]) -> str:
    """The first names and how many more there are."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


def _incomplete(there: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> str:
    missing = int((wanted & ~there).sum())
    summaries = "summary" if missing == 1 else "summaries"
    return f"Incomplete: {format_count(missing)} {summaries} without a score that other measures have scored."


def _share(some: int, every: int, what: str) -> str:
    return f"{format_count(int(some))}/{format_count(int(every))} {what}"


def _are_equal(scores: Array, judged: Array) -> bool:
    """Whether both are the same numbers wherever both are there."""
    both = np.isfinite(scores) & np.isfinite(judged)
    if both.sum() < _LEAST_EQUAL or np.ptp(judged[both]) == 0:
        return False
    return bool(np.allclose(scores[both], judged[both], rtol=1e-9, atol=1e-9))


def _caution(config: MetricConfig, human: str) -> str:
    """What a measure that is ranked knows of the judgement, as a sentence; empty = nothing."""
    if config.is_imported:
        return ""
    said = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
    if said.get("trained", "").replace("%7C", "|") == human:
        how = said.get("topics-in-training", "")
        return f"trained on {human}{f' ({how})' if how else ''}; its agreement with other data may be lower."
    if config.metric == "pyramid":
        return "computed from human annotations, not by a program."
    if config.metric == "lite-pyramid" and PyramidJudgement.read(human) is not None:
        return f"reads the SCUs of {human}, though no human match."
    return ""
