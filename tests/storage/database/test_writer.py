"""The one writer: what goes first, what a lock elsewhere does, how it ends."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, contextmanager

import pytest

from core.domain import pyramid
from core.errors import PyramidionError
from core.ports import ChangeKind, ChangeSet
from storage import study_file
from storage.database import engine
from storage.database import writer as writers
from storage.database.engine import writing_engine
from storage.database.file_session import FileSession
from storage.database.writer import Priority, Writer, WriteResult
from storage.study_file import open_study
from tests.storage.conftest import open_editor

NOTHING = WriteResult(None, ChangeSet(frozenset()))


@pytest.fixture
def writer(tmp_path):
    made = Writer(FileSession(writing_engine(tmp_path / "any.sqlite")), lambda changes: None)
    yield made
    assert made.close(10)


@contextmanager
def locked(path):
    """Another program in the middle of a write."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def busy(writer):
    """A write that lasts as long as the block."""
    begun, may_go = threading.Event(), threading.Event()

    def work(connection):
        begun.set()
        may_go.wait(600)
        return NOTHING

    writer.submit(work, Priority.SCORES)
    begun.wait(600)
    try:
        yield
    finally:
        may_go.set()


class TestOrder:
    def test_edits_go_before_imports_and_those_before_scores(self, writer):
        done = []

        def noting(name):
            return lambda connection: done.append(name) or NOTHING

        with busy(writer):
            for name, priority in (
                ("scores 1", Priority.SCORES),
                ("scores 2", Priority.SCORES),
                ("import", Priority.IMPORT),
                ("edit 1", Priority.EDIT),
                ("edit 2", Priority.EDIT),
            ):
                writer.submit(noting(name), priority)
        writer.flush(10)
        assert done == ["edit 1", "edit 2", "import", "scores 1", "scores 2"]

    def test_scores_that_wait_share_a_transaction(self, writer, monkeypatch):
        transactions, transaction = [], writer.session.transaction
        with busy(writer):
            together = [writer.submit(lambda connection: NOTHING, Priority.SCORES) for _ in range(3)]
            monkeypatch.setattr(
                writer.session, "transaction", lambda work: transactions.append(work) or transaction(work)
            )
        for future in together:
            future.result(10)
        assert len(transactions) == 1

    def test_scores_wait_for_others_and_an_edit_for_no_scores(self, writer, monkeypatch):
        monkeypatch.setattr(writers, "GATHERING_S", (600.0, 600.0))
        done = []
        with busy(writer):
            together = [writer.submit(lambda connection: NOTHING, Priority.SCORES) for _ in range(2)]
        for future in together:
            future.result(10)
        scores = writer.submit(lambda connection: done.append("scores") or NOTHING, Priority.SCORES)
        writer.submit(lambda connection: done.append("edit") or NOTHING, Priority.EDIT).result(10)
        assert done == ["edit"]
        for _ in range(writers.MOST_TOGETHER):
            writer.submit(lambda connection: NOTHING, Priority.SCORES)
        scores.result(10)
        assert done == ["edit", "scores"]

    def test_scores_do_not_wait_when_the_last_write_came_before_them(self, writer, monkeypatch):
        monkeypatch.setattr(writers, "GATHERING_S", (600.0, 600.0))
        with busy(writer):
            together = [writer.submit(lambda connection: NOTHING, Priority.SCORES) for _ in range(2)]
        for future in together:
            future.result(10)
        begun, may_go = threading.Event(), threading.Event()
        writer.submit(lambda connection: begun.set() or (may_go.wait(600) and NOTHING), Priority.EDIT)
        begun.wait(600)
        scores = writer.submit(lambda connection: NOTHING, Priority.SCORES)
        last = writer.submit(lambda connection: NOTHING, Priority.LAST)
        may_go.set()
        scores.result(10)
        last.result(10)

    def test_scores_that_fail_or_are_cancelled_keep_none_of_the_others(self, writer):
        def save(number):
            def work(connection):
                connection.exec_driver_sql(f"INSERT INTO block VALUES ({number})")
                return WriteResult(100 // number, ChangeSet(frozenset()))

            return work

        def make(connection):
            connection.exec_driver_sql("CREATE TABLE block (number)")
            return NOTHING

        def numbers(connection):
            found = connection.exec_driver_sql("SELECT number FROM block ORDER BY rowid").scalars().all()
            return WriteResult(found, ChangeSet(frozenset()))

        writer.submit(make, Priority.EDIT)
        with busy(writer):
            cancelled, *others = [writer.submit(save(n), Priority.SCORES) for n in (10, 20, 0, 25)]
            cancelled.cancel()
        errors = [type(future.exception(10)) for future in others]
        assert errors == [type(None), ZeroDivisionError, type(None)]
        assert writer.submit(numbers, Priority.EDIT).result(10) == [20, 25]

    def test_work_that_fails_leaves_nothing_and_does_not_stop_the_rest(self, writer):
        def failing(connection):
            connection.exec_driver_sql("CREATE TABLE half (a)")
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            writer.submit(failing, Priority.EDIT).result(10)

        def look(connection):
            tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            return WriteResult(tables, ChangeSet(frozenset()))

        assert writer.submit(look, Priority.EDIT).result(10) == 0

    def test_a_write_that_was_cancelled_in_time_does_not_happen(self, writer):
        may_go = threading.Event()
        writer.submit(lambda connection: may_go.wait(600) and NOTHING, Priority.EDIT)
        done = []
        future = writer.submit(lambda connection: done.append(1) or NOTHING, Priority.SCORES)
        assert future.cancel()
        may_go.set()
        writer.flush(10)
        assert done == []


class TestALockElsewhere:
    def test_an_edit_waits_for_it(self, study):
        with locked(study.path):
            future = study.settings.save("a", "b")
            assert not future.done()
        assert future.result(10).edit_id

    def test_after_a_long_wait_it_is_reported_and_later_edits_succeed(self, study, monkeypatch):
        study.close()
        monkeypatch.setattr(engine, "BUSY_SECONDS", 0.1)
        with open_study(study.path) as opened:
            with locked(study.path), pytest.raises(PyramidionError, match="another program keeps it locked"):
                opened.settings.save("a", "b").result()
            assert opened.settings.get("a") == ""
            opened.settings.save("a", "c").result()
            assert opened.settings.get("a") == "c"

    def test_reading_goes_on_meanwhile(self, study):
        with locked(study.path):
            assert len(study.texts.topics()) == 2

    def test_closing_waits_only_so_long_and_reports_it(self, study, monkeypatch):
        monkeypatch.setattr(study_file, "CLOSING_SECONDS", 0.2)
        with locked(study.path):
            future = study.settings.save("a", "b")
            with pytest.raises(PyramidionError, match="could not be closed within"):
                study.close()
        assert future.result(10).edit_id
        study.close()


class TestListeners:
    def test_one_that_fails_stops_neither_the_others_nor_the_writer(self, study, caplog):
        heard = []

        def failing(changes):
            raise ZeroDivisionError

        study.subscribe(failing)
        study.subscribe(heard.append)
        study.settings.save("a", "b").result()
        study.settings.save("a", "c").result()
        study.flush()
        assert [set(changes.kinds) for changes in heard] == [{ChangeKind.SETTINGS}] * 2
        assert "a listener failed" in caplog.text

    def test_they_are_reported_when_it_can_be_read(self, study):
        editor, seen = open_editor(study), []
        study.subscribe(lambda changes: seen.append(editor.reload().pyramid.scus[0].label))
        before = editor.annotation
        after = pyramid.add_scu(before, "new", editor.topic.references[0].id, [(0, 3)])
        study.pyramids.commit(before, after, "new SCU", editor.annotator_id).result()
        study.flush()
        assert seen == ["new"]
