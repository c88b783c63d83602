"""Scoring on a Dask cluster of this machine, in which workers fail.

Studies of growing size are scored with lexical metrics by three worker processes. One worker is killed,
another one stands still for some seconds, one of another version joins, and the run is stopped half way and
begun again. Prints the time of both runs and the memory of this program's side while it scores;
``python -m tests.benchmarks.dask_at_size TOPICS…`` for other sizes, such as 10000.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from pathlib import Path
from threading import Timer

import numpy as np
import psutil

from core.scoring.config import parse_config
from core.scoring.dask_cluster import ClusterWorkers
from core.scoring.engine import plan, score
from core.scoring.study_resources import StudyResources
from storage.study_file import StudyFile
from tests.benchmarks import apart, sized
from tests.benchmarks.made_studies import is_there, make_study
from tests.dask_clusters import Cluster, running_cluster

SIZES = sized((100, 300, 1_000), (6,))
SYSTEMS, WORKERS = sized((100, 3), (3, 2))
STANDS_STILL_S = sized(10.0, 0.5)
SPECS = (
    *(f"rouge-n:n={n},stem=yes" for n in (1, 2, 3, 4)),
    *(f"rouge-n:n={n},stem=no" for n in (1, 2)),
    "rouge-l:stem=yes",
    "rouge-w:stem=yes",
    "rouge-s:gap=4,stem=yes",
    "rouge-su:gap=4,stem=yes",
    *("bleu", "chrf", "meteor", "compression", "coverage", "density"),
    *("length", "novelty", "repetition", "readability"),
)


def main(*sizes: str) -> None:
    if is_there():
        print("topics  (metric, topic) pairs  seconds  ms a topic  MiB here  failures")
        for size in map(int, sizes or SIZES):
            pairs, seconds, mebibytes, failures = apart(_one_size, size)
            each = 1000 * seconds / size
            print(
                f"{size:6}  {pairs:20}  {seconds:7.1f}  {each:10.1f}  {mebibytes:8.0f}  {failures}",
                flush=True,
            )


def _one_size(topics: int) -> tuple[int, float, float, int]:
    """Return the number of scored pairs, the seconds, the memory in MiB and the number of failures."""
    with tempfile.TemporaryDirectory() as folder, running_cluster(Path(folder), WORKERS) as cluster:
        made = {"topics": topics, "systems": SYSTEMS, "references": 3, "documents": 1}
        with make_study(Path(folder) / "large.pyramidion", **made) as study:
            began = time.perf_counter()
            first, _, before = _scored(study, cluster, stop_after=topics * len(SPECS) // 2)
            second, failures, after = _scored(study, cluster)
            seconds = time.perf_counter() - began
            blocks = [
                block for config in study.scores.configs() for block in study.scores.blocks(config.signature)
            ]
            assert len(blocks) == topics * len(SPECS), "a pair is missing"
            assert all(np.isfinite(block.values).all() for block in blocks)
            assert first + second <= topics * len(SPECS), "a stored pair was scored again"
    return first + second, seconds, max(before, after) / 2**20, failures


def _scored(study: StudyFile, cluster: Cluster, stop_after: int = 0) -> tuple[int, int, int]:
    """Score what is due; return the numbers of stored pairs and of failures, and the most memory in bytes.

    stop_after: pairs after which the run is closed, as Cancel does, 0 = none; meanwhile workers fail.
    """
    resources, here = StudyResources(study), psutil.Process()
    what = plan(study, [parse_config(spec, resources) for spec in SPECS], resources)
    steps = score(study, what, resources, ClusterWorkers(cluster.address))
    most, at = 0, 0
    while True:
        try:
            done = sum(next(steps).topics)
        except StopIteration as end:
            return end.value.scored, len(end.value.failures), most
        most, at = max(most, here.memory_info().rss), at + 1
        if not stop_after:
            continue
        if at == 1:
            cluster.start_worker_of_another_version()
        if done > stop_after // 4 and cluster.processes[WORKERS].poll() is None:
            cluster.processes[WORKERS].kill()
            cluster.signal_workers(signal.SIGSTOP, most=1)
            Timer(STANDS_STILL_S, cluster.signal_workers, (signal.SIGCONT,), {"most": 1}).start()
        if done > stop_after:
            break
    steps.close()
    study.flush()
    for late in cluster.processes[WORKERS + 1 :]:  # it would refuse the next run
        late.kill()
        late.wait()
    stored = sum(len(study.scores.input_hashes(config.signature)) for config in study.scores.configs())
    return stored, 0, most


if __name__ == "__main__":
    main(*sys.argv[1:])
