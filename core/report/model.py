"""A report of a study as values: sections of sentences, tables and figures. `html` writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.comparison.comparison import Comparison, SystemSelection, judgements_for, load_comparison
from core.comparison.families import Variants, family_of
from core.comparison.inference import InferenceOptions, InferenceResult, infer
from core.comparison.judgements import JudgementRef, judgements
from core.comparison.pyramid_judgements import choose_references
from core.domain.study import SystemKind
from core.formatting.numbers import pluralize
from core.formatting.tables import Table
from core.ports import Study
from core.progress import JobSteps, Progress
from core.stats.correlation import Coefficient, Level, UndefinedPolicy


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a report holds.

    humans: judgements, empty = all that the study has. measures: labels, None = all. levels: in this order.
    coefficient: what the figures go by; the tables have all three. references: authors whose references
    pyramid scores count, empty = all. annotators: whose judgements count, empty = as the policies say.
    made_at: printed as it is; without it two reports of one study are the same bytes. chance: how intervals
    and differences from the best are computed.
    """

    humans: tuple[str, ...] = ()
    measures: tuple[str, ...] | None = None
    levels: tuple[Level, ...] = tuple(Level)
    coefficient: Coefficient = Coefficient.PEARSON
    systems: SystemSelection = SystemSelection.AUTOMATIC
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    references: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    made_at: str = ""
    chance: InferenceOptions = field(default_factory=InferenceOptions)


@dataclass(frozen=True, slots=True)
class FigureSvg:
    """A figure as SVG elements, for paper and daylight and for dark screens, and the sentence below it.

    is_wide: too wide to be read beside another one.
    """

    title: str
    day: str
    night: str
    caption: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter. anchor: its address on the page. code: lines for a terminal."""

    title: str
    anchor: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    illustrations: tuple[FigureSvg, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A title, one line that says what it is about, and its chapters."""

    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReportInputs:
    """Input of all sections, read once. standings: intervals and tests by level and judgement."""

    study: Study
    options: ReportOptions
    judgements: tuple[JudgementRef, ...]
    comparison: Comparison
    left_out: tuple[str, ...]
    standings: Mapping[tuple[Level, str], InferenceResult] = field(default_factory=dict)

    def title_of(self, human: str) -> str:
        """A judgement's title by its name."""
        return next(ref.title for ref in self.judgements if ref.name == human)


def build_report(study: Study, options: ReportOptions | None = None) -> JobSteps[Report]:
    """Make a report, section by section. Raises InputError on a name that the study does not have."""
    from core.report import sections

    findings = yield from _with_standings(_gather(study, options or ReportOptions()))
    made: list[Section] = []
    for done, (note, build) in enumerate(sections.BUILDERS):
        yield Progress(done, len(sections.BUILDERS), note)
        made += build(findings)
    yield Progress(len(sections.BUILDERS), len(sections.BUILDERS), "Report made")
    return Report(study.name, _about(findings), tuple(made))


def _gather(study: Study, options: ReportOptions) -> ReportInputs:
    named = list(options.humans) or [ref.name for ref in judgements(study, options.annotators)]
    if options.references:
        named = choose_references(named, options.references)
    humans = judgements_for(options.systems, named)
    refs = [ref for ref in judgements(study, options.annotators, humans) if ref.cells]
    comparison = load_comparison(
        study, humans, measures=options.measures, systems=options.systems, annotators=options.annotators
    )
    people = [system.name for system in study.systems() if system.kind is SystemKind.HUMAN]
    left_out = tuple(people) if options.systems is not SystemSelection.ALL else ()
    return ReportInputs(study, options, _with_missing(refs, humans), comparison, left_out)


def _with_standings(findings: ReportInputs) -> JobSteps[ReportInputs]:
    """Compute intervals of all measures, and tests of main measures against the best of them."""
    comparison, options = findings.comparison, findings.options
    if not comparison.refs:
        return findings
    standings: dict[tuple[Level, str], InferenceResult] = {}
    variants = Variants.ALL if options.measures else Variants.MAIN
    for level in options.levels:
        comparison.rows(
            level, options.coefficient, options.undefined
        )  # raises an error that names the measure
        for human in comparison.judgements:
            family = family_of(comparison.refs, variants, comparison.ranked(human))
            standings[level, human] = yield from infer(
                comparison,
                human,
                level,
                options.coefficient,
                options.chance,
                options.undefined,
                family=family,
            )
    return replace(findings, standings=standings)


def _with_missing(refs: Sequence[JudgementRef], humans: Sequence[str]) -> tuple[JudgementRef, ...]:
    """A judgement that was asked for but has no cell yet stays in the report, and says so."""
    found = {ref.name: ref for ref in refs}
    return tuple(
        found.get(name) or JudgementRef(name, name, 0, (), f"{name}: no summary is judged yet.")
        for name in humans
    )


def _about(findings: ReportInputs) -> str:
    measures, humans = len(findings.comparison.refs), len(findings.judgements)
    parts = [f"{pluralize(measures, 'measure')} vs {pluralize(humans, 'human judgement')}"]
    if findings.options.made_at:
        parts.append(findings.options.made_at)
    return " · ".join(parts)
