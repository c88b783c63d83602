"""BLEURT against its definition, one pair of texts at a time.

The authors' program (TensorFlow, commit cebe7e6) gave the same ratings to 1e-6 on random networks with the
GELU that it computes (by tanh) and 90 pairs of texts, cut to 128 and to 512 pieces; with the exact
GELU, which the converted checkpoints name, to 2e-4. Checkpoints of bleurt-pytorch are compared with the
ratings of that program in tests/reference/bleurt. With a trained table of characters (nmt_nfkc), which is
too large to be stored there, ratings were as near, and 20,000 random texts had SentencePiece's own pieces.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from core.errors import InputError
from core.metrics.registry import parse
from core.models.catalogue.entries import Role
from core.models.catalogue.user_models import user_models
from core.models.library.add_model import add_model
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_texts
from tests.core.metrics.test_lite_pyramid import _classifier as classifier
from tests.core.metrics.test_lite_pyramid import loaded

Make = Callable[..., Path]
LIMIT = 20
RELEASED = Path(__file__).parents[2] / "reference" / "bleurt"
REFERENCES = ("the court ruled on the mat .", "a new dog ran . " * 5)
SUMMARIES = ("the dog ran .", "the cat sat on the dog . " * 4, "a new dog ran . " * 5, "no .")


@pytest.fixture
def rater(make_model: Make) -> Path:
    return classifier(make_model, {0: "LABEL_0"}, "rater")


@pytest.fixture
def resources(judged_study) -> StudyResources:
    return StudyResources(judged_study, "cpu")


def _by_definition(folder: Path, reference: str, summary: str) -> float:
    """Rate a pair as the authors' program does, which takes a piece away until both fit."""
    tokenizer, network = loaded(folder)
    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (reference, summary))
    while len(first) + len(second) > LIMIT - 3:
        (first if len(first) > len(second) else second).pop()
    end = tokenizer.sep_token_id
    ids = [tokenizer.cls_token_id, *first, end, *second, end]
    segments = [0] * (len(first) + 2) + [1] * (len(second) + 1)
    with torch.no_grad():
        pooled = network.bert(torch.tensor([ids]), token_type_ids=torch.tensor([segments])).pooler_output
        weight, bias = network.classifier.weight[0], network.classifier.bias[0]
        return float(pooled[0] @ weight + bias)


def test_ratings_are_those_of_the_network_alone(rater: Path, resources: StudyResources) -> None:
    topic = topic_of_texts(SUMMARIES, REFERENCES)
    metric = parse(f"bleurt:rater={rater},pieces={LIMIT}")
    scores = metric.score(metric.prepare(topic, resources))
    expected = np.array([[_by_definition(rater, r, s) for r in REFERENCES] for s in SUMMARIES])
    assert scores.stats is not None
    np.testing.assert_allclose(scores.stats[:, :, 0], expected, atol=1e-5)
    np.testing.assert_allclose(scores.values[:, 0], expected.mean(axis=1), atol=1e-5)
    assert scores.notes == {"truncated": len(SUMMARIES)}


def test_the_best_reference_counts_if_wanted(rater: Path, resources: StudyResources) -> None:
    topic = topic_of_texts(SUMMARIES, REFERENCES)
    metric = parse(f"bleurt:rater={rater},pooling=best")
    scores = metric.score(metric.prepare(topic, resources))
    assert scores.stats is not None
    np.testing.assert_array_equal(scores.values, scores.stats.max(axis=1))


def test_a_blank_text_has_no_rating(rater: Path, resources: StudyResources) -> None:
    metric = parse(f"bleurt:rater={rater}")
    scores = metric.score(metric.prepare(topic_of_texts(("", SUMMARIES[0]), REFERENCES), resources))
    assert np.isnan(scores.values[:, 0]).tolist() == [True, False]
    assert scores.notes["no_units"] == 1


def test_weights_that_are_no_numbers_give_no_rating(rater: Path, resources: StudyResources) -> None:
    file = rater / "model.safetensors"
    weights = load_file(file)
    save_file({**weights, "classifier.bias": np.full_like(weights["classifier.bias"], np.nan)}, file)
    metric = parse(f"bleurt:rater={rater}")
    with pytest.raises(InputError, match=r"classifier\.bias has values that are infinite or no numbers"):
        metric.prepare(topic_of_texts(("", SUMMARIES[0]), REFERENCES), resources)


