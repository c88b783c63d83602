"""Loops that are interpreted while there is little to do, and compiled once that pays."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

COMPILE_THRESHOLD = 5_000_000
"""Steps that all loops are interpreted before any is compiled: a second, less than compiling takes.

A tenth of it where numba has one compiled on the disk, as loading that takes half a second.
"""

_log = logging.getLogger(__name__)


class Kernel:
    """A loop over flat arrays that fills its last one.

    Interpreted it runs over lists, compiled over the arrays: the same code, the same arithmetic in the same
    order. numba is imported only to compile, and finds on the disk what was compiled before.
    """

    interpreted_steps: ClassVar[int] = 0
    """Of all loops, so that a small study waits for no compiler and a large one soon has it."""

    def __init__(self, loop: Callable[..., None], *called: Callable[..., Any]) -> None:
        """called: the functions that the loop calls. is_ready: whether it has run compiled."""
        self._loop = loop
        self._called = called
        self._compiled: Callable[..., None] | None = None
        self.is_ready = False

    def __call__(self, *arrays: NDArray[Any], steps: int) -> None:
        """Run. steps: how often the innermost statement is about to be done."""
        patience = COMPILE_THRESHOLD // 10 if self._is_kept else COMPILE_THRESHOLD
        if self._compiled is None and Kernel.interpreted_steps + steps <= patience:
            Kernel.interpreted_steps += steps
            lists = [array.tolist() for array in arrays]
            self._loop(*lists)
            arrays[-1][...] = np.asarray(lists[-1], dtype=arrays[-1].dtype)
            return
        if self._compiled is None:
            Kernel.interpreted_steps = COMPILE_THRESHOLD
            self._compiled = self._compile()
        self._compiled(*arrays)
        self.is_ready = True

    @classmethod
    def lose_patience(cls) -> None:
        """Interpret no loop any more, however little there is to do."""
        cls.interpreted_steps = COMPILE_THRESHOLD

    @cached_property
    def _is_kept(self) -> bool:
        """Whether numba seems to have left the loop, as it is now, beside its source."""
        source = Path(self._loop.__code__.co_filename)
        kept = (source.parent / "__pycache__").glob(f"{source.stem}.{self._loop.__name__}-*.nbi")
        return any(file.stat().st_mtime >= source.stat().st_mtime for file in kept)

    def _compile(self) -> Callable[..., None]:
        from numba import njit
        from numba.extending import register_jitable

        began = time.perf_counter()
        for function in self._called:
            register_jitable(function)
        compiled: Callable[..., None]
        try:
            compiled = njit(cache=True, nogil=True)(self._loop)
        except RuntimeError:  # numba may write nowhere on this machine: compile each time
            compiled = njit(nogil=True)(self._loop)
        _log.debug("%s made ready in %.2f s", self._loop.__name__, time.perf_counter() - began)
        return compiled
