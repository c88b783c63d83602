"""Occurrences of phrases in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.occurrences import MAX_GAP, Method, Phrase, SearchedText
from core.domain.study import Text

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
