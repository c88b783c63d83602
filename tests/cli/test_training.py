"""Training a metric from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE


@pytest.fixture(scope="module")
def path(sample_file, tmp_path_factory):
    return Path(shutil.copy(sample_file, tmp_path_factory.mktemp("training")))


def test_a_model_is_trained_listed_scored_with_and_forgotten(run, path):
    chosen = "rouge-2.recall,rouge-n:n=1,stem=yes.f,js-1.divergence"
    code, out, _ = run(
        "train", path, "--human", "pyramid.modified", "--name", "own", "--features", chosen, "--json"
    )
    assert code == DONE
    document = json.loads(out)
    assert document["features"] == ["rouge-n:stem=yes.recall", "rouge-n:n=1,stem=yes.f", "js.divergence"]
    assert (document["topics"], document["summaries"], document["folds"]) == (8, 64, 8)
    unseen = {row["level"]: row["pearson"] for row in document["unseen"]}

    code, out, _ = run("train", path, "--json")
    assert [model["name"] for model in json.loads(out)["models"]] == ["own"]
    assert run("score", path, "-m", "s3:model=own")[0] == DONE
    code, out, _ = run(
        "correlate", path, "--human", "pyramid.modified", "--level", "global", "--systems", "all", "--json"
    )
    (row,) = (row for row in json.loads(out)["rows"] if row["measure"] == "s3-own.score")
    assert row["value"] == pytest.approx(unseen["global"])

    assert run("train", path, "--forget", "own")[0] == DONE
    assert "has no trained model" in run("train", path)[2]
    code, _, err = run("train", path, "--forget", "own")
    assert code == BAD_INPUT
    assert "named 'own'" in err


def test_results_on_unseen_topics_and_next_steps_are_printed(run, path):
    code, out, err = run(
        "train", path, "--human", "rating.fluency", "--name", "flow", "--features", "rouge-1.recall"
    )
    assert code == DONE
    assert "Trained flow on 64 judged summaries of 8 topics." in err
    assert "-m s3:model=flow" in err
    assert "Kendall" in out
    assert "flow" in run("train", path)[1]


def test_wrong_input_is_a_sentence(run, path):
    code, _, err = run("train", path, "--human", "pyramid.modifed", "--name", "m", "--features", "bleu")
    assert code == BAD_INPUT
    assert "Did you mean pyramid.modified" in err
    assert run("train", path, "--name", "m")[0] == USAGE
