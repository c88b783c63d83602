"""Nothing that only stored content names is opened, listed, contacted, migrated or run.

Every setting of every metric, summarizer and experiment that takes free text is stored in a study with a name
of each kind: a folder, a search server, a study on a server, a study of an old version, a program. A guard
watches system calls of this process (audit events, `stat` and `lstat`), a listening socket, and the old
study's bytes. A new setting is covered without a change here.

How the law was tried to be broken: by relative and ``~`` names, ``..`` from an allowed folder, a name within
another one's settings (``sweep``, ``oracle``, ``enc-avg``), prefixes such as ``elmo-max:NAME``, models stored
in the study, names that the user typed as a part of another one, and by removing each check in turn.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.main import main
from core.comparison import inference
from core.comparison.explanations.explain_score import explain
from core.comparison.measures import measures
from core.errors import PyramidionError
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.figures import scatter_and_heatmap
from core.files.allowed_names import NameKind, NotAllowed, allowed_names
from core.metrics import registry
from core.ports import ExperimentRecord, MetricConfig, ScoreBlock
from core.results.result import Result, to_text
from core.scoring.config import ScoringConfig
from core.scoring.plan import plan
from core.scoring.staleness import check_scores
from core.scoring.study_resources import StudyResources
from core.settings import setting_default
from core.systems import registry as summarizers
from core.systems.run import SETTING
from storage.process_setup import set_up_process
from storage.study_file import StudyFile, open_study
from tests.gui.settled import is_settled

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MARK = "canary-e7"
PREFIXES = ("", "elmo-max:", "vectors:", "use:", "infersent1:")
"""What may precede a folder in a setting that names an encoder."""


@dataclass(frozen=True)
class Canaries:
    """Names that nobody allowed."""

    folder: Path
    old_study: Path
    program: str
    port: int
    listener: socket.socket

    def names(self) -> dict[str, str]:
        """Return a name of each kind."""
        return {
            "folder": str(self.folder),
            "file": str(self.folder / "vectors.txt"),
            "search server": f"elasticsearch:http://127.0.0.1:{self.port}/{MARK}",
            "study on a server": f"postgresql://{MARK}@127.0.0.1:{self.port}/x",
            "old study": str(self.old_study),
            "program": self.program,
        }


@pytest.fixture
def canaries(tmp_path: Path, small_file: Path) -> Iterator[Canaries]:
    folder = tmp_path / MARK
    folder.mkdir()
    for name in ("config.json", "vectors.txt", "index.noun", "config.cfg", "svr.pyr_score.en.pkl"):
        (folder / name).write_text("{}")
    old = Path(shutil.copy(small_file, folder / "old.pyramidion"))
    with sqlite3.connect(old) as opened:
        opened.execute("UPDATE alembic_version SET version_num = '0003'")
    opened.close()
    script = folder / "program.sh"
    script.write_text('#!/bin/sh\ntouch "$0.ran"\n')
    script.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield Canaries(folder, old, f"{script} x", listener.getsockname()[1], listener)


class Guard:
    """Watches what this process does with names that contain `MARK`, or with a port."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.port = 0
        self.is_on = False

        def audit(event: str, arguments: tuple[object, ...]) -> None:
            if self.is_on and event in _EVENTS:
                self._audit(event, arguments)

        sys.addaudithook(audit)  # it stays: a bound method would slow every further test of this process

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        named = " ".join(map(_as_text, arguments))
        if MARK in named or (event.startswith("socket.") and f"{self.port}" in named):
            self.seen.append(f"{event} {named[:200]}")

    def note(self, call: str, path: object) -> None:
        if self.is_on and MARK in _as_text(path):
            self.seen.append(f"{call} {_as_text(path)}")

    @contextmanager
    def watching(self, what: str, canaries: Canaries, patch: pytest.MonkeyPatch) -> Iterator[None]:
        """Fail where the block reaches a canary."""
        before = canaries.old_study.read_bytes()
        self.seen, self.port = [], canaries.port
        with patch.context() as patched:
            for name in ("stat", "lstat", "readlink", "access"):
                patched.setattr(os, name, self._noting(getattr(os, name)))
            self.is_on = True
            try:
                yield
            finally:
                self.is_on = False
        assert not self.seen, f"{what} reached {self.seen[:3]}"
        with pytest.raises(BlockingIOError):
            canaries.listener.accept()
        assert canaries.old_study.read_bytes() == before
        assert not list(canaries.folder.glob("*.ran"))

    def _noting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(path: Any, *arguments: Any, **more: Any) -> Any:
            self.note(call.__name__, path)
            return call(path, *arguments, **more)

        return noted


