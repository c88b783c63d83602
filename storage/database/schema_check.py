"""Schema check: refuse study files with other database objects than Pyramidion creates.

A study is a database, and a database can contain code: triggers, views, virtual tables, generated columns and
indexes on expressions run when rows are read or written. Pyramidion creates none of them, so a file that has
them, or any other table, column, constraint or index that the file's version does not have, is not opened.

The statements are compared as text, token by token, because the types and names in `sqlite_master` may be
forged. No code in the file runs before this comparison.
"""

from __future__ import annotations

import re
import shlex
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from core.errors import UnsafeStudy
from core.names import first_names
from storage.database.engine import writing_engine
from storage.database.migrate import run_migrations
from storage.database.schema import Base

MOST_OBJECTS = 1000
"""Maximum number of rows of `sqlite_master`; a study has fewer than a hundred."""

LONGEST_STATEMENT = 20_000
"""Maximum length of a CREATE statement; the longest one of a study has about 1,000 characters."""

VERSION_TABLE = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)
_SQLITE_TABLES = (
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
"""Tables that SQLite adds itself, for example for ANALYZE."""

_MAX_LISTED = 5
_TOKEN = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:[^']|'')*')
    |"(?P<double>(?:[^"]|"")*)" | `(?P<back>(?:[^`]|``)*)` | \[(?P<square>[^\]]*)\]
    |(?P<word>[A-Za-z_0-9$\x80-\U0010ffff.]+)
    |(?P<sign><>|<=|>=|==|!=|\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTES = ("double", "back", "square")
_WORD = re.compile("[A-Za-z_][A-Za-z_0-9]*")

Statement = tuple[str, ...]
"""Normalized tokens of a CREATE statement; the definitions of a table are sorted."""


def stored_version(connection: sqlite3.Connection, path: Path, migrations: Path) -> str:
    """Return the version of a study's tables after comparing them with the schema of that version.

    Tables of an unknown version are only searched for code.
    Raises UnsafeStudy naming unexpected objects.
    Raises sqlite3.DatabaseError where the file cannot be read.
    """
    statements = _statements(connection, path)
    _refuse(path, (label for label, statement in statements if _is_code(statement)))
    if _normalized(VERSION_TABLE) not in (statement for _, statement in statements):
        raise sqlite3.DatabaseError("the table alembic_version is missing or has other columns")
    (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
    if not version:
        raise sqlite3.DatabaseError("the version of its tables is missing")
    known = _versions(migrations)
    if version in known:
        _compare(statements, str(version), known, migrations, path)
    return str(version)


def copyable_version(connection: sqlite3.Connection, path: Path, migrations: Path) -> str:
    """Return the version of a study whose tables are Pyramidion's, ignoring all other objects.

    The tables may have additional columns.
    Raises UnsafeStudy naming a table that differs.
    Raises sqlite3.DatabaseError where the file cannot be read.
    """
    statements = [statement for _, statement in _statements(connection, path)]
    if _normalized(VERSION_TABLE) not in statements:
        raise sqlite3.DatabaseError("the table alembic_version is missing or has other columns")
    (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
    if version not in _versions(migrations):
        raise UnsafeStudy(
            f"{path.name} was written by another version of Pyramidion. Use that version to copy its data."
        )
    own = [statement for statement in _of_version(str(version), migrations) if statement not in _optional()]
    for statement in own:
        if statement[:2] == ("create", "table") and not any(
            found[:3] == statement[:3] and set(statement) <= set(found) for found in statements
        ):
            raise UnsafeStudy(
                f"The table {statement[2]} of {path.name} is not Pyramidion's own, so its data cannot be "
                "copied. Ask its sender for another file."
            )
    return str(version)


def _versions(migrations: Path) -> list[str]:
    return sorted(file.name.split("_")[0] for file in (migrations / "versions").glob("[0-9]*_*.py"))


@cache
def _optional() -> frozenset[Statement]:
    return frozenset(map(_normalized, _SQLITE_TABLES))


def _compare(
    statements: Sequence[tuple[str, Statement]],
    version: str,
    known: Sequence[str],
    migrations: Path,
    path: Path,
) -> None:
    counts = Counter(statement for _, statement in statements)
    if (
        version == known[-1]
        and not _differences(counts, _newest())
        and _newest() - _optional() <= counts.keys()
    ):
        return
    expected = _of_version(version, migrations)  # migrated tables may have different statements
    unknown = _differences(counts, expected)
    if version == known[-1]:
        unknown = unknown & _differences(counts, _newest())
    _refuse(path, (label for label, statement in statements if statement in unknown))
    if missing := sorted(statement for statement in expected - _optional() if statement not in counts):
        raise sqlite3.DatabaseError(f"{' '.join(missing[0][1:4])} is missing")


def _differences(actual: Counter[Statement], expected: frozenset[Statement]) -> set[Statement]:
    """Return statements that are unexpected or occur twice."""
    return {statement for statement, count in actual.items() if count > 1 or statement not in expected}


def _statements(connection: sqlite3.Connection, path: Path) -> list[tuple[str, Statement]]:
    """Return every CREATE statement of a file with a label for messages."""
    query = (
        "SELECT type, name, tbl_name, substr(sql, 1, ?), rootpage FROM sqlite_master "
        "WHERE sql IS NOT NULL OR type <> 'index' OR name NOT LIKE 'sqlite_autoindex_%' LIMIT ?"
    )
    rows = connection.execute(query, (LONGEST_STATEMENT + 1, MOST_OBJECTS + 1)).fetchall()
    if len(rows) > MOST_OBJECTS:
        raise UnsafeStudy(_message(path, [f"more than {MOST_OBJECTS:,} tables and indexes"]))
    return [_statement(*row) for row in rows]


def _statement(kind: object, name: object, table: object, sql: object, page: object) -> tuple[str, Statement]:
    on = f" on {_printable(table)}" if table != name else ""
    label = f"{_printable(kind)} {_printable(name)}{on}"
    if not isinstance(sql, str) or len(sql) > LONGEST_STATEMENT or not page:
        return label, ("code", str(sql))
    return label, _normalized(sql)


def _printable(name: object) -> str:
    """Return a name from the file in a printable form."""
    text = "".join(sign if sign.isprintable() else "?" for sign in str(name))
    return text if len(text) <= 60 else f"{text[:59]}…"


def _is_code(statement: Statement) -> bool:
    """Return whether a statement is neither a plain table nor a plain index."""
    if statement[:2] == ("create", "table"):
        return False
    return statement[:2] != ("create", "index") and statement[:3] != ("create", "unique", "index")


def _refuse(path: Path, labels: Iterable[str]) -> None:
    if found := list(labels):
        raise UnsafeStudy(_message(path, found))


def _message(path: Path, labels: Sequence[str]) -> str:
    return (
        f"{path.name} contains database objects that Pyramidion never creates: "
        f"{first_names(labels, _MAX_LISTED)}. They could change or hide data, so the study is not "
        "opened. Ask the sender for a clean file, or copy the data into a new study: "
        f"pyramidion clean {shlex.quote(path.name)} -o NEW.pyramidion"
    )


@lru_cache(maxsize=256)  # studies have the same statements; reading them is half the time that opening takes
def _normalized(sql: str) -> Statement:
    tokens = tuple(_tokens(sql))
    if tokens[:2] != ("create", "table") or tokens[3:4] != ("(",) or tokens[-1] != ")":
        return tokens
    definitions: list[list[str]] = [[]]
    depth = 0
    for token in tokens[4:-1]:
        depth += (token == "(") - (token == ")")
        if depth < 0:  # something follows the list of columns
            return tokens
        if token == "," and not depth:
            definitions.append([])
        else:
            definitions[-1].append(token)
    return (*tokens[:3], *sorted(" ".join(definition) for definition in definitions))


def _tokens(sql: str) -> Iterator[str]:
    """Yield the tokens of a statement: words in lower case and unquoted, strings, signs; no comments."""
    for found in _TOKEN.finditer(sql.strip()):
        if found["blank"] is not None:
            continue
        quoted = next((found[name] for name in _QUOTES if found[name] is not None), None)
        if quoted is not None:
            yield quoted.lower() if _WORD.fullmatch(quoted) else f'"{quoted}"'
        else:
            # Letters outside ASCII have no capitals in SQL: K is not the Kelvin sign.
            yield found[0].lower() if found[0].isascii() else found[0]


@cache
def creating_statements() -> tuple[str, ...]:
    """Return the statements that create the tables and indexes of the current schema."""
    tables = Base.metadata.sorted_tables
    indexes = [
        index for table in tables for index in sorted(table.indexes, key=lambda index: str(index.name))
    ]
    creations = (
        *(CreateTable(table).compile(dialect=sqlite.dialect()) for table in tables),
        *(CreateIndex(index).compile(dialect=sqlite.dialect()) for index in indexes),
    )
    return (*map(str, creations), VERSION_TABLE)


@cache
def _newest() -> frozenset[Statement]:
    """Return the statements of the current schema."""
    return frozenset(map(_normalized, (*creating_statements(), *_SQLITE_TABLES)))


@cache
def _of_version(version: str, migrations: Path) -> frozenset[Statement]:
    """Return the statements of an older schema, as migrations create it in an empty database."""
    engine = writing_engine("sqlite+study://")
    try:
        with engine.begin() as connection:
            run_migrations(connection, migrations, version)
            rows = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            return frozenset(map(_normalized, (*(str(sql) for (sql,) in rows), *_SQLITE_TABLES)))
    finally:
        engine.dispose()
