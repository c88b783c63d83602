"""BERTScore of SummEval's 1,600 summaries with eleven references, compared with bert-score 0.3.13.

Both run on one core with the packaged encoder and its default layer, including loading. bert-score gets a
list of references per summary, once in one call for all summaries, its fastest way, and once in one call
per system.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from core.domain.study import Text, TopicTexts
from core.metrics.registry import parse
from core.models.catalogue.lookup import find_model
from core.scoring.config import ScoringConfig
from core.scoring.encode_ahead import batch_topics, encode
from core.scoring.plan import PlannedRun
from core.scoring.study_resources import StudyResources
from tests.benchmarks import sized
from tests.benchmarks.made_studies import is_there, summeval_topics

METRIC = parse("bertscore")

AT_ONCE = 16
"""Topics whose texts are encoded together, as the engine does."""


def ours(topics: Sequence[TopicTexts]) -> np.ndarray:
    """Return precision, recall and F of each summary, topics in order."""
    texts = SimpleNamespace(reference_sets=lambda: [topic.references for topic in topics])
    store: Any = SimpleNamespace(texts=texts)
    resources, config = StudyResources(store, "cpu"), ScoringConfig(METRIC)
    runs = [PlannedRun(config, config.stored(resources))]
    values = []
    for start in range(0, len(topics), AT_ONCE):
        for group in batch_topics([(topic, runs) for topic in topics[start : start + AT_ONCE]], resources):
            list(encode(group.requests, resources))
            values += [METRIC.score(METRIC.prepare(topic, resources)).values for topic, _ in group.due]
    return np.concatenate(values)


def theirs(topics: Sequence[TopicTexts]) -> np.ndarray:
    """Return the scores by bert-score, in one call."""
    return _scores(_scorer(), [(summary, topic) for topic in topics for summary in topic.summaries])


def theirs_by_system(topics: Sequence[TopicTexts]) -> np.ndarray:
    """Return the scores by bert-score, with one call per system."""
    scorer = _scorer()
    systems = [[topic.summaries[at] for topic in topics] for at in range(len(topics[0].summaries))]
    values = [_scores(scorer, list(zip(texts, topics, strict=True))) for texts in systems]
    return np.stack(values, axis=1).reshape(-1, 3)


def _scorer() -> Any:
    import bert_score

    model = find_model("minilm")
    return bert_score.BERTScorer(model_type=str(model.folder), num_layers=model.layer(0), device="cpu")


def _scores(scorer: Any, summaries: Sequence[tuple[Text, TopicTexts]]) -> np.ndarray:
    parts = scorer.score(
        [summary.content for summary, _ in summaries],
        [[reference.content for reference in topic.references] for _, topic in summaries],
    )
    return np.stack([part.numpy() for part in parts], axis=1)


def main(limit: int = sized(100, 1)) -> None:
    """Print both times and the largest difference. limit: number of topics to score."""
    if not is_there():
        return
    import bert_score  # noqa: F401 - all that either imports, before the clock starts

    from core.models.encoders.encoder import load_encoder

    load_encoder("minilm", device="cpu")

    torch.set_num_threads(1)  # so that what else the machine does strikes neither
    topics = summeval_topics()[:limit]
    pairs = sum(len(topic.summaries) * len(topic.references) for topic in topics)
    print(f"BERTScore, {len(topics)} topics of SummEval, {pairs} pairs of a summary and a reference, CPU")
    first = _timed("pyramidion", ours, topics)
    for name, score in (("bert-score, one call", theirs), ("a call per system", theirs_by_system)):
        second = _timed(name, score, topics)
        difference = np.abs(first[1] - second[1]).max()
        print(f"  {second[0] / first[0]:.1f} times as fast; greatest difference {difference:.0e}")


def _timed(
    name: str, score: Callable[[Sequence[TopicTexts]], np.ndarray], topics: Sequence[TopicTexts]
) -> tuple[float, np.ndarray]:
    """Return the CPU seconds and the scores."""
    wall, work = time.perf_counter(), time.process_time()
    values = score(topics)
    wall, work = time.perf_counter() - wall, time.process_time() - work
    print(f"  {name:20} {work:6.1f} s of the core, {wall:6.1f} s by the clock", flush=True)
    return work, values


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
