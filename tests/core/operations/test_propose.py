"""Proposed pyramids as the work of a machine annotator, which counts only where it is named."""

from __future__ import annotations

import numpy as np
import pytest

from core.adjudication.topics import AdjudicationSelection, merge_all_agreements
from core.annotation.annotator_progress import team_progress
from core.annotation.team_progress import work_progress
from core.comparison.judgements import judgement_matrices, rated_judgements, unit_judgement
from core.domain import pyramid
from core.domain.annotator_filter import name_refusal, resolve_annotators
from core.domain.decisions import MACHINE_GROUP, RESULT_GROUP
from core.domain.pyramid.subset_scores import KINDS
from core.domain.study import Annotator
from core.errors import InputError
from core.metrics.judge.auto_nugget import AutoNugget
from core.metrics.judge.judge import Judge
from core.metrics.registry import metric
from core.models.chat import ChatAnswer
from core.operations.propose import Proposed, planned_requests, propose
from core.progress import run_to_completion
from core.report.study_summary import study_facts
from core.scoring.study_resources import StudyResources

ANN, RESULT = Annotator("1", "Ann"), Annotator("2", "adjudicated", RESULT_GROUP)
MACHINE = Annotator("3", "auto", MACHINE_GROUP)
JUDGEMENTS = [f"pyramid.{kind}" for kind in KINDS]


@pytest.mark.parametrize(
    ("people", "counted"),
    [
        ((ANN, MACHINE), {"Ann"}),
        ((ANN, RESULT, MACHINE), {"Ann"}),
        ((RESULT, MACHINE), {"adjudicated"}),
        ((MACHINE,), set()),
        ((ANN,), None),
        ((), None),
    ],
)
def test_a_machine_counts_only_where_it_is_named(people, counted):
    assert resolve_annotators((), people) == counted
    if MACHINE in people:
        assert (
            resolve_annotators(("auto",), people) == resolve_annotators((MACHINE_GROUP,), people) == {"auto"}
        )
        assert "machine" in name_refusal("auto", people)


@pytest.fixture
def annotated(study):
    """The small study with a pyramid of D1 by Ann, matched in all summaries."""
    ann = study.annotators.get_or_create("Ann").id
    topic = study.texts.topic(study.texts.topics()[0].id)
    before = study.pyramids.annotation(topic.id, ann)
    made = pyramid.add_scu(before, "First", topic.references[0].id, [(0, 5)], "scu")
    for at, summary in enumerate(topic.summaries):
        made = pyramid.add_match(made, summary.id, ann, "scu" if at % 2 else None, [(0, 5)])
        made = pyramid.set_summary_state(made, summary.id, ann, is_done=True)
    study.pyramids.commit(before, made, "annotate", ann).result()
    return study


def run(study, name="auto", **settings):
    ids = [head.id for head in study.texts.topics()]
    return run_to_completion(propose(study, metric("auto-pyramid", **settings), name, ids, "cpu"))


def test_judgements_stay_as_they_are_and_the_machines_are_the_metrics_scores(annotated):
    before = judgement_matrices(annotated, JUDGEMENTS)
    made = run(annotated)
    assert made.counts["scus"] > 0
    assert not made.without
    for name, matrix in judgement_matrices(annotated, JUDGEMENTS).items():
        np.testing.assert_array_equal(matrix.values, before[name].values)
    chosen = metric("auto-pyramid")
    resources = StudyResources(annotated, "cpu")
    by_machine = judgement_matrices(annotated, JUDGEMENTS, ["auto"])
    for topic in annotated.texts.load():
        values = chosen.score(chosen.prepare(topic, resources)).values
        for kind, name in enumerate(JUDGEMENTS):
            matrix = by_machine[name]
            rows = [matrix.systems.index(text.name) for text in topic.summaries]
            np.testing.assert_allclose(matrix.values[rows, matrix.topics.index(topic.name)], values[:, kind])


def test_a_second_run_replaces_the_first_and_undo_restores_it(annotated):
    def stored():
        machine = next(one for one in annotated.annotators.all() if one.name == "auto")
        return [annotated.pyramids.annotation(head.id, machine.id) for head in annotated.texts.topics()]

    first = run(annotated)
    kept = stored()
    second = run(annotated, least=1.0)
    assert second.counts["scus"] >= first.counts["scus"]
    assert sum(len(one.pyramid.scus) for one in stored()) == second.counts["scus"]
    machine = kept[0].pyramid.annotator_id
    for _ in kept:
        annotated.edits.undo(machine).result()
    assert [one.pyramid.scus for one in stored()] == [one.pyramid.scus for one in kept]
    assert [set(one.matches) for one in stored()] == [set(one.matches) for one in kept]


