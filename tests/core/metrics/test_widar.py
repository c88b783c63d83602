"""WIDAR: cases by hand, and comparison with a reimplementation of its modes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from core.domain.study import Text
from core.metrics import registry
from core.text.sentences import sentence_spans
from core.text.stemming import rouge_score_stem, widar_stem

PARTS = ("recall", "precision", "f")
KINDS = ("widar", "weighted", "coverage", "redundancy", "sentences")


def with_documents(topic, *documents):
    return replace(topic, documents=tuple(Text(f"d{i}", f"d{i}", text) for i, text in enumerate(documents)))


def scored(spec, topic, resources):
    metric = registry.parse(spec)
    return metric.score(metric.prepare(topic, resources))


def test_a_hand_worked_topic(make_topic, resources):
    topic = with_documents(
        make_topic({"A": "Courts ruled today. Ferries sank."}, {"s": "Courts ruled."}),
        "Courts ruled in spring. Nobody knew why. Bells rang.",
    )
    # "Courts ruled today" covers 1 sentence of 3 in the document, "Ferries sank." none; none repeats another
    weights = [(1 / 3 + 1) / 2 * 2, (0 + 1) / 2 * 2]
    words = scored("widar:variant=1,part=weighted,mode=reference", topic, resources).values[0]
    recall, precision = 2 * weights[0] / 5, 2 * weights[0] / 2
    assert words.tolist() == pytest.approx([recall, precision, 2 * recall * precision / (recall + precision)])
    whole = scored("widar:variant=1,mode=reference", topic, resources).values[0]
    similar = 2 * (2 / 9) * 1 / (2 / 9 + 1)
    assert whole[0] == pytest.approx(0.5 * similar + 0.5 * recall)
    assert scored("idss", topic, resources).values[0, 0] == pytest.approx(similar)


def test_a_sentence_that_repeats_another_weighs_less(make_topic, resources):
    twice = "Courts ruled today. Today courts ruled. Ferries sank."
    topic = with_documents(make_topic({"A": twice}, {"s": "x"}), "Nothing.")
    metric = registry.parse("widar:mode=reference")
    (weights,) = metric.prepare(topic, resources).weights
    assert weights.redundancy.tolist() == pytest.approx([0.5, 0.5, 1.0])  # of two others
    (weights,) = registry.parse("widar:mode=paper").prepare(topic, resources).weights
    assert weights.redundancy.tolist() == pytest.approx([2 / 3, 2 / 3, 1.0])  # of three


@pytest.mark.parametrize("weighing", ["fixed", "mean", "max"])
def test_lambda_may_follow_the_coverage_of_a_reference(weighing, make_topic, resources):
    topic = with_documents(
        make_topic({"A": "Courts ruled today. Ferries sank."}, {"s": "Ferries sank."}), "Courts ruled. Why."
    )
    spec = f"widar:variant=1,mode=reference,weighing={weighing}{',lam=0.25' * (weighing == 'fixed')}"
    lam = {"fixed": 0.25, "mean": 0.25, "max": 0.5}[weighing]
    rouge = scored("widar:variant=1,part=weighted,mode=reference", topic, resources).values[0]
    similar = scored("idss", topic, resources).values[0, 0]
    assert scored(spec, topic, resources).values[0].tolist() == pytest.approx(
        ((1 - lam) * similar + lam * rouge).tolist()
    )


@pytest.mark.data
@pytest.mark.parametrize("mode", ["paper", "reference", "published"])
@pytest.mark.parametrize("variant", ["1", "2", "l"])
def test_values_are_those_of_a_plain_program(mode, variant, summeval, resources, documents):
    metrics = [
        registry.metric("widar", variant=variant, part=kind, mode=mode, weighing=weighing)
        for kind, weighing in [*((kind, "fixed") for kind in KINDS), ("widar", "mean"), ("widar", "max")]
    ]
    for key in list(summeval)[::50]:
        topic = with_documents(
            replace(summeval[key], references=summeval[key].references[:3]), documents[key]
        )
        topic = replace(topic, summaries=topic.summaries[:4])
        for metric in metrics:
            ours = metric.score(metric.prepare(topic, resources)).values
            theirs = [
                np.mean([plain(metric, topic.documents[0], r, s) for r in topic.references], axis=0)
                for s in topic.summaries
            ]
            assert ours == pytest.approx(np.array(theirs), abs=1e-12)


@pytest.mark.data
@pytest.mark.parametrize("similarity", ["rouge-1", "rouge-2", "rouge-l"])
def test_similarity_to_documents_is_that_of_rouge_score(similarity, summeval, resources, documents):
    name = {"rouge-l": "rougeL"}.get(similarity, similarity.replace("-", ""))
    peer = RougeScorer([name], use_stemmer=True)
    for key in list(summeval)[::25]:
        topic = with_documents(summeval[key], documents[key])
        recall = scored(f"idss:similarity={similarity}.recall", topic, resources).values[:, 0]
        f = scored(f"idss:similarity={similarity}.f", topic, resources).values[:, 0]
        expected = [peer.score(topic.documents[0].content, text.content)[name] for text in topic.summaries]
        # documents stand where rouge-score has the reference
        assert recall.tolist() == pytest.approx([each.recall for each in expected])
        assert f.tolist() == pytest.approx([each.fmeasure for each in expected])


WORDS = st.lists(
    st.sampled_from(["courts", "ruled", "today", ".", "ferries", "sank", ".", "a"]), max_size=12
).map(" ".join)


@given(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=3),
    WORDS,
    st.sampled_from(["paper", "reference", "published"]),
)
def test_every_part_is_explained_and_equals_the_plain_program(
    make_topic, resources, summary, references, article, mode
):
    named = {f"r{i}": text for i, text in enumerate(references)}
    topic = with_documents(make_topic(named, {"s": summary}), article)
    for variant in ("1", "2", "l"):
        for kind in KINDS:
            metric = registry.metric("widar", variant=variant, part=kind, mode=mode)
            prepared = metric.prepare(topic, resources)
            scores = metric.score(prepared)
            trees = metric.explain(prepared, 0)
            assert [tree.evaluate() for tree in trees.values()] == pytest.approx(scores.values[0].tolist())
            expected = [plain(metric, topic.documents[0], r, topic.summaries[0]) for r in topic.references]
            assert scores.stats[0].tolist() == [pytest.approx(each) for each in expected]


# The plain program: lists, loops and counters; it shares stemmers and splitter with the one under test.


def plain(metric, document, reference, summary):
    """Recall, precision and F of one summary against one reference."""
    split = _sentences if metric.mode == "paper" else _points
    cover = [_cut(s, rouge_score_stem) for s in split(reference.content)]
    article = [_cut(s, rouge_score_stem) for s in split(document.content)]
    coverage = [
        sum(_share(_lcs(r, d), len(d)) >= metric.theta_1 for d in article) / max(len(article), 1)
        for r in cover
    ]
    redundancy = [_unique(i, cover, metric) for i in range(len(cover))]
    weights = {
        "coverage": [c * len(cover) for c in coverage],
        "redundancy": [u * len(cover) for u in redundancy],
        "sentences": [1.0] * len(cover),
    }.get(metric.part, [(c + u) / 2 * len(cover) for c, u in zip(coverage, redundancy, strict=True)])
    stem = rouge_score_stem if metric.mode == "paper" else widar_stem
    theirs = [_cut(s, stem) for s in split(reference.content)]
    mine = [_cut(s, stem) for s in split(summary.content)]
    rouge = (_sequences if metric.variant == "l" else _grams)(metric, mine, theirs, weights)
    if metric.part != "widar":
        return rouge
    lam = metric.lam
    if metric.weighing != "fixed" and coverage:
        lam = sum(coverage) / len(coverage) if metric.weighing == "mean" else max(coverage)
    article_words, summary_words = (
        _cut(document.content, rouge_score_stem),
        _cut(summary.content, rouge_score_stem),
    )
    common = _lcs(article_words, summary_words)
    similar = _f(_share(common, len(article_words)), _share(common, len(summary_words)))
    return [(1 - lam) * similar + lam * value for value in rouge]


def _unique(i, sentences, metric):
    if metric.mode != "paper":
        if len(sentences) == 1:
            return 1.0
        others = [s for j, s in enumerate(sentences) if j != i]
        like = sum(_share(_lcs(sentences[i], s), len(sentences[i])) >= metric.theta_2 for s in others)
        return 1 - like / len(others)
    others = [s for s in sentences if s != sentences[i]]
    return 1 - sum(_share(_lcs(sentences[i], s), len(s)) >= metric.theta_2 for s in others) / len(sentences)


def _grams(metric, mine, theirs, weights):
    n = int(metric.variant)
    here, there = ([Counter(_ngrams(s, n)) for s in text] for text in (mine, theirs))
    if metric.mode == "published":
        sizes = [sum(map(len, text)) for text in (theirs, mine)]
    elif metric.mode == "reference":
        sizes = [sum(map(len, text)) for text in (there, here)]
    else:
        sizes = [sum(c.total() for c in text) for text in (there, here)]
    matched = 0.0
    for one in here:
        for other, weight in zip(there, weights, strict=True):
            for gram in list(one):
                both = min(one[gram], other[gram])
                one[gram] -= both
                other[gram] -= both
                matched += both * weight
    return _three(matched, *sizes)


def _sequences(metric, mine, theirs, weights):
    left_here, left_there = Counter(chain(*mine)), Counter(chain(*theirs))
    matched = 0.0
    for sentence, weight in zip(theirs, weights, strict=True):
        marks = set()
        for other in mine:
            marks |= _lcs_places(sentence, other)
        for place in sorted(marks):
            word = sentence[place]
            if metric.mode == "paper":
                matched += weight
            elif left_here[word] > 0 and left_there[word] > 0:
                left_here[word] -= 1
                left_there[word] -= 1
                matched += weight
    if metric.mode == "paper":
        return _three(matched, len(theirs), len(mine))
    return _three(matched, sum(map(len, theirs)), sum(map(len, mine)))


def _three(matched, there, here):
    recall, precision = _share(matched, there), _share(matched, here)
    return [recall, precision, _f(recall, precision)]


def _f(a, b):
    return 2 * a * b / (a + b) if a + b else 0.0


def _share(part, whole):
    return part / whole if whole else 0.0


def _ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def _points(text):
    return [piece for piece in text.split(". ") if piece]


def _sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@cache
def _cut(text, stem):
    return tuple(stem(word) for word in re.findall("[a-z0-9]+", text.lower()))


def _table(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table


@cache  # nine settings ask for the same sentences
def _lcs(a, b):
    return _table(a, b)[-1][-1]


def _lcs_places(a, b):
    table, places = _table(a, b), set()
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return places
