"""Reader of the folders of mt-metrics-eval (version 2): texts, human scores and metric scores by segment.

PAIR is a pair of languages. ``documents/PAIR.docs`` has the domain and the document of each segment;
``sources/PAIR.txt``, ``references/PAIR.NAME.txt`` and ``system-outputs/PAIR/SYSTEM.txt`` have a segment per
line, files ``.jsonl`` an object; ``human-scores/PAIR.NAME.LEVEL.score`` and
``metric-scores/PAIR/NAME-REFERENCES.LEVEL.score`` a system and its number. A segment becomes a topic.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText
from core.domain.name_checks import name_problem
from core.domain.study import SystemKind
from core.errors import InputError
from core.files.paths import access_errors, list_files, printable_path
from core.numerals import parse_number
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft, usual_scale
from storage.formats.readers.fields import Problems, json_object, lines, new_text
from storage.formats.readers.text_files import is_inside
from storage.formats.readers.usage import current

SOURCES, DOCUMENTS, REFERENCES, OUTPUTS = "sources", "documents", "references", "system-outputs"
HUMANS, METRICS = "human-scores", "metric-scores"
NO_TEXT = "[No translation supplied]"
"""Line of a system or reference without a text."""

NONE = "None"
ALL = "all"
"""Domain of documents without one."""

SEGMENT, DOCUMENT = "seg", "doc"
ANNOTATOR = "mt-metrics-eval"
RATING = "rating."
"""Beginning of names of mean ratings in exports."""

_SEGMENT = 100
"""Bytes of memory for each byte of a list of documents."""

_LEVELS = (SEGMENT, DOCUMENT, "domain", "sys")
_TEXT_SUFFIXES = (".txt", ".jsonl")
_FIELDS = {SOURCES: "source", REFERENCES: "target", OUTPUTS: "hypothesis"}
_SCORE = ".score"


def is_folder(path: Path) -> bool:
    """Return whether a folder has this layout."""
    with access_errors(path):
        return (path / OUTPUTS).is_dir() and any(
            (path / name).is_dir() for name in (HUMANS, METRICS, SOURCES)
        )


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a folder; with several pairs, the pair is each topic's set and the beginning of its name.

    options: ``annotator`` is the one of the human scores.
    Raises BadImport with every problem, InputError if the folder has another layout.
    """
    annotator = options.get("annotator", "").strip() or ANNOTATOR
    if fault := name_problem(annotator):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    if not is_folder(path):
        raise InputError(f"{printable_path(path)} has no {OUTPUTS}. Choose the folder of one test set.")
    reader = _Reader(path, annotator)
    for done, pair in enumerate(reader.pairs):
        yield Progress(done, len(reader.pairs), f"reading {printable_path(pair)}")
        yield from reader.read(pair)
    return reader.content()


@dataclass(slots=True)
class _Segments:
    """The segments of one pair. topics: names in order. lengths: number of segments per document."""

    topics: list[str]
    lengths: dict[str, int] = field(default_factory=dict)
    systems: dict[str, None] = field(default_factory=dict)


