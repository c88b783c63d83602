"""`pyramidion explain`: the parts of a stored score, as text, JSON and a web page."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from cli.errors import BAD_INPUT, DONE
from tests.cli.conftest import Run

ROUGE = ("-m", "rouge-1.recall")


@pytest.fixture(scope="module")
def names(scored: Path) -> tuple[str, str, str]:
    """A topic and two of its systems."""
    with closing(sqlite3.connect(scored)) as study:
        rows = study.execute(
            "SELECT t.name, s.name FROM summaries x JOIN topics t ON t.id = x.topic_id "
            "JOIN systems s ON s.id = x.system_id ORDER BY t.name, s.name"
        ).fetchall()
    return rows[0][0], rows[0][1], rows[1][1]


def test_the_tree_has_the_stored_value(run: Run, scored: Path, names: tuple[str, str, str]) -> None:
    code, out, _ = run("explain", scored, *names[:2], *ROUGE, "--json")
    found = json.loads(out)
    assert code == DONE
    assert found["is_reproduced"]
    assert found["value"] == pytest.approx(found["stored"], abs=1e-9)
    assert found["measure"] == "rouge-1.recall"
    contributions = [abs(part["contribution"]) for part in found["parts"]]
    assert contributions == sorted(contributions, reverse=True)
    assert len(contributions) > 1
    assert found["best_reference"]
    assert set(found["tree"]) == {"label", "operator", "operand", "value", "without", "evidence", "children"}


def test_parts_are_listed_and_left_out(run: Run, scored: Path, names: tuple[str, str, str]) -> None:
    found = json.loads(run("explain", scored, *names[:2], *ROUGE, "--json")[1])["parts"][0]
    code, out, _ = run("explain", scored, *names[:2], *ROUGE)
    assert code == DONE
    assert f"rouge-1.recall of {names[1]} in {names[0]}:" in out
    assert found["name"] in out
    code, out, _ = run("explain", scored, *names[:2], *ROUGE, "--without", found["name"])
    assert code == DONE
    assert f"{found['without']:.4f}" in out
    code, _, err = run("explain", scored, *names[:2], *ROUGE, "--without", "nothing")
    assert code == BAD_INPUT
    assert found["name"] in err


def test_two_systems_are_compared(run: Run, scored: Path, names: tuple[str, str, str]) -> None:
    code, out, _ = run("explain", scored, *names[:2], *ROUGE, "--against", names[2])
    assert code == DONE
    assert "Contribution of each part" in out
    scores = json.loads(run("explain", scored, *names[:2], *ROUGE, "--against", names[2], "--json")[1])[
        "scores"
    ]
    assert [score["system"] for score in scores] == list(names[1:])


def test_the_page_links_words_and_numbers(
    run: Run, scored: Path, names: tuple[str, str, str], tmp_path: Path
) -> None:
    page = tmp_path / "e.html"
    assert run("explain", scored, *names[:2], *ROUGE, "--against", names[2], "--html", page)[0] == DONE
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"""(?:src|href)=|url\(|@import""", text)
    nodes = set(re.findall(r'id="(s[\d-]+)"', text))
    marked = {one for classes in re.findall(r'<mark class="([^"]*)">', text) for one in classes.split()}
    assert marked
    assert marked <= nodes
    for one in marked:
        assert f"body:has(#{one}:hover, #{one}:focus) .{one} " in text


@pytest.mark.parametrize("name", ["rouge-1", "rouge-n:n=1", "rouge-n:n=1,stem=no"])
def test_a_metric_stands_for_its_f_in_every_command(
    run: Run, scored: Path, names: tuple[str, str, str], name: str
) -> None:
    code, out, _ = run("explain", scored, *names[:2], "-m", name, "--json")
    assert code == DONE
    assert json.loads(out)["measure"] == "rouge-1.f"
    code, out, _ = run("score", scored, "-m", name, "--json")
    assert code == DONE
    assert json.loads(out)["runs"][0]["signature"].startswith("rouge-n|n:1|stem:no|")
    code, out, _ = run("correlate", scored, "--measure", name, "--interval", "none", "--json")
    assert code == DONE, out
    assert {row["measure"] for row in json.loads(out)["rows"]} == {"rouge-1.f"}
    with pyramidion.open(scored) as study:
        assert study.explain(*names[:2], name).explained.name == "rouge-1.f"
    assert pyramidion.score(["A cat sat."], ["A cat sat."], name).main == "rouge-1.f"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("X", "lead", *ROUGE), "No topic is named 'X'"),
        (("{topic}", "nobody", *ROUGE), "No system is named 'nobody'"),
        (("{topic}", "lead", "-m", "bertscore.f"), "No measure is named 'bertscore.f'"),
    ],
)
def test_unknown_names_are_refused(
    run: Run, scored: Path, names: tuple[str, str, str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run("explain", scored, *(one.format(topic=names[0]) for one in arguments))
    assert code == BAD_INPUT
    assert sentence in err


def test_a_stored_score_that_differs_is_told(
    run: Run, scored: Path, names: tuple[str, str, str], tmp_path: Path
) -> None:
    study = tmp_path / "changed.pyramidion"
    study.write_bytes(scored.read_bytes())
    with closing(sqlite3.connect(study)) as opened, opened:
        for where, block in opened.execute("SELECT rowid, block FROM scores").fetchall():
            changed = np.frombuffer(block, "<f8") * 0.5
            opened.execute("UPDATE scores SET block = ? WHERE rowid = ?", (changed.tobytes(), where))
    code, out, err = run("explain", study, *names[:2], *ROUGE)
    assert code == DONE
    assert "The stored score is" in out + err
