"""The notebooks run from top to bottom, and are stored without outputs."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import pyramidion

NOTEBOOKS = sorted((Path(__file__).parents[2] / "resources" / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))["cells"]


def run(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """Run the code cells in order, and return the variables and what each cell displays."""
    names: dict[str, Any] = {"__name__": "__main__"}
    displayed = []
    for number, cell in enumerate(cells(path)):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]), f"{path.name}, cell {number}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {number}", "exec"), names)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), names)
            displayed.append(shown._repr_html_() if hasattr(shown, "_repr_html_") else shown)
    return names, displayed


@pytest.fixture
def sample_here(sample_file, tmp_path, monkeypatch):
    """The sample in the working folder, where the notebooks look for it."""
    monkeypatch.chdir(tmp_path)
    return shutil.copy(sample_file, tmp_path / "sample.pyramidion")


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["compare-metrics", "first-study"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_they_hold_no_outputs(path):
    for cell in cells(path):
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)


def test_the_first_study(sample_here):
    names, displayed = run(NOTEBOOKS[1])
    assert names["runs"]["scored"].tolist() == [8, 8, 8, 8]
    assert set(names["table"]["n"]) == {8}
    assert any(isinstance(shown, str) and shown.startswith("<figure><svg") for shown in displayed)
    with pyramidion.open(sample_here) as study:
        again = study.correlations("pyramid.modified", coefficient="kendall")
    assert again.equals(names["table"])


def test_comparing_metrics(sample_here):
    names, displayed = run(NOTEBOOKS[0])
    assert Path("scatter.pdf").read_bytes().startswith(b"%PDF")
    assert len(Path("correlations.csv").read_text("utf-8").splitlines()) == len(names["tested"]) + 1
    family = names["family"]
    assert sorted(family["measure"]) == sorted(
        ["rouge-1.f", "rouge-2.f", "rouge-l.f", "bleu.score", "chrf.score", "js-1.divergence"]
    )
    assert family["p_difference"].isna().sum() == 1, "the best is not tested against itself"
    assert sum(isinstance(shown, str) and shown.startswith("<figure><svg") for shown in displayed) == 2
