"""Migrations lose nothing, and a failed one changes nothing."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.ratings import Dimension
from core.domain.study import text_digest
from core.errors import StudyDamaged, StudyTooNew
from core.experiments.runner import study_inputs
from core.metrics import registry
from core.ports import ExperimentRecord
from core.progress import run_to_completion
from core.scoring.config import ScoringConfig
from core.scoring.engine import score
from core.scoring.plan import plan
from core.scoring.staleness import ChangedInput
from core.scoring.study_resources import StudyResources
from storage.database import study_database
from storage.database.engine import APPLICATION_ID, url_of, writing_engine
from storage.database.migrate import run_migrations
from storage.database.schema import Base
from storage.database.upgrade import upgrade_study
from storage.study_file import check, open_study
from tests.storage.conftest import dump

pytestmark = pytest.mark.slow

HEAD = study_database.versions()[-1]


def at_version(path, version):
    """Create an empty study of a version."""
    path.write_bytes(_empty(HEAD if version == "head" else version))


@cache
def _empty(version):
    """Migrate the empty study of the version before."""
    versions = study_database.versions()
    place = versions.index(version)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty")
        if place:
            at_version(path, versions[place - 1])
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        engine = writing_engine(path, foreign_keys=False)
        with engine.begin() as connection:
            run_migrations(connection, study_database.MIGRATIONS, version)
        engine.dispose()
        return path.read_bytes()


def fill(path):
    """Put two rows into every table, whatever tables there are."""
    engine = writing_engine(path)
    with engine.begin() as connection:
        tables = MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            if table.name not in NEVER_FILLED:
                connection.execute(insert(table), [row_for(table, number) for number in (1, 2)])
    engine.dispose()


def row_for(table, number):
    row = {}
    for column in table.columns:
        keys = list(column.foreign_keys)
        kind = column.type.python_type
        if keys:
            row[column.name] = row_for(keys[0].column.table, number)[keys[0].column.name]
        elif kind is bytes:
            row[column.name] = bytes(8)
        elif kind is str:
            row[column.name] = "[]" if column.name in JSON else f"{table.name}-{column.name}-{number}"
        else:
            row[column.name] = kind(number)
    for name, value in PLAIN.items():
        if name in row:
            row[name] = value(number)
    return row


NEVER_FILLED = {"alembic_version", "nuggets", "nugget_hits"}
"""Tables without rows in studies of every version."""
JSON = {"anchors", "systems", "references", "measures", "notes", "delta", "sentence_spans"}
PLAIN = {
    "start": lambda number: 0,
    "is_deleted": lambda number: False,
    "at": lambda number: datetime.now(UTC).isoformat(),
    "kind": lambda number: "scu",
}


@pytest.mark.parametrize("version", study_database.versions())
def test_a_study_of_every_version_opens_with_every_row(version, tmp_path):
    path = tmp_path / "old.pyramidion"
    at_version(path, version)
    fill(path)
    before = dump(path)
    assert all(len(rows) == 2 for name, rows in before.items() if name not in NEVER_FILLED)
    with open_study(path) as study:
        assert [len(topic.references) for topic in study.texts.load()] == [1, 1]
    after = dump(path)
    assert {name: len(rows) for name, rows in after.items() if rows} == {
        name: len(rows) for name, rows in before.items() if rows
    }
    assert after["alembic_version"] == [(HEAD,)]
    for name, rows in before.items():
        if not rows:
            continue
        for old, new in zip(rows, after[name], strict=True):
            assert name == "alembic_version" or set(old) <= set(new)


def test_scales_of_an_older_study_keep_their_order_and_ratings_and_can_be_edited(tmp_path):
    """They were listed by name, D2 before D10; since version 0004 they have a position."""
    path = tmp_path / "old.pyramidion"
    at_version(path, "0003")
    scales = [("s1", "d10", 1, 5, ""), ("s2", "Clear", 0, 100, "How clear?"), ("s3", "d2", -2, 2, "")]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO dimensions VALUES (?, ?, ?, ?, ?)", scales)
        connection.execute("INSERT INTO topics VALUES ('t', 'T', '', '', '')")
        connection.execute("INSERT INTO systems VALUES ('y', 'lead', 'automatic')")
        connection.execute("INSERT INTO annotators VALUES ('a', 'Ann', '')")
        text = ("m", "t", "One.", text_digest("One.", None), None, "", "y")
        columns = "id, topic_id, content, digest, sentence_spans, external_id, system_id"
        connection.execute(f"INSERT INTO summaries ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", text)
        rating = ("r", "m", "s2", "a", 70.0, 1, False)
        columns = "id, summary_id, dimension_id, annotator_id, value, version, is_deleted"
        connection.execute(f"INSERT INTO ratings ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", rating)
    with open_study(path) as study:
        assert study.ratings.dimensions() == [
            Dimension("s2", "Clear", 0, 100, description="How clear?"),
            Dimension("s3", "d2", -2, 2),
            Dimension("s1", "d10"),
        ]
        before = study.ratings.dimensions()
        study.ratings.edit_dimensions(before, before[1:], "a").result()
        assert study.ratings.of_topic("t") == []
        study.edits.undo("a").result()
        assert study.ratings.dimensions() == before
        assert [rating.value for rating in study.ratings.of_topic("t")] == [70]
    assert check(path) == []
    (copy,) = backups(path)
    assert copy.name.startswith("old-0003-")
    assert dump(copy)["dimensions"] == scales


def test_a_result_of_an_older_study_is_current_and_a_stale_one_gives_no_parts(study):
    """It was stored without its parts; since version 0014 these are recorded."""
    inputs = study_inputs(study)
    record = ExperimentRecord("e", "x", "", "X", {}, 0, inputs.hash, datetime.now(UTC), parts=inputs.parts)
    study.experiments.save(record).result()
    assert study.experiments.get("e") == record
    study.close()
    with closing(sqlite3.connect(study.path)) as connection, connection:
        connection.execute("ALTER TABLE experiments DROP COLUMN parts")
        connection.execute("UPDATE alembic_version SET version_num = '0013'")
    with open_study(study.path) as opened:
        old = opened.experiments.get("e")
        assert old == replace(record, parts={})
        assert old.inputs_hash == study_inputs(opened).hash
        topic = next(iter(opened.texts.load()))
        new = {"D": NewText("A reference of another author.")}
        opened.import_data(ImportContent("x", topics=[NewTopic(topic.name, references=new)]))
        now = study_inputs(opened)
        assert now.changes_since(inputs.parts) == f"texts of {topic.name} changed"
        assert (now.hash != old.inputs_hash, now.changes_since(old.parts)) == (True, "")


def test_scores_of_an_older_study_are_up_to_date_and_name_what_they_can(study):
    """They were stored without their parts; since version 0013 these are recorded."""
    configs = [ScoringConfig(registry.parse("rouge-n"))]
    resources = StudyResources(study)
    run_to_completion(score(study, plan(study, configs, resources), resources))
    study.close()
    with closing(sqlite3.connect(study.path)) as connection, connection:
        connection.execute("ALTER TABLE scores DROP COLUMN parts")
        connection.execute("ALTER TABLE experiments DROP COLUMN parts")
        connection.execute("UPDATE alembic_version SET version_num = '0012'")
    with open_study(study.path) as opened:
        (run,) = plan(opened, configs, StudyResources(opened)).runs
        assert (run.topics, run.up_to_date) == ((), 2)
        first, second = opened.texts.load()
        new = {"D": NewText("A reference of another author.")}
        opened.import_data(ImportContent("x", topics=[NewTopic(first.name, references=new)]))
        opened.flush()
        with closing(sqlite3.connect(study.path)) as connection, connection:
            connection.execute("UPDATE summaries SET digest = 'x' WHERE topic_id = ?", [second.id])
        (run,) = plan(opened, configs, StudyResources(opened)).runs
        assert run.changes == {
            first.id: (ChangedInput("reference", "D", "added"),),
            second.id: (ChangedInput("inputs"),),
        }


class TestSchema:
    def statements(self, path):
        with closing(sqlite3.connect(path)) as connection:
            found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        plain = {name: sql.replace('"', "") for name, sql in found}  # a table that was rebuilt is quoted
        return {
            name: sorted(piece.strip() for piece in re.split(r"[,()]", sql)) for name, sql in plain.items()
        }

    def test_migrations_and_create_make_the_same_tables(self, tmp_path):
        migrated, created = tmp_path / "migrated", tmp_path / "created"
        at_version(migrated, "head")
        study_database.create(created)
        assert self.statements(migrated) == self.statements(created)
        engine = writing_engine(migrated)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        engine.dispose()

    def test_the_tables_can_be_created_on_postgresql(self):
        dialect = postgresql.dialect()
        for table in Base.metadata.sorted_tables:
            statements = [CreateTable(table), *(CreateIndex(index) for index in table.indexes)]
            assert all(str(statement.compile(dialect=dialect)) for statement in statements)
        topics = str(select(Base.metadata.tables["references"]).compile(dialect=dialect))
        assert 'FROM "references"' in topics

    def test_an_engine_takes_a_path_or_a_url(self, tmp_path):
        assert url_of("sqlite+pysqlite:///a.db").database == "a.db"
        odd = tmp_path / "a b%20?#.pyramidion"
        study_database.create(odd)
        assert url_of(odd).database == str(odd)
        assert check(odd) == []

    def test_every_foreign_key_refers_to_a_key(self):
        for table in Base.metadata.sorted_tables:
            for key in table.foreign_keys:
                assert key.column.primary_key or key.column.unique


@pytest.fixture
def migrations_with(tmp_path):
    """A function that copies the migrations and adds one with the given body."""

    def add(body, more=""):
        folder = tmp_path / "migrations"
        shutil.copytree(study_database.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        head = (
            f'import sqlalchemy as sa\nfrom alembic import op\nrevision = "9000"\ndown_revision = "{HEAD}"\n'
        )
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        (folder / "versions" / "9000_test.py").write_text(f"{head}{more}\ndef upgrade():\n{lines}")
        return folder

    return add


BATCH = """
with op.batch_alter_table("topics") as batch:
    batch.add_column(sa.Column("language", sa.Text, nullable=False, server_default="en"))
    batch.alter_column("title", new_column_name="headline")
