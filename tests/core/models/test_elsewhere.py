"""Models on a device with the restrictions of a GPU give the same results."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.files.allowed_names import NameKind, allowed_names
from tests.core.models.on_a_device import Made, Numbers, make_all, numbers_on, tuned_on

pytestmark = pytest.mark.slow


def numbers_elsewhere(made: Made) -> Numbers:
    """Every number on the far device; in a process of its own, which that device is to end with."""
    from core.models.runtime import devices
    from tests.core.models import elsewhere

    library = elsewhere.set_up()
    allowed_names().restore({NameKind.PLACE: (Path.cwd().anchor,)})
    devices._BATCH_TOKENS[elsewhere.NAME] = 512  # as on a CPU
    numbers = {**numbers_on(elsewhere.NAME, made), "tuned": tuned_on(elsewhere.NAME, made)}
    del library
    return numbers


def test_every_model_stays_on_its_device(make_model: Callable[..., Path], tmp_path: Path) -> None:
    made = make_all(make_model, tmp_path)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        there = process.submit(numbers_elsewhere, made)
        here = {**numbers_on("cpu", made), "tuned": tuned_on("cpu", made)}
        numbers = there.result()
    assert numbers.keys() == here.keys()
    for name, values in here.items():
        np.testing.assert_allclose(numbers[name], values, atol=1e-5, rtol=0, err_msg=name)
