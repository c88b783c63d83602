"""Lite Pyramid against a direct computation with the same network."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.domain.reference_authors import reference_system_name
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.pyramid.lite_pyramid import KINDS, LitePyramid
from core.progress import run_to_completion
from core.scoring.engine import ScoringConfig, plan, score
from core.scoring.study_resources import StudyResources
from tests.scoring import score_all

Make = Callable[..., Path]
LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}


@pytest.fixture
def classifier(make_model: Make) -> Path:
    """A random classifier of three labels, entailment being the second, for pairs of up to 64 pieces."""
    return _classifier(make_model)


def _rename_pieces(folder: Path, names: dict[str, str]) -> None:
    """Let a tokenizer know other words: what it mostly does not know is not scored."""
    file = folder / "tokenizer.json"
    read = json.loads(file.read_text(encoding="utf-8"))
    vocabulary = read["model"]["vocab"]
    read["model"]["vocab"] = {names.get(piece, piece): number for piece, number in vocabulary.items()}
    file.write_text(json.dumps(read), encoding="utf-8")


def _classifier(make_model: Make, labels: dict[int, str] = LABELS, name: str = "nli") -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    folder = make_model(name, max_position_embeddings=64)
    torch.manual_seed(3)
    config = BertConfig.from_pretrained(
        folder, num_labels=len(labels), id2label=labels, initializer_range=1.0
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture
def resources(judged_study: Any) -> StudyResources:
    return StudyResources(judged_study, "cpu")


def _topic(study: Any, name: str = "D1") -> Any:
    return next(topic for topic in study.texts.load() if topic.name == name)


@lru_cache(maxsize=1)
def loaded(folder: Path) -> tuple[Any, Any]:
    """A model's tokenizer and network, by transformers itself."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    return AutoTokenizer.from_pretrained(folder), network


def _plain(folder: Path, premise: str, hypothesis: str, limit: int) -> dict[str, float]:
    """One pair through the network alone, with the definitions written out."""
    import torch

    tokenizer, network = loaded(folder)
    cut = tokenizer(premise, hypothesis, truncation=True, max_length=limit, return_tensors="pt")
    with torch.no_grad():
        contradiction, entailment, neutral = network(**cut).logits[0].double().tolist()
    two = math.exp(entailment) / (math.exp(entailment) + math.exp(contradiction + neutral))
    three = math.exp(entailment) / sum(math.exp(z) for z in (contradiction, entailment, neutral))
    return {
        "p2c": two,
        "l2c": float(entailment >= contradiction + neutral),
        "p3c": three,
        "l3c": float(entailment > max(contradiction, neutral)),
    }


@pytest.mark.parametrize("pieces", [64, 16])
def test_the_shares_are_those_of_a_plain_computation(
    classifier: Path, judged_study: Any, resources: StudyResources, pieces: int
) -> None:
    topic = _topic(judged_study)
    metric = LitePyramid(nli=str(classifier), pieces=pieces)
    result = metric.score(metric.prepare(topic, resources)).values
    scus = next(a.pyramid.scus for a in judged_study.pyramids.annotations([topic.id]) if a.pyramid.scus)
    assert np.ptp(result[:, 0]) > 0.01
    for text, row in zip(topic.summaries, result, strict=True):
        shares = [_plain(classifier, text.content, scu.label, pieces) for scu in scus]
        plain = [np.mean([one[kind] for one in shares]) for kind in KINDS]
        weights = [scu.weight for scu in scus]
        weighted = [np.average([one[kind] for one in shares], weights=weights) for kind in KINDS]
        np.testing.assert_allclose(row, [*plain, *weighted], atol=1e-5)


def test_batches_and_order_change_no_digit(classifier: Path, judged_study: Any) -> None:
    topic = _topic(judged_study)
    metric = LitePyramid(nli=str(classifier))
    values = []
    for tokens, reverse in ((64, False), (100_000, False), (100_000, True)):
        resources = StudyResources(judged_study, "cpu", batch_tokens=tokens)
        texts = topic.summaries[::-1] if reverse else topic.summaries
        got = metric.score(metric.prepare(replace(topic, summaries=texts), resources)).values
        values.append(got[::-1] if reverse else got)
    np.testing.assert_allclose(values[0], values[1], atol=1e-5)
    np.testing.assert_allclose(values[0], values[2], atol=1e-5)


