"""Fixtures of all tests; no test reaches the network or needs a screen."""

from __future__ import annotations

import atexit
import gc
import json
import multiprocessing
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import settings

import gui  # noqa: F401 - first, for it makes PySide6 leave the sources of imported modules unread
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.files.allowed_names import NameKind, allowed_names
from core.files.study_address import ServerAddress
from core.jit import Kernel
from core.models.catalogue.user_models import user_models
from core.models.chat_accounts import chat_accounts
from core.progress import run_to_completion
from core.scoring.speeds import speeds
from storage.sample_study import create_sample
from storage.study_file import StudyFile, new_study, open_study
from tests.postgres import PostgresServer, program, running_server

ROOT = Path(__file__).parents[1]

os.environ["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM") or "offscreen"
os.environ["PYRAMIDION_ENCODING_CACHE"] = "0"  # no test finds what another has encoded
# nobody's own settings, models and indexes take part, unless a test names a folder for them
NO_SETTINGS = tempfile.mkdtemp(prefix="pyramidion-tests-")
os.environ["PYRAMIDION_CONFIG"] = NO_SETTINGS
os.environ["PYRAMIDION_INDEXES"] = str(Path(NO_SETTINGS, "indexes"))
atexit.register(shutil.rmtree, NO_SETTINGS, ignore_errors=True)

# Workers share the cores: more threads than those would wait for each other. Workers inherit this.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# Workers of pools are forked with what each of them would import: NLTK, and this code where it is installed.
if "forkserver" in multiprocessing.get_all_start_methods():
    _imported = ["nltk", "core.scoring.process_pool", "storage.indexes.segmented_build"]
    for _path in sorted(ROOT.glob("core/metrics/**/[!_]*.py")):
        _imported.append(".".join(_path.relative_to(ROOT).with_suffix("").parts))
    _origin = json.loads(distribution("pyramidion").read_text("direct_url.json") or "{}")
    _is_installed = _origin.get("url") == ROOT.as_uri()
    multiprocessing.set_forkserver_preload(_imported if _is_installed else _imported[:1])

# Studies are written with every commit synchronized: in memory that costs nothing.
_IN_MEMORY, _ENOUGH = Path("/dev/shm"), 4 * 2**30
if _IN_MEMORY.is_dir() and os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free > _ENOUGH:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))

NIGHTLY = bool(os.environ.get("PYRAMIDION_NIGHTLY"))
"""Whether laws are tested with all their cases; otherwise some take a sample."""


