"""Expensive modules that must not be imported before the window is painted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

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
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.app import build_window

app = QApplication([])
controller, window = build_window(app, Path(sys.argv[1]) / "settings.json")
window.show()
controller.start(Path(sys.argv[2]) if len(sys.argv) > 2 else None)

def is_there():
    return controller.context is not None if len(sys.argv) > 2 else window.isVisible()

def tell():
    if not is_there():
        QTimer.singleShot(5, tell)
        return
    window.grab()
    print(json.dumps(sorted(sys.modules)))
    window.close()
    app.quit()

QTimer.singleShot(0, tell)
app.exec()
"""


def heavy(*arguments: str) -> list[str]:
    """Return the expensive modules that are imported until the window is painted."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PAINT, *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.splitlines()[-1])
    return [name for name in HEAVY if name in modules]


def test_nothing_heavy_is_imported_before_the_first_paint(tmp_path) -> None:
    assert heavy(str(tmp_path)) == []


def test_nothing_heavy_is_imported_to_open_a_study(tmp_path, study) -> None:
    study.flush()
    assert heavy(str(tmp_path), str(study.path)) == []


def test_what_pages_need_is_imported_ahead_without_torch_and_widgets() -> None:
    code = "import sys; from gui.background.preloader import preload; preload().join(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=600, check=True
    )
    modules = set(done.stdout.split())
    assert set(MODULES) <= modules
    assert not modules & {"torch", "transformers", "PySide6.QtWidgets"}


def test_few_modules_are_imported_in_a_turn_as_the_thread_imports_those_that_compute() -> None:
    code = f"""
import sys
from importlib import import_module
import gui.app
from gui.background.preloader import preload
preload().join()
for page in {modules_of(*AHEAD)}:
    before = set(sys.modules)
    import_module(page)
    print(page, *(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    many = [line for line in done.stdout.splitlines() if len(line.split()) > 1 + FEW]
    assert many == []


def test_the_sources_of_imported_modules_stay_unread() -> None:
    code = (
        "import linecache, sys; import gui.app, PySide6.QtWidgets; "
        "print(sum(getattr(each, '__file__', None) in linecache.cache for each in sys.modules.values()))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10


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
