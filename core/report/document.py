"""A report as a JSON document, and the numbers of its tables and figures.

The document holds every number at full precision. `core.report.replay` compares it with a new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated

from core.comparison.options import InferenceOptions, SystemSelection
from core.errors import InputError
from core.formatting.tables import Table
from core.json_schema import Checked, Converted, from_plain, to_plain
from core.operations.options import ReportRequest
from core.report.model import CitedText, FigureSvg, Reference, Report, Section
from core.stats.types import Coefficient, Level, UndefinedPolicy, stored_coefficient

SCHEMA_VERSION = 1
"""Raised when a key changes its meaning."""

_MOST_DRAWS = 10_000_000


@dataclass(frozen=True, slots=True)
class NumberedTable:
    """A table with its number, such as ``3`` or ``A3`` in the appendix, and its section."""

    number: str
    table: Table
    section: Section


@dataclass(frozen=True, slots=True)
class NumberedFigure:
    """A figure with its number, such as ``2`` or ``A2`` in the appendix, and its section."""

    number: str
    figure: FigureSvg
    section: Section


def numbered_tables(report: Report) -> Iterator[NumberedTable]:
    """Yield every table in order with its number."""
    for prefix, sections in (("", report.main), ("A", report.appendix)):
        tables = ((table, section) for section in sections for table in section.tables)
        for number, (table, section) in enumerate(tables, 1):
            yield NumberedTable(f"{prefix}{number}", table, section)


def numbered_figures(report: Report) -> Iterator[NumberedFigure]:
    """Yield every figure in order with its number."""
    for prefix, sections in (("", report.main), ("A", report.appendix)):
        figures = ((figure, section) for section in sections for figure in section.illustrations)
        for number, (figure, section) in enumerate(figures, 1):
            yield NumberedFigure(f"{prefix}{number}", figure, section)


def citation_numbers(report: Report | ReportDocument) -> dict[str, int]:
    """Return the number of each reference by its key."""
    return {one.key: number for number, one in enumerate(report.references, 1)}


def cited_text(parts: Iterable[CitedText], numbers: Mapping[str, int]) -> str:
    """Return a paragraph with the numbers of its references in brackets."""
    return "".join(f"{part.text}{bracketed(part.keys, numbers)}{part.end}" for part in parts)


def bracketed(keys: Iterable[str], numbers: Mapping[str, int]) -> str:
    """Return the numbers of references in brackets after a space, empty if there are none."""
    listed = ", ".join(map(str, sorted(numbers[key] for key in keys)))
    return f"\u00a0[{listed}]" if listed else ""


@dataclass(frozen=True, slots=True)
class StoredOptions:
    """The request of a report, under the names that documents have for it; measures: None = all."""

    humans: tuple[str, ...]
    measures: tuple[str, ...] | None
    levels: tuple[Level, ...]
    coefficient: Annotated[Coefficient, Converted(stored_coefficient)]
    systems: SystemSelection
    undefined: UndefinedPolicy
    references: tuple[str, ...]
    annotators: tuple[str, ...]
    made_at: str
    chance: InferenceOptions
    has_appendix: bool
    output: str = "report.html"

    @classmethod
    def of(cls, request: ReportRequest) -> StoredOptions:
        """Return the options of a request."""
        return cls(
            request.judgements,
            request.measures or None,
            request.levels,
            request.coefficient,
            request.systems,
            request.undefined,
            request.human_references,
            request.annotators,
            request.made_at,
            request.inference(),
            request.has_appendix,
            request.output,
        )

    def request(self) -> ReportRequest:
        """Return the request."""
        return ReportRequest(
            judgements=self.humans,
            measures=self.measures or (),
            levels=self.levels,
            coefficient=self.coefficient,
            systems=self.systems,
            undefined=self.undefined,
            human_references=self.references,
            annotators=self.annotators,
            made_at=self.made_at,
            has_appendix=self.has_appendix,
            output=self.output,
        ).with_inference(self.chance)


def _checked_options(options: StoredOptions) -> StoredOptions:
    chance = options.chance
    numbers = chance.draws, chance.simulated, chance.seed
    if not (0 < chance.confidence < 1 and min(numbers) >= 0 and max(numbers[:2]) <= _MOST_DRAWS):
        raise ValueError("its numbers are out of their range")
    return options


@dataclass(frozen=True, slots=True)
class Program:
    """The program that wrote a document."""

    name: str
    version: str = ""


@dataclass(frozen=True, slots=True)
class StudyName:
    """The study of a report: its name, its file, and the digest of its content."""

    name: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureName:
    """A figure without its drawing, which is known by its SHA-256."""

    title: str
    caption: str
    is_wide: bool = False
    sha256: str


@dataclass(frozen=True, slots=True)
class SectionDocument:
    """A section of a document; see `Section`."""

    title: str
    anchor: str
    is_appendix: bool
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    figures: tuple[FigureName, ...]
    code: tuple[str, ...]
    cited: tuple[CitedText, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """A report as stored: every number at full precision, figures without their drawings."""

    schema_version: int
    program: Program
    title: str
    about: str
    study: StudyName
    options: Annotated[StoredOptions, Checked(_checked_options)]
    signatures: tuple[str, ...]
    sections: tuple[SectionDocument, ...]
    references: tuple[Reference, ...] = ()

    def __post_init__(self) -> None:
        cited = {key for section in self.sections for part in section.cited for key in part.keys}
        if missing := cited - {one.key for one in self.references}:
            raise ValueError(f"the cited references {', '.join(sorted(missing))} are missing")


@dataclass(frozen=True, slots=True)
class _Head:
    program: Program
    schema_version: int


def report_document(report: Report) -> ReportDocument:
    """Return a report as its document."""
    return ReportDocument(
        SCHEMA_VERSION,
        Program("pyramidion", version("pyramidion")),
        report.title,
        report.about,
        StudyName(report.study_name, report.study_file, report.study_digest),
        StoredOptions.of(report.request),
        report.signatures,
        tuple(map(_section_document, report.sections)),
        report.references,
    )


def to_json(report: Report) -> str:
    """Return the document of a report as JSON text."""
    plain = to_plain(report_document(report))
    return json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _section_document(section: Section) -> SectionDocument:
    return SectionDocument(
        section.title,
        section.anchor,
        section.is_appendix,
        section.paragraphs,
        section.tables,
        tuple(
            FigureName(
                title=one.title, caption=one.caption, is_wide=one.is_wide, sha256=drawing_digest(one.light)
            )
            for one in section.illustrations
        ),
        section.code,
        section.cited,
    )


def read_document(text: str, source: str) -> ReportDocument:
    """Return the document of a JSON text. Raises InputError where it is none. source: named in errors."""
    try:
        plain = json.loads(text)
        head = from_plain(_Head, plain)
        if head.program.name != "pyramidion":
            raise ValueError("program.name: it is another program")
        if head.schema_version != SCHEMA_VERSION:
            raise InputError(
                f"{source} is a report of another version of Pyramidion. Replay it with version "
                f"{head.program.version}."
            )
        return from_plain(ReportDocument, plain)
    except (ValueError, RecursionError) as error:
        what = error if type(error) is ValueError else "its JSON cannot be read"
        raise InputError(
            f"{source} is not a report of Pyramidion, or it is damaged: {what}. Replay another copy."
        ) from error


def drawing_digest(svg: str) -> str:
    """Return the SHA-256 of a figure's SVG."""
    return hashlib.sha256(svg.encode()).hexdigest()
