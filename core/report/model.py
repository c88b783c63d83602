"""Values of a report: options, sections, tables, figures. `build` makes a report, `html` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.comparison.comparison import Comparison, SystemSelection
from core.comparison.inference import InferenceOptions, InferenceResult
from core.comparison.judgements import JudgementRef
from core.formatting.tables import Table
from core.ports import Study
from core.stats.correlation import Coefficient, Level, UndefinedPolicy


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
    """Figure as SVG elements for light and dark mode, with a caption.

    is_wide: too wide to be placed next to another figure.
    """

    title: str
    light: str
    dark: str
    caption: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a report. anchor: its HTML id. code: lines for a terminal."""

    title: str
    anchor: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    illustrations: tuple[FigureSvg, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """Report: title, one-line description, sections."""

    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReportInputs:
    """Input of all sections, read once.

    inference: intervals and tests by level and judgement.
    """

    study: Study
    options: ReportOptions
    judgements: tuple[JudgementRef, ...]
    comparison: Comparison
    left_out: tuple[str, ...]
    inference: Mapping[tuple[Level, str], InferenceResult] = field(default_factory=dict)

    def title_of(self, human: str) -> str:
        """Return a judgement's title by its name."""
        return next(ref.title for ref in self.judgements if ref.name == human)
