"""The open study, in a file or on a server: create, open, read, edit and close it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection

from core.domain.annotation_merge import MergeReport
from core.domain.annotation_pack import AnnotationPack
from core.domain.import_batch import ImportContent, ImportCounts
from core.domain.pyramid import UnitKind
from core.errors import PyramidionError, StudyLost
from core.files.allowed_names import NameKind, allowed_names
from core.files.study_address import ServerAddress, StudyAddress, parse_study_address
from core.ports import ChangeSet
from storage.database import read_only, side_files, study_database
from storage.database.backend import Backend, FileBackend
from storage.database.engine import reading_engine
from storage.database.read_only import ReadOnlyFile, ReadOnlyWriter
from storage.database.study_database import backup
from storage.database.transactions import Transactions
from storage.database.upgrade import upgrade_study
from storage.database.writer import Priority, WriteResult
from storage.integrity_check import changed_texts, check, misplaced, parts_outside
from storage.repositories.annotation_packs.collect import collect
from storage.repositories.annotation_packs.merge import merge
from storage.repositories.citations import Citations
from storage.repositories.comments import Comments
from storage.repositories.comparisons import Comparisons
from storage.repositories.decisions import Adjudication
from storage.repositories.edits.history import Edits
from storage.repositories.experiments import Experiments
from storage.repositories.imports import compare
from storage.repositories.imports import plan as import_plan
from storage.repositories.pyramids import Pyramids
from storage.repositories.ratings import Ratings
from storage.repositories.scores import Scores
from storage.repositories.texts import Annotators, Settings, Texts

__all__ = ["StudyFile", "backup", "check", "new_study", "open_study"]

log = logging.getLogger(__name__)

CLOSING_SECONDS = 30.0
PATIENCE_SECONDS = 30.0
"""Time that an edit waits for a lost connection to a server before it fails."""


def new_study(address: StudyAddress, name: str = "", overwrite: bool = False) -> StudyFile:
    """Create an empty study and return it open.

    Raises InputError where a file already exists, or where the database is not empty.
    """
    if isinstance(address, ServerAddress):
        from storage.database.server import server_database

        server_database.create(address)
    else:
        study_database.create(address, overwrite=overwrite)
    study = StudyFile(_backend(address))
    study.settings.name_new_study(name or address.stem).result()
    return study


def open_study(address: StudyAddress, *, patience: float = PATIENCE_SECONDS) -> StudyFile:
    """Open a study, upgraded to the current version; read-only where it cannot be written.

    patience: seconds that an edit waits for a lost connection to a server before it fails.
    Raises InputError where the file or database is missing or not a study, or the server refuses the user.
    Raises StudyTooNew where a newer version of the program wrote it.
    Raises StudyDamaged where it could not be upgraded.
    Raises MissingResource where the packages for servers are not installed.
    """
    if isinstance(address, ServerAddress):
        from storage.database.server import server_database

        server_database.upgrade(address)
        return StudyFile(_backend(address, patience))
    if reason := read_only.reason_of(address):
        return StudyFile(FileBackend(address, [reason], ReadOnlyFile(address, reason)))
    notice = side_files.settle(address)
    upgrade_study(address)
    return StudyFile(FileBackend(address, [notice] if notice else []))


def open_to_read(address: StudyAddress, reason: str) -> StudyFile:
    """Open a study that cannot be changed this way, while others may change it.

    A file of an older version stays as it is and is read from an upgraded copy.
    reason: of errors on writing, a sentence with the remedy.
    Raises what `open_study` raises; InputError where a study on a server has an older version.
    """
    if isinstance(address, ServerAddress):
        from storage.database.server import server_database
        from storage.database.server.server_backend import ServerBackend

        server_database.upgrade(address, may_change=False)
        return StudyFile(ServerBackend(address, PATIENCE_SECONDS, reading_only=reason))
    study_database.check_is_file(address)
    if known := read_only.reason_of(address):
        return StudyFile(FileBackend(address, [known], ReadOnlyFile(address, known)))
    notice = side_files.settle(address)
    if read_only.is_current(address):
        writer = ReadOnlyWriter(reason, reading_engine(address))
    else:
        writer = ReadOnlyFile(address, reason)
    return StudyFile(FileBackend(address, [notice] if notice else [], writer))


def _backend(address: StudyAddress, patience: float = PATIENCE_SECONDS) -> Backend:
    if isinstance(address, ServerAddress):
        from storage.database.server.server_backend import ServerBackend  # its driver may be missing

        return ServerBackend(address, patience)
    return FileBackend(address)


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

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._listeners: list[Callable[[ChangeSet], None]] = []
        self._listening = threading.Lock()
        self._transactions = transactions = Transactions(backend, self._announce)
        self.texts, self.annotators = Texts(transactions), Annotators(transactions)
        self.citations = Citations(transactions)
        self.pyramids, self.nuggets = Pyramids(transactions), Pyramids(transactions, UnitKind.NUGGET)
        self.edits = Edits(transactions)
        self.ratings, self.scores = Ratings(transactions), Scores(transactions)
        self.adjudication, self.comparisons = Adjudication(transactions), Comparisons(transactions)
        self.comments = Comments(transactions)
        self.experiments, self.settings = Experiments(transactions), Settings(transactions)
        self._writer = transactions.writer

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
    def path(self) -> StudyAddress:
        return self._backend.address

    @property
    def read_only(self) -> str:
        return reading_only.reason if (reading_only := self._transactions.reading_only) else ""

    @property
    def name(self) -> str:
        return self.settings.get("name", self.path.stem)

    @property
    def notices(self) -> Sequence[str]:
        return tuple(self._backend.notices)

    def open_relative(self, name: str) -> StudyFile:
        address = parse_study_address(name)
        if isinstance(address, Path) and isinstance(self.path, Path):
            address = self.path.parent / address.expanduser()
        allowed_names().check(NameKind.STUDY, str(address), written=name)
        return open_to_read(address, "A study that another one is compared with is never changed. Open it.")

    def import_data(
        self, incoming: ImportContent, *, dry_run: bool = False, annotator_id: str | None = None
    ) -> ImportCounts:
        if dry_run:
            with self._transactions.reading() as connection:
                return compare.plan(connection, incoming).counts()

        def work(connection: Connection) -> WriteResult[ImportCounts]:
            return import_plan.write(connection, compare.plan(connection, incoming), annotator_id)

        return self._transactions.submit(work, Priority.IMPORT).result()

    def annotation_pack(self, annotators: Sequence[str] | None = None) -> AnnotationPack:
        with self._transactions.reading() as connection:
            return collect(connection, self.name, annotators)

    def merge_annotations(
        self, packs: Sequence[tuple[str, AnnotationPack]], *, dry_run: bool = False
    ) -> MergeReport:
        def work(connection: Connection) -> WriteResult[MergeReport]:
            written = merge(connection, packs)
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
            if damage := self._backend.first_damage(connection):
                raise study_database.damaged(self.path, damage)
            checks = misplaced(connection), parts_outside(connection), changed_texts(connection)
            if wrong := next(chain(*checks), ""):
                raise study_database.damaged(self.path, f"{wrong} `pyramidion validate` lists every fault")

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
                f"{self.path.name} could not be closed within {CLOSING_SECONDS:g} seconds: another program "
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
