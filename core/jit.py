"""Loops that are interpreted while there is little work, and compiled once that pays off."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMPILE_THRESHOLD = 5_000_000
"""Steps that all loops together run interpreted before any is compiled: a second, less than compiling takes.

A tenth of it for a loop that numba has cached on disk, since loading that takes half a second.
"""

_FOLDER = "NUMBA_CACHE_DIR"
"""Variable that names where numba keeps compiled loops; without it, that is next to their files."""

_log = logging.getLogger(__name__)


def use_folder(folder: Path) -> None:
    """Keep the compiled loops of an installed program in a folder, as pip deletes only what it installed."""
    if "site-packages" in Path(__file__).parts:
        os.environ.setdefault(_FOLDER, str(folder / "compiled"))


def folder_of(source: Path) -> Path:
    """Return where numba keeps the compiled loops of a file."""
    if not (chosen := os.environ.get(_FOLDER)):
        return source.parent / "__pycache__"
    digest = hashlib.sha1(str(source.parent).encode(), usedforsecurity=False).hexdigest()
    return Path(chosen) / f"{source.parent.name}_{digest}"


@contextmanager
def _collecting_no_garbage() -> Iterator[None]:
    """Do not look at the many objects of numba, which all stay: that takes a third of their time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


_LOADING = Lock()
"""Held while numba is imported: its packages import each other, and two threads would see parts of them."""


def _load_numba() -> None:
    with _LOADING:
        _import_numba()


@cache
def _import_numba() -> None:
    """Import numba without scipy.linalg: a quarter of a second, only for how a compiled np.cov multiplies."""
    from numba.np import linalg

    def no_blas() -> None:
        raise ImportError

    looks_for_blas, linalg.ensure_blas = linalg.ensure_blas, no_blas
    try:
        import numba.np.arraymath  # noqa: F401 - looks for BLAS once
    finally:
        linalg.ensure_blas = looks_for_blas


class Kernel:
    """A loop over flat arrays that fills the last one.

    Interpreted it runs over lists, compiled over arrays: the same code, the same arithmetic in the same
    order.
    numba is imported only to compile; it reuses compiled code cached on disk.
    """

    interpreted_steps: ClassVar[int] = 0
    """Steps of all loops: a small study never waits for the compiler, a large one soon uses it."""

    def __init__(self, loop: Callable[..., None], *called: Callable[..., Any]) -> None:
        """Create a kernel.

        called: functions that the loop calls.
        """
        self._loop = loop
        self._called = called
        self._compiled: Callable[..., None] | None = None
        self.is_ready = False

    def __call__(self, *arrays: NDArray[Any], steps: int) -> None:
        """Run the loop. steps: number of runs of its innermost statement."""
        if self._compiled is None and not self.pays_off(steps):
            import numpy as np

            Kernel.interpreted_steps += steps
            lists = [array.tolist() for array in arrays]
            self._loop(*lists)
            arrays[-1][...] = np.asarray(lists[-1], dtype=arrays[-1].dtype)
            return
        if self._compiled is None:
            Kernel.interpreted_steps = COMPILE_THRESHOLD
            with _collecting_no_garbage():
                self._compiled = self._compile()
                self._compiled(*arrays)
        else:
            self._compiled(*arrays)
        self.is_ready = True

    def pays_off(self, steps: int) -> bool:
        """Return whether the loop is compiled, or will be where it has so many steps to run."""
        threshold = COMPILE_THRESHOLD // 10 if self._is_cached else COMPILE_THRESHOLD
        return self._compiled is not None or Kernel.interpreted_steps + steps > threshold

    @classmethod
    def always_compile(cls) -> None:
        """Compile every loop from now on, however little there is to do."""
        cls.interpreted_steps = COMPILE_THRESHOLD

    @cached_property
    def _is_cached(self) -> bool:
        """Whether numba seems to have cached the current version of the loop on disk.

        Its index has the digest of the source, which a checkout may touch without a change; that of older
        versions of numba is newer than the source.
        """
        source = Path(self._loop.__code__.co_filename)
        digest, changed = hashlib.sha256(source.read_bytes()).digest(), source.stat().st_mtime
        files = folder_of(source).glob(f"{source.stem}.{self._loop.__name__}-*.nbi")
        return any(file.stat().st_mtime >= changed or digest in file.read_bytes() for file in files)

    def _compile(self) -> Callable[..., None]:
        began = time.perf_counter()
        _load_numba()
        from numba import njit
        from numba.extending import register_jitable

        for function in self._called:
            register_jitable(function)
        compiled: Callable[..., None]
        try:
            compiled = njit(cache=True, nogil=True, error_model="numpy")(self._loop)
        except RuntimeError:  # numba has no writable cache on this machine: compile each time
            compiled = njit(nogil=True, error_model="numpy")(self._loop)
        _log.debug("%s compiled in %.2f s", self._loop.__name__, time.perf_counter() - began)
        return compiled
