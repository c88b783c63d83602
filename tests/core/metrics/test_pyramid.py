"""Pyramid scores as a metric: equal to the judgement, for any subset of references, with explanations."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.explanations.explain_score import explain
from core.comparison.explanations.explained_parts import parts
from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from core.domain import pyramid
from core.domain.pyramid.scores import score_summary
from core.domain.pyramid.subset_scores import KINDS
from core.domain.study import Annotator, Text, TopicTexts
from core.metrics.registry import metric
from core.scoring.engine import ScoringConfig, plan
from core.scoring.staleness import ChangedInput
from core.scoring.study_resources import StudyResources
from tests.scoring import score_all

EVERY_SUBSET = np.array(list(product((False, True), repeat=3)))


class Annotations:
    """A study with pyramids of one topic."""

    def __init__(self, *annotations):
        people = [Annotator("ann", "Ann", "expert"), Annotator("ben", "Ben")]
        self.annotators = SimpleNamespace(all=lambda: people)
        self.pyramids = SimpleNamespace(
            annotations=lambda topic_ids: [a for a in annotations if a.pyramid.topic_id in topic_ids]
        )


def texts(*names):
    return tuple(Text(name, name, f"words of {name}") for name in names)


TOPIC = TopicTexts("t", "D1", references=texts("a", "b", "c"), summaries=texts("x", "y"))


def annotated(held, matched, owner="ann"):
    """A pyramid of SCUs by the references that hold them; matched: (annotator, summary) to SCU numbers."""
    made = pyramid.empty("t", owner)
    for number, references in enumerate(held):
        scu_id, span = f"{owner}-{number}", (number, number + 1)
        made = pyramid.add_scu(made, f"SCU {number}", references[0], [span], scu_id)
        for reference in references[1:]:
            made = pyramid.add_contributor(made, scu_id, reference, [span])
    for (annotator, summary), numbers in matched.items():
        for number in numbers:
            scu_id = None if number is None else f"{owner}-{number}"
            made = pyramid.add_match(made, summary, annotator, scu_id, [(0, 1)], repeats=True)
        made = pyramid.set_summary_state(made, summary, annotator, is_done=True)
    return made


def scored(annotations, **settings):
    chosen = metric("pyramid", **settings)
    resources = StudyResources(Annotations(*annotations))
    assert chosen.missing_requirements(TOPIC, resources) == ""
    return chosen.score(chosen.prepare(TOPIC, resources))


def expected(annotation, annotator, summary, references):
    scores = score_summary(annotation.pyramid, annotation.matches_of(summary, annotator), references)
    return [getattr(scores, kind) for kind in KINDS]


def test_weights_are_counted_for_the_references_given():
    """Weights 3, 2, 1 and an ideal of 5 by all; without c the last SCU goes: 2, 1 and an ideal of 3."""
    one = annotated(["abc", "ac", "c"], {("ann", "x"): [0, 2]})
    scores = scored([one])
    chosen = metric("pyramid")
    assert scores.values[0, 0] == pytest.approx(4 / 5)
    assert chosen.combine(scores.stats, np.array([True, True, False]))[0, 0] == pytest.approx(2 / 3)
    assert np.isnan(scores.values[1]).all()  # nobody marked y done


held = st.lists(st.lists(st.sampled_from("abc"), min_size=1, unique=True), min_size=1, max_size=5)
readings = st.dictionaries(
    st.tuples(st.sampled_from(["ann", "ben"]), st.sampled_from("xy")),
    st.lists(st.sampled_from([0, 1, 2, 3, 4, None]), max_size=6),
    min_size=1,
)


@given(held, readings, held, readings)
def test_any_subset_from_statistics_equals_a_recount_of_every_reading(one_held, one, other_held, other):
    def valid(held, matched):
        return {
            key: [n for n in matched_nodes if n is None or n < len(held)]
            for key, matched_nodes in matched.items()
        }

    made = [
        annotated(one_held, valid(one_held, one)),
        annotated(other_held, valid(other_held, other), owner="ben"),
    ]
    stats = scored(made).stats
    for chosen in EVERY_SUBSET:
        values = metric("pyramid").combine(stats, chosen)
        references = [r for r, counts in zip("abc", chosen, strict=True) if counts]
        for row, summary in enumerate("xy"):
            alone = [
                expected(each, who, summary, references)
                for each, matched in zip(made, (one, other), strict=True)
                for who, text in matched
                if text == summary
            ]
            for kind, value in enumerate(values[row]):
                defined = [scores[kind] for scores in alone if np.isfinite(scores[kind])]
                assert value == pytest.approx(np.mean(defined) if defined else np.nan, nan_ok=True)


def test_only_the_chosen_annotator_or_group_counts():
    made = annotated(["abc", "ab"], {("ann", "x"): [0], ("ben", "x"): [0, 1]})
    ann, expert, ben, everybody = (
        scored([made], annotator=who).values[0, KINDS.index("presence")]
        for who in ("Ann", "expert", "Ben", "all")
    )
    assert (ann, expert, ben, everybody) == (1 / 2, 1 / 2, 1, 3 / 4)


def test_an_unknown_annotator_is_a_reason_not_to_run():
    why = metric("pyramid", annotator="Anne").unavailable(StudyResources(Annotations()))
    assert "Did you mean Ann?" in why


def test_a_summary_marked_not_done_before_scoring_has_no_score():
    chosen, resources = metric("pyramid"), StudyResources(Annotations(annotated(["abc"], {})))
    assert chosen.missing_requirements(TOPIC, resources) == "no summary whose matching is marked done"
    scores = chosen.score(chosen.prepare(TOPIC, resources))
    assert np.isnan(scores.values).all()
    assert chosen.explain(chosen.prepare(TOPIC, resources), 0)["pyramid.modified"].label.startswith(
        "no annotator"
    )


def test_scores_of_an_annotator_who_is_gone_can_still_be_asked_about():
    made = annotated(["abc"], {("ann", "x"): [0]})
    gone, there = (metric("pyramid", annotator=who) for who in ("Zoe", "Ann"))
    resources = StudyResources(Annotations(made))
    assert gone.topic_hash(TOPIC, resources) != there.topic_hash(TOPIC, resources)


# On a study file


def score_pyramids(study, *, humans=False, **settings):
    return score_all(study, ScoringConfig(metric("pyramid", **settings), humans=humans))


def own_measures(study):
    return [ref for ref in measures(study) if ref.config.metric == "pyramid"]


def left_to_score(study):
    return len(plan(study, [ScoringConfig(metric("pyramid"))], StudyResources(study)).topics)


@pytest.mark.parametrize("humans", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_the_measures_are_the_judgements(changeable_study, kind, humans):
    report = score_pyramids(changeable_study, humans=humans)
    assert (report.scored, report.left_out) == (2, {"no summary whose matching is marked done": 2})
    (scores,) = (matrix(changeable_study, r) for r in measures(changeable_study) if r.measure.endswith(kind))
    name = f"pyramid.{kind}[humans:jackknife]" if humans else f"pyramid.{kind}"
    judged = judgement_matrix(changeable_study, name).select(scores.systems, scores.topics)
    assert scores.values == pytest.approx(judged.values, nan_ok=True)
    assert ("reference A" in scores.systems) == humans


@pytest.mark.parametrize("humans", [False, True])
def test_the_account_of_every_score_evaluates_to_it(changeable_study, humans):
    score_pyramids(changeable_study, humans=humans)
    resources, topic = StudyResources(changeable_study), changeable_study.texts.topics()[0]
    for ref in own_measures(changeable_study):
        scores = matrix(changeable_study, ref)
        for system, value in zip(scores.systems, scores.values[:, 0], strict=True):
            tree = explain(changeable_study, ref, topic.id, system, resources)
            assert tree.evaluate() == pytest.approx(value, nan_ok=True)


def test_an_account_shows_the_words_of_each_scu():
    made = annotated(["abc", "ac", "c"], {("ann", "x"): [0, 0, 2, None]})
    chosen, resources = metric("pyramid"), StudyResources(Annotations(made))
    trees = chosen.explain(chosen.prepare(TOPIC, resources), 0)
    matched, ideal = trees["pyramid.original"].children
    assert [(leaf.label, leaf.value) for leaf in matched.children] == [("SCU 0", 3), ("SCU 2", 1)]
    assert ideal.label == "ideal score of 4 units: 2 SCUs, 1 repeated, 1 outside the pyramid"
    evidence = matched.children[0].evidence
    assert [(e.role, e.name, e.span) for e in evidence] == [
        ("summary", "x", (0, 1)),
        ("summary", "x", (0, 1)),
        ("reference", "a", (0, 1)),
        ("reference", "b", (0, 1)),
        ("reference", "c", (0, 1)),
    ]


def test_a_score_above_one_is_capped_in_the_comprehensive_score_alone():
    made = annotated(["ab", "a"], {("ann", "x"): [0, 1]})
    chosen, resources = metric("pyramid"), StudyResources(Annotations(made))
    trees = chosen.explain(chosen.prepare(TOPIC, resources), 0)
    assert trees["pyramid.modified"].evaluate() == pytest.approx(3 / 2)
    assert trees["pyramid.comprehensive"].evaluate() == 1
    without_a = {part.name: part.without for part in parts(trees["pyramid.comprehensive"])}
    assert without_a["weights of the matched SCUs › SCU 0"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (5 / 6))
    assert scored([made]).values[0] == pytest.approx([3 / 2, 1, 1, 1])


def test_a_changed_match_makes_its_topic_stale_and_a_comment_does_not(changeable_study):
    study = changeable_study
    score_pyramids(study)
    ann, topic = study.annotators.get_or_create("ann").id, study.texts.topics()[0]
    before = study.pyramids.annotation(topic.id, ann)
    study.pyramids.commit(
        before, pyramid.set_comment(before, f"{topic.id}-1", "sure"), "comment", ann
    ).result()
    assert left_to_score(study) == 0
    before = study.pyramids.annotation(topic.id, ann)
    match = next(m for m in before.matches if m.annotator_id == ann)
    study.pyramids.commit(before, pyramid.remove_match(before, match.id), "unmatch", ann).result()
    assert left_to_score(study) == 1
    changes = {topic.id: (ChangedInput("pyramids and matches"),)}
    assert [ref.staleness.changes for ref in own_measures(study)] == [changes] * len(own_measures(study))
    score_pyramids(study)
    assert not any(ref.is_stale for ref in own_measures(study))


def test_a_summary_marked_undone_makes_its_topic_stale(changeable_study):
    study = changeable_study
    score_pyramids(study)
    ann, topic = study.annotators.get_or_create("ann").id, study.texts.topics()[1]
    before = study.pyramids.annotation(topic.id, ann)
    state = next(s for s in before.states if s.is_done)
    after = pyramid.set_summary_state(before, state.summary_id, ann, is_done=False)
    study.pyramids.commit(before, after, "not done", ann).result()
    assert left_to_score(study) == 1


def test_scores_by_some_authors_equal_the_judgement_by_them(changeable_study):
    score_all(changeable_study, ScoringConfig(metric("pyramid"), ("B",)))
    scores = matrix(
        changeable_study, find_measure(measures(changeable_study), "pyramid[references:B].modified")
    )
    judged = judgement_matrix(changeable_study, "pyramid.modified[references:B]")
    assert scores.values == pytest.approx(judged.select(scores.systems, scores.topics).values, nan_ok=True)
