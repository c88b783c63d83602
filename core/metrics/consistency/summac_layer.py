"""The released layer of SummaC-Conv: a weight for each bin of entailment probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import MissingResource
from core.files.allowed_names import NameKind, NotAllowed, allowed_names, is_path
from core.models.catalogue.conversion import read_layer_file
from core.models.catalogue.entries import SUMMAC_LAYER, catalogue_entry
from core.models.catalogue.lookup import added_place

Array = NDArray[np.float64]

BINS = np.array(
    [
        *(0.0, 0.01, 0.02, 0.03, 0.04, 0.07, 0.13, 0.37, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96),
        *(0.965, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 1.0),
    ]
)
"""Edges of the bins, by percentiles of the authors' training data; the last bin includes 1."""


@dataclass(frozen=True, slots=True, eq=False)
class SummacLayer:
    """A linear layer over the histogram of a unit's probabilities, and one over the mean of units.

    weights: of each bin, shape (bins,). bias: of a unit.
    slope, intercept: of the log-odds that a summary is consistent, from the mean of its units.
    """

    weights: Array
    bias: float
    slope: float
    intercept: float

    def weights_of(self, probabilities: Array) -> Array:
        """Return the weight of the bin of each probability; the same shape."""
        places = np.searchsorted(BINS, probabilities, side="right") - 1
        return self.weights[np.clip(places, 0, len(self.weights) - 1)]


def find_layer(name: str) -> Path:
    """Return the file of a layer by the name of an added model, or its path.

    Raises MissingResource with how to get it.
    """
    place = added_place(name)
    if place is None and is_path(name):
        if not allowed_names().has(NameKind.PLACE, name):
            raise NotAllowed(NameKind.PLACE, name)
        place = Path(name).expanduser()
    if place is not None and place.is_file():
        return place
    entry = catalogue_entry(SUMMAC_LAYER)
    how = entry.by_hand if entry else ""
    raise MissingResource(f"The layer {name!r} of SummaC-Conv is not on this machine. {how}")


def read_layer(file: Path) -> SummacLayer:
    """Read a layer. Raises InputError if the file is damaged or contains anything else."""
    numbers: Mapping[str, Any] = read_layer_file(file)
    weights, final, final_bias = (
        np.asarray(numbers[key], dtype=np.float64)
        for key in ("mlp.weight", "layer_final.weight", "layer_final.bias")
    )
    slope = float((final[1] - final[0]).sum())
    bias = float(np.asarray(numbers["mlp.bias"], dtype=np.float64).item())
    return SummacLayer(weights.reshape(-1), bias, slope, float(final_bias[1] - final_bias[0]))
