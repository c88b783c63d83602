"""Stems of ROUGE-1.5.5."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.stemming import irregular_forms, morph_stem, porter_stem

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=14)
ENDINGS = st.sampled_from(
    ["s", "es", "ed", "ing", "ly", "ion", "ational", "iveness", "fulness", "biliti", "logi", "e"]
)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("agreed", "agre"),
        ("relational", "relat"),
        ("vietnamization", "vietnam"),
        ("adjustable", "adjust"),
        ("controlling", "control"),
        ("yesterday", "yesterdai"),
    ],
)
def test_regular_words_have_porter_stems(word, stem):
    assert porter_stem(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [("agreement", "agreem"), ("argument", "argum"), ("document", "docum"), ("government", "govern")],
)
def test_a_kept_ment_suffix_can_still_lose_ent(word, stem):
    assert porter_stem(word) == stem


@pytest.mark.parametrize(("word", "lemma"), [("mice", "mouse"), ("applied", "apply"), ("axes", "ax")])
def test_irregular_forms_become_their_lemma_unstemmed(word, lemma):
    assert morph_stem(word) == lemma
    assert porter_stem(lemma) != lemma or lemma == "ax"


def test_words_up_to_three_letters_are_not_stemmed():
    assert [morph_stem(word) for word in ("was", "men", "ies")] == ["was", "men", "ies"]


def test_irregular_forms_equal_those_of_wordnet_2():
    assert len(irregular_forms()) == 5930
    assert irregular_forms()["best"] == "well"
    assert "ashes" not in irregular_forms()


def test_rare_words_have_the_perl_scripts_stem():
    assert [porter_stem(word) for word in ("abasion", "abasionation", "abasionational")] == ["abas"] * 3
    assert porter_stem("abyyed") == "abyi"


@given(WORDS.filter(lambda word: not re.search("ent|[st]ion|yy", word)), ENDINGS)
def test_words_of_lins_step_4_have_porters_stem(word, ending):
    nltk = pytest.importorskip("nltk.stem.porter", reason="run: pip install -e .[bench]")
    theirs = nltk.PorterStemmer(mode=nltk.PorterStemmer.MARTIN_EXTENSIONS)
    assert porter_stem(word + ending) == theirs.stem(word + ending)


@pytest.mark.slow
def test_stems_of_nltk_need_nothing_else_of_it_and_leave_it_whole_for_others():
    code = """
import sys
before = list(sys.meta_path)
from core.text.stemming import rouge_score_stem, snowball_stem
print(snowball_stem("generously"), rouge_score_stem("ponies"))
print(*{"scipy", "sklearn", "nltk"} & set(sys.modules), sys.meta_path == before)
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == ["generous poni", "True"]
