"""Annotators at work on one PostgreSQL study while their connections are killed.

Run: .venv/bin/python -m tests.benchmarks.server_annotators [--annotators 20] [--seconds 300]
Each annotator is a process with its own connections over TCP on loopback, to a server with `fsync=on`, and
makes about one edit per second: SCUs in an own pyramid and in one that all share, matches and ratings.
Meanwhile connections are killed (pg_terminate_backend): one at a time, and every 30 seconds all of them. At
the end the study is compared with what was acknowledged. Prints percentiles in milliseconds from an edit to
its receipt.
"""

from __future__ import annotations

import argparse
import random
import socket
import time
from collections.abc import Callable, Sequence, Set
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import get_context
from typing import TypeVar

import numpy as np

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.errors import PyramidionError
from core.files.study_address import ServerAddress
from core.ports import EditReceipt
from storage.study_file import StudyFile, new_study, open_study
from tests.benchmarks import sized
from tests.postgres import PostgresServer, program, running_server

T = TypeVar("T")
LEAST_EDITS = 3
"""Edits of each annotator, also on a machine that is so busy that the time is over before."""

SHARED = "Shared"
DIMENSION = "coherence"
STARTING_S = 10.0
"""Time for the processes to start."""
MOST_SCUS = 15
"""Number of own SCUs in a pyramid from which an annotator removes one again."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When annotators begin and end, in seconds since the epoch, and their mean pause between edits."""

    begin: float
    end: float
    pause: float


@dataclass
class Work:
    """What one annotator was told.

    seconds: per acknowledged edit. receipts: ids of these edits. labels: of each acknowledged SCU; None =
    removed. matches: ids of acknowledged matches. ratings: values by summary. failures: messages of edits
    that were not acknowledged. unknown: SCUs, matches and summaries of these. unread: number of reads that
    failed. saw_others: number of checks that found edits of others.
    """

    name: str
    seconds: list[float] = field(default_factory=list)
    receipts: list[str] = field(default_factory=list)
    labels: dict[str, str | None] = field(default_factory=dict)
    matches: set[str] = field(default_factory=set)
    ratings: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    unread: int = 0
    saw_others: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """work: per annotator. killed: number of connections. lost: differences to what was acknowledged."""

    work: Sequence[Work]
    killed: int
    lost: Sequence[str]

    @property
    def seconds(self) -> list[float]:
        """Times of all acknowledged edits."""
        return [seconds for one in self.work for seconds in one.seconds]


def main(annotators: int = sized(20, 2), seconds: float = sized(300.0, 3.0)) -> None:
    """Simulate and print."""
    if program("initdb") is None:
        print("PostgreSQL is not installed: `sudo apt install postgresql`, then run this again.")
        return
    options = {"listen_addresses": "127.0.0.1", "port": str(_free_port()), "fsync": "on"}
    with running_server(**options) as server, ProcessPoolExecutor(annotators, get_context("spawn")) as pool:
        address = server.create_database(tcp=True)
        begin = time.time() + STARTING_S
        pace = Pace(begin, begin + seconds, pause=1.0)
        outcome = simulate(server, address, pool, annotators, pace, kill_pause=1.0, kill_all_pause=30.0)
    report(outcome, seconds)


