"""Reader of citing papers and citances, one per line of JSONL, as this program exports them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.domain.citations import CitedSpan
from core.domain.import_batch import ImportContent, NewCitance, NewCitanceAnnotation, NewText
from core.domain.study import Span
from core.files.paths import printable_path
from core.progress import JobSteps
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_clean,
    json_rows,
    lines_to_skip,
    list_field,
    name_field,
    text_field,
)
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL


def is_header(names: set[str]) -> bool:
    """Return whether keys are those of a line with a citing paper."""
    return {"topic", "citing_paper"} <= names


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read citing papers and citances. Raises BadImport with every problem.

    A line with ``number`` is a citance: ``topic``, ``citing_paper``, ``document``, ``marker``,
    ``marker_span`` and ``annotations``. Each other line has the ``text`` of a citing paper, and optionally
    its ``sentences`` as a list of places.
    """
    problems = Problems(path.name, skipped=lines_to_skip(options))
    draft = ImportDraft(printable_path(path.name), problems)
    papers: set[tuple[str, str]] = set()
    yield from json_rows(path, problems, lambda row: _read_row(row, draft, papers))
    for topic, paper in sorted(papers):
        if paper not in draft.topic(topic).citing_papers:
            draft.citing_paper(topic, paper, NewText(""))
    return draft.finish()


def _read_row(row: Row, draft: ImportDraft, papers: set[tuple[str, str]]) -> None:
    problems, before = draft.problems, len(draft.problems.found)
    topic, paper = name_field(row, "topic", problems), name_field(row, "citing_paper", problems)
    if "number" not in row:
        content = text_field(row, "text", problems, required=False)
        spans = _spans(row, "sentences", problems) if row.get("sentences") is not None else None
        if len(problems.found) == before:
            draft.citing_paper(topic, paper, NewText(content, spans))
        return
    citance = NewCitance(
        topic,
        paper,
        name_field(row, "number", problems),
        text_field(row, "document", problems, required=False),
        text_field(row, "marker", problems, required=False),
        _span(row["marker_span"], "marker_span", problems) if row.get("marker_span") is not None else None,
        tuple(
            annotation
            for given in list_field(row, "annotations", problems)
            if (annotation := _annotation(given, problems)) is not None
        ),
    )
    if len(problems.found) == before:
        papers.add((topic, paper))
        draft.citance(citance)


def _annotation(given: Any, problems: Problems) -> NewCitanceAnnotation | None:
    if not isinstance(given, Mapping):
        problems.add("annotations", "An annotation is not an object.", 'Write {"annotator": …, "text": …}.')
        return None
    cited = []
    for part in list_field(given, "cited", problems):
        if not isinstance(part, Mapping):
            problems.add("cited", "A cited part is not an object.", 'Write {"span": [0, 10], "text": …}.')
            continue
        span = _span(part["span"], "span", problems) if part.get("span") is not None else None
        cited.append(CitedSpan(span, text_field(part, "text", problems, required=False)))
    facets = list_field(given, "facets", problems)
    if not all(isinstance(facet, str) and is_clean(facet, "facets", problems) for facet in facets):
        problems.add("facets", "A facet is not a text.", 'Write ["method"].')
        facets = ()
    return NewCitanceAnnotation(
        name_field(given, "annotator", problems),
        text_field(given, "text", problems, required=False),
        _spans(given, "spans", problems),
        tuple(cited),
        tuple(facets),
    )


def _spans(row: Row, name: str, problems: Problems) -> tuple[Span, ...]:
    spans = [_span(given, name, problems) for given in list_field(row, name, problems)]
    return tuple(span for span in spans if span is not None)


def _span(given: Any, name: str, problems: Problems) -> Span | None:
    if isinstance(given, list) and len(given) == 2 and all(type(number) is int for number in given):
        return given[0], given[1]
    problems.add(name, "A place is not a pair of whole numbers.", "Write [start, end], end excluded.")
    return None


FORMAT = Format(
    "citations",
    "Citances (JSONL)",
    "Citing papers, their citances, the parts that these cite, and facets, as exported.",
    without_study(read),
    by_names(is_header, JSONL),
    JSONL,
    has_rows=True,
)
