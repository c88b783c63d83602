"""The request of a training; trained models are tested in `tests/core/training`."""

from __future__ import annotations

import pytest

from core.operations.train import feature_names


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("s3-best", ["s3-best"]),
        ("rouge-2.recall, bleu", ["rouge-2.recall", "bleu"]),
        ("rouge-n:n=2,stem=yes.f,js:n=1", ["rouge-n:n=2,stem=yes.f", "js:n=1"]),
        ("rouge-2[stem:no,alpha:0.8].f,bleu", ["rouge-2[stem:no,alpha:0.8].f", "bleu"]),
        (" , ", []),
    ],
)
def test_features_are_cut_at_the_commas_between_them(listed, names):
    assert feature_names(listed) == names