def simulate(
    server: PostgresServer,
    address: ServerAddress,
    executor: Executor,
    annotators: int,
    pace: Pace,
    *,
    kill_pause: float,
    kill_all_pause: float,
) -> Outcome:
    """Create a study in an empty database, let annotators work on it and kill connections meanwhile.

    kill_pause: mean seconds between killed connections. kill_all_pause: seconds between killing all.
    """
    with new_study(address, name="Annotators") as study:
        study.import_data(ImportContent("benchmark", topics=[_topic(f"D{n}") for n in range(6)]))
        study.ratings.add_dimension(DIMENSION)
        study.annotators.get_or_create(SHARED)
    names = [f"Annotator {number}" for number in range(annotators)]
    running = [executor.submit(annotate, address, name, pace) for name in names]
    killed, chance, kill_all_at = 0, random.Random(0), pace.begin + kill_all_pause
    time.sleep(max(0.0, pace.begin - time.time()))
    while time.time() < pace.end - kill_pause:
        time.sleep(chance.uniform(0.5, 1.5) * kill_pause)
        is_all = time.time() >= kill_all_at
        kill_all_at += kill_all_pause if is_all else 0.0
        killed += server.kill_connections(address.name, most=None if is_all else 1)
    work = [one.result() for one in running]
    with open_study(address) as study:
        rows = server.execute("SELECT id FROM edits WHERE annotator_id IS NOT NULL", database=address.name)
        return Outcome(work, killed, differences(study, work, {edit for (edit,) in rows}))


def annotate(address: ServerAddress, name: str, pace: Pace) -> Work:
    """Make random edits with connections of one's own; return what was acknowledged."""
    work, chance = Work(name), random.Random(name)
    with _read(lambda: open_study(address), pace) as study:
        topics = _read(lambda: list(study.texts.load()), pace)
        me, shared = (_read(partial(study.annotators.get_or_create, who), pace).id for who in (name, SHARED))
        scales = _read(study.ratings.dimensions, pace)
        scale = next(each.id for each in scales if each.name == DIMENSION)
        time.sleep(max(0.0, pace.begin - time.time()))
        for number in count():
            time.sleep(chance.uniform(0.5, 1.5) * pace.pause)
            if time.time() >= pace.end and len(work.seconds) >= LEAST_EDITS:
                break
            topic, owner = chance.choice(topics), chance.choice((me, shared))
            try:
                work.saw_others += study.has_external_changes()
                before = study.pyramids.annotation(topic.id, owner)
            except PyramidionError:
                work.unread += 1
                continue
            if chance.random() < 0.2:
                summary, value = chance.choice(topic.summaries).id, float(chance.randint(1, 5))
                if _timed(work, study.ratings.rate(summary, scale, me, value, 1.0)):
                    work.ratings[summary] = value
                else:
                    work.unknown.add(summary)
                continue
            own = [scu.id for scu in before.pyramid.scus if work.labels.get(scu.id)]
            after, labels, matches = _edited(before, topic, me, own, chance, f"{name}, {number}")
            if _timed(work, study.pyramids.commit(before, after, "edit", me, 1.0)):
                work.labels |= labels
                work.matches |= matches
            else:
                work.unknown |= {*labels, *matches}
    return work


def _read(read: Callable[[], T], pace: Pace) -> T:
    """Read again while connections are killed, which begins before a busy machine has opened the study."""
    while True:
        try:
            return read()
        except PyramidionError:
            if time.time() >= pace.end:
                raise


def _timed(work: Work, edit: Future[EditReceipt]) -> bool:
    """Wait for a queued edit and note how long it took. Returns whether it was acknowledged."""
    began = time.perf_counter()
    try:
        receipt = edit.result()
    except PyramidionError as error:
        work.failures.append(str(error))
        return False
    work.seconds.append(time.perf_counter() - began)
    if receipt.edit_id:  # an edit that changes nothing has none
        work.receipts.append(receipt.edit_id)
    return True


def _edited(
    before: TopicAnnotation, topic: TopicTexts, me: str, own: Sequence[str], chance: random.Random, label: str
) -> tuple[TopicAnnotation, dict[str, str | None], set[str]]:
    """Return an annotation after a random edit, the labels of the edited SCU, and the ids of added matches.

    own: ids of the SCUs that the annotator made in this pyramid.
    """
    at = chance.randrange(80)
    matched = {match.scu_id for match in before.matches}
    unmatched = [scu for scu in own if scu not in matched]
    kind = chance.random()
    if len(unmatched) > MOST_SCUS or (kind < 0.1 and unmatched):
        gone = chance.choice(unmatched)
        return pyramid.remove_scu(before, gone), {gone: None}, set()
    if kind < 0.3 and own:
        renamed = chance.choice(own)
        return pyramid.set_label(before, renamed, label), {renamed: label}, set()
    if kind < 0.5 and own:
        summary, scu = chance.choice(topic.summaries).id, chance.choice(own)
        after = pyramid.add_match(before, summary, me, scu, [(at, at + 9)], repeats=True)
        return after, {}, {match.id for match in after.matches} - {match.id for match in before.matches}
    scu = pyramid.new_id()
    reference = chance.choice(topic.references).id
    return pyramid.add_scu(before, label, reference, [(at, at + 9)], scu), {scu: label}, set()


