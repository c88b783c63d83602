"""All summarizers on SummEval's 100 articles: time per article, and ROUGE beside the published systems.

Run: .venv/bin/python -m tests.benchmarks.summarizers
All have the published systems' usual length of three sentences and at most 65 words; the oracles none.
Prints the mean F of ROUGE-1, -2 and -L against all eleven references, in per cent, the best system first.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.metrics import registry as metrics
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.systems import registry
from core.systems.base import Summarizer
from core.systems.run import SystemRequest, source_of, summarize_study
from core.systems.source import CollectionCounts, Source, count_collection
from storage.formats import import_registry
from storage.study_file import StudyFile, new_study
from tests.benchmarks.made_studies import SUMMEVAL, is_there

LENGTH = "words=65,sentences=3,cut=sentence"
MORE = (
    "lsa:mode=gong-liu",
    "lexrank:mode=degree",
    "lexrank:mode=continuous",
    "sumbasic:choice=sentence",
    "c-lexrank:texts=documents",
)
MEASURES = ("rouge-n:n=1,stem=yes", "rouge-n:n=2,stem=yes", "rouge-l:stem=yes")


def main() -> None:
    if not is_there():
        return
    with tempfile.TemporaryDirectory() as folder, new_study(Path(folder) / "study.pyramidion") as study:
        request = import_registry.import_request(SUMMEVAL, "summeval")
        run_to_completion(import_registry.import_steps(study, request))
        others = (
            "command",
            "model",
            "fragments",
            "citation-contexts",
            "c-lexrank",
        )  # SummEval has no citances
        names = [cls.name for cls in registry.summarizers() if cls.name not in others]
        specs = [f"{name}{',' if ':' in name else ':'}{LENGTH}" for name in (*names, *MORE)]
        chosen = {name: registry.parse(text) for name, text in zip((*names, *MORE), specs, strict=True)}
        chosen["fragments"] = registry.parse("fragments")
        time_each(study, chosen)
        run_to_completion(summarize_study(study, [SystemRequest(f"* {n}", s) for n, s in chosen.items()]))
        compare(study)


def time_each(study: StudyFile, chosen: dict[str, Summarizer]) -> None:
    """Print the seconds per article of each summarizer: median and longest.

    The longest of topic-sum is the first, with which it learns from all.
    """
    topics = list(study.texts.load())
    print(f"{'summarizer':28} {'median':>9} {'longest':>9}  ms per article, reading included")
    for name, summarizer in chosen.items():
        collection = count_collection((t for topic in topics for t in topic.documents), summarizer.analysis)
        taken, began = [], time.perf_counter()

        def read(
            summarizer: Summarizer = summarizer, collection: CollectionCounts = collection
        ) -> Iterator[Source]:
            for topic in topics:
                yield replace(source_of(topic, summarizer, collection), topics=read)

        for _ in summarizer.summarize_all(read()):
            taken.append(1000 * (time.perf_counter() - began))
            began = time.perf_counter()
        print(f"{name:28} {np.median(taken):9.1f} {max(taken):9.1f}")


def compare(study: StudyFile) -> None:
    """Print the mean scores of all systems; those made here have a star."""
    resources = StudyResources(study)
    kinds = [metrics.parse(text) for text in MEASURES]
    scores: dict[str, list[list[float]]] = {}
    for topic in study.texts.load():
        columns = []
        for kind in kinds:
            place = [name.rpartition(".")[2] for name in kind.measures()].index("f")
            columns.append(kind.score(kind.prepare(topic, resources)).values[:, place])
        for text, *values in zip(topic.summaries, *columns, strict=True):
            scores.setdefault(text.name, []).append([*values, len(text.content.split())])
    print(f"\n{'system':28} {'ROUGE-1':>8} {'ROUGE-2':>8} {'ROUGE-L':>8} {'words':>7}")
    for name, rows in sorted(scores.items(), key=lambda one: -np.mean(one[1], axis=0)[1]):
        first, second, longest, words = np.mean(rows, axis=0)
        print(f"{name:28} {100 * first:8.2f} {100 * second:8.2f} {100 * longest:8.2f} {words:7.1f}")


if __name__ == "__main__":
    main()