_EVENTS = frozenset(
    {"open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.chmod", "glob.glob"}
    | {"shutil.copyfile", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"}
    | {"socket.getaddrinfo", "sqlite3.connect", "import"}
)


def _as_text(value: object) -> str:
    return os.fsdecode(value) if isinstance(value, bytes | os.PathLike) else str(value)


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard()  # audit hooks cannot be removed


@pytest.fixture
def nothing_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the process of a user who has opened somebody else's study."""
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
    allowed_names().__init__()  # type: ignore[misc]  # as in a new process
    set_up_process()


def _free(kind: type) -> list[str]:
    """Return the settings of a dataclass that take any text."""
    return [
        f.name for f in fields(kind) if isinstance(setting_default(f), str) and not f.metadata.get("choices")
    ]


def _hostile_metrics(names: dict[str, str]) -> Iterator[Any]:
    """Yield every metric with a canary of each kind in each of its settings, and nested in specifications."""
    for kind in registry.metrics():
        for key in _free(kind):
            default = setting_default(next(f for f in fields(kind) if f.name == key))
            nested = [f"cosine:encoder={names['folder']}; cosine"] if ";" in default else []
            prefixed = [prefix + names["folder"] for prefix in PREFIXES if key == "encoder"]
            relative = [os.path.relpath(names["folder"]), f"~/../..{names['folder']}"]
            for value in (*names.values(), *nested, *prefixed, *relative):
                more = {"synonyms": "none"} if key == "paraphrases" else {}
                with suppress(PyramidionError):
                    yield kind(**{key: value, **more})


def test_no_setting_of_a_metric_reaches_what_a_study_names(
    canaries: Canaries, guard: Guard, study: StudyFile, nothing_allowed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic, resources = next(iter(study.texts.load())), StudyResources(study, "cpu")
    refusing = set()
    for name, together in groupby(_hostile_metrics(canaries.names()), key=lambda metric: metric.name):
        hostile = list(together)
        with guard.watching(name, canaries, monkeypatch):
            refused = plan(study, [ScoringConfig(metric) for metric in hostile], resources).refused
            for metric in hostile:
                for step in (metric.signature, metric.corpus_hash, partial(metric.topic_hash, topic)):
                    with suppress(PyramidionError):
                        step(resources)
            for run in refused:
                with suppress(PyramidionError):
                    run.config.metric.prepare(topic, resources)
        refusing |= {name for run in refused if run.to_allow is not None}
    assert {"bertscore", "external", "meteor", "be", "s3", "sera", "cosine", "summaqa"} <= refusing


def test_no_setting_of_a_summarizer_reaches_what_a_study_names(
    canaries: Canaries, guard: Guard, nothing_allowed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in summarizers.summarizers():
        for key in _free(kind):
            for name, value in canaries.names().items():
                with suppress(PyramidionError):
                    summarizer = kind(**{key: value})
                    with guard.watching(f"{kind.name} {key}={name}", canaries, monkeypatch):
                        summarizer.unavailable()
                        summarizer.signature  # noqa: B018 - reads the model where there is one


@pytest.fixture
def foreign(sample_file: Path, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody else's study: scores, experiments, systems and models with names of all kinds."""
    monkeypatch.setattr(inference, "MOST_DRAWS", 100)  # many pairs of measures need more, names none
    path = Path(shutil.copy(sample_file, tmp_path / "foreign.pyramidion"))
    with open_study(path) as opened:
        _plant_scores(opened, canaries.names())
        _plant_experiments(opened, canaries.names())
        made = {f"s{i}": f"model|model:{name}" for i, name in enumerate(canaries.names().values())}
        opened.settings.save(SETTING, json.dumps(made)).result()
        opened.settings.save("name", str(canaries.folder)).result()
    return path


def _plant_scores(study: StudyFile, names: dict[str, str]) -> None:
    draw = np.random.default_rng(3)
    topics = study.texts.topics()
    systems = tuple(system.name for system in study.texts.systems())
    for kind in registry.metrics():
        for key in _free(kind):
            name = names["program" if key == "command" else "search server" if key == "index" else "folder"]
            spec = f"{kind.name}:{key}={name}"
            try:
                columns = registry.parse(spec).measures()[:1]  # pairs of measures take long, and name no more
            except PyramidionError:
                columns = (f"{kind.name}.x",)
            signature = f"{kind.name}|{key}:{name}|version:{kind.version}"
            config = MetricConfig(signature, kind.name, kind.family, spec, columns)
            for topic in topics:
                values = draw.random((len(systems), len(columns)))
                study.scores.save(config, ScoreBlock(topic.id, systems, (), values, None, "x", 0.1))
    study.flush()


def _plant_experiments(study: StudyFile, names: dict[str, str]) -> None:
    at, result = datetime(2026, 1, 1, tzinfo=UTC), to_text(Result("Comparison", (), ()))
    asked = [("", cls.name, _free(cls)) for cls in all_experiments()]
    asked += [(one.name, one.experiment.name, _free(type(one.experiment))) for one in all_recipes()]
    for recipe, experiment, keys in asked:
        for key in keys:
            for name in ("study on a server", "old study", "folder"):
                settings = {key: names[name]}
                with suppress(PyramidionError):
                    request = (
                        parse_recipe(recipe, settings) if recipe else parse_request(experiment, settings)
                    )
                    record = ExperimentRecord(
                        request.experiment.id, experiment, recipe, "Comparison",
                        request.experiment.settings(), 0, "x", at, 1.0, result,
                    )  # fmt: skip
                    study.experiments.save(record)
    study.flush()


def _lines(foreign: Path, folder: Path) -> Iterator[list[str]]:
    report = str(folder / "report.json")
    study = str(foreign)
    yield ["report", study, "-o", report, "--draws", "20"]
    yield ["replay", report, "--study", study, "--stored-scores"]
    yield ["correlate", study, "--draws", "20"]
    yield ["validate", study, "--findings"]
    yield ["progress", study]
    yield ["agree", study]
    yield ["metrics", study]
    yield ["resample", study, "--list"]
    for what in ("scores", "annotations", "ratings", "texts"):
        yield ["export", study, "--what", what, "-o", str(folder / f"{what}.json")]


def test_no_command_reaches_what_a_study_names(
    foreign: Path,
    canaries: Canaries,
    guard: Guard,
    nothing_allowed: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    drawn = "<svg></svg>", lambda: "<svg></svg>"  # of titles alone
    monkeypatch.setattr(scatter_and_heatmap, "to_svg_of_both_modes", lambda *_, **__: drawn)
    for line in _lines(foreign, tmp_path):
        with guard.watching(line[0], canaries, monkeypatch):
            code = main(line)
        said = capsys.readouterr().err
        if line[0] in ("report", "correlate", "progress", "validate"):
            assert code == 0, (line, said)
    written = json.loads((tmp_path / "report.json").read_text())
    left_out = [
        text for section in written["sections"] for text in section["paragraphs"] if "Left out" in text
    ]
    assert any(str(canaries.old_study) in text and "pyramidion allow" in text for text in left_out)
    assert any("postgresql" in text for text in left_out)
    with open_study(foreign) as study, guard.watching("explain", canaries, monkeypatch):
        resources = StudyResources(study, "cpu")
        topic, system = study.texts.topics()[0].id, study.texts.systems()[0].name
        for ref in measures(study):
            with suppress(PyramidionError):
                explain(study, ref, topic, system, resources)
        check_scores(study, study.scores.configs(), resources)


def test_no_page_of_the_window_reaches_what_a_study_names(
    foreign: Path,
    canaries: Canaries,
    guard: Guard,
    nothing_allowed: None,
    qapp: Any,
    qtbot: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from gui.app import PAGES, build_window

    controller, window = build_window(qapp, tmp_path / "settings.json", PAGES)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with guard.watching("the window", canaries, monkeypatch):
        window.show()
        controller.start(foreign)
        qtbot.waitUntil(lambda: controller.context is not None, timeout=60_000)
        for key in window.page_keys:
            window.show_page(key)
            qtbot.waitUntil(lambda: is_settled(controller), timeout=60_000)
        controller.close()


BEGIN = "import os, sys; sys.path.insert(0, sys.argv[1])\n"
STARTING = {
    "a pool": """
from core.worker_processes import worker_pool
if __name__ == "__main__":
    with worker_pool(1) as pool:
        print(pool.submit(os.getpid).result())
""",
    "the lock of another package": """
from storage.process_setup import set_up_process
set_up_process()
import multiprocessing
print(multiprocessing.get_context("spawn").RLock())
""",
}


@pytest.mark.parametrize("what", STARTING)
def test_no_process_imports_from_the_folder_of_a_study(what: str, tmp_path: Path) -> None:
    script, folder = tmp_path / "program" / "start.py", tmp_path / "unpacked"
    for path in (script.parent, folder):
        path.mkdir()
    script.write_text(BEGIN + STARTING[what])
    for name in ("multiprocessing", "core", "pickle", "random"):
        (folder / f"{name}.py").write_text("open('ran', 'w')")
    command = [sys.executable, str(script), str(ROOT)]
    ran = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True
    )  # also waits for others
    assert ran.stdout
    assert not (folder / "ran").exists()


class TestWhatTheUserNames:
    """Allowed: what the user typed or chose, and what is below it."""

    def test_typed_names_are_allowed_wherever_they_stand(self, nothing_allowed: None, tmp_path: Path) -> None:
        typed = allowed_names()
        typed.named(f"bertscore:encoder={tmp_path}/a,layers=3", "-s", "others=b.pyramidion, c.pyramidion")
        assert typed.has(NameKind.PLACE, f"{tmp_path}/a")
        assert typed.has(NameKind.PLACE, f"{tmp_path}/a/below")
        assert typed.has(NameKind.STUDY, "/x/c.pyramidion", written="c.pyramidion")
        for other in (f"{tmp_path}", f"{tmp_path}/ab", f"{tmp_path}/a/../b", "/", "b", "3/"):
            assert not typed.has(NameKind.PLACE, other), other

    def test_a_default_of_a_setting_names_no_folder(self, nothing_allowed: None) -> None:
        for kind in registry.metrics():
            allowed_names().named_settings(kind())
        assert not any(allowed_names().has(NameKind.PLACE, name) for name in ("minilm", "en_core_web_sm"))
        allowed_names().named_settings(registry.parse("bertscore:encoder=mine"))
        assert allowed_names().has(NameKind.PLACE, "mine")

    def test_signs_and_schemes_in_a_typed_text_are_no_names(self, nothing_allowed: None) -> None:
        typed = allowed_names()
        typed.named("-m", "judge:server=https://host/v1,lm=a", "--name", "precision / recall . ~ ..")
        for name in ("/", ".", "..", "~", "./", "//"):
            assert not typed.has(NameKind.PLACE, name), name
            assert not typed.has(NameKind.STUDY, name), name
        for name in ("https:", "https:/", "https://", "https://hos", "https://other/v1"):
            assert not typed.has(NameKind.SERVER, name), name
        assert typed.has(NameKind.SERVER, "https://host/v1")
        typed.named(".")
        assert typed.has(NameKind.PLACE, ".")

    def test_a_typed_program_is_not_run_unless_it_was_typed_as_one(self, nothing_allowed: None) -> None:
        allowed_names().named("report", "study.pyramidion")
        with pytest.raises(NotAllowed, match="program 'report' is named only"):
            allowed_names().check(NameKind.COMMAND, "report")

    def test_allowed_names_are_stored_but_for_programs(self, nothing_allowed: None, tmp_path: Path) -> None:
        names = allowed_names()
        names.allow(NameKind.PLACE, "models/en")
        names.allow(NameKind.COMMAND, "python score.py")
        names.allow(NameKind.SERVER, "https://me:secret@host:9200")
        names.__init__()  # type: ignore[misc]  # as in a new process
        names.use_folder(tmp_path / "settings")
        assert names.has(NameKind.PLACE, str(Path("models/en").absolute()))
        assert not names.has(NameKind.COMMAND, "python score.py")
        assert "secret" not in (tmp_path / "settings" / "allowed.json").read_text()
        assert names.forget("models/en")
        assert not names.has(NameKind.PLACE, "models/en")

    def test_a_server_covers_its_paths_alone(self, nothing_allowed: None) -> None:
        names = allowed_names()
        names.allow(NameKind.SERVER, "https://host:9200")
        assert names.has(NameKind.SERVER, "https://host:9200/behind/a/proxy")
        for other in ("https://host:92000", "http://host:9200", "https://host:9200@evil"):
            assert not names.has(NameKind.SERVER, other)

    def test_a_damaged_list_is_reported(self, nothing_allowed: None, tmp_path: Path) -> None:
        (tmp_path / "settings").mkdir(exist_ok=True)
        (tmp_path / "settings" / "allowed.json").write_text("[")
        with pytest.raises(PyramidionError, match=r"allowed\.json"):
            allowed_names().has(NameKind.PLACE, "/x")
