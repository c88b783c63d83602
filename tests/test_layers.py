"""Layer rules that import-linter cannot check."""

from __future__ import annotations

import ast
import re
from collections import Counter
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COLOUR = re.compile("#[0-9a-fA-F]{6}")
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


@pytest.mark.parametrize("folder", ["core", "storage", "cli", "pyramidion"])
def test_no_qt_outside_gui(folder):
    qt = ("PySide6", "shiboken6")
    naming = [path for path in sources(folder) if any(name in path.read_text("utf-8") for name in qt)]
    importing = [path for path in naming if any(module.split(".")[0] in qt for module in imports(path))]
    assert importing == []


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
        and COLOUR.search(path.read_text("utf-8"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and COLOUR.fullmatch(node.value)
    ]
    assert named == []


RELAYS = {"HelpController.keys_requested"}  # of an overlay that is made for each showing; may only shrink


def test_no_signal_only_passes_on_the_signal_of_a_part():
    """Who wants the signal of a part connects to the part; a signal may combine several or be emitted too."""
    relays = {name for path in sources("gui") for name in relays_of(ast.parse(path.read_text("utf-8")))}
    assert relays == RELAYS


def relays_of(tree):
    """Yield each signal of a class whose only use there is a connection to a public part's signal."""
    for found in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        signals = {
            target.id
            for node in found.body
            if isinstance(node, ast.Assign)
            and getattr(getattr(node.value, "func", None), "id", "") == "Signal"
            for target in node.targets
        }
        uses = [name for node in ast.walk(found) if (name := name_on_self(node)) in signals]
        for node in ast.walk(found):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "connect":
                name = name_on_self(node.args[0])
                source = ast.unparse(node.func.value).split(".")
                is_part = source[0] == "self" and len(source) > 2 and not source[1].startswith("_")
                if name in signals and is_part and uses.count(name) == 1:
                    yield f"{found.name}.{name}"


def name_on_self(node):
    """Return `name` of `self.name`, else None."""
    is_own = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"
    return node.attr if is_own else None


def test_no_folder_has_more_than_twenty_modules():
    modules = Counter(
        path.parent.relative_to(ROOT).as_posix()
        for folder in ("cli", "core", "gui", "pyramidion", "storage")
        for path in sources(folder)
        if path.stem != "__init__" and path.parent.name != "versions"
    )
    assert not {folder for folder, count in modules.items() if count > 20}
