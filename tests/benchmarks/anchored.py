"""Anchored ROUGE of all of SummEval with its documents and eleven references on one core, and memory.

Beside it the plain program of the test, which reads all texts anew for each summary and reference and holds
particle against particle; it does a few pairs, whose time is laid out over all of them.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from statistics import median

import torch

from core.domain.study import TopicTexts
from core.metrics.anchored.ancr import AnchoredRouge
from core.models.encoders.encoder import load_encoder
from core.scoring.engine_tools import StudyResources
from tests.benchmarks.made_studies import is_there, summeval_topics
from tests.core.metrics.test_anchored import plain

METRICS = (AnchoredRouge(n=1), AnchoredRouge(n=2), AnchoredRouge(units="pairs"))
EVERY = 50
"""One topic of so many is scored by the plain program: its first summary, against two references."""


def main() -> None:
    """Print both times, the greatest difference and the memory."""
    if not is_there():
        return
    torch.set_num_threads(1)  # so that what else the machine does strikes neither
    topics = summeval_topics()
    pairs = sum(len(topic.summaries) * len(topic.references) for topic in topics)
    print(f"{len(topics)} topics, {pairs} pairs of a summary and a reference")
    times = _times(topics)
    plainly = 0.0
    for metric, ours in zip(METRICS, times, strict=True):
        pair, difference = _plainly(metric, topics)
        plainly += pair * pairs
        print(f"{metric.prefix():8} {ours:6.1f} s; plainly {pair:.2f} s a pair; differ by {difference:.0e}")
    print(f"all      {sum(times):6.1f} s, loading included; plainly {plainly / 60:.0f} min")
    print(f"         {plainly / sum(times):.0f} times as fast")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def _times(topics: Sequence[TopicTexts]) -> list[float]:
    """Seconds of each metric; the first pays for the encoder, whose passes all share as in a run."""
    tools = StudyResources(None, "cpu")
    times = [0.0] * len(METRICS)
    for topic in topics:
        for i, metric in enumerate(METRICS):
            began = time.process_time()
            metric.score(metric.prepare(topic, tools))
            times[i] += time.process_time() - began
    return times


def _plainly(metric: AnchoredRouge, topics: Sequence[TopicTexts]) -> tuple[float, float]:
    """Seconds of the plain program for a pair, the median, and how far its recall is from ours at most."""
    tools = StudyResources(None, "cpu")
    spent, difference = [], 0.0
    for topic in topics[::EVERY]:
        stats = metric.score(metric.prepare(topic, tools)).stats
        assert stats is not None
        for r, reference in enumerate(topic.references[:2]):
            encoder = load_encoder("minilm", device="cpu")  # with nothing kept from the pair before
            began = time.process_time()
            recall, _ = plain(metric, encoder, topic.documents, [reference], topic.summaries[0])
            spent.append(time.process_time() - began)
            matched, wanted, _ = stats[0, r]
            difference = max(difference, abs(recall - matched / wanted))
    return median(spent), difference


if __name__ == "__main__":
    main()
