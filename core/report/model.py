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
        """A judgement's title by its name."""
        return next(ref.title for ref in self.judgements if ref.name == human)
