"""Baselines for rescaling BERTScore: average scores of unrelated texts.

A score x becomes (x - b) / (1 - b): 0 for unrelated texts, 1 for equal ones. A baseline is specific to a
model, a layer and a language; the published ones for English are included.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from core.errors import InputError, MissingResource
from core.files.allowed_names import allowed_names
from core.metrics.base import Array
from core.models.catalogue.model_folder import Model

FILE = "rescale_baseline.tsv"
"""File name of the baselines in a model's folder."""


def find_baselines(model: Model, layer: int, file: str = "") -> Array:
    """Return the baselines of precision, recall and F for a model's layer, shape (3,).

    file: in the format of bert-score; empty = the file in the model's folder, otherwise the published
    ones.
    Raises MissingResource if there are none for the layer, InputError if a file is damaged.
    """
    own = model.folder / FILE
    path = allowed_names().place(file) if file else own
    if file and not path.is_file():
        raise MissingResource(f"There is no file {file}. Set baseline to the file for {model.name}.")
    known = _read(path) if path.is_file() else _published().get(model.name.rpartition("/")[2], {})
    if layer not in known:
        where = f"in {path} " if path.is_file() else ""
        raise MissingResource(
            f"There is no baseline {where}for layer {layer} of {model.name}. Score without rescaling, or "
            f"provide a file with rows LAYER,P,R,F as baseline=FILE or as {FILE} in the model's folder."
        )
    return np.array(known[layer])


def format_baselines(baselines: Array) -> str:
    """Return baselines as text for signatures."""
    return "/".join(repr(float(one)) for one in baselines)


_Rows = dict[int, tuple[float, float, float]]


def _read(file: Path) -> _Rows:
    """Read the baselines by layer from a file with columns separated by commas or tabs."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return dict(_rows(line.replace("\t", ",").split(",") for line in lines if line[:1].isdigit()))
    except (OSError, ValueError) as error:
        raise InputError(
            f"The baselines in {file} cannot be read ({error}). Each row must have a layer and three numbers "
            "below 1, for example 9,0.354,0.354,0.352."
        ) from error


def _rows(cells: Iterator[list[str]]) -> Iterator[tuple[int, tuple[float, float, float]]]:
    for layer, *parts in cells:
        precision, recall, f = map(float, parts)
        if not (precision < 1 and recall < 1 and f < 1):  # also rejects NaN
            raise ValueError(f"a baseline of layer {layer} is not below 1")
        yield int(layer), (precision, recall, f)


@cache
def _published() -> dict[str, _Rows]:
    """Return the published English baselines by model."""
    text = (resources.files("resources") / "baselines" / "bertscore_en.tsv").read_text(encoding="utf-8")
    baselines: dict[str, _Rows] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            model, *cells = line.split("\t")
            baselines.setdefault(model, {}).update(_rows(iter([cells])))
    return baselines
