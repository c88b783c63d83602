"""Reader of the folders of Lite2Pyramid (Zhang & Bansal 2021), which hold REALSumm and PyrXSum.

``SCUs.txt`` (units separated by tabs), ``references.txt``, ``documents.txt`` and ``ids.txt`` have one topic
per line; so have ``summaries/SYSTEM.summary`` and ``labels/SYSTEM.label`` (1 = the summary has the unit).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.domain.import_batch import ImportContent, NewMatches, NewPyramid, NewScu, NewText
from core.domain.name_checks import name_problem
from core.domain.study import join_sentences
from core.errors import InputError
from core.files.paths import access_errors, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.content_units import LocatedUnits, matches
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, is_clean, lines
from storage.formats.readers.text_folders import is_inside, is_readable

UNITS, REFERENCES, DOCUMENTS, IDS = "SCUs.txt", "references.txt", "documents.txt", "ids.txt"
SUMMARIES, SUMMARY, LABELS, LABEL = "summaries", ".summary", "labels", ".label"
AUTHOR, DOCUMENT, ANNOTATOR = "ref-00", "article", "lite2pyramid"

OPEN, CLOSE = "<t>", "</t>"
"""Marks around a sentence."""

_BETWEEN = re.compile(rf"{CLOSE}\s*{OPEN}")
_FILES = {UNITS, REFERENCES, DOCUMENTS, IDS, SUMMARIES, LABELS}
_LABELS = {"0": False, "1": True}
_LINE = 10
"""Bytes of memory for each byte of a file that consists of short lines."""


def is_folder(path: Path) -> bool:
    """Return whether a folder has this layout."""
    with access_errors(path):
        return (path / UNITS).is_file()


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a folder. Raises BadImport with every problem, InputError if it has another layout.

    options: ``annotator`` names who made the pyramids and matches.
    """
    annotator = options.get("annotator", "").strip() or ANNOTATOR
    if fault := name_problem(annotator):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    if not is_folder(path):
        raise InputError(f"{printable_path(path)} has no {UNITS}. {_where(path)}")
    reader = _Reader(path, annotator)
    yield from reader.read()
    return reader.content()


def _where(path: Path) -> str:
    """Return which folder to choose instead: those of several annotators are in one folder."""
    with access_errors(path):
        inner = sorted(printable_path(one.name) for one in path.iterdir() if is_folder(one))
    if not inner:
        return "Choose the folder that contains it."
    return f"Choose one of the folders in it: {', '.join(inner[:12])}{', …' if len(inner) > 12 else ''}."


