"""Layer rules that import-linter cannot check."""

from __future__ import annotations

import ast
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("cli", "core", "gui", "pyramidion", "resources", "storage")


def sources(folder):
    return sorted((ROOT / folder).rglob("*.py"))


def imports(path):
    """Every module that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


PAGES_AND_DIALOGS = sources("gui/pages") + sources("gui/dialogs")
PRESENTERS = [path for path in PAGES_AND_DIALOGS if path.stem.endswith("presenter")]


@pytest.mark.parametrize("path", PRESENTERS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_presenters_know_no_widgets(path):
    """Each has a `build` that makes its view, which it imports there."""
    at_top = {
        module
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }
    assert not {m for m in at_top if m and m.startswith("PySide6.QtWidgets")}


@pytest.mark.parametrize(
    "path", sources("core") + sources("storage") + sources("cli") + sources("pyramidion"), ids=str
)
def test_no_qt_outside_gui(path):
    assert not [m for m in imports(path) if m.split(".")[0] in ("PySide6", "shiboken6")]


def test_no_other_installed_distribution_ships_our_package_names():
    claimed = {
        (dist.name, path.parts[0])
        for dist in distributions()
        if dist.name != "pyramidion"
        for path in dist.files or ()
        if path.suffix == ".py" and path.parts[0] in OURS
    }
    assert claimed == set()


def test_tests_are_not_packaged():
    named = [dist.read_text("top_level.txt") for dist in distributions() if dist.name == "pyramidion"]
    assert {tuple(sorted(text.split())) for text in named if text} == {OURS}


@pytest.mark.parametrize("folder", OURS)
def test_sources_name_no_colours_outside_the_theme(folder):
    """A hex colour elsewhere would not follow light and dark."""
    named = [
        (path.relative_to(ROOT).as_posix(), node.value)
        for path in sources(folder)
        if path.relative_to(ROOT).as_posix() not in ("gui/style/theme.py", "core/figures/palette.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if len(node.value) == 7
        and node.value[0] == "#"
        and all(c in "0123456789abcdefABCDEF" for c in node.value[1:])
    ]
    assert named == []
