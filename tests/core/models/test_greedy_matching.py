"""Greedy matching of token vectors."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.encoders import greedy_matching
from core.models.encoders.greedy_matching import best_cosines

lengths = st.lists(st.integers(1, 5), min_size=1, max_size=4)


def texts(lengths: list[int], seed: int) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(length, 6, generator=generator) for length in lengths]


def test_each_piece_is_matched_with_the_nearest() -> None:
    mine = [torch.tensor([[1.0, 0.0], [0.0, 2.0]])]
    theirs = [torch.tensor([[0.0, 1.0], [3.0, 4.0], [-1.0, 0.0]])]
    there, back = best_cosines(mine, theirs)
    assert there.cosines[0, 0] == pytest.approx([0.6, 1.0])
    assert there.pieces[0, 0].tolist() == [1, 0]
    assert back.cosines[0, 0] == pytest.approx([1.0, 0.8, 0.0])
    assert back.pieces[0, 0].tolist() == [1, 1, 1]


def test_a_negative_maximum_stays_negative_next_to_longer_texts() -> None:
    mine = [torch.tensor([[1.0, 0.0]])]
    theirs = [torch.tensor([[-1.0, 0.0]]), torch.tensor([[-1.0, 0.0], [0.0, 1.0]])]
    there, _ = best_cosines(mine, theirs)
    assert there.cosines[0, :, 0].tolist() == [-1.0, 0.0]


@settings(deadline=None)
@given(lengths, lengths, st.integers(0, 999), st.sampled_from([1, 30, 1 << 24]))
def test_all_pairs_at_once_equal_one_pair_after_another(
    mine_lengths: list[int], their_lengths: list[int], seed: int, held: int
) -> None:
    mine, theirs = texts(mine_lengths, seed), texts(their_lengths, seed + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy_matching, "_MOST_COSINES", held)
        there, back = best_cosines(mine, theirs)
    for i, a in enumerate(mine):
        for j, b in enumerate(theirs):
            cosines = torch.nn.functional.cosine_similarity(a[:, None], b[None], dim=2).numpy()
            np.testing.assert_allclose(there.cosines[i, j, : len(a)], cosines.max(axis=1), atol=1e-6)
            np.testing.assert_allclose(back.cosines[j, i, : len(b)], cosines.max(axis=0), atol=1e-6)
            np.testing.assert_array_equal(there.pieces[i, j, : len(a)], cosines.argmax(axis=1))
            assert not there.cosines[i, j, len(a) :].any()
