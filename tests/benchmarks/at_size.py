"""Scoring of large studies, and growth of the time with the number of topics.

First: 48 topics × 58 systems × 4 references × 10 documents, made of SummEval's texts, with all metrics that
need no model, one process per core; then again after one summary was added.
Second: 100 to 10,000 topics × 4 systems × 3 references with the ROUGE family, in one process each.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics import registry
from core.metrics.base import Resources
from core.progress import run_to_completion
from core.scoring.engine import ScoringConfig, ScoringPlan, parse_config, plan, score
from core.scoring.process_pool import cores, local_workers
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import LOCAL_ONLY_NEEDS
from storage.study_file import StudyFile
from tests.benchmarks import apart, sized
from tests.benchmarks.made_studies import is_there, make_study
from tests.benchmarks.rouge import FAMILY

SIZES = sized((100, 1_000, 10_000), (2,))
TAC = sized(
    {"topics": 48, "systems": 58, "references": 4, "documents": 10},
    {"topics": 8, "systems": 2, "references": 2, "documents": 1},
)


def main() -> None:
    if is_there():
        as_large_as_tac()
        as_topics_grow()


def as_large_as_tac() -> None:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        study = make_study(Path(folder) / "tac.pyramidion", **TAC)
        print(f"made in {time.perf_counter() - began:.1f} s")
        resources = StudyResources(study)
        configs = _everything_lexical(resources)
        first = _score(study, configs, "all", cores())
        blocks = {
            config.signature: study.scores.blocks(config.signature) for config in study.scores.configs()
        }
        seconds = {signature: sum(b.seconds for b in stored) for signature, stored in blocks.items()}
        for signature in sorted(seconds, key=lambda each: -seconds[each]):
            print(f"  {seconds[signature]:7.1f} s  {signature[:70]}")
        more = NewTopic("T00007", summaries={"late": NewText("A late summary of one topic came in.")})
        study.import_data(ImportContent("late", topics=[more]))
        again = _score(study, configs, "after one summary came in", cores())
        print(f"a rerun takes {again / first:.3f} of the first run")
        study.close()


def as_topics_grow() -> None:
    print("topics   seconds   ms a topic   peak MiB")
    for size in SIZES:
        seconds, memory = apart(_one_size, size)
        print(f"{size:6}  {seconds:8.1f}   {1000 * seconds / size:10.2f}   {memory:8.0f}")


def _everything_lexical(resources: Resources) -> list[ScoringConfig]:
    configs = [
        parse_config(f"{kind.name}:{settings}" if settings else kind.name, resources)
        for kind in registry.metrics()
        for settings in kind.default_configs
    ]
    return [
        c for c in configs if not c.metric.unavailable(resources) and not c.metric.needs & LOCAL_ONLY_NEEDS
    ]


def _score(study: StudyFile, configs: list[ScoringConfig], words: str, workers: int) -> float:
    began = time.perf_counter()
    resources = StudyResources(study)
    what: ScoringPlan = plan(study, configs, resources)
    planned = time.perf_counter() - began
    report = run_to_completion(score(study, what, resources, local_workers(study, what, workers)))
    seconds = time.perf_counter() - began
    print(
        f"{words}: {report.scored} (metric, topic) pairs of {len(what.runs)} configurations in "
        f"{seconds:.1f} s, planning {planned:.1f} s, {len(report.failures)} failures"
    )
    return seconds


def _one_size(topics: int) -> tuple[float, float]:
    """Return the seconds and the peak memory in MiB."""
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(
            Path(folder) / "many.pyramidion", topics=topics, systems=4, references=3, documents=1
        )
        resources = StudyResources(study)
        began = time.perf_counter()
        run_to_completion(
            score(
                study,
                plan(study, [ScoringConfig(registry.parse(spec)) for spec in FAMILY], resources),
                resources,
            )
        )
        seconds = time.perf_counter() - began
        study.close()
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
