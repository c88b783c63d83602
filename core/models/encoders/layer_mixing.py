"""Combination of several layers' vectors into one vector per word piece."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.encoders.encoder import Encoded

Vectors = NDArray[np.float64]


def power_means(encoded: Encoded) -> Vectors:
    """Concatenate minimum, mean and maximum of the layers' unit vectors, shape (pieces, 3 × dimension).

    Source: Rücklé et al. 2018, p-means for the powers −∞, 1 and ∞.
    """
    with torch.inference_mode():
        units = torch.nn.functional.normalize(encoded.vectors.float(), dim=-1)
        joined = torch.cat([units.amin(dim=0), units.mean(dim=0), units.amax(dim=0)], dim=-1)
    return _array(joined)


def last_vectors(encoded: Encoded) -> Vectors:
    """Return the vectors of the last requested layer, shape (pieces, dimension)."""
    return _array(encoded.vectors[-1])


def _array(vectors: torch.Tensor) -> Vectors:
    mixed: Vectors = vectors.float().cpu().numpy().astype(np.float64)
    return mixed
