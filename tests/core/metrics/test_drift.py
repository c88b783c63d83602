"""Scores of metrics with an encoder do not depend on batch size and order."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts
from core.metrics.base import Metric, Need
from core.metrics.registry import metrics, parse
from core.models.encoders.encoder import Encoder, load_encoder
from core.scoring.encode_ahead import batch_topics, encode
from core.scoring.engine import ScoringConfig
from core.scoring.plan import PlannedRun
from core.scoring.study_resources import StudyResources
from tests.gpu import CPU_AND_GPU

SPECS = (
    "bertscore",
    "bertscore:idf=yes,pooling=mean",
    "moverscore:mode=v1",
    "moverscore:mode=v2,idf=no",
    "cosine",
    "cosine-tokens:layers=all,joining=max",
    "ancr:n=1",
    "ancr:units=pairs,window=longest",
    "supert",
    "sms:context=yes",
    "enc-avg",
    "auto-pyramid",
)
SAID = "the court judge ruled on monday that bans of unbelievable dogs were void , and roads stay closed ."


def text(name: str, chance: random.Random) -> Text:
    lengths = [chance.randint(2, 25) for _ in range(chance.randint(1, 4))]
    return Text(
        name, name, " . ".join(" ".join(chance.choices(SAID.split(), k=length)) for length in lengths)
    )


@pytest.fixture(scope="module")
def topics() -> list[TopicTexts]:
    chance = random.Random(3)
    return [
        TopicTexts(
            f"t{i}",
            f"t{i}",
            documents=tuple(text(f"d{k}", chance) for k in range(1)),
            references=tuple(text(f"r{k}", chance) for k in range(2)),
            summaries=(*(text(f"s{k}", chance) for k in range(4)), Text("empty", "empty", " ")),
        )
        for i in range(2)
    ]


def by_name(
    spec: str, topics: list[TopicTexts], resources: StudyResources
) -> dict[tuple[str, str], np.ndarray]:
    """A metric's numbers of each topic's systems, all encoded ahead."""
    config = ScoringConfig(parse(spec))
    runs = [PlannedRun(config, config.stored(resources))]
    rows = {}
    for group in batch_topics([(topic, runs) for topic in topics], resources):
        list(encode(group.requests, resources))
        for topic, _ in group.due:
            metric = runs[0].config.metric
            values = metric.score(metric.prepare(topic, resources)).values
            rows |= {(topic.id, s.name): row for s, row in zip(topic.summaries, values, strict=True)}
    return rows


def tools_of(encoder: Encoder, topics: list[TopicTexts]) -> StudyResources:
    texts = SimpleNamespace(reference_sets=lambda: [topic.references for topic in topics])
    store: Any = SimpleNamespace(texts=texts)
    resources = StudyResources(store, "cpu")
    resources._encoders["minilm", "float32"] = encoder
    return resources


@pytest.fixture(scope="module")
def singly() -> Encoder:
    """Reads one text at a time."""
    return load_encoder("minilm", device="cpu", batch_tokens=1)


@pytest.fixture(scope="module", params=CPU_AND_GPU)
def by_64(request: pytest.FixtureRequest) -> Encoder:
    """Reads 64 texts at a time and more."""
    return load_encoder("minilm", device=request.param, batch_tokens=64 * 512)


def test_every_metric_with_an_encoder_is_looked_at() -> None:
    """Those that need a language model too are looked at in tests of their own, with small ones."""

    def reads(kind: type[Metric]) -> bool:
        needs = parse(kind.name).needs
        return Need.ENCODER in needs and Need.LANGUAGE_MODEL not in needs

    assert {kind.name for kind in metrics() if reads(kind)} <= {spec.partition(":")[0] for spec in SPECS}


@pytest.mark.parametrize("spec", SPECS)
def test_neither_batch_nor_order_moves_a_score(
    spec: str, topics: list[TopicTexts], singly: Encoder, by_64: Encoder
) -> None:
    there = by_name(spec, topics, tools_of(singly, topics))
    turned = [
        replace(topic, summaries=topic.summaries[::-1], references=topic.references[::-1])
        for topic in reversed(topics)
    ]
    back = by_name(spec, turned, tools_of(by_64, turned))
    assert there.keys() == back.keys()
    for key, values in there.items():
        np.testing.assert_allclose(values, back[key], atol=1e-5, rtol=0, err_msg=f"{spec} {key}")
