"""Detection of near ties in an arg max."""

from __future__ import annotations

import torch

TIE_TOLERANCE = 1e-5
"""Difference in float32 that another batch or device may make."""


def is_near_tie(scores: torch.Tensor) -> torch.Tensor:
    """Return whether rounding could swap the best two choices of each row. scores: shape (..., choices).

    Each score may change by `TIE_TOLERANCE`, or by one unit in the last place if that is larger.
    """
    if scores.shape[-1] < 2:
        return torch.zeros(scores.shape[:-1], dtype=torch.bool, device=scores.device)
    best = scores.topk(2, dim=-1).values
    last_digit = torch.finfo(scores.dtype).eps * best[..., 0].abs()
    undecided: torch.Tensor = best[..., 0] - best[..., 1] <= 2 * last_digit.clamp(min=TIE_TOLERANCE)
    return undecided
