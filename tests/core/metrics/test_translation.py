"""BLEU and chrF against sacrebleu's sentence scores and published scores."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import registry

SPECS = ("bleu", "bleu:case=lc,smooth=floor,tok=intl", "bleu:eff=no", "bleu:smooth=none,order=2")
CHRFS = ("chrf", "chrf:nw=2", "chrf:eff=no", "chrf:case=lc,space=yes,beta=3")


def score(spec, topic, resources):
    metric = registry.parse(spec)
    return metric.score(metric.prepare(topic, resources))


def test_bleu_of_a_hand_worked_pair(make_topic, resources):
    topic = make_topic({"A": "the cat sat on the mat"}, {"s": "the cat on the mat"})
    # 5/5 words, 3/4 pairs, 1/3 triples; a 4-gram does not match: 100/2 over 2 of them; 5 words for 6
    expected = math.exp(1 - 6 / 5) * (100 * 75 * 100 / 3 * 25) ** 0.25
    assert score("bleu", topic, resources).values[0, 0] == pytest.approx(expected)


def test_chrf_of_a_hand_worked_pair(make_topic, resources):
    topic = make_topic({"A": "ab"}, {"s": "abb"})
    # precision 2/3 and 1/2, recall 1 and 1, orders above two do not exist in the reference
    precision, recall = (2 / 3 + 1 / 2) / 2, 1.0
    expected = 100 * 5 * precision * recall / (4 * precision + recall)
    assert score("chrf", topic, resources).values[0, 0] == pytest.approx(expected)


@pytest.mark.data
def test_bleu_gives_what_the_published_run_gives(multiling, shared_data, resources):
    published = json.loads((shared_data / "multiling" / "expected.papineni2002.json").read_text("utf-8"))
    sentence_scores = [item["sentbleu"] for item in published["sentbleu"]["micro"]]
    ours = [score("bleu", topic, resources).values[0, 0] for topic in multiling]
    assert ours == pytest.approx(sentence_scores, abs=1e-9)


@pytest.mark.data
@pytest.mark.parametrize("spec", SPECS)
def test_bleu_is_sacrebleus_sentence_score(spec, multiling, resources):
    metric = registry.parse(spec)
    peer = sacrebleu.BLEU(
        lowercase=metric.case == "lc",
        tokenize=metric.tok,
        smooth_method=metric.smooth,
        max_ngram_order=metric.order,
        effective_order=True,
    )
    peer.effective_order = metric.eff
    for topic in multiling:
        references = [text.content for text in topic.references]
        expected = [
            peer.corpus_score([text.content], [[r] for r in references]).score for text in topic.summaries
        ]
        assert score(spec, topic, resources).values[:, 0].tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.data
@pytest.mark.parametrize("spec", CHRFS)
def test_chrf_is_sacrebleus_best_reference(spec, multiling, resources):
    metric = registry.parse(spec)
    peer = sacrebleu.CHRF(
        char_order=metric.nc,
        word_order=metric.nw,
        beta=metric.beta,
        lowercase=metric.case == "lc",
        whitespace=metric.space,
        eps_smoothing=not metric.eff,
    )
    for topic in multiling:
        references = [text.content for text in topic.references]
        expected = [peer.sentence_score(text.content, references).score for text in topic.summaries]
        scores = score(spec, topic, resources)
        assert scores.values[:, 0].tolist() == pytest.approx(expected, abs=1e-9)
        first = np.arange(len(references)) == 0
        alone = [peer.sentence_score(text.content, references[:1]).score for text in topic.summaries]
        assert metric.combine(scores.stats, first)[:, 0].tolist() == pytest.approx(alone, abs=1e-9)


@pytest.mark.data
@pytest.mark.parametrize("spec", SPECS + CHRFS)
def test_the_explanation_evaluates_to_the_score(spec, multiling, resources):
    metric = registry.parse(spec)
    for topic in multiling[:3]:
        prepared = metric.prepare(topic, resources)
        values = metric.score(prepared).values
        for system in range(len(topic.summaries)):
            trees = metric.explain(prepared, system)
            assert [tree.evaluate() for tree in trees.values()] == pytest.approx(values[system].tolist())


@pytest.mark.parametrize("spec", SPECS + CHRFS)
def test_texts_without_anything_in_common_score_nothing(spec, make_topic, resources):
    topic = make_topic({"A": "uvw xyz"}, {"s": "abc", "empty": ""})
    metric = registry.parse(spec)
    prepared = metric.prepare(topic, resources)
    values = metric.score(prepared).values
    assert values == pytest.approx(0.0, abs=1e-9)
    assert [metric.explain(prepared, s)[f"{metric.name}.score"].evaluate() for s in (0, 1)] == pytest.approx(
        [0.0, 0.0], abs=1e-9
    )


WORDS = st.lists(
    st.sampled_from(["the", "ban", "took", "effect", "courts", "ruled"]), min_size=4, max_size=12
)


@given(
    st.lists(st.sampled_from("abc"), max_size=8),
    st.lists(st.lists(st.sampled_from("abc"), max_size=8), min_size=1, max_size=3),
    st.sampled_from(("exp", "floor", "add-k", "none")),
    st.booleans(),
    st.integers(1, 6),
)
def test_bleu_is_sacrebleus_to_the_bit(make_topic, resources, summary, references, smooth, eff, order):
    peer = sacrebleu.BLEU(smooth_method=smooth, max_ngram_order=order, effective_order=eff)
    named = {f"r{i}": " ".join(words) for i, words in enumerate(references)}
    topic = make_topic(named, {"s": " ".join(summary)})
    expected = peer.sentence_score(" ".join(summary), list(named.values()))
    metric = registry.parse(f"bleu:smooth={smooth},eff={'yes' if eff else 'no'},order={order}")
    prepared = metric.prepare(topic, resources)
    assert metric.score(prepared).values[0, 0] == expected.score
    leaves = metric.explain(prepared, 0)["bleu.score"].children
    if any(expected.counts):
        shown = [leaf.value for leaf in leaves[1].children]
        assert (leaves[0].value, shown) == (expected.bp, expected.precisions[: len(shown)])


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_scores_lie_between_nothing_and_a_hundred_and_a_copy_has_all(
    make_topic, resources, summary, references
):
    named = {f"r{i}": " ".join(words) for i, words in enumerate(references)}
    topic = make_topic(named, {"s": " ".join(summary), "copy": " ".join(references[0])})
    for spec in ("bleu", "chrf"):
        values = score(spec, topic, resources).values[:, 0]
        assert 0.0 <= values[0] <= 100.0 + 1e-9
        assert values[1] == pytest.approx(100.0)
