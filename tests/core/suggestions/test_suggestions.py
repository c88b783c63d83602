"""Suggestions, on words that are their own vectors."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from core.domain import pyramid as p
from core.domain.study import Text
from core.errors import InputError
from core.suggestions.contributors import suggest_contributors
from core.suggestions.encoding import texts_to_encode
from core.suggestions.matches import SummaryMatching
from core.suggestions.new_scus import suggest_scus
from core.suggestions.ranking import covered_fraction
from core.suggestions.suggestion import (
    DismissedSuggestions,
    SuggestedSpan,
    Suggestion,
    SuggestionKind,
    suggestion_json,
)

NOTHING = DismissedSuggestions()


class Desk:
    """An annotator before the topic."""

    def __init__(self, topic, readings_of) -> None:
        self.topic, self.readings_of = topic, readings_of
        self.annotation = p.empty(topic.id, "ann")
        self.summary = topic.summaries[0]

    def span(self, letter, words):
        text = next(t for t in (*self.topic.references, *self.topic.summaries) if t.id == letter)
        start = text.content.index(words)
        return text.id, (start, start + len(words))

    def add(self, scu_id, label, letter, words):
        text_id, span = self.span(letter, words)
        self.annotation = p.add_scu(self.annotation, label, text_id, [span], scu_id)

    def match(self, scu_id, words):
        spans = [self.span("s", words)[1]]
        self.annotation = p.add_match(self.annotation, "s", "ann", scu_id, spans)

    @property
    def readings(self):
        return self.readings_of(texts_to_encode(self.topic, self.annotation, self.topic.summaries))

    def contributors(self, scu_id, dismissed=NOTHING):
        return suggest_contributors(self.topic, self.annotation, scu_id, self.readings, dismissed)

    def scus(self, dismissed=NOTHING):
        return suggest_scus(self.topic, self.annotation, self.readings, dismissed)

    def matching(self, dismissed=NOTHING):
        return SummaryMatching(self.topic, self.annotation, self.summary, "ann", self.readings, dismissed)

    def words(self, suggestions):
        contents = {t.id: t.content for t in (*self.topic.references, *self.topic.summaries)}
        return [
            " | ".join(contents[place.text_id][slice(*place.span)] for place in s.places) for s in suggestions
        ]

    def dismissing(self, *suggestions):
        return DismissedSuggestions(
            suggestion_json(s, rank=1, of=1, words=self.words([s]), model="words") for s in suggestions
        )


@pytest.fixture
def desk(topic, readings_of):
    return Desk(topic, readings_of)


class TestContributors:
    def test_similar_spans_of_other_references_are_ranked_by_their_cosine(self, desk):
        desk.add("ban", "Judge lifted ban", "a", "Judge lifted ban")
        found = desk.contributors("ban")
        assert desk.words(found) == ["court judge lifted the ban"]
        assert found[0].similarity == pytest.approx(3 / math.sqrt(3 * 5))
        assert (found[0].kind, found[0].scu_id, found[0].places[0].text_id) == (
            SuggestionKind.CONTRIBUTOR,
            "ban",
            "b",
        )

    def test_references_that_express_it_already_are_left_alone(self, desk):
        desk.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert [s.places[0].text_id for s in desk.contributors("storm")] == ["c", "b"]
        _, span = desk.span("c", "storm closed harbour")
        desk.annotation = p.add_contributor(desk.annotation, "storm", "c", [span])
        assert [s.places[0].text_id for s in desk.contributors("storm")] == ["b"]

    def test_spans_that_nest_stand_once(self, desk):
        desk.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert desk.words(desk.contributors("storm"))[0] == "because storm closed harbour"

    def test_words_that_another_scu_holds_rank_behind_free_ones(self, desk):
        desk.add("cafe", "cafe opened", "a", "Cafe opened")
        assert desk.words(desk.contributors("cafe")) == ["and cafe opened"]
        desk.topic = replace(desk.topic, references=(*desk.topic.references, Text("d", "D", "Cafe opened.")))
        assert [s.places[0].text_id for s in desk.contributors("cafe")] == ["d", "c"]
        desk.add("other", "cafe", "d", "Cafe opened")
        assert [s.places[0].text_id for s in desk.contributors("cafe")] == ["c", "d"]

    def test_what_was_dismissed_stays_away_and_so_does_what_nests_with_it(self, desk):
        desk.add("storm", "storm closed harbour", "a", "storm closed harbour")
        first, second = desk.contributors("storm")
        assert desk.contributors("storm", desk.dismissing(first)) == (second,)
        desk.add("other", "storm closed harbour", "a", "storm")
        assert len(desk.contributors("other", desk.dismissing(first))) == 2

    def test_a_removed_scu_is_reported(self, desk):
        with pytest.raises(InputError, match="no longer in the pyramid"):
            desk.contributors("gone")


class TestNewScus:
    def test_alike_clauses_of_different_references_make_one(self, desk):
        found = desk.scus()
        assert (
            desk.words(found)[0]
            == "storm closed harbour | The harbour storm waited | because storm closed harbour"
        )
        assert found[0].label == "Storm closed harbour"  # not “because storm closed harbour”
        # “the” and “because” are no words of the vocabulary: they share one axis
        assert found[0].similarity == pytest.approx((2 / math.sqrt(12) + 3 / math.sqrt(12) + 3 / 4) / 3)
        assert math.isnan(found[-1].similarity)
        assert len(found[-1].places) == 1

    def test_no_reference_occurs_twice_in_one_suggestion(self, desk):
        for suggestion in desk.scus():
            texts = [place.text_id for place in suggestion.places]
            assert len(texts) == len(set(texts))

    def test_what_an_scu_holds_is_not_proposed(self, desk):
        desk.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert "storm closed harbour" not in "\n".join(desk.words(desk.scus())[:1])

    def test_a_dismissed_one_does_not_come_back_in_parts(self, desk):
        first = desk.scus()[0]
        left = desk.words(desk.scus(desk.dismissing(first)))
        assert not [words for words in left if "storm closed" in words]

    def test_a_topic_that_is_covered_has_none(self, desk):
        for text in desk.topic.references:
            desk.add(text.id, "all", text.id, text.content)
        assert desk.scus() == ()


class TestMatches:
    @pytest.fixture(autouse=True)
    def _pyramid(self, desk):
        desk.add("ban", "Judge lifted ban", "a", "Judge lifted ban")
        desk.add("storm", "storm closed harbour", "a", "storm closed harbour")
        desk.add("ships", "Two ships waited", "c", "Two ships waited")

    def test_each_unmatched_scu_has_its_best_span_the_most_similar_first(self, desk):
        found = desk.matching().unmatched()
        assert {s.scu_id: words for s, words in zip(found, desk.words(found), strict=True)} == {
            "ban": "Judge lifted ban",
            "storm": "Storm closed harbour",
        }
        desk.match("ban", "Judge lifted ban")
        assert [s.scu_id for s in desk.matching().unmatched()] == ["storm"]

    def test_spans_for_one_scu_leave_out_those_that_are_matched(self, desk):
        assert desk.words(desk.matching().spans_for("ban")) == ["Judge lifted ban"]
        desk.match("ban", "Judge lifted ban")
        assert desk.matching().spans_for("ban") == ()

    def test_an_uncovered_clause_goes_to_its_scu_or_outside_the_pyramid(self, desk):
        found = desk.matching().uncovered()
        assert [(s.kind, s.scu_id) for s in found] == [
            (SuggestionKind.MATCH, "storm"),
            (SuggestionKind.MATCH, "ban"),
            (SuggestionKind.UNIT, ""),
        ]
        assert desk.words(found)[-1] == "The old bridge ruled"

    def test_dismissed_matches_and_units_stay_away(self, desk):
        storm, ban, outside = desk.matching().uncovered()
        left = desk.matching(desk.dismissing(storm, outside))
        assert [(s.kind, desk.words([s])[0]) for s in left.uncovered()] == [
            (SuggestionKind.UNIT, "Storm closed harbour"),
            (SuggestionKind.MATCH, "Judge lifted ban"),
        ]
        assert [s.scu_id for s in left.unmatched()] == ["ban"]
        assert ban in left.uncovered()

    def test_without_scus_every_clause_is_a_unit_outside(self, desk):
        desk.annotation = p.empty("t", "ann")
        found = desk.matching().uncovered()
        assert {s.kind for s in found} == {SuggestionKind.UNIT}
        assert all(math.isnan(s.similarity) for s in found)


def test_the_history_keeps_what_was_suggested_and_why():
    suggestion = Suggestion(SuggestionKind.MATCH, (SuggestedSpan("s", (3, 9)),), 0.81234, "scu-1")
    kept = json.loads(suggestion_json(suggestion, rank=2, of=5, words=["closed"], model="MiniLM"))
    assert kept == {
        "suggestion": "match",
        "scu": "scu-1",
        "places": [["s", 3, 9]],
        "words": ["closed"],
        "similarity": 0.8123,
        "rank": 2,
        "of": 5,
        "model": "MiniLM",
    }


def test_the_share_of_words_that_others_hold():
    text = Text("t", "A", "Old ships waited outside.")
    assert covered_fraction(text, [(0, 3), (0, 16), (10, 24)], [(4, 9)]).tolist() == [
        0.0,
        pytest.approx(1 / 3),
        0.0,
    ]
