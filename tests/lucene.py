"""Lucene itself, as Debian's liblucene8-java carries it, ranking words that were made here."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_JARS = Path("/usr/share/java")
_PROGRAM = """
import java.nio.file.*; import java.util.*;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.*; import org.apache.lucene.index.*;
import org.apache.lucene.search.*; import org.apache.lucene.search.similarities.*;
import org.apache.lucene.store.*;

public class Rank {
  public static void main(String[] given) throws Exception {
    Similarity similarity = new LMDirichletSimilarity(Float.parseFloat(given[3]));
    Directory folder = new MMapDirectory(Paths.get(given[2]));
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer(1000));
    config.setSimilarity(similarity);
    config.setRAMBufferSizeMB(512);
    long began = System.nanoTime();
    try (IndexWriter writer = new IndexWriter(folder, config);
         var lines = Files.lines(Paths.get(given[0]))) {
      for (String line : (Iterable<String>) lines::iterator) {
        Document document = new Document();
        document.add(new TextField("t", line, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    System.err.println("build " + (System.nanoTime() - began) / 1e9);
    BooleanQuery.setMaxClauseCount(1 << 20);
    List<String> queries = Files.readAllLines(Paths.get(given[1]));
    try (IndexReader reader = DirectoryReader.open(folder)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity);
      searcher.setQueryCache(null);
      StringBuilder found = new StringBuilder();
      for (int round = 0; round < 2; round++) {
        found.setLength(0);
        began = System.nanoTime();
        for (String query : queries) {
          BooleanQuery.Builder words = new BooleanQuery.Builder();
          for (String word : query.split(" "))
            if (!word.isEmpty()) words.add(new TermQuery(new Term("t", word)), BooleanClause.Occur.SHOULD);
          for (ScoreDoc hit : searcher.search(words.build(), Integer.parseInt(given[4])).scoreDocs)
            found.append(hit.doc).append(':').append(hit.score).append(' ');
          found.append('\\n');
        }
        System.err.println("rank " + (System.nanoTime() - began) / 1e9);
      }
      System.out.print(found);
    }
  }
}
"""

Ranked = list[tuple[int, float]]
"""Documents by their numbers, with their scores, best first."""


class Run(NamedTuple):
    """What Lucene found for each query, and its seconds; the second time it ranks it is warm."""

    ranked: list[Ranked]
    build: float
    first: float
    last: float


def missing_requirements() -> str:
    """Why Lucene cannot run here, with the command that mends it; empty when it can."""
    if shutil.which("javac") is None or not _jars():
        return "no Lucene 8 with a Java that compiles; run: apt install liblucene8-java default-jdk-headless"
    return ""


def rank(documents: Path, queries: Path, folder: Path, mu: float, limit: int) -> Run:
    """Rank the documents of a file for the queries of another, a line of words each.

    folder: empty, for the index and the program.
    """
    ran = run_program(_PROGRAM, folder, documents, queries, folder / "index", mu, limit)
    build, first, last = (float(seconds) for seconds in re.findall(r"(?m)^(?:build|rank) (\S+)$", ran.stderr))
    return Run([hits(line) for line in ran.stdout.splitlines()], build, first, last)


def run_program(source: str, folder: Path, *given: Path | float | str) -> subprocess.CompletedProcess[str]:
    """Run a Java program of one class beside Lucene's; it is written into a folder."""
    program = folder / "Program.java"
    program.write_text(source, encoding="utf-8")
    command = ["java", "-Xmx4g", "-cp", ":".join(map(str, _jars())), program, *map(str, given)]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def write_lines(path: Path, texts: Sequence[Sequence[str]]) -> Path:
    """Write texts, words with blanks between, a line each."""
    path.write_text("".join(" ".join(words) + "\n" for words in texts), encoding="utf-8")
    return path


def hits(line: str) -> Ranked:
    """The documents and scores of a line that Lucene printed."""
    pairs = (hit.split(":") for hit in line.split())
    return [(int(document), float(score)) for document, score in pairs]


def _jars() -> list[Path]:
    """Lucene's core and its analyzers, empty where they are not installed."""
    found = [sorted(_JARS.glob(f"lucene-{part}-8.*.jar")) for part in ("core", "analyzers-common")]
    return [jars[-1] for jars in found] if all(found) else []
