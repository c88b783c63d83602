"""Assembly of a study's report from its sections."""

from __future__ import annotations

from dataclasses import replace

from core.comparison.comparison import load_comparison
from core.comparison.families import family_of
from core.comparison.inference import (
    InferenceResult,
    SignificanceGroups,
    correlation_inputs,
    oriented,
    significance_groups,
)
from core.comparison.judgements import JudgementRef
from core.comparison.noise_ceiling import UpperBound
from core.comparison.options import SystemSelection
from core.comparison.study_digest import study_digest
from core.domain.study import SystemKind
from core.formatting.numbers import pluralize
from core.operations.correlate import (
    CorrelationData,
    annotator_agreement,
    infer_data,
    rating_cubes,
    requested_judgements,
)
from core.ports import Study
from core.progress import JobSteps, Progress
from core.report import main_part, sections
from core.report.bibliography import cited_references, study_sources
from core.report.legible import legible
from core.report.model import Report, ReportInputs, ReportOptions
from core.report.report_items import chosen_sections
from core.stats.correlation import Level

_BEFORE: tuple[tuple[str, sections.Builder], ...] = (
    ("Metrics", main_part.metrics_section),
    ("Results", main_part.results_section),
    ("Figures", sections.figures_section),
    ("Chosen figures", chosen_sections),
    ("Methods", main_part.methods_section),
    ("Limits", main_part.limits_section),
    ("Reproduction", main_part.reproduction_section),
)
"""Sections of the main part after data and agreement, with the label shown while each is built."""


def build_report(study: Study, options: ReportOptions | None = None) -> JobSteps[Report]:
    """Build a report, section by section.

    Raises InputError for a judgement or metric that the study does not have.
    """
    inputs = yield from report_inputs(study, options or ReportOptions())
    built = main_part.data_section(inputs)
    agreement = yield from main_part.agreement_steps(inputs)
    built += [section for section in agreement if not section.is_appendix]
    appendix = sections.APPENDIX if inputs.options.has_appendix else ()
    count = len(_BEFORE) + len(appendix)
    for done, (note, build) in enumerate(_BEFORE):
        yield Progress(done, count, note)
        built += build(inputs)
    for done, (note, build) in enumerate(appendix, len(_BEFORE)):
        yield Progress(done, count, note)
        built += [replace(section, is_appendix=True) for section in build(inputs)]
    if inputs.options.has_appendix:
        built += [section for section in agreement if section.is_appendix]
    yield Progress(count, count, "Report built")
    signatures = tuple(dict.fromkeys(ref.signature for ref in inputs.comparison.refs))
    names = study.name, study.path.name, study_digest(study)
    references = cited_references(built, study_sources(inputs))
    return legible(
        Report(study.name, _about(inputs), tuple(built), *names, inputs.options, signatures, references)
    )


def report_inputs(study: Study, options: ReportOptions) -> JobSteps[ReportInputs]:
    """Return the input of all sections. Raises InputError like `build_report`."""
    return (yield from _with_inference(_load_inputs(study, options)))


def _load_inputs(study: Study, options: ReportOptions) -> ReportInputs:
    refs = requested_judgements(study, options.request())
    judged = tuple(
        ref if ref.cells else JudgementRef(name, name, 0, (), f"{name}: no summary is judged yet.")
        for name, ref in refs.items()
    )
    comparison = load_comparison(
        study, list(refs), measures=options.measures, systems=options.systems, annotators=options.annotators
    )
    people = [system.name for system in study.texts.systems() if system.kind is SystemKind.HUMAN]
    left_out = tuple(people) if options.systems is not SystemSelection.ALL else ()
    return ReportInputs(study, options, judged, comparison, left_out)


def _with_inference(inputs: ReportInputs) -> JobSteps[ReportInputs]:
    """Compute intervals of all measures, and tests of main measures against the best of them."""
    comparison, options = inputs.comparison, inputs.options
    if not comparison.refs:
        return inputs
    inference: dict[tuple[Level, str], InferenceResult] = {}
    refs, cubes = (
        {ref.name: ref for ref in inputs.judgements},
        rating_cubes(inputs.study, comparison, options.annotators),
    )
    data = CorrelationData(comparison, refs, cubes=cubes)
    for level in options.levels:
        done = yield from infer_data(data, options.request(level), options.chance)
        inference |= {(level, human): result for human, result in done.results.items()}
    main = family_of(comparison.refs, options.request().variants, range(len(comparison.refs)))
    groups: dict[tuple[Level, str], SignificanceGroups] = {}
    agreements: dict[tuple[Level, str], UpperBound] = {}
    for level in options.levels:
        request = options.request(level)
        for human in main_part.main_judgements(inputs):
            agreement = annotator_agreement(data, human, request, options.chance)
            if (bound := (yield from agreement)) is not None:
                agreements[level, human] = bound
            ranked = set(comparison.ranked(human))
            tested = [place for place in main if place in ranked]
            if len(tested) > 1:
                turned = oriented(correlation_inputs(comparison, human, *request.method), comparison.refs)
                groups[level, human] = yield from significance_groups(turned, options.chance, tested)
    return replace(inputs, inference=inference, main=main, groups=groups, agreements=agreements)


def _about(inputs: ReportInputs) -> str:
    measures, humans = len(inputs.comparison.refs), len(inputs.judgements)
    parts = [f"{pluralize(measures, 'measure')} vs {pluralize(humans, 'human judgement')}"]
    if inputs.options.made_at:
        parts.append(inputs.options.made_at)
    return " · ".join(parts)