class _Reader:
    """Reads a folder; a file with another number of lines than the units is a problem."""

    def __init__(self, path: Path, annotator: str) -> None:
        self._path, self._inside, self._annotator = path, path.resolve(), annotator
        self._problems = Problems(path.name)
        self._draft = ImportDraft(printable_path(path.name), self._problems)
        self._located = LocatedUnits()
        self._topics: list[str] = []
        self._scus: list[tuple[NewScu, ...]] = []
        self._matches: list[NewMatches] = []

    def read(self) -> JobSteps[None]:
        """Read every file."""
        yield Progress(0, 0, f"reading {UNITS}")
        units = self._lines(self._path / UNITS)
        self._topics = self._ids(len(units))
        self._texts(units)
        self._problems.stop_if_any()
        systems = self._files(SUMMARIES, SUMMARY)
        labels = self._files(LABELS, LABEL)
        for name in sorted(labels.keys() - systems.keys()):
            self._at(labels[name])
            what = f"There is no {SUMMARIES}/{name}{SUMMARY}."
            self._problems.add("", what, "Add the summaries, or remove the labels.")
        for done, name in enumerate(sorted(systems)):
            yield Progress(done, len(systems), f"reading {printable_path(name)}")
            self._system(name, systems[name], labels.get(name))

    def content(self) -> ImportContent:
        """Return everything that was read. Raises BadImport with every problem."""
        content = self._draft.finish()
        pyramids = [
            NewPyramid(topic, self._annotator, scus)
            for topic, scus in zip(self._topics, self._scus, strict=True)
            if scus
        ]
        return replace(
            content,
            annotators={**content.annotators, self._annotator: ""} if pyramids else content.annotators,
            pyramids=pyramids,
            matches=self._matches,
            notices=(*content.notices, *self._located.notices(content.source)),
        )

    def _at(self, file: Path) -> None:
        """Put following problems at a file."""
        self._problems.file = f"{self._path.name}/{file.relative_to(self._path).as_posix()}"
        self._problems.place = ""

    def _lines(self, file: Path, required: int | None = None) -> list[str]:
        """Return a file's lines; as many as required, else a problem is added and the rest is empty."""
        self._at(file)
        if not (is_readable(file, self._problems) and is_inside(file, self._inside, self._problems)):
            return [""] * (required or 0)
        self._problems.memory.check(_LINE * file.stat().st_size)
        found = [line.rstrip("\r\n") for _, line in lines(file, self._problems)]
        self._problems.place = ""
        if required is not None and len(found) != required and not self._problems.found:
            what = f"{len(found):,} lines, but {UNITS} has {required:,}."
            self._problems.add("", what, "Each line is a topic; add or remove lines.")
        for number, line in enumerate(found, 1):
            self._problems.place = f"line {number}"
            is_clean(line, "", self._problems)
        self._problems.place = ""
        return (found + [""] * (required or 0))[: required if required is not None else len(found)]

    def _ids(self, count: int) -> list[str]:
        file = self._path / IDS
        if not file.exists():
            return [f"topic-{number:0{len(str(count))}}" for number in range(1, count + 1)]
        names: dict[str, int] = {}
        for number, line in enumerate(self._lines(file, count), 1):
            self._problems.place = f"line {number}"
            name = line.strip()
            self._draft.names("id", name)
            if names.setdefault(name, number) != number:
                what = f"{name[:60]!r} is also on line {names[name]}."
                self._problems.add("id", what, "Give each topic another id.")
        self._problems.stop_if_any()
        return list(names)

    def _texts(self, units: Sequence[str]) -> None:
        """Read references, documents and units."""
        references = self._path / REFERENCES
        if not references.exists():
            self._at(references)
            self._problems.add("", "The file is missing.", "Add it: one reference per line.")
            return
        documents = self._path / DOCUMENTS
        if documents.exists():
            for topic, line in zip(self._topics, self._lines(documents, len(units)), strict=True):
                self._draft.document(topic, DOCUMENT, _text(line))
        contents = [_text(line) for line in self._lines(references, len(units))]
        for number, (topic, text) in enumerate(zip(self._topics, contents, strict=True), 1):
            self._problems.place = f"line {number}"
            if not text.content.strip():
                self._problems.add("", "The reference is empty.", "Write its text; the SCUs are its content.")
            self._draft.reference(topic, AUTHOR, text)
        self._at(self._path / UNITS)
        for number, (line, text) in enumerate(zip(units, contents, strict=True), 1):
            self._problems.place = f"line {number}"
            labels = [label.strip() for label in line.split("\t")] if line.strip() else []
            if not all(labels):
                self._problems.add("", "An SCU is empty.", "Remove the second of two tabs.")
            is_sound = all(labels) and text.content.strip()
            self._scus.append(self._located.units(AUTHOR, text, labels) if is_sound else ())

    def _files(self, folder: str, suffix: str) -> dict[str, Path]:
        """Return the files of a folder by their names without the suffix."""
        place = self._path / folder
        with access_errors(place):
            files = sorted(place.iterdir()) if place.is_dir() else []
        found = {}
        for file in files:
            if file.name.endswith(suffix) and file.name != suffix and not file.name.startswith("."):
                found[file.name.removesuffix(suffix)] = file
        return found

    def _system(self, name: str, summaries: Path, labels: Path | None) -> None:
        count = len(self._topics)
        texts = self._lines(summaries, count)
        rows = self._lines(labels, count) if labels is not None else []
        self._at(summaries)
        for index, (topic, line) in enumerate(zip(self._topics, texts, strict=True)):
            if line or not rows or rows[index].strip():  # both empty: the system has no summary here
                self._draft.summary(topic, name, _text(line))
        if labels is None:
            return
        self._at(labels)
        for index, (topic, row) in enumerate(zip(self._topics, rows, strict=True)):
            self._problems.place = f"line {index + 1}"
            present = self._labels(row, self._scus[index]) if row.strip() else None
            if present is not None:
                found = matches(self._scus[index], present)
                self._matches.append(NewMatches(topic, name, self._annotator, self._annotator, found))

    def _labels(self, row: str, units: Sequence[NewScu]) -> list[bool] | None:
        """Return the labels of a summary, or None and add a problem."""
        cells = row.strip().split("\t")
        if wrong := [cell for cell in cells if cell.strip() not in _LABELS]:
            what = f"{wrong[0][:40]!r} is neither 0 nor 1."
            self._problems.add(
                f"label {cells.index(wrong[0]) + 1}",
                what,
                "Write 1 or 0 for each SCU, with tabs between them.",
            )
            return None
        if len(cells) != len(units):
            what = f"{len(cells)} labels for {len(units)} SCUs."
            self._problems.add("", what, f"Write a label for each SCU on this line of {UNITS}.")
            return None
        return [_LABELS[cell.strip()] for cell in cells]


def _text(line: str) -> NewText:
    """Return the text of a line; ``<t> … </t>`` marks sentences."""
    inner = line.strip()
    if inner.startswith(OPEN) and inner.endswith(CLOSE):
        sentences = _BETWEEN.split(inner.removeprefix(OPEN).removesuffix(CLOSE))
        if not any(mark in sentence for sentence in sentences for mark in (OPEN, CLOSE)):
            return NewText(*join_sentences([sentence.strip() for sentence in sentences]))
    return NewText(line)


FORMAT = Format(
    "lite2pyramid",
    "Lite²Pyramid, REALSumm (folder)",
    "SCUs of one topic per line in SCUs.txt, with summaries/SYSTEM.summary and labels/SYSTEM.label.",
    without_study(read),
    is_folder,
)