def test_fewer_references_need_no_other_look_at_a_text(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    topic = _topic(judged_study)
    metric = LitePyramid(nli=str(classifier))
    stats = metric.score(metric.prepare(topic, resources)).stats
    assert stats is not None
    for count in range(1, len(topic.references) + 1):
        for remaining in combinations(range(len(topic.references)), count):
            mask = np.isin(np.arange(len(topic.references)), remaining)
            fewer = replace(topic, references=tuple(topic.references[i] for i in remaining))
            expected = metric.score(metric.prepare(fewer, resources)).values
            np.testing.assert_allclose(metric.combine(stats, mask), expected, atol=1e-12)


def test_the_tree_evaluates_to_the_score_and_shows_the_words_of_each_scu(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    topic = _topic(judged_study)
    metric = LitePyramid(nli=str(classifier))
    prepared = metric.prepare(topic, resources)
    values = metric.score(prepared).values
    for system, row in enumerate(values):
        trees = metric.explain(prepared, system)
        np.testing.assert_allclose([trees[m].evaluate() for m in metric.measures()], row, atol=1e-12)
    leaves = trees["lite-pyramid.p2c"].children[0].children
    assert [leaf.label for leaf in leaves] == ["Council raised the tax", "It met", "On Monday"]
    assert [e.name for e in leaves[0].evidence] == ["A", "B"]


def test_pairs_that_are_too_long_are_counted(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    topic = _topic(judged_study)
    long = replace(topic.summaries[0], content="the cat sat on the mat . " * 20)
    topic = replace(topic, summaries=(long, *topic.summaries[1:]))
    metric = LitePyramid(nli=str(classifier))
    assert metric.score(metric.prepare(topic, resources)).notes == {"truncated": 1}


def test_verdicts_that_rounding_may_turn_are_counted(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    from safetensors.torch import load_file, save_file

    file, topic = classifier / "model.safetensors", _topic(judged_study)
    weights = {k: v * 0 if k.startswith("classifier.") else v for k, v in load_file(file).items()}
    save_file(weights, file, {"format": "pt"})  # every label scores 0
    metric = LitePyramid(nli=str(classifier))
    prepared = metric.prepare(topic, resources)
    assert prepared.undecided == prepared.presence[0][:, :, 0].size
    assert metric.score(prepared).notes == {"undecided_answers": prepared.undecided}


def test_each_pair_goes_through_the_network_once(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    topic = _topic(judged_study)
    metric = LitePyramid(nli=str(classifier))
    service = resources.entailment(str(classifier))
    passes: list[int] = []
    service.module.register_forward_pre_hook(  # type: ignore[operator]
        lambda _m, _a, inputs: passes.append(len(inputs["input_ids"])), with_kwargs=True
    )
    metric.prepare(topic, resources)
    metric.prepare(topic, resources)
    assert sum(passes) == len({text.content for text in topic.summaries}) * 3


def test_a_topic_without_scus_is_left_out(
    classifier: Path, judged_study: Any, resources: StudyResources
) -> None:
    metric = LitePyramid(nli=str(classifier))
    assert metric.missing_requirements(_topic(judged_study, "D3"), resources) == "no pyramid with SCUs"
    assert metric.missing_requirements(_topic(judged_study), resources) == ""


def test_another_label_of_an_scu_makes_scores_stale(classifier: Path, changeable_study: Any) -> None:
    from core.domain import pyramid

    resources = StudyResources(changeable_study, "cpu")
    topic = _topic(changeable_study)
    metric = LitePyramid(nli=str(classifier))
    before = metric.topic_hash(topic, resources)
    me = changeable_study.annotators.get_or_create("ann").id
    old = changeable_study.pyramids.annotation(topic.id, me)
    new = pyramid.set_label(old, old.pyramid.scus[0].id, "Tax went up")
    changeable_study.pyramids.commit(old, new, "label", me).result()
    assert metric.topic_hash(topic, StudyResources(changeable_study, "cpu")) != before


def test_scores_are_stored_with_the_model_in_the_signature(classifier: Path, changeable_study: Any) -> None:
    resources = StudyResources(changeable_study, "cpu")
    config = ScoringConfig(registry.parse(f"lite-pyramid:nli={classifier}"))
    planned = plan(changeable_study, [config], resources)
    report = run_to_completion(score(changeable_study, planned, resources))
    assert report.scored == 2
    signature = changeable_study.scores.configs()[-1].signature
    assert "|model:nli|" in signature
    assert registry.parse(signature) == config.metric
    assert "|label:1|" in changeable_study.scores.configs()[-1].signature


def test_a_missing_model_error_explains_how_to_get_it(
    resources: StudyResources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    message = LitePyramid().unavailable(resources)
    assert "pyramidion models get shiyue/roberta-large-tac08" in message
    with pytest.raises(MissingResource):
        resources.entailment("roberta-large-nli")


def test_labels_that_mean_nothing_are_refused(make_model: Make, resources: StudyResources) -> None:
    folder = _classifier(make_model, {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
    assert "does not name an entailment label" in LitePyramid(nli=str(folder)).unavailable(resources)
    with pytest.raises(InputError, match="does not name an entailment label"):
        resources.entailment(str(folder)).judge([])


def test_an_encoder_without_labels_is_refused(make_model: Make, resources: StudyResources) -> None:
    assert "not a natural language inference model" in LitePyramid(nli=str(make_model())).unavailable(
        resources
    )


def test_a_reference_as_a_system_is_held_against_the_scus_of_the_others(
    classifier: Path, changeable_study: Any
) -> None:
    _rename_pieces(classifier, {"cat": "says", "dog": "council", "sat": "raised", "mat": "tax"})
    score_all(changeable_study, ScoringConfig(LitePyramid(nli=str(classifier)), humans=True))
    topic = _topic(changeable_study)
    blocks = changeable_study.scores.blocks(changeable_study.scores.configs()[-1].signature)
    block = next(block for block in blocks if block.topic_id == topic.id)
    first = next(text for text in topic.references if text.name == "A")
    shares = [
        _plain(classifier, first.content, label, 64)["p2c"]
        for label in ("Council raised the tax", "On Monday")
    ]
    row = block.systems.index(reference_system_name("A"))
    np.testing.assert_allclose(block.values[row, 0], np.mean(shares), atol=1e-5)
