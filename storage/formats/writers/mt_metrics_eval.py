"""Export of texts, human values and scores as a folder that mt-metrics-eval reads as a test set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from core.comparison.measures import MeasureRef, matrix, measures
from core.comparison.stand_ins import stand_in_of
from core.domain.study import Text, TopicTexts
from core.errors import InputError, PyramidionError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import MAX_NAME_BYTES, is_reserved
from core.files.paths import access_errors, printable_path
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Need
from core.ports import Study, language_of
from core.progress import JobSteps, Progress
from storage.formats.format_types import Export
from storage.formats.readers.mt_metrics_eval import (
    ALL,
    DOCUMENTS,
    HUMANS,
    METRICS,
    NO_TEXT,
    NONE,
    OUTPUTS,
    REFERENCES,
    SEGMENT,
    SOURCES,
    text_line,
)
from storage.formats.writers.score_records import judgements_of

_NAME, _REFERENCE = re.compile(r"[^A-Za-z0-9._-]"), re.compile(r"[^A-Za-z0-9_]")
_RESERVED = ("all", "src")
_LAYOUT = (DOCUMENTS, SOURCES, REFERENCES, OUTPUTS, HUMANS, METRICS, "README.md")
_UNKNOWN = "und"
"""Code of an unknown language (ISO 639-2)."""

_README = """\
A test set for mt-metrics-eval: one segment per topic.

    from mt_metrics_eval import data, meta_info
    info = meta_info.MetaInfo({reference!r}, {gold!r}, set(), set())
    data.EvalSet({name!r}, {pair!r}, read_stored_metric_scores=True, info=info, path=PARENT_FOLDER)

Other characters than letters, digits and ._- in names are written as in a URL. Missing values of
human scores are {none}; a metric without a score for each summary cannot be part of a test set.
{notes}"""


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write a test set, all or nothing; returns the number of files.

    Raises InputError if the study has no summaries, if the folder has files of a test set already, if two
    file names would differ only in case, if one is too long, or if writing fails.
    """
    _check_is_new(folder)
    topics = [topic for topic in study.texts.load() if topic.summaries]
    if not topics:
        raise InputError("The study has no summaries yet. Import them first.")
    language = language_of(study) or _UNKNOWN
    test_set = _TestSet(study, topics, f"{language}-{language}", folder.name)
    taken: set[str] = set()
    with atomic_folder(folder) as part:
        for name, lines in test_set.files():
            yield Progress(0, 0, f"writing {name}")
            if name.casefold() in taken:
                raise InputError(
                    f"{name}: another name in the study differs only in case, so two files would have one "
                    "name on some computers. Rename one of the two."
                )
            if len(name.rpartition("/")[2]) > MAX_NAME_BYTES:
                raise InputError(
                    f"{name[:80]}…: this name in the study is too long for a file of a test "
                    "set, which is named by it. Shorten the name."
                )
            taken.add(name.casefold())
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            with atomic_open(part / name) as file:
                file.writelines(f"{line}\n" for line in lines)
    return len(taken)


def _check_is_new(folder: Path) -> None:
    """Raise InputError if a folder has files that would be replaced, or be read as part of the test set."""
    with access_errors(folder):
        there = [name for name in _LAYOUT if (folder / name).exists()]
    if there:
        raise InputError(
            f"{printable_path(folder)} already contains {', '.join(there)}, perhaps of another test set. "
            "Nothing was written. Choose an empty folder, or delete them first."
        )


