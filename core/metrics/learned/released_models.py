"""Released models of S3, read from a user's folder without trusting the files."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError, MissingResource
from core.json_text import parse_json
from core.metrics.base.learned_model import Array, Regressor
from core.metrics.learned import safe_unpickle

RELEASED_TARGETS = {"pyramid": "pyr", "responsiveness": "resp"}
"""Measures of the released models, and a part of each file name."""

_FEATURES = 6
_LARGEST = 64 << 20
_MOST_SECONDS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The released regressors, one per target. digest: SHA-256 of their files."""

    regressors: tuple[Regressor, ...]
    digest: str


def is_folder(model: str) -> bool:
    """Return whether a model is given as a folder: with a slash, or starting with a full stop or a tilde."""
    return model.startswith((".", "~")) or "/" in model or "\\" in model


def state_of(folder: Path) -> Hashable:
    """Return a value that changes when the models in the folder change."""
    return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in _files(folder))


def read_released(folder: Path) -> Released:
    """Read the models in a folder. Raises MissingResource if there are none, InputError if one is refused."""
    files = _files(folder)
    digest = hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files))
    return Released(tuple(_read(file) for file in files), digest.hexdigest())


def _files(folder: Path) -> Sequence[Path]:
    """Return the pickle files of the targets, in order."""
    folder = folder.expanduser()
    if not folder.is_dir():
        raise MissingResource(
            f"There is no folder {folder}. Choose the folder of the released models, which contains "
            "svr.pyr_score.en.pkl and svr.responsiveness.en.pkl."
        )
    return [_file(folder, mark) for mark in RELEASED_TARGETS.values()]


def _file(folder: Path, mark: str) -> Path:
    matching = sorted(file for file in folder.glob("*.pkl") if mark in file.name and file.is_file())
    if len(matching) != 1:
        count = "no file" if not matching else f"{len(matching)} files"
        raise MissingResource(
            f"{folder} has {count} for {mark}, but released models have one file per target, such as "
            "svr.pyr_score.en.pkl. Choose the folder of one language."
        )
    return matching[0]


def _read(file: Path) -> Regressor:
    if file.stat().st_size > _LARGEST:
        raise _refused(file, "it is much larger than a released model")
        # in a separate process, so that a malicious pickle cannot access the study
    command = [sys.executable, "-I", "-S", safe_unpickle.__file__, str(file)]
    try:
        process = subprocess.run(command, capture_output=True, timeout=_MOST_SECONDS, check=False, text=True)
    except subprocess.TimeoutExpired:
        raise _refused(file, f"reading it took more than {_MOST_SECONDS} seconds") from None
    if process.returncode:
        has_reason = process.returncode == safe_unpickle.REFUSED
        raise _refused(file, process.stderr.strip() if has_reason else "the reader process failed")
    try:
        return _regressor(parse_json(process.stdout))
    except ValueError as error:
        raise _refused(file, f"its arrays do not fit together ({error})") from error


def _refused(file: Path, why: str) -> InputError:
    return InputError(f"{file} is not a valid S3 model: {why}. Download the released file again.")


def _regressor(parts: dict[str, Any]) -> Regressor:
    examples, weights, intercept = (_array(parts[key]) for key in ("examples", "weights", "intercept"))
    gamma = parts["gamma"] if isinstance(parts["gamma"], float) else float(_array(parts["gamma"]).item())
    if examples.ndim != 2 or examples.shape[1] != _FEATURES:
        raise ValueError(f"expected {_FEATURES} features, but the shape is {examples.shape}")
    if weights.size != len(examples) or intercept.size != 1:
        raise ValueError(f"{weights.size} weights for {len(examples)} support vectors")
    if not all(np.isfinite(values).all() for values in (examples, weights, intercept, np.array(gamma))):
        raise ValueError("a value is not finite")
    return Regressor(examples, weights.reshape(-1), float(intercept.item()), gamma, np.ones(_FEATURES))


def _array(content: dict[str, Any]) -> Array:
    flat = np.frombuffer(base64.b64decode(content["base64"]), dtype=content["dtype"])
    return np.ascontiguousarray(flat.reshape(content["shape"], order=content["order"]), dtype=np.float64)
