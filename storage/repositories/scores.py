"""Metric configurations and their score blocks."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from math import prod
from operator import attrgetter, itemgetter
from typing import Any, Self

import numpy as np
from sqlalchemy import Connection, Dialect, Select, bindparam, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from core.errors import StudyDamaged
from core.json_text import parse_json
from core.ports import Array, ChangeKind, ChangeSet, EditReceipt, InputParts, MetricConfig, ScoreBlock
from storage.database.schema import MetricConfigRow, ScoreRow, TopicRow
from storage.database.writer import Priority, WriteResult
from storage.repositories import texts
from storage.repositories.edits.row_deltas import Row
from storage.repositories.repository import Repository, read, write

_FLOAT = np.dtype("<f8")
_CONFIGS = (
    select(MetricConfigRow.__table__)
    .where(MetricConfigRow.number.in_(select(ScoreRow.config)))
    .order_by(MetricConfigRow.number)
)


def _of(*columns: Any) -> Select[Any]:
    """Return a query of columns of the blocks of the configuration ``signature``."""
    query = select(*columns).join(MetricConfigRow, MetricConfigRow.number == ScoreRow.config)
    return query.where(MetricConfigRow.signature == bindparam("signature"))


_INPUTS = _of(
    ScoreRow.topic_id,
    ScoreRow.inputs_hash,
    ScoreRow.systems,
    MetricConfigRow.measures,
    func.length(ScoreRow.block).label("size"),
)
_BLOCKS = _of(ScoreRow.__table__, MetricConfigRow.measures)
_VALUES = _of(ScoreRow.topic_id, ScoreRow.systems, ScoreRow.block, MetricConfigRow.measures)
_NOTES = _of(ScoreRow.topic_id, ScoreRow.notes)


def configs(connection: Connection) -> list[MetricConfig]:
    """Return every metric configuration with scores, in the order of their first run."""
    return [
        MetricConfig(
            row.signature,
            row.metric,
            row.family,
            row.spec,
            tuple(parse_json(row.measures)),
            tuple(parse_json(row.references)),
            row.higher_is_better,
        )
        for row in connection.execute(_CONFIGS)
    ]


def input_hashes(connection: Connection, signature: str) -> dict[str, str]:
    """Return topic id to inputs_hash of each stored block of a configuration.

    Damaged blocks are omitted, so that they are scored again.
    """
    return {
        row.topic_id: row.inputs_hash
        for row in connection.execute(_INPUTS, {"signature": signature})
        if row.size == _bytes_of((len(_names(row.systems)), len(_names(row.measures))))
    }


def blocks(connection: Connection, signature: str, topic_id: str | None = None) -> list[ScoreBlock]:
    """Return the blocks of a configuration, topics in order. Raises StudyDamaged if one is unreadable.

    topic_id: of the only one, None = all.
    """
    query = _BLOCKS if topic_id is None else _BLOCKS.where(ScoreRow.topic_id == topic_id)
    by_topic = {row.topic_id: row for row in connection.execute(query, {"signature": signature})}
    with _readable(signature):
        return [_block(by_topic[topic_id]) for topic_id in texts.ordered_ids(connection, list(by_topic))]


def values(connection: Connection, signature: str) -> dict[str, tuple[tuple[str, ...], Array]]:
    """Return systems and values[systems, measures] by topic id. Raises StudyDamaged as `blocks`."""
    rows = connection.execute(_VALUES, {"signature": signature})
    with _readable(signature):
        return {row.topic_id: _values(row) for row in rows}


def notes(connection: Connection, signature: str) -> dict[str, dict[str, int]]:
    """Return the notes of each block of a configuration by topic id."""
    rows = connection.execute(_NOTES, {"signature": signature})
    return {row.topic_id: parse_json(row.notes) for row in rows}


@contextmanager
def _readable(signature: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise StudyDamaged(f"The scores of {signature} are damaged: {error}. Score again.") from error


def _values(row: Any) -> tuple[tuple[str, ...], Array]:
    """Return systems and values of a row. Raises ValueError where its size does not match."""
    systems = _names(row.systems)
    return systems, unpacked(row.block, (len(systems), len(_names(row.measures))))


def _block(row: Any) -> ScoreBlock:
    """Return the block of a row. Raises ValueError where its size does not match systems and measures."""
    (systems, values), references = _values(row), _names(row.references)
    shape = len(systems), len(references), row.statistics
    stats = None if row.stats is None else unpacked(row.stats, shape)
    notes, parts = parse_json(row.notes), None if row.parts is None else InputParts(*parse_json(row.parts))
    about = row.inputs_hash, row.seconds, notes, parts
    return ScoreBlock(row.topic_id, systems, references, values, stats, *about)


@lru_cache(maxsize=256)  # most blocks of a study have the same
def _names(text: str) -> tuple[str, ...]:
    """Return the names in a JSON list."""
    return tuple(parse_json(text))


_NUMBERS = select(MetricConfigRow.signature, MetricConfigRow.number).where(
    MetricConfigRow.signature.in_(bindparam("signatures", expanding=True))
)
_NUMBER = select(MetricConfigRow.number).where(MetricConfigRow.signature == bindparam("signature"))


@lru_cache(maxsize=16)
def _replace(dialect: Dialect) -> tuple[str, Callable[[Row], Any]]:
    """Return the statement that stores a row, or replaces the one of its configuration and topic, and how
    the driver takes a row: for as many as these, SQLAlchemy's own way takes longer than the database.
    """
    inserts: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
    made = inserts[dialect.name](ScoreRow.__table__)
    key = ("config", "topic_id")
    others = {column.name: made.excluded[column.name] for column in ScoreRow.__table__.columns}
    changed = {name: value for name, value in others.items() if name not in key}
    compiled = made.on_conflict_do_update(index_elements=key, set_=changed).compile(dialect=dialect)
    order = compiled.positiontup
    return compiled.string, itemgetter(*order) if order else dict


@dataclass(frozen=True, slots=True)
class SavedBlocks:
    """Stores blocks, replacing older ones; implements `JointJob`.

    Raises ValueError where shapes do not fit.
    """

    blocks: Sequence[tuple[MetricConfig, ScoreBlock]]

    @property
    def size(self) -> int:
        return len(self.blocks)

    def __call__(self, connection: Connection) -> WriteResult[EditReceipt]:
        """Store the blocks of topics that were not removed meanwhile, as by undoing their import."""
        asked = select(TopicRow.id).where(TopicRow.id.in_({block.topic_id for _, block in self.blocks}))
        here = frozenset(connection.scalars(asked))
        left = [pair for pair in self.blocks if pair[1].topic_id in here]
        return self.together(connection, [replace(self, blocks=left)])[0]

    @classmethod
    def together(cls, connection: Connection, jobs: Sequence[Self]) -> list[WriteResult[EditReceipt]]:
        blocks = [pair for job in jobs for pair in job.blocks]
        configs = {config.signature: config for config, _ in blocks}
        known = connection.execute(_NUMBERS, {"signatures": list(configs)})
        numbers = {row.signature: row.number for row in known}
        for signature, config in configs.items():  # in their order, which numbers keep
            if signature not in numbers:
                numbers[signature] = config_number(connection, config)
        statement, of_row = _replace(connection.dialect)
        rows = [_row(numbers[config.signature], config, block) for config, block in blocks]
        if rows:
            connection.exec_driver_sql(statement, list(map(of_row, rows)))
        return [_written("score", {block.topic_id for _, block in job.blocks}) for job in jobs]


def remove(connection: Connection, signature: str) -> WriteResult[EditReceipt]:
    """Delete a configuration and its scores."""
    number = connection.scalar(select(MetricConfigRow.number).where(MetricConfigRow.signature == signature))
    connection.execute(delete(ScoreRow).where(ScoreRow.config == number))
    connection.execute(delete(MetricConfigRow).where(MetricConfigRow.number == number))
    return _written("remove scores")


def config_number(connection: Connection, config: MetricConfig) -> int:
    """Return the number of a configuration; store it if new."""
    known = connection.scalar(_NUMBER, {"signature": config.signature})
    if known is not None:
        return int(known)
    row = {
        "signature": config.signature,
        "metric": config.metric,
        "family": config.family,
        "spec": config.spec,
        "measures": json.dumps(config.measures),
        "references": json.dumps(config.references),
        "higher_is_better": config.higher_is_better,
    }
    connection.execute(insert(MetricConfigRow), row)
    return int(connection.scalars(_NUMBER, {"signature": config.signature}).one())


def packed(array: Array) -> bytes:
    """Encode an array as little-endian float64 in C order."""
    return np.ascontiguousarray(array, dtype=_FLOAT).tobytes()


def unpacked(stored: bytes, shape: tuple[int, ...]) -> Array:
    """Decode an array encoded by `packed`, as a writable copy. Raises ValueError on a wrong size."""
    if len(stored) != _bytes_of(shape):
        raise ValueError(f"a block of {len(stored)} bytes is not of shape {shape}")
    return np.frombuffer(stored, dtype=_FLOAT).reshape(shape).astype(np.float64)


def _bytes_of(shape: tuple[int, ...]) -> int:
    return prod(shape) * _FLOAT.itemsize


def _row(number: int, config: MetricConfig, block: ScoreBlock) -> Row:
    shape = len(block.systems), len(config.measures)
    if block.values.shape != shape:
        raise ValueError(f"values of shape {block.values.shape} given for {shape} systems and measures")
    axes = len(block.systems), len(block.references)
    if block.stats is not None and (block.stats.ndim != 3 or block.stats.shape[:2] != axes):
        raise ValueError(f"stats of shape {block.stats.shape} given for {axes} systems and references")
    return {
        "config": number,
        "topic_id": block.topic_id,
        "systems": _stored_names(block.systems),
        "references": _stored_names(block.references),
        "block": packed(block.values),
        "stats": None if block.stats is None else packed(block.stats),
        "statistics": 0 if block.stats is None else block.stats.shape[2],
        "inputs_hash": block.inputs_hash,
        "seconds": block.seconds,
        "notes": json.dumps(dict(block.notes)) if block.notes else "{}",
        "parts": None if block.parts is None else _parts(block.parts),
    }


_stored_names = lru_cache(maxsize=256)(json.JSONEncoder(ensure_ascii=False).encode)
_to_compact_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_values_of_parts = attrgetter(*(field.name for field in fields(InputParts)))


def _parts(parts: InputParts) -> str:
    """Encode digests compactly: there is a block for each topic and configuration."""
    return _to_compact_json(_values_of_parts(parts))


def _written(verb: str, topic_ids: Collection[str] = ()) -> WriteResult[EditReceipt]:
    changes = ChangeSet(frozenset({ChangeKind.SCORES}), frozenset(topic_ids))
    topic_id = next(iter(topic_ids)) if len(topic_ids) == 1 else None
    return WriteResult(EditReceipt("", verb, datetime.now(UTC), changes, topic_id), changes)


class Scores(Repository):
    """Scores of metrics; implements `ScoreStore`."""

    configs = read(configs)
    input_hashes = read(input_hashes)
    blocks = read(blocks)
    values = read(values)
    notes = read(notes)
    remove = write(remove, Priority.SCORES)

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future[EditReceipt]:
        return self.save_all([(config, block)])

    def save_all(self, blocks: Sequence[tuple[MetricConfig, ScoreBlock]]) -> Future[EditReceipt]:
        return self._transactions.submit(SavedBlocks(blocks), Priority.SCORES)