class _TestSet:
    """The files of a test set."""

    def __init__(self, study: Study, topics: Sequence[TopicTexts], pair: str, name: str) -> None:
        self._study, self._topics, self._pair, self._name = study, topics, pair, name
        summaries = [text.name for topic in topics for text in topic.summaries]
        authors = [text.name for topic in topics for text in topic.references]
        self._systems, self._authors = sorted(set(summaries)), sorted(set(authors))
        texts = [t for one in topics for t in (*one.summaries, *one.references)]
        contents = [text.content for text in texts] + [_source(topic) for topic in self._topics]
        self._is_json = any(_needs_json(content) for content in contents)
        self._left_out: list[str] = []
        self._stand_ins: dict[str, str] = {}
        self._golds: list[str] = []

    def files(self) -> Iterator[tuple[str, Iterable[str]]]:
        """Yield the name and the lines of every file."""
        pair, suffix = self._pair, ".jsonl" if self._is_json else ".txt"
        yield (
            f"{DOCUMENTS}/{pair}.docs",
            [f"{encoded(t.set or ALL)} {encoded(t.name)}" for t in self._topics],
        )
        yield f"{SOURCES}/{pair}{suffix}", [self._line(_source(topic), SOURCES) for topic in self._topics]
        for author in self._authors:
            lines = self._lines(author, lambda topic: topic.references, REFERENCES)
            yield f"{REFERENCES}/{pair}.{encoded_reference(author)}{suffix}", lines
        for system in self._systems:
            lines = self._lines(system, lambda topic: topic.summaries, OUTPUTS)
            yield f"{OUTPUTS}/{pair}/{encoded(system)}{suffix}", lines
        for judged in judgements_of(self._study):
            self._golds.append(encoded(judged.label))
            yield from self._score_files(f"{HUMANS}/{pair}.{encoded(judged.label)}", judged)
        for ref in measures(self._study, check_stale=False, with_made=True):
            scores = matrix(self._study, ref)
            if np.isnan(self._values(scores)).any():
                self._left_out.append(ref.label)
                continue
            if stand_in := stand_in_of(ref.config):
                self._stand_ins[ref.label] = stand_in
            name = f"{METRICS}/{pair}/{encoded(ref.label)}-{self._references_of(ref)}"
            yield from self._score_files(name, scores)
        yield "README.md", self._readme().splitlines()

    def _line(self, content: str | None, kind: str) -> str:
        if self._is_json:
            return text_line(content, kind)
        return NO_TEXT if content is None else content

    def _lines(self, name: str, texts_of: Callable[[TopicTexts], Sequence[Text]], kind: str) -> Iterator[str]:
        """Yield the texts of a system or author, one per topic."""
        for topic in self._topics:
            found = next((text.content for text in texts_of(topic) if text.name == name), None)
            yield self._line(found, kind)

    def _values(self, scores: ScoreMatrix) -> np.ndarray:
        """Return scores by the systems and topics of the test set; NaN = missing."""
        rows = {system: row for row, system in enumerate(scores.systems)}
        columns = {topic: column for column, topic in enumerate(scores.topics)}
        values = np.full((len(self._systems), len(self._topics)), np.nan)
        for s, system in enumerate(self._systems):
            for t, topic in enumerate(self._topics):
                if system in rows and topic.name in columns:
                    values[s, t] = scores.values[rows[system], columns[topic.name]]
        return values

    def _score_files(self, start: str, scores: ScoreMatrix) -> Iterator[tuple[str, Iterable[str]]]:
        values = self._values(scores)
        yield (
            f"{start}.{SEGMENT}.score",
            [
                f"{encoded(system)}\t{_number(value)}"
                for system, row in zip(self._systems, values, strict=True)
                for value in row
            ],
        )
        means = [
            float(np.mean(row[np.isfinite(row)])) if np.isfinite(row).any() else np.nan for row in values
        ]
        yield (
            f"{start}.sys.score",
            [
                f"{encoded(system)}\t{_number(mean)}"
                for system, mean in zip(self._systems, means, strict=True)
            ],
        )

    def _references_of(self, ref: MeasureRef) -> str:
        """Return the references that a measure used, as they are named in files."""
        if not self._authors or not _uses_references(ref):
            return "src"
        if ref.config.references:
            return ".".join(encoded_reference(author) for author in ref.config.references)
        return "all"

    def _readme(self) -> str:
        notes = [f"Left out, because a summary has no score: {name}." for name in self._left_out]
        notes += [f"{label}: {stand_in}." for label, stand_in in self._stand_ins.items()]
        gold = self._golds[0] if self._golds else ""
        about = {
            "reference": encoded_reference(self._authors[0]) if self._authors else "",
            "gold": {"sys": gold, SEGMENT: gold} if gold else {},
            "name": self._name,
            "pair": self._pair,
            "none": NONE,
        }
        return _README.format(**about, notes="\n".join(notes))


def encoded(name: str) -> str:
    """Return a name for files and lines: without spaces, and valid on every common file system."""
    safe = _NAME.sub(_escaped, name)
    return f"%{ord(safe[0]):02X}{safe[1:]}" if is_reserved(safe) else safe


def encoded_reference(author: str) -> str:
    """Return the name of a reference, which has neither dots nor dashes."""
    if author in _RESERVED:
        return f"%{ord(author[0]):02X}{author[1:]}"
    return _REFERENCE.sub(_escaped, author)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="surrogatepass"))


def _source(topic: TopicTexts) -> str:
    return "\n\n".join(text.content for text in topic.documents)


def _needs_json(content: str) -> bool:
    """Return whether a line of plain text would be read as another text."""
    return content != content.rstrip() or content == NO_TEXT or len(content.splitlines()) > 1


def _number(value: float) -> str:
    return repr(float(value)) if np.isfinite(value) else NONE


def _uses_references(ref: MeasureRef) -> bool:
    """Return whether a measure reads references; those computed elsewhere are taken to do so."""
    if ref.config.is_imported:
        return True
    try:
        return Need.REFERENCES in registry.parse(ref.config.spec).needs
    except PyramidionError:
        return True


EXPORT = Export(
    "metrics",
    "mt-metrics-eval",
    "",
    "A folder with texts, scores and human values, as a test set for mt-metrics-eval.",
    fill=write,
)
