"""Experiments: results of finished ones, parts of unfinished ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.json_text import parse_json
from core.ports import Array, ChangeKind, ChangeSet, EditReceipt, ExperimentRecord
from core.stats.types import stored_coefficient
from storage.database.schema import ExperimentPartRow, ExperimentRow
from storage.database.writer import Priority, WriteResult
from storage.repositories.repository import Repository, read, write
from storage.repositories.scores import packed, unpacked


def records(connection: Connection) -> list[ExperimentRecord]:
    """Return every experiment, newest first."""
    query = select(ExperimentRow.__table__).order_by(ExperimentRow.at.desc(), ExperimentRow.id)
    return [_record(row) for row in connection.execute(query)]


def find(connection: Connection, experiment_id: str) -> ExperimentRecord | None:
    """Return an experiment, None = not stored."""
    row = connection.execute(
        select(ExperimentRow.__table__).where(ExperimentRow.id == experiment_id)
    ).one_or_none()
    return None if row is None else _record(row)


def save(connection: Connection, record: ExperimentRecord) -> WriteResult[EditReceipt]:
    """Store an experiment; its parts are deleted once it has a result or other inputs."""
    before = find(connection, record.id)
    if record.result or (before is not None and before.inputs_hash != record.inputs_hash):
        _remove_parts(connection, record.id)
    row = {
        "id": record.id,
        "experiment": record.experiment,
        "recipe": record.recipe,
        "title": record.title,
        "settings": json.dumps(dict(record.settings), ensure_ascii=False),
        "seed": record.seed,
        "inputs_hash": record.inputs_hash,
        "at": record.at.astimezone(UTC).isoformat(),
        "seconds": record.seconds,
        "result": record.result,
        "parts": json.dumps(dict(record.parts), ensure_ascii=False) if record.parts else None,
    }
    if before is None:
        connection.execute(insert(ExperimentRow), row)
    else:
        connection.execute(update(ExperimentRow).where(ExperimentRow.id == record.id).values(row))
    return _written(f"keep experiment {record.experiment}")


def parts(connection: Connection, experiment_id: str) -> dict[str, Array]:
    """Return the stored parts of an unfinished experiment by key."""
    query = select(ExperimentPartRow.__table__).where(ExperimentPartRow.experiment_id == experiment_id)
    rows = connection.execute(query)
    return {row.key: unpacked(row.block, tuple(parse_json(row.shape))) for row in rows}


def save_part(
    connection: Connection, experiment_id: str, key: str, values: Array
) -> WriteResult[EditReceipt]:
    """Store a part, replacing an older one, unless the experiment was deleted in the meantime."""
    if find(connection, experiment_id) is not None:
        row = {"shape": json.dumps(values.shape), "block": packed(values)}
        known = ExperimentPartRow.experiment_id == experiment_id, ExperimentPartRow.key == key
        if not connection.execute(update(ExperimentPartRow).where(*known).values(row)).rowcount:
            place = {"experiment_id": experiment_id, "key": key}
            connection.execute(insert(ExperimentPartRow), {**place, **row})
    return _written("keep part of an experiment")


def remove(connection: Connection, experiment_id: str) -> WriteResult[EditReceipt]:
    """Delete an experiment with all of its parts."""
    _remove_parts(connection, experiment_id)
    connection.execute(delete(ExperimentRow).where(ExperimentRow.id == experiment_id))
    return _written("remove experiment")


def _remove_parts(connection: Connection, experiment_id: str) -> None:
    connection.execute(delete(ExperimentPartRow).where(ExperimentPartRow.experiment_id == experiment_id))


def _record(row: Any) -> ExperimentRecord:
    settings = parse_json(row.settings)
    if "coefficient" in settings:
        settings["coefficient"] = stored_coefficient(settings["coefficient"])
    return ExperimentRecord(
        row.id,
        row.experiment,
        row.recipe,
        row.title,
        settings,
        row.seed,
        row.inputs_hash,
        datetime.fromisoformat(row.at),
        row.seconds,
        row.result,
        parse_json(row.parts) if row.parts else {},
    )


def _written(verb: str) -> WriteResult[EditReceipt]:
    changes = ChangeSet(frozenset({ChangeKind.EXPERIMENTS}))
    return WriteResult(EditReceipt("", verb, datetime.now(UTC), changes), changes)


class Experiments(Repository):
    """Experiments and partial results; implements `ExperimentStore`."""

    all = read(records)
    get = read(find)
    save = write(save, Priority.SCORES)
    parts = read(parts)
    save_part = write(save_part, Priority.SCORES)
    remove = write(remove, Priority.SCORES)