def test_a_report_counts_no_work_of_machines_and_no_results(annotated):
    scale, topic = annotated.ratings.add_dimension("tone"), next(iter(annotated.texts.load()))
    for name in ("Ann", "Ben"):
        person = annotated.annotators.get_or_create(name).id
        annotated.ratings.rate(topic.summaries[0].id, scale.id, person, 3.0).result()
    before = study_facts(annotated)
    assert {"1 (0 marked done)", "2 by 2 annotators, 1 to 5"} < {row[1] for row in before.rows}
    run(annotated)
    robot = annotated.annotators.get_or_create("robot", MACHINE_GROUP).id
    annotated.ratings.rate(topic.summaries[1].id, scale.id, robot, 3.0).result()
    nuggets = annotated.nuggets.annotation(topic.id, robot)
    made = pyramid.add_scu(nuggets, "First", topic.references[0].id, [(0, 5)], "nugget")
    made = pyramid.add_match(made, topic.summaries[0].id, robot, "nugget", [(0, 5)])
    annotated.nuggets.commit(nuggets, made, "propose", robot).result()
    assert study_facts(annotated) == before
    mia = annotated.annotators.get_or_create("Mia")
    assert run_to_completion(merge_all_agreements(annotated, AdjudicationSelection(), mia)) == 1
    assert study_facts(annotated) == before


def test_two_machines_propose_on_the_same_topic(annotated):
    assert run(annotated, name="second").counts["scus"] == run(annotated).counts["scus"] > 0


def test_a_machine_makes_no_progress_for_people(annotated):
    def progress():
        return [run_to_completion(job(annotated)) for job in (team_progress, work_progress)]

    before = progress()
    assert run(annotated).counts["scus"] > 0
    assert progress() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ann", "Ann is an annotator"),
        (" Ann ", "Ann is an annotator"),
        (" ", "needs a name"),
        ("adjudicated", "of a result"),
    ],
)
def test_a_name_of_a_person_or_result_is_refused(annotated, name, said):
    before = annotated.annotators.all()
    with pytest.raises(InputError, match=said):
        run(annotated, name=name)
    assert annotated.annotators.all() == before


class Scripted:
    """A model that answers each prompt by a function, or with fixed probabilities of the labels."""

    def __init__(self, answer) -> None:
        self.answer = answer

    def answers(self, prompts, request):
        for prompt in prompts:
            if request.labels:
                yield ChatAnswer((), self.answer("".join(prompt), len(request.labels)))
            else:
                yield ChatAnswer((self.answer("".join(prompt)),))


@pytest.fixture
def model(monkeypatch):
    """Let a function answer instead of a server."""

    def use(answer):
        monkeypatch.setattr(StudyResources, "chat", lambda *_: Scripted(answer))
        for kind in (Judge, AutoNugget):
            monkeypatch.setattr(kind, "check_model", lambda *_: None)

    return use


def nugget_answer(prompt):
    if "Updated Nugget List:" in prompt:
        return "['the ban', 'the bridge']"
    return "['support', 'partial_support']" if "Passage:" in prompt else "['vital', 'okay']"


SERVER = {"server": "http://127.0.0.1:9/v1", "lm": "x"}


def propose_with(study, metric, name):
    ids = [head.id for head in study.texts.topics()]
    return run_to_completion(propose(study, metric, name, ids, "cpu"))


def test_nuggets_count_only_where_the_machine_is_named_and_equal_the_metrics_scores(study, model):
    model(nugget_answer)
    made = propose_with(study, AutoNugget(**SERVER), "bot")
    assert made.counts == {"nuggets": 4, "hits": 2 * sum(head.summaries for head in study.texts.topics())}
    names = ["nugget.strict_vital", "nugget.strict_all", "nugget.vital", "nugget.all"]
    counted = judgement_matrices(study, names, ["bot"])
    assert [np.unique(counted[name].values).tolist() for name in names] == [[1], [0.5], [1], [0.75]]
    assert all(np.isnan(one.values).all() for one in judgement_matrices(study, names).values())
    kept = study.settings.keys("answers.")
    assert len(kept) == len(study.texts.topics())
    model(lambda prompt: "never asked")
    assert propose_with(study, AutoNugget(**SERVER), "bot").counts == made.counts


