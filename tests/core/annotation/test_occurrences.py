"""Occurrences of phrases in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.occurrences import MAX_GAP, Method, Phrase, SearchedText, add_found, find_occurrences
from core.domain.pyramid import Contributor, Part, Pyramid, Scu, TopicAnnotation, UnitKind
from core.domain.study import Text, TopicTexts
from core.progress import run_to_completion

EVERY = tuple(Method)


def matches(parts, content, methods=EVERY, language=""):
    text = SearchedText(Text("t", "", content, language=language))
    return [
        (tuple(content[start:end] for start, end in one.spans), one.method)
        for one in Phrase(parts, language).occurrences(text, methods)
    ]


def test_exact_search_ignores_case_and_matches_whole_words_only():
    content = "The ban was lifted. Bananas; THE BAN was lifted again, the bandage not."
    assert matches(["the ban"], content, (Method.EXACT,)) == [
        (("The ban",), Method.EXACT),
        (("THE BAN",), Method.EXACT),
    ]


def test_inflected_forms_are_found_by_their_stems():
    assert matches(["troops withdraw"], "Troop withdraws; a troop withdrawing.") == [
        (("Troop withdraws",), Method.STEMMED),
        (("troop withdrawing",), Method.STEMMED),
    ]


def test_stemming_applies_to_english_only():
    assert matches(["Haus"], "Hauses", (Method.STEMMED,), language="de") == []


def test_parts_must_occur_in_order_with_few_words_between():
    parts = ["nine people", "killed"]
    near, far = "nine people were quickly killed", "nine people " + "very " * (MAX_GAP + 1) + "killed"
    assert matches(parts, near, (Method.EXACT,)) == [(("nine people", "killed"), Method.EXACT)]
    assert matches(parts, far, (Method.EXACT,)) == []
    assert matches(parts, "killed nine people", (Method.EXACT,)) == []


def test_similar_phrases_are_found_unless_a_number_differs():
    assert matches(["nine hundred soldiers"], "nine-hundred soldier", (Method.FUZZY,))
    assert matches(["hit by earthquake"], "hit by an earthquake") == [
        (("hit by an earthquake",), Method.FUZZY)
    ]
    assert matches(["900 soldiers died"], "800 soldiers died") == []


def test_the_best_of_overlapping_occurrences_is_returned():
    assert matches(["peace talks"], "peace talks, peace talk") == [
        (("peace talks",), Method.EXACT),
        (("peace talk",), Method.STEMMED),
    ]


@pytest.mark.parametrize("parts", [[], [""], ["…"]])
def test_a_phrase_without_words_has_no_occurrences(parts):
    assert not Phrase(parts)
    assert matches(parts, "some text") == []


def test_phrases_are_found_in_languages_without_spaces():
    assert matches(["地震"], "昨日、地震が起きた。", (Method.EXACT,), language="ja") == [
        (("地震",), Method.EXACT)
    ]


WORDS = st.sampled_from(["the", "ban", "was", "lifted", "yesterday", "12", "people", "people's", "died"])


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, min_size=1, max_size=3))
def test_exact_occurrences_equal_those_of_a_naive_search(words, phrase):
    content = " ".join(words)
    spans = matches([" ".join(phrase)], content, (Method.EXACT,))
    places, at = [], 0
    while at <= len(words) - len(phrase):
        if words[at : at + len(phrase)] == phrase:
            places.append(at)
            at += len(phrase)
        else:
            at += 1
    assert len(spans) == len(places)


@given(st.text(max_size=60), st.text(max_size=12))
def test_any_text_can_be_searched(content, phrase):
    text = SearchedText(Text("t", "", content))
    for one in Phrase([phrase]).occurrences(text, EVERY):
        assert all(0 <= start < end <= len(content) for start, end in one.spans)
        assert one.similarity >= 85


TOPIC = TopicTexts(
    "t",
    "D1",
    references=(Text("a", "A", "The old bridge closed."), Text("b", "B", "Old bridges! An old bridge fell.")),
    summaries=(Text("s", "x", "An old bridge closed; the old bridge fell."), Text("u", "y", "Nothing.")),
)


def nuggets_of(*scus):
    return TopicAnnotation(Pyramid("p", "t", "KO", scus, kind=UnitKind.NUGGET))


def test_a_nugget_is_searched_by_its_confirmed_occurrences_in_every_text():
    start = TOPIC.references[0].content.index("old bridge")
    value = nuggets_of(Scu("n", "label", (Contributor("c", "a", (Part("q", start, start + 10),)),)))
    found = run_to_completion(find_occurrences(TOPIC, value, ["n", "gone"], EVERY))
    assert list(found) == ["n"]
    after = add_found(value, found, "KO")
    words = [
        (
            c.reference_id,
            [TOPIC.references["ab".index(c.reference_id)].content[p.start : p.end] for p in c.parts],
        )
        for c in after.scu("n").contributors
    ]
    assert words == [("a", ["old bridge"]), ("b", ["Old bridges"]), ("b", ["old bridge"])]
    assert [c.is_confirmed for c in after.scu("n").contributors] == [True, False, False]
    assert [(m.summary_id, m.is_confirmed) for m in after.matches] == [("s", False)]
    assert add_found(after, found, "KO") == after
    assert after.scu("n").weight == 1


def test_a_nugget_without_occurrences_is_searched_by_its_label():
    found = run_to_completion(find_occurrences(TOPIC, nuggets_of(Scu("n", "old bridge")), ["n"], EVERY))
    assert [hit.text_id for hit in found["n"].references] == ["a", "b", "b"]
