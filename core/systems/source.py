"""What a summarizer reads: the sentences of a topic's documents with their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from core.domain.citations import Citance, TopicCitations, facet_order
from core.domain.study import Span, Text
from core.text.sentences import sentence_spans_of
from core.text.tokenization import TokenizerSettings, normalize_word, stop_words, word_pattern

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Analysis:
    """How words are compared.

    stem: by English stems (ROUGE's Porter stemmer), for texts in English only.
    drop_stop_words: ignore English stop words (ROUGE's list of 598).
    """

    stem: bool = True
    drop_stop_words: bool = True


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document.

    document: index of its document. position: index in it. words: all words in order; None = a stop word.
    """

    document: int
    position: int
    text: str
    words: tuple[str | None, ...]

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The words that count, in order."""
        return tuple(word for word in self.words if word is not None)


@dataclass(frozen=True)
class SourceCitance:
    """A citance, as a summarizer reads it.

    sentences: of the citing paper, its index as their document. terms: their words that count, without the
    citation marker. cited: indices of the topic's sentences that annotators marked.
    facets: those that most annotators chose.
    """

    sentences: tuple[Sentence, ...]
    terms: tuple[str, ...]
    cited: tuple[int, ...] = ()
    facets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """The texts of a topic, as a summarizer reads them.

    name, query: of the topic. documents: their titles or file names, in order.
    sentences: of all documents, in order.
    earlier: sentences of the earlier set, for an update summary. references: for oracles only.
    collection: the documents of the whole study, of which `CollectionCounts` tells frequencies.
    citances: for summarizers that read them only.
    topics: returns what is read of each topic of the study, for summarizers that learn from all; None = there
    is no other topic.
    """

    name: str
    sentences: tuple[Sentence, ...]
    documents: tuple[Text, ...] = ()
    query: str = ""
    earlier: tuple[Sentence, ...] = ()
    references: tuple[Text, ...] = ()
    query_terms: tuple[str, ...] = ()
    collection: CollectionCounts = field(default_factory=lambda: CollectionCounts({}, 0, {}))
    citances: tuple[SourceCitance, ...] = ()
    topics: Callable[[], Iterable[Source]] | None = None

    def study(self) -> Iterable[Source]:
        """Return what is read of each topic of the study."""
        return (self,) if self.topics is None else self.topics()

    def of_citing_sentences(self) -> Source:
        """Return the source whose sentences are those of the citances, each sentence of a paper once."""
        found = {
            (sentence.document, sentence.text): sentence
            for citance in self.citances
            for sentence in citance.sentences
        }
        return replace(self, sentences=tuple(found.values()))

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """Index of each term of the documents and the earlier set."""
        terms = (term for sentence in (*self.sentences, *self.earlier) for term in sentence.terms)
        return {term: place for place, term in enumerate(dict.fromkeys(terms))}

    @cached_property
    def counts(self) -> sparse.csr_matrix:
        """Frequency of each term in each sentence, shape (sentences, terms)."""
        return self.counts_of(self.sentences)

    def counts_of(self, sentences: Sequence[Sentence]) -> sparse.csr_matrix:
        """Return the frequency of each term in sentences, shape (sentences, terms)."""
        return term_counts([sentence.terms for sentence in sentences], self.vocabulary)

    @cached_property
    def frequencies(self) -> Array:
        """Frequency of each term in all documents, shape (terms,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=float).ravel()

    def idf(self, kind: str) -> Array:
        """Return the inverse document frequency of each term, shape (terms,).

        kind: ``sentences`` = ln(N/n) over the topic's sentences; ``collection`` = ln((1 + N)/(1 + n)) + 1
        over the study's documents; ``none`` = 1.
        """
        if kind == "none":
            return np.ones(len(self.vocabulary))
        if kind == "sentences":
            containing = np.asarray((self.counts > 0).sum(axis=0), dtype=float).ravel()
            inverse: Array = np.log(max(len(self.sentences), 1) / np.maximum(containing, 1.0))
            return inverse
        containing = np.array([self.collection.documents_with.get(term, 0) for term in self.vocabulary])
        found: Array = np.log((1 + self.collection.documents) / (1 + containing)) + 1
        return found


@dataclass(frozen=True, slots=True)
class CollectionCounts:
    """Counts of all documents of a study.

    documents_with: number of documents with each term. documents: their number. frequency: of each term.
    """

    documents_with: Mapping[str, int]
    documents: int
    frequency: Mapping[str, int]


def count_collection(documents: Iterable[Text], analysis: Analysis) -> CollectionCounts:
    """Count the terms of documents."""
    containing: Counter[str] = Counter()
    frequency: Counter[str] = Counter()
    number = 0
    for text in documents:
        terms = [term for sentence in read_sentences([text], analysis) for term in sentence.terms]
        containing.update(set(terms))
        frequency.update(terms)
        number += 1
    return CollectionCounts(containing, number, frequency)


def read_sentences(documents: Sequence[Text], analysis: Analysis) -> tuple[Sentence, ...]:
    """Return the sentences of documents: those that a text came with, else those of a splitter."""
    found = []
    for index, document in enumerate(documents):
        words_of = _words_of(analysis, document.language)
        for position, (start, end) in enumerate(sentence_spans_of(document)):
            text = " ".join(document.content[start:end].split())
            if text:
                found.append(Sentence(index, position, text, words_of(text)))
    return tuple(found)


def read_citances(
    found: TopicCitations, documents: Sequence[Text], analysis: Analysis
) -> tuple[SourceCitance, ...]:
    """Return the citances of a topic, without those that have no text."""
    papers = {paper.id: (place, paper) for place, paper in enumerate(found.papers)}
    places = _sentence_places(documents)
    citances = []
    for citance in found.citances:
        number, paper = papers[citance.citing_paper_id]
        texts = _citing_sentences(citance, paper)
        words_of = _words_of(analysis, paper.language)
        sentences = tuple(
            Sentence(number, position, text, words_of(text)) for position, text in enumerate(texts)
        )
        query = " ".join(texts).replace(citance.marker, " ") if citance.marker else " ".join(texts)
        cited = {
            index
            for text_id, (start, end) in citance.places()
            if text_id == citance.document_id
            for index, (begin, stop) in places.get(text_id, {}).items()
            if begin < end and start < stop
        }
        if sentences:
            terms = tuple(word for word in words_of(query) if word is not None)
            citances.append(SourceCitance(sentences, terms, tuple(sorted(cited)), _main_facets(citance)))
    return tuple(citances)


def _citing_sentences(citance: Citance, paper: Text) -> list[str]:
    """Return the sentences of a citance: those of the citing paper where known, else of a splitter."""
    text = citance.text
    spans = next((one.spans for one in citance.annotations if one.text == text), ())
    if spans and paper.sentence_spans is not None:
        found = [
            paper.content[start:end]
            for start, end in paper.sentence_spans
            if any(begin < end and start < stop for begin, stop in spans)
        ]
    else:
        whole = Text("", "", text, language=paper.language)
        found = [text[start:end] for start, end in sentence_spans_of(whole)]
    return [one for one in (" ".join(sentence.split()) for sentence in found) if one]


def _sentence_places(documents: Sequence[Text]) -> dict[str, dict[int, Span]]:
    """Return, by id of document, the place of each of its sentences by its index in `read_sentences`."""
    found: dict[str, dict[int, Span]] = {}
    index = 0
    for document in documents:
        places = found.setdefault(document.id, {})
        for start, end in sentence_spans_of(document):
            if document.content[start:end].strip():
                places[index] = start, end
                index += 1
    return found


def _main_facets(citance: Citance) -> tuple[str, ...]:
    """Return the facets that most annotators chose, in the order of a paper."""
    counts = Counter(facet for one in citance.annotations for facet in one.facets)
    most = max(counts.values(), default=0)
    return tuple(sorted((facet for facet, count in counts.items() if count == most), key=facet_order))


def terms_of(text: str, analysis: Analysis, language: str = "") -> tuple[str, ...]:
    """Return the words of a text that count."""
    return tuple(word for word in _words_of(analysis, language)(text) if word is not None)


def term_counts(texts: Sequence[Sequence[str]], vocabulary: Mapping[str, int]) -> sparse.csr_matrix:
    """Return the frequency of each term of a vocabulary in texts, shape (texts, terms)."""
    indices, values, ends = [], [], [0]
    for terms in texts:
        counted = Counter(vocabulary[term] for term in terms if term in vocabulary)
        indices += list(counted)
        values += list(counted.values())
        ends.append(len(indices))
    shape = len(texts), len(vocabulary)
    return sparse.csr_matrix((np.array(values, dtype=float), indices, ends), shape=shape)


def cosines(rows: sparse.csr_matrix, others: sparse.csr_matrix | None = None) -> Array:
    """Return the cosine of each row with each other one, shape (rows, others); 0 where one has no terms."""
    left, right = _unit(rows), _unit(rows if others is None else others)
    found: Array = np.asarray((left @ right.T).todense())
    return found


def _unit(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    return sparse.diags(scale) @ rows


def _words_of(analysis: Analysis, language: str) -> Callable[[str], tuple[str | None, ...]]:
    """Return the function from a text to its words, None for each stop word."""
    is_english = language in ("", "en")
    cut = TokenizerSettings("unicode", stem=analysis.stem and is_english)
    word_of, pattern = normalize_word(cut), word_pattern("unicode")
    ignored = stop_words() if analysis.drop_stop_words and is_english else frozenset[str]()

    def words(text: str) -> tuple[str | None, ...]:
        found = pattern.findall(text)
        return tuple(None if word.lower() in ignored else word_of(word) for word in found)

    return words
