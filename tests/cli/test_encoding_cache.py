"""Cached encodings are reused by later runs."""

from __future__ import annotations

import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE
from cli.main import main
from core.models.runtime.network import Network
from storage.study_file import open_study


@pytest.fixture
def encodings(monkeypatch, tmp_path):
    """The folder where they lie."""
    monkeypatch.setenv("PYRAMIDION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYRAMIDION_CONFIG", str(tmp_path / "settings"))
    monkeypatch.delenv("PYRAMIDION_ENCODING_CACHE")
    return tmp_path / "cache" / "encodings"


def score(path, *more):
    return main(["score", str(path), "-m", "bertscore", "--device", "cpu", *more])


def values(path):
    with open_study(path) as opened:
        (config,) = opened.scores.configs()
        return [block.values.tolist() for block in opened.scores.blocks(config.signature)]


def test_a_copy_of_a_study_is_scored_from_what_is_kept_to_the_last_digit(
    study, encodings, tmp_path, monkeypatch, capsys
):
    study.close()
    copy = tmp_path / "copy.pyramidion"
    shutil.copyfile(study.path, copy)
    assert score(study.path) == DONE
    assert any(encodings.iterdir())
    settled = Network.settle

    def settle_and_stand_still(network, ids, *, is_packed):
        settled(network, ids, is_packed=is_packed)
        network.hidden = None  # nothing can be encoded from here on

    monkeypatch.setattr(Network, "settle", settle_and_stand_still)
    assert score(copy) == DONE
    assert values(copy) == values(study.path)
    assert main(["doctor"]) == DONE
    assert "1 MB of at most 2 GB, in" in " ".join(capsys.readouterr().out.split())


def test_a_cache_of_size_zero_stores_nothing(study, encodings):
    study.close()
    assert score(study.path, "--encoding-cache", "0") == DONE
    assert not encodings.exists()


def test_a_size_that_is_none_gives_a_sentence(study, encodings, capsys):
    study.close()
    assert score(study.path, "--encoding-cache", "much") == BAD_INPUT
    assert "--encoding-cache: 'much' is not a size. Use a size such as 2GB" in capsys.readouterr().err


def test_the_cache_size_is_shown_limited_and_deleted(study, encodings, capsys):
    study.close()
    assert score(study.path) == DONE
    capsys.readouterr()
    assert main(["models", "encodings"]) == DONE
    assert capsys.readouterr().err == f"Cached encodings in {encodings}: 1 MB of at most 2 GB.\n"
    assert main(["models", "encodings", "--empty", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out) == {"folder": str(encodings), "bytes": 0, "most": 2 * 10**9}
    assert not any(encodings.iterdir())


def test_a_chosen_limit_holds_for_later_runs_until_a_variable_overrides_it(
    study, encodings, capsys, monkeypatch
):
    study.close()
    assert main(["models", "encodings", "--limit", "0"]) == DONE
    assert score(study.path) == DONE
    assert not encodings.exists()
    capsys.readouterr()
    monkeypatch.setenv("PYRAMIDION_ENCODING_CACHE", "500MB")
    assert main(["models", "encodings", "--limit", "1GB"]) == DONE
    err = capsys.readouterr().err
    assert "0 MB of at most 500 MB" in err
    assert "PYRAMIDION_ENCODING_CACHE is set and takes precedence over this limit." in err
    assert main(["models", "encodings", "--limit", "much"]) == BAD_INPUT
