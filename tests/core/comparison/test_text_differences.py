"""Letter case, length and references that differ between systems or measures and move correlations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.comparison.comparison import Comparison
from core.comparison.measures import MeasureRef
from core.comparison.text_differences import describe_texts, text_differences
from core.matrix import ScoreMatrix
from core.ports import MetricConfig

SYSTEMS, TOPICS = tuple("ABCDEFGH"), ("D1", "D2")
HUMAN = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])


def ref(label, spec, *, references=(), is_lower=False):
    metric = spec.partition(":")[0]
    config = MetricConfig(
        f"{metric}|{label}", metric, "", spec, (label,), references, higher_is_better=not is_lower
    )
    return MeasureRef(label, label, config.signature, "", config, 2)


def matrix(label, means):
    return ScoreMatrix(label, SYSTEMS, TOPICS, np.column_stack([means, means]))


def comparison(refs, means, texts):
    scores = tuple(matrix(one.label, np.asarray(x, float)) for one, x in zip(refs, means, strict=True))
    described = describe_texts(zip(SYSTEMS, texts, strict=True))
    return Comparison(tuple(refs), scores, {"rating.q": matrix("rating.q", HUMAN)}, described)


def kinds(texts):
    return {one.kind: one for one in text_differences(describe_texts(texts))}


def test_systems_without_capitals_are_counted_with_the_remedy():
    found = kinds([("a", "the court met"), ("b", "it lifted a ban"), ("c", "The Court met.")])
    assert found["letter-case"].what == (
        "2 of 3 systems write no capital letters, the others 18.2% to 18.2% of their letters"
    )
    assert "`bleu:case=lc`" in found["letter-case"].remedy


@pytest.mark.parametrize(
    "texts",
    [
        [("a", "The court met."), ("b", "It lifted a ban.")],
        [("a", "法院在星期一開會"), ("b", "禁令被取消了吧是的")],
        [("a", "the court met"), ("b", "it lifted it")],
        [("a", ""), ("b", "")],
        [("a", "The court met.")],
    ],
    ids=["alike", "no letter case", "none has capitals", "empty", "one system"],
)
def test_nothing_is_said_where_systems_are_alike(texts):
    assert not kinds(texts)


def test_mean_lengths_are_named_with_their_systems():
    texts = [("a", "One two three."), ("a", "One."), ("b", "One two three four five six."), ("c", "")]
    assert not kinds(texts), "lengths of few systems"
    found = kinds([*texts, ("d", "One two."), ("e", "One two three.")])
    assert found["length"].what == "Mean lengths of systems range from 2 words (a) to 6 (b)"


CASED = [text.lower() if at < 4 else text.title() for at, text in enumerate(["the old court met"] * 8)]


def test_a_correlation_that_rests_on_letter_case_is_said_with_the_remedy():
    refs = [ref("bleu.score", "bleu"), ref("rouge-1.f", "rouge-n:n=1")]
    by_case = np.array([0.1, 0.12, 0.1, 0.11, 0.6, 0.61, 0.6, 0.62])
    (sentence,) = comparison(refs, [by_case, by_case], CASED).text_cautions(["rating.q"])
    assert sentence.startswith("4 of 8 systems write no capital letters")
    assert "bleu.score from .88 to " in sentence
    assert "`bleu:case=lc`" in sentence
    assert "rouge-1" not in sentence, "it does not distinguish letter case"


def test_the_correlation_without_letter_case_is_named_where_it_is_scored():
    refs = [ref("bleu.score", "bleu"), ref("bleu[case:lc].score", "bleu:case=lc")]
    refs[1] = replace(refs[1], measure="bleu.score")
    refs[0] = replace(refs[0], measure="bleu.score")
    folded = np.array([0.3, 0.2, 0.5, 0.1, 0.4, 0.3, 0.2, 0.3])
    (sentence,) = comparison(refs, [HUMAN, folded], CASED).text_cautions(["rating.q"])
    assert (
        "With `case=lc`, Pearson's r of system means with rating.q changes: bleu.score from 1.00 to"
        in sentence
    )


def test_a_correlation_that_rests_on_length_is_said():
    counts = np.array([5, 9, 18, 17, 28, 27, 37, 40])
    noise = np.array([0.2, -0.1, 0.3, -0.2, 0.1, -0.3, 0.2, 0.1])
    texts = [" ".join(["Word"] * count) for count in counts]
    refs = [ref("rouge-1.recall", "rouge-n:n=1")]
    (sentence,) = comparison(refs, [counts / 5 + noise], texts).text_cautions(["rating.q"])
    assert sentence.startswith("Mean lengths of systems range from 5 words (A) to 40 (H)")
    assert "rouge-1.recall from .9" in sentence


def test_measures_on_different_references_are_named():
    refs = [ref("chrf.score", "chrf"), ref("bertscore.f", "bertscore", references=("ref-00",))]
    (sentence,) = comparison(refs, [HUMAN, HUMAN], ["The court met."] * 8).text_cautions(["rating.q"])
    assert "chrf.score on all references; bertscore.f on 1 reference" in sentence
    assert not comparison(refs[:1], [HUMAN], ["The court met."] * 8).text_cautions(["rating.q"])
