"""Cancellation of metrics before the next slow step: a network block, a transport plan, a tile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import ot
import pytest
import torch

from core.domain.study import TopicTexts
from core.metrics.registry import parse
from core.models.encoders import nearest_neighbours
from core.models.encoders.encoder import Encoder, load_encoder
from core.progress import Cancelled, cancellable
from core.scoring.study_resources import StudyResources
from tests.core.models.on_a_device import topic

Make = Callable[..., Path]


class Slow:
    """Counts slow things, and wishes the job to stop once there were so many."""

    def __init__(self, blocks: int) -> None:
        self.done, self.limit = 0, blocks

    def note(self) -> None:
        self.done += 1

    def is_to_stop(self) -> bool:
        return self.done >= self.limit

    def counting(self, made: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, counted."""

        def count(*args: Any, **kwargs: Any) -> Any:
            self.note()
            return made(*args, **kwargs)

        return count

    def count_blocks(self, module: torch.nn.Module, layers: int) -> None:
        """Count each block that runs."""
        (blocks,) = (m for m in module.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == layers)
        for block in blocks:  # by a function, since a method is copied with the network that learns
            block.register_forward_pre_hook(lambda *_: self.note())


def stop(spec: str, resources: StudyResources, slow: Slow, one: TopicTexts) -> None:
    """Score until the job is to stop, and see that nothing slow was begun after that."""
    metric = parse(spec)
    with cancellable(slow.is_to_stop), pytest.raises(Cancelled):
        metric.score(metric.prepare(one, resources))
    assert slow.done == slow.limit


@pytest.fixture
def encoder() -> Encoder:
    return load_encoder("minilm", device="cpu")


@pytest.mark.parametrize(
    "spec",
    ["ancr:n=1", "bertscore", "moverscore:mode=v1", "sms:context=yes", "supert", "cosine", "cosine-tokens"],
)
def test_an_encoder_stops_between_two_blocks(spec: str, encoder: Encoder) -> None:
    slow, resources = Slow(2), StudyResources(None, "cpu")
    resources._encoders["minilm", "float32"] = encoder
    slow.count_blocks(encoder._network._module, encoder.model.layers)
    stop(spec, resources, slow, topic())


@pytest.mark.parametrize(
    ("spec", "kind", "blocks"),
    [
        ("blanc-help:gap=2,masked_lm=", "BertForMaskedLM", 1),
        ("blanc-tune:gap=2,masked_lm=", "BertForMaskedLM", 1),  # while it is asked by itself
        ("blanc-tune:gap=2,masked_lm=", "BertForMaskedLM", 4),  # while it learns
        ("summaqa:entities=rules,qa=", "BertForQuestionAnswering", 1),
    ],
)
def test_a_head_stops_between_two_blocks(spec: str, kind: str, blocks: int, make_model: Make) -> None:
    folder = make_model("head", kind, max_position_embeddings=64)
    slow, resources = Slow(blocks), StudyResources(None, "cpu")
    if "qa=" in spec:
        model = resources.answerer(str(folder))
    else:
        model = resources.masked_lm(str(folder), is_trained="blanc-tune" in spec)
    slow.count_blocks(model.module, 2)
    stop(f"{spec}{folder}", resources, slow, topic())


@pytest.mark.parametrize("spec", ["moverscore:mode=v2,idf=no", "sms"])
def test_a_transport_stops_between_two_texts(
    spec: str, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, resources = Slow(1), StudyResources(None, "cpu")
    resources._encoders["minilm", "float32"] = encoder
    monkeypatch.setattr(ot, "emd", slow.counting(ot.emd))
    stop(spec, resources, slow, topic())


def test_anchors_are_looked_for_tile_by_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(2)
    monkeypatch.setattr(nearest_neighbours, "_MOST_COSINES", 40)
    monkeypatch.setattr(nearest_neighbours, "_greatest", slow.counting(nearest_neighbours._greatest))
    vectors = np.random.default_rng(1).random((20, 4), np.float32)
    with cancellable(slow.is_to_stop), pytest.raises(Cancelled):
        nearest_neighbours.k_nearest(vectors, vectors, 3, "cpu")
    assert slow.done == slow.limit
