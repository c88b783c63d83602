"""Rankings compared with Lucene's: SummEval's articles and 100,000 random documents.

Both get the same words. Pyramidion's index is built from the texts and once opened from files; Lucene's is
built from words in one segment on disk and queried in one thread, cold and warm. All lists of documents must
be equal, and all scores within 0.000001.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.protocols import Smoothing, SourceDocument
from tests import lucene
from tests.benchmarks import sized
from tests.benchmarks.made_studies import SUMMEVAL

REFERENCE = Path(__file__).parents[1] / "reference" / "lucene"
MADE, ASKED = sized((100_000, 500), (100, 5))
PLAIN = Analysis("none", drop_stop_words=False)
MUS = (2000.0, 50.0)
LIMIT = 20
"""Number of hits of the stored cases."""

Words = Sequence[Sequence[str]]


def main() -> None:
    if why := lucene.missing_requirements():
        print(why)
        return
    if SUMMEVAL.exists():
        articles, texts = summeval()
        queries = [Analysis().words(text) for text in texts]
        beside_lucene("SummEval", articles, queries, Analysis(), 10)
    else:
        print(f"SummEval is not here; put it at {SUMMEVAL.parent}.")
    beside_lucene(f"{MADE:,} made-up", made_texts(MADE, seed=1), made_queries(ASKED, seed=2), PLAIN, 10)


def beside_lucene(name: str, texts: Iterator[str], queries: Words, analysis: Analysis, limit: int) -> None:
    """Print times and differences."""
    listed = list(texts)
    began = time.perf_counter()
    index = index_of(listed, analysis)
    built = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        index.arrays.save(folder)
        began = time.perf_counter()
        opened = ArrayIndex("again", analysis, "", IndexArrays.load(folder))
        opening = time.perf_counter() - began
        times = []
        for _ in range(2):
            began = time.perf_counter()
            hits_by_query = opened.rank(queries, limit, Smoothing())
            times.append(time.perf_counter() - began)
        size = sum(file.stat().st_size for file in folder.glob("*.npy")) / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    theirs = by_lucene([analysis.words(text) for text in listed], queries, 2000.0, limit)
    ours = [[(int(hit.document), hit.score) for hit in hits] for hits in hits_by_query]
    print(f"{name}: {index.documents:,} documents, {index.tokens:,} words, {len(queries):,} queries")
    print(f"  ours    build {built:6.1f} s  rank {times[0]:6.2f} s, again {times[1]:6.2f} s  ", end="")
    print(f"open {opening * 1000:.0f} ms, {size:.0f} MiB on disk, peak {peak:.0f} MiB with all texts")
    print(f"  Lucene  build {theirs.build:6.1f} s  rank {theirs.first:6.2f} s, again {theirs.last:6.2f} s")
    print(f"  {differing(ours, theirs.ranked)}", flush=True)


def differing(ours: list[lucene.Ranked], theirs: list[lucene.Ranked]) -> str:
    """Return a sentence with the number of differing lists and the largest difference of scores."""
    pairs = list(zip(ours, theirs, strict=True))
    lists = sum([at for at, _ in mine] != [at for at, _ in other] for mine, other in pairs)
    apart = [
        abs(a - np.float32(b)) for mine, other in pairs for (_, a), (_, b) in zip(mine, other, strict=False)
    ]
    return f"{lists} lists differ; scores by at most {max(apart, default=0):.1e}, of {len(apart):,}"


def index_of(texts: Sequence[str], analysis: Analysis) -> ArrayIndex:
    """Return an index of texts with their numbers as ids."""
    documents = (SourceDocument(str(at), "", text) for at, text in enumerate(texts))
    built = run_to_completion(build_index(documents, analysis, len(texts)))
    return ArrayIndex("made", analysis, built.fingerprint, built.arrays)


def by_lucene(texts: Words, queries: Words, mu: float, limit: int) -> lucene.Run:
    """Rank documents by Lucene."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = lucene.write_lines(folder / "d.txt", texts), lucene.write_lines(folder / "q.txt", queries)
        return lucene.rank(*files, folder, mu, limit)


def summeval() -> tuple[Iterator[str], list[str]]:
    """Return the 100 articles, and all summaries and references."""
    rows = [json.loads(line) for line in SUMMEVAL.read_text(encoding="utf-8").splitlines()]
    articles = {row["id"]: row["text"] for row in rows}
    references = {row["id"]: row["references"] for row in rows}
    queries = [row["decoded"] for row in rows] + [text for texts in references.values() for text in texts]
    return iter(articles.values()), queries


def made_texts(count: int, seed: int, mean: int = 300) -> Iterator[str]:
    """Yield texts of a few to a few thousand words with a Zipfian vocabulary."""
    drawn = random.Random(seed)
    for _ in range(count):
        yield " ".join(_words(drawn, int(drawn.lognormvariate(0, 0.8) * mean * 0.73) + 1))


def made_queries(count: int, seed: int) -> list[list[str]]:
    """Return queries of one to 120 words; some are repeated, some do not occur."""
    drawn = random.Random(seed)
    return [_words(drawn, drawn.randint(1, 120)) for _ in range(count)]


def _words(drawn: random.Random, count: int) -> list[str]:
    return [f"w{int(200_000 ** drawn.random())}" for _ in range(count)]


def made_case() -> tuple[list[str], list[list[str]]]:
    """Return the random texts and queries whose rankings by Lucene are stored."""
    return list(made_texts(150, seed=3)), made_queries(40, seed=4)


def write_reference() -> None:
    """Write Lucene's rankings for tests without Lucene."""
    if why := lucene.missing_requirements():
        sys.exit(why)
    texts, queries = made_case()
    words = [PLAIN.words(text) for text in texts]
    made = {str(mu): by_lucene(words, queries, mu, LIMIT).ranked for mu in MUS}
    _write("made.json", made)
    articles, all_queries = summeval()
    words = [Analysis().words(text) for text in articles]
    few = [Analysis().words(text) for text in all_queries[::27]]
    _write("summeval.json", {str(mu): by_lucene(words, few, mu, 10).ranked for mu in MUS})


def _write(name: str, cases: dict[str, list[lucene.Ranked]]) -> None:
    (REFERENCE / name).write_text(json.dumps(cases, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
