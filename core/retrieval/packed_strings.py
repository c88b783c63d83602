"""Many strings in two arrays, so that a million of them open at once from a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ABSENT = -1


@dataclass(frozen=True, slots=True, eq=False)
class PackedStrings:
    """Strings as UTF-8.

    letters: their bytes, concatenated.
    ends: shape (strings + 1,), the offset of each.
    """

    letters: NDArray[np.uint8]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, strings: Iterable[str]) -> PackedStrings:
        """Pack strings in their order."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        ends = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in encoded], out=ends[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, at: int) -> str:
        return self._bytes(at).decode("utf-8", "surrogatepass")

    def only(self, kept: NDArray[np.bool_]) -> PackedStrings:
        """Return the strings where `kept`, shape (strings,), is true."""
        lengths = np.diff(self.ends)
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[kept], dtype=np.int64)])
        return PackedStrings(self.letters[np.repeat(kept, lengths)], ends)

    def find(self, string: str) -> int:
        """Return the position of a string among sorted ones, ABSENT if it is missing."""
        target = string.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(middle) < target:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == target else ABSENT

    def _bytes(self, at: int) -> bytes:
        return self.letters[self.ends[at] : self.ends[at + 1]].tobytes()


def sorted_order(strings: Iterable[str]) -> list[str]:
    """Sort strings as `PackedStrings.find` needs them: by code points, which is the order of their bytes.

    In small groups: sorting a million at once would block all other threads for half a second.
    """
    by_start: dict[str, list[str]] = defaultdict(list)
    for string in strings:
        by_start[string[:2]].append(string)
    return [string for start in sorted(by_start) for string in sorted(by_start[start])]
