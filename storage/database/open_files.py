"""Detect that the files of an open study were moved, deleted or replaced, and rescue its content.

Another program can move, delete or replace an open study or its log; later writes would then be lost. So the
files are checked before each write and after its COMMIT. If a file is not the one that was opened, nothing
more is written, all saved content goes into a rescue copy, and the study must be opened again.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from core.errors import InputError, StudyLost
from storage import user_folders
from storage.database import file_guard, side_files
from storage.database.file_guard import INDEX, LOG, FileGuard, identity, side_file

log = logging.getLogger(__name__)

_TRIES, _PAUSE = 10, 0.02
"""Number of checks and pauses between them (seconds) until a file counts as overwritten."""

_OPEN_AGAIN = "Nothing more is saved until you open the study again."


class OpenFiles:
    """Check of the files of an open study. Used by the writer; its state is read by all threads."""

    def __init__(self, path: Path, guard: FileGuard | None) -> None:
        self._path, self._guard = path, guard
        self._rescued: Path | None = None
        self._has_tried = False
        self._lost: StudyLost | None = None
        self._header = guard.header() if guard is not None else b""
        self._size = guard.size() if guard is not None else 0

    @property
    def lost(self) -> StudyLost | None:
        """Return the error if the files are lost, None = they are not; a moved file may return."""
        return self._lost

    @property
    def needs_check(self) -> bool:
        """Return whether a file may differ from the one that was opened. Fast."""
        if self._lost is not None:
            return True
        guard = self._guard
        return guard is not None and (
            bool(guard.lost())
            or guard.header() != self._header
            or not guard.has_whole_log()
            or self._is_cut_off()
        )

    def look(self, connection: sqlite3.Connection) -> None:
        """Raise StudyLost where a file is not the one that was opened, after writing a rescue copy.

        connection: the writer's, outside a transaction.
        """
        if self._lost is not None and not self._lost.may_return:
            raise self._lost
        gone = self._guard.lost() if self._guard is not None else []
        is_overwritten = self._is_overwritten()
        if not gone and not is_overwritten:
            self._lost, self._has_tried = None, False
            return
        if not self._has_tried:
            self._has_tried, self._rescued = True, self._rescue(connection)
        self._lost = self._overwritten() if is_overwritten else self._handle(gone, connection)
        raise self._lost

    def on_closing(self, lost: StudyLost) -> StudyLost:
        """Return the same error with the remedy after closing the study."""
        if self._rescued is None:
            remedy = f"Check what is at {self._path} now; `pyramidion restore` lists its backups."
        elif identity(self._path) is None:
            remedy = "Continue with that copy, or with the study where it is now."
        else:
            remedy = (
                f"Compare that copy with what is at {self._path} now, and continue with the complete one."
            )
        return StudyLost(lost.report, remedy, lost.rescued)

    def _is_overwritten(self) -> bool:
        """Return whether another program has overwritten the study's file or its log."""
        if self._guard is None:
            return False
        for _ in range(_TRIES):  # another tool may move the log into the file between two checks
            if self._guard.has_whole_log() and self._continues() and not self._is_cut_off():
                self._size = self._guard.size()
                return False
            time.sleep(_PAUSE)
        return True

    def _is_cut_off(self) -> bool:
        """Return whether the file is shorter both than before and than its header states.

        It is shorter than stated while a log that extends it is moved into it, and shorter than before after
        a log that truncates it, but never both.
        """
        if self._guard is None:
            return False
        return self._guard.size() < min(self._size, _stated_size(self._guard.header()))

    def _continues(self) -> bool:
        """Return whether the log continues the study's file.

        When parts of the log are moved into the file, its state is one of those in the log.
        """
        if self._guard is None:
            return True
        header = self._guard.header()
        if header == self._header:
            return True
        log = self._guard.log()
        if log is None:
            return True
        with log:
            if side_files.continues(header, log) is False:
                return False
        self._header = header
        return True

    def _overwritten(self) -> StudyLost:
        """Set aside a log that does not belong to the new content of the file, and return the error."""
        name, rest = self._path.name, ""
        what = f"cut off the end of {name}" if self._is_cut_off() else f"wrote other content into {name}"
        if not self._continues():
            try:
                moved = side_files.set_aside(self._path)
                rest = f" The log of what was there is now {moved[0].name}." if moved else ""
            except InputError as error:
                rest = f" {error}"
        elif self._guard is not None and not self._guard.has_whole_log():
            what = f"wrote other content into {name}{LOG}"
        copy = (
            f"What could still be read of the earlier content is at {self._rescued}; it may be incomplete."
            if self._rescued is not None
            else "What was there could not be copied."
        )
        return StudyLost(
            f"Another program {what} while it was open. {copy}{rest}", _OPEN_AGAIN, self._rescued
        )

    def _handle(self, gone: list[Path], connection: sqlite3.Connection) -> StudyLost:
        name, folder = self._path.name, self._path.parent
        if gone[0].name != self._path.resolve().name:
            names = " and ".join(path.name for path in gone)
            warning = (
                "" if self._complete(connection) else f" {name} may lack the last changes; compare both."
            )
            return StudyLost(
                f"Another program deleted or replaced {names}, which {name} needs while it is open. "
                f"{self._copy()}{warning}",
                _OPEN_AGAIN,
                self._rescued,
            )
        if identity(self._path) is None:
            return StudyLost(
                f"{name} is no longer in {folder}: it was moved or deleted. {self._copy()}",
                "Nothing can be saved until it is moved back.",
                self._rescued,
                may_return=True,
            )
        return StudyLost(
            f"{name} is another file than the one that was opened: somebody replaced it. {self._copy()}"
            f"{self._set_aside()}",
            _OPEN_AGAIN,
            self._rescued,
        )

    def _copy(self) -> str:
        if self._rescued is None:
            return "No copy of the saved changes could be written; do not close this program."
        return f"A copy with every saved change is at {self._rescued}."

    def _set_aside(self) -> str:
        """Set aside the log of the old file, which would damage the new one."""
        try:
            with file_guard.alone(self._path) as is_alone:
                if self._guard is None or not self._guard.is_holding(LOG) or not is_alone:
                    return ""  # it was set aside when the new file was opened
                moved = side_files.set_aside(self._path)
        except InputError as error:
            return f" {error}"
        return f" The log of the file before is now {moved[0].name}." if moved else ""

    def _complete(self, connection: sqlite3.Connection) -> bool:
        """Move all saved content into the study, unless another log may exist. Returns the success."""
        at_path = [identity(side_file(self._path.resolve(), ending)) for ending in (LOG, INDEX)]
        is_held = [self._guard is not None and self._guard.is_holding(ending) for ending in (LOG, INDEX)]
        if any(there is not None and not ours for there, ours in zip(at_path, is_held, strict=True)):
            return False
        with suppress(sqlite3.Error):
            is_busy, in_log, moved = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
            return not is_busy and in_log == moved
        return False

    def _rescue(self, connection: sqlite3.Connection) -> Path | None:
        """Write a copy of all saved content next to the study, or else to the user's folder."""
        moment = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
        own, of_user = self._path.resolve().parent, user_folders.rescue_folder()
        for folder in (own, of_user):
            target = folder / f"{self._path.stem} (rescued {moment}){self._path.suffix}"
            try:
                if folder == of_user:  # not created for the study's folder, which may be an unmounted drive
                    folder.mkdir(parents=True, exist_ok=True)
                _copy(connection, target)
            except (OSError, sqlite3.Error):
                log.exception("No rescue copy could be written to %s.", target)
            else:
                return target
        return None


def _stated_size(header: bytes) -> int:
    """Return the size of a study in bytes as stated in its header; see "The Database Header" of SQLite."""
    size, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    return (65536 if size == 1 else size) * pages


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    part = target.with_name(f".{uuid4().hex}.part")
    try:
        with closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            (answer,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if answer != "ok":
                raise sqlite3.DatabaseError(answer)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
