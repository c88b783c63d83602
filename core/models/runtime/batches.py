"""Inputs run through a network by length, as many at a time as memory and a wait to be stopped allow."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from core.errors import InputError
from core.models.runtime.devices import free_memory, is_out_of_memory, synchronize
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

T = TypeVar("T")

Step = Callable[[Sequence[int]], Sequence[T]]
"""Runs the inputs at some places together, and gives a result for each."""

LONGEST = 1.0
"""Seconds that a batch may take on a GPU, which cannot be stopped within one."""


class Batcher:
    """Batches for one network on one device.

    model: its name, for people. tokens: pieces that a batch holds, padding included. make_room: drops what
    else lies in the device's memory.
    """

    def __init__(
        self,
        model: str,
        device: str,
        tokens: int = sys.maxsize,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        self._model = model
        self._device = device
        self._tokens = tokens
        self._make_room = make_room
        self._was_slow = False

    def run(self, lengths: Sequence[int], step: Step[T]) -> list[T]:
        """The result for every input, in the order given. lengths: pieces of each.

        Raises InputError where the device has too little memory for one alone.
        """
        results: dict[int, T] = {}
        for made in self.passes(lengths, step):
            results.update(made)
        return [results[place] for place in range(len(lengths))]

    def passes(
        self, lengths: Sequence[int], step: Step[T], tokens: int = sys.maxsize
    ) -> Iterator[Mapping[int, T]]:
        """The results by place, batch by batch, the longest inputs first. tokens: of a batch, at most."""
        waiting = sorted(range(len(lengths)), key=lengths.__getitem__)
        while waiting:
            raise_if_cancelled()
            fitting = max(1, min(tokens, self._tokens) // max(1, lengths[waiting[-1]]))
            batch = waiting[-fitting:]
            del waiting[-fitting:]
            yield dict(zip(batch, self._timed(batch, lengths, step), strict=True))

    def _timed(self, batch: Sequence[int], lengths: Sequence[int], step: Step[T]) -> list[T]:
        """One batch; the second in a row that takes too long makes those after it smaller."""
        if self._device == "cpu":  # where a pass is stopped between two blocks
            return self._run(batch, lengths, step)
        began = time.monotonic()
        results = self._run(batch, lengths, step)
        synchronize(self._device)
        taken = time.monotonic() - began
        if taken > LONGEST and self._was_slow:
            tokens = len(batch) * lengths[batch[-1]]
            self._tokens = max(1, min(self._tokens, int(tokens * LONGEST / taken)))
        self._was_slow = taken > LONGEST
        return results

    def _run(self, batch: Sequence[int], lengths: Sequence[int], step: Step[T]) -> list[T]:
        try:
            return list(step(batch))
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
        # past the handler, so that the failed pass's memory is no longer held by its traceback
        longest = max(lengths[place] for place in batch)
        if len(batch) == 1:
            raise InputError(
                f"A text of {longest} pieces in {self._model} does not fit into {self._device}'s memory; "
                "use a smaller model or the device cpu."
            )
        half = len(batch) // 2
        self._tokens = min(self._tokens, half * longest)
        log.warning("out of memory on %s: batches hold %d pieces from now on", self._device, self._tokens)
        self._make_room()
        free_memory(self._device)
        return self._run(batch[:half], lengths, step) + self._run(batch[half:], lengths, step)
