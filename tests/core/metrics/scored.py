"""Score a topic with a metric, and provide its resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.domain.study import TopicTexts
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoder

Written = str | list[str]
MakeTopic = Callable[[Mapping[str, Written], Mapping[str, Written]], TopicTexts]


def values(spec: str, topic: TopicTexts, resources: StudyResources) -> np.ndarray:
    """Shape (systems, measures)."""
    metric = parse(spec)
    return metric.score(metric.prepare(topic, resources)).values


def of_pair(
    spec: str, reference: Written, summary: Written, make_topic: MakeTopic, resources: StudyResources
) -> list[float]:
    """The measures of one summary against one reference."""
    return values(spec, make_topic({"A": reference}, {"s": summary}), resources)[0].tolist()


def tools_for(*topics: TopicTexts, minilm: Encoder | None = None) -> StudyResources:
    """The engine's tools over a study of these topics, the packaged encoder loaded where it is given."""
    texts = SimpleNamespace(
        reference_sets=lambda: [topic.references for topic in topics], load=lambda: topics
    )
    study: Any = SimpleNamespace(texts=texts)
    loaded = {} if minilm is None else {("minilm", "float32"): minilm}
    return StudyResources(study, "cpu", _encoders=loaded)


def write_vectors(folder: Path, vectors: Mapping[str, Sequence[float]]) -> Path:
    """A file of word vectors as GloVe's are written."""
    file = folder / "small.txt"
    lines = (" ".join([word, *map(str, numbers)]) for word, numbers in vectors.items())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file
