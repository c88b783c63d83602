"""Resumable build of an index: segments that are written one by one, then merged.

The folder of a build has a manifest of its sources and options, and a folder per finished segment. Segments
get their names in order, atomically, with the place in the sources where the next one begins. A build that
was killed continues there if its sources and options are the same; otherwise it starts again.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.errors import InputError
from core.files.locks import exclusive
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.json_text import parse_json
from core.progress import JobSteps, Progress, raise_if_cancelled
from core.retrieval.analysis import Analysis
from core.retrieval.builder import Admissions
from core.retrieval.index_store import IndexRequest
from core.retrieval.protocols import DeletedDocument, SourceDocument
from core.retrieval.segments import Segment, merge
from core.scoring.process_pool import cores
from core.worker_processes import worker_pool
from storage.indexes.document_sources import (
    DocumentReader,
    ReadingPosition,
    ReadingReport,
    check_sources,
    identity_of,
    reading_units,
)

FORMAT = 1
SEGMENT_SIZE = 16_000_000
"""Characters of a segment's documents: 10,000 abstracts."""

_MANIFEST, _STATE, _LOCK = "build.json", "segment.json", "lock"
_PENDING, _COMPACT = "pending-", "compact-"
_MOST_WORKERS = 4
"""Processes at most; the reading of the sources keeps no more busy."""

_INTERVAL = 100
"""Documents between two progress reports."""

_PAUSE = 0.2
"""Seconds between two progress reports while waiting for a segment."""


def usual_workers() -> int:
    """Return the number of processes that index on this machine; 0 = only this one."""
    return min(cores(), _MOST_WORKERS) if cores() > 1 else 0


@dataclass(frozen=True, slots=True)
class FinishedBuild:
    """The arrays of a finished index are written. notes: what was left out."""

    documents: int
    fingerprint: str
    notes: list[str]


