"""In-memory cache of encodings, so that metrics with the same encoder share its passes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, Protocol, TypeVar

DEFAULT_BYTES = 512 << 20


class _Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


V = TypeVar("V", bound=_Sized)


class BoundedCache(Generic[V]):
    """Values by key with a maximum size in bytes; least recently used values are dropped first."""

    def __init__(self, max_bytes: int = DEFAULT_BYTES) -> None:
        self.max_bytes = max_bytes
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self.nbytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> V | None:
        """Return the value of a key, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def found(self, keys: Iterable[Hashable]) -> dict[Hashable, V]:
        """Return the values that are stored, by key."""
        return {key: value for key in keys if (value := self.get(key)) is not None}

    def keep(self, key: Hashable, value: V) -> None:
        """Store a value; drop old ones if the cache is too large."""
        old = self._values.pop(key, None)
        self.nbytes += value.nbytes - (0 if old is None else old.nbytes)
        self._values[key] = value
        while self.nbytes > self.max_bytes:
            _, gone = self._values.popitem(last=False)
            self.nbytes -= gone.nbytes

    def clear(self) -> None:
        """Remove all values."""
        self._values.clear()
        self.nbytes = 0
