"""Names that users type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.names import MAX_LISTED, first_names, fitting_names, in_sentence, joined_names, resolve_name

FORMATS = ["pack", "brat", "doccano", "inception-xmi", "inception-json"]
JUDGEMENTS = ["pyramid.modified", "rating.coherence", "rating.fluency", "preference.fluency.bt"]


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("coherence", JUDGEMENTS, "rating.coherence"),
        ("Coherence", JUDGEMENTS, "rating.coherence"),
        ("fluency.bt", JUDGEMENTS, "preference.fluency.bt"),
        ("xmi", FORMATS, "inception-xmi"),
        ("PACK", FORMATS, "pack"),
        ("a", ["a", "a-b"], "a"),
        ("ann lee", ["Ann  Lee (2)", "Bob"], "Ann  Lee (2)"),
        ("modified", ["pyramid.modified", "pyramid.modified[references:A]"], "pyramid.modified"),
    ],
)
def test_a_name_that_fits_one_is_taken(name, known, meant):
    assert resolve_name("name", name, known) == meant


@pytest.mark.parametrize(
    ("name", "known", "answer"),
    [
        ("inception", FORMATS, "Did you mean inception-xmi or inception-json?"),
        ("fluency", JUDGEMENTS, "Did you mean rating.fluency or preference.fluency.bt?"),
        ("ANN", ["ann", "Ann"], "Did you mean ann or Ann?"),
        ("topic", ["topics", "topic-pairs"], "Did you mean topic-pairs or topics?"),
        ("bertscor", ["bertscore", "bleu"], "Did you mean bertscore?"),
        ("rouge-2", ["rouge-2[stem:yes].f"], r"Did you mean rouge-2\[stem:yes\].f?"),
        ("1", ["D-1", "D-2"], "Choose one of: D-1, D-2."),
        ("x", [], "There is none."),
        ("x", [f"name-{i}" for i in range(60)], "There are 60: `list` shows them."),
    ],
)
def test_another_name_is_answered_with_what_is_meant(name, known, answer):
    with pytest.raises(InputError, match=rf"^No name is named '{name}'\. {answer.replace('?', '[?]')}$"):
        resolve_name("name", name, known, "`list` shows them")


PARTS = st.lists(st.sampled_from(["a", "ab", "b", "1", "Rouge"]), min_size=1, max_size=3)
NAMES = st.builds("-".join, PARTS)


@given(NAMES | st.text(max_size=5), st.lists(NAMES, unique=True, max_size=30))
def test_an_exact_name_wins_and_a_short_one_never_picks_among_several(name, known):
    fits = fitting_names(name, known)
    if len(fits) == 1:
        assert resolve_name("name", name, known) == fits[0]
    else:
        assert name not in known
        with pytest.raises(InputError) as refused:
            resolve_name("name", name, known)
        assert str(refused.value).count(", ") <= MAX_LISTED + name.count(", ")
    longer = [one for one in known if name and f"-{name}-".casefold() in f"-{one}-".casefold()]
    if any(map(str.isalpha, name)) and name not in known:
        assert len(longer) < 2 or len(fits) != 1 or fits[0].casefold() == name.casefold()


def test_more_names_than_a_sentence_holds_are_counted():
    assert joined_names([f"n{i}" for i in range(10)]) == "n0, n1, n2, n3, n4, n5, n6 or one of 3 more"
    assert joined_names(["a b", "c"]) == "'a b' or c"


def test_words_are_joined_as_in_a_sentence():
    assert [in_sentence(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_names_after_the_first_ones_are_counted():
    assert first_names(["a", "b", "c"]) == "a, b, c"
    assert first_names(["a", "b", "c"], 1) == "a and 2 more"
    assert first_names([str(name) for name in range(1002)], 2) == "0, 1 and 1,000 more"
