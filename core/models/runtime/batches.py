"""Batching of network inputs by length, within limits of memory and of the time until a job can stop."""

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
"""Runs the inputs at the given positions as one batch, and returns one result per input."""

LONGEST = 1.0
"""Longest time in seconds that a batch may take on a GPU, where a running batch cannot be interrupted."""


class Batcher:
    """Batches for one network on one device.

    model: name of the model, for messages.
    tokens: maximum number of word pieces in a batch, padding included.
    make_room: frees other memory of the device.
    """

    def __init__(
        self, model: str, device: str, tokens: int = sys.maxsize, make_room: Callable[[], None] = lambda: None
    ) -> None:
        self._model = model
        self._device = device
        self._tokens = tokens
        self._make_room = make_room
        self._was_slow = False

    def run(self, lengths: Sequence[int], step: Step[T]) -> list[T]:
        """Return the result for every input, in input order. lengths: word pieces of each input.

        Raises InputError if the device has too little memory for a single input.
        """
        results: dict[int, T] = {}
        for made in self.passes(lengths, step):
            results.update(made)
        return [results[place] for place in range(len(lengths))]

    def passes(
        self, lengths: Sequence[int], step: Step[T], tokens: int = sys.maxsize
    ) -> Iterator[Mapping[int, T]]:
        """Yield results by position, batch by batch, longest inputs first. tokens: maximum per batch."""
        waiting = sorted(range(len(lengths)), key=lengths.__getitem__)
        while waiting:
            raise_if_cancelled()
            fitting = max(1, min(tokens, self._tokens) // max(1, lengths[waiting[-1]]))
            batch = waiting[-fitting:]
            del waiting[-fitting:]
            yield dict(zip(batch, self._timed(batch, lengths, step), strict=True))

    def _timed(self, batch: Sequence[int], lengths: Sequence[int], step: Step[T]) -> list[T]:
        """Run one batch; if two batches in a row take too long, make the following ones smaller."""
        if self._device == "cpu":  # a pass can be stopped between two blocks
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
        # outside the handler, so that the traceback no longer holds the memory of the failed pass
        longest = max(lengths[place] for place in batch)
        if len(batch) == 1:
            raise InputError(
                f"A text of {longest} word pieces is too long for the memory of {self._device} with "
                f"{self._model}. Use a smaller model or the device cpu."
            )
        half = len(batch) // 2
        self._tokens = min(self._tokens, half * longest)
        log.warning("out of memory on %s: reducing batches to %d word pieces", self._device, self._tokens)
        self._make_room()
        free_memory(self._device)
        return self._run(batch[:half], lengths, step) + self._run(batch[half:], lengths, step)
