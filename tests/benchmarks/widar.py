"""WIDAR on SummEval compared with the paper's Tables 3 and 5, and its time with a plain program.

Global Kendall's τ-b over 1,600 summaries with the mean of the experts, eleven references, mode ``published``;
then WIDAR-1 and -2 in mode ``reference``.
The plain program is that of the tests; it scores the first four systems of every 20th topic.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Sequence

import numpy as np
from scipy.stats import kendalltau

from core.domain.study import Text, TopicTexts
from core.metrics import registry
from core.scoring.study_resources import StudyResources
from tests.benchmarks.made_studies import SUMMEVAL, is_there
from tests.core.metrics.test_widar import plain

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
PUBLISHED = {
    "widar:variant=1,mode=published": ("WIDAR-1", (0.160, 0.178, 0.114, 0.254)),
    "widar:variant=2,mode=published": ("WIDAR-2", (0.138, 0.188, 0.108, 0.221)),
    "widar:mode=published": ("WIDAR-L", (0.149, 0.176, 0.119, 0.250)),
    "widar:part=weighted,mode=published": ("ROUGE-L_W", (0.129, 0.108, 0.083, 0.239)),
    "widar:part=coverage,mode=published": ("− W_red", (0.105, 0.075, 0.064, 0.201)),
    "widar:part=redundancy,mode=published": ("− W_cov", (0.119, 0.115, 0.087, 0.218)),
    "widar:part=sentences,mode=published": ("ROUGE-L_SL", (0.102, 0.087, 0.062, 0.204)),
    "idss": ("IDSS", (0.097, 0.202, 0.122, 0.164)),
    "widar:variant=1,mode=reference": ("reference-1", (0.160, 0.178, 0.114, 0.254)),
    "widar:variant=2,mode=reference": ("reference-2", (0.138, 0.188, 0.108, 0.221)),
}


def main() -> None:
    if is_there():
        topics, judged = _summeval()
        _tables(topics, judged)
        _speed(topics)


def _tables(topics: Sequence[TopicTexts], judged: dict[tuple[str, str], list[float]]) -> None:
    resources = StudyResources()
    print("τ-b with coherence, consistency, fluency, relevance: ours (published)")
    for spec, (name, published) in PUBLISHED.items():
        metric = registry.parse(spec)
        values, people = [], []
        for topic in topics:
            scores = metric.score(metric.prepare(topic, resources)).values[:, -1]
            for text, value in zip(topic.summaries, scores.tolist(), strict=True):
                values.append(value)
                people.append(judged[topic.name, text.name])
        taus = [kendalltau(values, column).statistic for column in np.array(people).T]
        cells = "  ".join(f"{tau:.3f} ({theirs:.3f})" for tau, theirs in zip(taus, published, strict=True))
        print(f"{name:11} {cells}")


def _speed(topics: Sequence[TopicTexts]) -> None:
    metrics = [registry.metric("widar", variant=variant, mode="reference") for variant in ("1", "2", "l")]
    _score(metrics, topics)
    began = time.perf_counter()
    _score(metrics, topics)
    ours = time.perf_counter() - began
    pairs = sum(len(t.summaries) * len(t.references) for t in topics)
    some = topics[::20]
    began = time.perf_counter()
    done = 0
    for topic in some:
        for summary in topic.summaries[:4]:
            for reference in topic.references:
                for metric in metrics:
                    plain(metric, topic.documents[0], reference, summary)
                done += 1
    theirs = (time.perf_counter() - began) / done * pairs
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"WIDAR-1, -2, -L on {pairs} (summary, reference) pairs, one process: {ours:.2f} s; a plain program, "
        f"from {done} pairs: {theirs:.0f} s, {theirs / ours:.0f} times as long. Peak memory {memory:.0f} MiB."
    )


def _score(metrics: Sequence[registry.Metric], topics: Sequence[TopicTexts]) -> None:
    resources = StudyResources()  # nothing cut before
    for topic in topics:
        for metric in metrics:
            metric.score(metric.prepare(topic, resources))


def _summeval() -> tuple[list[TopicTexts], dict[tuple[str, str], list[float]]]:
    rows: dict[str, dict[str, object]] = {}
    judged: dict[tuple[str, str], list[float]] = {}
    summaries: dict[str, list[Text]] = {}
    for line in SUMMEVAL.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["id"], row)
        summaries.setdefault(row["id"], []).append(Text(row["model_id"], row["model_id"], row["decoded"]))
        judged[row["id"], row["model_id"]] = [
            float(np.mean([each[dimension] for each in row["expert_annotations"]]))
            for dimension in DIMENSIONS
        ]
    topics = [
        TopicTexts(
            key,
            key,
            documents=(Text(key, "article", row["text"]),),
            references=tuple(
                Text(f"{key}-{i}", f"r{i:02}", text) for i, text in enumerate(row["references"])
            ),
            summaries=tuple(summaries[key]),
        )
        for key, row in rows.items()
    ]
    return topics, judged


if __name__ == "__main__":
    main()
