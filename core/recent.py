"""Values of the last objects that they were made of, such as the texts of a topic."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")

identity = object.__hash__
"""Tells objects that exist at the same time apart, as `id` does, of which each call is audited."""


class Recent(Generic[V]):
    """The last values of objects that several ask for one after another, as the metrics of a topic do.

    Objects are the same only by identity: nothing is hashed or compared.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._made: OrderedDict[Hashable, tuple[V, tuple[object, ...]]] = OrderedDict()

    def get(self, key: Hashable, objects: tuple[object, ...], make: Callable[[], V]) -> V:
        """Return the value of these objects under a key, creating it if it is not one of the last."""
        place = key, *map(identity, objects)
        found = self._made.get(place)
        if found is None:
            found = self._made[place] = make(), objects  # which keeps their identities from being reused
            if len(self._made) > self._limit:
                self._made.popitem(last=False)
        return found[0]
