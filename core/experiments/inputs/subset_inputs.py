"""Measures and pyramid scores whose references can be varied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.comparison.cautions import score_notes
from core.comparison.eligibility import is_own_name
from core.comparison.judgements import unit_judgement
from core.comparison.measures import MeasureRef, find_measure, measures, measures_for
from core.comparison.pyramid_judgements import PyramidJudgement
from core.comparison.stand_ins import mark_stand_in, stand_ins_among
from core.errors import InputError
from core.experiments.inputs.measure_inputs import PYRAMID, MeasureSpec, score_and_load
from core.experiments.inputs.subset_scores import (
    SubsetScorer,
    not_poolable_reason,
    pyramid_scores,
    stored_scorers,
)
from core.metrics.base import Resources
from core.ports import Study
from core.progress import JobSteps


@dataclass(frozen=True, slots=True)
class SubsetSources:
    """Loaded sources. left_out, stand_ins, warnings: a sentence each."""

    sources: tuple[SubsetScorer, ...]
    left_out: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(source.label for source in self.sources)

    def without(self, judgement: str) -> tuple[SubsetScorer, ...]:
        """Return the sources that are not computed from the judgement's own annotations."""
        return tuple(source for source in self.sources if not is_own_name(source.label, judgement))


def missing_subset_data(study: Study) -> str:
    """Return why references cannot be varied and what to do about it; empty if they can."""
    refs = measures(study, check_stale=False)
    if any(not not_poolable_reason(ref) for ref in refs) or unit_judgement(study):
        return ""
    if not study.texts.reference_authors():
        return "This study has no references to choose from."
    return "No measure supports varying references yet. Run `pyramidion score`, or match summaries first."


def load_sources(study: Study, names: Sequence[str]) -> SubsetSources:
    """Load measures and pyramid scores by name, by default all.

    Raises InputError for unknown names and for measures that cannot be restricted to a subset of references.
    """
    pyramids = _pyramid_names(study, names)
    refs = measures_for(study, set(names) - set(pyramids), check_stale=False)
    if names:
        chosen = [find_measure(refs, name) for name in names if name not in pyramids]
        left_out: list[str] = []
    else:
        chosen = [ref for ref in refs if not not_poolable_reason(ref) and ref.measure not in pyramids]
        left_out = _reasons(ref for ref in refs if ref.measure not in pyramids)
    marked = [replace(ref, label=mark_stand_in(ref.label, ref.config)) for ref in chosen]
    sources: list[SubsetScorer] = [*stored_scorers(study, marked)]
    sources += [pyramid_scores(study, name) for name in pyramids]
    warnings = tuple(score_notes(study, chosen))
    return SubsetSources(tuple(sources), tuple(left_out), stand_ins_among(chosen), warnings)


def load_paper_sources(
    study: Study, resources: Resources, specs: Sequence[MeasureSpec], *, pyramid: str
) -> JobSteps[SubsetSources]:
    """Load the score of content units if present, then the paper's metrics, scored if missing.

    pyramid: the paper's name for it, empty = the paper had none.
    """
    reading = yield from score_and_load(study, resources, specs)
    row = pyramid_row(study, pyramid)
    sources: list[SubsetScorer] = []
    if row.judgement:
        sources.append(replace(pyramid_scores(study, row.judgement), label=row.label))
    refs = [one.ref for one in reading.measured]
    sources += stored_scorers(study, refs)
    missing = (*reading.missing, *row.missing)
    if not sources:
        raise InputError(" ".join(missing))
    return SubsetSources(tuple(sources), missing, (*row.stand_ins, *reading.stand_ins), reading.warnings)


@dataclass(frozen=True, slots=True)
class PyramidRow:
    """The score of content units among a paper's metrics; empty = none. missing, stand_ins: sentences."""

    judgement: str = ""
    label: str = ""
    missing: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()


def pyramid_row(study: Study, label: str) -> PyramidRow:
    """Return the study's score of content units for a paper's pyramid score.

    label: the paper's name for it, empty = the paper had none; nuggets in its place keep their own name.
    """
    name = unit_judgement(study) if label else ""
    if name in ("", PYRAMID):
        is_missing = bool(label) and not name
        message = f"{label} is left out: no summary's matching is marked done."
        return PyramidRow(name, label, (message,) if is_missing else ())
    return PyramidRow(name, name, stand_ins=(f"{name} replaces the pyramid score, which the paper used.",))


def _pyramid_names(study: Study, names: Sequence[str]) -> list[str]:
    """Return the pyramid scores among the names; by default the main one, if the study has it."""
    if names:
        return [name for name in names if PyramidJudgement.read(name) is not None]
    return [name for name in (unit_judgement(study),) if name]


def _reasons(refs: Iterable[MeasureRef]) -> list[str]:
    """Return why measures are left out, a sentence per reason."""
    by_reason: dict[str, list[str]] = {}
    for ref in refs:
        if reason := not_poolable_reason(ref):
            by_reason.setdefault(reason, []).append(ref.label)
    return [f"Left out: {', '.join(labels)}: {reason}" for reason, labels in by_reason.items()]
