"""What of texts and layers is not encoded yet, each once, however many want it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.models.encoders.word_pieces import WordPieces

TextKey = bytes
LayerName = int
"""A layer's number from 1 on; below 0 where it is wanted alone and is then not what it is beside others."""


@dataclass(slots=True)
class MissingLayers:
    """Texts with the layers that are lacking of each."""

    _texts: dict[TextKey, tuple[WordPieces, set[LayerName]]] = field(default_factory=dict)

    def add(self, key: TextKey, pieces: WordPieces, names: Iterable[LayerName]) -> None:
        """Note layers of a text as lacking."""
        self._texts.setdefault(key, (pieces, set()))[1].update(names)

    @property
    def size(self) -> int:
        """Vectors: pieces, each counted once per layer."""
        return sum(len(pieces.ids) * len(names) for pieces, names in self._texts.values())

    def groups(self) -> Iterator[tuple[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]]]:
        """Layers that go through the network together, with the texts that lack them."""
        found: dict[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]] = {}
        for key, (pieces, names) in self._texts.items():
            alone = [(name,) for name in sorted(names) if name < 0]
            beside = tuple(sorted(name for name in names if name > 0))
            for group in (*alone, *([beside] if beside else [])):
                found.setdefault(group, []).append((key, pieces))
        yield from found.items()


def text_key(pieces: WordPieces) -> TextKey:
    """The same for what a network reads alike: pieces say where a text was cut off, too."""
    return hashlib.sha256(pieces.ids.tobytes()).digest()
