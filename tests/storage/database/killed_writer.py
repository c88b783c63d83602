"""A program that writes to a study until it is killed. Started by `test_killed`, not by people.

Reads study paths from standard input. For each it forks a child, which has everything imported already, and
prints `pid N`, then what the child acknowledges, then `gone`. An acknowledgement is written after its Future
is done, in one piece: `edit ID LABEL`, `undo ID`, `block SIGNATURE TOPIC HASH`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from uuid import uuid4

import numpy as np

from core.domain import pyramid
from core.ports import EditReceipt, MetricConfig, ScoreBlock
from storage.study_file import open_study


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def work(path: Path) -> None:
    """Edit, undo and keep scores for ever."""
    study = open_study(path)
    topics, ann = study.texts.topics(), study.annotators.get_or_create("Ann")
    reference = study.texts.topic(topics[0].id).references[0].id
    number = 0
    while True:
        number += 1
        label = uuid4().hex
        seen = study.pyramids.annotation(topics[0].id, ann.id)
        if len(seen.pyramid.scus) > 20:  # whatever is removed goes with all its rows
            after = pyramid.remove_scu(seen, seen.pyramid.scus[0].id)
        else:
            after = pyramid.add_scu(seen, label, reference, [(0, 3), (4, 9)])
        waiting = [("edit", label, study.pyramids.commit(seen, after, label, ann.id))]
        for topic in topics:
            signature = f"killed|run:{uuid4().hex}"
            config = MetricConfig(signature, "killed", "F", "killed", ("m",))
            block = ScoreBlock(topic.id, ("a", "b"), (), np.full((2, 1), number), None, label, 0.0)
            waiting.append((f"block {signature} {topic.id}", label, study.scores.save(config, block)))
        if number % 4 == 0:
            waiting.append(("undo", "-", study.edits.undo(ann.id)))
        for what, detail, future in waiting:
            receipt: EditReceipt = future.result()
            say(f"{what} {receipt.edit_id} {detail}" if receipt.edit_id else f"{what} {detail}")


for line in sys.stdin:
    child = os.fork()
    if not child:
        work(Path(line.strip()))
    say(f"pid {child}")
    os.waitpid(child, 0)
    say("gone")
