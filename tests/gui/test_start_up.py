"""Expensive modules that must not be imported before the window is painted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from gui.app import AHEAD
from gui.background.preloader import MODULES, Preloader, modules_of

ROOT = Path(__file__).parents[2]
HEAVY = (
    "torch", "transformers", "matplotlib", "scipy", "sklearn", "alembic", "numba", "spacy", "gensim",
    "psycopg", "keyring",
)  # fmt: skip

FEW = 4
"""Modules that are imported in one turn of the window's thread."""

PAINT = """
import json, linecache, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.app import build_window

app = QApplication([])
controller, window = build_window(app, Path(sys.argv[1]) / "settings.json")
window.show()
controller.start(None)

def tell(is_there, then):
    if not is_there():
        QTimer.singleShot(5, lambda: tell(is_there, then))
        return
    window.grab()
    read = sum(getattr(each, "__file__", None) in linecache.cache for each in sys.modules.values())
    print(json.dumps([sorted(sys.modules), read]))
    then()

def open_study():
    controller.open_path(Path(sys.argv[2]))
    tell(lambda: controller.context is not None, end)

def end():
    window.close()
    app.quit()

QTimer.singleShot(0, lambda: tell(window.isVisible, open_study))
app.exec()
"""
PRELOAD = f"""
import sys
from importlib import import_module
from gui.background.preloader import preload
preload().join()
print(*sys.modules)
import gui.app
for page in {modules_of(*AHEAD)}:
    before = set(sys.modules)
    import_module(page)
    print(page, *(set(sys.modules) - before))
"""


def printed_by(code: str, *arguments: str) -> list[str]:
    """Return the lines that a program prints."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def painted(small_file: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The modules at the first paint and once a study is open, each with the number of sources read."""
    folder = tmp_path_factory.mktemp("painted")
    study = shutil.copy(small_file, folder)
    return [json.loads(line) for line in printed_by(PAINT, str(folder), str(study))[-2:]]


@pytest.fixture(scope="module")
def preloaded() -> list[list[str]]:
    """The modules that are imported ahead on a thread, then those that each page imports after these."""
    return [line.split() for line in printed_by(PRELOAD)]


def test_nothing_heavy_is_imported_before_the_first_paint(painted: list[Any]) -> None:
    assert set(HEAVY).isdisjoint(painted[0][0])


def test_nothing_heavy_is_imported_to_open_a_study(painted: list[Any]) -> None:
    assert "storage.study_file" in painted[1][0]
    assert set(HEAVY).isdisjoint(painted[1][0])


def test_the_sources_of_imported_modules_stay_unread(painted: list[Any]) -> None:
    assert all(read < 10 for _, read in painted)


def test_what_pages_need_is_imported_ahead_without_torch_and_widgets(preloaded: list[list[str]]) -> None:
    modules = set(preloaded[0])
    assert set(MODULES) <= modules
    assert not modules & {"torch", "transformers", "PySide6.QtWidgets"}


def test_few_modules_are_imported_in_a_turn_as_the_thread_imports_those_that_compute(
    preloaded: list[list[str]],
) -> None:
    pages = preloaded[1:]
    assert [page for page, *_ in pages] == modules_of(*AHEAD)
    assert [line for line in pages if len(line) > 1 + FEW] == []


def test_the_modules_of_pages_that_are_imported_ahead_are_there() -> None:
    modules = modules_of(*AHEAD)
    assert {f"gui.pages.{page}.presenter" for page in ("match", "compare")} <= set(modules)
    assert all(find_spec(name) for name in modules)


def test_pages_are_imported_ahead_one_after_the_other(qtbot, monkeypatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr("gui.background.preloader._import", imported.append)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    preloader = Preloader(window, lambda: ["first page", "second page"])
    preloader.start(1)
    qtbot.waitUntil(lambda: not preloader.isActive())
    assert imported == [*MODULES, "first page", "second page"]
