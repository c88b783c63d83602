"""Anchored ROUGE of SummEval with its documents and eleven references on one core: time and memory.

It is compared with the plain program of the tests, which reads all texts again for each summary and
reference and compares all pairs of particles. It scores a few pairs, from which its total is extrapolated.
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
from core.scoring.study_resources import StudyResources
from tests.benchmarks import sized
from tests.benchmarks.made_studies import is_there, summeval_topics
from tests.core.metrics.test_anchored import plain

METRICS = sized((AnchoredRouge(n=1), AnchoredRouge(n=2), AnchoredRouge(units="pairs")), (AnchoredRouge(n=1),))
EVERY = 50
"""The plain program scores the first summary of every 50th topic against two references."""


def main() -> None:
    """Print both times, the largest difference and the memory."""
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
    """Return the seconds of each metric; those of the first include the shared encoder passes."""
    resources = StudyResources(None, "cpu")
    times = [0.0] * len(METRICS)
    for topic in topics:
        for i, metric in enumerate(METRICS):
            began = time.process_time()
            metric.score(metric.prepare(topic, resources))
            times[i] += time.process_time() - began
    return times


def _plainly(metric: AnchoredRouge, topics: Sequence[TopicTexts]) -> tuple[float, float]:
    """Return the plain program's median seconds per pair and its largest difference in recall."""
    resources = StudyResources(None, "cpu")
    spent, difference = [], 0.0
    for topic in topics[::EVERY]:
        stats = metric.score(metric.prepare(topic, resources)).stats
        assert stats is not None
        for r, reference in enumerate(topic.references[:2]):
            encoder = load_encoder("minilm", device="cpu")  # with nothing kept from the pair before
            began = time.process_time()
            recall, _ = plain(metric, encoder, topic.documents, [reference], topic.summaries[0])
            spent.append(time.process_time() - began)
            matched, reference_mass, _ = stats[0, r]
            difference = max(difference, abs(recall - matched / reference_mass))
    return median(spent), difference


if __name__ == "__main__":
    main()