def differences(study: StudyFile, work: Sequence[Work], edits: Set[str]) -> list[str]:
    """Return what the study lacks of the acknowledged edits, and what it has in addition, as sentences.

    edits: ids of all stored edits of annotators.
    """
    names = {person.name: person.id for person in study.annotators.all()}
    topics = [head.id for head in study.texts.topics()]
    annotations = [study.pyramids.annotation(topic, owner) for topic in topics for owner in names.values()]
    stored: dict[str, str | None] = {
        scu.id: scu.label for annotation in annotations for scu in annotation.pyramid.scus
    }
    matches = {match.id for annotation in annotations for match in annotation.matches}
    ratings = {
        (rating.annotator_id, rating.summary_id): rating.value
        for topic in topics
        for rating in study.ratings.of_topic(topic)
    }
    more = edits - {edit for one in work for edit in one.receipts}
    unsure = sum(len(one.failures) for one in work)
    found = [f"{len(more)} edits are stored that were not acknowledged"] if len(more) > unsure else []
    acknowledged: set[str] = set()
    for one in work:
        acknowledged |= {*one.labels, *one.matches, *one.unknown}
        found += [f"{one.name}: edit {edit} is lost" for edit in one.receipts if edit not in edits]
        found += [
            f"{one.name}: SCU {scu} is {stored.get(scu)!r} instead of {label!r}"
            for scu, label in one.labels.items()
            if scu not in one.unknown and stored.get(scu) != label
        ]
        found += [f"{one.name}: match {match} is lost" for match in one.matches - matches]
        found += [
            f"{one.name}: the rating of {summary} is lost"
            for summary, value in one.ratings.items()
            if summary not in one.unknown and ratings.get((names[one.name], summary)) != value
        ]
    return found + [
        f"{one} is stored but was not acknowledged" for one in ({*stored} | matches) - acknowledged
    ]


def report(outcome: Outcome, seconds: float) -> None:
    """Print what was measured."""
    work, taken = outcome.work, outcome.seconds
    p50, p95, p99, most = (1000 * np.percentile(taken, q) for q in (50, 95, 99, 100))
    print(
        f"{len(work)} annotators, {seconds:g} s, {len(taken):,} edits, {outcome.killed:,} killed connections"
    )
    print(f"edit: median {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f}  max {most:.1f} ms")
    print(f"lost or changed: {len(outcome.lost)}", *outcome.lost[:20], sep="\n  ")
    failures = [failure for one in work for failure in one.failures]
    print(f"not acknowledged: {len(failures)}", *sorted(set(failures))[:5], sep="\n  ")
    print(f"reads that failed: {sum(one.unread for one in work)}")
    print(f"checks that found edits of others: {sum(one.saw_others for one in work):,}")


def _topic(name: str) -> NewTopic:
    chance = random.Random(name)

    def text() -> NewText:
        return NewText(" ".join(f"word{chance.randrange(100)}" for _ in range(100)) + ".")

    references, summaries = ({f"{kind}{n}": text() for n in range(4)} for kind in ("ref", "system"))
    return NewTopic(name, references=references, summaries=summaries)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--annotators", type=int, default=20)
    options.add_argument("--seconds", type=float, default=300.0)
    chosen = options.parse_args()
    main(chosen.annotators, chosen.seconds)
