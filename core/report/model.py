"""Values of a report: sections, tables, figures. `build` makes a report, `html` writes it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from core.comparison.comparison import Comparison
from core.comparison.inference import InferenceResult, SignificanceGroups
from core.comparison.judgements import JudgementRef
from core.comparison.noise_ceiling import UpperBound
from core.comparison.staleness_text import stale_notes
from core.formatting.tables import Table
from core.operations.correlate import Correlations
from core.operations.options import ReportRequest
from core.ports import Study
from core.stats.correlation import Level


@dataclass(frozen=True, slots=True)
class FigureSvg:
    """Figure as SVG elements for light and dark mode, with a caption.

    draw_dark: returns the one for dark mode, which web pages alone show.
    is_wide: too wide to be placed next to another figure.
    """

    title: str
    light: str
    draw_dark: Callable[[], str]
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
    request: with which it was built.
    signatures: of the metrics.
    references: in the order in which they are cited; the first one has the number 1.
    """

    title: str
    about: str
    sections: tuple[Section, ...]
    study_name: str = ""
    study_file: str = ""
    study_digest: str = ""
    request: ReportRequest = field(default_factory=ReportRequest)
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

    digest: of the study's texts, annotations and ratings.
    changed: by label of each measure that is out of date what has changed, a sentence.
    correlations: by level; none where nothing is scored.
    main: indices of the measures of the main tables.
    """

    study: Study
    request: ReportRequest
    judgements: tuple[JudgementRef, ...]
    comparison: Comparison
    left_out: tuple[str, ...]
    digest: str
    changed: Mapping[str, str] = field(default_factory=dict)
    correlations: Mapping[Level, Correlations] = field(default_factory=dict)
    main: tuple[int, ...] = ()

    def inference(self, level: Level, human: str) -> InferenceResult:
        """Return the intervals and tests of a judgement."""
        return self.correlations[level].results[human]

    def groups(self, level: Level, human: str) -> SignificanceGroups | None:
        """Return the clusters of a judgement; None = no two measures are tested."""
        found = self.correlations[level].groups.get(human)
        return found if found is not None and (found.tests or found.reason) else None

    def agreement(self, level: Level, human: str) -> UpperBound | None:
        """Return the agreement of a rating's annotators; None = it has fewer than two."""
        bounds = (bound for bound in self.correlations[level].upper_bounds if bound.human == human)
        return next((bound for bound in bounds if bound.short_text), None)

    def stale_notes(self, labels: Collection[str] | None = None) -> list[str]:
        """Return which of these measures are out of date, a sentence each. labels: None = all."""
        return stale_notes(self.changed, labels)

    def title_of(self, human: str) -> str:
        """Return a judgement's title by its name."""
        return next(ref.title for ref in self.judgements if ref.name == human)
