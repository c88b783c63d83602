"""Tests that need a GPU. All of them: ``python -m pytest -m gpu -n0``."""

from __future__ import annotations

import pytest
import torch

GPU = (
    pytest.mark.gpu,
    pytest.mark.skipif(
        not torch.cuda.is_available(),
        reason="needs an NVIDIA GPU and a torch that knows it; there, run: python -m pytest -m gpu -n0",
    ),
)
CPU_AND_GPU = ("cpu", pytest.param("cuda", marks=GPU))
