"""Mode rouge-score against the package rouge-score (extra ``bench``): equal to the last bit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadSetting
from core.metrics.base import Pool
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from tests.conftest import examples

KINDS = {
    **{f"rouge{n}": f"rouge-n:n={n},mode=rouge-score" for n in range(1, 10)},
    "rougeL": "rouge-l:split=text,mode=rouge-score",
    "rougeLsum": "rouge-l:split=lines,mode=rouge-score",
}
LETTERS = st.text("aAbBcC19 .\n-\u212a\u0130é", max_size=30)
WORDS = st.lists(st.sampled_from(["was", "flies", "running", "generously", "dying", "\n"]), max_size=15)


@pytest.fixture(scope="module")
def scorers():
    """The package's scorer of every kind, without and with its stemmer."""
    peer = pytest.importorskip("rouge_score.rouge_scorer", reason="run: pip install -e .[bench]")
    return {stem: peer.RougeScorer(list(KINDS), use_stemmer=stem) for stem in (False, True)}


def check(topic, scorer, resources, *, stem):
    """Every summary of a topic gives what the package gives with all its references."""
    mine = {}
    for kind, spec in KINDS.items():
        metric = parse(f"{spec},stem={'yes' if stem else 'no'}")
        mine[kind] = metric.score(metric.prepare(topic, resources)).values.tolist()
    references = [text.content for text in topic.references]
    for i, summary in enumerate(topic.summaries):
        for kind, theirs in scorer.score_multi(references, summary.content).items():
            assert mine[kind][i] == [theirs.recall, theirs.precision, theirs.fmeasure], (kind, summary.name)


@pytest.mark.data
@pytest.mark.parametrize("stem", [False, True])
def test_data_sets_score_as_in_the_package(stem, scorers, multiling, summeval, resources):
    some = [
        replace(topic, references=topic.references[:3], summaries=topic.summaries[:4])
        for topic in list(summeval.values())[:6]
    ]
    for topic in [*multiling, *some]:
        check(topic, scorers[stem], resources, stem=stem)


@settings(max_examples=examples(40))
@given(st.lists(LETTERS | WORDS.map(" ".join), min_size=1, max_size=3), LETTERS | WORDS.map(" ".join))
def test_any_texts_score_as_in_the_package(scorers, make_topic, resources, references, summary):
    topic = make_topic(dict(zip("ABC", references, strict=False)), {"s": summary})
    for stem, scorer in scorers.items():
        check(topic, scorer, resources, stem=stem)


def test_its_stems_are_nltks(make_topic, resources):
    topic = make_topic({"A": "mice applied"}, {"s": "mouse apply"})
    for mode, recall in (("1.5.5", 0.0), ("rouge-score", 0.5)):
        metric = parse(f"rouge-n:n=1,stem=yes,mode={mode}")
        assert metric.score(metric.prepare(topic, resources)).values[0, 0] == recall


def test_the_reference_with_the_highest_f_counts(make_topic, resources):
    # F 2/3 of both words of "a b", beside recall 1 but F 1/2 of "a".
    topic = make_topic({"A": "a b c", "B": "a"}, {"s": "a b x"})
    metric = parse("rouge-n:n=1,mode=rouge-score")
    assert metric.pool is Pool.MAX
    assert metric.score(metric.prepare(topic, resources)).values[0].tolist() == [2 / 3, 2 / 3, 2 / 3]


def test_a_signature_names_only_what_the_mode_reads():
    metric = parse("rouge-l:stem=yes,split=text,mode=rouge-score")
    signature = metric.signature(StudyResources(None))
    assert signature == "rouge-l|stem:yes|split:text|mode:rouge-score|version:2"
    assert parse(signature) == metric


@pytest.mark.parametrize("setting", ["alpha=0.2", "stop_words=yes", "words=9", "pooling=best"])
def test_settings_that_the_package_does_not_have_are_refused(setting):
    with pytest.raises(BadSetting, match=f"{setting} cannot be combined with mode=rouge-score"):
        parse(f"rouge-n:mode=rouge-score,{setting}")
