"""A study that contains anything but Pyramidion's own tables and indexes is not opened."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from core.errors import InputError, StudyDamaged, UnsafeStudy
from core.progress import run_to_completion
from storage.database import backups, read_only, study_database
from storage.database.cleaning import copy_data
from storage.database.engine import reading_engine, writing_engine
from storage.study_file import backup, check, open_study
from tests.storage.database.test_migrations import at_version

TRIGGER = "CREATE TRIGGER vote AFTER INSERT ON edits BEGIN UPDATE ratings SET value = 5; END"
VIEW = """
    ALTER TABLE settings RENAME TO hidden;
    CREATE VIEW settings AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT x AS id, 0 AS version, 0 AS is_deleted, NULL AS edit_id, '' AS value FROM n
"""
GENERATED = "ALTER TABLE ratings ADD COLUMN twice GENERATED ALWAYS AS (value * 2)"
ADDITIONS = {
    TRIGGER: "trigger vote on edits",
    VIEW: "view settings",
    "CREATE VIRTUAL TABLE words USING fts5(content)": "table words",
    "CREATE TABLE notes (note TEXT)": "table notes",
    "CREATE INDEX slow ON ratings (hex(zeroblob(1000)) || value)": "index slow on ratings",
    "CREATE UNIQUE INDEX one ON ratings (value, id)": "index one on ratings",
    GENERATED: "table ratings",
    "ALTER TABLE topics ADD COLUMN note TEXT DEFAULT 'none'": "table topics",
}


def prepare(path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


@pytest.fixture
def empty(tmp_path):
    path = tmp_path / "study.pyramidion"
    study_database.create(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("script", "named"), ADDITIONS.items(), ids=ADDITIONS.values())
def test_additions_are_named_and_the_study_is_not_opened(empty, script, named):
    prepare(empty, script)
    with pytest.raises(UnsafeStudy, match=named):
        open_study(empty)
    with pytest.raises(UnsafeStudy):
        backup(empty, empty.with_name("copy.pyramidion"))
    (fault,) = check(empty)
    assert named in fault


@pytest.mark.slow
@pytest.mark.parametrize("version", study_database.versions()[:-1])
def test_older_studies_are_checked_before_they_are_migrated(tmp_path, version):
    path = tmp_path / "old.pyramidion"
    at_version(path, version)
    clean = tmp_path / "clean.pyramidion"
    shutil.copy(path, clean)
    prepare(path, TRIGGER)
    with pytest.raises(UnsafeStudy, match="vote"):
        open_study(path)
    assert not (tmp_path / study_database.BACKUPS).exists()
    open_study(clean).close()


def test_a_view_in_place_of_the_version_table_is_not_read(empty):
    prepare(
        empty,
        "DROP TABLE alembic_version; CREATE VIEW alembic_version AS WITH RECURSIVE n(x) AS "
        "(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS version_num FROM n",
    )
    with pytest.raises(UnsafeStudy, match="view alembic_version"):
        open_study(empty)


def test_code_is_recognized_whatever_kind_its_row_claims(empty):
    prepare(
        empty,
        f"{TRIGGER}; PRAGMA writable_schema=ON; "
        "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'vote'",
    )
    with pytest.raises((UnsafeStudy, StudyDamaged)):
        open_study(empty)


def test_names_in_the_message_have_no_control_characters(empty):
    prepare(empty, 'CREATE TABLE "a\x1b[31m\n' + "x" * 500 + '" (note TEXT)')
    (fault,) = check(empty)
    assert fault.isprintable()
    assert len(fault) < 400


def test_statistics_of_the_query_planner_are_no_additions(empty):
    prepare(empty, "INSERT INTO settings VALUES ('a', 1, 0, NULL, ''); ANALYZE; VACUUM")
    assert check(empty) == []
    open_study(empty).close()


@pytest.mark.parametrize("engine", [reading_engine, writing_engine])
def test_every_connection_distrusts_the_schema(empty, engine):
    opened = engine(empty)
    with opened.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA trusted_schema").scalar_one() == 0
    opened.dispose()
    with closing(study_database.connect(empty)) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)


def test_comparing_with_an_unsafe_study_is_refused(study):
    other = study.path.with_name("other.pyramidion")
    study_database.create(other)
    prepare(other, TRIGGER)
    with pytest.raises(UnsafeStudy, match="other"):
        study.open_relative("other.pyramidion")


def test_an_unsafe_study_is_neither_restored_nor_backed_up(empty, tmp_path):
    other = tmp_path / "other.pyramidion"
    study_database.create(other)
    prepare(other, TRIGGER)
    content = empty.read_bytes()
    with pytest.raises(UnsafeStudy, match="vote"):
        run_to_completion(backups.restore(empty, other))
    assert empty.read_bytes() == content
    with pytest.raises(UnsafeStudy, match="vote"):
        run_to_completion(backups.back_up(other))


def test_an_unsafe_study_that_cannot_be_written_is_not_opened_either(empty, monkeypatch):
    prepare(empty, TRIGGER)
    monkeypatch.setattr(read_only, "reason_of", lambda path: "It is read-only.")
    with pytest.raises(UnsafeStudy, match="vote"):
        open_study(empty)


@pytest.mark.slow
@pytest.mark.parametrize("script", [TRIGGER, GENERATED])
def test_the_data_of_an_unsafe_study_is_copied_into_a_clean_one(sample_file, tmp_path, script):
    path, clean = tmp_path / "unsafe.pyramidion", tmp_path / "clean.pyramidion"
    shutil.copy(sample_file, path)
    prepare(path, script)
    content = path.read_bytes()
    assert copy_data(path, clean) > 1000
    assert path.read_bytes() == content
    assert check(clean) == []
    with open_study(sample_file) as before, open_study(clean) as after:
        assert list(after.texts.load()) == list(before.texts.load())
        assert list(after.pyramids.annotations()) == list(before.pyramids.annotations())
        assert after.edits.history(limit=5000) == before.edits.history(limit=5000)


def test_data_behind_a_view_is_not_copied(empty, tmp_path):
    prepare(empty, VIEW)
    with pytest.raises(UnsafeStudy, match="The table settings"):
        copy_data(empty, tmp_path / "clean.pyramidion")
    assert not (tmp_path / "clean.pyramidion").exists()


def test_nothing_is_replaced_by_a_cleaned_study(empty):
    prepare(empty, TRIGGER)
    with pytest.raises(InputError, match="exists already"):
        copy_data(empty, empty)


@pytest.mark.parametrize(
    "script", ["DROP INDEX uq_summary_states_live", "DROP TABLE scores"], ids=["an index", "a table"]
)
def test_a_missing_table_or_index_is_damage(empty, script):
    prepare(empty, script)
    with pytest.raises(StudyDamaged, match="is missing"):
        open_study(empty)
    assert "is missing" in check(empty)[0]
