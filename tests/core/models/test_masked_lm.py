"""Masked language model: notation of pieces, inputs, and near ties."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import InputError
from core.models.heads.head_model import is_near_tie
from core.models.heads.masked_lm import MaskedSentence, _marked, load_masked_lm
from core.models.runtime.batches import Batcher

Make = Callable[..., Path]


def test_pieces_of_any_model_have_wordpiece_notation() -> None:
    text = "unbelievable café, 3rd"
    assert [_marked(text, *span) for span in ((0, 2), (2, 12), (12, 17), (17, 18), (18, 20), (20, 22))] == [
        "un",
        "##believable",
        "café",
        ",",
        "3",
        "##rd",
    ]


def test_the_head_runs_only_on_masked_positions(make_model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_masked_lm(str(make_model("tiny", "BertForMaskedLM")), device="cpu")
    rows: list[int] = []
    head = model.module.cls
    before = head.register_forward_pre_hook(
        lambda _module, arguments: rows.append(arguments[0].shape[:2].numel())
    )
    ids = np.array([5, 4, 7, 4], dtype=np.int64)
    places = np.array([1, 3], dtype=np.int64)
    inputs = [MaskedSentence(ids[:0], ids, places), MaskedSentence(ids[:1], ids[:2], places[:1])]
    first, second = model.guess(inputs)
    before.remove()
    assert (len(first.ids), len(second.ids), sum(rows)) == (2, 1, 3)
    with torch.inference_mode():
        whole = model.module(input_ids=torch.tensor([[2, 5, 4, 7, 4, 3]])).logits[0]
    assert first.ids.tolist() == whole[[2, 4]].argmax(-1).tolist()


def test_two_candidates_within_rounding_are_undecided() -> None:
    scores = torch.tensor([[3.0, 3.0, 1.0], [3.0, 3.0 - 1.5e-5, 0.0], [3.0, 2.9999, 0.0], [3.0, 1.0, 0.0]])
    assert is_near_tie(scores).tolist() == [True, True, False, False]
    coarse = torch.tensor([[8.0, 7.96875]], dtype=torch.bfloat16)  # one step apart
    assert is_near_tie(coarse).tolist() == [True]
    assert is_near_tie(torch.tensor([[8.0]])).tolist() == [False]


def test_out_of_memory_halves_the_batch_and_continues() -> None:
    sizes = []

    def step(batch: list[int]) -> list[int]:
        if len(batch) > 2:
            raise torch.OutOfMemoryError("no room")
        sizes.append(len(batch))
        return [10 * place for place in batch]

    batches = Batcher("tiny", "cpu", 100)
    assert batches.run([5, 1, 3, 4, 2, 5, 5], step) == [0, 10, 20, 30, 40, 50, 60]
    assert max(sizes) == 2
    sizes.clear()
    with pytest.raises(InputError, match="A text of 5 word pieces is too long for the memory of cpu"):
        Batcher("tiny", "cpu", 1).run(
            [5], lambda _batch: (_ for _ in ()).throw(torch.OutOfMemoryError("no room"))
        )
    with pytest.raises(RuntimeError, match="another fault"):
        Batcher("tiny", "cpu", 1).run(
            [5], lambda _batch: (_ for _ in ()).throw(RuntimeError("another fault"))
        )