def test_answers_that_are_none_are_reported_and_leave_no_hits(study, model):
    model(lambda prompt: nugget_answer(prompt) if "Passage:" not in prompt else "['support']")
    made = propose_with(study, AutoNugget(**SERVER, trials=2), "bot")
    assert made.counts["hits"] == 0
    assert made.failures > 0
    assert "could not be read" in made.sentence("bot")


def test_a_judge_rates_as_a_machine_and_counts_only_where_it_is_named(study, model):
    ann = study.annotators.get_or_create("Ann").id
    scale = study.ratings.add_dimension("fluency", 1, 5)
    topics = [study.texts.topic(head.id) for head in study.texts.topics()]
    study.ratings.rate(topics[0].summaries[0].id, scale.id, ann, 4.0).result()
    before = judgement_matrices(study, ["rating.fluency"])["rating.fluency"].values
    model(lambda prompt, labels: (0.0, 0.5, 0.5, 0.0, 0.0)[:labels])
    made = propose_with(study, Judge(**SERVER), "robot")
    summaries = sum(len(topic.summaries) for topic in topics)
    assert made.counts == {"ratings": summaries}
    after = judgement_matrices(study, ["rating.fluency"])["rating.fluency"].values
    np.testing.assert_array_equal(after, before)
    named = judgement_matrices(study, ["rating.fluency"], ["robot"])["rating.fluency"].values
    assert set(named[np.isfinite(named)]) == {2.5}
    machine = next(one for one in study.annotators.all() if one.name == "robot")
    assert machine.group == MACHINE_GROUP
    (details,) = study.edits.events(topics[0].id, machine.id, "propose")
    assert "judge" in details
    study.edits.undo(machine.id).result()
    left = [
        one for topic in topics for one in study.ratings.of_topic(topic.id) if one.annotator_id == machine.id
    ]
    assert len(left) == summaries - len(topics[-1].summaries)


def test_what_only_a_machine_did_is_no_judgement(study, model):
    study.ratings.add_dimension("fluency", 1, 5)
    model(lambda prompt, labels: (0.0, 0.5, 0.5, 0.0, 0.0)[:labels])
    propose_with(study, Judge(**SERVER), "robot")
    assert "rating.fluency" not in rated_judgements(study)
    run(study)
    assert not study.pyramids.is_any_summary_done()
    assert unit_judgement(study) == ""


def test_ratings_need_a_scale_that_holds_the_rubrics_values(study, model):
    model(lambda prompt, labels: (1.0,) * labels)
    with pytest.raises(InputError, match="no scale coherence, consistency, fluency or relevance"):
        propose_with(study, Judge(**SERVER), "robot")
    study.ratings.add_dimension("fluency", 0, 1)
    with pytest.raises(InputError, match="fluency is 0 to 1"):
        propose_with(study, Judge(**SERVER), "robot")
    with pytest.raises(InputError, match="rates on no scale"):
        propose_with(study, Judge(**SERVER, rubric="pairwise"), "robot")
    assert all(one.name != "robot" for one in study.annotators.all())


def test_topics_without_the_texts_needed_are_named(study, model):
    model(nugget_answer)
    made = propose_with(study, AutoNugget(**SERVER, source="documents"), "bot")
    lacking = [head.name for head in study.texts.topics() if not study.texts.topic(head.id).documents]
    assert list(made.without) == lacking
    assert Proposed(0, {}, ("D1",)).sentence("bot").startswith("Nothing proposed for 0 topics")


def test_a_cancelled_run_keeps_whole_topics(study, model):
    model(nugget_answer)
    ids = [head.id for head in study.texts.topics()]
    steps = propose(study, AutoNugget(**SERVER), "bot", ids, "cpu")
    next(steps)
    next(steps)
    steps.close()
    machine = next(one for one in study.annotators.all() if one.name == "bot").id
    assert [bool(study.nuggets.annotation(one, machine).pyramid.scus) for one in ids] == [
        True,
        *(False for _ in ids[1:]),
    ]


def test_requests_are_counted_before_a_proposal_and_none_after_it(study, model):
    ids = [head.id for head in study.texts.topics()]
    model(nugget_answer)
    nuggets = AutoNugget(**SERVER, most=15)
    topics = [study.texts.topic(one) for one in ids]
    asked = run_to_completion(planned_requests(study, nuggets, ids))
    of_topics = [1 + 2 + 2 * len(topic.summaries) for topic in topics]
    assert asked.requests == sum(of_topics)
    assert asked.tokens_out == asked.requests * nuggets.tokens
    propose_with(study, nuggets, "bot")
    assert not run_to_completion(planned_requests(study, nuggets, ids))
    assert not run_to_completion(planned_requests(study, metric("auto-pyramid"), ids))
