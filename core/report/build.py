"""Assembly of a study's report from its sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.comparison.comparison import SystemSelection, judgements_for, load_comparison
from core.comparison.families import Variants, family_of
from core.comparison.inference import InferenceResult, infer
from core.comparison.judgements import JudgementRef, judgements
from core.comparison.pyramid_judgements import choose_references
from core.domain.study import SystemKind
from core.formatting.numbers import pluralize
from core.ports import Study
from core.progress import JobSteps, Progress
from core.report import sections
from core.report.model import Report, ReportInputs, ReportOptions, Section
from core.stats.correlation import Level


def build_report(study: Study, options: ReportOptions | None = None) -> JobSteps[Report]:
    """Build a report, section by section.

    Raises InputError for a judgement or metric that the study does not have.
    """
    inputs = yield from _with_inference(_load_inputs(study, options or ReportOptions()))
    built: list[Section] = []
    for done, (note, build) in enumerate(sections.BUILDERS):
        yield Progress(done, len(sections.BUILDERS), note)
        built += build(inputs)
    yield Progress(len(sections.BUILDERS), len(sections.BUILDERS), "Report built")
    return Report(study.name, _about(inputs), tuple(built))


def _load_inputs(study: Study, options: ReportOptions) -> ReportInputs:
    named = list(options.humans) or [ref.name for ref in judgements(study, options.annotators)]
    if options.references:
        named = choose_references(named, options.references)
    humans = judgements_for(options.systems, named)
    refs = [ref for ref in judgements(study, options.annotators, humans) if ref.cells]
    comparison = load_comparison(
        study, humans, measures=options.measures, systems=options.systems, annotators=options.annotators
    )
    people = [system.name for system in study.texts.systems() if system.kind is SystemKind.HUMAN]
    left_out = tuple(people) if options.systems is not SystemSelection.ALL else ()
    return ReportInputs(study, options, _with_missing(refs, humans), comparison, left_out)


def _with_inference(inputs: ReportInputs) -> JobSteps[ReportInputs]:
    """Compute intervals of all measures, and tests of main measures against the best of them."""
    comparison, options = inputs.comparison, inputs.options
    if not comparison.refs:
        return inputs
    inference: dict[tuple[Level, str], InferenceResult] = {}
    variants = Variants.ALL if options.measures else Variants.MAIN
    for level in options.levels:
        # raises an error that names the measure
        comparison.rows(level, options.coefficient, options.undefined)
        for human in comparison.judgements:
            family = family_of(comparison.refs, variants, comparison.ranked(human))
            inference[level, human] = yield from infer(
                comparison,
                human,
                level,
                options.coefficient,
                options.chance,
                options.undefined,
                family=family,
            )
    return replace(inputs, inference=inference)


def _with_missing(refs: Sequence[JudgementRef], humans: Sequence[str]) -> tuple[JudgementRef, ...]:
    """Add requested judgements that have no values yet, with a note that says so."""
    refs_by_name = {ref.name: ref for ref in refs}
    return tuple(
        refs_by_name.get(name) or JudgementRef(name, name, 0, (), f"{name}: no summary is judged yet.")
        for name in humans
    )


def _about(inputs: ReportInputs) -> str:
    measures, humans = len(inputs.comparison.refs), len(inputs.judgements)
    parts = [f"{pluralize(measures, 'measure')} vs {pluralize(humans, 'human judgement')}"]
    if inputs.options.made_at:
        parts.append(inputs.options.made_at)
    return " · ".join(parts)
