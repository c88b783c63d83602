"""One case: imported in this process, and every few really written, checked, exported and imported again."""

from __future__ import annotations

import os
import shutil
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from core.domain.import_batch import ImportCounts
from core.domain.study import Text
from core.errors import BadImport, InputError
from core.files.file_names import MAX_NAME_BYTES
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import Export, export_steps, exports
from storage.study_file import StudyFile, check, new_study, open_study
from tests.fuzz.seeds import Files, Kind, case_of

ALARM_S = 20
ACCEPTED, REFUSED, FAULT = "accepted", "refused", "fault"
BACK = {  # what is imported again by which format; True: into the same study, which must have all of it
    ("texts", "csv"): ("table", True),
    ("texts", "sacrerouge"): ("sacrerouge", True),
    ("ratings", "csv"): ("table", True),
    ("texts", "xlsx"): ("table", True),
    ("ratings", "xlsx"): ("table", True),
    ("texts", "parquet"): ("table", True),
    ("ratings", "parquet"): ("table", True),
    ("judgements", "csv"): ("table", False),
    ("judgements", "sacrerouge"): ("sacrerouge", False),
    ("ratings", "sacrerouge"): ("sacrerouge", False),
    ("scores", "csv"): ("table", False),
    ("scores", "sacrerouge"): ("sacrerouge", False),
    ("texts", "rouge-settings"): ("rouge-settings", None),
    ("pyramids", "ducview"): ("ducview", False),
    ("pyramids", "lite2pyramid"): ("lite2pyramid", None),
    ("pyramids", "rose"): ("rose", False),
    ("annotations", "brat"): ("brat", True),
    ("metrics", "mt-metrics-eval"): ("mt-metrics-eval", None),
    ("annotations", "doccano"): ("doccano", False),
    ("annotations", "inception-json"): ("inception", True),
    ("ratings", "potato"): ("potato", True),
}
_ALWAYS = ("texts", "ratings", "pyramids", "annotations")
_OTHERS_EVERY = 5
"""Of the studies that are written, every how many export their numbers and history too: it takes long."""

_WITHOUT_BOUNDARIES = ("brat", "inception")
"""Formats that do not hold the boundaries of sentences; a text with some comes back without."""

_NOTHING, _NUMBERS = "There is nothing to import", ("judgements", "scores", "ratings")


class Fault(Exception):
    """The program did what it must never do."""


