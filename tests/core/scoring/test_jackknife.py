"""References as systems: scored by the others, whatever the metric, and explained as they are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.matrix import combine_folds
from core.metrics.base import Metric, Need, Pool, Prepared, TopicScores
from core.metrics.registry import metric
from core.scoring.jackknife import explain_jackknife, score_jackknife, with_references_as_systems
from core.scoring.study_resources import StudyResources

TOOLS = StudyResources(None)


def text(name, content):
    return Text(f"id-{name}", name, content)


TOPIC = TopicTexts(
    "t",
    "D1",
    references=(text("A", "the court ruled"), text("B", "the court met"), text("C", "a ban fell")),
    summaries=(text("one", "the court fell"), text("two", "it rained")),
)


@dataclass(frozen=True)
class SharedWords(Metric):
    """Share of the references' words that occur in a summary, computed from texts; not registered."""

    name: ClassVar[str] = "shared"
    family: ClassVar[str] = "Test"
    about: ClassVar[str] = "Words shared with the references together."

    @property
    def pool(self):
        return Pool.JOINT

    def measures(self):
        return ("shared.words",)

    def prepare(self, topic, resources):
        return Prepared(topic)

    def score(self, prepared):
        words = {word for reference in prepared.topic.references for word in reference.content.split()}
        shares = [len(words & set(s.content.split())) / len(words) for s in prepared.topic.summaries]
        return TopicScores(np.array(shares)[:, None], None, {"truncated": len(prepared.topic.references)})


@dataclass(frozen=True)
class Length(SharedWords):
    """A metric that reads no reference."""

    needs: ClassVar[frozenset[Need]] = frozenset()

    def score(self, prepared):
        return TopicScores(np.array([[float(len(s.content))] for s in prepared.topic.summaries]))


def test_references_and_summaries_are_scored_by_leave_one_out_subsets():
    """Unigram recall of "the court fell": 3 of 6 words without A, 3 of 6 without B, 4 of 6 without C.

    "the court ruled" has 2 of the 6 words of B and C, "the court met" 2 of 6, "a ban fell" none.
    """
    rouge = metric("rouge-n", n=1, rounding="none")
    recall = score_jackknife(rouge, TOPIC, TOOLS).values[:, 0]
    assert recall == pytest.approx([(3 / 6 + 3 / 6 + 4 / 6) / 3, 0, 2 / 6, 2 / 6, 0])


def test_statistics_of_references_as_systems_cover_all_references():
    scores = score_jackknife(metric("rouge-n", n=1), TOPIC, TOOLS)
    assert scores.stats.shape == (5, 3, 3)


def test_a_metric_that_needs_the_texts_again_is_scored_fold_by_fold():
    """Without A: the court met a ban fell; without B: the court ruled a ban fell; without C: 4 words."""
    scores = score_jackknife(SharedWords(), TOPIC, TOOLS)
    assert scores.values[:, 0] == pytest.approx([(3 / 6 + 3 / 6 + 2 / 4) / 3, 0, 2 / 6, 2 / 6, 0])
    assert scores.stats is None
    assert scores.notes == {"truncated": 2}


def test_metrics_without_references_score_every_text_once():
    lengths = [len(t.content) for t in (*TOPIC.summaries, *TOPIC.references)]
    assert score_jackknife(Length(), TOPIC, TOOLS).values[:, 0].tolist() == lengths


@pytest.mark.parametrize("place", range(5))
def test_the_explanation_of_a_jackknifed_score_evaluates_to_it(place):
    rouge = metric("rouge-n", n=1)
    values = score_jackknife(rouge, TOPIC, TOOLS).values[place]
    for measure, value in zip(rouge.measures(), values, strict=True):
        assert explain_jackknife(rouge, TOPIC, place, measure, TOOLS).evaluate() == pytest.approx(value)


def test_undefined_folds_are_excluded_from_the_mean():
    folds = np.array([[[np.nan], [1.0], [2.0]], [[4.0], [np.nan], [8.0]]])
    assert combine_folds(folds, 1)[:, 0].tolist() == [4.0, 1.0, 8.0]
    assert np.isnan(combine_folds(np.full((2, 3, 1), np.nan), 1)).all()


def test_a_system_named_like_a_reference_is_refused():
    clashing = TopicTexts("t", "D1", references=TOPIC.references, summaries=(text("reference A", "x"),))
    with pytest.raises(InputError, match="another name"):
        with_references_as_systems(clashing)
