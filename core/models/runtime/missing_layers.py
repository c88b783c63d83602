"""Layers of texts that are not encoded yet, without duplicates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.models.runtime.word_pieces import WordPieces

TextKey = bytes
LayerName = int
"""Number of a layer, from 1; negative if requested alone and its output differs from a run with others."""


@dataclass(slots=True)
class MissingLayers:
    """Texts and, for each, the layers that are missing."""

    _texts: dict[TextKey, tuple[WordPieces, set[LayerName]]] = field(default_factory=dict)

    def add(self, key: TextKey, pieces: WordPieces, names: Iterable[LayerName]) -> None:
        """Add layers of a text that are missing."""
        self._texts.setdefault(key, (pieces, set()))[1].update(names)

    @property
    def size(self) -> int:
        """Number of vectors: word pieces, each counted once per layer."""
        return sum(len(pieces.ids) * len(names) for pieces, names in self._texts.values())

    def groups(self) -> Iterator[tuple[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]]]:
        """Yield groups of layers that run together, with the texts that need them."""
        groups: dict[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]] = {}
        for key, (pieces, names) in self._texts.items():
            alone = [(name,) for name in sorted(names) if name < 0]
            together = tuple(sorted(name for name in names if name > 0))
            for group in (*alone, *([together] if together else [])):
                groups.setdefault(group, []).append((key, pieces))
        yield from groups.items()


def text_key(pieces: WordPieces) -> TextKey:
    """Return a key that is equal for texts which the network reads the same way, truncation included."""
    return hashlib.sha256(pieces.ids.tobytes()).digest()
