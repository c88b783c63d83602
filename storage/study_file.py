"""The study file: create, open, read, edit and close it."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection

from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, Rating, RatingCube
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.errors import InputError, PyramidionError, StudyLost
from core.ports import (
    Array,
    ChangeSet,
    EditReceipt,
    EditRecord,
    ExperimentRecord,
    ImportContent,
    ImportCounts,
    MetricConfig,
    ScoreBlock,
)
from storage.database import read_only, side_files, study_database
from storage.database.engine import reading_engine, writing_engine
from storage.database.read_only import ReadingOnly
from storage.database.study_database import backup
from storage.database.upgrade import upgrade_study
from storage.database.value_checks import type_faults
from storage.database.writer import Priority, Writer, WriteResult
from storage.integrity_check import changed_texts, check, misplaced, parts_outside
from storage.repositories import experiments, pyramids, ratings, scores, texts
from storage.repositories.edits import edit_log, history
from storage.repositories.edits.edit_log import EditHeader
from storage.repositories.imports import compare
from storage.repositories.imports import plan as import_plan

__all__ = ["StudyFile", "backup", "check", "new_study", "open_study"]

log = logging.getLogger(__name__)

CLOSING_SECONDS = 30.0
_TOPICS_AT_ONCE = 50


def new_study(path: Path, name: str = "", overwrite: bool = False) -> StudyFile:
    """Create an empty study and return it open. Raises InputError where a file already exists."""
    study_database.create(path, overwrite=overwrite)
    study = StudyFile(path)
    study.save_setting("name", name or path.stem).result()
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
        self._is_closed = False
        self._reading_only = reading_only
        self._writer: Writer | ReadingOnly
        if reading_only is not None:
            self._reader, self._writer = reading_only.engine, reading_only
            return
        self._reader = reading_engine(path)
        self._writer = writer = Writer(writing_engine(path), self._announce, path)
        if writer.lacks_locks:
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
        return self._reading_only.reason if self._reading_only is not None else ""

    @property
    def name(self) -> str:
        return self.setting("name", self._path.stem)

    @property
    def notices(self) -> Sequence[str]:
        return tuple(self._notices)

    def open_relative(self, name: str) -> StudyFile:
        return open_study(self._path.parent / Path(name).expanduser())

    def topics(self) -> Sequence[TopicHeader]:
        with self._reading() as connection:
            return texts.heads(connection)

    def topic(self, topic_id: str) -> TopicTexts:
        with self._reading() as connection:
            return texts.topic(connection, topic_id)

    def texts(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        with self._reading() as connection:
            ids = texts.topic_ids(connection, topic_ids)
        for at in range(0, len(ids), _TOPICS_AT_ONCE):
            with (
                self._reading() as connection
            ):  # an open snapshot between batches would keep the log from being checkpointed
                batch = texts.topics(connection, ids[at : at + _TOPICS_AT_ONCE])
            yield from batch

    def systems(self) -> Sequence[System]:
        with self._reading() as connection:
            return texts.systems(connection)

    def reference_authors(self) -> Sequence[str]:
        with self._reading() as connection:
            return texts.reference_authors(connection)

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        with self._reading() as connection:
            return texts.reference_sets(connection)

    def annotators(self) -> Sequence[Annotator]:
        with self._reading() as connection:
            return texts.annotators(connection)

    def annotator(self, name: str, group: str = "") -> Annotator:
        if self._reading_only is not None:
            known = next((person for person in self.annotators() if person.name == name), None)
            return read_only.transient_annotator(known, name, group)
        return self._writer.submit(lambda c: texts.annotator(c, name, group), Priority.EDIT).result()

    def import_data(self, incoming: ImportContent, *, dry_run: bool = False) -> ImportCounts:
        if dry_run:
            with self._reading() as connection:
                return compare.plan(connection, incoming).counts()

        def work(connection: Connection) -> WriteResult[ImportCounts]:
            return import_plan.write(connection, compare.plan(connection, incoming))

        return self._writer.submit(work, Priority.IMPORT).result()

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        with self._reading() as connection:
            return pyramids.annotation(connection, topic_id, annotator_id)

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        with self._reading() as connection:
            begun = [a for a in pyramids.of_topics(connection, topic_ids) if not pyramids.is_blank(a)]
            order = {topic_id: at for at, topic_id in enumerate(texts.topic_ids(connection, topic_ids))}
        yield from sorted(begun, key=lambda a: (order[a.pyramid.topic_id], a.pyramid.annotator_id))

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[EditReceipt]:
        heading = EditHeader(verb, annotator_id, before.pyramid.topic_id, active_seconds, details)
        return self._edit(lambda c: pyramids.commit(c, before, after, heading))

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        heading = EditHeader(verb, annotator_id, topic_id, details=details)
        return self._edit(lambda c: edit_log.record_event(c, heading))

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        with self._reading() as connection:
            return edit_log.events(connection, topic_id, annotator_id, verb)

    def undo(self, annotator_id: str) -> Future[EditReceipt]:
        return self._edit(lambda c: edit_log.undo(c, annotator_id))

    def redo(self, annotator_id: str) -> Future[EditReceipt]:
        return self._edit(lambda c: edit_log.redo(c, annotator_id))

    def undo_labels(self, annotator_id: str) -> tuple[str, str]:
        with self._reading() as connection:
            return edit_log.verbs_to_undo(connection, annotator_id)

    def seconds_worked(self, annotator_id: str, verbs: Collection[str]) -> Mapping[str, float]:
        with self._reading() as connection:
            return history.seconds_worked(connection, annotator_id, verbs)

    def history(
        self,
        topic_id: str | None = None,
        limit: int = 200,
        *,
        pyramid_id: str = "",
        scu_id: str = "",
        before: str = "",
        moves: bool = False,
    ) -> Sequence[EditRecord]:
        about = {"pyramid_id": pyramid_id, "scu_id": scu_id, "before": before}
        with self._reading() as connection:
            return history.history(connection, topic_id, limit, **about, moves=moves)

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        with self._reading() as connection:
            return history.annotation_at(connection, topic_id, annotator_id, edit_id)

    def dimensions(self) -> Sequence[Dimension]:
        with self._reading() as connection:
            return ratings.dimensions(connection)

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        return self._writer.submit(
            lambda c: ratings.add_dimension(c, name, low, high, annotator_id), Priority.EDIT
        ).result()

    def edit_dimensions(
        self, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str
    ) -> Future[EditReceipt]:
        return self._edit(lambda c: ratings.edit_dimensions(c, before, after, annotator_id))

    def rating_counts(self) -> Mapping[str, Mapping[float, int]]:
        with self._reading() as connection:
            return ratings.counts(connection)

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
    ) -> Future[EditReceipt]:
        names = summary_id, dimension_id, annotator_id
        return self._edit(lambda c: ratings.rate(c, *names, value, active_seconds))

    def ratings(self, topic_id: str) -> Sequence[Rating]:
        with self._reading() as connection:
            return ratings.of_topic(connection, topic_id)

    def ratings_array(self, dimension: str) -> RatingCube:
        with self._reading() as connection:
            return ratings.cube(connection, dimension)

    def configs(self) -> Sequence[MetricConfig]:
        with self._reading() as connection:
            return scores.configs(connection)

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        with self._reading() as connection:
            return scores.input_hashes(connection, signature)

    def save_scores(self, config: MetricConfig, block: ScoreBlock) -> Future[EditReceipt]:
        return self._writer.submit(lambda c: scores.save(c, config, block), Priority.SCORES)

    def score_blocks(self, signature: str) -> Sequence[ScoreBlock]:
        with self._reading() as connection:
            return scores.blocks(connection, signature)

    def remove_scores(self, signature: str) -> Future[EditReceipt]:
        return self._writer.submit(lambda c: scores.remove(c, signature), Priority.SCORES)

    def experiments(self) -> Sequence[ExperimentRecord]:
        with self._reading() as connection:
            return experiments.records(connection)

    def experiment(self, experiment_id: str) -> ExperimentRecord | None:
        with self._reading() as connection:
            return experiments.record(connection, experiment_id)

    def save_experiment(self, record: ExperimentRecord) -> Future[EditReceipt]:
        return self._writer.submit(lambda c: experiments.save(c, record), Priority.SCORES)

    def experiment_parts(self, experiment_id: str) -> Mapping[str, Array]:
        with self._reading() as connection:
            return experiments.parts(connection, experiment_id)

    def save_experiment_part(self, experiment_id: str, key: str, values: Array) -> Future[EditReceipt]:
        return self._writer.submit(
            lambda c: experiments.save_part(c, experiment_id, key, values), Priority.SCORES
        )

    def remove_experiment(self, experiment_id: str) -> Future[EditReceipt]:
        return self._writer.submit(lambda c: experiments.remove(c, experiment_id), Priority.SCORES)

    def setting(self, key: str, default: str = "") -> str:
        with self._reading() as connection:
            return texts.setting(connection, key, default)

    def setting_keys(self, prefix: str) -> Sequence[str]:
        with self._reading() as connection:
            return texts.setting_keys(connection, prefix)

    def save_setting(self, key: str, value: str, annotator_id: str | None = None) -> Future[EditReceipt]:
        return self._edit(lambda c: texts.save_setting(c, key, value, annotator_id))

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
        with self._reading() as connection:
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
        self._is_closed = True
        self._reader.dispose()
        if not self._writer.close(CLOSING_SECONDS):
            raise PyramidionError(
                f"{self._path.name} could not be closed within {CLOSING_SECONDS:g} seconds: another program "
                "has locked it, and the last changes are not saved yet. Close the study there."
            )

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Provide a consistent snapshot of the study."""
        if self._is_closed:
            raise InputError(f"{self._path.name} is closed. Open it again to read it.")
        if self._reading_only is not None:
            self._reading_only.check_files()
        try:
            with study_database.reading_errors(self._path), self._reader.connect() as connection:
                try:
                    yield connection
                finally:
                    if self._is_closed:
                        connection.invalidate()  # the pool was closed meanwhile; it would keep the file open
        except InputError:
            self._writer.check_files()  # a lost file allows no new connection, while open ones still read it
            raise

    def _edit(self, work: Callable[[Connection], WriteResult[EditReceipt]]) -> Future[EditReceipt]:
        return self._writer.submit(work, Priority.EDIT)

    def _announce(self, changes: ChangeSet) -> None:
        with self._listening:
            listeners = tuple(self._listeners)
        for listener in listeners:
            try:
                listener(changes)
            except Exception:
                log.exception("a listener failed after a write")
