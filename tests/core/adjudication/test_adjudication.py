"""Adjudication: what is a difference, what the result gets, who decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.adjudication.model import ItemState, Sides
from core.adjudication.topics import (
    AdjudicationSelection,
    adjudication_of,
    is_withheld,
    merge_all_agreements,
    read_topic,
    sides_of,
    survey,
)
from core.annotation.assignment import assign
from core.annotation.blind_mode import make_blind
from core.comparison.judgements import judgements
from core.domain.annotation_merge import conflict_owner
from core.domain.annotator_filter import resolve_annotators
from core.domain.assignment import ASSIGNED, Work
from core.domain.decisions import RESULT_GROUP, Choice
from core.domain.pyramid import add_contributor, add_match, add_scu, set_summary_state
from core.errors import InputError
from core.progress import run_to_completion
from tests.people import imported

VALUES = {"Ann": (2, 4, 3), "Ben": (2, 5, 1)}


class Team:
    """Two annotators of the small study, and the adjudicator's steps on its first topic."""

    def __init__(self, study) -> None:
        self.study = study
        self.topic = study.texts.topic(next(head.id for head in study.texts.topics() if head.name == "D1"))
        self.people = {name: study.annotators.get_or_create(name).id for name in ("Ann", "Ben", "Mia")}
        self.summaries = {text.name: text for text in self.topic.summaries}
        self.references = {text.name: text for text in self.topic.references}

    def rate(self) -> None:
        scale = self.study.ratings.add_dimension("coherence")
        for name, values in VALUES.items():
            for summary, value in zip(self.topic.summaries, values, strict=True):
                self.study.ratings.rate(summary.id, scale.id, self.people[name], value).result()

    def edit(self, owner, name, *changes) -> None:
        before = after = self.study.pyramids.annotation(self.topic.id, self.people[owner])
        for change in changes:
            after = change(after)
        self.study.pyramids.commit(before, after, "edit", self.people[name]).result()

    def span(self, text, words):
        start = text.content.index(words)
        return [(start, start + len(words))]

    def adjudication(self, annotation, names=("Ann", "Ben"), result="adjudicated"):
        selection = AdjudicationSelection(annotation, names, result)
        people = self.study.annotators.all()
        sides = sides_of(people, selection, "Mia")
        if not sides.result.id:
            self.study.annotators.get_or_create(result, RESULT_GROUP)
            sides = sides_of(self.study.annotators.all(), selection, "Mia")
        return adjudication_of(read_topic(self.study, self.topic.id, sides.result.id), selection, sides)

    def decide(self, annotation, number, choice, **options):
        topic = self.adjudication(annotation)
        edit = topic.decide(topic.items[number], choice, **options)
        self.study.adjudication.commit(edit, self.people["Mia"]).result()
        again = self.adjudication(annotation)
        predicted = adjudication_of(topic.data.after(edit), AdjudicationSelection(annotation), topic.sides)
        assert [replace(one, decision=None) for one in predicted.items] == [
            replace(one, decision=None) for one in again.items
        ], "the window shows what is stored"
        return again

    def result_ratings(self):
        row_id = self.study.annotators.get_or_create("adjudicated", RESULT_GROUP).id
        ratings = self.study.ratings.of_topic(self.topic.id)
        return {one.summary_id: one.value for one in ratings if one.annotator_id == row_id}


@pytest.fixture
def team(study):
    return Team(study)


@pytest.fixture
def rated(team):
    team.rate()
    return team


def states(topic):
    return [item.state for item in topic.items]


OPEN, LATER, AGREED, DONE = ItemState


