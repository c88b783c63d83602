"""Measures that are ranked against a judgement: not its own family, not incomplete ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from core.comparison.comparison import Comparison
from core.comparison.eligibility import Status, eligible_rows, is_own_name
from core.comparison.inference import correlation_inputs, infer, significance_groups
from core.comparison.measures import MeasureRef
from core.comparison.options import DifferenceTest, InferenceOptions, IntervalMethod
from core.errors import InputError
from core.matrix import Array, ScoreMatrix
from core.ports import MetricConfig
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level

SYSTEMS, TOPICS = tuple("ABCDE"), tuple(f"T{i}" for i in range(10))
HUMAN = "pyramid.modified"
PEARSON = (Level.SYSTEM, Coefficient.PEARSON)
QUICK = InferenceOptions(IntervalMethod.NONE, test=DifferenceTest.WILLIAMS)


def measure(label: str, metric: str = "bleu", extra: str = "", *, imported: bool = False) -> MeasureRef:
    signature = f"{metric}|{extra}version:1"
    spec = "" if imported else metric
    config = MetricConfig(signature, metric, "family", spec, (label,))
    return MeasureRef(label, label, signature, "family", config, len(TOPICS))


def compared(
    refs: Sequence[MeasureRef], scores: Sequence[Array], human: str = HUMAN, judged: Array | None = None
) -> Comparison:
    z = judgement() if judged is None else judged
    return Comparison(
        tuple(refs),
        tuple(ScoreMatrix(ref.label, SYSTEMS, TOPICS, one) for ref, one in zip(refs, scores, strict=True)),
        {human: ScoreMatrix(human, SYSTEMS, TOPICS, z)},
    )


def judgement() -> Array:
    random = np.random.default_rng(1)
    return np.arange(5.0)[:, None] + random.normal(0, 0.5, (5, 10))


def noisy(seed: int, topics: int = 10) -> Array:
    random = np.random.default_rng(seed)
    scores = judgement() + random.normal(0, 2, (5, 10))
    scores[:, topics:] = np.nan
    return scores


@pytest.fixture
def own_family() -> Comparison:
    refs = [measure(HUMAN, "pyramid"), measure("a.f"), measure("b.f"), measure("pyramid.presence", "pyramid")]
    return compared(refs, [judgement(), noisy(2), noisy(3), judgement() ** 2])


def test_pyramid_scores_are_not_ranked_against_the_pyramid_judgement(own_family):
    eligibility = own_family.eligibility(HUMAN)
    family, ranked = Status.SAME_FAMILY, Status.RANKED
    assert [one.status for one in eligibility] == [family, ranked, ranked, family]
    assert (
        eligibility[0].reason
        == f"Computed from the same annotations as {HUMAN}: it shows the attainable maximum."
    )
    assert own_family.ranked(HUMAN) == (1, 2)


def test_the_judgements_own_family_is_neither_best_nor_tested(own_family):
    result = run_to_completion(infer(own_family, HUMAN, *PEARSON, QUICK))
    assert result.against in ("a.f", "b.f")
    assert np.isfinite(result.p).sum() == 1
    assert np.isnan(result.p[[0, 3]]).all()
    named = run_to_completion(
        infer(own_family, HUMAN, *PEARSON, InferenceOptions(IntervalMethod.NONE, HUMAN))
    )
    assert (named.against, np.isfinite(named.p).any()) == ("", False)


def test_holm_counts_only_ranked_measures(own_family):
    result = run_to_completion(infer(own_family, HUMAN, *PEARSON, QUICK))
    assert result.adjusted == pytest.approx(result.p, nan_ok=True)  # one test is left


def test_clusters_hold_only_ranked_measures(own_family):
    sample = correlation_inputs(own_family, HUMAN, *PEARSON)
    result = run_to_completion(significance_groups(sample, QUICK, own_family.ranked(HUMAN)))
    assert (result.ranks[0], result.letters[0], result.ranks[3], result.letters[3]) == (0, "", 0, "")
    assert result.ranks[1]
    assert result.letters[1]
    assert np.isfinite(result.p).sum() == 2


def test_pyramid_scores_are_ranked_against_ratings():
    comparison = compared([measure(HUMAN, "pyramid"), measure("a.f")], [noisy(1), noisy(2)], "rating.overall")
    assert comparison.ranked("rating.overall") == (0, 1)


def test_imported_scores_equal_to_a_judgement_belong_to_its_family():
    refs = [measure("overall", "overall", imported=True), measure("other", "other", imported=True)]
    comparison = compared(refs, [judgement(), noisy(2)], "rating.overall")
    eligibility = comparison.eligibility("rating.overall")
    assert [one.status for one in eligibility] == [Status.SAME_FAMILY, Status.RANKED]
    assert "equal to rating.overall for every summary" in eligibility[0].reason


@pytest.mark.parametrize(("slope", "offset"), [(25.0, -25.0), (-0.5, 3.0)])
def test_imported_scores_that_rescale_a_judgement_belong_to_its_family(slope, offset):
    refs = [measure("percent", "percent", imported=True), measure("other", "other", imported=True)]
    comparison = compared(refs, [slope * judgement() + offset, noisy(2)], "rating.overall")
    eligibility = comparison.eligibility("rating.overall")
    assert [one.status for one in eligibility] == [Status.SAME_FAMILY, Status.RANKED]
    assert "linear function of rating.overall" in eligibility[0].reason


@pytest.mark.filterwarnings("error")
def test_scores_near_the_largest_double_are_ranked():
    scores = np.where(noisy(2) > np.median(noisy(2)), 1.7e308, -1.7e308)
    comparison = compared(
        [measure("huge", "huge", imported=True), measure("a.f")], [scores, noisy(1)], "rating.overall"
    )
    assert comparison.eligibility("rating.overall")[0].status is Status.RANKED


def test_measures_without_a_correlation_are_in_no_cluster():
    constant = np.full_like(judgement(), 0.5)
    comparison = compared(
        [measure("a.f"), measure("b.f", "b"), measure("c.f", "c")], [noisy(1), noisy(2), constant], HUMAN
    )
    sample = correlation_inputs(comparison, HUMAN, *PEARSON)
    result = run_to_completion(significance_groups(sample, QUICK, (0, 1, 2)))
    assert (result.ranks[2], result.letters[2]) == (0, "")
    assert all(result.ranks[:2])


def test_a_metric_trained_on_the_judgement_is_ranked_with_a_caution():
    extra = "trained:rating.overall|recipe:svr|topics-in-training:out-of-fold,10-folds|"
    refs = [measure("s3.score", "s3", extra), measure("a.f")]
    eligibility = compared(refs, [noisy(1), noisy(2)], "rating.overall").eligibility("rating.overall")
    assert eligibility[0].is_ranked
    assert eligibility[0].caution == (
        "trained on rating.overall (out-of-fold,10-folds); its agreement with other data may be lower."
    )
    assert not compared(refs, [noisy(1), noisy(2)]).eligibility(HUMAN)[0].caution


@pytest.fixture
def incomplete() -> Comparison:
    best = judgement()
    best[:, 3:] = np.nan
    return compared([measure("partial.f"), measure("a.f"), measure("b.f")], [best, noisy(2), noisy(3)])


def test_a_measure_of_some_topics_is_incomplete_and_not_ranked(incomplete):
    eligibility = incomplete.eligibility(HUMAN)
    assert [one.status for one in eligibility] == [Status.INCOMPLETE, Status.RANKED, Status.RANKED]
    assert [one.mark for one in eligibility] == ["3/10 topics", "", ""]
    assert eligibility[0].reason == "Incomplete: 35 summaries scored by other measures, but not by this one."
    assert incomplete.rows(*PEARSON)[0].value > max(row.value for row in incomplete.rows(*PEARSON)[1:])
    best = run_to_completion(infer(incomplete, HUMAN, *PEARSON, QUICK))
    assert best.against in ("a.f", "b.f")
    assert np.isnan(best.p[0])
    with pytest.raises(InputError, match=r"partial\.f has scores for only 3/10 topics"):
        run_to_completion(
            infer(incomplete, HUMAN, *PEARSON, InferenceOptions(IntervalMethod.NONE, "partial.f"))
        )


def test_common_topics_make_every_measure_comparable(incomplete):
    common = incomplete.common()
    assert common.judgements[HUMAN].topics == TOPICS[:3]
    assert common.ranked(HUMAN) == (0, 1, 2)
    assert run_to_completion(infer(common, HUMAN, *PEARSON, QUICK)).against == "partial.f"


def test_measures_of_the_same_topics_are_ranked_and_marked():
    both = compared([measure("a.f"), measure("b.f")], [noisy(2, 4), noisy(3, 4)])
    assert both.ranked(HUMAN) == (0, 1)
    assert [one.mark for one in both.eligibility(HUMAN)] == ["4/10 topics"] * 2


def test_a_missing_system_and_single_summaries_are_counted_as_such():
    without, holes = noisy(2), noisy(3)
    without[1], holes[2, 5] = np.nan, np.nan
    whole = noisy(4)
    comparison = compared([measure("a.f"), measure("b.f"), measure("c.f")], [without, holes, whole])
    assert [one.mark for one in comparison.eligibility(HUMAN)] == ["4/5 systems", "49/50 summaries", ""]
    common = comparison.common().judgements[HUMAN]
    assert (common.systems, len(common.topics)) == (("A", "C", "D", "E"), 9)


def test_measures_without_common_topics_are_refused_by_name():
    one, other = noisy(2, 4), noisy(3)
    other[:, :4] = np.nan
    with pytest.raises(InputError, match=r"no topic .* in common.* a\.f \(20 scores\), b\.f \(30 scores\)"):
        compared([measure("a.f"), measure("b.f")], [one, other]).common()


@pytest.mark.parametrize(
    ("label", "human", "expected"),
    [
        ("pyramid.presence", HUMAN, True),
        ("pyramid[annotator:Ann].modified", HUMAN, True),
        ("Pyramid", "pyramid.original[references:A]", True),
        ("pyramid.modified", "rating.overall", False),
        ("lite-pyramid.p2c", HUMAN, False),
        ("pyramideval.score", HUMAN, False),
        ("rating.overall", "rating.overall", True),
    ],
)
def test_rows_of_a_judgements_family_are_recognized_by_name(label, human, expected):
    assert is_own_name(label, human) is expected


def test_rows_of_tables_have_the_eligibility_of_measures(incomplete):
    judgement = incomplete.judgements[HUMAN]
    copy = ScoreMatrix("TAC's numbers", SYSTEMS, TOPICS, judgement.values)
    _, *others = incomplete.scores
    other = ScoreMatrix("partial", SYSTEMS, TOPICS, noisy(4, 3))
    actual = eligible_rows([other, *others, copy], judgement)
    assert [one.mark for one in actual] == ["3/10 topics", "", "", "same annotations"]
