"""Experiments with their results, and the parts of those under way."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.ports import Array, ChangeKind, ChangeSet, EditReceipt, ExperimentRecord
from storage.database.schema import ExperimentPartRow, ExperimentRow
from storage.database.writer import WriteResult
from storage.repositories.scores import packed, unpacked


def records(connection: Connection) -> list[ExperimentRecord]:
    """Every experiment, newest first."""
    query = select(ExperimentRow.__table__).order_by(ExperimentRow.at.desc(), ExperimentRow.id)
    return [_record(row) for row in connection.execute(query)]


def record(connection: Connection, experiment_id: str) -> ExperimentRecord | None:
    """One experiment, None where it is not kept."""
    row = connection.execute(
        select(ExperimentRow.__table__).where(ExperimentRow.id == experiment_id)
    ).one_or_none()
    return None if row is None else _record(row)


def save(connection: Connection, kept: ExperimentRecord) -> WriteResult[EditReceipt]:
    """Keep an experiment; its parts go once it has a result, or where they stand on other inputs."""
    before = record(connection, kept.id)
    if kept.result or (before is not None and before.inputs_hash != kept.inputs_hash):
        _remove_parts(connection, kept.id)
    row = {
        "id": kept.id,
        "experiment": kept.experiment,
        "recipe": kept.recipe,
        "title": kept.title,
        "settings": json.dumps(dict(kept.settings), ensure_ascii=False),
        "seed": kept.seed,
        "inputs_hash": kept.inputs_hash,
        "at": kept.at.astimezone(UTC).isoformat(),
        "seconds": kept.seconds,
        "result": kept.result,
    }
    if before is None:
        connection.execute(insert(ExperimentRow), row)
    else:
        connection.execute(update(ExperimentRow).where(ExperimentRow.id == kept.id).values(row))
    return _written(f"keep experiment {kept.experiment}")


def parts(connection: Connection, experiment_id: str) -> dict[str, Array]:
    """What is done of an experiment under way, by the parts' keys."""
    query = select(ExperimentPartRow.__table__).where(ExperimentPartRow.experiment_id == experiment_id)
    rows = connection.execute(query)
    return {row.key: unpacked(row.block, tuple(json.loads(row.shape))) for row in rows}


def save_part(
    connection: Connection, experiment_id: str, key: str, values: Array
) -> WriteResult[EditReceipt]:
    """Keep a part, replacing an older one; of an experiment that was removed meanwhile nothing is kept."""
    if record(connection, experiment_id) is not None:
        row = {"shape": json.dumps(values.shape), "block": packed(values)}
        known = ExperimentPartRow.experiment_id == experiment_id, ExperimentPartRow.key == key
        if not connection.execute(update(ExperimentPartRow).where(*known).values(row)).rowcount:
            place = {"experiment_id": experiment_id, "key": key}
            connection.execute(insert(ExperimentPartRow), {**place, **row})
    return _written("keep part of an experiment")


def remove(connection: Connection, experiment_id: str) -> WriteResult[EditReceipt]:
    """Forget an experiment with all of its parts."""
    _remove_parts(connection, experiment_id)
    connection.execute(delete(ExperimentRow).where(ExperimentRow.id == experiment_id))
    return _written("remove experiment")


def _remove_parts(connection: Connection, experiment_id: str) -> None:
    connection.execute(delete(ExperimentPartRow).where(ExperimentPartRow.experiment_id == experiment_id))


def _record(row: Any) -> ExperimentRecord:
    return ExperimentRecord(
        row.id,
        row.experiment,
        row.recipe,
        row.title,
        json.loads(row.settings),
        row.seed,
        row.inputs_hash,
        datetime.fromisoformat(row.at),
        row.seconds,
        row.result,
    )


def _written(verb: str) -> WriteResult[EditReceipt]:
    changes = ChangeSet(frozenset({ChangeKind.EXPERIMENTS}))
    return WriteResult(EditReceipt("", verb, datetime.now(UTC), changes), changes)
