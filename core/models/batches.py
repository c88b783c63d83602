"""Inputs run through a network by length, under a budget of pieces that shrinks where memory is short."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from core.errors import InputError
from core.models.devices import free_memory, is_out_of_memory
from core.progress import stop_if_asked

log = logging.getLogger(__name__)

T = TypeVar("T")

Step = Callable[[Sequence[int]], Sequence[T]]
"""Runs the inputs at some places together, and gives a result for each."""


class Batches:
    """Batches for one network on one device. tokens: pieces that a batch holds, padding included."""

    def __init__(self, device: str, tokens: int) -> None:
        self._device = device
        self._tokens = tokens

    def run(self, lengths: Sequence[int], step: Step[T]) -> list[T]:
        """The result for every input, in the order given. lengths: pieces of each.

        Raises InputError where the device has too little memory for one alone.
        """
        waiting = sorted(range(len(lengths)), key=lengths.__getitem__)
        results: dict[int, T] = {}
        while waiting:
            stop_if_asked()
            fitting = max(1, self._tokens // max(1, lengths[waiting[-1]]))
            batch = waiting[-fitting:]
            del waiting[-fitting:]
            results.update(zip(batch, self._run(batch, lengths, step), strict=True))
        return [results[place] for place in range(len(lengths))]

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
                f"An input of {longest} pieces does not fit into {self._device}'s memory; "
                "use a smaller model or the device cpu."
            )
        half = len(batch) // 2
        self._tokens = min(self._tokens, half * longest)
        log.warning("out of memory on %s: batches hold %d pieces from now on", self._device, self._tokens)
        free_memory(self._device)
        return self._run(batch[:half], lengths, step) + self._run(batch[half:], lengths, step)
