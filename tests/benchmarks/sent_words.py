"""Elasticsearch queries ranked by Lucene: SummEval's articles.

Runs without a server. Lucene gets the words that would be sent, splits them by the settings of the index (at
spaces, with a placeholder for dropped words), and runs the server's queries: terms with boosts, sorted by
score and position, and phrases. Results must equal those of the array index.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.protocols import Smoothing
from storage.indexes.elastic_upload import documents
from tests import lucene
from tests.benchmarks import sized
from tests.benchmarks.made_studies import is_there
from tests.benchmarks.retrieval import MUS, differing, index_of, summeval

LIMIT, PHRASES = 10, sized(500, 5)
_PROGRAM = """
import java.nio.file.*; import java.util.*;
import org.apache.lucene.analysis.*; import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.document.*; import org.apache.lucene.index.*;
import org.apache.lucene.search.*; import org.apache.lucene.search.similarities.*;
import org.apache.lucene.store.*;

public class Program {
  public static void main(String[] args) throws Exception {
    Analyzer analyzer = new Analyzer() {
      protected TokenStreamComponents createComponents(String field) {
        Tokenizer words = new WhitespaceTokenizer(8000);
        return new TokenStreamComponents(words, new StopFilter(words, new CharArraySet(List.of("-"), false)));
      }
    };
    Similarity similarity = new LMDirichletSimilarity(Float.parseFloat(args[2]));
    Directory folder = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(analyzer);
    config.setSimilarity(similarity);
    try (IndexWriter writer = new IndexWriter(folder, config)) {
      int place = 0;
      for (String line : Files.readAllLines(Paths.get(args[0]))) {
        Document document = new Document();
        document.add(new TextField("t", line, Field.Store.NO));
        document.add(new NumericDocValuesField("place", place));
        document.add(new StoredField("p", place++));
        writer.addDocument(document);
        if (place % 30 == 0) writer.commit();
      }
      writer.forceMerge(1);
    }
    Sort sort = new Sort(SortField.FIELD_SCORE, new SortField("place", SortField.Type.LONG));
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(folder));
    searcher.setSimilarity(similarity);
    for (String line : Files.readAllLines(Paths.get(args[1]))) {
      String[] fields = line.split(" ");
      if (fields[0].equals("phrase")) {
        String[] phrase = Arrays.copyOfRange(fields, 1, fields.length);
        System.out.println(searcher.count(new PhraseQuery("t", phrase)));
        continue;
      }
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (int at = 1; at < fields.length; at += 2)
        any.add(new BoostQuery(new TermQuery(new Term("t", fields[at])), Float.parseFloat(fields[at + 1])),
            BooleanClause.Occur.SHOULD);
      StringBuilder hits = new StringBuilder();
      for (ScoreDoc hit : searcher.search(any.build(), Integer.parseInt(args[3]), sort, true).scoreDocs)
        hits.append(searcher.doc(hit.doc).get("p")).append(':').append(hit.score).append(' ');
      System.out.println(hits);
    }
  }
}
"""

Phrases = Sequence[tuple[str, ...]]


def main() -> None:
    if why := lucene.missing_requirements():
        print(why)
        return
    if not is_there():
        return
    articles, sent = summeval()
    texts, analysis = list(articles), Analysis()
    index, queries = index_of(texts, analysis), [analysis.words(text) for text in sent]
    phrases = _phrases(texts, analysis)
    counts = index.phrase_frequencies(phrases).tolist()
    for mu in MUS:
        answers = _answers(index, queries, phrases, mu)
        theirs = [lucene.hits(line) for line in answers[: len(queries)]]
        hits_by_query = index.rank(queries, LIMIT, Smoothing(mu))
        ours = [[(int(hit.document), hit.score) for hit in hits] for hits in hits_by_query]
        wrong = sum(mine != int(other) for mine, other in zip(counts, answers[len(queries) :], strict=True))
        print(f"mu {mu:g}, {len(queries):,} queries: {differing(ours, theirs)}")
        print(f"  {wrong} of {len(phrases)} phrases counted otherwise; {counts.count(0)} stand nowhere")


def _answers(index: ArrayIndex, queries: Sequence[list[str]], phrases: Phrases, mu: float) -> list[str]:
    sent = [["any", *(f"{word} {count}" for word, count in Counter(query).items())] for query in queries]
    sent += [["phrase", *phrase] for phrase in phrases]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        sent = lucene.write_lines(folder / "d.txt", [[one.words] for one in documents(index.arrays)])
        lines = lucene.write_lines(folder / "q.txt", sent)
        return lucene.run_program(_PROGRAM, folder, sent, lines, mu, LIMIT).stdout.splitlines()


def _phrases(texts: Sequence[str], analysis: Analysis) -> Phrases:
    """Return word sequences without stop words, some contiguous in the text and some not."""
    drawn, sequences = random.Random(1), []
    for _ in range(PHRASES):
        words = analysis.words(drawn.choice(texts))
        start = drawn.randrange(len(words) - 3)
        sequences.append(tuple(words[start : start + drawn.choice((2, 3))]))
    return sequences


if __name__ == "__main__":
    main()