class TestRatings:
    def test_equal_values_agree_and_are_merged_with_the_first_decision(self, rated) -> None:
        topic = rated.adjudication(Work.RATINGS)
        assert states(topic) == [AGREED, OPEN, OPEN]
        after = rated.decide(Work.RATINGS, 1, Choice.ACCEPT, version=1)
        assert states(after) == [DONE, DONE, OPEN]
        first, second, _ = rated.topic.summaries
        assert rated.result_ratings() == {first.id: 2, second.id: 5}

    @pytest.mark.parametrize(
        ("choice", "options", "value"),
        [
            (Choice.ACCEPT, {"version": 0}, 4),
            (Choice.BOTH, {}, 4.5),
            (Choice.VALUE, {"value": 3.0}, 3),
            (Choice.NEITHER, {}, None),
        ],
    )
    def test_a_choice_gives_the_result_its_value(self, choice, options, value, rated) -> None:
        after = rated.decide(Work.RATINGS, 1, choice, **options)
        assert after.items[1].state is DONE
        assert rated.result_ratings().get(rated.topic.summaries[1].id) == value

    def test_a_deferred_item_stays_to_be_decided(self, rated) -> None:
        assert rated.decide(Work.RATINGS, 1, Choice.LATER).items[1].state is LATER

    def test_who_decided_on_which_values_is_stored(self, rated) -> None:
        decision = rated.decide(Work.RATINGS, 1, Choice.ACCEPT, version=1).items[1].decision
        assert (decision.decided_by, decision.source) == ("Mia", "Ben")
        assert decision.basis == '[["Ann",4.0],["Ben",5.0]]'

    def test_a_later_change_of_an_annotator_makes_the_item_open_again(self, rated) -> None:
        rated.decide(Work.RATINGS, 1, Choice.ACCEPT, version=1)
        scale = rated.study.ratings.dimensions()[0]
        summary = rated.topic.summaries[1]
        rated.study.ratings.rate(summary.id, scale.id, rated.people["Ann"], 1).result()
        item = rated.adjudication(Work.RATINGS).items[1]
        assert (item.state, item.is_outdated) == (OPEN, True)

    def test_a_value_outside_the_scale_is_refused(self, rated) -> None:
        topic = rated.adjudication(Work.RATINGS)
        with pytest.raises(InputError, match="9 is outside the scale coherence"):
            topic.decide(topic.items[1], Choice.VALUE, value=9)

    def test_undo_takes_back_the_rating_and_the_decision(self, rated) -> None:
        rated.decide(Work.RATINGS, 1, Choice.ACCEPT, version=1)
        receipt = rated.study.edits.undo(rated.people["Mia"]).result()
        assert receipt.what == "Adjudicated a rating: accepted Ben"
        assert rated.result_ratings() == {}
        assert states(rated.adjudication(Work.RATINGS)) == [AGREED, OPEN, OPEN]
        rated.study.edits.redo(rated.people["Mia"]).result()
        assert states(rated.adjudication(Work.RATINGS)) == [DONE, DONE, OPEN]

    def test_no_annotators_own_work_is_the_result(self, rated) -> None:
        with pytest.raises(InputError, match="Ann is an annotator"):
            rated.adjudication(Work.RATINGS, result="Ann")

    def test_a_blind_study_hides_others_ratings_from_an_annotator_who_is_not_done(self, rated) -> None:
        make_blind(rated.study, enabled=True).result()
        topic = rated.adjudication(Work.RATINGS)
        scale, first = rated.study.ratings.dimensions()[0], rated.topic.summaries[0]
        by_name = {one.name: one for one in rated.study.annotators.all()}
        assert not is_withheld(rated.study, topic, by_name["Mia"])
        rated.study.ratings.rate(first.id, scale.id, rated.people["Mia"], 1).result()
        topic = rated.adjudication(Work.RATINGS)
        assert is_withheld(rated.study, topic, by_name["Mia"])
        assert not is_withheld(rated.study, topic, by_name["Ann"])

    @pytest.mark.parametrize("work", ASSIGNED)
    def test_a_blind_study_hides_what_is_assigned_to_an_annotator_who_has_not_begun(self, rated, work):
        make_blind(rated.study, enabled=True).result()
        assign(rated.study, work, {rated.topic.name: ("Eva",)}, None).result()
        topic, eva = rated.adjudication(work), rated.study.annotators.get_or_create("Eva")
        is_shown = work in (Work.MATCHES, Work.HITS) and not topic.items
        assert is_withheld(rated.study, topic, eva) != is_shown
        assert not is_withheld(rated.study, topic, rated.study.annotators.get_or_create("Fay"))


