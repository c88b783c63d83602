"""A PostgreSQL server of the tests' own, in a temporary folder and on a socket there."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.files.study_address import ServerAddress, parse_server_url

OWNER = "manager"
"""The database user that owns everything."""
_DEBIAN = Path("/usr/lib/postgresql")
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "shared_buffers": "32MB",
    "max_connections": "120",
    "lc_messages": "C",
    "logging_collector": "off",
}


def program(name: str) -> Path | None:
    """Return a program of PostgreSQL, None = it is not installed."""
    if found := shutil.which(name):
        return Path(found)
    versions = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]), reverse=True)
    return versions[0] if versions else None


class PostgresServer:
    """A running server. psycopg is imported when it is first used."""

    def __init__(self, folder: Path, user: str | None, options: dict[str, str]) -> None:
        self.folder, self._user, self._options = folder, user, options
        self._numbers = count(1)

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        settings = " ".join(f"-c {name}='{value}'" for name, value in self._options.items())
        options = f"{settings} -k {self.folder}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self) -> None:
        """Stop the server at once, as a crash does."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", str(self.folder / "data"))

    def initialize(self, prepared: Path | None = None) -> None:
        """Create the files of an empty server. prepared: see `running_server`."""
        if prepared is None:
            self._create_files()
            return
        with FileLock(f"{prepared}.lock"):
            if prepared.exists():
                _copy_files(prepared, self.folder / "data")
                return
            self._create_files()
            unfinished = prepared.with_name(f"{prepared.name}.unfinished")
            _copy_files(self.folder / "data", unfinished)
            unfinished.rename(prepared)

    def _create_files(self) -> None:
        trust = ("--auth-local", "trust", "--auth-host", "trust")
        self._run(
            "initdb", "--no-sync", "-E", "UTF8", "--locale", "C.UTF-8", "-U", OWNER, *trust,
            "-D", str(self.folder / "data"),
        )  # fmt: skip

    def _run(self, name: str, *arguments: str) -> None:
        command = [str(program(name)), *arguments]
        # a server that inherits a pipe would keep it open
        with (self.folder / "output").open("a+") as output:
            done = subprocess.run(
                command,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
                cwd=self.folder,
                stdout=output,
                stderr=output,
                check=False,
            )
            output.seek(0)
            assert done.returncode == 0, f"{' '.join(command)}: {output.read()[-2000:]}"

    def create_database(self, template: str = "template0", *, tcp: bool = False) -> ServerAddress:
        """Create an empty database, or a copy of another one, and return the address of its owner.

        tcp: over TCP instead of the socket; the server's options then name address and port.
        """
        name = f"study_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}", database="postgres")
        if tcp:
            host = f"{self._options['listen_addresses']}:{self._port}"
            return parse_server_url(f"postgresql+psycopg://{OWNER}@{host}/{name}")
        return self.address(name)

    @property
    def _port(self) -> str:
        return self._options.get("port", "5432")

    def address(self, database: str, user: str = OWNER) -> ServerAddress:
        return parse_server_url(f"postgresql+psycopg://{user}@/{database}?host={self.folder}")

    def execute(self, *statements: str, database: str, user: str = OWNER) -> list[tuple[Any, ...]]:
        """Run statements and return the rows of the last one."""
        import psycopg

        rows: list[tuple[Any, ...]] = []
        options = {"host": str(self.folder), "port": self._port, "dbname": database, "user": user}
        with psycopg.connect(**options, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows

    def user(self, address: ServerAddress, name: str, *grants: str) -> ServerAddress:
        """Create a database user if it is new, with rights in one database; return its address there."""
        known = self.execute(f"SELECT 1 FROM pg_roles WHERE rolname = '{name}'", database="postgres")
        create = () if known else (f"CREATE ROLE {name} LOGIN",)
        self.execute(*create, *grants, database=address.name)
        return self.address(address.name, name)

    @contextmanager
    def password_required(self, user: str) -> Iterator[None]:
        """Let a user log in with a password only."""
        rules = self.folder / "data" / "pg_hba.conf"
        before = rules.read_text()
        rules.write_text(f"local all {user} scram-sha-256\n{before}")
        self.execute("SELECT pg_reload_conf()", database="postgres")
        try:
            yield
        finally:
            rules.write_text(before)
            self.execute("SELECT pg_reload_conf()", database="postgres")

    def kill_connections(self, database: str, name: str = "pyramidion", *, most: int | None = None) -> int:
        """End connections of a program to a database, all or at most some. Returns their number."""
        rows = self.execute(
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity "
            f"WHERE datname = '{database}' AND application_name = '{name}' "
            f"ORDER BY random() LIMIT {'ALL' if most is None else most}) AS chosen",
            database="postgres",
        )
        return len(rows)


@contextmanager
def running_server(prepared: Path | None = None, **options: str) -> Iterator[PostgresServer]:
    """Start a server and stop it at the end.

    prepared: where the files of an empty server are; the first one creates them, all others copy them.
    options: settings of the server.
    """
    as_root = os.geteuid() == 0
    user = next((name for name in ("postgres", "nobody") if as_root and _exists(name)), None)
    base = "/dev/shm" if Path("/dev/shm").is_dir() and options.get("fsync") != "on" else None
    folder = Path(tempfile.mkdtemp(prefix="pyramidion-pg-", dir=base))
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = PostgresServer(folder, user, _OPTIONS | options)
        server.initialize(prepared)
        server.start()
        try:
            yield server
        finally:
            if (server.folder / "data" / "postmaster.pid").exists():
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_files(source: Path, target: Path) -> None:
    """Copy a folder with owners and permissions, without which a server does not start."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def rows_of_server(address: ServerAddress, query: str, *arguments: Any) -> list[dict[str, Any]]:
    """Return the rows of a query, asked past the program. query: with question marks, as for SQLite."""
    import psycopg
    from psycopg.rows import dict_row

    options = {"host": address.host, "dbname": address.name, "user": address.user}
    with psycopg.connect(**options, row_factory=dict_row) as connection:
        return connection.execute(query.replace("?", "%s").encode(), arguments or None).fetchall()