def examples(number: int) -> int:
    """Return how many examples a property is tested with: all at night, otherwise half of them."""
    return number if NIGHTLY else -(-number // 2)


# a machine under load is no reason to fail; on a server the same examples every time
settings.register_profile(
    "here",
    deadline=None,
    max_examples=100 if NIGHTLY else 20,
    derandomize=bool(os.environ.get("CI")),
    print_blob=True,
)
settings.load_profile("here")

LOCAL = ("127.", "::1", "localhost", "0.0.0.0")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores, at most five: GUI tests wait for timers much of their time."""
    return min(5, (os.cpu_count() or 1) + 1)


def pytest_collection(session: pytest.Session) -> None:
    """Look for no garbage meanwhile; modules and tests are none.

    Each worker begins with other modules: what it compiles, the others find compiled when they come to it.
    """
    gc.disable()
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    paths = sorted(ROOT.glob("tests/**/test_*.py"))
    first = int(worker[2:]) * len(paths) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in (*paths[first:], *paths[:first]):
        with suppress(Exception, pytest.skip.Exception):  # which the collection reports
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with modules of slow tests; at the end of a run they would keep one worker while others rest."""
    if not NIGHTLY:
        why = pytest.mark.skip(reason="takes minutes; set PYRAMIDION_NIGHTLY=1, then run the test again")
        for item in items:
            if item.get_closest_marker("nightly"):
                item.add_marker(why)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Leave modules and collected tests out of later garbage collections; they live as long as the run."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # a twentieth of the time of tests otherwise
    gc.enable()


class NetworkDenied(RuntimeError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Only names and addresses of this machine are looked up and connected to."""
    patched = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patched.setattr(socket.socket, name, _only_local(getattr(socket.socket, name)))
    patched.setattr(socket, "getaddrinfo", _only_known(socket.getaddrinfo))
    yield
    patched.undo()


@pytest.fixture(autouse=True)
def _no_compiler_for_another_test() -> None:
    """Every test begins as the program does: what others computed is no reason to compile a loop."""
    Kernel.interpreted_steps = 0


@pytest.fixture(autouse=True)
def _names_of_this_test_alone() -> Iterator[None]:
    """Any path may be named in a test; `tests/laws` tests what happens where none is allowed."""
    names = allowed_names()
    names.restore(dict.fromkeys((NameKind.PLACE, NameKind.STUDY), (Path.cwd().anchor,)))
    yield
    names.__init__()  # type: ignore[misc]  # as in a new process
    Path(NO_SETTINGS, "allowed.json").unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_accounts_of_another_test() -> Iterator[None]:
    """Where the key of a server is, and its prices, are known to one test alone."""
    yield
    chat_accounts().__init__()  # type: ignore[misc]  # as in a new process
    Path(NO_SETTINGS, "chat_servers.json").unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_models_of_another_test() -> Iterator[None]:
    """What a test adds to the models is no other's."""
    yield
    user_models().use_folder(Path(NO_SETTINGS))
    Path(NO_SETTINGS, "models.json").unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _no_speeds_of_another_test() -> Iterator[None]:
    """Estimates are those of the metrics until a test measures its own."""
    yield
    speeds.cache_clear()


def _only_local(connect: Any) -> Any:
    def checked(self: socket.socket, address: Any) -> Any:
        if self.family != getattr(socket, "AF_UNIX", None):
            _check(address[0])
        return connect(self, address)

    return checked


def _only_known(look_up: Any) -> Any:
    def checked(host: Any, *arguments: Any, **more: Any) -> Any:
        _check(host)
        return look_up(host, *arguments, **more)

    return checked


def _check(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    if not name.startswith(LOCAL):
        raise NetworkDenied(f"tests reach no network, but {name} was asked for")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The data sets beside the project."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data sets are not in ../shared/data; put them there, then run the test again")
    return folder


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A temporary folder of all workers, for what one of them makes for all."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory, shared_folder: Path) -> Path:
    """The packaged sample study, closed: copy it to change it.

    Its thousand edits take seconds, so one worker makes them for all.
    """
    made = shared_folder / "sample.pyramidion"
    with FileLock(shared_folder / "lock"):
        if not made.exists():
            unfinished = shared_folder / "unfinished.pyramidion"
            run_to_completion(create_sample(unfinished, overwrite=True)).close()
            unfinished.rename(made)
    return Path(shutil.copy(made, tmp_path_factory.mktemp("sample")))


@pytest.fixture(scope="session")
def small_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small study, closed; tests copy it, which is five times as fast as creating and importing it."""
    path = tmp_path_factory.mktemp("small") / "small.pyramidion"
    with new_study(path, name="Small") as opened:
        opened.import_data(small())
    return path


@pytest.fixture(scope="session")
def postgres(shared_folder: Path) -> Iterator[PostgresServer]:
    """A PostgreSQL server of this run's own."""
    if program("initdb") is None:
        pytest.skip("PostgreSQL is not installed: `sudo apt install postgresql`, then run the test again")
    with running_server(shared_folder / "postgres") as server:
        yield server


@pytest.fixture(scope="session")
def small_on_server(postgres: PostgresServer) -> ServerAddress:
    """The small study on the server, closed; tests copy its database."""
    address = postgres.create_database()
    with new_study(address, name="Small") as opened:
        opened.import_data(small())
    return address


@pytest.fixture
def server_address(postgres: PostgresServer, small_on_server: ServerAddress) -> ServerAddress:
    """A copy of the small study on the server, closed."""
    return postgres.create_database(template=small_on_server.name)


@pytest.fixture
def server_of_this_test(postgres: PostgresServer, shared_folder: Path) -> Iterator[PostgresServer]:
    """A server that the test may stop."""
    with running_server(shared_folder / "postgres") as server:
        yield server


@pytest.fixture
def study(small_file: Path, tmp_path: Path) -> Iterator[StudyFile]:
    """An open study of 2 topics, 3 systems and 2 references, without annotations."""
    with open_study(Path(shutil.copyfile(small_file, tmp_path / small_file.name))) as opened:
        yield opened


def small() -> ImportContent:
    """What the small study holds. One text has signs outside the basic plane and combining marks."""
    court = NewTopic(
        "D1",
        title="Bridge ban",
        query="What did the court decide?",
        set="initial",
        documents={"D1-1": NewText("The court met on Monday.\n\nIt rejected the ban on the old bridge.")},
        references={
            "A": NewText("The court ruled on Monday that the ban on the bridge was void."),
            "B": NewText("A judge lifted the ban. 🌉 Cafe\u0301s near the bridge reopened 👩‍🚀 at once."),
        },
        summaries={
            "lead": NewText("The court met on Monday."),
            "good": NewText("The court lifted the ban on the bridge 🌉 and cafés reopened."),
            "bad": NewText("Bridges are old."),
        },
    )
    storm = NewTopic(
        "D2",
        title="Harbour storm",
        set="update",
        documents={"D2-1": NewText("A storm closed the harbour. Two ships waited outside.")},
        references={
            "A": NewText("A storm closed the harbour for two days."),
            "B": NewText("Ships waited.\nThe harbour was shut.", ((0, 13), (14, 35))),
        },
        summaries={
            "lead": NewText("A storm closed the harbour."),
            "good": NewText("The harbour was shut by a storm and two ships waited."),
            "bad": NewText("It was windy."),
        },
    )
    return ImportContent("small", topics=(court, storm), annotators={"Ann": "expert", "Ben": "expert"})


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List every skipped test with the command that would run it."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("skipped, and the command that would run each")
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.line(f"{reason.removeprefix('Skipped: ')}")
        terminalreporter.line(f"    .venv/bin/python -m pytest '{report.nodeid}'")
