"""Predictions that change with the batch or device are noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.domain.study import TopicTexts
from core.metrics.comprehension.blanc import Blanc
from core.metrics.comprehension.summaqa import SummaQA
from core.metrics.registry import parse
from core.models.heads.head_model import TIE_TOLERANCE
from core.scoring.study_resources import StudyResources
from tests.core.metrics.made_topics import topic_of_sentences
from tests.gpu import CPU_AND_GPU

Make = Callable[..., Path]
Drift = Callable[[torch.nn.Module], Any]
WORDS = [
    "the",
    "court",
    "ruled",
    "on",
    "a",
    "mat",
    ",",
    "new",
    "dogs",
    "ran",
    ".",
    "a",
    "cat",
    "sat",
    "on",
    "the",
    "new",
    "mat",
    ".",
]


def sentences(seed: int, count: int) -> list[str]:
    chance = np.random.default_rng(seed)
    return [f"On Monday {' '.join(chance.permutation(WORDS)[:9])} ." for _ in range(count)]


@pytest.fixture(scope="module")
def topic() -> TopicTexts:
    return topic_of_sentences([sentences(i, 2) for i in range(6)], [sentences(9, 4)])


def rewrite(folder: Path, change: Callable[[dict[str, torch.Tensor]], None]) -> str:
    """Change a model's weights."""
    file = folder / "model.safetensors"
    weights = load_file(file)
    change(weights)
    save_file(weights, file, {"format": "pt"})
    return str(folder)


@pytest.fixture
def filling(make_model: Make) -> str:
    """Fills in words, half of which it can hardly tell from another."""

    def pair(weights: dict[str, torch.Tensor]) -> None:
        words = weights["bert.embeddings.word_embeddings.weight"]
        words[7::4] = words[6:-1:4]
        weights["cls.predictions.bias"][7::4] = TIE_TOLERANCE / 4

    sizes = {"max_position_embeddings": 64, "initializer_range": 0.6}
    return rewrite(make_model("filling", "BertForMaskedLM", **sizes), pair)


@pytest.fixture
def answering(make_model: Make) -> str:
    """Answers questions, hardly sure which place is the best."""

    def flatten(weights: dict[str, torch.Tensor]) -> None:
        weights["qa_outputs.weight"] *= 12 * TIE_TOLERANCE

    sizes = {"max_position_embeddings": 64, "initializer_range": 0.6}
    return rewrite(make_model("answering", "BertForQuestionAnswering", **sizes), flatten)


@contextmanager
def drifting(module: torch.nn.Module) -> Iterator[None]:
    """Move every score by as much as another device may."""
    chance = torch.Generator().manual_seed(5)

    def move(_module: Any, _inputs: Any, out: Any) -> Any:
        for name in ("logits", "start_logits", "end_logits"):
            if name in out:
                noise = torch.rand(out[name].shape, generator=chance).to(out[name].device)
                out[name] += (2 * noise - 1) * TIE_TOLERANCE
        return out

    hook = module.register_forward_hook(move)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def still(_module: torch.nn.Module) -> Iterator[None]:
    yield


def filled(folder: str, topic: TopicTexts, resources: StudyResources, drift: Drift) -> tuple[np.ndarray, int]:
    """Words filled in, with help and without, and how many are noted."""
    metric = parse(f"blanc-help:masked_lm={folder},gap=2")
    assert isinstance(metric, Blanc)
    prepared = metric.prepare(topic, resources)
    with drift(prepared.model.module):
        answers = metric.answers(prepared, topic.summaries)
        noted = metric.score(prepared).notes.get("undecided_answers", 0)
    return np.concatenate([part for one in answers for part in (one.plain, one.helped)]), noted


def answered(
    folder: str, topic: TopicTexts, resources: StudyResources, drift: Drift
) -> tuple[np.ndarray, int]:
    """Where answers begin and end, and how many are noted."""
    metric = parse(f"summaqa:qa={folder},entities=rules")
    assert isinstance(metric, SummaQA)
    prepared = metric.prepare(topic, resources)
    with drift(prepared.model.module):
        answers = metric._answers(prepared, topic.summaries)
        noted = metric.score(prepared).notes.get("undecided_answers", 0)
    return np.array([(one.start, one.end) for one in answers]), noted


CASES = pytest.mark.parametrize(("ask", "model"), [(filled, "filling"), (answered, "answering")])


@CASES
def test_predictions_that_rounding_changes_are_noted(
    ask: Any, model: str, topic: TopicTexts, request: pytest.FixtureRequest
) -> None:
    folder, resources = request.getfixturevalue(model), StudyResources(None, "cpu")
    (plain, noted), (moved, _) = (ask(folder, topic, resources, drift) for drift in (still, drifting))
    flipped = int((plain != moved).reshape(len(plain), -1).any(axis=1).sum())
    assert 0 < flipped <= noted < len(plain)


@CASES
@pytest.mark.parametrize("device", CPU_AND_GPU)
def test_no_batch_flips_more_than_is_noted(
    ask: Any, model: str, device: str, topic: TopicTexts, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(model)
    plain, noted = ask(folder, topic, StudyResources(None, "cpu", batch_tokens=1), still)
    others, _ = ask(folder, topic, StudyResources(None, device, batch_tokens=64 * 64), still)
    assert int((plain != others).reshape(len(plain), -1).any(axis=1).sum()) <= noted
