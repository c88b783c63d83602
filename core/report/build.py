"""Assembly of a study's report from its sections."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from core.comparison.families import family_of
from core.comparison.judgements import JudgementRef
from core.comparison.measures import checked
from core.comparison.options import SystemSelection
from core.comparison.staleness_text import stale_texts
from core.comparison.study_digest import study_digest
from core.domain.study import SystemKind
from core.formatting.numbers import pluralize
from core.operations.correlate import Correlations, infer_data, read_data
from core.operations.options import ReportRequest
from core.ports import Study
from core.progress import JobSteps, Progress
from core.report import main_part, sections
from core.report.bibliography import cited_references, study_sources
from core.report.legible import legible
from core.report.model import Report, ReportInputs
from core.report.report_items import chosen_sections
from core.stats.correlation import Level

_MAIN_SECTIONS: tuple[tuple[str, sections.Builder], ...] = (
    ("Metrics", main_part.metrics_section),
    ("Results", main_part.results_section),
    ("Figures", sections.figures_section),
    ("Chosen figures", chosen_sections),
    ("Methods", main_part.methods_section),
    ("Limits", main_part.limits_section),
    ("Reproduction", main_part.reproduction_section),
)
"""Sections of the main part after data and agreement, with the label shown while each is built."""


def build_report(
    study: Study, request: ReportRequest | None = None, unmarked: Collection[str] = ()
) -> JobSteps[Report]:
    """Build a report, section by section. unmarked: labels of measures that are not marked as out of date.

    Raises InputError for a judgement or metric that the study does not have.
    """
    inputs = yield from report_inputs(study, request or ReportRequest(), unmarked)
    built = main_part.data_section(inputs)
    agreement = yield from main_part.agreement_steps(inputs)
    built += [section for section in agreement if not section.is_appendix]
    appendix = sections.APPENDIX if inputs.request.has_appendix else ()
    count = len(_MAIN_SECTIONS) + len(appendix)
    for done, (note, build) in enumerate(_MAIN_SECTIONS):
        yield Progress(done, count, note)
        built += build(inputs)
    for done, (note, build) in enumerate(appendix, len(_MAIN_SECTIONS)):
        yield Progress(done, count, note)
        built += [replace(section, is_appendix=True) for section in build(inputs)]
    if inputs.request.has_appendix:
        built += [section for section in agreement if section.is_appendix]
    yield Progress(count, count, "Report built")
    signatures = tuple(dict.fromkeys(ref.signature for ref in inputs.comparison.refs))
    names = study.name, study.path.name, inputs.digest
    references = cited_references(built, study_sources(inputs))
    return legible(
        Report(study.name, _about(inputs), tuple(built), *names, inputs.request, signatures, references)
    )


def report_inputs(
    study: Study, request: ReportRequest, unmarked: Collection[str] = ()
) -> JobSteps[ReportInputs]:
    """Return the input of all sections. Raises InputError like `build_report`."""
    data = read_data(study, request)
    refs = checked(study, data.comparison.refs)
    comparison = replace(data.comparison, refs=tuple(refs))
    data = replace(data, comparison=comparison)
    judged = tuple(
        ref if ref.cells else JudgementRef(name, name, 0, (), f"{name}: no summary is judged yet.")
        for name, ref in data.judgements.items()
    )
    people = [system.name for system in study.texts.systems() if system.kind is SystemKind.HUMAN]
    left_out = tuple(people) if request.systems is not SystemSelection.ALL else ()
    changed = stale_texts(study, [ref for ref in refs if ref.label not in unmarked])
    inputs = ReportInputs(study, request, judged, comparison, left_out, study_digest(study), changed)
    if not refs:
        return inputs
    found: dict[Level, Correlations] = {}
    for level in request.levels:
        at_level, main = replace(request, level=level), main_part.main_judgements(inputs)
        found[level] = yield from infer_data(data, at_level, main)
    main_measures = family_of(refs, request.variants, range(len(refs)))
    return replace(inputs, correlations=found, main=main_measures)


def _about(inputs: ReportInputs) -> str:
    measures, humans = len(inputs.comparison.refs), len(inputs.judgements)
    parts = [f"{pluralize(measures, 'measure')} vs {pluralize(humans, 'human judgement')}"]
    if inputs.request.made_at:
        parts.append(inputs.request.made_at)
    return " · ".join(parts)
