"""Names of measures and their matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.comparison.measures import better_when, find_measure, matrix, measures
from core.errors import InputError
from core.metrics.registry import parse, split_label
from core.ports import MetricConfig, ScoreBlock
from core.scoring.engine import ScoringConfig
from tests.scoring import score_all


def test_a_study_without_scores_has_no_measures(study):
    assert measures(study) == []


def test_a_short_name_always_means_the_default_configuration(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=1")), ScoringConfig(parse("rouge-n:n=2,stem=yes")))
    labels = [ref.label for ref in measures(study)]
    names = ("rouge-1", "rouge-2[stem:yes]")
    assert labels == [f"{name}.{part}" for name in names for part in ("recall", "precision", "f")]


def test_colliding_measures_are_distinguished_by_all_differences(study):
    score_all(
        study,
        ScoringConfig(parse("rouge-n:n=2")),
        ScoringConfig(parse("rouge-n:n=2,stem=yes")),
        ScoringConfig(parse("rouge-n:n=2,stem=yes"), ("B",)),
        ScoringConfig(parse("rouge-l")),
    )
    recalls = [ref.label for ref in measures(study) if ref.measure.endswith("recall")]
    assert recalls == [
        "rouge-2.recall",
        "rouge-2[stem:yes].recall",
        "rouge-2[stem:yes,references:B].recall",
        "rouge-l.recall",
    ]


def test_a_name_that_spells_out_a_default_means_the_default_configuration(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=2")), ScoringConfig(parse("rouge-n:n=2,stem=yes")))
    for name in ("rouge-2.recall", "rouge-2[stem:no].recall"):
        assert find_measure(measures(study), name).config.spec == "rouge-n"


def test_a_short_name_without_the_default_configuration_lists_alternatives(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=2,stem=yes")))
    with pytest.raises(InputError, match=r"--measure 'rouge-2\[stem:yes\]\.f'"):
        find_measure(measures(study), "rouge-2.f")


def keep_imported(study, measure, source):
    signature = f"imported|measure:{measure}|source:{source}"
    config = MetricConfig(signature, "imported", "Imported", "", (measure,))
    study.scores.save(config, ScoreBlock("id-0", ("good",), (), np.array([[0.5]]), None, "", 0.0))


def test_imported_scores_are_distinguished_by_source_and_never_stale(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=2")))
    keep_imported(study, "rouge-2.f", "perl.jsonl")
    labels = [ref.label for ref in measures(study)]
    assert labels == ["rouge-2.recall", "rouge-2.precision", "rouge-2.f", "rouge-2[source:perl.jsonl].f"]
    assert not measures(study)[-1].is_stale


def test_imported_scores_do_not_lengthen_the_names_of_computed_ones(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=2")), ScoringConfig(parse("rouge-n:n=2,stem=yes")))
    keep_imported(study, "rouge-2.f", "perl.jsonl")
    labels = [ref.label for ref in measures(study) if ref.measure == "rouge-2.f"]
    assert labels == ["rouge-2.f", "rouge-2[stem:yes].f", "rouge-2[source:perl.jsonl].f"]


def test_a_measure_without_a_dot_is_distinguished_after_its_name(study):
    for source in ("a.csv", "b.csv"):
        keep_imported(study, "length", source)
    assert [ref.label for ref in measures(study)] == ["length", "length[source:b.csv]"]


def keep_bertscore(study, encoder, digest):
    signature = f"bertscore|encoder:{encoder}|model:{encoder}|hash:{digest}|version:1"
    config = MetricConfig(signature, "bertscore", "F", f"bertscore:encoder={encoder}", ("bertscore.f",))
    study.scores.save(config, ScoreBlock("id-0", ("good",), (), np.array([[0.5]]), None, "", 0.0))


def test_derived_settings_are_shown_only_if_the_settings_are_equal(study):
    keep_bertscore(study, "mini", "53aa")
    keep_bertscore(study, "large", "77bb")
    assert [ref.label for ref in measures(study)] == [
        "bertscore[encoder:mini].f",
        "bertscore[encoder:large].f",
    ]
    keep_bertscore(study, "large", "99cc")
    assert [ref.label for ref in measures(study)] == [
        "bertscore[encoder:mini].f",
        "bertscore[encoder:large,hash:77bb].f",
        "bertscore[encoder:large].f",
    ]


@pytest.mark.parametrize(
    ("label", "cut"),
    [
        ("rouge-w-1.2.f", ("rouge-w-1.2", "f")),
        ("rouge-2[stem:no].f", ("rouge-2[stem:no]", "f")),
        ("rouge-2[source:perl.jsonl].f", ("rouge-2[source:perl.jsonl]", "f")),
        ("length[source:a.csv]", ("", "length[source:a.csv]")),
        ("length", ("", "length")),
    ],
)
def test_labels_are_split_at_the_last_dot_outside_brackets(label, cut):
    assert split_label(label) == cut


def test_a_matrix_has_every_topic_and_the_systems_that_were_scored(study):
    score_all(study, ScoringConfig(parse("rouge-n:n=1")))
    scores = matrix(study, find_measure(measures(study), "rouge-1.f"))
    assert scores.systems == ("bad", "good")
    assert scores.topics == tuple(f"D{i}" for i in range(10))
    assert scores.values[:, 4].tolist() == [0.0, 1.0]
    assert np.isnan(scores.values[:, 9]).all()


def test_a_missing_summary_is_missing_in_the_matrix(study):
    study.change("id-5", summaries=study.texts.all_topics[5].summaries[:1])
    score_all(study, ScoringConfig(parse("rouge-n:n=1")))
    scores = matrix(study, find_measure(measures(study), "rouge-1.f"))
    assert np.isnan(scores.values).sum(axis=1).tolist() == [1, 2]


def test_a_changed_text_makes_a_measure_stale_until_it_is_scored_again(study):
    config = ScoringConfig(parse("rouge-n:n=1"))
    score_all(study, config)
    assert not measures(study)[0].is_stale
    topic = study.texts.all_topics[0]
    study.change("id-0", summaries=tuple(replace(t, content="new", digest="") for t in topic.summaries))
    assert measures(study)[0].is_stale
    assert not measures(study, check_stale=False)[0].is_stale
    score_all(study, config)
    assert not measures(study)[0].is_stale


def test_a_property_is_better_in_neither_direction(study):
    score_all(study, "coverage", "js", "rouge-n")
    keep_imported(study, "length", "")
    found = {ref.label: better_when(ref) for ref in measures(study)}
    assert found["coverage.share"] == "neither"
    assert found["js-1.divergence"] == "lower"
    assert found["rouge-2.f"] == found["length"] == "higher"
