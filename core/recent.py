"""Values of the last objects that they were made of, such as the texts of a topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from operator import is_
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """The last values of objects that several ask for one after another, as the metrics of a topic do.

    Objects are the same only by identity: nothing is hashed or compared.
    """

    def __init__(self, limit: int) -> None:
        self._made: deque[tuple[Hashable, tuple[object, ...], V]] = deque(maxlen=limit)

    def get(self, key: Hashable, objects: tuple[object, ...], make: Callable[[], V]) -> V:
        """Return the value of these objects under a key, creating it if it is not one of the last."""
        for its_key, known, value in reversed(tuple(self._made)):
            if len(known) == len(objects) and all(map(is_, known, objects)) and its_key == key:
                return value
        value = make()
        self._made.append((key, objects, value))
        return value
