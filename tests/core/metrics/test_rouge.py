"""ROUGE: by hand, against published values, by its properties."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.kernels.f_measure import round_as_printed
from core.metrics.registry import parse
from tests.core.metrics.scored import of_pair as both
from tests.core.metrics.scored import values

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g"]), max_size=12).map(" ".join)
TEXTS = st.lists(WORDS, max_size=4)
ANY = [
    "rouge-n:n=1",
    "rouge-n:n=2",
    "rouge-n:n=3,alpha=0.2",
    "rouge-l",
    "rouge-l:alpha=0.9",
    "rouge-l:stem=yes",
    "rouge-l:pooling=best,split=text",
    "rouge-w",
    "rouge-w:weight=2,pooling=best",
    "rouge-s:gap=1",
    "rouge-s:gap=-1,pooling=best",
    "rouge-su",
    "rouge-n:n=1,words=5",
    "rouge-l:bytes=6",
    "rouge-w:bytes=6",
    "rouge-l:mode=rouge-score",
    "rouge-n:n=1,mode=rouge-score",
]


# By hand --------------------------------------------------------------------------------------------------


def test_unigrams_count_as_often_as_both_texts_hold_them(make_topic, resources):
    # "the" twice in the reference, three times in the summary: 2 matched; "cat": 1. R = 3/5, P = 3/4.
    scored = both("rouge-n:n=1", "the cat saw the dog", "the the the cat", make_topic, resources)
    assert scored == [0.6, 0.75, 0.66667]


def test_bigrams_cross_sentences(make_topic, resources):
    assert both("rouge-n:n=2", ["a b", "c d"], ["b c"], make_topic, resources) == [0.33333, 1.0, 0.5]


def test_lins_example_of_a_union(make_topic, resources):
    # Lin 2004, §3.2: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5: union of 4 words, recall 4/5.
    sentences = ["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"]
    assert both("rouge-l", ["w1 w2 w3 w4 w5"], sentences, make_topic, resources) == [0.8, 0.4, 0.53333]


def test_lins_example_of_word_order(make_topic, resources):
    topic = make_topic(
        {"A": "police killed the gunman"}, {"1": "police kill the gunman", "2": "the gunman kill police"}
    )
    assert values("rouge-l", topic, resources)[:, 2].tolist() == [0.75, 0.5]
    assert values("rouge-n:n=2", topic, resources)[:, 0].tolist() == [0.33333, 0.33333]


def test_a_words_match_is_counted_only_as_often_as_the_summary_has_it(make_topic, resources):
    # Both sentences of the reference meet the one "a" of the summary; it is there once.
    assert both("rouge-l", ["a b", "a c"], ["a"], make_topic, resources) == [0.25, 1.0, 0.4]


def test_of_two_equally_long_ways_the_trace_goes_up_the_reference(make_topic, resources):
    # "x y" against "y x" marks x or y; then "y" alone is united. Up first: x stays, so x and y are marked.
    assert both("rouge-l", ["x y"], ["y x", "y"], make_topic, resources)[0] == 1.0


def test_several_references_are_pooled_by_their_sums(make_topic, resources):
    topic = make_topic({"A": "a b c d", "B": "a"}, {"s": "a b"})
    assert values("rouge-n:n=1", topic, resources)[0].tolist() == [0.6, 0.75, 0.66667]


def test_alpha_moves_f_from_recall_to_precision(make_topic, resources):
    numbers = [both(f"rouge-n:n=1,alpha={a}", "a b c d", "a", make_topic, resources) for a in (0, 0.5, 1)]
    assert [f for _, _, f in numbers] == [0.25, 0.4, 1.0]


def test_f_is_made_of_rounded_recall_and_precision_unless_rounding_is_off(make_topic, resources):
    pair = ("a b c d e f g", "a b c x y z")
    assert both("rouge-n:n=1", *pair, make_topic, resources) == [0.42857, 0.5, 0.46154]
    recall, precision, f = both("rouge-n:n=1,rounding=none", *pair, make_topic, resources)
    assert (recall, precision) == (3 / 7, 0.5)
    assert f == pytest.approx(6 / 13, abs=1e-15)


def test_stop_words_and_stems_change_what_matches(make_topic, resources):
    pair = ("the courts ruled", "a court rules")
    assert both("rouge-n:n=1", *pair, make_topic, resources)[0] == 0.0
    assert both("rouge-n:n=1,stem=yes", *pair, make_topic, resources)[0] == 0.66667
    assert both("rouge-n:n=1,stem=yes,stop_words=yes", *pair, make_topic, resources)[0] == 1.0


def test_a_text_in_another_script_scores_by_unicode_words_and_is_noted_by_155(make_topic, resources):
    topic = make_topic({"A": "Суд отклонил иск"}, {"s": "СУД отклонил жалобу"})
    assert values("rouge-n:n=1,text=unicode", topic, resources)[0, 0] == 0.66667
    metric = parse("rouge-n:n=1")
    scores = metric.score(metric.prepare(topic, resources))
    assert scores.values.tolist() == [[0.0, 0.0, 0.0]]
    assert scores.notes == {"dropped_characters": 2, "counted_as_zero": 2}


@pytest.mark.parametrize("spec", ["rouge-n:n=2", "rouge-l", "rouge-w", "rouge-s", "rouge-su"])
def test_empty_texts_score_0_and_no_reference_at_all_is_undefined(spec, make_topic, resources):
    assert both(spec, "", "a b", make_topic, resources) == [0.0, 0.0, 0.0]
    assert both(spec, "a b", "", make_topic, resources) == [0.0, 0.0, 0.0]
    assert np.isnan(values(spec, make_topic({}, {"s": "a"}), resources)).all()


def test_numbers_round_as_c_prints_them():
    ties = np.array([1 / 320, 3 / 320, 1 / 64, 5 / 64, 0.123455, 0.000005, 0.0, 1.0])
    assert round_as_printed(ties).tolist() == [float(f"{value:.5f}") for value in ties]


@given(st.integers(0, 2000), st.integers(1, 2000))
def test_every_ratio_rounds_as_c_prints_it(top, bottom):
    assert round_as_printed(np.array([top / bottom])).tolist() == [float(f"{top / bottom:.5f}")]


# Published ------------------------------------------------------------------------------------------------


@pytest.mark.data
@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("rouge-1", "rouge-n:n=1,stem=yes"),
        ("rouge-2", "rouge-n:n=2,stem=yes"),
        ("rouge-3", "rouge-n:n=3,stem=yes"),
        ("rouge-4", "rouge-n:n=4,stem=yes"),
        ("rouge-l", "rouge-l:stem=yes"),
        ("rouge-su4", "rouge-su:gap=4,stem=yes"),
    ],
)
def test_multiling_scores_are_those_of_rouge_155(kind, spec, multiling, resources, shared_data):
    path = shared_data / "multiling" / "expected.lin2004.json"
    expected = json.loads(path.read_text(encoding="utf-8"))["micro"]
    for topic, perl_scores in zip(multiling, expected, strict=True):
        published = [perl_scores[kind][part] for part in ("recall", "precision", "f1")]
        assert (values(spec, topic, resources)[0] * 100).tolist() == pytest.approx(published, abs=1e-9)


@pytest.mark.data
@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        *((f"rouge-{n}", f"rouge-n:n={n},stem=yes") for n in (1, 2, 3, 4)),
        ("rouge-su4", "rouge-su:gap=4,stem=yes"),
    ],
)
def test_all_1200_summeval_scores_are_those_of_rouge_155(kind, spec, summeval, resources, shared_data):
    path = shared_data / "summeval" / "rouge155.expected.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    metric = parse(spec)
    scored = {}
    for name, topic in summeval.items():
        first = replace(topic, references=topic.references[:1])
        numbers = metric.score(metric.prepare(first, resources)).values
        scored.update({(name, text.name): row for text, row in zip(topic.summaries, numbers, strict=True)})
    met = 0
    for row in rows:
        mine = scored.get((row["instance_id"], row["summarizer_id"]))
        if mine is not None:
            published = [row["metrics"][kind][part] for part in ("recall", "precision", "f1")]
            met += [f"{x:.5f}" for x in mine] == [f"{x / 100:.5f}" for x in published]
    assert met == len(scored) == 1200


# Properties -----------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.sampled_from(ANY), TEXTS, TEXTS)
def test_scores_lie_between_0_and_1_and_f_between_recall_and_precision(
    make_topic, resources, spec, one, other
):
    recall, precision, f = both(spec, one, other, make_topic, resources)
    assert 0 <= min(recall, precision) <= f + 1e-5
    assert f - 1e-5 <= max(recall, precision) <= 1


@settings(deadline=None)
@given(st.sampled_from(["rouge-n:n=1", "rouge-n:n=2", "rouge-l"]), TEXTS)
def test_a_text_against_itself_scores_1_unless_it_is_too_short(make_topic, resources, spec, text):
    enough = 2 if spec == "rouge-n:n=2" else 1
    expected = 1.0 if len(" ".join(text).split()) >= enough else 0.0
    assert both(spec, text, text, make_topic, resources) == [expected] * 3


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_rouge_l_never_exceeds_rouge_1(make_topic, resources, one, other):
    longest = both("rouge-l:rounding=none", one, other, make_topic, resources)
    unigrams = both("rouge-n:n=1,rounding=none", one, other, make_topic, resources)
    assert all(a <= b for a, b in zip(longest, unigrams, strict=True))


@settings(deadline=None)
@given(
    st.sampled_from(ANY),
    st.lists(TEXTS, min_size=1, max_size=4),
    st.lists(TEXTS, min_size=1, max_size=3),
    st.data(),
)
def test_combining_any_references_is_scoring_with_these_alone(
    make_topic, resources, spec, references, summaries, data
):
    chosen = data.draw(
        st.lists(st.booleans(), min_size=len(references), max_size=len(references)).filter(any)
    )
    topic = make_topic(
        {str(i): t for i, t in enumerate(references)}, {str(i): t for i, t in enumerate(summaries)}
    )
    metric = parse(spec)
    scores = metric.score(metric.prepare(topic, resources))
    mask = np.array(chosen)
    alone = replace(
        topic, references=tuple(r for r, is_in in zip(topic.references, chosen, strict=True) if is_in)
    )
    assert np.array_equal(metric.combine(scores.stats, mask), values(spec, alone, resources))
    assert np.array_equal(metric.combine(scores.stats, np.ones_like(mask)), scores.values)


@settings(deadline=None)
@given(st.sampled_from(ANY), st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_every_explanation_evaluates_to_its_score(make_topic, resources, spec, references, summary):
    metric = parse(spec)
    prepared = metric.prepare(
        make_topic({str(i): t for i, t in enumerate(references)}, {"s": summary}), resources
    )
    explained = metric.explain(prepared, 0)
    assert tuple(explained) == metric.measures()
    assert [tree.evaluate() for tree in explained.values()] == metric.score(prepared).values[0].tolist()


@settings(deadline=None)
@given(st.sampled_from(["rouge-n:n=1", "rouge-l"]), TEXTS, TEXTS)
def test_evidence_covers_equal_words_of_both_texts(make_topic, resources, spec, one, other):
    metric = parse(spec)
    topic = make_topic({"A": one}, {"s": other})
    leaves = metric.explain(metric.prepare(topic, resources), 0)[metric.measures()[0]].children[0].children[0]
    matched = leaves.children[0]
    words = {"reference": [], "summary": []}
    for evidence in matched.evidence:
        text = (topic.references if evidence.role == "reference" else topic.summaries)[0]
        words[evidence.role].append(text.content[slice(*evidence.span)])
    assert len(words["reference"]) == matched.value
    assert set(words["reference"]) == set(words["summary"])


# Independent ----------------------------------------------------------------------------------------------


@pytest.mark.data
def test_scores_without_stemming_are_those_of_rouge_score(multiling, summeval, resources):
    peer = pytest.importorskip("rouge_score.rouge_scorer", reason="run: pip install -e .[bench]")
    kinds = {
        "rouge1": "rouge-n:n=1,rounding=none",
        "rouge2": "rouge-n:n=2,rounding=none",
        "rougeLsum": "rouge-l:rounding=none",
    }
    scorer = peer.RougeScorer(list(kinds), use_stemmer=False)
    for topic in [*multiling, *list(summeval.values())[:10]]:
        single = replace(topic, references=topic.references[:1])
        mine = {kind: values(spec, _by_line(single), resources) for kind, spec in kinds.items()}
        for i, summary in enumerate(single.summaries):
            theirs = scorer.score(single.references[0].content, summary.content)
            for kind, score in theirs.items():
                expected = [score.recall, score.precision, score.fmeasure]
                assert mine[kind][i].tolist() == pytest.approx(expected, abs=1e-12)


def _by_line(topic):
    """A topic whose texts without sentences are one sentence each, as they are to rouge-score."""
    return replace(
        topic,
        references=tuple(_in_one_sentence(text) for text in topic.references),
        summaries=tuple(_in_one_sentence(text) for text in topic.summaries),
    )


def _in_one_sentence(text):
    if text.sentence_spans is not None:
        return text
    return replace(text, sentence_spans=((0, len(text.content)),), digest="")


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_lines_are_sentences_as_in_files_of_the_script(line_break, make_topic, resources):
    lines = ["Bridge closed on Monday", "Inspectors found cracks"]
    topic = make_topic({"A": line_break.join(lines[::-1])}, {"s": line_break.join(lines)})
    assert values("rouge-l", topic, resources)[0].tolist() == [1.0, 1.0, 1.0]
    wrapped = make_topic({"A": "The bridge was\nclosed."}, {"s": "The bridge was closed."})
    metric = parse("rouge-l")
    scores = metric.score(metric.prepare(wrapped, resources))
    assert scores.values[0, 2] == 1.0
    assert scores.notes == {"wrapped_lines": 1}
