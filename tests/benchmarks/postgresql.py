"""Scoring and opening a study on a PostgreSQL server of this machine, compared with a file.

1,000 topics × 4 systems × 3 references with the ROUGE family, to a server with `fsync=on` over its socket and
with a delay of some milliseconds a statement, as in a network. Prints seconds, and statements of the scoring.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import Engine

from core.comparison.measures import matrices, measures
from core.progress import run_to_completion
from core.scoring.config import parse_config
from core.scoring.engine import plan, score
from core.scoring.study_resources import StudyResources
from storage.study_file import StudyFile, new_study, open_study
from tests.benchmarks import sized
from tests.benchmarks.made_studies import fill_study, is_there
from tests.benchmarks.rouge import FAMILY
from tests.postgres import program, running_server

TOPICS = sized(1_000, 3)
DELAY_S = sized(0.002, 0.0001)
SIZE = {"topics": TOPICS, "systems": 4, "references": 3, "documents": 1}

_delay = 0.0
_trips = 0


def main() -> None:
    if not is_there():
        return
    event.listen(Engine, "before_cursor_execute", _count)
    print("where                        import  score  ms a topic  statements  open  measures  values")
    with tempfile.TemporaryDirectory() as folder:
        _report("file", Path(folder) / "study.pyramidion")
    if program("initdb") is None:
        print("PostgreSQL is not installed.")
        return
    with running_server(fsync="on") as server:
        for delay in (0.0, DELAY_S):
            global _delay
            _delay = delay
            _report(f"server, {1000 * delay:g} ms more a trip", server.create_database())
            _delay = 0.0


def _count(*_: object) -> None:
    global _trips
    _trips += 1
    time.sleep(_delay)


def _report(where: str, address: Path | object) -> None:
    global _trips
    began = time.perf_counter()
    with new_study(address) as study:
        fill_study(study, **SIZE)
        imported, before = time.perf_counter(), _trips
        _score(study)
        study.flush()
        scored, trips = time.perf_counter(), _trips - before
    opening = time.perf_counter()
    with open_study(address) as study:
        study.texts.topics()
        opened = time.perf_counter()
        refs = measures(study)
        listed = time.perf_counter()
        matrices(study, refs)
        read = time.perf_counter()
    times = imported - began, scored - imported, 1000 * (scored - imported) / TOPICS
    print(
        "{:28} {:6.1f} {:6.1f} {:11.2f} {:11} {:5.2f} {:9.2f} {:7.2f}".format(
            where, *times, trips, opened - opening, listed - opened, read - listed
        ),
        flush=True,
    )


def _score(study: StudyFile) -> None:
    resources = StudyResources(study)
    what = plan(study, [parse_config(spec, resources) for spec in FAMILY], resources)
    run_to_completion(score(study, what, resources))