class _Reader:
    """Reads the files of a folder, pair by pair."""

    def __init__(self, path: Path, annotator: str) -> None:
        self._path, self._inside, self._annotator = path, path.resolve(), annotator
        self._problems = Problems(path.name)
        self._draft = ImportDraft(printable_path(path.name), self._problems)
        self._files = self._readable()
        outputs = (name.split("/")[1] for name in self._files if name.startswith(f"{OUTPUTS}/"))
        self.pairs = sorted(set(outputs))
        """Names of the pairs of languages."""

    def read(self, pair: str) -> JobSteps[None]:
        """Read all files of a pair."""
        outputs = self._named(f"{OUTPUTS}/{pair}/", _TEXT_SUFFIXES)
        segments = self._segments(pair, outputs)
        self._problems.stop_if_any()
        references = self._named(f"{REFERENCES}/{pair}.", _TEXT_SUFFIXES)
        for name, text in self._texts(f"{SOURCES}/{pair}", SOURCES, segments):
            self._draft.document(name, "source", text)
        for author, file in references.items():
            for name, text in self._texts(file, REFERENCES, segments):
                self._draft.reference(name, author, text)
        for system, file in outputs.items():
            yield Progress(0, 0, f"reading {printable_path(system)}")
            segments.systems[system] = None
            kind = SystemKind.HUMAN if system in references else SystemKind.AUTOMATIC
            for name, text in self._texts(file, OUTPUTS, segments):
                self._draft.summary(name, system, text, kind)
        self._problems.stop_if_any()
        for name, file in self._scores(f"{HUMANS}/{pair}.", segments):
            yield Progress(0, 0, f"reading {printable_path(name)}")
            self._ratings(name.removeprefix(RATING), file, segments)
        metrics = dict(self._scores(f"{METRICS}/{pair}/", segments))
        bases = [name.rpartition("-")[0] or name for name in metrics]
        for (name, file), base in zip(metrics.items(), bases, strict=True):
            yield Progress(0, 0, f"reading {printable_path(name)}")
            for topic, system, value in self._numbers(file, segments):
                self._draft.score(NewScore(topic, system, base if bases.count(base) == 1 else name, value))

    def content(self) -> ImportContent:
        """Return everything that was read. Raises BadImport with every problem."""
        content = self._draft.finish()
        scales = {name: usual_scale(*ends) for name, ends in content.dimensions.items()}
        return replace(content, dimensions=scales)

    def _readable(self) -> dict[str, Path]:
        """Return the folder's files by their names in it, without links to files elsewhere."""
        found = {}
        for file in list_files(self._path):
            relative = file.relative_to(self._path)
            self._problems.file = f"{self._path.name}/{relative.as_posix()}"
            is_known = len(relative.parts) > 1 and not file.name.startswith(".")
            if is_known and is_inside(file, self._inside, self._problems):
                found[relative.as_posix()] = file
        return found

    def _named(self, start: str, suffixes: Sequence[str]) -> dict[str, str]:
        """Return files below a folder by the names that they have between a start and a suffix."""
        found: dict[str, str] = {}
        for name in self._files:
            suffix = next((suffix for suffix in suffixes if name.endswith(suffix)), "")
            inner = name.removeprefix(start).removesuffix(suffix)
            if name.startswith(start) and suffix and inner and "/" not in inner:
                found[_decoded(inner)] = name.removesuffix(suffix)
        return found

    def _lines(self, name: str) -> Iterator[str]:
        self._problems.file = f"{self._path.name}/{name}"
        for _, line in lines(self._files[name], self._problems):
            yield line.rstrip("\r\n")

    def _segments(self, pair: str, outputs: Mapping[str, str]) -> _Segments:
        """Return the segments of a pair, named for their documents."""
        prefix = f"{_decoded(pair)}/" if len(self.pairs) > 1 else ""
        listed = f"{DOCUMENTS}/{pair}.docs"
        rows = []
        if listed in self._files:
            self._problems.memory.check(_SEGMENT * self._files[listed].stat().st_size)
        for line in self._lines(listed) if listed in self._files else ():
            rows.append([_decoded(cell) for cell in line.split()])
            if len(rows[-1]) != 2:
                what = "Not a domain and the name of a document."
                self._problems.add("", what, "Write both, separated by a space.")
        self._problems.stop_if_any()
        if not rows:
            first = next(iter(outputs.values()), "")
            suffix = next((s for s in _TEXT_SUFFIXES if f"{first}{s}" in self._files), "")
            count = sum(1 for _ in self._lines(f"{first}{suffix}")) if suffix else 0
            return _Segments([f"{prefix}segment-{n:0{len(str(count))}}" for n in range(1, count + 1)])
        segments = _Segments([])
        totals: defaultdict[str, int] = defaultdict(int)
        for _, document in rows:
            totals[document] += 1
        domains = {domain for domain, _ in rows}
        for number, (domain, document) in enumerate(rows, 1):
            segments.lengths[document] = segments.lengths.get(document, 0) + 1
            name = f"{prefix}{document}"
            if totals[document] > 1:
                name += f":{segments.lengths[document]:0{len(str(totals[document]))}}"
            self._problems.place = f"line {number}"
            topic = self._draft.topic(name)
            own = domain if len(domains) > 1 and domain != ALL else ""
            topic.set = _decoded(pair) if prefix else own
            segments.topics.append(name)
        return segments

    def _texts(self, stem: str, kind: str, segments: _Segments) -> Iterator[tuple[str, NewText]]:
        """Yield the topic and text of each line; lines without a text are left out."""
        name = next((f"{stem}{s}" for s in _TEXT_SUFFIXES if f"{stem}{s}" in self._files), "")
        if not name:
            return
        count = 0
        for count, line in enumerate(self._lines(name), 1):
            if count > len(segments.topics):
                continue
            value: object = line
            if name.endswith(".jsonl"):
                row = json_object(line, self._problems)
                row = None if row is None else current().record(row, printable_path(name))
                value = None if row is None else row.get(_FIELDS[kind])
            if value is not None and line != NO_TEXT and (text := new_text(value, "", self._problems)):
                yield segments.topics[count - 1], text
        self._count(count, len(segments.topics), "segments")

    def _count(self, count: int, required: int, what: str) -> None:
        self._problems.place = ""
        if count != required and not self._problems.found:
            sentence = f"{count:,} lines, but there are {required:,} {what}."
            self._problems.add("", sentence, "Write one line for each.")

    def _scores(self, start: str, segments: _Segments) -> Iterator[tuple[str, str]]:
        """Yield the names of scores with their file by segment; files of other levels are not used."""
        one_per_document = bool(segments.lengths) and max(segments.lengths.values()) == 1
        usable = {}
        for name in self._files:
            inner = name.removeprefix(start)
            if not name.startswith(start) or "/" in inner:
                continue
            stem, _, level = inner.removesuffix(_SCORE).rpartition(".")
            if not name.endswith(_SCORE) or level not in _LEVELS or not stem:
                continue
            if level == SEGMENT or (level == DOCUMENT and one_per_document):
                if level == SEGMENT or _decoded(stem) not in usable:
                    usable[_decoded(stem)] = name
            elif f"{start}{stem}.{SEGMENT}{_SCORE}" in self._files:
                current().expected.append(name)  # means of its segments
        yield from usable.items()

    def _ratings(self, name: str, file: str, segments: _Segments) -> None:
        for topic, system, value in self._numbers(file, segments):
            rating = NewRating(topic, system, name, self._annotator, value)
            self._draft.rating(rating, "", (value, value))

    def _numbers(self, file: str, segments: _Segments) -> Iterator[tuple[str, str, float]]:
        """Yield topic, system and number of each line, without missing ones."""
        counts: defaultdict[str, int] = defaultdict(int)
        for line in self._lines(file):
            cells = line.split()
            system = _decoded(cells[0]) if len(cells) == 2 else ""
            if len(cells) != 2:
                self._problems.add("", "Not a system and a number.", "Write both, separated by a tab.")
            elif system not in segments.systems:
                what = f"There are no outputs of a system {system[:60]!r}."
                self._problems.add("", what, f"Add {OUTPUTS}/…/{cells[0][:60]}.txt, or remove the line.")
            else:
                counts[system] += 1
                number = parse_number(cells[1])
                if number is None and cells[1] != NONE:
                    what = f"{cells[1][:40]!r} is not a number."
                    self._problems.add(system, what, f"Write a number, or {NONE}.")
                elif number is not None and counts[system] <= len(segments.topics):
                    yield segments.topics[counts[system] - 1], system, number
        for system, count in counts.items():
            self._count(count, len(segments.topics), f"segments, for {system[:60]}")


def _decoded(name: str) -> str:
    """Return a name whose odd characters are written as in a URL, as exports of this program do."""
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name


def text_line(content: str | None, kind: str) -> str:
    """Return a text as a line of a ``.jsonl`` file; None = missing."""
    return json.dumps({_FIELDS[kind]: content}, ensure_ascii=False)


FORMAT = Format(
    "mt-metrics-eval",
    "mt-metrics-eval (folder)",
    "A test set with texts, human scores and metric scores, one segment per line.",
    without_study(read),
    is_folder,
)