@dataclass
class Tally:
    """What became of the cases of one kind. faults: what went wrong, with the case's number."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)


class Laboratory:
    """A folder for cases, with an empty study that is copied for each one that is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.empty = folder / "empty.pyramidion"
        self.written = 0
        new_study(self.empty).close()

    def attempt(self, kind: Kind, number: int, tally: Tally, *, write: bool) -> None:
        """Import case `number` of a kind. The same number is the same case always."""
        files, options = case_of(kind, Random(f"{kind.name} {number}"))
        case = self.folder / "case"
        shutil.rmtree(os.fsencode(case), ignore_errors=True)
        source = laid_out(files, case, is_folder=kind.is_folder)
        try:
            with alarm():
                if write:
                    outcome = self._written(kind, source, options, tally)
                else:
                    outcome = self._outcome(kind, source, options)
            tally.counts[outcome] += 1
        except Exception as error:  # noqa: BLE001 - anything else than a refusal is a fault
            tally.counts[FAULT] += 1
            tally.faults.append((number, "".join(traceback.format_exception(error)[-4:])))

    def _outcome(self, kind: Kind, source: Path, options: Mapping[str, str]) -> str:
        import_registry.detect(source)
        try:
            run_to_completion(
                import_registry.read_steps(import_registry.import_request(source, kind.format, options))
            )
        except InputError as error:
            check_sentences(error)
            return REFUSED
        return ACCEPTED

    def _written(self, kind: Kind, source: Path, options: Mapping[str, str], tally: Tally) -> str:
        if self._outcome(kind, source, options) == REFUSED:
            return REFUSED
        path = self.folder / "study.pyramidion"
        for left in self.folder.glob("study.pyramidion*"):
            left.unlink()
        shutil.copy(self.empty, path)
        with open_study(path) as study:
            try:
                run_to_completion(
                    import_registry.import_steps(
                        study, import_registry.import_request(source, kind.format, options)
                    )
                )
            except InputError as error:
                check_sentences(error)
                return REFUSED
            tally.counts["written"] += 1
            self._export_all(study, tally)
        if faults := check(path):
            raise Fault(f"the study is not sound: {faults[:3]}")
        return ACCEPTED

    def _export_all(self, study: StudyFile, tally: Tally) -> None:
        self.written += 1
        for export in exports():
            if export.what not in _ALWAYS and self.written % _OTHERS_EVERY:
                continue
            out = self.folder / "out" / f"{export.what}-{export.format}{export.suffix}"
            shutil.rmtree(out.parent, ignore_errors=True)
            out.parent.mkdir()
            try:
                rows = run_to_completion(export_steps(study, export, out))
            except InputError as error:
                check_sentences(error)
                tally.counts["export refused"] += export.fill is None
                continue
            if rows and (export.what, export.format) in BACK:
                self._import_again(study, export, out)

    def _import_again(self, study: StudyFile, export: Export, out: Path) -> None:
        name, same = BACK[export.what, export.format]
        if name == "ducview" and any(len(topic.name) > MAX_NAME_BYTES / 4 for topic in study.texts.topics()):
            return  # names of files are cut
        source = out / "settings.xml" if name == "rouge-settings" else out
        try:
            if same is None:
                run_to_completion(import_registry.read_steps(import_registry.import_request(source, name)))
                return
            preview = run_to_completion(
                import_registry.preview_steps(study, import_registry.import_request(source, name))
            )
        except InputError as error:
            raise Fault(f"{export.what} as {export.format} is refused: {error}") from error
        if preview.counts is None and _NOTHING in str(preview.problems[0]) and export.what in _NUMBERS:
            return  # lines without any number
        if preview.counts is None:
            raise Fault(f"{export.what} as {export.format} is refused: {preview.problems[0]}")
        if name == "sacrerouge" and not all(map(joins, texts_of(study))):
            return  # its lists of sentences cannot hold other boundaries, and others make another text
        if name in _WITHOUT_BOUNDARIES and any(text.sentence_spans is not None for text in texts_of(study)):
            return
        if same and (why := lost(preview.counts)):
            raise Fault(f"{export.what} as {export.format} comes back otherwise: {why}")


def texts_of(study: StudyFile) -> Iterator[Text]:
    for topic in study.texts.load():
        yield from (*topic.documents, *topic.references, *topic.summaries)


def joins(text: Text) -> bool:
    """Whether a text is its sentences joined by line feeds, or has no boundaries."""
    given = text.stored_sentences()
    return given is None or "\n".join(given) == text.content


def lost(counts: ImportCounts) -> str:
    """What the study's own export would add or has otherwise, empty = nothing."""
    added = {what: count for what, count in counts.added.items() if count}
    return f"{added} {list(counts.different)[:3]}" if added or counts.different else ""


def check_sentences(error: InputError) -> None:
    """Raise Fault unless an error consists of sentences that can be printed."""
    messages = [str(problem) for problem in error.problems] if isinstance(error, BadImport) else [str(error)]
    for sentence in messages or [""]:
        if not sentence.endswith((".", ":", ")", "”", "…")) or "\x1b" in sentence:
            raise Fault(f"no sentence: {sentence!r}") from error
        sentence.encode()


def laid_out(files: Files, folder: Path, *, is_folder: bool) -> Path:
    """Write a case; names that the file system does not take are left out. Returns what is to be imported."""
    os.makedirs(os.fsencode(folder))  # noqa: PTH103 - names of bytes
    root = os.path.realpath(os.fsencode(folder))
    for name, content in files.items():
        try:
            path = os.path.normpath(os.path.join(root, os.fsencode(name.lstrip("/"))))  # noqa: PTH118
            if path.startswith(root + b"/"):
                os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
                with open(path, "wb") as file:  # noqa: PTH123
                    file.write(content)
        except (OSError, ValueError):
            continue
    return folder if is_folder else folder / next(iter(files))


@contextmanager
def alarm() -> Iterator[None]:
    """Raise Fault in a case that takes too long, where the system can."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(signal_number: int, frame: object) -> None:
        raise Fault(f"took more than {ALARM_S} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(ALARM_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
