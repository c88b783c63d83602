"""Suggestions, on words that are their own vectors."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.domain import pyramid as p
from core.domain.study import Text
from core.errors import InputError
from core.suggestions.encoding import texts_to_encode
from core.suggestions.matches import SummaryMatching
from core.suggestions.new_scus import suggest_scus
from core.suggestions.proposal import Flags, propose_annotation
from core.suggestions.ranking import covered_fraction, suggest_contributors
from core.suggestions.suggestion import (
    DismissedSuggestions,
    SuggestedSpan,
    Suggestion,
    SuggestionKind,
    details_json,
    suggestion_details,
)

NOTHING = DismissedSuggestions()


class Annotator:
    """A topic with the SCUs and matches of one annotator."""

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
            details_json([suggestion_details(s, rank=1, of=1, words=self.words([s]), model="words")])
            for s in suggestions
        )


@pytest.fixture
def annotator(topic, readings_of):
    return Annotator(topic, readings_of)


class TestContributors:
    def test_similar_spans_of_other_references_are_ranked_by_their_cosine(self, annotator):
        annotator.add("ban", "Judge lifted ban", "a", "Judge lifted ban")
        suggestions = annotator.contributors("ban")
        assert annotator.words(suggestions) == ["court judge lifted the ban"]
        assert suggestions[0].similarity == pytest.approx(3 / math.sqrt(3 * 5))
        assert (suggestions[0].kind, suggestions[0].scu_id, suggestions[0].places[0].text_id) == (
            SuggestionKind.CONTRIBUTOR,
            "ban",
            "b",
        )

    def test_references_that_already_express_the_scu_get_no_suggestion(self, annotator):
        annotator.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert [s.places[0].text_id for s in annotator.contributors("storm")] == ["c", "b"]
        _, span = annotator.span("c", "storm closed harbour")
        annotator.annotation = p.add_contributor(annotator.annotation, "storm", "c", [span])
        assert [s.places[0].text_id for s in annotator.contributors("storm")] == ["b"]

    def test_nested_spans_are_suggested_once(self, annotator):
        annotator.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert annotator.words(annotator.contributors("storm"))[0] == "because storm closed harbour"

    def test_words_of_other_scus_rank_after_free_ones(self, annotator):
        annotator.add("cafe", "cafe opened", "a", "Cafe opened")
        assert annotator.words(annotator.contributors("cafe")) == ["and cafe opened"]
        annotator.topic = replace(
            annotator.topic, references=(*annotator.topic.references, Text("d", "D", "Cafe opened."))
        )
        assert [s.places[0].text_id for s in annotator.contributors("cafe")] == ["d", "c"]
        annotator.add("other", "cafe", "d", "Cafe opened")
        assert [s.places[0].text_id for s in annotator.contributors("cafe")] == ["c", "d"]

    def test_dismissed_spans_and_nested_ones_are_not_suggested_again(self, annotator):
        annotator.add("storm", "storm closed harbour", "a", "storm closed harbour")
        first, second = annotator.contributors("storm")
        assert annotator.contributors("storm", annotator.dismissing(first)) == (second,)
        annotator.add("other", "storm closed harbour", "a", "storm")
        assert len(annotator.contributors("other", annotator.dismissing(first))) == 2

    def test_a_removed_scu_is_reported(self, annotator):
        with pytest.raises(InputError, match="no longer in the pyramid"):
            annotator.contributors("gone")


class TestNewScus:
    def test_similar_clauses_of_different_references_form_one_suggestion(self, annotator):
        suggestions = annotator.scus()
        assert (
            annotator.words(suggestions)[0]
            == "storm closed harbour | The harbour storm waited | because storm closed harbour"
        )
        assert suggestions[0].label == "Storm closed harbour"  # not “because storm closed harbour”
        # “the” and “because” are no words of the vocabulary: they share one axis
        assert suggestions[0].similarity == pytest.approx((2 / math.sqrt(12) + 3 / math.sqrt(12) + 3 / 4) / 3)
        assert math.isnan(suggestions[-1].similarity)
        assert len(suggestions[-1].places) == 1

    def test_no_reference_occurs_twice_in_one_suggestion(self, annotator):
        for suggestion in annotator.scus():
            texts = [place.text_id for place in suggestion.places]
            assert len(texts) == len(set(texts))

    def test_words_of_an_scu_are_not_suggested(self, annotator):
        annotator.add("storm", "storm closed harbour", "a", "storm closed harbour")
        assert "storm closed harbour" not in "\n".join(annotator.words(annotator.scus())[:1])

    def test_a_dismissed_suggestion_is_not_repeated_in_parts(self, annotator):
        first = annotator.scus()[0]
        left = annotator.words(annotator.scus(annotator.dismissing(first)))
        assert not [words for words in left if "storm closed" in words]

    def test_a_covered_topic_has_no_suggestions(self, annotator):
        for text in annotator.topic.references:
            annotator.add(text.id, "all", text.id, text.content)
        assert annotator.scus() == ()


class TestMatches:
    @pytest.fixture(autouse=True)
    def _pyramid(self, annotator):
        annotator.add("ban", "Judge lifted ban", "a", "Judge lifted ban")
        annotator.add("storm", "storm closed harbour", "a", "storm closed harbour")
        annotator.add("ships", "Two ships waited", "c", "Two ships waited")

    def test_unmatched_scus_have_their_best_span_sorted_by_similarity(self, annotator):
        suggestions = annotator.matching().unmatched()
        assert {
            s.scu_id: words for s, words in zip(suggestions, annotator.words(suggestions), strict=True)
        } == {"ban": "Judge lifted ban", "storm": "Storm closed harbour"}
        annotator.match("ban", "Judge lifted ban")
        assert [s.scu_id for s in annotator.matching().unmatched()] == ["storm"]

    def test_spans_for_one_scu_exclude_matched_ones(self, annotator):
        assert annotator.words(annotator.matching().spans_for("ban")) == ["Judge lifted ban"]
        annotator.match("ban", "Judge lifted ban")
        assert annotator.matching().spans_for("ban") == ()

    def test_an_uncovered_clause_is_suggested_for_an_scu_or_as_outside(self, annotator):
        suggestions = annotator.matching().uncovered()
        assert [(s.kind, s.scu_id) for s in suggestions] == [
            (SuggestionKind.MATCH, "storm"),
            (SuggestionKind.MATCH, "ban"),
            (SuggestionKind.UNIT, ""),
        ]
        assert annotator.words(suggestions)[-1] == "The old bridge ruled"

    def test_dismissed_matches_and_units_are_not_suggested_again(self, annotator):
        storm, ban, outside = annotator.matching().uncovered()
        left = annotator.matching(annotator.dismissing(storm, outside))
        assert [(s.kind, annotator.words([s])[0]) for s in left.uncovered()] == [
            (SuggestionKind.UNIT, "Storm closed harbour"),
            (SuggestionKind.MATCH, "Judge lifted ban"),
        ]
        assert [s.scu_id for s in left.unmatched()] == ["ban"]
        assert ban in left.uncovered()

    def test_without_scus_every_clause_is_outside_the_pyramid(self, annotator):
        annotator.annotation = p.empty("t", "ann")
        suggestions = annotator.matching().uncovered()
        assert {s.kind for s in suggestions} == {SuggestionKind.UNIT}
        assert all(math.isnan(s.similarity) for s in suggestions)


def test_the_history_stores_the_suggestion_and_its_reason():
    suggestion = Suggestion(SuggestionKind.MATCH, (SuggestedSpan("s", (3, 9)),), 0.81234, "scu-1")
    details = suggestion_details(suggestion, rank=2, of=5, words=["closed"], model="MiniLM")
    exported = json.loads(details_json([details]))
    assert exported == {
        "suggestion": "match",
        "scu": "scu-1",
        "places": [["s", 3, 9]],
        "words": ["closed"],
        "similarity": 0.8123,
        "rank": 2,
        "of": 5,
        "model": "MiniLM",
    }


def test_the_share_of_words_in_other_scus():
    text = Text("t", "A", "Old ships waited outside.")
    assert covered_fraction(text, [(0, 3), (0, 16), (10, 24)], [(4, 9)]).tolist() == [
        0.0,
        pytest.approx(1 / 3),
        0.0,
    ]


def test_a_pyramid_is_proposed_with_all_units_of_the_summaries(topic, readings_of) -> None:
    encoded = readings_of((*topic.references, *topic.summaries))
    proposed = propose_annotation(topic, encoded, 0.55)
    held = [(scu.label, [c.reference_id for c in scu.contributors]) for scu in proposed.pyramid.scus]
    assert held == [
        ("Storm closed harbour", ["a", "b", "c"]),
        ("Judge lifted ban", ["a", "b"]),
        ("Cafe opened Monday", ["a"]),
        ("Two ships waited, and cafe opened", ["c"]),
    ]
    content = topic.summaries[0].content
    labels = {None: "", **{scu.id: scu.label for scu in proposed.pyramid.scus}}
    units = [(labels[match.scu_id], content[slice(*match.parts[0].span)]) for match in proposed.matches]
    assert units == [
        ("Storm closed harbour", "Storm closed harbour"),
        ("Judge lifted ban", "Judge lifted ban"),
        ("", "The old bridge ruled"),
    ]
    strict = propose_annotation(topic, encoded, 0.99)
    labels = {scu.id: (scu.label, scu.weight) for scu in strict.pyramid.scus}
    found = [labels[match.scu_id] for match in strict.matches if match.scu_id is not None]
    assert found == [("Storm closed harbour", 1), ("Judge lifted ban", 1)]  # others have a word more


def test_entailment_decides_where_it_is_asked(topic, readings_of) -> None:
    def entails(texts: Sequence[Text], labels: Sequence[str]) -> Flags:
        assert [text.id for text in texts] == ["s"]
        return np.array([[label == "Cafe opened Monday" for label in labels]])

    proposed = propose_annotation(topic, readings_of((*topic.references, *topic.summaries)), 0.55, entails)
    cafe = proposed.pyramid.scus[2]
    assert cafe.label == "Cafe opened Monday"
    assert [match.scu_id for match in proposed.matches] == [cafe.id, None, None]