@pytest.fixture
def matched(team):
    """Ann and Ben matched one SCU alike and one with other words in "good"; Ann has a unit outside."""
    good, a = team.summaries["good"], team.references["A"]
    team.edit(
        "Ann",
        "Ann",
        lambda x: add_scu(x, "Court lifted ban", a.id, team.span(a, "ban on the bridge was void"), "1" * 32),
        lambda x: add_scu(x, "On Monday", a.id, team.span(a, "on Monday"), "2" * 32),
    )
    for name, words in (("Ann", "lifted the ban"), ("Ben", "The court lifted the ban")):
        who = team.people[name]
        team.edit(
            "Ann",
            name,
            lambda x, w=words, who=who: add_match(x, good.id, who, "1" * 32, team.span(good, w)),
            lambda x, who=who: add_match(x, good.id, who, "2" * 32, team.span(good, "bridge")),
            lambda x, who=who: set_summary_state(x, good.id, who, is_done=True),
        )
    ann = team.people["Ann"]
    team.edit("Ann", "Ann", lambda x: add_match(x, good.id, ann, None, team.span(good, "reopened")))
    return team


class TestMatches:
    def result(self, team):
        row_id = team.study.annotators.get_or_create("adjudicated", RESULT_GROUP).id
        annotation = team.study.pyramids.annotation(team.topic.id, team.people["Ann"])
        good = team.summaries["good"]
        state = annotation.state_of(good.id, row_id)
        found = {
            (match.scu_id, "…".join(good.content[part.start : part.end] for part in match.parts))
            for match in annotation.matches_of(good.id, row_id)
        }
        return found, state is not None and state.is_done

    def test_other_words_and_units_of_one_annotator_are_differences(self, matched) -> None:
        topic = matched.adjudication(Work.MATCHES)
        assert [(item.title, item.state) for item in topic.items] == [
            ("Court lifted ban", OPEN),
            ("On Monday", AGREED),
            ("Not in the pyramid: “reopened”", OPEN),
        ]

    def test_the_summary_is_done_when_everything_is_decided(self, matched) -> None:
        matched.decide(Work.MATCHES, 0, Choice.BOTH)
        assert self.result(matched) == ({("1" * 32, "The court lifted the ban"), ("2" * 32, "bridge")}, False)
        matched.decide(Work.MATCHES, 2, Choice.ACCEPT, version=0)
        found, is_done = self.result(matched)
        assert (None, "reopened") in found
        assert is_done
        again = matched.decide(Work.MATCHES, 2, Choice.NEITHER)
        assert (None, "reopened") not in self.result(matched)[0]
        assert states(again) == [DONE, DONE, DONE]

    def test_accepting_no_match_leaves_the_result_without_one(self, matched) -> None:
        after = matched.decide(Work.MATCHES, 2, Choice.ACCEPT, version=1)
        assert after.items[2].state is DONE
        assert None not in {scu for scu, _ in self.result(matched)[0]}

    def test_the_annotators_own_matches_never_change(self, matched) -> None:
        before = matched.study.pyramids.annotation(matched.topic.id, matched.people["Ann"])
        matched.decide(Work.MATCHES, 0, Choice.ACCEPT, version=1)
        after = matched.study.pyramids.annotation(matched.topic.id, matched.people["Ann"])
        assert set(before.matches) <= set(after.matches)

    def test_undo_takes_back_matches_of_the_result_only(self, matched) -> None:
        before = matched.study.pyramids.annotation(matched.topic.id, matched.people["Ann"])
        matched.decide(Work.MATCHES, 0, Choice.BOTH)
        matched.study.edits.undo(matched.people["Mia"]).result()
        assert matched.study.pyramids.annotation(matched.topic.id, matched.people["Ann"]) == before


@pytest.fixture
def built(team):
    """Ann and Ben built pyramids: one SCU alike, one with another contributor, one of each alone."""
    a, b = team.references["A"], team.references["B"]
    ban, monday = team.span(a, "ban on the bridge was void"), team.span(a, "on Monday")
    for name in ("Ann", "Ben"):
        team.edit(
            name,
            name,
            lambda x: add_scu(x, "Ban void", a.id, ban),
            lambda x: add_scu(x, "Monday", a.id, monday),
        )
    lifted = team.span(b, "lifted the ban")
    ids = {
        name: team.study.pyramids.annotation(team.topic.id, team.people[name]).pyramid.scus[0].id
        for name in ("Ann", "Ben")
    }
    team.edit("Ben", "Ben", lambda x: add_contributor(x, ids["Ben"], b.id, lifted))
    team.edit("Ann", "Ann", lambda x: add_scu(x, "Judge", b.id, team.span(b, "A judge")))
    team.edit("Ben", "Ben", lambda x: add_scu(x, "Reopened", b.id, team.span(b, "reopened")))
    return team


