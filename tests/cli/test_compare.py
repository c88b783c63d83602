"""`pyramidion compare`: several studies side by side."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE
from cli.main import main


@pytest.fixture(scope="module")
def studies(sample_file, tmp_path_factory):
    """The sample twice, scored by one metric that both have and one that only the first has."""
    folder = tmp_path_factory.mktemp("studies")
    paths = [folder / "first.pyramidion", folder / "second.pyramidion"]
    for path in paths:
        shutil.copy(sample_file, path)
        assert main(["score", str(path), "-m", "rouge-n:n=2,stem=yes"]) == DONE
    assert main(["score", str(paths[0]), "-m", "bleu"]) == DONE
    return [str(path) for path in paths]


def compare(capsys, *arguments):
    capsys.readouterr()
    code = main(["compare", *arguments])
    streams = capsys.readouterr()
    return code, streams.out, streams.err


def test_measures_that_all_studies_have_are_ranked(studies, capsys):
    code, out, _ = compare(capsys, *studies, "--human", "rating.coherence", "--json")
    assert code == DONE
    document = json.loads(out)
    overview, by_study, missing = document["tables"]
    assert len(overview["rows"]) == len(by_study["rows"]) == 3
    assert missing["rows"] == [["bleu.score", "yes", ""]]
    assert any("bleu.score" in sentence for sentence in document["warnings"])


def test_csv_holds_what_the_screen_shows(studies, capsys):
    _, out, _ = compare(capsys, *studies, "--human", "rating.coherence", "--csv")
    rows = list(csv.reader(out.splitlines()))
    assert rows[0] == ["measure", "mean", "mean.rank", "mean_rank"]
    code, shown, err = compare(capsys, *studies, "--human", "rating.coherence")
    assert code == DONE
    assert all(row[0] in shown for row in rows[1:4])
    assert "match by signature" in err


def test_tables_and_figures_are_written_to_a_folder(studies, capsys, tmp_path):
    code, _, err = compare(capsys, *studies, "-o", str(tmp_path / "out"))
    assert code == DONE
    assert {file.suffix for file in (tmp_path / "out").iterdir()} >= {".csv", ".tex", ".md", ".svg", ".pdf"}
    assert "files" in err


def test_one_study_or_the_same_twice_is_no_comparison(studies, capsys):
    assert compare(capsys, studies[0])[0] == USAGE
    assert compare(capsys, *studies, "--json", "--csv")[0] == USAGE
    code, out, err = compare(capsys, studies[0], studies[0])
    assert (code, out) == (BAD_INPUT, "")
    assert "given twice" in err
