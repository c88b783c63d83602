"""`pyramidion models`: the list, and models added, forgotten and fetched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from tests.core.models.hub_server import serving


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A file of word vectors of somebody's own, and settings that know no model yet."""
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYRAMIDION_MODELS", str(tmp_path / "models"))
    file = tmp_path / "mine.vec"
    file.write_text("1 2\nword 0.5 0.5\n")
    return file


def test_the_list_is_one_document(run, vectors):
    code, out, _ = run("models", "--json")
    found = {row["name"]: row for row in json.loads(out)}
    assert code == DONE
    assert found["minilm"]["is_here"]
    assert found["minilm"]["seconds"] is None
    assert found["infersent1"]["problem"].startswith("Download infersent1.pkl")


def test_times_are_those_of_a_study(run, vectors, sample_file):
    code, out, _ = run("models", "--study", sample_file, "--device", "cpu", "--json")
    found = {row["name"]: row["seconds"] for row in json.loads(out)}
    assert code == DONE
    assert 0 < found["minilm"] < found["roberta-large"]
    assert found["google-news"] is None


def test_a_model_is_added_listed_and_forgotten(run, vectors):
    assert run("models", "add", vectors, "--name", "my-words")[0] == DONE
    listed = json.loads(run("models", "--json")[1])[-1]
    assert (listed["name"], listed["state"], listed["place"]) == ("my-words", "added", str(vectors))
    code, _, err = run("models", "remove", "my-words")
    assert code == DONE
    assert f"its files stay in {vectors}" in err
    assert vectors.is_file()
    assert run("models", "remove", "my-words")[0] == BAD_INPUT


def test_what_is_no_model_is_refused_with_a_sentence(run, vectors, tmp_path):
    code, _, err = run("models", "add", tmp_path)
    assert code == BAD_INPUT
    assert "contains no model" in err


def test_the_network_can_be_forbidden(run, vectors, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_OFFLINE", "1")
    code, _, err = run("models", "download", "roberta-large")
    assert code == BAD_INPUT
    assert "PYRAMIDION_OFFLINE is set" in err


def test_working_offline_is_remembered(run, vectors):
    assert "Downloads are allowed" in run("models", "offline", "off")[2]
    assert "Offline mode is on" in run("models", "offline", "on")[2]
    code, _, err = run("models", "download", "roberta-large")
    assert code == BAD_INPUT
    assert "pyramidion models offline off" in err
    run("models", "offline", "off")


def test_a_fetched_model_is_listed_as_here(run, vectors, tmp_path, monkeypatch):
    from core.models.catalogue.lookup import find_model

    packaged = find_model("minilm").folder
    with serving({"somebody/small": packaged}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        code, _, err = run("models", "download", "somebody/small")
    assert code == DONE
    assert "Downloaded somebody/small" in err
    listed = json.loads(run("models", "--json")[1])[-1]
    assert listed["sha256"] == json.loads(run("models", "--json")[1])[0]["sha256"]
    assert Path(listed["place"]) == tmp_path / "models" / "somebody--small"
