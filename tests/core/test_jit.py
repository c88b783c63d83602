"""Where compiled loops are kept, and how they are loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core import jit


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


def test_loops_are_looked_for_where_numba_keeps_them(monkeypatch, tmp_path):
    from numba.core import caching

    source = Path(jit.__file__)
    assert jit.folder_of(source) == source.parent / "__pycache__"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    beneath = caching._CacheLocator.get_suitable_cache_subpath(str(source))
    assert jit.folder_of(source) == tmp_path / beneath


@pytest.mark.parametrize("is_installed", [True, False])
def test_an_installed_program_leaves_nothing_next_to_its_files(monkeypatch, tmp_path, is_installed):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    place = tmp_path / ("site-packages" if is_installed else "checkout") / "core" / "jit.py"
    monkeypatch.setattr(jit, "__file__", str(place))
    jit.use_folder(tmp_path / "cache")
    assert (jit.folder_of(place).is_relative_to(tmp_path / "cache")) == is_installed
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


THREADS = """
import sys, threading, time
import numpy as np
from core.jit import Kernel
from core.metrics.kernels.f_measure import round_as_printed, with_f

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("numba."):
            time.sleep(0.002)

sys.meta_path.insert(0, Slow())
Kernel.always_compile()
one, errors = np.ones(3), []

def use(number):
    time.sleep(0.05 * number)
    try:
        round_as_printed(one) if number % 2 else with_f(one, one, 0.5, is_rounded=True)
    except Exception as error:  # whatever a thread raises, the test prints
        errors.append(repr(error))

threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("; ".join(errors) or None)
"""


def test_threads_that_need_their_first_loop_at_once_all_get_it():
    made = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
