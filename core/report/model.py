"""Values of a report: options, sections, tables, figures. `build` makes a report, `html` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from core.comparison.comparison import Comparison
from core.comparison.inference import InferenceResult, SignificanceGroups
from core.comparison.judgements import JudgementRef
from core.comparison.noise_ceiling import UpperBound
from core.comparison.options import InferenceOptions, SystemSelection
from core.formatting.tables import Table
from core.json_schema import Converted
from core.operations.options import CorrelateRequest
from core.ports import Study
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from core.stats.types import stored_coefficient


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Contents of a report.

    humans: judgements, empty = all of the study.
    measures: labels, None = all.
    levels: in this order.
    coefficient: of figures, intervals and tests; tables also list the classic coefficients.
    references: authors whose references count for pyramid scores, empty = all.
    annotators: whose judgements to include, empty = according to the policies.
    made_at: date printed in the report; without it, reports of the same study are identical byte for byte.
    chance: options of intervals and tests.
    has_appendix: whether the details follow the main part.
    output: name of the written file or folder, for the command that is printed.
    """

    humans: tuple[str, ...] = ()
    measures: tuple[str, ...] | None = None
    levels: tuple[Level, ...] = tuple(Level)
    coefficient: Annotated[Coefficient, Converted(stored_coefficient)] = Coefficient.PEARSON
    systems: SystemSelection = SystemSelection.AUTOMATIC
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    references: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    made_at: str = ""
    chance: InferenceOptions = field(default_factory=InferenceOptions)
    has_appendix: bool = True
    output: str = "report.html"

    def request(self, level: Level = Level.SYSTEM) -> CorrelateRequest:
        """Return the request of the correlations at a level."""
        return CorrelateRequest(
            judgements=self.humans,
            human_references=self.references,
            level=level,
            coefficient=self.coefficient,
            measures=self.measures or (),
            undefined=self.undefined,
            annotators=self.annotators,
            systems=self.systems,
        )


@dataclass(frozen=True, slots=True)
class FigureSvg:
    """Figure as SVG elements for light and dark mode, with a caption.

    is_wide: too wide to be placed next to another figure.
    """

    title: str
    light: str
    dark: str
    caption: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class CitedText:
    """A part of a paragraph, the keys of references that are cited after it, and what follows these."""

    text: str
    keys: tuple[str, ...] = ()
    end: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the list of references, as text and as BibTeX."""

    key: str
    text: str
    bibtex: str


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a report.

    anchor: its HTML id. cited: a last paragraph, in parts that cite references. code: lines for a terminal.
    is_appendix: only details.
    """

    title: str
    anchor: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    illustrations: tuple[FigureSvg, ...] = ()
    code: tuple[str, ...] = ()
    is_appendix: bool = False
    cited: tuple[CitedText, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Report: title, one-line description, sections, those of the appendix last.

    study_name, study_file, study_digest: of the study, without its folder; the digest is over texts,
        annotations and ratings.
    options: with which it was built.
    signatures: of the metrics.
    references: in the order in which they are cited; the first one has the number 1.
    """

    title: str
    about: str
    sections: tuple[Section, ...]
    study_name: str = ""
    study_file: str = ""
    study_digest: str = ""
    options: ReportOptions = field(default_factory=ReportOptions)
    signatures: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def main(self) -> tuple[Section, ...]:
        """The sections before the appendix."""
        return tuple(section for section in self.sections if not section.is_appendix)

    @property
    def appendix(self) -> tuple[Section, ...]:
        """The sections of the appendix."""
        return tuple(section for section in self.sections if section.is_appendix)


@dataclass(frozen=True, slots=True, eq=False)
class ReportInputs:
    """Input of all sections, read once.

    inference: intervals and tests by level and judgement.
    main: indices of the measures of the main tables.
    groups: clusters of the main measures by level and judgement; none where nothing can be tested.
    agreements: of a rating's annotators by level and judgement; none for fewer than two.
    """

    study: Study
    options: ReportOptions
    judgements: tuple[JudgementRef, ...]
    comparison: Comparison
    left_out: tuple[str, ...]
    inference: Mapping[tuple[Level, str], InferenceResult] = field(default_factory=dict)
    main: tuple[int, ...] = ()
    groups: Mapping[tuple[Level, str], SignificanceGroups] = field(default_factory=dict)
    agreements: Mapping[tuple[Level, str], UpperBound] = field(default_factory=dict)

    def title_of(self, human: str) -> str:
        """Return a judgement's title by its name."""
        return next(ref.title for ref in self.judgements if ref.name == human)
