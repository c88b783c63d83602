"""Time of the properties of the sample's 64 summaries, next to a plain program.

The plain program is the algorithm of Newsroom's figure 3 in Python with sets of n-grams, as the authors' and
SummEval's are, on words between blanks. Both go from texts to values; values are compared.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.domain.study import TopicTexts
from core.jit import Kernel
from core.metrics import registry
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from storage.sample_study import create_sample
from tests.benchmarks import sized
from tests.core.metrics.test_properties import authors_fragments

SPECS = ("coverage", "density", "compression", "novelty", "repetition", "length")
REPEATS = sized(25, 1)
"""Runs over the summaries, each with texts that are not tokenized yet."""


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        run_to_completion(create_sample(Path(folder) / "sample.pyramidion")) as study,
    ):
        topics = list(study.texts.load())
    if sized(True, False):
        Kernel.always_compile()
    mine, seconds = ours(topics), []
    for _ in range(REPEATS):
        began = time.perf_counter()
        ours(topics)
        seconds.append(time.perf_counter() - began)
    began = time.perf_counter()
    theirs = plain(topics)
    other = time.perf_counter() - began
    difference = float(np.abs(mine - theirs).max())
    print(f"{len(SPECS)} properties of {len(mine)} summaries: {1000 * np.mean(seconds):.0f} ms")
    print(f"plain program: {1000 * other:.0f} ms, {other / np.mean(seconds):.1f} times as slow")
    print(f"largest difference: {difference:.1e}")


def ours(topics: list[TopicTexts]) -> np.ndarray:
    """Return the values, shape (summaries, properties); nothing is kept from another run."""
    resources = StudyResources()
    metrics = [registry.parse(f"{name}:text=spaces") for name in SPECS]
    rows = [
        np.hstack([metric.score(metric.prepare(topic, resources)).values for metric in metrics])
        for topic in topics
    ]
    return np.vstack(rows)


def plain(topics: list[TopicTexts]) -> np.ndarray:
    rows = []
    for topic in topics:
        documents = [text.content.lower().split() for text in topic.documents]
        joined = [word for words in documents for word in (*words, "")]
        known = {pair for words in documents for pair in pairwise(words)}
        for text in topic.summaries:
            words = text.content.lower().split()
            lengths = [length for _, _, length in authors_fragments(words, joined)]
            pairs = set(pairwise(words))
            triples = Counter(zip(words, words[1:], words[2:], strict=False))
            rows.append(
                (
                    sum(lengths) / len(words),
                    sum(length**2 for length in lengths) / len(words),
                    sum(map(len, documents)) / len(words),
                    len(pairs - known) / len(pairs),
                    sum(count > 1 for count in triples.values()) / len(triples),
                    len(words),
                )
            )
    return np.array(rows)


if __name__ == "__main__":
    main()