"""


def backups(path):
    return sorted((path.parent / study_database.BACKUPS).iterdir())


class TestUpgrade:
    def test_rebuilding_a_parent_table_keeps_every_row_of_its_children(self, full_study, migrations_with):
        before = dump(full_study)
        upgrade_study(full_study, migrations_with(BATCH))
        after = dump(full_study)
        assert after.pop("alembic_version") == [("9000",)]
        assert after.pop("topics") == [(*row, "en") for row in before.pop("topics")]
        before.pop("alembic_version")
        assert after == before

    def test_the_backup_is_a_complete_study_of_the_old_version(self, full_study, migrations_with):
        before = dump(full_study)
        upgrade_study(full_study, migrations_with(BATCH))
        (copy,) = backups(full_study)
        assert copy.name.startswith(f"small-{HEAD}-2")
        assert dump(copy) == before
        assert check(copy) == []

    def test_a_table_may_change_its_rows_where_the_migration_declares_it(self, full_study, migrations_with):
        upgrade_study(
            full_study,
            migrations_with(
                'op.execute("DELETE FROM experiment_parts")', 'CHANGES_ROWS_OF = ["experiment_parts"]'
            ),
        )
        assert dump(full_study)["experiment_parts"] == []

    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            (BATCH + "\nraise OSError('the disk broke')", "the disk broke. The study was not changed."),
            (
                BATCH + "\nop.execute('DELETE FROM experiment_parts')",
                "table experiment_parts had 1 rows and would have 0.",
            ),
            (
                "op.execute('DROP TABLE experiment_parts')",
                "table experiment_parts had 1 rows and would have 0.",
            ),
            (
                "op.execute(\"UPDATE matches SET summary_id = 'nowhere'\")",
                "a row of table matches would lose the row of summaries",
            ),
            ("op.execute('CREATE TABLE t (a INTEGER); nonsense')", "The study was not changed."),
        ],
        ids=["raises", "loses rows", "loses a table", "loses parents", "bad SQL"],
    )
    def test_a_failed_upgrade_changes_nothing(self, body, reason, full_study, migrations_with):
        before = dump(full_study)
        with pytest.raises(StudyDamaged) as caught:
            upgrade_study(full_study, migrations_with(body))
        assert reason in str(caught.value)
        (copy,) = backups(full_study)
        assert f"Its backup is {copy}." in str(caught.value)
        assert dump(full_study) == dump(copy) == before
        assert check(full_study) == check(copy) == []

    def test_a_study_of_a_newer_version_is_refused_and_not_changed(self, full_study, migrations_with):
        upgrade_study(full_study, migrations_with(BATCH))
        before = full_study.read_bytes()
        with pytest.raises(StudyTooNew, match=r"newer version of Pyramidion .*9000"):
            open_study(full_study)
        assert full_study.read_bytes() == before
        assert check(full_study) == [
            "A newer version of Pyramidion wrote this study (tables 9000); use that version to check it."
        ]
