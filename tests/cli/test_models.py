"""`pyramidion models`: the list, and models added, forgotten and fetched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from core.models.catalogue.entries import Role
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


@pytest.mark.parametrize("command", ["add", "get"])
def test_help_names_every_role_of_models(run, command):
    _, out, _ = run("models", command, "--help")
    said = " ".join(out.split())
    assert [role for role in Role if f"{role}," not in said and f"{role}." not in said] == []


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
    code, _, err = run("models", "get", "roberta-large")
    assert code == BAD_INPUT
    assert "PYRAMIDION_OFFLINE is set" in err


def test_working_offline_is_remembered(run, vectors):
    assert "Downloads are allowed" in run("models", "offline", "off")[2]
    assert "Offline mode is on" in run("models", "offline", "on")[2]
    code, _, err = run("models", "get", "roberta-large")
    assert code == BAD_INPUT
    assert "pyramidion models offline off" in err
    run("models", "offline", "off")


def test_a_fetched_model_is_listed_as_here(run, vectors, tmp_path, monkeypatch):
    from core.models.catalogue.lookup import find_model

    packaged = find_model("minilm").folder
    with serving({"somebody/small": packaged}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        code, _, err = run("models", "get", "somebody/small")
    assert code == DONE
    assert "Downloaded somebody/small" in err
    listed = json.loads(run("models", "--json")[1])[-1]
    assert listed["sha256"] == json.loads(run("models", "--json")[1])[0]["sha256"]
    assert Path(listed["place"]) == tmp_path / "models" / "somebody--small"


@pytest.fixture
def hub(vectors, monkeypatch):
    """A hub with SUPERT's model, a small one."""
    from core.models.catalogue.lookup import find_model

    with serving(
        {"sentence-transformers/bert-large-nli-stsb-mean-tokens": find_model("minilm").folder}
    ) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.address)
        yield served


def test_what_papers_used_is_got_by_the_names_of_metrics(run, hub, tmp_path):
    code, _, err = run("models", "get", "--for", "moverscore,supert", "--for", "rouge-n")
    assert code == BAD_INPUT, "MoverScore's model is not on the hub"
    assert "rouge-n needs no model" in err
    assert "bert-large-nli-stsb-mean-tokens, 1.3 GB, licence as on that page" in err
    assert f"Downloaded bert-large-nli-stsb to {tmp_path / 'models'}" in err
    assert "Then run: pyramidion models add FOLDER --name bert-base-mnli" in err
    hub.requests.clear()
    code, _, err = run("models", "get", "--for", "supert")
    assert (code, hub.requests) == (DONE, [])
    assert "bert-large-nli-stsb is there already (added)" in err


def test_a_model_that_is_refused_does_not_keep_the_others_away(run, hub, monkeypatch):
    monkeypatch.delenv("HF_TOKEN", raising=False)
    hub.files = {**hub.files, "somebody/gated": {}}
    hub.gated = {"somebody/gated"}
    code, _, err = run("models", "get", "somebody/gated", "bert-large-nli-stsb")
    assert code == BAD_INPUT
    assert "https://huggingface.co/somebody/gated" in err
    assert "set HF_TOKEN" in err
    assert "Downloaded bert-large-nli-stsb" in err


def test_nothing_is_downloaded_before_it_is_shown_what_it_would_be(run, hub):
    code, _, err = run("models", "get", "--for", "bertscore", "--dry-run")
    assert (code, hub.requests) == (DONE, [])
    assert "https://huggingface.co/FacebookAI/roberta-large, 1.4 GB, licence MIT" in err
    assert (
        "bert-base-uncased"
        in run("models", "get", "--for", "bertscore:encoder=bert-base-uncased", "--dry-run")[2]
    )


def test_each_model_lists_the_metrics_whose_papers_used_it(run, vectors):
    found = {row["name"]: row["metrics"] for row in json.loads(run("models", "--json")[1])}
    assert found["roberta-large"] == ["bertscore"]
    assert {"infersent1", "use-3"} <= {name for name, metrics in found.items() if "enc-avg" in metrics}
    assert found["en_core_web_sm"] == ["be"]
