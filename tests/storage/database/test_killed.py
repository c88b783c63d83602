"""Acknowledged edits survive a killed program."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from storage.study_file import check, open_study
from tests.conftest import ROOT

TIMES = 20


@pytest.fixture
def victims():
    """Starts a child that writes to a study and kills it after some seconds; returns what it acknowledged.

    at_work: the seconds begin with its first acknowledgement.
    """
    command = [sys.executable, "-m", "tests.storage.database.killed_writer"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:

        def kill_after(path, seconds, *, at_work):
            parent.stdin.write(f"{path}\n")
            parent.stdin.flush()
            line = parent.stdout.readline().split()
            while line[0] != "pid":  # the child may speak before its parent does
                early.append(line)
                line = parent.stdout.readline().split()
            if at_work:  # however long the machine takes for that
                early.append(parent.stdout.readline().split())
            time.sleep(seconds)
            os.kill(int(line[1]), signal.SIGKILL)
            acknowledged = [early.pop(0) for _ in list(early)]
            while (words := parent.stdout.readline().split()) != ["gone"]:
                acknowledged.append(words)
            return acknowledged

        early = []
        yield kill_after
        parent.stdin.close()
        assert parent.wait(600) == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork; run the tests on Linux or macOS")
def test_a_study_killed_many_times_holds_all_that_was_acknowledged(study, victims):
    study.close()
    chance = random.Random(4)
    edits, undone, blocks = set(), set(), {}
    for number in range(TIMES):
        for what, *details in victims(study.path, chance.uniform(0.01, 0.25), at_work=bool(number % 2)):
            match what:
                case "edit":
                    edits.add(details[0])
                case "undo":
                    undone.add(details[0])
                case "block":
                    signature, topic_id, inputs = details
                    blocks[signature] = {topic_id: inputs}
        if number % 2:
            continue  # the next child opens the study with the log, by the program itself
        with closing(sqlite3.connect(study.path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"kill {number}"
            found = dict(connection.execute("SELECT id, undone_at IS NOT NULL FROM edits"))
        assert edits <= found.keys(), f"kill {number}"
        assert all(found[edit] for edit in undone), f"kill {number}"
        # One undo may be on the disk whose acknowledgement the kill came before.
        assert sum(found[edit] for edit in edits - undone) <= number + 1
    assert min(len(edits), len(blocks)) > TIMES // 4
    assert list(study.path.parent.glob("*-set-aside-*")) == []
    assert check(study.path) == []
    with open_study(study.path) as opened:
        stored = {
            config.signature: opened.scores.input_hashes(config.signature)
            for config in opened.scores.configs()
        }
        assert blocks.items() <= stored.items()
        taken_back = undo_all(opened)
        assert taken_back >= len(edits) - len(undone) - TIMES
        assert list(opened.pyramids.annotations()) == []


def undo_all(study):
    """Take back every edit, which finds each of its rows as the edit left it; returns how many there were."""
    ann, taken_back = study.annotators.get_or_create("Ann").id, 0
    while study.edits.undo_labels(ann)[0]:
        study.edits.undo(ann).result()
        taken_back += 1
    return taken_back