def test_a_classifier_is_refused_and_a_rater_has_its_role(
    make_model: Make, resources: StudyResources, tmp_path: Path
) -> None:
    user_models().use_folder(tmp_path)
    several = classifier(make_model)
    assert "BLEURT has one output" in parse(f"bleurt:rater={several}").unavailable(resources)
    assert Role.RATER not in add_model(several, name="several").roles
    one = classifier(make_model, {0: "LABEL_0"}, "rater")
    assert add_model(one, name="one").roles == (Role.ENCODER, Role.RATER)
    assert parse("bleurt:rater=one").unavailable(resources) == ""


def test_a_missing_checkpoint_names_how_to_get_it(resources: StudyResources) -> None:
    assert "Elron/bleurt-large-512" in parse("bleurt").unavailable(resources)


@pytest.mark.parametrize("is_old", [False, True])
def test_a_rembert_of_bleurt_pytorch_rates_as_that_program(
    resources: StudyResources, tmp_path: Path, is_old: bool
) -> None:
    from safetensors.torch import load_file

    user_models().use_folder(tmp_path / "settings")
    folder = shutil.copytree(RELEASED, tmp_path / "BLEURT-mine")
    if is_old:  # as published
        torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    assert add_model(folder, copies=tmp_path / "models").roles == (Role.ENCODER, Role.RATER)
    assert json.loads((folder / "config.json").read_text())["model_type"] == "bleurt", "the original stays"
    compared = 0
    for reference, summary, ids, rating in json.loads((RELEASED / "cases.json").read_text(encoding="utf-8")):
        assert resources.entailment("BLEURT-mine")._tokenizer(reference, summary)["input_ids"] == ids
        if rating is None:  # longer than the network reads
            continue
        topic = topic_of_texts([summary], [reference])
        metric = parse("bleurt:rater=BLEURT-mine")
        scores = metric.score(metric.prepare(topic, resources))
        np.testing.assert_allclose(scores.values, [[rating]], atol=1e-5)
        compared += 1
    assert compared == 27


def _as_bleurt(folder: Path, **changed: object) -> dict[str, torch.Tensor]:
    """Give a BERT the names of bleurt-pytorch, and return its weights."""
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    state = {name.replace("bert.", "bleurt.", 1): tensor for name, tensor in load_file(file).items()}
    save_file(state, file, {"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    named = {"model_type": "bleurt", "architectures": ["BleurtForSequenceClassification"], **changed}
    (folder / "config.json").write_text(json.dumps({**config, **named}))
    return state


def test_a_bert_of_bleurt_pytorch_is_the_bert_that_it_was(
    rater: Path, resources: StudyResources, tmp_path: Path
) -> None:
    user_models().use_folder(tmp_path / "settings")
    topic = topic_of_texts(SUMMARIES, REFERENCES)
    metric = parse(f"bleurt:rater={rater}")
    expected = metric.score(metric.prepare(topic, resources)).values
    other = shutil.copytree(rater, tmp_path / "other")
    _as_bleurt(other, embedding_size=None)
    add_model(other, copies=tmp_path / "models")
    metric = parse("bleurt:rater=other")
    np.testing.assert_array_equal(metric.score(metric.prepare(topic, resources)).values, expected)


def test_a_bleurt_without_its_head_is_refused(make_model: Make, rater: Path, tmp_path: Path) -> None:
    from safetensors.torch import save_file

    user_models().use_folder(tmp_path / "settings")
    state = _as_bleurt(rater)
    for missing in ("bleurt.pooler.dense.bias", "classifier.weight"):
        left = {name: tensor for name, tensor in state.items() if name != missing}
        save_file(left, rater / "model.safetensors", {"format": "pt"})
        with pytest.raises(InputError, match=f"no checkpoint of BLEURT: it has no .*{missing[-12:]}"):
            add_model(rater, copies=tmp_path / "models")
    several = classifier(make_model, name="several")
    _as_bleurt(several)
    with pytest.raises(InputError, match="other outputs than one"):
        add_model(several, copies=tmp_path / "models")
    save_file({**state, "classifier.bias": state["classifier.bias"][0]}, rater / "model.safetensors")
    with pytest.raises(InputError, match="other outputs than one"):
        add_model(rater, copies=tmp_path / "models")
