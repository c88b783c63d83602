"""Text analysis of indexes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.analysis import STEMMERS, Analysis, stop_forms

ANALYSES = [Analysis(stemmer, stops) for stemmer in STEMMERS for stops in (False, True)]


def test_words_are_lowercased_stemmed_and_filtered():
    assert Analysis().words("The Courts' RULINGS were generously 2014") == ["court", "rule", "gener", "2014"]
    assert Analysis("english").words("generously ruled") == ["generous", "rule"]
    assert Analysis("none", drop_stop_words=False).words("The Court") == ["the", "court"]


def test_words_of_every_script_are_indexed():
    assert Analysis("none").words("Čapek читает 日本") == ["čapek", "читает", "日", "本"]


def test_a_dropped_stop_word_leaves_a_gap():
    terms = Analysis("none").terms("ban of the bridge")
    assert [(term.word, term.place, term.span) for term in terms] == [
        ("ban", 0, (0, 3)),
        ("bridge", 3, (11, 17)),
    ]


@pytest.mark.parametrize("analysis", ANALYSES, ids=str)
@given(text=st.text(max_size=60))
def test_each_word_is_derived_from_the_text_of_its_span(analysis, text):
    terms = analysis.terms(text)
    assert [term.word for term in terms] == analysis.words(text)
    assert all(analysis.form(text[slice(*term.span)]) == term.word for term in terms)
    assert [term.place for term in terms] == sorted({term.place for term in terms})


@pytest.mark.parametrize("stemmer", STEMMERS)
def test_stop_words_are_known_by_their_stems(stemmer):
    analysis = Analysis(stemmer, drop_stop_words=False)
    assert set(analysis.words("the because having")) <= stop_forms(analysis)
    assert not set(analysis.words("bridge court")) & stop_forms(analysis)