class TestPyramids:
    def result(self, team):
        row_id = team.study.annotators.get_or_create("adjudicated", RESULT_GROUP).id
        return team.study.pyramids.annotation(team.topic.id, row_id).pyramid

    def test_pairs_with_the_same_words_agree(self, built) -> None:
        topic = built.adjudication(Work.PYRAMIDS)
        assert [(item.title, item.state) for item in topic.items] == [
            ("Ban void", OPEN),
            ("Monday", AGREED),
            ("Judge", OPEN),
            ("Reopened", OPEN),
        ]

    def test_scus_are_accepted_merged_and_dropped_in_the_order_of_the_first_pyramid(self, built) -> None:
        built.decide(Work.PYRAMIDS, 3, Choice.ACCEPT, version=1)
        built.decide(Work.PYRAMIDS, 2, Choice.NEITHER)
        assert not self.result(built).is_done
        after = built.decide(Work.PYRAMIDS, 0, Choice.BOTH)
        pyramid = self.result(built)
        assert [(scu.label, scu.weight) for scu in pyramid.scus] == [
            ("Ban void", 2),
            ("Monday", 1),
            ("Reopened", 1),
        ]
        assert pyramid.is_done
        assert states(after) == [DONE] * 4

    def test_a_decision_can_be_changed(self, built) -> None:
        built.decide(Work.PYRAMIDS, 0, Choice.ACCEPT, version=1)
        assert self.result(built).scus[0].weight == 2
        built.decide(Work.PYRAMIDS, 0, Choice.ACCEPT, version=0)
        assert [scu.weight for scu in self.result(built).scus] == [1, 1]

    def test_the_result_can_be_undone_and_redone(self, built) -> None:
        built.decide(Work.PYRAMIDS, 0, Choice.BOTH)
        before = self.result(built)
        built.study.edits.undo(built.people["Mia"]).result()
        assert self.result(built).scus == ()
        built.study.edits.redo(built.people["Mia"]).result()
        assert self.result(built) == before


class TestAllTopics:
    def test_agreements_of_all_topics_are_merged_and_counted(self, rated) -> None:
        mia = rated.study.annotators.get_or_create("Mia")
        selection = AdjudicationSelection(annotators=("Ann", "Ben"))
        (counts,) = run_to_completion(survey(rated.study, selection)).of(selection)
        assert (counts.items, counts.open, counts.agreed) == (3, 2, 1)
        assert run_to_completion(merge_all_agreements(rated.study, selection, mia)) == 1
        assert run_to_completion(merge_all_agreements(rated.study, selection, mia)) == 0
        assert list(rated.result_ratings().values()) == [2]

    def test_versions_of_a_merge_conflict_count_only_when_they_are_named(self, rated) -> None:
        study, scale = rated.study, rated.study.ratings.dimensions()[0]
        other = imported(study, "Ann (conflict abc123)")
        study.ratings.rate(rated.topic.summaries[0].id, scale.id, other.id, 5).result()
        people = study.annotators.all()
        names = {one.name for one in sides_of(people, AdjudicationSelection(), "Mia").annotators}
        assert other.name not in names
        assert conflict_owner(other.name) == "Ann"
        topic = rated.adjudication(Work.RATINGS, ("Ann", other.name), "Ann (adjudicated)")
        assert states(topic) == [OPEN]

    def test_sides_need_two_annotators(self, rated) -> None:
        with pytest.raises(InputError, match="two or more annotators"):
            sides_of(rated.study.annotators.all(), AdjudicationSelection(annotators=("Ann",)), "Mia")
        assert isinstance(rated.adjudication(Work.RATINGS).sides, Sides)


def test_the_result_counts_as_a_judgement_only_where_it_is_named(rated) -> None:
    rated.decide(Work.RATINGS, 1, Choice.ACCEPT, version=1)
    assert resolve_annotators((), rated.study.annotators.all()) == {"Ann", "Ben", "Mia"}
    (by_all,) = judgements(rated.study)
    assert by_all.annotators == ("Ann", "Ben")
    (named,) = judgements(rated.study, annotators=("adjudicated",))
    assert named.annotators == ("adjudicated",)
