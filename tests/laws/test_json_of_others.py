"""JSON that others wrote is read as a value or refused in words, however deep it is nested.

Tried to be broken with JSON of 100,000 levels, and of other types than expected, in every setting of a study
that is read as JSON.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path

import pytest

from cli.main import main
from core.domain.assignment import ASSIGNED, ROLES
from core.experiments.inputs.development_topics import SETTING as DEVELOPMENT
from core.json_text import parse_json
from core.systems.run import SETTING as SUMMARIZERS
from storage.study_file import open_study

ROOT = Path(__file__).parents[2]
READERS = ("json.loads", "json.load")
OF_ANOTHER_PYTHON = "core/models/encoders/use_worker.py"
SETTINGS = (
    *(f"assignment.{work}" for work in ASSIGNED),
    *("annotators", "control_topics", "training_topics", ROLES, DEVELOPMENT, SUMMARIZERS),
)


def _unguarded(tree: ast.AST, *, is_guarded: bool = False) -> Iterator[int]:
    """Yield the lines of calls of json.loads and json.load whose RecursionError nobody expects."""
    if (
        isinstance(tree, ast.Call)
        and ast.unparse(tree.func) in ("json.loads", "json.load")
        and not is_guarded
    ):
        yield tree.lineno
    for child in ast.iter_child_nodes(tree):
        is_body = isinstance(tree, ast.Try) and child in tree.body
        caught = " ".join(ast.unparse(one.type) for one in tree.handlers if one.type) if is_body else ""
        caught += " ".join(map(ast.unparse, tree.items)) if isinstance(tree, ast.With) else ""
        yield from _unguarded(child, is_guarded=is_guarded or "RecursionError" in caught)


def test_all_json_is_read_by_one_function_or_by_who_expects_any_depth():
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{line}"
        for folder in ("core", "storage", "cli", "gui", "pyramidion")
        for path in (ROOT / folder).rglob("*.py")
        if "json.load" in (source := path.read_text(encoding="utf-8"))
        for line in _unguarded(ast.parse(source))
    ]
    assert [place for place in found if not place.startswith(OF_ANOTHER_PYTHON)] == []


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "", "{", b"\xff"])
def test_what_cannot_be_read_is_no_json(text):
    with pytest.raises((JSONDecodeError, UnicodeDecodeError)):
        parse_json(text)


@pytest.mark.slow
@pytest.mark.parametrize("value", ["[" * 100_000, "5", "[[1]]", '{"a": {"b": null}}', "{", "9" * 5000])
def test_no_setting_of_a_study_ends_a_command(value, small_file, tmp_path, capsys):
    study = Path(shutil.copy(small_file, tmp_path / "foreign.pyramidion"))
    with open_study(study) as opened:
        for setting in SETTINGS:
            opened.settings.save(setting, value).result()
    for command in ("progress", "assign", "control", "topics", "adjudicate", "flags"):
        assert main([command, str(study)]) in (0, 1), command
        assert "Unexpected error" not in capsys.readouterr().err
