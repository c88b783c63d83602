"""Indexes of 1,000 to 1,000,000 abstracts: time, size and memory of the build, time of the queries per topic.

Abstracts are made by recombining the sentences of real ones, from a JSONL file with the fields id, title and
text. A topic has 20 texts of eight sentences. Everything is written into a temporary folder, about 3 GB for a
million abstracts, which takes four minutes in all.
"""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.progress import run_to_completion
from core.retrieval.index_store import IndexRequest
from core.retrieval.protocols import SearchIndex, Smoothing
from core.retrieval.queries import keyword_query, text_query
from storage.indexes.index_folder import IndexFolder
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SHARED

ABSTRACTS = SHARED / "pubmed" / "abstracts.jsonl"
SIZES = sized((1_000, 10_000, 100_000, 1_000_000), (50,))
TOPICS, TEXTS, SENTENCES = sized((5, 20, 8), (2, 2, 2))
CUTOFF = 5
_SENTENCE = re.compile(r"(?<=[.!?]) ")


def main() -> None:
    if not ABSTRACTS.exists():
        print(f"The abstracts are not here; put them at {ABSTRACTS}.")
        return
    rows = [json.loads(line) for line in ABSTRACTS.read_text(encoding="utf-8").splitlines()]
    sentences = [_SENTENCE.split(row["text"]) for row in rows]
    print("documents     build   per s   on disk   memory   files   plain     kw    kw, later topics")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as place:
            measure(size, sentences, Path(place))


def measure(size: int, sentences: list[list[str]], place: Path) -> None:
    """Print a row for one size."""
    table = place / "abstracts.jsonl"
    write_abstracts(table, size, sentences)
    folder = IndexFolder(place / "indexes")
    began = time.perf_counter()
    with peak_memory() as peak:
        made = run_to_completion(folder.build(IndexRequest("made", (table,))))
    built = time.perf_counter() - began
    table.unlink()
    plain, keywords = query_times(folder.open("made"), [each for some in sentences for each in some])
    later = sum(keywords[1:]) / len(keywords[1:])
    disk, own, files = (count / 2**20 for count in (made.bytes, *peak))
    print(
        f"{size:9,} {built:7.1f} s {size / built:7,.0f} {disk:5.0f} MiB {own:4.0f} MiB "
        f"{files:4.0f} MiB {plain:5.2f} s {keywords[0]:5.2f} s {later:6.2f} s",
        flush=True,
    )


def write_abstracts(table: Path, count: int, sentences: list[list[str]]) -> None:
    """Write abstracts of random sentences; each has the length of a real one."""
    drawn, pool = random.Random(14), [each for some in sentences for each in some]
    with table.open("w", encoding="utf-8") as file:
        for at in range(count):
            text = " ".join(drawn.choices(pool, k=len(drawn.choice(sentences))))
            file.write(json.dumps({"id": f"m{at}", "title": f"Abstract {at}", "text": text}) + "\n")


def query_times(index: SearchIndex, pool: list[str]) -> tuple[float, list[float]]:
    """Return the mean seconds per topic of plain queries, and those of keyword queries by topic."""
    drawn, plain, keywords = random.Random(5), 0.0, []
    for _ in range(TOPICS):
        texts = [" ".join(drawn.sample(pool, SENTENCES)) for _ in range(TEXTS)]
        queries = [text_query(text, index) for text in texts]
        began = time.perf_counter()
        index.rank([[term.word for term in query] for query in queries], CUTOFF, Smoothing())
        ranked = time.perf_counter()
        keyword_query(queries, index)
        keywords.append(time.perf_counter() - ranked)
        plain += (ranked - began) / TOPICS
    return plain, keywords


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """Measure the most bytes of this process and those it started: own memory, and with mapped files."""
    peak, is_over = [0, 0], threading.Event()

    def sample() -> None:
        while not is_over.wait(0.1):
            own, files = zip(*map(_memory_of, _processes()), strict=True)
            peak[0], peak[1] = max(peak[0], sum(own)), max(peak[1], sum(own) + sum(files))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield peak
    finally:
        is_over.set()
        thread.join()


def _processes() -> list[int]:
    """Return this process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found


def _memory_of(process: int) -> list[int]:
    """Return the bytes of a process's own memory and of its mapped files."""
    try:
        lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    except OSError:
        return [0, 0]
    return [int(lines.get(name, "0 kB").split()[0]) * 1024 for name in ("RssAnon", "RssFile")]


if __name__ == "__main__":
    main()
