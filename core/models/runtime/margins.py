"""How near an arg max came to another answer."""

from __future__ import annotations

import torch

TIE_TOLERANCE = 1e-5
"""By how much another batch or device may move a number in float32."""


def is_near_tie(scores: torch.Tensor) -> torch.Tensor:
    """Whether the best two of each row lie so near that rounding may turn them. scores: shape (..., choices).

    Either may move by `TIE_TOLERANCE`, or by the last digit of the numbers computed with, if that is more.
    """
    if scores.shape[-1] < 2:
        return torch.zeros(scores.shape[:-1], dtype=torch.bool, device=scores.device)
    best = scores.topk(2, dim=-1).values
    last_digit = torch.finfo(scores.dtype).eps * best[..., 0].abs()
    undecided: torch.Tensor = best[..., 0] - best[..., 1] <= 2 * last_digit.clamp(min=TIE_TOLERANCE)
    return undecided
