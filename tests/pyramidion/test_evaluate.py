"""`pyramidion.evaluate`: tables and text files in, tables out."""

from __future__ import annotations

import json

import pandas
import pytest

import pyramidion
from cli.main import main
from core.manual.contents import manual_files


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """The table of the tutorial."""
    path = tmp_path_factory.mktemp("table") / "outputs.csv"
    path.write_bytes(manual_files()["tutorial/outputs.csv"])
    return path


def test_numbers_are_those_of_the_command(table, capsys):
    options = ("--human", "quality", "--draws", "200", "-m", "rouge-1", "-m", "chrf", "--json")
    assert main(["evaluate", str(table), *options]) == 0
    document = json.loads(capsys.readouterr().out)
    of_file = pyramidion.evaluate(table, metrics=["rouge-1", "chrf"], human="quality", draws=200)
    of_frame = pyramidion.evaluate(
        pandas.read_csv(table), metrics=["rouge-1", "chrf"], human="quality", draws=200
    )
    for found in (of_file, of_frame):
        for frame, rows in (
            (found.scores, document["scores"]),
            (found.correlations, document["correlations"]),
        ):
            assert json.loads(frame.to_json(orient="records", double_precision=15)) == [
                pytest.approx(row, abs=1e-14) for row in rows
            ]
    assert "outputs.csv: Columns (guessed)" in of_file.notes[0]
    assert "<table" in of_frame._repr_html_()


def test_text_files_columns_and_a_study(tmp_path):
    for name, lines in (("refs", ["A dam broke.", "It rained."]), ("out", ["A dam broke.", "The sun."])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    found = pyramidion.evaluate(
        tmp_path / "out.txt", tmp_path / "refs.txt", "rouge-1", study=tmp_path / "new.pyramidion"
    )
    assert found.scores["mean"].tolist() == [0.5]
    assert found.correlations.empty
    with pyramidion.open(tmp_path / "new.pyramidion") as study:
        assert study.scores("rouge-1.f")["value"].tolist() == [1.0, 0.0]
    frame = pandas.DataFrame({"x": ["A dam."], "y": ["A dam."], "s": ["one"], "q": [90]})
    columns = {"summary": "x", "reference": "y", "system": "s", "topic": "#", "rating:fit": "q"}
    found = pyramidion.evaluate(frame, metrics="rouge-1", columns=columns, scale=(0, 100))
    assert found.correlations["human"].tolist() == ["rating.fit"]


def test_what_cannot_be_read_or_computed_is_named(tmp_path):
    mixed = pandas.DataFrame({"summary": ["a", 1]})
    with pytest.raises(pyramidion.InputError, match="one type per column"):
        pyramidion.evaluate(mixed)
    with pytest.raises(pyramidion.InputError, match="level"):
        pyramidion.evaluate(mixed, level="sentence")
    good = pandas.DataFrame({"system": ["a"], "reference": ["One."], "summary": ["One."], "topic": ["1"]})
    with pytest.warns(pyramidion.PyramidionWarning, match="no documents"):
        pyramidion.evaluate(good, metrics=["rouge-1", "widar"])
