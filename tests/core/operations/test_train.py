"""The request of a training; trained models are tested in `tests/core/training`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.operations.options import listed_names
from core.operations.train import feature_names


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("s3-best", ["s3-best"]),
        ("rouge-2.recall, bleu", ["rouge-2.recall", "bleu"]),
        ("rouge-n:n=2,stem=yes.f,js:n=1", ["rouge-n:n=2,stem=yes.f", "js:n=1"]),
        ("rouge-2[stem:no,alpha:0.8].f,bleu", ["rouge-2[stem:no,alpha:0.8].f", "bleu"]),
        (" , ", []),
        ('"a, b.score",bleu', ["a, b.score", "bleu"]),
        ("a]b[c,d", ["a]b[c", "d"]),
    ],
)
def test_features_are_cut_at_the_commas_between_them(listed, names):
    assert feature_names(listed) == names


@given(
    st.lists(st.text(st.sampled_from('[],="a ') | st.characters(), min_size=1).map(str.strip).filter(bool))
)
def test_listed_names_come_back_whatever_they_hold(names):
    assert feature_names(listed_names(names)) == names