@dataclass
class SegmentedBuild:
    """The build of an index in a folder. size: characters of a segment. workers: processes, 0 = this one."""

    folder: Path
    request: IndexRequest
    size: int = SEGMENT_SIZE
    workers: int = field(default_factory=usual_workers)
    _admissions: Admissions = field(default_factory=Admissions)
    _deletions: list[tuple[int, str]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _first: int = 0

    def interruption(self) -> str:
        """Return a sentence on what an interrupted build left, empty = nothing."""
        if not (self.folder / _MANIFEST).is_file():
            return ""
        name = self.request.name
        if not self._is_same():
            return f"Sources or options changed since the build of {name} was interrupted: it starts again."
        documents = sum(_state(segment)["documents"] for segment in self._segments())
        return f"Continuing the interrupted build of {name} after {pluralize(documents, 'document')}."

    def run(self, target: Path) -> JobSteps[FinishedBuild]:
        """Build the index and write its arrays into a folder; removes the build's folder when closed.

        A killed process leaves it, and so does a full disk. Raises InputError, BadImport.
        """
        name = self.request.name
        refusal = f"The index {name} is being built by another program. Wait, or choose another name."
        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive(self.folder / _LOCK, refusal):
            try:
                check_sources(self.request.sources)
            except InputError:
                if not self._segments():
                    self.remove()
                raise  # a missing disk loses nothing
            try:
                yield from self._sweep()
                finished = yield from self._run(target)
            except OSError:
                raise  # what is finished is of use once there is space again
            except BrokenProcessPool as error:
                raise InputError(
                    "A process that built the index was ended, probably for lack of memory. Close other "
                    "programs and build it again, which continues."
                ) from error
            except BaseException:
                self.remove()
                raise
            return finished

    def remove(self) -> None:
        """Delete what the build left."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, target: Path) -> JobSteps[FinishedBuild]:
        reader = self._reader()
        yield Progress(0, 0, self.interruption() if self._first else "reading documents")
        yield from self._read(reader)
        admissions = self._admissions
        notes = [*_notes(admissions), *reader.report.notes()]
        if admissions.rows == len(admissions.dropped):
            lines = ["The sources contain no documents. Choose others.", *notes]
            raise InputError("\n".join(lines))
        segments = [self._compact(segment) for segment in self._places_of_rows()]
        fingerprint = yield from merge(segments, target, self.request.analysis)
        return FinishedBuild(admissions.rows - len(admissions.dropped), fingerprint, notes)

    # Reading

    def _read(self, reader: DocumentReader) -> JobSteps[None]:
        """Write the segments of all documents that are left to read."""
        with _started(self.request.analysis, self.workers) as workers:
            pending: deque[_Pending] = deque()
            documents: list[SourceDocument] = []
            characters = 0
            for number, found in enumerate(reader, start=1):
                if isinstance(found, DeletedDocument):
                    self._admissions.delete(found.id)
                    self._deletions.append((self._admissions.rows, found.id))
                elif self._admissions.admit(found.id, found.version):
                    documents.append(found)
                    characters += len(found.content)
                if number % _INTERVAL == 0:
                    raise_if_cancelled()
                    yield self._progress(reader)
                if characters >= self.size:
                    place, state = self._pending_place(), self._state(reader.position, len(documents))
                    pending.append(_Pending(workers.submit(documents, place), place, state))
                    documents, characters = [], 0
                    while len(pending) > workers.count:
                        yield from self._wait(pending.popleft(), reader)
            while pending:
                yield from self._wait(pending.popleft(), reader)
            if documents or not self._segments():
                place, state = self._pending_place(), self._state(reader.position, len(documents))
                index_segment(documents, self.request.analysis, place)
                self._commit(_Pending(None, place, state))

    def _wait(self, pending: _Pending, reader: DocumentReader) -> JobSteps[None]:
        """Wait for a segment and commit it."""
        while pending.future is not None and not pending.future.done():
            raise_if_cancelled()
            wait([pending.future], timeout=_PAUSE)
            yield self._progress(reader)
        self._commit(pending)

    def _progress(self, reader: DocumentReader) -> Progress:
        elapsed = max(time.monotonic() - self._began, 1e-3)
        rows = self._admissions.rows
        rate = (rows - self._first) / elapsed
        done = min(reader.done, reader.total)
        note = f"{reader.note} · {rows:,} documents"
        if self._first:
            note = f"{note} ({self._first:,} of the interrupted build)"
        if elapsed < 1:
            return Progress(done, reader.total, note)
        share = done / reader.total if reader.total else 0.0
        before = self._first / rows * share if rows else 0.0
        left = elapsed * (1 - share) / (share - before) if share > before else None
        return Progress(done, reader.total, f"{note}, {rate:,.0f} per second", left)

    def _reader(self) -> DocumentReader:
        """Return a reader that begins after the finished segments of the same sources and options."""
        request = self.request
        reader = DocumentReader(request.sources, request.columns, request.parts)
        if not (self.folder / _MANIFEST).is_file():
            self._write_manifest()
            return reader
        for segment in self._segments():
            state = _state(segment)
            self._replay(Segment.load(segment), state, reader)
            position = state["position"]
            report = ReadingReport(**position["report"])
            reader.start = ReadingPosition(position["unit"], position["taken"], report)
        self._first = self._admissions.rows
        return reader

    def _replay(self, segment: Segment, state: dict[str, Any], reader: DocumentReader) -> None:
        """Admit the documents of a finished segment again."""
        admissions = self._admissions
        deletions = deque((row, name) for row, name in state["deletions"][len(self._deletions) :])
        unique = []
        for at, version in enumerate(segment.versions.tolist()):
            while deletions and deletions[0][0] == admissions.rows:
                admissions.delete(deletions.popleft()[1])
            name = segment.arrays.ids[at]
            admissions.admit(name, version)
            if not version:
                unique.append(name)
        for _, name in deletions:
            admissions.delete(name)
        reader.skip_ids(unique)
        self._deletions = [(row, name) for row, name in state["deletions"]]
        admissions.superseded = state["superseded"]

    # Files

    def _is_same(self) -> bool:
        """Return whether an interrupted build has the same sources and options."""
        try:
            stored = parse_json((self.folder / _MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return bool(stored == parse_json(json.dumps(self._manifest())))

    def _manifest(self) -> dict[str, Any]:
        request = self.request
        return {
            "format": FORMAT,
            "sources": [_identity(source) for source in reading_units(request.sources)],
            "analysis": asdict(request.analysis),
            "columns": asdict(request.columns),
            "parts": list(request.parts),
            "size": self.size,
        }

    def _write_manifest(self) -> None:
        _write_json(self.folder / _MANIFEST, self._manifest())

    def _sweep(self) -> JobSteps[None]:
        """Remove what a killed build left unfinished, and everything if sources or options changed."""
        if sentence := self.interruption():
            yield Progress(0, 0, sentence)
        keeps = self._is_same()
        finished = set(self._segments()) if keeps else set()
        for left in self.folder.iterdir():
            if left.name == _LOCK or (keeps and left.name == _MANIFEST) or left in finished:
                continue
            shutil.rmtree(left) if left.is_dir() else left.unlink()

    def _segments(self) -> list[Path]:
        """Return the finished segments, in order."""
        found: list[Path] = []
        while (place := self.folder / f"{len(found):06}").is_dir():
            found.append(place)
        return found

    def _pending_place(self) -> Path:
        return self.folder / f"{_PENDING}{uuid4().hex}"

    def _state(self, position: ReadingPosition, documents: int) -> dict[str, Any]:
        """Return what is stored with a segment, to continue after it."""
        return {
            "documents": documents,
            "position": asdict(position),
            "deletions": list(self._deletions),
            "superseded": self._admissions.superseded,
        }

    def _commit(self, pending: _Pending) -> None:
        """Give a written segment its name; all before it have theirs."""
        if pending.future is not None:
            pending.future.result()
        _write_json(pending.place / _STATE, pending.state)
        pending.place.replace(self.folder / f"{len(self._segments()):06}")

    def _places_of_rows(self) -> Iterator[tuple[Path, set[int]]]:
        """Yield each segment with the rows in it that were dropped."""
        first = 0
        dropped = sorted(self._admissions.dropped)
        for segment in self._segments():
            count = int(_state(segment)["documents"])
            yield segment, {row - first for row in dropped if first <= row < first + count}
            first += count

    def _compact(self, segment: tuple[Path, set[int]]) -> Path:
        """Return a segment without its dropped documents."""
        place, dropped = segment
        if not dropped:
            return place
        compact = place.with_name(f"{_COMPACT}{place.name}")
        compact.mkdir()
        Segment.load(place).without(dropped).save(compact)
        return compact


@dataclass(frozen=True, slots=True)
class _Pending:
    """A segment that is being written. future: None = it is written."""

    future: Future[None] | None
    place: Path
    state: dict[str, Any]


def index_segment(documents: list[SourceDocument], analysis: Analysis, place: Path) -> None:
    """Write a segment into a new folder."""
    place.mkdir()
    Segment.of(documents, analysis).save(place)


@dataclass
class _Workers:
    """Processes that write segments, started with the first one. count: 0 = this process writes them."""

    analysis: Analysis
    count: int
    _pool: ProcessPoolExecutor | None = None

    def submit(self, documents: list[SourceDocument], place: Path) -> Future[None]:
        """Write a segment."""
        if not self.count:
            done: Future[None] = Future()
            index_segment(documents, self.analysis, place)
            done.set_result(None)
            return done
        if self._pool is None:
            self._pool = worker_pool(self.count)
        return self._pool.submit(index_segment, documents, self.analysis, place)

    def close(self) -> None:
        """End the processes once they have finished their segments."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _started(analysis: Analysis, count: int) -> Iterator[_Workers]:
    workers = _Workers(analysis, count)
    try:
        yield workers
    finally:
        workers.close()


def _notes(admissions: Admissions) -> list[str]:
    """Return what was left out, as sentences."""
    notes = []
    if admissions.deleted:
        notes.append(f"{pluralize(admissions.deleted, 'record')} deleted by PubMed left out.")
    if admissions.superseded:
        duplicates = pluralize(admissions.superseded, "duplicate")
        notes.append(f"{duplicates} left out; the latest version is indexed.")
    return notes


def _identity(source: StudyAddress) -> list[Any]:
    """Return what identifies a source; a source on a server is never the same again."""
    identity = identity_of(source)
    return [uuid4().hex] if identity is None else list(identity)


def _state(segment: Path) -> dict[str, Any]:
    state: dict[str, Any] = parse_json((segment / _STATE).read_text(encoding="utf-8"))
    return state


def _write_json(path: Path, content: dict[str, Any]) -> None:
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
