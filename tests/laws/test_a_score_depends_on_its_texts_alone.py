"""A score depends on its texts and the metric's signature alone, to the last bit.

How it was tried to be broken: every metric without a neural encoder scores texts with many shared words
(1) alone with fresh tools; (2) after all other metrics, after other texts and with topics in reverse order,
so that every word has another number; (3) one topic at a time with fresh tools, as workers do;
(4) with systems and references in reverse order; (5) each summary alone in its topic. CIDEr failed at (2),
the Jensen–Shannon divergence and every mean over three references at (4), WIDAR and cosines of static word
vectors at (5).

Metrics with an encoder read float32 batches: their tolerance of 1e-5 is tested in `test_drift.py`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts
from core.files.allowed_names import NameKind, allowed_names
from core.metrics import registry
from core.metrics.base import Need
from core.metrics.base.needs import MODELS
from core.scoring.memory_study import MemoryStudy
from core.scoring.study_resources import StudyResources

pytestmark = pytest.mark.slow

_WORDS = [
    f"{stem}{end}"
    for stem in ("court", "bridg", "vot", "taxi", "rain", "mill")
    for end in ("s", "ed", "ing", "er")
]
_SPECS = {
    "be": ("be:elements=rules",),
    "rouge-n": ("rouge-n:n=1", "rouge-n:n=2,pooling=best", "rouge-n:n=1,mode=rouge-score"),
    "js": ("js:n=1", "js:n=2,stop_words=no"),
    "bleu": ("bleu", "bleu:eff=no"),
    "cider": ("cider", "cider:text=unicode,stem=no"),
    "meteor": ("meteor", "meteor:synonyms=none"),
    "sms": ("sms:mode=wms,vectors=VECTORS",),
    "rouge-we": ("rouge-we:vectors=VECTORS",),
    "cosine-words": ("cosine-words:vectors=VECTORS",),
}
_ELSEWHERE = {
    "pyramid": "annotations, no texts",
    "external": "a program",
    "s3": "a model of measures in this list, which another test trains",
    "sera": "rankings of an index, which has its own test of order",
}


def _specs() -> list[str]:
    kinds = [kind for kind in registry.metrics() if kind.name not in _ELSEWHERE]
    every = [spec for kind in kinds for spec in _SPECS.get(kind.name, (kind.name,))]
    return [spec for spec in every if not registry.parse(spec).needs & (MODELS - {Need.WORD_VECTORS})]


def _text(chance: random.Random, name: str) -> Text:
    sentences = [
        " ".join(
            chance.choices(_WORDS, weights=range(len(_WORDS), 0, -1), k=chance.randint(5, 15))
        ).capitalize()
        + "."
        for _ in range(chance.randint(2, 4))
    ]
    return Text(name, name, " ".join(sentences))


@pytest.fixture(scope="module")
def topics() -> list[TopicTexts]:
    chance = random.Random(5)
    return [
        TopicTexts(
            f"t{i}",
            f"t{i}",
            documents=(_text(chance, f"d{i}"),),
            references=tuple(_text(chance, f"r{i}{k}") for k in range(3)),
            summaries=tuple(_text(chance, f"s{i}{k}") for k in range(4)),
        )
        for i in range(4)
    ]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Word vectors of no equal sums."""
    path, chance = tmp_path_factory.mktemp("vectors") / "small.vec", random.Random(1)
    lines = [f"{word} {' '.join(f'{chance.gauss(0, 1):.6f}' for _ in range(12))}" for word in _WORDS]
    path.write_text(f"{len(_WORDS)} 12\n" + "\n".join(lines) + "\n", "utf-8")
    allowed_names().restore({NameKind.PLACE: (str(path),)})  # fixtures of a module are made before a test's
    return str(path)


def _tools(topics: Sequence[TopicTexts]) -> StudyResources:
    return StudyResources(MemoryStudy(topics, "en"), "cpu")


def _scores(spec: str, topics: Sequence[TopicTexts], resources: StudyResources) -> dict[str, bytes]:
    """Return the bits of each summary's scores, by its name."""
    metric, found = registry.parse(spec), {}
    for topic in topics:
        values = metric.score(metric.prepare(topic, resources)).values
        found |= {text.name: row.tobytes() for text, row in zip(topic.summaries, values, strict=True)}
    return found


@pytest.fixture(scope="module")
def used(topics: list[TopicTexts], vectors: str) -> StudyResources:
    """Tools that have read other texts and all of these, backwards, with every metric."""
    resources = _tools(topics[::-1])
    other = TopicTexts(
        "x",
        "x",
        documents=(Text("d", "d", " ".join(reversed(_WORDS))),),
        references=(Text("r", "r", "mills rained zinc"),),
        summaries=(Text("s", "s", " ".join(_WORDS[::-3])),),
    )
    for spec in _specs():
        metric = registry.parse(spec.replace("VECTORS", vectors))
        if Need.CORPUS not in metric.needs:
            metric.score(metric.prepare(other, resources))
    for topic in topics[::-1]:
        for spec in reversed(_specs()):
            metric = registry.parse(spec.replace("VECTORS", vectors))
            metric.score(metric.prepare(topic, resources))
    return resources


@pytest.mark.parametrize("spec", _specs())
def test_a_score_depends_on_its_texts_alone(spec, topics, used, vectors):
    spec = spec.replace("VECTORS", vectors)
    alone = _scores(spec, topics, _tools(topics))
    assert any(np.isfinite(np.frombuffer(row)).any() for row in alone.values())
    assert alone == _scores(spec, topics, used), "after other metrics and texts"
    singly: dict[str, bytes] = {}
    for topic in topics:
        singly |= _scores(spec, [topic], _tools(topics))
    assert alone == singly, "by workers"
    first_best = "pooling=best" in spec  # of references with equal recall the first, as in ROUGE-1.5.5
    turned = [
        replace(
            topic,
            summaries=topic.summaries[::-1],
            references=topic.references if first_best else topic.references[::-1],
        )
        for topic in topics
    ]
    assert alone == _scores(spec, turned, _tools(turned)), "with systems and references in another order"
    apart = [replace(topic, summaries=(text,)) for topic in topics for text in topic.summaries]
    assert alone == _scores(spec, apart, _tools(topics)), "without other systems"


def test_no_metric_without_an_encoder_is_left_out():
    covered = {registry.parse(spec).name for spec in _specs()}
    without = {kind.name for kind in registry.metrics() if not registry.parse(kind.name).needs & MODELS}
    assert without <= covered | set(_ELSEWHERE)
