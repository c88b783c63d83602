"""Summaries from citances: contexts by facet in turn, C-LexRank on citing sentences."""

from __future__ import annotations

import math
from collections import Counter
from itertools import islice

import pytest

from core.domain.citations import Citance, CitanceAnnotation, CitedSpan, TopicCitations
from core.domain.study import Text, TopicTexts, join_sentences
from core.errors import InputError
from core.progress import run_to_completion
from core.systems import registry
from core.systems.c_lexrank import CLexRank
from core.systems.citation_contexts import CitationContexts
from core.systems.run import SystemRequest, source_of, summarize_study
from core.systems.source import CollectionCounts, Source

ARTICLE = (
    "Parsers are slow.",
    "We prune the chart early.",
    "Pruning keeps the chart small.",
    "Accuracy rises on news.",
    "Accuracy falls on speech.",
    "Thanks go to reviewers.",
)
PLAIN = {"idf": "none", "stem": False, "stop_words": False, "words": 0}


def article() -> Text:
    return Text("doc", "P01", *join_sentences(ARTICLE))


def place(number: int) -> tuple[int, int]:
    return article().sentence_spans[number]


def citance(number: int, text: str, *cited: int, facets=("method",), marker="", by="a") -> Citance:
    parts = tuple(CitedSpan(place(one), ARTICLE[one]) for one in cited)
    annotation = CitanceAnnotation(by, text, (), parts, facets)
    return Citance(f"c{number}", str(number), "paper", "doc", marker, None, (annotation,))


def source(summarizer, *citances: Citance, paper: Text | None = None) -> Source:
    topic = TopicTexts("t", "t", documents=(article(),))
    found = TopicCitations("t", (paper or Text("paper", "C02", ""),), citances)
    return source_of(topic, summarizer, CollectionCounts({}, 0, {}), None, found)


METHOD = citance(1, "They prune the chart early (Kim, 2001).", 1, 2, marker="Kim, 2001")
RESULTS = citance(2, "Their accuracy on news rises.", 3, facets=("results",))


def test_each_facet_in_turn_gives_its_best_sentence():
    summarizer = CitationContexts(count=2, relevance=1.0, **PLAIN)
    # method: sentences 1 (all words) and 2 (the, chart); results: 3 (three words) and 4 (accuracy, on)
    assert list(summarizer.rank(source(summarizer, RESULTS, METHOD))) == [1, 3, 2, 4]


def test_annotated_contexts_are_those_marked_by_annotators():
    summarizer = CitationContexts(contexts="annotated", relevance=1.0, **PLAIN)
    text = source(summarizer, METHOD, RESULTS)
    assert [one.cited for one in text.citances] == [(1, 2), (3,)]
    assert set(summarizer.rank(text)) == {1, 2, 3}


def test_without_facets_the_groups_are_clusters():
    summarizer = CitationContexts(contexts="annotated", relevance=1.0, **PLAIN)
    text = source(summarizer, citance(1, "x", 1, 2, 3, 4, 5, facets=()))
    order = list(summarizer.rank(text))
    assert {frozenset(order[:3]), frozenset(order[3:])} <= {
        frozenset(group)
        for first in (1, 2)
        for second in (3, 4)
        for group in ((first, second, 5), (3 - first, 7 - second))
    }, "one of each cluster, the one without similar sentences last"


def test_the_facets_are_those_of_most_annotators():
    summarizer = CitationContexts(**PLAIN)
    several = tuple(
        CitanceAnnotation(who, "They prune.", (), (), facets)
        for who, facets in (("a", ("results",)), ("b", ("method", "results")), ("c", ("aim",)))
    )
    text = source(summarizer, Citance("c", "1", "paper", "doc", "", None, several))
    assert text.citances[0].facets == ("results",)


def test_the_marker_is_no_query_word_and_stays_in_the_citing_sentence():
    text = source(CitationContexts(**PLAIN), METHOD)
    assert text.citances[0].terms == ("they", "prune", "the", "chart", "early")
    assert text.citances[0].sentences[0].text == "They prune the chart early (Kim, 2001)."


