"""Words of mteval-v13a, beside sacrebleu's tokenizer."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from core.jit import Kernel
from core.text import mteval
from core.text.mteval import number_words, tokenize_13a


@given(st.one_of(st.text(), st.text("ab5 .,-'\n(/&;~\u2013\u00a0\u0665\x1c")))
@example("a..5 1...6 5..x .5 5.-6")
@example("5-6 a-5-b --5 -5.,6")
@example("AT&amp;T &quot;so&lt;skipped>&gt;-\nme &amp;lt;")
def test_words_are_those_of_sacrebleu(text):
    assert tokenize_13a(text) == Tokenizer13a()(text).split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It cost $3,000.50 (e.g.).", ["It", "cost", "$", "3,000.50", "(", "e", ".", "g", ".", ")", "."]),
        ("1990-91 re-read", ["1990", "-", "91", "re-read"]),
    ],
)
def test_numbers_and_words_stay_whole(text, words):
    assert tokenize_13a(text) == words


@given(st.lists(st.text("ab5 .,-'\n(\u2013"), max_size=5), st.booleans())
def test_equal_words_have_equal_numbers(texts, is_13a):
    words = [tokenize_13a(text) if is_13a else text.split() for text in texts]
    numbers = number_words(texts, is_13a)
    pairs = [
        (word, number)
        for mine, theirs in zip(words, numbers, strict=True)
        for word, number in zip(mine, theirs.tolist(), strict=True)
    ]
    assert len({word for word, _ in pairs}) == len({number for _, number in pairs}) == len(set(pairs))
    assert {number for _, number in pairs} == set(range(len(set(pairs))))


def test_no_text_makes_its_words_collide(monkeypatch):
    is_same, compared = mteval._is_same, []
    monkeypatch.setattr(mteval, "_is_same", lambda *words: compared.append(words) or is_same(*words))
    monkeypatch.setattr(mteval, "_find_words", Kernel(mteval._fill_words))  # not compiled, to count
    words = {"".join(halves) for halves in product(("Aa", "BB"), repeat=9)}  # equal under s[0]·31ⁿ⁻¹ + …
    (numbers,) = number_words([" ".join(words)], is_13a=True)
    assert len(set(numbers.tolist())) == len(words)
    assert len(compared) < 10 * len(words)
