"""Families of tests: one measure per metric unless all are chosen."""

from __future__ import annotations

from core.comparison.comparison import load_comparison
from core.comparison.families import family_of, family_words
from core.comparison.options import Variants


def test_a_family_contains_the_main_measure_of_each_metric(judged_study):
    refs = load_comparison(judged_study, ["rating.coherence"]).refs
    every = range(len(refs))
    main = [refs[i].measure for i in family_of(refs, Variants.MAIN, every)]
    metrics = {measure.rpartition(".")[0] for measure in main}
    assert len(metrics) == len(main), "no metric is tested twice"
    assert metrics == {ref.measure.rpartition(".")[0] for ref in refs}
    assert all(measure.endswith(".f") for measure in main if measure.startswith("rouge"))
    assert family_of(refs, Variants.ALL, every) == tuple(every)


def test_a_measure_that_is_not_ranked_is_in_no_family(judged_study):
    refs = load_comparison(judged_study, ["rating.coherence"]).refs
    main = family_of(refs, Variants.MAIN, range(len(refs)))
    others = [i for i in range(len(refs)) if i != main[0]]
    assert main[0] not in family_of(refs, Variants.MAIN, others)
    assert main[0] not in family_of(refs, Variants.ALL, others)


def test_a_family_is_named_by_its_rule_size_and_judgement():
    words = family_words("rating.coherence", "rouge-1.f", 12, "Holm", is_best=True)
    assert words == "Holm over 12 comparisons with the best of rating.coherence (rouge-1.f)"
    assert (
        family_words("rating.x", "a.f", 1, "Holm", is_best=False)
        == "Holm over 1 comparison with a.f by rating.x"
    )


def test_a_family_of_one_measure_is_explained():
    words = family_words("rating.coherence", "rouge-1.f", 0, "Holm", is_best=True)
    assert words.startswith("no test of rating.coherence: rouge-1.f is the only measure in the tested family")