def restated(text: Source, count: int, weight: float) -> list[int]:
    """Return the order of the contexts, computed from word counts."""
    counts = [Counter(sentence.terms) for sentence in text.sentences]

    def cosine(one: Counter, other: Counter) -> float:
        product = sum(one[term] * other[term] for term in one)
        sizes = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
        return round(product / sizes, 12) if sizes else 0.0

    groups: dict[str, set[int]] = {}
    for one in text.citances:
        query = Counter(term for term in one.terms if any(term in words for words in counts))
        likely = sorted(range(len(counts)), key=lambda index: (-cosine(query, counts[index]), index))
        groups.setdefault(one.facets[0], set()).update(
            index for index in likely[:count] if cosine(query, counts[index]) > 0
        )
    order: list[int] = []
    while len(order) < len(set().union(*groups.values())):
        for facet in sorted(groups, key=("method", "results").index):
            total: Counter = sum((counts[index] for index in groups[facet]), Counter())
            values = {
                index: round(
                    weight * cosine(counts[index], total)
                    - (1 - weight)
                    * max((cosine(counts[index], counts[other]) for other in order), default=0),
                    9,
                )
                for index in sorted(groups[facet] - set(order))
            }
            if values:
                order.append(max(values, key=lambda index: (values[index], -index)))
    return order


@pytest.mark.parametrize(("count", "weight"), [(1, 0.3), (2, 0.3), (3, 0.7), (6, 0.5)])
def test_against_a_restatement(count, weight):
    summarizer = CitationContexts(count=count, relevance=weight, **PLAIN)
    text = source(summarizer, RESULTS, METHOD, citance(3, "Speech has a small chart.", facets=("results",)))
    assert list(summarizer.rank(text)) == restated(text, count, weight)


def test_c_lexrank_summarizes_the_citing_sentences_once_each():
    texts = ("Kim prunes charts.", "Kim prunes charts early.", "Accuracy rises.", "Kim prunes charts.")
    summarizer = CLexRank(idf="none", stem=False, stop_words=False, words=0, sentences=2)
    text = source(summarizer, *(citance(number, one) for number, one in enumerate(texts)))
    summary = summarizer.summarize(text)
    assert len(text.of_citing_sentences().sentences) == 3
    assert summary[0] in texts[:2]
    assert summary[1] == "Accuracy rises."


def test_sentences_of_a_citing_paper_are_those_it_came_with():
    paper = Text("paper", "C02", *join_sentences(("See Lee et al.", "(2001) who prune.", "Other.")))
    annotation = CitanceAnnotation("a", "See Lee et al. (2001) who prune.", ((0, 32),))
    one = Citance("c", "1", "paper", "doc", "", None, (annotation,))
    text = source(CitationContexts(**PLAIN), one, paper=paper)
    assert [sentence.text for sentence in text.citances[0].sentences] == [
        "See Lee et al.",
        "(2001) who prune.",
    ]


@pytest.mark.parametrize("name", ["c-lexrank", "citation-contexts"])
def test_a_study_without_citances_is_refused_with_the_remedy(study, name):
    with pytest.raises(InputError, match="the study has none"):
        run_to_completion(summarize_study(study, [SystemRequest("x", registry.parse(name))]))


@pytest.mark.parametrize("name", ["c-lexrank", "citation-contexts"])
def test_a_topic_without_citances_has_no_summary(name):
    summarizer = registry.parse(name)
    assert summarizer.summarize(source(summarizer)) == ()


def test_contexts_are_within_the_article():
    summarizer = CitationContexts(count=6)
    ranked = list(islice(summarizer.rank(source(summarizer, METHOD, RESULTS)), 20))
    assert sorted(ranked) == sorted(set(ranked))
    assert set(ranked) <= set(range(len(ARTICLE)))
