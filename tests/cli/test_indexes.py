"""`pyramidion index`: the list, and indexes built, used, sent and removed."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from cli.commands import installation
from cli.errors import BAD_INPUT, DONE, USAGE
from core.files.allowed_names import allowed_names
from storage.study_file import open_study
from tests.storage.indexes.elastic_server import serving


@pytest.fixture
def papers(tmp_path, monkeypatch):
    """A table of documents, settings of its own, and no index yet."""
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
    monkeypatch.setenv("PYRAMIDION_INDEXES", str(tmp_path / "indexes"))
    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "cache"))
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "papers.tsv"
    rows = [
        "pmid\ttitle\tabstract",
        "1\tBans\tThe court lifted the ban.",
        "2\tStorms\tA storm shut the harbour.",
    ]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_no_index_is_reported_with_how_to_build_one(run, papers):
    code, out, err = run("index")
    assert (code, out) == (DONE, "")
    assert "pyramidion index build NAME" in err


def test_an_index_is_built_listed_and_removed(run, papers, tmp_path):
    code, _, err = run("index", "build", "pubmed", papers)
    assert code == DONE
    assert "2 documents, 6 words" in err
    (listed,) = json.loads(run("index", "--json")[1])
    assert (listed["name"], listed["documents"], listed["sources"]) == ("pubmed", 2, ["papers.tsv"])
    assert "pubmed" in run("index")[1]
    found = {row["what"]: row["found"] for row in installation._indexes()}
    assert found == {"Index pubmed": "2 documents, 1 MB", "Indexes folder": str(tmp_path / "indexes")}
    assert run("index", "remove", "pubmed")[0] == DONE
    assert json.loads(run("index", "--json")[1]) == []
    assert run("index", "remove", "pubmed")[0] == BAD_INPUT


def test_how_words_are_made_is_chosen(run, papers):
    code, out, _ = run(
        "index", "build", "all", papers, "--stemmer", "none", "--keep-stop-words", "--text", "title", "--json"
    )
    assert code == DONE
    assert json.loads(out)["analysis"] == "none-with-stop-words"
    assert json.loads(out)["tokens"] == 2
    assert run("index", "build", "all", papers, "--stemmer", "latin")[0] == USAGE


def test_parts_of_citations_are_chosen_and_what_was_left_out_is_reported(run, papers, tmp_path):
    file = tmp_path / "n0001.xml"
    record = "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article><ArticleTitle>Storm {}</ArticleTitle>"
    end = "</Article></MedlineCitation></PubmedArticle>"
    records = "".join(record.format(at, at) + end for at in (1, 2, 2))
    file.write_text(f"<PubmedArticleSet>{records}</PubmedArticleSet>")
    code, out, _ = run("index", "build", "titles", file, "--parts", "body,title", "--json")
    assert code == DONE
    assert json.loads(out)["documents"] == 2
    assert json.loads(out)["notes"] == ["1 duplicate left out; the latest version is indexed."]
    code, _, err = run("index", "build", "none", file)
    assert code == BAD_INPUT
    assert "3 records without any of the indexed parts" in err
    assert run("index", "build", "none", file, "--parts", "references")[0] == BAD_INPUT


def test_every_problem_of_a_table_is_reported(run, papers):
    papers.write_text("pmid\tabstract\n1\ta\n1\tb\n\tc\n", encoding="utf-8")
    code, _, err = run("index", "build", "bad", papers)
    assert code == BAD_INPUT
    assert "line 3" in err
    assert "line 4" in err
    assert "nothing was written" in err


def test_an_index_is_sent_and_removed_on_a_server(run, papers):
    run("index", "build", "Pubmed", papers)
    with serving() as server:
        code, out, _ = run("index", "upload", "Pubmed", server.address, "--mu", "500", "--json")
        address = f"elasticsearch:{server.address}/pubmed"
        assert (code, json.loads(out)) == (DONE, {"address": address, "mu": 500.0})
        code, out, _ = run("index", "--server", server.address, "--json")
        assert [(one["name"], one["mu"], one["is_complete"]) for one in json.loads(out)] == [
            ("pubmed", 500.0, True)
        ]
        assert "complete" in run("index", "--server", server.address)[1]
        assert run("index", "remove", address)[0] == DONE
        assert server.indexes == {}


def test_who_works_offline_sends_nothing(run, papers):
    run("index", "build", "pubmed", papers)
    run("models", "offline", "on")
    with serving() as server:
        code, _, err = run("index", "upload", "pubmed", server.address)
        assert (code, server.asked) == (BAD_INPUT, [])
    assert "pyramidion models offline off" in err


@pytest.mark.parametrize("where", ["here", "server"])
def test_a_study_is_scored_by_an_index(run, papers, sample_file, tmp_path, where):
    study = shutil.copy(sample_file, tmp_path / "s.pyramidion")
    run("index", "build", "pubmed", papers)
    with serving() as server:
        name = "pubmed"
        if where == "server":
            name = json.loads(run("index", "upload", "pubmed", server.address, "--json")[1])["address"]
        code, out, err = run("score", study, "-m", f"sera:index={name},cutoff=1", "--plan", "--json")
        assert code == DONE, err
        assert f"index:{name}|" in out


def test_a_server_that_only_a_study_names_is_not_asked(run, papers, sample_file, tmp_path):
    study = shutil.copy(sample_file, tmp_path / "s.pyramidion")
    run("index", "build", "pubmed", papers)
    with serving() as server:
        address = json.loads(run("index", "upload", "pubmed", server.address, "--json")[1])["address"]
        assert run("score", study, "-m", f"sera:index={address},cutoff=1")[0] == DONE
        allowed_names.cache_clear()
        (tmp_path / "settings" / "allowed.json").unlink()  # as on the computer of whoever is sent the study
        server.asked.clear()
        assert run("correlate", study, "--json")[0] == DONE
        assert server.asked == []
        run("score", study, "-m", f"sera:index={address},cutoff=1", "--plan")
        assert server.asked


def test_scores_by_a_server_are_those_by_the_same_index_here(run, papers, sample_file, tmp_path):
    study = shutil.copy(sample_file, tmp_path / "s.pyramidion")
    run("index", "build", "pubmed", papers)
    with serving() as server:
        address = json.loads(run("index", "upload", "pubmed", server.address, "--json")[1])["address"]
        for name in ("pubmed", address):
            assert run("score", study, "-m", f"sera:index={name},cutoff=2")[0] == DONE
    with open_study(study) as scored:
        configs = [config for config in scored.scores.configs() if config.metric == "sera"]
        here, there = ({b.topic_id: b.values for b in scored.scores.blocks(c.signature)} for c in configs)
    assert here.keys() == there.keys()
    assert all(np.array_equal(here[topic], there[topic]) for topic in here)
    assert any(values.any() for values in here.values())
