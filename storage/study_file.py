"""The study file: create, open, read, edit and close it."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection

from core.domain.annotation_merge import MergeReport
from core.domain.annotation_pack import AnnotationPack
from core.domain.pyramid import UnitKind
from core.errors import PyramidionError, StudyLost
from core.ports import (
    ChangeSet,
    ImportContent,
    ImportCounts,
)
from storage.database import read_only, side_files, study_database
from storage.database.read_only import ReadingOnly
from storage.database.study_database import backup
from storage.database.transactions import Transactions
from storage.database.upgrade import upgrade_study
from storage.database.value_checks import type_faults
from storage.database.writer import Priority, Writer, WriteResult
from storage.integrity_check import changed_texts, check, misplaced, parts_outside
from storage.repositories import annotation_packs
from storage.repositories.imports import compare
from storage.repositories.imports import plan as import_plan
from storage.stores import (
    Adjudication,
    Annotators,
    Edits,
    Experiments,
    Pyramids,
    Ratings,
    Scores,
    Settings,
    Texts,
)

__all__ = ["StudyFile", "backup", "check", "new_study", "open_study"]

log = logging.getLogger(__name__)

CLOSING_SECONDS = 30.0


def new_study(path: Path, name: str = "", overwrite: bool = False) -> StudyFile:
    """Create an empty study and return it open. Raises InputError where a file already exists."""
    study_database.create(path, overwrite=overwrite)
    study = StudyFile(path)
    study.settings.save("name", name or path.stem).result()
    return study


def open_study(path: Path) -> StudyFile:
    """Open a study, upgraded to the current version; read-only where it cannot be written.

    Raises InputError where the file is missing or not a study.
    Raises StudyTooNew where a newer version of the program wrote it.
    Raises StudyDamaged where it could not be upgraded.
    """
    if reason := read_only.reason_of(path):
        return StudyFile(path, [reason], ReadingOnly(path, reason))
    notice = side_files.settle(path)
    upgrade_study(path)
    return StudyFile(path, [notice] if notice else [])


class _RolledBack(Exception):
    """Ends a dry run, so that its transaction is rolled back."""

    def __init__(self, report: MergeReport) -> None:
        super().__init__("dry run")
        self.report = report


class StudyFile:
    """An open study; implements `core.ports.Study`.

    Reads run on the caller's thread, on a consistent snapshot; writes run on the writer's thread. Listeners
    are called on the writer's thread and must not call methods that wait for a write.
    """

    def __init__(
        self, path: Path, notices: Sequence[str] = (), reading_only: ReadingOnly | None = None
    ) -> None:
        """notices: messages to show to the user. reading_only: refuses writes, None = writable."""
        self._path, self._notices = path, list(notices)
        self._listeners: list[Callable[[ChangeSet], None]] = []
        self._listening = threading.Lock()
        self._transactions = transactions = Transactions(path, self._announce, reading_only)
        self.texts, self.annotators = Texts(transactions), Annotators(transactions)
        self.pyramids, self.nuggets = Pyramids(transactions), Pyramids(transactions, UnitKind.NUGGET)
        self.edits = Edits(transactions)
        self.ratings, self.scores = Ratings(transactions), Scores(transactions)
        self.adjudication = Adjudication(transactions)
        self.experiments, self.settings = Experiments(transactions), Settings(transactions)
        self._writer = transactions.writer
        if isinstance(self._writer, Writer) and self._writer.lacks_locks:
            self._notices.append(
                f"The file system of {path.resolve().parent} lacks the locks that protect a study while "
                "several programs have it open. Open it in one program at a time, or move it to a local disk."
            )
            log.warning(self._notices[-1])

    def __enter__(self) -> StudyFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except StudyLost as lost:
            if error is None or isinstance(error, PyramidionError):
                raise
            log.error("%s", lost)  # keep the bug or Ctrl+C that ended the block as the error

    @property
    def path(self) -> Path:
        return self._path

    @property
    def read_only(self) -> str:
        return reading_only.reason if (reading_only := self._transactions.reading_only) else ""

    @property
    def name(self) -> str:
        return self.settings.get("name", self._path.stem)

    @property
    def notices(self) -> Sequence[str]:
        return tuple(self._notices)

    def open_relative(self, name: str) -> StudyFile:
        return open_study(self._path.parent / Path(name).expanduser())

    def import_data(self, incoming: ImportContent, *, dry_run: bool = False) -> ImportCounts:
        if dry_run:
            with self._transactions.reading() as connection:
                return compare.plan(connection, incoming).counts()

        def work(connection: Connection) -> WriteResult[ImportCounts]:
            return import_plan.write(connection, compare.plan(connection, incoming))

        return self._transactions.submit(work, Priority.IMPORT).result()

    def annotation_pack(self, annotators: Sequence[str] | None = None) -> AnnotationPack:
        with self._transactions.reading() as connection:
            return annotation_packs.collect(connection, self.name, annotators)

    def merge_annotations(
        self, packs: Sequence[tuple[str, AnnotationPack]], *, dry_run: bool = False
    ) -> MergeReport:
        def work(connection: Connection) -> WriteResult[MergeReport]:
            written = annotation_packs.merge(connection, packs)
            if dry_run:
                raise _RolledBack(written.answer)
            return written

        try:
            return self._transactions.submit(work, Priority.IMPORT).result()
        except _RolledBack as rolled_back:
            return rolled_back.report

    def subscribe(self, listener: Callable[[ChangeSet], None]) -> Callable[[], None]:
        with self._listening:
            self._listeners.append(listener)

        def stop() -> None:
            with self._listening:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def verify(self) -> None:
        """Check pages, keys, types, parts and texts quickly. Raises StudyDamaged naming the first fault.

        Called before results are computed or exported, as damaged rows could be missing from them unnoticed.
        """
        with self._transactions.reading() as connection:
            page = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            if page != "ok":
                raise study_database.damaged(self._path, str(page))
            lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if lost is not None:
                raise study_database.damaged(
                    self._path, f"row {lost[1]} of {lost[0]} has lost its row of {lost[2]}"
                )
            driver = connection.connection.driver_connection
            if isinstance(driver, sqlite3.Connection) and (wrong := next(type_faults(driver), "")):
                raise study_database.damaged(self._path, wrong.rstrip("."))
            checks = misplaced(connection), parts_outside(connection), changed_texts(connection)
            if wrong := next(chain(*checks), ""):
                raise study_database.damaged(self._path, f"{wrong} `pyramidion validate` lists every fault")

    def has_external_changes(self) -> bool:
        self._writer.check_files()
        return self._writer.saw_others()

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        """Finish queued writes and close the file; closing twice is harmless.

        Reads raise InputError from then on; one that runs on another thread ends first and then releases the
        file.

        Raises StudyLost where the files were moved, deleted or replaced and this was not reported yet; the
        study is closed then.
        Raises PyramidionError where another program locks the study for too long.
        """
        if not self._transactions.close(CLOSING_SECONDS):
            raise PyramidionError(
                f"{self._path.name} could not be closed within {CLOSING_SECONDS:g} seconds: another program "
                "has locked it, and the last changes are not saved yet. Close the study there."
            )

    def _announce(self, changes: ChangeSet) -> None:
        with self._listening:
            listeners = tuple(self._listeners)
        for listener in listeners:
            try:
                listener(changes)
            except Exception:
                log.exception("a listener failed after a write")
