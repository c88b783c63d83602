"""A model of whatever metric whose weights are no numbers gives no score: it is refused, with the tensor.

Tried to be broken by a question generator whose queries are NaN: its attention passes over them, so that what
it wrote was scored 0; and by a table of word vectors, which no network reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.domain.study import TopicTexts
from core.errors import InputError
from core.metrics import registry
from core.metrics.base import Metric
from core.metrics.base.needs import MODELS, Need
from core.scoring.memory_study import MemoryStudy
from core.scoring.study_resources import StudyResources
from tests.core.comparison.test_every_explanation import specs  # noqa: F401 - a fixture
from tests.core.conftest import make_model  # noqa: F401 - a fixture
from tests.core.metrics.made_topics import topic_of_texts


def _models(metric: Metric) -> list[Path]:
    """Return the folders of a metric's models, of transformers."""
    values = [getattr(metric, one.name) for one in fields(metric)]
    places = [Path(value) for value in values if isinstance(value, str) and value.startswith("/")]
    return list(dict.fromkeys(place for place in places if (place / "model.safetensors").is_file()))


def _scores(metric: Metric, topic: TopicTexts) -> np.ndarray:
    other = replace(topic_of_texts(["so ."], ["quite other words ."], ["so ."]), id="u", name="u")
    resources = StudyResources(MemoryStudy([topic, other], "en"), "cpu")
    return metric.score(metric.prepare(topic, resources)).values


@pytest.mark.slow
def test_no_metric_scores_by_weights_that_are_no_numbers(
    specs: dict[str, str],  # noqa: F811 - pytest passes the fixture
    make_model: Callable[..., Path],  # noqa: F811 - pytest passes the fixture
) -> None:
    tiny = make_model("encoder", max_position_embeddings=64, num_hidden_layers=4)
    text = "the court ruled on the mat . a new dog ran ."
    topic = topic_of_texts(
        [text, "the cat sat ."], [text, "a dog ran ."], ["the court ruled . 3 dogs ran in 1999 ."]
    )
    tried = set()
    for name, spec in specs.items():
        metric = registry.parse(spec)
        metric = replace(
            metric, **{one.name: str(tiny) for one in fields(metric) if getattr(metric, one.name) == "minilm"}
        )
        if not metric.needs & MODELS or Need.PYRAMIDS in metric.needs:
            continue
        for place in _models(metric):
            whole = load_file(place / "model.safetensors")
            chosen = [one for one in whole if "word_emb" in one or "query" in one or "q_proj" in one]
            broken = {one: torch.full_like(whole[one], torch.nan) for one in chosen or [*whole][:1]}
            save_file({**whole, **broken}, place / "model.safetensors", {"format": "pt"})
            with pytest.raises(InputError, match=r"infinite or no numbers|are no numbers"):
                _scores(metric, topic)
            save_file(whole, place / "model.safetensors", {"format": "pt"})
            tried.add(name)
        # what a random model writes is no list of nuggets
        assert name not in tried - {"auto-nugget"} or np.isfinite(_scores(metric, topic)).any(), name
    named = {name for name, spec in specs.items() if registry.parse(spec).needs & MODELS}
    assert named - tried == {"enc-avg", "lite-pyramid"}, "they read what others of these read"
